"""What values store: the paths that they copy or count, and where in the state these lead."""

from __future__ import annotations

from typing import Final, TypeAlias

from graphwright import ir

#: A path below `state`; the first segment is the key. `rows[0]` and `rows.0` are the same.
Path: TypeAlias = tuple[str, ...]

_NO_VALUE: Final = ir.Const(None)


def path_of(read: ir.Read) -> Path:
    """The path that a read has below its namespace."""
    return tuple(map(str, read.path))


def state_path(node: ir.Node, read: ir.Read) -> Path | None:
    """The path below `state` that is read, by a loop over a list there from the first item on; None for others."""
    if read.root is ir.Root.ITEM and isinstance(node, ir.ForeachNode):
        over = plain(node.over)
        is_list = over is not None and over.root is ir.Root.STATE and over.path
        return (*path_of(over), "0", *path_of(read)) if over is not None and is_list else None
    return path_of(read) if read.root is ir.Root.STATE and read.path else None


def plain(value: ir.Value) -> ir.Read | None:
    """The path, if the value is just that; otherwise None."""
    inner = value.value if isinstance(value, ir.Template) else value
    return inner if isinstance(inner, ir.Read) else None


def part(value: ir.Value, path: Path) -> tuple[ir.Read | None, Path]:
    """The path that is stored below a value, and what remains to be read below that; None if it is something else."""
    while isinstance(value, ir.MapOf) and path:
        value, path = dict(value.entries).get(path[0], _NO_VALUE), path[1:]
    return plain(value), path


def counted(value: ir.Value) -> ir.Read | None:
    """The path in `${path | length}` or with other pipes, which skip null; None if the value is something else."""
    inner = value.value if isinstance(value, ir.Template) else value
    if not isinstance(inner, ir.Pipe) or inner.name == "default":
        return None
    return inner.operand if isinstance(inner.operand, ir.Read) else counted(inner.operand)
