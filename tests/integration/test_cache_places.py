"""Where the cache lies may be unusable, and what lies in it anything: commands say what they say without it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

GRAPH = """\
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return, output: {total: "${state.totl}"}}
"""
CLEAN = GRAPH.replace("${state.totl}", "1")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a graph that has a fault, and one that has none."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("faulty/a.yaml", GRAPH), ("clean/a.yaml", CLEAN)):
        Path(name).parent.mkdir()
        Path(name).write_text(text, "utf-8")
    Path("graphwright.toml").write_text("sign = false\n", "utf-8")
    return tmp_path


def said(*arguments: str, cache: str | Path = "cache", before: str = "") -> tuple[int, str]:
    """What a process says whose cache is there, and its exit code; `before`: a command of the shell."""
    environment = {**os.environ, "GRAPHWRIGHT_CACHE_DIR": str(cache)}
    command = ["sh", "-c", f'{before}\nexec "$@"', "sh", sys.executable, "-m", "graphwright", *arguments]
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60
    )
    assert "Traceback" not in done.stdout
    assert "GW901" not in done.stdout
    return done.returncode, done.stdout


def entries() -> Iterator[Path]:
    """The entries of the cache."""
    return (each for each in Path("cache").glob("*/??/*") if each.is_file())


@pytest.mark.parametrize("place", ["a file", "a file/below", "/dev/null", "/proc/nowhere", "broken link"])
def test_a_folder_that_cannot_be_used(place: str) -> None:
    Path("a file").touch()
    Path("broken link").symlink_to("nowhere/at/all")
    expected = said("check", "faulty")
    assert expected[0] == 1
    for _ in range(2):
        assert said("check", "faulty", cache=place) == expected
        assert said("build", "--no-typecheck", "-q", "clean", cache=place) == (0, "")
    assert Path("a file").read_bytes() == b""


def test_a_device_without_room() -> None:
    expected = said("check", "faulty", "clean")
    assert said("check", "faulty", "clean", cache="other", before="ulimit -f 0") == expected
    assert [each for each in Path("other").rglob("*") if each.is_file() and each.name != "swept"] == []
    code, text = said("build", "--no-typecheck", "clean", before="ulimit -f 0")
    assert (code, text.startswith("graphwright: "), text.count("\n")) == (2, True, 1), text
    assert not list(Path("generated").rglob("*.py*"))
    assert said("build", "--no-typecheck", "-q", "clean") == (0, "")


def test_entries_that_are_cut_off_or_of_others() -> None:
    expected = said("check", "faulty")
    (entry,) = entries()
    whole = entry.read_bytes()
    foreign = [b"", b"\n", b"null\n[]\n[]", b"\xff" * 500, whole.swapcase(), whole + b" ", whole.replace(b"GW", b"XX")]
    foreign += [whole[:end] for end in (1, 66, 67, len(whole) // 2, len(whole) - 1)]
    for data in foreign:
        entry.write_bytes(data)
        assert said("check", "faulty") == expected, data
        assert entry.read_bytes() == whole, "it is fixed"


@pytest.mark.parametrize("kind", ["pipe", "folder", "link to a pipe", "link to a file", "link round in a circle"])
def test_entries_that_are_no_files(kind: str) -> None:
    expected = said("check", "faulty")
    (entry,) = entries()
    entry.unlink()
    elsewhere = Path("elsewhere").absolute()
    if "pipe" in kind:
        os.mkfifo(entry if kind == "pipe" else elsewhere)
    if kind == "folder":
        entry.mkdir()
    if kind == "link to a file":
        elsewhere.touch()
    if "link" in kind:
        entry.symlink_to(entry if "circle" in kind else elsewhere)
    assert said("check", "faulty") == expected
    assert said("check", "faulty") == expected
    assert kind != "link to a file" or elsewhere.read_bytes() == b"", "what a link leads to is none of our business"


def test_a_neighbour_that_becomes_a_pipe() -> None:
    """What an entry depends on is only read where it is a file."""
    called = CLEAN.replace("permissions: []", "permissions: [rye.execute.tool.b]")
    called = called.replace("done: {", 'call: {action: {item_id: "tool:b"}, next: done}\n    done: {')
    Path("clean/a.yaml").write_text(called.replace("start: done", "start: call"), "utf-8")
    Path("clean/b.py").write_text("", "utf-8")
    expected = said("check", "clean")
    Path("clean/b.py").unlink()
    os.mkfifo("clean/b.py")
    assert said("check", "clean") == expected
    assert said("check", "clean") == expected


def test_files_of_others_in_the_folder_stay() -> None:
    """A user may name any folder; what is old in it and no entry is none of our business."""
    others = ["home/de/letter.txt", "0123456789abcdef/ab/letter.txt", "objects/ab/" + "c" * 62, "swept.txt"]
    for name in others:
        path = Path("cache", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (0, 0))
    said("check", "faulty")
    (entry,) = [each for each in entries() if str(each.relative_to("cache")) not in others]
    os.utime(entry, (0, 0))
    Path("cache/swept").unlink(missing_ok=True)
    said("check", "clean")
    assert [name for name in others if not Path("cache", name).exists()] == []
    assert not entry.exists()
