# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the points of schedule tables by the clock cost, in instructions or cycles, typically and at most.

A table on the clock takes these steps. Typically an activation has the whole of what the kernel does for it,
up to the end of the job; at most it has the interrupt's part, as the job is a source of its own in the
analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

__all__ = ["EXPIRY_MEANING", "EXPIRY_STEPS", "POINT_MEANING", "ExpiryCosts"]

EXPIRY_MEANING: Mapping[str, str] = MappingProxyType(
    {
        "interrupt": "per interrupt of the cell for time-outs, which serves one table",
        "table": "per further table that is due at that instant",
        "listed": "per further table that runs on the clock",
        "round": "per end of a round at an instant of a point",
        "thread": "per activation of a thread",
        "basic": "per activation of a basic task",
        "event": "per event that is set",
    }
)

EXPIRY_STEPS = tuple(EXPIRY_MEANING)

POINT_MEANING: Mapping[str, str] = MappingProxyType(
    {
        "thread": "per point that activates a thread and nothing else",
        "basic": "per point that activates a basic task by its line",
        "alone": "per point that is a basic task's interrupt",
        "event": "per point that sets an event",
        "further_thread": "per thread that a point activates besides",
        "further_basic": "per basic task",
        "further_event": "per event that it sets",
    }
)
"""Points of tables in timer cells."""


@dataclass(frozen=True, slots=True)
class ExpiryCosts:
    """The typical costs of EXPIRY_STEPS, and the most that calibration has seen; `basic` may be missing."""

    steps: Mapping[str, tuple[Fraction, Fraction]]

    def typical(self, step: str) -> Fraction:
        """What `step` costs in a prediction."""
        return self.steps[step][0] if step in self.steps else Fraction(0)

    def most(self, step: str) -> Fraction:
        """What `step` took at most, in the interrupt."""
        return self.steps[step][1] if step in self.steps else Fraction(0)
