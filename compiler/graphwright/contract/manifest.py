"""The declaration of a tool in a common form: JSON Schemas and names of variables.

Its sources are manifests, constants and annotations of Python files, and entry points.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from graphwright.analysis.tools import Contract
from graphwright.contract.conversions import accepted
from graphwright.diagnostic import Json
from graphwright.record import Record
from graphwright.schema.types import from_schema

#: The constants of a Python file that hold a schema.
CONSTANTS: Final[Mapping[str, str]] = {"params": "CONFIG_SCHEMA", "result": "OUTPUT_SCHEMA"}


class Manifest(Record):
    """One source of a declaration. `origin` is its name in messages: a path, or the name of an entry point.

    `params` and `result` are JSON Schemas, True if unknown. `env_requires` are names of environment variables.
    `problem` is the reason if the source could not be read, `uncallable` the one if a run cannot call the tool as it is
    written. `calls_others`: the tool takes a context, with which it can call tools and graphs.
    """

    origin: str
    params: Json = True
    result: Json = True
    env_requires: tuple[str, ...] = ()
    description: str = ""
    problem: str | None = None
    calls_others: bool = False
    uncallable: str | None = None

    @property
    def is_silent(self) -> bool:
        """Whether it declares neither params nor a result."""
        return not _says(self.params) and not _says(self.result)

    def to_json(self) -> Json:
        """The form that `from_json` reads."""
        names: list[Json] = [*self.env_requires]
        more: list[Json] = [self.description, self.problem, self.calls_others, self.uncallable]
        return [self.origin, self.params, self.result, names, *more]

    @classmethod
    def from_json(cls, data: Json) -> Manifest:
        """Read the output of `to_json`. Raises ValueError for anything else."""
        match data:
            case [
                str() as origin,
                params,
                result,
                list(names),
                str() as text,
                None | str() as problem,
                bool() as calls,
                None | str() as uncallable,
            ]:
                return cls(origin, params, result, tuple(map(str, names)), text, problem, calls, uncallable)
        raise ValueError("not a contract")


class Declaration:
    """All declarations of one tool.

    `manifest` comes from a separate file or an entry point. `constants` and `signature` come from the Python file that
    implements it: the former from its schemas, the latter from the type hints of `execute`. Many graphs share one
    declaration, so its contract is made once.
    """

    def __init__(
        self, manifest: Manifest | None = None, constants: Manifest | None = None, signature: Manifest | None = None
    ) -> None:
        self.manifest = manifest
        self.constants = constants
        self.signature = signature
        self._with: dict[int, Declaration] = {}

    def with_manifest(self, manifest: Manifest | None) -> Declaration:
        """The same declaration with this manifest; for the same manifest, always the same object."""
        if manifest is self.manifest:
            return self
        key = id(manifest)
        if key not in self._with:
            self._with[key] = Declaration(manifest, self.constants, self.signature)
        return self._with[key]

    @property
    def sources(self) -> tuple[Manifest, ...]:
        """The existing sources, in order of precedence."""
        return tuple(each for each in self._parts if each is not None)

    @property
    def params(self) -> Json:
        """The schema of the params; True if unknown."""
        return next((each.params for each in self.sources if _says(each.params)), True)

    @property
    def result(self) -> Json:
        """The schema of the result; True if unknown."""
        return next((each.result for each in self.sources if _says(each.result)), True)

    @property
    def is_empty(self) -> bool:
        """Whether all it declares is that the params and the result are mappings, as they always are."""
        return not _restricts(self.params) and not _restricts(self.result)

    @property
    def env_requires(self) -> tuple[str, ...]:
        """The environment variables that any source requires."""
        return tuple(dict.fromkeys(name for each in self.sources for name in each.env_requires))

    @property
    def calls_others(self) -> bool:
        """Whether the tool can call tools and graphs that the graph does not name."""
        return any(each.calls_others for each in self.sources)

    @property
    def description(self) -> str:
        """The description of the tool; may be empty."""
        return next((each.description for each in self.sources if each.description), "")

    @property
    def origin(self) -> str:
        """The origin of the contract, for messages."""
        telling = [each for each in self.sources if not each.is_silent] or self.sources
        return ", ".join(dict.fromkeys(each.origin for each in telling))

    @property
    def problems(self) -> tuple[Manifest, ...]:
        """The sources that cannot be read."""
        return tuple(each for each in self.sources if each.problem is not None)

    @property
    def is_doubtful(self) -> bool:
        """Whether a source cannot be read, the tool cannot be called, or its type hints could contradict what takes
        precedence over them."""
        telling = [each for each in self.sources if not each.is_silent]
        uncallable = self.signature is not None and self.signature.uncallable is not None
        return uncallable or bool(self.problems) or (len(telling) > 1 and telling[-1] is self.signature)

    @cached_property
    def contract(self) -> Contract | None:
        """The contract; None if both the params and the result are unknown."""
        return contract_of(self.params, self.result)

    @property
    def _parts(self) -> tuple[Manifest | None, Manifest | None, Manifest | None]:
        return (self.manifest, self.constants, self.signature)

    def to_json(self) -> Json:
        """The form that `from_json` reads."""
        return [None if each is None else each.to_json() for each in self._parts]

    @classmethod
    def from_json(cls, data: Json) -> Declaration:
        """Read the output of `to_json`. Raises ValueError for anything else."""
        if not isinstance(data, list) or len(data) != 3:
            raise ValueError("not a declaration")
        return cls(*(None if each is None else Manifest.from_json(each) for each in data))


def contract_of(params: Json, result: Json) -> Contract | None:
    """The contract that two schemas describe; None if neither restricts anything.

    Defaults of params are not filled in; they only make a param optional. A result has only the fields that its schema
    lists, unless the schema allows others.
    """
    if not _says(params) and not _says(result):
        return None
    returned = from_schema(result, fills=False, listed_only=True)
    more = "object" in returned.kinds and bool(returned.others.kinds)
    taken = accepted(params)
    takes_more = isinstance(params, dict) and params.get("additionalProperties") is True
    return Contract(from_schema(params, fills=False), returned, more, None if taken == params else taken, takes_more)


def _says(schema: Json) -> bool:
    """Whether a schema restricts anything."""
    return bool(_restrictions(schema))


def _restricts(schema: Json) -> bool:
    """Whether a schema restricts a mapping, as `dict`, `dict[str, Any]` and `dict | None` do not."""
    keywords = _restrictions(schema)
    choices = keywords.get("anyOf")
    if isinstance(choices, list) and {"type": "null"} in choices:
        return any(_restricts(each) for each in choices if each != {"type": "null"})
    return keywords not in ({}, {"type": "object"}, {"type": "object", "additionalProperties": True})


def _restrictions(schema: Json) -> dict[str, Json]:
    """The keywords of a schema that are not annotations."""
    annotations = ("title", "description", "default")
    return {key: value for key, value in schema.items() if key not in annotations} if isinstance(schema, dict) else {}
