"""Where tools come from, how they are called, and the built-in ones."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from graphwright_runtime import toolbox
from graphwright_runtime.abi import Context, Graph, NodeError, RunResult, dynamic, execute
from graphwright_runtime.inprocess import InProcessHost
from runtime.small import AnyCursor, QuickHost, done, graph, ran

AnyResult = RunResult[Any, Any]


def caller(item_id: str, params: Mapping[str, object], **options: Any) -> Callable[[AnyCursor], Any]:
    """An action node that calls one tool and keeps its result."""

    async def node(c: AnyCursor) -> str | None:
        result = await c.call_with(dynamic("execute", None, item_id), dict(params), **options)
        c.commit({"result": result})
        return "done"

    return node


def called(item_id: str, params: Mapping[str, object] | None = None, **more: Any) -> AnyResult:
    options = {name: more.pop(name) for name in ("timeout_s",) if name in more}
    record = graph(caller(item_id, params or {}, **options), permissions=("*",), builtin_hooks=False)
    return asyncio.run(execute(record, {}, **{"env": dict(os.environ), "durability": "off", **more}))


def result_of(item_id: str, params: Mapping[str, object] | None = None, **more: Any) -> Any:
    outcome = called(item_id, params, **more)
    assert outcome.success, outcome.error
    return outcome.state["result"]


def error_of(item_id: str, params: Mapping[str, object] | None = None, **more: Any) -> str:
    outcome = called(item_id, params, **more)
    assert outcome.error is not None, outcome.state
    return outcome.error


# --- callables


class Callable1:
    async def __call__(self, params: dict[str, Any]) -> object:
        return {"kind": "object"}


async def with_context(params: dict[str, Any], context: Context) -> object:
    return {"node": context.node, "step": context.step, "key": context.idempotency_key, "run": context.run_id}


def in_thread(params: dict[str, Any]) -> object:
    return {"main": threading.current_thread() is threading.main_thread()}


def gives_awaitable(params: dict[str, Any]) -> object:
    return asyncio.sleep(0, {"awaited": True})


def optional_second(params: dict[str, Any], verbose: bool = False) -> object:
    return {"verbose": verbose}


def named_context(params: dict[str, Any], context: Context | None = None) -> object:
    return {"has": context is not None}


def anything(*given: Any) -> object:
    return {"given": len(given)}


@pytest.mark.parametrize(
    ("tool", "result"),
    [
        (Callable1(), {"kind": "object"}),
        (with_context, {"node": "work", "step": 1, "key": "r/1", "run": "r"}),
        (in_thread, {"main": False}),
        (gives_awaitable, {"awaited": True}),
        (optional_second, {"verbose": False}),
        (named_context, {"has": True}),
        (anything, {"given": 2}),
        (dict, {"a": 1}),
    ],
)
def test_tools_are_called_as_they_want(tool: Any, result: object) -> None:
    assert result_of("my/tool", {"a": 1}, tools={"my/tool": tool}, run_id="r") == result


def test_dispatch_answers_what_tools_do_not(tmp_path: Path) -> None:
    def dispatch(call: Any, context: Context) -> object:
        return {"id": call.item_id, "kind": call.kind, "primary": call.primary, "needs": call.capability}

    found = result_of("directive:a/b", dispatch=dispatch, tools={"x": in_thread}, project=tmp_path)
    assert found == {"id": "a/b", "kind": "directive", "primary": "execute", "needs": "rye.execute.directive.a.b"}
    assert result_of("x", dispatch=dispatch, tools={"x": in_thread}) == {"main": False}


def test_a_key_error_says_what_it_is() -> None:
    def tool(params: dict[str, Any]) -> object:
        return params["gone"]

    assert error_of("my/tool", tools={"my/tool": tool}) == "KeyError: 'gone'"


def test_an_exception_without_text_is_its_name() -> None:
    def tool(params: dict[str, Any]) -> object:
        raise RuntimeError

    assert error_of("my/tool", tools={"my/tool": tool}) == "RuntimeError"


def test_a_tool_calls_tools_with_the_runs_capabilities() -> None:
    async def outer(params: dict[str, Any], context: Context) -> object:
        inner = await context.call("my/inner", {"n": 1, "parent_depth": 99, "none": None})
        try:
            await context.call("admin/drop")
        except NodeError as error:
            return {"inner": inner, "error": str(error)}
        return {}

    def inner(params: dict[str, Any]) -> object:
        return params

    record = graph(caller("my/outer", {}), permissions=("rye.execute.tool.my.*",))
    run = ran(record, tools={"my/outer": outer, "my/inner": inner})
    assert run.result.state["result"]["inner"] == {"n": 1, "parent_depth": 5}
    assert "permission denied" in run.result.state["result"]["error"]


def test_what_a_tool_passes_on_is_json() -> None:
    async def outer(params: dict[str, Any], context: Context) -> object:
        return await context.call("my/inner", {"at": object()})

    assert error_of("my/outer", tools={"my/outer": outer}) == "params are not JSON: at: an object"


# --- tool folders


def write(path: Path, text: str, *, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def test_python_files_of_the_project(tmp_path: Path) -> None:
    tools = tmp_path / ".ai" / "tools"
    write(tools / "a" / "sync.py", "def execute(params, project_path):\n    return {'p': project_path, **params}\n")
    write(tools / "a" / "async.py", "async def execute(params, project_path):\n    return {'async': True}\n")
    write(
        tools / "a" / "data.py",
        "from __future__ import annotations\nfrom dataclasses import asdict, dataclass\n\n\n@dataclass\nclass Row:\n"
        "    n: int\n\n\ndef execute(params, project_path):\n    return asdict(Row(1))\n",
    )
    assert result_of("a/sync", {"n": 1}, project=tmp_path) == {"p": str(tmp_path), "n": 1}
    assert result_of("a/async", project=str(tmp_path)) == {"async": True}
    assert result_of("a/data", project=tmp_path) == {"n": 1}


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    tool = write(tmp_path / ".ai" / "tools" / "x.py", "def execute(params, project_path):\n    return {'v': 1}\n")
    assert result_of("x", project=tmp_path) == {"v": 1}
    write(tool, "def execute(params, project_path):\n    return {'v': 1000}\n")
    assert result_of("x", project=tmp_path) == {"v": 1000}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("def broken(:\n", "x.py cannot be loaded: SyntaxError"),
        ("import no_such_module\n", "x.py cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("x = 1\n", "x.py has no function execute(params, project_path)"),
        ("def execute(params, project_path):\n    raise ValueError('boom')\n", "boom"),
    ],
)
def test_python_files_that_do_not_work(text: str, error: str, tmp_path: Path) -> None:
    write(tmp_path / ".ai" / "tools" / "x.py", text)
    assert error in error_of("x", project=tmp_path)


SCRIPT = """#!{python}
import json, os, sys
params = json.load(sys.stdin)
if params.get("fail"):
    print("broken pipe wrench", file=sys.stderr)
    sys.exit(3)
found = {{"got": params, "run": os.environ["RYE_PARENT_THREAD_ID"], "cwd": os.getcwd()}}
print(params.get("print") or json.dumps(found))
"""


def test_executable_files(tmp_path: Path) -> None:
    write(tmp_path / ".ai" / "tools" / "x" / "run.sh", SCRIPT.format(python=sys.executable), mode=0o755)
    write(tmp_path / ".ai" / "tools" / "x" / "plain.txt", "not a tool")
    found = result_of("x/run", {"a": "ü"}, project=tmp_path, run_id="r-1")
    assert found == {"got": {"a": "ü"}, "run": "r-1", "cwd": str(tmp_path)}
    assert error_of("x/run", {"fail": True}, project=tmp_path) == "run.sh: broken pipe wrench"
    assert "run.sh did not write valid JSON" in error_of("x/run", {"print": "hello"}, project=tmp_path)
    assert result_of("x/run", {"print": " "}, project=tmp_path) == {}
    assert "no tool `x/plain`" in error_of("x/plain", project=tmp_path)


def test_the_users_folder_comes_after_the_projects(tmp_path: Path) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    for folder, name in ((project, "project"), (home, "user")):
        write(folder / ".ai/tools/both.py", f"def execute(params, project_path):\n    return {{'from': '{name}'}}\n")
    write(home / ".ai/tools/mine.py", "def execute(params, project_path):\n    return {'from': 'user'}\n")
    env = {"HOME": str(home)}
    assert result_of("both", project=project, env=env) == {"from": "project"}
    assert result_of("mine", project=project, env=env) == {"from": "user"}
    assert "no tool `mine`" in error_of("mine", project=project, env={})


@pytest.mark.parametrize("item_id", ["../x", "a/../x", "/x", "a//x", "./x", "a/", "..", "a\\x", "a\0x"])
def test_ids_do_not_lead_out_of_a_folder(item_id: str, tmp_path: Path) -> None:
    write(tmp_path / ".ai" / "x.py", "def execute(params, project_path):\n    return {}\n")
    write(tmp_path / ".ai" / "tools" / "x.py", "def execute(params, project_path):\n    return {}\n")
    (tmp_path / ".ai" / "tools" / "a").mkdir()
    assert "no tool" in error_of(item_id, project=tmp_path)


@pytest.mark.parametrize("item_id", ["x/*", "x/ru?", "x/[r]un", "*/run"])
def test_an_id_is_no_pattern(tmp_path: Path, item_id: str) -> None:
    write(tmp_path / ".ai" / "tools" / "x" / "run.sh", SCRIPT.format(python=sys.executable), mode=0o755)
    assert f"no tool `{item_id}`" in error_of(item_id, project=tmp_path)


def test_installed_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken() -> object:
        raise ImportError("no wheel")

    monkeypatch.setattr(toolbox, "_entry_points", lambda: {"acme/tool": lambda: in_thread, "acme/bad": broken})
    assert result_of("acme/tool", project=tmp_path) == {"main": False}
    assert (
        error_of("acme/bad", project=tmp_path)
        == "the installed tool `acme/bad` cannot be loaded: ImportError: no wheel"
    )


@pytest.mark.parametrize("item_id", ["no/such", "knowledge:docs/x"])
def test_a_tool_that_is_nowhere_is_a_permanent_error_that_names_it(item_id: str, tmp_path: Path) -> None:
    outcome = called(item_id, project=tmp_path)
    assert item_id.rpartition(":")[2] in str(outcome.error)
    assert outcome.exception is not None
    assert outcome.exception.category == "permanent"


# --- graphs as tools


async def twice(c: AnyCursor) -> str | None:
    c.commit({"n": c.inputs["n"] * 2})
    return "done"


async def call_svc(c: AnyCursor) -> str | None:
    result = await c.call(dynamic("execute", None, "svc/work"), {})
    c.commit(dict(result))
    return "done"


async def call_itself(c: AnyCursor) -> str | None:
    result = await c.call(dynamic("execute", None, "tests/deep"), {"n": c.inputs.get("n", 0) + 1})
    c.commit({"below": result["output"]})
    return "done"


def nested(record: Graph[Any, Any, Any], caller_permissions: tuple[str, ...] = ("*",), **more: Any) -> AnyResult:
    host = InProcessHost(graphs={record.id: record}.get)
    outer = graph(caller(record.id, {"n": 4}), permissions=caller_permissions, builtin_hooks=False)
    return asyncio.run(execute(outer, {}, host=host, env={}, **more))


def test_a_graph_is_a_tool() -> None:
    inner = graph(twice, id="tests/inner")
    result = nested(inner).state["result"]
    assert result.pop("graph_run_id").startswith("inner-")
    assert result == {"success": True, "status": "completed", "output": {"n": 8}, "steps": 2, "ended_at": "done"}


def test_a_nested_graph_has_what_its_caller_has_narrowed_by_its_own() -> None:
    tools = {"svc/work": in_thread}
    inner = graph(call_svc, id="tests/inner", permissions=("rye.execute.tool.svc.*",))
    assert nested(inner, tools=tools).success
    denied = nested(inner, ("rye.execute.tool.tests.inner",), tools=tools)
    assert "permission denied" in str(denied.error)
    narrow = graph(call_svc, id="tests/inner", permissions=("rye.execute.tool.crm.*",))
    assert "permission denied" in str(nested(narrow, tools=tools).error)
    undeclared = graph(call_svc, id="tests/inner", permissions=None)
    assert nested(undeclared, tools=tools).success


def test_a_nested_graph_that_is_refused_or_fails_is_a_node_error() -> None:
    inner = graph(twice, id="tests/inner", required_env={"TOKEN": ("graph",)})
    assert nested(inner).error == "missing environment variable: TOKEN (needed by graph)"


def test_depth_is_limited() -> None:
    deep = graph(call_itself, id="tests/deep", permissions=None, builtin_hooks=False)
    host = InProcessHost(graphs={deep.id: deep}.get)
    outcome = asyncio.run(execute(deep, {}, capabilities=["*"], host=host, env={}))
    assert outcome.error == "no graph can be started below this one: `limits.depth` is used up"


# --- rye/bash


def test_bash(tmp_path: Path) -> None:
    found = result_of("rye/bash", {"command": "echo one; echo two; echo err >&2"}, project=tmp_path)
    assert found == {"stdout": "one\ntwo", "stderr": "err\n", "exit_code": 0, "success": True}
    assert result_of("rye/bash/bash", {"command": "printf 'x\\n\\n'"})["stdout"] == "x\n"
    assert result_of("rye/bash", {"command": "pwd"}, project=tmp_path)["stdout"] == str(tmp_path)
    (tmp_path / "sub").mkdir()
    assert result_of("rye/bash", {"command": "pwd", "working_dir": "sub"}, project=tmp_path)["stdout"] == str(
        tmp_path / "sub"
    )
    env = {"PATH": os.environ["PATH"], "X": "from the run"}
    command = {"command": "echo $X $RYE_PARENT_THREAD_ID"}
    assert result_of("rye/bash", command, env=env, run_id="r-1")["stdout"] == "from the run r-1"
    assert result_of("rye/bash", {"command": "printf '\\xff'"})["stdout"] == "�"
    assert result_of("rye/bash", {"command": "cat"})["stdout"] == ""


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({"command": "echo no >&2; exit 3"}, "no"),
        ({"command": "echo partly; exit 3"}, "exit code 3: partly"),
        ({"command": "exit 3"}, "exit code 3"),
        ({"command": "kill -9 $$"}, "killed by SIGKILL"),
        ({}, "missing parameter `command`"),
        ({"command": ["ls"]}, "`command` must be a string, not a list of 1"),
        ({"command": "true", "timeout": "5"}, "`timeout` must be a number above zero, not the string '5'"),
        ({"command": "true", "working_dir": "no/such"}, "cannot be started"),
        ({"command": "true\0"}, "cannot be started"),
    ],
)
def test_bash_that_fails(params: dict[str, object], error: str, tmp_path: Path) -> None:
    assert error in error_of("rye/bash", params, project=tmp_path)


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


SPAWN = "sleep 60 & echo $! > child; (sleep 60 & echo $! > grandchild; wait) & echo $$ > leader; wait"


def pids(project: Path) -> list[int]:
    deadline = time.monotonic() + 5
    files = [project / name for name in ("leader", "child", "grandchild")]
    while not all(file.exists() and file.read_text().strip() for file in files):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return [int(file.read_text()) for file in files]


def gone(project: Path) -> bool:
    deadline = time.monotonic() + 3
    running = pids(project)
    while any(map(alive, running)) and time.monotonic() < deadline:
        time.sleep(0.01)
    left = [pid for pid in running if alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return not left


def test_the_nodes_timeout_kills_children_and_grandchildren(tmp_path: Path) -> None:
    started = time.monotonic()
    assert error_of("rye/bash", {"command": SPAWN}, project=tmp_path, timeout_s=0.5) == "timed out after 0.5 s"
    assert time.monotonic() - started < 10
    assert gone(tmp_path)


def test_the_commands_own_timeout_kills_too(tmp_path: Path) -> None:
    outcome = called("rye/bash", {"command": SPAWN, "timeout": 0.5}, project=tmp_path)
    assert outcome.error == "the command timed out after 0.5 s"
    assert outcome.exception is not None
    assert outcome.exception.category == "timeout"
    assert gone(tmp_path)


def test_cancelling_the_run_kills_children_and_grandchildren(tmp_path: Path) -> None:
    async def main() -> None:
        record = graph(caller("rye/bash", {"command": SPAWN}), permissions=("*",))
        task = asyncio.create_task(execute(record, {}, project=tmp_path, env=dict(os.environ)))
        await asyncio.to_thread(pids, tmp_path)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert gone(tmp_path)


def test_a_leader_that_is_gone_does_not_save_its_group(tmp_path: Path) -> None:
    command = "sleep 60 & echo $! > child; cp child grandchild; echo $$ > leader; exit 0"
    assert "timed out" in error_of("rye/bash", {"command": command}, project=tmp_path, timeout_s=0.5)
    assert gone(tmp_path)


def test_what_is_left_in_the_background_is_not_waited_for(tmp_path: Path) -> None:
    command = "sleep 60 & echo $! > child; echo started; exit 4"
    started = time.monotonic()
    outcome = called("rye/bash", {"command": command}, project=tmp_path)
    assert outcome.error == "exit code 4: started"
    assert time.monotonic() - started < 10
    child = int((tmp_path / "child").read_text())
    assert alive(child)
    os.kill(child, signal.SIGKILL)


def test_output_that_comes_late_is_read(tmp_path: Path) -> None:
    command = {"command": "(sleep 0.2; echo late) & echo early"}
    assert result_of("rye/bash", command, project=tmp_path)["stdout"] == "early\nlate"


def test_output_without_end_is_an_error() -> None:
    assert error_of("rye/bash", {"command": "yes & yes"}) == "bash wrote more than 64 MiB of output"
    assert (
        result_of("rye/bash", {"command": "head -c 5000000 /dev/zero | wc -c; head -c 5000000 /dev/zero >&2"})[
            "stdout"
        ].strip()
        == "5000000"
    )


# --- rye/file-system


def test_files_are_written_read_and_listed(tmp_path: Path) -> None:
    wrote = result_of("rye/file-system/write", {"path": "a/b/c.txt", "content": "grüße\n"}, project=tmp_path)
    assert wrote == {"path": "a/b/c.txt", "size": 8, "created": True}
    again = {"path": str(tmp_path / "a/b/c.txt"), "content": "more", "append": True}
    assert result_of("rye/file-system/write", again, project=tmp_path)["created"] is False
    read = result_of("rye/file-system/read", {"path": "./a/x/../b/c.txt"}, project=tmp_path)
    assert read == {"content": "grüße\nmore", "path": "a/b/c.txt", "size": 12}
    assert result_of("rye/file-system/list", project=tmp_path) == {"path": ".", "files": [], "folders": ["a"]}
    below = result_of("rye/file-system/list", {"path": "a", "pattern": "**/*.txt"}, project=tmp_path)
    assert below == {"path": "a", "files": ["a/b/c.txt"], "folders": []}


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A project with ways out of it."""
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    (tmp_path / "project-other").mkdir()
    (project / "link").symlink_to(outside)
    (project / "file").symlink_to(outside / "secret.txt")
    (project / "new").symlink_to(outside / "new.txt")
    (project / "loop").symlink_to(project / "loop")
    return project


@pytest.mark.parametrize(
    "path", ["../outside/secret.txt", "link/secret.txt", "file", "new", "../project-other/x", "/etc/passwd"]
)
def test_nothing_outside_the_project_is_reached(path: str, trap: Path) -> None:
    for tool, params in (("read", {}), ("write", {"content": "x"}), ("list", {})):
        error = error_of(f"rye/file-system/{tool}", {"path": path, **params}, project=trap)
        assert error == f"{path!r} leads out of the project"
    assert [each.name for each in (trap.parent / "outside").iterdir()] == ["secret.txt"]
    assert (trap.parent / "outside" / "secret.txt").read_text() == "secret"


def test_a_listing_does_not_follow_ways_out(trap: Path) -> None:
    (trap / "inside.txt").write_text("x")
    found = result_of("rye/file-system/list", {"pattern": "**/*"}, project=trap)
    assert found["files"] == ["inside.txt"]
    assert found["folders"] == []


@pytest.mark.parametrize(
    ("tool", "params", "error"),
    [
        ("read", {"path": "none.txt"}, "file not found: none.txt"),
        ("read", {"path": "."}, "file not found: ."),
        ("read", {"path": "loop"}, "loop"),
        ("read", {"path": "a\0b"}, "is not a valid path"),
        ("read", {"path": "binary"}, "binary is not valid UTF-8"),
        ("write", {"path": "x"}, "missing parameter `content`"),
        ("write", {"path": ".", "content": "x"}, ".: Is a directory"),
        ("write", {"path": "binary/x", "content": "x"}, "binary/x: "),
        ("write", {"path": "x", "content": "\ud800"}, "a lone surrogate"),
        (
            "write",
            {"path": "x", "content": "x", "append": "yes"},
            "`append` must be true or false, not the string 'yes'",
        ),
        ("list", {"path": "none"}, "folder not found: none"),
        ("list", {"pattern": "../*"}, "`pattern` must stay inside the folder"),
        ("list", {"pattern": "/*"}, "`pattern` must stay inside the folder"),
        ("list", {"pattern": ""}, "`pattern` must stay inside the folder"),
    ],
)
def test_files_that_do_not_work(tool: str, params: dict[str, object], error: str, trap: Path) -> None:
    (trap / "binary").write_bytes(b"\xff\xfe")
    assert error in error_of(f"rye/file-system/{tool}", params, project=trap)


def test_older_names_of_the_file_tools(tmp_path: Path) -> None:
    assert result_of("rye/file-system/fs_write", {"path": "x", "content": ""}, project=tmp_path)["path"] == "x"


def test_the_host_of_a_run_makes_ids_and_chance() -> None:
    host = QuickHost()
    assert all(0 <= host.random() < 1 for _ in range(100))
    assert len({host.new_run_id("a/b") for _ in range(100)}) == 100
    assert done is not None
    assert json.dumps(host.new_run_id("a/b")).startswith('"b-')


# --- sync tools


def test_nothing_waits_for_the_thread_of_a_tool_that_timed_out() -> None:
    def tool(_params: dict[str, Any]) -> object:
        time.sleep(5)
        return {}

    started = time.monotonic()
    assert error_of("my/tool", tools={"my/tool": tool}, timeout_s=0.1) == "timed out after 0.1 s"
    assert time.monotonic() - started < 3


def test_as_many_threads_as_the_graph_allows() -> None:
    barrier = threading.Barrier(40)

    def tool(_params: dict[str, Any]) -> object:
        barrier.wait(timeout=10)
        return {}

    async def node(c: AnyCursor) -> str | None:
        await c.each(dynamic("execute", None, "my/tool"), list(range(40)), lambda x: {"x": x}, parallel=40)
        return "done"

    assert asyncio.run(execute(graph(node, permissions=("*",)), {}, tools={"my/tool": tool}, env={})).success


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (ValueError("boom"), "boom"),
        (StopIteration(), "the tool raised StopIteration"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (GeneratorExit(), "the tool raised GeneratorExit"),
        (asyncio.CancelledError(), "CancelledError"),
    ],
)
def test_what_a_sync_tool_raises(raised: BaseException, said: str) -> None:
    def tool(_params: dict[str, Any]) -> object:
        raise raised

    assert error_of("my/tool", tools={"my/tool": tool}) == said


def test_capabilities_are_no_single_text() -> None:
    with pytest.raises(TypeError, match="a sequence of patterns"):
        called("my/tool", capabilities="rye.*")
