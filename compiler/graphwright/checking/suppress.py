"""Applies ignore comments to findings, and finds the comments that had nothing to ignore (GW009)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from graphwright.checking.ignore import Directive
from graphwright.checking.levels import is_firm, near_code
from graphwright.diagnostic import Diagnostic, Edit
from graphwright.fault import Fault


def silence(findings: Iterable[Diagnostic], directives: Sequence[Directive]) -> list[Diagnostic]:
    """The findings that no comment covers; an error in spite of which nothing can be generated stays."""
    return [
        found
        for found in findings
        if is_firm(found.code, found.severity) or not any(each.covers(found.code, found.span) for each in directives)
    ]


def stale(
    findings: Sequence[Diagnostic], directives: Iterable[Directive], known: Collection[str], unasked: Collection[str]
) -> Iterator[Fault]:
    """GW009: comments, or codes in them, that silence nothing.

    `known` are all codes, `unasked` those that this check did not look for. The facts of a fault: `codes`; `reason`
    (bare: the comment names no code, unknown: there is no such code, family: it is the beginning of several, firm: it
    cannot be ignored, unused); `suggestion` for an unknown code or a family; `edit`, which takes the codes, or the
    whole comment, out; `left` tells whether other codes stay.
    """
    for directive in directives:
        if not directive.codes:
            yield _fault(directive, (), "bare")
        reasons: dict[str, list[str]] = {}
        for code in directive.codes:
            covered = [found for found in findings if directive.covers(code, found.span) and found.code == code]
            if any(each.startswith(code) for each in known) and code not in known:
                reasons.setdefault("family", []).append(code)
            elif code not in known:
                reasons.setdefault("unknown", []).append(code)
            elif any(is_firm(code, found.severity) for found in covered):
                reasons.setdefault("firm", []).append(code)
            elif not covered and code not in unasked:
                reasons.setdefault("unused", []).append(code)
        for reason, codes in reasons.items():
            suggestion = near_code(codes[0], known) if reason == "unknown" else None
            if reason == "family":
                suggestion = min((found.code for found in findings if found.code.startswith(codes[0])), default=None)
                suggestion = suggestion or min(each for each in known if each.startswith(codes[0]))
            yield _fault(directive, tuple(codes), reason, suggestion)


def _fault(directive: Directive, codes: tuple[str, ...], reason: str, suggestion: str | None = None) -> Fault:
    left = len(directive.codes) > len(codes)
    edit = _without(directive, codes)
    facts = {"codes": codes, "reason": reason, "suggestion": suggestion, "edit": edit, "left": left}
    return Fault("GW009", directive.span, facts)


def _without(directive: Directive, codes: tuple[str, ...]) -> Edit:
    """The edit that takes `codes` out of a comment, or the whole comment with its last code."""
    left = [code for code in directive.codes if code not in codes]
    if left:
        return Edit(directive.span, f"# graphwright: ignore[{', '.join(left)}]")
    return Edit(directive.clear, "")
