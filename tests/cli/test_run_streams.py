"""`graphwright run` as a process: standard output is only the result, whatever is printed and however the run ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-m", "graphwright", "run", "-q"]

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.t.*]
config:
  start: a
  nodes:
    a: {{action: {{item_id: "tool:t/{tool}"}}, assign: {{x: "${{result.x}}"}}, next: z{more}}}
    z: {{type: return, output: {{x: "${{state.x}}"}}}}
"""

TOOLS = {
    "prints": "print('hello')\nprint('imported')",
    "writes": "import os, sys\nos.write(1, b'hello\\n')\nsys.__stdout__.write('late')\nsys.stdout.buffer.write(b'raw')",
    "child": "import subprocess\nsubprocess.run(['sh', '-c', 'echo hello'])",
    "shell": "import os\nos.system('echo hello')",
    "left": "import subprocess\nsubprocess.Popen(['sh', '-c', 'sleep 1; echo hello'])",
    "timer": "import threading\nlater = threading.Timer(0.5, print, ['hello'])\nlater.daemon = False\nlater.start()",
    "leaving": "import atexit\natexit.register(print, 'hello')",
    "closes": "import sys, os\nprint('hello')\nsys.stdout.close()",
    "swaps": "import sys, io\nprint('hello')\nsys.stdout = io.StringIO()",
    "fails": "print('hello')\nraise ValueError('boom')",
    "exits": "print('hello')\nraise SystemExit(5)",
    "hangs": "import time\nprint('hello', flush=True)\ntime.sleep(30)",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a graph for each tool."""
    folder = tmp_path / ".ai/tools/t"
    folder.mkdir(parents=True)
    for name, body in TOOLS.items():
        code = f"def execute(params, project_path):\n{textwrap.indent(body, '    ')}\n    return {{'x': 1}}\n"
        (folder / f"{name}.py").write_text(code, "utf-8")
        (folder.parent / f"{name}.yaml").write_text(GRAPH.format(tool=name, more=""), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.run([*COMMAND, *arguments], text=True, check=False, timeout=60, **pipes)


@pytest.mark.parametrize("name", [each for each in TOOLS if each != "hangs"])
def test_standard_output_is_the_result_alone(name: str) -> None:
    done = ran(name)
    result = json.loads(done.stdout)
    assert result["success"] is (name not in ("fails", "exits"))
    assert done.returncode == (0 if result["success"] else 1)
    assert "hello" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_a_signal_ends_keeps_to_it(number: signal.Signals, code: int) -> None:
    process = subprocess.Popen([*COMMAND, "hangs"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == "hello\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, json.loads(out)["status"], err) == (code, "cancelled", "")


def test_a_module_whose_package_prints(here: Path) -> None:
    build = [sys.executable, "-m", "graphwright", "build", "-q", "--no-sign", "--no-typecheck", "."]
    subprocess.run(build, check=True, timeout=60)
    (here / "generated/prints.py").write_text(
        (here / "generated/prints.py").read_text("utf-8") + "\nprint('imported')\n", "utf-8"
    )
    done = ran("generated.prints")
    assert json.loads(done.stdout)["success"]
    assert "imported" in done.stderr


def test_nobody_reads_the_result() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = ran("prints", stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "hello\nimported\n")


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>&- 2>&-"])
def test_streams_that_are_closed(closed: str) -> None:
    command = f"{' '.join(COMMAND)} prints {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    if "1>" not in closed:
        assert json.loads(done.stdout)["success"]


def test_a_result_that_cannot_be_written() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = ran("prints", stdout=full)
    assert done.returncode == 2
    assert done.stderr.endswith("graphwright: standard output cannot be written: No space left on device\n")


def test_huge_numbers_are_written(here: Path) -> None:
    (here / ".ai/tools/t/prints.py").write_text("def execute(p, project_path):\n    return {'x': 10**5000}\n", "utf-8")
    done = ran("prints")
    assert done.returncode == 0, done.stderr
    assert f'"x": 1{"0" * 5000}\n' in done.stdout


# --- looking for a fault


def test_where_a_tool_failed_is_shown_to_who_asks() -> None:
    assert "Traceback" not in ran("fails").stderr
    done = ran("fails", "--traceback")
    assert json.loads(done.stdout)["error"] == "boom"
    assert '.ai/tools/t/fails.py", line 3, in execute\n' in done.stderr
    assert "ValueError: boom\n" in done.stderr
    assert "fails.yaml:6, node a\n" in done.stderr


def test_where_a_tool_failed_is_told_in_one_line() -> None:
    loud = [each for each in COMMAND if each != "-q"]
    done = subprocess.run([*loud, "fails"], capture_output=True, text=True, check=False, timeout=60)
    where = "raised at .ai/tools/t/fails.py:3 in execute (ValueError); --traceback shows how the tool got there\n"
    assert where in done.stderr
    assert where not in ran("fails", "--traceback").stderr
    assert "raised at" not in subprocess.run([*loud, "prints"], capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("more", [", on_error: z", ""])
def test_where_a_tool_failed_whose_error_was_passed_over(here: Path, more: str) -> None:
    text = GRAPH.format(tool="fails", more=more)
    (here / ".ai/tools/fails.yaml").write_text(text if more else text.replace("start:", "on_error: continue\n  start:"))
    done = ran("fails", "--traceback")
    assert json.loads(done.stdout)["success"]
    assert "node a failed, and the run continues: boom\n" in done.stderr
    assert "line 3, in execute\n" in done.stderr
    assert ": started " not in done.stderr, "where tools failed, and nothing else"
    done = ran("fails", "-v")
    assert "info: graphwright_runtime.failure: fails-" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_log_of_tools_is_shown_to_who_asks(here: Path) -> None:
    code = (
        "import logging\ndef execute(p, project_path):\n    logging.getLogger('mine').info('looked'); return {'x': 1}\n"
    )
    (here / ".ai/tools/t/prints.py").write_text(code, "utf-8")
    assert ran("prints").stderr == ""
    done = ran("prints", "--verbose")
    assert json.loads(done.stdout)["success"]
    assert "info: mine: looked\n" in done.stderr
