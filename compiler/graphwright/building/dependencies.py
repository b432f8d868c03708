"""The files that a module is made from, in addition to its graph."""

from __future__ import annotations

from graphwright.facts import Facts
from graphwright.project.projects import SourceFile


def accessed(facts: Facts, source_file: SourceFile) -> list[tuple[str, str | None]]:
    """The files that were read for a graph in addition to its own, and those that it pins.

    Each path has its digest, or None if there is no such file. Includes the lists of names in which files were searched
    for (see `Digests`).
    """
    from graphwright.checking.neighbours import Siblings

    if not isinstance(facts.project, Siblings):
        return []
    if facts.graph is not None and source_file.project.config.trust.tools != "off":
        from graphwright.trust.attest import named_items

        facts.project.look_at(named_items(facts.all_callers, source_file))
    own = str(source_file.file)  # a search for neighbours may access it
    return [each for each in facts.project.depends() if each[0] != own]
