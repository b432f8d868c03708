"""Shows the results of a build: the files that it wrote, the reasons, and all of it as JSON."""

from __future__ import annotations

from graphwright.building.builder import Built
from graphwright.cli.console import Console
from graphwright.diagnostic import Json
from graphwright.project.projects import shown
from graphwright.render.summary import counted

#: Maximum number of files to name.
_NAMED = 20


def tell(built: Built, console: Console, *, files: bool = True) -> None:
    """Write the results for the modules and other files; without `files`, only their numbers."""
    changed = [("wrote", file) for file in (*built.written, *built.others)]
    changed += [("removed", file) for file in built.removed]
    for what, file in changed[:_NAMED] if files else ():
        console.remark(f"{what} {shown(file)}\n")
    if files and len(changed) > _NAMED:
        console.remark(f"… and {len(changed) - _NAMED} more\n")
    modules, others = counted(len(built.written), "module"), counted(len(built.others), "other file")
    if built.others and built.written:
        console.remark(f"{modules} written, {len(built.unchanged)} unchanged, {others} written\n")
    elif built.others:
        console.remark(f"{others} written, {counted(len(built.unchanged), 'module')} unchanged\n")
    else:
        console.remark(f"{modules} written, {len(built.unchanged)} unchanged\n")


def reasons(built: Built, *, checking: bool) -> str:
    """A line for each module: what the build did or would do, and why; then a diff of manual edits."""
    words = {"written": "would be written", "removed": "would be removed"} if checking else {}
    lines: list[str] = []
    for each in built.explained:
        status = words.get(each.status, each.status)
        lines.append(f"{shown(each.module)}: {status}: {each.cause.text}")
        lines += [f"    {line}" for line in each.cause.diff]
    return "".join(f"{line}\n" for line in lines)


def as_json(built: Built, *, compact: bool = False) -> str:
    """A JSON document with the diagnostics, like that of `check`, and the modules with their reasons."""
    from graphwright.render import json

    modules: list[Json] = [
        {
            "module": shown(each.module),
            "source": each.source,
            "status": each.status,
            "causes": list(each.cause.kinds),
            "reason": each.cause.text,
            "diff": list(each.cause.diff),
        }
        for each in built.explained
    ]
    return json.render(built.diagnostics, {"stopped": built.stopped, "modules": modules}, compact=compact)
