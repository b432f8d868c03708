"""The newer dialect (`node_type`, typed `next`, conditions as strings, `requires.capabilities`), key by key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from graphwright.diagnostic import Edit, Json
from graphwright.dialects.difference import Difference, Rewriter, scalar_of
from graphwright.dialects.string_conditions import advice, as_condition
from graphwright.source.flow import flow
from graphwright.source.reader import Pair, Source

#: Keys without a counterpart, and what to do instead.
_NO_COUNTERPART: Final = {
    "follow": "a call waits for its result, so that a graph that is called needs no `follow`",
    "detach": "a nested graph or a thread runs in the background if its `params` have `async: true`",
    "facets": "children carry no tags: pass what they need in `params`",
    "segment_steps": "a run continues from its log (`graphwright run --resume`), it is not cut into segments",
    "ref_bindings": "pass the values in `params`",
    "result": "hooks that are not controls only observe",
}
_TOP_LEVEL: Final = ("config_schema", "env_requires")
_EVENTS: Final = {"graph_step_completed": "after_step"}
#: Functions of its expressions, with the pipes of this language.
_PIPES: Final = {
    "length": "length", "keys": "keys", "upper": "upper", "lower": "lower", "json": "json", "from_json": "from_json",
    "string": "str", "number": "float",
}  # fmt: skip
_TEMPLATE: Final = re.compile(r"\$\{([^{}]*)\}")
_CALL: Final = re.compile(rf"\b({'|'.join(_PIPES)})\(\s*([\w.\[\]-]+)\s*\)")
_UNTRANSLATED: Final = re.compile(r"&&|\|\||[=!<>]=|[<>?]|!")


def differences(source: Source, root: MappingNode) -> Iterator[Difference]:
    """The parts of the file that this language writes differently, in file order."""
    found = _Translation(source, root).differences()
    return iter(sorted(found, key=lambda each: each.span))


class _Translation:
    def __init__(self, source: Source, root: MappingNode) -> None:
        self._source = source
        self._root = root
        self._rewriter = Rewriter(source)
        #: A file in brackets may be JSON, so it remains JSON.
        self._flow = json.dumps if root.flow_style else flow
        #: In a file with a `tool_type`, `||` may already have the meaning that it has in this language.
        self._claimed = source.get(root, "tool_type") is not None

    def differences(self) -> Iterator[Difference]:
        top = {key.value: (key, value) for key, value in self._source.entries(self._root)}
        if "tool_type" not in top:
            first = self._root.value[0][0]
            line = "tool_type: graph" + (", " if self._root.flow_style else "\n")
            yield Difference(
                self._source.span(first), "tool_type", "`tool_type: graph` at the top level, which makes it a graph",
                self._rewriter.insert(first, line),
            )  # fmt: skip
        if "requires" in top:
            yield from self._requires(*top["requires"])
        for name in _NO_COUNTERPART.keys() & top.keys():
            yield self._without_counterpart(self._root, *top[name])
        if "nodes" in top:
            yield from self._loose(top["nodes"])
        key, config = top.get("config", (None, None))
        if key is not None and isinstance(config, MappingNode):
            yield from self._config(key, config)

    def _loose(self, nodes: Pair) -> Iterator[Difference]:
        """The nodes, where they are not under `config`."""
        advised = "`nodes` and `start` under `config`, not at the top level"
        yield Difference(self._source.span(nodes[0]), nodes[0].value, advised)
        for _, node in self._source.entries(nodes[1]) if isinstance(nodes[1], MappingNode) else ():
            if isinstance(node, MappingNode):
                yield from self._node(node)

    def _requires(self, key: ScalarNode, value: Node) -> Iterator[Difference]:
        capabilities = self._source.get(value, "capabilities")
        if capabilities is None:
            return
        keys = self._source.entries(capabilities) if isinstance(capabilities, MappingNode) else []
        declared = self._source.get(capabilities, "declared") if keys else capabilities
        patterns = [_pattern(item.value) for item in getattr(declared, "value", ()) if isinstance(item, ScalarNode)]
        text = f"permissions: {self._flow(list(patterns))}"
        rest = [name for name, _ in keys if name.value != "declared"]
        newline = ", " if self._root.flow_style else "\n"
        edits = self._rewriter.insert(key, text + newline) if rest else self._rewriter.replace_pair(key, value, text)
        example = patterns[0] if patterns else "rye.execute.tool.tickets.*"
        yield Difference(
            self._source.span(key), key.value,
            f"`permissions`, a list of patterns such as `{example}`, instead of `requires`", edits,
        )  # fmt: skip
        for name in rest:
            advised = f"`{name.value}` has no counterpart: only `permissions` and the caller grant capabilities"
            yield Difference(self._source.span(name), name.value, advised)

    def _config(self, key: ScalarNode, config: MappingNode) -> Iterator[Difference]:
        for name, value in self._source.entries(config):
            if name.value in _TOP_LEVEL:
                yield Difference(
                    self._source.span(name), name.value, f"`{name.value}` at the top level, not under `config`",
                    self._rewriter.move_up(config, name, value, key),
                )  # fmt: skip
            elif name.value in _NO_COUNTERPART:
                yield self._without_counterpart(config, name, value)
            elif name.value == "hooks" and isinstance(value, SequenceNode):
                for hook in value.value:
                    if isinstance(hook, MappingNode):
                        yield from self._hook(hook)
            elif name.value == "nodes" and isinstance(value, MappingNode):
                for _, node in self._source.entries(value):
                    if isinstance(node, MappingNode):
                        yield from self._node(node)

    def _hook(self, hook: MappingNode) -> Iterator[Difference]:
        for key, value in self._source.entries(hook):
            event = _EVENTS.get(scalar_of(value) or "") if key.value == "event" else None
            if event is not None:
                advised = f"`event: {event}` instead of `{scalar_of(value)}`"
                yield Difference(self._source.span(value), "event", advised, self._rewriter.replace(value, event))
            elif key.value == "result":
                yield self._without_counterpart(hook, key, value)
            elif key.value == "condition":
                yield from self._condition(value)
            elif key.value == "action" and isinstance(value, MappingNode):
                yield from self._action(value)

    def _node(self, node: MappingNode) -> Iterator[Difference]:
        pairs = {key.value: (key, value) for key, value in self._source.entries(node)}
        yield from self._type(node, pairs)
        for name, (key, value) in pairs.items():
            if name == "next":
                yield from self._next(key, value)
            elif name in _NO_COUNTERPART and name != "result":
                yield self._without_counterpart(node, key, value)
            elif name == "action" and isinstance(value, MappingNode):
                yield from self._action(value)
            elif name in ("assign", "output", "over"):
                yield from self._templates(value)

    def _type(self, node: MappingNode, pairs: dict[str, Pair]) -> Iterator[Difference]:
        loops = "over" in pairs
        if "node_type" in pairs:
            key, value = pairs["node_type"]
            turned = loops and scalar_of(value) == "action"
            edits = self._rewriter.rename(key, "type")
            if turned and isinstance(value, ScalarNode):
                edits += self._rewriter.rename(value, "foreach")
            advised = "`type: foreach` for a node with `over`" if turned else "`type` instead of `node_type`"
            yield Difference(self._source.span(key), "node_type", advised, edits)
        elif loops and scalar_of(pairs.get("type", (None, None))[1]) in (None, "action"):
            over = pairs["over"][0]
            if "type" in pairs:
                edits = self._rewriter.replace(pairs["type"][1], "foreach")
            else:
                span = self._source.span(over)
                apart = ", " if node.flow_style else "\n" + " " * (span.column - 1)
                edits = self._rewriter.insert(over, f"type: foreach{apart}")
            yield Difference(self._source.span(over), "over", "`type: foreach` for a node with `over`", edits)

    def _action(self, action: MappingNode) -> Iterator[Difference]:
        for key, value in self._source.entries(action):
            if key.value == "ref_bindings":
                yield self._without_counterpart(action, key, value)
            elif key.value == "item_id" and (scalar_of(value) or "").startswith("graph:"):
                edit = self._source.instead(value, f"tool:{value.value[6:]}") if isinstance(value, ScalarNode) else None
                yield Difference(
                    self._source.span(value), "item_id", "`tool:` instead of `graph:`: graphs are called like tools",
                    () if edit is None else (edit,),
                )  # fmt: skip
            elif key.value in ("item_id", "params"):
                yield from self._templates(value)

    def _without_counterpart(self, mapping: MappingNode, key: ScalarNode, value: Node) -> Difference:
        name = key.value
        empty = isinstance(value, MappingNode | SequenceNode) and not value.value
        idle = empty or scalar_of(value) in ("false", "discard")
        edits = self._rewriter.remove(mapping, key) if idle else ()
        advised = f"no `{name}`: leave it out" if idle else f"`{name}` has no counterpart: {_NO_COUNTERPART[name]}"
        return Difference(self._source.span(key), name, advised, edits)

    # --- edges, conditions, templates ----------------------------------------------------------------------

    def _next(self, key: ScalarNode, value: Node) -> Iterator[Difference]:
        if isinstance(value, SequenceNode):
            for edge in value.value:
                when = self._source.get(edge, "when")
                if isinstance(when, ScalarNode):
                    yield from self._condition(when)
            return
        kind = scalar_of(self._source.get(value, "type"))
        if kind is None:
            return
        target = scalar_of(self._source.get(value, "to"))
        if target is not None:
            yield Difference(
                self._source.span(key),
                "next",
                f"`next: {self._flow(target)}`",
                self._rewriter.replace(value, self._flow(target)),
            )
            return
        branches = self._source.get(value, "branches")
        edges = branches.value if isinstance(branches, SequenceNode) else []
        translated = [self._edge(edge) for edge in edges if isinstance(edge, MappingNode)]
        if not translated or len(translated) != len(edges):
            yield Difference(self._source.span(key), "next", "a list of edges such as `- {to: done}`")
            return
        advised = "a list of edges, " + ", ".join(f"`- {self._flow(edge)}`" for edge in translated[:2])
        yield Difference(self._source.span(key), "next", advised, self._edges(value, translated))
        for edge in edges:
            when = self._source.get(edge, "when")
            if isinstance(when, ScalarNode) and as_condition(when.value) is None:
                yield Difference(self._source.span(key), "when", advice(when.value))

    def _edge(self, edge: MappingNode) -> dict[str, Json]:
        target, when = self._source.get(edge, "to"), self._source.get(edge, "when")
        made: dict[str, Json] = {"to": scalar_of(target)}
        if when is not None:
            text = scalar_of(when)
            condition = self._source.value(when) if text is None else as_condition(text)
            if condition != {}:
                made["when"] = text if condition is None else condition
        return made

    def _edges(self, value: Node, edges: list[dict[str, Json]]) -> tuple[Edit, ...]:
        if isinstance(value, CollectionNode) and value.flow_style:
            return self._rewriter.replace(value, self._flow(list(edges)))
        start, end = self._source.extent(value)
        margin = "\n" + " " * (self._source.span(value).column - 1)
        comments = [line.strip() for line in self._source.text[start:end].splitlines() if line.lstrip().startswith("#")]
        return self._rewriter.replace(value, margin.join([*comments, *(f"- {self._flow(edge)}" for edge in edges)]))

    def _condition(self, value: Node) -> Iterator[Difference]:
        if isinstance(value, ScalarNode) and value.value.strip():
            found = as_condition(value.value)
            edits = () if found is None else self._rewriter.replace(value, self._flow(found))
            yield Difference(self._source.span(value), "when", advice(value.value), edits)

    def _templates(self, node: Node) -> Iterator[Difference]:
        for scalar in _scalars(node):
            translated = _TEMPLATE.sub(_translated, scalar.value)
            if translated != scalar.value:
                edit = self._source.instead(scalar, translated)
                advised = f"`{translated}` instead of `{scalar.value}`"
                yield Difference(self._source.span(scalar), "${…}", advised, () if edit is None else (edit,))
            elif any(self._is_foreign(part[1]) for part in _TEMPLATE.finditer(scalar.value)):
                yield Difference(
                    self._source.span(scalar), "${…}",
                    "a gate whose edges have conditions: expressions do not compare, and `||` is a fallback for null",
                )  # fmt: skip

    def _is_foreign(self, expression: str) -> bool:
        outside = _outside_quotes(expression)
        return bool(_UNTRANSLATED.search(outside.replace("||", "") if self._claimed else outside))


def _pattern(written: str) -> str:
    """A capability pattern of this language."""
    parts = written.replace("/", ".").split(".")
    if parts[0] == "ryeos":
        parts[0] = "rye"
    if parts[2:3] == ["graph"]:
        parts[2] = "tool"
    return ".".join(parts)


def _translated(template: re.Match[str]) -> str:
    inner = template[1]
    if _UNTRANSLATED.search(_outside_quotes(inner).replace("??", "")):
        return template[0]
    whole = _CALL.fullmatch(inner.strip())
    if whole is not None:
        return f"${{{whole[2]} | {_PIPES[whole[1]]}}}"
    piped = _CALL.sub(lambda call: f"({call[2]} | {_PIPES[call[1]]})", inner)
    return f"${{{piped.replace('??', '||').replace('_run.graph_run_id', '_run.id')}}}"


def _outside_quotes(text: str) -> str:
    return re.sub(r"\"[^\"]*\"|'[^']*'", "", text)


def _scalars(node: Node) -> Iterable[ScalarNode]:
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, MappingNode):
        for _, value in node.value:
            yield from _scalars(value)
    else:
        for item in node.value:
            yield from _scalars(item)
