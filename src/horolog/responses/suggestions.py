# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What would be better than a description as it is: changes of it, each of which was planned.

A change is made in a copy of the description, read like one of the user's, and planned; given is what that
costs, and only if that is less and no deadline is lost. Tries are bounded by their number, so that what is
said depends on no clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

from horolog.figures import significant
from horolog.model import HorologError, Kind, Mode, Planned, SearchEnd, System, Task
from horolog.model.result import Suggestion
from horolog.plan import read_prices
from horolog.read.units import duration_text
from horolog.responses.analysis import analysis_of
from horolog.responses.chains import chains_of
from horolog.responses.telling import deadlines_of

__all__ = ["suggestions"]

_MOST_GIVEN = 3
_MOST_TASKS = 200  # of systems for which anything is tried
_WORTH = Fraction(1, 20)  # of what the kernel takes, that a suggestion has to save
_NEAR = Fraction(1, 20)  # of a period, by which another may differ
_MOST_INSTANTS = 20_000  # that are counted to compare periods

Data = dict[str, Any]
Reader = Callable[[Callable[[Data], None]], System]
"""Reads the description with a change that it makes to a copy of the data. HorologError if that is wrong."""


@dataclass(frozen=True, slots=True)
class _Try:
    """A change: what is suggested, the line to write, and how to write it into the data."""

    text: str
    line: str
    change: Callable[[Data], None]
    same_mechanism: bool = False  # it suffices to plan it by the mechanism that was chosen


def suggestions(
    system: System,
    planned: Planned,
    reader: Reader,
    plan_of: Callable[[System, str | None], tuple[System, Planned]],
    tries: int,
) -> tuple[Suggestion, ...]:
    """At most three changes that make the plan of `system` cheaper, that which saves most first.

    `plan_of` plans a system, moved where it allows that, by a mechanism if one is named. So many `tries` are
    made, and none where the plan is forced, was cut, or is not for the overhead.
    """
    now = planned.choice.prediction
    if not now.kernel_per_second or planned.forced or planned.objective != "overhead":
        return ()
    if planned.search.end is not SearchEnd.BY_ITSELF:
        return ()  # what is tried would be cut, too
    if len(system.tasks) > _MOST_TASKS or system.cores > 1:
        return ()
    held = _hold(system, planned)
    found: list[tuple[Fraction, Suggestion]] = []
    for one in islice(_tries(system), tries):
        try:
            mechanism = planned.choice.mechanism if one.same_mechanism else None
            made, better = plan_of(reader(one.change), mechanism)
        except HorologError:
            continue  # not possible
        then = better.choice.prediction
        saved = now.kernel_per_second - then.kernel_per_second
        if saved < _WORTH * now.kernel_per_second or (held and not _hold(made, better)):
            continue
        before, after = now.overhead_percent, then.overhead_percent
        text = f"{one.text}: {significant(before)} % to {significant(after)} % of the processor, predicted"
        found.append((saved, Suggestion(text, one.line, before, after)))
    found.sort(key=lambda item: -item[0])
    return tuple(one for _, one in found[:_MOST_GIVEN])


def _hold(system: System, planned: Planned) -> bool:
    found = analysis_of(system, planned.choice, read_prices(system.board))
    return deadlines_of(system, found, chains_of(system, planned.choice, found)).hold


def _tries(system: System) -> Iterator[_Try]:
    """Changes of the description, that which promises most first."""
    basic = [*_basic(system)]
    yield from _all_basic(system)
    yield from basic[:1]
    yield from _rounder_period(system)
    yield from _one_more_cell(system)
    yield from basic[1:]


def _entries(system: System) -> dict[str, list[Task]]:
    """The tasks by the [[task]] or [[task_group]] that they are described in."""
    found: dict[str, list[Task]] = {}
    for task in system.tasks:
        found.setdefault(task.entry, []).append(task)
    return found


def _set(name: str, key: str, value: str) -> Callable[[Data], None]:
    """Sets a key of the [[task]] or [[task_group]] of that name."""

    def change(data: Data) -> None:
        for table in (*data.get("task", ()), *data.get("task_group", ())):
            if table.get("name") == name:
                table[key] = value

    return change


_LINE_BASIC = 'kind = "basic"'


def _may_be_basic(system: System, tasks: list[Task]) -> bool:
    if system.uses_services or system.board.controller is None or system.cores > 1:
        return False
    return all(task.kind is Kind.THREAD and task.table_level is None for task in tasks)


def _basic(system: System) -> Iterator[_Try]:
    """Entries as basic tasks, those with most jobs first."""
    entries = _entries(system)
    rates = {name: sum(task.rate for task in tasks) for name, tasks in entries.items()}
    for name in sorted(entries, key=lambda one: -rates[one]):
        if _may_be_basic(system, entries[name]):
            yield _Try(
                f"make {name} basic",
                f"{_LINE_BASIC}  # of {name}",
                _set(name, "kind", "basic"),
                same_mechanism=len(entries) > 1,
            )


def _all_basic(system: System) -> Iterator[_Try]:
    entries = _entries(system)
    threads = [name for name, tasks in entries.items() if _may_be_basic(system, tasks)]
    if len(threads) < 2 or len(threads) < len(entries):
        return

    def change(data: Data) -> None:
        for name in threads:
            _set(name, "kind", "basic")(data)

    yield _Try("make all tasks basic", f"{_LINE_BASIC}  # of every task", change)


def _one_more_cell(system: System) -> Iterator[_Try]:
    """The next cell of the board that is free, and has an interrupt of its own if there is one."""
    taken = {*system.cells, system.timeouts}
    if system.budget_cells is not None:
        taken |= {*system.budget_cells.names}
    free = [
        cell
        for cell in system.board.cells
        if cell.name not in taken and Mode.PERIODIC in cell.modes and system.cores == 1
    ]
    own = [cell for cell in free if system.board.has_own_interrupt(cell)] or free
    if not own or not system.cells:
        return
    names = [*system.cells, own[0].name]
    quoted = ", ".join(f'"{name}"' for name in names)

    def change(data: Data) -> None:
        data["system"]["cells"] = names

    yield _Try(f"one more cell, {own[0].name}", f"cells = [{quoted}]", change)


def _rounder_period(system: System) -> Iterator[_Try]:
    """The one period of an entry that differs a little, and lets most releases come together."""
    entries = {
        name: tasks
        for name, tasks in _entries(system).items()
        if len({task.period for task in tasks}) == 1
        and all(task.is_even and task.table_level is None and not task.points for task in tasks)
    }
    if any(task.offset or task.jitter or task.least_period for task in system.tasks):
        return
    periods = Counter(task.period for task in system.tasks)
    rate = sum((1 / period for period in periods), Fraction(0))
    horizon = min(20 * max(periods), _MOST_INSTANTS / rate)
    fewest = _instants(periods, horizon)
    best: tuple[int, str, Fraction] | None = None
    for name, tasks in entries.items():
        for period in _near(tasks[0].period, periods):
            moved = Counter(periods)
            moved[tasks[0].period] -= len(tasks)
            moved[period] += len(tasks)
            many = _instants(+moved, horizon)
            if many < fewest:
                fewest, best = many, (many, name, period)
    if best is None:
        return
    _, name, period = best
    was = duration_text(entries[name][0].period)
    yield _Try(
        f"a period of {duration_text(period)} instead of {was} for {name}",
        f'period = "{duration_text(period)}"  # of {name}',
        _set(name, "period", duration_text(period)),
    )


def _near(period: Fraction, others: Counter[Fraction]) -> Iterator[Fraction]:
    """Periods near `period`: multiples and parts of others, and rounder ones; in decimals."""
    unit = Fraction(10) ** _log10(period)
    steps = {unit / part for part in (2, 5, 10, 20)} | {other for other in others if other < period}
    found = {step * turn for step in steps for turn in (period // step, period // step + 1)}
    for other in others:
        if other > period:
            found |= {other / turn for turn in (other // period, other // period + 1)}
    for one in sorted(found):
        if one != period and abs(one - period) <= _NEAR * period and "/" not in duration_text(one):
            yield one


def _log10(value: Fraction) -> int:
    """The largest power of ten that is at most `value`."""
    power = 0
    while Fraction(10) ** power > value:
        power -= 1
    while Fraction(10) ** (power + 1) <= value:
        power += 1
    return power


def _instants(periods: Counter[Fraction], horizon: Fraction) -> int:
    """Distinct instants of releases in that time."""
    return len({period * turn for period in periods for turn in range(ceil(horizon / period))})
