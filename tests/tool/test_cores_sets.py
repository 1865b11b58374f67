# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `cores`: random sets at 80 % of the cores, the ideal schedule, and what is read of a run."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.build.freertos import freertos_source
from horolog.image import Function, Image
from horolog_experiments.cores import measure_cores
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
from horolog_experiments.cores.marks import Mark
from horolog_experiments.cores.results import Results, Row
from horolog_experiments.cores.sets_page import sets_part
from horolog_experiments.cores.task_sets import (
    HYPERPERIOD,
    MS,
    PeriodicTask,
    ideal_misses,
    task_set,
)
from horolog_experiments.cores.visits import Visit, global_figures, read_visits, watch_text
from horolog_experiments.planner.families import Draw

needs_freertos = pytest.mark.skipif(freertos_source() is None, reason="no source of FreeRTOS")


def test_sets_take_80_percent_and_are_the_same_each_time() -> None:
    for cores in SET_CORES:
        for seed in range(SETS):
            tasks = task_set(cores, seed)
            shares = [Fraction(one.work, one.period) for one in tasks]
            assert Fraction(79, 100) * cores < sum(shares) <= Fraction(4, 5) * cores
            assert len(tasks) == 4 * cores
            assert max(shares) <= 1
            assert all(HYPERPERIOD % one.period == 0 for one in tasks)
            assert list(tasks) == sorted(tasks, key=lambda one: one.ms)
    assert task_set(2, 0) != task_set(2, 1)
    assert task_set(2, 0)[0] == PeriodicTask(1, 2287)


def test_the_ideal_schedule_misses_what_no_core_has_time_for() -> None:
    half, long = PeriodicTask(1, MS // 6), PeriodicTask(2, 2 * MS // 3 - 1)
    assert ideal_misses((half, half, long), 2) == HYPERPERIOD // (2 * MS)  # half of a core is left
    assert ideal_misses((half, long), 2) == 0
    assert ideal_misses((PeriodicTask(1, MS), half), 1) > HYPERPERIOD // MS


def responses(tasks: Sequence[PeriodicTask], offsets: Sequence[int], cores: int) -> list[int]:
    """The longest response of each task in the schedule of four hyperperiods, an instant after the other."""
    left, released, longest = [0] * len(tasks), [0] * len(tasks), [0] * len(tasks)
    for now in range(4 * 60):
        for at, task in enumerate(tasks):
            if now >= offsets[at] and (now - offsets[at]) % task.ms == 0:
                assert left[at] == 0
                left[at], released[at] = task.turns, now
        for at in [at for at in range(len(tasks)) if left[at]][:cores]:
            left[at] -= 1
            if left[at] == 0:
                longest[at] = max(longest[at], now + 1 - released[at])
    return longest


class Coarse(PeriodicTask):
    """With an instant a ms, and a turn that takes one."""

    period = property(lambda self: self.ms)
    work = property(lambda self: self.turns)


def test_no_response_is_longer_than_its_bound() -> None:
    draw = Draw("bounds")
    met = 0
    for _ in range(150):
        cores = 2 + draw.below(2)
        tasks = sorted(
            (
                Coarse(ms, draw.within(1, ms))
                for ms in (draw.one_of((3, 4, 5, 6, 10)) for _ in range(5))
            ),
            key=lambda one: one.ms,
        )
        bounds = response_bounds(tasks, cores)
        offsets = [draw.below(one.ms) for one in tasks]
        seen = responses(tasks[: len(bounds)], offsets, cores)
        assert all(one <= bound for one, bound in zip(seen, bounds, strict=True))
        # A bound is of schedules that change at any time, not at whole cycles only: that is one more.
        met += sum(bound - one <= 1 for one, bound in zip(seen, bounds, strict=True))
    assert met > 100  # the test is no wild guess


def test_bounds_end_at_the_first_task_that_is_not_proved() -> None:
    half = PeriodicTask(1, MS // 6)
    assert response_bounds((half, half), 2) == [half.work, half.work + 1]
    assert len(response_bounds((half, half, PeriodicTask(1, MS // 3), half), 2)) == 2


def image() -> Image:
    functions = (
        Function("bench_job_0", 0x10, 0x20, "kernel"),
        Function("other", 0x20, 0x30, "kernel"),
        Function("hrlp_idle_loop", 0x30, 0x40, "idle"),
    )
    return Image(Path("set.elf"), functions, {}, {}, None)


def test_only_work_and_idling_are_logged(tmp_path: Path) -> None:
    assert watch_text(image(), tmp_path / "log") == (
        f"out {tmp_path / 'log'}\nwatch 0x10 0x20 0\nwatch 0x30 0x40 2\n"
    )
    texts = [
        "1 + 2 0x30\n5 - 2 0x32\n9 + 0 0x10\n12 - 0 0x1e\n20 + 2 0x30\n",
        "3 + 2 0x30\n4 - 2 0x30\n",
    ]
    assert read_visits(texts, image()) == [
        Visit(1, 6, 0, "idle"),
        Visit(3, 5, 1, "idle"),
        Visit(9, 13, 0, "0"),
    ]


def test_what_neither_works_nor_idles_is_the_kernels() -> None:
    tasks = (PeriodicTask(10, 10), PeriodicTask(20, 10))
    half, end = HYPERPERIOD // 2, HYPERPERIOD
    visits = [
        Visit(900, 1000, 0, "idle"),
        Visit(950, 1000 + end, 1, "idle"),
        Visit(1100, 1200, 0, "0"),
        Visit(1250, 1300, 0, "1"),
        Visit(1300, 1000 + half, 0, "idle"),
        Visit(1100 + half, 1200 + half, 1, "0"),
        Visit(1200 + half, 9000 + end, 0, "idle"),
        Visit(9500 + end, 9600 + end, 0, "0"),
    ]
    marks = [
        Mark(1100, 0, "begin_0"),
        Mark(1199, 0, "end_0"),
        Mark(1201, 0, "end_0"),  # an interrupt came before it was executed
        Mark(1250, 0, "begin_1"),
        Mark(1100 + half, 1, "begin_0"),
        Mark(1001 + end, 1, "end_0"),
    ]
    found = global_figures(tasks, 2, marks, visits, [[1000], [1001]])
    assert found == {"jobs": 3, "missed": 2, "kernel": 100 + 50 + 200 - 100, "moves": 1}


def measured(side: str, form: str, cores: int, seed: int, missed: int) -> Row:
    jobs = sum(HYPERPERIOD // one.period for one in task_set(cores, seed))
    figures = {"jobs": jobs, "missed": missed, "kernel": 1000 * jobs, "moves": 7}
    return Row(Case(SET, side, form, cores, seed=seed), figures)


def test_the_page_tells_misses_by_theory_from_those_by_overhead() -> None:
    rows = [
        measured(side, GLOBAL, cores, seed, int(seed == 7))
        for side in (OURS, FREERTOS)
        for cores, seed in (*((2, seed) for seed in range(SETS)), (4, 7))
    ]
    planned = measured(OURS, PLANNED, 2, 0, 0)
    page = sets_part(Results((*rows, planned), "tools", None))
    assert "| N = 4, set 7 | 9 of 16 | 83 | 2 | 1 (3) | 1 (3) | 1,000 | 1,000 | 7 | 7 |" in page
    assert "| N = 2, all | 56 of 64 | 409 | 0 | 1 (2) | 1 (2) | 1,000 | 1,000 | 56 | 56 |" in page
    assert "| N = 2, set 0 | 0 | 0 | 1,000 | 1,000 |" in page
    some = sets_part(Results((rows[0],), "tools", None))
    assert "| N = 2, set 0 | 7 of 8 | 45 | 0 | 0 (0) |  | 1,000 |  | 7 |  |" in some
    assert "all |" not in some


@needs_freertos
@pytest.mark.soak
def test_a_set_runs_on_both_kernels_and_divided(tmp_path: Path) -> None:
    chosen = [
        Case(SET, OURS, GLOBAL, 2, seed=1),
        Case(SET, FREERTOS, GLOBAL, 2, seed=1),
        Case(SET, OURS, PLANNED, 2, seed=1),
    ]
    found = [row.figures for row in measure_cores(tmp_path, lambda text: None, chosen).rows]
    assert [one["jobs"] for one in found] == [31, 31, 31]
    assert [one["missed"] for one in found] == [0, 0, 0]
    ours, theirs, divided = (one["kernel"] for one in found)
    assert divided * 3 < ours < theirs
