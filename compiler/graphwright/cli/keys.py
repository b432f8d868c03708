"""`graphwright keys`: private keys of this user, and whose signatures the project trusts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.own_keys import named_key, new, remove, use
from graphwright.cli.public_key import public_key
from graphwright.pattern import pattern
from graphwright.project.projects import Projects, shown
from graphwright.render.layout import printable
from graphwright.trust.keys import (
    PrivateKeyError,
    default_key,
    environment_key,
    find_key,
    new_key,
    stored_keys,
)
from graphwright.trust.trustfile import add_key, end_key, entry_of, revoke_key
from graphwright_runtime.trust.rye_header import public_pem
from graphwright_runtime.trust.signing import to_text
from graphwright_runtime.trust.truststore import TrustedKey, TrustError, find_trust, project_file, read_trust, user_file

_EXAMPLES = """\
  graphwright keys new "release pipeline"       create a key, which signs from now on
  graphwright keys use 1f2e3d4c                 sign with another one of your keys
  graphwright keys remove 1f2e3d4c --yes        delete the private half of a key
  graphwright keys list                         list your keys and the trusted keys of this project
  graphwright keys export 1f2e3d4c              print the public half, to give to others
  graphwright keys export 1f2e3d4c --private    print the private half, for GRAPHWRIGHT_SIGNING_KEY in CI
  graphwright keys trust release.pem --graphs 'billing/*' --until 2027-06-30
  graphwright keys rotate --days 14             create a new key; the old one stays trusted for two more weeks
  graphwright keys revoke 1f2e3d4c              invalidate everything that it signed"""


#: The text of a key that begins like an option, as one of 64 does.
_LIKE_AN_OPTION = pattern(r"-[A-Za-z0-9_-]{42}")

#: What the name of a module cannot have, and is not the syntax of a pattern.
_NO_IDENTIFIER = pattern(r"[^\w/*?!\[\]]")


class _KeyParser(Parser):
    """Knows the text of a key from an option."""

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options, where the text of a key is none. Raises `UsageError`."""
        # argparse takes for an argument what begins with a blank.
        words = [f" {word}" if _LIKE_AN_OPTION.fullmatch(word) else word for word in arguments]
        options = super().read(words)
        if options.key is not None and _LIKE_AN_OPTION.fullmatch(options.key[1:]):
            options.key = options.key[1:]
        return options


def parser() -> Parser:
    """The options of the command."""
    parser = _KeyParser(
        "keys",
        "ACTION [KEY] [options]",
        "Manage your signing keys and the keys that are trusted here.",
        _EXAMPLES,
    )
    parser.add_argument("action", choices=tuple(_ACTIONS), help="what to do")
    parser.add_argument(
        "key", nargs="?", help="an id, the start of an id, or a name; for `trust`, also a key or its file"
    )
    parser.add_argument("--user", action="store_true", help="trust, revoke: for your user only, not for the project")
    parser.add_argument("--graphs", action="append", metavar="PATTERN", help="trust: only for graphs whose id matches")
    parser.add_argument("--name", help="trust: a name for the key")
    parser.add_argument(
        "--until", metavar="DAY", type=_day, help="trust: the last day on which the key is trusted (2027-06-30)"
    )
    parser.add_argument("--days", type=_days, default=30, help="rotate: how long the old key counts (default: 30)")
    parser.add_argument("--private", action="store_true", help="export: the private half")
    parser.add_argument("--pem", action="store_true", help="export: as PEM")
    parser.add_argument("--yes", action="store_true", help="remove: do not ask; the private half cannot be restored")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """The exit code of the command."""
    try:
        _ACTIONS[options.action](options, console)
    except (PrivateKeyError, TrustError) as error:
        raise UsageError(str(error)) from error
    return 0


def _list(_: argparse.Namespace, console: Console) -> None:
    default, own = default_key(), stored_keys()
    in_force = find_trust(_here())
    lines = [("KEY", "NAME", "PRIVATE", "TRUST")]
    for key in own:
        private = "yes, signs" if default is not None and key.key_id == default.key_id else "yes"
        lines.append((key.key_id, key.name, private, _standing(in_force.get(key.key_id))))
    ids = {key.key_id for key in own}
    others = (entry for key_id, entry in in_force.keys.items() if key_id not in ids)
    for entry in sorted(others, key=lambda each: (each.name, each.key.id)):
        lines += [(entry.key.id, entry.name, "", _standing(entry))]
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    for line in lines:
        padded = "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=False))
        console.result(f"{printable(f'{padded}  {line[3]}')}\n")
    if environment_key() is not None:
        console.remark("GRAPHWRIGHT_SIGNING_KEY is set: that key signs instead of these\n")


def _trust(options: argparse.Namespace, console: Console) -> None:
    key, known_name = public_key(named_key(options), _here())
    file = _trust_file(user=options.user)
    name = options.name or known_name
    add_key(file, key, name, graphs=tuple(options.graphs or ("*",)), until=options.until)
    scope = f" for {', '.join(options.graphs)}" if options.graphs else ""
    if options.until is not None:
        scope += f" until {options.until}"
    console.remark(f"{shown(file)}: {key.id}{f' ({name})' if name else ''} is trusted{scope}\n")
    if options.until is not None and options.until < datetime.now(UTC).date():
        console.message(f"  {options.until} is over: nothing that this key signs is trusted\n")
    for missing in _patterns_of_names(options.graphs or ()):
        console.message(
            f"  modules are imported by names such as `{missing}`: to sign these too, the key needs that pattern as "
            f"well: --graphs '{missing}'\n"
        )


def _patterns_of_names(patterns: Sequence[str]) -> list[str]:
    """The patterns that a key needs besides those given, as the names of modules have `_` where ids have `-`."""
    names = dict.fromkeys(_NO_IDENTIFIER.sub("_", each) for each in patterns)
    return [each for each in names if each not in patterns]


def _revoke(options: argparse.Namespace, console: Console) -> None:
    wanted = named_key(options)
    file = _trust_file(user=options.user)
    fitting = [each for each in read_trust(file) if wanted == each.name or each.key.id.startswith(wanted)]
    if len(fitting) > 1:
        raise UsageError(f"`{wanted}` is {' or '.join(str(each) for each in fitting)}; be more specific")
    if fitting:
        entry = fitting[0]
    else:  # a key that was never trusted here can still be named as one that never may be
        key, name = public_key(wanted, _here())
        add_key(file, key, name)
        entry = TrustedKey(key, name)
    revoke_key(file, entry.key.id)
    console.remark(
        f"{shown(file)}: {entry} is revoked; everything that it signed is rejected from now on\n"
        "  sign it again with a key that is trusted: graphwright build\n"
    )


def _rotate(options: argparse.Namespace, console: Console) -> None:
    old = find_key(options.key) if options.key else default_key()
    if old is None:
        raise UsageError("there is no key to rotate; `graphwright keys new` creates one")
    last = _last_day(options.days)
    new = new_key(old.name, replaces=old.key_id)
    for file in filter(None, (project_file(_here()), user_file())):
        entry = entry_of(file, old.key_id)
        if entry is not None and not entry.revoked:
            add_key(file, new.signer.key, entry.name, graphs=entry.graphs)
            end_key(file, old.key_id, min(last, entry.until or last))
            console.remark(
                f"{shown(file)}: {new.key_id} is trusted, {old.key_id} until {min(last, entry.until or last)}\n"
            )
    console.result(f"{new.key_id}\n")
    console.remark(
        f"created the key {new} in {new.file}; it signs from now on\n"
        "  to sign existing packages with it: graphwright sign FOLDER\n"
        f"  delete the old private key when you no longer need it: {old.file}\n"
    )


def _last_day(days: int) -> date:
    """The day that is so many days away; the calendar ends with the year 9999."""
    try:
        return datetime.now(UTC).date() + timedelta(days=days)
    except OverflowError:
        raise UsageError("`--days` goes beyond the year 9999") from None


def _export(options: argparse.Namespace, console: Console) -> None:
    wanted = named_key(options)
    if options.private:
        key = find_key(wanted)
        console.remark(f"the private half of {key}: anyone who has it can sign with this key\n")
        console.result(f"{to_text(key.signer.seed)}\n")
        return
    public, _ = public_key(wanted, _here())
    console.result(public_pem(public) if options.pem else f"{to_text(public.public)}\n")


_ACTIONS: Mapping[str, Callable[[argparse.Namespace, Console], None]] = {
    "new": new,
    "use": use,
    "remove": remove,
    "list": _list,
    "trust": _trust,
    "revoke": _revoke,
    "rotate": _rotate,
    "export": _export,
}


def _trust_file(*, user: bool) -> Path:
    if not user:
        return project_file(_here())
    file = user_file()
    if file is None:
        raise UsageError("there is no home directory for a trust file")
    return file


def _here() -> Path:
    """The project around the working directory, where no trust file says otherwise."""
    return Projects().of(Path.cwd()).folder


def _standing(entry: TrustedKey | None) -> str:
    if entry is None:
        return "not trusted here"
    if entry.revoked:
        return f"revoked in {shown(Path(entry.file))}"
    parts = [shown(Path(entry.file))]
    if not entry.unrestricted:
        parts.append(f"for {', '.join(entry.graphs)}")
    if entry.until is not None:
        parts.append(f"{'ended' if entry.expired() else 'until'} {entry.until}")
    return ", ".join(parts)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"`{_short(text)}` is not a day; write it as 2027-06-30") from error


def _days(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"`{_short(text)}` is not a number of days; write it as 30")
    return int(text.lstrip("0")[:20] or "0")  # more digits than that lead past any calendar


def _short(text: str) -> str:
    """What was typed, or its beginning."""
    return text if len(text) <= 60 else f"{text[:60]}…"
