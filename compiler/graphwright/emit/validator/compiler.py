"""Compiles schemas to statements.

Each schema becomes statements about one variable: inline if that is readable; in a function if the schema is
referenced, is only tested (`anyOf`, `not`, `if`), or is nested deeply. Schemas are simplified before, so each remaining
keyword results in code. Defaults are filled in before (`defaults.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final

from graphwright.emit.blocks import indented
from graphwright.emit.literals import quoted
from graphwright.emit.model import Function
from graphwright.emit.scope import TAKEN
from graphwright.emit.uses import Uses
from graphwright.emit.validator import kinds, limits
from graphwright.emit.validator.alternatives import alternatives_checked
from graphwright.emit.validator.blocks import is_heavy, portions, when
from graphwright.emit.validator.entries import entries_checked
from graphwright.emit.validator.instance import Instance, Variable, complaint
from graphwright.emit.validator.simplify import NEVER, SURE, Simplifier, is_false
from graphwright.ir import Json
from graphwright.names import Namespace, identifier
from graphwright.record import replace
from graphwright.schema.walk import OF_KIND, listed, mapping, texts

#: Objects and lists at deeper levels are checked by a separate function.
MAX_DEPTH: Final = 3

#: Loop variables by how many loops around them have the same one.
LOOPS: Final = {
    word: [word, *(f"{word}_{level}" for level in range(2, 12))] for word in ("entry", "index", "item", "key")
}

#: Names with a meaning in validating functions, which are not used for inputs.
FIXED: Final = TAKEN.union({"inputs", "matching", "option", "path", "problem", "value"}, *LOOPS.values())


class Compiler:
    """Compiles one document. `functions` collects the functions that the statements call, callees first."""

    def __init__(self, document: Json, uses: Uses) -> None:
        self._document = document
        self.simplifier = Simplifier(document)
        self.uses = uses
        self.names = Namespace(FIXED)
        self._loops = dict.fromkeys(LOOPS, 0)
        self._known: dict[tuple[str, bool], str] = {}
        self._remembers = False
        self.functions: list[Function] = []
        self._numbers = count(1)

    def define(self, name: str, schema: Json) -> None:
        """Define a function that checks values, in which no defaults are filled in."""
        self._define(name, self.simplifier.simplified(schema), None)

    def root(self) -> list[str]:
        """Statements that check the inputs as a whole, a mapping with defaults filled in."""
        return self.checks(
            self.simplifier.simplified(self._document, "object", filled=True), Instance("inputs", "object")
        )

    def checks(self, schema: Json, instance: Instance, depth: int = 0) -> list[str]:
        """Statements that report problems with `instance` according to a simplified schema."""
        if not isinstance(schema, dict):
            return [complaint(instance, "is not allowed")] if schema is False else []
        if NEVER in schema:
            return [complaint(instance, f"must be {kinds.described(texts(schema[NEVER]))}")]
        lines: list[str] = []
        reference = schema.get("$ref")
        if isinstance(reference, str):
            name, given = self._referred(reference, rooted=not instance.path), f"{instance.variable}, {instance.shown}"
            # below references, the number of paths to one schema for one value can double at every level
            lines.append(f"problem.once({name}, {given})" if self._remembers else f"{name}({given}, problem)")
        lines += self._own(schema, instance, depth)
        for part in listed(schema.get("allOf")):
            lines += self.checks(part, instance, depth)
        return lines + self._combined(schema, instance, depth)

    def _own(self, schema: dict[str, Json], instance: Instance, depth: int) -> list[str]:
        """Checks of the type, of finite values, and of the keywords for each kind."""
        lines = limits.values(schema, instance, self.uses)
        sections: dict[str, list[str]] = {}
        for kind, keywords in OF_KIND.items():
            if not schema.keys().isdisjoint(keywords):
                sections[kind] = self._section(kind, schema, replace(instance, kind=kind), depth)
        if instance.kind is not None:
            return lines + [line for body in sections.values() for line in body]
        allowed = kinds.allowed(schema)
        if allowed is not None:
            refusal = [complaint(instance, f"must be {kinds.described(allowed)}")]
            test = kinds.negated(kinds.guard(allowed, instance.variable, self.uses))
            if len(sections) == 1 and len(allowed) == 1:
                return lines + when(test, refusal, *sections.values())
            lines += when(test, refusal)
        for kind, body in sections.items():
            lines += when(kinds.guard((kind,), instance.variable, self.uses), body)
        return lines

    def _section(self, kind: str, schema: dict[str, Json], instance: Instance, depth: int) -> list[str]:
        match kind:
            case "number":
                return limits.number(schema, instance, self.uses)
            case "string":
                return limits.string(schema, instance, self.uses)
            case "array":
                return self._array(schema, instance, depth)
            case _:
                return self._object(schema, instance, depth)

    # --- lists ------------------------------------------------------------------------------------------------

    def _array(self, schema: dict[str, Json], instance: Instance, depth: int) -> list[str]:
        lines = limits.sizes("array", schema, instance)
        if "uniqueItems" in schema:
            test = f"not {self.uses.runtime('unique')}({instance.variable})"
            lines += when(test, [complaint(instance, "must not contain duplicate items")])
        prefix = listed(schema.get("prefixItems"))
        for position, part in enumerate(prefix):
            if part is not True:
                item = instance.item(position, f"{instance.variable}[{position}]")
                lines += when(f"len({instance.variable}) > {position}", self.below(part, item, depth))
        if "items" in schema:
            lines += self._items(schema["items"], len(prefix), instance, depth)
        return lines + self._contains(schema, instance)

    def _items(self, schema: Json, skipped: int, instance: Instance, depth: int) -> list[str]:
        """The items after `prefixItems`."""
        if schema is False:
            return when(
                f"len({instance.variable}) > {skipped}", [complaint(instance, f"must have at most {skipped} items")]
            )
        with self.loop("index", "item") as (index, variable):
            body = self.below(schema, instance.item(index, variable), depth)
        counted = f"{instance.variable}[{skipped}:], {skipped}" if skipped else instance.variable
        return [f"for {index}, {variable} in enumerate({counted}):", *indented(body)]

    def _contains(self, schema: dict[str, Json], instance: Instance) -> list[str]:
        if "contains" not in schema:
            return []
        least, most = schema["minContains"], schema.get("maxContains")
        too_few = [complaint(instance, "has too few items that match `contains`")]
        if is_false(schema["contains"]):
            return too_few
        count = f"len({instance.variable})"
        if schema["contains"] is not True:
            with self.loop("item") as (item,):
                count = f"sum({self.verdict(schema['contains'], Instance(item))} for {item} in {instance.variable})"
        lines = when(f"{count} < {least!r}", too_few) if least != 0 else []
        if most is not None:
            lines += when(f"{count} > {most!r}", [complaint(instance, "has too many items that match `contains`")])
        return lines

    # --- mappings ---------------------------------------------------------------------------------------------

    def _object(self, schema: dict[str, Json], instance: Instance, depth: int) -> list[str]:
        lines: list[str] = []
        properties, sure = mapping(schema.get("properties")), texts(schema.get(SURE))
        required = texts(schema.get("required"))
        keys = tuple(dict.fromkeys([*properties, *required]))
        parts = portions(keys, properties)
        if len(parts) > 1:
            lines += [self._portion(schema, part, instance) for part in parts]
        else:
            for key in keys:
                lines += self._property(key, properties.get(key, True), instance, key in required, key in sure, depth)
        lines += entries_checked(self, schema, instance, depth)
        lines += limits.sizes("object", schema, instance)
        return lines + self._dependent(schema, instance, depth)

    def _portion(self, schema: dict[str, Json], keys: tuple[str, ...], instance: Instance) -> str:
        """A call of a function that checks some of the keys of a mapping with very many."""
        properties = mapping(schema.get("properties"))
        part: dict[str, Json] = {"properties": {key: properties[key] for key in keys if key in properties}}
        for word in ("required", SURE):
            part[word] = [key for key in texts(schema.get(word)) if key in keys]
        name = self.uses.names.claim(f"_check_{next(self._numbers)}")
        self._define(name, part, "object", rooted=not instance.path)
        return f"{name}({instance.variable}, {instance.shown}, problem)"

    def _property(self, key: str, schema: Json, instance: Instance, missing: bool, sure: bool, depth: int) -> list[str]:
        """Checks of one key. `missing`: its absence is a problem; `sure`: it certainly exists."""
        variable = self.names.claim(identifier(key))
        found = f"{instance.variable}[{quoted(key)}]"
        inside = instance.key(key, f"\x1f{variable}\x1f")
        body = self.below(schema, inside, depth)
        mentions = sum(line.count(inside.variable) for line in body)
        body = [line.replace(inside.variable, found if mentions == 1 else variable) for line in body]
        if mentions > 1:
            body.insert(0, f"{variable} = {found}")
        if sure:
            return body
        if missing:
            refusal = [f"problem.missing({inside.shown})"]
            return when(f"{quoted(key)} not in {instance.variable}", refusal, body)
        return when(f"{quoted(key)} in {instance.variable}", body) if body else []

    def _dependent(self, schema: dict[str, Json], instance: Instance, depth: int) -> list[str]:
        lines: list[str] = []
        for key, names in mapping(schema.get("dependentRequired")).items():
            for name in dict.fromkeys(texts(names)):
                missing = f"problem.missing({instance.key(name, '').shown})"
                lines += when(
                    f"{quoted(key)} in {instance.variable} and {quoted(name)} not in {instance.variable}", [missing]
                )
        for key, part in mapping(schema.get("dependentSchemas")).items():
            lines += when(f"{quoted(key)} in {instance.variable}", self.below(part, instance, depth))
        return lines

    # --- schemas about the same value -------------------------------------------------------------------------

    def _combined(self, schema: dict[str, Json], instance: Instance, depth: int) -> list[str]:
        lines = alternatives_checked(self, schema, instance)
        if "not" in schema:
            test = self.verdict(schema["not"], instance)
            lines += when(test, [complaint(instance, "matches a schema that is not allowed")])
        if "if" in schema:
            test = self.verdict(schema["if"], instance)
            then = self.below(schema["then"], instance, depth)
            other = self.below(schema["else"], instance, depth)
            lines += when(test, then, other) if then else when(kinds.negated(test), other)
        return lines

    def verdict(self, schema: Json, instance: Instance) -> str:
        """An expression that tests whether a value satisfies a simplified schema other than a boolean."""
        return self.tested(schema, self.function(schema, instance), instance)

    def tested(self, schema: Json, function: str | None, instance: Instance) -> str:
        """The same, with the function that `function` returned for the schema."""
        if function is None:
            return kinds.guard(kinds.allowed(mapping(schema)) or (), instance.variable, self.uses)
        asked = "problem.accepts" if self._remembers else self.uses.runtime("accepts")
        return f"{asked}({function}, {instance.variable})"

    def function(self, schema: Json, instance: Instance) -> str | None:
        """The function that checks a simplified schema other than a boolean; None if only the kind matters."""
        if not isinstance(schema, dict):
            raise TypeError("a boolean schema has no verdict to ask for")
        if len(schema) == 1 and kinds.allowed(schema) is not None:
            return None
        if len(schema) == 1 and isinstance(reference := schema.get("$ref"), str):
            return self._referred(reference)
        name = self.uses.names.claim(f"_try_{next(self._numbers)}")
        self._define(name, schema, instance.kind)
        return name

    def below(self, schema: Json, instance: Instance, depth: int) -> list[str]:
        """The checks of a schema at the next level."""
        inline = depth < MAX_DEPTH and not is_heavy(schema)
        if inline or not isinstance(schema, dict) or not kinds.is_nesting(schema):
            return self.checks(schema, instance, depth + 1)
        name = self.uses.names.claim(f"_check_{next(self._numbers)}")
        self._define(name, schema, instance.kind, rooted=not instance.path)
        return [f"{name}({instance.variable}, {instance.shown}, problem)"]

    def _referred(self, reference: str, *, rooted: bool = False) -> str:
        """The name of the function for the target of a reference; `rooted`: for the whole document."""
        known = reference, rooted
        if known not in self._known:
            wanted = identifier(reference.rpartition("/")[2].strip("#") or "root")
            self._known[known] = self.uses.names.claim(f"_check_{wanted}")
            self._define(self._known[known], self.simplifier.target(reference), None, rooted=rooted, target=True)
        return self._known[known]

    def _define(self, name: str, schema: Json, kind: str | None, *, rooted: bool = False, target: bool = False) -> None:
        """Define a function for one schema. `rooted`: that of the document, without a path; `target`: of a `$ref`."""
        outer = self.names, self._loops, self._remembers
        self.names, self._loops, self._remembers = Namespace(FIXED), dict.fromkeys(LOOPS, 0), target or self._remembers
        body = self.checks(schema, Instance("value", kind, () if rooted else (Variable("path"),))) or ["pass"]
        self.names, self._loops, self._remembers = outer
        held = {"object": "dict[str, object]", "string": "str"}.get(kind or "", "object")
        arguments = f"value: {held}, path: str, problem: {self.uses.runtime('Problems')}"
        self.functions.append(Function(name, arguments, "None", tuple(body)))

    @contextmanager
    def loop(self, *words: str) -> Iterator[tuple[str, ...]]:
        """The names of the variables of a loop, whose body is emitted in this block."""
        names = tuple(LOOPS[word][min(self._loops[word], len(LOOPS[word]) - 1)] for word in words)
        for word in words:
            self._loops[word] += 1
        yield names
        for word in words:
            self._loops[word] -= 1
