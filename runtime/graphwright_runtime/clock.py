"""Points in time as text."""

from __future__ import annotations


def iso(seconds: float) -> str:
    """Seconds since the epoch as ISO-8601 in UTC: `2026-03-02T12:00:00.250000+00:00`."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).isoformat()
