"""Parts of the types in emitted modules: `TypedDict`, and type parameters with defaults.

Before Python 3.12, pydantic rejects classes whose metaclass is defined in `typing`, because that metaclass does not
determine required keys correctly if annotations are strings. Pydantic reads them from the annotations of emitted
classes instead, so defining a metaclass in this module is sufficient.
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
        """Like `typing.TypedDict`: usable as a base class, or called."""

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

    #: The names of a graph's nodes: a `Literal` in emitted modules, by default any string.
    NodeT = TypeVar("NodeT", bound=str, covariant=True, default=str)
    #: The names of the nodes at which a run can end.
    EndT = TypeVar("EndT", bound=str, covariant=True, default=str)
    #: The result of a run: a union if the graph has several ends.
    ResultT = TypeVar("ResultT", bound=RunResult[object, object], covariant=True, default=RunResult[object, object])
    #: The object that implements a graph's tools: the protocol `Tools` of its module, if it has one.
    ToolsT = TypeVar("ToolsT", contravariant=True, default=Never)
else:
    from typing import TypeVar

    # before Python 3.13, type variables have no defaults
    NodeT = TypeVar("NodeT", bound=str, covariant=True)
    EndT = TypeVar("EndT", bound=str, covariant=True)
    ResultT = TypeVar("ResultT", covariant=True)
    ToolsT = TypeVar("ToolsT", contravariant=True)
    _DEFAULTS = {NodeT: str, EndT: str, ResultT: object, ToolsT: object}


class WithDefaults:
    """A generic class whose last parameters can be omitted: nodes, results and tools."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __class_getitem__(cls, parameters):
            if isinstance(parameters, tuple):
                left_out = cls.__parameters__[len(parameters) :]
                parameters = (*parameters, *(_DEFAULTS[each] for each in left_out if each in _DEFAULTS))
            return super().__class_getitem__(parameters)


__all__ = ["EndT", "NodeT", "ResultT", "ToolsT", "TypedDict", "WithDefaults"]
