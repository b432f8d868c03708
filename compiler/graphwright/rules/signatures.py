"""GW801 and GW804: signatures that are missing, broken, or by somebody whom nobody here trusts."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.fault import Fault
from graphwright.rules.registry import Finding, rule


@rule("GW801", Severity.ERROR, "source signature required and missing, broken, or by an untrusted key")
def source_signature(facts: Facts) -> Iterator[Finding]:
    """The first line of the graph is not a signature that covers it, by a key that this project trusts for this graph.

    It is looked for where the configuration says so (`trust.sources`): with `warn` it is a warning, with `require` an
    error, and no comment in the file can silence it. Both `# graphwright:signed:…` and the `# rye:signed:…` and
    `# ryeos:signed:…` of other tools count, when their key stands in `.graphwright/trust.toml` or in your own
    trust file. `graphwright sign FILE` signs a graph; `graphwright keys trust KEY` adds a key.

    Fails: trust.sources = "require", and a graph that nobody signed

    Passes: the same graph after `graphwright sign`, with a key that the project trusts
    """
    for fault in facts.faults("GW801"):
        yield _finding(fault)


@rule("GW804", Severity.ERROR, "module signature missing, broken, untrusted, revoked")
def module_signature(facts: Facts) -> Iterator[Finding]:
    """A generated module, or the manifest of its package, is not what a trusted key signed.

    `graphwright verify` looks at whole packages: a module that was changed, by hand or by a formatter, one that was
    taken away, added or replaced by an older one, a key that is unknown, revoked or past its last day. The runtime
    refuses the same things when it imports (`graphwright_runtime.loader`). Signed files are never edited: change the
    graph and build again. Formatters and hooks that rewrite files must leave the output folder out.

    Fails: a generated module that somebody edited

    Passes: a package as `graphwright build` signed and wrote it
    """
    for fault in facts.faults("GW804"):
        yield _finding(fault)


def _finding(fault: Fault) -> Finding:
    what, text, advice, key = (str(fault.facts[name]) for name in ("what", "text", "advice", "key"))
    signer = f" (key {key})" if key else ""
    severity = Severity.ERROR if fault.facts["required"] else Severity.WARNING
    return Finding(fault.span, f"this {what} is not trusted: {text}{signer}", help=advice, severity=severity)
