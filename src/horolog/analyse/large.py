# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Numbers without a bound as text: hyperperiods, common divisors, and how long a table would be.

The hyperperiod of 75 irregular periods is beyond 10^308, which no float holds, and that of 800 has more
digits than str() gives of an integer. So neither is used.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

__all__ = ["all_digits", "large_text"]

_LARGE = 10**12  # from here on digits are of no use to a reader
_SMALL = Fraction(1, 10)
_ROUNDED = Context(prec=2, Emax=MAX_EMAX, Emin=MIN_EMIN)


def large_text(value: Fraction | int) -> str:
    """`value` >= 0 for people: 131,072; 2,468.1; else two digits and a power of ten: 7.7e+99, 1e-40."""
    exact = Fraction(value)
    if exact == 0 or _SMALL <= exact < _LARGE:
        return f"{int(value):,}" if exact.denominator == 1 else f"{float(value):,.1f}"
    rounded = _ROUNDED.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    return f"{rounded.normalize(_ROUNDED):e}"


def all_digits(value: Fraction) -> str:
    """`value` exactly, however many digits that takes: 16/625."""
    top, bottom = (f"{Decimal(part):f}" for part in value.as_integer_ratio())
    return top if bottom == "1" else f"{top}/{bottom}"
