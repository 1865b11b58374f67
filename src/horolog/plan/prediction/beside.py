# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel does beside a plan's releasers: for execution budgets, and at points of schedule tables.

Predicted is what the description determines: budgets that hold, and tables on the clock that start with the
kernel and that no source names. What the application decides is not, and each entry says why. (What is not
predicted of dispatcher tables is in the notes of plans: table_plans.py.)

Budgets take their steps at each job that has one. Where one cell counts all, each interrupt and each line
that may come into such a job looks for it; how often one does come into one depends on how long jobs really
take, and is not in the prediction. (Jobs that take their WCETs would be preempted most often. Descriptions
leave room in these.)

A clock with a counter of less than 32 bits interrupts whenever that wraps. (One of 32 bits does so after
minutes: that is not counted.)

Tables take an interrupt at each instant of a point, and of the end of a round that is none. An activation has
all that the kernel does for it, up to the end of its job.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from horolog.analyse import (
    Dispatcher,
    Stream,
    all_dispatchers,
    clock_wraps_in,
    expiry_interrupts,
    window_counts,
)
from horolog.figures import numbered
from horolog.model import (
    Beside,
    Mode,
    Plan,
    Releaser,
    ScheduleTable,
    Start,
    Strategy,
    System,
)
from horolog.plan.instants.counts_and_rates import NONE, Amount
from horolog.plan.instants.interrupts import instants_of, periodic_interrupts
from horolog.plan.prediction.predict import forecast, jobs_of
from horolog.plan.prices.budget_costs import (
    budget_way,
    pausing_tasks,
    releaser_pauses,
    with_sharing,
)
from horolog.plan.prices.costs import Prices

__all__ = ["beside_of", "with_beside"]

_UNPRICED = "the board's costs do not hold it: horolog calibrate measures it"


def with_beside(system: System, plan: Plan, prices: Prices) -> Plan:
    """`plan` with what the kernel does beside its releasers in its prediction."""
    beside = beside_of(system, plan, prices)
    if not beside:
        return plan
    known = [one for one in beside if one.kernel is not None]
    kernel = sum((one.kernel or Fraction(0) for one in known), Fraction(0))
    rate = sum((one.kernel_per_second for one in known), Fraction(0))
    ns, before = system.board.runner.ns_per_step, plan.prediction
    percent = Fraction(0) if ns is None else 100 * kernel * ns / (system.duration * 10**9)
    prediction = replace(
        before,
        kernel_instructions=before.kernel_instructions + kernel,
        kernel_per_second=before.kernel_per_second + rate,
        overhead_percent=before.overhead_percent + percent,
        beside=beside,
    )
    return replace(plan, prediction=prediction)


def beside_of(system: System, plan: Plan, prices: Prices) -> tuple[Beside, ...]:
    """What the kernel does beside the releasers of `plan`; and what of that is not predicted, and why."""
    return (*_wraps(system, prices), *_budgets(system, plan, prices), *_tables(system, prices))


def _made(
    system: System,
    what: str,
    kernel: Amount | None,
    cell: str | None = None,
    interrupts: int | None = None,
    why: str | None = None,
) -> Beside:
    if system.board.runner.ns_per_step is None:
        kernel = None
    elif kernel is None and why is None:
        why = _UNPRICED
    rate = Fraction(0) if kernel is None else kernel.rate
    return Beside(what, cell, interrupts, None if kernel is None else kernel.window, rate, why)


# The clock


def _wraps(system: System, prices: Prices) -> Iterator[Beside]:
    clock = system.board.clock
    if clock.width >= 32:
        return
    counts, window = 1 << clock.width, clock_wraps_in(system)
    taken = Amount(Fraction(window), Fraction(clock.hz, counts))
    what = f"wraps of the clock, after {counts:,} counts each"
    yield _made(system, what, taken * prices.costs.per_wrap, interrupts=window)


# Budgets


def _budgets(system: System, plan: Plan, prices: Prices) -> Iterator[Beside]:
    cells = system.budget_cells
    if cells is None:
        return
    released = {task: one for one in plan.releasers for task in one.tasks}
    kernel: Amount | None = NONE
    for number, task in enumerate(system.budgeted):
        name = cells.names[number if cells.each else 0]
        way = budget_way(system, task, released[task])
        costs = prices.budgets.get((way, system.board.cell(name).device))
        if costs is None or kernel is None:
            kernel = None
        else:
            costs = with_sharing(system, costs)
            kernel += jobs_of(system, [task], window_counts(system)) * (costs.before + costs.after)
    if not cells.each and kernel is not None:
        kernel += _looks(system, plan, prices)
    names = numbered([system.tasks[task].name for task in system.budgeted])
    why = "how often budgets are used up, with what the hook answers"
    if not cells.each:
        why += ", and how often they are paused, as that depends on how long jobs take"
    yield _made(
        system,
        f"budgets of {names}" + " and deadlines" * system.shares_guards,
        kernel,
        None if cells.each else cells.names[0],
        None if cells.each else 0,
        why if kernel is not None else None,
    )


def _looks(system: System, plan: Plan, prices: Prices) -> Amount:
    """What looks for a budget that would have to be paused, with one cell for all."""
    assert system.budget_cells is not None
    device = system.board.cell(system.budget_cells.names[0]).device
    costs = prices.budgets["shared", device]
    found = NONE
    for releaser in plan.releasers:
        if releaser_pauses(system, releaser) and not _waits_for_start(system, releaser):
            partners = [one for one in plan.releasers if one.mode is Mode.PERIODIC]
            made = forecast(system, releaser, prices, partners if releaser.cooperates else ())
            found += made.interrupts * costs.look + made.work.required * costs.look_release
    instants = _instants(system, _known(system))
    found += instants * (costs.look + costs.look_release)
    itself = {task for one in plan.releasers if one.direct for task in one.tasks}
    pausing = pausing_tasks(system) - itself
    timed = [task for task in pausing if task < len(system.tasks)]
    lines = jobs_of(system, timed, window_counts(system))
    for table in _known(system):
        for point, amount in zip(table.points, _expiries(system, table), strict=True):
            lines += amount * sum(len(system.tasks) + at in pausing for at in point.tasks)
    return found + lines * costs.look_line


def _waits_for_start(system: System, releaser: Releaser) -> bool:
    return releaser.dispatches and system.control is not None and system.control.by_application


# Schedule tables


def _known(system: System) -> list[ScheduleTable]:
    """The tables of which all instants are known."""
    return [table for table in system.clock_schedules if table.is_known]


def _tables(system: System, prices: Prices) -> Iterator[Beside]:
    known = _known(system)
    if known:
        names = numbered([table.name for table in known])
        plural = "s" if len(known) > 1 else ""
        yield _made(
            system,
            f"schedule table{plural} {names}",
            _of_tables(system, known, prices),
            system.timeouts,
            expiry_interrupts(replace(system, schedules=tuple(known))),
        )
    for table in system.schedules:
        if table not in known:
            why = _why_not(table)
            yield _made(system, f"schedule table {table.name}", None, why=why)
    for cells in system.cell_schedules:
        what = f"schedule table {cells.name}"
        yield _made(system, what, None, why="the application starts it")


def _why_not(table: ScheduleTable) -> str:
    if table.counter is not None:
        return f"the application increments {table.counter.name}"
    if table.autostart is None:
        return "the application starts it"
    if table.strategy is not Strategy.NONE or table.autostart.how is Start.SYNCHRONOUS:
        return "it follows a global time, which the application gives"
    if table.autostart.how is Start.ABSOLUTE:
        return "it starts at a value of the clock's counter"
    return "sources name it, so that the application may stop it"


def _of_tables(system: System, known: Sequence[ScheduleTable], prices: Prices) -> Amount | None:
    costs = prices.expiries
    if costs is None or system.timeouts is None:
        return None
    by = all_dispatchers(system)
    instants = _instants(system, known)
    more = prices.of_device(Mode.ONE_SHOT, system.board.cell(system.timeouts).device)
    each = costs.typical("interrupt") + more + costs.typical("listed") * (len(known) - 1)
    found = instants * each
    further = NONE - instants
    for table in known:
        for point, amount in zip(table.points, _expiries(system, table), strict=True):
            further += amount
            for task in point.tasks:
                controlled = by[len(system.tasks) + task] is Dispatcher.CONTROLLER
                found += amount * costs.typical("basic" if controlled else "thread")
            found += amount * (len(point.events) * costs.typical("event"))
        ends = _ends(system, table)
        if table.ends_apart:
            further += ends
        else:
            found += ends * costs.typical("round")
    return found + further * costs.typical("table")


def _instants(system: System, known: Sequence[ScheduleTable]) -> Amount:
    """The interrupts of the time-outs' cell for these tables."""
    if not known:
        return NONE
    hz = system.board.clock.hz
    window = expiry_interrupts(replace(system, schedules=tuple(known)))
    of = [
        Stream(Fraction(table.duration, hz), Fraction(start + offset, hz), ())
        for table in known
        if table.is_repeating
        for start in [_start(table)]
        for offset in [*(point.offset for point in table.points), table.duration]
    ]
    if not of:
        return Amount(Fraction(window), Fraction(0))
    of.sort(key=lambda one: (one.period, one.offset))
    return Amount(Fraction(window), instants_of(of, hz, 0)[0].rate)


def _start(table: ScheduleTable) -> int:
    assert table.autostart is not None
    return table.autostart.steps


def _expiries(system: System, table: ScheduleTable) -> list[Amount]:
    """How often each point of a table comes."""
    return [_times(system, table, point.offset) for point in table.points]


def _ends(system: System, table: ScheduleTable) -> Amount:
    return _times(system, table, table.duration)


def _times(system: System, table: ScheduleTable, offset: int) -> Amount:
    end, first = window_counts(system), _start(table) + offset
    if not table.is_repeating:
        return Amount(Fraction(int(first < end)), Fraction(0))
    rate = Fraction(system.board.clock.hz, table.duration)
    return Amount(Fraction(periodic_interrupts(first, table.duration, end)), rate)
