"""Files that belong to someone else, as far as the product is told; only root could really give one away."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphwright_runtime.trust import owner

#: A user that there is none of.
STRANGER = 12345


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch, *, to: int = STRANGER) -> None:
    """From now on a file, a folder or a link belongs to another user."""
    ask = owner.status_of

    def asked(each: Path) -> os.stat_result:
        status = ask(each)
        return os.stat_result((*status[:4], to, *status[5:])) if each == path else status

    monkeypatch.setattr(owner, "status_of", asked)
