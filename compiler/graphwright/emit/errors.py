"""Errors of builds that are not caused by graphs."""

from __future__ import annotations

from pathlib import PurePosixPath


class BuildError(Exception):
    """Something that a build needs is missing or invalid; the message is for the user."""


class TemplateError(BuildError):
    """A template is missing or invalid; the message names it and the problem."""


class TypecheckError(BuildError):
    """mypy is missing or failed to run."""


class GateError(Exception):
    """A file must not be written: an internal error, unless the project has its own templates.

    `str()` is the reason; `path` and `line` are the location, as far as it is known.
    """

    def __init__(self, message: str, path: PurePosixPath | None = None, line: int | None = None) -> None:
        super().__init__(message if path is None else f"{path}: {message}")
        self.path = path
        self.line = line
