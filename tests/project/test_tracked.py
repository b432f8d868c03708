"""Committed graphs count, whatever ignore files say; a check of a commit looks at nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from commands import Outcome, graphwright

GRAPH = """\
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return}
"""
BROKEN = GRAPH.replace("start: done", "start: dnoe")


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one graph."""
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    git("init", "-q")
    write(".ai/tools/one.yaml")
    return folder


def git(*arguments: str) -> str:
    """Run git in this folder."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def write(path: str, text: str = GRAPH) -> None:
    """A file."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def checked(*arguments: str) -> set[str]:
    """The names of the graphs that a check finds broken."""
    outcome = graphwright("check", "--format", "concise", *arguments)
    return {line.partition(":")[0].rpartition("/")[2] for line in outcome.stdout.splitlines()}


def build(*options: str) -> Outcome:
    """A build without signatures and the type checker."""
    return graphwright("build", "--no-typecheck", "--no-sign", *options)


# --- ignored, and committed all the same ---------------------------------------------------------------------------


def test_a_committed_graph_is_looked_at_whatever_ignore_files_say() -> None:
    for name in ("local", "sub/deep/committed", "sub/deep/not", "not"):
        write(f".ai/tools/{name}.yaml", BROKEN)
    write(".gitignore", "local.yaml\nnot.yaml\nsub/\n")
    assert checked() == set()
    git("add", "-f", ".ai/tools/local.yaml", ".ai/tools/sub/deep/committed.yaml")
    assert checked() == checked(".ai") == checked(".ai/tools") == {"local.yaml", "committed.yaml"}
    write(".ai/tools/local.yaml")
    write(".ai/tools/sub/deep/committed.yaml")
    assert build().code == 0
    assert Path("generated/sub/deep/committed.py").exists()
    assert not Path("generated/not.py").exists()


def test_what_the_configuration_excludes_stays_out() -> None:
    write("graphwright.toml", 'exclude = ["old/"]\n')
    write(".ai/tools/old/graph.yaml", BROKEN)
    write(".ai/tools/node_modules/graph.yaml", BROKEN)
    write(".gitignore", "old/\n*.yaml\n")
    git("add", "-f", ".ai")
    assert checked() == set()


def test_a_committed_file_that_is_gone_is_not_there() -> None:
    write(".ai/tools/local.yaml", BROKEN)
    write(".gitignore", "local.yaml\n")
    git("add", "-f", ".ai")
    Path(".ai/tools/local.yaml").unlink()
    assert checked() == set()


def test_git_is_not_asked_where_nothing_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(_: Path) -> list[str]:
        raise AssertionError("asked")

    monkeypatch.setattr("graphwright.project.tracked.tracked_but_ignored", asked)
    assert checked() == set()


def test_without_git_the_patterns_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(".ai/tools/local.yaml", BROKEN)
    write(".gitignore", "local.yaml\n")
    git("add", "-f", ".ai")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert checked() == set()
    done = build("--check", "--tracked")
    assert (done.code, "git cannot be started" in done.stderr) == (2, True)


# --- what is in the commit ------------------------------------------------------------------------------------------


def test_an_untracked_graph_is_no_part_of_a_commit() -> None:
    assert build().code == 0
    git("add", "-A")
    write(".ai/tools/draft.yaml", BROKEN)
    assert build("--check").code == 1
    assert build("--check", "--tracked").code == 0


def test_a_module_that_was_not_added_is_missing() -> None:
    assert build().code == 0
    git("add", ".ai")
    done = build("--check", "--tracked")
    assert done.code == 1
    assert "`generated/one.py` differs from what its source compiles to: it is missing" in " ".join(done.stderr.split())
    git("add", "generated")
    assert build("--check", "--tracked").code == 0


def test_a_module_whose_graph_was_not_added_is_left_over() -> None:
    write(".ai/tools/two.yaml")
    assert build().code == 0
    git("add", "generated", ".ai/tools/one.yaml")
    done = build("--check", "--tracked")
    assert (done.code, done.stderr.count("GW803"), "generated/two.py" in done.stderr) == (1, 1, True)


def test_it_is_a_question_for_a_check() -> None:
    done = build("--tracked")
    assert (done.code, "`--check`" in done.stderr) == (2, True)


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    done = build("--check", "--tracked")
    assert (done.code, "git cannot list the files that it tracks" in done.stderr) == (2, True)


# --- what a graph wrote is no repository -----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("check",), ("check", "graphs"), ("build", "--check", "--tracked")])
@pytest.mark.parametrize("place", [".", "graphs"])
def test_a_folder_that_is_laid_out_like_a_bare_repository_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, command: tuple[str, ...]
) -> None:
    """A graph may write such files below the repository; git would run the monitor that they configure."""
    Path("part").mkdir()
    monkeypatch.chdir("part")
    write("graphwright.toml", 'roots = ["graphs"]\n')
    write("graphs/ignored.yaml")
    write("graphs/.gitignore", "*.yaml\n")
    planted = tmp_path / "planted"
    monitor = (
        f"[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = \"touch '{planted}'; false\"\n"
    )
    for name, text in (("HEAD", "ref: refs/heads/main\n"), ("config", monitor), ("objects/x", ""), ("refs/x", "")):
        write(f"{place}/{name}", text)
    graphwright(*command)
    assert not planted.exists()
