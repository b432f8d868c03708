"""The result of a check: diagnostics in order, the checked files, and their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from graphwright.diagnostic import Diagnostic, Severity
from graphwright.project.projects import SourceFile
from graphwright.record import Record, replace

if TYPE_CHECKING:
    from graphwright.facts import Facts


class Checked(Record):
    """A graph that was checked.

    `shown` is its path in messages, `digest` the sha256 of its bytes, `origin` a text of everything that determines its
    module, except other files. `nodes` is the number of its nodes, 0 if it could not be read. `facts` reads it again if
    the check did not keep it.
    """

    source_file: SourceFile
    shown: str
    digest: str
    origin: str
    nodes: int
    facts: Callable[[], Facts]

    @property
    def graph_id(self) -> str:
        """The id of the graph."""
        return self.source_file.graph_id


class Report(Record):
    """The result of a check. `diagnostics` are sorted by location, without ignored ones."""

    diagnostics: tuple[Diagnostic, ...]
    graphs: tuple[Checked, ...]
    texts: Callable[[str], str]

    def count(self, severity: Severity) -> int:
        """The number of diagnostics with a severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return self.count(Severity.ERROR) > 0

    def lines(self, path: str) -> Sequence[str]:
        """The lines of a file, to show a diagnostic; empty if it cannot be read."""
        return self.texts(path).split("\n")

    def statistics(self) -> list[tuple[str, int]]:
        """The number of occurrences of each code, most frequent first."""
        return sorted(Counter(each.code for each in self.diagnostics).items(), key=lambda item: (-item[1], item[0]))

    def only(self, wanted: Callable[[Diagnostic], bool]) -> Report:
        """The report with only the diagnostics that `wanted` accepts."""
        return replace(self, diagnostics=tuple(each for each in self.diagnostics if wanted(each)))


def exit_code(diagnostics: Iterable[Diagnostic], *, strict: bool = False) -> int:
    """0 no findings, 1 findings, 2 a file that cannot be read, 3 an internal error."""
    code = 0
    for diagnostic in diagnostics:
        if diagnostic.code == "GW901":
            return 3
        if diagnostic.code == "GW008":
            code = 2
        elif diagnostic.severity is Severity.ERROR or (strict and diagnostic.severity is Severity.WARNING):
            code = max(code, 1)
    return code
