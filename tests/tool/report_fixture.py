# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems, plans and runs for the tests of traces and reports: a small simulator is the board.

`PYTHONPATH=src python tests/tool/report_fixture.py FOLDER [TASKS]` writes reports to look at.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.model.baseline import Baseline
from horolog.model.board import Board, Cell, Clock, Mode, Runner
from horolog.model.errors import Place
from horolog.model.plan import Alternative, Plan, Planned, Prediction, Releaser
from horolog.model.result import (
    CYCLES,
    Instructions,
    Interruptions,
    Interrupts,
    MemoryBytes,
    Result,
    Side,
    candidates,
)
from horolog.model.system import Kind, Overrun, PriorityRule, System, Task
from horolog.read.ports import ports
from horolog.report import Basic
from horolog.trace import Trace, jobs, release_count, response_table, responses

MS = Fraction(1, 1000)
NS = 10**9
NS_PER_INSTRUCTION = 32
HZ = 25_000_000


@dataclass(frozen=True)
class Costs:
    """Kernel time of the simulated run, in ns."""

    interrupt: int
    release: int
    switch: int
    finish: int


HOROLOG = Costs(interrupt=2400, release=1900, switch=1300, finish=2900)
BASIC = Costs(interrupt=900, release=30, switch=90, finish=60)
FREERTOS = Costs(interrupt=2900, release=3100, switch=1500, finish=5200)
FREE = Costs(0, 0, 0, 0)


def board() -> Board:
    modes = frozenset(Mode)
    names = ("timer0", "timer1", "dual0", "systick")
    return Board(
        name="mps2-an385",
        title="Arm MPS2 AN385, Cortex-M3 at 25 MHz (QEMU)",
        directory=Path("boards/mps2-an385"),
        arch="armv7m",
        cpu="cortex-m3",
        levels=31,
        work_ns=Fraction(64),
        clock=Clock("cmsdk-dualtimer", HZ, 32),
        cells=tuple(
            Cell(name, "cmsdk-timer", n, f"{name}_handler", HZ, 24 if n == 3 else 32, modes, 250)
            for n, name in enumerate(names)
        ),
        memory=(),
        runner=Runner("qemu", "mps2-an385", 5, NS_PER_INSTRUCTION),
        port=ports()["armv7m", "nvic"],
    )


def task(
    name: str,
    period: Fraction,
    wcet: Fraction,
    *,
    offset: Fraction = Fraction(0),
    deadline: Fraction | None = None,
    overrun: Overrun = Overrun.SKIP,
) -> Task:
    return Task(
        name=name,
        period=period,
        offset=offset,
        deadline=period if deadline is None else deadline,
        wcet=wcet,
        body=None,
        work=int(wcet * NS / 64),
        stack=512,
        overrun=overrun,
        kind=Kind.THREAD,
        priority=None,
        place=Place("system.toml", 1),
    )


def system(tasks: Iterable[Task], duration: Fraction, name: str = "simulated") -> System:
    target = board()
    return System(
        name=name,
        path=Path("system.toml"),
        board=target,
        cells=tuple(cell.name for cell in target.cells),
        duration=duration,
        priorities=PriorityRule.RATE_MONOTONIC,
        sources=(),
        tasks=tuple(tasks),
    )


def chronos(tasks: int = 100, duration: Fraction = Fraction(2), load: float = 0.45) -> System:
    """Periods that are multiples of 3, 5, 7 and 11 ms, drawn with a fixed seed."""
    draw = random.Random(7)
    rows = []
    for n in range(tasks):
        base = (3, 5, 7, 11)[n % 4]
        period = base * draw.choice((1, 2, 3, 4, 5, 6, 8, 10)) if n >= 4 else base
        period *= max(1, tasks // 400)  # leaves many tasks time for their kernel
        share = load / tasks * draw.uniform(0.4, 1.6)
        wcet = Fraction(int(period * 1_000_000 * share) // 64 * 64, NS)
        rows.append(task(f"t{n:03}", period * MS, wcet))
    return system(rows, duration, "chronos")


def releaser(target: System, cell: str, period: Fraction, tasks: Sequence[int]) -> Releaser:
    counts = int(period * HZ)
    return Releaser(cell, Mode.PERIODIC, "sorted-list", tuple(tasks), 0, counts, 1, period)


def planned(target: System, mechanism: str = "chronos") -> Planned:
    """The four mechanisms with simulated costs, for periods of whole milliseconds."""
    everything = range(len(target.tasks))
    groups: dict[int, list[int]] = defaultdict(list)
    for index, row in enumerate(target.tasks):
        base = next(p for p in (11, 7, 5, 3, 1) if (row.period / MS) % p == 0)
        groups[base].append(index)
    shapes = {
        "tick": (releaser(target, "systick", MS, everything),),
        "gcd": (releaser(target, "systick", MS, everything),),
        "one-shot": (Releaser("timer0", Mode.ONE_SHOT, "sorted-list", tuple(everything), 0),),
        "chronos": tuple(
            releaser(target, cell, base * MS, groups[base])
            for cell, base in zip(
                ("timer0", "timer1", "dual0", "systick"), sorted(groups), strict=False
            )
        ),
    }
    reasons = {
        "tick": "interrupts at every millisecond, needed or not",
        "gcd": "the periods' greatest common divisor is 1 ms, so it is the tick",
        "one-shot": "interrupts only when needed, but programs the cell every time",
        "chronos": "fewest instructions: no cell is programmed while it runs",
    }
    plans = {}
    for name, releasers in shapes.items():
        calls = instants(target, releasers)
        by_cell: dict[str, int] = defaultdict(int)
        for _, cell, _ in calls:
            by_cell[target.board.cells[cell].name] += 1
        releases = sum(len(due) for _, _, due in calls)
        each = HOROLOG.interrupt + (900 if name == "one-shot" else 0)
        kernel_ns = len(calls) * each + releases * (
            HOROLOG.release + HOROLOG.switch + HOROLOG.finish
        )
        plans[name] = Plan(
            name,
            releasers,
            Prediction(
                interrupts=len(calls),
                interrupts_by_cell=tuple(by_cell.items()),
                required=sum(1 for _, _, due in calls if due),
                interrupts_per_second=len(calls) / target.duration,
                kernel_instructions=Fraction(kernel_ns, NS_PER_INSTRUCTION),
                overhead_percent=100 * kernel_ns / (target.duration * NS),
            ),
        )
    order = sorted(plans, key=lambda name: (plans[name].prediction.overhead_percent, name))
    distinct = {ns for ns, _, due in instants(target, shapes["tick"]) if due}
    return Planned(
        choice=plans[mechanism],
        alternatives=tuple(Alternative(name, plans[name], reasons[name]) for name in order),
        forced=False,
        distinct_instants=len(distinct),
        jobs=sum(release_count(row, target.duration) for row in target.tasks),
    )


def instants(target: System, releasers: Sequence[Releaser]) -> list[tuple[int, int, list[int]]]:
    """(ns, cell, tasks released) for every interrupt in the window, in order of time."""
    cells = {cell.name: n for n, cell in enumerate(target.board.cells)}
    found = []
    for row in releasers:
        due: dict[int, list[int]] = defaultdict(list)
        for index in row.tasks:
            mine = target.tasks[index]
            for number in range(release_count(mine, target.duration)):
                due[int((mine.offset + number * mine.period) * NS)].append(index)
        if row.mode is Mode.PERIODIC:
            assert row.cell_period is not None
            for at in range(row.first, int(target.duration * HZ), row.cell_period):
                due.setdefault(at * NS // HZ, [])
        found += [(ns, cells[row.cell], tasks) for ns, tasks in due.items()]
    return sorted(found)


class _Work:
    def __init__(self, task: int, left: int) -> None:
        self.task = task
        self.left = left
        self.picked = self.started = False


def simulate(
    target: System,
    calls: Sequence[tuple[int, int, list[int]]],
    costs: Costs,
    levels: Sequence[int],
    stretch: Fraction = Fraction(1),
) -> tuple[Trace, int, int]:
    """The trace of a run, the kernel's nanoseconds in it, and the overruns. Bodies last wcet * stretch."""
    events: list[tuple[int, str, int]] = []
    ready: dict[int, deque[_Work]] = {level: deque() for level in sorted(set(levels), reverse=True)}
    unfinished: set[int] = set()
    body_ns = [int((row.wcet or 0) * NS * stretch) for row in target.tasks]
    now = kernel = overruns = at = 0
    entered: int | None = None  # what the kernel had taken when it interrupted a job

    def note(kind: str, index: int) -> None:
        nonlocal entered
        if entered is not None and kind != "R":
            events.append((now, "K", (kernel - entered) // NS_PER_INSTRUCTION))
            entered = None
        events.append((now, kind, index))

    while True:
        while at < len(calls) and calls[at][0] <= now:
            note("I", calls[at][1])
            entered = (
                kernel if any(one.started for queue in ready.values() for one in queue) else None
            )
            now += costs.interrupt
            kernel += costs.interrupt
            for index in calls[at][2]:
                if index in unfinished:
                    overruns += 1
                    continue
                unfinished.add(index)
                ready[levels[index]].append(_Work(index, body_ns[index]))
                note("R", index)
                now += costs.release
                kernel += costs.release
            at += 1
        queue = next((queue for queue in ready.values() if queue), None)
        if queue is None:
            if at == len(calls):
                return Trace.of(events), kernel, overruns
            now = calls[at][0]
            continue
        work = queue[0]
        if not work.picked:
            now += costs.switch
            kernel += costs.switch
            work.picked = True
            continue
        if not work.started:
            work.started = True
            note("S", work.task)
        until = now + work.left
        if at < len(calls):
            until = min(until, calls[at][0])
        work.left -= until - now
        now = until
        if work.left == 0:
            note("E", work.task)
            queue.popleft()
            unfinished.remove(work.task)
            now += costs.finish
            kernel += costs.finish


def rate_levels(target: System) -> list[int]:
    periods = sorted({row.period for row in target.tasks}, reverse=True)
    return [periods.index(row.period) + 1 for row in target.tasks]


def side(
    target: System,
    calls: Sequence[tuple[int, int, list[int]]],
    costs: Costs,
    mechanism: str,
    functions: dict[str, int],
    stretch: Fraction = Fraction(1),
) -> tuple[Side, Trace]:
    trace, kernel_ns, overruns = simulate(target, calls, costs, rate_levels(target), stretch)
    due = jobs(trace, target)
    rows = responses(due, target)
    kernel = kernel_ns // NS_PER_INSTRUCTION
    weight = sum(functions.values())
    by_function = {name: kernel * part // weight for name, part in functions.items()}
    by_function[next(iter(functions))] += kernel - sum(by_function.values())
    bodies = sum(job.executed_ns for job in due) // NS_PER_INSTRUCTION
    if costs is not FREE:
        # The simulator charges interrupts to the job that they land in; the plugin does not.
        bodies = sum(int((target.tasks[j.task].wcet or 0) * NS) for j in due) // NS_PER_INSTRUCTION
    total = max(bodies + kernel, int(target.duration * NS) // NS_PER_INSTRUCTION)
    taken = sum(1 for _ in trace.interrupts())
    return (
        Side(
            mechanism=mechanism,
            jobs=len(due),
            deadline_misses=sum(row.misses for row in rows),
            overruns=overruns,
            interrupts=Interrupts(len(calls), taken, len(calls) - taken),
            instructions=Instructions(total, bodies, total - bodies - kernel, by_function),
            response=response_table(rows, target),
            memory=MemoryBytes(6_000 + 100 * len(functions), 900, 512 * len(target.tasks)),
        ),
        trace,
    )


OUR_FUNCTIONS = {
    "hrli_sorted_list_insert": 31,
    "hrli_releaser_serve": 22,
    "hrl_release_wait": 18,
    "PendSV_Handler": 14,
    "hrli_period_advance": 9,
    "hrli_core_dispatch_after_interrupt": 7,
    "TIMER0_Handler": 3,
    "TIMER1_Handler": 2,
    "DUALTIMER_Handler": 2,
    "SysTick_Handler": 1,
    "hrli_cell_acknowledge": 1,
}
THEIR_FUNCTIONS = {
    "xTaskIncrementTick": 30,
    "vListInsert": 26,
    "vTaskSwitchContext": 12,
    "xTaskDelayUntil": 11,
    "xPortPendSVHandler": 10,
    "prvAddCurrentTaskToDelayedList": 9,
    "uxListRemove": 8,
    "xTaskResumeAll": 7,
    "vTaskSuspendAll": 2,
    "xPortSysTickHandler": 5,
    "vPortEnterCritical": 3,
    "vPortExitCritical": 3,
}


def measured(
    target: System, mechanism: str = "chronos", stretch: Fraction = Fraction(1)
) -> tuple[Result, Planned, Trace, Trace]:
    """A complete comparison on simulated kernels."""
    outcome = planned(target, mechanism)
    ours, trace = side(
        target,
        instants(target, outcome.choice.releasers),
        HOROLOG,
        mechanism,
        OUR_FUNCTIONS,
        stretch,
    )
    tick = (releaser(target, "systick", MS, range(len(target.tasks))),)
    theirs, beside = side(
        target, instants(target, tick), FREERTOS, "tick 1 kHz", THEIR_FUNCTIONS, stretch
    )
    result = Result(
        system=target.name,
        board=target.board.name,
        versions={"horolog": "0.1.0", "arm-none-eabi-gcc": "12.2.1", "qemu-system-arm": "7.2.0"},
        commands=("horolog compare examples/chronos/system.toml",),
        window_s=target.duration,
        horolog=ours,
        freertos=theirs,
        alternatives=candidates(outcome),
        notes=(
            "Simulated by tests/tool/report_fixture.py: made-up kernel costs, not a measurement.",
        ),
    )
    return result, outcome, trace, beside


def stock(trace: Trace) -> dict[Baseline, Trace]:
    """The traces of FreeRTOS's sides, where only the stock one was run."""
    return {Baseline.STOCK: trace}


def in_cycles(counted: Side) -> Side:
    """The same figures, as a core's RTL would have given them."""
    assert counted.instructions is not None
    rtl = replace(counted.instructions, unit=CYCLES, retired=counted.instructions.bodies - 5)
    return replace(counted, instructions=rtl)


def with_basic(result: Result, target: System) -> tuple[Result, Basic]:
    """The comparison and, as a third side, the same tasks as basic tasks."""
    basic = replace(target, tasks=tuple(replace(row, kind=Kind.BASIC) for row in target.tasks))
    outcome = planned(target, "one-shot")
    made, trace = side(
        basic, instants(basic, outcome.choice.releasers), BASIC, "one-shot", {"hrli_line": 1}
    )
    made = replace(made, interruptions=Interruptions(3, 120))
    return replace(result, basic=made), Basic(basic, outcome, trace)


def main(arguments: list[str]) -> None:
    from horolog.model.result_json import to_json
    from horolog.report import page
    from horolog.trace import write_trace

    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    target = chronos(int(arguments[1]) if len(arguments) > 1 else 100)
    result, outcome, ours, theirs = measured(target)
    (folder / "report.html").write_text(page(result, outcome, target, ours, stock(theirs)))
    (folder / "alone.html").write_text(
        page(replace(result, freertos=None), outcome, target, ours, None)
    )
    both, basic = with_basic(result, target)
    (folder / "basic.html").write_text(page(both, outcome, target, ours, stock(theirs), (), basic))
    (folder / "result.json").write_text(to_json(result))
    write_trace(folder / "trace.txt", ours)
    late, outcome, ours, theirs = measured(chronos(24, Fraction(1, 2), 0.9), "tick", Fraction(5, 4))
    (folder / "late.html").write_text(
        page(late, outcome, chronos(24, Fraction(1, 2), 0.9), ours, stock(theirs))
    )


if __name__ == "__main__":
    main(sys.argv[1:])
