"""GW006 to GW009 and GW8xx: files as a whole, sources and generated modules."""

from __future__ import annotations

from graphwright.diagnostic import Edit, Span
from graphwright.fault import Fault


class NotAGraph(Fault):
    """A file without `tool_type: graph`: `empty`, with another `value`, or with a `key` that may be meant (`at`).

    `python`: its name says that it is a Python file.
    """

    code = "GW006"
    empty: bool = False
    value: str | None = None
    key: str | None = None
    at: Span | None = None
    python: bool = False


class SameModule(Fault):
    """Graphs (their `paths`) that compile to one `module`."""

    code = "GW007"
    module: str
    paths: tuple[str, ...]


class UnreadableFile(Fault):
    """A file that cannot be read: `missing`, a `directory`, without `permission`, or for some `other` reason."""

    code = "GW008"
    path: str
    reason: str
    detail: str = ""
    suggestion: str | None = None


class UnusedIgnore(Fault):
    """Codes of an ignore comment that silence nothing.

    `reason`: `bare` (the comment names no code), `unknown` (no such code), `family` (the prefix of several), `firm` (it
    cannot be ignored), `unused`. `edit` removes the codes; `left` says that others remain.
    """

    code = "GW009"
    codes: tuple[str, ...]
    reason: str
    suggestion: str | None
    edit: Edit
    left: bool


class Untrusted(Fault):
    """`what` (a graph, a module, a manifest) is not signed as required; `key` is empty if there is none."""

    what: str
    text: str
    advice: str
    key: str
    required: bool = True


class UntrustedSource(Untrusted):
    """A graph."""

    code = "GW801"


class UntrustedModule(Untrusted):
    """Something that a build wrote."""

    code = "GW804"


class StaleModule(Fault):
    """A file in an output folder that differs from what a build writes; `package`: a file that accompanies modules.

    `causes` are the kinds of reasons that `reason` describes; `diff` are the first lines of a unified diff, if any.
    """

    code = "GW802"
    module: str
    reason: str
    package: bool
    causes: tuple[str, ...]
    diff: tuple[str, ...]


class LeftOverModule(Fault):
    """A module without a source, and the `reason` why a build keeps it."""

    code = "GW803"
    module: str
    reason: str = ""


class OtherVersion(Fault):
    """A module by another version of the compiler: `found` instead of `expected`."""

    code = "GW805"
    module: str
    found: str
    expected: str
