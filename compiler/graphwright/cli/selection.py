"""The selection of paths and codes of a command, and the cache of earlier checks."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from graphwright.checking.cache import Cache, cache_folder, compiler_fingerprint
from graphwright.checking.levels import as_code, is_firm, refusal, unknown_code
from graphwright.checking.report import Report
from graphwright.cli.command import UsageError
from graphwright.diagnostic import Diagnostic
from graphwright.presence import is_folder
from graphwright.project.projects import Projects, shown

#: Codes that mean that (almost) nothing was checked, so they are never ignored.
_NOTHING_SEEN = frozenset({"GW001", "GW005", "GW008", "GW901"})


def chosen_paths(paths: Sequence[str], *, separated: bool) -> list[str]:
    """The paths to check: the given ones or, by default, the configured source roots or the current folder.

    `separated`: `--` was given, as by hooks that pass file names, so that no path means nothing to do.
    """
    if paths or separated:
        return list(paths)
    project = Projects().of(Path.cwd())
    if "roots" not in project.config.given:
        return ["."]
    roots = [str(root) for root in project.roots if is_folder(root)]
    if not roots:
        missing = ", ".join(shown(root) for root in project.roots)
        raise UsageError(f"none of the source roots in {project.config.file} exist: {missing}")
    return roots


def watched_paths(paths: Sequence[str]) -> list[str]:
    """The paths to watch for `chosen_paths`: without any, the whole working directory, whatever is configured now."""
    return list(paths) or ["."]


def own_folders() -> list[Path]:
    """Folders that checks and builds write to, and do not have to watch: the cache."""
    folder = cache_folder()
    return [] if folder is None else [folder]


def elsewhere(report: Report, paths: Sequence[str]) -> str:
    """A hint about the project's source roots if no graphs were found in the current folder; otherwise empty."""
    if report.graphs or report.diagnostics or list(paths) != ["."]:
        return ""
    here = Path.cwd()
    roots = [root for root in Projects().of(here).roots if is_folder(root) and here not in root.parents]
    return f"the source roots of this project: {', '.join(os.path.relpath(root) for root in roots)}\n" if roots else ""


def opened_cache(*, enabled: bool) -> Cache:
    """The cache of earlier checks, or an empty one."""
    from graphwright import __version__

    return Cache(cache_folder() if enabled else None, compiler_fingerprint(__version__) if enabled else "")


def selection(select: Sequence[str] | None, ignore: Sequence[str] | None) -> Callable[[Diagnostic], bool]:
    """A filter for diagnostics by codes or families of codes; it keeps errors that prevent a build."""
    chosen, unwanted = _codes(select), _codes(ignore, unwanted=True)

    def wanted(diagnostic: Diagnostic) -> bool:
        code = diagnostic.code
        if chosen and not code.startswith(chosen):
            return code in _NOTHING_SEEN
        return is_firm(code, diagnostic.severity) or not code.startswith(unwanted)

    return wanted


def _codes(given: Sequence[str] | None, *, unwanted: bool = False) -> tuple[str, ...]:
    codes = tuple(as_code(code.strip()) for text in given or () for code in text.split(",") if code.strip())
    if codes:
        from graphwright.rules.catalogue import catalogue

        for code in codes:
            problem = unknown_code(code, catalogue()) or (refusal(code, catalogue()) if unwanted else None)
            if problem:
                raise UsageError(f"`--{'ignore' if unwanted else 'select'}`: {problem}")
    return codes
