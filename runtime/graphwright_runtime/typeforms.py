"""What the types of emitted modules are made of: `TypedDict`, and the names of nodes as a type parameter.

Before Python 3.12 pydantic refuses each class whose metaclass is of the module `typing`, because that metaclass does
not know which keys are required where annotations are strings. Pydantic reads that from the annotations of emitted
classes, so a metaclass of another module is all that is missing.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing import _TypedDict, _TypedDictMeta

    class _Meta(_TypedDictMeta):
        def __new__(cls, name, _bases, namespace, total=True):
            made = _TypedDictMeta.__new__(_TypedDictMeta, name, (_TypedDict,), namespace, total=total)
            made.__class__ = cls
            return made

    class _TypedDictForm:
        """As `typing.TypedDict`: a base class, or a call."""

        def __mro_entries__(self, _bases):
            return (_BASE,)

        def __call__(self, name, fields):
            module = sys._getframe(1).f_globals["__name__"]
            space = {"__annotations__": fields, "__module__": module, "__orig_bases__": (self,)}
            return _Meta(name, (), space)

    _BASE = type.__new__(_Meta, "TypedDict", (), {})
    TypedDict = _TypedDictForm()

if TYPE_CHECKING:
    from typing import Never

    from typing_extensions import TypeVar

    from graphwright_runtime.result import RunResult

    #: The names of a graph's nodes: a `Literal` in emitted modules, any string where the parameter is left out.
    NodeT = TypeVar("NodeT", bound=str, covariant=True, default=str)
    #: The names of those at which a run ends.
    EndT = TypeVar("EndT", bound=str, covariant=True, default=str)
    #: What the runs of a graph give: a union where the graph has several ends.
    ResultT = TypeVar("ResultT", bound=RunResult[object, object], covariant=True, default=RunResult[object, object])
    #: The object whose methods are a graph's tools: the protocol `Tools` of its module, nothing where it has none.
    ToolsT = TypeVar("ToolsT", contravariant=True, default=Never)
else:
    from typing import TypeVar

    # before Python 3.13 a type variable has no default
    NodeT = TypeVar("NodeT", bound=str, covariant=True)
    EndT = TypeVar("EndT", bound=str, covariant=True)
    ResultT = TypeVar("ResultT", covariant=True)
    ToolsT = TypeVar("ToolsT", contravariant=True)
    _DEFAULTS = {NodeT: str, EndT: str, ResultT: object, ToolsT: object}


class WithDefaults:
    """A generic class whose last parameters may be left out: nodes, results and tools."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __class_getitem__(cls, parameters):
            if isinstance(parameters, tuple):
                left_out = cls.__parameters__[len(parameters) :]
                parameters = (*parameters, *(_DEFAULTS[each] for each in left_out if each in _DEFAULTS))
            return super().__class_getitem__(parameters)


__all__ = ["EndT", "NodeT", "ResultT", "ToolsT", "TypedDict", "WithDefaults"]
