# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an analysis says of a system's deadlines, in a line (horolog.responses)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

__all__ = ["Deadlines"]


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Whether all are proved, or one is missed for certain; and the task with the least slack.

    `slack` is in seconds, negative if the bound is above the deadline; None: no bound is known.
    """

    hold: bool
    missed: bool
    text: str
    task: str
    slack: Fraction | None
    not_covered: tuple[str, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """For programs; nanoseconds."""
        return {
            "hold": self.hold,
            "missed": self.missed,
            "verdict": self.text,
            "least_slack_task": self.task,
            "least_slack_ns": None if self.slack is None else floor(self.slack * 10**9),
            "not_covered": list(self.not_covered),
        }
