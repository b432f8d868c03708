"""Edits trust files: adds, revokes and limits keys. Comments and layout are preserved."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

from graphwright.content import content_of
from graphwright.pattern import pattern
from graphwright_runtime.atomic import replace_file
from graphwright_runtime.trust.signing import Key, to_text
from graphwright_runtime.trust.truststore import TrustedKey, TrustError, parse_trust, read_trust, user_file
from graphwright_runtime.visible import is_visible

_HEAD = """\
# The keys that are trusted here (see `graphwright keys`). Review changes to this file like changes to code: whoever
# can change it decides what runs.
"""
_START = pattern(r"^\s*\[\[\s*keys\s*\]\]\s*(?:#.*)?$")


def entry_of(file: Path, key_id: str) -> TrustedKey | None:
    """The entry for a key in a trust file; None if it has none. Raises TrustError."""
    return next((entry for entry in read_trust(file) if entry.key.id == key_id), None)


def add_key(file: Path, key: Key, name: str, *, graphs: tuple[str, ...] = ("*",), until: date | None = None) -> None:
    """Add a key to a trust file, or update its entry. An empty `name` keeps the current one. Raises TrustError."""
    if not is_visible(name) or not all(map(is_visible, graphs)):
        raise TrustError("the name of a key and the patterns of its graphs must be visible, without blanks at the ends")
    if entry_of(file, key.id) is None:
        lines = ["[[keys]]", f'id = "{key.id}"', f'public = "{to_text(key.public)}"', f"name = {_text(name)}"]
        before = _read(file)
        gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
        _write(file, before + gap + "\n".join(lines) + "\n")
    elif name:
        set_field(file, key.id, "name", _text(name))
    set_field(file, key.id, "graphs", None if graphs == ("*",) else f"[{', '.join(map(_text, graphs))}]")
    set_field(file, key.id, "until", None if until is None else until.isoformat())
    set_field(file, key.id, "revoked", None)


def revoke_key(file: Path, key_id: str) -> None:
    """Mark a key as revoked. Raises TrustError."""
    set_field(file, key_id, "revoked", "true")


def end_key(file: Path, key_id: str, until: date) -> None:
    """Trust a key until the end of that day (UTC). Raises TrustError."""
    set_field(file, key_id, "until", until.isoformat())


def trust_own(key: Key, name: str) -> Path:
    """Add a key to the trust file of the current user, and return that file. Raises TrustError."""
    file = user_file()
    if file is None:
        raise TrustError("there is no home directory for a trust file")
    if entry_of(file, key.id) is None:
        add_key(file, key, name)
    return file


def set_field(file: Path, key_id: str, field: str, value: str | None) -> None:
    """Set a field of a key's table to `value` (TOML), or remove it if `value` is None.

    Raises TrustError, also if the layout of the file is one that this simple editor does not understand.
    """
    before = _read(file)
    lines = _lines(before)
    first, end = _table(lines, key_id, file)
    own = [at for at in range(first, end) if re.match(rf"\s*{field}\s*=", lines[at])]
    if value is None:
        for at in reversed(own):
            del lines[at]
    elif own:
        lines[own[0]] = f"{field} = {value}\n"
    else:
        after = max(at for at in range(first, end) if lines[at].strip())
        lines[after] = lines[after].rstrip("\n") + "\n"
        lines.insert(after + 1, f"{field} = {value}\n")
    edited = "".join(lines)
    if not _differs_only_in(before, edited, key_id, field, value):
        raise TrustError(f"{file} is laid out in a way that this command cannot change: edit it by hand")
    _write(file, edited)


def _differs_only_in(before: str, after: str, key_id: str, field: str, value: str | None) -> bool:
    """Whether the edited file sets this field of this key to the value and leaves everything else unchanged."""
    import tomllib

    try:
        old, new = tomllib.loads(before), tomllib.loads(after)
        for table in old["keys"]:
            if table["id"] == key_id:
                table |= tomllib.loads(f"{field} = {value or 0}")
                if value is None:
                    del table[field]
    except ValueError:
        return False
    return new == old


def _lines(text: str) -> list[str]:
    """The lines of a text with their line endings; as in TOML, only `\n` ends a line."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _table(lines: list[str], key_id: str, file: Path) -> tuple[int, int]:
    """The start and end (exclusive) of a key's table among the lines. Raises TrustError."""
    starts = [at for at, line in enumerate(lines) if _START.match(line)]
    for first, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        if any(re.match(rf"\s*id\s*=\s*[\"']{key_id}[\"']", line) for line in lines[first:end]):
            return first, end
    raise TrustError(f"{file} has no [[keys]] table for {key_id}")


def _read(file: Path) -> str:
    try:
        return content_of(file).decode()
    except FileNotFoundError:
        return _HEAD
    except (OSError, UnicodeDecodeError) as error:
        raise TrustError(f"{file} cannot be read") from error


def _write(file: Path, text: str) -> None:
    parse_trust(text.encode(), str(file))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, text.encode())
        file.chmod(file.stat().st_mode & 0o775)
    except OSError as error:
        raise TrustError(f"{file} cannot be written: {error.strerror}") from error


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
