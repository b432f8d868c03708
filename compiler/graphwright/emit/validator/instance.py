"""The value that a check is about: a variable that contains it, and its path for messages."""

from __future__ import annotations

from graphwright.emit.literals import quoted
from graphwright.record import Record


class Instance(Record):
    """A value to check.

    `variable` is the Python variable that contains it; `kind` is its kind (`object`, …), if type checkers know it.
    `path` consists of strings and names of variables in the order in which they are written: `("rows[",
    Variable("index"), "].id")`.
    """

    variable: str
    kind: str | None = None
    path: tuple[str | Variable, ...] = ()

    def key(self, key: str, variable: str) -> Instance:
        """A key of this mapping."""
        return self._below(variable, f".{key}" if self.path else key)

    def named(self, name: str, variable: str) -> Instance:
        """The key of this mapping that a variable contains."""
        return self._below(variable, *(["."] if self.path else []), Variable(name))

    def item(self, index: int | str, variable: str) -> Instance:
        """An item of this list, by position or by the name of a variable that contains it."""
        if isinstance(index, int):
            return self._below(variable, f"[{index}]")
        return self._below(variable, "[", Variable(index), "]")

    def _below(self, variable: str, *steps: str | Variable) -> Instance:
        return Instance(variable, path=(*self.path, *steps))

    @property
    def shown(self) -> str:
        """The path as an expression: a string, or an f-string if it contains variables."""
        if not any(isinstance(part, Variable) for part in self.path):
            return quoted("".join(part for part in self.path if isinstance(part, str)))
        if len(self.path) == 1 and isinstance(self.path[0], Variable):
            return self.path[0].name
        text = "".join(
            f"{{{part.name}}}" if isinstance(part, Variable) else part.replace("{", "{{").replace("}", "}}")
            for part in self.path
        )
        return f"f{quoted(text)}"


class Variable(Record):
    """A variable in a path."""

    name: str


def complaint(instance: Instance, text: str) -> str:
    """The statement that reports a problem with a value, which the message includes."""
    return f"problem({instance.shown}, {quoted(text)}, {instance.variable})"
