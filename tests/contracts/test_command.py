"""`graphwright contracts`: what it lists, and the file that `lock` writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import graphwright
from contracts.test_python_tools import FETCH, graph

BASH = graph('{command: "ls"}').replace("team/fetch", "rye/bash").replace("team.*", "rye.*")
CALLER = graph("{n: 1}").replace("tool:team/fetch", "tool:team/count")
UNKNOWN = graph().replace("tool:team/fetch", "tool:team/elsewhere")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a tool, a graph that is called, a built-in tool and an unknown one."""
    monkeypatch.chdir(tmp_path)
    tools = tmp_path / ".ai" / "tools"
    (tools / "team").mkdir(parents=True)
    (tools / "team" / "fetch.py").write_text(FETCH, "utf-8")
    for name, text in {"a": graph(), "b": graph(), "team/count": BASH, "c": CALLER, "d": UNKNOWN}.items():
        (tools / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


def test_the_list() -> None:
    done = graphwright("contracts")
    assert (done.code, done.stderr) == (0, "")
    lines = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    assert [name for name, _ in lines] == ["TOOL", "rye/bash", "team/count", "team/elsewhere", "team/fetch"]
    assert "command, timeout?, working_dir?" in lines[1][1]
    assert lines[1][1].endswith("built in")
    assert lines[2][1].endswith(".ai/tools/team/count.yaml")
    assert lines[3][1].split() == ["unknown", "unknown", "not", "declared"]
    assert lines[4][1].endswith(".ai/tools/team/fetch.py")


@pytest.mark.parametrize("item_id", ["team/fetch", "tool:team/fetch"])
def test_one_tool(item_id: str) -> None:
    said = graphwright("contracts", item_id).stdout
    assert said.splitlines()[0] == "team/fetch"
    assert "  contract    .ai/tools/team/fetch.py\n" in said
    assert "  capability  rye.execute.tool.team.fetch\n" in said
    assert "team: string" in said
    assert "limit: integer (optional" in said
    assert "  called by   .ai/tools/a.yaml:8 node `fetch`\n              .ai/tools/b.yaml:8 node `fetch`\n" in said


def test_objects_within_objects(project: Path) -> None:
    (project / ".ai" / "tools" / "team" / "fetch.py").write_text(
        """from typing import NotRequired, TypedDict
class Owner(TypedDict):
    name: str
    delegate: "NotRequired[Owner]"
class Row(TypedDict):
    owner: Owner
    title: str
class Result(TypedDict):
    rows: list[Row]
def execute(params: dict[str, str]) -> Result: ...
""",
        "utf-8",
    )
    said = graphwright("contracts", "team/fetch").stdout
    shown = said.partition("  result      ")[2].partition("  called by")[0]
    assert [line.strip() for line in shown.splitlines()[:5]] == [
        *("rows: list of objects", "owner: object", "delegate: anything (optional)", "name: string", "title: string"),
    ]
    assert [len(line) - len(line.lstrip()) - 14 for line in shown.splitlines()[1:5]] == [2, 4, 4, 2]


def test_as_json() -> None:
    listed = json.loads(graphwright("contracts", "--format", "json").stdout)
    tools = {each["id"]: each for each in listed["tools"]}
    assert listed["version"] == 1
    assert {name: each["kind"] for name, each in tools.items()} == {
        "rye/bash": "built-in",
        "team/count": "graph",
        "team/elsewhere": "unknown",
        "team/fetch": "tool",
    }
    fetch = tools["team/fetch"]
    assert fetch["params"]["required"] == ["team"]
    assert fetch["called_by"][1] == {"graph": "b", "path": ".ai/tools/b.yaml", "line": 8, "caller": "node `fetch`"}
    assert tools["team/elsewhere"]["params"] is True
    assert tools["team/count"]["result"]["properties"]["output"]["properties"]["n"] == {"type": "integer"}
    assert tools["rye/bash"]["params"]["properties"]["timeout"] == {"type": "number"}
    one = json.loads(graphwright("contracts", "team/fetch", "--format", "json").stdout)
    assert one["tools"] == [fetch]


def test_an_id_that_nobody_calls() -> None:
    done = graphwright("contracts", "team/fecth")
    assert (done.code, done.stdout) == (2, "")
    assert "no graph of this project calls a tool `team/fecth`; did you mean `team/fetch`?" in done.stderr


def test_a_folder_without_graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "empty")
    assert (graphwright("contracts").code, graphwright("contracts", "lock").code) == (2, 2)


# --- lock ---------------------------------------------------------------------------------------------------------


def test_the_lock_file(project: Path) -> None:
    assert graphwright("contracts", "lock").code == 0
    first = (project / "contracts.lock.json").read_bytes()
    assert first.endswith(b"}\n")
    content = json.loads(first)
    assert list(content["tools"]) == ["team/fetch"]
    assert content["tools"]["team/fetch"]["params"]["properties"]["team"]["type"] == "string"
    assert graphwright("contracts", "lock", "--check").code == 0
    assert "up to date" in graphwright("contracts", "lock").stderr
    (project / ".ai" / "tools" / "b.yaml").unlink()
    assert graphwright("contracts", "lock", "--check").code == 0


def test_a_change_is_a_difference(project: Path) -> None:
    missing = graphwright("contracts", "lock", "--check")
    assert (missing.code, "contracts.lock.json is not up to date" in missing.stderr) == (1, True)
    assert not (project / "contracts.lock.json").exists()
    graphwright("contracts", "lock")
    file = project / ".ai" / "tools" / "team" / "fetch.py"
    file.write_text(file.read_text("utf-8").replace("team: str", "team: int"), "utf-8")
    done = graphwright("contracts", "lock", "--check")
    assert done.code == 1
    changed = [line for line in done.stdout.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert [line.split() for line in changed] == [["-", '"type":', '"string"'], ["+", '"type":', '"integer"']]


def test_the_lock_file_stands_in_for_absent_tools(project: Path) -> None:
    wrong = project / ".ai" / "tools" / "a.yaml"
    wrong.write_text(graph("{taem: a}"), "utf-8")
    graphwright("contracts", "lock")
    (project / ".ai" / "tools" / "team" / "fetch.py").unlink()
    assert "GW702" in graphwright("check", wrong).stderr
    assert "contract    contracts.lock.json" in graphwright("contracts", "team/fetch").stdout
    assert graphwright("contracts", "lock", "--check").code == 0
    (project / "contracts.lock.json").unlink()
    assert graphwright("check", wrong).code == 0


def test_the_source_of_a_tool_takes_precedence(project: Path) -> None:
    graphwright("contracts", "lock")
    file = project / ".ai" / "tools" / "team" / "fetch.py"
    file.write_text("def execute(params): ...\n", "utf-8")
    wrong = project / ".ai" / "tools" / "a.yaml"
    wrong.write_text(graph("{taem: a}"), "utf-8")
    assert graphwright("check", wrong).code == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "it is not valid JSON"),
        ("[]", "it is not a lock file"),
        ('{"version": 2, "tools": {}}', "its version is 2, but this graphwright reads version 1"),
        ('{"version": 1, "tools": {"team/elsewhere": []}}', "an entry is damaged"),
        ('{"version": 1, "tools": {"team/elsewhere": {"parms": true}}}', "an entry is damaged"),
    ],
)
def test_a_lock_file_that_cannot_be_read(project: Path, text: str, problem: str) -> None:
    (project / "contracts.lock.json").write_text(text, "utf-8")
    said = " ".join(graphwright("check", ".ai/tools/d.yaml").stderr.split())
    assert (
        f"warning[GW705]: `contracts.lock.json`, which declares tool `team/elsewhere`, cannot be read: {problem}"
        in said
    )


def test_a_lock_file_is_seen_by_a_check_from_the_cache(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(project / "cache"))
    assert graphwright("check", ".ai/tools/d.yaml").code == 0
    params = {"type": "object", "required": ["size"]}
    lock = {"version": 1, "tools": {"team/elsewhere": {"params": params}}}
    (project / "contracts.lock.json").write_text(json.dumps(lock), "utf-8")
    assert "GW702" in graphwright("check", ".ai/tools/d.yaml").stderr
