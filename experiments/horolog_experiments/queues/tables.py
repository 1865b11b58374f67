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


def targets_table(targets: Iterable[Mapping[str, Any]]) -> str:
    """A page's first table, of entries as they stand in result.json."""
    rows = []
    for one in targets:
        value = one["measured"]
        rows.append(
            [
                one["name"],
                f"{one['sense']} {one['target']:,}",
                "not measured" if value is None else f"{value:,}",
                one["unit"],
                "yes" if one["met"] else "no",
                "; ".join(one[key] for key in ("reason", "note") if key in one),
            ]
        )
    return table(
        ["target", "wanted", "measured", "unit", "met", "why, and what it is made of"], rows
    )


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
