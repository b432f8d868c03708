"""The seam between builds and backends: another backend, whose files are built, checked and cleaned up like modules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

from graphwright.building.builder import Built, build
from graphwright.checking.cache import Cache
from graphwright.emit.backend import Backend, Complaint, Header
from graphwright.emit.errors import GateError
from graphwright.facts import Facts

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.a.*]
config:
  start: work
  nodes:
    work: {action: {item_id: a/b}, next: done}
    done: {type: return}
"""
OVERVIEW = PurePosixPath("OVERVIEW")
#: What a build puts next to the listings.
BESIDE = ["OVERVIEW", "graphwright.modules"]


class Listing(NamedTuple):
    """The nodes of one graph."""

    path: PurePosixPath
    text: str

    def finish(self) -> str:
        """The text; a node called `bad` is not sound."""
        if "bad" in self.text.split():
            raise GateError("a bad node", self.path)
        return self.text


class Listings:
    """A text file for each graph that lists its nodes. All in one folder: the parts of an id are joined by dots."""

    name = "listing"
    suffix = ".txt"
    signed = b"% signed:"
    ignored: Collection[str] = ("tmp",)

    def paths(self, graph_ids: Iterable[str], others: Iterable[PurePosixPath] = ()) -> Mapping[str, PurePosixPath]:
        return {graph_id: PurePosixPath(graph_id.replace("/", ".") + ".txt") for graph_id in graph_ids}

    def alternatives(self, path: PurePosixPath) -> Collection[PurePosixPath]:
        return (path,)

    def displaced(
        self, paths: Iterable[PurePosixPath], others: Iterable[PurePosixPath]
    ) -> Mapping[PurePosixPath, PurePosixPath]:
        return {}

    def folder_fault(self, output: Path) -> str | None:
        return "listings do not go there" if output.name == "elsewhere" else None

    def companions(self, paths: Iterable[PurePosixPath]) -> Mapping[PurePosixPath, bytes]:
        return {OVERVIEW: b"listings\n"}

    def is_companion(self, path: PurePosixPath, data: bytes) -> bool:
        return path == OVERVIEW

    def draft(self, facts: Facts, templates: Path | None = None, path: PurePosixPath | None = None) -> Listing:
        assert facts.graph is not None
        head = f"% graphwright 0.1.0: {facts.path} {facts.source.digest}"
        return Listing(path or PurePosixPath("graph.txt"), "\n".join([head, *facts.graph.nodes, ""]))

    def gates(
        self,
        texts: Mapping[PurePosixPath, str],
        *,
        facts: Callable[[PurePosixPath], Facts],
        templates: Path | None,
        package: str,
        cache: Path | None,
    ) -> list[Complaint]:
        return [Complaint(path, "worse") for path, text in texts.items() if "worse" in text.split()]

    def header(self, head: bytes) -> Header | None:
        words = head.partition(b"\n")[0].decode().split()
        return Header("0.1.0", words[3], words[4]) if words[:2] == ["%", "graphwright"] else None

    def is_reformatted(self, text: bytes, present: bytes) -> bool:
        return text.split() == present.split()


LISTINGS: Backend = Listings()


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two graphs; the folder is the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    (tmp_path / "graphwright.toml").write_text('roots = ["graphs"]\noutput = "listings"\n', "utf-8")
    (tmp_path / "graphs" / "deep").mkdir(parents=True)
    (tmp_path / "graphs" / "one.yaml").write_text(GRAPH, "utf-8")
    (tmp_path / "graphs" / "deep" / "two.yaml").write_text(GRAPH, "utf-8")
    return tmp_path


def built(*, drift: bool = False, output: str | None = None) -> Built:
    """A build of listings."""
    return build(["graphs"], output=output, cache=Cache(Path(".cache"), "test"), drift=drift, backend=LISTINGS)


def names(files: tuple[Path, ...]) -> list[str]:
    return sorted(file.name for file in files)


def drifted() -> list[tuple[str, str]]:
    """What a check reports: code and file."""
    return [(each.code, Path(each.span.path).name) for each in built(drift=True).diagnostics if each.code > "GW8"]


def test_files_are_made_and_left_alone() -> None:
    first = built()
    assert (names(first.written), names(first.others)) == (["deep.two.txt", "one.txt"], BESIDE)
    assert Path("listings/one.txt").read_text("utf-8").splitlines()[1:] == ["work", "done"]
    assert sorted(each.name for each in Path("listings").iterdir()) == sorted([*BESIDE, "deep.two.txt", "one.txt"])
    assert drifted() == []
    second = built()
    assert (second.written, names(second.unchanged)) == ((), ["deep.two.txt", "one.txt"])


def test_what_drifts_is_reported_and_repaired() -> None:
    built()
    listing, before = Path("listings/one.txt"), Path("listings/one.txt").read_bytes()
    listing.write_bytes(before.replace(b"work", b"play"))
    assert drifted() == [("GW802", "one.txt")]
    listing.write_bytes(before.replace(b"graphwright 0.1.0", b"graphwright 0.0.9"))
    Path("listings/OVERVIEW").unlink()
    assert drifted() == [("GW802", "OVERVIEW"), ("GW802", "one.txt")]
    built()
    assert listing.read_bytes() == before
    assert drifted() == []


def test_what_has_no_graph_any_more_goes(project: Path) -> None:
    built()
    (project / "listings" / "notes.txt").write_text("mine\n", "utf-8")
    (project / "graphs" / "deep" / "two.yaml").unlink()
    assert drifted() == [("GW803", "deep.two.txt")]
    assert names(built().removed) == ["deep.two.txt"]
    assert sorted(each.name for each in Path("listings").iterdir()) == sorted([*BESIDE, "notes.txt", "one.txt"])


def test_gates_stop_a_build(project: Path) -> None:
    for name in ("bad", "worse"):
        (project / "graphs" / "one.yaml").write_text(GRAPH.replace("work", name), "utf-8")
        result = built()
        assert [each.code for each in result.diagnostics if each.code == "GW901"] == ["GW901"], name
        assert not Path("listings").exists()


def test_the_name_of_the_folder_is_the_backends_business() -> None:
    from graphwright.emit.errors import BuildError

    with pytest.raises(BuildError, match="listings do not go there"):
        built(output="elsewhere")


def test_builds_know_no_python() -> None:
    """Paths, comments and checkers of Python are the backend's."""
    from graphwright import building

    words = ("__init__.py", "__pycache__", "py.typed", "mypy", '.py"', "# graphwright", "import_module", "layout.text")
    for file in Path(building.__file__).parent.glob("*.py"):
        code = file.read_text("utf-8")
        assert not [word for word in words if word in code], file.name
