"""`trust.sources`: graphs that have to be signed, as `check` and `build` see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.checking.cache import Cache
from graphwright.checking.checker import check
from graphwright.trust.trustfile import add_key, revoke_key, set_field
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, MALLORY
from signing.test_rye import rye

GRAPH = b"""\
version: "1.0.0"
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return}
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph of a project that requires signatures and trusts ALICE."""
    file = tmp_path / "project" / ".ai" / "tools" / "billing" / "invoices.yaml"
    file.parent.mkdir(parents=True)
    file.write_bytes(GRAPH)
    monkeypatch.chdir(tmp_path / "project")
    Path("graphwright.toml").write_text('[trust]\nsources = "require"\n')
    add_key(Path(PROJECT_FILE), ALICE.key, "alice")
    return file


def found() -> list[tuple[str, str, int, int]]:
    """Code, severity and place of each diagnostic of a check."""
    listed = json.loads(graphwright("check", "--format", "json", ".").stdout)["diagnostics"]
    return [(each["code"], each["severity"], each["line"], each["column"]) for each in listed]


def test_an_unsigned_graph_is_an_error_at_its_first_line(source: Path) -> None:
    assert found() == [("GW801", "error", 1, 1)]
    outcome = graphwright("check", ".")
    assert outcome.code == 1
    assert "this graph is not trusted: it is not signed" in outcome.stderr
    assert "graphwright sign" in outcome.stderr


def test_no_byte_order_mark_is_left_below_the_signature(source: Path) -> None:
    source.write_bytes(seal("source", b"\xef\xbb\xbf" + GRAPH, ALICE))
    assert source.read_bytes().partition(b"\n")[2] == GRAPH
    assert found() == []
    assert graphwright("build", "--no-typecheck").code == 0


def test_nothing_is_built_from_it(source: Path) -> None:
    assert graphwright("build", "--no-typecheck").code == 1
    assert not Path("generated").exists()


@pytest.mark.parametrize(
    "signed", [seal("source", GRAPH, ALICE), rye(GRAPH), rye(GRAPH, mark="ryeos"), rye(rye(GRAPH), MALLORY)]
)
def test_a_signed_graph_is_fine_and_stays_so_from_the_cache(source: Path, signed: bytes) -> None:
    source.write_bytes(signed)
    assert found() == []
    assert found() == []
    revoke_key(Path(PROJECT_FILE), ALICE.key.id)
    assert found() == [("GW801", "error", 1, 1)], "trust is looked at each time, whatever the cache remembers"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("changed after it was signed", seal("source", GRAPH, ALICE) + b"# more\n"),
        ("is not trusted here", rye(GRAPH, MALLORY)),
        ("is not signed", b"# rye:unsigned\n" + GRAPH),
    ],
)
def test_the_reason_is_named(source: Path, words: str, text: bytes) -> None:
    source.write_bytes(text)
    assert words in graphwright("check", ".").stderr


@pytest.mark.parametrize("warm", [False, True])
def test_what_was_verified_is_what_is_compiled(source: Path, warm: bool) -> None:
    """A graph that is swapped when its signature has been looked at changes nothing of what is built."""
    source.write_bytes(seal("source", source.read_bytes(), ALICE))
    genuine = source.read_bytes()
    cache = Cache(source.parent / "cache" if warm else None, "")
    for _ in range(2):
        checked = check([source], cache=cache, keep=True).graphs[0]
        source.write_bytes(genuine.replace(b"done", b"evil"))
        assert "evil" not in checked.facts().source.text
        source.write_bytes(genuine)


def test_a_key_for_other_graphs(source: Path) -> None:
    set_field(Path(PROJECT_FILE), ALICE.key.id, "graphs", '["reports/*"]')
    source.write_bytes(rye(GRAPH))
    assert "may sign reports/*, not `billing/invoices`" in graphwright("check", ".").stderr


@pytest.mark.parametrize("comment", [b"# graphwright: ignore[GW801]\n", b"# graphwright: ignore[GW8]\n"])
def test_a_graph_cannot_excuse_itself(source: Path, comment: bytes) -> None:
    source.write_bytes(comment + GRAPH)
    assert "GW801" in [code for code, *_ in found()]


def test_the_configuration_cannot_ask_for_it_and_silence_it(source: Path) -> None:
    Path("graphwright.toml").write_text('[trust]\nsources = "require"\n[rules]\nGW801 = "off"\n')
    assert graphwright("check", ".").code == 2
    Path("graphwright.toml").write_text('[trust]\nsources = "require"\n')
    outcome = graphwright("check", "--ignore", "GW801", ".")
    assert (outcome.code, "`GW801` cannot be disabled" in outcome.stderr) == (2, True)


def test_warn_and_off(source: Path) -> None:
    Path("graphwright.toml").write_text('[trust]\nsources = "warn"\n')
    assert found() == [("GW801", "warning", 1, 1)]
    assert graphwright("check", ".").code == 0
    Path("graphwright.toml").write_text("")
    assert found() == []


def test_a_broken_trust_file_is_wrong_usage(source: Path) -> None:
    Path(PROJECT_FILE).write_text("[[keys")
    outcome = graphwright("check", ".")
    assert outcome.code == 2
    assert "not valid TOML" in outcome.stderr


def test_signing_again_fixes_it(source: Path) -> None:
    assert graphwright("keys", "new", "mine").code == 0
    assert graphwright("keys", "trust", "mine").code == 0
    assert graphwright("sign", source).code == 0
    assert found() == []
    assert graphwright("verify", source).code == 0
