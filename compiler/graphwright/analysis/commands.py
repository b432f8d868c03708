"""The shell commands of a graph: the `command` of each action on the bash tool, read as shell text."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import yaml

from graphwright import ir
from graphwright.expr.nodes import Hole, Pipe
from graphwright.expr.parser import parse_template
from graphwright.record import Record
from graphwright.source.reader import Source

if TYPE_CHECKING:
    from graphwright.analysis.quoting import Context
    from graphwright.analysis.shell import Scan

#: Ids of the tool that hands its `command` to a shell.
SHELL_TOOLS: Final = frozenset({"rye/bash", "rye/bash/bash"})


class Command(Record):
    """A command as the shell will read it.

    `offsets[i]` is where the i-th character of the shell's text stands in the scalar's decoded text (an escaped
    `$${` where it begins). `holes` are the templates in it, with `scan.holes` telling how the shell reads each.
    """

    offsets: tuple[int, ...]
    holes: tuple[Hole, ...]
    scan: Scan

    def hole(self, read: ir.Read) -> Hole | None:
        """The template that a path of the command's scalar stands in."""
        number = self._number(read)
        return None if number is None else self.holes[number]

    def context(self, read: ir.Read) -> Context:
        """How the shell reads the template that a path stands in."""
        from graphwright.analysis.quoting import Context  # few graphs run commands

        number = self._number(read)
        return Context.BARE if number is None else self.scan.holes[number]

    def is_harmless(self, read: ir.Read) -> bool:
        """Whether a value stands where only its line breaks would matter, and has none: JSON is on one line."""
        hole = self.hole(read)
        last = None if hole is None else hole.expression
        return self.context(read).ends_with_line and isinstance(last, Pipe) and last.name == "json"

    def _number(self, read: ir.Read) -> int | None:
        """The number of the template that a path stands in."""
        number = bisect_right(self.holes, read.start, key=attrgetter("start")) - 1
        return number if number >= 0 and read.start < self.holes[number].end else None


def command_scalar(action: ir.Action, source: Source) -> yaml.ScalarNode | None:
    """The scalar of an action's shell command, None where the action has none."""
    if action.kind != "tool" or action.primary != "execute" or not isinstance(action.item_id, ir.Const):
        return None
    if action.item_id.value not in SHELL_TOOLS or not isinstance(action.params_at, yaml.MappingNode):
        return None
    for key, value in source.entries(action.params_at):
        if key.value == "command":
            return value if isinstance(value, yaml.ScalarNode) else None
    return None


def is_cut_short(text: str) -> bool:
    """Whether a template in the command is never closed, so that nobody knows what the shell would read behind it."""
    return any(fault.unclosed for fault in parse_template(text).faults)


@lru_cache(maxsize=512)
def read_command(text: str) -> Command:
    """Read the decoded text of a command's scalar: templates first, then the shell's syntax around them."""
    from graphwright.analysis.shell import HOLE, scan  # few graphs run commands

    holes = tuple(part for part in parse_template(text).template.parts if isinstance(part, Hole))
    letters: list[str] = []
    offsets: list[int] = []
    position = 0
    for start, end in [*((hole.start, hole.end) for hole in holes), (len(text), len(text))]:
        while position < start:
            escaped = text.startswith("$${", position)
            letters += "${" if escaped else text[position].replace(HOLE, " ")
            offsets += (position, position + 2) if escaped else (position,)
            position += 3 if escaped else 1
        if start < end:
            letters.append(HOLE)
            offsets.append(start)
            position = end
    return Command((*offsets, len(text)), holes, scan("".join(letters)))
