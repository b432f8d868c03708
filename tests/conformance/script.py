"""Tools whose results a case wrote down: one result a call, the last one repeats."""

from __future__ import annotations

import builtins
import copy
from collections import Counter
from collections.abc import Mapping


class Script:
    """Answers calls by item id. Whoever asks for a tool without an entry learns that it does not exist."""

    def __init__(self, tools: Mapping[str, object]) -> None:
        self._tools = tools
        self._calls: Counter[str] = Counter()

    def answer(self, item_id: str) -> object:
        """The next result of a tool, which may be to raise."""
        results = self._tools.get(item_id)
        if results is None:
            raise LookupError(f"no such tool: {item_id}")
        scripted = results if isinstance(results, list) else [results]
        if not scripted:
            raise LookupError(f"the case gives no result for {item_id}")
        entry = scripted[min(self._calls[item_id], len(scripted) - 1)]
        self._calls[item_id] += 1
        if isinstance(entry, dict) and "raise" in entry:
            raise _exception(entry["raise"])
        if isinstance(entry, dict) and "return" in entry:
            return copy.deepcopy(entry["return"])
        raise LookupError(f"a scripted result of {item_id} neither returns nor raises: {entry!r}")


def _exception(said: object) -> Exception:
    """`{type, message, …}`: an exception of that type; further keys become attributes."""
    if not isinstance(said, dict):
        return RuntimeError(str(said))
    error = _exception_type(str(said.get("type", "RuntimeError")))(str(said.get("message", "")))
    for key, value in said.items():
        if key not in {"type", "message"}:
            setattr(error, str(key), value)
    return error


def _exception_type(name: str) -> type[Exception]:
    """Python's own exception of that name, or one made up."""
    known = getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, Exception):
        return known
    return type(name, (Exception,), {})
