"""What a tool declares of itself, in the one form into which every source is read: JSON Schema and names.

Sources are manifests, the constants and annotations of Python files, and entry points.
"""

from __future__ import annotations

from graphwright.analysis.tools import Contract
from graphwright.diagnostic import Json
from graphwright.record import Record
from graphwright.schema.types import from_schema


class Manifest(Record):
    """One source. `origin` is how messages call it: a path, or the name of an entry point.

    `params`, `result`: JSON Schemas, True where nothing is known. `env_requires`: names of environment variables.
    `problem`: why the source could not be read.
    """

    origin: str
    params: Json = True
    result: Json = True
    env_requires: tuple[str, ...] = ()
    description: str = ""
    problem: str | None = None

    @property
    def is_silent(self) -> bool:
        """Whether nothing is said of params and result."""
        return not _says(self.params) and not _says(self.result)

    def to_json(self) -> Json:
        """The form that `from_json` reads."""
        return [self.origin, self.params, self.result, list(self.env_requires), self.description, self.problem]

    @classmethod
    def from_json(cls, data: Json) -> Manifest:
        """What `to_json` gave. Raises ValueError for anything else."""
        match data:
            case [str() as origin, params, result, list(names), str() as text, None | str() as problem]:
                return cls(origin, params, result, tuple(map(str, names)), text, problem)
        raise ValueError("not a contract")


class Declaration(Record):
    """All that is declared of one tool.

    `manifest`: in a file of its own, or by an entry point. `constants`, `signature`: in the Python file that
    implements it, by the schemas and by the type hints of `execute`.
    """

    manifest: Manifest | None = None
    constants: Manifest | None = None
    signature: Manifest | None = None

    @property
    def sources(self) -> tuple[Manifest, ...]:
        """What there is, the one that takes precedence first."""
        return tuple(each for each in (self.manifest, self.constants, self.signature) if each is not None)

    @property
    def params(self) -> Json:
        """The schema of the params, True where nothing is known."""
        return next((each.params for each in self.sources if _says(each.params)), True)

    @property
    def result(self) -> Json:
        """The schema of the result, likewise."""
        return next((each.result for each in self.sources if _says(each.result)), True)

    @property
    def env_requires(self) -> tuple[str, ...]:
        """The environment variables that any of them names."""
        return tuple(dict.fromkeys(name for each in self.sources for name in each.env_requires))

    @property
    def description(self) -> str:
        """What the tool is for, in its author's words; maybe empty."""
        return next((each.description for each in self.sources if each.description), "")

    @property
    def origin(self) -> str:
        """Where the contract comes from."""
        telling = [each for each in self.sources if not each.is_silent] or self.sources
        return ", ".join(dict.fromkeys(each.origin for each in telling))

    @property
    def problems(self) -> tuple[Manifest, ...]:
        """The sources that cannot be read."""
        return tuple(each for each in self.sources if each.problem is not None)

    @property
    def contract(self) -> Contract | None:
        """What the tool takes and returns; None where nothing is known of either."""
        return contract_of(self.params, self.result)

    def to_json(self) -> Json:
        """The form that `from_json` reads."""
        return [None if each is None else each.to_json() for each in (self.manifest, self.constants, self.signature)]

    @classmethod
    def from_json(cls, data: Json) -> Declaration:
        """What `to_json` gave. Raises ValueError for anything else."""
        if not isinstance(data, list) or len(data) != 3:
            raise ValueError("not a declaration")
        return cls(*(None if each is None else Manifest.from_json(each) for each in data))


def contract_of(params: Json, result: Json) -> Contract | None:
    """The contract that two schemas describe; None where neither says anything.

    Params are not filled in by anyone, so a default makes one optional and nothing more. A result has the fields that
    its schema lists, unless the schema says otherwise.
    """
    if not _says(params) and not _says(result):
        return None
    returned = from_schema(result, fills=False, listed_only=True)
    return Contract(from_schema(params, fills=False), returned, more=bool(returned.others.kinds))


def _says(schema: Json) -> bool:
    """Whether a schema says anything."""
    return isinstance(schema, dict) and bool(schema.keys() - {"title", "description", "default"})
