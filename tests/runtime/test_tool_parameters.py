"""What tools take besides params: the same function in a file and in `tools=`."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from graphwright_runtime.abi import Context
from runtime.test_tools import result_of

HEADER = "from __future__ import annotations\nfrom graphwright_runtime.context import Context\n"

#: Parameter lists in which names or annotations say what each parameter is.
SAID = [
    "params, project_path, context",
    "params, context, project_path",
    "params, project_path, ctx: Context",
    "params, ctx: Context, project_path",
    "params, project_path, *, context",
    "params, *, ctx: Context, project_path",
    "params, project_path, *, ctx: Context | None = None",
    "params, project_path=None, context=None",
    "params, verbose=False, *, context, project_path",
    "params, verbose=False, project_path=None, context=None",
    "params, project_path, /, context",
]


def source(parameters: str, *, is_async: bool = False) -> str:
    names = {"context": "ctx" if "ctx" in parameters else "context", "path": "project_path"}
    body = f"return {{'node': {names['context']}.node, 'path': {names['path']}, **params}}"
    return f"{HEADER}{'async ' * is_async}def execute({parameters}):\n    {body}\n"


def file(project: Path, text: str) -> Path:
    path = project / ".ai" / "tools" / "it.py"
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return project


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("parameters", SAID)
def test_the_same_function_works_in_a_file_and_in_tools(parameters: str, is_async: bool, tmp_path: Path) -> None:
    text = source(parameters, is_async=is_async)
    space: dict[str, Any] = {}
    exec(text, space)
    expected = {"node": "work", "path": str(tmp_path), "n": 1}
    assert result_of("it", {"n": 1}, tools={"it": space["execute"]}, project=tmp_path) == expected
    assert result_of("it", {"n": 1}, project=file(tmp_path, text)) == expected


def test_annotations_that_are_evaluated(tmp_path: Path) -> None:
    def tool(params: dict[str, Any], call: Context | None = None) -> object:
        return {"node": call and call.node}

    tool.__annotations__ = {"params": dict, "call": Context | None}
    assert result_of("it", tools={"it": tool}) == {"node": "work"}


#: Parameter lists, what a tool in a file is given for each, and what one in `tools` is given where that differs.
POSITIONS = [
    ("params", ["params"], None),
    ("params, root", ["params", "path"], ["params", "context"]),
    ("params, root='.'", ["params", "path"], ["params", "str"]),
    ("params, root, more", ["params", "path", "context"], ["params", "context", "path"]),
    ("params, root, more=None", ["params", "path", "NoneType"], ["params", "context", "NoneType"]),
    ("params, project_path, more", ["params", "path", "context"], None),
    ("params, context, more", ["params", "context", "path"], None),
    ("params, more, context", ["params", "path", "context"], None),
    ("params, more, project_path", ["params", "context", "path"], None),
    ("params, more, *, context", ["params", "path", "context"], None),
    ("*everything", ["params", "path"], ["params", "context"]),
    ("params, *rest, context", ["params", "path", "context"], None),
    ("params, *rest, project_path", ["params", "context", "path"], None),
    ("params, context", ["params", "context"], None),
]


@pytest.mark.parametrize("in_file", [True, False])
@pytest.mark.parametrize(("parameters", "of_file", "of_tools"), POSITIONS)
def test_positions_decide_where_names_do_not(
    parameters: str, of_file: list[str], of_tools: list[str] | None, in_file: bool, tmp_path: Path
) -> None:
    given = of_file if in_file or of_tools is None else of_tools
    names = ", ".join(p.partition("=")[0] for p in parameters.split(", ") if p != "*")
    text = textwrap.dedent(f"""
        def kind(value):
            found = {{"dict": "params", "Context": "context"}}.get(type(value).__name__, type(value).__name__)
            return "path" if value == {str(tmp_path)!r} else found
        def execute({parameters}):
            return {{"given": [kind(each) for each in ({names},)]}}
    """)
    if in_file:
        assert result_of("it", project=file(tmp_path, text)) == {"given": given}
    else:
        space: dict[str, Any] = {}
        exec(text, space)
        assert result_of("it", tools={"it": space["execute"]}, project=tmp_path) == {"given": given}
