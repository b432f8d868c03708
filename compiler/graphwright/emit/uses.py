"""Collects the imports and constants that the code of a module uses."""

from __future__ import annotations

import re

from graphwright import ir
from graphwright.emit.abi import IMPORTABLE, RUNTIME
from graphwright.emit.literals import quoted
from graphwright.names import Namespace, constant_name, identifier


class Checks:
    """Names of the functions that check declared values: of state keys, of the output, and of the whole state when a
    run completes. None, or no entry, if nothing is checked."""

    def __init__(self, names: Namespace) -> None:
        self._names = names
        self.keys: dict[str, str] = {}
        self.output: str | None = None
        self.state: str | None = None

    def of_key(self, key: str) -> str:
        """The function that checks values of a state key."""
        if key not in self.keys:
            self.keys[key] = self._names.claim(f"_check_{identifier(key)}")
        return self.keys[key]

    def of_output(self) -> str:
        """The function that checks the output."""
        self.output = self.output or self._names.claim("_check_output")
        return self.output

    def of_state(self) -> str:
        """The function that checks the whole state."""
        self.state = self.state or self._names.claim("_check_state")
        return self.state


class Uses:
    """Collects imports, regular expressions and actions while a module is emitted, and returns their names."""

    def __init__(self, names: Namespace) -> None:
        self.names = names
        self.checks = Checks(names)
        self._imports: dict[str, set[str]] = {module: set() for module in IMPORTABLE}
        self._runtime = self._imports[RUNTIME]
        self._patterns: dict[tuple[str, str], str] = {}
        self._actions: dict[tuple[str, str, str | None, str], str] = {}

    def runtime(self, name: str) -> str:
        """`name`, imported from the runtime."""
        return name if name in self._runtime else self._import(RUNTIME, name)

    def typing(self, name: str) -> str:
        """`name`, imported from `typing`."""
        return self._import("typing", name)

    def collections(self, name: str) -> str:
        """`name`, imported from `collections.abc`."""
        return self._import("collections.abc", name)

    def _import(self, module: str, name: str) -> str:
        used = self._imports[module]
        if name not in used:
            if name not in IMPORTABLE[module]:
                raise KeyError(f"{module}.{name} may not be imported by emitted code")
            used.add(name)
        return name

    def pattern(self, expression: str) -> str:
        """The constant for a Python regular expression."""
        return self._pattern("pattern", expression)

    def schema_pattern(self, expression: str) -> str:
        """The constant for a regular expression in a schema."""
        return self._pattern("schema_pattern", expression)

    def _pattern(self, made_by: str, expression: str) -> str:
        key = (made_by, expression)
        if key not in self._patterns:
            self._patterns[key] = self.names.claim(f"_PATTERN_{len(self._patterns) + 1}")
        return self._patterns[key]

    def action(self, action: ir.Action) -> str:
        """The constant for a static action, shared by all nodes that call the same item."""
        item_id = action.item_id.value if isinstance(action.item_id, ir.Const) else None
        kind = action.kind or "tool"
        capability = action.capability or f"rye.{action.primary}.{kind}"
        key = (action.primary, kind, item_id if isinstance(item_id, str) else None, capability)
        if key not in self._actions:
            wanted = constant_name(key[2] or action.primary)
            if action.primary != "execute" and key[2] is not None:
                wanted = f"{action.primary.upper()}_{wanted}"
            self._actions[key] = self.names.claim(f"_{identifier(wanted)}")
        return self._actions[key]

    def imports(self) -> dict[str, tuple[str, ...]]:
        """The names to import by module, both in the order of an import sorter."""
        used = sorted((module, names) for module, names in self._imports.items() if names)
        return {module: tuple(sorted(names, key=import_order)) for module, names in used}

    def constants(self) -> list[tuple[str, str]]:
        """Name and expression of every action and regular expression."""
        found: list[tuple[str, str]] = []
        for (primary, kind, item_id, capability), name in self._actions.items():
            shown = "None" if item_id is None else quoted(item_id)
            arguments = f"{quoted(primary)}, {quoted(kind)}, {shown}, {quoted(capability)}"
            found.append((name, f"{self.runtime('Action')}({arguments})"))
        for (made_by, expression), name in self._patterns.items():
            found.append((name, f"{self.runtime(made_by)}({quoted(expression)})"))
        return found

    @property
    def actions(self) -> tuple[str, ...]:
        """The constants of all static actions, in the order of their first use."""
        return tuple(self._actions.values())


def sorting_order(name: str) -> tuple[int, list[tuple[int, str]]]:
    """The order of names in `__all__`: constants, classes, functions; numbers are compared by value."""
    group = 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2
    pieces = re.findall(r"\d+|\D+", name)
    return (group, [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in pieces])


def import_order(name: str) -> tuple[int, list[tuple[int, str]], str]:
    """The order of an import sorter, which considers case last."""
    group, pieces = sorting_order(name)
    return (group, [(number, piece.lower()) for number, piece in pieces], name)
