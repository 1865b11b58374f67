# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's sides, booted: each task's jobs come out as its period implies, with the same bodies on all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path

import pytest
from tests.system.support import BOARD, horolog, made_system, ms, task

from horolog.emit import as_run, tick_of
from horolog.measure.measured import Measured
from horolog.model import ON_ONE_CORE, Baseline, Overrun, System, Task
from horolog.model.result import Result
from horolog.plan import plan
from horolog.run import Request, measure, measure_baseline
from horolog.trace import jobs, segments

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.freertos,
    pytest.mark.usefixtures("freertos"),
    pytest.mark.xdist_group("baselines"),
]

EVERY = ON_ONE_CORE

# Two of 2 ms, two of 10 ms the second of which they preempt, and one that shares their rate but not their
# offset.
GROUPED = [
    task("fast.0", ms(2), work=300),
    task("slow.0", ms(10), work=20_000),
    task("fast.1", ms(2), work=300),
    task("slow.1", ms(10), work=20_000),
    task("later", ms(10), offset=ms(5), work=900),
]
LOOP = [
    task("current", ms("0.05"), work=100),
    task("speed", ms(1), work=400),
    task("slow", ms(20), offset=ms(5), work=3000),
]
ODD = [
    task("a", ms("3.75"), work=100),
    task("b", ms(59), offset=ms("0.5"), work=400),
    task("c", ms("7.123"), offset=ms(1), work=3000),
]
LATE = [replace(one, offset=one.offset + ms("0.25")) for one in ODD]  # nothing is due at t = 0
THIRDS = [task("third", ms("1/3"), work=100), task("slow", ms(20), offset=ms(5), work=3000)]


@dataclass(frozen=True)
class Beside:
    """What was compared."""

    system: System
    result: Result
    runs: dict[Baseline, Measured]

    def jobs(self, of: Baseline) -> Counter[int]:
        """The completed jobs of each task."""
        run = as_run(self.system, tick_of(self.system, of))
        done = jobs(self.runs[of].trace, run, nested=False)
        return Counter(job.task for job in done if job.end_ns is not None)


def implied(system: System) -> Counter[int]:
    return Counter(
        {i: ceil((system.duration - t.offset) / t.period) for i, t in enumerate(system.tasks)}
    )


@pytest.fixture(scope="module")
def compare(tmp_path_factory: pytest.TempPathFactory) -> Callable[[System], Beside]:
    folder = tmp_path_factory.mktemp("baselines")

    def run(system: System) -> Beside:
        out = folder / system.name / system.board.name
        request = Request(
            system, plan(system), out, lambda text: None, compare=True, baselines=EVERY
        )
        outcome = measure(request)
        return Beside(system, outcome.result, dict(outcome.freertos))

    return run


def check(beside: Beside, sides: tuple[Baseline, ...]) -> None:
    """All of `sides` ran what the periods imply, in time, with the interrupts that they foresaw."""
    system, result = beside.system, beside.result
    assert tuple(beside.runs) == sides
    for one in sides:
        side = result.freertos_sides[one]
        assert beside.jobs(one) == implied(as_run(system, tick_of(system, one)))
        assert (side.deadline_misses, side.overruns) == (0, 0)
        assert side.interrupts.adds_up
        assert set(side.response) == {task.name for task in system.tasks}
        if not side.rounded:
            assert side.counted.bodies == result.horolog.counted.bodies
            assert result.ratio_to(one) is not None


@pytest.mark.parametrize("board", [BOARD, pytest.param("mps2-an386", marks=pytest.mark.soak)])
def test_every_side_runs_every_job_of_every_task(
    board: str, compare: Callable[[System], Beside]
) -> None:
    beside = compare(made_system(GROUPED, board=board, name="grouped"))
    check(beside, EVERY)
    stock, groups, notify = (beside.result.freertos_sides[one] for one in EVERY)
    assert stock.interrupts.taken == groups.interrupts.taken == notify.interrupts.taken == 100
    # A switch a rate instead of one a task.
    assert groups.counted.kernel < stock.counted.kernel * Fraction(3, 4)
    assert beside.result.strongest in (Baseline.RATE_GROUP, Baseline.NOTIFY)


def test_a_group_is_preempted_and_goes_on_where_it_was(
    compare: Callable[[System], Beside],
) -> None:
    beside = compare(made_system(GROUPED, name="grouped"))
    for one in (Baseline.RATE_GROUP, Baseline.NOTIFY):
        parts = segments(beside.runs[one].trace, nested=False)
        # Between two bodies of a group nothing tells that what they preempted does not go on yet.
        pieces = [part.task for part in parts if part.end_ns - part.start_ns > 1000]
        # By priority, and within it in order; slow.1 goes on behind fast.0 and fast.1.
        assert pieces[:7] == [0, 2, 1, 3, 0, 2, 3]
        executed = {
            job.task: job.executed_ns
            for job in jobs(beside.runs[one].trace, beside.system, nested=False)
        }
        # 1.28 ms a job of the slow ones, with the interrupts that it suffered and no other body.
        for slow in (1, 3):
            assert 1_280_000 <= executed[slow] < 1_400_000


@pytest.mark.parametrize("cells", [["timer0"], ["systick"], ["dual0", "timer1"]])
def test_a_loop_of_20_khz_runs_from_a_timer_and_has_a_ratio(
    cells: list[str], compare: Callable[[System], Beside]
) -> None:
    beside = compare(made_system(LOOP, cells=cells, name="-".join(["loop", *cells])))
    check(beside, (Baseline.NOTIFY,))
    result = beside.result
    assert result.strongest is Baseline.NOTIFY
    assert result.freertos_sides[Baseline.NOTIFY].interrupts.taken == 2000
    assert result.ratio is None
    for one in (Baseline.STOCK, Baseline.RATE_GROUP):
        assert result.refused_to(one) == "no tick of up to 10 kHz comes within 10 % of every period"


@pytest.mark.parametrize(
    ("tasks", "cells", "extra"),
    [(ODD, ["timer0"], 0), (ODD, ["systick"], 0), (LATE, ["timer0"], 1)],
)
def test_periods_that_fit_no_grid_are_notified_at_their_instants(
    tasks: list[Task], cells: list[str], extra: int, compare: Callable[[System], Beside]
) -> None:
    name = f"odd-{cells[0]}-{extra}"
    beside = compare(made_system(tasks, cells=cells, duration=ms(200), name=name))
    check(beside, EVERY)
    notify = beside.result.freertos_sides[Baseline.NOTIFY]
    instants = {
        t.offset + k * t.period
        for i, t in enumerate(beside.system.tasks)
        for k in range(implied(beside.system)[i])
    }
    assert (
        notify.interrupts.taken == len(instants) + extra
    )  # t = 0 is one, whether or not a task is due
    assert notify.mechanism == f"{cells[0]}, one-shot"
    # No release drifts: the last jobs respond as the first ones do.
    for index, one in enumerate(beside.system.tasks):
        done = [
            job
            for job in jobs(beside.runs[Baseline.NOTIFY].trace, beside.system, nested=False)
            if job.task == index
        ]
        late = [job.start_ns - job.release_ns for job in done if job.start_ns is not None]
        assert min(late) >= 0, one.name
        assert max(late) < 250_000
    for by_tick in (Baseline.STOCK, Baseline.RATE_GROUP):
        assert 0 < beside.result.freertos_sides[by_tick].rounded <= Fraction(1, 100)
        assert beside.result.ratio_to(by_tick) is None


def test_thirds_are_rounded_and_said_to_be(compare: Callable[[System], Beside]) -> None:
    beside = compare(made_system(THIRDS, name="thirds"))
    check(beside, (Baseline.STOCK, Baseline.RATE_GROUP))
    result = beside.result
    assert result.strongest is None
    jobs_differ = f"jobs differ: Horolog {result.horolog.jobs}, FreeRTOS {result.horolog.jobs + 1}"
    assert result.ratio_refused == jobs_differ  # rounded by 0.004 %, which would be tolerated
    assert result.refused_to(Baseline.NOTIFY) == (
        "a period or offset is no whole number of the clock's counts"
    )
    assert result.freertos is not None
    assert result.freertos.jobs == result.horolog.jobs + 1  # 299.99 us fit once more into 100 ms


@pytest.mark.parametrize("baseline", EVERY)
def test_tasks_end_behind_their_releases(
    baseline: Baseline, freertos: Path, tmp_path: Path
) -> None:
    rows = [replace(one, overrun=Overrun.QUEUE) for one in GROUPED]
    system = replace(made_system(rows), releases=3)
    side = measure_baseline(system, plan(system).choice, freertos, tmp_path, baseline=baseline)
    assert side.jobs == 3 * len(rows)
    assert side.deadline_misses == 0


DESCRIPTION = """
[system]
name = "thirds"
board = "mps2-an385"
duration = "100 ms"

[[task]]
name = "one"
period = "PERIOD"
work = 100
"""


def described(period: str, folder: Path) -> Path:
    path = folder / "system.toml"
    path.write_text(DESCRIPTION.replace("PERIOD", period), encoding="utf-8")
    return path


def test_the_command_runs_the_named_side_only(tmp_path: Path) -> None:
    path = described("5 ms", tmp_path)
    said = horolog("compare", path, "--baseline", "rate-group", "--json", "--out", tmp_path)
    assert said.code == 0
    result = said.object
    assert result["commands"] == [f"horolog compare {path} --baseline rate-group"]
    assert result["freertos"] is None
    assert (result["ratio"], result["ratio_refused"]) == (None, None)
    assert list(result["baselines"]) == ["rate-group"]
    assert result["strongest"]["baseline"] == "rate-group"
    assert not (tmp_path / "freertos.counts").exists()
    assert not (tmp_path / "freertos_notify.counts").exists()


@pytest.mark.parametrize(
    ("asked", "built"),
    [
        ((), ["stock"]),
        (("--baseline", "all"), [one.value for one in EVERY]),
        (("--baseline", "rate-group"), ["rate-group"]),
    ],
)
def test_build_makes_the_sides_that_are_asked_for(
    asked: tuple[str, ...], built: list[str], tmp_path: Path
) -> None:
    path = described("5 ms", tmp_path)
    said = horolog("build", path, *asked, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    assert list(said.object["baselines"]) == built
    assert all(Path(elf).is_file() for elf in said.object["baselines"].values())
    assert said.object["freertos"] == said.object["baselines"].get("stock")


def test_build_says_which_side_cannot_express_the_system(tmp_path: Path) -> None:
    path = described("4/3 ms", tmp_path)
    said = horolog("build", path, "--baseline", "all", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    assert "FreeRTOS with notifications is not built: a period" in said.err
    assert [line.split()[0] for line in said.out.splitlines()] == [
        "generated",
        "horolog",
        "horolog.bin,",
        "freertos",
        "rate-group",
    ]
