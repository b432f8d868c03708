"""What the documents say can be typed: links, commands, options, codes, configuration, Python."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.cli import COMMANDS
from graphwright.cli.contracts import ACTIONS
from graphwright.project.config import find_config
from graphwright.rules.catalogue import catalogue

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md"))]
PAGES += sorted(ROOT.glob("examples/*/README.md"))

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    targets = [target for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@every_page
def test_commands_and_their_options_exist(page: Path) -> None:
    for command, rest in re.findall(
        r"(?:`|^\$ |^)graphwright ([a-z]+)([^`\n]*)", page.read_text("utf-8"), re.MULTILINE
    ):
        assert command in COMMANDS
        help_page = graphwright(command, "--help").stdout
        action = re.match(r" ([a-z][a-z-]*)", rest)
        if action and f"graphwright {command} ACTION [arguments]" in help_page:
            assert re.search(rf"^  {action[1]} ", help_page, re.MULTILINE), f"graphwright {command} {action[1]}"
            help_page = graphwright(command, action[1], "--help").stdout
        elif action and command == "contracts" and action[1] in ACTIONS:
            help_page = graphwright(command, action[1], "--help").stdout
        for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", rest.partition(" -- ")[0]):
            assert option in help_page, f"graphwright {command} {option}"


@every_page
def test_codes_exist(page: Path) -> None:
    known = {rule.code for rule in catalogue().values()}
    assert set(re.findall(r"GW\d{3}", page.read_text("utf-8"))) <= known


@every_page
def test_configuration_is_accepted(page: Path, tmp_path: Path) -> None:
    for number, text in enumerate(blocks(page, "toml")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "pyproject.toml").write_text(text, "utf-8")
        assert find_config(folder) is not None or "tool.graphwright" not in text


@every_page
def test_python_is_python(page: Path) -> None:
    for text in blocks(page, "python"):
        compile(text, page.name, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
