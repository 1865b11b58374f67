# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an analysis says of a system's deadlines, in a line (horolog.responses)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

__all__ = ["Deadlines"]


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Whether all are proved, or one is missed for certain; and the task with the least slack.

    `slack` is in seconds, negative if the bound is above the deadline; None: no bound is known. `unproved`:
    the tasks of a system of which not all WCETs are known, with their deadlines in seconds.
    """

    hold: bool
    missed: bool
    text: str
    task: str
    slack: Fraction | None
    not_covered: tuple[str, ...] = ()
    unproved: tuple[tuple[str, Fraction], ...] = ()

    def hint(self, longest_ns: Mapping[str, float | Fraction | None]) -> str | None:
        """Where WCETs are missing, the measured response that is nearest to its deadline; no proof.

        `longest_ns`: the longest response of each task by its name, in a run.
        """
        shares = [
            (Fraction(longest) / 10**9 / deadline, name, deadline)
            for name, deadline in self.unproved
            if (longest := longest_ns.get(name)) is not None
        ]
        if not shares:
            return None
        share, name, deadline = max(shares, key=lambda one: one[0])
        longest, most = (float(time * 1000) for time in (share * deadline, deadline))
        return (
            "a hint, no proof: of the measured responses the nearest to its deadline took "
            f'{longest:.3f} ms, of "{name}", and {most:.3f} ms are allowed'
        )

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
