# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's sides on AVR boards, simulated: jobs as periods imply, interrupts as foreseen, equal bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import made_plan, made_system, ms, periodic, task

from horolog.build.firmware import build_firmware
from horolog.emit import tick_of
from horolog.model import ON_ONE_CORE, Baseline, System
from horolog.model.result import Side
from horolog.run import measure_baseline

pytestmark = [pytest.mark.emulator, pytest.mark.freertos]

# The slow ones are preempted, by others and by ticks; two share a rate.
TASKS = (("fast", "5", 30), ("slow.0", "10", 3000), ("slow.1", "10", 900), ("late", "20", 4000))


def system_of(board: str, tasks: Sequence[tuple[str, str, int]] = TASKS) -> System:
    made = [task(name, ms(period), work=work) for name, period, work in tasks]
    system = made_system(made, board=board, name="avr", cells=("timer1a", "timer1b"))
    tasks_ = tuple(replace(one, stack=96, wcet=None) for one in system.tasks)
    return replace(system, tasks=tasks_)


def sides_of(system: System, source: Path, out: Path, *, of: Sequence[Baseline]) -> list[Side]:
    # What is built of ours is not run here, so that any plan will do.
    plan = made_plan(periodic("timer1a", range(len(system.tasks)), system.board.clock.hz // 1000))
    return [measure_baseline(system, plan, source, out, baseline=one) for one in of]


@pytest.mark.parametrize("board", ["atmega128-8mhz", "arduino-uno"])
def test_every_side_runs_every_job(board: str, freertos: Path, tmp_path: Path) -> None:
    system = system_of(board)
    sides = sides_of(system, freertos, tmp_path, of=ON_ONE_CORE)
    for one, side in zip(ON_ONE_CORE, sides, strict=True):
        assert side.jobs == sum(int(system.duration / one.period) for one in system.tasks)
        assert (side.deadline_misses, side.overruns) == (0, 0)
        assert side.interrupts.adds_up
        hz = tick_of(system, one).hz
        assert hz is not None
        assert side.interrupts.taken == system.duration * hz
    stock, groups, notify = (side.counted for side in sides)
    assert stock.bodies == groups.bodies == notify.bodies
    assert stock.kernel > groups.kernel > notify.kernel


def test_a_tick_that_is_no_1_khz(freertos: Path, tmp_path: Path) -> None:
    """At 7.3728 MHz; the sides are asked for one after the other in one folder."""
    system = system_of("atmega128", [("a", "10", 30), ("b", "20", 300)])
    assert tick_of(system, Baseline.STOCK).hz == 900
    (stock,) = sides_of(system, freertos, tmp_path, of=[Baseline.STOCK])
    assert stock.interrupts.taken == stock.interrupts.predicted == system.duration * 900
    assert stock.jobs == system.duration / ms(10) + system.duration / ms(20)


def test_a_cell_that_notifies_at_the_instants_of_releases(freertos: Path, tmp_path: Path) -> None:
    system = system_of("atmega128-8mhz", [("a", "7", 30), ("b", "11", 900), ("c", "13", 300)])
    assert tick_of(system, Baseline.NOTIFY).one_shot
    (notify,) = sides_of(system, freertos, tmp_path, of=[Baseline.NOTIFY])
    assert notify.interrupts.adds_up
    assert notify.deadline_misses == 0
    assert notify.interrupts.taken < system.duration * Fraction(1000)


def test_a_side_that_does_not_fit_leaves_the_others(
    freertos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six stacks are too much for the Uno, the one of a rate group is not."""
    system = system_of("arduino-uno", [(f"t{at}", "5", 20) for at in range(6)])
    tasks = tuple(replace(one, stack=272) for one in system.tasks)
    system = replace(system, tasks=tasks)
    monkeypatch.setattr("horolog.build.firmware._build_ours", lambda *_: ())  # nor do ours
    plan = made_plan(periodic("timer1a", range(6), system.board.clock.hz // 200))
    some = (Baseline.STOCK, Baseline.RATE_GROUP)
    made = build_firmware(system, plan, tmp_path, freertos, baselines=some)
    assert made.no_freertos is None
    assert list(made.baselines) == [Baseline.RATE_GROUP]
    assert "of arduino-uno's memory ram, which has 2,048" in made.unlinked[Baseline.STOCK]
    made = build_firmware(system, plan, tmp_path, freertos, baselines=some[:1])
    assert made.no_freertos == made.unlinked[Baseline.STOCK]
