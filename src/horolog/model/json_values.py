# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Values as result.json has them: how pydantic checks them, and to how many decimals it writes them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from pydantic import Field, PlainSerializer, PlainValidator, WrapSerializer

__all__ = ["Count", "Exact", "Flag", "Percent", "Sorted", "Text", "Thousandths"]

V = TypeVar("V")


def _fraction(value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str | Fraction):
        raise ValueError("no number")
    try:
        return Fraction(value)
    except (OverflowError, ZeroDivisionError) as error:
        raise ValueError("no number") from error


def _rounded(value: Fraction, digits: int) -> int | float:
    """`value` to `digits` decimals, half to even."""
    rounded = round(value, digits)
    return rounded.numerator if rounded.denominator == 1 else float(rounded)


def _exact(value: Fraction) -> int | float | str:
    """A number where its decimal text is exact, else "numerator/denominator"."""
    if value.denominator == 1:
        return value.numerator
    return float(value) if Fraction(repr(float(value))) == value else str(value)


def _sorted(value: Mapping[str, Any], handler: Any) -> Any:
    return handler(dict(sorted(value.items())))


Text = Annotated[str, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, Field(strict=True, ge=0)]
Exact = Annotated[Fraction, PlainValidator(_fraction), PlainSerializer(_exact)]
Thousandths = Annotated[
    Fraction, PlainValidator(_fraction), PlainSerializer(lambda value: _rounded(value, 3))
]
Percent = Annotated[
    Fraction, PlainValidator(_fraction), PlainSerializer(lambda value: _rounded(value, 4))
]
Sorted = Annotated[Mapping[str, V], WrapSerializer(_sorted)]
"""Its keys are written in their order."""
