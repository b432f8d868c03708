"""GW1xx, as far as others go: older spellings, other backends, other dialects."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.keys import OlderSpelling, OtherDialect
from graphwright.rules.registry import Finding, as_fix, rule
from graphwright.rules.wording import everything


@rule("GW111", Severity.NOTE, "older spelling")
def older_spelling(facts: Facts) -> Iterator[Finding]:
    """An older spelling that is still accepted (`operator`, `neq`, `cache`, `state_graph`). The fix replaces it with
    the modern one and changes nothing else.

    Fails:
        tool_type: state_graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return}

    Passes:
        -tool_type: state_graph
        +tool_type: graph
    """
    for fault in facts.faults(OlderSpelling):
        written, modern = fault.written, fault.modern
        message = f"`{written}` is the older spelling of `{modern}`"
        yield Finding(fault.span, message, help=f"write `{modern}`", fix=as_fix(fault.edit))


@rule("GW114", Severity.ERROR, "different dialect of state graphs")
def other_dialect(facts: Facts) -> Iterator[Finding]:
    """The file is written in another dialect of state graphs: the newer one (`node_type`, `next: {type: …}`,
    conditions as strings, `requires.capabilities`) or the old prototype (`initial_node`, `edges`). It is reported
    once, with a list of all that is written differently. `graphwright migrate` translates the file.

    Fails:
        tool_type: graph
        config:
          start: done
          nodes:
            done: {node_type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return}
    """
    for fault in facts.faults(OtherDialect):
        keys = dict.fromkeys(key for _, key, _ in fault.differences if key != "tool_type")
        advice = [f"line {line}: {advised}" for line, _, advised in fault.differences]
        yield Finding(
            fault.span, f"this is {fault.dialect}: it has {everything(keys)}", note="another dialect",
            help="\n".join(["run `graphwright migrate` on the file; this language writes", *advice]),
        )  # fmt: skip
