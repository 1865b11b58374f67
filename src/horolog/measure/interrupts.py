# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Timer interrupts of a run: those predicted, taken and coalesced, and those that served no instant.

Taken are entries of handlers, counted from outside. Coalesced are instants that were served, as marks.py
sees them, without an interrupt of their own. Both are measured, so that predicted = taken + coalesced can
fail: if an instant is never served, or if an interrupt comes for none.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from horolog.analyse import (
    clock_wraps_in,
    count_instant,
    covered_instants,
    is_basic,
    release_instants,
    streams,
    window_counts,
)
from horolog.measure.handlers import clock_number, interrupt_numbers
from horolog.measure.marks import mark_counts
from horolog.measure.probe import Findings
from horolog.measure.window import one_shot_instants, ticks_in
from horolog.model import Plan, Releaser, System
from horolog.model.result import Interrupts

__all__ = ["clock_wraps", "interrupts_of", "ticks_of"]


def interrupts_of(system: System, plan: Plan, findings: Findings) -> Interrupts:
    """The interrupts of Horolog's run by `plan`: predicted, taken and coalesced."""
    served: dict[int, int] = defaultdict(int)
    for index, number in enumerate(interrupt_numbers(system, plan)):
        served[number] += _served(system, plan, index, findings)
    wraps, clock = clock_wraps(system), clock_number(system.board)
    if clock is not None:
        served[clock] += wraps
    coalesced = excess = 0
    counted = (number for number, taken in findings.taken.items() if taken)
    for number in {*served, *counted}:  # the host port counts for cells that the board has not, too
        if not _is_beside(system, number):
            more = served[number] - findings.taken.get(number, 0)
            coalesced += max(0, more)
            excess += max(0, -more)
    return Interrupts(
        predicted=plan.prediction.interrupts + wraps,
        taken=_taken(system, findings),
        coalesced=coalesced,
        excess=excess,
    )


def ticks_of(system: System, hz: Fraction | int | None, findings: Findings) -> Interrupts:
    """The interrupts of a run of another kernel, which ticks with `hz`; None: as one_shot_window says."""
    predicted = one_shot_instants(system) if hz is None else ticks_in(system, hz)
    taken = sum(findings.taken.values())
    # It comes late for an instant that was near, and serves both.
    return Interrupts(
        predicted, taken, max(0, predicted - taken) if hz is None else 0, max(0, taken - predicted)
    )


def clock_wraps(system: System) -> int:
    """How often the clock's counter of at most 32 bits wraps in the window, if a cell's handler serves that.

    0 if that cell is the one of time-outs, as its interrupts are not counted.
    """
    number = clock_number(system.board)
    if number is None or system.board.cells[number].name == system.timeouts:
        return 0
    return clock_wraps_in(system)


def _taken(system: System, findings: Findings) -> int:
    return sum(n for i, n in findings.taken.items() if n and not _is_beside(system, i))


def _is_beside(system: System, number: int) -> bool:
    """Whether the cell of that number releases no task: it serves time-outs, or counts all budgets."""
    budgets, name = system.budget_cells, system.board.cells[number].name
    return name == system.timeouts or (budgets is not None and name in budgets.names)


def _served(system: System, plan: Plan, index: int, findings: Findings) -> int:
    """The instants of a releaser's cell that were served, by the marks that it left.

    Without those that its partners interrupt for: they never were interrupts to be coalesced.
    """
    releaser = plan.releasers[index]
    marks, expected = findings.served.get(index, 0), mark_counts(system, plan)[index]
    if is_basic(system, releaser):
        predicted = dict(plan.prediction.interrupts_by_cell).get(releaser.cell, 0)
        marks += _stopped(system, releaser, marks, expected)
        # Interrupts for which no row is due: nothing shows that one was coalesced.
        return marks + predicted - expected
    return marks - covered_instants(system, plan, releaser)


def _stopped(system: System, releaser: Releaser, marks: int, expected: int) -> int:
    """Instants of a table that were not served as its cell had stopped, with the last job of all its tasks.

    All up to that job's release have to be served.
    """
    if system.releases is None or releaser.store != "mask-table" or releaser.direct:
        return 0  # then it goes on
    last = max(system.tasks[task].release(system.releases - 1) for task in releaser.tasks)
    hz = system.board.clock.hz
    until = min(count_instant(last, hz) + 1, window_counts(system))
    due = sum(1 for _ in release_instants(streams(system, releaser.tasks), hz, 0, until))
    return max(0, expected - max(marks, due))
