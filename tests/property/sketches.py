"""Graphs that are worth analysing: keys set on some paths only, conditions that prove things, loops, failing nodes.

What comes out is often faulty; `repair.py` takes out what the compiler complains about, and what is left is what it
has no complaint about. Graphs are made from a seed, not drawn piece by piece: the pieces would mostly be small and
plain. `repair.py` makes small what fails.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

from property.declarations import OUTPUTS, STATE, declaration
from property.phrases import INITIAL, LISTS, NUMBERS, TEXTS, Phrases

Graph = dict[str, object]

TOOLS = ["svc/a", "svc/b", "svc/c"]
VARIABLES = ["API_TOKEN", "REGION", "STAGE"]
END = "end"

#: What a hook finds in the context of its event, besides the state.
CONTEXTS = {
    "graph_started": ["inputs.count", "inputs.limit", "graph_id"],
    "after_step": ["node", "next_node", "step_count", "result.v", "status"],
    "error": ["classification.category", "classification.retryable", "node", "step_count"],
    "limit": ["limit_code", "current_value", "current_max"],
    "graph_completed": ["steps", "status", "graph_id"],
}


def result(item_id: str, chance: Random) -> object:
    """What a tool answers; an exception is to be raised."""
    if item_id == "rye/bash":
        code = 0 if chance.random() < 0.8 else 1
        return {"stdout": chance.choice(["", "3", "a\nb"]), "stderr": "", "exit_code": code, "success": code == 0}
    kind = chance.random()
    if kind < 0.15:
        return chance.choice([ValueError("bad value"), ConnectionError("connection refused")])
    if (promised := _item_result(item_id)) is not None:
        return promised
    if kind < 0.3:
        return chance.choice([{"status": "error", "error": "no luck"}, {"success": False}, None, 3, ["a"]])
    found = {name: payload(chance) for name in ("v", "more", "thread_id") if chance.random() < 0.8}
    if chance.random() < 0.2:
        found |= chance.choice([{"success": True}, {"success": 0}, {"status": "ok"}, {"status": None}])
    if chance.random() < 0.1:
        found["action"] = chance.choice(["retry", "fail", "continue", "other"])
    return found


def _item_result(item_id: str) -> object:
    """What actions other than the execution of a tool return, as their contracts say; None for a tool."""
    signature = {"status": "unsigned", "key_id": None}
    match item_id.partition("/")[0]:
        case "":  # a search names no item
            found = {"item_id": "guides/red", "kind": "knowledge", "title": "a", "snippet": ""}
            return {"results": [found], "total": 1}
        case "guides" | "fetched":
            kind = "knowledge" if item_id.startswith("guides") else "directive"
            return {"item_id": item_id, "kind": kind, "content": "text", "metadata": {}, "signature": signature}
        case "signed":
            return {"item_id": item_id, "path": "a.md", "key_id": "0"}
        case "plans":
            return {
                "item_id": item_id, "kind": "directive", "name": "a", "version": "1", "description": "", "inputs": {},
                "outputs": [], "content": "text", "signature": signature,
            }  # fmt: skip
        case _:
            return None


def payload(chance: Random) -> object:
    """Any JSON value."""
    return chance.choice([0, 1, -2, 2.5, "", "a", "10", True, False, None, [], [1, "a", None], {"v": 1}, {"k": "b"}])


def sketch(seed: int) -> Graph:
    """A graph as plain YAML values."""
    graph: Graph = json.loads(json.dumps(_Sketcher(Random(seed)).graph()))  # no part of it stands in two places
    return graph


class _Sketcher(Phrases):
    """Makes one graph."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.order = [f"n{number}" for number in range(chance.randint(2, 6))]

    def graph(self) -> Graph:
        nodes: dict[str, object] = {name: self.node(index) for index, name in enumerate(self.order)}
        shown = self.some(list(INITIAL), 5)
        output = {key: self.pick(f"${{state.{key}}}", f"${{state.{key}}}", f"${{state.{key} || 0}}") for key in shown}
        nodes[END] = {"type": "return", "output": output or {"count": "${inputs.count}"}}
        if self.often(0.1):
            nodes[END] = {"type": "return"}
        config: Graph = {
            "start": self.order[0],
            "max_steps": self.chance.randint(len(self.order) + 1, 14),
            "state": {key: INITIAL[key] for key in self.some(list(INITIAL), 3)},
            **self.policies(),
            "nodes": nodes,
        }
        graph: Graph = {
            "version": "1.0.0",
            "tool_type": "graph",
            "permissions": [f"rye.execute.tool.{each}" for each in self.pick(["svc.*"], ["svc.a", "rye.bash"], ["*"])],
            "config_schema": declaration(self.chance),
            "config": config,
        }
        if self.often(0.2):
            graph["permissions"] = self.pick([], ["rye.*"], ["rye.search.*", "rye.load.knowledge.guides.*"])
        if self.often(0.3):
            graph["env_requires"] = self.some(VARIABLES, 2, 1)
        if self.often(0.2):
            graph["output_schema"] = self.pick(*OUTPUTS)
        return graph

    def policies(self) -> Graph:
        """What a graph says of all its nodes, and its hooks."""
        found: Graph = {}
        if self.often(0.5):
            found["on_error"] = "continue"
        if self.often(0.25):
            found["on_max_steps"] = self.pick("return", "flag")
        if self.often(0.3):
            found["builtin_hooks"] = False
        if self.often(0.3):
            found["state_schema"] = self.pick(*STATE)
        if self.often(0.3):
            found["hooks"] = [self.hook() for _ in range(self.chance.randint(1, 3))]
        return found

    def hook(self) -> Graph:
        event = self.pick(*CONTEXTS)
        found: Graph = {"event": event}
        self.here = CONTEXTS[event]
        if self.often(0.6):
            state = f"state.{self.pick(*INITIAL, 'step_count', 'inputs.count', '_last_error.node')}"
            condition: Any = self.pick(
                {"path": self.pick(*self.here), "op": "exists"},
                {"path": self.pick(*self.here, state), "op": self.pick("eq", "ne"), "value": self.pick(0, "n0", True)},
                {"path": state, "op": self.pick("gt", "lte"), "value": self.pick(0, 1)},
                {"path": state, "op": "in", "value": [1, "a", None]},
            )
            found["condition"] = self.pick(condition, {"not": condition}, {"any": [condition]}, {"all": [condition]})
        if event == "limit":  # else it might grant steps for ever
            few = {"path": "current_value", "op": "lt", "value": 15}
            found["condition"] = {"all": [few, *([found["condition"]] if "condition" in found else [])]}
        if event == "error" and self.often(0.7):
            found["action"] = self.pick({"retry": True}, {"retry": True, "max_retries": 1}, {"fail": True})
        elif event == "limit" and self.often(0.7):
            found["action"] = {"continue": True, "additional_steps": self.chance.randint(0, 4)}
        else:
            told = {f"p{number}": f"${{{self.pick(*self.here)}}}" for number in range(self.chance.randint(0, 2))}
            told |= {"key": f"${{state.{self.pick(*INITIAL)} || 0}}"} if self.often(0.5) else {}
            found["action"] = {"item_id": f"tool:{self.pick(*TOOLS)}", **({"params": told} if told else {})}
        if self.often(0.2):
            found["layer"] = self.pick(1, 2, 3)
        self.here = []
        return found

    # --- nodes ------------------------------------------------------------------------------------------------------

    def node(self, index: int) -> Graph:
        kind = self.pick("action", "action", "action", "bash", "gate", "gate", "gate", "foreach", "foreach", "return")
        node: Graph
        if kind == "return" and index:
            return {"type": "return", "output": self.value()} if self.often(0.9) else {"type": "return"}
        if kind == "gate":
            node = {"type": "gate", **self.assign(), **self.ways(index)}
        elif kind == "foreach":
            node = self.loop(index)
        else:
            node = self.acting(index, kind)
        if self.often(0.1):
            node["max_visits"] = self.chance.randint(1, 3)
        return node

    def acting(self, index: int, kind: str) -> Graph:
        node: Graph = {"action": self.command() if kind == "bash" else self.action()}
        if kind == "bash" and self.often(0.3):
            node["env_requires"] = self.some(VARIABLES, 2, 1)
        if self.often(0.1):
            node["feedback"] = True
        node.update(self.calling())
        self.here = ["result.v", "result.more", "result.more.0", "result.v.v", "result.status", "result.success"]
        if kind == "bash":
            self.here = ["result.stdout", "result.exit_code", "result.success"]
        node.update({**self.assign(), **self.ways(index)})
        self.here = []
        return node

    def calling(self) -> Graph:
        """How the item of a node is called."""
        found: Graph = {}
        if self.often(0.2):
            categories = self.pick({}, {"categories": ["permanent"]}, {"categories": ["transient", "timeout"]})
            found["retry"] = {"attempts": self.chance.randint(1, 3), "backoff_ms": 1, **categories}
        if self.often(0.1):
            found["timeout_s"] = 60
        if self.often(0.15):
            found["cache_result"] = True
        return found

    def loop(self, index: int) -> Graph:
        over = self.pick(
            f"${{{self.rows(2)}}}",
            "${inputs.ids}",
            [1, "a", None],
            "[1, 2]",
            f"${{{self.anything(1)}}}",
            f"${{{self.text(1)}}}",
            "${inputs.limit | str | from_json}",
        )
        node: dict[str, Any] = {"type": "foreach", "over": over}
        variable = "item"
        if self.often(0.2):
            node["as"] = variable = "row"
        parallel = self.often(0.3)
        self.here = [variable, f"{variable}.v", f"{variable}.0"]
        node["action"] = self.action()
        if self.often(0.1):
            node["action"].setdefault("params", {})["async_exec"] = True
        if parallel:
            node["parallel"] = True
        else:
            self.here += ["result.v", "result.more"]
            node.update(self.assign())
            if "assign" in node and "params" in node["action"] and self.often(0.5):  # what earlier items have left
                node["action"]["params"]["seen"] = f"${{state.{next(iter(node['assign']))} || 0}}"
        self.here = []
        if self.often(0.6):
            node["collect"] = self.pick(*LISTS)
        return {**node, **self.calling(), **self.ways(index)}

    def action(self) -> Graph:
        item = self.pick(*TOOLS, *TOOLS, "svc/${inputs.colour}", "${state.s}", "svc/${state.t}", "svc/${inputs.label}")
        found: Graph = {"item_id": f"tool:{item}", "params": {key: self.value() for key in self.some(["p", "q"], 2)}}
        if self.often(0.1):
            found["item_id"] = self.pick("${state.t}", f"svc/{self.pick('a', '${inputs.colour}')}")
        elif self.often(0.15):
            return self.pick(
                {"primary": "search", "params": {"query": f"${{{self.text(1)}}}", "source": "project"}},
                {
                    "primary": "load",
                    "item_id": self.pick("knowledge:guides/first", "knowledge:guides/${inputs.colour}"),
                },
                {"primary": "sign", "item_id": "signed/a", "item_type": self.pick("tool", "directive")},
                {"primary": "fetch", "item_id": "directive:fetched/${inputs.fast}"},
                {"item_id": "plans/a", "item_type": "directive", "params": {"p": self.value()}},
            )
        return found

    def command(self) -> Graph:
        """A command that reads some variables, declared or not."""
        forms = ["${}", '"${}"', "'${}'", "$${{{}:-x}}", "$${{{}}}", "\\${}", "$(echo ${})"]
        read = [self.pick(*forms).format(name) for name in self.some(VARIABLES, 2)]
        text = self.pick("", "${inputs.label | quote}", "${inputs.count}", "${state.s | quote}")
        line = " ".join(["echo", *read, text]).strip()
        name = self.pick(*VARIABLES)
        line = self.pick(
            line,
            line,
            f"{name}=1; {line}",
            f"cat <<EOF\n{line} ${name}\nEOF",
            f"cat <<'EOF'\n{line} ${name}\nEOF\n{line}",
            f"for {name} in a b; do {line}; done",
            f"# ${name}\n{line}",
            f"export {name}=a\n{line}",
        )
        return {"item_id": "tool:rye/bash", "params": {"command": line}}

    def assign(self) -> Graph:
        entries = {key: self.for_key(key) for key in self.some(list(INITIAL), 3)}
        return {"assign": entries} if entries else {}

    def for_key(self, key: str) -> object:
        """A value that mostly has the type of a key."""
        if self.often(0.2):
            return self.value()
        if key in NUMBERS:
            return f"${{{self.number(2)}}}"
        if key in TEXTS:
            return self.pick(f"${{{self.text(2)}}}", f"n ${{{self.number(1)}}}", "plain")
        if key in LISTS:
            return f"${{{self.rows(2)}}}"
        return {"v": f"${{{self.anything(2)}}}", "w": "z"}

    def ways(self, index: int) -> Graph:
        """`next` and `on_error`, mostly forward."""
        later = [*self.order[index + 1 :], END]
        targets = [*later, *later, *self.order]
        found: Graph = {}
        kind = self.chance.random()
        if kind < 0.5:
            edges: list[object] = [
                {"to": self.pick(*targets), "when": self.condition(3)} for _ in range(self.chance.randint(1, 3))
            ]
            if self.often(0.7):
                edges.append({"to": self.pick(*later)})
            found["next"] = edges
        elif kind < 0.65:
            found["next"] = [{"to": self.pick(*targets), "when": each} for each in self.family()]
        elif kind < 0.97:
            found["next"] = later[0]
        if self.often(0.35):
            found["on_error"] = self.pick(*later)
        return found
