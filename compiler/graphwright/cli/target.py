"""Finds the graph that GRAPH on the command line means: a YAML file, or the id of a graph."""

from __future__ import annotations

from pathlib import Path

from graphwright.cli.command import UsageError
from graphwright.presence import is_file, is_folder, is_there
from graphwright.project.ownership import OwnershipError, ancestors
from graphwright.project.projects import SUFFIXES, Projects, absolute, candidates, user_tools


def graph_file(text: str, folder: str | None = None) -> str:
    """The path of a graph. `text` is a path, or an id in the project of `folder` (or here). Raises `UsageError`."""
    if Path(text).suffix in SUFFIXES or is_path(text):
        return text
    projects = Projects()
    named = () if folder is None else projects.of(absolute(folder)).roots
    roots = (*dict.fromkeys((*named, *projects.of(Path.cwd()).roots)), *user_tools())
    for root in roots:
        for file in candidates(text, root, SUFFIXES):
            if is_file(file):
                return str(file)
    from graphwright.suggest import nearest

    ids = [
        file.relative_to(root).with_suffix("").as_posix()
        for root in roots
        for suffix in SUFFIXES
        for file in root.glob(f"**/*{suffix}")
    ]
    near = nearest(text, ids)
    hint = f"did you mean `{near}`?" if near else f"ids are relative to {', '.join(map(str, roots))}"
    raise UsageError(f"there is no file and no graph `{text}`; {hint}")


def is_path(text: str) -> bool:
    """Whether the path exists."""
    return is_there(Path(text))


def checked_folder(named: str | None) -> str | None:
    """The folder of `--project`. Raises `UsageError` if it does not exist."""
    if named is not None and not is_folder(Path(named)):
        raise UsageError(f"`--project {named}`: there is no such folder")
    return named


def project_folder(named: str | None) -> Path | None:
    """The folder of tools and runs: the named one, otherwise the nearest with a configuration or an `.ai` folder.

    Searches the current folder and its parents; None if there is none. Raises `UsageError` if the named one does not
    exist.
    """
    if (folder := checked_folder(named)) is not None:
        return absolute(folder)
    here = Path.cwd()
    configured = Projects().of(here)
    if configured.config.file is not None:
        return configured.folder
    try:
        above = (
            each.folder
            for each in ancestors(here)
            if is_folder(each.folder / ".ai") and each.applies(each.folder / ".ai")
        )
        return next(above, None)
    except OwnershipError as error:
        raise UsageError(str(error)) from error
