# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans a system with what its user allows to move, where that is predicted to be worth it.

Systems with moved releases are proposed by instants/coinciding.py (offsets) and instants/shortened.py
(periods). Each is planned like a system of its own; the best plan decides, so what it saves is a
difference of two predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from horolog.figures import plural, significant
from horolog.model import HorologError, Move, Moves, Planned, System
from horolog.plan.choice import plan
from horolog.plan.instants.coinciding import coinciding
from horolog.plan.instants.shortened import shortened, with_periods
from horolog.plan.limit import Limit
from horolog.plan.prediction.utilisation import demand_of
from horolog.plan.prescalers import by_prescaler
from horolog.plan.prices.costs import Prices
from horolog.plan.prices.read_costs import read_prices
from horolog.plan.thread_plans import rank
from horolog.read import duration_text

__all__ = ["moved_as", "plan_moving"]

_SHARE = Fraction(1, 2)  # of the time that is left, for the next plan
_MOST_RETURNED = 8  # periods that are tried at their longest again, each by itself


@dataclass(frozen=True, slots=True)
class _PlannedSystem:
    """A system, moved or not, with its plan. The best one has the smallest key."""

    system: System
    planned: Planned
    key: tuple[Fraction | int, ...]


def plan_moving(
    system: System,
    *,
    mechanism: str | None = None,
    queue: str | None = None,
    prices: Prices | None = None,
    objective: str | None = None,
    limit: Limit | None = None,
    holds: Callable[[System, Planned], bool] | None = None,
) -> tuple[System, Planned]:
    """The plan of `system`, as plan() makes it, and the system that it is for.

    That is `system`, or where it allows jitter or shorter periods the best predicted of some that move it:
    by the objective, with the processor's time that additional jobs take by their WCETs counted as the
    kernel's. What does not pay stays where it was. `limit` is for all plans together; systems that it leaves
    no time for are not compared. If the board's clock has prescalers, the system's board is behind that of
    the best plan; one that holds all deadlines, by `holds`, goes before others. HorologError as plan() has
    it, if none of them can be planned.
    """
    named: dict[str, Any] = {"mechanism": mechanism, "queue": queue, "objective": objective}
    named["prices"] = prices
    if system.board.clock.prescalers:
        # Steps are priced in what is counted, whatever the clock counts.
        named["prices"] = read_prices(system.board) if prices is None else prices
        return by_prescaler(system, partial(_moving, named=named), plan_key, limit, holds)
    return _moving(system, limit, named=named)


def _moving(
    system: System, limit: Limit | None, *, named: dict[str, Any]
) -> tuple[System, Planned]:
    """As plan_moving, behind the prescaler that the board has."""
    if not any(task.jitter or task.least_period is not None for task in system.tasks):
        return system, plan(system, limit=limit, **named)
    limit = limit or Limit()
    compare = _Comparison(limit, named)
    candidates = _candidates(system)
    compare.all(candidates)
    if not compare.found:
        raise compare.errors[0]
    before = compare.found[0] if compare.found[0].system is system else None
    candidates += _return_periods(system, compare)
    best, done = compare.best, len(compare.found) + len(compare.errors)
    return best.system, _with_moves(system, before, best, (len(candidates), done))


class _Comparison:
    """The plans of systems, and the errors of those that have none: as many as a limit leaves time for."""

    def __init__(self, limit: Limit, named: dict[str, Any]) -> None:
        self._limit, self._named = limit, named
        self.found: list[_PlannedSystem] = []
        self.errors: list[HorologError] = []

    @property
    def best(self) -> _PlannedSystem:
        """The first of the best."""
        return min(self.found, key=lambda one: one.key)

    def all(self, systems: Iterable[System]) -> None:
        """Plan each of `systems`, as far as there is time."""
        for system in systems:
            if self.found and self._limit.over(1):
                return
            try:
                planned = plan(system, limit=self._limit.part(_SHARE), **self._named)
            except HorologError as error:
                self.errors.append(error)
            else:
                self.found.append(_PlannedSystem(system, planned, plan_key(system, planned)))


def moved_as(system: System, other: System) -> System:
    """`system` with the periods and offsets that `other`, of the same tasks, has; and no further move."""
    tasks = [
        replace(
            task,
            period=moved.period,
            deadline=moved.deadline,
            offset=moved.offset,
            delay=moved.delay,
            jitter=Fraction(0),
            least_period=None,
        )
        for task, moved in zip(system.tasks, other.tasks, strict=True)
    ]
    return replace(system, tasks=tuple(tasks))


def _candidates(system: System) -> list[System]:
    """Returns `system` as it is, then each moved form of it that may be better."""
    found = [system]
    for periods in (system, *shortened(system)):
        for moved in (periods, *coinciding(periods)):
            if moved not in found:
                found.append(moved)
    return found


def plan_key(system: System, planned: Planned) -> tuple[Fraction | int, ...]:
    """Returns the key by which plans are compared: overload first, then the objective.

    The objective counts the processor's time of jobs as the kernel's.

    Where no instructions are counted, interrupts decide, and what jobs take only between equals.
    """
    choice, step_ns = planned.choice, system.board.runner.ns_per_step
    prediction, objective = choice.prediction, planned.objective
    if step_ns is None:
        busy, objective = system.utilisation, "interrupts"
    else:
        busy = system.utilisation * 10**9 / step_ns
    prediction = replace(prediction, kernel_per_second=prediction.kernel_per_second + busy)
    overloaded = demand_of(system, choice).total > 1
    *key, _ = rank(replace(choice, prediction=prediction), objective)
    return overloaded, *key


def _return_periods(nominal: System, compare: _Comparison) -> list[System]:
    """Tries the best system with shorter periods with some of these periods at their longest again.

    Returns the systems that were tried. Tasks with the same bounds return together, one such group after the
    other; a return that is better is kept.
    """
    tried: list[System] = []
    shorter = [one for one in compare.found if _groups(nominal, one.system)]
    if not shorter:
        return tried
    best = min(shorter, key=lambda one: one.key)
    groups = _groups(nominal, best.system)
    for group in groups[:_MOST_RETURNED] if len(groups) > 1 else ():  # of one there has been a plan
        periods = [task.period for task in best.system.tasks]
        for index in group:
            periods[index] = nominal.tasks[index].period
        tried.append(with_periods(best.system, periods))
        made = len(compare.found)
        compare.all(tried[-1:])
        best = min([best, *compare.found[made:]], key=lambda one: one.key)
    return tried


def _groups(nominal: System, moved: System) -> list[list[int]]:
    """Returns the tasks with shorter periods, in groups with the same bounds."""
    groups: dict[tuple[Fraction, Fraction | None], list[int]] = {}
    for index, (before, after) in enumerate(zip(nominal.tasks, moved.tasks, strict=True)):
        if before.period != after.period:
            groups.setdefault((before.period, before.least_period), []).append(index)
    return list(groups.values())


def _with_moves(
    nominal: System, before: _PlannedSystem | None, best: _PlannedSystem, counts: tuple[int, int]
) -> Planned:
    """Returns the plan of `best` with its moves and what they save.

    `counts`: how many candidates there are, and how many of them were compared.
    """
    moves = _moves(nominal, best.system)
    after, busy = best.planned.choice.prediction, nominal.utilisation - best.system.utilisation
    if before is None:
        found = Moves(moves, *counts, None, Fraction(0), Fraction(0), busy)
    else:
        was = before.planned.choice.prediction
        found = Moves(
            moves,
            *counts,
            was.interrupts - after.interrupts,
            was.interrupts_per_second - after.interrupts_per_second,
            was.kernel_per_second - after.kernel_per_second,
            busy,
        )
    notes = (*best.planned.notes, _note(best.system, found))
    return replace(best.planned, moves=found, notes=notes)


def _moves(nominal: System, moved: System) -> tuple[Move, ...]:
    return tuple(
        Move(index, after.delay, before.period, after.period)
        for index, (before, after) in enumerate(zip(nominal.tasks, moved.tasks, strict=True))
        if before != after
    )


def _note(system: System, found: Moves) -> str:
    """Returns a line of text on the moves."""
    cut = ""
    if found.compared < found.ways:
        cut = f"; {found.compared:,} of {found.ways:,} ways were compared before the limit of the search"
    if not found.moves:
        return f"what may move stays where it is, as no other plan is predicted to be better{cut}"
    late = [move.delay for move in found.moves if move.delay]
    said = []
    if late:
        most = duration_text(max(late))
        are = "are released up to" if len(late) > 1 else "is released"
        said.append(f"{plural(len(late), 'task')} {are} {most} later than nominal")
    short = sum(move.period != move.nominal_period for move in found.moves)
    if short:
        said.append(f"{plural(short, 'task')} {'have' if short > 1 else 'has'} a shorter period")
    return f"{' and '.join(said)}: {_saving(system, found)}{cut}"


def _saving(system: System, found: Moves) -> str:
    if found.interrupts is None:
        return "without that there is no plan"
    figures: Sequence[tuple[Fraction, str]] = (
        (found.interrupts_per_second, "interrupts/s"),
        (found.kernel_per_second, f"kernel {system.board.runner.unit}/s"),
    )
    saved = [f"{significant(value, 4)} {what}" for value, what in figures if value > 0]
    more = [f"{significant(-value, 4)} {what}" for value, what in figures if value < 0]
    parts = [f"saves {' and '.join(saved)}"] if saved else []
    parts += [f"takes {' and '.join(more)} more"] if more else []
    if found.busy < 0:
        parts.append(f"additional jobs take {significant(-100 * found.busy)} % of the processor")
    window = duration_text(system.duration)
    return f"{', '.join(parts)} ({plural(found.interrupts, 'interrupt')} saved in {window})"
