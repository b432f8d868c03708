"""The environment variables of a run: those that it requires (language.md §11), and those that tools must not see."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Final

#: The variable with the private key to sign with.
SIGNING_KEY: Final = "GRAPHWRIGHT_SIGNING_KEY"
#: Variables with private signing keys, with which a tool could sign anything.
_KEYS: Final = re.compile(r"(?:GRAPHWRIGHT|RYE|RYEOS)_(?:\w+_)?SIGNING_KEY\w*", re.IGNORECASE)

#: What was removed from the environment, for the action `sign`, also that of a run in the background.
_forgotten: Final[dict[str, str]] = {}


def without_keys(env: Mapping[str, str]) -> dict[str, str]:
    """The variables without those that contain private signing keys."""
    return {name: value for name, value in env.items() if _KEYS.fullmatch(name) is None}


def forget_keys(environ: MutableMapping[str, str]) -> None:
    """Remove variables with private signing keys from the environment of this process."""
    _forgotten.clear()
    for name in [each for each in environ if _KEYS.fullmatch(each) is not None]:
        _forgotten[name] = environ.pop(name)


def forgotten_key() -> str | None:
    """The private key that `forget_keys` removed, for the action `sign`; None if there was none."""
    return _forgotten.get(SIGNING_KEY)


def with_keys(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables with those that `forget_keys` removed, for a process of a run, which removes them first, too."""
    return {**environ, **_forgotten}


def missing_variables(required: Mapping[str, Sequence[str]], env: Mapping[str, str]) -> list[str]:
    """A message for each variable that is not set, with what needs it. An empty variable is set."""
    return [
        f"missing environment variable: {name} (needed by {', '.join(users) or 'the graph'})"
        for name, users in required.items()
        if name not in env
    ]
