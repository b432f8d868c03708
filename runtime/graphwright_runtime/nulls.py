"""The warning for a template that came out null."""

from __future__ import annotations

from collections.abc import Mapping

from graphwright_runtime.branch import Branch
from graphwright_runtime.values import Params


def warn(branch: Branch, written: str) -> None:
    """Say once a run that the path `written` is null, and which key was meant where one is close."""
    meant = _meant(branch, written)
    hint = f" (did you mean {meant}?)" if meant else ""
    branch.run.warn_once(f"null {written}", f"node {branch.node}: {written} is null{hint}")


def warn_params(branch: Branch, params: Params) -> None:
    """Warn of the parameters that are null where a path was to give them; the tool does not get them."""
    written = branch.run.graph.reads.get(branch.node, {})
    for key, value in params.items():
        if value is None and key in written:
            warn(branch, written[key])


def _meant(branch: Branch, written: str) -> str | None:
    """The path with its first missing key replaced by a key that is there and spelt much like it."""
    from difflib import get_close_matches

    names = written.split(".")
    place: object = {"state": branch.run.state, "inputs": branch.run.inputs}.get(names[0])
    for position, name in enumerate(names[1:], start=1):
        if not isinstance(place, Mapping):
            return None
        if name not in place:
            near = get_close_matches(name, map(str, place), n=1, cutoff=0.7)
            return ".".join([*names[:position], *near]) if near else None
        place = place[name]
    return None
