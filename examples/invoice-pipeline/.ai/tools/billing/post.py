"""Appends invoices to the ledger, a JSON line each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict


class Params(TypedDict):
    """What the graph hands over."""

    invoices: list[dict[str, object]]
    ledger: str


def execute(params: Params, project_path: str) -> dict[str, int]:
    """How many were `posted`."""
    ledger = Path(project_path, params["ledger"])
    ledger.parent.mkdir(parents=True, exist_ok=True)
    with ledger.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(invoice, sort_keys=True) + "\n" for invoice in params["invoices"])
    return {"posted": len(params["invoices"])}
