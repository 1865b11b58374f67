# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The part of the page about random sets at 80 % of the cores."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from horolog_experiments.cores.cases import (
    FREERTOS,
    GLOBAL,
    OURS,
    PLANNED,
    SET,
    SET_CORES,
    SETS,
    Case,
)
from horolog_experiments.cores.global_bounds import response_bounds
from horolog_experiments.cores.results import Results, Row
from horolog_experiments.cores.task_sets import (
    HYPERPERIOD,
    MS,
    PERIODS,
    TASKS_A_CORE,
    TURN,
    ideal_misses,
    task_set,
)
from horolog_experiments.harness import number, table

__all__ = ["sets_part"]

_SIDES = (OURS, FREERTOS)
_NAMES = {OURS: "Horolog", FREERTOS: "FreeRTOS"}


def sets_part(results: Results) -> str:
    """The rows of the sets, and what they say; nothing if none was measured."""
    rows = []
    for cores in SET_CORES:
        every = [
            [results.row(Case(SET, side, GLOBAL, cores, seed=seed)) for side in _SIDES]
            for seed in range(SETS)
        ]
        rows += [_of_set(cores, seed, sides) for seed, sides in enumerate(every) if any(sides)]
        rows += _together(cores, every)
    if not rows:
        return ""
    ms = HYPERPERIOD // MS
    periods = f"{', '.join(map(str, PERIODS[:-1]))} and {PERIODS[-1]}"
    words = [_NAMES[side] for side in _SIDES]
    header = ["", "tasks proved", "jobs", "missed by theory"]
    header += [f"{name}: missed (theory, with the kernel's cycles)" for name in words]
    header += [f"{name}: kernel cycles a job" for name in words]
    header += [f"{name}: changes of core" for name in words]
    return f"""\
## A global set at 80 % of N cores

Random sets of {TASKS_A_CORE} periodic tasks a core. All utilisations that sum up to 80 % of the cores are
equally likely (UUniFast-Discard). Periods are {periods} ms, each as likely, and
deadlines are their ends. The seeds are 0 to {SETS - 1}; no set is left out. Any core may run any task: with
HRL_THREAD_DEFINE_GLOBAL, and with FreeRTOS's SMP kernel without affinity. Priorities are rate-monotonic, one
a task, and time slices are off. All are released at t = 0, and one hyperperiod is counted, {ms} ms.
The kernel's cycles are those of all cores in which neither a task's work nor the idle loop is executed:
waits for locks, doorbells and, of FreeRTOS, {ms} ticks are among them. A change of core is a task that goes
on, or begins its next job, on another core than before.

A global schedule by fixed priorities guarantees nothing at 80 %. *Missed by theory* are the jobs that end
late in that schedule if switches cost nothing. In brackets is the same if each job is longer by the
kernel's cycles a job of that side: so many misses are explained by overhead of that mean. What is more comes
of instants at which many tasks are released: all of a core's releases precede its dispatch, and each takes
the lock, so a task starts later than on the mean. *Proved* are the tasks, from the most urgent on, of which a
sufficient test says that all their jobs are in time in that schedule, with any offsets, if switches cost
nothing (Bertogna and Cirinei, 2007).

{table(header, rows)}

{_partitioned(results)}"""


def _of_set(cores: int, seed: int, sides: list[Row | None]) -> list[str]:
    tasks = task_set(cores, seed)
    known = next(row for row in sides if row is not None)
    return [
        f"N = {cores}, set {seed}",
        f"{len(response_bounds(tasks, cores))} of {len(tasks)}",
        f"{known.figures['jobs']}",
        f"{ideal_misses(tasks, cores)}",
        *("" if row is None else f"{row.figures['missed']} ({_explained(row)})" for row in sides),
        *("" if row is None else number(_a_job([row])) for row in sides),
        *("" if row is None else f"{row.figures['moves']}" for row in sides),
    ]


def _explained(row: Row) -> int:
    """How many jobs end late in the ideal schedule if each is longer by what the kernel takes for one."""
    more = -(-row.figures["kernel"] // (row.figures["jobs"] * TURN))
    tasks = task_set(row.case.cores, row.case.seed)
    longer = tuple(replace(task, turns=task.turns + more) for task in tasks)
    return ideal_misses(longer, row.case.cores)


def _a_job(rows: list[Row]) -> Fraction:
    return Fraction(
        sum(row.figures["kernel"] for row in rows), sum(row.figures["jobs"] for row in rows)
    )


def _together(cores: int, every: list[list[Row | None]]) -> list[list[str]]:
    """The row of all sets, if all were measured."""
    by_side = [[row for row in rows if row is not None] for rows in zip(*every, strict=True)]
    if not all(len(rows) == SETS for rows in by_side):
        return []
    sums = [
        {name: sum(row.figures[name] for row in rows) for name in ("jobs", "missed", "moves")}
        for rows in by_side
    ]
    theory = sum(ideal_misses(task_set(cores, seed), cores) for seed in range(SETS))
    proved = sum(len(response_bounds(task_set(cores, seed), cores)) for seed in range(SETS))
    explained = [sum(map(_explained, rows)) for rows in by_side]
    return [
        [
            f"N = {cores}, all",
            f"{proved} of {SETS * TASKS_A_CORE * cores}",
            f"{sums[0]['jobs']}",
            f"{theory}",
            *(f"{one['missed']} ({n})" for one, n in zip(sums, explained, strict=True)),
            *(number(_a_job(rows)) for rows in by_side),
            *(f"{one['moves']}" for one in sums),
        ]
    ]


def _partitioned(results: Results) -> str:
    """The first set of each number of cores, with a core for each task, by the plan."""
    rows = []
    for cores in SET_CORES:
        found = [results.row(Case(SET, OURS, form, cores)) for form in (PLANNED, GLOBAL)]
        if all(found):
            known = [row for row in found if row is not None]
            rows.append(
                [
                    f"N = {cores}, set 0",
                    *(f"{row.figures['missed']}" for row in known),
                    *(number(_a_job([row])) for row in known),
                ]
            )
    header = ["", "divided by the plan: missed", "any core: missed"]
    header += ["divided by the plan: kernel cycles a job", "any core: kernel cycles a job"]
    return (
        'The same tasks of a description with `core = "auto"`: the plan gives each a core, proves all\n'
        "deadlines, and chooses what releases them. No switch takes a lock, and no task changes its core.\n\n"
        + table(header, rows)
    )
