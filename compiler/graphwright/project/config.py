"""The configuration of a project: `[tool.graphwright]` in pyproject.toml, or graphwright.toml.

The nearest file at or above a graph applies; settings of several files are never merged. An unknown key or a value of
the wrong type is an error that names the file and the key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from graphwright.content import content_of
from graphwright.presence import is_file, is_folder, is_there
from graphwright.record import Record, replace

#: A value as `tomllib` gives it.
Toml: TypeAlias = object
T = TypeVar("T")

#: The levels that `rules` can set for a code.
LEVELS = ("error", "warning", "note", "off")
#: The values of a trust policy.
POLICIES = ("off", "warn", "require")
#: The keys of `trust`.
TRUSTED = ("modules", "sources", "tools")


class ConfigError(Exception):
    """A configuration that cannot be used. `str()` is one line for the user."""


class Trust(Record):
    """The policies for missing or invalid signatures of modules, graphs and tools."""

    modules: str = "warn"
    sources: str = "off"
    tools: str = "off"


class Config(Record):
    """All settings with their defaults. `given` are the keys that `file` sets; paths are relative to its folder."""

    file: Path | None = None
    given: frozenset[str] = frozenset()
    roots: tuple[str, ...] = (".ai/tools",)
    output: str = "generated"
    exclude: tuple[str, ...] = ()
    contracts: str = "known"
    rules: Mapping[str, str] = {}
    per_file_rules: Mapping[str, Mapping[str, str]] = {}
    typecheck: bool = True
    sign: bool = True
    trust: Trust = Trust()
    templates: str | None = None
    writable: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """A string that differs if a setting differs that affects the findings of rules."""
        return repr(
            (
                self.file is not None,
                self.roots,
                self.contracts,
                sorted(self.rules.items()),
                self.trust,
                sorted(self.per_file_rules.items()),
                self.writable,
            )
        )


#: All keys, in the order of the documentation.
KEYS = (
    "roots", "output", "exclude", "contracts", "rules", "per-file-rules",
    "typecheck", "sign", "trust", "templates", "writable",
)  # fmt: skip


def find_config(folder: Path, included: Callable[[Path], bool] = lambda _: True) -> Config | None:
    """The configuration in `folder` itself, or None. Files that `included` rejects are treated as missing."""
    own = folder / "graphwright.toml"
    if _is_readable(own):
        return read_config(own) if included(own) else None
    shared = folder / "pyproject.toml"
    if _is_readable(shared):
        try:
            data = _read(shared)
        except ConfigError:
            if included(shared):
                raise
            return None
        # Parsing TOML takes longer than the rest of a warm start, so files that cannot have the table are not parsed.
        if b"graphwright" in data:
            try:
                tool = _parse(shared, data).get("tool", {})
            except ConfigError:
                if included(shared):
                    raise
                return None
            if isinstance(tool, dict) and "graphwright" in tool and included(shared):
                return _config(shared, tool["graphwright"])
    return None


def _is_readable(path: Path) -> bool:
    """Whether a path exists and is not a folder. Reading it reports pipes and devices."""
    return is_file(path) or (is_there(path) and not is_folder(path))


def read_config(file: Path) -> Config:
    """The settings of a graphwright.toml."""
    return _config(file, _parse(file, _read(file)))


def _read(file: Path) -> bytes:
    try:
        return content_of(file)
    except OSError as error:
        raise ConfigError(f"{_shown(file)} cannot be read: {error.strerror}") from error


def _parse(file: Path, data: bytes) -> dict[str, Toml]:
    import tomllib

    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        raise ConfigError(f"{_shown(file)} is not valid TOML: {error}") from error


def _shown(file: Path) -> str:
    try:
        return Path(os.path.relpath(file)).as_posix()
    except ValueError:
        return file.as_posix()


def _config(file: Path, table: Toml) -> Config:
    read = _Reader(file)
    settings = read.table("tool.graphwright" if file.name == "pyproject.toml" else "", table, KEYS)
    config = Config(file=file, given=frozenset(settings))
    if "roots" in settings:
        config = replace(config, roots=read.strings("roots", settings["roots"]))
    if "output" in settings:
        config = replace(config, output=read.string("output", settings["output"]))
    if "exclude" in settings:
        config = replace(config, exclude=read.strings("exclude", settings["exclude"]))
    if "contracts" in settings:
        config = replace(config, contracts=read.choice("contracts", settings["contracts"], ("known", "complete")))
    if "rules" in settings:
        config = replace(config, rules=read.levels("rules", settings["rules"]))
    if "per-file-rules" in settings:
        tables = read.mapping("per-file-rules", settings["per-file-rules"])
        levels = {pattern: read.levels(f"per-file-rules.{pattern}", inner) for pattern, inner in tables.items()}
        config = replace(config, per_file_rules=levels)
    if "typecheck" in settings:
        config = replace(config, typecheck=read.boolean("typecheck", settings["typecheck"]))
    if "sign" in settings:
        config = replace(config, sign=read.boolean("sign", settings["sign"]))
    if "trust" in settings:
        policies = read.table("trust", settings["trust"], TRUSTED)
        chosen = {name: read.choice(f"trust.{name}", value, POLICIES) for name, value in policies.items()}
        config = replace(config, trust=Trust(**chosen))
    if "templates" in settings:
        config = replace(config, templates=read.string("templates", settings["templates"]))
    if "writable" in settings:
        config = replace(config, writable=read.strings("writable", settings["writable"]))
    return config


class _Reader:
    """Reads typed values from the TOML of one file. Methods raise ConfigError."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def error(self, key: str, problem: str) -> ConfigError:
        return ConfigError(f"{_shown(self.file)}: `{key}` {problem}")

    def mapping(self, key: str, value: Toml) -> dict[str, Toml]:
        return dict(self._of(key, value, dict, "a table"))

    def table(self, key: str, value: Toml, known: Iterable[str]) -> dict[str, Toml]:
        table = self.mapping(key, value)
        legal = tuple(known)
        for name in table:
            if name not in legal:
                from graphwright.suggest import nearest

                near = nearest(name, legal)
                hint = f"did you mean `{near}`?" if near else f"known: {', '.join(legal)}"
                raise self.error(f"{key}.{name}" if key else name, f"is not a known setting; {hint}")
        return table

    def string(self, key: str, value: Toml) -> str:
        string = self._of(key, value, str, "a string")
        if not string or "\0" in string:
            raise self.error(key, "must not be empty")
        return string

    def boolean(self, key: str, value: Toml) -> bool:
        return self._of(key, value, bool, "true or false")

    def strings(self, key: str, value: Toml) -> tuple[str, ...]:
        return tuple(self.string(key, item) for item in self._of(key, value, list, "a list of strings"))

    def choice(self, key: str, value: Toml, choices: tuple[str, ...]) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise self.error(key, f"must be one of {', '.join(repr(choice) for choice in choices)}, not {value!r}")

    def levels(self, key: str, value: Toml) -> Mapping[str, str]:
        return {
            code.upper(): self.choice(f"{key}.{code}", level, LEVELS)
            for code, level in self.mapping(key, value).items()
        }

    def _of(self, key: str, value: Toml, kind: type[T], expected: str) -> T:
        if isinstance(value, kind):
            return value
        raise self.error(key or "the file", f"must be {expected}, not {value!r}")
