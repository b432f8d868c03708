"""Finds the public key that an argument means: its text, a file, or a known key of the user or the project."""

from __future__ import annotations

from pathlib import Path

from graphwright.cli.command import UsageError
from graphwright.content import content_of
from graphwright.presence import is_folder, is_there
from graphwright.suggest import nearest
from graphwright.trust.keys import environment_key, stored_keys
from graphwright_runtime.trust.rye_header import from_pem
from graphwright_runtime.trust.signing import Key, from_text
from graphwright_runtime.trust.truststore import find_trust
from graphwright_runtime.visible import is_visible


def public_key(wanted: str, project: Path) -> tuple[Key, str]:
    """The public key in a project, and its name if known.

    If an argument matches a file as well as a key, it is ambiguous: a file in a repository must not replace a key of
    the user. Raises UsageError, PrivateKeyError and TrustError.
    """
    try:
        return Key(from_text(wanted)), ""
    except ValueError:
        pass
    known = _known(project)
    fitting = {key.id: (key, name) for key, name in known if _fits(wanted, key, name)}
    if is_there(Path(wanted)) and not is_folder(Path(wanted)):
        if fitting and "/" not in wanted:
            clash = f"`{wanted}` is a file here and also {_either(fitting)}"
            raise UsageError(f"{clash}: write `./{wanted}` for the file, or the id of the key")
        if not fitting or "/" in wanted:
            return _in_file(Path(wanted))
    if len(fitting) > 1:  # for example after `keys rotate`, which keeps the name
        raise UsageError(f"`{wanted}` is {_either(fitting)}; be more specific")
    if fitting:
        return next(iter(fitting.values()))
    near = nearest(wanted, [text for key, name in known for text in (name, key.id) if text])
    hint = f"did you mean `{near}`?" if near else "`graphwright keys list` shows the known keys."
    raise UsageError(
        f"there is no key and no file `{wanted}` here; {hint} To use another user's key, pass the text that "
        "`graphwright keys export KEY` prints for them, or a file with that text"
    )


def _known(project: Path) -> list[tuple[Key, str]]:
    """The trusted keys of a project, the user's own, and the one that signs, which may only be in the environment."""
    trusted = [(entry.key, entry.name) for entry in find_trust(project).keys.values()]
    ids = {key.id for key, _ in trusted}
    own = [(each.signer.key, each.name) for each in stored_keys()]
    if (signing := environment_key()) is not None and all(key.id != signing.key_id for key, _ in own):
        own.append((signing.signer.key, ""))
    return [*trusted, *((key, name) for key, name in own if key.id not in ids)]


def _fits(wanted: str, key: Key, name: str) -> bool:
    return wanted == name or (len(wanted) >= 4 and key.id.startswith(wanted))


def _either(keys: dict[str, tuple[Key, str]]) -> str:
    return " or ".join(f"{key.id} ({name})" if name else key.id for key, name in keys.values())


def _in_file(file: Path) -> tuple[Key, str]:
    try:
        text = content_of(file).decode().strip()
        key = from_pem(text) if text.startswith("-----") else Key(from_text(text))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{file} does not contain a public key: {getattr(error, 'strerror', None) or error}"
        ) from error
    return key, file.stem if is_visible(file.stem) else ""
