"""Warnings about templates whose value is null."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from graphwright_runtime.branch import Branch
from graphwright_runtime.paths import at
from graphwright_runtime.values import Params

_QUOTED = r"""\[(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]"""
_STEP = rf"\.[\w-]+|\[-?\d+\]|{_QUOTED}"


def warn(branch: Branch, written: str, base: object = None, *, so: str = "") -> None:
    """Log once per run that the expression `written` is null, suggesting a similar key if there is one.

    `base` is the value that its paths start with unless that is `state` or `inputs`; `so` is added to the message.
    """
    meant = _meant(branch, written, base)
    hint = f" (did you mean {meant}?)" if meant else ""
    branch.run.warn_once(f"null {written}", f"node {branch.node}: {written} is null{hint}{so}")


def warn_params(branch: Branch, params: Params, item: object = None) -> None:
    """Warn about params whose templates are null, because the tool does not get them."""
    written = branch.run.graph.reads.get(branch.node, {})
    for key, value in params.items():
        if value is None and key in written:
            warn(branch, written[key], item)


def warn_hook(branch: Branch, hook: str, written: str, context: Mapping[str, object]) -> None:
    """Log once per run that an expression of a hook is null."""
    meant = _meant(branch, written, context=context)
    hint = f" (did you mean {meant}?)" if meant else ""
    branch.run.warn_once(f"null {written} in {hook}", f"hook {hook}: {written} is null{hint}")


def _meant(
    branch: Branch, written: str, base: object = None, context: Mapping[str, object] | None = None
) -> str | None:
    """The first path with a missing key, up to that key, replaced by a similar existing key; None if there is none."""
    for path in re.finditer(rf"(?<![\w.\"'-])([^\W\d][\w-]*)((?:{_STEP})+)", written):
        root, steps = path[1], re.findall(_STEP, path[2])
        names = {"state": branch.run.state, "inputs": branch.run.inputs} if context is None else context
        place: object = names.get(root, base)
        if root == "state" and steps[0] == ".inputs":
            root, steps, place = "state.inputs", steps[1:], branch.run.inputs
        meant = _corrected(root, steps, place)
        if meant is not None:
            return meant
    return None


def _corrected(spelled: str, steps: Iterable[str], place: object) -> str | None:
    for step in steps:
        key = step[1:] if step[0] == "." else step[2:-2] if step[1] in "\"'" else int(step[1:-1])
        if isinstance(place, Mapping) and isinstance(key, str) and key not in place:
            from difflib import get_close_matches

            near = get_close_matches(key, map(str, place), n=1, cutoff=0.7)
            return f"{spelled}.{near[0]}" if near else None
        spelled, place = spelled + step, at(place, key)
    return None
