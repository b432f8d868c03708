"""`graphwright run --async`: what starts in the background, and what does not."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from durability.background import VOUCHING, Counting, counting, is_gone
from durability.kept import Crash, compiled, events, run
from durability.processes import until
from graphwright.cli.background import Detaching
from graphwright.cli.console import Console
from graphwright_runtime.environment import SIGNING_KEY
from graphwright_runtime.trust.signing import Signer, to_text
from running import QuickHost


def _finished(project: Counting) -> dict[str, Any]:
    """The result of a run in the background."""
    assert project.ended() == "completed"
    until(lambda: '"ended_at"' in project.output())
    return project.result()


@pytest.fixture
def project(tmp_path: Path) -> Counting:
    return counting(tmp_path)


def test_a_run_in_the_background(project: Counting) -> None:
    (project.folder / "wait").touch()
    done = project.graphwright("run", "count", "--async", "-i", "limit=4", "--run-id", "r")
    pid = done.found["pid"]
    assert done.code == 0
    assert done.found == {"success": True, "graph_run_id": "r", "status": "running", "pid": pid}
    assert done.said == f"the output of the run goes to {project.folder}/.ai/state/threads/r/async.log\n"
    listed = project.graphwright("runs", "list", "--format", "json").out
    assert f'"status": "running",\n    "pid": {pid},' in listed
    assert os.getsid(pid) == pid  # a session of its own, without a terminal
    project.let_go()
    assert project.ended() == "completed"
    until(lambda: is_gone(pid))
    assert project.result()["output"] == {"n": 4}
    assert "[graph:count] step 1/3 work ✓ 0.0s\n" in project.output()
    assert "counted 0\n" in project.output()
    assert [event["pid"] for event in events(project.folder, "r", "graph_started")] == [pid]


def test_quiet(project: Counting) -> None:
    done = project.graphwright("run", "count", "--async", "--quiet", "-i", "limit=1", "--run-id", "r")
    assert (done.code, done.said) == (0, "")
    assert project.ended() == "completed"
    until(lambda: '"ended_at"' in project.output())
    assert "[graph:count]" not in project.output()


def test_the_id_is_made_where_none_is_given(project: Counting) -> None:
    done = project.graphwright("run", "count", "--async", "--inputs", "-", stdin='{"limit": 1}')
    assert project.ended(done.found["graph_run_id"]) == "completed"


def test_a_generated_module(project: Counting) -> None:
    assert project.graphwright("build", "--no-sign", "-o", "generated").code == 0
    done = project.graphwright("run", "generated.count", "--async", "-i", "limit=2", "--run-id", "r")
    assert done.code == 0, done
    assert project.ended() == "completed"
    until(lambda: '"ended_at"' in project.output())
    assert project.result()["output"] == {"n": 2}


def test_from_another_folder(project: Counting, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = Counting(tmp_path_factory.mktemp("elsewhere"))
    graph = str(project.folder / ".ai" / "tools" / "count.yaml")
    words = ("run", graph, "--async", "-i", "limit=1", "--run-id", "r")
    refused = elsewhere.graphwright(*words)
    assert (refused.code, refused.out) == (2, "")
    assert "`--async` keeps the run in a project, and there is none here" in refused.said
    assert elsewhere.graphwright(*words, "--project", str(project.folder)).code == 0
    assert project.ended() == "completed"
    assert list(elsewhere.folder.iterdir()) == []


#: Arguments of runs that do not start, and what is said.
REFUSED: Sequence[tuple[tuple[str, ...], str]] = [
    (("count", "-i", "limit=x"), "`-i limit=x`: expected an integer"),
    (("count",), "missing required input"),
    (("broken",), "GW"),
    (("generated.none", "-i", "limit=1"), "generated.none cannot be imported"),
    (("count", "-i", "limit=1", "--run-id", "taken"), "the run 'taken' already exists"),
    (("count", "--resume", "taken"), "is already completed: there is nothing to resume"),
    (("count", "-i", "limit=1", "--resume", "r", "--run-id", "s"), "leave out `--run-id`"),
]


def test_what_prevents_the_start_is_told_as_in_the_foreground(project: Counting) -> None:
    (project.folder / ".ai" / "tools" / "broken.yaml").write_text("tool_type: graph\nconfig: {start: x}\n", "utf-8")
    assert project.graphwright("run", "count", "-i", "limit=1", "--run-id", "taken").code == 0
    for words, message in REFUSED:
        foreground = project.graphwright("run", *words)
        background = project.graphwright("run", *words, "--async")
        assert message in background.out + background.said, (words, background)
        assert background.code == foreground.code != 0
        assert background.said == foreground.said
        assert len(background.out.splitlines()) == len(foreground.out.splitlines())
    assert not list(project.folder.glob(".ai/state/threads/*/async.log"))


def test_a_run_that_is_alive_is_not_started_again(project: Counting) -> None:
    pid = project.waiting()
    for words in (("--run-id", "r", "-i", "limit=4"), ("--resume", "r")):
        done = project.graphwright("run", "count", "--async", *words)
        assert (done.code, done.found["error"]) == (1, f"the run 'r' is alive: process {pid} writes its log")
    project.let_go()
    assert project.ended() == "completed"


def test_a_log_that_cannot_be_kept(project: Counting) -> None:
    (project.folder / ".ai" / "state").mkdir()
    (project.folder / ".ai" / "state" / "threads").touch()
    done = project.graphwright("run", "count", "--async", "-i", "limit=1")
    assert done.code == 1
    assert "the log of the run cannot be made: " in done.found["error"]


def test_output_that_cannot_be_written(project: Counting) -> None:
    (project.folder / ".ai" / "state" / "threads" / "r" / "async.log").mkdir(parents=True)
    done = project.graphwright("run", "count", "--async", "-i", "limit=1", "--run-id", "r")
    assert (done.code, done.out) == (2, "")
    assert "async.log cannot be written: " in done.said
    assert project.calls() == []


@pytest.mark.parametrize("where", ["option", "graph"])
def test_a_run_that_nobody_could_find_again(project: Counting, where: str) -> None:
    words = ("--durability", "off") if where == "option" else ()
    if where == "graph":
        graph = project.folder / ".ai" / "tools" / "count.yaml"
        graph.write_text(
            graph.read_text("utf-8").replace("  start: work", "  durability: 'off'\n  start: work"), "utf-8"
        )
    done = project.graphwright("run", "count", "--async", "-i", "limit=1", *words)
    assert (done.code, done.out) == (2, "")
    assert "durability `off` keeps nothing: add `--durability process`" in done.said
    if where == "graph":
        assert project.graphwright("run", "count", "--async", "-i", "limit=1", "--durability", "process").code == 0


def test_a_run_that_keeps_its_end_alone(project: Counting) -> None:
    (project.folder / "wait").touch()
    pid = project.background("--durability", "exit")
    until(lambda: len(project.calls()) >= 3)
    status = project.status()
    assert (status["graph_id"], status["pid"], status["status"], status["step"]) == ("count", pid, "running", 0)
    project.let_go()
    assert project.ended() == "completed"


def test_it_is_cancelled_and_resumed_in_the_background(project: Counting) -> None:
    pid = project.waiting()
    assert project.graphwright("runs", "cancel", "r").code == 0
    assert project.ended() == "cancelled"
    until(lambda: is_gone(pid))
    assert "to resume the run: graphwright run count --resume r" in project.output()
    project.let_go()
    done = project.graphwright("run", "count", "--async", "--resume", "r")
    assert (done.code, done.found["graph_run_id"]) == (0, "r")
    assert project.ended() == "completed"
    until(lambda: project.output().count('"ended_at"') == 2)
    assert project.result()["output"] == {"n": 4}
    assert project.calls() == ["0", "1", "2", "2", "3"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_cancel_it(project: Counting, number: signal.Signals) -> None:
    os.kill(project.waiting(), number)
    assert project.ended() == "cancelled"
    [end] = events(project.folder, "r", "graph_cancelled")
    assert end["signal"] == number.name


def test_it_is_killed(project: Counting) -> None:
    pid = project.waiting()
    os.kill(pid, signal.SIGSTOP)
    assert project.graphwright("runs", "kill", "r").code == 0
    assert project.status()["status"] == "killed"
    assert is_gone(pid)


def test_a_killed_process_leaves_an_orphan_that_is_resumed(project: Counting) -> None:
    pid = project.waiting()
    os.kill(pid, signal.SIGKILL)
    assert project.ended() == "orphaned"
    # its number may be given to another process, which is alive
    (project.folder / ".ai" / "state" / "threads" / "r" / "pid").write_text(f"{os.getpid()}\n", "ascii")
    assert (project.status()["status"], project.status()["alive"]) == ("orphaned", False)
    assert project.graphwright("runs", "list").out.splitlines()[1].split()[2] == "orphaned"
    assert "there is nothing to kill" in project.graphwright("runs", "kill", "r").said
    project.let_go()
    assert project.graphwright("run", "count", "--async", "--resume", "r").code == 0
    assert project.ended() == "completed"


def test_it_goes_on_when_its_terminal_is_closed(project: Counting) -> None:
    (project.folder / "wait").touch()
    words = [sys.executable, "-m", "graphwright", "run", "count", "--async", "-i", "limit=4", "--run-id", "r"]
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(project.folder)
        os.execv("/bin/sh", ["sh", "-c", '"$@"; echo started; exec sleep 60', "sh", *words])
    said = b""
    while b"started" not in said:
        said += os.read(terminal, 4096)
    os.close(terminal)  # the shell and its children are sent SIGHUP
    os.waitpid(child, 0)
    pid = project.status()["pid"]
    os.kill(pid, signal.SIGHUP)
    project.let_go()
    assert project.ended() == "completed"
    assert "\x1b[" not in project.output()


def test_it_goes_on_when_its_caller_is_killed(project: Counting) -> None:
    (project.folder / "wait").touch()
    words = [sys.executable, "-m", "graphwright", "run", "count", "--async", "-i", "limit=4", "--run-id", "r"]
    caller = subprocess.Popen(
        ["/bin/sh", "-c", '"$@"; sleep 60', "sh", *words], cwd=project.folder, start_new_session=True
    )
    until(lambda: len(project.calls()) >= 3)
    os.killpg(caller.pid, signal.SIGKILL)
    caller.wait()
    project.let_go()
    assert project.ended() == "completed"


def test_it_ends_when_its_caller_is_killed_before_it_has_started(project: Counting) -> None:
    words = [sys.executable, "-m", "graphwright", "run", "count", "--async", "--run-id", "r", "--inputs", "-"]
    caller = subprocess.Popen(words, cwd=project.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert caller.stdin is not None
    children = Path(f"/proc/{caller.pid}/task/{caller.pid}/children")
    until(lambda: children.read_text("ascii") != "")
    child = int(children.read_text("ascii").split()[0])
    caller.kill()
    caller.wait()
    caller.stdin.write(b'{"limit": 4}')  # what the other process waits for
    caller.stdin.close()
    until(lambda: is_gone(child))
    assert project.calls() == []
    assert project.graphwright("runs", "list").out == ""


def test_it_ends_when_its_caller_is_gone_while_it_starts(tmp_path: Path) -> None:
    host, tool, (reader, writer) = QuickHost(), Crash(), os.pipe()
    os.close(reader)
    out = os.fdopen(writer, "w")
    with compiled() as module:
        detaching = Detaching(module.GRAPH, tmp_path, host, out, Console(quiet=True))
        result = run(module, tmp_path, tool, run_id="r", host=host, on_event=detaching)
    with suppress(OSError):  # what could not be written is still in the buffer
        out.close()
    assert (result.status, result.steps, tool.keys) == ("cancelled", 0, [])
    assert detaching.problem == "the process that started the run is gone, and the run was not started"


def test_ctrl_c_before_it_has_started(project: Counting) -> None:
    slow = "import time\nwhile not (__import__('os').path.exists('go')):\n    time.sleep(0.01)\nGRAPH = None\n"
    (project.folder / "module.py").write_text(f"open('here', 'w').close()\n{slow}", "utf-8")
    words = [sys.executable, "-m", "graphwright", "run", "module.py", "--async"]
    process = subprocess.Popen(words, cwd=project.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until((project.folder / "here").exists)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"")


@pytest.mark.parametrize("command", [("run", "vouch", "--async", "--run-id", "r"), ("step", "vouch", "look")])
def test_the_key_to_sign_with_is_hidden_from_tools(project: Counting, command: Sequence[str]) -> None:
    tools = project.folder / ".ai" / "tools"
    for name, text in VOUCHING.items():
        (tools / name).write_text(text, "utf-8")
    item = project.folder / ".ai" / "knowledge" / "style.md"
    item.parent.mkdir()
    item.write_text("Short words.\n", "utf-8")
    signer = Signer(bytes(32))
    secret = to_text(signer.seed)
    done = project.graphwright(*command, env={SIGNING_KEY: secret})
    assert done.code == 0, done
    state = done.found["state"] if command[0] == "step" else _finished(project)["state"]
    assert secret not in state["variables"]
    assert command[0] == "step" or (state["key"], secret in state["env"]) == (signer.key.id, False)
