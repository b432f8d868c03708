"""GW105 and GW112: schemas that a graph declares."""

from __future__ import annotations

from graphwright.diagnostic import Json
from graphwright.fault import Fault


class InvalidSchema(Fault):
    """A `problem` in the schema at the key `schema`; `sort` is its keyword, `text` the scalar there."""

    code = "GW105"
    schema: str
    problem: str
    sort: str
    suggestion: str | None
    text: str | None


class BadDefault(Fault):
    """The default of a property `name`, which its schema (of this `type`, with these `options`) does not accept."""

    code = "GW112"
    name: str
    reason: str
    value: Json
    text: str | None
    type: Json
    options: tuple[Json, ...]


class EndlessDefault(Fault):
    """A default that contains `itself`, or `too many others`, once defaults are filled in."""

    code = "GW112"
    name: str
    endless: str


class UnknownRequired(Fault):
    """A `name` in `required` that is not a property; `suggestion` is the property that was probably meant."""

    code = "GW117"
    schema: str
    name: str
    suggestion: str | None
