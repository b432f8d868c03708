"""Strategies for JSON Schemas (draft 2020-12) with all keywords of the draft, and for values to hold against them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import create

from graphwright.ir import Json

KEYS = ["a", "b", "c", "class", "a.b", "{x}", 'q"', "path", "%25", "x/y", "~t"]
keys = st.sampled_from(KEYS)
numbers: SearchStrategy[Json] = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([0.0, 1.0, 1.5, -2.0, 0.1, 0.3, 19.99, 1e300, 2**70, -(2**70), 2.0**70, 10**40]),
)
_scalars: SearchStrategy[Json] = st.one_of(
    st.none(),
    st.booleans(),
    numbers,
    st.sampled_from(["", "a", "ab", "abc", "x1", "é", "{x}", "it's", 'q"', "line\nline", "\u2028"]),
)
values: SearchStrategy[Json] = st.recursive(
    _scalars,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(keys, below, max_size=3)),
    max_leaves=6,
)
inputs: SearchStrategy[dict[str, Json]] = st.dictionaries(keys, values, max_size=4)

_types = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
_bounds = st.sampled_from([-2, -1, 0, 1, 2, -0.5, 1.0, 1e300, 2**70])
_counts = st.integers(0, 3)

#: Places that references lead to: definitions, and schemas that stand elsewhere in the document.
REFERENCES = ["#/$defs/one", "#/$defs/two", "#/%24defs/x~1y", "#/$defs/x~1y", "#/$defs/%25", "#/$defs/one/allOf/0"]


def _keywords(below: SearchStrategy[Json], *, defaults: bool) -> SearchStrategy[Json]:
    few = st.lists(below, min_size=1, max_size=3)
    keyed = st.dictionaries(keys, below, max_size=3)
    optional: dict[str, SearchStrategy[Json]] = {
        "type": st.one_of(_types, st.lists(_types, min_size=1, max_size=3, unique=True).map(list)),
        "enum": st.lists(values, min_size=1, max_size=3),
        "const": values,
        "minimum": _bounds,
        "maximum": _bounds,
        "exclusiveMinimum": _bounds,
        "exclusiveMaximum": _bounds,
        "multipleOf": st.sampled_from([1, 2, 0.5, 0.1, 0.01, 3.0, 2**70]),
        "minLength": _counts,
        "maxLength": _counts,
        "pattern": st.sampled_from(["^a", "[0-9]", "b$", '"', "\\.", "'"]),
        "minItems": _counts,
        "maxItems": _counts,
        "uniqueItems": st.booleans(),
        "prefixItems": few,
        "items": below,
        "contains": below,
        "minContains": st.integers(0, 2),
        "maxContains": st.integers(0, 2),
        "properties": keyed,
        "required": st.lists(keys, max_size=2, unique=True).map(list),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b", "\\."]), below, max_size=2),
        "additionalProperties": below,
        "propertyNames": below,
        "minProperties": _counts,
        "maxProperties": _counts,
        "dependentRequired": st.dictionaries(keys, st.lists(keys, max_size=2, unique=True).map(list), max_size=2),
        "dependentSchemas": keyed,
        "allOf": few,
        "anyOf": few,
        "oneOf": few,
        "not": below,
        "if": below,
        "then": below,
        "else": below,
        "$ref": st.sampled_from(REFERENCES),
        "title": st.sampled_from(["a title", 'a "title"\n']),
        "unevaluatedProperties": below,
        "unevaluatedItems": below,
    }
    if defaults:
        optional["default"] = values
    rare = {"unevaluatedProperties", "unevaluatedItems", "title"}
    pool = [name for name in sorted(optional) for _ in range(1 if name in rare else 3)]
    # Keywords that say little without each other.
    together = st.sampled_from(
        ["if then else", "if else", "contains minContains maxContains", "prefixItems items", "type items", "type enum",
         "properties required additionalProperties", "properties patternProperties additionalProperties",
         "type properties", "type const", ""]
    ).map(str.split)  # fmt: skip
    chosen = st.tuples(st.lists(st.sampled_from(pool), max_size=4), together).map(
        lambda both: sorted({*both[0], *both[1]})
    )
    return chosen.flatmap(
        lambda names: st.fixed_dictionaries({name: optional[name] for name in names}).map(lambda each: each)
    )


def schemas(*, defaults: bool = False, max_leaves: int = 8) -> SearchStrategy[Json]:
    """One schema without definitions; its references are among `REFERENCES`."""
    return st.recursive(st.booleans(), lambda below: _keywords(below, defaults=defaults), max_leaves=max_leaves)


@st.composite
def documents(draw: st.DrawFn, *, defaults: bool = False) -> dict[str, Json]:
    """A schema of inputs with its definitions, in which no schema leads to itself without a step into the value."""
    main = draw(schemas(defaults=defaults))
    if not isinstance(main, dict):
        main = {"properties": {"a": main}}
    defs: dict[str, Json] = {}
    for name in ("one", "two", "x/y", "%"):
        part = draw(schemas(defaults=defaults, max_leaves=4))
        _without_references(part)
        defs[name] = part
    first = draw(schemas(defaults=defaults, max_leaves=3))
    _without_references(first)
    defs["one"] = {"allOf": [first]}
    if draw(st.booleans()):  # recursion, one step further in
        defs["two"] = {"properties": {"a": {"$ref": "#/$defs/two"}, "b": defs["two"]}, "items": {"$ref": "#/$defs/two"}}
    return {**main, "$defs": defs}


def _without_references(schema: Json) -> None:
    if isinstance(schema, dict):
        schema.pop("$ref", None)
        for each in schema.values():
            _without_references(each)
    elif isinstance(schema, list):
        for each in schema:
            _without_references(each)


def _multiple(_: object, factor: float, value: object, __: object) -> Iterator[ValidationError]:
    """`multipleOf` of numbers as they are written: 19.99 is a multiple of 0.01, which binary fractions deny."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        ratio = Fraction(str(value)) / Fraction(str(factor))
        if ratio.denominator != 1:
            yield ValidationError("not a multiple")


_ORACLE = create(
    Draft202012Validator.META_SCHEMA,
    {**Draft202012Validator.VALIDATORS, "multipleOf": _multiple},
    type_checker=Draft202012Validator.TYPE_CHECKER,
)


def is_valid(document: dict[str, Json], value: object) -> bool:
    """The verdict of the library jsonschema."""
    return bool(_ORACLE(document).is_valid(value))
