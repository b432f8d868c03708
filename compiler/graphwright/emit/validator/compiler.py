"""Schemas -> statements.

Each schema becomes statements about one variable: in place where that reads well; in a function where the schema is
referred to, is only asked for its verdict (`anyOf`, `not`, `if`), or stands deep. Defaults are filled in before
anything else is checked, at every level of objects that are there, but never inside a schema that is only tried.
"""

from __future__ import annotations

from typing import Final

from graphwright.emit.blocks import indented
from graphwright.emit.expressions import constant_code
from graphwright.emit.literals import quoted
from graphwright.emit.model import Function
from graphwright.emit.scope import TAKEN
from graphwright.emit.uses import Uses
from graphwright.emit.validator import kinds, limits
from graphwright.emit.validator.blocks import alternatives, when
from graphwright.emit.validator.place import Place, Variable, complaint
from graphwright.emit.validator.schema import items, mapping, resolved, texts
from graphwright.ir import Json
from graphwright.names import Namespace, identifier

#: Objects and lists below this many others are checked by a function of their own.
MAX_DEPTH: Final = 3

#: Variables of loops, by how deep the loop is.
_LOOPS: Final = {
    word: [word, *(f"{word}_{level}" for level in range(2, 12))] for word in ("entry", "index", "item", "key")
}

#: Names with a meaning in validating functions; no variable for an input gets one of them.
_FIXED: Final = TAKEN.union({"inputs", "option", "path", "problem", "value"}, *_LOOPS.values())


class Compiler:
    """Compiles one document. `functions` collects what the statements call, callees first."""

    def __init__(self, document: Json, uses: Uses) -> None:
        self._document = document
        self._uses = uses
        self._names = Namespace(_FIXED)
        self._loops = 0
        self._known: dict[tuple[str, bool], str] = {}
        self.functions: list[Function] = []

    def root(self) -> list[str]:
        """Statements that check the inputs as a whole, which are a mapping in any case."""
        return self._root(self._document, ())

    def _root(self, schema: Json, trail: tuple[str, ...]) -> list[str]:
        place = Place("inputs")
        if not isinstance(schema, dict):
            return self.checks(schema, place, fills=True)
        lines: list[str] = []
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in trail:
            lines += self._root(resolved(reference, self._document), (*trail, reference))
        named = kinds.allowed(schema)
        if not kinds.possible("object", named) and named is not None:
            lines.append(complaint(place, f"must be {kinds.described(named)}"))
        lines += limits.values(schema, place, self._uses)
        lines += self._object(schema, place, fills=True, depth=0)
        for part in items(schema.get("allOf")):
            lines += self._root(part, trail)
        return lines + self._combined(schema, place, depth=0)

    def checks(self, schema: Json, place: Place, *, fills: bool, depth: int = 0) -> list[str]:
        """Statements that fill in the defaults below `place` and note what is wrong there."""
        if not isinstance(schema, dict):
            return [complaint(place, "is not allowed")] if schema is False else []
        lines: list[str] = []
        reference = schema.get("$ref")
        if isinstance(reference, str):
            lines += self._referred(reference, place, fills=fills)
        lines += self._own(schema, place, fills=fills, depth=depth)
        for part in items(schema.get("allOf")):
            lines += self.checks(part, place, fills=fills, depth=depth)
        return lines + self._combined(schema, place, depth=depth)

    def _own(self, schema: dict[str, Json], place: Place, *, fills: bool, depth: int) -> list[str]:
        """Type, finite values, and what is said of each kind of value."""
        allowed = kinds.allowed(schema)
        lines = limits.values(schema, place, self._uses)
        sections = {
            "number": limits.number(schema, place, self._uses),
            "string": limits.string(schema, place, self._uses),
            "array": self._array(schema, place, fills=fills, depth=depth),
            "object": self._object(schema, place, fills=fills, depth=depth),
        }
        sections = {kind: body for kind, body in sections.items() if body and kinds.possible(kind, allowed)}
        if allowed is None or kinds.implied_by_values(schema, allowed):
            return lines + [line for kind, body in sections.items() for line in when(self._is(kind, place), body)]
        refusal = [complaint(place, f"must be {kinds.described(allowed)}")]
        guard = kinds.guard(allowed, place.variable, self._uses)
        if len(sections) == 1 and len(allowed) == 1:
            return lines + when(kinds.negated(guard), refusal, *sections.values())
        lines += when(kinds.negated(guard), refusal)
        return lines + [line for kind, body in sections.items() for line in when(self._is(kind, place), body)]

    def _is(self, kind: str, place: Place) -> str:
        return kinds.guard((kind,), place.variable, self._uses)

    def _array(self, schema: dict[str, Json], place: Place, *, fills: bool, depth: int) -> list[str]:
        lines = limits.sizes("array", schema, place)
        if schema.get("uniqueItems") is True:
            test = f"not {self._uses.runtime('unique')}({place.variable})"
            lines += when(test, [complaint(place, "must not hold an item twice")])
        prefix = items(schema.get("prefixItems"))
        for position, part in enumerate(prefix):
            item = place.item(position, f"{place.variable}[{position}]")
            body = self._below(part, item, fills=fills, depth=depth)
            lines += when(f"len({place.variable}) > {position}", body) if body else []
        if "items" in schema:
            lines += self._items(schema["items"], len(prefix), place, fills=fills, depth=depth)
        return lines + self._contains(schema, place)

    def _items(self, schema: Json, skipped: int, place: Place, *, fills: bool, depth: int) -> list[str]:
        """The items behind `prefixItems`."""
        if schema is False:
            body = [complaint(place, f"must have at most {skipped} items")]
            return when(f"len({place.variable}) > {skipped}", body)
        index, variable = self._loop_variable("index"), self._loop_variable("item")
        self._loops += 1
        body = self._below(schema, place.item(index, variable), fills=fills, depth=depth)
        self._loops -= 1
        if not body:
            return []
        counted = f"{place.variable}[{skipped}:], {skipped}" if skipped else place.variable
        return [f"for {index}, {variable} in enumerate({counted}):", *indented(body)]

    def _contains(self, schema: dict[str, Json], place: Place) -> list[str]:
        if "contains" not in schema:
            return []
        item = self._loop_variable("item")
        test = self._verdict(schema["contains"], item)
        count = f"sum({test} for {item} in {place.variable})"
        least, most = schema.get("minContains", 1), schema.get("maxContains")
        lines: list[str] = []
        if kinds.is_number(least) and least > 0:
            lines += when(f"{count} < {least!r}", [complaint(place, "holds too few items of the kind it must hold")])
        if kinds.is_number(most):
            lines += when(f"{count} > {most!r}", [complaint(place, "holds too many of the items it must hold")])
        return lines

    def _object(self, schema: dict[str, Json], place: Place, *, fills: bool, depth: int) -> list[str]:
        properties = mapping(schema.get("properties"))
        defaults = {
            key: part["default"] for key, part in properties.items() if isinstance(part, dict) and "default" in part
        }
        lines = [
            f"{place.variable}.setdefault({quoted(key)}, {constant_code(value, self._uses).text})"
            for key, value in defaults.items()
            if fills
        ]
        required = texts(schema.get("required"))
        for key in dict.fromkeys([*properties, *required]):
            missing = key in required and not (fills and key in defaults)
            sure = fills and key in defaults
            lines += self._property(key, properties.get(key, True), place, missing, sure, fills=fills, depth=depth)
        lines += self._others(schema, properties, place, fills=fills, depth=depth)
        lines += limits.sizes("object", schema, place)
        return lines + self._dependent(schema, place, depth=depth)

    def _property(
        self, key: str, schema: Json, place: Place, missing: bool, sure: bool, *, fills: bool, depth: int
    ) -> list[str]:
        """One key. `missing`: noted where it is not there; `sure`: it is there."""
        variable = self._names.claim(identifier(key))
        found = f"{place.variable}[{quoted(key)}]"
        inside = place.key(key, f"\x1f{variable}\x1f")
        body = self._below(schema, inside, fills=fills, depth=depth)
        mentions = sum(line.count(inside.variable) for line in body)
        body = [line.replace(inside.variable, found if mentions == 1 else variable) for line in body]
        if mentions > 1:
            body.insert(0, f"{variable} = {found}")
        if sure:
            return body
        if missing:
            refusal = [f"problem.missing({inside.shown})"]
            return when(f"{quoted(key)} not in {place.variable}", refusal, body)
        return when(f"{quoted(key)} in {place.variable}", body) if body else []

    def _others(
        self, schema: dict[str, Json], properties: dict[str, Json], place: Place, *, fills: bool, depth: int
    ) -> list[str]:
        """Keys by pattern, keys that are neither named nor matched, and the names of keys."""
        patterns = mapping(schema.get("patternProperties"))
        rest = schema.get("additionalProperties", True)
        names = schema.get("propertyNames", True)
        if not patterns and rest is True and names is True:
            return []
        key, variable = self._loop_variable("key"), self._loop_variable("entry")
        self._loops += 1
        inside = place.named(key, variable)
        body: list[str] = []
        if names is not True:
            test = kinds.negated(self._verdict(names, key))
            body += when(test, [complaint(inside, "has a name that is not allowed")])
        matched: list[str] = []
        for pattern, part in patterns.items():
            matched.append(f"{self._uses.pattern(pattern)}.search({key})")
            below = self._below(part, inside, fills=fills, depth=depth)
            body += when(matched[-1], below) if below else []
        below = [complaint(inside, "is not known here")] if rest is False else []
        below = below or self._below(rest, inside, fills=fills, depth=depth)
        if below:
            known = [f"{key} not in ({''.join(f'{quoted(name)}, ' for name in properties)})"] if properties else []
            tests = [*known, *(f"not {match}" for match in matched)]
            body += when(" and ".join(tests), below) if tests else below
        self._loops -= 1
        if not body:
            return []
        return [f"for {key}, {variable} in {place.variable}.items():", *indented(body)]

    def _dependent(self, schema: dict[str, Json], place: Place, *, depth: int) -> list[str]:
        lines: list[str] = []
        for key, names in mapping(schema.get("dependentRequired")).items():
            for name in texts(names):
                missing = f"problem.missing({place.key(name, '').shown})"
                lines += when(
                    f"{quoted(key)} in {place.variable} and {quoted(name)} not in {place.variable}", [missing]
                )
        for key, part in mapping(schema.get("dependentSchemas")).items():
            body = self.checks(part, place, fills=False, depth=depth)
            lines += when(f"{quoted(key)} in {place.variable}", body) if body else []
        return lines

    def _combined(self, schema: dict[str, Json], place: Place, *, depth: int) -> list[str]:
        lines: list[str] = []
        if options := items(schema.get("anyOf")):
            test = alternatives([self._verdict(option, place.variable) for option in options])
            lines += when(kinds.negated(test), [complaint(place, "is none of the things that it may be")])
        if options := items(schema.get("oneOf")):
            verdicts = ", ".join(self._verdict(option, place.variable) for option in options)
            test = f"[{verdicts}].count(True) != 1"
            lines += when(test, [complaint(place, "must be exactly one of the things that it may be")])
        if "not" in schema:
            test = self._verdict(schema["not"], place.variable)
            lines += when(test, [complaint(place, "is something that it must not be")])
        if "if" in schema:
            then = self.checks(schema.get("then", True), place, fills=False, depth=depth)
            other = self.checks(schema.get("else", True), place, fills=False, depth=depth)
            test = self._verdict(schema["if"], place.variable) if then or other else ""
            if then:
                lines += when(test, then, other)
            elif other:
                lines += when(kinds.negated(test), other)
        return lines

    def _verdict(self, schema: Json, variable: str) -> str:
        """An expression: whether the value in `variable` satisfies the schema."""
        if not isinstance(schema, dict):
            return "False" if schema is False else "True"
        allowed = kinds.allowed(schema)
        if allowed is not None and schema.keys() <= {"type", "title", "description"}:
            return kinds.guard(allowed, variable, self._uses)
        name = self._uses.names.claim(f"_try_{len(self.functions) + 1}")
        self._define(name, schema, fills=False)
        return f"{self._uses.runtime('accepts')}({name}, {variable})"

    def _below(self, schema: Json, place: Place, *, fills: bool, depth: int) -> list[str]:
        """The checks of a schema one level further in."""
        if depth < MAX_DEPTH or not isinstance(schema, dict) or not kinds.is_nesting(schema):
            return self.checks(schema, place, fills=fills, depth=depth + 1)
        name = self._uses.names.claim(f"_check_{len(self.functions) + 1}")
        self._define(name, schema, fills=fills)
        return [f"{name}({place.variable}, {place.shown}, problem)"]

    def _referred(self, reference: str, place: Place, *, fills: bool) -> list[str]:
        """A call of the function for what a reference leads to."""
        key = (reference, fills)
        if key not in self._known:
            word = "check" if fills else "try"
            wanted = identifier(reference.rpartition("/")[2].strip("#") or "root")
            self._known[key] = self._uses.names.claim(f"_{word}_{wanted}")
            self._define(self._known[key], resolved(reference, self._document), fills=fills)
        return [f"{self._known[key]}({place.variable}, {place.shown}, problem)"]

    def _define(self, name: str, schema: Json, *, fills: bool) -> None:
        """A function of the module that checks one schema."""
        outer = self._names, self._loops
        self._names, self._loops = Namespace(_FIXED), 0
        body = self.checks(schema, Place("value", (Variable("path"),)), fills=fills)
        self._names, self._loops = outer
        arguments = f"value: object, path: str, problem: {self._uses.runtime('Problems')}"
        self.functions.append(Function(name, arguments, "None", tuple(body or ["pass"])))

    def _loop_variable(self, word: str) -> str:
        return _LOOPS[word][min(self._loops, len(_LOOPS[word]) - 1)]
