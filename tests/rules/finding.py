"""What one rule finds in a text, without files, configuration and rendering."""

from __future__ import annotations

from collections.abc import Mapping

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.options import Options
from graphwright.rules.catalogue import catalogue
from graphwright.rules.registry import Finding
from graphwright.source.reader import read_text

#: A graph that nothing is wrong with.
CLEAN = """\
tool_type: graph
permissions:
  - rye.execute.tool.tickets.*
config_schema:
  type: object
  properties:
    team: {type: string}
  required: [team]
config:
  start: fetch
  nodes:
    fetch:
      action:
        item_id: tool:tickets/list
        params: {team: "${inputs.team}"}
      assign:
        tickets: "${result.tickets}"
      next: count
    count:
      action:
        item_id: tool:tickets/count
        params: {tickets: "${state.tickets}"}
      assign:
        total: "${result.total}"
      next: done
    done:
      type: return
      output: {total: "${state.total}"}
"""


class Project:
    """The graphs of a project by id, from texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._facts = {name: Facts(read_text(text), graph_id=name, project=self) for name, text in texts.items()}

    def graph(self, graph_id: str) -> Facts | None:
        """The facts of a graph."""
        return self._facts.get(graph_id)

    def graph_names(self, folder: str) -> tuple[str, ...]:
        """The names of the graphs in a folder."""
        split = (name.rpartition("/") for name in sorted(self._facts))
        return tuple(name for above, _, name in split if above == folder)

    def tool_file(self, item_id: str) -> None:
        """No tool has a file."""

    def folders(self, folder: str) -> tuple[str, ...]:
        """There are no folders."""
        return ()

    def tool_names(self, folder: str) -> tuple[str, ...]:
        """There are no tools."""
        return ()

    def declaration(self, item_id: str) -> None:
        """No tool declares anything."""

    def directive(self, item_id: str) -> None:
        """There are no directives."""

    def directive_names(self, folder: str) -> tuple[str, ...]:
        """There are no directives."""
        return ()


def edit(text: str, *changes: tuple[str, str]) -> str:
    """The text with pieces replaced; each must occur exactly once."""
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    return text


def findings(code: str, text: str | Facts, environment: Mapping[str, str] | None = None) -> list[Finding]:
    """What the rule `code` finds, by position, with its severity filled in."""
    rule = next(rule for rule in catalogue().values() if rule.code == code)
    facts = Facts(read_text(text), options=Options(environment=environment)) if isinstance(text, str) else text
    return sorted(rule.check(facts), key=lambda found: found.span)


def places(code: str, text: str | Facts) -> list[str]:
    """Where it finds something, as the text that the span covers: "12: ${state.x}"."""
    facts = Facts(read_text(text)) if isinstance(text, str) else text
    lines = facts.source.text.split("\n")
    return [
        f"{found.span.line}: {lines[found.span.line - 1][found.span.column - 1 : found.span.end_column - 1]}"
        for found in findings(code, facts)
    ]


def one(code: str, text: str | Facts) -> Finding:
    """The only finding of a rule."""
    found = findings(code, text)
    assert len(found) == 1, [each.message for each in found]
    return found[0]


def loud(text: str) -> set[str]:
    """The codes of all errors and warnings."""
    facts = Facts(read_text(text))
    return {
        rule.code
        for rule in catalogue().values()
        for found in rule.check(facts)
        if (found.severity or rule.severity) is not Severity.NOTE
    }
