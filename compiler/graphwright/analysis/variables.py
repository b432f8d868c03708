"""Compares the environment variables that shell commands read with those that are declared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import yaml

from graphwright import ir
from graphwright.analysis.commands import command_scalar, is_cut_short, read_command
from graphwright.ir.visit import Caller
from graphwright.record import Record
from graphwright.source.reader import Source

#: Variables that every shell has or sets.
_SHELL_OWN: Final = (
    r"(HOME|PATH|PWD|OLDPWD|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|TMPDIR|EDITOR|HOSTNAME|IFS|PS[1-4]|_"
    r"|OPTARG|OPTIND|OPTERR|REPLY|MAPFILE|COPROC|RANDOM|SRANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|LINENO|FUNCNAME"
    r"|PIPESTATUS|DIRSTACK|GROUPS|UID|EUID|PPID|SHLVL|HOSTTYPE|MACHTYPE|OSTYPE|SHELLOPTS|COLUMNS|LINES"
    r"|BASH\w*|COMP_\w+|HIST\w+)\Z"
)

#: Set by the runtime for the child processes of a run.
_RUNTIME_OWN: Final = frozenset({"RYE_PARENT_THREAD_ID"})


class Undeclared(Record):
    """An undeclared variable in a command: its range in the command's scalar, and the declared variables."""

    name: str
    caller: Caller
    scalar: yaml.ScalarNode
    start: int
    end: int
    declared: frozenset[str]


def undeclared(graph: ir.Graph, callers: Iterable[Caller], source: Source) -> Iterator[Undeclared]:
    """The undeclared variables of every command, without duplicates per command and those of every shell."""
    for caller in callers:
        scalar = command_scalar(caller.action, source)
        if scalar is None or "$" not in scalar.value or is_cut_short(scalar.value):
            continue
        command = read_command(scalar.value)
        names = (*graph.env, *(caller.node.env if caller.node is not None else ()))
        declared = frozenset(required.name for required in names) | graph.doubt.words
        seen: set[str] = set()
        for variable in command.scan.variables:
            name = variable.name
            if not command.scan.needs(variable) or name in declared or name in _RUNTIME_OWN or name in seen:
                continue
            if re.match(_SHELL_OWN, name):
                continue
            seen.add(name)
            start, end = command.offsets[variable.start], command.offsets[variable.end - 1] + 1
            yield Undeclared(name, caller, scalar, start, end, declared)


def read_in(callers: Iterable[Caller], source: Source, nodes: frozenset[str]) -> frozenset[str]:
    """The variables that commands of hooks and of the given nodes read."""
    return frozenset(
        variable.name
        for caller in callers
        if caller.node is None or caller.node.name in nodes
        if (scalar := command_scalar(caller.action, source)) is not None
        for variable in read_command(scalar.value).scan.variables
    )
