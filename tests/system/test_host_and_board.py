# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The same system on the host port and on the board: the same order of releases and dispatches.

What may differ, and why. On the host kernel code takes no time; on the board it takes some 10 us a job.
A busy period so lasts longer on the board, and a job of a later instant may find an earlier, less urgent
one started already, or not yet. So the sequence of *all* starts is comparable only where every busy
period ends before the next release on both: there it must be equal from the first start to the last
(drone as it is; the other two with more room). In the examples as they are, these hold nevertheless,
whatever kernel time is:

- each instant releases the same tasks on both;
- jobs of one instant start in the same order on both;
- each side on its own follows the rules of fixed-priority scheduling and FIFO lists to the letter.

Releases of one instant come in the order in which the tasks began to wait, so in the order in which
their jobs before ended; where a less urgent job ends after the next instant on one side only, that
order differs. Of several cells that interrupt together, the board serves SysTick first (its exception
number is lowest), the host its first cell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

import pytest
from tests.system.support import BOARD, EXAMPLES, HOST, Run, example

from horolog.analyse import levels
from horolog.model import Plan, System
from horolog.plan import plan
from horolog.read import read_system
from horolog.trace import jobs

pytestmark = pytest.mark.emulator

ExampleRun = Callable[..., Run]
Bench = Callable[[System, Plan], Run]

_FIFO = "sorted-list"
"""First come, first served among equals: a delay queue's rule. Masks have another (ADR 0011)."""

AS_THEY_ARE = [
    ("engine-control", "tick"),
    ("engine-control", "one-shot"),
    ("chronos", "one-shot"),
    ("chronos", "chronos"),
    ("drone", "one-shot"),
    ("drone", "chronos"),
    ("drone", "gcd"),
]


def starts_by_instant(run: Run) -> dict[Fraction, list[int]]:
    """For each nominal instant, its tasks in the order in which their jobs started."""
    position: dict[tuple[int, int], int] = {}
    started = [0] * len(run.system.tasks)
    for at, (_, kind, task) in enumerate(run.trace):
        if kind == "S":
            position[task, started[task]] = at
            started[task] += 1
    by_instant: dict[Fraction, list[tuple[int, int]]] = defaultdict(list)
    number = [0] * len(run.system.tasks)
    for job in jobs(run.trace, run.system):  # by task, then in order
        by_instant[job.release_ns].append((position[job.task, number[job.task]], job.task))
        number[job.task] += 1
    return {at: settled(run, [task for _, task in sorted(rows)]) for at, rows in by_instant.items()}


def settled(run: Run, tasks: list[int]) -> list[int]:
    """`tasks` of one instant in order, with what is not promised put in a fixed order.

    Cells that fire at one instant are in phase to the count, and within that count either may be
    served first. So equals (tasks of one level; with more ranks than levels they can have different
    periods) that two cells release at one instant start in either order.
    """
    level = levels(run.system)
    releaser_of = {task: n for n, r in enumerate(run.plan.releasers) for task in r.tasks}
    in_order: list[int] = []
    for _, equals in groupby(tasks, key=lambda task: level[task]):
        in_order += sorted(equals, key=lambda task: releaser_of[task])  # stable: FIFO within a cell
    return in_order


def settled_starts(run: Run) -> list[int]:
    """All starts in order; those in a row that are of one instant are settled."""
    number = [0] * len(run.system.tasks)
    instants: list[tuple[Fraction, int]] = []
    for task in run.order("S"):
        of = run.system.tasks[task]
        instants.append((of.offset + number[task] * of.period, task))
        number[task] += 1
    in_order: list[int] = []
    for _, together in groupby(instants, key=lambda start: start[0]):
        in_order += settled(run, [task for _, task in together])
    return in_order


def releases_by_instant(run: Run) -> dict[Fraction, list[int]]:
    """For each nominal instant, its tasks in the order in which they were released."""
    number = [0] * len(run.system.tasks)
    by_instant: dict[Fraction, list[int]] = defaultdict(list)
    for task in run.order("R"):
        of = run.system.tasks[task]
        by_instant[of.offset + number[task] * of.period].append(task)
        number[task] += 1
    return by_instant


def check_scheduler(run: Run) -> None:
    """Every start is the most urgent ready task's, and of equals the one released first."""
    level = levels(run.system)
    ready: list[int] = []  # released and not started, in order of release
    stack: list[int] = []  # started and not ended
    for ns, kind, task in run.trace:
        if kind == "R":
            ready.append(task)
        elif kind == "S":
            best = max(level[other] for other in ready)
            assert task == next(t for t in ready if level[t] == best), f"at {ns} ns"
            assert not stack or level[stack[-1]] < level[task], f"at {ns} ns"
            ready.remove(task)
            stack.append(task)
        elif kind == "E":
            assert stack.pop() == task, f"at {ns} ns"
    assert not ready
    assert not stack


def check_lists(run: Run) -> None:
    """Tasks of one list that are due together are released in the order in which they began to wait.

    At first that is the order of the description, then of their jobs' ends.
    """
    releaser_of = {task: n for n, r in enumerate(run.plan.releasers) for task in r.tasks}
    waiting_since = {task: task - len(run.system.tasks) for task in releaser_of}
    number = [0] * len(run.system.tasks)
    last: dict[int, tuple[Fraction, int]] = {}
    for at, (_, kind, task) in enumerate(run.trace):
        if kind == "E":
            waiting_since[task] = at
        elif kind == "R":
            of = run.system.tasks[task]
            key = of.offset + number[task] * of.period, waiting_since[task]
            number[task] += 1
            releaser = releaser_of[task]
            assert last.get(releaser, (Fraction(-1), 0)) < key
            last[releaser] = key


def both(example_run: ExampleRun, name: str, mechanism: str) -> tuple[Run, Run]:
    board, host = (example_run(name, mechanism, side, _FIFO) for side in (BOARD, HOST))
    assert board.side.deadline_misses == host.side.deadline_misses == 0
    assert board.side.overruns == host.side.overruns == 0
    # The same plan on cells that go by other names.
    assert [r.tasks for r in board.plan.releasers] == [r.tasks for r in host.plan.releasers]
    return board, host


@pytest.mark.parametrize(("name", "mechanism"), AS_THEY_ARE)
def test_each_instant_releases_the_same_tasks(
    name: str, mechanism: str, example_run: ExampleRun
) -> None:
    board, host = (releases_by_instant(run) for run in both(example_run, name, mechanism))
    assert list(board) == list(host), "instants in another order"
    for instant, tasks in board.items():
        assert sorted(tasks) == sorted(host[instant])


@pytest.mark.parametrize(("name", "mechanism"), AS_THEY_ARE)
def test_jobs_of_one_instant_start_in_the_same_order(
    name: str, mechanism: str, example_run: ExampleRun
) -> None:
    board, host = (starts_by_instant(run) for run in both(example_run, name, mechanism))
    assert board == host


@pytest.mark.parametrize("side", [BOARD, HOST])
@pytest.mark.parametrize(("name", "mechanism"), AS_THEY_ARE)
def test_each_side_keeps_the_rules(
    name: str, mechanism: str, side: str, example_run: ExampleRun
) -> None:
    run = example_run(name, mechanism, side, _FIFO)
    check_scheduler(run)
    check_lists(run)


def roomy(name: str, board: str) -> System:
    """The example with four times as much time and hardly any work: busy periods stay apart."""
    system = read_system(example(name), board=board)
    tasks = tuple(
        replace(
            task,
            period=4 * task.period,
            offset=4 * task.offset,
            deadline=4 * task.deadline,
            wcet=None,
            body=None,
            work=10,
        )
        for task in system.tasks
    )
    return replace(system, tasks=tasks, sources=(), duration=2 * system.duration)


@pytest.mark.parametrize(
    ("name", "mechanism"),
    [
        ("engine-control", "tick"),
        ("chronos", "chronos"),
        pytest.param("chronos", "one-shot", marks=pytest.mark.soak),
    ],
)
def test_with_room_the_whole_order_is_the_same(name: str, mechanism: str, bench: Bench) -> None:
    runs = []
    for board in (BOARD, HOST):
        system = roomy(name, board)
        runs.append(bench(system, plan(system, mechanism=mechanism, queue=_FIFO).choice))
    check_whole_order(*runs)


@pytest.mark.parametrize("mechanism", ["one-shot", "gcd", "chronos"])
def test_the_drone_as_it_is_has_the_same_whole_order(
    mechanism: str, example_run: ExampleRun
) -> None:
    check_whole_order(*both(example_run, "drone", mechanism))


def check_whole_order(board: Run, host: Run) -> None:
    """The same sequence of starts, and a list at a time the same sequence of releases."""
    assert settled_starts(board) == settled_starts(host)
    for releaser in board.plan.releasers:
        members = set(releaser.tasks)
        ours, theirs = ([t for t in run.order("R") if t in members] for run in (board, host))
        assert ours == theirs
    if len(board.plan.releasers) == 1:
        assert board.order("R") == host.order("R")
    check_scheduler(board)
    check_scheduler(host)


def test_every_example_is_compared() -> None:
    assert {name for name, _ in AS_THEY_ARE} == set(EXAMPLES)
