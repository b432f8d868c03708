"""GW607: secrets in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.analysis.credentials import credential, is_suspicious
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.rules.registry import Finding, graph_rule


@graph_rule("GW607", Severity.WARNING, "possible credential")
def credential_written(facts: Facts, _: ir.Graph) -> Iterator[Finding]:
    """A value looks like a token, a key or a password. Anyone who can read the graph can use it. Put it in the
    environment and list the variable in `env_requires`.

    The compiler recognizes the formats of well-known tokens, random strings under names such as `token` (including
    `API_KEY=…` in a command), and passwords.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list, params: {token: Zq8Lr2Vn5Xk9Tb4Wm7Yc}}}

    Passes:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        env_requires: [TICKETS_TOKEN]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}}
    """
    root = facts.source.root
    if root is None or not is_suspicious(facts.source.text):
        return
    for name, scalar in _scalars(root):
        found = credential(name, scalar.value)
        if found is not None:
            under = f" in `{name}`" if name and f"`{name}`" not in found.what else ""
            variable = re.sub(r"\W", "_", name or "").upper() if name and name != "command" else "API_TOKEN"
            within = "\n" in scalar.value.strip()  # for a script, the line that contains it
            yield Finding(
                facts.source.span_in(scalar, found.start, found.end) if within else facts.source.span(scalar),
                f"this looks like {found.what}{under}: {_shown(scalar.value[found.start : found.end])}",
                note="a credential?",
                help=f"remove it here and revoke it; a command reads it as `${variable}`, "
                f"with `env_requires: [{variable}]`",
            )


def _shown(value: str) -> str:
    """A part of a secret, so that it can be found but not used."""
    return f"`{value[: min(4, len(value) // 4)]}…` ({len(value)} characters)"


def _scalars(root: yaml.Node) -> Iterator[tuple[str | None, yaml.ScalarNode]]:
    """All strings in a document, without duplicates, with the key of each or of its list."""
    waiting: list[tuple[str | None, yaml.Node]] = [(None, root)]
    seen: set[int] = set()
    while waiting:
        name, node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            yield name, node
        elif isinstance(node, yaml.MappingNode):
            waiting += ((key.value if isinstance(key, yaml.ScalarNode) else None, value) for key, value in node.value)
        elif isinstance(node, yaml.SequenceNode):
            waiting += ((name, item) for item in node.value)
