"""Builds: what is written, what is left alone, what is taken out, what stops everything."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from commands import graphwright
from graphwright.building import publish
from graphwright.building.builder import Built, build
from graphwright.checking.cache import Cache
from graphwright.emit.errors import BuildError
from graphwright.emit.python import PythonBackend
from graphwright.emit.typecheck import type_errors

GRAPH = """\
version: "1.0.0"
tool_type: graph
description: NAME
permissions: [rye.execute.tool.a.*]
config:
  start: work
  nodes:
    work: {action: {item_id: a/b}, next: done}
    done: {type: return}
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two graphs; its folder is the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    (tmp_path / "graphwright.toml").write_text('roots = ["graphs"]\n', "utf-8")
    write("graphs/one.yaml")
    write("graphs/deep/er/two.yaml")
    return tmp_path


def write(path: str, text: str = GRAPH) -> None:
    """A graph, by default a good one."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.replace("NAME", file.stem), "utf-8")


def built(*paths: str, remember: bool = True, drift: bool = False) -> Built:
    """A build without the type checker."""
    cache = Cache(Path(".cache"), "test") if remember else None
    return build(paths or ("graphs",), typecheck=False, cache=cache, drift=drift)


def names(files: tuple[Path, ...]) -> list[str]:
    """The files, from the output folder."""
    return [file.relative_to(Path("generated").resolve()).as_posix() for file in files]


def codes(result: Built) -> list[str]:
    """The codes of the errors."""
    return [each.code for each in result.diagnostics if each.severity.value == "error"]


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The output folder can be imported as a package."""
    monkeypatch.syspath_prepend(".")
    yield
    for name in [each for each in sys.modules if each.split(".")[0] == "generated"]:
        del sys.modules[name]


@pytest.mark.usefixtures("importable")
def test_the_output_is_an_importable_typed_package() -> None:
    assert names(built().written) == ["deep/er/two.py", "one.py"]
    found = sorted(file.relative_to("generated").as_posix() for file in Path("generated").rglob("*") if file.is_file())
    inits = ["__init__.py", "deep/__init__.py", "deep/er/__init__.py"]
    assert found == sorted([*inits, "deep/er/two.py", "graphwright.modules", "one.py", "py.typed"])
    module = importlib.import_module("generated.deep.er.two")
    assert module.GRAPH_ID == "deep/er/two"
    assert module.run_sync({}, tools={"a/b": lambda params: {}}).status == "completed"


@pytest.mark.parametrize("remember", [True, False])
def test_what_is_unchanged_is_not_written_again(remember: bool) -> None:
    built(remember=remember)
    before = Path("generated/one.py").stat().st_mtime_ns
    again = built(remember=remember)
    assert (again.written, len(again.unchanged)) == ((), 2)
    assert Path("generated/one.py").stat().st_mtime_ns == before


def test_one_changed_graph_rebuilds_one_module() -> None:
    built()
    write("graphs/one.yaml", GRAPH + "    more: {type: return}\n")
    assert names(built().written) == ["one.py"]


def test_an_edited_or_deleted_module_is_written_again() -> None:
    built()
    text = Path("generated/one.py").read_text("utf-8")
    Path("generated/one.py").write_text(text.replace('"done"', '"other"'), "utf-8")
    Path("generated/deep/er/two.py").unlink()
    assert [each.code for each in built(drift=True).diagnostics if each.code.startswith("GW8")] == ["GW802", "GW802"]
    assert names(built().written) == ["deep/er/two.py", "one.py"]
    assert Path("generated/one.py").read_text("utf-8") == text


def test_nothing_is_written_while_one_graph_has_an_error() -> None:
    write("graphs/bad.yaml", GRAPH.replace("next: done", "next: dona"))
    assert codes(built()) == ["GW202"]
    assert not Path("generated").exists()


@pytest.mark.parametrize(
    "name", ["x\nraise SystemExit\n#", "x\rraise SystemExit\r#", "x\x0craise SystemExit", 'x"""', "\u202ex", "x\u2028y"]
)
@pytest.mark.usefixtures("importable")
def test_the_name_of_a_file_does_not_become_code(name: str) -> None:
    write(f"graphs/{name}.yaml", GRAPH.replace("NAME", "named"))
    (module,) = [file for file in built().written if file.stem not in ("one", "two")]
    assert name == importlib.import_module(f"generated.{module.stem}").GRAPH_ID
    assert "raise SystemExit" not in [line.strip() for line in module.read_text("utf-8").splitlines()]
    assert codes(built(drift=True, remember=False)) == []


def test_a_name_that_is_no_text_is_said_in_a_line() -> None:
    name = os.fsdecode(b"graphs/\xff.yaml")
    Path(name).write_text(GRAPH, "utf-8")
    with pytest.raises(BuildError, match="its name is not valid UTF-8"):
        built()
    done = graphwright("run", name)
    assert (done.code, done.stderr.count("its name is not valid UTF-8")) == (2, 1)


def test_two_graphs_for_one_module_write_neither() -> None:
    write("graphs/Daily-Report.yaml")
    write("graphs/daily_report.yaml")
    assert codes(built()) == ["GW007"]
    assert not Path("generated").exists()


def test_graphs_of_two_projects_for_one_module_write_neither() -> None:
    """Each project alone has no two of them; the output that they are given in common has."""
    for project in ("a", "b"):
        write(f"{project}/graphs/one.yaml")
        Path(project, "graphwright.toml").write_text('roots = ["graphs"]\n', "utf-8")
    with pytest.raises(
        BuildError, match=r"b/graphs/one\.yaml and a/graphs/one\.yaml would both compile to out/one\.py"
    ):
        build(["a", "b"], output="out", typecheck=False)
    assert not Path("out").exists()
    Path("b/graphs/one.yaml").rename("b/graphs/other.yaml")
    assert len(build(["a", "b"], output="out", typecheck=False).written) == 2


def test_modules_of_removed_graphs_go_with_their_packages() -> None:
    built()
    Path("graphs/deep/er/two.yaml").unlink()
    assert [(each.code, each.span.path) for each in built(drift=True).diagnostics if each.code == "GW803"] == [
        ("GW803", "generated/deep/er/two.py")
    ]
    assert names(built().removed) == ["deep/er/two.py"]
    assert not Path("generated/deep").exists()


@pytest.mark.parametrize("change", ["exclude", "ignore", "rewrite", "move"])
def test_modules_of_files_that_are_not_built_any_more_go(change: str) -> None:
    built()
    match change:
        case "exclude":
            Path("graphwright.toml").write_text('exclude = ["deep/"]\n', "utf-8")
        case "ignore":
            Path(".git").mkdir()
            Path(".gitignore").write_text("deep/\n", "utf-8")
        case "rewrite":
            Path("graphs/deep/er/two.yaml").write_text("settings: {}\n", "utf-8")
        case _:
            Path("graphs/deep/graphwright.toml").write_text("", "utf-8")
    assert [(each.code, each.span.path) for each in built(drift=True).diagnostics if each.code == "GW803"] == [
        ("GW803", "generated/deep/er/two.py")
    ]
    assert names(built().removed) == ["deep/er/two.py"]
    assert not any(each.code == "GW803" for each in built(drift=True).diagnostics)


def test_a_build_of_one_graph_leaves_the_others_alone() -> None:
    built()
    Path("graphs/deep/er/two.yaml").unlink()
    assert built("graphs/one.yaml").removed == ()
    assert Path("generated/deep/er/two.py").exists()


def test_modules_of_a_source_root_that_is_gone_go() -> None:
    Path("graphwright.toml").write_text('roots = ["graphs", "more"]\n', "utf-8")
    write("more/three.yaml")
    built("graphs", "more")
    write("drafts/four.yaml")
    built("drafts/four.yaml")
    Path("more").rename("others")
    assert built("graphs/one.yaml").removed == ()
    assert names(built("graphs").removed) == ["three.py"]
    assert Path("generated/four.py").exists()  # its graph exists
    Path("graphs").rename("flows")
    Path("flows/one.yaml").rename("flows/first.yaml")
    Path("graphwright.toml").write_text('roots = ["flows"]\n', "utf-8")
    assert [(each.code, each.span.path) for each in built("flows", drift=True).diagnostics if each.code == "GW803"] == [
        ("GW803", "generated/one.py")
    ]
    assert names(built("flows").removed) == ["one.py"]


def test_a_shared_output_keeps_modules_of_other_projects() -> None:
    for name in ("a", "b"):
        Path(name).mkdir()
        Path(f"{name}/graphwright.toml").write_text(f'roots = ["{name}-graphs"]\noutput = "../generated"\n', "utf-8")
        write(f"{name}/{name}-graphs/{name}.yaml")
        assert built(f"{name}/{name}-graphs").removed == ()
    assert {file.name for file in Path("generated").glob("?.py")} == {"a.py", "b.py"}


def test_files_of_others_stay() -> None:
    built()
    Path("generated/deep/er/notes.txt").write_text("mine", "utf-8")
    Path("generated/mine.py").write_text("x = 1\n", "utf-8")
    Path("graphs/deep/er/two.yaml").unlink()
    built()
    assert Path("generated/deep/er/notes.txt").exists()
    assert Path("generated/mine.py").exists()
    write("graphs/mine.yaml")
    with pytest.raises(BuildError, match=r"mine\.py was not generated by graphwright"):
        built()
    assert Path("generated/mine.py").read_text("utf-8") == "x = 1\n"


def test_another_version_is_a_warning_of_its_own() -> None:
    built()
    for file in Path("generated").rglob("*.py"):
        file.write_text(file.read_text("utf-8").replace("by graphwright 0.1.0", "by graphwright 0.0.9"), "utf-8")
    assert [each.code for each in built(drift=True).diagnostics if each.code.startswith("GW8")] == ["GW805", "GW805"]


def test_a_fault_of_our_own_names_the_graph_and_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr(PythonBackend, "draft", broken)
    result = built()
    assert [(each.code, each.span.path) for each in result.diagnostics if each.code == "GW901"] == [
        ("GW901", "graphs/deep/er/two.yaml"),
        ("GW901", "graphs/one.yaml"),
    ]
    assert not Path("generated").exists()


def test_an_output_that_cannot_be_written_is_said_in_a_line() -> None:
    Path("generated").write_text("a file", "utf-8")
    with pytest.raises(BuildError, match="generated"):
        built()


def test_builds_at_once_do_no_harm(project: Path) -> None:
    for number in range(6):
        write(f"graphs/more/g{number}.yaml")
    context = multiprocessing.get_context("spawn")
    builders = [context.Process(target=build_here, args=(str(project),)) for _ in range(3)]
    for each in builders:
        each.start()
    for each in builders:
        each.join(60)
        assert each.exitcode == 0
    assert codes(built(drift=True, remember=False)) == []
    assert not list(Path("generated").rglob(".*"))


def test_what_a_killed_build_left_is_removed(project: Path) -> None:
    for number in range(10):
        write(f"graphs/more/g{number}.yaml")
    builder = multiprocessing.get_context("spawn").Process(target=build_killed, args=(str(project), 7))
    builder.start()
    builder.join(60)
    assert builder.exitcode == -signal.SIGKILL
    assert len(list(Path("generated").rglob(".*.staged"))) == 7
    assert not list(Path("generated").rglob("*.py")), "all or nothing"
    built(remember=False)
    assert not list(Path("generated").rglob(".*"))
    assert codes(built(drift=True, remember=False)) == []


def build_killed(folder: str, files: int) -> None:
    """A build that is killed once it has staged a number of files."""
    os.chdir(folder)
    stage, left = publish._staged, iter(range(files))

    def staged(file: Path, data: bytes) -> Path:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        return stage(file, data)

    with mock.patch.object(publish, "_staged", staged):
        build(["graphs"], typecheck=False)


def build_here(folder: str) -> None:
    """A build in a process of its own."""
    command = "from graphwright.building.builder import build; assert not build(['graphs'], typecheck=False).failed"
    subprocess.run([sys.executable, "-c", command], cwd=folder, check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_a_change_of_a_called_graph_is_noticed() -> None:
    write("graphs/caller.yaml", GRAPH.replace("a/b", "one").replace("tool.a.*", "tool.*"))
    built()
    env = GRAPH.replace("config:", "env_requires: [SOME_TOKEN]\nconfig:")
    write("graphs/one.yaml", env)
    assert names(built().written) == ["caller.py", "one.py"]
    assert '"SOME_TOKEN"' in Path("generated/caller.py").read_text("utf-8")


@pytest.mark.slow
def test_the_type_gate(project: Path) -> None:
    first = build(["graphs"], cache=Cache(Path(".cache"), "test"))
    assert (codes(first), len(first.written)) == ([], 2)
    texts = {path.relative_to("generated"): path.read_text("utf-8") for path in Path("generated").rglob("*.py")}
    broken = {path: text.replace('return "done"', 'return "dona"') for path, text in texts.items()}
    from pathlib import PurePosixPath

    wrong = {PurePosixPath(path.as_posix()): text for path, text in broken.items() if path.name != "__init__.py"}
    errors = type_errors(wrong, package="generated", cache=project / ".mypy")
    assert len(errors) == 2
    assert all("Incompatible return value type" in error.text for error in errors)
