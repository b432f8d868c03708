"""Where in the inputs a check looks: a variable that holds the value, and a path for messages."""

from __future__ import annotations

from graphwright.emit.literals import quoted
from graphwright.record import Record


class Instance(Record):
    """A value being checked.

    `variable` is the Python name that holds it; `kind` is its kind (`object`, …), where type checkers know it. `path`
    is made of text and of names of variables in the order in which they are written out: `("rows[", Variable("index"),
    "].id")`. `told`: complaints say what stands there.
    """

    variable: str
    kind: str | None = None
    path: tuple[str | Variable, ...] = ()
    shows_value: bool = False

    def key(self, key: str, variable: str) -> Instance:
        """A key of this mapping."""
        return self._below(variable, f".{key}" if self.path else key)

    def named(self, name: str, variable: str) -> Instance:
        """The key of this mapping that a variable names."""
        return self._below(variable, *(["."] if self.path else []), Variable(name))

    def item(self, index: int | str, variable: str) -> Instance:
        """An item of this list, by position or by the name of a variable that holds it."""
        if isinstance(index, int):
            return self._below(variable, f"[{index}]")
        return self._below(variable, "[", Variable(index), "]")

    def _below(self, variable: str, *steps: str | Variable) -> Instance:
        return Instance(variable, path=(*self.path, *steps), shows_value=self.shows_value)

    @property
    def shown(self) -> str:
        """The path as an expression: a string, or an f-string where variables are in it."""
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
    """A name inside a path."""

    name: str


def complaint(instance: Instance, text: str) -> str:
    """The statement that notes what is wrong at a place."""
    return f"problem({instance.shown}, {quoted(text)}{f', {instance.variable}' if instance.shows_value else ''})"
