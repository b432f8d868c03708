"""Files, roots and ids: what is found, and what it is called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from graphwright.project.config import ConfigError
from graphwright.project.discover import find_files
from graphwright.project.projects import Projects


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def grown(*names: str) -> None:
    """Empty files of these names below the working directory."""
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def found(*paths: str) -> list[str]:
    return [each.shown for each in find_files(paths, Projects())]


def ids(*paths: str) -> dict[str, str]:
    projects = Projects()
    return {each.shown: projects.source_file(each.file, each.given).graph_id for each in find_files(paths, projects)}


def test_folders_are_searched_and_names_are_taken() -> None:
    grown("a/x.yaml", "a/b/y.yml", "a/notes.txt", "a/.ai/tools/z.yaml", "b.yaml", "c.txt")
    assert found("a", "c.txt", "b.yaml") == ["a/.ai/tools/z.yaml", "a/b/y.yml", "a/x.yaml", "b.yaml", "c.txt"]
    assert found(".") == ["a/.ai/tools/z.yaml", "a/b/y.yml", "a/x.yaml", "b.yaml"]


def test_a_file_is_found_once_however_it_is_named(here: Path) -> None:
    grown("a/x.yaml")
    assert found("a", "a/x.yaml", "./a/../a/x.yaml", str(here / "a")) == ["a/x.yaml"]


def test_odd_names() -> None:
    names = ["with space.yaml", "-dash.yaml", "naïve.yaml", "数据.yaml", "tab\there.yaml"]
    grown(*names)
    assert sorted(found(".")) == sorted(names)


def test_what_version_control_ignores_is_left_out() -> None:
    grown("g/keep.yaml", "g/out/a.yaml", "g/x.tmp.yaml", "g/in/x.tmp.yaml", "node_modules/m.yaml", ".git/config.yaml")
    Path(".gitignore").write_text("out/\n*.tmp.yaml\n[\n", "utf-8")
    Path("g/in/.gitignore").write_text("!x.tmp.yaml\n", "utf-8")
    assert found(".") == ["g/in/x.tmp.yaml", "g/keep.yaml"]
    assert found("g") == ["g/in/x.tmp.yaml", "g/keep.yaml"]


def test_what_is_named_is_looked_at_even_when_it_is_ignored() -> None:
    grown("out/a.yaml", ".git/HEAD")
    Path(".gitignore").write_text("out/\n", "utf-8")
    assert found("out/a.yaml") == ["out/a.yaml"]
    assert found("out") == ["out/a.yaml"]


def test_the_configuration_excludes_too() -> None:
    grown("old/a.yaml", "new/a.yaml", "new/old/b.yaml")
    Path("graphwright.toml").write_text('exclude = ["/old", "!new/old/b.yaml"]\n', "utf-8")
    assert found(".") == ["new/a.yaml", "new/old/b.yaml"]
    Path("graphwright.toml").write_text('exclude = ["!"]\n', "utf-8")
    with pytest.raises(ConfigError, match="invalid pattern"):
        found(".")


def test_what_cannot_be_read_says_why(here: Path) -> None:
    os.mkfifo("pipe.yaml")
    problems = {each.shown: each.problem for each in find_files(["gone.yaml", "pipe.yaml", "\0"], Projects())}
    assert {name: problem.reason for name, problem in problems.items() if problem} == {
        "gone.yaml": "missing", "pipe.yaml": "other", "\0": "other",
    }  # fmt: skip
    assert {each.shown: each.problem and each.problem.reason for each in find_files(["."], Projects())} == {
        "pipe.yaml": "other"
    }  # a file called like a graph that is silently left out would pass for one that was checked


def test_a_folder_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    grown("closed/a.yaml", "open/b.yaml")

    def scandir(folder: Path) -> Iterator[os.DirEntry[str]]:
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        return real(folder)

    real = os.scandir
    monkeypatch.setattr("graphwright.project.discover.os.scandir", scandir)
    problems = {each.shown: each.problem and each.problem.reason for each in find_files(["."], Projects())}
    assert problems == {"closed": "permission", "open/b.yaml": None}


def test_ids_count_from_the_nearest_ai_tools() -> None:
    grown(".ai/tools/etl/process-sales.yaml", "sub/.ai/tools/a.yaml")
    assert ids(".") == {".ai/tools/etl/process-sales.yaml": "etl/process-sales", "sub/.ai/tools/a.yaml": "a"}


def test_ids_count_from_configured_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    grown("graphs/a.yaml", "graphs/team/b.yaml", "else/c.yaml")
    Path("graphwright.toml").write_text('roots = ["graphs", "graphs/team"]\n', "utf-8")
    expected = {"graphs/a.yaml": "a", "graphs/team/b.yaml": "b", "else/c.yaml": "else/c"}
    assert ids(".") == expected
    monkeypatch.chdir("graphs/team")
    assert ids("b.yaml", "../a.yaml") == {"b.yaml": "b", "../a.yaml": "a"}


def test_else_ids_count_from_the_folder_given() -> None:
    grown("graphs/team/b.yaml", "graphs/a.yaml")
    assert ids("graphs") == {"graphs/a.yaml": "a", "graphs/team/b.yaml": "team/b"}
    assert ids("graphs/a.yaml", "graphs/team/b.yaml") == ids("graphs")
    assert ids("graphs/team/b.yaml") == {"graphs/team/b.yaml": "b"}


@pytest.mark.parametrize("paths", [["."], ["graphs"], ["graphs/a.yaml"]])
def test_sources_are_named_from_the_project(here: Path, paths: Iterable[str], monkeypatch: pytest.MonkeyPatch) -> None:
    grown("graphs/a.yaml", "pyproject.toml")
    Path("pyproject.toml").write_text("[tool.graphwright]\n", "utf-8")
    monkeypatch.chdir(here)
    projects = Projects()
    places = [projects.source_file(each.file, each.given) for each in find_files(list(paths), projects)]
    assert [source_file.source for source_file in places] == ["graphs/a.yaml"]
    assert places[0].project.output == here / "generated"


def test_without_any_project_output_goes_to_where_the_command_runs(here: Path) -> None:
    grown("graphs/a.yaml")
    (only,) = find_files(["graphs"], Projects())
    assert Projects().source_file(only.file, only.given).project.output == here / "generated"


def test_links_that_lead_nowhere_or_in_a_circle_are_passed_over() -> None:
    grown("here.yaml")
    for link, target in (("one.yaml", "two.yaml"), ("two.yaml", "one.yaml"), ("gone.yaml", "missing.yaml")):
        Path(link).symlink_to(target)
    assert found(".") == ["here.yaml"]
