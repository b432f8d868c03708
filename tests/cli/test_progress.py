"""Builds that take longer than a second say how far they are."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest

from cli.samples import CLEAN
from commands import Outcome, graphwright
from graphwright.cli import progress
from graphwright.cli.progress import Progress
from observability.terminal import Terminal


@pytest.fixture
def graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of thirty graphs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for number in range(30):
        file = tmp_path / f"graphs/g{number}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(CLEAN, "utf-8")
    return tmp_path


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something is shown at once, and often."""
    for name in ("_PATIENCE_S", "_BAR_S", "_LINES_S"):
        monkeypatch.setattr(progress, name, 0.001)


def build(*options: str) -> Outcome:
    return graphwright("build", "--no-typecheck", "--no-sign", *options, "graphs")


def is_progress(line: str) -> bool:
    return line.startswith(("checking: ", "compiling: ", "writing", "building"))


@pytest.mark.usefixtures("graphs", "impatient")
def test_lines_where_there_is_no_terminal() -> None:
    lines = build().stderr.splitlines()
    shown = [line for line in lines if is_progress(line)]
    assert any(line.startswith("checking: ") and line.endswith(" of 30") for line in shown), lines
    assert "\r" not in "".join(shown)
    assert lines[-1] == "30 modules written, 0 unchanged, 3 other files written"


@pytest.mark.usefixtures("graphs", "impatient")
@pytest.mark.parametrize("options", [("-q",), ("--format", "json"), ("--format", "concise")])
def test_never_for_programs_and_never_if_quiet(options: tuple[str, ...]) -> None:
    assert not [line for line in build(*options).stderr.splitlines() if is_progress(line)]


@pytest.mark.usefixtures("graphs")
def test_nothing_in_the_first_second() -> None:
    begun = time.monotonic()
    lines = build().stderr.splitlines()
    assert time.monotonic() - begun > 1 or not [line for line in lines if is_progress(line)]


class _Screen(io.StringIO):
    """A terminal of 80 columns."""

    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("impatient")
def test_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with Progress(shown=True) as told:
        for done in (0, 15, 29):
            told("compiling", done, 30)
            _wait_for(screen, f"compiling: {done} of 30")
    written = screen.getvalue()
    assert f"\r[{'#' * 15}{'.' * 15}] compiling: 15 of 30\x1b[K" in written
    assert written.endswith("\r\x1b[K"), "the bar is gone at the end"


def _wait_for(screen: _Screen, text: str) -> None:
    deadline = time.monotonic() + 30
    while text not in screen.getvalue() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert text in screen.getvalue()


@pytest.mark.slow
def test_a_type_check_on_a_terminal(graphs: Path) -> None:
    terminal = Terminal(graphs, 80, "graphs", command="build")
    try:
        terminal.until(lambda lines: lines[-1:] == ["checking types"], seconds=120)
        terminal.process.wait(120)
        terminal.until(lambda lines: lines[-1:] == ["30 modules written, 0 unchanged, 3 other files written"])
        assert not [line for line in terminal.lines if is_progress(line)]
    finally:
        terminal.kill()
