"""Files and surroundings that mean harm: one clear message each, never a traceback, never a hang."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.samples import CLEAN, FAULTY
from commands import graphwright
from graphwright.cli import main

PATIENCE_S = 5


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    return tmp_path


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(b"\x00\xff\xfe" * 1000, "GW005", id="binary"),
        pytest.param(b"tool_type: graph\nname: \xff\n", "GW005", id="latin"),
        pytest.param(b"[" * 10_000_000, "GW005", id="ten megabytes of brackets"),
        pytest.param(b"tool_type: graph\nx: " + b"{a: " * 100_000, "GW005", id="deep flow"),
        pytest.param(b"tool_type: graph\na: &a [*a]\n", "GW005", id="recursion"),
        pytest.param(b"a: &a [1,2]\nb: &b [*a,*a]\n" + b"tool_type: graph\n? [x]\n: 1\n", "GW003", id="odd key"),
        pytest.param(b"tool_type: graph\n---\na: 1\n", "GW005", id="two documents"),
        pytest.param(b"", "GW006", id="empty"),
        pytest.param(b"# only a remark\n", "GW006", id="remark"),
        pytest.param(b"- a\n- b\n", "GW006", id="list"),
        pytest.param(b"just text\n", "GW006", id="text"),
        pytest.param(b"tool_type: graph\n!!python/object:os.system {}\n", "GW001", id="python tag"),
        pytest.param(b"\xef\xbb\xbftool_type: graph\n", "GW103", id="byte order mark"),
    ],
)
def test_bad_files_get_their_diagnostic_in_time(content: bytes, code: str) -> None:
    Path("bad.yaml").write_bytes(content)
    start = time.monotonic()
    done = graphwright("check", "--format", "concise", "bad.yaml")
    assert time.monotonic() - start < PATIENCE_S
    assert done.code == 1
    assert f"[{code}]" in done.stdout
    assert "internal error" not in done.stdout
    assert max(map(len, graphwright("check", "bad.yaml").stderr.splitlines())) < 400


def test_a_file_beyond_all_measure_is_not_parsed() -> None:
    with Path("huge.yaml").open("wb") as stream:
        stream.write(b"tool_type: graph\nx: [")
        stream.truncate(3 * 1024**3)
    done = graphwright("check", "--format", "concise", "huge.yaml")
    assert (done.code, done.stdout.count("[GW005]"), done.stdout.count("\n")) == (1, 1, 1)
    assert graphwright("check", ".").code == 0


def test_what_is_no_file_is_not_opened() -> None:
    os.mkfifo("pipe.yaml")
    Path("folder.yaml").mkdir()
    Path("loop.yaml").symlink_to("loop.yaml")
    Path("nowhere.yaml").symlink_to("gone.yaml")
    for name in ("pipe.yaml", "loop.yaml", "nowhere.yaml", "/dev/zero", "gone\0.yaml", "x" * 5000):
        done = graphwright("check", "--format", "concise", name)
        assert (done.code, done.stdout.count("GW008"), done.stdout.count("\n")) == (2, 1, 1), name[:20]
    assert graphwright("check", "folder.yaml").stderr == "no graphs found\n"


def test_an_unreadable_file_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("closed.yaml").write_text(CLEAN, "utf-8")

    def refuse(file: Path, most: int) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("graphwright.checking.reading.content_of", refuse)
    done = graphwright("check", "closed.yaml")
    assert (done.code, "`closed.yaml` is not readable" in done.stderr) == (2, True)


def test_a_folder_with_a_link_to_itself_ends() -> None:
    Path("graphs").mkdir()
    Path("graphs/one.yaml").write_text(CLEAN, "utf-8")
    Path("graphs/again").symlink_to("../graphs")
    assert graphwright("check", "graphs").stderr == "1 graph checked, no problems found\n"


def test_file_names_that_are_no_text(here: Path) -> None:
    name = os.fsdecode(b"caf\xe9.yaml")
    (here / name).write_text(FAULTY, "utf-8")
    for form in ("text", "concise", "json", "sarif", "github", "gitlab"):
        done = run("check", "--format", form, ".")
        assert (done.returncode, b"Traceback" in done.stderr) == (1, False), form
        assert b"GW202" in done.stdout + done.stderr


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """A real process."""
    command = [sys.executable, "-m", "graphwright", *arguments]
    environment = {**os.environ, **{name: str(value) for name, value in options.items()}}
    return subprocess.run(command, capture_output=True, check=False, timeout=60, env=environment)


def test_a_terminal_that_knows_no_unicode() -> None:
    Path("faulty.yaml").write_text(FAULTY.replace("shop/list", "shöp/list"), "utf-8")
    done = run("check", "faulty.yaml", PYTHONIOENCODING="ascii:strict")
    assert (done.returncode, b"Traceback" in done.stderr, b"sh\\xf6p" in done.stderr) == (1, False, True)


def test_a_reader_that_goes_away() -> None:
    command = f"{sys.executable} -m graphwright rules --markdown | head -c 100 > /dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("0\n", "")
    command = f"{sys.executable} -m graphwright rules >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr


def test_colour_is_for_those_who_see_it() -> None:
    Path("faulty.yaml").write_text(FAULTY, "utf-8")
    assert b"\x1b[" not in run("check", "faulty.yaml").stderr
    assert b"\x1b[" in run("check", "--color", "always", "faulty.yaml", NO_COLOR=1).stderr
    terminal = "import pty, sys; pty.spawn([sys.executable, '-m', 'graphwright', 'check', '-q', 'faulty.yaml'])"
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        done = subprocess.run(
            [sys.executable, "-c", terminal],
            env={**os.environ, "TERM": "xterm", **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (b"\x1b[1;31m" in done.stdout) is coloured


@pytest.mark.parametrize("closed", [(1,), (2,), (1, 2)])
def test_streams_that_the_caller_closed(closed: tuple[int, ...]) -> None:
    Path("clean.yaml").write_text(CLEAN)
    command = f"{sys.executable} -m graphwright check --format json clean.yaml " + " ".join(f"{n}>&-" for n in closed)
    assert subprocess.run(["sh", "-c", command], check=False).returncode == 0


class Full(io.StringIO):
    """A stream to a device on which there is no room any more."""

    def write(self, _text: str) -> int:
        """Fails."""
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_result_that_gets_lost_is_said_so() -> None:
    Path("clean.yaml").write_text(CLEAN)
    said = io.StringIO()
    with contextlib.redirect_stdout(Full()), contextlib.redirect_stderr(said):
        code = main(["check", "--format", "json", "clean.yaml"])
    assert (code, said.getvalue()) == (
        2,
        "graphwright: standard output cannot be written: No space left on device\n",
    )


def test_an_output_that_is_a_file_is_wrong_usage() -> None:
    Path("clean.yaml").write_text(CLEAN)
    done = graphwright("build", "-o", "clean.yaml", "clean.yaml")
    assert (done.code, done.stderr) == (2, "graphwright: the output `clean.yaml` is not a folder\n")


@pytest.mark.parametrize(
    "text",
    [
        b"import (\n" * 20_000,
        b"x = \0\n",
        b"\xff\xfe",
        b"(" * 5_000,
        b"1 / 0\n",
        b"raise Exception('a\\nb')\n",
        b"x = =\n",
    ],
    ids=["brackets", "nul", "bytes", "depth", "division", "lines", "syntax"],
)
def test_a_module_that_cannot_be_imported_is_wrong_usage(text: bytes) -> None:
    Path("broken_one.py").write_bytes(text)
    done = graphwright("run", "broken_one.py")
    assert done.code == 2
    assert done.stderr.startswith("graphwright: broken_one.py cannot be imported: ")
    assert done.stderr.count("\n") == 1
