"""GW8xx and GW9xx: generated modules that are not what their sources say, faults of graphwright itself."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.files import LeftOverModule, OtherVersion, StaleModule
from graphwright.rules.registry import Finding, rule


@rule("GW802", Severity.ERROR, "generated module out of date")
def stale_module(facts: Facts) -> Iterator[Finding]:
    """The committed module differs from what the compiler generates from the source: it is out of date, or was edited
    by hand.

    Reported by `build --check`, like everything else that a build would change: the `__init__.py` of a package,
    `py.typed`, the manifest and, with `--provenance`, the provenance of modules.

    Fails: `graphwright build --check` after a change of the source without a build

    Passes: `graphwright build --check` right after `graphwright build`
    """
    for fault in facts.faults(StaleModule):
        module, reason = fault.module, fault.reason
        message = f"generated module `{module}` differs from what its source compiles to: {reason}"
        if fault.package:
            message = f"`{module}` differs from what a build writes: {reason}"
        yield Finding(
            fault.span,
            message,
            note="out of date",
            help="run `graphwright build`, and commit what it writes",
        )


@rule("GW803", Severity.ERROR, "generated module without a source")
def left_over_module(facts: Facts) -> Iterator[Finding]:
    """The graph that a generated module was compiled from was renamed or removed.

    Reported by `build --check`. A build removes the module, unless it was edited after it was built. In that case
    the build reports it, too, and keeps it.

    Fails: `graphwright build --check` after a source was removed

    Passes: `graphwright build --check` right after `graphwright build`, which removes such modules
    """
    for fault in facts.faults(LeftOverModule):
        message, mend = f"the generated module `{fault.module}` no longer has a source", None
        if reason := fault.reason:
            message, mend = f"{message}; {reason}", "save your changes, then delete the file"
        yield Finding(fault.span, message, note="left over", help=mend or "run `graphwright build`, which removes it")


@rule("GW805", Severity.WARNING, "built by another version of the compiler")
def other_version(facts: Facts) -> Iterator[Finding]:
    """A generated module was built by a different version of the compiler than the installed one.

    Reported by `build --check`. The module may well be the same in both versions.

    Fails: `graphwright build --check` after an upgrade of graphwright

    Passes: `graphwright build --check` right after `graphwright build`
    """
    for fault in facts.faults(OtherVersion):
        yield Finding(
            fault.span,
            f"`{fault.module}` was built by graphwright {fault.found}; this is graphwright {fault.expected}",
            note="another version",
            help="run `graphwright build`, or install the version that built it",
        )


@rule("GW901", Severity.ERROR, "internal error")
def internal_error(_: Facts) -> tuple[Finding, ...]:
    """The compiler itself failed while it checked this file. This is a bug in graphwright, not in your graph.

    Fails: a bug in graphwright

    Passes: any graph, once the bug is fixed
    """
    return ()  # `internal` reports it, without what may have failed
