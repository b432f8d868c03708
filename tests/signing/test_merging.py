"""Two people build different graphs in two branches: git merges what they built, and it verifies."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.trust.trustfile import add_key
from graphwright_runtime.trust.manifest import MANIFEST, parse
from graphwright_runtime.trust.signing import Signer, to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, MALLORY
from wheels.page import block

GRAPH = """\
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {{type: return, output: "{said}"}}
"""


#: What docs/packaging.md puts into .gitattributes.
ATTRIBUTES = block("gitattributes")


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git in this folder."""
    identity = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "merge.conflictStyle=merge")
    return subprocess.run(["git", *identity, *arguments], capture_output=True, text=True, check=False)


def commit(message: str) -> None:
    """Commit everything."""
    git("add", "-A")
    assert git("commit", "-qm", message).returncode == 0


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with some graphs that ALICE built; the project trusts her and MALLORY."""
    folder = tmp_path / "repository"
    (folder / ".ai" / "tools").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    git("init", "-q", "-b", "main")
    for signer, name in ((ALICE, "alice"), (MALLORY, "another")):
        add_key(Path(PROJECT_FILE), signer.key, name)
    for name in "bdfhj":
        write(name)
    build(ALICE, monkeypatch)
    commit("base")
    return folder


def write(name: str, said: str = "nothing") -> None:
    """A graph."""
    Path(f".ai/tools/{name}.yaml").write_text(GRAPH.format(said=said))


def remove(name: str) -> None:
    """A graph that is gone."""
    Path(f".ai/tools/{name}.yaml").unlink()


def build(signer: Signer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build everything with a key."""
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(signer.seed))
    done = graphwright("build", "--no-typecheck")
    assert done.code == 0, done.stderr


def merged(one: Callable[[], None], two: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> int:
    """What git says to the merge of two branches, one by ALICE and one by MALLORY."""
    for branch, change, signer in (("one", one, ALICE), ("two", two, MALLORY)):
        git("checkout", "-q", "-b", branch, "main")
        change()
        build(signer, monkeypatch)
        commit(branch)
    return git("merge", "-q", "--no-edit", "one").returncode


CHANGES: dict[str, tuple[Callable[[], None], Callable[[], None]]] = {
    "two changed": (lambda: write("b", "one"), lambda: write("h", "two")),
    "neighbours changed": (lambda: write("d", "one"), lambda: write("f", "two")),
    "two added": (lambda: write("a"), lambda: write("z")),
    "added next to each other's neighbour": (lambda: write("c"), lambda: write("e")),
    "added below a changed one": (lambda: write("e"), lambda: write("d", "two")),
    "added above a changed one": (lambda: write("e"), lambda: write("f", "two")),
    "removed above a changed one": (lambda: remove("d"), lambda: write("f", "two")),
    "removed below a changed one": (lambda: remove("f"), lambda: write("d", "two")),
    "two removed": (lambda: remove("b"), lambda: remove("h")),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_branches_that_build_different_graphs_merge(
    repository: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[Callable[[], None], Callable[[], None]]
) -> None:
    assert merged(*change, monkeypatch) == 0
    sources = git("diff", "--name-only", "main", "--", ".ai").stdout.split()
    modules = {f"generated/{Path(source).stem}.py" for source in sources}
    assert set(git("diff", "--name-only", "main", "--", "generated").stdout.split()) == modules | {
        f"generated/{MANIFEST}"
    }
    for command in (("build", "--check", "--no-typecheck"), ("verify",)):
        done = graphwright(*command)
        assert done.code == 0, done.stderr
    before = git("status", "--porcelain").stdout
    build(MALLORY, monkeypatch)
    assert git("status", "--porcelain").stdout == before == ""


def test_a_build_changes_no_line_but_that_of_what_it_built(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = parse(Path("generated", MANIFEST).read_bytes()).lines
    write("d", "changed")
    build(MALLORY, monkeypatch)
    after = parse(Path("generated", MANIFEST).read_bytes()).lines
    assert {subject for subject, line in after.items() if before[subject] != line} == {("module", "d.py")}
    assert git("status", "--porcelain").stdout.split() == [
        "M", ".ai/tools/d.yaml", "M", "generated/d.py", "M", f"generated/{MANIFEST}"
    ]  # fmt: skip


def added_in_one_place(monkeypatch: pytest.MonkeyPatch) -> int:
    """What git says to two graphs whose lines go to the same place of the manifest."""
    return merged(lambda: write("e1"), lambda: write("e2"), monkeypatch)


def test_two_lines_in_one_place_conflict_and_a_build_resolves_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert added_in_one_place(monkeypatch) == 1
    assert git("diff", "--name-only", "--diff-filter=U").stdout.split() == [f"generated/{MANIFEST}"]
    verified = graphwright("verify")
    assert verified.code == 1
    assert "conflict markers" in verified.stderr
    assert "run `graphwright build`" in " ".join(verified.stderr.split())
    build(MALLORY, monkeypatch)
    assert (graphwright("verify").code, graphwright("build", "--check", "--no-typecheck").code) == (0, 0)


def test_with_the_union_driver_they_do_not(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".gitattributes").write_text(ATTRIBUTES)
    commit("attributes")
    assert added_in_one_place(monkeypatch) == 0
    assert graphwright("verify").code == 0
    build(MALLORY, monkeypatch)
    assert graphwright("build", "--check", "--no-typecheck").code == 0


def test_one_graph_changed_in_both_branches_is_built_again(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert merged(lambda: write("d", "one"), lambda: write("d", "two"), monkeypatch) == 1
    write("d", "both")
    check = graphwright("build", "--check", "--no-typecheck")
    assert check.code == 1
    assert "conflict markers" in check.stderr
    build(MALLORY, monkeypatch)
    assert (graphwright("verify").code, graphwright("build", "--check", "--no-typecheck").code) == (0, 0)


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("way", ["merge", "rebase", "cherry-pick"])
def test_a_build_resolves_conflicts_however_git_shows_them(
    repository: Path, monkeypatch: pytest.MonkeyPatch, way: str, style: str
) -> None:
    for branch, signer in (("one", ALICE), ("two", MALLORY)):
        git("checkout", "-q", "-b", branch, "main")
        write("d", branch)
        write(f"e{branch}")
        build(signer, monkeypatch)
        commit(branch)
    conflicting = ("-c", f"merge.conflictStyle={style}", way, *(() if way != "merge" else ("-q",)), "one")
    assert git(*conflicting).returncode == 1
    assert "<<<<<<<" in Path("generated", MANIFEST).read_text()
    assert graphwright("build", "--no-typecheck").code == 1, "the graph has conflict markers, too"
    write("d", "both")
    build(MALLORY, monkeypatch)
    assert (graphwright("verify").code, graphwright("build", "--check", "--no-typecheck").code) == (0, 0)
    assert {file.stem for file in Path("generated").glob("?*.py")} >= {"d", "eone", "etwo"}


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "removed"])
def test_a_graph_removed_in_one_branch_and_changed_in_the_other(
    repository: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    assert merged(lambda: remove("d"), lambda: write("d", "two"), monkeypatch) == 1
    if not kept:
        remove("d")
    build(MALLORY, monkeypatch)
    assert Path("generated/d.py").exists() == kept
    assert (graphwright("verify").code, graphwright("build", "--check", "--no-typecheck").code) == (0, 0)


def test_a_graph_changed_in_both_branches_and_then_removed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert merged(lambda: write("d", "one"), lambda: write("d", "two"), monkeypatch) == 1
    assert "<<<<<<<" in Path("generated/d.py").read_text()
    remove("d")
    build(MALLORY, monkeypatch)
    assert not Path("generated/d.py").exists()
    assert (graphwright("verify").code, graphwright("build", "--check", "--no-typecheck").code) == (0, 0)


UNSIGNED = "graphwright.modules"


def test_lists_of_unsigned_modules_merge_and_are_repaired(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("graphwright.toml").write_text("sign = false\n")
    shutil.rmtree("generated")
    build(ALICE, monkeypatch)
    commit("unsigned")
    assert merged(lambda: write("a"), lambda: write("z"), monkeypatch) == 0
    assert graphwright("build", "--check", "--no-typecheck").code == 0
    git("checkout", "-q", "main")
    git("branch", "-D", "one", "two")
    assert added_in_one_place(monkeypatch) == 1
    assert "<<<<<<<" in Path("generated", UNSIGNED).read_text()
    assert graphwright("build", "--check", "--no-typecheck").code == 1
    build(ALICE, monkeypatch)
    assert graphwright("build", "--check", "--no-typecheck").code == 0
    lines = Path("generated", UNSIGNED).read_text().splitlines()[1:]
    assert lines == ["b.py", "d.py", "e1.py", "e2.py", "f.py", "h.py", "j.py"]


@pytest.mark.parametrize("seed", range(6))
def test_with_the_union_driver_any_two_branches_merge(
    repository: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whatever two people add, change and remove, as long as no graph is touched by both."""
    Path(".gitattributes").write_text(ATTRIBUTES)
    commit("attributes")
    chance = random.Random(seed)
    names = [f"{first}{second}" for first in "abcdefghij" for second in ("", "1", "2")]
    chance.shuffle(names)

    def work(own: list[str], said: str) -> None:
        for name in own:
            if Path(f".ai/tools/{name}.yaml").exists() and chance.random() < 0.4:
                remove(name)
            else:
                write(name, said)

    assert merged(lambda: work(names[:8], "one"), lambda: work(names[8:16], "two"), monkeypatch) == 0
    build(MALLORY, monkeypatch)
    assert (graphwright("verify").code, graphwright("build", "--check", "--no-typecheck").code) == (0, 0)
    there = {file.name for file in Path("generated").glob("*.py")} - {"__init__.py"}
    assert there == {f"{file.stem}.py" for file in Path(".ai/tools").glob("*.yaml")}
    texts = {file.name: file.read_bytes().partition(b"\n")[2] for file in Path("generated").glob("*.py")}
    shutil.rmtree("generated")
    build(ALICE, monkeypatch)
    fresh = {file.name: file.read_bytes().partition(b"\n")[2] for file in Path("generated").glob("*.py")}
    assert texts == fresh
