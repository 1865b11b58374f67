# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A system on several cores as systems of one core each: its parts.

Each core has tasks, cells and a kernel's state of its own, so what plans, proves and measures a system of one
core does so for a part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.model.board import Board, Cell
from horolog.model.dispatch_tables import DispatcherTable
from horolog.model.plan import Planned
from horolog.model.system import BudgetCells, Chain, Resource, Sporadic, System, Task

__all__ = [
    "CorePlan",
    "Part",
    "budget_cells_of",
    "chains_within",
    "first_releasers",
    "on_cores",
    "part_of",
    "parts_of",
    "resources_of",
    "tables_within",
    "timeouts_on",
    "undivided",
    "with_tasks",
]


@dataclass(frozen=True, slots=True)
class Part:
    """What one core runs."""

    core: int
    system: System  # of that core alone, on a board with its cells
    tasks: tuple[int, ...]  # of each of all its tasks the number in the whole system, ascending
    # Of each of its jobs and handlers the number there, as generated code has them (System.job).
    jobs: tuple[int, ...]
    # Of those that other cores may run, too: their numbers here, and how the whole system has them.
    wide: tuple[tuple[int, Task], ...] = ()


@dataclass(frozen=True, slots=True)
class CorePlan:
    """A part, as its plan has it, and the plan."""

    part: Part
    planned: Planned | None  # None: there is none, as there is none for a core without tasks

    @property
    def core(self) -> int:
        """The number of its core."""
        return self.part.core

    @property
    def system(self) -> System:
        """The system of its core alone."""
        return self.part.system


def first_releasers(plans: Sequence[CorePlan]) -> list[int]:
    """Returns for each core how many releasers have the numbers before its own, in generated names."""
    counts = [0 if one.planned is None else len(one.planned.choice.releasers) for one in plans]
    counts = [
        count + (one.system.timeouts is not None) for count, one in zip(counts, plans, strict=True)
    ]
    return [sum(counts[:at]) for at in range(len(counts))]


def undivided(system: System) -> tuple[int, ...]:
    """The tasks for which the plan has to choose a core: indices into all its tasks, ascending."""
    if system.cores == 1:
        return ()
    return tuple(index for index, task in enumerate(system.all_tasks) if task.core is None)


def with_tasks(system: System, tasks: Sequence[Task]) -> System:
    """Returns `system` with others in the place of all its tasks, in their order."""
    behind = len(system.tasks)
    pairs = zip(system.sporadic, tasks[behind:], strict=True)
    return replace(
        system,
        tasks=tuple(tasks[:behind]),
        sporadic=tuple(replace(one, task=task) for one, task in pairs),
    )


def on_cores(system: System, cores: Sequence[int]) -> System:
    """Returns `system` with each of all its tasks on one of `cores`, in the order of the tasks."""
    tasks = zip(system.all_tasks, cores, strict=True)
    return with_tasks(system, [replace(task, core=core) for task, core in tasks])


def part_of(system: System, core: int, tasks: Iterable[int]) -> Part:
    """Returns the part of `system` that has `tasks`, ascending indices of all, on `core`."""
    numbers, behind = tuple(tasks), len(system.tasks)
    number_there = {at: own for own, at in enumerate(numbers)}
    periodic = tuple(number for number in numbers if number < behind)
    sporadic = [system.sporadic[number - behind] for number in numbers[len(periodic) :]]
    taken = {one.interrupt for one in sporadic}
    interrupts = [at for at, one in enumerate(system.interrupts) if one.core == core or at in taken]
    own = system.board.cells_of(core)
    names = {cell.name for cell in own}
    board = replace(system.board, cells=own, cores=1)
    cells = tuple(name for name in system.cells if name in names)
    timeouts = timeouts_on(system.board, system.timeouts)
    budgets = budget_cells_of(
        [cell for cell in own if cell.name in cells],
        sum(system.tasks[number].budget is not None for number in periodic),
    )
    alone = replace(
        system,
        board=board,
        cells=tuple(name for name in cells if budgets is None or name not in budgets.names),
        budget_cells=budgets,
        timeouts=timeouts[core] if timeouts else None,
        tasks=tuple(_released(system, system.tasks[number]) for number in periodic),
        sporadic=tuple(_renumbered(one, numbers, interrupts) for one in sporadic),
        interrupts=tuple(system.interrupts[at] for at in interrupts),
        cores=1,
        cores_with_tasks=1,
        tables=tuple(tables_within(system, number_there)),
        resources=tuple(resources_of(system, number_there, system.cores_with_tasks)),
        chains=tuple(chains_within(system, number_there)),
        sharing_services=system.cores_with_tasks - 1 if system.locks_services else 0,
        waits_elsewhere=system.uses_services or not all(task.shares for task in system.tasks),
        beside_global=system.has_global,
    )
    handlers = (behind + at for at in interrupts)
    others = (system.job(number) for number in numbers[len(periodic) :])
    whole = [system.tasks[number] for number in periodic]
    wide = tuple((own, task) for own, task in enumerate(whole) if task.affinity)
    return Part(core, alone, numbers, (*periodic, *handlers, *others), wide)


def timeouts_on(board: Board, name: str | None) -> tuple[str, ...]:
    """Returns the cell for time-outs of each core of `board`, by the place at which one core has `name`."""
    shares = [[cell.name for cell in board.cells_of(core)] for core in range(board.cores)]
    place = next((share.index(name) for share in shares if name in share), None)
    if place is None or name is None:
        return ()
    return tuple(share[place] for share in shares)


def _released(system: System, task: Task) -> Task:
    """Returns `task` as the part of its core has it: of one that several cores may run, its release alone.

    A thread above all others does that. What its jobs take is no one core's.
    """
    if not task.affinity:
        return replace(task, core=None)
    return replace(task, core=None, wcet=None, priority=system.board.levels, shares=False)


def budget_cells_of(cells: Sequence[Cell], budgets: int) -> BudgetCells | None:
    """Returns those of a core's `cells` that count so many budgets, each in a group of its own.

    None: there are no budgets, or too few cells or groups.
    """
    able = [cell for cell in cells if cell.groups]
    most = max((cell.groups for cell in able), default=0)
    if not 0 < budgets <= min(len(able), most):
        return None
    names = tuple(cell.name for cell in able[-budgets:])
    return BudgetCells(names, each=True, groups=tuple(range(most, most - budgets, -1)))


def _renumbered(one: Sporadic, tasks: Sequence[int], interrupts: Sequence[int]) -> Sporadic:
    """Returns `one` as the part of a core has it, with these of all tasks and interrupts."""
    return replace(
        one,
        task=replace(one.task, core=None),
        interrupt=None if one.interrupt is None else interrupts.index(one.interrupt),
        after=None if one.after is None else tasks.index(one.after),
        server=None
        if one.server is None
        else replace(one.server, task=tasks.index(one.server.task)),
    )


def resources_of(system: System, own: Mapping[int, int], cores: int) -> Iterator[Resource]:
    """Yields the resources of the tasks that one of so many `cores` has, `own`: their numbers there.

    What other cores may hold of one is known if all its users have a core. Users for which the plan has to
    choose it count as if each were on a core of its own, and then as many of the longest sections as there
    are other cores.
    """
    taken = {one.name for one in system.resources if not own.keys().isdisjoint(one.tasks)}
    for one in system.resources:
        users = [(task, hold) for task, hold in one.users if task in own]
        if not users:
            continue
        yield replace(
            one,
            tasks=tuple(own[task] for task, _ in users),
            holds=tuple(hold for _, hold in users),
            within=tuple(name for name in one.within if name in taken),
            requests=tuple(one.requests_of(task) for task, _ in users),
            elsewhere=tuple(_elsewhere(system, one, own, cores)) if one.spin else (),
        )


def chains_within(system: System, own: Mapping[int, int]) -> Iterator[Chain]:
    """Yields the chains all of whose tasks are of `own`, which has their numbers in the part."""
    for one in system.chains:
        if own.keys() >= {*one.tasks}:
            yield replace(
                one,
                tasks=tuple(own[task] for task in one.tasks),
                activated=frozenset(own[task] for task in one.activated),
            )


def tables_within(system: System, own: Mapping[int, int]) -> Iterator[DispatcherTable]:
    """Yields the dispatcher tables all of whose tasks are of `own`, which has their numbers in the part."""
    for one in system.tables:
        if own.keys() >= {*one.tasks}:
            yield replace(
                one, points=tuple(replace(point, task=own[point.task]) for point in one.points)
            )


def _elsewhere(
    system: System, resource: Resource, own: Mapping[int, int], cores: int
) -> list[Fraction]:
    """Returns the sections for which one request of a task of `own` waits at most."""
    longest: dict[tuple[bool, int], Fraction] = defaultdict(Fraction)
    for task, hold in resource.users:
        if task not in own:
            core = system.task(task).core
            key = (True, task) if core is None else (False, core)
            longest[key] = max(longest[key], hold or Fraction(0))
    return sorted(longest.values(), reverse=True)[: cores - 1]


def parts_of(system: System) -> tuple[Part, ...]:
    """Returns the parts of `system`, one for each of its cores.

    ValueError if the plan has to choose the core of a task.
    """
    left = undivided(system)
    if left:
        raise ValueError(f"no core yet for {system.task(left[0]).name}")
    if system.cores == 1:
        jobs = range(len(system.all_tasks) + len(system.interrupts))
        return (Part(0, system, tuple(range(len(system.all_tasks))), tuple(jobs)),)
    return tuple(
        part_of(system, core, (i for i, task in enumerate(system.all_tasks) if task.core == core))
        for core in range(system.cores)
    )
