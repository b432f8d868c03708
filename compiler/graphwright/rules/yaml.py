"""GW0xx: the file as YAML, before it is a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphwright.diagnostic import Edit, Fix, Label, Severity, Span
from graphwright.facts import Facts
from graphwright.fault import Fault
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed, meant
from graphwright.source.spelling import quoted

#: For each cause of a syntax error: the message and what to do. `{found}` is the text that it was found at.
_SYNTAX: Mapping[str, tuple[str, str]] = {
    "tab": ("a tab is used as indentation", "indent with blanks: YAML does not allow tabs there"),
    "quote": ("the text that begins with this quote is never closed", "add the missing {found}"),
    "colon": ("a second `: ` on this line", "put the value in quotes, or begin a new line for the nested key"),
    "bare": ("there is no `:` behind the key `{found}`", "write `{found}:`"),
    "glued": ("there is no blank before the sign of the text below: `{found}`", "write `: ` with a blank behind it"),
    "deeper": (
        "the key `{found}` stands deeper than the line above it, which has its value already",
        "begin it in the column of the key above, or put a text that goes on into quotes",
    ),
    "stray": (
        "`{found}` is no key, and no part of the value above it",
        "write `key: value`, or indent it below the value that it continues",
    ),
    "sign": ("no text can begin with `*` or `&`, which stand for aliases and anchors", 'put it in quotes: `"{found}"`'),
    "escape": (
        "`{found}` is no escape",
        "write `\\\\` for a backslash, or use single quotes, where nothing is escaped",
    ),
    "half": ("`{found}` is no character", "write one beyond U+FFFF with eight digits, such as `\\U0001F680`"),
    "bracket": ("this `{found}` is never closed", "add the closing bracket"),
    "comma": ("expected `,` or the closing bracket here", "separate the entries by commas; quote texts that hold `,`"),
    "template": ("`{found}` needs quotes between `{{ }}` or `[ ]`", 'write `"{found}"`'),
    "character": ("no value can begin with `{found}`", "put the value in quotes"),
    "indent": ("the indentation does not fit here", "keys of one mapping begin in one column, items of a list too"),
    "trailing": ("`{found}` stands behind a value that has ended", "put the whole value in one pair of quotes"),
    "alias": ("alias `*{found}` refers to no anchor above it", "define it first with `&{found}`, or quote the text"),
    "anchor": ("anchor `&{found}` is defined twice", "give each anchor its own name"),
    "control": ("the character {found} is not allowed in YAML", "remove it, or write it as an escape in double quotes"),
    "other": ("this is no YAML: {problem}", "look at the quotes, brackets and indentation before this place"),
}

_AMBIGUOUS: Mapping[str, str] = {
    "switch": "YAML 1.1 takes it for a switch, YAML 1.2 for text",
    "octal": "a leading 0 makes it octal in YAML 1.1, YAML 1.2 writes `0o`",
    "binary": "only YAML 1.1 knows binary numbers",
    "sexagesimal": "YAML 1.1 counts in sixties, for YAML 1.2 it is text",
    "underscore": "YAML 1.1 allows `_` in numbers, for YAML 1.2 it is text",
    "exponent": "YAML 1.1 wants a point and a sign in it, for YAML 1.2 it is a number",
    "zero": "the final zero is lost",
}


@rule("GW001", Severity.ERROR, "YAML syntax error")
def syntax(facts: Facts) -> Iterator[Finding]:
    """The file is no YAML. The message points at where it went wrong rather than at where the parser noticed:
    at the quote that is never closed, at the tab, at the second `: ` of a line.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "never closed}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "closed"}
    """
    for fault in facts.faults("GW001"):
        message, mend = _SYNTAX[str(fault.facts["cause"])]
        texts = {"found": fault.facts.get("found", ""), "problem": fault.facts.get("problem", "")}
        yield Finding(fault.span, message.format_map(texts), note="here", help=mend.format_map(texts))


@rule("GW002", Severity.ERROR, "duplicate key")
def duplicate(facts: Facts) -> Iterator[Finding]:
    """One mapping has a key twice. YAML loaders keep the last one in silence, so that a pasted node removes the one
    it was copied from. An explicit key beside `<<` is an override and no duplicate; two `<<` are one too many.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: 1}
            done: {type: return, output: 2}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: 1}
    """
    for fault in facts.faults("GW002"):
        key, line = fault.facts["key"], fault.facts["first_line"]
        first = fault.facts["first"]
        written = fault.facts.get("written", key)
        message = f"key `{key}` is there twice in one mapping, first on line {line}"
        mend = "remove one of them, or rename it"
        run = fault.facts.get("run")
        if isinstance(run, list) and run:
            message = f"keys {listed((str(key), *run))} are there twice in one mapping, first from line {line} on"
            mend = "is a line missing above, with `- ` or a name? Else remove one of each"
        if fault.facts["merge"]:
            mend = "merge several mappings with a list: `<<: [*first, *second]`"
        elif written != key:
            message = f"`{key}` and `{written}` (line {line}) are two spellings of one key"
        related = (Label(first, "first here"),) if isinstance(first, Span) else ()
        yield Finding(fault.span, message, note="again here", help=mend, related=related)


@rule("GW003", Severity.ERROR, "not JSON")
def not_json(facts: Facts) -> Iterator[Finding]:
    """A value or key that JSON cannot hold: a date, infinity, binary, a set, a custom tag, a key that is no text.
    State, parameters and results are JSON from end to end, so it could not be stored, hashed or sent.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: 2026-01-31}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "2026-01-31"}
    """
    for fault in facts.faults("GW003"):
        text, kind = str(fault.facts["text"]), fault.facts["kind"]
        message = {
            "timestamp": f"`{text}` reads as a date, which JSON does not have",
            "number": f"`{text}` is a number that JSON does not have",
            "equals": "a bare `=` has a meaning of its own in YAML 1.1",
            "merged": "`<<` takes a mapping, or a list of mappings",
            "merge": "`<<` merges mappings and can only be a key",
            "key": f"the key `{text}` is no text" if text else "a key must be a text, not a list or mapping",
        }.get(str(kind), f"a value of the tag `{fault.facts['tag']}` is not JSON")
        quotable = bool(text) and kind in ("timestamp", "number", "equals", "merge", "key")
        mend = f"put it in quotes: {quoted(text)}" if quotable else "write it as plain JSON"
        yield Finding(fault.span, message, note="not JSON", help=mend, fix=_quoting(fault, text) if quotable else None)


@rule("GW004", Severity.WARNING, "YAML 1.1 ambiguity")
def ambiguous(facts: Facts) -> Iterator[Finding]:
    """A plain scalar that YAML 1.1 (which graphs are read as) and YAML 1.2 (which most people know) read
    differently: `yes`, `0755`, `12:30`, `1_000`, `1e3`, `1.10`. As a key it is an error.

    The fix keeps what is read today and spells it so that everybody reads the same.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: {version: 1.10}}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: {version: "1.10"}}
    """
    for fault in facts.faults("GW004"):
        text, reads = str(fault.facts["text"]), str(fault.facts["reads"])
        written = quoted(text)
        why = _AMBIGUOUS[str(fault.facts["reason"])]
        if fault.facts["key"]:
            message = f"the key `{text}` does not read the same everywhere: {why}"
            fix = Fix((Edit(fault.span, written),))
            yield Finding(fault.span, message, help=f"put it in quotes: {written}", fix=fix, severity=Severity.ERROR)
        elif fault.facts["text_read"]:
            message = f"`{text}` is read as text here, and not everywhere: {why}"
            yield Finding(
                fault.span, message, help=f"put it in quotes: {written}", fix=Fix((Edit(fault.span, written),))
            )
        else:
            message = f"`{text}` reads as {reads}: {why}"
            mend = f"write `{reads}` if that is meant, {written} for the text"
            yield Finding(fault.span, message, note=f"reads as {reads}", help=mend, fix=Fix((Edit(fault.span, reads),)))


@rule("GW005", Severity.ERROR, "beyond the limits of a graph file")
def limits(facts: Facts) -> Iterator[Finding]:
    """The file is too large, nests too deeply, explodes when its aliases are followed, is no UTF-8 text or holds
    more than one document. Such files are refused at once, whatever else they say.

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
    for fault in facts.faults("GW005"):
        message, mend = _limit(fault)
        yield Finding(fault.span, message, help=mend)


def _limit(fault: Fault) -> tuple[str, str]:
    kind, maximum = fault.facts["limit"], fault.facts.get("maximum", 0)
    if kind == "documents":
        return "a second document begins here: a file holds one graph", "move it to a file of its own"
    if kind == "recursion":
        return "an alias leads back into the mapping or list that holds it", "write the inner part out"
    if kind == "encoding":
        what = "is binary" if fault.facts["binary"] else "is not UTF-8"
        return f"the file {what} (byte {fault.facts['byte']})", "save it as UTF-8 text"
    if kind == "depth":
        return f"the nesting is deeper than {maximum} levels", "flatten it, or compute it in a tool"
    if kind == "size":
        return f"the file has {fault.facts['size']:,} bytes, more than {maximum:,}", "keep data out of the graph"
    aliases = ", aliases followed" if kind == "expansion" else ""
    return f"the file has more than {maximum:,} values{aliases}", "keep data out of the graph"


@rule("GW006", Severity.ERROR, "no graph")
def no_graph(facts: Facts) -> Iterator[Finding]:
    """A file that was named on the command line is no graph: its top level has no `tool_type: graph`. In a folder
    such files are passed over in silence.

    Fails: a file that says nothing of `tool_type` is named on the command line

    Passes: the same file with `tool_type: graph` at its top, or the folder that it lies in
    """
    for fault in facts.faults("GW006"):
        yield Finding(fault.span, "this file is no graph: `tool_type: graph` is missing", help="add `tool_type: graph`")


@rule("GW007", Severity.ERROR, "two sources map to one module")
def one_module(facts: Facts) -> Iterator[Finding]:
    """Two graphs would become the same Python module: `-`, blanks and dots all turn into `_`, and some file systems
    take `Report.py` and `report.py` for one file. Neither is built.

    Fails: `week-report.yaml` and `week_report.yaml` in one folder

    Passes: `week-report.yaml` and `month-report.yaml` in one folder
    """
    for fault in facts.faults("GW007"):
        paths = fault.facts["paths"]
        names = listed(str(path) for path in paths) if isinstance(paths, tuple) else ""
        yield Finding(
            fault.span, f"{names} both become the module `{fault.facts['module']}`", help="rename one of them"
        )


@rule("GW008", Severity.ERROR, "file cannot be read")
def unreadable(facts: Facts) -> Iterator[Finding]:
    """A file that was named is missing, is a folder, or may not be read. The command ends with exit code 2.

    Fails: a file that does not exist is named on the command line

    Passes: a file that is there and may be read
    """
    for fault in facts.faults("GW008"):
        path = fault.facts["path"]
        message, mend = {
            "missing": (f"there is no file `{path}`", "look at the spelling and at the folder you are in"),
            "directory": (f"`{path}` is a folder", "name a file"),
            "permission": (f"`{path}` may not be read", "change its permissions"),
        }.get(str(fault.facts["reason"]), (f"`{path}` cannot be read: {fault.facts.get('detail', '')}", None))
        yield Finding(fault.span, message, help=mend)


@rule("GW009", Severity.WARNING, "unused `graphwright: ignore`")
def unused_ignore(facts: Facts) -> Iterator[Finding]:
    """An ignore comment that hides nothing: the fault is gone, the code is misspelt, or it may not be hidden. Left
    standing, it would hide the next fault of that kind.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done  # graphwright: ignore[GW201]
          nodes:
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return}
    """
    for fault in facts.faults("GW009"):
        codes = fault.facts["codes"]
        names = listed(str(code) for code in codes) if isinstance(codes, tuple) else ""
        message = {
            "unknown": f"there is no rule {names}",
            "bare": "an ignore comment must say which codes it hides",
            "firm": f"{names} cannot be ignored",
        }.get(str(fault.facts["reason"]), f"the comment hides nothing: no {names} here")
        edit = fault.facts.get("edit")
        mend = meant(fault.facts.get("suggestion")) or "remove the comment"
        yield Finding(fault.span, message, help=mend, fix=Fix((edit,)) if isinstance(edit, Edit) else None)


def _quoting(fault: Fault, text: str) -> Fix:
    return Fix((Edit(fault.span, quoted(text)),))
