"""Which families of rules a file is asked: those that only phrase faults wait until there are some."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphwright.rules.catalogue import JUDGING, PHRASING, catalogue, phrasing_rule, rules_for

FAMILIES = Path(inspect.getfile(phrasing_rule)).parent
CLEAN = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.list]
config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
config:
  start: fetch
  state: {total: 0}
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {team: "${inputs.team}"}}
      assign: {total: "${result.total || 0}"}
      next: [{to: done, when: {path: state.total, op: gt, value: 3}}, {to: done}]
    done: {type: return, output: {total: "${state.total}"}}
"""


def rules_of(family: str) -> dict[str, ast.FunctionDef]:
    """The functions of a family that are rules, by code."""
    found = {}
    for node in ast.parse((FAMILIES / f"{family}.py").read_text("utf-8")).body:
        for each in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(each, ast.Call) and ast.unparse(each.func) == "rule" and isinstance(node, ast.FunctionDef):
                found[str(ast.literal_eval(each.args[0]))] = node
    return found


def test_every_family_is_in_the_catalogue_with_its_codes() -> None:
    families = {file.stem: tuple(rules_of(file.stem)) for file in FAMILIES.glob("*.py")}
    with_rules = {family: codes for family, codes in families.items() if codes}
    assert set(with_rules) == {*JUDGING, *PHRASING}
    assert {family: with_rules[family] for family in PHRASING} == dict(PHRASING)
    assert list(catalogue()) == sorted(code for codes in with_rules.values() for code in codes)


def statements(rule: ast.FunctionDef) -> Iterator[ast.stmt]:
    """The body of a rule without its docstring and what cannot find anything."""
    for statement in rule.body[1:]:
        if not isinstance(statement, ast.Assign | ast.Return):
            yield statement


@pytest.mark.parametrize("code", [code for codes in PHRASING.values() for code in codes])
def test_a_rule_that_phrases_says_nothing_without_a_fault_of_its_code(code: str) -> None:
    family = next(family for family, codes in PHRASING.items() if code in codes)
    for statement in statements(rules_of(family)[code]):
        assert isinstance(statement, ast.For), ast.unparse(statement)
        assert f"facts.faults('{code}')" in ast.unparse(statement.iter)


def test_only_noted_codes_are_phrased() -> None:
    quiet, loud = rules_for(()), rules_for({"GW002", "GW401"})
    assert [rule.code for rule in loud if rule not in quiet] == ["GW002", "GW401"]
    assert not {rule.code for rule in quiet} & {code for codes in PHRASING.values() for code in codes}


def test_a_check_of_a_good_graph_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    (tmp_path / "graph.yaml").write_text(CLEAN, "utf-8")
    code = """
import sys
from graphwright.checking.checker import check
assert not check(["graph.yaml"]).diagnostics
print(*sorted(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    imported = done.stdout.split()
    unwanted = {f"graphwright.rules.{family}" for family in PHRASING}
    unwanted |= {"graphwright.checking.ignore", "graphwright.analysis.shell", "logging", "traceback"}
    unwanted |= {"jinja2", "libcst", "mypy", "jsonschema", "rapidfuzz", "pathspec", "dataclasses", "inspect", "asyncio"}
    assert not unwanted & set(imported)
