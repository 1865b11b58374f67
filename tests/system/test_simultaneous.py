# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""All releases of one instant precede any dispatch that they cause, also when two cells make them.

The case that matters is the one in which the less urgent task's cell is served first: a kernel that
dispatches at the end of that handler starts the wrong task. Cells of the board are in phase to within
3 counts; which is served first depends on what is left of that, so on the pair, and on how long start-up
took to come to each, so on the kernel's code. Both ways round are tried, and if that case is in neither,
again with the cells started in other orders, a third one, of which no interrupt falls into the window,
between them. It has to occur for each pair, at one common instant at least; what holds for it is checked
at all of them, whichever is first. On the host cells agree exactly and the first one is served first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.system.support import BOARD, HOST, Run, made_plan, made_system, ms, task
from tests.system.support import one_shot as one_shot_on
from tests.system.support import periodic as periodic_on

from horolog.model import Plan, Releaser, System

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

URGENT, SLOW = 0, 1  # tasks
PERIOD_MS = (2, 3)
COUNTS = (50_000, 75_000)
COMMON = [at * 6_000_000 for at in range(10)]  # ns: every 6 ms of the window

PAIRS = [
    (BOARD, "systick", "timer0"),
    (BOARD, "systick", "dual0"),
    (BOARD, "timer0", "timer1"),
    (HOST, "cell1", "cell3"),
]
MODES = [("periodic", "periodic"), ("periodic", "one-shot"), ("one-shot", "periodic")]


def on(cell: str, mode: str, index: int) -> Releaser:
    if mode == "periodic":
        return periodic_on(cell, [index], COUNTS[index])
    return one_shot_on(cell, [index])


def system_on(board: str) -> System:
    tasks = [
        task("urgent", ms(PERIOD_MS[URGENT]), work=500),
        task("slow", ms(PERIOD_MS[SLOW]), work=1_000),
        task("later", ms(10_000), offset=ms(1_000), work=10),  # not in the window
    ]
    return made_system(tasks, board=board, duration=ms(60))


def around(run: Run, instant: int, number: int) -> list[tuple[str, int]]:
    """(kind, index) of so many releases and starts, from just before `instant` on."""
    return [(kind, i) for ns, kind, i in run.events("RS") if ns >= instant - 200][:number]


def switches_before(run: Run, instant: int, urgent: int) -> set[int]:
    """The tasks that got the processor from `instant` until `urgent` starts (seen on the board only).

    A switch to another task is wasted even where the next interrupt comes before it can start.
    """
    found = set()
    for ns, kind, index in run.events("SD"):
        if ns >= instant - 200:
            if kind == "S":
                assert index == urgent
                break
            found.add(index)
    return found


def slow_was_first(run: Run) -> bool:
    """Checks every common instant; whether the less urgent task was released first at one of them."""
    first = []
    for instant in COMMON:
        releases, starts = (seen := around(run, instant, 4))[:2], seen[2:]
        assert sorted(releases) == [("R", URGENT), ("R", SLOW)], f"at {instant} ns: {seen}"
        assert starts == [("S", URGENT), ("S", SLOW)], f"at {instant} ns: {seen}"
        assert switches_before(run, instant, URGENT) <= {URGENT}
        entries = [cell for ns, cell in run.times("I") if 0 <= ns - instant + 200 < 20_000]
        assert len(entries) == 2, f"at {instant} ns: one interrupt a cell"
        first.append(releases[0] == ("R", SLOW))
    assert run.side.jobs == run.side.interrupts.taken == 50
    assert run.side.deadline_misses == run.side.overruns == 0
    return any(first[1:])  # the first is started by hand


def meet(board: str, cells: tuple[str, str], modes: tuple[str, str], bench: Bench) -> bool:
    """Runs `cells` in `modes`, each in turn with the less urgent task; whether that was ever first."""
    system = system_on(board)
    third = next(cell.name for cell in system.board.cells if cell.name not in cells)
    for order in ((0, 1, 2), (1, 0, 2), (0, 2, 1), (1, 2, 0)):  # in which they are started
        cases = []
        for urgent in (0, 1):
            releasers = [
                on(cells[0], modes[0], urgent),
                on(cells[1], modes[1], 1 - urgent),
                one_shot_on(third, [2]),
            ]
            cases.append(slow_was_first(bench(system, made_plan(*[releasers[n] for n in order]))))
        if any(cases):
            return True
    return False


@pytest.mark.parametrize(("board", "one", "other"), PAIRS)
def test_both_releases_precede_both_starts(board: str, one: str, other: str, bench: Bench) -> None:
    """In all modes; the case that matters has to occur in one at least."""
    met = [meet(board, (one, other), modes, bench) for modes in MODES]
    assert any(met)


@pytest.mark.parametrize(("board", "cells"), [(BOARD, "systick timer0 timer1 dual0"), (HOST, "")])
def test_four_cells_release_before_anybody_starts(board: str, cells: str, bench: Bench) -> None:
    """The more urgent a task, the later its cell is served; modes alternate."""
    order = cells.split() or ["cell0", "cell1", "cell2", "cell3"]
    periods = (12, 8, 6, 4)  # of the cells in order; the last is the most urgent
    system = made_system(
        [task(f"every-{p}", ms(p), work=300) for p in periods], board=board, duration=ms(96)
    )
    releasers = [
        periodic_on(cell, [i], periods[i] * 25_000) if i % 2 == 0 else one_shot_on(cell, [i])
        for i, cell in enumerate(order)
    ]
    plan = made_plan(*releasers, interrupts=[96 // p for p in periods])
    run = bench(replace(system, name="four"), plan)
    assert run.side.interrupts.taken == run.side.interrupts.predicted
    for instant in range(0, 96, 24):
        seen = around(run, instant * 10**6, 8)
        assert sorted(seen[:4]) == [("R", i) for i in range(4)]
        assert seen[4:] == [("S", i) for i in (3, 2, 1, 0)]
        assert switches_before(run, instant * 10**6, 3) <= {3}
