"""`graphwright contracts mcp`: the tools of MCP servers as contracts, and what servers can do wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Outcome, graphwright
from contracts.test_python_tools import graph

EXAMPLE = Path(__file__).parents[2] / "examples" / "book-reservation"

#: A server that answers `tools/list` as its first argument says; `params` are those of the request.
SERVER = """\
import json, sys, time

def tool(name, **more):
    return {"name": name, "inputSchema": {"type": "object"}, **more}

def write(text):
    print(text, flush=True)

def listed(params):
    return eval(sys.argv[1])

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    answer = {"error": {"code": -32601, "message": "Method not found"}}
    if request["method"] == "initialize":
        own = {"name": "things", "version": "1"}
        answer = {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": own}}
    elif request["method"] == "tools/list":
        answer = listed(request.get("params") or {})
    write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}))
"""
TEAM = {
    "params": {"type": "object", "properties": {"team": {"type": "string"}}, "required": ["team"]},
    "result": {"type": "object", "properties": {"rows": {"type": "array"}}, "required": ["rows"]},
}
FETCH = f"tool('fetch', inputSchema={TEAM['params']}, outputSchema={TEAM['result']}, description='Rows\\nof a team.')"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a graph that calls `team/fetch`, and a server."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".ai" / "tools").mkdir(parents=True)
    (tmp_path / ".ai" / "tools" / "g.yaml").write_text(graph(), "utf-8")
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    return tmp_path


def locked(answer: str, *options: str, file: str = "contracts/team.lock.json") -> Outcome:
    """Lock the tools of a server that answers like this."""
    return graphwright("contracts", "mcp", "--lock", file, *options, "--", sys.executable, "server.py", answer)


def listing(*tools: str) -> str:
    return f"{{'result': {{'tools': [{', '.join(tools)}]}}}}"


def test_the_tools_of_a_server_are_contracts(project: Path) -> None:
    done = locked(listing(FETCH, "tool('ping')"), "--prefix", "team")
    assert (done.code, done.stdout, done.stderr) == (0, "", "contracts/team.lock.json: 2 tools\n")
    file = project / "contracts" / "team.lock.json"
    assert json.loads(file.read_bytes()) == {
        "server": "things",
        "tools": {
            "team/fetch": {**TEAM, "description": "Rows of a team."},
            "team/ping": {"params": {"type": "object"}},
        },
        "version": 1,
    }
    assert "contracts/team.lock.json" in graphwright("contracts", "team/fetch").stdout
    assert graphwright("check", ".").code == 0
    (project / ".ai" / "tools" / "g.yaml").write_text(graph("{team: 3}", read="result.row"), "utf-8")
    said = graphwright("check", ".").stderr
    assert ("GW412" in said, "GW703" in said) == (True, True)
    (project / ".ai" / "tools" / "g.yaml").write_text(graph().replace("team/fetch", "team/fecth"), "utf-8")
    (project / "pyproject.toml").write_text('[tool.graphwright]\ncontracts = "complete"\n', "utf-8")
    assert "did you mean `team/fetch`?" in graphwright("check", ".").stderr


def test_the_same_tools_give_the_same_bytes(project: Path) -> None:
    file = project / "contracts" / "team.lock.json"
    locked(listing("tool('b')", "tool('a')"))
    first = file.read_bytes()
    file.unlink()
    locked(listing("tool('a')", "tool('b')"))
    assert file.read_bytes() == first
    again = locked(listing("tool('b')", "tool('a')"))
    assert (file.read_bytes(), again.stderr) == (first, "contracts/team.lock.json is up to date\n")


def test_all_pages_are_read(project: Path) -> None:
    pages = "{None: ('a', '1'), '1': ('b', '2'), '2': ('c', None)}[params.get('cursor')]"
    answer = f"(lambda name, cursor: {{'result': {{'tools': [tool(name)], 'nextCursor': cursor}}}})(*{pages})"
    assert locked(answer).code == 0
    assert list(json.loads(Path("contracts/team.lock.json").read_bytes())["tools"]) == ["a", "b", "c"]


def test_a_whole_command_line_is_one_argument() -> None:
    quoted = f'"{sys.executable}" server.py "{listing("tool(chr(97))")}"'
    assert graphwright("contracts", "mcp", quoted, "--lock", "contracts/team.lock.json").code == 0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("sys.exit('no licence')", "ended before it had listed its tools; it last wrote: no licence"),
        ("time.sleep(60)", "did not list its tools within 1 s"),
        ("write('ready') or time.sleep(60)", "what it writes to standard output is not MCP"),
        ("{'error': {'code': -32000, 'message': 'log in first'}}", "refused to list its tools: log in first"),
        ("{'result': {'tools': [{'name': 3}]}}", "gave an answer that is not valid: tools.0.inputSchema"),
        ("{'result': {'tools': [tool('a')], 'nextCursor': 'x'}}", "lists its tools on pages without end"),
        (listing(), "has no tools"),
        (listing("tool('a')", "tool('a')"), "it lists the tool `a` twice"),
        (listing("tool('get rows')"), "the name of its tool `get rows` is not a valid id"),
        (listing("tool('../rows')"), "the name of its tool `../rows` is not a valid id"),
        (listing("tool('')"), "the name of its tool `` is not a valid id"),
        (
            listing("tool('a', outputSchema={'type': 'object', 'properties': {'n': {'type': 'int'}}})"),
            "the output schema of its tool `a` cannot be used: `type` must be one of",
        ),
        (
            listing("tool('a', inputSchema={'type': 'object', 'properties': {'n': {'$ref': 'https://x.org/y'}}})"),
            "the input schema of its tool `a` cannot be used: `$ref`",
        ),
    ],
)
def test_what_a_server_does_wrong_is_one_error(project: Path, answer: str, message: str) -> None:
    done = locked(answer, "--timeout", "1")
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.startswith("graphwright: `")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (project / "contracts").exists()


def test_a_failure_leaves_the_file_as_it_is(project: Path) -> None:
    locked(listing(FETCH))
    before = (project / "contracts" / "team.lock.json").read_bytes()
    assert locked(listing("tool('a b')")).code == 2
    assert (project / "contracts" / "team.lock.json").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-server"], "`no-such-server` cannot be started: No such file or directory"),
        (["'"], "is not a command: No closing quotation"),
        ([], "the command that starts the server is missing"),
        (["x", "--prefix", "a//b"], "`a//b` is not a valid beginning of an id"),
        (["x", "--timeout", "soon"], "`soon` is not a number of seconds"),
        (["x", "--lock", "server.py"], "server.py was not written by `contracts mcp`"),
    ],
)
def test_arguments_that_cannot_be_used(arguments: list[str], message: str) -> None:
    done = graphwright("contracts", "mcp", "--lock", "contracts/team.lock.json", *arguments)
    assert done.code == 2
    assert message in done.stderr


def test_the_file_of_contracts_lock_is_not_replaced(project: Path) -> None:
    (project / "contracts.lock.json").write_text('{"tools": {}, "version": 1}\n', "utf-8")
    assert "was not written by" in locked(listing("tool('a')"), file="contracts.lock.json").stderr


def test_a_file_that_check_does_not_read() -> None:
    done = locked(listing("tool('a')"), file="elsewhere.json")
    assert (done.code, "`check` reads `contracts/*.lock.json` of a project, but not" in done.stderr) == (0, True)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = locked(listing("tool('a')"))
    assert done.code == 2
    assert "pip install 'graphwright[mcp]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_lock_file_is_seen_by_a_check_from_the_cache(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(project / "cache"))
    (project / ".ai" / "tools" / "g.yaml").write_text(graph("{team: 3}"), "utf-8")
    assert graphwright("check", ".").code == 0
    locked(listing(FETCH), "--prefix", "team")
    assert "GW412" in graphwright("check", ".").stderr
    (project / "contracts" / "team.lock.json").write_text("{", "utf-8")
    assert "GW705" in graphwright("check", ".").stderr


# --- the example --------------------------------------------------------------------------------------------------


def test_the_example_from_the_server_to_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "book-reservation"
    shutil.copytree(EXAMPLE, project)
    monkeypatch.chdir(project)
    command = ["--prefix", "library", "--", sys.executable, "server.py"]
    done = graphwright("contracts", "mcp", "--lock", "contracts/library.lock.json", *command)
    assert done.stderr == "contracts/library.lock.json is up to date\n"
    file = project / ".ai" / "tools" / "lending" / "reserve.yaml"
    right = file.read_text("utf-8")
    file.write_text(right.replace("{book: ", "{bok: "), "utf-8")
    assert "tool `library/reserve` has no param `bok`" in graphwright("check", ".").stderr
    assert graphwright("build", "--no-sign", "--no-typecheck").code == 1
    file.write_text(right, "utf-8")
    assert graphwright("build", "--no-sign", "--no-typecheck").code == 0

    def reserve(title: str) -> object:
        run = [sys.executable, "app.py", title, "ada"]
        ran = subprocess.run(run, capture_output=True, text=True, check=True, timeout=60)
        return json.loads(ran.stdout)

    output = {"book": "The Old Bridge", "position": 2}
    assert reserve("old bridge") == {"status": "completed", "output": output, "error": None}
    file.write_text(right.replace("${state.books.0.id}", "b-999"), "utf-8")
    graphwright("build", "--no-sign", "--no-typecheck")
    refused = reserve("rivers")
    assert isinstance(refused, dict)
    assert (refused["status"], "there is no book b-999" in refused["error"]) == ("error", True)
