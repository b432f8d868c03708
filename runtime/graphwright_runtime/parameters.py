"""The arguments of a tool in addition to its params: the context of the call, the path of the project.

They are passed by name (`context`, `project_path`), by annotation (`Context`), or by position: the second parameter of
a tool in a file is the project's path, that of a function that was passed to the run is the context, and the third is
the other one. None of them is passed twice. So a function with named parameters works in both cases.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from graphwright_runtime.context import Context
from graphwright_runtime.values import Json

Extra: TypeAlias = Literal["context", "project_path"]

_POSITIONAL: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class Extras(NamedTuple):
    """The arguments after the params: positional ones in this order, then (parameter, argument) pairs."""

    positional: tuple[Extra, ...] = ()
    named: tuple[tuple[str, Extra], ...] = ()

    def passed_to(self, tool: Callable[..., object]) -> Callable[[dict[str, Json], Context], object]:
        """The tool as a function of its params and the context."""
        if self == Extras(("context",)):
            return tool  # no wrapper needed
        if not self.positional and not self.named:
            return lambda params, _: tool(params)

        def call(params: dict[str, Json], context: Context) -> object:
            positional = [_value(each, context) for each in self.positional]
            return tool(params, *positional, **{name: _value(each, context) for name, each in self.named})

        return call


def extras(tool: Callable[..., object] | inspect.Signature, *, in_file: bool) -> Extras:
    """The additional arguments of a tool; `in_file` decides about a second parameter without a known name or hint."""
    try:
        signature = tool if isinstance(tool, inspect.Signature) else inspect.signature(tool)
        parameters = list(signature.parameters.values())
    except Exception:  # a builtin without a signature, or an object with a custom `__getattr__`
        return Extras(("project_path",) if in_file else ())
    if parameters and parameters[0].kind is not Parameter.VAR_POSITIONAL:
        del parameters[0]  # the params
    known = [receives(each) for each in parameters]
    order: tuple[Extra, Extra] = ("project_path", "context") if in_file else ("context", "project_path")
    unsaid = [each for each in order if each not in known]
    positional: list[Extra] = []
    named: list[tuple[str, Extra]] = []
    for index, (parameter, said) in enumerate(zip(parameters, known, strict=True)):
        extra = said
        if parameter.kind is Parameter.VAR_POSITIONAL:
            if unsaid:
                positional.append(unsaid.pop(0))
            continue
        if extra is None and parameter.kind in _POSITIONAL and unsaid:
            required = parameter.default is Parameter.empty or (in_file and index == 0)
            extra = unsaid.pop(0) if required else None
        if extra is None:
            continue
        if parameter.kind in _POSITIONAL and len(positional) == index:
            positional.append(extra)
        elif parameter.kind is not Parameter.POSITIONAL_ONLY:
            named.append((parameter.name, extra))
    return Extras(tuple(positional), tuple(named))


def receives(parameter: Parameter) -> Extra | None:
    """The argument for the name or the annotation of a parameter; None if there is none."""
    if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
        return None
    if parameter.name == "project_path":
        return "project_path"
    return "context" if parameter.name == "context" or _is_context(parameter.annotation) else None


def _is_context(annotation: object) -> bool:
    """Whether a type hint is `Context`, possibly with `None`, also as a string."""
    if isinstance(annotation, str):
        options = annotation.removeprefix("Optional[").removesuffix("]").split("|")
        return any(each.strip().rpartition(".")[2] == Context.__name__ for each in options)
    return annotation is Context or Context in get_args(annotation)


def _value(extra: Extra, context: Context) -> object:
    return context if extra == "context" else str(context.project)
