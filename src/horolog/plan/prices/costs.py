# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel's steps and queues cost on a board, in instructions, as its costs.toml says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from horolog.model import (
    CostsOrigin,
    Mode,
    Releaser,
    System,
)
from horolog.plan.prices.budget_costs import GUARD_ARM, BudgetCosts
from horolog.plan.prices.curves import QueueCosts
from horolog.plan.prices.expiry_costs import ExpiryCosts
from horolog.plan.prices.group_costs import LineQueueCosts
from horolog.plan.prices.handler_costs import HandlerCosts
from horolog.plan.prices.size_costs import SizeCosts
from horolog.plan.prices.static_costs import StepCosts

__all__ = [
    "Cooperation",
    "Costs",
    "FREE",
    "NEW_COSTS",
    "NOTHING",
    "Prices",
    "SharingCosts",
    "WORTH",
]

_NONE = Fraction(0)
WORTH = Fraction(1, 100)
"""What a store has to save of its releaser's cost to be preferred over a smaller or plainer one."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Instructions by step, over a sorted list. Counted from outside; a mean may be a fraction."""

    interrupt_periodic: Fraction  # a periodic cell's handler, entry to exit, if it releases no task
    interrupt_one_shot: Fraction  # a one-shot cell's handler likewise, arming for the next included
    divider_skip: Fraction  # a periodic cell's handler when it only counts in software
    release: Fraction  # each job that a handler releases
    wait: Fraction  # each job's wait for its next release, without the walk
    walk: Fraction  # each node passed on insertion into the sorted list
    rearm: Fraction  # each insertion that becomes the head of a one-shot releaser's list
    switch: Fraction  # each job's switches, in and out, in a mixture of periods
    # Not in files of earlier versions:
    required: Fraction = Fraction(0)  # each periodic interrupt that releases a task
    wait_one_shot: Fraction = Fraction(0)  # each job's wait with a one-shot cell, beyond `wait`
    dispatch: Fraction = Fraction(0)  # each switch; 0: not known, `switch` holds for each job
    fraction: Fraction = Fraction(0)  # each job of a period that is no whole number of counts
    masks: Fraction = Fraction(0)  # each wait for another store, where masks release other threads
    part: Fraction = Fraction(0)  # each priority level that an instant releases to
    step: Fraction = Fraction(0)  # each interrupt of a stepped cell of threads
    longer: Fraction = Fraction(0)  # each before an interval that is a count longer, beyond a step
    step_basic: Fraction = Fraction(0)  # the same, of basic tasks
    own_levels: Fraction = Fraction(0)  # each wait less, where each thread has a level of its own
    own_levels_one_shot: Fraction = Fraction(
        0
    )  # likewise with a one-shot cell, beyond `own_levels`
    general: Fraction = Fraction(
        0
    )  # each one-shot instant that does not release one thread of several
    wrap: Fraction = Fraction(0)  # each wrap of the clock's counter, where it has less than 32 bits

    def stepped(self, part: Fraction, *, basic: bool) -> Fraction:
        """Instructions of a mean interrupt of a cell that steps: its period is `part` beyond whole counts."""
        return (self.step_basic if basic else self.step) + self.longer * part

    def owned(self, mode: Mode) -> Fraction:
        """Instructions that each wait takes less, where each thread has a level of its own."""
        return self.own_levels + (self.own_levels_one_shot if mode is Mode.ONE_SHOT else 0)

    @property
    def per_wrap(self) -> Fraction:
        """Instructions of a wrap of the clock; not known: those of an interrupt that only counts."""
        return self.wrap or self.divider_skip

    @property
    def per_job_switch(self) -> Fraction:
        """Instructions of the switches that a job costs by itself (prediction/switches.py)."""
        return self.dispatch or self.switch


NEW_COSTS = (
    "required",
    "wait_one_shot",
    "dispatch",
    "fraction",
    "masks",
    "part",
    "step",
    "longer",
    "step_basic",
    "own_levels",
    "own_levels_one_shot",
    "general",
    "wrap",
)
"""Fields of Costs that files of earlier versions do not have."""

FREE = Costs(*[Fraction(0)] * 8)
"""Costs of a board on which no instructions are counted."""


@dataclass(frozen=True, slots=True)
class Cooperation:
    """What a cooperative one-shot cell costs beyond one that serves alone, in instructions."""

    visit: Fraction  # each interrupt of a partner
    partner: Fraction  # of that, for each partner that there is
    saved: Fraction  # each instant that a partner serves: what an interrupt of its own costs more
    own: Fraction = Fraction(0)  # each interrupt of its own; not in files of earlier versions


@dataclass(frozen=True, slots=True)
class SharingCosts:
    """What a thread that several tasks share costs beside one of one task, in instructions."""

    thread: Fraction  # each of its jobs
    body: Fraction  # each body beyond the first
    body_clock: (
        Fraction  # the same, where the clock tells an overrun: a delay queue on a one-shot cell
    )


@dataclass(frozen=True, slots=True)
class Prices:
    """A board's costs. Without `queues` nothing is known of any but the sorted list."""

    costs: Costs
    queues: Mapping[str, QueueCosts] = field(default_factory=dict)  # by name, one of QUEUES
    stores: Mapping[str, StepCosts] = field(default_factory=dict)  # by name, one of STEP_STORES
    cooperation: Cooperation | None = None
    cooperation_by_queue: Cooperation | None = None  # over a delay queue; None: the same
    sharing: SharingCosts | None = None
    basic: Mapping[str, StepCosts] = field(
        default_factory=dict
    )  # by release method, one of RELEASE_METHODS
    line_queues: Mapping[str, LineQueueCosts] = field(default_factory=dict)  # of groups, by name
    cells: Mapping[Mode, Mapping[str, Fraction]] = field(default_factory=dict)
    """What an interrupt costs more by the cell's device; on a one-shot cell also an insertion at the head."""
    origin: CostsOrigin | None = None
    handlers: Mapping[tuple[str, Mode], HandlerCosts] = field(default_factory=dict)
    """How long a handler is with a store in a mode."""
    flash: SizeCosts | None = None
    variables: SizeCosts | None = None
    """Of RAM, without stacks."""
    deadlines: Mapping[str, Fraction] = field(default_factory=dict)
    """What a monitored deadline adds to a job, by the device of the cell that monitors all of them."""
    own_deadlines: Mapping[str, Fraction] = field(default_factory=dict)
    """The same if the task has a cell of its own for that."""
    own_deadlines_alone: Mapping[str, Fraction] = field(default_factory=dict)
    """And the interrupt of another cell is the task."""
    dispatched: Mapping[str, Fraction] = field(default_factory=dict)
    """What a point of controlled dispatcher tables costs more, by the device of their cell."""
    moving_deadlines: Mapping[str, Fraction] = field(default_factory=dict)
    """What `deadlines` has, of tables that the application controls (kernel/guard/moving_deadlines.h)."""
    budgets: Mapping[tuple[str, str], BudgetCosts] = field(default_factory=dict)
    """By the way in which budgets are counted, one of BUDGET_WAYS, and the device of the cell."""
    expiries: ExpiryCosts | None = None
    """Points of schedule tables by the clock, on a cell of the device that interrupts were measured with."""
    points: Mapping[str, Fraction] = field(default_factory=dict)
    """Points of tables in timer cells, by POINT_MEANING."""

    def of_device(self, mode: Mode, device: str) -> Fraction:
        """What an interrupt of such a cell costs beyond those that the steps were measured with."""
        return self.cells.get(mode, {}).get(device, _NONE)

    def monitored(self, system: System, store: str) -> Fraction:
        """Instructions that a monitored deadline adds to the end of its job, which `store` releases."""
        table = system.monitored
        if table is None or table.deadline_cells is None:
            return _NONE
        cells, prices = table.deadline_cells, self.deadlines
        if cells.each:
            prices = self.own_deadlines_alone if store == "none" else self.own_deadlines
        elif system.control is not None:
            prices = {**prices, **self.moving_deadlines}
        more = GUARD_ARM if system.shares_guards else _NONE
        return prices.get(system.board.cell(cells.names[0]).device, _NONE) + more

    def dispatches(self, system: System, releaser: Releaser) -> Fraction | None:
        """What an interrupt at a point costs beyond one of a one-shot cell with a mask table.

        None: it is not known. 0 of a releaser that is not the cell of controlled dispatcher tables.
        """
        if not releaser.dispatches:
            return _NONE
        return self.dispatched.get(system.board.cell(releaser.cell).device)


NOTHING = Prices(
    FREE,
    cooperation=Cooperation(Fraction(0), Fraction(0), Fraction(0)),
    sharing=SharingCosts(Fraction(0), Fraction(0), Fraction(0)),
)
"""The prices of a board on which no instructions are counted."""
