"""Recognizes credentials: the formats of well-known tokens, and random strings with a suspicious name."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from math import log2
from typing import Final

from graphwright.record import Record


class _Shape(Record):
    """A kind of token. Every string that contains one also contains one of `marks`, which are fast to search for."""

    what: str
    marks: tuple[str, ...]
    pattern: str


_SHAPES: Final = (
    _Shape("an AWS access key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    _Shape("a GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36,}"),
    _Shape("a GitHub token", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{40,}"),
    _Shape("a GitLab token", ("glpat-",), r"\bglpat-[A-Za-z0-9_-]{20,}"),
    _Shape("a Slack token", ("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    _Shape("a Slack webhook", ("hooks.slack",), r"hooks\.slack\.com/services/T\w+/B\w+/\w{16,}"),
    _Shape("a Google API key", ("AIza",), r"\bAIza[0-9A-Za-z_-]{35}"),
    _Shape("a Stripe key", ("_live_",), r"\b[rs]k_live_[0-9A-Za-z]{16,}"),
    _Shape("an API key", ("sk-",), r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}"),
    _Shape("an npm token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}"),
    _Shape("a JSON web token", ("eyJ",), r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    _Shape("a private key", ("PRIVATE KEY",), r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    _Shape(
        "a bearer token",
        ("earer ",),
        r"(?<=[Bb]earer )(?=\S*[\d_]|\S*\w[.~+/=]\w|\S*[a-z][A-Z])[A-Za-z0-9+/=_.~-]{8,}",
    ),
    _Shape("a user's password", ("Basic ",), r"(?<=Basic )[A-Za-z0-9+/]{8,}={0,2}(?![A-Za-z0-9+/=])"),
    _Shape("a password in a URL", ("://",), r"\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@$]+:[^\s/:@$]{4,}@"),
)


class Credential(Record):
    """A description of the credential ("a GitHub token"), and its range in the value."""

    what: str
    start: int
    end: int


# Compiled (and cached by `re`) on first use: most graphs have nothing that looks like a credential.
_KNOWN: Final = "|".join(f"(?P<s{number}>{shape.pattern})" for number, shape in enumerate(_SHAPES))

#: A letter that is written as an escape, or a word that is split over two lines.
_ESCAPED: Final = r"\\(?:[xuU][0-9A-Fa-f]|\r?\n)"

#: Names of entries whose values are secrets; `token_count` and `max_tokens` are not.
_SUSPICIOUS: Final = (
    r"(?i:(?:^|[_.-])(?:token|secret|password|passwd|passphrase|pwd|authorization|credentials?"
    r"|(?:api|access|secret|private|auth|client|signing)(?:[_-]key|[_-]?(?:token|secret)))$|(?:token|secret|password|apikey)$)"
)

#: Every such name contains one of these.
_NAMES: Final = (
    "token",
    "secret",
    "passw",
    "passphrase",
    "pwd",
    "authorization",
    "credential",
    "_key",
    "-key",
    "apikey",
    "curl",
)
#: Names of entries whose values are passwords, which may be chosen by people.
_PASSWORD: Final = r"(?i:(?:password|passwd|passphrase|(?:^|[_.-])pwd)$)"
#: One word, and not a path, selector or variable.
_MADE_UP: Final = r"[^\s/$<#{(\[][^\s/${}]{3,63}\Z"
#: A name that can also mean the working directory, for which short words are ignored.
_DIRECTORY: Final = r"(?i:(?:^|[_.-])pwd$)"
#: A password in a shell command: `PGPASSWORD=…`, `--password=…`, `curl -u name:…`.
_TYPED: Final = (
    r"(?i:(?:password|passwd)=|\bcurl\b[^|;&\n]{0,200}\s(?:-u|--user)[ =]?[\"']?[\w.@-]+:)[\"']?"
    r"([^\s\"'$`;&|<>(){}/]{4,64})(?![\w$`({])"
)

#: `API_KEY=…`, `"token": "…"`, `Authorization: Bearer …` inside a longer string.
_GIVEN: Final = (
    r"(?i)(?<![\w-])([\w-]{0,40}(?:token|secret|passw(?:or)?d|api[_-]?key|authorization))[\"']?[ \t]*[=:][ \t]*[\"']?"
    r"(?:Bearer |Basic |token )?([A-Za-z0-9+/=_.~-]{16,})"
)

_WORDS: Final = (
    r"(?i)change.?me|example|dummy|placeholder|your[_-]|xxx|\.\.\.|<.*>|\*\*\*|test|fake|sample|todo|none"
    r"|required|optional|prompt|redacted"
)
_RANDOM: Final = r"(?:Bearer |Basic |token )?([A-Za-z0-9+/=_.~-]{16,})\Z"
_HEX: Final = r"(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}\Z"
_BLOCK: Final = r"(?=.*\d)(?=.*[a-z])[0-9a-z]+\Z"


def is_suspicious(text: str) -> bool:
    """Whether a file is worth searching value by value: a letter written as an escape hides any word."""
    folded = text.lower()
    return (
        any(name in folded for name in _NAMES)
        or any(mark in text for shape in _SHAPES for mark in shape.marks)
        or re.search(_ESCAPED, text) is not None
    )


def credential(name: str | None, value: str) -> Credential | None:
    """What in a value looks like a credential, or None.

    `name` is the key of the value. Templates and placeholders are not credentials.
    """
    found = re.search(_KNOWN, value)
    if found is not None and found.lastgroup is not None and _is_readable(found.group(), found.lastgroup):
        what = _SHAPES[int(found.lastgroup[1:])].what
        return None if _is_placeholder(found.group()) else Credential(what, found.start(), found.end())
    if name is not None and re.search(_SUSPICIOUS, name):
        random = re.match(_RANDOM, value)
        if (random is not None and not _is_placeholder(value) and _looks_random(random[1])) or _is_made_up(name, value):
            return Credential(f"a secret (`{name}`)", 0, len(value))
    typed = re.search(_TYPED, value) if name == "command" else None
    if typed is not None and not _is_placeholder(typed[1], 3):
        return Credential("a password", typed.start(1), typed.end(1))
    return next(_given(value), None)


def _is_made_up(name: str, value: str) -> bool:
    """Whether a value is a password that was chosen by a person."""
    if re.search(_PASSWORD, name) is None or re.match(_MADE_UP, value) is None or _is_placeholder(value, 3):
        return False
    return len(value) > 5 or not re.search(_DIRECTORY, name)


def _is_readable(text: str, shape: str) -> bool:
    """Whether a string in the form of Base64 credentials decodes to `name:password`; True for other formats."""
    if _SHAPES[int(shape[1:])].marks != ("Basic ",):
        return True
    try:
        return b":" in b64decode(text)
    except ValueError:
        return False


def _given(value: str) -> Iterator[Credential]:
    """Random text after a suspicious name within the value, as in a command or a header."""
    for found in re.finditer(_GIVEN, value):
        if re.search(_SUSPICIOUS, found[1]) and not _is_placeholder(found[2]) and _looks_random(found[2]):
            yield Credential(f"a secret (`{found[1]}`)", found.start(2), found.end(2))


def _is_placeholder(value: str, distinct: int = 6) -> bool:
    """Whether a value is a placeholder for a secret, or has fewer than `distinct` different characters."""
    return "${" in value or "{{" in value or re.search(_WORDS, value) is not None or len(set(value)) < distinct


def _looks_random(text: str) -> bool:
    """Whether it has over 3 bits of entropy per character and does not look like a word or a path."""
    counts = Counter(text)
    if -sum(count / len(text) * log2(count / len(text)) for count in counts.values()) <= 3.0:
        return False
    mixed = all(any(map(kind, text)) for kind in (str.isupper, str.islower, str.isdigit))
    return mixed or re.match(_HEX, text) is not None or (len(text) >= 24 and re.match(_BLOCK, text) is not None)
