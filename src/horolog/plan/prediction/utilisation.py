# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How much of the processor a system takes with a plan: its tasks by their WCETs, the kernel as predicted.

Both in the long run. A plan that needs more than there is would miss deadlines from some instant on,
whatever the priorities: commands refuse it. plan() does not, as benches measure such points too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horolog.model import Exit, HorologError, Place, Plan, Planned, System

__all__ = ["Demand", "demand_of", "refuse_overload", "warnings_of"]

_NEARLY_ALL = Fraction(9, 10)


@dataclass(frozen=True, slots=True)
class Demand:
    """Shares of the processor. `kernel` is None where no instructions are counted."""

    tasks: Fraction  # the sum of wcet / period
    kernel: Fraction | None

    @property
    def total(self) -> Fraction:
        """The sum of both, as far as it is known."""
        return self.tasks + (self.kernel or 0)

    def __str__(self) -> str:
        kernel = "not predicted" if self.kernel is None else _percent(self.kernel)
        return f"{_percent(self.tasks)} for the tasks (wcet / period), {kernel} for the kernel"


def demand_of(system: System, plan: Plan) -> Demand:
    """Returns the share of the processor that `system` takes with `plan`."""
    step_ns = system.board.runner.ns_per_step
    kernel = None
    if step_ns is not None:
        kernel = plan.prediction.kernel_per_second * step_ns / 10**9
    return Demand(system.utilisation, kernel)


def warnings_of(system: System, plan: Plan) -> tuple[str, ...]:
    """A line for people if `plan` leaves less than a tenth of the processor; not if it is refused."""
    demand = demand_of(system, plan)
    if not _NEARLY_ALL < demand.total <= 1:
        return ()
    return (
        f"{plan.mechanism} is predicted to need {_percent(demand.total)} of the processor: {demand}",
    )


def refuse_overload(system: System, planned: Planned) -> None:
    """HorologError (1) if the plan that was chosen needs more than the processor has."""
    demand = demand_of(system, planned.choice)
    if demand.total <= 1:
        return
    remedies = ["longer periods", "fewer tasks", "shorter WCETs"]
    others = [one.plan for one in planned.alternatives if one.plan is not None]
    best = min(others, key=lambda one: demand_of(system, one).total)
    least = demand_of(system, best).total
    if least <= 1:
        remedies.insert(0, f"the mechanism {best.mechanism}, with {_percent(least)}")
    if not system.basic and system.board.controller is not None:
        remedies.append("basic tasks (--kind basic), which cost the kernel less")
    raise HorologError(
        f"system {system.name}: {planned.choice.mechanism} is predicted to need "
        f"{_percent(demand.total)} of the processor",
        place=Place(str(system.path)),
        found=str(demand),
        expected=f"at most 100 %: {', '.join(remedies[:-1])} or {remedies[-1]}",
        exit=Exit.DOES_NOT_HOLD,
    )


def _percent(share: Fraction) -> str:
    """To a tenth; but what is more than all does not read as 100.0 %."""
    text = f"{float(100 * share):.1f} %"
    return "a little above 100 %" if share > 1 and text == "100.0 %" else text
