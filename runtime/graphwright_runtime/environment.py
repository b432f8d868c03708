"""The environment variables of a run: what it needs, checked before its first node (language.md §11), and what no
tool is given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Final

#: Private keys that sign: with one of them a tool could vouch for anything.
_SIGNING_KEY: Final = re.compile(r"(?:GRAPHWRIGHT|RYE|RYEOS)_(?:\w+_)?SIGNING_KEY\w*", re.IGNORECASE)


def without_keys(env: Mapping[str, str]) -> dict[str, str]:
    """The variables, without those that hold private keys for signing."""
    return {name: value for name, value in env.items() if _SIGNING_KEY.fullmatch(name) is None}


def forget_keys(environ: MutableMapping[str, str]) -> None:
    """Take such variables out of the environment of this process: what runs in it needs none."""
    for name in [each for each in environ if _SIGNING_KEY.fullmatch(each) is not None]:
        del environ[name]


def missing_variables(required: Mapping[str, Sequence[str]], env: Mapping[str, str]) -> list[str]:
    """One text for each variable that is not set, with who needs it; set to empty text is set."""
    return [
        f"missing environment variable: {name} (needed by {', '.join(users) or 'the graph'})"
        for name, users in required.items()
        if name not in env
    ]
