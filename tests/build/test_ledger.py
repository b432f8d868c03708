"""What the last builds of a folder made its modules from: kept for all modules, and ignored if it makes no sense."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import pytest

from graphwright.building import making
from graphwright.building.builder import Built, build
from graphwright.building.crew import Crew
from graphwright.building.making import Progress
from graphwright.building.targets import Target, Unit
from graphwright.checking.cache import Cache
from graphwright.diagnostic import Diagnostic
from graphwright.project.projects import absolute

TEXT = """\
tool_type: graph
config:
  start: done
  nodes:
    done: {{type: return, output: {{name: {name}}}}}
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """An empty cache, in a project with three graphs."""
    monkeypatch.chdir(tmp_path)
    Path("graphwright.toml").write_text("")
    Path("graphs").mkdir()
    for name in ("a", "b", "c"):
        write(name, name)
    return Cache(tmp_path / "cache", "compiler 1")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The graphs that were compiled since the list was last cleared."""
    seen: list[str] = []
    real = making.make

    def make(
        target: Target, units: Sequence[Unit], crew: Crew, progress: Progress
    ) -> tuple[dict[PurePosixPath, str], list[Diagnostic]]:
        seen.extend(unit.checked.graph_id for unit in units)
        return real(target, units, crew, progress)

    monkeypatch.setattr(making, "make", make)
    return seen


def write(name: str, value: str) -> None:
    Path("graphs", f"{name}.yaml").write_text(TEXT.format(name=value))


def stored(cache: Cache) -> dict[str, object]:
    """The modules that the cache knows."""
    data = cache.load(f"modules\0{absolute('generated')}", "")
    assert data is not None
    modules = json.loads(data)[1]
    assert isinstance(modules, dict)
    return modules


def made(cache: Cache, *paths: str) -> Built:
    built = build(paths or ["graphs"], typecheck=False, cache=cache)
    assert not built.failed
    return built


def test_a_build_of_one_graph_keeps_what_is_known_of_the_others(cache: Cache, compiled: list[str]) -> None:
    made(cache)
    write("b", "changed")
    compiled.clear()
    made(cache, "graphs/b.yaml")
    assert compiled == ["b"]
    compiled.clear()
    made(cache)
    assert compiled == []


def test_what_is_gone_is_forgotten(cache: Cache) -> None:
    made(cache)
    Path("graphs/c.yaml").unlink()
    made(cache)
    write("a", "changed")
    made(cache)
    assert sorted(stored(cache)) == ["a.py", "b.py"]


@pytest.mark.parametrize(
    "entry",
    [
        "", "1", "[]", "{}", "[[], [], []]", "[1, {}]", "[[], {\"a.py\": 1}]", "[[], {\"a.py\": [1, 2, 3]}]",
        '[[], {"a.py": ["f", "s", "t", "b", [0]]}]', '[[["x"]], {"a.py": ["f", "s", "t", "b", [0]]}]',
        '[[["x", ["y"]]], {"b.py": ["f", "s", "t", "b", [0]]}]', '[[["\\u0000", 1]], {"a.py": [[], {}, 1, null, [0]]}]',
    ],
)  # fmt: skip
def test_an_entry_that_makes_no_sense_is_replaced(cache: Cache, compiled: list[str], entry: str) -> None:
    made(cache)
    cache.store(f"modules\0{absolute('generated')}", "", entry.encode(), ())
    compiled.clear()
    made(cache)
    assert compiled == ["a", "b", "c"]
    assert sorted(stored(cache)) == ["a.py", "b.py", "c.py"]
    compiled.clear()
    made(cache)
    assert compiled == []
