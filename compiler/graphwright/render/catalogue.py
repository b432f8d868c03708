"""The rules as documentation: a page each, a table, and the Markdown of `docs/rules.md`."""

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
    """A line for each rule: code, severity, what it finds."""
    return "".join(f"{rule.code}  {rule.severity.value:<7}  {rule.title}\n" for rule in rules)


def markdown(rules: Sequence[Rule]) -> str:
    """All rules: a table of each family, then a section for each rule."""
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
    """Prose as it is; an example as a block of YAML, or of the lines that change against the one before it."""
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
    """Text inside a table of Markdown."""
    return text.replace("|", "\\|")
