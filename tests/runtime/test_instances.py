"""Tools that are annotated with dataclasses, NamedTuples and pydantic models get instances, and can return them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from enum import Enum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, NotRequired, TypedDict, TypeVar

import pytest
from pydantic import BaseModel, Field

from graphwright_runtime.context import Context
from runtime.test_tools import error_of, result_of

if TYPE_CHECKING:
    Unknown = Context


class Order(StrEnum):
    NEW = "new"
    OLD = "old"


@dataclass(frozen=True)
class Row:
    id: int
    order: Order = Order.NEW


@dataclass
class Params:
    team: str
    rows: list[Row] = field(default_factory=list)
    first: Row | None = None
    named: dict[str, Row] = field(default_factory=dict)
    mode: Literal["a", "b"] = "a"


@dataclass
class Result:
    team: str
    ids: list[int]
    rows: list[Row]


class Model(BaseModel):
    team: str = Field(min_length=2)
    rows: list[Row] = []
    when_: str | None = Field(default=None, alias="when")


class Pair(NamedTuple):
    team: str
    row: Row | None = None


class Mapping1(TypedDict):
    team: str


ItemT = TypeVar("ItemT")


@dataclass
class Page(Generic[ItemT]):
    first: ItemT
    items: list[ItemT]
    total: int = 1


class Loose(TypedDict, Generic[ItemT]):
    item: ItemT


def of_dataclass(params: Params) -> Result:
    assert isinstance(params, Params)
    rows = [*params.rows, *params.named.values(), *([] if params.first is None else [params.first])]
    assert all(isinstance(row, Row) and isinstance(row.order, Order) for row in rows)
    return Result(params.team, [row.id for row in rows], rows)


async def of_model(params: Model) -> Model:
    return params


async def of_tuple(params: Pair, context: Context) -> Pair:
    return params._replace(team=f"{params.team} in {context.node}")


def of_mapping(params: Mapping1) -> list[Row]:
    return [Row(len(params["team"]), Order.OLD)]


def of_maybe(params: Params | None) -> Result | None:
    return None if params is None else Result(params.team, [], [])


def of_page(params: Page[Row]) -> Page[Row]:
    assert isinstance(params, Page)
    assert all(isinstance(row, Row) for row in [params.first, *params.items])
    return params


def of_loose(params: Loose[Row]) -> Row:
    return params["item"]


def of_plain_page(params: Page[dict[str, int]], context: Unknown) -> Result | Unknown:
    """Other hints may have names that exist for type checkers only."""
    return Result(f"{params.first}", [], [])


class Level(Enum):
    LOW = 1
    HIGH = 2


@dataclass
class Part:
    id: int
    levels: list[Level] = field(default_factory=list)
    kind: ClassVar[str] = "part"
    seed: InitVar[int] = 0


class Tree(TypedDict):
    part: Part
    level: NotRequired[Level]
    below: NotRequired[list[Tree]]


def of_tree(params: Tree) -> Tree:
    """A TypedDict with instances in it, at every level."""
    assert isinstance(params["part"], Part)
    assert all(isinstance(level, Level) for level in [*params["part"].levels, params.get("level", Level.LOW)])
    return {**params, "below": [of_tree(each) for each in params.get("below", [])]}


class Spans(TypedDict):
    span: tuple[int, str]
    names: tuple[str, ...]
    rows: NotRequired[tuple[Row, ...]]


def of_spans(params: Spans) -> Spans:
    """A TypedDict with tuples, which JSON does not have."""
    assert all(isinstance(value, tuple) for value in params.values())
    assert all(isinstance(row, Row) for row in params.get("rows", ()))
    return params


class Tool:
    async def __call__(self, params: Params) -> dict[str, Any]:
        return {"team": params.team}


LEAF = {"part": {"id": 2, "levels": [1, 2]}, "level": 2}
SPANS = {"span": [1, "day"], "names": ["a", "b", "c"], "rows": [{"id": 1, "order": "old"}]}
TREE = {"part": {"id": 1, "levels": []}, "below": [LEAF]}
PAGE = {"first": {"id": 1}, "items": [{"id": 2, "order": "old"}]}
FULL = {"team": "blue", "rows": [{"id": 1, "order": "old"}], "first": {"id": 2}, "named": {"x": {"id": 3}}}


@pytest.mark.parametrize(
    ("tool", "params", "expected"),
    [
        (
            of_dataclass,
            FULL,
            {
                "team": "blue",
                "ids": [1, 3, 2],
                "rows": [{"id": 1, "order": "old"}, {"id": 3, "order": "new"}, {"id": 2, "order": "new"}],
            },
        ),
        (of_model, {"team": "blue", "when": "now"}, {"team": "blue", "rows": [], "when": "now"}),
        (of_tuple, {"team": "blue", "row": {"id": 1}}, {"team": "blue in work", "row": {"id": 1, "order": "new"}}),
        (of_mapping, {"team": "blue"}, {"result": [{"id": 4, "order": "old"}]}),
        (of_maybe, {"team": "blue"}, {"team": "blue", "ids": [], "rows": []}),
        (of_tree, TREE, {**TREE, "below": [{**LEAF, "below": []}]}),
        (of_spans, SPANS, SPANS),
        (Tool(), {"team": "blue"}, {"team": "blue"}),
        (of_page, PAGE, {"first": {"id": 1, "order": "new"}, "items": [{"id": 2, "order": "old"}], "total": 1}),
        (of_loose, {"item": {"id": 1}}, {"id": 1, "order": "new"}),
        (of_plain_page, {"first": {"id": 1}, "items": []}, {"team": "{'id': 1}", "ids": [], "rows": []}),
    ],
)
def test_instances(tool: Callable[..., object], params: dict[str, Any], expected: object) -> None:
    assert result_of("a", params, tools={"a": tool}) == expected


def test_what_a_constructor_refuses_is_an_error_of_the_node() -> None:
    assert "team" in error_of("a", {"rows": []}, tools={"a": of_dataclass})
    assert "at least 2 characters" in error_of("a", {"team": "b"}, tools={"a": of_model})
    assert "'newest' is not a valid Order" in error_of(
        "a", {"team": "b", "rows": [{"id": 1, "order": "newest"}]}, tools={"a": of_dataclass}
    )


def test_a_tool_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its hints are strings, and its module is not in `sys.modules`."""
    tools = tmp_path / ".ai" / "tools"
    tools.mkdir(parents=True)
    (tools / "rows.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n\n"
        "@dataclass\nclass Row:\n    id: int\n\n\n@dataclass\nclass Params:\n    rows: list[Row]\n\n\n"
        "def execute(params: Params, project_path: str) -> Row:\n    return Row(sum(row.id for row in params.rows))\n",
        "utf-8",
    )
    assert result_of("rows", {"rows": [{"id": 2}, {"id": 3}]}, project=tmp_path) == {"id": 5}
