# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""One run of one firmware, measured from outside: what a runner returns, and the Side it makes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import common_levels
from horolog.figures import plural
from horolog.image import Image
from horolog.measure.handlers import aside_numbers, interrupt_numbers, tick_number
from horolog.measure.interrupts import interrupts_of, ticks_of
from horolog.measure.probe import Findings
from horolog.model import Board, Exit, HorologError, Mode, Plan, System
from horolog.model.exceptions import Exceptions
from horolog.model.result import INSTRUCTIONS, Aside, Excess, Instructions, Side
from horolog.read.units import about_duration_text, duration_text
from horolog.trace import (
    TaskResponse,
    Trace,
    interruptions,
    jobs_and_met,
    response_table,
    responses,
)

__all__ = [
    "FREERTOS",
    "HOROLOG",
    "Kernel",
    "Measured",
    "excess_error",
    "excesses",
    "instructions_of",
    "lost_errors",
    "side",
]

_STUB_INSTRUCTIONS = 16  # at most: call of the work loop, its set-up and return


@dataclass(frozen=True, slots=True)
class Kernel:
    """Which kernel a firmware holds, and how its start and its interrupts are recognised."""

    name: str
    mechanism: str
    tick_hz: Fraction | int | None = None  # FreeRTOS's
    start_ticks: int = 1  # t = 0 is the tick of this number
    cell: str | None = None  # that interrupts in the place of FreeRTOS's tick
    one_shot: bool = False  # at the instants of releases only, and at t = 0

    def interrupts_at(self, board: Board) -> int:
        """The number under which entries of the handler that releases are counted; not Horolog's."""
        return tick_number(board) if self.cell is None else board.cells.index(board.cell(self.cell))


HOROLOG = "Horolog"
FREERTOS = "FreeRTOS"


@dataclass(frozen=True, slots=True)
class Measured:
    """What a runner saw: counts by function, events, and for Horolog what its releasers served."""

    kernel: Kernel
    findings: Findings
    trace: Trace
    image: Image | None  # None: no instructions are counted there
    unit: str = INSTRUCTIONS
    activated: tuple[TaskResponse, ...] = ()  # of sporadic tasks, which are none of the trace's
    whole: Trace | None = None  # of the host port: with handlers and sporadic tasks
    changes_cores: bool = False  # jobs begin on one core and may end on another


def side(system: System, plan: Plan, measured: Measured) -> Side:
    """The figures of one kernel's run, by ADR 0009."""
    findings, kernel = measured.findings, measured.kernel
    nested = kernel.name == HOROLOG and not measured.changes_cores
    due, met = jobs_and_met(measured.trace, system, nested=nested)
    rows = responses(due, system, measured.trace.rounds)
    interrupts = (
        interrupts_of(system, plan, findings)
        if kernel.name == HOROLOG
        else ticks_of(system, None if kernel.one_shot else kernel.tick_hz or 0, findings)
    )
    counted = instructions_of(measured)
    disturbed = interruptions(
        met,
        system,
        common_levels(system),
        _released(system, plan, kernel),
        measured.trace.rounds,
    )
    if counted is None:
        disturbed = replace(disturbed, kernel=None)
    return Side(
        mechanism=kernel.mechanism,
        jobs=sum(row.jobs for row in rows),
        deadline_misses=sum(row.misses for row in (*rows, *measured.activated)),
        overruns=sum(row.overruns for row in (*rows, *measured.activated)),
        interrupts=interrupts,
        instructions=counted,
        response=response_table((*rows, *measured.activated), system),
        interruptions=None if measured.changes_cores else disturbed,
        kernel_predicted=plan.prediction.kernel_instructions
        if kernel.name == HOROLOG and counted is not None and not measured.changes_cores
        else None,
        beside=_beside(system, plan, findings) if kernel.name == HOROLOG else (),
        memory=None if measured.image is None else measured.image.memory,
        cells=len(plan.releasers) if kernel.name == HOROLOG else 1,
        exceptions=None
        if findings.exceptions is None
        else Exceptions(findings.exceptions, findings.tail_chained),
    )


def _beside(system: System, plan: Plan, findings: Findings) -> tuple[Aside, ...]:
    """What was predicted beside releasers, with the interrupts that its cell took."""
    number = aside_numbers(system, plan)
    return tuple(
        Aside(
            one.what,
            one.cell,
            one.interrupts,
            findings.taken.get(number[one.cell], 0) if one.cell in number else None,
            one.kernel,
            one.not_predicted,
        )
        for one in plan.prediction.beside
    )


def _released(system: System, plan: Plan, kernel: Kernel) -> dict[int, list[int]]:
    """The tasks that each cell may release, by the number under which its handler's entries are counted."""
    if kernel.name != HOROLOG:
        all_tasks = list(range(len(system.tasks)))
        return dict.fromkeys(range(len(system.board.cells)), all_tasks)
    found: dict[int, list[int]] = defaultdict(list)
    for number, releaser in zip(interrupt_numbers(system, plan), plan.releasers, strict=True):
        found[number] += releaser.tasks
    for partner in plan.releasers:  # served at the interrupts of the plan's periodic cells, too
        for number, releaser in zip(interrupt_numbers(system, plan), plan.releasers, strict=True):
            if partner.cooperates and releaser.mode is Mode.PERIODIC:
                found[number] += partner.tasks
    return found


def instructions_of(measured: Measured) -> Instructions | None:
    """Returns what was counted, by where it was executed; None where nothing is."""
    if measured.image is None:
        return None
    findings = measured.findings
    by_owner: dict[str, int] = defaultdict(int)
    by_function: dict[str, int] = defaultdict(int)
    for index, function in enumerate(measured.image.functions):
        count = findings.function.get(index, 0)
        by_owner[function.owner] += count
        if function.owner == "kernel" and count:
            by_function[_plain(function.name)] += count
    if findings.elsewhere:
        by_function["?"] += findings.elsewhere
    in_kernel = by_owner["library"] - findings.library_in_bodies
    if in_kernel:
        by_function["(library)"] += in_kernel
    return Instructions(
        total=findings.total,
        bodies=by_owner["body"] + findings.library_in_bodies,
        idle=by_owner["idle"],
        by_function=by_function,
        unit=measured.unit,
        retired=findings.retired,
    )


def _plain(name: str) -> str:
    """GCC splits functions: `f.part.0` and `f.constprop.0` are `f`."""
    return name.split(".")[0] if not name.startswith(".") else name


def excesses(system: System, measured: Measured) -> tuple[Excess, ...]:
    """Tasks and interrupts whose code ran longer than their wcet, the worst first: nothing planned holds."""
    lasts = system.board.runner.ns_per_step
    if lasts is None:
        return ()
    over = []
    for index, task in enumerate(system.tasks):
        if index in system.served:
            continue  # its jobs are another task's
        executed = Fraction(measured.findings.longest.get(index, 0) * lasts, 10**9)
        if task.body is None:  # the stub's few instructions are ours, not the user's
            executed -= Fraction(_STUB_INSTRUCTIONS * lasts, 10**9)
        if task.wcet is not None and executed > task.wcet:
            over.append(Excess(task.name, executed, task.wcet))
    for index, one in enumerate(system.interrupts, len(system.tasks)):
        executed = Fraction(measured.findings.longest.get(index, 0) * lasts, 10**9)
        if one.handler is None:
            executed -= Fraction(_STUB_INSTRUCTIONS * lasts, 10**9)
        if executed > one.wcet:
            over.append(Excess(one.name, executed, one.wcet))
    for index, extra in enumerate(system.sporadic, len(system.tasks) + len(system.interrupts)):
        executed = Fraction(measured.findings.longest.get(index, 0) * lasts, 10**9)
        task = extra.task
        if task.body is None:
            executed -= Fraction(_STUB_INSTRUCTIONS * lasts, 10**9)
        if task.wcet is not None and executed > task.wcet:
            over.append(Excess(task.name, executed, task.wcet))
    return tuple(sorted(over, key=lambda one: -one.executed / one.wcet))


def excess_error(system: System, exceeded: Sequence[Excess]) -> HorologError:
    """Returns the error about `exceeded`, which is not empty; exit status 1."""
    worst = exceeded[0]
    task = next((task for task in system.all_tasks if task.name == worst.task), None)
    more = f" ({len(exceeded)} tasks did)" if len(exceeded) > 1 else ""
    executed = about_duration_text(worst.executed, 6, exact=9)
    if task is None:
        one = next(one for one in system.interrupts if one.name == worst.task)
        return HorologError(
            f'the handler of the interrupt "{one.name}" ran longer than its wcet{more}',
            place=one.place,
            found=f"{executed} executed by {one.handler or 'work'} in one interrupt",
            expected=f"at most wcet = {duration_text(one.wcet)}, or a larger wcet",
            exit=Exit.DOES_NOT_HOLD,
        )
    return HorologError(
        f'a body of task "{task.name}" ran longer than its wcet{more}',
        place=task.place,
        found=f"{executed} executed by {task.body or 'work'} in one job",
        expected=f"at most wcet = {duration_text(worst.wcet)}, or a larger wcet",
        exit=Exit.DOES_NOT_HOLD,
    )


def lost_errors(system: System, measured: Measured) -> list[HorologError]:
    """For each sporadic or aperiodic task of which the run lost activations."""
    return [_lost_error(system, one) for one in measured.activated if one.overruns]


def _lost_error(system: System, row: TaskResponse) -> HorologError:
    """About activations for which a task has no job, as too many were unfinished."""
    one = system.sporadic[row.task - len(system.tasks)]
    lost = plural(row.overruns, "activation")
    waits = plural(one.most, "other")
    return HorologError(
        f'{lost} of "{one.task.name}" {"was" if row.overruns == 1 else "were"} lost: no job ran for '
        f"{'it' if row.overruns == 1 else 'them'}",
        place=one.task.place,
        found=f"an activation while {waits} {'was' if one.most == 1 else 'were'} unfinished",
        expected=f"a least gap that what activates it keeps: it is now {duration_text(one.task.period)}"
        if one.server is None
        else f"a larger pending, or more jobs or a shorter period of the server {one.server.name}",
        exit=Exit.DOES_NOT_HOLD,
    )
