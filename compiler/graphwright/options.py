"""Options of a check that affect its findings."""

from __future__ import annotations

from collections.abc import Mapping

from graphwright.record import Record


class Options(Record):
    """Options of a check.

    `environment` are the variables that required ones are looked up in (GW504); None skips that. `environment_name`
    is its name in messages: this environment, or the file that it was read from. `contracts`: "known" accepts tools
    without a contract, "complete" reports them as errors. `writable` are protected folders that graphs may write to,
    relative to the project; `roots` are its source roots.
    """

    environment: Mapping[str, str] | None = None
    environment_name: str = "this environment"
    contracts: str = "known"
    writable: tuple[str, ...] = ()
    roots: tuple[str, ...] = (".ai/tools",)
