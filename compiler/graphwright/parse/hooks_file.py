"""The hooks of a project, from the file that all its graphs share: a graph that has nothing but hooks."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.fault import GRAPH, Owner
from graphwright.language.keys import HOOK_LAYERS, HOOKS_FILE
from graphwright.model import UNKNOWN_NAME, GraphSpec, Name, ReturnSpec
from graphwright.parse.hooks import parse_hooks
from graphwright.parse.reader import Reader
from graphwright.source import scalars
from graphwright.source.scalars import is_null


def parse_hooks_file(reader: Reader, root: Node | None) -> GraphSpec | None:
    """The model of a file of hooks; None if there is nothing in it."""
    if root is None or is_null(root):
        return None
    if not isinstance(root, MappingNode):
        reader.wrong("hooks", root, GRAPH, "a mapping with `builtin_hooks` and `infra_hooks`")
        return None
    entries = reader.section(reader.source.entries(root), HOOKS_FILE, GRAPH)
    for key in ("version", "description"):
        if key in entries:
            reader.label(key, entries[key][1], GRAPH)
    lists = [(entries[key], layer) for key, layer in HOOK_LAYERS.items() if key in entries]
    name = ScalarNode(scalars.STR, "done", root.start_mark, root.start_mark)
    any_key = ScalarNode(scalars.STR, UNKNOWN_NAME, root.start_mark, root.start_mark)
    end = ReturnSpec(Owner("node `done`", "done"), "done", name, root, None, None, None, False, None)
    return GraphSpec(
        source=reader.source,
        at=root,
        description="",
        permissions=None,
        env=(),
        inputs_schema=None,
        output_schema=None,
        state_schema=None,
        limits={},
        config_at=None,
        start=Name("done", name),
        settings=ir.Settings(),
        state=((any_key, root),),  # the state of any graph
        hooks=tuple(hook for pair, layer in lists for hook in parse_hooks(reader, pair, layer)),
        nodes=(end,),
        recovery=reader.recovery,
    )
