# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Durations as people write them: a number and a unit. Exact: they are fractions of a second."""

from __future__ import annotations

import difflib
import re
from fractions import Fraction

__all__ = ["DURATION_PATTERN", "LONGEST", "UNITS", "duration_text", "parse_duration"]

UNITS = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
}
"""Seconds in one of each unit, shortest first."""

LONGEST = Fraction(100 * 366 * 24 * 3600)
"""A hundred years: as far as the kernel's 64-bit time is promised."""

_NUMBER = r"[0-9]{1,18}(?:\.[0-9]{1,18}|/[0-9]{1,18})?"
DURATION_PATTERN = rf"^{_NUMBER} ?({'|'.join(UNITS)})$"
"""For the JSON Schema: ECMA and Python read it alike."""

_WORDED = re.compile(r"(?P<sign>[+-]?) *(?P<number>[0-9][0-9./]*)? *(?P<unit>\S.*)?")
_EXACT_NUMBER = re.compile(_NUMBER)
_ALIASES = {
    "sec": "s",
    "secs": "s",
    "second": "s",
    "seconds": "s",
    "msec": "ms",
    "millis": "ms",
    "milliseconds": "ms",
    "usec": "us",
    "\u00b5s": "us",
    "\u03bcs": "us",
    "microseconds": "us",
    "nsec": "ns",
    "nanoseconds": "ns",
    "m": "min",
    "minute": "min",
    "minutes": "min",
}


def parse_duration(text: str, *, zero: bool = False) -> Fraction:
    """The seconds that `text` means: "5 ms", "2.5 us", "1/3 ms".

    Raises ValueError, whose text is a message for the user: no unit, an unknown unit, no number,
    negative, zero (unless `zero` allows it) or beyond a hundred years.
    """
    worded = _WORDED.fullmatch(text.strip(" "))
    if worded is None or worded["number"] is None:
        raise ValueError("not a duration")
    if _EXACT_NUMBER.fullmatch(worded["number"]) is None:
        raise ValueError(f'not a duration: "{worded["number"]}" is not a number')
    unit = worded["unit"]
    if unit is None:
        raise ValueError("a duration needs a unit")
    if unit not in UNITS:
        raise ValueError(f'"{unit}" is not a unit of time' + _nearest_unit(unit))
    try:
        seconds = Fraction(worded["number"]) * UNITS[unit]
    except ZeroDivisionError:
        raise ValueError("a duration cannot divide by zero") from None
    if worded["sign"] == "-" and seconds:
        raise ValueError("a negative duration")
    if not seconds and not zero:
        raise ValueError("a duration of zero")
    if seconds > LONGEST:
        raise ValueError("a duration beyond a hundred years")
    return seconds


def _nearest_unit(unit: str) -> str:
    lower = unit.lower()
    near = _ALIASES.get(lower) or next(iter(difflib.get_close_matches(lower, UNITS, n=1)), None)
    return f'; did you mean "{near}"?' if near else ""


def duration_text(seconds: Fraction) -> str:
    """`seconds` as `parse_duration` reads it, in the largest unit below it: "2.5 ms", "1/3 ms"."""
    if seconds < 0:
        return "-" + duration_text(-seconds)
    unit = "ns"
    for name in ("us", "ms", "s"):
        if seconds >= UNITS[name]:
            unit = name
    if seconds == 0:
        unit = "ms"
    value = seconds / UNITS[unit]
    thousandths = value * 1000
    if thousandths.denominator == 1:
        whole, rest = divmod(thousandths.numerator, 1000)
        decimals = f"{rest:03}".rstrip("0")
        return f"{whole}.{decimals} {unit}" if decimals else f"{whole} {unit}"
    return f"{value.numerator}/{value.denominator} {unit}"
