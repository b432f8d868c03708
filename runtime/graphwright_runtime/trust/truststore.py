"""Trusted keys: `.graphwright/trust.toml` of the project, and the trust file of the user.

    [[keys]]
    id = "1f2e3d4c5b6a7988"
    public = "<32 bytes, base64url>"
    name = "release pipeline"
    graphs = ["billing/*"]      # which graphs it may sign; all of them when absent
    until = 2027-06-30          # nothing that it signed is accepted after this day
    revoked = true              # nothing that it signed is accepted

If both files have an entry for a key, that of the project applies, but a revocation in either is final. It is an error
if a file cannot be read, or if another user could have written it (`owner.py`): the search goes up to `/`, and `/tmp`
may contain files of anyone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase
from pathlib import Path

from graphwright_runtime.ids import is_id
from graphwright_runtime.trust.owner import ownership_problem
from graphwright_runtime.trust.signing import Key, from_text
from graphwright_runtime.visible import is_visible

#: The trust file of a project, relative to its folder.
PROJECT_FILE = Path(".graphwright", "trust.toml")
#: The environment variable with the trust file of the project, which replaces the search in parent folders.
VARIABLE = "GRAPHWRIGHT_TRUST"
_FIELDS = ("id", "public", "name", "graphs", "until", "revoked")


class TrustError(Exception):
    """A trust file that cannot be used. `str()` is one line for the user."""


@dataclass(frozen=True, slots=True)
class TrustedKey:
    """One entry of the trust file `file`."""

    key: Key
    name: str
    graphs: tuple[str, ...] = ("*",)
    until: date | None = None
    revoked: bool = False
    file: str = ""

    @property
    def unrestricted(self) -> bool:
        """Whether it may sign every graph."""
        return "*" in self.graphs

    def allows(self, item_id: str) -> bool:
        """Whether it may sign the graph or item with this id."""
        matches = any(fnmatchcase(item_id, pattern) for pattern in self.graphs)
        return self.unrestricted or (matches and is_id(item_id))

    def expired(self, today: date | None = None) -> bool:
        """Whether its last day has passed, in UTC."""
        return self.until is not None and (today or datetime.now(UTC).date()) > self.until

    def __str__(self) -> str:
        return f"{self.key.id} ({self.name})" if self.name else self.key.id


@dataclass(frozen=True, slots=True)
class TrustStore:
    """The trusted keys by id, and the trust files that were read (or do not exist)."""

    keys: Mapping[str, TrustedKey] = field(default_factory=dict)
    files: tuple[str, ...] = ()

    def get(self, key_id: str) -> TrustedKey | None:
        """The entry for a key, revoked ones included."""
        return self.keys.get(key_id)

    @property
    def project_file(self) -> str:
        """The file to add a key to."""
        return self.files[0] if self.files else str(PROJECT_FILE)


def find_trust(start: Path | None = None) -> TrustStore:
    """The trusted keys of the project at or above `start`, and those of the user.

    `start` defaults to the working directory. GRAPHWRIGHT_TRUST overrides the project's file. Raises TrustError.
    """
    return load_trust(project_file(start), user_file())


def load_trust(project: Path | None, user: Path | None = None) -> TrustStore:
    """The trusted keys of two files, either of which may be None or may not exist. Raises TrustError."""
    keys: dict[str, TrustedKey] = {}
    for file in (user, project):
        for entry in read_trust(file) if file is not None else ():
            known = keys.get(entry.key.id)
            keys[entry.key.id] = replace(entry, revoked=True) if known is not None and known.revoked else entry
    return TrustStore(keys, tuple(str(file) for file in (project, user) if file is not None))


def project_file(start: Path | None = None) -> Path:
    """The trust file at or above `start`; if there is none, the path for a new one. Raises TrustError."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    try:
        folder = (start or Path.cwd()).absolute()
    except OSError as error:
        raise TrustError(
            f"the current directory does not exist any more, or is not accessible; name the file with {VARIABLE}"
        ) from error
    for above in (folder, *folder.parents):
        file = above / PROJECT_FILE
        try:
            file.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise TrustError(f"{file} cannot be accessed: {error.strerror}") from error
        return file
    return folder / PROJECT_FILE


def user_folder() -> Path | None:
    """The folder for the keys and the trust file of the user; None if there is no home directory."""
    configured = os.environ.get("XDG_CONFIG_HOME")
    if configured:
        return Path(configured, "graphwright")
    try:
        return Path.home() / ".config" / "graphwright"
    except RuntimeError:
        return None


def user_file() -> Path | None:
    """The user's own trust file."""
    folder = user_folder()
    return folder / "trust.toml" if folder is not None else None


def read_trust(file: Path) -> list[TrustedKey]:
    """The entries of one trust file; none if it does not exist. Raises TrustError."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe or a device could be read for ever
            raise TrustError(f"{file} cannot be read: it is not a regular file")
        data = file.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise TrustError(f"{file} cannot be read: {error.strerror}") from error
    if (problem := ownership_problem(file, file.parent.parent)) is not None:
        raise TrustError(f"{problem}; or name another trust file with {VARIABLE}")
    return parse_trust(data, str(file))


def parse_trust(data: bytes, file: str) -> list[TrustedKey]:
    """Parse the contents of a trust file; `file` is its name in messages. Raises TrustError."""
    import tomllib

    try:
        table = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        raise TrustError(f"{file} is not valid TOML: {error}") from error
    keys = table.pop("keys", [])
    if table:
        raise TrustError(f"{file}: `{next(iter(table))}` is not a known setting; put keys under [[keys]]")
    if not isinstance(keys, list) or not all(isinstance(key, dict) for key in keys):
        raise TrustError(f"{file}: put keys under [[keys]]")
    entries = [_entry(key, f"{file}: key {number}", file) for number, key in enumerate(keys, 1)]
    ids = [entry.key.id for entry in entries]
    for twice in {key_id for key_id in ids if ids.count(key_id) > 1}:
        raise TrustError(f"{file}: key {twice} is listed twice")
    return entries


def _entry(table: Mapping[str, object], where: str, file: str) -> TrustedKey:
    for given in table:
        if given not in _FIELDS:
            raise TrustError(f"{where}: `{given}` is not a known field; known: {', '.join(_FIELDS)}")
    public, name, until, revoked = (table.get(field) for field in ("public", "name", "until", "revoked"))
    if not isinstance(public, str):
        raise TrustError(f"{where}: `public` is missing")
    try:
        key = Key(from_text(public))
    except ValueError as error:
        raise TrustError(f"{where}: `public` is not a public key: {error}") from error
    if table.get("id") != key.id:
        raise TrustError(f"{where}: `id` must be {key.id!r}, the id of its public key")
    if not isinstance(name, str | None) or not is_visible(name or ""):
        raise TrustError(f"{where}: `name` must be a string without invisible characters")
    if not isinstance(revoked, bool | None):
        raise TrustError(f"{where}: `revoked` must be true or false")
    if until is not None and (not isinstance(until, date) or isinstance(until, datetime)):
        raise TrustError(f"{where}: `until` must be a date, such as 2027-06-30")
    return TrustedKey(key, name or "", _patterns(table.get("graphs", ["*"]), where), until, bool(revoked), file)


def _patterns(value: object, where: str) -> tuple[str, ...]:
    if isinstance(value, Iterable) and not isinstance(value, str):
        patterns = tuple(pattern for pattern in value if isinstance(pattern, str))
        if patterns and len(patterns) == len(list(value)) and all(map(is_visible, patterns)):
            return patterns
    raise TrustError(
        f'{where}: `graphs` must be a list of patterns without invisible characters, such as ["billing/*"]'
    )
