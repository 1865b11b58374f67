# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Targets: what an issue asks for, what was measured, and whether that meets it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

__all__ = ["NOT_MEASURED", "Found", "Target", "entries"]

NOT_MEASURED = "not measured: the run was limited"

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
}
_DIGITS, _MOST_DIGITS = 3, 9
_Results = TypeVar("_Results", contravariant=True)


@dataclass(frozen=True, slots=True)
class Found:
    """What a target came to; `measured` None: it was not measured.

    `said` is the note of a target that is met and the reason of one that is missed; or it is both by name, of
    which a met target has the note only. `met` None: by comparing. `shown` stands in result.json instead of
    `measured` to three decimals. `state` stands on the page instead of yes or no: why there is no answer.
    """

    measured: Fraction | float | int | None
    said: str | Mapping[str, str] = ""
    met: bool | None = None
    shown: float | int | None = None
    state: str = ""


@dataclass(frozen=True)
class Target(Generic[_Results]):
    """A line of an issue's table, unchanged: `sense` is <=, >= or ==."""

    name: str
    sense: str
    target: int | float
    unit: str
    find: Callable[[_Results], Found]

    def is_met(self, value: Fraction | float | int | None) -> bool:
        """Whether `value` meets it; fractions are compared exactly, and None does not."""
        if value is None:
            return False
        target = self.target if isinstance(value, float) else Fraction(str(self.target))
        return _COMPARE[self.sense](value, target)

    def entry(self, results: _Results) -> dict[str, Any]:
        """The target beside what `results` have, as it stands in result.json."""
        found = self.find(results)
        value = found.measured
        met = self.is_met(value) if found.met is None else found.met
        said = found.said or (NOT_MEASURED if value is None else "")
        if isinstance(said, str):
            said = {"note" if met else "reason": said} if said else {}
        return {
            "name": self.name,
            "target": self.target,
            "sense": self.sense,
            "measured": self._shown(value) if found.shown is None else found.shown,
            "unit": self.unit,
            "met": met,
            **({"state": found.state} if found.state else {}),
            **{key: text for key, text in said.items() if not (met and key == "reason")},
        }

    def _shown(self, value: Fraction | float | int | None) -> float | int | None:
        """To three decimals, or to as many as show that a missed target is missed."""
        if value is None or isinstance(value, int):
            return value
        rounded = (round(float(value), digits) for digits in range(_DIGITS, _MOST_DIGITS))
        met = self.is_met(value)
        return next((one for one in rounded if self.is_met(one) == met), float(value))


def entries(targets: Iterable[Target[_Results]], results: _Results) -> list[dict[str, Any]]:
    """All `targets` beside what `results` have."""
    return [target.entry(results) for target in targets]
