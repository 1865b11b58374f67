# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The plans of a system on several cores: its tasks divided where they have no core, then each core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import of_threads, own_levels
from horolog.divide.one_ranking import with_one_ranking
from horolog.divide.systems import divide, together
from horolog.model import (
    CorePlan,
    HorologError,
    Part,
    System,
    on_cores,
    part_of,
    parts_of,
    undivided,
    with_tasks,
)
from horolog.plan import Limit, read_prices
from horolog.responses import analysis_of, on_core, plan_for

__all__ = ["CoresPlanned", "DividedSystem", "divided", "plans_for_cores"]

_NOT_PREDICTED = "predictions do not hold what tasks cost that several cores may run"
_FOR_DIVISION = Fraction(1, 2)  # of the time for planning


@dataclass(frozen=True, slots=True)
class DividedSystem:
    """A system with a core for each task; how that was found, if the plan had to choose some.

    `mechanisms`: by core, the one with which its deadlines are proved, where the cheapest plan has no proof.
    """

    system: System
    how: str | None
    mechanisms: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class CoresPlanned:
    """A system with a core for each task, the plan of each core, and how its tasks were divided."""

    system: System
    plans: tuple[CorePlan, ...]
    how: str | None


def divided(
    system: System,
    *,
    mechanism: str | None = None,
    queue: str | None = None,
    objective: str | None = None,
    limit: Limit | None = None,
) -> DividedSystem:
    """Chooses a core for each task that has none, as divide() does; the others are as plan() has them.

    Where WCETs are missing nothing can be proved: then by the utilisation that is known. By the objective
    `slack` the cores get equally much to do, if that is proved. HorologError (1) if no division is proved.
    """
    nothing = (None,) * system.cores
    if not undivided(system):
        _refuse_untimed(system)
        return DividedSystem(with_one_ranking(system), None, nothing)
    if any(task.wcet is None for task in system.all_tasks):
        how = "by the utilisation that is known, as WCETs are missing"
        known = _by_utilisation(system)
        _refuse_untimed(known)
        return DividedSystem(known, how, nothing)
    if (system.objective if objective is None else objective) == "slack":
        alike = _by_utilisation(system)
        if _is_proved(alike, mechanism, queue, limit):
            return DividedSystem(alike, "so that the cores have equally much to do", nothing)
    cores = system.cores_with_tasks
    every = frozenset(range(cores))
    found = divide(
        system,
        cores,
        part_of=lambda tasks, core: part_of(system, core, tasks).system,
        allowed=[
            every if task.core is None else frozenset((task.core,)) for task in system.all_tasks
        ],
        mechanism=mechanism,
        queue=queue,
        objective=objective,
        limit=limit,
    )
    named = (*found.mechanisms, *nothing)[: system.cores]
    return DividedSystem(on_cores(system, found.cores), found.text, named)


def _refuse_untimed(system: System) -> None:
    """HorologError about a core with tasks of which time releases none: nothing there could be measured."""
    for part in parts_of(system):
        if part.tasks and not part.system.tasks:
            task = part.system.all_tasks[0]
            raise HorologError(
                f"core {part.core} has no task that time releases",
                place=task.place,
                found=f'"{task.name}", which something else activates',
                expected="a task with a period on that core, too",
            )


def _is_proved(
    system: System, mechanism: str | None, queue: str | None, limit: Limit | None
) -> bool:
    """Whether each core of `system` holds its deadlines by a plan with the most slack."""
    named = {"mechanism": mechanism, "queue": queue, "objective": "slack"}
    for part in parts_of(system):
        if part.tasks and not part.system.tasks:
            return False
        if part.tasks:
            moved, planned = plan_for(part.system, limit=limit, **named)
            if not analysis_of(moved, planned.choice, read_prices(moved.board)).holds:
                return False
    return True


def _by_utilisation(system: System) -> System:
    """Returns `system` with a core for each task: where none is given, the one with the least to do so far.

    Those that stay together go as one; those with the largest utilisation first (worst-fit by decreasing
    utilisation). Tasks that something activates go where time releases some.
    """
    tasks, behind = system.all_tasks, len(system.tasks)
    load = [(Fraction(0), 0)] * system.cores
    cores = [task.core or 0 for task in tasks]
    timed: set[int] = set()

    def share(unit: Sequence[int]) -> Fraction:
        return sum(((tasks[at].wcet or 0) * tasks[at].rate for at in unit), Fraction(0))

    def put(unit: Sequence[int], core: int) -> None:
        load[core] = (load[core][0] + share(unit), load[core][1] + len(unit))
        for at in unit:
            cores[at] = core
        if unit[0] < behind:
            timed.add(core)

    left = []
    for unit in together(system):
        known = [core for at in unit if (core := tasks[at].core) is not None]
        if known:
            put(unit, known[0])
        else:
            left.append(unit)
    for unit in sorted(left, key=lambda unit: (unit[0] >= behind, -share(unit), unit)):
        able = timed if unit[0] >= behind else range(system.cores_with_tasks)
        put(unit, min(able, key=load.__getitem__))
    return on_cores(system, cores)


def plans_for_cores(
    system: System,
    *,
    mechanism: str | None = None,
    queue: str | None = None,
    objective: str | None = None,
    limit: Limit | None = None,
) -> CoresPlanned:
    """Divides `system` and plans each core, as plan_for does.

    HorologError as divide() and plan_for have it, with the core of which the latter says it.
    """
    share = None if limit is None else limit.part(_FOR_DIVISION)
    whole = divided(system, mechanism=mechanism, queue=queue, objective=objective, limit=share)
    plans: list[CorePlan] = []
    for part in _of_one_kernel(parts_of(whole.system)):
        if not part.tasks:
            plans.append(CorePlan(part, None))
            continue
        share = None if limit is None else limit.part(Fraction(1, system.cores - part.core))
        try:
            moved, planned = plan_for(
                part.system,
                mechanism=mechanism or whole.mechanisms[part.core],
                queue=queue,
                objective=objective,
                limit=share,
            )
        except HorologError as error:
            raise on_core(error, part.core) from None
        if moved.beside_global:
            planned = replace(planned, notes=(*planned.notes, _NOT_PREDICTED))
        plans.append(CorePlan(replace(part, system=moved), planned))
    return CoresPlanned(_as_planned(whole.system, plans), tuple(plans), whole.how)


def _as_planned(whole: System, plans: Sequence[CorePlan]) -> System:
    """Returns `whole` with its tasks moved as those of its parts are."""
    tasks = list(whole.all_tasks)
    for one in plans:
        for number, task in zip(one.part.tasks, one.system.all_tasks, strict=True):
            known = tasks[number]
            moved = replace(task, core=one.core)
            if known.affinity:  # of which the part has the release alone
                moved = replace(moved, wcet=known.wcet, priority=known.priority)
            tasks[number] = moved
    return with_tasks(whole, tasks)


def _of_one_kernel(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Returns `parts`, which know whether all threads of all cores have levels of their own.

    The kernel makes no use of that where there are basic tasks.
    """
    busy = [part.system for part in parts if part.tasks]
    known = all(own_levels(of_threads(one)) and not one.has_basic for one in busy)
    if known and not any(one.beside_global for one in busy):
        return tuple(parts)
    return tuple(
        replace(part, system=replace(part.system, shares_levels_elsewhere=True)) for part in parts
    )
