"""Python tools that a run cannot call as they are written (GW705), and what the run does with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import check_files
from runtime.test_tools import error_of, result_of

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.team.rows]
config:
  start: read
  nodes:
    read: {action: {item_id: tool:team/rows, params: {team: a, limit: 3}}, next: done}
    done: {type: return}
"""
MAPPING = "but a run passes all params as one mapping"
NONE = f"`execute` takes no positional argument, {MAPPING}"
NO_FUNCTION = "its file has no function `execute`"

#: Files, what is said of them, and the error of a run; None if it completes, although not as it is meant.
WRONG = {
    "": (NO_FUNCTION, "has no function execute"),
    "def run(params): ...": (NO_FUNCTION, "has no function execute"),
    "def exectue(params): ...": (f"{NO_FUNCTION}, only `exectue`", "has no function execute"),
    "class Tool:\n    def execute(self, params): ...": (NO_FUNCTION, "has no function execute"),
    "def execute(): ...": (NONE, "takes 0 positional arguments"),
    "async def execute(): ...": (NONE, "takes 0 positional arguments"),
    "def execute(*, team: str, limit: int): ...": (NONE, "takes 0 positional arguments"),
    "def execute(**params): ...": (NONE, "takes 0 positional arguments"),
    "def execute(params, *, limit: int): ...": (f"`execute` requires `limit`, {MAPPING}", "missing 1 required"),
    "def execute(a, b, c, d): ...": (f"`execute` requires `d`, {MAPPING}", "missing 1 required"),
    "def execute(team: str, limit: int): ...": (f"`team` is a string, {MAPPING}", None),
    "def execute(team: str): ...": (f"`team` is a string, {MAPPING}", None),
    "def execute(teams: list[str], *, context): ...": (f"`teams` is a list of strings, {MAPPING}", None),
    "def execute(params: dict, limit: int): ...": (
        "`limit` is an integer, but a run passes the path of the project there", None
    ),
    "def execute(project_path, params): ...": (
        "a run passes all params as the first argument, which `execute` calls `project_path`", None
    ),
}  # fmt: skip

CONTEXT = "from graphwright_runtime.context import Context\n"
RIGHT = [
    "def execute(params): ...",
    "def execute(params: dict, project_path: str): ...",
    "def execute(params, root): ...",
    "def execute(params, root: str, more): ...",
    "from pathlib import Path\ndef execute(params, root: Path): ...",
    "def execute(params, limit: int | str = 3, *, order: str = ''): ...",
    "def execute(params: dict | None = None): ...",
    "def execute(*everything): ...",
    "def execute(*everything: str): ...",
    "def execute(params, **options): ...",
    "from typing import TypedDict\nclass P(TypedDict):\n    team: str\ndef execute(params: P, *, context): ...",
    "from unknown import P\ndef execute(params: P): ...",
    "from team_api import execute",
    "from team_api import *",
    "import team_api\nexecute = team_api.execute",
    "execute = lambda params: {}",
    "try:\n    from fast import execute\nexcept ImportError:\n    def execute(params): ...",
    "with open('x') as f:\n    def execute(params): ...",
    "globals()['execute'] = print",
    "def __getattr__(name): ...",
    "def start():\n    global execute\n    execute = print\nstart()",
    "def execute(context: dict): ...",
    "from graphwright_runtime.context import Context as Ctx\ndef execute(params, *, c: Ctx): ...",
    "from graphwright_runtime.context import Context\nCtx = Context\ndef execute(params, *, c: Ctx): ...",
    f"{CONTEXT}from typing import Annotated\ndef execute(params, *, c: Annotated[Context, 'x']): ...",
    f"{CONTEXT}from typing import Union\ndef execute(params, *, c: Union[None, Context]): ...",
    "from collections.abc import Collection\ndef execute(names: Collection[str]): ...",
    "import typing\ndef execute(names: typing.Iterable[str]): ...",
    "import typing\nif typing.TYPE_CHECKING:\n    def execute(x: int, y: int): ...\nelse:\n    execute = print",
    "import sys\nif sys.version_info < (3, 8):\n    def execute(x: int): ...\nelse:\n    def execute(params): ...",
    "from wrappers import spread\n@spread\ndef execute(team: str, limit: int): ...",
]


def said(code: str) -> list[str]:
    """What GW705 says of a tool with this code."""
    files = {".ai/tools/team/rows.py": f"{code}\n", ".ai/tools/team/g.yaml": GRAPH}
    return [each.message for each in check_files(files, ".ai") if each.code == "GW705"]


@pytest.mark.parametrize("code", WRONG)
def test_a_tool_that_a_run_cannot_call_as_it_is_written(code: str, tmp_path: Path) -> None:
    message, error = WRONG[code]
    assert said(code) == [f"tool `team/rows`: {message}"]
    file = tmp_path / ".ai/tools/team/rows.py"
    file.parent.mkdir(parents=True)
    file.write_text(f"{code}\n", "utf-8")
    if error is None:
        result_of("team/rows", {"team": "a", "limit": 3}, project=tmp_path)
    else:
        assert error in error_of("team/rows", {"team": "a", "limit": 3}, project=tmp_path)


@pytest.mark.parametrize("code", RIGHT)
def test_a_tool_that_a_run_may_call(code: str) -> None:
    assert said(code) == []


def test_the_advice() -> None:
    files = {".ai/tools/team/rows.py": "def execute(team: str): ...\n", ".ai/tools/team/g.yaml": GRAPH}
    found = [each for each in check_files(files, ".ai") if each.code == "GW705"]
    assert found[0].help == (
        "write `def execute(params, project_path)` in `.ai/tools/team/rows.py`, with all params in `params`"
    )
