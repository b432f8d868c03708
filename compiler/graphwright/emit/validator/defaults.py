"""Emits statements that fill in defaults before the checks, at every level of existing objects.

Only defaults in schemas that describe the structure of a value (`properties`, `items`, `allOf`, `$ref`, …) are filled
in, not those in schemas that are only tested (`anyOf`, `if`, `not`).
"""

from __future__ import annotations

from typing import Final

from graphwright.emit.blocks import indented
from graphwright.emit.displays import typed_constant
from graphwright.emit.literals import quoted
from graphwright.emit.model import Function
from graphwright.emit.scope import TAKEN
from graphwright.emit.uses import Uses
from graphwright.emit.validator import kinds
from graphwright.emit.validator.blocks import when
from graphwright.ir import Json
from graphwright.names import Namespace, identifier
from graphwright.schema.walk import FILLED, below, listed, mapping, pointed, reached

#: Objects and lists at deeper levels are filled by a separate function.
_MAX_DEPTH: Final = 3


class Defaults:
    """Fills in the defaults of one document. `functions` collects functions that the statements call, callees first."""

    def __init__(self, document: Json, uses: Uses) -> None:
        self._document = document
        self._uses = uses
        self._names = Namespace(TAKEN)
        self._known: dict[str, str] = {}
        self._reaching: dict[int, bool] = {}
        self._remembers = self._has_nested_references()
        self.functions: list[Function] = []

    def root(self) -> list[str]:
        """Statements about `inputs`, a mapping; a call of a function unless there are only a few defaults."""
        lines = self._value(self._document, "inputs", 0, is_mapping=True)
        if all(line.startswith("inputs.setdefault(") for line in lines):
            return lines
        name = self._uses.names.claim("_fill")
        self._function(name, "inputs: dict[str, object]", lines)
        return [self._call(name, "inputs")]

    def _value(self, schema: Json, variable: str, depth: int, *, is_mapping: bool = False) -> list[str]:
        """Statements about a value of any kind, or about one that is a mapping.

        Of two defaults for the same key, the first one applies, so the parts of a schema keep their order.
        """
        if depth > _MAX_DEPTH:
            name = self._uses.names.claim(f"_fill_{len(self.functions) + 1}")
            self._define(name, schema)
            return [self._call(name, variable)]
        lines: list[str] = []
        bodies: dict[str, list[str]] = {"object": [], "array": []}
        for part in reached(schema, self._document, ("allOf",)):
            if referred := self._referred(part, variable):
                lines += self._taken(bodies, variable, is_mapping)
                lines.append(referred)
            bodies["object"] += self._mapping(part, variable, depth)
            bodies["array"] += [] if is_mapping else self._list(part, variable, depth)
        return lines + self._taken(bodies, variable, is_mapping)

    def _taken(self, bodies: dict[str, list[str]], variable: str, is_mapping: bool) -> list[str]:
        """Statements for the kinds of value, each below a test of the kind unless it is known; removes them."""
        lines: list[str] = []
        for kind, body in bodies.items():
            if body:
                lines += body if is_mapping else when(kinds.guard((kind,), variable, self._uses), body)
            bodies[kind] = []
        return lines

    def _mapping(self, schema: dict[str, Json], variable: str, depth: int) -> list[str]:
        """Statements about a variable that is a mapping."""
        lines = [
            f"{variable}.setdefault({quoted(key)}, {typed_constant(default, self._uses).text})"
            for key, default in _defaults(schema).items()
        ]
        for key, inner in mapping(schema.get("properties")).items():
            if self._reaches(inner):
                lines += self._part(inner, identifier(key), f"{variable}.get({quoted(key)})", depth)
        return lines + self._others(schema, variable, depth)

    def _part(self, schema: Json, wanted: str, found: str, depth: int) -> list[str]:
        """Statements about a part of a value, which gets a variable if more than one of them mentions it."""
        name = self._names.claim(wanted)
        body = self._value(schema, f"\x1f{name}\x1f", depth + 1)
        mentions = sum(line.count(f"\x1f{name}\x1f") for line in body)
        body = [line.replace(f"\x1f{name}\x1f", found if mentions == 1 else name) for line in body]
        return body if mentions == 1 else [f"{name} = {found}", *body]

    def _others(self, schema: dict[str, Json], variable: str, depth: int) -> list[str]:
        """Keys by pattern, and additional keys."""
        patterns = mapping(schema.get("patternProperties"))
        rest = schema.get("additionalProperties")
        if not any(map(self._reaches, (*patterns.values(), rest))):
            return []
        key, entry = self._names.claim("key"), self._names.claim("entry")
        matches = {pattern: f"{self._uses.schema_pattern(pattern)}.search({key})" for pattern in patterns}
        body: list[str] = []
        for pattern, part in patterns.items():
            if self._reaches(part):
                body += when(matches[pattern], self._value(part, entry, depth + 1))
        if self._reaches(rest):
            named = [f"{key} != {quoted(name)}" for name in mapping(schema.get("properties"))]
            tests = [*named, *(f"not {match}" for match in matches.values())]
            below = self._value(rest, entry, depth + 1)
            body += when(" and ".join(tests), below) if tests else below
        test = any(f"{key} " in line or f"({key})" in line for line in body)
        if not test:
            return [f"for {entry} in {variable}.values():", *indented(body)]
        return [f"for {key}, {entry} in {variable}.items():", *indented(body)]

    def _list(self, schema: dict[str, Json], variable: str, depth: int) -> list[str]:
        """Statements about a variable that is a list."""
        lines: list[str] = []
        prefix = listed(schema.get("prefixItems"))
        for position, inner in enumerate(prefix):
            if self._reaches(inner):
                body = self._part(inner, "item", f"{variable}[{position}]", depth)
                lines += when(f"len({variable}) > {position}", body)
        if self._reaches(schema.get("items")):
            item = self._names.claim("item")
            rest = f"{variable}[{len(prefix)}:]" if prefix else variable
            lines += [f"for {item} in {rest}:", *indented(self._value(schema.get("items"), item, depth + 1))]
        return lines

    def _referred(self, schema: dict[str, Json], variable: str) -> str | None:
        """A call of the function for the target of a reference, which takes values of any kind."""
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not self._reaches(pointed(self._document, reference)):
            return None
        if reference not in self._known:
            wanted = identifier(reference.rpartition("/")[2].strip("#") or "root")
            self._known[reference] = self._uses.names.claim(f"_fill_{wanted}")
            self._define(self._known[reference], pointed(self._document, reference))
        name = self._known[reference]
        return f"problem.fill({name}, {variable})" if self._remembers else f"{name}({variable})"

    def _call(self, name: str, variable: str) -> str:
        return f"{name}({variable}, problem)" if self._remembers else f"{name}({variable})"

    def _function(self, name: str, argument: str, body: list[str]) -> None:
        more = f", problem: {self._uses.runtime('Problems')}" if self._remembers else ""
        self.functions.append(Function(name, f"{argument}{more}", "None", tuple(body)))

    def _define(self, name: str, schema: Json) -> None:
        outer = self._names
        self._names = Namespace(TAKEN.union({"value"}))
        body = self._value(schema, "value", 0)
        self._names = outer
        self._function(name, "value: object", body)

    def _has_nested_references(self) -> bool:
        """Whether the target of a reference contains references: then the number of paths to one schema for one value
        may double at every level of the value, so each schema fills a value in only once.
        """
        document = self._document
        targets = [
            target for each in reached(document, document, FILLED) for target in below(each, document, ("$ref",))
        ]
        behind = reached({"allOf": targets}, document, FILLED)
        return any(self._reaches(target) for each in behind for target in below(each, document, ("$ref",)))

    def _reaches(self, schema: Json) -> bool:
        """Whether there is a default at or below a schema that is filled in."""
        if not isinstance(schema, dict):
            return False
        if id(schema) not in self._reaching:
            below = reached(schema, self._document, FILLED)
            self._reaching[id(schema)] = any(_defaults(each) for each in below)
        return self._reaching[id(schema)]


def _defaults(schema: dict[str, Json]) -> dict[str, Json]:
    """The defaults of the keys of a mapping."""
    properties = mapping(schema.get("properties"))
    return {key: part["default"] for key, part in properties.items() if isinstance(part, dict) and "default" in part}
