"""The hooks with the real pre-commit: they check what is staged, with any file name and any number of files."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from hooking import CONFIG, ROOT, Repository, clone_of_this, counted

GRAPH = """\
tool_type: graph
description: "g{number}"
permissions: [rye.execute.tool.shop.list]
config:
  start: list
  nodes:
    list: {{action: {{item_id: "tool:shop/list"}}, next: done}}
    done: {{type: return}}
"""
ODD = (
    "with space.yaml", "-dash.yaml", "--fix.yaml", "naïve.yaml", "数据.yaml", "sub dir/-inner.yaml", "it's.yaml",
    'say "so".yaml', "$HOME.yaml", "new\nline.yaml", "back\\slash.yaml",
)  # fmt: skip
PLAIN = tuple(f"g{number}.yaml" for number in range(8))
#: Makes each process that a hook starts wait until another one has begun, and note whether one came.
MEETING = """\
import os, pathlib, sys, time
if any(word.endswith("/graphwright") for word in sys.orig_argv):
    folder = pathlib.Path(os.environ["MEETING"])
    (folder / f"{os.getpid()}.here").touch()
    end = time.monotonic() + 30
    while len(list(folder.glob("*.here"))) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    (folder / f"{os.getpid()}.{'met' if time.monotonic() < end else 'alone'}").touch()
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository of the hooks."""
    return clone_of_this(tmp_path_factory.mktemp("hooks"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit installs them, once."""
    return tmp_path_factory.mktemp("pre-commit-home")


@pytest.fixture(scope="module")
def template(hooks: Path, home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that uses the hooks, with graphs of all kinds of names, built and committed."""
    made = Repository(tmp_path_factory.mktemp("template"), hooks, home)
    for number, name in enumerate((*PLAIN, *ODD)):
        made.write(f"graphs/{name}", GRAPH.format(number=number))
    made.write("graphs/settings.yaml", "a: 1\n")
    made.write("-top.yaml", GRAPH.format(number=0))
    made.write("graphwright.toml", 'roots = ["graphs"]\nsign = false\ntypecheck = false\n')
    made.configure()
    made.git("init", "-q")
    made.graphwright("build", "-q", "graphs")
    made.git("add", "-A")
    made.git("commit", "-qm", "graphs")
    return made.folder


@pytest.fixture
def client(template: Path, hooks: Path, home: Path, tmp_path: Path) -> Repository:
    """A copy of it for one test."""
    shutil.copytree(template, tmp_path / "client", symlinks=True)
    return Repository(tmp_path / "client", hooks, home)


def break_(client: Repository, name: str) -> None:
    """Put a mistake into a graph."""
    client.write(name, GRAPH.format(number=0).replace("next: done", "next: dnoe"))


# --- graphwright-check --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [".", "graphs", "graphs/sub dir"])
def test_all_files_from_any_folder(client: Repository, folder: str) -> None:
    code, said = client.run("graphwright-check", "--all-files", folder=folder)
    assert code == 0, said
    assert sum(counted(said)) == len(PLAIN) + len(ODD) + 1


@pytest.mark.parametrize("name", ["-top.yaml", "graphs/g0.yaml", *(f"graphs/{name}" for name in ODD)])
def test_a_fault_fails_the_hook_whatever_the_file_is_called(client: Repository, name: str) -> None:
    break_(client, name)
    client.git("add", "-A")
    code, said = client.run("graphwright-check")
    assert code == 1
    assert counted(said) == [1]
    assert "GW202" in said
    assert "did you mean `done`?" in said
    assert "exit code: 1" in said
    if "\n" not in name:
        assert f"--> {name}:7:" in said


def test_more_files_than_a_batch_holds_run_in_several_processes_at_once(client: Repository, tmp_path: Path) -> None:
    folder = f"graphs/{'long' * 60}"
    for number in range(1_200):
        client.write(f"{folder}/{number}.yaml", GRAPH.format(number=number))
    break_(client, f"{folder}/0.yaml")
    break_(client, f"{folder}/1199.yaml")
    client.git("add", "-A")
    client.run("graphwright-check", "--files", "graphs/g0.yaml")  # pre-commit has installed the hook
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    (meeting / "sitecustomize.py").write_text(MEETING, "utf-8")
    # TRAVIS: pre-commit then takes two processors for granted.
    code, said = client.run(
        "graphwright-check", "--all-files", PYTHONPATH=str(meeting), MEETING=str(meeting), TRAVIS="1"
    )
    assert code == 1, said
    assert said.count("GW202") == 2, "what is wrong in one batch does not hide what is in another"
    assert len(counted(said)) > 2
    assert sum(counted(said)) == 1_200 + len(PLAIN) + len(ODD) + 1
    assert len(list(meeting.glob("*.met"))) == len(counted(said))
    assert not list(meeting.glob("*.alone"))


def test_what_is_staged_is_judged_and_what_is_not_is_kept(client: Repository) -> None:
    good = (client.folder / "graphs/g0.yaml").read_text("utf-8")
    break_(client, "graphs/g0.yaml")
    client.git("add", "-A")
    client.write("graphs/g0.yaml", good)
    code, said = client.run("graphwright-check")
    assert (code, "GW202" in said) == (1, True), "broken in the commit, fixed in the work tree"
    assert (client.folder / "graphs/g0.yaml").read_text("utf-8") == good
    client.git("add", "-A")
    client.write("graphs/g1.yaml", good + "# another\n")
    client.git("add", "-A")
    break_(client, "graphs/g1.yaml")
    code, said = client.run("graphwright-check")
    assert code == 0, "fixed in the commit, broken in the work tree"
    assert "dnoe" in (client.folder / "graphs/g1.yaml").read_text("utf-8")


def test_a_commit_is_stopped_and_let_through(client: Repository) -> None:
    client.command("pre-commit", "install")
    commit = ("git", "-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "commit", "-qm", "more")
    break_(client, "graphs/g0.yaml")
    client.git("add", "-A")
    before = client.git("rev-parse", "HEAD")
    code, said = client.command(*commit)
    assert (code, "GW202" in said) == (1, True)
    assert client.git("rev-parse", "HEAD") == before
    client.write("graphs/g0.yaml", GRAPH.format(number=100))
    client.graphwright("build", "-q", "graphs")
    client.git("add", "-A")
    code, said = client.command(*commit)
    assert code == 0, said
    assert client.git("rev-parse", "HEAD") != before


def test_deleted_and_renamed_files(client: Repository) -> None:
    client.git("rm", "-q", "graphs/g0.yaml")
    client.git("mv", "graphs/g1.yaml", "graphs/renamed ü.yaml")
    code, said = client.run("graphwright-check")
    assert code == 0, said
    assert counted(said) == [1]


def test_no_files_to_look_at(client: Repository) -> None:
    code, said = client.run("graphwright-check", "--files", "graphwright.toml")
    assert (code, "Skipped" in said) == (0, True)


def test_yaml_that_is_no_graph_is_passed_over(client: Repository) -> None:
    code, said = client.run("graphwright-check", "--files", "graphs/settings.yaml", ".pre-commit-config.yaml")
    assert code == 0, said


@pytest.mark.parametrize("hook", ["graphwright-check", "graphwright-build-check"])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"roots = [", "graphwright.toml is not valid TOML"),
        (b"\xff\xfe", "graphwright.toml is not valid TOML"),
        (b"rots = []", "graphwright.toml: `rots` is not a known setting; did you mean `roots`?"),
    ],
)
def test_a_configuration_that_cannot_be_used(client: Repository, hook: str, text: bytes, complaint: str) -> None:
    (client.folder / "graphwright.toml").write_bytes(text)
    client.git("add", "-A")
    code, said = client.run(hook, "--files", "graphs/g0.yaml")
    assert code == 1
    assert said.count(complaint) == 1
    assert "exit code: 2" in said


def test_warnings_fail_where_the_documentation_says_so(client: Repository) -> None:
    """`args: [--strict, --]`, from docs/checking.md."""
    client.configure(CONFIG.replace("graphwright-check\n", "graphwright-check\n        args: [--strict, --]\n"))
    unused = GRAPH.replace("list]", "list, rye.execute.tool.shop.more]").format(number=0)
    client.write("-top.yaml", unused)
    client.git("add", "-A")
    code, said = client.run("graphwright-check")
    assert code == 1
    assert "GW603" in said


# --- graphwright-build-check --------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [".", "graphs/sub dir"])
def test_modules_that_are_as_they_should_be(client: Repository, folder: str) -> None:
    code, said = client.run("graphwright-build-check", "--all-files", folder=folder)
    assert code == 0, said


def test_a_module_that_is_older_than_its_source(client: Repository) -> None:
    client.write("graphs/g0.yaml", GRAPH.format(number=100))
    client.git("add", "-A")
    code, said = client.run("graphwright-build-check")
    assert code == 1
    assert "generated/g0.py" in said
    assert said.count("GW802") == 1
    assert "its source has changed since it was built" in " ".join(said.split())
    client.graphwright("build", "-q", "graphs")
    client.git("add", "-A")
    assert client.run("graphwright-build-check")[0] == 0


def test_a_module_that_was_edited_by_hand(client: Repository) -> None:
    module = client.folder / "generated/g2.py"
    module.write_text(module.read_text("utf-8").replace("done", "gone"), "utf-8")
    client.git("add", "-A")
    code, said = client.run("graphwright-build-check")
    assert code == 1
    assert said.count("GW802") == 1
    assert "it was edited" in said


def test_a_source_that_is_deleted(client: Repository) -> None:
    """The commit names no file that is left: the hook runs all the same."""
    client.git("rm", "-q", "graphs/g0.yaml")
    code, said = client.run("graphwright-build-check")
    assert (code, said.count("GW803")) == (1, 1), said
    assert "generated/g0.py" in said
    client.git("rm", "-q", "generated/g0.py")
    code, said = client.run("graphwright-build-check")  # the list of modules still names it
    assert (code, said.count("GW802")) == (1, 1), said
    client.graphwright("build", "-q", "graphs")
    client.git("add", "-A")
    assert client.run("graphwright-build-check")[0] == 0


def test_a_source_that_is_renamed(client: Repository) -> None:
    client.git("mv", "graphs/g0.yaml", "graphs/renamed ü.yaml")
    code, said = client.run("graphwright-build-check")
    assert code == 1
    assert (said.count("GW802"), said.count("GW803")) == (1, 1)
    client.graphwright("build", "-q", "graphs")
    client.git("add", "-A")
    code, said = client.run("graphwright-build-check")
    assert code == 0, said


def test_a_module_that_is_deleted(client: Repository) -> None:
    client.git("rm", "-q", "generated/g0.py")
    code, said = client.run("graphwright-build-check")
    assert (code, said.count("GW802")) == (1, 1)


def test_a_module_that_is_not_staged(client: Repository) -> None:
    """The developer built, and forgot to add what was built."""
    client.write("graphs/g0.yaml", GRAPH.format(number=100))
    client.graphwright("build", "-q", "graphs")
    client.git("add", "graphs")
    code, said = client.run("graphwright-build-check")
    assert (code, said.count("GW802")) == (1, 1)


def test_files_that_are_not_in_the_commit_make_no_difference(client: Repository) -> None:
    break_(client, "graphs/draft.yaml")
    client.write("generated/left_over.py", (client.folder / "generated/g0.py").read_text("utf-8"))
    code, said = client.run("graphwright-build-check")
    assert code == 0, said


def test_a_new_module_that_was_not_added(client: Repository) -> None:
    client.write("graphs/new.yaml", GRAPH.format(number=100))
    client.graphwright("build", "-q", "graphs")
    client.git("add", "graphs")
    code, said = client.run("graphwright-build-check")
    assert (code, said.count("GW802")) == (1, 1), said
    client.git("add", "generated")
    assert client.run("graphwright-build-check")[0] == 0


def test_a_setting_that_changes_what_is_built(client: Repository) -> None:
    """No graph and no module is in the commit, only a configuration."""
    client.write("graphwright.toml", 'roots = ["graphs"]\nsign = false\ntypecheck = false\noutput = "elsewhere"\n')
    client.git("add", "-A")
    code, said = client.run("graphwright-build-check")
    assert (code, "GW802" in said) == (1, True)


def test_a_graph_with_a_fault_cannot_be_compared(client: Repository) -> None:
    break_(client, "graphs/g0.yaml")
    client.git("add", "-A")
    code, said = client.run("graphwright-build-check")
    assert (code, said.count("GW202")) == (1, 1)


def test_both_hooks_write_nothing(client: Repository) -> None:
    client.run("--all-files")
    assert client.git("status", "--porcelain") == ""


# --- the documentation --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["README.md", "docs/checking.md"])
def test_the_lines_of_the_documentation_do_what_they_say(page: str, hooks: Path, home: Path, tmp_path: Path) -> None:
    """In a new repository without any setting: graphs in `.ai/tools`, modules signed and their types checked."""
    new = Repository(tmp_path / "new", hooks, home)
    lines = re.search(r"^```yaml\n(repos:\n.*?)^```$", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert lines is not None
    text = (
        lines[1].replace("https://git.example.com/tools/graphwright", "{repository}").replace("0123abc", "{revision}")
    )
    new.configure(text)
    new.git("init", "-q")
    new.write(".ai/tools/shop/orders.yaml", GRAPH.format(number=0))
    new.git("add", "-A")
    code, said = new.run()
    assert (code, said.count("GW802")) == (1, 1), "nothing is built yet"
    new.graphwright("build")
    new.git("add", "-A")
    code, said = new.run()
    assert code == 0, said
    assert new.git("status", "--porcelain", "-uall", "--", "generated").splitlines() == [
        f"A  generated/{name}"
        for name in ("__init__.py", "graphwright.manifest", "py.typed", "shop/__init__.py", "shop/orders.py")
    ]
