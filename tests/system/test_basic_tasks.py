# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks on the board, in emulated time: they start and end in the order of the reference model.

In the model the kernel takes no time. So each system leaves room: jobs that are longer by a twentieth start
and end in the same order, which is asserted, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from operator import itemgetter
from pathlib import Path

import pytest
from tests.support.basic_model import ModelLine, ModelTask, dispatch_order
from tests.system.support import BOARD, HOST, example, made_system, ms, task

from horolog.analyse import Dispatcher, dispatchers, jobs_in, levels, numbered
from horolog.model import Kind, Plan, PriorityRule, System
from horolog.plan import NOTHING, plan
from horolog.read import read_board, read_system
from horolog.run import measure_plan
from horolog.trace import read_trace

pytestmark = pytest.mark.emulator

RTL, PLAIN, M0 = "ibex-cells", "qemu-virt-rv32", "microbit"
UNITS = {BOARD: ms(1), RTL: ms("0.2"), M0: ms(2), HOST: ms(1), PLAIN: ms(1)}
"""A unit of time for each board: of RTL milliseconds suffice. On the last two threads serve basic tasks."""
TURN_NS = {BOARD: 64, RTL: 60, M0: 128, HOST: 64, PLAIN: 64}
"""What a turn of the work loop lasts."""


def model_order(
    system: System, chosen: Plan, longer: Fraction = Fraction(1)
) -> list[tuple[str, int]]:
    """By the model. Of lines of one level that with the smallest number goes first; a thread is a line.

    What the controller dispatches is above all that threads do.
    """
    on, by = levels(system), dispatchers(system)
    found = [
        (
            (line.by is Dispatcher.CONTROLLER, line.level),
            -1 if own is None else own.number,
            line.tasks,
        )
        for line, own in numbered(system, chosen)
    ]
    found += [
        ((False, on[at]), at, (at,))
        for at in range(len(system.tasks))
        if by[at] is Dispatcher.KERNEL
    ]
    height = {level: at for at, level in enumerate(sorted({level for level, _, _ in found}), 1)}
    lines = [ModelLine(height[level], some) for level, _, some in sorted(found, key=itemgetter(1))]
    tasks = [ModelTask(one.period, one.offset, longer * (one.wcet or 0)) for one in system.tasks]
    return dispatch_order(tasks, lines, system.duration)


def measured_order(
    system: System, chosen: Plan, folder: Path, overruns: int = 0
) -> list[tuple[str, int]]:
    side = measure_plan(system, chosen, folder)
    assert side.overruns == overruns
    trace = read_trace(folder / "horolog.trace")
    return [(kind, index) for _, kind, index in trace if kind in "SE"]


def made(board: str, *given: tuple[int, int, int], kinds: str = "") -> System:
    """Tasks as (period in units, offset in units, thousandths of a unit of work) on `board`.

    `kinds`: B or T for each; all are basic by default.
    """
    unit, turn = UNITS[board], Fraction(TURN_NS[board], 10**9)
    tasks = []
    for at, ((period, offset, work), kind) in enumerate(
        zip(given, kinds or "B" * len(given), strict=True)
    ):
        turns = int(work * unit / 1000 / turn)
        one = task(f"t{at}", period * unit, offset=offset * unit, work=turns)
        tasks.append(replace(one, kind=KINDS[kind], wcet=turns * turn))
    return replace(made_system(tasks, board=board), duration=240 * unit)


KINDS = {"B": Kind.BASIC, "T": Kind.THREAD}
NESTED = ((2, 0, 192), (4, 1, 1_152), (4, 1, 192), (24, 1, 2_880), (24, 1, 192))
"""Preempted in turn: the last two share a level, and take several periods of those above."""
SHARED = ((10, 0, 256), (10, 0, 256), (10, 5, 256), (10, 0, 256), (20, 0, 1_920))
MANY = tuple((20, 0, 96) for _ in range(40))
"""More than a line holds: two lines of one level."""


BOTH = ((2, 0, 192), (4, 1, 1_152), (8, 1, 192), (24, 1, 2_880), (48, 1, 192))
"""Each of a level of its own, preempted in turn."""


IN_CI_ON_RTL = {"nested", "two-lines-of-a-level", "TBTBB"}
"""The others take as long each there, and show on other boards what they show."""


def _marks(board: str, case: str = "") -> list[pytest.MarkDecorator]:
    """Tests of a board share its builds; what servers do on RV32 they do on the host, too."""
    is_soak = board == PLAIN or (board == RTL and bool(case) and case not in IN_CI_ON_RTL)
    is_soak |= board == M0 and case != "nested"
    more = [pytest.mark.soak] if is_soak else []
    return [pytest.mark.xdist_group(board), *more]


BOARD_PARAMETERS = [pytest.param(name, marks=_marks(name)) for name in UNITS]


CASES = {
    "nested": (NESTED, "gcd"),
    "nested-by-level": (NESTED, "mixed"),
    "nested-a-cell-a-task": (NESTED, "sloth"),
    "nested-one-shot": (NESTED, "one-shot"),
    "shared": (SHARED, "gcd"),
    "two-lines-of-a-level": (MANY, "gcd"),
}


@pytest.mark.parametrize(
    ("board", "given", "mechanism"),
    [
        pytest.param(board, *case, id=f"{name}-{board}", marks=_marks(board, name))
        for name, case in CASES.items()
        for board in UNITS
        # Cells of the last two have no lines, and of M0 there are two that share none.
        if case[1] != "sloth" or board not in (HOST, PLAIN, M0)
    ],
)
def test_jobs_start_and_end_as_in_the_model(
    board: str, given: Sequence[tuple[int, int, int]], mechanism: str, tmp_path: Path
) -> None:
    check(made(board, *given), mechanism, 3 if given is NESTED else 1, tmp_path)


@pytest.mark.parametrize(  # on the board with one cell there is none for both kinds
    ("board", "kinds"),
    [
        pytest.param(board, kinds, marks=_marks(board, kinds))
        for board in (BOARD, RTL, M0, HOST)
        for kinds in ("BBTTT", "BTBTB", "TBTBB")
    ],
)
def test_threads_and_basic_tasks_in_one_order(board: str, kinds: str, tmp_path: Path) -> None:
    """Threads below all basic tasks, and among them, where a thread serves those that are below it."""
    check(by_order(made(board, *BOTH, kinds=kinds)), "one-shot", 3, tmp_path)


LATE = ((4, 0, 10), (2, 1, 2_600), (8, 1, 192))
"""The second is still at work when it is released again, so every other release of it is dropped."""


@pytest.mark.parametrize("mechanism", ["gcd", "one-shot"])
@pytest.mark.parametrize("board", BOARD_PARAMETERS)
def test_releases_that_meet_an_unfinished_job(board: str, mechanism: str, tmp_path: Path) -> None:
    """Above it is a task of which the cell has the level: a table's cell does not interrupt its own."""
    system = by_order(made(board, *LATE))
    chosen = plan(system, mechanism=mechanism, prices=NOTHING).choice
    expected = model_order(system, chosen)
    dropped = sum(jobs_in(system)) - sum(kind == "S" for kind, _ in expected)
    assert dropped == 60
    assert measured_order(system, chosen, tmp_path, dropped) == expected


def by_order(system: System) -> System:
    """With explicit priorities, the first task's the largest."""
    tasks = tuple(
        replace(one, priority=len(system.tasks) - at) for at, one in enumerate(system.tasks)
    )
    return replace(system, tasks=tasks, priorities=PriorityRule.EXPLICIT)


def check(system: System, mechanism: str, depth: int, folder: Path) -> None:
    """The measured order is the model's, in which jobs are interrupted so deep."""
    chosen = plan(system, mechanism=mechanism, prices=NOTHING).choice
    expected = model_order(system, chosen)
    assert model_order(system, chosen, Fraction(21, 20)) == expected, "there is no room"
    found = measured_order(system, chosen, folder)
    assert found[: len(expected)] == expected
    assert len(expected) > 40
    assert max(accumulate(1 if kind == "S" else -1 for kind, _ in expected)) >= depth


def test_engine_control_as_basic_tasks(tmp_path: Path) -> None:
    system = read_system(example("engine-control"), kind=Kind.BASIC)
    assert system.board == read_board(BOARD)
    chosen = plan(system).choice
    side = measure_plan(system, chosen, tmp_path)
    assert side.instructions is not None
    assert (side.deadline_misses, side.overruns) == (0, 0)
    assert side.interrupts.taken == chosen.prediction.interrupts
    assert side.instructions.kernel <= 20 * side.jobs
    # Of 1,400 interrupts a second; a plan without any is more expensive.
    assert (chosen.prediction.disturbances_per_second or 0) < 3
    error = chosen.prediction.kernel_instructions / side.instructions.kernel - 1
    # Mixtures of basic tasks over several cells are predicted low.
    assert abs(error) <= Fraction(10, 100)
