"""The user's own private keys: `keys new`, `keys use` and `keys remove`, and what each says about who signs now."""

from __future__ import annotations

import argparse
import sys

from graphwright.cli.command import UsageError
from graphwright.cli.console import Console
from graphwright.trust.keys import (
    PrivateKey,
    PrivateKeyError,
    default_key,
    environment_key,
    find_key,
    make_default,
    new_key,
    remove_key,
)

_NONE_SIGNS = (
    "none of your keys is the signing key now: choose one with `graphwright keys use KEY`, or let a build create one"
)


def new(options: argparse.Namespace, console: Console) -> None:
    """Make a key, which signs from now on."""
    before = _signing()
    key = new_key(options.key or "signing")
    console.result(f"{key.key_id}\n")
    console.remark(f"created the key {key} in {key.file}\n")
    console.message(_signs_now(key, before))
    console.remark(f"  to let this project trust it: graphwright keys trust {key.key_id}\n")


def use(options: argparse.Namespace, console: Console) -> None:
    """Let a key sign from now on."""
    key, before = find_key(named_key(options)), _signing()
    make_default(key.key_id)
    console.message(_signs_now(key, before))


def remove(options: argparse.Namespace, console: Console) -> None:
    """Delete the private half of a key."""
    key, before = find_key(named_key(options)), _signing()
    if not options.yes and not _agreed(key):
        raise UsageError(f"the key {key} was not removed; pass `--yes` to remove it without confirmation")
    remove_key(key)
    console.message(
        f"removed the private half of {key}: it can no longer be used to sign on this machine\n"
        f"  its signatures are still valid; to invalidate them: graphwright keys revoke {key.key_id}\n"
    )
    if before is not None and before.key_id == key.key_id:
        after = _signing()
        console.message(f"  {after} signs now\n" if after else f"  {_NONE_SIGNS}\n")


def _signing() -> PrivateKey | None:
    """The user's key that signs; None where there is none, or none is chosen."""
    try:
        return default_key()
    except PrivateKeyError:
        return None


def _agreed(key: PrivateKey) -> bool:
    """Whether somebody at a terminal agrees; where nobody can be asked, nobody does."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"remove the private half of {key} permanently? Type its id: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() == key.key_id


def _signs_now(key: PrivateKey, before: PrivateKey | None) -> str:
    """Which key signs from now on, and which one did."""
    if environment_key() is not None:
        return f"{key} is your default key, but GRAPHWRIGHT_SIGNING_KEY is set: that key signs\n"
    if before is None or before.key_id == key.key_id:
        return f"{key} signs from now on\n"
    return f"{key} signs from now on, instead of {before}; to go back: graphwright keys use {before.key_id}\n"


def named_key(options: argparse.Namespace) -> str:
    """The key that a command names. Raises `UsageError`."""
    if not options.key or options.key.isspace():
        raise UsageError(f"which key? `graphwright keys {options.action} KEY`")
    return str(options.key)
