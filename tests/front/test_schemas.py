"""Declared schemas: valid, self-contained, and their defaults among what they allow."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from front.reading import codes_of, graph, only
from graphwright.diagnostic import Json
from graphwright.faults.schemas import BadDefault, EndlessDefault, InvalidSchema
from graphwright.schema.defaults import filled_default
from graphwright.schema.evaluation import violation
from running import run_text

DONE = "    done: {type: return}\n"


def schema(text: str) -> str:
    return graph(DONE, start="done", top=f"config_schema: {text}\n")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("{type: text}", 23),
        ("{type: []}", 23),
        ("{properties: [a]}", 29),
        ("{properties: {a: 5}}", 33),
        ("{required: true}", 27),
        ("{required: [1]}", 27),
        ("{properties: {a: {minimum: '1'}}}", 43),
        ("{properties: {a: {minLength: -1}}}", 45),
        ("{properties: {a: {multipleOf: 0}}}", 46),
        ("{properties: {a: {pattern: '('}}}", 43),
        ("{patternProperties: {'(': {}}}", 37),
        ("{properties: {a: {enum: x}}}", 40),
        ("{properties: {a: {uniqueItems: 1}}}", 47),
        ("{properties: {a: {items: [1]}}}", 41),
        ("{anyOf: []}", 24),
        ("{anyOf: [5]}", 25),
        ("{title: 5}", 24),
        ("{dependentRequired: {a: b}}", 36),
        ("{$ref: 'https://example.com/a.json'}", 23),
        ("{$ref: 'other.json#/a'}", 23),
        ("{$ref: '#/$defs/nothing'}", 23),
        ("{$ref: 5}", 23),
        ("{$ref: '#/allOf/1', allOf: [true]}", 23),
        ("{$ref: '#/allOf/²', allOf: [true]}", 23),
        ("{$dynamicRef: '#/$defs/nothing'}", 30),
        ("{$ref: '#nothing', $defs: {a: {$anchor: something}}}", 23),
        ("{$ref: '#/$defs/b', $defs: {a: {$id: 'urn:a', $defs: {b: true}}}}", 23),
        ("{$ref: 'urn:c', $defs: {a: {$id: 'urn:a'}}}", 23),
        ("{properties: {a: {maxItems: 1.5}}}", 44),
        ("{propeties: {a: {}}}", 17),
        ("{Type: object}", 17),
        ("{properties: {a: {type: object, requird: [b]}}}", 48),
        ("{properties: {type: {typ: string}}}", 37),
    ],
)
def test_invalid(text: str, column: int) -> None:
    assert only(schema(text), InvalidSchema).span.column == column


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("{$id: 5, $ref: '#a'}", 22),
        ("{$anchor: 5, $ref: '#a'}", 26),
        ("{properties: [a], $anchor: b, $ref: '#b'}", 29),
        ("{anyOf: 3, $anchor: x, properties: {a: {$ref: '#x', default: 3}}}", 24),
        ("{$defs: {a: 5}, $anchor: x, properties: {a: {$ref: '#x', default: 3}}}", 28),
    ],
)
def test_where_schemas_have_names_and_one_is_invalid(text: str, column: int) -> None:
    assert only(schema(text), InvalidSchema).span.column == column


def test_a_type_that_there_is_not_is_named() -> None:
    assert only(schema("{properties: {a: {type: [string, strng]}}}"), InvalidSchema).problem == (
        "`type` must be one of null, boolean, integer, number, string, array, object, or a list of them, not `strng`"
    )


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{type: object, properties: {a: {type: [string, 'null']}, b: true}, required: [a], maxProperties: 2}",
        "{$defs: {team: {type: string}}, properties: {a: {$ref: '#/$defs/team'}}}",
        "{$defs: {'a/b': {}}, properties: {a: {$ref: '#/$defs/a~1b'}}}",
        "{properties: {propeties: {}, typ: {example: 1, order: 2, label: x, kind: k, unit: z, x-type: w}}}",
        "{properties: {a: {$anchor: here}, b: {$ref: '#here'}, c: {$ref: '#'}}}",
        "{allOf: [{if: {type: object}, then: {required: [a]}, else: false}], unevaluatedProperties: false}",
        "{x-anything: 5, unknown: [1], properties: {properties: {type: string}, required: {type: array}}}",
        "{properties: {a: {default: 5, enum: [5, six, null], examples: [1]}}}",
    ],
)
def test_valid(text: str) -> None:
    assert codes_of(schema(text)) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{properties: {limit: {type: integer, minimum: 1, default: 0}}}", "limit"),
        ("{properties: {mode: {enum: [a, b], default: c}}}", "mode"),
        ("{properties: {on: {type: boolean, default: 1}}}".replace("on:", '"on":'), "on"),
        ("{properties: {list: {type: array, items: {type: string}, default: [a, 1]}}}", "list"),
        ("{properties: {deep: {type: object, properties: {x: {type: string, default: 5}}}}}", "x"),
        ("{properties: {map: {type: object, required: [a], default: {}}}}", "map"),
        ("{$defs: {t: {maxLength: 2}}, properties: {a: {$ref: '#/$defs/t', default: abc}}}", "a"),
    ],
)
def test_defaults_that_their_schema_refuses(text: str, name: str) -> None:
    assert only(schema(text), BadDefault).name == name


def test_a_default_is_completed_by_inner_defaults_before_it_is_judged() -> None:
    text = "{properties: {map: {type: object, required: [a], properties: {a: {default: 1}}, default: {}}}}"
    assert codes_of(schema(text)) == []


@pytest.mark.parametrize(
    "below",
    [
        "$ref: '#/$defs/t'",
        "allOf: [{$ref: '#/$defs/t'}]",
        "allOf: [{properties: {a: {default: 1}}}], required: [a]",
        "patternProperties: {'^k': {$ref: '#/$defs/t'}}, properties: {k1: {required: [a]}}",
        "additionalProperties: {$ref: '#/$defs/t'}, properties: {j: {}}",
    ],
)
def test_defaults_come_from_wherever_a_run_takes_them(below: str) -> None:
    part = "{required: [a], properties: {a: {default: 1}}}"
    text = f"{{$defs: {{t: {part}}}, properties: {{map: {{{below}, default: {{k1: {{}}}}}}}}}}"
    assert codes_of(schema(text)) == []


def test_list_items_are_completed_before_they_are_judged() -> None:
    item = "{required: [a], properties: {a: {default: 1}}}"
    text = f"{{properties: {{rows: {{prefixItems: [{{}}], items: {item}, default: [{{}}, {{}}]}}}}}}"
    assert codes_of(schema(text)) == []


ENDLESS = {
    "itself": ("{$defs: {t: {properties: {next: {$ref: '#/$defs/t', default: {}}}}}}", "next"),
    "the whole": ("{properties: {next: {$ref: '#', default: {}}}}", "next"),
    "through allOf": ("{properties: {next: {allOf: [{$ref: '#'}], default: {}}}}", "next"),
    "through a list": ("{properties: {next: {type: array, items: {$ref: '#'}, default: [{}]}}}", "next"),
    "through a value": ("{properties: {next: {additionalProperties: {$ref: '#'}, default: {k: {}}}}}", "next"),
    "two in turn": (
        """{$defs: {t: {properties: {b: {$ref: '#/$defs/u', default: {}}}},
            u: {properties: {a: {$ref: '#/$defs/t', default: {}}}}},
            properties: {top: {$ref: '#/$defs/t', default: {}}}}""",
        "b",
    ),
}


@pytest.mark.parametrize(("text", "name"), ENDLESS.values(), ids=ENDLESS)
def test_a_default_that_contains_itself(text: str, name: str) -> None:
    fault = only(schema(text), EndlessDefault)
    assert (fault.name, fault.endless) == (name, "itself")


def test_defaults_that_multiply() -> None:
    twice = ", ".join(f"{side}: {{$ref: '#/$defs/tN', default: {{}}}}" for side in ("l", "r"))
    doubled = ", ".join(f"t{n}: {{properties: {{{twice}}}}}".replace("tN", f"t{n + 1}") for n in range(40))
    text = f"{{$defs: {{{doubled}, t40: {{}}}}, properties: {{a: {{$ref: '#/$defs/t0', default: {{}}}}}}}}"
    assert only(schema(text), EndlessDefault).endless == "too many others"


@pytest.mark.parametrize(
    "text",
    [
        "{properties: {next: {$ref: '#', default: null}}}",
        "{properties: {next: {$ref: '#', default: {next: null}}}}",
        "{properties: {next: {anyOf: [{$ref: '#'}, {type: 'null'}], default: {}}}}",
        "{properties: {rows: {items: {$ref: '#'}, default: []}}}",
        "{properties: {a: {items: {$ref: '#/$defs/t'}, default: [{}]}}, $defs: {t: {properties: {a: {default: 1}}}}}",
        """{properties: {k: {allOf: [{properties: {a: {default: {}}}}], default: {}}},
            allOf: [{properties: {k: {properties: {a: {properties: {k: {default: 1}}}}}}}]}""",
        """{properties: {m: {patternProperties: {^a: {properties: {x: {default: 1}}}},
            additionalProperties: {properties: {y: {default: 2}}}, default: {ab: {}, b: {}}}}}""",
        """{properties: {p: {prefixItems: [{properties: {x: {default: 1}}}],
            items: {properties: {y: {default: 2}}}, default: [{}, {}, 3]}}}""",
    ],
)
def test_recursive_schemas_whose_defaults_end(text: str) -> None:
    assert codes_of(schema(text)) == []
    document = yaml.safe_load(text)
    node = {"type": "return", "output": "${inputs}"}
    graph = {"tool_type": "graph", "config_schema": document, "config": {"start": "done", "nodes": {"done": node}}}
    ran = run_text(yaml.safe_dump(graph), {}, {}).result
    assert ran.output == filled_default({"default": {}, **document}, document)


@pytest.mark.parametrize(
    "value",
    ["1" + "0" * 5_000, "-" + "7" * 4_400, "0x" + "f" * 4_500, "0" + "7" * 6_000, "2020-01-01", ".nan", "-.inf"],
)
@pytest.mark.parametrize("place", ["type: integer, default: {}", "minLength: {}, default: a", "const: {}, default: 1"])
def test_of_what_json_does_not_have_nothing_more_is_said(value: str, place: str) -> None:
    found = codes_of(schema("{properties: {a: {" + place.replace("{}", value) + "}}}"))
    assert [each.split()[0] for each in found] == ["GW003"]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 1.0, 2.5])
    | st.sampled_from(["", "a", "ab", "b1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=5,
)
_leaves = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])}
    ),
    st.fixed_dictionaries({"enum": st.lists(VALUES, min_size=1, max_size=3)}),
    st.fixed_dictionaries({"const": VALUES}),
    st.fixed_dictionaries({"minimum": st.integers(-2, 2)}, optional={"exclusiveMaximum": st.integers(-2, 3)}),
    st.fixed_dictionaries({"minLength": st.integers(0, 2)}, optional={"pattern": st.sampled_from(["^a", "b"])}),
    st.fixed_dictionaries({"minItems": st.integers(0, 2)}, optional={"uniqueItems": st.booleans()}),
    st.fixed_dictionaries({"required": st.lists(st.sampled_from("abc"), max_size=2, unique=True)}),
    st.fixed_dictionaries({"dependentRequired": st.just({"a": ["b"]})}),
)
SCHEMAS = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {"properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2)},
            optional={"additionalProperties": inner | st.booleans()},
        ),
        st.fixed_dictionaries({"items": inner}),
        st.fixed_dictionaries({"prefixItems": st.lists(inner, min_size=1, max_size=2), "items": st.just(False)}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"oneOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"not": inner}),
        st.fixed_dictionaries({"patternProperties": st.dictionaries(st.sampled_from(["a", "^b"]), inner, max_size=2)}),
        st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner}),
        st.fixed_dictionaries(
            {"contains": inner}, optional={"minContains": st.integers(0, 2), "maxContains": st.integers(0, 2)}
        ),
        st.fixed_dictionaries({"propertyNames": inner}),
        st.fixed_dictionaries({"dependentSchemas": st.dictionaries(st.sampled_from("abc"), inner, max_size=2)}),
    ),
    max_leaves=4,
)


@given(value=VALUES, declared=SCHEMAS)
@settings(max_examples=300, deadline=None)
def test_judged_like_jsonschema(value: Json, declared: Json) -> None:
    expected = Draft202012Validator(declared).is_valid(value)  # type: ignore[arg-type]
    assert (violation(value, declared, declared) is None) is expected


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [{"$ref": "#"}, {"$ref": "#"}], "type": "integer"},
        {"oneOf": [{"$ref": "#"}], "type": "integer"},
        {"anyOf": [{"$ref": "#/$defs/0"}], "$defs": {
            str(number): {"allOf": [{"$ref": f"#/$defs/{number + 1}"}] * 2} for number in range(25)
        } | {"25": {"type": "integer"}}},
    ],
)  # fmt: skip
def test_a_schema_that_leads_back_to_itself_is_looked_into_once(schema: dict[str, Json]) -> None:
    assert violation(1, schema, schema) is None
    assert violation("x", schema, schema) is not None


@pytest.mark.parametrize(("value", "divisor", "fits"), [
    (10**400, 5, True), (10**400 + 1, 5, False), (7.5, 2.5, True), (7, 2.5, False), (1.0e300, 1.0e-300, True),
])  # fmt: skip
def test_multiples(value: float, divisor: float, fits: bool) -> None:
    assert (violation(value, {"multipleOf": divisor}, {}) is None) is fits


@pytest.mark.parametrize(
    "text",
    [
        "{$ref: '#/allOf/0', allOf: [true]}",
        "{$ref: '#/%24defs/a%20b', $defs: {a b: true}}",
        "{$ref: '#/$defs/a~1b', $defs: {a/b: true}}",
        "{$ref: '#/$defs/a%2Fb', $defs: {a: {b: true}}}",
        "{$ref: '#here', $defs: {a: {$anchor: here}}}",
        "{properties: {a: {$id: 'urn:a', $ref: '#/$defs/b', $defs: {b: true}}}}",
        "{$ref: 'urn:a#/$defs/b', $defs: {a: {$id: 'urn:a', $defs: {b: true}}}}",
        "{properties: {a: {maxItems: 2.0, minLength: 0.0}}}",
        "{properties: {a: {$ref: '#'}}}",
        "{anyOf: [{type: object}, {items: {$ref: '#'}}]}",
    ],
)
def test_references_that_lead_somewhere(text: str) -> None:
    assert codes_of(schema(text)) == []


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("{$ref: '#'}", 23),
        ("{allOf: [{$ref: '#'}]}", 32),
        ("{not: {if: {$ref: '#'}}}", 34),
        ("{$ref: '#/$defs/a', $defs: {a: {anyOf: [{$ref: '#/$defs/b'}]}, b: {$ref: '#/$defs/a'}}}", 63),
        ("{dependentSchemas: {a: {$ref: '#'}}}", 46),
        ("{$anchor: m, allOf: [{$ref: '#m'}]}", 44),
        ("{$id: 'urn:x', $ref: 'urn:x'}", 37),
    ],
)
def test_a_reference_that_leads_back_to_itself(text: str, column: int) -> None:
    """Once for each circle, at a reference that is part of it."""
    found = only(schema(text), InvalidSchema)
    assert found.span.column == column
    assert "leads back to itself" in found.problem
