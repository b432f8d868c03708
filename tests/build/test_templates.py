"""Templates of a project: they replace the built-in ones, and what is wrong with them is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import graphwright
from graphwright.building.compile import compile_source
from graphwright.emit.errors import TemplateError
from graphwright.emit.templates import template_folder

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.a.*]
config:
  start: work
  on_error: continue
  nodes:
    work:
      action: {item_id: a/b}
      assign: {found: "${result.found}"}
      next: done
    done: {type: return}
"""


@pytest.fixture(autouse=True)
def layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The templates of a project with one graph; its folder is the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    (tmp_path / "graphwright.toml").write_text('roots = ["graphs"]\ntemplates = "layout"\nsign = false\n', "utf-8")
    (tmp_path / "graphs").mkdir()
    (tmp_path / "graphs" / "one.yaml").write_text(GRAPH, "utf-8")
    (tmp_path / "layout").mkdir()
    return tmp_path / "layout"


def changed(layout: Path, name: str, old: str, new: str) -> int:
    """Replace a part of a built-in template; the number of the line where the replacement begins."""
    text = (template_folder() / name).read_text("utf-8")
    assert text.count(old) >= 1
    (layout / name).write_text(text.replace(old, new, 1), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_they_come_before_the_built_in_ones(layout: Path) -> None:
    changed(layout, "node.j2", "# {{ each.place }}\n", "# {{ each.place }}: {{ each.kind }}\n")
    assert graphwright("build").code == 0
    text = Path("generated/one.py").read_text("utf-8")
    assert "# graphs/one.yaml:8: action\n" in text
    assert "# graphs/one.yaml:12: return\n" in text


def test_they_can_have_parts_of_their_own(layout: Path) -> None:
    (layout / "greeting.j2").write_text("# Made for us.\n", "utf-8")
    changed(layout, "module.j2", "\n\n# The nodes", '\n\n{% include "greeting.j2" %}\n# The nodes')
    assert graphwright("build", "--no-typecheck").code == 0
    assert "# Made for us.\n" in Path("generated/one.py").read_text("utf-8")


def refused(*options: str) -> str:
    """What a build says that writes nothing, on standard error."""
    outcome = graphwright("build", *options)
    assert (outcome.code, outcome.stdout) == (2, ""), outcome.stderr
    assert "GW901" not in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert not Path("generated").exists()
    return outcome.stderr


SETUP = "{{ lines(each.setup, 1) -}}\n"


@pytest.mark.parametrize(
    ("name", "old", "new", "below", "reason"),
    [
        ("node.j2", SETUP, "{% if each.setup %}\n" + SETUP, None, "nesting mistake"),
        ("node.j2", SETUP, "{{ lines(each.setup, 1 -}}\n", 0, "unexpected"),
        ("node.j2", SETUP, "\n{{ each.nothing }}\n", 1, "has no attribute 'nothing'"),
        ("node.j2", SETUP, "{{ nothing }}\n", 0, "'nothing' is undefined"),
        ("node.j2", SETUP, "{{ 1 // 0 }}\n", 0, "division"),
        ("node.j2", SETUP, "{{ each.setup | nofilter }}\n", 0, "No filter named 'nofilter'"),
        ("node.j2", SETUP, "    return (\n" + SETUP, 0, "it does not compile"),
        ("node.j2", SETUP, "    import os\n" + SETUP, 0, "it imports something inside a function"),
        ("module.j2", "\n__all__", "\nimport os\n__all__", 1, "it imports os"),
        (
            "module.j2",
            "\n# The nodes",
            "\nasync def more() -> None:\n    pass\n\n\n# The nodes",
            1,
            "not those of its nodes",
        ),
        (
            "module.j2",
            '{{ module.graph | map("join", "=") | join(", ") }}',
            "id=GRAPH_ID",
            0,
            "no place for the line map",
        ),
        ("types.j2", "class {{ each.name }}", "clas {{ each.name }}", 0, "it does not compile"),
    ],
)
def test_a_template_that_gives_no_module(
    layout: Path, name: str, old: str, new: str, below: int | None, reason: str
) -> None:
    line = changed(layout, name, old, new)
    message = refused("--no-typecheck")
    assert reason in message
    assert f"layout/{name}:{'' if below is None else line + below}" in message


@pytest.mark.parametrize(
    ("name", "old", "new", "below", "reason"),
    [
        ("node.j2", SETUP, "    wrong: int = 'text'\n" + SETUP, 0, "Incompatible types in assignment"),
        ("node.j2", "-> {{ each.returns }}", "-> int", 0, "Incompatible return value type"),
        ("module.j2", "{% for each in module.functions %}\n", "{% for each in [] %}\n", None, "is not defined"),
    ],
)
def test_a_template_that_gives_a_module_mypy_refuses(
    layout: Path, name: str, old: str, new: str, below: int | None, reason: str
) -> None:
    Path("graphs/one.yaml").write_text(GRAPH.replace("  start: work\n", "  start: work\n  state: {seen: 0}\n"), "utf-8")
    line = changed(layout, name, old, new)
    message = refused()
    assert "the templates do not give a module that passes mypy" in message
    assert reason in message
    assert f"layout/{name}:{'' if below is None else line + below}" in message


def test_a_template_without_what_others_need_of_it(layout: Path) -> None:
    (layout / "node.j2").write_text("{# nothing #}\n", "utf-8")
    message = refused("--no-typecheck")
    assert "layout" in message
    assert "'node'" in message


def test_a_name_that_nothing_uses(layout: Path) -> None:
    (layout / "nodes.j2").write_text("{# misspelled #}\n", "utf-8")
    message = refused("--no-typecheck")
    assert "layout/nodes.j2: nothing uses a template of this name" in message
    assert "`node.j2`" in message


def test_a_template_that_is_no_text(layout: Path) -> None:
    (layout / "node.j2").write_bytes(b"\xff\xfe")
    assert "layout" in refused("--no-typecheck")


def test_in_memory_the_error_is_raised(layout: Path) -> None:
    line = changed(layout, "node.j2", SETUP, "{{ nothing }}\n")
    with pytest.raises(TemplateError, match=rf"node\.j2:{line}: 'nothing' is undefined"):
        compile_source(GRAPH, templates=layout)


def test_what_the_built_in_templates_get_wrong_is_no_fault_of_the_project(
    layout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A graph that breaks the emitter is GW901, whatever templates there are."""
    changed(layout, "node.j2", SETUP, "    # ours\n" + SETUP)
    monkeypatch.setattr("graphwright.emit.nodes.commit_text", lambda _: "c.commit(")
    outcome = graphwright("build", "--no-typecheck")
    assert outcome.code == 3
    assert "GW901" in outcome.stderr
