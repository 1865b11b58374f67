# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The interrupts of a plan's cells, of the clock, and the levels of all interrupts, as the analysis has them.

Levels of the analysis, the least urgent first: threads and the servers of basic tasks; the interrupts of
cells that release threads; the controller's levels, with the interrupt of a cell above the tasks of its
level; interrupts of unknown level.

Why a release needs no jitter of its own for the interrupts before it: the cell's interrupt is a source like
others, released at the nominal instant, and what keeps it waiting are other sources or one section with
interrupts off, which counts as blocking. What is left is that a cell may interrupt EARLY_COUNTS early, and
that an instant is rounded down to a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from horolog.analyse import (
    HOP_COUNTS,
    Dispatcher,
    Stream,
    all_dispatchers,
    all_levels,
    expiry_level,
    is_basic,
    streams,
)
from horolog.model import Interrupt, Mode, Plan, Releaser, System, Task
from horolog.plan.mapping.cell_timing import one_shot_span
from horolog.responses.kernel import MASKED_STEPS, Releasing
from horolog.responses.units import Units
from horolog.schedulability import Source

__all__ = ["CONTROLLER", "EARLY_COUNTS", "THREAD_CELLS", "Cells"]

EARLY_COUNTS = 2
"""A cell may interrupt so many counts before the instant that it is armed for (HRLP_CELL_EARLY_COUNTS)."""

THREAD_CELLS = 1 << 16
CONTROLLER = 1 << 17
_ABOVE_ALL = 1 << 20


@dataclass(frozen=True)
class Cells:
    """The cells of a system of threads as planned."""

    system: System
    plan: Plan | None
    units: Units

    @property
    def early(self) -> int:
        """How much before its instant a release may come; an instant is rounded down to a count."""
        return 0 if self.plan is None else self.units.counts(EARLY_COUNTS + 1)

    def _level_of(self, releaser: Releaser) -> int:
        if not is_basic(self.system, releaser):
            return THREAD_CELLS
        if releaser.level is None or self.system.board.controller is None:
            return _ABOVE_ALL
        return CONTROLLER + 2 * releaser.level + (not releaser.direct)

    def clock(self) -> list[Source]:
        """The interrupt at which the clock's counter wraps, whose phase is not known."""
        clock, took = self.system.board.clock, self.units.steps(MASKED_STEPS)
        if not took:
            return []
        period = self.units.counts(1 << clock.width)
        return [Source("clock", _ABOVE_ALL, period, took, took, early=self.early, offset=None)]

    def level_of_expiries(self) -> int:
        """Of the cell for time-outs: of threads, or above all that the controller dispatches."""
        return THREAD_CELLS if expiry_level(self.system) is None else _ABOVE_ALL

    def level_of_point(self, tasks: Sequence[int]) -> int:
        """Of the cell of a table's point that activates these, as in System.all_tasks."""
        if self.system.board.controller is None:
            return _ABOVE_ALL
        on, by = all_levels(self.system), all_dispatchers(self.system)
        levels = [on[task] for task in tasks if by[task] is Dispatcher.CONTROLLER]
        return CONTROLLER + 2 * max(levels) + 1 if levels else THREAD_CELLS

    def level_of_ends(self) -> int:
        """Of the cells of ends of rounds: above all points."""
        return _ABOVE_ALL

    def level_of_doorbell(self) -> int:
        """Of the interrupt by which another core rings: no controller gives it a level."""
        return _ABOVE_ALL

    def level_of_interrupt(self, one: Interrupt) -> int:
        """An interrupt preempts all threads whatever its priority.

        Beside basic tasks of a controller its priority p may be that of their level p + 1 (port.toml's
        `compares_levels`): then it does not disturb higher levels. Of one level it may go first, and is
        above the tasks. Where the two do not compare like that it is above all.
        """
        controller = self.system.board.controller
        if controller is None or not self.system.has_basic:
            return THREAD_CELLS + one.priority
        if self.system.board.port.compares_levels:
            return CONTROLLER + 2 * (one.priority + 1) + 1
        return _ABOVE_ALL

    def interrupts(
        self,
        releaser: Releaser,
        cost: Releasing,
        releasers: Sequence[Releaser],
        costs: Sequence[Releasing],
    ) -> list[Source]:
        """Those of one releaser's cell; `costs` are of `releasers`, all of the plan."""
        board = self.system.board
        cell = board.cell(releaser.cell)
        # Cells with one vector are looked at together.
        each = sum(
            other_cost.interrupt
            for other, other_cost in zip(releasers, costs, strict=True)
            if board.cell(other.cell).handler == cell.handler
        )
        level, one_shot = self._level_of(releaser), releaser.mode is Mode.ONE_SHOT
        found = []

        def source(
            name: str, period: int, steps: int, offset: int | None, of: int | None = None
        ) -> None:
            if steps:
                took = self.units.steps(steps)
                shared = 0 if of is None else self.units.steps(each)
                found.append(
                    Source(
                        name,
                        level,
                        period,
                        took,
                        took,
                        early=self.early,
                        offset=offset,
                        releaser=of,
                        shared=shared,
                    )
                )

        if not one_shot:
            assert releaser.cell_period is not None
            # A stepped cell is a count longer now and then, so only its shortest interval is known.
            first = None if releaser.part else self.units.counts(releaser.first)
            source(cell.name, self.units.counts(releaser.cell_period), each, first)
        of = streams(self.system, releaser.tasks)
        for stream, due in zip(of, cost.due, strict=True):
            own = due + each if one_shot else due
            number = self.number(stream, releaser) if one_shot else None
            source(
                cell.name, self.units.least(stream.period), own, self.units.offset(stream), number
            )
            if stream.period * board.clock.hz > HOP_COUNTS:
                source(cell.name, self.units.counts(HOP_COUNTS), each + due + cost.job.after, None)
        for _ in range(self._between_rounds(releaser)):
            round_ = self.units.least(self.system.tables[0].round)
            source(cell.name, round_, each + MASKED_STEPS, None)
        span = one_shot_span(cell)
        if one_shot and span < min(stream.period for stream in of) * board.clock.hz:
            source(cell.name, self.units.counts(span), each, None)
        return found

    def _between_rounds(self, releaser: Releaser) -> int:
        """How many interrupts of the cell of controlled tables a round may have beside those at points.

        One at the sync point, to correct; one at the end, to stop. Each does that with interrupts masked.
        They may come later, up to the next point, if the application calls then.
        """
        control = self.system.control
        if control is None or not releaser.dispatches:
            return 0
        return (control.sync is not None) + control.by_application

    def number(self, of: Stream | Task, releaser: Releaser) -> int | None:
        """The number of what releases it; None if its instants are rounded, by itself, to counts."""
        hz = self.system.board.clock.hz
        if (of.period * hz).denominator > 1 or (of.offset * hz).denominator > 1:
            return None
        assert self.plan is not None
        return self.plan.releasers.index(releaser)
