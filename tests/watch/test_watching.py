"""`check --watch` and `build --watch`, as editors, git and people change files."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import graphwright
from observability.terminal import Terminal
from watch.watcher import PATIENCE_S, Watcher

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.shop.price]
config:
  start: price
  state: {total: 0}
  nodes:
    price:
      action: {item_id: shop/price, params: {}}
      assign: {total: "${result.amount + 1}"}
      next: done
    done: {type: return, output: {total: "${state.total}"}}
"""
TOOL = """\
from typing import TypedDict


class Price(TypedDict):
    amount: int


def execute(params: dict[str, object]) -> Price:
    return {"amount": 1}
"""
ROOT = Path(".ai/tools/shop")
ORDER, PRICE = ROOT / "order.yaml", ROOT / "price.py"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one graph, which calls a tool."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home/.config"))
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    ROOT.mkdir(parents=True)
    ORDER.write_text(GRAPH, "utf-8")
    PRICE.write_text(TOOL, "utf-8")
    return folder


def edit(file: Path, old: str, new: str) -> None:
    """Replace text in a file, at once."""
    text = file.read_text("utf-8")
    assert old in text
    draft = Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]).with_name("draft")
    draft.write_text(text.replace(old, new, 1), "utf-8")
    draft.replace(file)


def edit_as_editors_do(file: Path, old: str, new: str) -> None:
    """Write a new file, and rename it over the old one."""
    draft = file.with_name(f".{file.name}.swp")
    draft.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")
    backup = file.with_name(f"{file.name}~")
    file.rename(backup)
    draft.rename(file)
    backup.unlink()


def write(name: str, text: str = GRAPH) -> Path:
    """A graph below the source root."""
    file = Path(".ai/tools", f"{name}.yaml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def names(document: dict[str, object], status: str) -> list[str]:
    """The modules of a round that have a status."""
    modules = document["modules"]
    assert isinstance(modules, list)
    return [each["module"] for each in modules if each["status"] == status]


# --- check ----------------------------------------------------------------------------------------------------------


def test_edits_are_checked_as_they_come() -> None:
    with Watcher("check") as watcher:
        assert watcher.until([]) == {"version": 1, "diagnostics": []}
        edit(ORDER, "next: done", "next: dona")
        watcher.until(["GW202"])
        edit_as_editors_do(ORDER, "next: dona", "next: done")
        watcher.until([])
        edit(PRICE, "amount: int", "sum: int")
        watcher.until(["GW703"])
        edit_as_editors_do(PRICE, "sum: int", "amount: int")
        watcher.until([])
        ORDER.write_text("tool_type: graph\nconfig: [", "utf-8")
        watcher.until(["GW001"])
        ORDER.write_text(GRAPH, "utf-8")
        watcher.until([])
        assert "Traceback" not in watcher.stderr


def test_configuration_is_read_again() -> None:
    other = Path("graphs/other.yaml")
    other.parent.mkdir()
    other.write_text(GRAPH.replace("next: done", "next: dona"), "utf-8")
    with Watcher("check") as watcher:
        watcher.until(["GW202"])
        settings = Path("graphwright.toml")
        settings.write_text('roots = [".ai/tools"]\n', "utf-8")
        watcher.until([])
        settings.write_text("roots = [", "utf-8")
        watcher.when(lambda found: "is not valid TOML" in found.get("error", ""))
        settings.write_text('roots = ["nowhere"]\n', "utf-8")
        watcher.when(lambda found: "none of the source roots" in found.get("error", ""))
        settings.write_text('roots = ["graphs"]\n', "utf-8")
        watcher.until(["GW202"])
        settings.write_text('exclude = ["other.yaml"]\n', "utf-8")
        watcher.until([])
        settings.unlink()
        watcher.until(["GW202"])


def test_folders_that_go_and_come_again() -> None:
    with Watcher("check") as watcher:
        watcher.until([])
        for _ in range(2):
            shutil.rmtree(".ai")
            watcher.until([])
            ROOT.mkdir(parents=True)
            PRICE.write_text(TOOL, "utf-8")
            ORDER.write_text(GRAPH.replace("next: done", "next: dona"), "utf-8")
            watcher.until(["GW202"])
        ROOT.rename(ROOT.with_name("store"))
        (ROOT.with_name("store") / "order.yaml").write_text("tool_type: graph\n", "utf-8")
        watcher.when(lambda found: "GW202" not in [each["code"] for each in found["diagnostics"]])


def test_a_burst_of_hundreds_of_files() -> None:
    """As `git checkout` of another branch: files change, go and come, in new folders, too."""
    with Watcher("check") as watcher:
        watcher.until([])
        for number in range(300):
            write(f"many/{number % 30}/g{number}", GRAPH.replace("next: done", "next: dona"))
        watcher.until(["GW202"] * 300)
        shutil.rmtree(".ai/tools/many")
        watcher.until([])


def test_what_does_not_matter_is_ignored() -> None:
    Path("node_modules/deep").mkdir(parents=True)
    with Watcher("check") as watcher:
        watcher.until([])
        Path("debug.log").write_text("line\n", "utf-8")
        Path("node_modules/deep/graph.yaml").write_text("x: 1\n", "utf-8")
        (ROOT / ".order.yaml.swp").write_text("x", "utf-8")
        Path("src").mkdir()
        Path("src/app.py").write_text("x = 1\n", "utf-8")
        assert watcher.is_silent()
        edit(ORDER, "next: done", "next: dona")
        watcher.until(["GW202"])


def test_files_elsewhere_matter(tmp_path: Path) -> None:
    """The targets of links, variables for `--env-file`, and the user's own tools."""
    target = tmp_path / "elsewhere/linked.yaml"
    target.parent.mkdir()
    target.write_text(GRAPH, "utf-8")
    (ROOT / "linked.yaml").symlink_to(target)
    edit(ORDER, "permissions", "env_requires: [TOKEN]\npermissions")
    variables = tmp_path / "env/prod.env"
    variables.parent.mkdir()
    with Watcher("check", "--env-file", str(variables)) as watcher:
        assert "prod.env cannot be read" in watcher.round()["error"]
        variables.write_text("OTHER=1\n", "utf-8")
        watcher.until(["GW504"])
        variables.write_text("TOKEN=1\n", "utf-8")
        watcher.until([])
        edit_as_editors_do(target, "next: done", "next: dona")
        watcher.until(["GW202"])


def test_links_to_folders_are_followed_where_ids_lead_through_them(tmp_path: Path) -> None:
    """Tools that projects share, and the settings of a project; a link that leads nowhere new does no harm."""
    for name, kind in (("shared", "int"), ("other", "str")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "price.py").write_text(TOOL.replace("amount: int", f"amount: {kind}"), "utf-8")
    link, hooks = ROOT.with_name("shared"), tmp_path / "settings/hooks.yaml"
    link.symlink_to(tmp_path / "shared")
    for name, target in (("up", "../.."), ("self", "self"), ("top", "/")):
        ROOT.with_name(name).symlink_to(target)
    edit(ORDER, "item_id: shop/price", "item_id: shared/price")
    edit(ORDER, "rye.execute.tool.shop.price", "rye.execute.tool.shared.price")
    with Watcher("check") as watcher:
        watcher.until([])
        edit(tmp_path / "shared/price.py", "amount: int", "amount: str")
        watcher.until(["GW407"])
        edit(tmp_path / "shared/price.py", "amount: str", "amount: int")
        watcher.until([])
        ROOT.with_name("new").symlink_to(tmp_path / "other")
        ROOT.with_name("new").rename(link)
        watcher.until(["GW407"])
        edit(tmp_path / "other/price.py", "amount: str", "amount: int")
        watcher.until([])
        hooks.parent.mkdir()
        hooks.write_text("infra_hooks: [", "utf-8")
        Path(".graphwright").symlink_to(hooks.parent)
        watcher.until(["GW001"])
        hooks.write_text("infra_hooks: []\n", "utf-8")
        watcher.until([])
        hooks.write_text("infra_hooks: [", "utf-8")
        watcher.until(["GW001"])
        Path(".graphwright").unlink()
        watcher.until([])


def test_the_working_directory_may_go_and_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another branch does not have it. A folder that was renamed is not the working directory any more."""
    top = Path.cwd()
    monkeypatch.chdir(ROOT)
    with Watcher("check", ".") as watcher:
        watcher.until([])
        for leaves in (lambda: shutil.rmtree(top / ROOT), lambda: (top / ROOT).rename(top / "elsewhere")):
            leaves()
            watcher.when(lambda found: "No such file" in found.get("error", ""))
            assert watcher.is_silent()
            (top / ROOT).mkdir()
            (top / PRICE).write_text(TOOL, "utf-8")
            (top / ORDER).write_text(GRAPH.replace("next: done", "next: dona"), "utf-8")
            watcher.until(["GW202"])


# --- build ----------------------------------------------------------------------------------------------------------


def test_builds_follow_edits_and_do_not_trigger_themselves() -> None:
    module = Path("generated/shop/order.py")

    def until_written(*modules: str) -> None:
        watcher.when(lambda found: names(found, "written") == list(modules))

    with Watcher("build", "--no-typecheck", "--depfile", "out.d") as watcher:
        until_written(str(module))
        assert watcher.is_silent()
        edit(ORDER, "total: 0", "total: 7")
        until_written(str(module))
        edit(PRICE, "amount: int", "amount: str")
        watcher.when(lambda found: found["stopped"] is True)
        assert module.exists()
        edit(PRICE, "amount: str", "amount: int")
        watcher.when(lambda found: not found["stopped"] and names(found, "unchanged") == [str(module)])
        write("deep/er/more", GRAPH)
        until_written("generated/deep/er/more.py")
        module.unlink()
        until_written(str(module))
        edit(module, "__all__ =", "mine = 1\n__all__ =")
        until_written(str(module))
        shutil.rmtree("generated")
        watcher.when(lambda _: graphwright("build", "--check", "--no-typecheck", "-q").code == 0)
        shutil.rmtree(".ai/tools/deep")
        watcher.when(lambda found: names(found, "removed") == ["generated/deep/er/more.py"])
        assert not Path("generated/deep").exists()
    assert graphwright("build", "--check", "--no-typecheck").code == 0


def test_templates_are_read_again() -> None:
    from graphwright.emit.templates import template_folder

    Path("graphwright.toml").write_text('templates = "layout"\n', "utf-8")
    Path("layout").mkdir()
    with Watcher("build", "--no-typecheck") as watcher:
        watcher.until([])
        shutil.copy(template_folder() / "module.j2", "layout/module.j2")
        with Path("layout/module.j2").open("a", encoding="utf-8") as template:
            template.write("# more\n")
        while "# more" not in Path("generated/shop/order.py").read_text("utf-8"):
            watcher.round()
        Path("layout/modul.j2").write_text("", "utf-8")
        watcher.when(lambda found: "nothing uses a template of this name" in found.get("error", ""))
        Path("layout/modul.j2").unlink()
        watcher.until([])


def test_an_output_that_cannot_be_written_ends_a_round_only() -> None:
    Path("generated").write_text("a file\n", "utf-8")
    with Watcher("build", "--no-typecheck") as watcher:
        assert "generated" in watcher.round()["error"]
        Path("generated").unlink()
        while not Path("generated/shop/order.py").exists():
            watcher.round()


# --- the process ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_it(number: signal.Signals, code: int) -> None:
    watcher = Watcher("check")
    watcher.round()
    while "watching" not in watcher.stderr:
        time.sleep(0.02)
    assert watcher.end(number) == code
    assert watcher.stderr == "1 graph checked, no problems found\nwatching for changes; press Ctrl-C to end\n"


def test_it_goes_on_under_nohup() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Watcher("check") as watcher:
            watcher.until([])
            watcher.process.send_signal(signal.SIGHUP)
            edit(ORDER, "next: done", "next: dona")
            watcher.until(["GW202"])
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("moment", range(6))
def test_a_signal_ends_it_at_any_moment(moment: int) -> None:
    for number in range(20):
        write(f"many/g{number}")
    watcher = Watcher("build", "--no-typecheck")
    time.sleep(0.3 * moment)
    assert watcher.end(signal.SIGTERM) in (143, -signal.SIGTERM)  # the latter before Python has set up anything
    assert "Traceback" not in watcher.stderr
    assert not list(Path().rglob("*.staged"))


def test_it_ends_with_its_reader() -> None:
    command = f"{sys.executable} -m graphwright check --watch --format json | head -n 1"
    reader = subprocess.Popen(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert reader.stdout is not None
    assert reader.stdout.readline().startswith('{"version": 1')
    deadline = time.monotonic() + PATIENCE_S
    while reader.poll() is None and time.monotonic() < deadline:
        ORDER.touch()
        edit(ORDER, "total: 0", "total: 0 ")
        time.sleep(0.3)
    assert reader.poll() == 0


@pytest.fixture
def terminal(project: Path) -> Iterator[Terminal]:
    shown = Terminal(project, 100, "--watch", command="check")
    yield shown
    shown.process.send_signal(signal.SIGINT)
    shown.process.wait(PATIENCE_S)


def test_a_terminal_shows_the_last_round(terminal: Terminal) -> None:
    terminal.until(lambda lines: any("press Ctrl-C to end" in line for line in lines))
    edit(ORDER, "next: done", "next: dona")
    terminal.until(lambda lines: any("no such node" in line for line in lines))
    edit(ORDER, "next: dona", "next: done")
    terminal.until(lambda lines: any("no problems found" in line for line in lines))
    shown = terminal.lines
    assert shown[0].endswith(".ai/tools/shop/order.yaml changed")
    assert shown[1:] == ["1 graph checked, no problems found", "watching for changes; press Ctrl-C to end"]


def test_elsewhere_lines_follow_each_other(tmp_path: Path) -> None:
    errors = tmp_path / "stderr"
    with errors.open("wb") as stream:
        process = subprocess.Popen([sys.executable, "-m", "graphwright", "check", "--watch"], stderr=stream)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while "watching" not in errors.read_text("utf-8") and time.monotonic() < deadline:
            time.sleep(0.05)
        edit(ORDER, "next: done", "next: dona")
        while "1 error" not in errors.read_text("utf-8") and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
    said = errors.read_text("utf-8")
    assert "\x1b" not in said
    first, rest = said.split("watching for changes; press Ctrl-C to end\n")
    assert first == "1 graph checked, no problems found\n"
    assert rest.splitlines()[0].endswith(".ai/tools/shop/order.yaml changed")
    assert rest.count("error[GW202]") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check", "--watch", "--fix"), "`--fix` cannot be combined with `--watch`"),
        (("check", "--watch", "--diff"), "`--diff` cannot be combined with `--watch`"),
        (("check", "--watch", "-"), "`-` cannot be combined with `--watch`"),
        (("check", "--watch", "--format", "sarif"), "`--watch` has no form in `--format sarif`"),
        (("build", "--watch", "--check"), "`--check` cannot be combined with `--watch`"),
        (("build", "--watch", "--format", "github"), "`--watch` has no form in `--format github`"),
    ],
)
def test_what_cannot_be_repeated_is_refused(words: tuple[str, ...], said: str) -> None:
    done = graphwright(*words)
    assert (done.code, said in done.stderr) == (2, True), done.stderr
