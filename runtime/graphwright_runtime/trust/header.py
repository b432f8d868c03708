"""The signature line at the top of a signed file.

    # graphwright:signed:<sha256>:<signature, base64url>:<key id>
    <!-- graphwright:signed:<sha256>:<signature, base64url>:<key id> -->

It covers every byte after it. In a script that begins with `#!`, it is the second line and covers the first one, too.
A signature has exactly one spelling; a line that differs from it in any byte is not a valid header.
"""

from __future__ import annotations

import hashlib
import re
from codecs import BOM_UTF8
from dataclasses import dataclass

from graphwright_runtime.trust.signing import Purpose, Signer, from_text, to_text

_FIELDS = rb"graphwright:signed:([0-9a-f]{64}):([A-Za-z0-9_-]{86}):([0-9a-f]{16})"
_LINE = re.compile(rb"# %b\n" % _FIELDS)
_LINE_OF_TEXT = re.compile(rb"(?:# %b|<!-- %b -->)\n" % (_FIELDS, _FIELDS))
_ATTEMPT = re.compile(rb"[ \t]*(?:#|<!--)[ \t]*graphwright:signed\b")
#: In modules the header is always the first line, even if the text begins with `#!`.
_FIRST_LINE_ONLY: frozenset[Purpose] = frozenset({"module"})
#: The purposes of files that may be Markdown and may use the second form; elsewhere it would be a syntax error.
_TEXTS: frozenset[Purpose] = frozenset({"directive", "knowledge", "state", "history"})


class HeaderError(ValueError):
    """The first line looks like a header but is damaged."""


@dataclass(frozen=True, slots=True)
class Header:
    """The fields of a signature line: the digest and signature of the rest of the file, and the id of the key."""

    sha256: str
    signature: bytes
    key_id: str

    def line(self, *, markdown: bool = False) -> bytes:
        """The line itself, with its line feed."""
        text = f"graphwright:signed:{self.sha256}:{to_text(self.signature)}:{self.key_id}"
        return (f"<!-- {text} -->\n" if markdown else f"# {text}\n").encode()


def split(purpose: Purpose, data: bytes) -> tuple[Header | None, bytes]:
    """The header of a file (None if it has none), and the bytes that it covers. Raises HeaderError."""
    above, rest = _shebang(purpose, data)
    found = (_LINE_OF_TEXT if purpose in _TEXTS else _LINE).match(rest)
    if found is None:
        if _ATTEMPT.match(rest):
            raise HeaderError("the signature line is damaged")
        return None, data
    digest, signature, key_id = (text.decode() for text in found.groups() if text is not None)
    try:
        header = Header(digest, from_text(signature), key_id)
    except ValueError as error:
        raise HeaderError("the signature line is damaged") from error
    return header, above + rest[found.end() :]


def key_id_in(line: bytes) -> str:
    """The key id in a line that is known to be a signature line."""
    return line[-17:-1].decode(errors="replace")


def seal(purpose: Purpose, data: bytes, signer: Signer, *, markdown: bool = False) -> bytes:
    """`data` with a new header, which replaces an existing one.

    A byte order mark is dropped, because it would no longer be at the start of the file.
    """
    above, rest = _shebang(purpose, data.removeprefix(BOM_UTF8))
    if _ATTEMPT.match(rest):
        rest = rest.partition(b"\n")[2]
    body = above + rest
    header = Header(digest(body), signer.sign(purpose, body), signer.key.id)
    return above + header.line(markdown=markdown) + rest


def digest(data: bytes) -> str:
    """The sha256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _shebang(purpose: Purpose, data: bytes) -> tuple[bytes, bytes]:
    """The `#!` line that may precede the header of a script, and the rest."""
    if purpose in _FIRST_LINE_ONLY or not data.startswith(b"#!"):
        return b"", data
    first, feed, rest = data.partition(b"\n")
    return first + feed, rest
