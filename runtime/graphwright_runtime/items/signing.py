"""Signs an item with the key of the user, as `graphwright sign` does (runtime.md §4)."""

from __future__ import annotations

from graphwright_runtime.atomic import replace_file
from graphwright_runtime.content import content_of
from graphwright_runtime.environment import SIGNING_KEY, forgotten_key
from graphwright_runtime.errors import NodeError
from graphwright_runtime.items.space import Item
from graphwright_runtime.items.text import check_item_file, decoded_item, purpose_of
from graphwright_runtime.trust.header import HeaderError, digest, seal, split
from graphwright_runtime.trust.private import PrivateKey, PrivateKeyError, default_key, environment_key
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.trust.verification import check_encoding


def sign_item(item: Item) -> str:
    """Write the signature line of an item, and return the id of the key that signed it.

    Raises NodeError if the item is not text, if it was changed after it was signed, or if the user has no key.
    """
    check_item_file(item)
    purpose = purpose_of(item)
    try:
        data = content_of(item.path)
        decoded_item(item, data)
        refusal = check_encoding(purpose, data)
        problem = unsignable(purpose, data) if refusal is None else refusal.text
        if problem is not None:
            raise NodeError(f"the {item.kind} `{item.item_id}` is not signed: {problem}", category="denied")
        key = _key()
        signed = seal(purpose, data, key.signer, markdown=item.path.suffix == ".md")
        if signed != data:
            if content_of(item.path) != data:
                raise NodeError(f"{item.path} was changed while it was signed", category="transient")
            replace_file(item.path, signed)
    except OSError as error:
        raise NodeError(f"{item.path} cannot be signed: {error.strerror}", category="permanent") from error
    return key.key_id


def unsignable(purpose: Purpose, data: bytes) -> str | None:
    """Why a person must review a file before it is signed: its signature is damaged or no longer matches."""
    try:
        header, text = split(purpose, data)
    except HeaderError:
        return "its signature line is damaged"
    if header is not None and digest(text) != header.sha256:
        return "it was changed after it was signed"
    return None


def _key() -> PrivateKey:
    try:
        key = environment_key(forgotten_key()) or default_key()
    except PrivateKeyError as error:
        raise NodeError(str(error), category="permanent") from error
    if key is None:
        raise NodeError(
            f"you have no key to sign with: run `graphwright keys new NAME`, or set {SIGNING_KEY}", category="permanent"
        )
    return key
