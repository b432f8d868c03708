"""A large build uses several processes, and gives what one process gives."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Outcome, graphwright
from graphwright.building import crew
from graphwright.emit.python import PythonBackend

CALLER = """\
tool_type: graph
permissions: [rye.execute.tool.*]
config:
  start: call
  state: {n: 0}
  nodes:
    call:
      action: {item_id: TOOL, params: {}}
      assign: {n: "${result.amount + 1}"}
      next: done
    done: {type: return, output: {n: "${state.n}"}}
"""
TOOL = """\
from typing import TypedDict


class Price(TypedDict):
    amount: int


def execute(params: dict[str, object]) -> Price:
    return {"amount": 1}
"""
ROOT = Path(".ai/tools")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve graphs that call a tool and each other; two processes are worth while for them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (ROOT / "shop").mkdir(parents=True)
    (ROOT / "shop/price.py").write_text(TOOL, "utf-8")
    for number in range(12):
        text = CALLER.replace("TOOL", "shop/price")
        if number % 4 == 3:
            text = CALLER.replace("TOOL", f"g{number - 1}").replace("result.amount + 1", "result.output.n")
        (ROOT / f"g{number}.yaml").write_text(text, "utf-8")
    monkeypatch.setattr(crew, "_FEWEST", 4)
    monkeypatch.setattr(crew, "_cores", lambda: 2)
    return tmp_path


def build(*options: str) -> Outcome:
    return graphwright("build", "--no-typecheck", "--no-sign", *options)


def contents(folder: str) -> dict[str, bytes]:
    """Every file of an output."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in Path(folder).rglob("*") if file.is_file()}


def test_the_result_is_that_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(PythonBackend, "draft", lambda *_: pytest.fail("the build compiles nothing itself"))
        many = build("-o", "many", "--depfile", "many.d", "--no-cache", "-q")
    assert many.code == 0, many.stderr
    monkeypatch.setattr(crew, "_FEWEST", 1_000)
    one = build("-o", "one", "--depfile", "one.d", "--no-cache", "-q")
    assert contents("many") == contents("one")
    assert many.stderr == one.stderr
    assert Path("many.d").read_text("utf-8").replace("many", "one") == Path("one.d").read_text("utf-8")


def test_what_workers_did_is_remembered() -> None:
    assert build().code == 0
    assert build().stderr.endswith("0 modules written, 12 unchanged\n")
    (ROOT / "shop/price.py").write_text(TOOL.replace("amount: int", "amount: float"), "utf-8")
    assert build().stderr.endswith("12 modules written, 0 unchanged\n")
    assert build("--check").code == 0


def test_errors_are_reported_once() -> None:
    for number in (3, 7):
        file = ROOT / f"g{number}.yaml"
        file.write_text(file.read_text("utf-8").replace("next: done", "next: dona"), "utf-8")
    done = build()
    assert (done.code, done.stderr.count("error[GW202]")) == (1, 2)
    assert not Path("generated").exists()


def test_broken_templates_are_reported_as_by_one_process() -> None:
    Path("graphwright.toml").write_text('templates = "layout"\n', "utf-8")
    Path("layout").mkdir()
    Path("layout/node.j2").write_text("{% if %}\n", "utf-8")
    done = build(".ai/tools")
    assert (done.code, done.stderr.count("layout/node.j2:1")) == (2, 1), done.stderr


def test_a_build_does_without_workers_that_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("raise SystemExit(1)", "import os; os.kill(os.getpid(), 9)", "print('nonsense')", "print('{}')"):
        monkeypatch.setattr(crew, "_COMMAND", ("-c", command))
        done = build("-o", "out", "--no-cache", "--explain")
        assert (done.code, len(list(Path("out").glob("g*.py")))) == (0, 12), done.stderr


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C ends what is started, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_the_workers_too(number: signal.Signals) -> None:
    for each in range(400):
        (ROOT / f"more{each}.yaml").write_text(CALLER.replace("TOOL", "shop/price"), "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "graphwright", "build", "--no-typecheck", "--no-sign", "-q"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(1)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (130, -number)
    assert said == ""
    assert not Path("generated").exists()
    deadline = time.monotonic() + 30
    while (left := _members(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def _members(session: int) -> list[str]:
    """The processes of a session."""
    done = subprocess.run(["ps", "-o", "pid=", "--sid", str(session)], capture_output=True, text=True, check=False)
    return done.stdout.split()


def test_a_script_without_a_guard_can_build() -> None:
    """No worker imports the main module of the program that calls `build`."""
    script = Path("script.py")
    script.write_text(
        "from graphwright.building import crew\n"
        "crew._FEWEST, crew._cores = 4, lambda: 2\n"
        "from graphwright.building.builder import build\n"
        "print(len(build(['.ai/tools'], typecheck=False).written))\n",
        "utf-8",
    )
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=True)
    assert done.stdout == "12\n"
