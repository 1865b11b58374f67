# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How numbers and tables stand on the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

__all__ = ["fixed", "number", "plain", "shown", "table", "targets_table"]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def targets_table(
    targets: Iterable[Mapping[str, Any]],
    why: str | None = "why, and what it is made of",
    *,
    unit: bool = True,
) -> str:
    """A page's table of targets, of entries as they stand in result.json.

    `why` is the heading of reasons and notes; None: there is no such column.
    """
    header = ["target", "wanted", "measured", *["unit"] * unit, "met", *([why] if why else [])]
    rows = []
    for one in targets:
        value = one["measured"]
        row = [
            one["name"],
            f"{one['sense']} {one['target']:,}",
            "not measured" if value is None else f"{value:,}",
            *[one["unit"]] * unit,
            one.get("state") or ("yes" if one["met"] else "no"),
        ]
        if why:
            said = [text for key, text in one.items() if key in ("reason", "note")]
            row.append("; ".join(said))
        rows.append(row)
    return table(header, rows)


def number(value: Fraction | int, decimals: int = 1) -> str:
    """A number with so many decimals at most, and commas between thousands."""
    scaled = round(Fraction(value) * 10**decimals)
    whole, rest = divmod(abs(scaled), 10**decimals)
    sign = "-" if scaled < 0 else ""
    digits = f"{rest:0{decimals}}".rstrip("0") if decimals else ""
    return f"{sign}{whole:,}.{digits}" if digits else f"{sign}{whole:,}"


def fixed(value: Fraction, decimals: int) -> str:
    """A number, not negative, with just so many decimals."""
    whole, rest = divmod(round(value * 10**decimals), 10**decimals)
    return f"{whole:,}.{rest:0{decimals}}"


def plain(value: Fraction | int | None) -> float | int | None:
    """A number for JSON: a fraction to three decimals."""
    return round(float(value), 3) if isinstance(value, Fraction) else value


def shown(sizes: Sequence[int]) -> list[int]:
    """About a dozen of the sizes, the last among them."""
    found: list[int] = []
    for size in sizes:
        if not found or 2 * size >= 3 * found[-1] or size == sizes[-1]:
            found.append(size)
    return found
