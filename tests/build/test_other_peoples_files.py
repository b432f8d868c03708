"""Other people's files stay, and nothing of ours is left where it does not belong."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.building.depfile import depfile
from graphwright.emit.errors import BuildError

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return, output: "from inside"}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a project in it, and next to it what belongs to others."""
    for name in ("GRAPHWRIGHT_SIGNING_KEY", "GRAPHWRIGHT_TRUST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    project = tmp_path / "all" / "project"
    (project / "graphs").mkdir(parents=True)
    (project / "graphwright.toml").write_text('roots = ["graphs"]\n')
    (project / "graphs" / "one.yaml").write_text(GRAPH)
    monkeypatch.chdir(project)
    return project


@pytest.mark.parametrize("sign", [True, False])
def test_a_build_removes_only_what_it_listed(here: Path, sign: bool) -> None:
    """The output is a folder in which other projects have theirs, built from sources of the same names."""
    options = ("--no-typecheck", *([] if sign else ["--no-sign"]))
    other = here.parent / "other"
    shutil.copytree(here, other)
    (other / "graphs" / "two.yaml").write_text(GRAPH)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(other)
        assert graphwright("build", *options).code == 0
    shutil.copytree(other / "generated", here.parent / "elsewhere")
    (here.parent / "elsewhere" / "graphwright.manifest").unlink(missing_ok=True)
    before = {file: file.read_bytes() for file in here.parent.rglob("*") if file.is_file()}
    (here / "graphs" / "gone.yaml").write_text(GRAPH)
    assert graphwright("build", *options, "-o", "..").code == 0
    assert (here.parent / "gone.py").exists()
    (here / "graphs" / "gone.yaml").unlink()
    done = graphwright("build", *options, "-o", "..")
    assert "gone.py" in done.stderr
    assert not (here.parent / "gone.py").exists(), "what this build put there goes with its source"
    assert {file: file.read_bytes() for file in before} == before


@pytest.mark.parametrize("lost", ["the list", "its line", "nothing"])
@pytest.mark.parametrize("sign", [True, False])
def test_what_no_list_of_this_folder_names_stays(here: Path, sign: bool, lost: str) -> None:
    """Not even what lies where this build would have put it: another project can have a source of that name."""
    options = ("--no-typecheck", *([] if sign else ["--no-sign"]))
    (here / "graphs" / "gone.yaml").write_text(GRAPH)
    assert graphwright("build", *options, "-o", "..").code == 0
    (here / "graphs" / "gone.yaml").unlink()
    listing = here.parent / ("graphwright.manifest" if sign else "graphwright.modules")
    if lost == "the list":
        listing.unlink()
    elif lost == "its line":
        listing.write_bytes(b"".join(line for line in listing.open("rb") if b"gone" not in line))
    done = graphwright("build", *options, "-o", "..")
    assert done.code == 0
    assert (here.parent / "gone.py").exists() == (lost != "nothing")
    assert ("removed" in done.stderr) == (lost == "nothing")
    assert graphwright("build", "--check", *options, "-o", "..").code == 0


def test_the_list_of_unsigned_modules_follows_what_is_there(here: Path) -> None:
    """Builds of some graphs, builds that sign, merges and damage: a check says what a build then repairs."""
    listing = here / "generated" / "graphwright.modules"

    def build(*options: str) -> None:
        assert graphwright("build", "--no-typecheck", *options).code == 0
        assert graphwright("build", "--no-typecheck", "--check", *options).stderr.count("error") == 0

    def named() -> list[str]:
        return [line for line in listing.read_text().splitlines() if not line.startswith("#")]

    (here / "graphs" / "two.yaml").write_text(GRAPH)
    build("--no-sign")
    assert named() == ["one.py", "two.py"]
    build("--no-sign", "graphs/one.yaml")
    assert named() == ["one.py", "two.py"]
    for text in ("", "one.py\n", "<<<<<<< ours\none.py\n=======\ntwo.py\n>>>>>>> theirs\n", "\udcff\0\n../one.py\n"):
        listing.write_bytes(text.encode("utf-8", "surrogateescape"))
        done = graphwright("build", "--no-typecheck", "--no-sign", "--check")
        assert (done.code, "graphwright.modules" in done.stderr) == (1, True)
        build("--no-sign")
        assert named() == ["one.py", "two.py"]
    (here / "graphs" / "two.yaml").unlink()
    done = graphwright("build", "--no-typecheck", "--no-sign", "--check")
    assert (done.code, done.stderr.count("error[")) == (1, 1), "one fault: the module that is left over"
    build("--no-sign")
    assert named() == ["one.py"]
    done = graphwright("build", "--no-typecheck", "--check")
    assert done.code == 1
    build()
    assert not listing.exists()
    (here / "graphs" / "one.yaml").rename(here / "graphs" / "three.yaml")
    build("--no-sign")
    assert named() == ["three.py"]
    assert not (here / "generated" / "one.py").exists(), "the manifest listed it"


def test_what_another_build_staged_is_not_ours_to_remove(here: Path) -> None:
    staged = [here.parent / "other" / ".two.py.abcdefgh.staged", here / "generated" / "sub" / ".notes.staged"]
    for file in staged:
        file.parent.mkdir(parents=True)
        file.write_text("somebody is about to rename this")
    assert graphwright("build", "--no-typecheck", "-o", "..").code == 0
    assert graphwright("build", "--no-typecheck").code == 0
    assert all(file.exists() for file in staged)


def test_a_full_disk_leaves_nothing_staged(here: Path) -> None:
    """No file may grow past a limit: the system says so as it does when a disk is full."""
    code = """
import resource, sys
from pathlib import Path, PurePosixPath
from graphwright.building.publish import publish
from graphwright.emit.errors import BuildError
from graphwright.emit.python import PYTHON
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
contents = {PurePosixPath("a.py"): bytes(10), PurePosixPath("b.py"): bytes(5000), PurePosixPath("c.py"): bytes(10)}
try:
    publish(Path("generated"), contents, (), (), PYTHON)
except BuildError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "cannot be written: File too large" in done.stdout
    assert not (here / "generated").exists(), "all or nothing, and nothing on the way"


@pytest.mark.parametrize("limit", [0, 100, 1_500])
def test_a_build_on_a_full_disk_is_one_line(here: Path, limit: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "graphwright", "build", "--no-typecheck", "--no-sign", "--no-cache"],
        capture_output=True, text=True, timeout=60, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert sorted(each.name for each in here.rglob("*")) == ["graphs", "graphwright.toml", "one.yaml"]


def contents(folder: Path) -> dict[Path, bytes]:
    """All files below a folder but the empty ones that builds lock."""
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file() and file.suffix != ".lock"}


def capped(limit: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that can write no file past so many bytes."""
    return subprocess.run(
        [sys.executable, "-m", "graphwright", *arguments],
        capture_output=True, text=True, timeout=60, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip


@pytest.mark.parametrize("limit", [10, 60, 100])
@pytest.mark.parametrize(
    "command",
    [
        "keys new b", "keys trust a", "keys use a", "keys rotate", "sign graphs/one.yaml", "sign generated",
        "build --no-typecheck --no-cache",
    ],
)  # fmt: skip
def test_a_full_disk_leaves_keys_and_trust_as_they_were(here: Path, limit: int, command: str) -> None:
    """One line that names the file, no partly written file, and no untrusted key that signs."""
    if not command.startswith("build"):
        assert graphwright("keys", "new", "a").code == 0
    if command == "sign generated":
        assert graphwright("keys", "trust", "a").code == 0
        assert graphwright("build", "--no-typecheck").code == 0
    before = contents(here.parent.parent)
    done = capped(limit, *command.split())
    after = contents(here.parent.parent)
    if done.returncode == 0:  # it needed less than that
        return
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "File too large" in done.stderr
    assert "None" not in done.stderr
    assert "the system" not in done.stderr
    assert after == before


NAMES = [
    "plain", "a b", "a\\b", "a%b", "a#b", "a$b", "a:b", "a\\ b", "a\\:b", "a\\#b", "a\\%b", "a\\\\%b", "%", "a'b\"",
    "a&b", "a!b",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("newer", ["s", "t"])
def test_make_reads_the_depfile_as_it_is_meant(here: Path, name: str, newer: str) -> None:
    """Judged by make itself: the target is out of date for the one prerequisite that is newer, and for that alone."""
    target, first, second = (here / f"{letter}{name}" for letter in "mst")
    for file in (target, first, second):
        file.write_text("")
        os.utime(file, (100, 100))
    Path("out.d").write_text(depfile({target: [first, second]}) + "\n.PHONY: all\n")
    os.utime(here / f"{newer}{name}", (200, 200))
    command = [shutil.which("make") or "make", "--debug=b", "-n", "-f", "out.d", target.name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, "LC_ALL": "C"})
    assert f"Prerequisite '{newer}{name}' is newer than target 'm{name}'" in done.stdout, done.stdout + done.stderr
    (here / f"{newer}{name}").unlink()
    gone = subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, "LC_ALL": "C"})
    assert gone.returncode == 0, "a source may vanish"


@pytest.mark.parametrize("name", ["a\nb: evil", "a;touch planted", "SHELL=a", "a|b", "a\tb", "a\rb", "a\\"])
def test_what_make_could_not_read_is_refused(here: Path, name: str) -> None:
    with pytest.raises(BuildError, match="cannot be written to a depfile"):
        depfile({here / "generated" / "one.py": [here / name]})
    with pytest.raises(BuildError, match="cannot be written to a depfile"):
        depfile({here / name: [here / "graphs" / "one.yaml"]})


def test_a_build_whose_depfile_cannot_be_written_says_so(here: Path) -> None:
    folder = here / "graphs" / "a;touch planted"
    folder.mkdir()
    (folder / "two.yaml").write_text(GRAPH)
    done = graphwright("build", "--no-typecheck", "--depfile", "out.d")
    assert done.code == 2
    assert "cannot be written to a depfile" in done.stderr
    assert not Path("out.d").exists()


BASH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.rye.bash]
config:
  start: wait
  nodes:
    wait: {action: {item_id: "tool:rye/bash", params: {command: "echo $$ > pid; sleep 60"}}, next: done}
    done: {type: return}
"""


@pytest.mark.parametrize("signal", ["HUP", "TERM"])
def test_a_hangup_ends_a_run_and_its_children(here: Path, signal: str) -> None:
    (here / "graphs" / "wait.yaml").write_text(BASH)
    run = subprocess.Popen(
        [sys.executable, "-m", "graphwright", "run", "graphs/wait.yaml"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    child = _written(here / "pid")
    subprocess.run(["kill", f"-{signal}", str(run.pid)], check=True)
    out, err = run.communicate(timeout=30)
    assert run.returncode == {"HUP": 129, "TERM": 143}[signal], err
    assert '"status": "cancelled"' in out
    assert not Path(f"/proc/{child}").exists() or "sleep" not in Path(f"/proc/{child}/cmdline").read_text()


def test_a_run_that_nohup_started_goes_on(here: Path) -> None:
    (here / "graphs" / "wait.yaml").write_text(BASH.replace("sleep 60", "sleep 1"))
    run = subprocess.Popen(
        ["nohup", sys.executable, "-m", "graphwright", "run", "graphs/wait.yaml"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    _written(here / "pid")
    subprocess.run(["kill", "-HUP", str(run.pid)], check=True)
    out, _ = run.communicate(timeout=30)
    assert run.returncode == 0
    assert '"status": "completed"' in out


def _written(file: Path) -> str:
    """What a file holds, once it is there."""
    for _ in range(200):
        if file.exists() and (text := file.read_text().strip()):
            return text
        time.sleep(0.1)
    raise AssertionError(f"{file.name} was never written")


def test_a_build_does_not_need_a_folder_for_temporary_files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no lock can be held, none is: a build writes nothing anywhere but into its output."""
    here.joinpath("file").write_text("", "utf-8")
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(here / "file" / "cache"))

    def none_usable() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none_usable)
    done = graphwright("build", "graphs", "--output", "out", "--no-typecheck", "--no-sign")
    assert done.code == 0, done.stderr
    assert (here / "out" / "one.py").is_file()
