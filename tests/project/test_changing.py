"""Files that change while they are looked at: what is remembered is what was seen, never what came after."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from graphwright.building.builder import Built, build
from graphwright.building.targets import grouped
from graphwright.checking import inspection
from graphwright.checking.cache import Cache
from graphwright.checking.checker import check
from graphwright.checking.recall import Inspected
from graphwright.checking.report import Checked
from graphwright.emit.backend import Backend
from graphwright.facts import Facts

CALLER = """\
tool_type: graph
permissions: [rye.execute.tool.reports.inner]
config:
  start: call
  nodes:
    call:
      action: {item_id: "tool:reports/inner"}
      assign: {total: "${result.output.total}"}
      next: done
    done: {type: return, output: {total: "${state.total}"}}
"""
INNER = """\
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return, output: {KEY: 1}}
"""
GOOD, BAD = INNER.replace("KEY", "total"), INNER.replace("KEY", "sum")
OUTER_FILE, INNER_FILE = Path(".ai/tools/outer.yaml"), Path(".ai/tools/reports/inner.yaml")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a graph that calls another one; its folder is the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    INNER_FILE.parent.mkdir(parents=True)
    OUTER_FILE.write_text(CALLER, "utf-8")
    INNER_FILE.write_text(GOOD, "utf-8")
    return tmp_path


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Has something done, once, when the next file has been judged and what was found is about to be remembered."""

    def arrange(act: Callable[[], object]) -> None:
        real, left = inspection.inspect, [act]

        def inspect(facts: Facts) -> Inspected:
            found = real(facts)
            while left:
                left.pop()()
            return found

        monkeypatch.setattr(inspection, "inspect", inspect)

    return arrange


def codes(*paths: str | Path, cache: bool = True) -> list[str]:
    """The codes of what is found in some files, by default all."""
    remembers = Cache(Path("cache"), "compiler") if cache else None
    return [each.code for each in check(paths or [".ai"], cache=remembers).diagnostics]


def agree() -> None:
    """What is remembered is what another look finds."""
    assert codes() == codes(cache=False)


@pytest.mark.parametrize(("first", "then"), [(GOOD, BAD), (BAD, GOOD)])
def test_a_graph_that_changes_while_its_caller_is_judged(
    meanwhile: Callable[[Callable[[], object]], None], first: str, then: str
) -> None:
    INNER_FILE.write_text(first, "utf-8")
    meanwhile(lambda: INNER_FILE.write_text(then, "utf-8"))
    assert ("GW704" in codes(OUTER_FILE)) is (first == BAD)
    assert ("GW704" in codes(OUTER_FILE)) is (then == BAD)
    agree()


def test_a_graph_that_is_deleted_or_made_while_its_caller_is_judged(
    meanwhile: Callable[[Callable[[], object]], None],
) -> None:
    INNER_FILE.write_text(BAD, "utf-8")
    meanwhile(INNER_FILE.unlink)
    assert "GW704" in codes(OUTER_FILE)
    assert "GW704" not in codes(OUTER_FILE)
    meanwhile(lambda: INNER_FILE.write_text(BAD, "utf-8"))
    OUTER_FILE.write_text(CALLER + "# another\n", "utf-8")
    assert "GW704" not in codes(OUTER_FILE)
    assert "GW704" in codes(OUTER_FILE)


def test_a_file_that_changes_while_it_is_judged(meanwhile: Callable[[Callable[[], object]], None]) -> None:
    meanwhile(lambda: OUTER_FILE.write_text(CALLER.replace("next: done", "next: dnoe"), "utf-8"))
    assert "GW202" not in codes(OUTER_FILE)
    assert "GW202" in codes(OUTER_FILE)


def test_a_graph_that_gets_nearly_the_name_of_one_that_is_missing() -> None:
    """Names were looked for in that folder: what is not in it counts as well."""
    INNER_FILE.unlink()
    assert "GW704" not in codes()
    INNER_FILE.with_name("iner.yaml").write_text(GOOD, "utf-8")
    assert "GW704" in codes()
    INNER_FILE.with_name("iner.yaml").unlink()
    assert "GW704" not in codes()
    agree()


def test_each_way_to_call_a_file_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the top and from a folder below, by name and by folder: none of them forgets another."""
    seen: list[str] = []
    real = inspection.inspect

    def inspect(facts: Facts) -> Inspected:
        seen.append(facts.source.path)
        return real(facts)

    monkeypatch.setattr(inspection, "inspect", inspect)
    Path("loose").mkdir()
    Path("loose/graph.yaml").write_text(GOOD, "utf-8")
    for _ in range(2):
        codes(".")
        codes("loose/graph.yaml")
        with monkeypatch.context() as inside:
            inside.chdir("loose")
            check(["graph.yaml"], cache=Cache(Path("../cache"), "compiler"))
    assert seen.count("loose/graph.yaml") == 2
    assert seen.count("graph.yaml") == 1


# --- builds -------------------------------------------------------------------------------------------------------


def built(*, drift: bool = False) -> Built:
    """A build without the type checker."""
    return build([".ai"], typecheck=False, cache=Cache(Path("cache"), "compiler"), drift=drift)


@pytest.mark.parametrize("warm", [True, False])
def test_a_module_is_made_of_what_was_checked(monkeypatch: pytest.MonkeyPatch, warm: bool) -> None:
    """The editor saves while a build is between its check and its compilation."""

    def edited(
        graphs: Iterable[Checked], output: Path | None, given: Sequence[Path], backend: Backend
    ) -> dict[Path, list[Checked]]:
        INNER_FILE.write_text(GOOD.replace("done", "evil"), "utf-8")
        return grouped(graphs, output, given, backend)

    if warm:
        codes()
    with monkeypatch.context() as editing:
        editing.setattr("graphwright.building.builder.grouped", edited)
        assert not built().failed
    assert "evil" not in Path("generated/reports/inner.py").read_text("utf-8")
    assert Path("generated/reports/inner.py").absolute() in built().written
    assert "evil" in Path("generated/reports/inner.py").read_text("utf-8")
    assert built(drift=True).diagnostics == ()


def test_checks_at_once_while_a_graph_is_edited(project: Path) -> None:
    """Real processes that share a cache; whatever they saw, the next one says what is there."""
    command = [sys.executable, "-m", "graphwright", "check", "--format", "json", ".ai"]
    for state in (BAD, GOOD):
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
        while any(process.poll() is None for process in running):
            for text in (GOOD, BAD, GOOD + "# more\n"):
                scratch = INNER_FILE.with_suffix(".new")
                scratch.write_text(text, "utf-8")
                scratch.replace(INNER_FILE)
                time.sleep(0.002)
        for process in running:
            said, complaint = process.communicate()
            assert process.returncode in (0, 1), complaint
            assert {each["code"] for each in json.loads(said)["diagnostics"]} <= {"GW704"}
        INNER_FILE.write_text(state, "utf-8")
        outcomes = []
        for extra in ([], ["--no-cache"], []):
            done = subprocess.run([*command, *extra], capture_output=True, text=True, check=False)
            outcomes.append((done.returncode, done.stdout))
        assert outcomes[0] == outcomes[1] == outcomes[2]
        assert outcomes[0][0] == int(state == BAD)
