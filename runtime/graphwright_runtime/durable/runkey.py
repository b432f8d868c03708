"""The key that signs the files of runs: one for each user, created when it is first needed.

It is separate from the keys that sign modules (`keys/`) and not listed in trust files, so with this key, an attacker
can forge logs but nothing else.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from graphwright_runtime.content import regular_file
from graphwright_runtime.durable.errors import UnkeepableError
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.trust.signing import Key, Signer, from_text, to_text
from graphwright_runtime.trust.truststore import TrustError, find_trust, user_folder

_HEAD = "# The key that signs the logs of your runs. Whoever has this file can forge them: keep it to yourself.\n"


def run_signer() -> Signer:
    """The user's key for runs. Raises RefusedError if it cannot be read or created."""
    file = _file()
    try:
        return _read(file)
    except FileNotFoundError:
        return _made(file)


def known_key(key_id: str, project: Path, what: object) -> Key:
    """The key with this id, if it is the user's own or a trusted one.

    Raises RefusedError, which names `what` the key signed.
    """
    try:
        own = _read(_file()).key
    except FileNotFoundError:
        own = None
    if own is not None and own.id == key_id:
        return own
    try:
        entry = find_trust(project).get(key_id)
    except TrustError as error:
        raise RefusedError(str(error)) from error
    if entry is None:
        raise RefusedError(f"{what} is signed by the key {key_id}, which is neither yours nor trusted here")
    if entry.revoked or entry.expired():
        raise RefusedError(f"{what} is signed by the key {entry}, which is {'revoked' if entry.revoked else 'expired'}")
    return entry.key


def _read(file: Path) -> Signer:
    """Read a key file. Raises FileNotFoundError and RefusedError."""
    try:
        with regular_file(file) as opened:
            mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
            text = opened.read(1024).decode("ascii", "replace")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnkeepableError(f"{file} cannot be read: {error.strerror}") from error
    if os.name == "posix" and mode & 0o077:
        raise RefusedError(f"{file} is accessible to other users (mode {mode:04o}): run `chmod 600 {file}`")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    try:
        [line] = lines
        return Signer(from_text(line))
    except ValueError as error:
        raise RefusedError(f"{file} does not contain a key; delete it, and the next run creates a new one") from error


def _made(file: Path) -> Signer:
    """Create a new key, or read the one that another process creates at the same time."""
    seed = secrets.token_bytes(32)
    temporary = file.with_name(f".runs-{secrets.token_hex(4)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
            out.write(f"{_HEAD}{to_text(seed)}\n")
        try:
            os.link(temporary, file)
        except FileExistsError:
            return _read(file)
        finally:
            temporary.unlink()
    except OSError as error:
        raise UnkeepableError(
            f"the key that signs runs cannot be kept in {file}: {error.strerror}; make the folder writable, or keep "
            "nothing of the run with durability `off`"
        ) from error
    return Signer(seed)


def _file() -> Path:
    folder = user_folder()
    if folder is None:
        raise UnkeepableError(
            "there is no home folder to keep the key of runs in; set XDG_CONFIG_HOME, or use durability `off`"
        )
    return folder / "runs.key"
