"""Documentation of the rules: the page of a rule, a table of all rules, and the Markdown of `docs/rules.md`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphwright.pattern import pattern
from graphwright.rules.registry import Rule

FAMILIES = {
    "GW0": "YAML and files",
    "GW1": "Shape",
    "GW2": "Flow",
    "GW3": "State and inputs",
    "GW4": "Expressions and types",
    "GW5": "Environment",
    "GW6": "Authority",
    "GW7": "Contracts",
    "GW8": "Trust and builds",
    "GW9": "graphwright itself",
}
_EXAMPLE = pattern(r"(Fails|Passes):[ \t]*(.*)")
_CHANGE = ("-", "+", " ")


def page(rule: Rule) -> str:
    """What `graphwright explain` prints."""
    return f"{rule.code} ({rule.severity.value}): {rule.title}\n\n{rule.documentation.strip()}\n"


def table(rules: Iterable[Rule]) -> str:
    """A line for each rule: code, severity, title."""
    return "".join(f"{rule.code}  {rule.severity.value:<7}  {rule.title}\n" for rule in rules)


def markdown(rules: Sequence[Rule]) -> str:
    """The Markdown of all rules: for each family, a table, then a section for each rule."""
    return "\n".join(_document(rules)) + "\n"


def _document(rules: Sequence[Rule]) -> Iterator[str]:
    yield "# Rules"
    yield ""
    yield "Generated from the rules by `graphwright rules --markdown`; `graphwright explain CODE` prints a single rule."
    yield "If only a few lines of an example need to change, only those lines are shown."
    for prefix, family in FAMILIES.items():
        own = [rule for rule in rules if rule.code.startswith(prefix)]
        if not own:
            continue
        yield from ("", f"## {family}", "", "| code | severity | finds |", "| --- | --- | --- |")
        for rule in own:
            yield f"| [{rule.code}](#{rule.code.lower()}) | {rule.severity.value} | {_cell(rule.title)} |"
        for rule in own:
            yield from ("", f"### {rule.code}", "", f"{rule.title} ({rule.severity.value})", "")
            yield from _body(rule.documentation.strip().splitlines())


def _body(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a documentation; examples become code blocks, either YAML or a diff to the previous example."""
    number = 0
    while number < len(lines):
        example = _EXAMPLE.fullmatch(lines[number])
        number += 1
        if example is None:
            yield lines[number - 1]
            continue
        yield f"*{example[1]}:* {example[2]}".rstrip()
        block = []
        while number < len(lines) and (not lines[number] or lines[number].startswith("    ")):
            block.append(lines[number].removeprefix("    "))
            number += 1
        while block and not block[-1]:
            block.pop()
        if block:
            yield from ("", "```diff" if block[0].startswith(_CHANGE) else "```yaml", *block, "```")
        if number < len(lines):
            yield ""


def _cell(text: str) -> str:
    """Text escaped for a table cell in Markdown."""
    return text.replace("|", "\\|")
