"""GW001 to GW005: invalid YAML, and values that are not JSON."""

from __future__ import annotations

from graphwright.diagnostic import Span
from graphwright.fault import Fault


class InvalidYaml(Fault):
    """A syntax error: `cause` names the usual mistake, `found` is the text there, `problem` the parser's message.

    For some causes: the value in `quoted` form, the open `bracket`, what is `inner` of braces, the `key` above;
    `columns` in which the line could begin, each as a number of spaces and the key and line that begin there.
    """

    code = "GW001"
    cause: str
    found: str
    problem: str = ""
    quoted: str = ""
    bracket: str = ""
    inner: str = ""
    key: str = ""
    columns: tuple[tuple[int, str, int], ...] = ()


class DuplicateKey(Fault):
    """A key that occurs twice: `first`, where it is `written` in this or another spelling.

    `run`: the keys after it that are duplicates, too. `below`: its value is not a scalar. `merge`: it is the merge key
    `<<`.
    """

    code = "GW002"
    key: str
    first: Span
    written: str
    run: tuple[str, ...] = ()
    below: bool = False
    merge: bool = False


class NotJson(Fault):
    """A value or key that is not JSON; `kind` says what it is, or is the short `tag`."""

    code = "GW003"
    kind: str
    text: str
    tag: str


class AmbiguousScalar(Fault):
    """A plain scalar that YAML 1.2 reads differently. It `reads` as this JSON; `text_read`: as a string.

    `wanted` is what is known about the intended value: a `text`, a `label` for people, a `value` of its type.
    """

    code = "GW004"
    text: str
    reason: str
    reads: str
    text_read: bool
    key: bool
    wanted: str = ""


class BeyondLimit(Fault):
    """A limit that a graph file exceeds: `documents`, `recursion`, `depth`, `size` (in bytes), `nodes`, `expansion`."""

    code = "GW005"
    limit: str
    maximum: int = 0
    size: int = 0


class NotUtf8(Fault):
    """A file that is not UTF-8 text, from this `byte` on; `wide` says that it is UTF-16."""

    code = "GW005"
    byte: str
    binary: bool
    wide: bool
