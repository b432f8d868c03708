"""Looks on while a graph runs, and notes every complaint of the compiler that the run proves wrong.

Only what a message says of every run can be proved wrong by one: that an edge is never taken, a condition constant, a
key never read. That something *may* happen is not looked at here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from jsonschema import Draft202012Validator

from graphwright import ir
from graphwright.diagnostic import Diagnostic
from graphwright.facts import Facts
from graphwright.ir import visit
from property.places import Steps, at, steps_to
from property.watching import Watcher, can_be_done, is_ordered
from reference.observer import Path, Place, Watched

Made = tuple[str, str, bool]
"""An assignment: its node and its key, and whether it is a `collect`."""


class Verdicts(Watcher):
    """Holds runs against what was found in a graph."""

    def __init__(self, facts: Facts, graph: dict[str, Any], found: Iterable[Diagnostic], text: str) -> None:
        super().__init__(facts)
        self.yaml = graph
        self.constant: dict[int, bool] = {}
        self.dead: set[int] = set()
        self.fixed: dict[int, tuple[frozenset[str], bool | None]] = {}
        self.unread: dict[Made, Diagnostic] = {}
        self.unused: dict[str, str] = {}
        self.of: dict[str, list[tuple[Steps, Diagnostic]]] = {}
        self.made: dict[str, Made] = {}
        self.making: dict[str, Made] = {}
        for one in found:
            self._claim(one, steps_to(text, one.span))

    def _claim(self, one: Diagnostic, steps: Steps) -> None:
        self.of.setdefault(one.code, []).append((steps, one))
        match one.code:
            case "GW205" | "GW206":
                self.dead.add(id(at(self.yaml, steps[:5])))
            case "GW209":
                edge = at(self.yaml, steps[:5])
                assert isinstance(edge, dict)
                loop = next(loop for loop in self.facts.flow.loops if steps[2] in loop)
                self.fixed[id(edge["when"])] = frozenset(loop), None
            case "GW213":
                self.constant[id(at(self.yaml, steps[:-1]))] = one.note == "always true"
            case "GW303" | "GW304":
                collected = steps[3] == "collect"
                key = at(self.yaml, steps) if collected else steps[4]
                self.unread[str(steps[2]), str(key), collected] = one

    def claims(self, code: str, *beginning: str | int) -> list[Diagnostic]:
        """The findings of a rule at a place of the graph, or below it."""
        return [one for steps, one in self.of.get(code, ()) if steps[: len(beginning)] == beginning]

    def refute(self, one: Diagnostic, how: str) -> None:
        """Note that a finding is wrong."""
        if one.code == "GW304" and "GW412" in self.of:
            return  # a loop that goes over no list is taken to collect all the same
        self.note(f"{one.code} on line {one.span.line}, `{one.message}`: {how}")

    def finish(self, *, completed: bool, limited: bool) -> None:
        """The run is over."""
        if completed and not limited:
            for one in self.claims("GW210"):
                self.refute(one, "a run ended")
        for loop in self.facts.flow.loops if completed and not limited else ():
            for one in self.claims("GW208", "config", "nodes", loop[0]):
                if self.been & set(loop):
                    self.refute(one, "a run left the cycle")

    # --- ways ---------------------------------------------------------------------------------------------------------

    def begins(self) -> None:
        """A run begins."""
        self.been: set[str] = set()
        self.is_first = True
        self.decided: dict[int, bool | None] = {}
        self.is_bare = False
        self.made = {}
        self.fixed = {number: (loop, None) for number, (loop, _) in self.fixed.items()}

    def enters(self, node: str, state: Mapping[str, object]) -> None:
        super().enters(node, state)
        self.been.add(node)
        self.making = {}
        for one in self.claims("GW204", "config", "nodes", node):
            self.refute(one, "it is reached")
        for number, (loop, _) in self.fixed.items():
            if node not in loop:
                self.fixed[number] = loop, None
        for one in self.claims("GW301"):
            if self._is_refuted_by(one.message, node, state):
                self.refute(one, "it is assigned")
        self.is_first = False

    def _is_refuted_by(self, message: str, node: str, state: Mapping[str, object]) -> bool:
        """Whether the key that a message says is not assigned, or not yet, is in the state with which a node begins."""
        if found := re.search(r"but `([^`]*)` is never assigned$", message):
            return found[1] in state
        if found := re.search(r"but a `graph_started` hook runs before anything assigns `([^`]*)`$", message):
            return self.is_first and found[1] in state
        if found := re.search(r"but `state\.([^`]*)` is read in [0-9]+ places and never assigned$", message):
            return found[1] in state
        found = re.search(r"but no path to `([^`]*)` assigns `([^`]*)`; only ", message)
        assert found is not None, message
        return found[1] == node and found[2] in state

    def routes(self, *, failed: bool) -> None:
        super().routes(failed=failed)
        self.decided = {}
        self.is_bare = False

    def decides(self, edge: int, outcome: bool | None) -> None:
        self.decided[edge] = outcome
        if outcome and id(self._edge(edge)) in self.dead:
            self.note(f"GW205/GW206: edge {edge} is taken")

    def held(self, condition: Mapping[str, object], outcome: bool) -> None:
        holds = self.constant.get(id(condition))
        if holds is not None and holds is not outcome:
            self.note(f"GW213: {condition} came out {outcome}")
        if id(condition) in self.fixed:
            loop, before = self.fixed[id(condition)]
            if before is not None and before is not outcome:
                self.note(f"GW209: {condition} came out {before}, then {outcome}")
            self.fixed[id(condition)] = loop, outcome

    def leaves(self, node: str, target: str | None, *, failed: bool) -> None:
        for steps, one in self.of.get("GW214", ()) if failed else ():
            if steps[2] != node:
                continue
            found = re.search(r"(default )?edge to `([^`]*)` is taken( if no [a-z ]*)?$", one.message)
            assert found is not None, one.message
            edge = steps[4]
            assert isinstance(edge, int)
            matches = any(outcome for other, outcome in self.decided.items() if self._has_condition(other))
            if found[3] and matches and not self.decided.get(edge):
                continue
            is_taken = self.is_bare or (not matches if found[1] else self.decided.get(edge) is True)
            if is_taken and target != found[2]:
                self.refute(one, f"the edge to {target} is")

    def _has_condition(self, edge: int) -> bool:
        found = self._edge(edge)
        return isinstance(found, dict) and "when" in found

    def _edge(self, edge: int) -> object:
        return at(self.yaml, ("config", "nodes", self.here, "next", edge))

    # --- values -------------------------------------------------------------------------------------------------------

    def reads(self, path: Path, value: object, scope: Watched) -> None:
        name, steps = path
        if name == "result" and isinstance(result := scope.get(name), dict):
            self.is_bare = result.keys() <= {"status", "error"}  # what every failed action has
        if name == "state" and steps[:1] == ("inputs",):
            name, steps = "inputs", steps[1:]
        if name == "inputs":
            for one in self.claims("GW308"):
                if not steps or one.message.split("`")[1] == steps[0]:
                    self.refute(one, "it is read")
        if name == "state":
            for key, made in ({**self.made, **self.making}).items():
                if made in self.unread and (not steps or key == steps[0]):
                    self.refute(self.unread[made], f"read by {self.here if self.running is None else 'a hook'}")
        if value is not None:
            for found in self.facts.mismatches.fields:
                if found.owner == self._owner and (found.read.written == ".".join(map(str, (name, *steps)))):
                    self.note(f"GW410: `{found.read.written}` is {value!r}")

    @property
    def _owner(self) -> str:
        if self.running is None:
            return f"node `{self.here}`"
        return f"hook {self.graph.hooks.index(self.running) + 1}"

    def operates(self, sign: str, left: object, right: object, place: Place) -> None:
        text, start, end = place
        if not can_be_done(sign, left, right):
            return
        for found in self.facts.mismatches.sums:
            written = found.range.at.value[found.range.start : found.range.end]
            same = (found.owner, found.range.at.value, found.operator) == (self._owner, text, sign)
            if same and written.strip("() ") == text[start:end].strip("() "):
                self.note(f"GW407: `{written}` is done with {left!r} and {right!r}")

    def compares(self, condition: Mapping[str, object], left: object, right: object) -> None:
        for found in self.facts.mismatches.orders:
            same = found.compare.left.written == condition["path"] and found.compare.op == condition["op"]
            if found.owner != self._owner or not same or not self._is(found.compare.right, condition["value"]):
                continue
            fails = right is not None and not isinstance(right, list)
            if found.compare.op != "in":
                fails = left is None or not is_ordered(left, right)
            if not fails:
                self.note(f"GW407: {condition} is decided with {left!r} and {right!r}")

    def _is(self, value: ir.Value, written: object) -> bool:
        """Whether a value is the one that is written so."""
        if isinstance(value, ir.Template):
            return bool(value.at.value == written)
        return isinstance(value, ir.Const) and value.value == written

    def shows(self, text: str, start: int, value: object) -> None:
        if value is None or isinstance(value, list | dict | bool):
            return
        for found in self.facts.mismatches.texts:
            place = found.range
            if found.owner == self._owner and place.at.value == text and text[start : place.start].strip("${( ") == "":
                self.note(f"GW409: `{found.written}` is {value!r}")

    def resolves(self, what: str, value: object) -> None:
        if self.running is not None:
            return
        kind, _, key = what.partition(" ")
        place: tuple[str, ...] = ("config", "nodes", self.here, kind)
        for one in self.claims("GW412", *place, *([key] if key else [])):
            if kind == "over" and (isinstance(value, list) or _is_list_in_text(value)):
                self.refute(one, f"it is {value!r}")
            elif ".…" in one.message:  # of the items of a list, which may have none
                continue
            elif kind in ("output", "assign") and _satisfies(value, self._schema(kind, key)):
                self.refute(one, f"{value!r} fits")
        if kind == "assign":
            self.making[key] = self.here, key, False

    def _schema(self, kind: str, key: str) -> Any:
        if kind == "output":
            return self.yaml["output_schema"]
        return self.yaml["config"]["state_schema"]["properties"].get(key, False)

    def tries(self) -> None:
        self.making = {}

    def commits(self, key: str, *, collected: bool) -> None:
        self.made[key] = self.here, key, collected
        self.making.pop(key, None)

    def fails(self, node: str, target: str | None) -> None:
        self.making = {}

    def ends(self, state: Mapping[str, object]) -> None:
        given = visit.output(self.graph.nodes[self.here]) is None
        for made in self.made.values():
            one = self.unread.get(made)
            if one is not None and one.code == "GW304":
                self.refute(one, "a run ended with it")
            elif one is not None and given and "the graph returns" not in one.message:
                self.refute(one, "it is handed out")

    # --- permissions --------------------------------------------------------------------------------------------------

    def needs(self, capability: str) -> None:
        patterns = [permission.pattern for permission in self.graph.permissions or ()]
        for one in self.claims("GW601"):
            if f"`{capability}`" in one.message and any(fnmatchcase(capability, each) for each in patterns):
                self.refute(one, "it is permitted")
        for one in self.claims("GW603"):
            if fnmatchcase(capability, one.message.split("`")[1]):
                self.refute(one, f"`{capability}` uses it")
        for one in self.claims("GW604", "config", "nodes", self.here) if self.running is None else ():
            if "does not cover it" in one.message and any(fnmatchcase(capability, each) for each in patterns):
                self.refute(one, f"`{capability}` is permitted")


def _is_list_in_text(value: object) -> bool:
    try:
        return isinstance(value, str) and isinstance(json.loads(value), list)
    except ValueError:
        return False


def _satisfies(value: object, schema: Any) -> bool:
    return bool(Draft202012Validator(schema).is_valid(value))
