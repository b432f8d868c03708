"""Signs graphs, tools, directives and knowledge. The folder and suffix of a file determine what kind of item it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from graphwright.content import content_of
from graphwright.project.projects import SUFFIXES
from graphwright.record import Record
from graphwright.trust.keys import PrivateKey
from graphwright_runtime.atomic import replace_file
from graphwright_runtime.items.signing import unsignable
from graphwright_runtime.items.space import FOLDERS
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.trust.verification import check_encoding


class Signed(Record):
    """The outcome for one file. `problem` says why it was not signed; None if it was."""

    path: Path
    problem: str | None = None


def sign_file(file: Path, key: PrivateKey, *, force: bool = False) -> Signed:
    """Sign a graph, tool, directive or knowledge item. `force` replaces signatures that no longer match.

    Raises OSError.
    """
    data = content_of(file)
    purpose = purpose_of(file)
    refusal = check_encoding(purpose, data)
    problem = None if refusal is None else refusal.text
    if problem is None and not force and (reason := unsignable(purpose, data)) is not None:
        problem = f"{reason}: review it, then pass --force"
    if problem is None:
        replace_file(file, seal(purpose, data, key.signer, markdown=file.suffix == ".md"))
    return Signed(file, problem)


def purpose_of(file: Path) -> Purpose:
    """The purpose that a file other than a generated module is signed for, based on its folder and suffix."""
    folders = file.absolute().parts[:-1]
    kind = _kind(folders)[0]
    if kind is None and file.suffix == ".md":
        kind = "knowledge" if "knowledge" in folders else "directive"
    return "source" if kind in (None, "tool") and file.suffix in SUFFIXES else kind or "tool"


def item_id_of(file: Path) -> str | None:
    """The id of a tool, directive or knowledge item; None for a file outside the folders for these."""
    kind, below = _kind(file.absolute().parts[:-1])
    return None if kind is None else "/".join((*below, file.stem))


def _kind(folders: Sequence[str]) -> tuple[Purpose | None, Sequence[str]]:
    """The kind of item that the folder below the nearest `.ai` holds (None: none), and the folders below that one."""
    for depth in range(len(folders) - 1, 0, -1):
        if folders[depth - 1] == ".ai":
            kinds = (cast("Purpose", kind) for kind, name in FOLDERS.items() if name == folders[depth])
            return next(kinds, None), folders[depth + 1 :]
    return None, ()
