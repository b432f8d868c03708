"""Creates, chooses and removes the private keys of the user, which the runtime reads (`trust/private.py`)."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from graphwright.content import content_of
from graphwright.suggest import nearest
from graphwright.trust.trustfile import trust_own
from graphwright_runtime.atomic import replace_file
from graphwright_runtime.environment import SIGNING_KEY
from graphwright_runtime.trust.private import PrivateKey as PrivateKey
from graphwright_runtime.trust.private import PrivateKeyError as PrivateKeyError
from graphwright_runtime.trust.private import default_key as default_key
from graphwright_runtime.trust.private import environment_key as environment_key
from graphwright_runtime.trust.private import keys_folder
from graphwright_runtime.trust.private import read_key as read_key
from graphwright_runtime.trust.private import stored_keys as stored_keys
from graphwright_runtime.trust.signing import Signer, to_text
from graphwright_runtime.trust.truststore import TrustError
from graphwright_runtime.visible import is_visible

DEVELOPMENT = "development"
_TEXT = """\
# A private key of graphwright. Anyone who has this file can sign with this key: keep it secret.
name = {name}
public = "{public}"
seed = "{seed}"
"""
_REPLACES = 'replaces = "{old}"\n'


def new_key(name: str, *, default: bool = True, replaces: str | None = None) -> PrivateKey:
    """Create and store a key. With `default` it becomes the default key. Raises PrivateKeyError.

    `replaces` is the id of the key that the new one succeeds.
    """
    if not is_visible(name) or not 0 < len(name) <= 64:
        raise PrivateKeyError("the name of a key must have 1 to 64 printable characters, without blanks at its ends")
    seed = secrets.token_bytes(32)
    signer = Signer(seed)
    file = _folder(create=True) / f"{signer.key.id}.key"
    text = _TEXT.format(
        name=json.dumps(name, ensure_ascii=False), public=to_text(signer.key.public), seed=to_text(seed)
    )
    text += "" if replaces is None else _REPLACES.format(old=replaces)
    try:
        _written(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), file, text)
    except OSError as error:
        raise PrivateKeyError(f"{file} cannot be written: {error.strerror}") from error
    if default:
        try:
            make_default(signer.key.id)
        except PrivateKeyError:
            file.unlink(missing_ok=True)
            raise
    return PrivateKey(signer, name, file, replaces)


def own_keys(key: PrivateKey) -> frozenset[str]:
    """The ids of a key and of all its predecessors. Raises PrivateKeyError."""
    known = {each.key_id: each.replaces for each in stored_keys()} if key.replaces is not None else {}
    found, older = {key.key_id}, key.replaces
    while older is not None and older not in found:
        found.add(older)
        older = known.get(older)
    return frozenset(found)


def find_key(wanted: str) -> PrivateKey:
    """The stored key with this id, id prefix or name. Raises PrivateKeyError unless exactly one key matches."""
    matches = [
        key for key in stored_keys() if wanted == key.name or (len(wanted) >= 4 and key.key_id.startswith(wanted))
    ]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise PrivateKeyError(f"`{wanted}` matches {len(matches)} keys; use an id: {', '.join(map(str, matches))}")
    near = nearest(wanted, [text for key in stored_keys() for text in (key.name, key.key_id)])
    hint = f"did you mean `{near}`?" if near else "`graphwright keys list` shows your keys"
    raise PrivateKeyError(f"there is no private key `{wanted}` in {_folder()}; {hint}")


def make_default(key_id: str) -> None:
    """Make this the key to sign with if none is chosen. Raises PrivateKeyError."""
    pointer = _folder(create=True) / "default"
    try:
        replace_file(pointer, f"{key_id}\n".encode(), follow=False)
    except OSError as error:
        raise PrivateKeyError(f"{pointer} cannot be written: {error.strerror}") from error


def remove_key(key: PrivateKey) -> None:
    """Delete the private half of a key. If it was the default key, there is no default afterwards.

    Raises PrivateKeyError.
    """
    if key.file is None:
        raise PrivateKeyError(f"{key} is not in a file: unset {SIGNING_KEY}")
    pointer = _folder() / "default"
    try:
        was_default = content_of(pointer).decode("ascii").strip() == key.key_id
    except (OSError, UnicodeDecodeError):
        was_default = False
    try:
        if was_default:
            pointer.unlink()
        key.file.unlink()
    except OSError as error:
        raise PrivateKeyError(f"{error.filename} cannot be removed: {error.strerror}") from error


def signing_key(chosen: str | None, notify: Callable[[str], None]) -> PrivateKey:
    """The key to sign with: the chosen one, the one in the environment, the default, or a new development key.

    `notify` is called with a message if a development key is created, which only this user trusts. Raises
    PrivateKeyError.
    """
    key = find_key(chosen) if chosen else environment_key() or default_key()
    if key is not None:
        return key
    key = _development_key()
    try:
        trusted_in = trust_own(key.signer.key, key.name)
    except TrustError as error:
        with suppress(PrivateKeyError):  # otherwise later builds would sign with an untrusted key
            remove_key(key)
        raise PrivateKeyError(str(error)) from error
    notify(
        f"created a development key, {key.key_id}, in {key.file}: only your user trusts modules signed with it "
        f"({trusted_in}); for other users, run `graphwright keys trust {key.key_id}`, or sign in CI"
    )
    return key


def _development_key() -> PrivateKey:
    """A new default key, or the one that another process made the default in the meantime."""
    key = new_key(DEVELOPMENT, default=False)
    if key.file is None:
        return key
    pointer = _folder() / "default"
    try:
        handle, name = tempfile.mkstemp(dir=pointer.parent, prefix=".default-")
        temporary = Path(name)
        try:
            _written(handle, temporary, f"{key.key_id}\n")
            os.link(temporary, pointer)
        finally:
            temporary.unlink(missing_ok=True)
    except FileExistsError:
        first = default_key()
        if first is not None:
            key.file.unlink()
            return first
    except OSError as error:
        key.file.unlink(missing_ok=True)
        raise PrivateKeyError(f"{pointer} cannot be written: {error.strerror}") from error
    return key


def _written(handle: int, file: Path, text: str) -> None:
    """Write the text of a new file. If that fails, remove the file instead of leaving it incomplete."""
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(text)
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def _folder(*, create: bool = False) -> Path:
    folder = keys_folder()
    if create:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise PrivateKeyError(
                f"{folder} cannot be created: {error.strerror}; set {SIGNING_KEY}, or build with --no-sign"
            ) from error
    return folder
