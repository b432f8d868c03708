"""Names that a call passes and the callee does not have, each with the one that was probably meant."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from graphwright.suggest import Guesses

#: Names that other tools use for params of known tools.
_SAID_ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "command": ("cmd", "run", "script", "shell"),
    "working_dir": ("cwd", "dir", "workdir", "working_directory"),
    "timeout": ("timeout_s", "timeout_seconds"),
    "path": ("file", "file_path", "filename", "folder"),
    "content": ("body", "contents", "data", "text"),
    "append": ("mode",),
    "pattern": ("glob",),
    "resume_run_id": ("resume_from", "resume_id", "run", "run_id"),
    "graph_run_id": ("run", "run_id"),
    "inject_state": ("state",),
    "capabilities": ("permissions",),
    "async": ("background",),
    "async_exec": ("background",),
    "query": ("q", "search", "term", "text"),
    "limit": ("count", "max", "max_results", "top"),
    "source": ("space",),
    "run_id": ("graph_run_id", "id", "run", "thread_id"),
    "parent_id": ("parent", "parent_run_id", "parent_thread_id"),
    "graph_id": ("graph",),
    "directive_name": ("name", "id", "item_id"),
    "inputs": ("args", "arguments", "parameters", "params"),
    "limit_overrides": ("limits", "overrides"),
    "operation": ("action", "method", "op"),
    "thread_id": ("graph_run_id", "id", "run_id", "thread"),
    "thread_ids": ("ids", "run_ids", "threads"),
    "tail_lines": ("lines", "tail"),
    "depth": ("max_depth",),
    "duration_s": ("duration", "duration_seconds", "max_duration", "timeout", "timeout_s"),
    "spawns": ("max_spawns",),
    "spend": ("budget", "cost", "max_cost", "max_spend"),
    "tokens": ("max_tokens",),
    "turns": ("max_turns",),
}


class Misnamed:
    """Unknown names of a call; `meant` has the absent one that each of them probably means, if any.

    `needed` are the absent names without which a call fails that has unknown ones, too: one of each is one mistake.
    """

    def __init__(
        self, guesses: Guesses, unknown: Sequence[str], absent: Sequence[str], needed: Collection[str] = ()
    ) -> None:
        self.meant: dict[str, str] = {}
        for name in unknown:
            usual = next((each for each in absent if name in _SAID_ELSEWHERE.get(each, ())), None)
            near = usual or guesses.nearest(name, absent)
            if near is not None:
                self.meant[name] = near
        rest = [name for name in unknown if name not in self.meant]
        lacking = [name for name in needed if name not in self.meant.values()]
        self._last = dict(zip(rest, lacking, strict=True)) if len(rest) == len(lacking) == 1 else {}
        self.meant |= self._last

    def but(self, name: str) -> str:
        """What a message about an unknown name adds if the one that it means is not similar."""
        return f", but requires `{self._last[name]}`" if name in self._last else ""
