# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""One firmware watched from outside: what is to be looked for, and what comes of what was found.

The same for every runner that reads watch/watch.h's configuration and writes its files.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path

from horolog.analyse import count_instant, thread_of
from horolog.image import Image
from horolog.measure.handlers import aside_numbers, interrupt_numbers, tick_handler
from horolog.measure.marks import marks_of
from horolog.measure.measured import HOROLOG, Kernel, Measured
from horolog.measure.probe import Findings, Shared, Watch, read_findings, watch_text
from horolog.measure.window import Window, one_shot_window, tick_window, window_of
from horolog.model import Board, NeverIdle, Plan, System, TargetFailed
from horolog.programs import Finished
from horolog.read.units import about_duration_text, duration_text
from horolog.trace import (
    Event,
    Round,
    Trace,
    activated_responses,
    all_released,
    read_trace,
    rounds_of,
    write_trace,
)

__all__ = [
    "Limits",
    "RequestLog",
    "SharedRun",
    "Watched",
    "first_ns",
    "handlers_of_freertos",
    "of_tasks",
    "switch_of",
    "watched",
]


# Of FreeRTOS on several cores (baselines/freertos/smp): what another core's request calls, and what switches.
_DOORBELL = "freertos_risc_v_application_interrupt_handler"
_SWITCHES = (
    "freertos_risc_v_exception_handler",
    "freertos_risc_v_interrupt_handler",
    "freertos_risc_v_mtimer_interrupt_handler",
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a runner allows for, in simulated time.

    The probe's time begins where the first interrupt's handler does. Another may come earlier after that
    than nominally, and the processor wakes up for it earlier still, as far as entering takes time.
    """

    early_counts: int = 4
    late_counts: int = 100  # by which an idle processor has entered the handler
    grace_ns: int = 1_000_000_000  # after the window, in which a busy system may become idle
    start_ns: int = 5_000_000_000  # in which a firmware must have reached its first release


@dataclass(frozen=True, slots=True)
class RequestLog:
    """That a run also writes what cells request, as watch/watch.h describes it."""

    path: Path
    clock: int | None  # a register of the clock's, a store to which starts it; None: not known


@dataclass(frozen=True, slots=True)
class Watched:
    """A run that is prepared: its configuration is written, its results are not there yet."""

    system: System
    plan: Plan
    kernel: Kernel
    watch: Watch
    config: Path
    opens_ns: int  # the probe's time begins so much after t = 0, if the plan says when
    limits: Limits

    def measured(self, done: Finished, seconds: int, *, try_next: str = "") -> Measured:
        """The findings of the run, which ended as `done` within `seconds` of wall time.

        `try_next` advises a user with firmware that hangs. HorologError (4) if the window is not over.
        """
        watch = self.watch
        findings = self._findings(done, seconds, try_next)
        whole = read_trace(watch.trace)
        ours = self.kernel.name == HOROLOG and watch.shared is None
        seen_rounds = (findings.rounds, findings.unread_rounds) if ours else ((), 0)
        rounds = rounds_of(*seen_rounds, self.system)
        opens_ns = self._opened(whole, rounds) if ours else self.opens_ns
        activated = activated_responses(whole, self.system, opens_ns) if ours else ()
        seen = of_tasks(whole, self.system)
        if ours:
            seen = all_released(seen, self.system)
            write_trace(watch.trace, seen)
        if opens_ns:
            # The window of all cores that run each other's tasks opens with the first one's.
            idle = _steps(opens_ns, watch.ns_per_instruction)
            findings = _with_idle(findings, watch.image, idle)
            shifted = array("q", (ns + opens_ns for ns in seen.ns))
            seen = Trace(shifted, seen.kinds, seen.indices)
            write_trace(watch.trace, seen)
        unit = self.system.board.runner.unit
        seen = replace(seen, rounds=rounds)
        return Measured(
            self.kernel,
            findings,
            seen,
            watch.image,
            unit,
            activated,
            changes_cores=watch.shared is not None,
        )

    def _opened(self, whole: Trace, rounds: Sequence[Round] | None) -> int:
        """When the first interrupt came, in ns after t = 0."""
        if not _starts_by_application(self.system):
            return self.opens_ns
        first = next((cell for _, cell in whole.interrupts()), None)
        for number, releaser in zip(
            interrupt_numbers(self.system, self.plan), self.plan.releasers, strict=True
        ):
            if releaser.dispatches and number == first and rounds:
                points = self.system.tables[rounds[0].table].points
                lead = count_instant(points[0].offset, self.system.board.clock.hz)
                return (rounds[0].begin + lead) * 10**9 // self.system.board.clock.hz
        return _first_ns(self.system, self.plan)

    def _findings(self, done: Finished, seconds: int, try_next: str) -> Findings:
        system, kernel, watch = self.system, self.kernel, self.watch
        lasts, hint = watch.ns_per_instruction, f"; try {try_next}" if try_next else ""
        if not watch.out.is_file():
            said = (done.errors + done.output).strip()  # a board's console is one or the other
            if done.status is None:
                raise TargetFailed(
                    f"{kernel.name}'s firmware hangs: it was ended after {seconds} s",
                    found=said[-2000:] or "no output",
                    expected=f"a start within that time{hint}",
                )
            raise TargetFailed(
                f"{kernel.name}'s firmware stopped by itself with status {done.status}",
                found=said[-2000:] or "no output",
            )
        findings = read_findings(watch.out.read_text(encoding="ascii"))
        if findings.status == "done":
            return findings
        if findings.status == "silent":
            raise TargetFailed(
                f"{kernel.name}'s firmware hangs before its first release",
                found=(done.errors + done.output).strip()[-2000:]
                or f"no timer interrupt in {_time(self.limits.start_ns)} simulated",
                expected=f"a start that ends{hint}",
            )
        if findings.status == "untraceable":
            raise TargetFailed(
                f"{kernel.name}'s releases by masks cannot be followed from outside",
                found="a store to the bits of waiting tasks without a load of a mask or bit of its level",
                expected="firmware of a compiler that this version of the tool knows",
            )
        jobs = {at: took for at, took in findings.open_job.items() if at < len(system.tasks)}
        if jobs:
            task, executed = max(jobs.items(), key=lambda item: item[1])
            running = system.tasks[task]
            if running.wcet is not None and executed * lasts <= running.wcet * 10**9:
                names = ", ".join(system.tasks[task].name for task in sorted(jobs))
                raise NeverIdle(
                    f"{kernel.name} was never idle after the window ({findings.status})",
                    found=f"unfinished, though none ran longer than its wcet: {names}",
                    expected="less work in the bodies, or longer periods",
                )
            raise TargetFailed(
                f'task "{running.name}" does not come to an end under {kernel.name}',
                place=running.place,
                found=f"its job has executed {_time(executed * lasts)}, and the system was not "
                f"idle once in the last {_time(self.limits.grace_ns)}",
                expected="a body that returns"
                if running.wcet is None
                else f"a body that returns within its wcet of {duration_text(running.wcet)}",
            )
        raise NeverIdle(
            f"{kernel.name} never became idle after the window ({findings.status})",
            expected="less work in the bodies, or longer periods",
        )


def of_tasks(trace: Trace, system: System) -> Trace:
    """Without handlers of the application and sporadic tasks, which are watched as jobs."""
    if not system.interrupts and not system.sporadic:
        return trace
    tasks, of_others = len(system.tasks), {Event.INTERRUPT.value, Event.KERNEL.value}
    return Trace.of(event for event in trace if event[1] in of_others or event[2] < tasks)


@dataclass(frozen=True, slots=True)
class SharedRun:
    """What a core's watch has to know of others, where all run each other's tasks."""

    common: Shared
    count: int  # the tasks of all cores
    leader: int | None  # the core of which the watch is followed; None: this one
    opens_ns: int  # when the first interrupt of that core comes, after t = 0


def first_ns(system: System, plan: Plan) -> int:
    """When the first interrupt of `plan` comes, in ns after t = 0."""
    return _first_ns(system, plan)


def _time(ns: int | Fraction) -> str:
    return about_duration_text(Fraction(ns, 10**9), 6)


def _steps(ns: int, lasts: int | Fraction) -> int:
    """So many steps are `ns` nanoseconds, which were rounded down where a step is a fraction of one."""
    return ns // lasts if isinstance(lasts, int) else ceil(ns / lasts)


def watched(
    system: System,
    plan: Plan,
    kernel: Kernel,
    image: Image,
    folder: Path,
    stem: str,
    limits: Limits = Limits(),  # frozen
    core: int | None = None,
    shared: SharedRun | None = None,
    log: RequestLog | None = None,
) -> Watched:
    """Prepare the run of `image` over the window of `system`; files in `folder` begin with `stem`.

    With `core` it is what that core does of a kernel that runs on several, by the tick of the first. With
    `shared` it is one of several cores that run each other's tasks.
    """
    ours = kernel.name == HOROLOG
    lasts = system.board.runner.ns_per_step
    assert lasts is not None
    out, trace = folder / f"{stem}.counts", folder / f"{stem}.trace"
    count_ns = Fraction(10**9, system.board.clock.hz)
    window = (
        window_of(system, plan, limits.late_counts) if ours else _window(system, kernel, limits)
    )
    # The probe's time begins at the first interrupt: with offsets, later than t = 0.
    # One of a table that the application starts comes sooner or later; so does the end then.
    opens = _first_ns(system, plan) if ours and not _starts_by_application(system) else 0
    if shared is not None:
        opens = shared.opens_ns
    early = opens + limits.early_counts * count_ns
    end, following = window.end * count_ns, window.following * count_ns
    if (
        ours and system.control is not None
    ):  # a point may be just before the end, whatever the plan says
        end = following = end + limits.late_counts * count_ns
    late = Fraction(0)
    if window.near is not None:
        late = (window.near + limits.late_counts) * count_ns - opens
    outside = [window.outside.get(i, window.following) for i in range(len(system.board.cells))]
    watch = Watch(
        image=image,
        switch=switch_of(system.board, kernel) if core is None else _SWITCHES,
        ns_per_instruction=lasts,
        end_ns=ceil(min(end - opens, following - early)),
        late_ns=ceil(late),
        limit_ns=ceil(end) - opens + limits.grace_ns,
        start_ns=limits.start_ns + opens + (0 if ours else _start_ticks_ns(kernel)),
        open_nth=1 if kernel.one_shot else kernel.start_ticks,
        handlers=_handlers(system, plan)
        if ours
        else handlers_of_freertos(system.board, kernel)
        if not core
        else [None] * len(system.board.cells),
        cuts_ns=[ceil(instant * count_ns - early) for instant in outside],
        stacks=range(shared.count)
        if shared is not None
        else thread_of(system)
        if ours
        else range(len(system.tasks)),
        others=len(system.interrupts) + len(system.sporadic) if ours else 0,
        marks=marks_of(system, plan, image) if ours else (),
        out=out.resolve(),
        trace=trace.resolve(),
        exceptions=() if core is not None or system.board.runner.counts_cycles else image.handlers,
        aside=None if core is None else _DOORBELL,
        waits=system.uses_services,
        leader=0 if core else None if shared is None else shared.leader,
        shared=None if shared is None else shared.common,
        requests=None if log is None else log.path.resolve(),
        clock=None if log is None else log.clock,
    )
    config = folder / f"{stem}.watch"
    config.write_bytes(os.fsencode(watch_text(watch)))  # paths as the C library opens them
    out.unlink(missing_ok=True)
    trace.unlink(missing_ok=True)
    return Watched(system, plan, kernel, watch, config, opens, limits)


def switch_of(board: Board, kernel: Kernel) -> tuple[str, ...]:
    """The functions that switch in `kernel`; none where that is not known."""
    port = board.port
    if port.freertos_switch and kernel.name != HOROLOG:
        by_cell = () if kernel.cell is None else (f"{board.cell(kernel.cell).handler}_switch",)
        return (*port.freertos_switch, *by_cell)
    return () if port.switch is None else (port.switch,)


def _window(system: System, kernel: Kernel, limits: Limits) -> Window:
    """Returns the result of another kernel's run."""
    number, near = kernel.interrupts_at(system.board), limits.late_counts
    if kernel.one_shot:
        return one_shot_window(system, number, near)
    return tick_window(system, kernel.tick_hz or 1, number, near)


def _start_ticks_ns(kernel: Kernel) -> int:
    return int(kernel.start_ticks * 10**9 // (kernel.tick_hz or 1))


def _handlers(system: System, plan: Plan) -> list[str | None]:
    used = {releaser.cell for releaser in plan.releasers} | aside_numbers(system, plan).keys()
    clock = system.board.clock.handler
    return [c.handler if c.name in used or c.handler == clock else None for c in system.board.cells]


def handlers_of_freertos(board: Board, kernel: Kernel) -> list[str | None]:
    """FreeRTOS's, in the place of the cell that it uses."""
    number = kernel.interrupts_at(board)
    handler = board.cells[number].handler
    if kernel.cell is None:
        handler = tick_handler(board) or handler
    return [handler if i == number else None for i in range(len(board.cells))]


def _starts_by_application(system: System) -> bool:
    return system.control is not None and system.control.by_application


def _first_ns(system: System, plan: Plan) -> int:
    """When the first interrupt comes, in ns after t = 0; the application's start of a table apart."""
    apart = _starts_by_application(system)
    firsts = [one.first for one in plan.releasers if not (apart and one.dispatches)]
    return min(firsts, default=0) * 10**9 // system.board.clock.hz


def _with_idle(findings: Findings, image: Image, steps: int) -> Findings:
    """`findings` with so much more of idling: nothing else runs before the first interrupt."""
    idle = next(i for i, function in enumerate(image.functions) if function.owner == "idle")
    executed = {**findings.function, idle: findings.function.get(idle, 0) + steps}
    return replace(findings, total=findings.total + steps, function=executed)
