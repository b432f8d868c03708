"""The environment variables of graphwright, and warnings about misspelled ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

#: All variables that the compiler, the runtime and this project's own tests read.
KNOWN: Final = frozenset(
    {
        "GRAPHWRIGHT_CACHE_DIR", "GRAPHWRIGHT_SAFE_DIRECTORY", "GRAPHWRIGHT_SIGNING_KEY", "GRAPHWRIGHT_TRACEBACK",
        "GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_TRUST_TOOLS", "GRAPHWRIGHT_VERIFY",
        "GRAPHWRIGHT_FUZZ", "GRAPHWRIGHT_FUZZ_MINUTES", "GRAPHWRIGHT_GOLDEN",
    }
)  # fmt: skip


_PREFIX: Final = "GRAPHWRIGHT_"
_said: set[str] = set()


def warn_of_unknown(names: Iterable[str]) -> None:
    """Log a warning, once per process, for each variable that looks like one of these but is unknown.

    A misspelled variable has no effect, which would otherwise go unnoticed; some of them turn on verification.
    """
    unknown = [name for name in names if name.startswith(_PREFIX) and name not in KNOWN and name not in _said]
    if not unknown:
        return
    _said.update(unknown)
    import logging
    from difflib import get_close_matches

    for name in unknown:
        known = sorted(each.removeprefix(_PREFIX) for each in KNOWN)
        near = get_close_matches(name.removeprefix(_PREFIX), known, n=1, cutoff=0.7)
        hint = f"; did you mean {_PREFIX}{near[0]}?" if near else ""
        shown = name if name.isprintable() else ascii(name)[1:-1]
        logging.getLogger(__name__).warning("the variable %s is unknown and has no effect%s", shown, hint)
