"""What tool files may import, and what is said of tools that are missing or broken."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from runtime.test_tools import error_of, result_of, write

CALLS = "\n\ndef execute(params):\n    return {'said': said()}\n"


def project_in(folder: Path, files: Mapping[str, str]) -> Path:
    """A project with these files; a name without a slash is that of a tool."""
    for name, text in files.items():
        write(folder / (name if "/" in name else f".ai/tools/{name}.py"), text)
    return folder


def said_by(item_id: str, project: Path) -> object:
    before = list(sys.path)
    found = result_of(item_id, project=project)
    assert sys.path == before
    assert not list(project.rglob("__pycache__"))
    return found["said"]


@pytest.mark.parametrize(
    "statement", ["from tidy import said", "import tidy\nsaid = tidy.said", "from .tidy import said"]
)
def test_a_file_next_to_the_tool(statement: str, tmp_path: Path) -> None:
    tidy = "def said():\n    return 'tidy'\n"
    project_in(tmp_path, {".ai/tools/text/tidy.py": tidy, ".ai/tools/text/words.py": statement + CALLS})
    assert said_by("text/words", tmp_path) == "tidy"


@pytest.mark.parametrize("layout", ["src", "."])
@pytest.mark.parametrize(
    "statement",
    [
        "from acme_shop.prices import said",
        "import acme_shop.prices\nsaid = acme_shop.prices.said",
        "import acme_shop.prices as p\nsaid = p.said",
        "from acme_shop import prices\nsaid = prices.said",
    ],
)
def test_the_package_of_the_project(layout: str, statement: str, tmp_path: Path) -> None:
    prices = (
        "from acme_shop import rates\nfrom .rates import VAT\nimport acme_units\n"
        "def said():\n    return [VAT, rates.VAT, acme_units.EURO]\n"
    )
    files = {
        f"{layout}/acme_shop/__init__.py": "",
        f"{layout}/acme_shop/prices.py": prices,
        f"{layout}/acme_shop/rates.py": "VAT = 19\n",
        f"{layout}/acme_units.py": "EURO = 'EUR'\n",
        "price": statement + CALLS,
    }
    project_in(tmp_path, files)
    assert said_by("price", tmp_path) == [19, 19, "EUR"]
    assert "acme_shop" not in sys.modules


def test_an_import_inside_a_function_and_a_shared_module(tmp_path: Path) -> None:
    count = "    counting.total += 1\n    return {'said': counting.total}\n"
    files = {
        "counting": "total = 0\n",
        ".ai/tools/a/one.py": f"def execute(params):\n    import counting\n{count}",
        "two": f"import counting\ndef execute(params):\n{count}",
    }
    project_in(tmp_path, files)
    assert said_by("a/one", tmp_path) == 1
    assert said_by("two", tmp_path) == 2


def test_projects_do_not_see_each_others_modules(tmp_path: Path) -> None:
    for name in ("blue", "red"):
        shade = f"def said():\n    return '{name}'\n"
        project_in(tmp_path / name, {"color": "from shade import said" + CALLS, "shade": shade})
    assert said_by("color", tmp_path / "blue") == "blue"
    assert said_by("color", tmp_path / "red") == "red"


def test_what_python_finds_by_itself_comes_first(tmp_path: Path) -> None:
    own = "def execute(params):\n    return {}\n"
    reads = "from json import loads\ndef execute(params):\n    return {'said': loads('1')}\n"
    project_in(tmp_path, {"json": own, "reads": reads})
    assert said_by("reads", tmp_path) == 1


def test_a_module_that_nobody_has(tmp_path: Path) -> None:
    project_in(tmp_path, {"x": "\nimport no_such_module\n" + CALLS})
    file = tmp_path / ".ai/tools/x.py"
    expected = f"{file} cannot be loaded: ModuleNotFoundError: No module named 'no_such_module' (line 2)"
    assert error_of("x", project=tmp_path) == expected


def test_a_neighbor_that_fails(tmp_path: Path) -> None:
    project_in(tmp_path, {"x": "import broken" + CALLS, "broken": "1 / 0\n"})
    file = tmp_path / ".ai/tools/x.py"
    assert error_of("x", project=tmp_path) == f"{file} cannot be loaded: ZeroDivisionError: division by zero (line 1)"


def test_a_missing_tool_says_which_file_to_create(tmp_path: Path) -> None:
    error = error_of("team/fetch", project=tmp_path)
    assert error.startswith("no tool `team/fetch`: ")
    assert f"create {tmp_path}/.ai/tools/team/fetch.py with `def execute(params, project_path)`" in error
    assert f"not in {tmp_path}/.ai/tools (`project` names another project)," in error


def test_a_program_without_permission_to_run_says_so(tmp_path: Path) -> None:
    file = write(tmp_path / ".ai/tools/x.sh", "#!/bin/sh\n")
    assert error_of("x", project=tmp_path) == f"no tool `x`: {file} is not executable (chmod +x)"
