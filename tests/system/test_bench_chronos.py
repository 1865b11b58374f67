# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tasks that end, on both kernels and ports; FreeRTOS tickless; a few points of the bench `chronos`."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.system.support import BOARD, HOST, horolog, made_system, measured, ms, task

from horolog.model import MASK_STORES, Kind, Overrun, System
from horolog.model.result import Interrupts
from horolog.plan import plan
from horolog.run import measure_baseline
from horolog_experiments.chronos import (
    DATA,
    Point,
    Variant,
    measure_chronos,
    measure_point,
)

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("bench-chronos")]

RELEASES = 3
PERIODS_MS = (5, 10, 30)


def ending(board: str = BOARD, releases: int | None = RELEASES) -> System:
    tasks = [task(f"t{period}", ms(period), overrun=Overrun.QUEUE) for period in PERIODS_MS]
    return replace(made_system(tasks, board=board, duration=ms(200)), releases=releases)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all mechanisms, so that the kernel is compiled once for each board."""
    return tmp_path_factory.mktemp("ending")


@pytest.mark.parametrize(
    ("board", "mechanism", "queue"),
    [
        (BOARD, "tick", None),
        (BOARD, "one-shot", None),
        (BOARD, "chronos-const", None),
        (BOARD, "chronos-harmonic", None),
        (BOARD, "chronos", "period-groups"),
        (BOARD, "tick", "mask-table"),
        (BOARD, "one-shot", "mask-table"),
        (HOST, "one-shot", None),
    ],
)
def test_every_task_ends_behind_one_more_release(
    board: str, mechanism: str, queue: str | None, folder: Path
) -> None:
    system = ending(board)
    choice = plan(system, mechanism=mechanism, queue=queue).choice
    run = measured(system, choice, folder / f"{board}-{queue in MASK_STORES}")
    assert Counter(run.order("S")) == Counter(run.order("E")) == dict.fromkeys(range(3), RELEASES)
    assert run.side.jobs == RELEASES * len(PERIODS_MS)
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    released = {index: ns for ns, index in run.times("R")}  # the last of each
    for index, period in enumerate(PERIODS_MS):
        assert abs(released[index] - period * RELEASES * 10**6) < 10**6


@pytest.mark.parametrize(
    ("mechanism", "overrun", "nominal", "taken"),
    [
        ("tick", Overrun.QUEUE, 200, 61),
        ("gcd", Overrun.QUEUE, 40, 13),
        ("one-shot", Overrun.QUEUE, 40, 13),
        ("sloth", Overrun.QUEUE, 67, 9),
        ("tick", Overrun.SKIP, 200, 200),
        ("sloth", Overrun.SKIP, 67, 67),
    ],
)
def test_every_basic_task_ends(
    mechanism: str, overrun: Overrun, nominal: int, taken: int, tmp_path: Path
) -> None:
    """With the last of its tasks a cell stops, at 60 ms of 200; not if a task is alone on a line."""
    system = ending()
    basic = [replace(task, kind=Kind.BASIC, overrun=overrun) for task in system.tasks]
    system = replace(system, tasks=tuple(basic))
    choice = plan(system, mechanism=mechanism).choice
    run = measured(system, choice, tmp_path)
    assert Counter(run.order("S")) == Counter(run.order("E")) == dict.fromkeys(range(3), RELEASES)
    assert (run.side.jobs, run.side.deadline_misses, run.side.overruns) == (9, 0, 0)
    assert run.side.interrupts == Interrupts(nominal, taken, nominal - taken)


def test_freertos_ends_as_we_do(tmp_path: Path, freertos: Path) -> None:
    system = ending()
    choice = plan(system, mechanism="tick").choice
    ours = measured(system, choice, tmp_path / "ours").side
    theirs = measure_baseline(system, choice, freertos, tmp_path / "theirs")
    endless = measure_baseline(ending(releases=None), choice, freertos, tmp_path / "theirs")
    assert ours.instructions is not None
    assert theirs.instructions is not None
    assert endless.instructions is not None
    assert ours.jobs == theirs.jobs == RELEASES * len(PERIODS_MS)
    assert ours.instructions.bodies == theirs.instructions.bodies
    assert "vTaskSuspend" in theirs.instructions.by_function
    assert "vTaskSuspend" not in endless.instructions.by_function
    assert endless.jobs == 40 + 20 + 7
    assert theirs.interrupts.taken == endless.interrupts.taken == 200


def test_the_tickless_baseline_sleeps_over_its_ticks(tmp_path: Path, freertos: Path) -> None:
    """3 instants in 15 ms: at each the tick that is due, and the one at which it sees that it may sleep."""
    system = ending(releases=None)
    choice = plan(system, mechanism="tick").choice
    stock = measure_baseline(system, choice, freertos, tmp_path)
    tickless = measure_baseline(system, choice, freertos, tmp_path, tickless=True)
    assert stock.instructions is not None
    assert tickless.instructions is not None
    assert tickless.jobs == stock.jobs
    assert tickless.deadline_misses == 0
    assert stock.interrupts.taken == 200
    assert 40 <= tickless.interrupts.taken <= 80
    assert "vPortSuppressTicksAndSleep" in tickless.instructions.by_function
    assert "vPortSuppressTicksAndSleep" not in stock.instructions.by_function
    assert tickless.instructions.idle > stock.instructions.total * 9 // 10
    # Its clock is a little fast, never more than the port's constant a sleep.
    assert all(-ms(1) * 10**9 < times.min_ns for times in tickless.response.values())


def test_a_tick_at_the_gcd_does_the_same_work_with_fewer_interrupts(
    tmp_path: Path, freertos: Path
) -> None:
    points = [Point("low", 3, Variant.CONTINUOUS, method) for method in ("freertos", "gcd-tick")]
    stock, slow = (measure_point(point, tmp_path / point.method) for point in points)
    assert (slow.jobs, slow.bodies, slow.misses) == (stock.jobs, stock.bodies, 0)
    assert (stock.predicted, stock.taken) == (2000, 2000)
    assert slow.predicted == slow.taken == 667  # at 0, 3, ... 1,998 ms
    assert slow.kernel < stock.kernel
    assert slow.earliest_ns > 0  # no job ends before its release, so t = 0 is the same instant


@pytest.mark.soak  # 15 s
def test_points_are_repeatable_and_kept(tmp_path: Path) -> None:
    points = [
        Point("harmonic-low", 2, Variant.FIVE, "chronos"),
        Point("single", 2, Variant.CONTINUOUS, "harmonic"),
    ]
    said: list[str] = []
    results = measure_chronos(tmp_path / "a", said.append, points=points)
    text = DATA.text(results)
    assert DATA.text(measure_chronos(tmp_path / "a", said.append, points=points)) == text
    chronos, single = results.rows
    assert measure_point(points[1], tmp_path / "b") == single
    assert (chronos.state, single.state) == ("measured", "measured")
    assert (chronos.jobs, chronos.misses, chronos.bodies) == (500, 0, 500 * 2005)
    assert chronos.taken + chronos.coalesced == chronos.predicted
    assert single.taken + single.coalesced == single.predicted == 2000


@pytest.mark.soak  # 40 s; what it measures is tested above, point by point
def test_the_command_measures_a_few_points(tmp_path: Path, freertos: Path) -> None:
    said = horolog("bench", "chronos", "--quick", "--out", tmp_path, "--json")
    assert said.code == 0, said.err
    assert said.err == ""
    names = {Path(path).name for path in said.object["written"]}
    assert {"result.json", "chronos.md", "measured.json"} <= names
    made = json.loads((tmp_path / "result.json").read_text())
    points = [row for row in made["rows"] if row["what"] == "point"]
    assert {row["state"] for row in points} == {"measured"}
    assert {row["deadline_misses"] for row in points} == {0}
    met = {one["name"]: one for one in made["targets"]}
    assert met["points that hold under FreeRTOS and not under ours"]["met"]
    assert met["taken + coalesced interrupts against predicted, largest difference"]["met"]
    assert "limited run" in (tmp_path / "chronos.md").read_text(encoding="utf-8")
