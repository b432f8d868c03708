"""GW8xx and GW9xx: generated modules that are not what their sources say, faults of graphwright itself."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.rules.registry import Finding, rule


@rule("GW802", Severity.ERROR, "generated module differs from what its source compiles to")
def stale_module(facts: Facts) -> Iterator[Finding]:
    """The committed module is not what the compiler makes of the source now: it is stale, or was edited by hand.

    Reported by `build --check`, and so is everything else that a build would write: the `__init__.py` of a package,
    `py.typed`, the manifest and, with `--provenance`, what modules are made of.

    Fails: `graphwright build --check` after the source was changed and not built again

    Passes: `graphwright build --check` right after `graphwright build`
    """
    for fault in facts.faults("GW802"):
        module, reason = fault.facts["module"], fault.facts["reason"]
        message = f"generated module `{module}` is not what its source compiles to: {reason}"
        if fault.facts.get("what") == "package":
            message = f"`{module}` is not what a build writes: {reason}"
        yield Finding(
            fault.span,
            message,
            note="out of date",
            help="run `graphwright build`, and commit what it writes",
        )


@rule("GW803", Severity.ERROR, "generated module without a source")
def left_over_module(facts: Facts) -> Iterator[Finding]:
    """A generated module is left over: the graph that it came from has been renamed or removed.

    Reported by `build --check`. A build removes it, unless somebody has edited it since it was built: then it is
    reported by a build, too, and kept.

    Fails: `graphwright build --check` after a source was removed

    Passes: `graphwright build --check` right after `graphwright build`, which removes what is left over
    """
    for fault in facts.faults("GW803"):
        message, mend = f"no graph becomes the generated module `{fault.facts['module']}` any more", None
        if reason := fault.facts.get("reason"):
            message, mend = f"{message}; {reason}", "save what is yours in it, then delete the file"
        yield Finding(fault.span, message, note="left over", help=mend or "run `graphwright build`, which removes it")


@rule("GW805", Severity.WARNING, "built by another version of the compiler")
def other_version(facts: Facts) -> Iterator[Finding]:
    """A generated module names another version of the compiler than the one that is installed.

    Reported by `build --check`; the module may well be the same in both versions.

    Fails: `graphwright build --check` after graphwright was upgraded

    Passes: `graphwright build --check` right after `graphwright build`
    """
    for fault in facts.faults("GW805"):
        known = fault.facts
        yield Finding(
            fault.span,
            f"`{known['module']}` was built by graphwright {known['found']}; this is graphwright {known['expected']}",
            note="another version",
            help="run `graphwright build`, or install the version that built it",
        )


@rule("GW901", Severity.ERROR, "internal error")
def internal_error(facts: Facts) -> Iterator[Finding]:
    """Graphwright itself failed while it looked at this file. That is never your fault.

    Fails: a bug in graphwright

    Passes: any graph, once the bug is mended
    """
    for fault in facts.faults("GW901"):
        yield Finding(
            fault.span,
            f"internal error: {fault.facts['error']}",
            help="this is a fault of graphwright, not of your file; please report it with the graph that shows it",
        )
