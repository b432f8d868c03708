"""Reads a CSV file of invoices; amounts become whole cents, so that nothing is lost to rounding."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

AMOUNTS = ("net", "vat", "gross")


def execute(params: dict[str, str], project_path: str) -> dict[str, object]:
    """`path` relative to the project -> `invoices`: mappings of number, customer and the amounts in cents."""
    with Path(project_path, params["path"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        "invoices": [
            {
                "number": row["number"],
                "customer": row["customer"],
                **{name: int(Decimal(row[name]) * 100) for name in AMOUNTS},
            }
            for row in rows
        ]
    }
