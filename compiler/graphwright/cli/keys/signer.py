"""Finds the user's default key, and describes changes of it."""

from __future__ import annotations

from graphwright.trust.keys import PrivateKey, PrivateKeyError, default_key, environment_key


def signing() -> PrivateKey | None:
    """The user's default key; None if there is none."""
    try:
        return default_key()
    except PrivateKeyError:
        return None


def signs_now(key: PrivateKey, before: PrivateKey | None) -> str:
    """A message about the key that signs from now on, and the one before."""
    if environment_key() is not None:
        return f"{key} is your default key, but GRAPHWRIGHT_SIGNING_KEY is set: that key signs\n"
    if before is None or before.key_id == key.key_id:
        return f"{key} signs from now on\n"
    return f"{key} signs from now on, instead of {before}; to go back: graphwright keys use {before.key_id}\n"
