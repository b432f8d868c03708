"""Reads what a class assigns to its fields: a default, or a call such as `field(default=3)` and `Field(alias="x")`."""

from __future__ import annotations

import ast

from graphwright.contract.python.annotations import Annotations, Schema
from graphwright.contract.python.literals import NotLiteralError, literal
from graphwright.contract.python.module import Module


class Default:
    """The default of a field: a value, or a call such as `field(default=3)` and `Field(...)`."""

    def __init__(
        self,
        assigned: ast.expr | None,
        metadata: tuple[ast.expr, ...],
        module: Module,
        annotations: Annotations,
        *,
        is_positional: bool,
    ) -> None:
        self._where = (module, annotations.search)
        self.calls = [assigned] if isinstance(assigned, ast.Call) and _is_field(assigned, module, annotations) else []
        fields = self.calls + [
            each for each in metadata if isinstance(each, ast.Call) and _is_field(each, module, annotations)
        ]
        given = {entry.arg: entry.value for call in fields for entry in call.keywords if entry.arg is not None}
        first = [call.args[0] for call in fields if call.args and is_positional]
        if self.calls or (assigned is None and fields):
            self._default = given.get("default") or (first[0] if first else None)
        else:
            self._default = assigned
        if isinstance(self._default, ast.Constant) and self._default.value is ...:
            self._default = None
        self.is_missing = self._default is None and "default_factory" not in given
        self._constants = {name: each.value for name, each in given.items() if isinstance(each, ast.Constant)}
        self.is_parameter = self._constants.get("init") is not False
        self.is_returned = self._constants.get("exclude") is not True
        self.alias = self._string("validation_alias", "alias")
        self.returned_name = self._string("serialization_alias", "alias")

    def _string(self, *names: str) -> str | None:
        """The first of several arguments of `Field` that is a string."""
        given = (self._constants.get(name) for name in names)
        return next((value for value in given if isinstance(value, str)), None)

    @property
    def value(self) -> Schema:
        """The keyword `default`, if the value is a constant."""
        if self._default is None:
            return {}
        try:
            return {"default": literal(self._default, *self._where)}
        except NotLiteralError:
            return {}


def _is_field(call: ast.Call, module: Module, annotations: Annotations) -> bool:
    target = annotations.search.target(call.func, module)
    return target in ("dataclasses.field", "pydantic.Field", "pydantic.fields.Field", "pydantic.dataclasses.Field")
