"""Which of the user's keys signs, and what an action says about it when that changes."""

from __future__ import annotations

from graphwright.trust.keys import PrivateKey, PrivateKeyError, default_key, environment_key


def signing() -> PrivateKey | None:
    """The user's key that signs; None where there is none, or none is chosen."""
    try:
        return default_key()
    except PrivateKeyError:
        return None


def signs_now(key: PrivateKey, before: PrivateKey | None) -> str:
    """Which key signs from now on, and which one did."""
    if environment_key() is not None:
        return f"{key} is your default key, but GRAPHWRIGHT_SIGNING_KEY is set: that key signs\n"
    if before is None or before.key_id == key.key_id:
        return f"{key} signs from now on\n"
    return f"{key} signs from now on, instead of {before}; to go back: graphwright keys use {before.key_id}\n"
