"""GW801 and GW804: signatures that are missing, broken, or by somebody whom nobody here trusts."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.files import Untrusted, UntrustedModule, UntrustedSource
from graphwright.rules.registry import Finding, rule


@rule("GW801", Severity.ERROR, "missing or invalid source signature")
def source_signature(facts: Facts) -> Iterator[Finding]:
    """The first line of the graph is not a valid signature of it by a key that this project trusts for this graph.

    Signatures are checked if the configuration says so (`trust.sources`): with `warn` this is a warning, with
    `require` an error, and a comment in the file cannot suppress it. `# graphwright:signed:…` is accepted, and so
    are the `# rye:signed:…` and `# ryeos:signed:…` lines of other tools, if the key is listed in
    `.graphwright/trust.toml` or in your own trust file. `graphwright sign FILE` signs a graph, and `graphwright
    keys trust KEY` adds a key.

    Fails: trust.sources = "require", and an unsigned graph

    Passes: the same graph after `graphwright sign`, with a key that the project trusts
    """
    for fault in facts.faults(UntrustedSource):
        yield _finding(fault)


@rule("GW804", Severity.ERROR, "missing or invalid module signature")
def module_signature(facts: Facts) -> Iterator[Finding]:
    """A generated module, or the manifest of its package, is not what a trusted key signed.

    `graphwright verify` checks whole packages. It reports modules that were changed (by hand or by a formatter),
    removed, added or replaced with an older version, and keys that are unknown, revoked or expired. With verified
    imports, the runtime rejects the same modules (`graphwright_runtime.loader`). Do not edit signed files: change
    the graph and build again. Exclude the output folder from formatters and hooks that rewrite files.

    Fails: a generated module that was edited

    Passes: a package as `graphwright build` wrote and signed it
    """
    for fault in facts.faults(UntrustedModule):
        yield _finding(fault)


def _finding(fault: Untrusted) -> Finding:
    signer = f" (key {fault.key})" if fault.key else ""
    severity = Severity.ERROR if fault.required else Severity.WARNING
    message = f"this {fault.what} is not trusted: {fault.text}{signer}"
    return Finding(fault.span, message, help=fault.advice, severity=severity)
