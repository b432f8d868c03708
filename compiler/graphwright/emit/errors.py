"""Why a build cannot go on, for reasons that are not in the graphs."""

from __future__ import annotations


class BuildError(Exception):
    """Something that a build needs is missing or unfit; the text is for the user."""


class TemplateError(BuildError):
    """A template that is missing or wrong; the text names it and says what is the matter."""


class TypecheckError(BuildError):
    """mypy is missing or could not do its work."""
