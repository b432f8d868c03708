"""What lies above or next to a project does not apply unless it belongs to the user or to root."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.project.projects import Projects
from graphwright.trust.trustfile import add_key
from graphwright_runtime.errors import NodeError
from graphwright_runtime.errortable import read_rules
from graphwright_runtime.graph import dynamic
from graphwright_runtime.toolbox import Toolbox
from graphwright_runtime.trust import owner
from graphwright_runtime.trust.truststore import PROJECT_FILE, TrustError, read_trust
from owners import STRANGER, give_away
from signing.packages import ALICE

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.unused]
config:
  start: done
  nodes:
    done: {type: return, output: "from inside"}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without a configuration, below a shared folder that contains one of another user."""
    shared = tmp_path / "shared"
    folder = shared / "mine"
    (folder / "graphs").mkdir(parents=True)
    shared.chmod(0o1777)
    (folder / "graphs" / "one.yaml").write_text(GRAPH)
    (shared / "graphwright.toml").write_text('output = "planted"\n[rules]\nGW603 = "off"\n')
    monkeypatch.chdir(folder)
    return folder


def test_another_users_configuration_above_is_skipped(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert "GW603" not in graphwright("check", "graphs").stderr, "as long as it is the user's own"
    give_away(project.parent / "graphwright.toml", monkeypatch)
    done = graphwright("check", "--no-cache", "graphs")
    assert "GW603" in done.stderr
    assert "ignored" in caplog.text
    assert f"belongs to uid {STRANGER}" in caplog.text
    graphwright("build", "--no-typecheck", "--no-sign", "graphs")
    assert not (project.parent / "planted").exists()


def test_a_project_of_another_user_says_what_to_do(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs as root over files of someone else: what was meant cannot be known."""
    for path in (project.parent / "graphwright.toml", project.parent, project, project / "graphs"):
        give_away(path, monkeypatch)
    done = graphwright("check", "graphs")
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"set {owner.VARIABLE}=" in done.stderr
    monkeypatch.setenv(owner.VARIABLE, f"/nowhere{os.pathsep}{project.parent}")
    assert "GW603" not in graphwright("check", "graphs").stderr
    monkeypatch.setenv(owner.VARIABLE, "*")
    assert "GW603" not in graphwright("check", "graphs").stderr


def test_behind_sudo_the_caller_counts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give_away(project.parent / "graphwright.toml", monkeypatch)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("SUDO_UID", str(STRANGER))
    assert "GW603" not in graphwright("check", "--no-cache", "graphs").stderr
    monkeypatch.setenv("SUDO_UID", str(STRANGER + 1))
    assert "GW603" in graphwright("check", "--no-cache", "graphs").stderr


@pytest.mark.parametrize("what", ["the link", "the target"])
def test_links_count_as_themselves_and_as_what_they_lead_to(
    project: Path, tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = project.parent / "graphwright.toml"
    target = config.rename(tmp_path / "elsewhere.toml")
    config.symlink_to(target)
    give_away(config if what == "the link" else target, monkeypatch)
    assert "GW603" in graphwright("check", "--no-cache", "graphs").stderr


@pytest.mark.parametrize("mode", [0o666, 0o646])
def test_a_file_that_everybody_may_write_is_nobodys(project: Path, mode: int) -> None:
    (project.parent / "graphwright.toml").chmod(mode)
    assert "GW603" in graphwright("check", "--no-cache", "graphs").stderr


def test_a_folder_that_everybody_may_write_holds_nobodys_files(project: Path) -> None:
    project.parent.chmod(0o777)
    assert "GW603" in graphwright("check", "--no-cache", "graphs").stderr


def test_another_users_pyproject_without_our_table_is_ignored_silently(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    config = (project.parent / "graphwright.toml").rename(project.parent / "pyproject.toml")
    config.write_text('[project]\ndependencies = ["graphwright"]\n')
    give_away(config, monkeypatch)
    assert Projects().of(project).config.file is None
    config.write_text("graphwright = [\n")
    assert Projects().of(project).config.file is None
    assert caplog.text.count("ignored") == 1


def test_tools_and_repositories_above_are_passed_over(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.parent / "graphwright.toml").unlink()
    for name in (".ai/tools", ".git"):
        path = project.parent / name
        path.mkdir(parents=True)
        assert Projects().of(project).folder == project.parent
        give_away(path, monkeypatch)
        assert Projects().of(project).folder == project


def test_the_nearest_configuration_wins_over_the_topmost(project: Path) -> None:
    """What is built belongs to the project that it lies in, not to one around it that says so, too."""
    (project / "graphwright.toml").write_text('roots = ["graphs"]\n[trust]\nmodules = "require"\n')
    above = project.parent / "graphwright.toml"
    for output in ("mine/generated", "mine", "."):
        above.write_text(f'output = "{output}"\n[trust]\nmodules = "off"\n')
        assert Projects().of_output(project / "generated").config.trust.modules == (
            "require" if output != "mine" else "off"
        )
    above.write_text("")
    (project / "generated" / "deep").mkdir(parents=True)
    (project / "generated" / "graphwright.toml").write_text('output = "deep"\n')
    assert Projects().of_output(project / "generated" / "deep").folder == project


def test_templates_of_another_user_are_not_run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "graphwright.toml").write_text('roots = ["graphs"]\ntemplates = "layout"\n')
    (project / "layout").mkdir()
    template = project / "layout" / "module.py.j2"
    template.write_text("planted")
    give_away(template, monkeypatch)
    done = graphwright("build", "--no-typecheck", "--no-sign")
    assert done.code == 2
    assert f"{template} belongs to" in done.stderr


@pytest.mark.parametrize("path", [".ai/tools/a/greet.py", ".ai/tools/a", ".ai/tools", ".ai", "."])
def test_a_tool_of_another_user_does_not_run(project: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = project / ".ai" / "tools" / "a" / "greet.py"
    tool.parent.mkdir(parents=True)
    tool.write_text("def execute(params, project_path):\n    return {}\n")
    action = dynamic("execute", "tool", "a/greet")
    assert Toolbox().find(action, project, None) is not None
    give_away(project / path, monkeypatch)
    with pytest.raises(NodeError, match="is not accepted here") as caught:
        Toolbox().find(action, project, None)
    assert caught.value.category == "denied"


def test_knowledge_and_rules_for_errors_of_another_user_are_not_read(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = project / ".graphwright" / "errors.toml"
    rules.parent.mkdir()
    rules.write_text(
        '[[errors]]\ncategory = "transient"\ncondition = {path = "error.message", op = "eq", value = "x"}\n'
    )
    assert len(read_rules(project)) == 1
    give_away(rules, monkeypatch)
    assert read_rules(project) == ()
    style = project / ".ai" / "knowledge" / "a" / "knowledge" / "style.md"
    style.parent.mkdir(parents=True)
    style.write_text("Be brief.")
    give_away(project / ".ai" / "knowledge" / "a", monkeypatch)
    from graphwright_runtime.items.space import existing_item, spaces
    from graphwright_runtime.items.text import read_item
    from graphwright_runtime.trust.items import ItemTrust
    from graphwright_runtime.trust.truststore import TrustStore

    item = existing_item("knowledge", "a/knowledge/style", spaces(project, None))
    with pytest.raises(NodeError, match="is not accepted here"):
        read_item(item, ItemTrust("off", TrustStore()))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away and run as somebody else")
@pytest.mark.parametrize("who", ["root", "another"])
def test_with_real_owners(project: Path, who: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Root does not listen to another user, and another user does not listen to another one."""
    for folder in (project, *project.parents):
        if folder.stat().st_mode & 0o055 != 0o055:
            folder.chmod(folder.stat().st_mode | 0o055)
    os.chown(project.parent / "graphwright.toml", STRANGER, STRANGER)
    tool = project / ".ai" / "tools" / "greet.py"
    tool.parent.mkdir(parents=True)
    tool.write_text("def execute(params, project_path):\n    return {'said': 'planted'}\n")
    os.chown(tool, STRANGER, STRANGER)
    (project / "graphs" / "two.yaml").write_text(
        GRAPH.replace("tool.unused", "tool.greet").replace(
            "done: {type: return", "done: {action: {item_id: 'tool:greet'}, next: end}\n    end: {type: return"
        )
    )
    user = [] if who == "root" else ["setpriv", "--reuid", str(STRANGER + 1), "--clear-groups"]
    command = [*user, sys.executable, "-m", "graphwright"]
    environment = {**os.environ, "GRAPHWRIGHT_CACHE_DIR": str(tmp_path_factory.mktemp("cache")), "HOME": "/nonexistent"}
    done = subprocess.run(
        [*command, "check", "--no-cache", "graphs/one.yaml"],
        capture_output=True, text=True, timeout=60, env=environment, check=False,
    )  # fmt: skip
    assert "GW603" in done.stderr, done.stderr
    assert "ignored" in done.stderr
    run = subprocess.run(
        [*command, "run", "-q", "graphs/two.yaml"],
        capture_output=True, text=True, timeout=60, env=environment, check=False,
    )  # fmt: skip
    result = json.loads(run.stdout)
    assert result["status"] == "error"
    assert "is not accepted here" in result["error"]


#: Where each piece of `chained` lies, from the folder that holds all of it.
PIECES = (
    "mine/.ai/tools", "mine/links", "mine/links/second", "there", "there/third", "there/deep", "there/deep/tools",
    "there/deep/tools/a", "there/deep/tools/a/greet.py",
)  # fmt: skip


@pytest.fixture
def chained(tmp_path: Path) -> Path:
    """A tool `a/greet` behind a chain of three links: relative, absolute, and with `..` in it."""
    folder = tmp_path / "all"
    tool = folder / "there" / "deep" / "tools" / "a" / "greet.py"
    tool.parent.mkdir(parents=True)
    tool.write_text("def execute(params, project_path):\n    return {'said': 'hello'}\n")
    for link, target in (
        ("mine/.ai/tools", "../links/second"), ("mine/links/second", str(folder / "there" / "third")),
        ("there/third", "../mine/../there/./deep//tools"),
    ):  # fmt: skip
        (folder / link).parent.mkdir(parents=True, exist_ok=True)
        (folder / link).symlink_to(target)
    return folder


def found(project: Path) -> object:
    """The tool `a/greet` of a project, as a run looks for it; raises NodeError."""
    return Toolbox().find(dynamic("execute", "tool", "a/greet"), project, None)


@pytest.mark.parametrize("piece", PIECES)
def test_each_link_of_a_chain_is_judged(chained: Path, piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(chained / "mine") is not None
    give_away(chained / piece, monkeypatch)
    with pytest.raises(NodeError, match=f"{piece} belongs to uid {STRANGER}.* is not accepted here"):
        found(chained / "mine")
    monkeypatch.setenv(owner.VARIABLE, str(chained / "mine" / ".ai" / "tools" / "a"))
    if not piece.startswith("there/deep/tools/a"):
        with pytest.raises(NodeError, match="is not accepted here"):
            found(chained / "mine")
    monkeypatch.setenv(owner.VARIABLE, str(chained))
    assert found(chained / "mine") is not None


@pytest.mark.parametrize("piece", [each for each in PIECES if each not in ("mine/.ai/tools", "mine/links/second")])
def test_each_folder_on_the_way_of_a_chain_is_judged(chained: Path, piece: str) -> None:
    """In a folder that everyone can write to, a link can be replaced; in one such as `/tmp`, it cannot."""
    if not (chained / piece).is_symlink():
        (chained / piece).chmod(0o777)
        with pytest.raises(NodeError, match=f"{Path(piece).name} is world-writable"):
            found(chained / "mine")
        (chained / piece).chmod(0o1777 if (chained / piece).is_dir() else 0o644)
    assert found(chained / "mine") is not None


def test_a_project_behind_links_is_judged_where_it_lies(chained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (chained / "alias").symlink_to("hop")
    (chained / "hop").symlink_to("mine")
    assert found(chained / "alias") is not None
    give_away(chained / "hop", monkeypatch)
    with pytest.raises(NodeError, match="hop belongs to"):
        found(chained / "alias")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_chain_with_real_owners(chained: Path) -> None:
    for piece in PIECES:
        os.lchown(chained / piece, STRANGER, STRANGER)
        with pytest.raises(NodeError, match=f"{Path(piece).name} belongs to"):
            found(chained / "mine")
        os.lchown(chained / piece, 0, 0)
    assert found(chained / "mine") is not None


def test_a_trust_file_behind_a_chain(chained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_key(chained / "there" / "deep" / "trust.toml", ALICE.key, "alice")
    file = chained / "mine" / PROJECT_FILE
    file.parent.mkdir()
    file.symlink_to("../links/trust.toml")
    (chained / "mine" / "links" / "trust.toml").symlink_to("../../there/deep/trust.toml")
    assert len(read_trust(file)) == 1
    give_away(chained / "mine" / "links" / "trust.toml", monkeypatch)
    with pytest.raises(TrustError, match=r"links/trust\.toml belongs to"):
        read_trust(file)


def test_templates_behind_a_link_are_judged(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In folders below, too, which templates can include files from."""
    (project / "graphwright.toml").write_text('roots = ["graphs"]\ntemplates = "layout"\n')
    (project / "layout").mkdir()
    (project / "layout" / "circle").symlink_to(".")
    (project / "layout" / "more").symlink_to(project / "elsewhere")
    (project / "elsewhere" / "deep").mkdir(parents=True)
    template = project / "elsewhere" / "deep" / "part.j2"
    template.write_text("planted")
    assert graphwright("build", "--no-typecheck", "--no-sign").code == 0
    give_away(project / "layout" / "more" / "deep" / "part.j2", monkeypatch)
    done = graphwright("build", "--no-typecheck", "--no-sign")
    assert done.code == 2
    assert "part.j2 belongs to" in done.stderr


def test_what_does_not_exist_belongs_to_no_other_user(tmp_path: Path) -> None:
    assert owner.ownership_problem(tmp_path / "gone" / "deep") is None
    assert not owner.is_own(tmp_path / "gone")
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    assert "cannot be accessed: Too many levels" in (owner.ownership_problem(tmp_path / "one") or "")
    assert "cannot be accessed" in (owner.ownership_problem(circle) or "")


def test_the_guard_is_cheap_to_ask_again(project: Path) -> None:
    """A run over many graphs asks for each folder once."""
    asked: list[Path] = []
    real = owner.status_of

    def counting(path: Path) -> os.stat_result:
        asked.append(path)
        return real(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, "status_of", counting)
        projects = Projects()
        for _ in range(100):
            projects.of(project / "graphs")
    assert len(asked) < 20
