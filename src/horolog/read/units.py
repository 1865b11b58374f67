# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Quantities with units, as people write and read them: durations, periods, frequencies.

What is read is exact: fractions of a second, or of a hertz. Whatever a text of ours says is read again,
so both micro signs and the spaces of a report are.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from fractions import Fraction

from horolog.figures import decimals, significant

__all__ = [
    "DURATION_PATTERN",
    "FREQUENCIES",
    "FREQUENCY_PATTERN",
    "LONGEST",
    "PERIOD_PATTERN",
    "UNITS",
    "about_duration_text",
    "duration_text",
    "frequency_text",
    "parse_duration",
    "parse_frequency",
    "parse_period",
]

UNITS = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
}
"""Seconds in one of each unit, shortest first."""

FREQUENCIES = {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}
"""Hertz in one of each unit, lowest first."""

LONGEST = Fraction(100 * 366 * 24 * 3600)
"""A hundred years: as far as the kernel's 64-bit time is promised."""

_MICRO_SIGN, _GREEK_MU = "\u00b5", "\u03bc"
_SECONDS = UNITS | {f"{sign}s": UNITS["us"] for sign in (_MICRO_SIGN, _GREEK_MU)}
_ENDLESS_HZ = 10**15
_SPACES = " \u00a0\u202f"  # the latter two are those that do not break: reports have them

_NUMBER = r"[0-9]{1,18}(?:\.[0-9]{1,18}|/[0-9]{1,18})?"


def _pattern(*units: str) -> str:
    """For the JSON Schema: ECMA and Python read it alike."""
    return rf"^{_NUMBER}[{_SPACES}]?({'|'.join(units)})$"


DURATION_PATTERN = _pattern(*_SECONDS)
FREQUENCY_PATTERN = _pattern(*FREQUENCIES)
PERIOD_PATTERN = _pattern(*_SECONDS, *FREQUENCIES)

_WORDED = re.compile(
    rf"(?P<sign>[+-]?)[{_SPACES}]*(?P<number>[0-9][0-9./]*)?[{_SPACES}]*(?P<unit>\S.*)?"
)
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
    "microseconds": "us",
    "nsec": "ns",
    "nanoseconds": "ns",
    "m": "min",
    "minute": "min",
    "minutes": "min",
    "hertz": "Hz",
    "kilohertz": "kHz",
    "megahertz": "MHz",
}


def parse_duration(text: str, *, zero: bool = False) -> Fraction:
    """The seconds that `text` means: "5 ms", "2.5 us", "1/3 ms".

    Raises ValueError with a message for the user: no unit, an unknown unit, no number, negative,
    zero (unless `zero` allows it) or beyond a hundred years.
    """
    number, unit = _worded(text, "a duration", "time", _SECONDS, FREQUENCIES)
    return _checked(number * _SECONDS[unit], zero=zero)


def parse_period(text: str) -> Fraction:
    """The seconds that `text` means: a duration as in parse_duration, or a frequency: "60 Hz", "1 kHz".

    Raises ValueError for what parse_duration refuses.
    """
    number, unit = _worded(text, "a duration", "time or frequency", {**_SECONDS, **FREQUENCIES})
    if unit in _SECONDS:
        return _checked(number * _SECONDS[unit])
    if number <= 0:
        raise ValueError("a frequency of zero" if not number else "a negative frequency")
    return _checked(1 / (number * FREQUENCIES[unit]))


def parse_frequency(text: str) -> Fraction:
    """The hertz that `text` means: "25 MHz", "32.768 kHz". Raises ValueError with a message for the user."""
    number, unit = _worded(text, "a frequency", "frequency", FREQUENCIES, UNITS)
    if number <= 0:
        raise ValueError("a frequency of zero" if not number else "a negative frequency")
    return number * FREQUENCIES[unit]


def _worded(
    text: str,
    what: str,
    of: str,
    units: Collection[str],
    others: Iterable[str] = (),
) -> tuple[Fraction, str]:
    """Number and unit of `text`; ValueError where there is no such. `others`: units of something else."""
    worded = _WORDED.fullmatch(text.strip(_SPACES))
    if worded is None or worded["number"] is None:
        raise ValueError(f"not {what}")
    if _EXACT_NUMBER.fullmatch(worded["number"]) is None:
        raise ValueError(f'not {what}: "{worded["number"]}" is not a number')
    unit = worded["unit"]
    if unit is None:
        raise ValueError(f"{what} needs a unit")
    if unit not in units:
        near = _nearest_unit(unit, {*units, *others})
        fits = f'; did you mean "{near}"?' if near in units else ""
        raise ValueError(f'"{unit}" is not a unit of {of}{fits}')
    try:
        number = Fraction(worded["number"])
    except ZeroDivisionError:
        raise ValueError(f"{what} cannot divide by zero") from None
    return -number if worded["sign"] == "-" else number, unit


def _checked(seconds: Fraction, *, zero: bool = False) -> Fraction:
    if seconds < 0:
        raise ValueError("a negative duration")
    if not seconds and not zero:
        raise ValueError("a duration of zero")
    if seconds > LONGEST:
        raise ValueError("a duration beyond a hundred years")
    return seconds


def _nearest_unit(unit: str, known: set[str]) -> str | None:
    folded = {name.lower(): name for name in known}
    lower = unit.lower()
    near = _ALIASES.get(lower) or folded.get(lower)
    if near is None:
        close = difflib.get_close_matches(lower, sorted(folded), n=1)
        near = folded[close[0]] if close else None
    return near


def duration_text(seconds: Fraction) -> str:
    """`seconds` as `parse_duration` reads it, in the largest unit below it: "2.5 ms", "1/3 ms"."""
    if seconds < 0:
        return "-" + duration_text(-seconds)
    unit = _unit_of(seconds)
    value = seconds / UNITS[unit]
    return f"{decimals(value, 3) or f'{value.numerator}/{value.denominator}'} {unit}"


def about_duration_text(seconds: Fraction, digits: int = 3, *, exact: int = 3) -> str:
    """`seconds` for people only: exact if so many decimals suffice, else to so many digits: "42.9 s"."""
    if seconds < 0:
        return "-" + about_duration_text(-seconds, digits, exact=exact)
    unit = _unit_of(seconds)
    value = seconds / UNITS[unit]
    return f"{decimals(value, exact) or significant(value, digits)} {unit}"


def frequency_text(hz: Fraction | int) -> str:
    """`hz` in the largest unit below it: "25 MHz", "32.768 kHz"; rounded beyond six decimals."""
    if hz >= _ENDLESS_HZ:  # of the greatest common divisor of odd periods
        return f"more than {frequency_text(_ENDLESS_HZ - 1)}"
    unit = next((name for name in reversed(FREQUENCIES) if hz >= FREQUENCIES[name]), "Hz")
    value = Fraction(hz) / FREQUENCIES[unit]
    return f"{decimals(value, 6) or significant(value, 6)} {unit}"


def _unit_of(seconds: Fraction) -> str:
    """The largest unit up to seconds that is no longer."""
    if not seconds:
        return "ms"
    return next((name for name in ("s", "ms", "us") if seconds >= UNITS[name]), "ns")
