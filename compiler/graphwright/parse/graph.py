"""The top level of a graph and its `config`."""

from __future__ import annotations

from collections.abc import Iterable

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from graphwright import ir
from graphwright.diagnostic import Json
from graphwright.fault import GRAPH
from graphwright.faults.keys import MissingKey, OlderSpelling, UnknownKey, UnsupportedKey
from graphwright.faults.yaml import NotJson
from graphwright.language.keys import CONFIG, EXECUTOR, LIMITS, PLANNED_CONFIG, TOP
from graphwright.model import GraphSpec, Hook, Name, NodeSpec, Schema
from graphwright.parse.nodes import parse_node
from graphwright.parse.reader import Fields, Reader
from graphwright.pattern import pattern
from graphwright.record import with_defaults
from graphwright.recover.keys import Entries
from graphwright.recover.nesting import regrouped, without_nodes
from graphwright.source import scalars
from graphwright.source.reader import Pair
from graphwright.source.scalars import is_null

_EXECUTOR = pattern(EXECUTOR.replace("$", r"\Z"))
_EXECUTOR_NOW = "rye/core/runtimes/state-graph/runtime"


def parse_graph(reader: Reader, root: MappingNode) -> GraphSpec:
    """The model of the file at `root`; faults do not prevent it."""
    reader.recovery.names = _node_names(reader, root)
    strays: dict[str, Pair] = {}
    top = dict(reader.section(reader.source.entries(root), TOP, GRAPH, strays))
    config, config_at, slipped = _config(reader, top, strays)
    for name, pair in strays.items():
        if name in TOP.keys:
            top.setdefault(name, pair)
    _plain_texts(reader, top)
    fields, below = Fields(reader, TOP, top, GRAPH), Fields(reader, CONFIG, config, GRAPH)
    if "start" not in config and config_at is not None:
        reader.report(MissingKey(reader.span(config_at), GRAPH, "start", "`config`"))
    spec = GraphSpec(
        source=reader.source,
        at=root,
        description=fields.prose("description"),
        permissions=_permissions(reader, top),
        env=fields.names("env_requires"),
        inputs_schema=_schema(reader, top.get("config_schema")),
        output_schema=_schema(reader, top.get("output_schema")),
        state_schema=_schema(reader, config.get("state_schema")),
        limits=_limits(reader, top),
        config_at=config_at,
        start=below.text("start", "start"),
        settings=_settings(below),
        state=reader.assigned("state", config["state"][1], GRAPH) if "state" in config else (),
        hooks=_hooks(reader, config),
        nodes=_nodes(reader, config, config_at, slipped),
        recovery=reader.recovery,
    )
    reader.recovery.omitted += (part for pair in reader.source.rivals for part in pair)
    if any(fault.kind in ("braces", "key") for fault in reader.log.of(NotJson)):
        reader.recovery.anything = True
    return spec


def _node_names(reader: Reader, root: MappingNode) -> frozenset[str]:
    """The probable names of nodes, before the file is parsed."""
    nodes = reader.source.get(root, "config", "nodes")
    if not isinstance(nodes, MappingNode):
        return frozenset()
    return frozenset(key.value for key, _ in reader.source.entries(nodes))


def _config(reader: Reader, top: Entries, strays: dict[str, Pair]) -> tuple[Entries, ScalarNode | None, list[Pair]]:
    pair = top.get("config")
    found: dict[str, Pair] = {}
    slipped: list[Pair] = []
    if pair is None:
        found = {name: entry for name, entry in strays.items() if name in CONFIG.keys}
        for name, (key, _) in found.items():  # that is what the missing key says
            del strays[name]
            reader.log.retract(reader.span(key), UnknownKey)
        reader.report(MissingKey(reader.source.top, GRAPH, "config", "a graph"))
    elif is_null(pair[1]) and not strays.keys().isdisjoint(CONFIG.keys):
        found = {name: entry for name, entry in strays.items() if name in CONFIG.keys}
        strays.clear()
    elif not isinstance(pair[1], MappingNode):
        reader.wrong("config", pair[1], GRAPH, "a mapping with `start` and `nodes`")
        return found, None, slipped
    else:
        below: dict[str, Pair] = {}
        own: list[Pair] = []
        for entry in reader.source.entries(pair[1]):
            if entry[0].value in PLANNED_CONFIG:
                reader.report(UnsupportedKey(reader.span(entry[0]), GRAPH, entry[0].value))
            else:
                own.append(entry)
        own, slipped = without_nodes(reader.recovery, own, CONFIG)
        found = dict(reader.section(own, CONFIG, GRAPH, below))
        upward = dict(strays)
        strays.clear()
        strays.update(below)
        for name, entry in upward.items():
            if name in CONFIG.keys:
                found.setdefault(name, entry)
    return found, pair[0] if pair else None, slipped


def _plain_texts(reader: Reader, top: Entries) -> None:
    for key in ("version", "tool_id", "name", "category"):
        if key in top:
            reader.label(key, top[key][1], GRAPH)
    if "tags" in top:
        reader.texts("tags", top["tags"][1], GRAPH)
    if "tool_type" in top:
        node = top["tool_type"][1]
        if isinstance(node, ScalarNode) and node.value == "state_graph":
            edit = reader.source.instead(node, "graph")
            reader.report(OlderSpelling(reader.span(node), GRAPH, "state_graph", "graph", edit))
    if "executor_id" in top:
        node = top["executor_id"][1]
        name = None if is_null(node) else reader.text("executor_id", node, GRAPH)
        if (
            name is not None
            and isinstance(node, ScalarNode)
            and node.tag == scalars.STR
            and not _EXECUTOR.match(name.text)
        ):
            reader.unknown_word("executor_id", node, GRAPH, _EXECUTOR_NOW, (_EXECUTOR_NOW,))


def _permissions(reader: Reader, top: Entries) -> tuple[Name, ...] | None:
    if "permissions" not in top or is_null(top["permissions"][1]):
        return None
    return reader.texts("permissions", top["permissions"][1], GRAPH)


def _schema(reader: Reader, pair: Pair | None) -> Schema | None:
    if pair is None or is_null(pair[1]):
        return None
    if not isinstance(pair[1], MappingNode):
        hint = f"write `{pair[0].value}: {{type: object, properties: {{…}}}}`"
        reader.wrong(pair[0].value, pair[1], GRAPH, "a JSON Schema (a mapping)", hint=hint)
        return None
    return Schema(pair[0], pair[1])


def _limits(reader: Reader, top: Entries) -> dict[str, Json]:
    limits: dict[str, Json] = {}
    mapping = reader.mapping("limits", top["limits"][1], GRAPH) if "limits" in top else None
    if mapping is not None:
        for key, (_, node) in reader.section(reader.source.entries(mapping), LIMITS, GRAPH).items():
            read = reader.integer if LIMITS[key].whole else reader.number
            value = read(LIMITS[key], node, GRAPH)
            if value is not None:
                limits[key] = value
    return limits


def _settings(fields: Fields) -> ir.Settings:
    policy, written = fields.choice("on_error"), fields.node("on_error")
    if isinstance(written, ScalarNode) and written.value != policy:
        policy = None  # a wrong guess of `continue` would add edges
    return with_defaults(
        ir.Settings(),
        max_steps=fields.integer("max_steps"),
        max_steps_at=fields.node("max_steps"),
        on_error=policy,
        on_max_steps=fields.choice("on_max_steps"),
        max_concurrency=fields.integer("max_concurrency"),
        timeout_s=fields.number("timeout_s"),
        require_capabilities=fields.flag("require_capabilities"),
        builtin_hooks=fields.flag("builtin_hooks"),
        durability=fields.choice("durability"),
    )


def _nodes(
    reader: Reader, config: Entries, config_at: ScalarNode | None, slipped: Iterable[Pair]
) -> tuple[NodeSpec, ...]:
    if "nodes" not in config:
        if config_at is not None:
            reader.report(MissingKey(reader.span(config_at), GRAPH, "nodes", "`config`"))
        return ()
    node = config["nodes"][1]
    moved = list(slipped)
    if is_null(node) and moved:  # all nodes slipped out, which is reported
        return tuple(parse_node(reader, pair) for pair in regrouped(reader.recovery, moved))
    if not isinstance(node, MappingNode) or not node.value:
        listed = isinstance(node, SequenceNode) and node.value
        hint = "write the name of each node before it, as in `fetch:`, instead of the `- `" if listed else None
        hint = hint or "write a node with its name, such as `done: {type: return}`"
        reader.wrong("nodes", node, GRAPH, "a mapping with at least one node", hint=hint)
        return ()
    pairs = [*reader.source.entries(node), *moved]
    return tuple(parse_node(reader, pair) for pair in regrouped(reader.recovery, pairs))


def _hooks(reader: Reader, config: Entries) -> tuple[Hook, ...]:
    if "hooks" not in config:
        return ()
    from graphwright.parse.hooks import parse_hooks

    return parse_hooks(reader, config["hooks"])
