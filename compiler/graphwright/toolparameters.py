"""What a run passes to the parameters of a tool's function in a file, as the runtime decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter, Signature
from typing import TypeAlias

from graphwright_runtime.parameters import Extra, extras, receives

Received: TypeAlias = Extra


def received(parameters: Sequence[Parameter]) -> Mapping[str, Received]:
    """The parameters after the first that a run passes something to, by name, with what they receive."""
    more = extras(Signature(parameters), in_file=True)
    names = [parameter.name for parameter in parameters[1:]]
    return {**dict(zip(names, more.positional, strict=False)), **dict(more.named)}


def is_named_for(parameter: Parameter) -> bool:
    """Whether the name or the annotation of a parameter says that it is not for the params."""
    return receives(parameter) is not None
