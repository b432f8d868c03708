"""GW101 to GW104, GW106 to GW109, GW111, GW113, GW114: keys, and invalid values for them."""

from __future__ import annotations

from graphwright.diagnostic import Edit, Json
from graphwright.fault import Fault, OwnedFault


class UnknownKey(OwnedFault):
    """An unknown key in a `place` ("in an action").

    It is read as `suggestion`, which may be `taken`; or it `belongs` elsewhere; otherwise the `legal` keys are listed.
    `value`: why the suggested key does not take the value as it is.
    """

    code = "GW101"
    key: str
    place: str
    suggestion: str | None = None
    legal: tuple[str, ...] = ()
    belongs: str | None = None
    taken: bool = False
    edit: Edit | None = None
    value: WrongValue | None = None


class WrongValue(OwnedFault):
    """A value of the wrong type or out of range. `expected` and `found` are phrases; `value` is that of a scalar.

    `written`: a string was expected and this plain scalar reads as something else. `hint`: what to write.
    """

    code = "GW102"
    key: str
    expected: str
    found: str
    value: Json = None
    hint: str | None = None
    written: str | None = None
    edit: Edit | None = None


class MissingKey(OwnedFault):
    """A key that a `place` ("an action") lacks, or the type (`alternative`) that does not need it."""

    code = "GW103"
    key: str
    place: str
    alternative: str | None = None


class KeyOfOtherType(OwnedFault):
    """A key that nodes of a `type` do not take, with `others` that they do not take either; nodes of `types` do.

    `typed`: the node declares its type.
    """

    code = "GW104"
    key: str
    type: str
    typed: bool
    types: tuple[str, ...]
    others: tuple[str, ...] = ()


class KeyOfOtherForm(OwnedFault):
    """A key of a condition that its `form` does not take."""

    code = "GW104"
    key: str
    form: str


class UnknownWord(OwnedFault):
    """A word that a key does not take. `planned`: what to do until it does; `rest`: the id that it is the prefix of."""

    code = "GW106"
    key: str
    value: str
    suggestion: str | None
    legal: tuple[str, ...]
    planned: str | None = None
    rest: str | None = None
    edit: Edit | None = None


class ConflictingKinds(OwnedFault):
    """`item_type` and the `prefix` of the id differ."""

    code = "GW107"
    item_type: str
    prefix: str


class AsyncLoop(OwnedFault):
    """`async` in a foreach."""

    code = "GW108"
    key: str


class IdleHook(OwnedFault):
    """A hook that never has an effect: one without an action, or of a class below."""

    code = "GW109"


class NoControlHere(IdleHook):
    """A control that its event does not have."""

    control: str
    event: str
    legal: tuple[str, ...]


class TwoControls(IdleHook):
    """A second control."""

    control: str
    first: str


class WrongAmount(IdleHook):
    """An amount that belongs to another control."""

    control: str
    key: str


class OlderSpelling(OwnedFault):
    """An older spelling, `written`, of the `modern` one."""

    code = "GW111"
    written: str
    modern: str
    edit: Edit | None


class UnsupportedKey(OwnedFault):
    """A key that this backend does not support."""

    code = "GW113"
    key: str


class OtherDialect(Fault):
    """Another `dialect` of state graphs: the first line, the key and the advice for all that is written differently."""

    code = "GW114"
    dialect: str
    differences: tuple[tuple[int, str, str], ...]


class LowCeiling(OwnedFault):
    """A `max_backoff_ms` below `backoff_ms`, in milliseconds; `is_default`: which of the two is a default."""

    code = "GW118"
    first: float
    most: float
    is_default: str | None
