# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Why each plan was chosen or was not, in a line for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.figures import significant
from horolog.model import ALL_MECHANISMS, Plan

__all__ = ["Words"]


@dataclass(frozen=True, slots=True)
class Words:
    """The words for all plans of a system."""

    choice: Plan
    plans: list[Plan]  # the best first
    unpriced: str | None  # why no instructions are predicted; None: they are
    forced: bool
    objective: str
    only_if_named: Sequence[str]

    def about(self, plan: Plan) -> str:
        """Why `plan` was chosen, or was not."""
        return self._chosen() if plan is self.choice else self._other(plan)

    def _chosen(self) -> str:
        if self.forced:
            why = "named by the user"
            free = [p for p in self.plans if p.mechanism not in self.only_if_named]
            if free and self.choice is not free[0] and self._is_better(free[0]):
                better = "predicted cheaper" if self.objective == "overhead" else "predicted better"
                why += f"; {free[0].mechanism} is {better}"
            return f"chosen: {why}"
        if len(self.plans) == 1:
            return "chosen: no other mechanism can serve this system"
        why = "lowest predicted overhead"
        if self.objective == "interrupts":
            why = "fewest interrupts, as was asked for"
        if self.objective == "memory":
            why = "least flash, without mask tables, as was asked for"
        if self.objective == "jitter" and self.choice.longest_handler is not None:
            longest, _ = self.choice.longest_handler
            why = f"the shortest longest handler, {longest:,} at most"
        if self.unpriced is not None:
            why = f"fewest interrupts; {self.unpriced}"
        # Beside the plainest mechanism that does not come to the same.
        others = [p for p in self.plans if p is not self.choice]
        plain = min(
            [p for p in others if _price(p) != _price(self.choice)] or others,
            key=lambda p: ALL_MECHANISMS.index(p.mechanism),
        )
        return f"chosen: {why}; {self._compared(self.choice, plain)} {plain.mechanism}"

    def _other(self, plan: Plan) -> str:
        text = f"{self._compared(plan, self.choice)} {self.choice.mechanism}"
        if plan.mechanism in self.only_if_named:
            return f"only if named, as its interrupts look at all waiting tasks; {text}"
        more_cells = len(plan.releasers) > len(self.choice.releasers)
        if _price(plan) == _price(self.choice) and more_cells:
            return f"{text}, and needs more cells"
        return text

    def _is_better(self, plan: Plan) -> bool:
        return self.plans.index(plan) < self.plans.index(self.choice)

    def _compared(self, plan: Plan, other: Plan) -> str:
        """Ends in the word that the other's name follows."""
        here, there = plan.prediction, other.prediction
        parts = []
        if here.kernel_per_second > 2 * there.kernel_per_second > 0:
            ratio = here.kernel_per_second / there.kernel_per_second
            parts.append(f"{_size(ratio)} times the kernel time")
        elif here.kernel_per_second != there.kernel_per_second > 0:
            change = 100 * (here.kernel_per_second / there.kernel_per_second - 1)
            parts.append(f"{_size(change)} % {'more' if change > 0 else 'less'} kernel time")
        fewer = there.interrupts_per_second - here.interrupts_per_second
        if fewer > 0:
            parts.append(f"saves {_size(fewer)} interrupts/s")
        elif fewer < 0:
            parts.append(f"{_size(fewer)} more interrupts/s")
        if not parts:
            return "interrupts and costs the same as"
        if fewer > 0:
            return ", ".join(parts) + " over"
        return ", ".join(parts) + (" of" if parts[-1].endswith("the kernel time") else " than")


def _price(plan: Plan) -> tuple[Fraction, Fraction]:
    return plan.prediction.kernel_per_second, plan.prediction.interrupts_per_second


def _size(number: Fraction) -> str:
    """How large, to three digits but no fewer than the integer has."""
    value = abs(float(number))
    for limit, decimals in ((100, 0), (10, 1), (1, 2)):
        if value >= limit:
            return f"{value:,.{decimals}f}"
    return significant(number, 2).lstrip("-")
