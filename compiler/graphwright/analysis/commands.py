"""The shell commands of a graph: the `command` of each action on the bash tool, parsed as shell code."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

import yaml

from graphwright import ir
from graphwright.expr.nodes import Hole, Pipe
from graphwright.expr.parser import parse_template
from graphwright.language.words import SHELL_TOOLS
from graphwright.record import Record
from graphwright.source.reader import Source

if TYPE_CHECKING:
    from graphwright.analysis.quoting import ShellContext
    from graphwright.analysis.shell import Scan


class Command(Record):
    """A command as the shell reads it.

    `offsets[i]` is the position of the i-th character of the shell's text in the scalar's decoded text (for an escaped
    `$${`, where it begins). `holes` are the templates in it; `scan.holes` says how the shell reads each.
    """

    offsets: tuple[int, ...]
    holes: tuple[Hole, ...]
    scan: Scan

    def hole(self, read: ir.Read) -> Hole | None:
        """The template that contains a path of the command's scalar."""
        number = self._number(read)
        return None if number is None else self.holes[number]

    def context(self, read: ir.Read) -> ShellContext:
        """How the shell reads the template that contains a path."""
        from graphwright.analysis.quoting import ShellContext  # few graphs run commands

        number = self._number(read)
        return ShellContext.BARE if number is None else self.scan.holes[number]

    def is_harmless(self, read: ir.Read) -> bool:
        """Whether only line breaks in the value would matter, and it has none: JSON is on one line."""
        hole = self.hole(read)
        last = None if hole is None else hole.expression
        return self.context(read).ends_with_line and isinstance(last, Pipe) and last.name == "json"

    def _number(self, read: ir.Read) -> int | None:
        """The number of the template that contains a path."""
        number = bisect_right(self.holes, read.start, key=attrgetter("start")) - 1
        return number if number >= 0 and read.start < self.holes[number].end else None


def command_scalar(action: ir.Action, source: Source) -> yaml.ScalarNode | None:
    """The scalar of an action's shell command, or None."""
    if action.kind != "tool" or action.primary != "execute" or not isinstance(action.item_id, ir.Const):
        return None
    if action.item_id.value not in SHELL_TOOLS or not isinstance(action.params_at, yaml.MappingNode):
        return None
    for key, value in source.entries(action.params_at):
        if key.value == "command":
            return value if isinstance(value, yaml.ScalarNode) else None
    return None


def is_cut_short(text: str) -> bool:
    """Whether a template in the command is never closed, so that the shell's reading of the rest is unknown."""
    return any(fault.unclosed for fault in parse_template(text).faults)


@lru_cache(maxsize=512)
def read_command(text: str) -> Command:
    """Parse the decoded text of a command's scalar: templates first, then the shell syntax around them."""
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
