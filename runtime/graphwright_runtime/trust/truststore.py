"""Whose signatures count: `.graphwright/trust.toml` of the project, and the user's own.

    [[keys]]
    id = "1f2e3d4c5b6a7988"
    public = "<32 bytes, base64url>"
    name = "release pipeline"
    graphs = ["billing/*"]      # which graphs it may sign; all of them when absent
    until = 2027-06-30          # nothing that it signed is accepted after this day
    revoked = true              # nothing that it signed is accepted

Where both files know a key, the project's entry counts, and a revocation in either is final. A file that cannot be
read, or that belongs to someone else (`owner.py`), is an error and trusts nobody: the search goes up to `/`, and what
somebody left in `/tmp` is no project.
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
from graphwright_runtime.trust.owner import distrusted
from graphwright_runtime.trust.signing import Key, from_text
from graphwright_runtime.visible import is_visible

#: Where a project keeps its trusted keys, from its folder.
PROJECT_FILE = Path(".graphwright", "trust.toml")
#: Names the project's file in place of the search above the working directory.
VARIABLE = "GRAPHWRIGHT_TRUST"
_FIELDS = ("id", "public", "name", "graphs", "until", "revoked")


class TrustError(Exception):
    """A trust file that cannot be used; the text is one line for the user."""


@dataclass(frozen=True, slots=True)
class TrustedKey:
    """One entry of a trust file; `file` says which."""

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
        """Whether it may sign the graph or item of this id."""
        matches = any(fnmatchcase(item_id, pattern) for pattern in self.graphs)
        return self.unrestricted or (matches and is_id(item_id))

    def expired(self, today: date | None = None) -> bool:
        """Whether its last day has passed, in UTC."""
        return self.until is not None and (today or datetime.now(UTC).date()) > self.until

    def __str__(self) -> str:
        return f"{self.key.id} ({self.name})" if self.name else self.key.id


@dataclass(frozen=True, slots=True)
class TrustStore:
    """The trusted keys by id, and the files that were asked for them (whether they exist or not)."""

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
    """The project's trusted keys and the user's, the project being the one at or above `start`.

    `start` defaults to the working directory; GRAPHWRIGHT_TRUST names the project's file instead. Raises TrustError.
    """
    return load_trust(project_file(start), user_file())


def load_trust(project: Path | None, user: Path | None = None) -> TrustStore:
    """The trusted keys of two files, either of which may be None or absent. Raises TrustError."""
    keys: dict[str, TrustedKey] = {}
    for file in (user, project):
        for entry in read_trust(file) if file is not None else ():
            known = keys.get(entry.key.id)
            keys[entry.key.id] = replace(entry, revoked=True) if known is not None and known.revoked else entry
    return TrustStore(keys, tuple(str(file) for file in (project, user) if file is not None))


def project_file(start: Path | None = None) -> Path:
    """The project's trust file: the one that exists at or above `start`, else where it would be. Raises TrustError."""
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
    """Where the user's keys and trust are kept; None for a user without a home."""
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
    """The entries of one trust file, none when there is no such file. Raises TrustError."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe or a device could be read for ever
            raise TrustError(f"{file} cannot be read: it is not a regular file")
        data = file.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise TrustError(f"{file} cannot be read: {error.strerror}") from error
    if (problem := distrusted(file, file.parent.parent)) is not None:
        raise TrustError(f"{problem}; or name another trust file with {VARIABLE}")
    return parse_trust(data, str(file))


def parse_trust(data: bytes, file: str) -> list[TrustedKey]:
    """The entries that the text of a trust file holds; `file` is for messages. Raises TrustError."""
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
