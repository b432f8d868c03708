"""Reading files: encodings, values, merges, duplicates, and refusals that are one clear fault each."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TypeVar

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright.fault import Fault
from graphwright.faults.files import UnreadableFile
from graphwright.faults.yaml import AmbiguousScalar, BeyondLimit, DuplicateKey, InvalidYaml, NotJson, NotUtf8
from graphwright.source.reader import Source, read_bytes, read_file, read_text
from graphwright.source.scalars import ambiguity, tag_of

F = TypeVar("F", bound=Fault)

SHARED = Path(__file__).resolve().parents[3] / "shared"


def fault(source: Source, kind: type[F]) -> F:
    found = [one for one in source.faults if isinstance(one, kind)]
    assert len(found) == 1, source.faults
    return found[0]


def codes(source: Source) -> list[str]:
    return [one.code for one in source.faults]


class TestValues:
    @pytest.mark.parametrize(
        "text",
        [
            "012", "0o17", "1:30", "1:30:45", "1_000", "1e3", "1.0e+3", "1.10", "0x1F", "0b101", "-0b1", "yes", "Off",
            "~", "null", "", "'yes'", '"1"', "+12", "-.5", "190:20:30.15", "685_230.15", "true", "y", "N", "08", "-0",
            "|\n  a\n  b", ">\n  a\n  b", "[1, [2, {a: b}]]", "{a: {b: [c]}, d: e}", "!!str 12", '!!int "12"', "0",
            "!!float 3", "!!bool yes", "!!null ''", "!!map {a: 1}", "!!seq [1]", "! 12", "*", "00",
        ],
    )  # fmt: skip
    def test_read_like_pyyaml(self, text: str) -> None:
        document = f"key: {text}\n" if text != "*" else "base: &b {x: 1}\nkey: [*b, *b]\n"
        source = read_text(document)
        assert source.root is not None
        assert source.value(source.root) == yaml.safe_load(document)

    @given(
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers(-(10**20), 10**20)
            | st.floats(allow_nan=False)
            | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
            max_leaves=12,
        )
    )
    @settings(max_examples=80, deadline=None)
    def test_what_pyyaml_writes_is_read_back(self, value: object) -> None:
        document = yaml.safe_dump({"key": value}, allow_unicode=True)
        source = read_text(document)
        if source.root is None or "GW003" in codes(source):
            assert ".inf" in document or "GW001" not in codes(source) or "\\u" in document
            return
        assert source.value(source.root) == yaml.safe_load(document)

    @pytest.mark.skipif(not SHARED.exists(), reason="../shared is not beside this checkout")
    def test_shared_graphs_read_like_pyyaml(self) -> None:
        for path in sorted(SHARED.glob("conformance/*/graph.yaml")):
            source = read_file(path, path.name)
            assert source.root is not None
            assert source.value(source.root) == yaml.safe_load(path.read_text(encoding="utf-8")), path

    def test_merges_like_pyyaml(self) -> None:
        document = "a: &a {first: 1, second: 2}\nb: {<<: *a, second: 9, third: 0}\nc: {third: 1, <<: *a, first: 7}\n"
        source = read_text(document)
        assert source.faults == []
        assert source.root is not None
        value = source.value(source.root)
        loaded = yaml.safe_load(document)
        assert value == loaded
        assert json.dumps(value) == json.dumps(loaded), "in the same order, too"

    def test_the_first_of_several_merged_mappings_wins_and_own_keys_win_over_all(self) -> None:
        document = (
            "a: &a {one: 1, two: 2}\nb: &b {two: 3, six: 4}\nc: {<<: [*a, *b], six: 7}\nd: {<<: {<<: *a, one: 5}}\n"
        )
        source = read_text(document)
        assert source.faults == []
        assert source.root is not None
        value = source.value(source.root)
        assert isinstance(value, dict)
        assert value["c"] == {"one": 1, "two": 2, "six": 7}
        assert value["d"] == {"one": 5, "two": 2}

    @pytest.mark.parametrize("value", ["5", "[{a: 1}, 5]", "x", "null"])
    def test_only_mappings_can_be_merged(self, value: str) -> None:
        assert fault(read_text(f"key: {{<<: {value}}}\n"), NotJson).kind == "merged"


class TestAmbiguity:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("yes", "switch"), ("NO", "switch"), ("y", "switch"), ("0755", "octal"), ("0o17", "octal"),
            ("08", "octal"), ("1:30", "sexagesimal"), ("12:30:45", "sexagesimal"), ("1_000", "underscore"),
            ("1e3", "exponent"), ("5319e7", "exponent"), ("1.5e3", "exponent"), ("1.10", "zero"), ("3.50", "zero"),
            ("0b11", "binary"),
        ],
    )  # fmt: skip
    def test_ambiguous(self, text: str, reason: str) -> None:
        assert ambiguity(text, tag_of(text)) == reason

    @pytest.mark.parametrize(
        "text",
        ["true", "~", "8080", "1.0", "1.5e+3", "0x1F", "0", "00", "-3", "1.25", "on-call", "1.2.3", "None", ".5"],
    )
    def test_clear(self, text: str) -> None:
        assert ambiguity(text, tag_of(text)) is None

    def test_key_and_value_and_quoted(self) -> None:
        source = read_text("on: yes\n'off': 'no'\nx: y\ny: 1\n")
        found = [(one.text, one.key) for one in source.faults if isinstance(one, AmbiguousScalar)]
        assert sorted(found) == [("on", True), ("y", False), ("yes", False)]
        assert len(source.faults) == 3

    def test_free_keys_are_left_alone(self) -> None:
        assert read_text("x-notes: {since: 2026-01-31, open: yes}\nx-day: 2026-01-31\n").faults == []


class TestDuplicates:
    def test_second_key_is_the_offender_and_the_first_counts(self) -> None:
        source = read_text("a: 1\nb: {c: 1, c: 2}\n")
        found = fault(source, DuplicateKey)
        assert (found.span.line, found.span.column, found.first.line) == (2, 11, 2)
        assert source.root is not None
        assert source.value(source.root) == {"a": 1, "b": {"c": 1}}

    def test_two_merges(self) -> None:
        source = read_text("a: &a {x: 1}\nb: &b {y: 1}\nc:\n  <<: *a\n  <<: *b\n")
        found = fault(source, DuplicateKey)
        assert found.merge is True
        assert found.span.line == 5

    def test_explicit_key_beside_a_merge_is_an_override(self) -> None:
        assert read_text("a: &a {x: 1}\nb: {<<: *a, x: 2}\n").faults == []


class TestNotJson:
    @pytest.mark.parametrize(
        ("value", "kind"),
        [
            ("2026-01-31", "timestamp"), (".inf", "number"), ("-.INF", "number"), (".nan", "number"),
            ("!!binary aGk=", "binary"), ("!!set {a}", "set"), ("!custom x", "tag"), ("!!python/object:a.b {}", "tag"),
            ("=", "equals"), ("!!int x", "number"), ("!!bool maybe", "tag"), ("1.0e+999", "number"), ("0b_", "number"),
            ("9" * 5000, "number"), ("!!omap [a: 1]", "omap"), ("2001-99-99", "timestamp"),
        ],
    )  # fmt: skip
    def test_values(self, value: str, kind: str) -> None:
        source = read_text(f"key: {value}\n")
        assert fault(source, NotJson).kind == kind
        assert source.root is not None
        source.value(source.root)

    @pytest.mark.parametrize("key", ["1", "null", "~", "true", "2026-01-31", "? [a, b]\n", "? {a: b}\n"])
    def test_keys(self, key: str) -> None:
        source = read_text(f"{key}: x\n")
        assert fault(source, NotJson).kind == "key"


class TestRefusals:
    @pytest.mark.parametrize(
        ("data", "limit"),
        [
            (b"a: 1\n---\nb: 2\n", "documents"),
            (b"a: 1\n...\nb: 2\n", "documents"),
            (b"a: &a [*a]\n", "recursion"),
            (b"[" * 1000, "depth"),
            (b"a: " + b"{a: " * 300 + b"}" * 300, "depth"),
            (b"- " * 300 + b"x", "depth"),
            (b"a: " + b"[" * 3000 + b"]" * 3000, "depth"),
        ],
    )
    def test_limits(self, data: bytes, limit: str) -> None:
        source = read_bytes(data, "graph.yaml")
        assert source.root is None
        assert fault(source, BeyondLimit).limit == limit

    @pytest.mark.parametrize(
        ("data", "binary", "wide"),
        [
            (b"\x89PNG\r\n\x1a\n\0\0", True, False),
            (b"key: caf\xe9\n", False, False),
            ("key: x\n".encode("utf-16"), True, True),
            (b"a: \0\n", True, False),
        ],
    )
    def test_encodings(self, data: bytes, binary: bool, wide: bool) -> None:
        source = read_bytes(data, "graph.yaml")
        assert source.root is None
        found = fault(source, NotUtf8)
        assert (found.binary, found.wide) == (binary, wide)

    def test_two_hundred_levels_are_allowed(self) -> None:
        assert read_text("[" * 199 + "]" * 199).faults == []
        assert codes(read_text("[" * 202 + "]" * 202)) == ["GW005"]

    def test_aliases_count_as_what_they_stand_for(self) -> None:
        lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x, x]"]
        lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 7)]
        assert fault(read_text("\n".join(lines)), BeyondLimit).limit == "expansion"
        assert read_text("\n".join(lines[:5])).faults == []

    def test_nesting_through_aliases_counts(self) -> None:
        text = f"a: &a {'[' * 150}x{']' * 150}\nb: {'[' * 100}*a{']' * 100}\n"
        assert fault(read_text(text), BeyondLimit).limit == "depth"

    @pytest.mark.parametrize(
        "piece",
        ["[", "{", "- ", "? ", "a: ", '"', "&a ", "!", "[\n", "{a: ", "*a ", "\t", "%", "'\n", "[[]", "#", "{? "],
    )
    def test_ten_megabytes_of_nonsense_are_quick(self, piece: str) -> None:
        data = (piece * (10_000_000 // len(piece))).encode()
        began = time.process_time()
        source = read_bytes(data, "graph.yaml")
        assert time.process_time() - began < 2
        assert source.root is None or source.faults or piece in "#\t"
        assert len(source.faults) <= 1

    @pytest.mark.parametrize("text", ["", "# only a comment\n", "\ufeff", "---\n", "\n\n"])
    def test_nothing_is_no_fault_of_yaml(self, text: str) -> None:
        source = read_text(text)
        assert codes(source) == []
        assert source.root is None or source.value(source.root) is None

    def test_files(self, tmp_path: Path) -> None:
        assert fault(read_file(tmp_path / "none.yaml", "none.yaml"), UnreadableFile).reason == "missing"
        assert fault(read_file(tmp_path, "."), UnreadableFile).reason == "directory"
        assert fault(read_file(tmp_path / ("x" * 300), "long"), UnreadableFile).reason == "other"
        assert fault(read_file(Path("a\0b"), "nul"), UnreadableFile).reason == "other"

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_permission(self, tmp_path: Path) -> None:
        path = tmp_path / "secret.yaml"
        path.write_text("a: 1")
        path.chmod(0)
        assert fault(read_file(path, "secret.yaml"), UnreadableFile).reason == "permission"

    def test_line_breaks_and_byte_order_mark_change_no_place(self) -> None:
        for text in ("a: 1\nb: {c: 1, c: 2}\n", "a: 1\r\nb: {c: 1, c: 2}\r\n", "\ufeffa: 1\nb: {c: 1, c: 2}\n"):
            found = fault(read_text(text), DuplicateKey)
            assert (found.span.line, found.span.column) == (2, 11)


class TestSyntax:
    @pytest.mark.parametrize(
        ("text", "columns"),
        [
            ("a:\n    b: 1\n  c: 2\n", ((4, "b", 2), (0, "a", 1))),
            ("a:\n  b:\n    - c: 1\n     d: 2\n", ((6, "c", 3), (2, "b", 2))),
            ("a:\n  - b\n - c\n", ((2, "-", 2),)),
            ("a:\n  - - b\n   - c\n", ((4, "-", 2), (2, "-", 2))),
            ("a:\n  b: 1\n  c:\n   d: {e: f}\n   g: 2\n    \n h: 3\n", ((2, "c", 3), (0, "a", 1))),
        ],
    )
    def test_where_a_line_could_begin(self, text: str, columns: tuple[tuple[int, str, int], ...]) -> None:
        found = fault(read_text(text), InvalidYaml)
        assert (found.cause, found.columns) == ("column", columns)

    @pytest.mark.parametrize(
        ("text", "cause", "line", "column"),
        [
            ("a:\n\tb: 1\n", "tab", 2, 1),
            ("a:\n  b: 1\n  \tc: 2\n", "tab", 3, 3),
            ("a: 'x\nb: y\n", "quote", 1, 4),
            ('a: {b: "x}\nc: "y"\n', "quote", 1, 8),
            ("a: \"x'\nb: y\n", "mixed", 1, 4),
            ("a: ['x\"]\nb: 'y'\n", "mixed", 1, 5),
            ('a: {b: [c, "d\']}\ne: f\ng: "h"\ni: j\n', "mixed", 1, 12),
            ("a: \"it's\nb: y\n", "quote", 1, 4),
            ("a: b: c\n", "colon", 1, 5),
            ("a: [b\nc: d\n", "bracket", 1, 4),
            ("a: {b: c\n", "bracket", 1, 4),
            ("a: [b c: d e: f]\n", "second", 1, 13),
            ("a: [\n  {b: c}\n  {d: e}\n]\n", "comma", 3, 3),
            ("a:\n  b: [c,\n  d: e\n", "bracket", 2, 6),
            ("a: @x\n", "character", 1, 4),
            ("a: `x`\n", "character", 1, 4),
            ("- a\nb: c\n", "indent", 2, 1),
            ("a: 1\n  b: 2\n", "deeper", 2, 3),
            ("a:\n    b: 1\n  c: 2\n", "column", 3, 3),
            ("a:\n  - b\n - c\n", "column", 3, 2),
            ("a:\n  b\n    c: 1\n", "bare", 2, 3),
            ("a:\n  b: 1\n  c\n", "bare", 3, 3),
            ("a:\n  b: 1\n  c:\u00a02\n  d: 3\n", "blank", 3, 5),
            ("a:\n  b: 1\n \u3000c: 2\n", "blank", 3, 2),
            ("a: 1\n\ufeffb: 2\n", "blank", 2, 1),
            ("a: 1\u2028b\nc: 2\n", "break", 1, 5),
            ('a: "b"\u00a0\nc: 1\n', "blank", 1, 7),
            ("a: [b]\u3000c\n", "blank", 1, 7),
            ("a:\n  b:\u00a01\n  # c\n\n  d: 3\n", "blank", 2, 5),
            ("a: 1\nb:2\nc: 3\n", "tight", 2, 2),
            ("a: 1\nb:#2\nc: 3\n", "hash", 2, 3),
            ("a: 1\nb\uff1a2\nc: 3\n", "alike", 2, 2),
            ("a:\n  -b: 1\n   c: 2\n", "dash", 2, 3),
            ("a:\n<<<<<<< HEAD\n  b: 1\n=======\n  b: 2\n>>>>>>> x\n", "conflict", 2, 1),
            ("a: 1\r\n<<<<<<< HEAD\r\nb: 1\r\n=======\r\n", "conflict", 2, 1),
            ("a:\r\n  b: |\r\n  c\r\n", "block", 3, 3),
            ("a: |\nb\nc: 1\n", "block", 2, 1),
            ("a:\n  - >-\n      b\n    c\n", "block", 4, 5),
            ("a: |\n  b\nc\n", "bare", 3, 1),
            ("a: |x\n  b\n", "header", 1, 5),
            ("a: > b # c\n  d\n", "header", 1, 6),
            ('a: "C:\\Users"\n', "digits", 1, 7),
            ("a: {b: c: d}\n", "nested", 1, 9),
            ("a: {b: c d: e}\n", "second", 1, 11),
            ("a: [b, #c, d]\ne: f\n", "comment", 1, 8),
            ("a: [b, c # d]\ne: f\n", "remark", 1, 10),
            ("a: [\n  - b\n  - c\n]\n", "bracket", 1, 4),
            ("a: [b}\nc: d\n", "mismatch", 1, 6),
            ("a: [b]]\n", "closing", 1, 7),
            ('{"a": {"b": 1}}}\n', "closing", 1, 16),
            ('{"a": 1}\nb\n', "trailing", 2, 1),
            ('a: "b",\nc: d\n', "separator", 1, 7),
            ("a:\n  - {b: c\n  - {d: e}\n", "bracket", 2, 5),
            ('a: {b: "c, d: "e"}\n', "quote", 1, 8),
            ('{"a": "b, "c": "d"}\n', "quote", 1, 7),
            ("%YAML 1.1\na: 1\n", "start", 2, 1),
            ("a:\n  b 1\n  c: 2\n", "bare", 2, 3),
            ("a:\n  b c # d\n  # e\n\n  f: 1\n", "bare", 2, 3),
            ("a:\n  b:|\n    c d\n\n    e: f\n", "tight", 2, 4),
            ("a:\n  - b:>-\n      c\n\n      d e: f: g\n  - h\n", "tight", 2, 6),
            ("a: b c\nd e f  # g\nh: 1\n", "stray", 2, 1),
            ("a: *.py\n", "sign", 1, 4),
            ("a: [*, b]\n", "sign", 1, 5),
            ("a:\n  - &\n", "sign", 2, 5),
            ("a: 'it's'\n", "single", 1, 8),
            ('a: "b, "c" d"\n', "inner", 1, 9),
            ('a: {b: "c "d" e"}\n', "inner", 1, 12),
            ("a: {{ b }} c\n", "braces", 1, 4),
            ("a:\n  b:\n    c d e f\n    g h i: j\n", "text", 3, 5),
            ('a: "x" y\n', "trailing", 1, 8),
            ("a: *q\n", "alias", 1, 4),
            ("a: &x 1\nb: &x 2\n", "anchor", 2, 4),
            ('a: "\\q"\n', "escape", 1, 5),
            ('a: "\\ud83d"\n', "half", 1, 5),
            ("a: \x01\n", "control", 1, 4),
        ],
    )
    def test_the_cause_is_named_where_it_is(self, text: str, cause: str, line: int, column: int) -> None:
        found = fault(read_text(text), InvalidYaml)
        assert (found.cause, found.span.line, found.span.column) == (cause, line, column)
