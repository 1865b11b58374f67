# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts that fall between two instructions of the kernel: found in review, kept from coming back.

Each test sweeps a release over a stretch of kernel code, a count later every time, in one run: its
task's period is a count longer than the pattern that it meets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.system.support import Run, made_system, ms, task

from horolog.analyse import jobs_in
from horolog.model import Overrun, Plan, PriorityRule, System
from horolog.plan import NOTHING, plan

pytestmark = pytest.mark.emulator

COUNT = Fraction(1, 25_000_000)
Bench = Callable[[System, Plan], Run]


def planned(system: System, mechanism: str) -> Plan:
    return plan(system, mechanism=mechanism, prices=NOTHING).choice


def test_a_release_between_an_overrun_and_its_next_job_is_dispatched(bench: Bench) -> None:
    """Every 20 ms `low` ends late and goes on with its next job; `high` must preempt it at once."""

    def system(offset: Fraction, duration: Fraction) -> System:
        made = made_system(
            [
                task("low", ms(4), work=15_000, overrun=Overrun.QUEUE, priority=1),
                task("mid", ms(10), work=75_000, priority=2),
                task("high", ms(20) + COUNT, offset=offset, work=10, priority=3),
            ],
            duration=duration,
        )
        return replace(made, priorities=PriorityRule.EXPLICIT)

    first = system(ms(8), ms(20))
    late_end = next(
        ns for ns, index in bench(first, planned(first, "one-shot")).times("E") if not index
    )
    swept = system(Fraction(late_end, 10**9) - 5 * COUNT, Fraction(26, 10))
    run = bench(swept, planned(swept, "one-shot"))
    assert run.side.overruns >= 100  # the pattern is there
    assert run.side.response["high"].max_ns < 20_000


@pytest.mark.parametrize("apart", range(64, 132, 8))
def test_a_one_shot_systick_interrupts_once_an_instant(apart: int, bench: Bench) -> None:
    """Two instants `apart` counts, while a thread walks a long list: the cell fires in the walk."""

    def system(offset: Fraction, duration: Fraction) -> System:
        near = [
            task(name, ms(10) + COUNT, offset=offset + shift * COUNT, work=10)
            for name, shift in (("a", 0), ("b", apart))
        ]
        group = [task(f"g{n}", ms(10), work=10) for n in range(60)]
        return made_system([*group, *near], cells=["systick"], duration=duration)

    first = system(ms(8), ms(10))
    walk = next(
        ns for ns, index in bench(first, planned(first, "one-shot")).times("E") if index == 40
    )
    swept = system(Fraction(walk, 10**9) + 5 * COUNT, Fraction(4, 10))
    run = bench(swept, planned(swept, "one-shot"))
    interrupts = run.side.interrupts
    assert interrupts.coalesced >= 0
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted
    assert run.side.jobs == sum(jobs_in(swept))
    assert run.side.deadline_misses == 0


@pytest.mark.parametrize("mechanism", ["gcd", "chronos", "one-shot"])
@pytest.mark.parametrize("beside", [None, ms(100)])
def test_periods_of_many_hops_lose_no_release(
    mechanism: str, beside: Fraction | None, bench: Bench
) -> None:
    """A hop of 2^30 counts may be served by the interrupt that serves the release itself."""
    tasks = [task("long", Fraction(60 if beside is None else 43), work=100)]
    if beside is not None:
        tasks.append(task("short", beside, work=100))
    system = made_system(tasks, board="host", duration=Fraction(185))
    run = bench(system, planned(system, mechanism))
    assert run.side.jobs == sum(jobs_in(system))
    assert run.side.overruns == run.side.deadline_misses == 0
    assert run.order("S").count(0) == jobs_in(system)[0]
