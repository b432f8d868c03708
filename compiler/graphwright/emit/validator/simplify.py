"""Simplifies schemas, so that nothing remains that would produce no code, or dead code.

It uses what is known about a value (inputs are a mapping, names of keys are strings) and what a type excludes, so that
emitted tests are never ones whose outcome a type checker could determine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from graphwright.emit.validator import kinds
from graphwright.ir import Json
from graphwright.schema.evaluation import described_format, holds
from graphwright.schema.walk import OF_KIND, listed, mapping, pointed, texts

#: Replaces a schema that rejects a value because of its known kind; its value are the kinds that it requires.
NEVER: Final = "never"
#: The keys of an object that certainly exist, because they have defaults.
SURE: Final = "sure"

_SIZES: Final = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
_OBJECT_SIZES: Final = ("minProperties", "maxProperties")


class _RefusedError(Exception):
    """No value satisfies the schema."""


def is_false(schema: Json) -> bool:
    """Whether a simplified schema accepts nothing."""
    return schema is False or (isinstance(schema, dict) and NEVER in schema)


class Simplifier:
    """Simplifies the schemas of one document."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._targets: dict[str, Json] = {}

    def target(self, reference: str) -> Json:
        """The simplified target of a reference; the reference itself while that is being simplified."""
        if reference not in self._targets:
            self._targets[reference] = {"$ref": reference}
            self._targets[reference] = self.simplified(pointed(self._document, reference))
        return self._targets[reference]

    def simplified(self, schema: Json, kind: str | None = None, *, filled: bool = False) -> Json:
        """A boolean, or a mapping in which every keyword matters. `kind` is the kind of the value, if known.

        `filled`: defaults have been filled in, so that these keys exist.
        """
        if not isinstance(schema, dict):
            return schema is not False
        named = kinds.allowed(schema)
        if kind is not None and not kinds.possible(kind, named):
            return {NEVER: list(named or ())}
        try:
            kept = self._kept(schema, named, kind, filled=filled)
        except _RefusedError:
            return False
        parts = listed(kept.get("allOf"))
        return (parts[0] if len(kept) == len(parts) == 1 else kept) or True

    def _kept(
        self, schema: dict[str, Json], named: tuple[str, ...] | None, kind: str | None, *, filled: bool
    ) -> dict[str, Json]:
        kept: dict[str, Json] = {}
        options = _options(schema, named, kind)
        if options is not None:
            kept["enum"] = options
        elif named is not None and kind is None:
            kept["type"] = list(named)
        left = {each for option in options for each in kinds.of(option)} if options is not None else None
        for section, keywords in (
            ("number", {word: schema[word] for word in OF_KIND["number"] if kinds.is_number(schema.get(word))}),
            ("string", self._sized("string", schema)),
            ("array", self._array(schema, filled=filled)),
            ("object", self._object(schema, filled=filled)),
        ):
            known = kind in (None, section) and (left is None or section in left)
            if known and kinds.possible(section, named):
                kept |= keywords
        every = [self.simplified(part, kind, filled=filled) for part in listed(schema.get("allOf"))]
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target = self.target(reference)
            if isinstance(target, dict):
                kept["$ref"] = reference
            every.append(target is not False)
        every += self._combined(schema, kind, kept)
        if any(is_false(part) for part in every):
            raise _RefusedError
        every = [part for part in every if part is not True]
        if every:
            kept["allOf"] = every
        return kept

    # --- what is said of each kind of value -------------------------------------------------------------------

    def _sized(self, kind: str, schema: dict[str, Json]) -> dict[str, Json]:
        """The bounds of a length, except trivial ones; for a string also its pattern and format."""
        least, most = _SIZES.get(kind, _OBJECT_SIZES)
        kept = _counts(schema, least, most)
        if kept.get(least) == 0:
            del kept[least]
        if kind == "string" and isinstance(schema.get("pattern"), str):
            kept["pattern"] = schema["pattern"]
        if kind == "string" and described_format(schema.get("format")) is not None:
            kept["format"] = schema["format"]
        return kept

    def _array(self, schema: dict[str, Json], *, filled: bool) -> dict[str, Json]:
        kept = self._sized("array", schema)
        if schema.get("uniqueItems") is True:
            kept["uniqueItems"] = True
        prefix = [self.simplified(part, filled=filled) for part in listed(schema.get("prefixItems"))]
        others = self.simplified(schema.get("items", True), filled=filled)
        if others is not True:
            kept["items"] = others
        if any(part is not True for part in prefix) or (prefix and others is not True):
            kept["prefixItems"] = prefix
        return kept | self._contains(schema)

    def _contains(self, schema: dict[str, Json]) -> dict[str, Json]:
        bounds = {"minContains": 1} | _counts(schema, "minContains", "maxContains")
        wanted = self.simplified(schema.get("contains", True))
        matters = bounds["minContains"] != 0 or ("maxContains" in bounds and not is_false(wanted))
        return {"contains": wanted, **bounds} if "contains" in schema and matters else {}

    def _object(self, schema: dict[str, Json], *, filled: bool) -> dict[str, Json]:
        kept = self._sized("object", schema)
        given = mapping(schema.get("properties"))
        sure = [name for name, part in given.items() if filled and isinstance(part, dict) and "default" in part]
        required: list[Json] = [name for name in dict.fromkeys(texts(schema.get("required"))) if name not in sure]
        rest = self.simplified(schema.get("additionalProperties", True), filled=filled)
        telling = rest is not True  # then all names and patterns matter, because they determine the additional keys
        entries: dict[str, Json] = {
            "required": required,
            "properties": self._each(given, filled=filled, every=telling),
            "patternProperties": self._each(mapping(schema.get("patternProperties")), filled=filled, every=telling),
            "dependentRequired": {
                key: names for key, names in mapping(schema.get("dependentRequired")).items() if texts(names)
            },
            "dependentSchemas": self._each(mapping(schema.get("dependentSchemas")), "object"),
        }
        kept |= {word: each for word, each in entries.items() if each}
        schemas = {
            "additionalProperties": rest,
            "propertyNames": self.simplified(schema.get("propertyNames", True), "string"),
        }
        kept |= {word: each for word, each in schemas.items() if each is not True}
        if kept and sure:
            kept[SURE] = [*sure]
        return kept

    def _each(
        self, schemas: dict[str, Json], kind: str | None = None, *, filled: bool = False, every: bool = False
    ) -> dict[str, Json]:
        """The schemas by name; without `every`, only those that restrict something."""
        found = {name: self.simplified(part, kind, filled=filled) for name, part in schemas.items()}
        return {name: part for name, part in found.items() if every or part is not True}

    # --- schemas about the same value -------------------------------------------------------------------------

    def _combined(self, schema: dict[str, Json], kind: str | None, kept: dict[str, Json]) -> Iterable[Json]:
        """Add what remains of alternatives to `kept`, and return the schemas that must always be satisfied."""
        if "anyOf" in schema:
            options = [self.simplified(part, kind) for part in listed(schema["anyOf"])]
            yield self._some("anyOf", [part for part in options if not is_false(part)], kept)
        if "oneOf" in schema:
            yield self._one([self.simplified(part, kind) for part in listed(schema["oneOf"])], kept)
        if "not" in schema:
            excluded = self.simplified(schema["not"], kind)
            if excluded is True:
                raise _RefusedError
            if not is_false(excluded):
                kept["not"] = excluded
        if "if" in schema:
            yield self._conditional(schema, kind, kept)

    def _some(self, keyword: str, options: list[Json], kept: dict[str, Json]) -> Json:
        if not options:
            raise _RefusedError
        if True in options or len(options) == 1:
            return True if True in options else options[0]
        kept[keyword] = list(options)
        return True

    def _one(self, options: list[Json], kept: dict[str, Json]) -> Json:
        others = [part for part in options if part is not True and not is_false(part)]
        sure = sum(part is True for part in options)
        if sure == 0:
            return self._some("oneOf", others, kept)
        if sure > 1:
            raise _RefusedError
        if len(others) == 1:
            return {"not": others[0]}
        return {"not": {"anyOf": list(others)}} if others else True

    def _conditional(self, schema: dict[str, Json], kind: str | None, kept: dict[str, Json]) -> Json:
        test = self.simplified(schema["if"], kind)
        then, other = (self.simplified(schema.get(word, True), kind) for word in ("then", "else"))
        if test is True or is_false(test):
            return then if test is True else other
        if then is not True or other is not True:
            kept |= {"if": test, "then": then, "else": other}
        return True


def _options(schema: dict[str, Json], named: tuple[str, ...] | None, kind: str | None) -> list[Json] | None:
    """The values that `enum` and `const` allow, limited to possible kinds; None if there is no limit."""
    options = listed(schema["enum"]) if "enum" in schema else None
    if "const" in schema:
        options = [schema["const"]] if options is None or holds(options, schema["const"]) else []
    if options is None:
        return None
    found: list[Json] = []
    for option in options:
        fits = named is None or not kinds.of(option).isdisjoint(named)
        if fits and (kind is None or kind in kinds.of(option)) and not holds(found, option):
            found.append(option)
    if not found:
        raise _RefusedError
    return found


def _counts(schema: dict[str, Json], *words: str) -> dict[str, Json]:
    """Keywords for lengths and counts, which may be written as floats without a fraction."""
    found = {word: schema.get(word) for word in words}
    return {word: int(count) for word, count in found.items() if kinds.is_number(count)}
