"""GW006 to GW009: whole files, and ignore comments in them."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.faults.files import NotAGraph, SameModule, UnreadableFile, UnusedIgnore
from graphwright.rules.registry import Finding, as_fix, fault_rule
from graphwright.rules.wording import listed, meant


@fault_rule(NotAGraph, Severity.ERROR, "not a graph")
def no_graph(_: Facts, fault: NotAGraph) -> Iterator[Finding]:
    """A file named on the command line is not a graph: its top level has no `tool_type: graph`. In a folder
    such files are silently skipped, unless they have `config.nodes` and only `tool_type` is misspelled or missing.

    Fails: a file without `tool_type` is named on the command line

    Passes: the same file with `tool_type: graph` at the top level, or the folder that contains it
    """
    message, mend = _no_graph(fault)
    here = "did you mean `tool_type`?" if fault.value is None else "not `graph`"
    related = () if fault.at is None else (Label(fault.at, here),)
    yield Finding(fault.span, message, help=mend, related=related)


def _no_graph(fault: NotAGraph) -> tuple[str, str]:
    """Why a file is not a graph, and what to write if it should be one."""
    key, value = fault.key, fault.value
    if fault.python:
        return "this is a Python file, not a graph", (
            "pass the YAML file that it is compiled from; `graphwright verify` checks the signature of a module"
        )
    add = "add the line `tool_type: graph` if it is supposed to be a graph"
    if fault.empty:
        return "this file is not a graph: it is empty", add
    if value is not None:
        return f"this file is not a graph: `tool_type` is `{value}`", (
            "write `tool_type: graph` if it is supposed to be a graph"
        )
    missing = "this file is not a graph: `tool_type: graph` is missing"
    return missing, f"write `tool_type` instead of `{key}`" if key is not None else add


@fault_rule(SameModule, Severity.ERROR, "two sources for one module")
def one_module(_: Facts, fault: SameModule) -> Iterator[Finding]:
    """Two graphs would compile to the same Python module. `-`, spaces and dots all become `_`, and some file systems
    do not distinguish `Report.py` from `report.py`. Neither graph is built.

    Fails: `week-report.yaml` and `week_report.yaml` in one folder

    Passes: `week-report.yaml` and `month-report.yaml` in one folder
    """
    names, module = listed(fault.paths), fault.module
    message = f"{names} both compile to the module `{module}`"
    if module.endswith("/"):
        message = f"{names} need a module and a folder `{module}` whose names differ only in case"
    yield Finding(fault.span, message, help="rename one of them")


@fault_rule(UnreadableFile, Severity.ERROR, "file cannot be read")
def unreadable(_: Facts, fault: UnreadableFile) -> Iterator[Finding]:
    """A file named on the command line does not exist, is a folder, or is not readable. The command exits with code 2.

    Fails: a file that does not exist is named on the command line

    Passes: a file that exists and is readable
    """
    path = fault.path
    near = meant(fault.suggestion)
    message, advice = {
        "missing": (
            f"there is no file or folder `{path}`",
            near or "check the spelling and the current directory",
        ),
        "directory": (f"`{path}` is a folder", "name a file"),
        "permission": (f"`{path}` is not readable", "change its permissions"),
    }.get(fault.reason, (f"`{path}` cannot be read: {fault.detail}", None))
    yield Finding(fault.span, message, help=advice)


@fault_rule(UnusedIgnore, Severity.WARNING, "unused `graphwright: ignore`")
def unused_ignore(_: Facts, fault: UnusedIgnore) -> Iterator[Finding]:
    """An ignore comment does not suppress anything: the problem was fixed, the code is misspelled, or the code cannot
    be suppressed. If you keep the comment, it will hide the next problem of that kind.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done  # graphwright: ignore[GW201]
          nodes:
            done: {type: return}

    Passes:
        -  start: done  # graphwright: ignore[GW201]
        +  start: done
    """
    names = listed(fault.codes)
    message = {
        "unknown": f"there is no rule {names}",
        "family": f"{names} is a family of rules; an ignore comment must name single rules",
        "bare": "an ignore comment must list codes",
        "firm": f"{names} cannot be ignored",
    }.get(fault.reason, f"this comment suppresses nothing: there is no {listed(fault.codes, 'or')} here")
    suggestion = fault.suggestion
    advice = f"remove {names} from the comment" if fault.left else "remove the comment"
    if fault.reason == "bare":
        advice = "list the codes, as in `# graphwright: ignore[GW302]`, or remove the comment"
    elif fault.reason == "family":
        advice = f"write the code, such as `{suggestion}`, or {advice}"
    elif fault.reason == "firm":
        advice = f"fix what {names} reports, and {advice}"
    elif suggestion:
        advice = f"did you mean `{suggestion}`? Otherwise, {advice}"
    yield Finding(fault.span, message, help=advice, fix=None if suggestion else as_fix(fault.edit))
