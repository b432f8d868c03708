"""`format` and `pattern`: defaults must satisfy them like inputs, in emitted code and in the library."""

from __future__ import annotations

import pytest

from emit.test_validators import problems
from graphwright.ir import Json
from graphwright.schema.evaluation import violation

RIGHT = {
    "date": ["2026-01-31", "2024-02-29"],
    "time": ["12:00:00Z", "23:59:60Z", "12:00:00.25+05:30", "01:29:60+01:30"],
    "date-time": ["2026-01-31T12:00:00Z", "1990-12-31T15:59:60-08:00", "2026-01-31t12:00:00.5z"],
    "duration": ["P4DT12H30M5S", "PT1M", "P1W", "P1Y"],
    "email": [
        "joe.bloggs@example.com",
        "a+b@x.org",
        '"joe bloggs"@example.com',
        "joe@[127.0.0.1]",
        "te~st@example.com",
    ],
    "hostname": ["www.example.com", "xn--4gbwdl.xn--wgbh1c", "a", f"{'a' * 63}.com"],
    "ipv4": ["192.168.0.1"],
    "ipv6": ["::1", "12:34::ab", "::ffff:192.168.0.1"],
    "uri": ["https://example.org/a?b=c#d", "urn:oasis:names", "mailto:a@b.c", "http://[::1]:80/", "file:///etc/hosts"],
    "uri-reference": ["/abc", "//foo.bar/?baz=q", "#x", "", "a/b:c"],
    "iri": ["http://example.org/\u00e9"],
    "iri-reference": ["/\u00e9", ""],
    "uuid": ["2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
    "json-pointer": ["", "/a~0b/~1", "/"],
    "relative-json-pointer": ["0", "1/a", "2#"],
    "regex": ["^[a-z]+$", r"\p{L}"],
    "something-else": ["anything"],
}

WRONG = {
    "date": ["2026-02-30", "20260131", "2026-1-31", "2026-01-31T00:00:00Z", "\u0661963-06-19", "2026-W01-1"],
    "time": ["12:00:00", "24:00:00Z", "12:00:60Z", "12:00Z", "12:00:00+24:00", "12:00:00Z\n"],
    "date-time": ["2026-01-31 12:00:00Z", "2026-01-31T12:00:00", "2026-13-01T00:00:00Z", "2026-01-31"],
    "duration": ["P", "PT", "P1D2H", "1D", "P2D1Y", "P1YT", "P1Y2W"],
    "email": [
        "not an address",
        "a@b@c",
        ".a@x.org",
        "a..b@x.org",
        "a@-x.org",
        "@x.org",
        "a@x.org\n",
        "joe@[127.0.0.300]",
    ],
    "hostname": ["-a", "a-", "a_b", f"{'a' * 64}", "", "a..b", "a.", ".".join(["a"] * 130), "\u00e9.org"],
    "ipv4": ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4\n", "\u0661.2.3.4"],
    "ipv6": [":::", "12345::", "::1%eth0", "1.2.3.4"],
    "uri": [
        "//example.org",
        "abc",
        "http:// x",
        "http://a/<b>",
        "http://a/%zz",
        "http://\u00e9.org",
        ":foo",
        "bar,baz:foo",
    ],
    "uri-reference": ["\\\\a\\b", "a b", "#x\\y"],
    "iri": ["/abc", "http:// \u00e9"],
    "iri-reference": ["a b", "\u00e9\\"],
    "uuid": [
        "2eb8aa08aa9811eab4aa73b441d16380",
        "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
        "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}",
    ],
    "json-pointer": ["a", "/~2", "#/a"],
    "relative-json-pointer": ["01", "/a", "-1", "1a"],
    "regex": ["(", r"\Z", "a**"],
}

CASES = [
    *((name, value, True) for name, values in RIGHT.items() for value in values),
    *((name, value, False) for name, values in WRONG.items() for value in values),
]


def by_every_door(schema: Json, value: Json) -> list[bool]:
    """Whether a value is accepted as a default, by emitted code, and by the library where that has to do it."""
    document: Json = {"properties": {"x": schema}}
    closed: Json = {"properties": {"x": schema}, "unevaluatedProperties": False}
    return [
        violation(value, schema, schema) is None,
        not problems(document, {"x": value}),
        not problems(closed, {"x": value}),
    ]


@pytest.mark.parametrize(("name", "value", "right"), CASES, ids=[f"{name}-{value[:20]!r}" for name, value, _ in CASES])
def test_formats_are_asserted(name: str, value: str, right: bool) -> None:
    assert by_every_door({"format": name}, value) == [right] * 3


def test_a_format_says_nothing_of_other_values() -> None:
    assert by_every_door({"format": "email"}, 3) == [True] * 3


@pytest.mark.parametrize(
    ("pattern", "value", "right"),
    [
        ("^[a-z]+$", "abc", True),
        ("^[a-z]+$", "abc\n", False),
        (r"^\d+$", "\u0661", False),
        (r"^\p{Lu}$", "\u00c0", True),
    ],
)
def test_patterns_mean_the_same_by_every_door(pattern: str, value: str, right: bool) -> None:
    assert by_every_door({"pattern": pattern}, value) == [right] * 3
    keyed: Json = {"patternProperties": {pattern: False}}
    assert by_every_door(keyed, {value: 1}) == [not right] * 3
    closed: Json = {"patternProperties": {pattern: True}, "additionalProperties": False}
    assert by_every_door(closed, {value: 1}) == [right] * 3


UNIQUE: list[tuple[list[Json], bool]] = [
    ([1, 1.0], False),
    ([1, True], True),
    ([0, False], True),
    ([[1], [True]], True),
    ([[1], [1.0]], False),
    ([{"a": 1, "b": 2}, {"b": 2.0, "a": 1}], False),
    (["1", 1], True),
    ([None, "None"], True),
    ([1e300, int(1e300)], False),
    ([{"a": "b,c"}, {"a": "b", "c": 1}], True),
    ([["a,b"], ["a", "b"]], True),
    ([0.0, -0.0], False),
    ([], True),
]


@pytest.mark.parametrize(("items", "right"), UNIQUE, ids=[repr(items) for items, _ in UNIQUE])
def test_items_are_unique_as_json_values_are(items: list[Json], right: bool) -> None:
    assert by_every_door({"uniqueItems": True}, items) == [right] * 3


def test_many_unique_items_take_no_quadratic_time() -> None:
    """20,000 numbers that have one hash, which a set of them would compare pair by pair."""
    colliding: list[Json] = [number * (2**61 - 1) for number in range(20_000)]
    assert by_every_door({"uniqueItems": True}, colliding) == [True] * 3
