"""The private keys of the user: files that only their owner can read, or a single key in an environment variable.

`~/.config/graphwright/keys/<key id>.key` contains one key. The file `default` in the same folder contains the id of the
key to sign with if none is chosen. `GRAPHWRIGHT_SIGNING_KEY` (32 bytes, base64url) overrides all of them. The compiler
creates the keys.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Final, NamedTuple

from graphwright_runtime.content import content_of
from graphwright_runtime.environment import SIGNING_KEY
from graphwright_runtime.trust.signing import Signer, from_text
from graphwright_runtime.trust.truststore import user_folder
from graphwright_runtime.visible import visible

_KEY_ID: Final = re.compile("[0-9a-f]{16}")


class PrivateKeyError(Exception):
    """A key that cannot be found, created or used. `str()` is one line for the user."""


class PrivateKey(NamedTuple):
    """A key that can sign. `file` is None for the key in the environment; `replaces` is the id of its predecessor."""

    signer: Signer
    name: str
    file: Path | None = None
    replaces: str | None = None

    @property
    def key_id(self) -> str:
        """The id that signatures of this key contain."""
        return self.signer.key.id

    def __str__(self) -> str:
        return f"{self.key_id} ({self.name})"


def environment_key(forgotten: str | None = None) -> PrivateKey | None:
    """The key in GRAPHWRIGHT_SIGNING_KEY, or the one that was in it. Raises PrivateKeyError, which never quotes it."""
    text = os.environ.get(SIGNING_KEY) or forgotten
    if not text:
        return None
    try:
        return PrivateKey(Signer(from_text(text.strip())), f"from {SIGNING_KEY}")
    except ValueError:
        raise PrivateKeyError(
            f"{SIGNING_KEY} is not a private key (43 characters, as `keys export KEY --private` prints)"
        ) from None


def default_key() -> PrivateKey | None:
    """The key to sign with if none is chosen; None if there are no keys. Raises PrivateKeyError."""
    pointer = keys_folder() / "default"
    try:
        key_id = content_of(pointer).decode("ascii").strip()
    except FileNotFoundError:
        keys = stored_keys()
        if len(keys) > 1:
            raise PrivateKeyError(
                f"there are several keys and no default: pass --key with one of {', '.join(map(str, keys))}"
            ) from None
        return keys[0] if keys else None
    except (OSError, UnicodeDecodeError) as error:
        raise PrivateKeyError(f"{pointer} cannot be read") from error
    if _KEY_ID.fullmatch(key_id) is None:
        raise PrivateKeyError(f"{pointer} does not name a key: delete it, or write the id of one of your keys into it")
    return read_key(pointer.with_name(f"{key_id}.key"))


def stored_keys() -> list[PrivateKey]:
    """The keys of this user, sorted by name and id. Raises PrivateKeyError."""
    folder = keys_folder()
    files = sorted(folder.glob("*.key")) if folder.is_dir() else []
    return sorted((read_key(file) for file in files), key=lambda key: (key.name, key.key_id))


def read_key(file: Path) -> PrivateKey:
    """The key in a file. Raises PrivateKeyError, also if anyone but its owner can read or write the file."""
    import tomllib

    try:
        with file.open("rb") as opened:
            mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
            data = opened.read()
    except OSError as error:
        raise PrivateKeyError(f"{file} cannot be read: {error.strerror}") from error
    if os.name == "posix" and mode & 0o077:
        raise PrivateKeyError(
            f"{file} is accessible to other users (mode {mode:04o}): run `chmod 600 {file}`, then "
            "`graphwright keys rotate` if another user may have read it"
        )
    try:
        table = tomllib.loads(data.decode())
        name, seed = table["name"], table["seed"]
        signer = Signer(from_text(seed))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise PrivateKeyError(f"{file} is not a key file") from error
    if signer.key.id != file.stem:
        raise PrivateKeyError(f"{file} contains the key {signer.key.id}, which does not match its name")
    replaces = table.get("replaces")
    return PrivateKey(signer, visible(str(name)), file, replaces if isinstance(replaces, str) else None)


def keys_folder() -> Path:
    """The folder of the user's keys, which may not exist. Raises PrivateKeyError if there is no home directory."""
    top = user_folder()
    if top is None:
        raise PrivateKeyError(f"there is no home directory for keys; set {SIGNING_KEY}")
    return top / "keys"
