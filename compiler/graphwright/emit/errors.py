"""Why a build cannot go on, for reasons that are not in the graphs."""

from __future__ import annotations

from pathlib import PurePosixPath


class BuildError(Exception):
    """Something that a build needs is missing or unfit; the text is for the user."""


class TemplateError(BuildError):
    """A template that is missing or wrong; the text names it and says what is the matter."""


class TypecheckError(BuildError):
    """mypy is missing or could not do its work."""


class GateError(Exception):
    """A file that must not be written: a fault of the compiler, unless the project has templates of its own.

    `str()` says why; `path` and `line` say where, as far as that is known.
    """

    def __init__(self, message: str, path: PurePosixPath | None = None, line: int | None = None) -> None:
        super().__init__(message if path is None else f"{path}: {message}")
        self.path = path
        self.line = line
