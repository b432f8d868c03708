"""What a caller asks of the analyses, in addition to the files themselves."""

from __future__ import annotations

from collections.abc import Mapping

from graphwright.record import Record


class Options(Record):
    """Questions that change what the rules find.

    `environment`: variables that required ones are looked up in (GW504); None when nobody asked.
    `environment_name` says in messages what that mapping is: this environment, or the file it was read from.
    `contracts`: "known" takes a tool without a contract as it is, "complete" makes it an error.
    `writable`: the folders that graphs may write to although they are protected, relative to the project; `roots`:
    those that it finds graphs in.
    """

    environment: Mapping[str, str] | None = None
    environment_name: str = "this environment"
    contracts: str = "known"
    writable: tuple[str, ...] = ()
    roots: tuple[str, ...] = (".ai/tools",)
