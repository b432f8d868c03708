"""GW401, GW403, GW405, GW406, GW411, GW415, GW416: templates and conditions."""

from __future__ import annotations

from yaml.nodes import ScalarNode

from graphwright.diagnostic import Edit, Json
from graphwright.fault import OwnedFault


class SyntaxProblem(OwnedFault):
    """An error of the expression parser: `message` and `help` are ready to be shown."""

    message: str
    help: str | None


class InvalidExpression(SyntaxProblem):
    """An expression, or a path, that does not parse."""

    code = "GW401"


class InvalidPipe(SyntaxProblem):
    """A pipe that does not exist, or with the wrong number of arguments."""

    code = "GW403"


class UnknownOperator(OwnedFault):
    """An `operator` that does not exist, in a condition on `path`."""

    code = "GW405"
    operator: str
    suggestion: str | None
    legal: tuple[str, ...]
    path: str


class UnfitValue(OwnedFault):
    """A literal that an `operator` cannot use; `value` is its JSON.

    `problem`: `list`, `pattern` or `slow` (`detail` says why), `false`, `truth`, `order`.
    """

    code = "GW406"
    operator: str
    problem: str
    detail: str
    value: str
    literal: Json
    path: str


class UnreadTemplate(OwnedFault):
    """A template in a value that is not interpolated, which `place` names; `key` is the path of the value."""

    code = "GW411"
    place: str
    text: str
    key: str
    edit: Edit | None = None


class SwallowedOperand(OwnedFault):
    """`state.x || 0 + 1`: the fallback includes the addition, which was probably meant for both; `meant` says so."""

    code = "GW417"
    written: str
    meant: str


class OtherSyntax(OwnedFault):
    """A part of a string that looks like a template; `names` are what it would read, as namespace and key.

    `why` says what is wrong with it, `replacement` is what to write, and `other` what to write if its first character
    is text. `fixable`: whether that is safe. `whole`: the scalar, if all of it is meant.
    """

    code = "GW415"
    text: str
    why: str
    names: tuple[tuple[str, str], ...]
    replacement: str
    fixable: bool = True
    whole: ScalarNode | None = None
    other: str | None = None


class NullParam(OwnedFault):
    """A null in `params`, at the path `key`."""

    code = "GW416"
    key: str
