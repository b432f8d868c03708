"""GW8xx and GW9xx: signatures, modules that differ from their sources, internal errors."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.files import (
    LeftOverModule,
    OtherVersion,
    StaleModule,
    Untrusted,
    UntrustedModule,
    UntrustedSource,
)
from graphwright.rules.registry import Finding, fault_rule, rule


@fault_rule(UntrustedSource, Severity.ERROR, "missing or invalid source signature")
def source_signature(_: Facts, fault: UntrustedSource) -> Iterator[Finding]:
    """The first line of the graph is not a valid signature of it by a key that this project trusts for this graph.

    Signatures are checked if the configuration says so (`trust.sources`): with `warn` this is a warning, with
    `require` an error, and a comment in the file cannot suppress it. `# graphwright:signed:…` is accepted, and so
    are the `# rye:signed:…` and `# ryeos:signed:…` lines of other tools, if the key is listed in
    `.graphwright/trust.toml` or in your own trust file. `graphwright sign FILE` signs a graph, and `graphwright
    keys trust KEY` adds a key.

    Fails: trust.sources = "require", and an unsigned graph

    Passes: the same graph after `graphwright sign`, with a key that the project trusts
    """
    yield _finding(fault)


@fault_rule(StaleModule, Severity.ERROR, "generated module out of date")
def stale_module(_: Facts, fault: StaleModule) -> Iterator[Finding]:
    """The committed module differs from what the compiler generates from the source: it is out of date, or was edited
    by hand.

    The message says what has changed: the source, what it uses (the contract of a tool, a called graph, a directive),
    the compiler, or the module itself, with the first lines of the difference. For a module that is not signed,
    nothing records whether it was edited, so the message may name two possibilities.

    Reported by `build --check`, like everything else that a build would change: the `__init__.py` of a package,
    `py.typed`, the manifest and, with `--provenance`, the provenance of modules.

    Fails: `graphwright build --check` after a change of the source without a build

    Passes: `graphwright build --check` right after `graphwright build`
    """
    module, reason = fault.module, fault.reason
    message = f"generated module `{module}` differs from what its source compiles to: {reason}"
    if fault.package:
        message = f"`{module}` differs from what a build writes: {reason}"
    yield Finding(
        fault.span,
        message,
        note="out of date",
        help="run `graphwright build`, and commit what it writes",
        diff=fault.diff,
    )


@fault_rule(LeftOverModule, Severity.ERROR, "generated module without a source")
def left_over_module(_: Facts, fault: LeftOverModule) -> Iterator[Finding]:
    """The graph that a generated module was compiled from was renamed, removed or excluded from checks.

    Reported by `build --check`. A build removes the module, unless it was edited after it was built. In that case
    the build reports it, too, and keeps it.

    Fails: `graphwright build --check` after a source was removed

    Passes: `graphwright build --check` right after `graphwright build`, which removes such modules
    """
    message, advice = f"the generated module `{fault.module}` no longer has a source", None
    if reason := fault.reason:
        message, advice = f"{message}; {reason}", "save your changes, then delete the file"
    yield Finding(fault.span, message, note="left over", help=advice or "run `graphwright build`, which removes it")


@fault_rule(UntrustedModule, Severity.ERROR, "missing or invalid module signature")
def module_signature(_: Facts, fault: UntrustedModule) -> Iterator[Finding]:
    """A generated module, or the manifest of its package, is not what a trusted key signed.

    `graphwright verify` checks whole packages. It reports modules that were changed (by hand or by a formatter),
    removed, added or replaced with an older version, and keys that are unknown, revoked or expired. With verified
    imports, the runtime rejects the same modules (`graphwright_runtime.loader`). Do not edit signed files: change
    the graph and build again. Exclude the output folder from formatters and hooks that rewrite files.

    Fails: a generated module that was edited

    Passes: a package as `graphwright build` wrote and signed it
    """
    yield _finding(fault)


def _finding(fault: Untrusted) -> Finding:
    signer = f" (key {fault.key})" if fault.key else ""
    severity = Severity.ERROR if fault.required else Severity.WARNING
    message = f"this {fault.what} is not trusted: {fault.text}{signer}"
    return Finding(fault.span, message, help=fault.advice, severity=severity)


@fault_rule(OtherVersion, Severity.WARNING, "built by another version of the compiler")
def other_version(_: Facts, fault: OtherVersion) -> Iterator[Finding]:
    """A generated module was built by a different version of the compiler than the installed one.

    Reported by `build --check`. The module may well be the same in both versions.

    Fails: `graphwright build --check` after an upgrade of graphwright

    Passes: `graphwright build --check` right after `graphwright build`
    """
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
    return ()  # `internal` reports it without the parts that may have failed
