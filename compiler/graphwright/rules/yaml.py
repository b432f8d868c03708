"""GW002 to GW005: the file as YAML, before it is read as a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphwright.diagnostic import Edit, Fix, Label, Severity
from graphwright.facts import Facts
from graphwright.faults.yaml import AmbiguousScalar, BeyondLimit, DuplicateKey, NotJson, NotUtf8
from graphwright.language.homes import ALL_KEYS
from graphwright.pattern import pattern
from graphwright.rules.registry import Finding, fault_rule, rule
from graphwright.rules.wording import listed
from graphwright.source.spelling import quoted

#: A template of another language.
_BRACES = pattern(r"\{\{ *([^{},:]{1,80}?) *\}\}")

_AMBIGUOUS: Mapping[str, str] = {
    "switch": "it is a boolean in YAML 1.1 and a string in YAML 1.2",
    "octal": "a leading 0 makes it octal in YAML 1.1; YAML 1.2 uses `0o`",
    "binary": "only YAML 1.1 knows binary numbers",
    "sexagesimal": "it is a base-60 number in YAML 1.1 and a string in YAML 1.2",
    "underscore": "YAML 1.1 allows `_` in numbers; in YAML 1.2, it is a string",
    "exponent": "YAML 1.1 requires a point and a sign; in YAML 1.2, it is a number",
    "zero": "the final zero is lost",
}


@fault_rule(DuplicateKey, Severity.ERROR, "duplicate key")
def duplicate(_: Facts, fault: DuplicateKey) -> Iterator[Finding]:
    """A mapping contains the same key twice.

    YAML loaders silently keep the last value, so a pasted node replaces the one it was copied from. An explicit key
    next to `<<` overrides the merged one and is not a duplicate; two `<<` keys are.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: 1}
            done: {type: return, output: 2}

    Passes:
        -    done: {type: return, output: 2}
    """
    key, line, written = fault.key, fault.first.line, fault.written
    message = f"duplicate key `{key}` in one mapping, first on line {line}"
    advice = _one_of_two(key, below=fault.below)
    if fault.run:
        message = f"duplicate keys {listed((key, *fault.run))} in one mapping, first from line {line} on"
        advice = "is a line with `- ` or a name missing above? Otherwise, remove one of each"
    if fault.merge:
        advice = "merge several mappings with a list: `<<: [*first, *second]`"
    elif written != key:
        message = f"`{key}` and `{written}` (line {line}) are two spellings of the same key"
        advice = "remove one of the two"
    yield Finding(fault.span, message, note="duplicate", help=advice, related=(Label(fault.first, "first here"),))


def _one_of_two(key: str, *, below: bool) -> str:
    """The advice for a duplicate key; keys of the language cannot be renamed."""
    if key not in ALL_KEYS:
        return "remove one of them, or rename it"
    if below:
        return f"merge the contents of both under one `{key}`"
    if key == "next":
        return (
            "remove one of them; write several edges as a list: `next: [{to: …, when: {path: …, value: …}}, {to: …}]`"
        )
    return "remove one of them"


@fault_rule(NotJson, Severity.ERROR, "value that is not JSON")
def not_json(facts: Facts, fault: NotJson) -> Iterator[Finding]:
    """A value or key that JSON cannot represent: a date, infinity, binary data, a set, a custom tag, or a key that is
    not a string.

    State, params and results are always JSON, so such a value could not be stored, hashed or sent.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: 2026-01-31}

    Passes:
        -    done: {type: return, output: 2026-01-31}
        +    done: {type: return, output: "2026-01-31"}
    """
    text, kind = fault.text, fault.kind
    message = {
        "timestamp": f"`{text}` reads as a date, which JSON cannot represent",
        "number": f"`{text}` is a number that JSON cannot represent",
        "equals": "an unquoted `=` has a special meaning in YAML 1.1",
        "merged": "`<<` takes a mapping or a list of mappings",
        "braces": f"`{{{{ {_inner(facts, fault)} }}}}` is not a template here",
        "merge": "`<<` merges mappings and can only be a key",
        "key": f"the key `{text}` is not a string" if text else "a key must be a string, not a list or mapping",
    }.get(kind, f"a value with the tag `{_tag(fault)}` is not JSON")
    quotable = bool(text) and kind in ("timestamp", "number", "equals", "merge", "key")
    advice = f"put it in quotes: {quoted(text)}" if quotable else _plain(facts, fault)
    yield Finding(fault.span, message, note="not JSON", help=advice, fix=_quoting(fault, text) if quotable else None)


def _tag(fault: NotJson) -> str:
    """A tag as in the file: `!!set`, `!Ref`."""
    return fault.tag if fault.tag.startswith("!") else f"!!{fault.tag}"


def _plain(facts: Facts, fault: NotJson) -> str:
    """The advice for a value that JSON cannot represent."""
    if fault.kind == "braces":
        return f'write `"${{{_inner(facts, fault)}}}"`, in quotes and with one pair of braces'
    if fault.kind == "key":
        return "use a string as the key"
    if fault.kind == "merged":
        return "write `<<: *name`, with `&name` before the mapping to merge, or `<<: [*first, *second]`"
    if fault.kind == "set":
        return "write a list instead: `[a, b]`"
    return f"remove `{_tag(fault)}`: values are strings, numbers, true, false, null, lists and mappings"


def _inner(facts: Facts, fault: NotJson) -> str:
    """The content of a template of another language, or an ellipsis if it is more than one word."""
    span = fault.span
    line = facts.source.text.split("\n")[span.line - 1]
    inner = _BRACES.fullmatch(line, span.column - 1, span.end_column - 1) if span.line == span.end_line else None
    return inner[1] if inner else "…"


@fault_rule(AmbiguousScalar, Severity.WARNING, "ambiguous YAML scalar")
def ambiguous(facts: Facts, fault: AmbiguousScalar) -> Iterator[Finding]:
    """A plain scalar that YAML 1.1 and YAML 1.2 read differently: `yes`, `0755`, `12:30`, `1_000`, `1e3`, `1.10`.
    Graphs are read as YAML 1.1, but most people know YAML 1.2. As a key, such a scalar is an error.

    The fix keeps the current value and spells it unambiguously. It puts quotes around a `version` and other strings
    that only people read.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: {version: 1.10}}

    Passes:
        -    done: {type: return, output: {version: 1.10}}
        +    done: {type: return, output: {version: "1.10"}}
    """
    text, reads = fault.text, fault.reads
    if fault.reason == "zero" and not fault.key and _is_param_of_numbers(facts, fault):
        return
    written = quoted(text)
    why = _AMBIGUOUS[fault.reason]
    if fault.key:
        message = f"the key `{text}` is ambiguous: {why}"
        fix = Fix((Edit(fault.span, written),))
        yield Finding(fault.span, message, help=f"put it in quotes: {written}", fix=fix, severity=Severity.ERROR)
    elif fault.wanted in ("text", "label") and not fault.text_read:
        message = f"`{text}` reads as {reads}: {why}"
        label = Fix((Edit(fault.span, written),)) if fault.wanted == "label" else None  # inputs do not change
        yield Finding(fault.span, message, note=f"reads as {reads}", help=f"put it in quotes: {written}", fix=label)
    elif fault.text_read:
        message = f"`{text}` is read as a string here, but not everywhere: {why}"
        yield Finding(fault.span, message, help=f"put it in quotes: {written}", fix=Fix((Edit(fault.span, written),)))
    else:
        message = f"`{text}` reads as {reads}: {why}"
        advice = f"write `{reads}` if you mean that, {written} for the string"
        if fault.wanted == "value":
            advice = f"write `{reads}`"
        yield Finding(fault.span, message, note=f"reads as {reads}", help=advice, fix=Fix((Edit(fault.span, reads),)))


def _is_param_of_numbers(facts: Facts, fault: AmbiguousScalar) -> bool:
    """Whether a scalar is a param for which the tool expects a number: then `0.50` is the same as `0.5`."""
    from graphwright.rules.params import numbers_wanted

    return facts.graph is not None and fault.span in numbers_wanted(facts)


@rule("GW005", Severity.ERROR, "limits of a graph file exceeded")
def limits(facts: Facts) -> Iterator[Finding]:
    """The file is too large, nested too deeply, expands too far when its aliases are resolved, is not valid UTF-8, or
    contains more than one document. Such a file is rejected immediately, without further checks.

    Fails:
        tool_type: graph
        permissions: []
        config: {start: done, nodes: {done: {type: return}}}
        ---
        tool_type: graph

    Passes:
        tool_type: graph
        permissions: []
        config: {start: done, nodes: {done: {type: return}}}
    """
    for fault in facts.faults(BeyondLimit):
        message, advice = _limit(fault)
        yield Finding(fault.span, message, help=advice)
    for found in facts.faults(NotUtf8):
        what = f"{'is binary' if found.binary else 'is not UTF-8'} (byte {found.byte})"
        yield Finding(
            found.span, f"the file {'is UTF-16, and not UTF-8' if found.wide else what}", help="save it as UTF-8"
        )


def _limit(fault: BeyondLimit) -> tuple[str, str]:
    kind, maximum = fault.limit, fault.maximum
    if kind == "documents":
        return "a second document starts here, but a file contains only one graph", (
            "move what follows to its own file, or remove the `---`"
        )
    if kind == "recursion":
        return (
            "an alias refers to a mapping or list that contains it",
            "write the values instead of the alias",
        )
    if kind == "depth":
        return f"the file is nested deeper than {maximum} levels", "flatten it, or compute the value in a tool"
    if kind == "size":
        return f"the file has {fault.size:,} bytes, more than {maximum:,}", "keep data out of the graph"
    aliases = " with aliases expanded" if kind == "expansion" else ""
    return f"the file has more than {maximum:,} values{aliases}", "keep data out of the graph"


def _quoting(fault: NotJson, text: str) -> Fix:
    return Fix((Edit(fault.span, quoted(text)),))
