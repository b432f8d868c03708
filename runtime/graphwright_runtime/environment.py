"""The environment variables that a run needs, checked before its first node (language.md §11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def missing_variables(required: Mapping[str, Sequence[str]], env: Mapping[str, str]) -> list[str]:
    """One text for each variable that is not set, with who needs it; set to empty text is set."""
    return [
        f"missing environment variable: {name} (needed by {', '.join(users) or 'the graph'})"
        for name, users in required.items()
        if name not in env
    ]
