"""Names: valid Python identifiers, distinct in any order, stable when others are added."""

from __future__ import annotations

import keyword
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphwright.names import (
    RESERVED,
    Namespace,
    class_name,
    constant_name,
    identifier,
    is_plain_identifier,
    module_name,
    module_path,
)

_names = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)


@given(_names)
def test_every_name_gives_identifiers(name: str) -> None:
    for ident in (identifier(name), class_name(name), constant_name(name)):
        assert ident.isidentifier()
        assert unicodedata.normalize("NFKC", ident) == ident, "Python would fold it into another name"


@given(st.lists(_names, max_size=8, unique=True), st.randoms())
def test_names_are_told_apart_in_any_order(names: list[str], random: object) -> None:
    wanted = {name: identifier(name) for name in names}
    chosen = Namespace(["run"]).claim_all(wanted)
    assert len(set(chosen.values())) == len(names)
    assert RESERVED.isdisjoint(chosen.values())
    assert "run" not in chosen.values()
    assert Namespace(["run"]).claim_all(dict(reversed(wanted.items()))) == chosen


def test_the_name_spelled_like_the_identifier_keeps_it() -> None:
    names = ["fetch-data", "fetch_data", "fetch.data"]
    chosen = Namespace().claim_all({name: identifier(name) for name in names})
    assert chosen["fetch_data"] == "fetch_data"
    assert chosen["fetch-data"].startswith("fetch_data_")
    alone = Namespace().claim_all({name: identifier(name) for name in names[:2]})
    assert alone["fetch-data"] == chosen["fetch-data"], "a new name must not rename the others"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("count", "count"),
        ("2nd step", "_2nd_step"),
        ("数据", "数据"),
        ("\ufb01le", "file"),
        ("🚀", "u1f680"),
        ("__init__", "init__"),
        ("!!", "node"),
        ("a-b c.d", "a_b_c_d"),
    ],
)
def test_identifiers(name: str, expected: str) -> None:
    assert identifier(name) == expected


def test_reserved_words_are_those_of_every_python() -> None:
    assert set(keyword.kwlist) | set(keyword.softkwlist) | {"type", "print", "PythonFinalizationError"} <= RESERVED


@pytest.mark.parametrize(
    ("key", "plain"), [("a", True), ("class", False), ("__a", False), ("\ufb01le", False), ("a-b", False)]
)
def test_plain_identifiers(key: str, plain: bool) -> None:
    assert is_plain_identifier(key) is plain


@pytest.mark.parametrize(
    ("graph_id", "path"),
    [
        ("workflows/etl/process-sales", "workflows/etl/process_sales.py"),
        ("2nd report.v2", "_2nd_report_v2.py"),
        ("match/class", "match_/class_.py"),
        ("type", "type_.py"),
        ("a/__init__", "a/__init___.py"),
    ],
)
def test_module_paths(graph_id: str, path: str) -> None:
    assert str(module_path(graph_id)) == path
    assert module_name(graph_id) == path.removesuffix(".py").replace("/", ".")


def test_long_names_stay_short_and_different() -> None:
    names = ["x" * 5_000 + "a", "x" * 5_000 + "b"]
    chosen = Namespace().claim_all({name: identifier(name) for name in names})
    assert len(set(chosen.values())) == 2
    assert all(len(ident) < 100 for ident in chosen.values())
