"""What earlier checks found counts as long as nothing changed, and damage is a miss."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import graphwright
from graphwright.checking import cache as caching
from graphwright.checking import inspection
from graphwright.checking.cache import Cache, Digests, cache_folder, compiler_fingerprint
from graphwright.checking.checker import check
from graphwright.checking.recall import GRAPH, Inspected, dumps, loads
from graphwright.facts import Facts
from render.samples import NOTE, TARGET, TWICE

TEXT = """\
tool_type: graph
permissions: [rye.execute.tool.{tool}]
config:
  start: call
  nodes:
    call: {{action: {{item_id: "tool:{called}"}}, assign: {{total: "${{result.output.total}}"}}, next: done}}
    done: {{type: return, output: {{total: "${{state.total}}"}}}}
"""


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache", "compiler 1")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def inspected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were really looked at, in order."""
    seen: list[str] = []
    real = inspection.inspect

    def inspect(facts: Facts) -> Inspected:
        seen.append(facts.source.path)
        return real(facts)

    monkeypatch.setattr(inspection, "inspect", inspect)
    return seen


def test_memory_survives_the_trip() -> None:
    memory = Inspected(GRAPH, 7, (NOTE, TWICE, TARGET))
    assert loads(dumps(memory)) == memory


@pytest.mark.parametrize("data", [b"", b"null", b"[1]", b'["graph", 1, [["GW1"]]]', b"\xff", b'["graph", 1, 5]'])
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json's own errors are ValueErrors too
        loads(data)


def test_an_entry_counts_while_all_is_as_it_was(cache: Cache, tmp_path: Path) -> None:
    file, other = tmp_path / "a.yaml", tmp_path / "b.yaml"
    cache.store(file, "key", b"value", [(str(other), None)])
    assert cache.load(file, "key") == b"value"
    assert cache.load(file, "another key") is None
    assert cache.load(other, "key") is None
    assert Cache(tmp_path / "cache", "compiler 2").load(file, "key") is None
    other.touch()
    assert cache.load(file, "key") is None
    cache.store(file, "key", b"value", [(str(other), Digests()[str(other)])])
    assert cache.load(file, "key") == b"value"
    other.write_text("changed", "utf-8")
    assert cache.load(file, "key") is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[1, 2, 3]\nvalue", b"\x00" * 100, b'["k", 5]\n'])
def test_damage_is_a_miss(cache: Cache, tmp_path: Path, damage: bytes) -> None:
    cache.store(tmp_path / "a.yaml", "key", b"value", [])
    (entry,) = (tmp_path / "cache").glob("*/*/*")
    entry.write_bytes(damage)
    assert cache.load(tmp_path / "a.yaml", "key") is None
    cache.store(tmp_path / "a.yaml", "key", b"value", [])
    assert cache.load(tmp_path / "a.yaml", "key") == b"value"


def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    unusable = Cache(tmp_path / "file" / "below", "compiler")
    unusable.store(tmp_path / "a.yaml", "key", b"value", [])
    assert unusable.load(tmp_path / "a.yaml", "key") is None


def test_many_writers_leave_a_whole_entry(cache: Cache, tmp_path: Path) -> None:
    values = [str(number).encode() * 1000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda value: cache.store(tmp_path / "a.yaml", "key", value, []), values))
    assert cache.load(tmp_path / "a.yaml", "key") in values


def test_what_nobody_wrote_for_a_month_is_swept(cache: Cache, tmp_path: Path) -> None:
    cache.store(tmp_path / "a.yaml", "key", b"value", [])
    (entry,) = (tmp_path / "cache").glob("*/*/*")
    cache.sweep(entry.stat().st_mtime + 1)
    assert entry.exists()
    cache.sweep(entry.stat().st_mtime + 40 * 24 * 3600)
    assert not entry.exists()


def test_the_environment_chooses_the_folder() -> None:
    assert cache_folder({"GRAPHWRIGHT_CACHE_DIR": "/some/where"}) == Path("/some/where")
    assert cache_folder({"XDG_CACHE_HOME": "/var/cache/me"}) == Path("/var/cache/me/graphwright/check")
    assert cache_folder({"XDG_CACHE_HOME": "relative"}) == Path.home() / ".cache/graphwright/check"


def test_an_unchanged_file_is_not_looked_at_again(cache: Cache, inspected: list[str]) -> None:
    Path("a.yaml").write_text(TEXT.format(tool="shop.list", called="shop/lst"), "utf-8")
    first = check(["."], cache=cache)
    second = check(["."], cache=cache)
    assert inspected == ["a.yaml"]
    assert first.diagnostics == second.diagnostics != ()
    assert [graph.nodes for graph in second.graphs] == [2]
    facts = second.graphs[0].facts()
    assert facts.graph is not None
    assert list(facts.graph.nodes) == ["call", "done"]
    Path("a.yaml").write_text(TEXT.format(tool="shop.list", called="shop/list"), "utf-8")
    assert check(["."], cache=cache).diagnostics != first.diagnostics
    assert inspected == ["a.yaml", "a.yaml"]


def test_a_nested_graph_that_changes_is_looked_at_with_its_callers(cache: Cache, inspected: list[str]) -> None:
    tools = Path(".ai/tools")
    tools.mkdir(parents=True)
    inner = TEXT.format(tool="shop.list", called="shop/list")
    (tools / "outer.yaml").write_text(TEXT.format(tool="*", called="inner"), "utf-8")
    (tools / "inner.yaml").write_text(inner, "utf-8")
    assert [each.code for each in check([".ai"], cache=cache).diagnostics if each.code == "GW704"] == []
    check([".ai"], cache=cache)
    assert len(inspected) == 2
    (tools / "inner.yaml").write_text(inner.replace("output: {total:", "output: {sum:"), "utf-8")
    found = check([".ai/tools/outer.yaml"], cache=cache).diagnostics
    assert [each.code for each in found if each.code == "GW704"] == ["GW704"]


def test_another_configuration_is_another_question(cache: Cache, inspected: list[str]) -> None:
    Path("a.yaml").write_text(TEXT.format(tool="shop.list", called="shop/list"), "utf-8")
    check(["."], cache=cache)
    Path("graphwright.toml").write_text('contracts = "complete"\n', "utf-8")
    check(["."], cache=cache)
    assert len(inspected) == 2


def test_entries_are_no_program(cache: Cache, tmp_path: Path) -> None:
    """What lies in the cache is data: JSON, never anything that is executed."""
    Path("a.yaml").write_text(TEXT.format(tool="shop.list", called="shop/list"), "utf-8")
    check(["."], cache=cache)
    (entry,) = (tmp_path / "cache").glob("*/*/*")
    for line in entry.read_bytes().splitlines():
        json.loads(line)


def test_the_compiler_is_another_one_when_any_of_its_files_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = Path(graphwright.__file__).parent
    assert package == caching._PACKAGE
    shutil.copytree(package, tmp_path / "graphwright", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(caching, "_PACKAGE", tmp_path / "graphwright")
    before = compiler_fingerprint("1")
    assert compiler_fingerprint("2") != before
    (tmp_path / "graphwright" / "rules" / "flow.py").write_text("# another\n")
    assert compiler_fingerprint("1") != before
