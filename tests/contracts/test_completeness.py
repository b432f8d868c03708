"""GW701: what `contracts = "complete"` asks of the tools that graphs call."""

from __future__ import annotations

import pytest

from checking import check_files, loud, only
from contracts.test_python_tools import graph

COMPLETE = '[tool.graphwright]\ncontracts = "complete"\n'
TYPED = "def execute(params: dict[str, str]) -> dict[str, int]: ...\n"
UNTYPED = "def execute(params): ...\n"
MANIFEST = "params: {type: object, properties: {team: {type: string}}}\n"


@pytest.mark.parametrize(
    ("files", "message", "advice"),
    [
        (
            {},
            "node `fetch` calls tool `team/fetch`, which is not declared, and `contracts` is set to `complete`",
            "write `.ai/tools/team/fetch.py`, or declare it in `contracts/team/fetch.yaml`",
        ),
        ({".ai/tools/team/fetchd.py": TYPED}, "which is not declared", "did you mean `team/fetchd`?"),
        ({"contracts/team/fetsh.yaml": MANIFEST}, "which is not declared", "did you mean `team/fetsh`?"),
        (
            {".ai/tools/team/fetch.py": UNTYPED},
            "tool `team/fetch` does not declare what it takes and returns",
            "annotate `execute` in `fetch.py` with a TypedDict, or declare it in `contracts/team/fetch.yaml`",
        ),
        (
            {"contracts/team/fetch.yaml": "params: {type: object}\ndescription: Rows\n"},
            "tool `team/fetch` does not declare what it takes and returns",
            "declare it in `contracts/team/fetch.yaml`",
        ),
    ],
)
def test_a_tool_without_a_contract(files: dict[str, str], message: str, advice: str) -> None:
    files = {"pyproject.toml": COMPLETE, ".ai/tools/g.yaml": graph(), **files}
    found = only(check_files(files, ".ai"), "GW701")
    assert (found.span.line, found.span.column) == (8, 25)
    assert message in found.message
    assert found.help == advice
    assert loud(check_files({**files, "pyproject.toml": ""}, ".ai")) == []


@pytest.mark.parametrize(
    ("params", "returned", "is_known"),
    [
        ("dict", "dict", False),
        ("dict[str, Any]", "dict[str, Any] | None", False),
        ("Mapping[str, object]", "Any", False),
        ("dict[str, Any] | None", "dict[Any, Any]", False),
        ("dict[str, int]", "dict", True),
        ("dict", "dict[str, int] | None", True),
        ("dict", "list", True),
        ("dict", "None", True),
        ("Nothing", "dict", True),
    ],
)
def test_hints_that_say_nothing(params: str, returned: str, is_known: bool) -> None:
    lines = ["from typing import Any, Mapping, TypedDict", "class Nothing(TypedDict): ..."]
    code = "\n".join([*lines, f"def execute(params: {params}) -> {returned}: ...", ""])
    files = {"pyproject.toml": COMPLETE, ".ai/tools/g.yaml": graph(), ".ai/tools/team/fetch.py": code}
    assert ("GW701" not in {one.code for one in check_files(files, ".ai")}) is is_known


@pytest.mark.parametrize(
    "files",
    [
        {".ai/tools/team/fetch.py": TYPED},
        {"contracts/team/fetch.yaml": MANIFEST, ".ai/tools/team/fetch.py": UNTYPED},
        {"contracts/team/fetch.yaml": MANIFEST},
        {
            ".ai/tools/team/fetch.yaml": graph()
            .replace("tool:team/fetch", "tool:rye/bash")
            .replace("[rye", "[nothing, rye")
        },
    ],
    ids=["type hints", "a manifest", "a manifest alone", "a graph"],
)
def test_tools_with_a_contract(files: dict[str, str]) -> None:
    found = check_files({"pyproject.toml": COMPLETE, ".ai/tools/g.yaml": graph(), **files}, ".ai/tools/g.yaml")
    assert "GW701" not in {one.code for one in found}


@pytest.mark.parametrize(
    ("item_id", "advice"),
    [
        ("rye/bash", None),
        ("rye/agent/threads/thread_directive", None),
        ("rye/file-system/raed", "rye/file-system/read"),
    ],
)
def test_built_in_tools(item_id: str, advice: str | None) -> None:
    text = graph("{command: ls, directive_name: a}").replace("team/fetch", item_id).replace("team.*", "rye.*")
    found = [one for one in check_files({"pyproject.toml": COMPLETE, "g.yaml": text}, "g.yaml") if one.code == "GW701"]
    assert [one.help for one in found] == ([f"did you mean `{advice}`?"] if advice else [])


def test_a_misspelled_graph_is_one_finding() -> None:
    other = graph("{command: ls}").replace("tool:team/fetch", "tool:rye/bash").replace("team.*", "rye.*")
    outer = graph("{n: 1}").replace("tool:team/fetch", "tool:team/cuont")
    files = {"pyproject.toml": COMPLETE, ".ai/tools/team/count.yaml": other, ".ai/tools/g.yaml": outer}
    assert loud(check_files(files, ".ai/tools/g.yaml"))[0] == "GW704:8"
    assert "GW701" not in {one.code for one in check_files(files, ".ai/tools/g.yaml")}


def test_ids_that_are_templates_are_decided_at_run_time() -> None:
    text = graph().replace("tool:team/fetch", '"tool:team/${inputs.n}"')
    found = check_files({"pyproject.toml": COMPLETE, ".ai/tools/g.yaml": text}, ".ai")
    assert "GW701" not in {one.code for one in found}


def test_a_tool_that_appears_is_seen_in_spite_of_the_cache() -> None:
    files = {"pyproject.toml": COMPLETE, ".ai/tools/g.yaml": graph(), ".ai/tools/team/fetchd.py": TYPED}
    assert loud(check_files(files, ".ai/tools/g.yaml")) == ["GW701:8"]
    assert loud(check_files({**files, ".ai/tools/team/fetch.py": TYPED}, ".ai/tools/g.yaml")) == []
