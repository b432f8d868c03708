"""Read → inspect: applies the rules to one file. Imports the front end, the analyses and the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphwright.checking.recall import FOREIGN, GRAPH, HOOKS, OTHER, UNREADABLE, Inspected
from graphwright.diagnostic import Diagnostic
from graphwright.dialects.detect import foreign_dialect, is_graph, is_nearly_graph, is_python, not_a_graph
from graphwright.facts import Facts
from graphwright.fault import Fault
from graphwright.pattern import pattern
from graphwright.rules.catalogue import catalogue, phrasing_rule, rules_for
from graphwright.rules.data import data_of
from graphwright.rules.registry import Rule
from graphwright.schema.patterns import searches
from graphwright.source.reader import Source

#: Every ignore comment contains this.
_MARKER = "graphwright:"
#: Codes of other commands than `check`, and of optional checks.
_ELSEWHERE = ("GW8", "GW9")
_ASKED = "GW504"

#: Maximum length of a value without spaces in a message.
_LONG = 320
_VALUE = pattern(rf"\S{{{_LONG},}}")


def inspect(facts: Facts) -> Inspected:
    """All findings of a file, in order."""
    kind = HOOKS if facts.is_hooks else _kind(facts.source)
    if kind == OTHER:
        counts = FOREIGN if is_nearly_graph(facts.source) else OTHER
        return Inspected(counts, findings=tuple(phrase(not_a_graph(facts.source))))
    searches.begin()
    found = _ordered(each for rule in rules_for(facts) for each in _findings(rule, facts))
    if _MARKER in facts.source.text:
        found = _without_ignored(found, facts)
    return Inspected(kind, 0 if facts.graph is None else len(facts.graph.nodes), tuple(found))


def phrase(fault: Fault) -> Iterator[Diagnostic]:
    """The diagnostics for a fault that was not found by reading the file itself."""
    facts = Facts(Source(fault.span.path, "", ""), found=[fault])
    return _findings(phrasing_rule(fault.code), facts)


def _kind(source: Source) -> str:
    if is_python(source):
        return OTHER
    if is_graph(source):
        return GRAPH
    if foreign_dialect(source) is not None:
        return FOREIGN
    return UNREADABLE if source.root is None and source.faults else OTHER


def _without_ignored(found: list[Diagnostic], facts: Facts) -> list[Diagnostic]:
    """The findings that ignore comments do not cover, and findings about the comments."""
    from graphwright.checking.ignore import directives, silence, stale

    comments = directives(facts.source)
    kept = silence(found, comments)
    if not comments or facts.graph is None:
        return kept
    unasked = [code for code in catalogue() if code.startswith(_ELSEWHERE)]
    if facts.options.environment is None:
        unasked.append(_ASKED)
    faults = stale(found, comments, catalogue(), unasked)
    return _ordered([*kept, *(each for fault in faults for each in phrase(fault))])


def _ordered(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by location, without duplicates: aliases lead to the same location more than once."""
    return list(dict.fromkeys(sorted(found, key=lambda each: each.sort_key)))


def _findings(rule: Rule, facts: Facts) -> Iterator[Diagnostic]:
    for found in rule.check(facts):
        about = facts.fault(rule.code, found.span) or found.about
        data = {} if about is None else data_of(about)
        if found.about is not None or found.suggestion is not None:
            data = {**data, "suggestion": found.suggestion}
        yield Diagnostic(
            rule.code, found.severity or rule.severity, found.span, _cut(found.message), found.note,
            found.help and _cut(found.help), found.related, found.fix, data, found.diff,
        )  # fmt: skip


def _cut(text: str) -> str:
    """`text` with the middle of very long values omitted."""
    if len(text) <= _LONG:
        return text
    return _VALUE.sub(lambda value: f"{value[0][: _LONG // 4]}…{value[0][-_LONG // 16 :]}", text)
