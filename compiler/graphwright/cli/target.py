"""What GRAPH on the command line means: a YAML file, or the id of a graph."""

from __future__ import annotations

from pathlib import Path

from graphwright.cli.command import UsageError
from graphwright.presence import is_file, is_there
from graphwright.project.projects import SUFFIXES, Projects, candidates, user_tools


def graph_file(text: str) -> str:
    """The path of the graph that `text` means; raises `UsageError`."""
    if Path(text).suffix in SUFFIXES or is_path(text):
        return text
    project = Projects().of(Path.cwd())
    roots = (*project.roots, *user_tools())
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
    hint = f"did you mean `{near}`?" if near else f"ids count from {', '.join(map(str, project.roots))}"
    raise UsageError(f"there is no file and no graph `{text}`; {hint}")


def is_path(text: str) -> bool:
    """Whether there is something at this path."""
    return is_there(Path(text))
