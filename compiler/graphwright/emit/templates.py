"""The templates: where they are, and how a module is rendered by them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphwright.emit.errors import TemplateError
from graphwright.emit.model import ModuleCode

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE: Final = Path(__file__).resolve().parent.parent

#: Inside the wheel, and in a checkout of the repository.
_BUILT_IN: Final = (_PACKAGE / "templates", _PACKAGE.parent.parent / "templates")

#: Templates of node kinds; each defines a macro `node`.
_KINDS: Final = ("action", "foreach", "gate", "return")


def render(module: ModuleCode, overrides: Path | None = None) -> str:
    """The text of a module, not laid out yet. Templates in `overrides` come before the built-in ones."""
    from jinja2 import TemplateError as JinjaError
    from jinja2 import TemplateSyntaxError

    try:
        environment = _environment(overrides)
        kinds = {kind: vars(environment.get_template(f"{kind}.j2").module)["node"] for kind in _KINDS}
        return environment.get_template("module.j2").render(module=module, kinds=kinds)
    except TemplateSyntaxError as error:
        raise TemplateError(f"template {error.name or '?'}, line {error.lineno}: {error.message}") from error
    except (JinjaError, KeyError, OSError, UnicodeDecodeError) as error:
        raise TemplateError(f"templates: {error}") from error


def template_folder() -> Path:
    """The folder of the built-in templates."""
    for folder in _BUILT_IN:
        if (folder / "module.j2").is_file():
            return folder
    raise TemplateError("the templates are missing from this installation of graphwright")


@cache
def _environment(overrides: Path | None) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folders = [template_folder()] if overrides is None else [overrides, template_folder()]
    return Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Python, whose text the expression emitter has made safe
    )
