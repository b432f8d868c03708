"""A user without a home, or with one that may not be entered: graphs are looked at all the same."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cli.samples import CLEAN
from commands import graphwright
from graphwright.checking.cache import cache_folder
from graphwright.presence import home, is_file, is_folder, is_there


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "GRAPHWRIGHT_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    Path("clean.yaml").write_text(CLEAN, "utf-8")
    return tmp_path


@pytest.fixture
def closed(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder that may not be entered, whoever runs the tests."""
    folder = here / "closed"
    folder.mkdir()
    status = os.stat

    def refusing(path: Any, *arguments: Any, **options: Any) -> os.stat_result:
        if isinstance(path, (str, Path)) and folder in Path(path).parents:
            raise PermissionError(13, "Permission denied", str(path))
        return status(path, *arguments, **options)

    monkeypatch.setattr(os, "stat", refusing)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def test_what_may_not_be_looked_at_is_not_there(closed: Path) -> None:
    for asks in (is_file, is_folder, is_there):
        assert not asks(closed / "inside")
    assert home() == closed


@pytest.mark.parametrize(
    "command",
    ["check clean.yaml", "validate clean.yaml", "graph clean.yaml", "doctor", "build --no-sign --no-typecheck"],
)
def test_commands_in_spite_of_a_closed_home(command: str, closed: Path) -> None:
    assert "internal error" not in (outcome := graphwright(*command.split())).stderr
    assert outcome.code == 0, outcome.stderr


@pytest.mark.parametrize("command", ["check clean.yaml", "doctor", "build --no-sign --no-typecheck"])
def test_commands_without_any_home(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert cache_folder({}) is None
    outcome = graphwright(*command.split())
    assert outcome.code == 0, outcome.stderr


def test_a_folder_that_is_gone_is_said_so(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> str:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(os, "getcwd", gone)
    outcome = graphwright("check", "clean.yaml")
    assert (outcome.code, outcome.stderr) == (
        2,
        "graphwright: the current directory does not exist any more, or is not accessible\n",
    )


@pytest.mark.parametrize("command", [("check", ""), ("build", ""), ("run", ""), ("run", "clean.yaml", "--project", "")])
def test_an_empty_argument_is_wrong_usage(command: tuple[str, ...]) -> None:
    outcome = graphwright(*command)
    assert (outcome.code, outcome.stderr) == (
        2,
        "graphwright: an argument is empty; is a shell variable unset?\n",
    )


def test_templates_that_are_not_there_are_said_so() -> None:
    Path("graphwright.toml").write_text('templates = "nope"\n')
    outcome = graphwright("build", "--no-sign", "--no-typecheck")
    assert outcome.code == 2
    assert "`templates`: the folder" in outcome.stderr


def test_a_configuration_that_nests_too_deep_is_said_so() -> None:
    Path("graphwright.toml").write_text("x = " + "[" * 100_000)
    outcome = graphwright("check", "clean.yaml")
    assert outcome.code == 2
    assert outcome.stderr.count("\n") == 1


def test_an_unknown_code_is_noticed_in_spite_of_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", ".cache")
    assert graphwright("check", "clean.yaml").code == 0
    Path("graphwright.toml").write_text('[per-file-rules]\n"*.yaml" = {GW999 = "off"}\n')
    assert graphwright("check", "clean.yaml").code == 2
