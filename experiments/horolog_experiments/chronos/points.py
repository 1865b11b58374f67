# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""One point: planned, built, run, and what it came to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from pathlib import Path

from horolog.analyse import count_instant, window_counts
from horolog.build.freertos import HOW_TO_GET_IT, freertos_source
from horolog.emit import slowest_tick
from horolog.model import (
    STATIC_STORES,
    Baseline,
    HorologError,
    Mode,
    NeverIdle,
    Plan,
    Planned,
    Releaser,
    System,
)
from horolog.model.result import Instructions, Side
from horolog.plan import plan
from horolog.run import measure_baseline, measure_plan
from horolog_experiments.chronos.sets import Point, Variant, method, scenario, system_of

__all__ = ["Row", "expected_interrupts", "measure_point", "plan_of", "tick_and_delay"]

_SWITCH = {"PendSV_Handler", "vTaskSwitchContext", "hrli_cpu_switch"}
_FRAME = re.compile(
    r"run_jobs|(limited|run)_(shared_)?\d+|hrl_gen_group_\d+"  # the loop of jobs
    r"|vTaskSuspend|vListInsertEnd|vTaskDelay"  # a task's end, and where it had first begun to wait
    r"|hrl_semaphore_take(_forever)?|wait_for_token|hrli_wait_forever"
    r"|wait_for|hrli_wait_enter|hrli_wait_stay|hrli_wait_queue\w*"
)


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured at one point. Counts are 0 where `state` is not "measured".

    `state` is "measured", "overloaded" (never idle again: deadlines are missed) or "refused". All
    instructions are of the window. `predicted` and `predicted_kernel` are the planner's, but for tasks that
    end `predicted` is expected_interrupts'.
    """

    point: Point
    state: str
    said: str = ""  # why it was refused
    plan: str = ""  # mechanism: store, ...
    jobs: int = 0
    misses: int = 0
    overruns: int = 0
    predicted: int = 0  # interrupts
    taken: int = 0
    coalesced: int = 0
    total: int = 0
    bodies: int = 0
    kernel: int = 0
    tick_and_delay: int = 0  # the paper's measure
    predicted_kernel: Fraction = Fraction(0)
    rate: Fraction = Fraction(0)  # interrupts a second
    earliest_ns: int = (
        0  # the first end of a job relative to its release: negative if released early
    )

    @property
    def feasible(self) -> bool:
        """Whether every deadline was met."""
        return self.state == "measured" and self.misses == 0

    @property
    def per_job(self) -> Fraction:
        """Kernel instructions a job."""
        return Fraction(self.kernel, self.jobs)

    @property
    def share(self) -> Fraction:
        """The paper's measure: percent of all instructions in tick interrupts and in delay calls."""
        return Fraction(100 * self.tick_and_delay, self.total)


def measure_point(point: Point, out: Path) -> Row:
    """Plan, build and run `point` below the folder `out`; the kernel is compiled once there.

    HorologError (3) if a tool or FreeRTOS's source is missing, (4) if a firmware fails.
    """
    system, how = system_of(point), method(scenario(point.scenario), point.method)
    source = freertos_source() if how.freertos else None
    if how.freertos and source is None:
        return Row(point, "refused", HOW_TO_GET_IT)
    try:
        choice = plan_of(point)
    except HorologError as error:
        return Row(point, "refused", str(error))
    said = "FreeRTOS" if how.freertos else _words(choice)
    tick = slowest_tick(system) if how.slowest else None
    if tick is not None and tick.hz is None:
        return Row(point, "refused", tick.note or "there is no such tick")
    try:
        if source is not None:
            side = measure_baseline(
                system,
                choice,
                source,
                out,
                tickless=bool(how.tickless),
                tick=tick,
                baseline=Baseline.RATE_GROUP if how.grouped else Baseline.STOCK,
            )
        else:
            side = measure_plan(system, choice, out)
    except NeverIdle:
        return Row(point, "overloaded", plan=said)
    return _row(point, system, said, None if how.freertos else choice, side)


def plan_of(point: Point) -> Plan:
    """The plan of a point; for FreeRTOS, on which it has no influence, any. HorologError if there is none.

    One planning serves all methods of a place that name no queue, as it plans every mechanism; basic tasks
    and shared threads have one of their own each.
    """
    how = method(scenario(point.scenario), point.method)
    kept = point.method if how.basic or how.shared else ""
    place = replace(point, method=kept, work=None if how.freertos else point.work)
    mechanism = "tick" if how.freertos else how.mechanism
    if how.queue is None:
        planned = _planned(place, None, None)
        if mechanism is None:
            return planned.choice
        for alternative in planned.alternatives:
            if alternative.mechanism == mechanism and alternative.plan is not None:
                return alternative.plan
    return _planned(place, mechanism, how.queue).choice


@lru_cache(maxsize=8)
def _planned(place: Point, mechanism: str | None, queue: str | None) -> Planned:
    return plan(system_of(place), mechanism=mechanism, queue=queue)


def _row(point: Point, system: System, said: str, choice: Plan | None, side: Side) -> Row:
    counted = side.instructions
    assert counted is not None
    predicted = side.interrupts.predicted
    if choice is not None and point.variant is Variant.FIVE:
        predicted = expected_interrupts(system, choice)
    prediction = None if choice is None else choice.prediction
    return Row(
        point=point,
        state="measured",
        plan=said,
        jobs=side.jobs,
        misses=side.deadline_misses,
        overruns=side.overruns,
        predicted=predicted,
        taken=side.interrupts.taken,
        coalesced=side.interrupts.coalesced,
        total=counted.total,
        bodies=counted.bodies,
        kernel=counted.kernel,
        tick_and_delay=tick_and_delay(counted),
        predicted_kernel=Fraction(0) if prediction is None else prediction.kernel_instructions,
        rate=Fraction(0) if prediction is None else prediction.interrupts_per_second,
        earliest_ns=int(min(times.min_ns for times in side.response.values())),
    )


def _words(choice: Plan) -> str:
    """The plan in a line: each releaser's mode and store, and how many tasks it releases."""
    parts = []
    for releaser in choice.releasers:
        every = "" if releaser.period is None else f" {float(releaser.period * 1000):g} ms"
        parts.append(f"{releaser.mode.value}{every} {releaser.store}")
    alike: Mapping[str, int] = {part: parts.count(part) for part in parts}
    return f"{choice.mechanism}: " + ", ".join(
        part if times == 1 else f"{times} x {part}" for part, times in alike.items()
    )


def tick_and_delay(counted: Instructions) -> int:
    """The paper's measure: the kernel without the switch, the loop of jobs and the end of a task.

    It stops its clock where an interrupt ends and where a delay call yields; the switch is another's.
    """
    return sum(
        count
        for name, count in counted.by_function.items()
        if name not in _SWITCH and not _FRAME.fullmatch(name)
    )


def expected_interrupts(system: System, choice: Plan) -> int:
    """The interrupts of a plan in the window when every task ends behind `system.releases` jobs.

    A periodic cell goes on, and so does a cell that has its instants from a static store. A one-shot cell
    with a queue is armed for as long as a task waits, the last time for the release behind the last job.
    (Cells of basic tasks stop; what they no longer make stands with the coalesced ones.)
    """
    periodic = [r for r in choice.releasers if r.mode is Mode.PERIODIC]
    by_cell = choice.prediction.interrupts_by_cell
    total = 0
    for releaser, (_, count) in zip(choice.releasers, by_cell, strict=True):
        if releaser.mode is Mode.PERIODIC or releaser.store in STATIC_STORES:
            total += count
        else:
            served = periodic if releaser.cooperates else []
            instants = _instants(system, releaser)
            total += sum(not any(_at(other, instant) for other in served) for instant in instants)
    return total


def _instants(system: System, releaser: Releaser) -> set[int]:
    """The releases of its tasks in the window, in counts."""
    assert system.releases is not None
    hz, end = system.board.clock.hz, window_counts(system)
    found = set()
    for index in releaser.tasks:
        task = system.tasks[index]
        most = min(system.releases + 1, ceil((system.duration - task.offset) / task.period))
        found |= {count_instant(task.offset + n * task.period, hz) for n in range(most)}
    return {instant for instant in found if instant < end}


def _at(releaser: Releaser, instant: int) -> bool:
    """Whether a periodic cell interrupts at `instant`."""
    assert releaser.cell_period is not None
    ahead = instant - releaser.first
    return ahead >= 0 and ahead % releaser.cell_period == 0
