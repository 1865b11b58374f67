# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them: with separators, to a few digits, never in powers of ten.

For text only: integers and fractions decide. What has a unit of time or frequency is read/units.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log10

__all__ = ["count", "decimals", "first_names", "number", "numbered", "plural", "significant"]

_MOST_DECIMALS = 9


def count(value: int) -> str:
    """12,345"""
    return f"{value:,}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """1 task, 2 tasks"""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def first_names(names: Sequence[str], most: int) -> list[str]:
    """All `names`, or the first of more than `most`, and how many more there are."""
    if len(names) <= most:
        return list(names)
    return [*names[: most - 1], f"and {len(names) - most + 1} more"]


def numbered(names: Sequence[str]) -> str:
    """`names` with commas; three and more that count up are `cell0 to cell7`."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _after(runs[-1][-1]) == name:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _after(name: str) -> str:
    """cell8 behind cell7; nothing behind a name without a number."""
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    return f"{stem}{int(digits) + 1}" if digits else ""


def significant(value: Fraction | float, digits: int = 3) -> str:
    """`value` to so many significant digits, never in powers of ten: 0.0123, 4.56, 1,230."""
    if value == 0:
        return "0"
    number = float(value)
    places = digits - 1 - _magnitude(number)
    rounded = round(number, places)
    places = digits - 1 - _magnitude(rounded)  # 9.996 has become 10.0
    return f"{rounded:,.{max(0, places)}f}"


def decimals(value: Fraction, most: int) -> str | None:
    """`value` exactly, without trailing zeros: "2.5"; None if that takes more than `most` decimals."""
    scaled = value * 10**most
    if scaled.denominator != 1:
        return None
    whole, rest = divmod(abs(scaled.numerator), 10**most)
    digits = f"{rest:0{most}}".rstrip("0") if most else ""
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"


def number(value: Fraction) -> str:
    """`value` as a person would have typed it: exact if some decimals suffice, else to six digits."""
    return decimals(value, _MOST_DECIMALS) or significant(value, 6)


def _magnitude(number: float) -> int:
    exponent = int(log10(abs(number)))
    return exponent - 1 if abs(number) < 10.0**exponent else exponent
