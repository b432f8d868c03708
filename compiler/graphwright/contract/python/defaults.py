"""Reads what a class assigns to its fields: a default, or a call such as `field(default=3)` and `Field(alias="x")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from graphwright.contract.python.annotations import Annotations
from graphwright.contract.python.forms import Schema
from graphwright.contract.python.literals import NotLiteralError, literal
from graphwright.contract.python.module import Hint


class ComputedNameError(Exception):
    """The name under which a field is passed or returned is only known by running the code."""


class Default:
    """The default of a field: a value, or a call such as `field(default=3)` and `Field(...)`.

    `is_model`: pydantic reads the calls, also those in the metadata of the type, and their first arguments.
    """

    def __init__(
        self, assigned: Hint | None, metadata: Sequence[Hint], annotations: Annotations, *, is_model: bool
    ) -> None:
        self._search = annotations.search
        self.calls = [each for each in (assigned,) if each is not None and self._is_field(each)]
        fields = self.calls + [each for each in metadata if is_model and self._is_field(each)]
        self._given: dict[str, Hint] = {}
        for each in reversed(fields):  # what is assigned takes precedence
            if isinstance(each.expression, ast.Call):
                first = each.expression.args[:1] if is_model else []
                arguments = [("default", value) for value in first]
                arguments += [(one.arg, one.value) for one in each.expression.keywords if one.arg is not None]
                self._given.update((name, Hint(value, each.module)) for name, value in arguments)
        self._default = assigned if assigned is not None and not self.calls else self._given.get("default")
        if self._default is not None and _constant(self._default) is ...:
            self._default = None
        self.is_missing = self._default is None and "default_factory" not in self._given
        self.is_null = self._default is not None and _constant(self._default) is None
        self.is_parameter = self._is("init") is not False
        self.is_returned = self._is("exclude") is not True
        self.may_be_left_out = "exclude_if" in self._given

    def names(self) -> list[tuple[str, bool]]:
        """The names under which a field of a model is passed, other than its own, and whether each holds its value.

        One that does not holds a mapping or a list in which the value is. Raises ComputedNameError.
        """
        written = self._given.get("validation_alias") or self._given.get("alias")
        if "alias_priority" in self._given:
            raise ComputedNameError
        return [] if written is None or _constant(written) is None else list(self._aliases(written))

    def returned_name(self) -> str | None:
        """The name that a field of a model has in a result, if not its own. Raises ComputedNameError."""
        written = self._given.get("serialization_alias") or self._given.get("alias")
        return None if written is None or _constant(written) is None else self._string(written)

    @property
    def value(self) -> Schema:
        """The keyword `default`, if the value is a constant."""
        if self._default is None:
            return {}
        try:
            return {"default": literal(self._default.expression, self._default.module, self._search)}
        except NotLiteralError:
            return {}

    def _aliases(self, written: Hint) -> Iterator[tuple[str, bool]]:
        match written.expression:
            case ast.Call(func=called, args=[first, *_] as arguments):
                target = self._search.target(called, written.module)
                name = target.rpartition(".")[2] if isinstance(target, str) else ""
                if name == "AliasChoices":
                    for each in arguments:
                        yield from self._aliases(Hint(each, written.module))
                elif name == "AliasPath":
                    yield self._string(Hint(first, written.module)), False
                else:
                    raise ComputedNameError
            case _:
                yield self._string(written), True

    def _string(self, written: Hint) -> str:
        try:
            found = literal(written.expression, written.module, self._search)
        except NotLiteralError:
            raise ComputedNameError from None
        if not isinstance(found, str):
            raise ComputedNameError
        return found

    def _is(self, name: str) -> object:
        """The constant argument with a name; None if there is none."""
        return _constant(self._given[name]) if name in self._given else None

    def _is_field(self, call: Hint) -> bool:
        if not isinstance(call.expression, ast.Call):
            return False
        target = self._search.target(call.expression.func, call.module)
        return target in ("dataclasses.field", "pydantic.Field", "pydantic.fields.Field", "pydantic.dataclasses.Field")


def _constant(hint: Hint) -> object:
    """The value of a constant; an expression that is not one itself."""
    return hint.expression.value if isinstance(hint.expression, ast.Constant) else hint.expression
