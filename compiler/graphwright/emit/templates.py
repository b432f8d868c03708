"""Finds and renders the templates."""

from __future__ import annotations

import os
import traceback
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphwright.emit.errors import TemplateError
from graphwright.emit.model import ModuleCode
from graphwright.project.projects import shown

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.ext import Extension

_PACKAGE: Final = Path(__file__).resolve().parent.parent

#: The folder in the wheel, and in a checkout of the repository.
_BUILT_IN: Final = (_PACKAGE / "templates", _PACKAGE.parent.parent / "templates")


def render(module: ModuleCode, overrides: Path | None = None, *, traced: bool = False) -> str:
    """The text of a module before its layout. Templates in `overrides` replace the built-in ones.

    `traced`: every line includes the template from which it comes (`trace.py`). Raises `TemplateError` if one of the
    `overrides` is the cause.
    """
    from jinja2 import TemplateSyntaxError

    try:
        return _environment(overrides, _stamp(overrides), traced=traced).get_template("module.j2").render(module=module)
    except TemplateSyntaxError as error:
        raise TemplateError(f"{shown(Path(error.filename or '?'))}:{error.lineno}: {error.message}") from error
    except TemplateError:
        raise
    except Exception as error:  # templates may raise anything; a file may not be text
        if overrides is None:
            raise
        place = _place(error, overrides)
        render(module)  # if this also fails, the project's templates are not the cause
        raise TemplateError(f"{place}: {error or type(error).__name__}") from error


def template_folder() -> Path:
    """The folder of the built-in templates."""
    for folder in _BUILT_IN:
        if (folder / "module.j2").is_file():
            return folder
    raise TemplateError("the templates are missing from this installation of graphwright")


def _place(error: Exception, overrides: Path) -> str:
    """The line of a project's template that caused an error; the folder if it is not in one of them."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [each for each in frames if overrides in Path(each.filename).parents]
    lines = [f"{shown(Path(each.filename))}:{each.lineno}" for each in theirs]
    return lines[-1] if lines else shown(overrides)


def _refuse_unused(overrides: Path) -> None:
    """Raise TemplateError if the folder contains an unused template, whose name must be misspelled."""
    texts = {file: file.read_text("utf-8") for file in sorted(overrides.glob("*.j2"))}
    built_in = sorted(file.name for file in template_folder().glob("*.j2"))
    for file in texts:
        if file.name not in built_in and not any(file.name in text for text in texts.values()):
            names = ", ".join(f"`{name}`" for name in built_in)
            raise TemplateError(f"{shown(file)}: nothing uses a template of this name; {names} can be replaced")


def _stamp(overrides: Path | None) -> tuple[tuple[str, int], ...]:
    """The names and times of the templates in a folder: `--watch` renders again after they were edited."""
    if overrides is None:
        return ()
    with os.scandir(overrides) as listing:
        return tuple(sorted((entry.name, entry.stat().st_mtime_ns) for entry in listing))


@lru_cache(maxsize=4)
def _environment(overrides: Path | None, _stamp: tuple[tuple[str, int], ...], *, traced: bool) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    extensions: list[type[Extension]] = []
    if traced:
        from graphwright.emit.trace import Trace

        extensions.append(Trace)
    if overrides is not None:
        _refuse_unused(overrides)
    folders = [template_folder()] if overrides is None else [overrides, template_folder()]
    return Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        extensions=extensions,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Python code, which the emitter has already escaped
    )
