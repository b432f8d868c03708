"""Whether sources and modules are signed by keys that count, as faults for the rules GW801 and GW804 to phrase."""

from __future__ import annotations

from pathlib import Path

from graphwright.diagnostic import Span
from graphwright.fault import Fault
from graphwright.project.config import ConfigError
from graphwright.project.projects import Place
from graphwright_runtime.trust.items import check_item
from graphwright_runtime.trust.truststore import TrustError, TrustStore, find_trust
from graphwright_runtime.trust.verification import Refusal


class SourceTrust:
    """Looks at the signatures of the graphs of one check; what a project trusts is read once."""

    def __init__(self) -> None:
        self._stores: dict[Path, TrustStore] = {}

    def fault(self, data: bytes, shown: str, place: Place) -> Fault | None:
        """What is wrong with the signature of a graph where `trust.sources` asks for one. Raises ConfigError."""
        policy, folder = place.project.config.trust.sources, place.project.folder
        if policy == "off":
            return None
        if folder not in self._stores:
            try:
                self._stores[folder] = find_trust(folder)
            except TrustError as error:
                raise ConfigError(str(error)) from error
        return source_fault(data, shown, place.graph_id, policy, self._stores[folder])


def source_fault(data: bytes, shown: str, graph_id: str, policy: str, trust: TrustStore) -> Fault | None:
    """What is wrong with a source's signature under this policy, None where it is right.

    The facts are `what` (graph), `text` and `advice`, `key` (empty where there is none) and `required`. The place is
    the first line.
    """
    verdict = check_item("source", data, trust, subject=graph_id)
    if not isinstance(verdict, Refusal):
        return None
    first = data.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
    return Fault(
        "GW801", Span(shown, 1, 1, 1, max(len(first), 1) + 1), _facts("graph", verdict, required=policy == "require")
    )


def signed_fault(shown: str, refusal: Refusal, what: str = "module") -> Fault:
    """A signed file that is refused; `what` it is: a module, a manifest, a tool…"""
    return Fault("GW804", Span(shown, 1, 1, 1, 2), _facts(what, refusal, required=True))


def _facts(what: str, refusal: Refusal, *, required: bool) -> dict[str, object]:
    return {"what": what, "text": refusal.text, "advice": refusal.advice, "key": refusal.key, "required": required}
