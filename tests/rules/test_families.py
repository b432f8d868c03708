"""Which families of rules a file is asked: those that only phrase faults wait until there are some."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from graphwright.facts import Facts
from graphwright.rules.catalogue import JUDGING, OCCASIONAL, PHRASING, catalogue, phrasing_rule, rules_for
from graphwright.source.reader import read_text
from rules.documented import examples

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
            if isinstance(each, ast.Call) and isinstance(node, ast.FunctionDef):
                first, module = each.args[0], import_module(f"graphwright.rules.{family}")
                code = first.value if isinstance(first, ast.Constant) else getattr(module, ast.unparse(first)).code
                found[str(code)] = node
    return found


def test_every_family_is_in_the_catalogue_with_its_codes() -> None:
    families = {file.stem: tuple(rules_of(file.stem)) for file in FAMILIES.glob("*.py")}
    with_rules = {family: codes for family, codes in families.items() if codes}
    waiting = {**PHRASING, **{family: codes for family, (_, codes) in OCCASIONAL.items()}}
    assert set(with_rules) == {*JUDGING, *waiting}
    assert {family: with_rules[family] for family in waiting} == waiting
    assert list(catalogue()) == sorted(code for codes in with_rules.values() for code in codes)


def statements(rule: ast.FunctionDef) -> Iterator[ast.stmt]:
    """The body of a rule without its docstring and what cannot find anything."""
    for statement in rule.body[1:]:
        if not isinstance(statement, ast.Assign | ast.Return):
            yield statement


@pytest.mark.parametrize("code", [code for codes in PHRASING.values() for code in codes])
def test_a_rule_that_phrases_says_nothing_without_a_fault_of_its_code(code: str) -> None:
    family = next(family for family, codes in PHRASING.items() if code in codes)
    rule = rules_of(family)[code]
    if "@fault_rule" in ast.unparse(rule):
        return  # it is called with faults
    for statement in statements(rule):
        assert isinstance(statement, ast.For), ast.unparse(statement)
        asked = statement.iter
        assert isinstance(asked, ast.Call)
        assert ast.unparse(asked.func) == "facts.faults"
        kind = getattr(import_module(f"graphwright.rules.{family}"), ast.unparse(asked.args[0]))
        assert kind.code == code


def asked(text: str) -> set[str]:
    """The codes whose rules are asked about a graph, beyond those that are asked about every graph."""
    quiet = {rule.code for rule in rules_for(Facts(read_text(CLEAN)))}
    assert not quiet & {code for codes in PHRASING.values() for code in codes}
    return {rule.code for rule in rules_for(Facts(read_text(text)))} - quiet


def test_only_what_occurs_is_asked() -> None:
    command = CLEAN.replace("tickets.list", "rye.bash")
    command = command.replace("tickets/list, params: {", "rye/bash, params: {command: ls, ")
    assert asked(CLEAN.replace("inputs.team}", "inputs.team")) == {"GW401"}
    assert asked(command) == {"GW412", "GW606"}
    assert asked(CLEAN.replace("team", "équipe")) == {"GW119"}
    assert asked(f"output_schema: {{type: object}}\n{CLEAN}") == {"GW412"}
    assert asked(CLEAN.replace("  state: {total: 0}", "  state: {total: 0}\n  state_schema: {type: object}")) == {
        "GW412"
    }


def texts() -> Iterator[str]:
    """Every graph that the project has: examples, cases and those of the documentation."""
    root = Path(__file__).parents[2]
    for file in sorted(root.glob("[et]*/**/*.y*ml")):
        yield file.read_text("utf-8", "surrogateescape")
    yield from (graph for _, graph in examples("Fails", "Passes"))


def test_a_rule_that_is_not_asked_has_nothing_to_say() -> None:
    counted = 0
    for text in texts():
        facts = Facts(read_text(text))
        unasked = set(catalogue()) - {rule.code for rule in rules_for(facts)}
        found = [code for code in unasked for _ in catalogue()[code].check(facts)]
        assert not found, text
        counted += 1
    assert counted > 100


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
    unwanted |= {f"graphwright.rules.{family}" for family in OCCASIONAL}
    unwanted |= {
        "graphwright.checking.ignore",
        "graphwright.analysis.shell",
        "graphwright.schema.evaluation",
        "logging",
        "traceback",
    }
    unwanted |= {"jinja2", "libcst", "mypy", "jsonschema", "rapidfuzz", "pathspec", "dataclasses", "inspect", "asyncio"}
    assert not unwanted & set(imported)
