"""GW705: manifests and schemas that contradict the type hints of the tool, and contracts that cannot be read."""

from __future__ import annotations

import pytest

from checking import check_files, only
from contracts.test_python_tools import graph

IMPORTS = (
    "from dataclasses import dataclass\nfrom typing import Any, Literal, NotRequired, Optional, TypedDict\n"
    "from elsewhere import Base\nclass Page(TypedDict, total=False):\n    size: int\n"
)

#: What is declared, the code, and what is said of them: None where nothing is.
CASES: dict[str, tuple[str, str, str | None]] = {
    "the same": (
        "params: {type: object, properties: {team: {type: string}, limit: {type: integer}}, required: [team]}",
        "class P(TypedDict):\n    team: str\n    limit: NotRequired[int]\ndef execute(params: P): ...",
        None,
    ),
    "a misspelled param": (
        "params: {type: object, properties: {taem: {type: string}}}",
        "class P(TypedDict, total=False):\n    team: str\ndef execute(params: P): ...",
        "`contracts/team/fetch.yaml` has param `taem`, which `.ai/tools/team/fetch.py` does not have",
    ),
    "a misspelled param that is required": (
        "params: {type: object, properties: {taem: {type: string}}, required: [taem]}",
        "class P(TypedDict):\n    team: str\ndef execute(params: P): ...",
        "`contracts/team/fetch.yaml` has param `taem`, which `.ai/tools/team/fetch.py` does not have",
    ),
    "a param that only the code requires": (
        "params: {type: object, properties: {limit: {type: integer}}}",
        "class P(TypedDict):\n    team: str\n    limit: NotRequired[int]\ndef execute(params: P): ...",
        "`.ai/tools/team/fetch.py` requires param `team`, which `contracts/team/fetch.yaml` does not have",
    ),
    "an optional param that the code requires": (
        "params: {type: object, properties: {team: {type: string}}}",
        "@dataclass\nclass P:\n    team: str\ndef execute(params: P): ...",
        "`.ai/tools/team/fetch.py` requires param `team`, which is optional in `contracts/team/fetch.yaml`",
    ),
    "another type": (
        "params: {type: object, properties: {team: {type: integer}}}",
        "class P(TypedDict, total=False):\n    team: str\ndef execute(params: P): ...",
        "param `team` is an integer in `contracts/team/fetch.yaml`, but a string in `.ai/tools/team/fetch.py`",
    ),
    "a string that pydantic converts to an integer": (
        "params: {type: object, properties: {limit: {type: string}}}",
        "import pydantic\nclass P(pydantic.BaseModel):\n    limit: int = 1\ndef execute(params: P): ...",
        None,
    ),
    "a number for an integer": (
        "params: {type: object, properties: {limit: {type: number}}}",
        "class P(TypedDict, total=False):\n    limit: int\ndef execute(params: P): ...",
        "param `limit` is a number in",
    ),
    "an integer for a number": (
        "params: {type: object, properties: {limit: {type: integer}}}",
        "class P(TypedDict, total=False):\n    limit: float\ndef execute(params: P): ...",
        None,
    ),
    "a null, which is never passed": (
        "params: {type: object, properties: {team: {type: [string, 'null']}}}",
        "class P(TypedDict, total=False):\n    team: str\ndef execute(params: P): ...",
        None,
    ),
    "another constant": (
        "params: {type: object, properties: {order: {enum: [new, old]}}}",
        "class P(TypedDict, total=False):\n    order: Literal['new', 'last']\ndef execute(params: P): ...",
        'param `order` is "new" or "old" in `contracts/team/fetch.yaml`, but "last" or "new" in',
    ),
    "fewer constants": (
        "params: {type: object, properties: {order: {enum: [new]}}}",
        "class P(TypedDict, total=False):\n    order: Literal['new', 'last']\ndef execute(params: P): ...",
        None,
    ),
    "a string for constants, which is left open": (
        "params: {type: object, properties: {order: {type: string}}}",
        "class P(TypedDict, total=False):\n    order: Literal['new', 'last']\ndef execute(params: P): ...",
        None,
    ),
    "items of another type": (
        "params: {type: object, properties: {ids: {type: array, items: {type: string}}}}",
        "class P(TypedDict, total=False):\n    ids: list[int]\ndef execute(params: P): ...",
        "param `ids.…` is a string in",
    ),
    "items that are left open": (
        "params: {type: object, properties: {ids: {type: array}}}",
        "class P(TypedDict, total=False):\n    ids: list[int]\ndef execute(params: P): ...",
        None,
    ),
    "a key of a nested mapping": (
        "params: {type: object, properties: {page: {type: object, properties: {nr: {}}}}}",
        "class P(TypedDict, total=False):\n    page: Page\ndef execute(params: P): ...",
        "`contracts/team/fetch.yaml` has param `page.nr`",
    ),
    "a field that the code does not return": (
        "result: {type: object, properties: {rows: {type: array}, totl: {type: integer}}}",
        "class R(TypedDict):\n    rows: list[str]\n    total: int\ndef execute(params) -> R: ...",
        "`contracts/team/fetch.yaml` has field `totl`, which `.ai/tools/team/fetch.py` does not have",
    ),
    "a field that is not listed": (
        "result: {type: object, properties: {rows: {type: array}}}",
        "class R(TypedDict):\n    rows: list[str]\n    total: int\ndef execute(params) -> R: ...",
        None,
    ),
    "a field that is forbidden": (
        "result: {type: object, properties: {rows: {type: array}}, additionalProperties: false}",
        "class R(TypedDict):\n    rows: list[str]\n    total: int\ndef execute(params) -> R: ...",
        "`.ai/tools/team/fetch.py` has field `total`, which `contracts/team/fetch.yaml` does not have",
    ),
    "a promise that is not kept": (
        "result: {type: object, properties: {rows: {type: array}}, required: [rows]}",
        "class R(TypedDict, total=False):\n    rows: list[str]\ndef execute(params) -> R: ...",
        "`contracts/team/fetch.yaml` promises field `rows`, which is optional in `.ai/tools/team/fetch.py`",
    ),
    "a null that is not announced": (
        "result: {type: object, properties: {title: {type: string}}}",
        "class R(TypedDict):\n    title: str | None\ndef execute(params) -> R: ...",
        "field `title` is a string in `contracts/team/fetch.yaml`, but a string or null in",
    ),
    "a result that may be null": (
        "result: {type: object, properties: {title: {type: string}}}",
        "class R(TypedDict):\n    title: str\ndef execute(params) -> Optional[R]: ...",
        "the result is an object in `contracts/team/fetch.yaml`, but an object or null in",
    ),
    "a value that a run wraps": (
        "result: {type: object, properties: {result: {type: array}}}",
        "def execute(params) -> list[str]: ...",
        None,
    ),
    "an envelope, which a run opens": (
        "result: {type: object, properties: {rows: {type: array}}, required: [rows]}",
        "class R(TypedDict):\n    type: str\n    status: str\n    data: dict[str, Any]\ndef execute(params) -> R: ...",
        None,
    ),
    "a class with an unknown base": (
        "params: {type: object, properties: {team: {type: string}}}",
        "class P(Base, TypedDict, total=False):\n    limit: int\ndef execute(params: P): ...",
        None,
    ),
    "code that says nothing": (
        "params: {type: object, properties: {team: {type: string}}, required: [team]}",
        "def execute(params: dict[str, Any]) -> dict[str, Any]: ...",
        None,
    ),
    "a file that says nothing": ("description: Rows", "def execute(params: dict[str, int]): ...", None),
}


@pytest.mark.parametrize("case", CASES)
def test_a_manifest_and_the_code(case: str) -> None:
    manifest, code, message = CASES[case]
    files = {
        "contracts/team/fetch.yaml": manifest + "\n",
        ".ai/tools/team/fetch.py": f"{IMPORTS}{code}\n",
        ".ai/tools/g.yaml": graph("{team: a, limit: 3}").replace("permissions", "x-note"),
    }
    found = [one for one in check_files(files, ".ai") if one.code == "GW705"]
    assert [one.span.line for one in found] == ([8] if message else [])
    for one in found:
        assert message is not None
        assert message in one.message
        assert one.help == "correct `contracts/team/fetch.yaml` or `.ai/tools/team/fetch.py`"


def test_constants_and_the_code() -> None:
    code = (
        "from typing import TypedDict\nCONFIG_SCHEMA = {'type': 'object', 'properties': {'team': {'type': 'string'}}}\n"
        "class P(TypedDict):\n    team: str\ndef execute(params: P): ...\n"
    )
    found = only(check_files({".ai/tools/team/fetch.py": code, ".ai/tools/g.yaml": graph()}, ".ai"), "GW705")
    assert found.message.endswith(": `execute` requires param `team`, which is optional in `CONFIG_SCHEMA`")
    assert found.help == "correct `.ai/tools/team/fetch.py`"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "contracts/team/fetch.yaml",
            "parms: {type: object}\n",
            "which declares tool `team/fetch`, cannot be read: line 1: unknown key `parms`; did you mean `params`?",
        ),
        ("contracts/team/fetch.yaml", "params: {type: objekt}\n", "line 1: `params` is not a valid JSON Schema"),
        (
            "contracts/team/fetch.yaml",
            "description: yes\n",
            "line 1: `yes` reads as true: write that, or put the string in quotes",
        ),
        ("contracts/team/fetch.yaml", "- a\n", "it must be a mapping with the keys"),
        (
            ".ai/tools/team/fetch.py",
            "def execute(params:\n",
            "which implements tool `team/fetch`, cannot be read: line 1: '(' was never closed",
        ),
    ],
)
def test_a_contract_that_cannot_be_read(name: str, text: str, message: str) -> None:
    found = only(check_files({name: text, ".ai/tools/g.yaml": graph()}, ".ai"), "GW705")
    assert message in found.message
    assert found.help == f"correct `{name}`"


def test_a_tool_that_is_called_twice_is_one_finding() -> None:
    twice = graph().replace(
        "next: done\n", "next: again\n    again: {action: {item_id: tool:team/fetch}, next: done}\n"
    )
    found = check_files({"contracts/team/fetch.yaml": "x: 1\n", ".ai/tools/g.yaml": twice}, ".ai")
    assert only(found, "GW705").span.line == 8


def test_a_property_with_the_name_of_a_boolean_of_old() -> None:
    contract = "params: {type: object, properties: {n: {type: integer}}, required: [n]}\n"
    found = check_files({"contracts/team/fetch.yaml": contract, ".ai/tools/g.yaml": graph()}, ".ai")
    assert "GW705" not in [each.code for each in found]
    assert "`n`, which it requires" in only(found, "GW702").message
