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


@pytest.mark.parametrize(
    ("parameters", "given"),
    [
        ("params", ["params"]),
        ("params, root", ["params", "path"]),
        ("params, root='.'", ["params", "path"]),
        ("params, root, more", ["params", "path", "context"]),
        ("params, root, more=None", ["params", "path", "NoneType"]),
        ("*everything", ["params", "path"]),
        ("params, *rest, context", ["params", "path", "context"]),
        ("params, context", ["params", "context"]),
    ],
)
def test_positions_decide_where_names_do_not(parameters: str, given: list[str], tmp_path: Path) -> None:
    names = ", ".join(f"*{p[1:]}" if p[0] == "*" else p.partition("=")[0] for p in parameters.split(", "))
    text = textwrap.dedent(f"""
        KINDS = {{"dict": "params", "str": "path", "Context": "context"}}
        def execute({parameters}):
            return {{"given": [KINDS.get(type(each).__name__, type(each).__name__) for each in ({names},)]}}
    """)
    assert result_of("it", project=file(tmp_path, text)) == {"given": given}
