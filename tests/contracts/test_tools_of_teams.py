"""Tools as teams write them, each with a graph that calls it correctly, and with mistakes in that graph."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import yaml

from checking import check_files, loud
from runtime.test_tools import result_of

MODELS = """\
from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum, auto
from typing import Annotated, Any, Generic, Literal, NewType, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

CustomerId = NewType("CustomerId", int)
Sku = Annotated[str, Field(min_length=3, description="the article")]
T = TypeVar("T")


class Status(StrEnum):
    NEW = auto()
    PAID = auto()
    SENT = "sent"


class Priority(IntEnum):
    LOW = 1
    HIGH = 2


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Address(Model):
    street: str
    zip: str = Field(pattern="^[0-9]{5}$")
    country: str = "DE"


class Customer(Model):
    id: CustomerId
    name: str
    email: str | None = None
    address: Address | None = None


class Line(Model):
    sku: Sku
    quantity: int = Field(1, ge=1)
    price: Decimal = Decimal("0")


class Order(Model):
    id: UUID | None = None
    customer: Customer
    lines: list[Line]
    status: Status = Status.NEW
    priority: Priority = Priority.LOW
    placed: datetime | None = None
    notes: dict[str, str] = {}


class Page(BaseModel, Generic[T]):
    items: list[T]
    total: int
    next_token: str | None = None


class Event(Camel):
    event_id: str
    happened_at: datetime
    payload: dict[str, Any] = {}


@dataclass
class Money:
    amount: float
    currency: Literal["EUR", "USD"] = "EUR"


@dataclass(kw_only=True)
class Invoice:
    number: int
    total: Money
    due: date | None = None
    tags: list[str] = field(default_factory=list)


class Tagged(BaseModel):
    tags: list[str] = []

    @field_validator("tags", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return value.split(",") if isinstance(value, str) else value
"""
GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.team.*]
config:
  start: call
  nodes:
    call:
      action: {item_id: tool:team/NAME, params: PARAMS}
      assign: {ASSIGNED}
      next: done
    done: {type: return, output: {OUTPUT}}
"""


class Tool:
    """The code of a tool, the params and the reads of a correct graph, and mistakes: what is written instead of what,
    and the code of the finding."""

    def __init__(self, code: str, params: str, reads: dict[str, str], *mistakes: tuple[str, str, str]) -> None:
        self.code, self.params, self.reads, self.mistakes = (
            textwrap.dedent(code).strip() + "\n",
            params,
            reads,
            mistakes,
        )

    def graph(self, name: str) -> str:
        """A graph that calls the tool."""
        assigned = ", ".join(f'{key}: "${{{path}}}"' for key, path in self.reads.items())
        output = ", ".join(f'{key}: "${{state.{key}}}"' for key in self.reads)
        text = GRAPH.replace("NAME", name).replace("PARAMS", self.params)
        return text.replace("ASSIGNED", assigned).replace("OUTPUT", output)


TOOLS = {
    "model_order": Tool(
        """
        from __future__ import annotations
        from shop.models import Order
        async def execute(params: Order) -> Order:
            return params
        """,
        (
            '{customer: {id: 1, name: Ann, address: {street: a, zip: "12345"}}, '
            'lines: [{sku: abc}, {sku: abd, quantity: 2, price: "1.50"}], status: paid, '
            'priority: 2, placed: "2026-01-01T00:00:00Z"}'
        ),
        {"status": "result.status", "name": "result.customer.name", "first": "result.lines.0.sku"},
        ("status: paid", "status: payed", "GW412"),
        ("street: a", "streat: a", "GW702"),
        ("sku: abc", "sku: ab", "GW412"),
        ("result.customer.name", "result.customer.nme", "GW410"),
    ),
    "model_camel_by_name": Tool(
        """
        from shop.models import Event
        def execute(params: Event) -> Event:
            return params
        """,
        '{event_id: a, happened_at: "2026-01-01T00:00:00Z", payload: {x: 1}}',
        {"id": "result.eventId"},
    ),
    "model_page": Tool(
        """
        from shop.models import Customer, CustomerId, Page
        def execute(params: dict[str, int]) -> Page[Customer]:
            return Page(items=[Customer(id=CustomerId(1), name="Ann")], total=1)
        """,
        "{size: 3}",
        {"items": "result.items", "total": "result.total", "next": "result.next_token"},
        ("size: 3", "size: many", "GW412"),
        ("result.total", "result.totl", "GW703"),
    ),
    "model_union": Tool(
        """
        from typing import Annotated, Literal
        from pydantic import BaseModel, Field
        class Mail(BaseModel):
            kind: Literal["mail"]
            to: str
        class Chat(BaseModel):
            kind: Literal["chat"] = "chat"
            channel: str
        class Send(BaseModel):
            target: Annotated[Mail | Chat, Field(discriminator="kind")]
            others: list[Mail | Chat] = []
        class Sent(BaseModel):
            ok: bool
            id: str | None = None
        def execute(params: Send) -> Sent:
            return Sent(ok=True, id=params.target.kind)
        """,
        "{target: {kind: mail, to: ann}, others: [{kind: chat, channel: x}]}",
        {"ok": "result.ok", "id": "result.id || 'none'"},
        ("kind: mail, to: ann", "kind: fax, to: ann", "GW412"),
    ),
    "model_inherit": Tool(
        """
        from pydantic import BaseModel
        class Base(BaseModel):
            tenant: str
            dry_run: bool = False
        class Paged(Base):
            page: int = 1
        class Search(Paged):
            query: str
            page: int
        def execute(params: Search) -> dict[str, str]:
            return {"query": params.query}
        """,
        '{tenant: a, query: x, page: "2"}',
        {"q": "result.query"},
        ('page: "2"', "pages: 2", "GW702"),
    ),
    "model_optional": Tool(
        """
        from typing import Optional
        from pydantic import BaseModel
        class P(BaseModel):
            since: Optional[str]
            until: Optional[str] = None
            size: Optional[int] = 5
        class R(BaseModel):
            count: Optional[int] = None
            label: str = ""
        def execute(params: P) -> R:
            return R(count=params.size)
        """,
        '{since: "2026", size: "7"}',
        {"count": "(result.count || 0) + 1", "label": "result.label"},
        ("(result.count || 0) + 1", "result.count + 1", "GW412"),
    ),
    "model_root": Tool(
        """
        from pydantic import BaseModel, RootModel
        class Scores(RootModel[dict[str, int]]):
            pass
        class R(BaseModel):
            scores: Scores
        def execute(params: Scores) -> R:
            return R(scores=params)
        """,
        '{a: 1, b: "2"}',
        {"a": "result.scores.a"},
        ("a: 1,", "a: x,", "GW412"),
    ),
    "model_computed": Tool(
        """
        from pydantic import BaseModel, computed_field
        class R(BaseModel):
            price: float
            tax: float
            @computed_field
            @property
            def gross(self) -> float:
                return self.price + self.tax
        def execute(params: dict[str, float]) -> R:
            return R(price=params["price"], tax=1)
        """,
        "{price: 3}",
        {"g": "result.gross * 2"},
        ("result.gross", "result.grss", "GW703"),
    ),
    "model_validate_call": Tool(
        """
        from pydantic import BaseModel, validate_call
        class P(BaseModel):
            n: int
        @validate_call
        def execute(params: P) -> dict[str, int]:
            return {"n": params.n}
        """,
        '{n: "3"}',
        {"n": "result.n"},
        ('n: "3"', "n: [3]", "GW412"),
    ),
    "model_dict_models": Tool(
        """
        from shop.models import Customer
        from pydantic import BaseModel
        class P(BaseModel):
            by_team: dict[str, list[Customer | None]]
        class R(BaseModel):
            by_id: dict[str, Customer]
            maybe: list[Customer | None]
        def execute(params: P) -> R:
            first = next(iter(params.by_team.values()))[0]
            assert first is not None
            return R(by_id={"a": first}, maybe=[first, None])
        """,
        "{by_team: {blue: [{id: 1, name: Ann}, null]}}",
        {"a": "result.by_id.a.name", "m": "result.maybe"},
        ("name: Ann", "nam: Ann", "GW702"),
        ("by_id.a.name", "by_id.a.nam", "GW410"),
    ),
    "dataclass_nested": Tool(
        """
        from __future__ import annotations
        from shop.models import Invoice, Money
        def execute(params: Invoice) -> Invoice:
            assert isinstance(params.total, Money)
            return Invoice(number=params.number + 1, total=params.total)
        """,
        "{number: 3, total: {amount: 2.5}}",
        {"n": "result.number + 1", "a": "result.total.amount"},
        ("amount: 2.5", "amount: much", "GW412"),
        ("total: {amount: 2.5}", "total: {amount: 1, currency: GBP}", "GW412"),
    ),
    "dataclass_inherit": Tool(
        """
        from dataclasses import dataclass
        @dataclass
        class Base:
            tenant: str
        @dataclass
        class P(Base):
            name: str = ""
            size: int | None = None
        def execute(params: P) -> dict[str, str]:
            return {"name": params.name + params.tenant}
        """,
        "{tenant: a, size: 3}",
        {"n": "result.name"},
        ("size: 3", "size: big", "GW412"),
    ),
    "dataclass_generic": Tool(
        """
        from dataclasses import dataclass
        from typing import Generic, TypeVar
        T = TypeVar("T")
        @dataclass
        class Item:
            id: int
        @dataclass
        class Box(Generic[T]):
            item: T
            count: int = 1
        def execute(params: Box[Item]) -> Box[str]:
            return Box(str(params.item.id), 2)
        """,
        "{item: {id: 3}}",
        {"i": "result.item", "c": "result.count + 1"},
        ("item: {id: 3}", "itm: {id: 3}", "GW702"),
    ),
    "dataclass_enum": Tool(
        """
        from dataclasses import dataclass
        from shop.models import Color, Priority, Status
        @dataclass
        class P:
            status: Status
            color: Color = Color.RED
            priority: Priority = Priority.LOW
        def execute(params: P) -> dict[str, str]:
            return {"status": params.status.value + params.color.value}
        """,
        "{status: paid, color: blue, priority: 2}",
        {"s": "result.status"},
        ("color: blue", "color: bleu", "GW412"),
        ("priority: 2", "priority: 3", "GW412"),
    ),
    "typeddict_required": Tool(
        """
        from typing import NotRequired, Required, TypedDict
        class P(TypedDict, total=False):
            team: Required[str]
            limit: int
        class R(TypedDict):
            rows: list[str]
            note: NotRequired[str]
        def execute(params: P) -> R:
            return {"rows": [params["team"]]}
        """,
        "{team: a}",
        {"r": "result.rows", "n": "result.note || 'none'"},
        ("team: a", "limit: 3", "GW702"),
    ),
    "typeddict_inherit": Tool(
        """
        from __future__ import annotations
        from typing import TypedDict
        from typing_extensions import NotRequired
        class Base(TypedDict):
            tenant: str
        class P(Base, total=False):
            size: int
        class Row(TypedDict):
            id: int
            title: str | None
        class R(TypedDict):
            rows: list[Row]
        def execute(params: P, project_path: str) -> R:
            return {"rows": [{"id": 1, "title": None}]}
        """,
        "{tenant: a, size: 3}",
        {"r": "result.rows.0.id + 1"},
        ("size: 3", "sise: 3", "GW702"),
    ),
    "typeddict_generic": Tool(
        """
        from typing import Generic, TypeVar
        from typing_extensions import TypedDict
        T = TypeVar("T")
        class Page(TypedDict, Generic[T]):
            items: list[T]
            total: int
        class P(TypedDict):
            page: Page[str]
        def execute(params: P) -> Page[int]:
            return {"items": [len(each) for each in params["page"]["items"]], "total": 1}
        """,
        "{page: {items: [a], total: 1}}",
        {"i": "result.items.0", "t": "result.total"},
        ("total: 1", "totl: 1", "GW702"),
    ),
    "typeddict_union": Tool(
        """
        from typing import Literal, TypedDict
        class Ok(TypedDict):
            kind: Literal["ok"]
            value: int
        class Bad(TypedDict):
            kind: Literal["bad"]
            reason: str
        class P(TypedDict):
            what: Literal["a", "b"] | int
            where: dict[str, str | int]
        def execute(params: P) -> Ok | Bad:
            return {"kind": "ok", "value": 3}
        """,
        "{what: a, where: {x: 1, y: z}}",
        {"k": "result.kind", "v": "result.value || 0"},
        ("what: a", "what: c", "GW412"),
        ("result.value", "result.valeu", "GW703"),
    ),
    "typeddict_functional": Tool(
        """
        from typing import TypedDict
        P = TypedDict("P", {"max-size": int, "from": str})
        R = TypedDict("R", {"content-type": str}, total=False)
        def execute(params: P) -> R:
            return {"content-type": params["from"]}
        """,
        "{max-size: 3, from: a}",
        {"c": "result['content-type']"},
        ("max-size: 3", "max_size: 3", "GW702"),
    ),
    "typeddict_type_checking": Tool(
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING, TypedDict
        if TYPE_CHECKING:
            from shop.models import CustomerId
            from graphwright_runtime.context import Context
        class P(TypedDict):
            customer: CustomerId
        def execute(params: P, context: Context) -> dict[str, int]:
            return {"id": params["customer"]}
        """,
        "{customer: 3}",
        {"i": "result.id"},
        ("customer: 3", "customer: x", "GW412"),
    ),
    "dataclass_type_checking": Tool(
        """
        from __future__ import annotations
        from dataclasses import dataclass
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from graphwright_runtime.context import Context
        @dataclass
        class P:
            n: int
        @dataclass
        class R:
            n: int
        def execute(params: P, context: Context) -> R:
            return R(params.n)
        """,
        "{n: 3}",
        {"i": "result.n"},
        ("n: 3", "n: x", "GW412"),
    ),
    "alias_types": Tool(
        """
        from collections.abc import Mapping, Sequence
        from typing import TypeAlias, TypedDict
        Name: TypeAlias = str
        Names = Sequence[Name]
        Table = Mapping[str, Names]
        class P(TypedDict):
            names: Names
            table: Table
        def execute(params: P) -> Table:
            return {"a": list(params["names"])}
        """,
        "{names: [a], table: {x: [b]}}",
        {"a": "result.a"},
        ("names: [a]", "names: 3", "GW412"),
    ),
    "new_types": Tool(
        """
        from typing import NewType, TypedDict
        UserId = NewType("UserId", int)
        Email = NewType("Email", str)
        class P(TypedDict):
            user: UserId
            mails: list[Email]
        def execute(params: P) -> dict[str, UserId]:
            return {"user": params["user"]}
        """,
        "{user: 3, mails: [a]}",
        {"u": "result.user + 1"},
        ("user: 3", "user: three", "GW412"),
    ),
    "any_of_none": Tool(
        """
        from pydantic import BaseModel
        class R(BaseModel):
            id: int
        def execute(params: dict[str, int]) -> R | None:
            return R(id=params["id"]) if params["id"] else None
        """,
        "{id: 1}",
        {"i": "(result.id || 0) + 1"},
        ("(result.id || 0) + 1", "result.id + 1", "GW412"),
    ),
    "envelope": Tool(
        """
        from typing import Generic, TypeVar
        from pydantic import BaseModel
        T = TypeVar("T")
        class Data(BaseModel):
            rows: list[int]
        class Envelope(BaseModel, Generic[T]):
            type: str
            status: str
            data: T
        def execute(params: dict[str, int]) -> Envelope[Data]:
            return Envelope(type="rows", status="ok", data=Data(rows=[1]))
        """,
        "{n: 1}",
        {"r": "result.rows"},
    ),
    "enum_ci": Tool(
        """
        from dataclasses import dataclass
        from enum import Enum, StrEnum, auto
        class Lenient(StrEnum):
            @classmethod
            def _missing_(cls, value: object) -> "Lenient | None":
                return next((each for each in cls if each.value == str(value).lower()), None)
        class Upper(StrEnum):
            @staticmethod
            def _generate_next_value_(name: str, start: int, count: int, last_values: list[str]) -> str:
                return name
        class Mode(Lenient):
            FAST = "fast"
        class Kind(Upper):
            A = auto()
        class Two(Enum):
            A, B = "a", "b"
        class Typed(Enum):
            A: str = "a"
            B = "b"
        @dataclass
        class P:
            mode: Mode
            kind: Kind
            two: Two
            typed: Typed
        def execute(params: P) -> dict[str, str]:
            return {"m": params.mode.value}
        """,
        "{mode: FAST, kind: A, two: b, typed: a}",
        {"m": "result.m"},
    ),
    "imports": Tool(
        """
        from __future__ import annotations
        import sys
        import shop.models as m
        from shop import models
        from . import beside
        try:
            from typing import NotRequired, TypedDict
        except ImportError:
            from typing_extensions import NotRequired, TypedDict
        if sys.version_info >= (3, 11):
            from typing import Required
        else:
            from typing_extensions import Required
        class P(TypedDict, total=False):
            a: Required[m.Customer]
            b: models.Customer
            c: NotRequired[beside.Customer]
        def execute(params: P) -> dict[str, str]:
            return {"n": params["a"].name + params["c"].name}
        """,
        "{a: {id: 1, name: x}, c: {id: 2, name: yy}}",
        {"n": "result.n"},
        ("a: {id: 1, name: x}", "a: {id: 1}", "GW702"),
        ("c: {id: 2, name: yy}", "c: {id: 2, nme: yy}", "GW702"),
    ),
    "nested_class": Tool(
        """
        from pydantic import BaseModel
        class Item(BaseModel):
            other: int
        class P(BaseModel):
            class Item(BaseModel):
                name: str
            items: list[Item]
        def execute(params: P) -> dict[str, int]:
            return {"n": len(params.items)}
        """,
        "{items: [{name: x}]}",
        {"n": "result.n"},
    ),
    "self_ref": Tool(
        """
        from __future__ import annotations
        from pydantic import BaseModel
        class Node(BaseModel):
            name: str
            children: list[Node] = []
            parent: Node | None = None
        def execute(params: Node) -> Node:
            return params
        """,
        "{name: a, children: [{name: b, children: [{name: c}]}]}",
        {"n": "result.children.0.name"},
        ("{name: a, children", "{nme: a, children", "GW702"),
    ),
    "mutual": Tool(
        """
        from __future__ import annotations
        from dataclasses import dataclass, field
        @dataclass
        class A:
            bs: list[B] = field(default_factory=list)
        @dataclass
        class B:
            a: A | None = None
            n: int = 0
        def execute(params: A) -> B:
            return B(params, 3)
        """,
        "{bs: [{n: 3, a: {bs: []}}]}",
        {"n": "result.n + 1"},
        ("n: 3", "n: x", "GW412"),
    ),
    "tuple_result": Tool(
        """
        from typing import NamedTuple
        class R(NamedTuple):
            ok: bool
            rows: tuple[int, ...]
            pair: tuple[str, int]
        def execute(params: dict[str, object]) -> R:
            return R(True, (1, 2), ("a", 1))
        """,
        "{}",
        {"n": "result.rows.0 + 1", "p": "result.pair"},
        ("result.rows.0", "result.rws.0", "GW703"),
    ),
    "maybe_params": Tool(
        """
        from dataclasses import dataclass
        @dataclass
        class P:
            n: int = 1
        def execute(params: P | None = None) -> dict[str, int]:
            assert params
            return {"n": params.n}
        """,
        "{n: 3}",
        {"n": "result.n"},
        ("n: 3", "n: x", "GW412"),
    ),
    "model_generic_695": Tool(
        """
        from typing import Generic
        from typing_extensions import TypeVar
        from pydantic import BaseModel
        T = TypeVar("T", default=str)
        class Reply(BaseModel, Generic[T]):
            data: T
            error: str | None = None
        class Items(Reply[list[int]]):
            count: int = 0
        def execute(params: Reply[dict[str, int]]) -> Items:
            return Items(data=list(params.data.values()))
        """,
        '{data: {a: "1"}}',
        {"n": "result.data", "e": "result.error || ''"},
        ("data: {a", "dat: {a", "GW702"),
    ),
    "required_nullable": Tool(
        """
        from typing import Optional
        from pydantic import BaseModel
        class P(BaseModel):
            since: Optional[str]
        def execute(params: P) -> dict[str, str]:
            return {"n": params.since or ""}
        """,
        "{since: x}",
        {"n": "result.n"},
        ("since: x", "since: null", "GW702"),
    ),
    "default_factory": Tool(
        """
        from dataclasses import dataclass, field
        from typing import ClassVar, Final
        from pydantic import BaseModel, Field, PrivateAttr
        class Opt(BaseModel):
            a: list[int] = Field(default_factory=list)
            b: dict[str, str] = Field(default_factory=dict, max_length=3)
            _c: int = PrivateAttr(default=1)
            K: ClassVar[int] = 3
        @dataclass
        class P:
            opt: Opt = field(default_factory=Opt)
            size: Final[int] = 3
        def execute(params: P) -> dict[str, int]:
            return {"n": params.size}
        """,
        '{opt: {a: ["1"], b: {x: yy}}, size: 4}',
        {"n": "result.n"},
        ("size: 4", "size: x", "GW412"),
    ),
}


def _files(name: str) -> dict[str, str]:
    return {
        "src/shop/__init__.py": "",
        "src/shop/models.py": MODELS,
        ".ai/tools/team/beside.py": MODELS,
        f".ai/tools/team/{name}.py": TOOLS[name].code,
    }


@pytest.mark.parametrize("name", TOOLS)
def test_a_correct_graph(name: str, tmp_path: Path) -> None:
    """Nothing is reported, and the tool takes the params."""
    tool, files = TOOLS[name], _files(name)
    assert loud(check_files({**files, ".ai/tools/g.yaml": tool.graph(name)}, ".ai")) == []
    for path, text in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    result_of(f"team/{name}", yaml.safe_load(tool.params), project=tmp_path)


MISTAKES = [(name, *mistake) for name, tool in TOOLS.items() for mistake in tool.mistakes]


@pytest.mark.parametrize(("name", "right", "wrong", "code"), MISTAKES)
def test_a_mistake_is_one_finding(name: str, right: str, wrong: str, code: str) -> None:
    text = TOOLS[name].graph(name)
    assert right in text
    found = loud(check_files({**_files(name), ".ai/tools/g.yaml": text.replace(right, wrong)}, ".ai"))
    assert [each.partition(":")[0] for each in found] == [code]
