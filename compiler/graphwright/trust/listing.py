"""What the manifest of an output folder lists, whatever its signatures are worth: the files that builds put there."""

from __future__ import annotations

from pathlib import Path

from graphwright.content import content_of
from graphwright_runtime.trust.manifest import MANIFEST, ManifestError, parse


def listed_modules(output: Path) -> frozenset[str]:
    """The paths of the listed modules, from the folder; none where there is no manifest, or a damaged one."""
    try:
        return frozenset(parse(content_of(output / MANIFEST)).modules)
    except (OSError, ManifestError):
        return frozenset()
