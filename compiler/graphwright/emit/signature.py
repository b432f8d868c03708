"""The typed entry points of a module, written from one list of parameters."""

from __future__ import annotations

from typing import Final

from graphwright.emit.uses import Uses

#: Parameters of `run` behind the inputs: name and what it may be beside None; `{…}` is a name to import.
PARAMETERS: Final = (
    ("tools", "{Mapping}[str, {Tool}]"),
    ("dispatch", "{Dispatch}"),
    ("capabilities", "{Sequence}[str]"),
    ("env", "{Mapping}[str, str]"),
    ("host", "{Host}"),
    ("project", "{PathLike}[str] | str"),
    ("run_id", "str"),
    ("resume", "str"),
    ("durability", "{Durability}"),
    ("on_event", "{Callable}[[{Event}], None]"),
)


def parameters(uses: Uses) -> tuple[tuple[str, str], ...]:
    """Name and annotation of each parameter; what the entry points need is imported."""
    for name in ("Graph", "RunResult", "execute", "execute_sync"):
        uses.runtime(name)
    names = {
        "Callable": uses.collections("Callable"),
        "Mapping": uses.collections("Mapping"),
        "Sequence": uses.collections("Sequence"),
        "PathLike": uses.standard("os", "PathLike"),
        **{name: uses.runtime(name) for name in ("Dispatch", "Durability", "Event", "Host", "Tool")},
    }
    return tuple((name, f"{annotation.format(**names)} | None") for name, annotation in PARAMETERS)
