# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is valid but hardly meant: `horolog check` says so, and nothing refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import prod

from horolog.analyse import basic_levels
from horolog.model import HorologError, Kind, Place, PriorityRule, Strategy, System, Task
from horolog.read.problems import listed
from horolog.read.units import duration_text, frequency_text

__all__ = ["Finding", "check", "unreleased"]

_LONG_PERIOD = Fraction(10)
_SHORT_WCET = Fraction(1, 10**6)
_SMALL_STACK = Fraction(3, 2)  # of the least that the port takes
_BUSY = Fraction(9, 10)


@dataclass(frozen=True, slots=True)
class Finding:
    """One implausible thing. `code` names its kind for programs and does not change."""

    code: str
    message: str
    place: Place


def check(system: System) -> list[Finding]:
    """All that looks implausible about `system`, a group's tasks taken together."""
    place = Place(str(system.path))
    findings = [Finding(*one, place) for one in _of_system(system)]
    for same in _by_entry(system.tasks):
        findings += [Finding(*one, same[0].place) for one in _of_tasks(system, same)]
    return sorted(findings, key=lambda finding: (finding.place.line or 0, finding.code))


def unreleased(system: System) -> tuple[str, ...]:
    """Notes on the tasks that have no release within the duration, for a run or a plan of the system.

    HorologError if no task has a release, as then there is nothing to measure.
    """
    late = [task for task in system.tasks if task.offset >= system.duration]
    duration = duration_text(system.duration)
    if len(late) == len(system.tasks):
        first = min(late, key=lambda task: task.offset)
        offset = duration_text(first.offset)
        raise HorologError(
            "no task is released within the duration",
            place=first.place,
            found=f"the first at {offset}, with a duration of {duration}",
            expected=f"a duration above {offset}, or an offset below {duration}",
        )
    return tuple(
        f"{_named(same)} first released at {duration_text(same[0].offset)}, when the duration of "
        f"{duration} is over"
        for same in _by_entry(tuple(late))
    )


def _named(tasks: list[Task]) -> str:
    """The tasks of one entry as the subject of a sentence, with its verb."""
    if len(tasks) == 1:
        return f'task "{tasks[0].name}" is'
    return f'{len(tasks)} tasks from "{tasks[0].name}" to "{tasks[-1].name}" are'


def _by_entry(tasks: tuple[Task, ...]) -> list[list[Task]]:
    """Tasks of one [[task]] or [[task_group]] together."""
    entries: dict[Place, list[Task]] = {}
    for task in tasks:
        entries.setdefault(task.place, []).append(task)
    return list(entries.values())


def _of_system(system: System) -> Iterator[tuple[str, str]]:
    """Code and message of what is implausible about the whole system."""
    longest = max(task.period for task in system.tasks)
    if system.duration < longest:
        yield (
            "short-duration",
            f"the duration of {duration_text(system.duration)} is shorter than the longest period, "
            f"{duration_text(longest)}",
        )
    handlers = any(one.handler for one in system.interrupts)
    if system.sources and not handlers and not any(task.body for task in system.tasks):
        yield "unused-sources", "sources are listed, but no task has a body"
    for kind, have in ((Kind.THREAD, system.board.levels), (Kind.BASIC, basic_levels(system))):
        ranks = _ranks(system, kind)
        if ranks > have:
            of = " for basic tasks" if kind is Kind.BASIC else ""
            yield (
                "shared-levels",
                f"{ranks} priority ranks on {have} levels{of}: neighbours share a level",
            )
    if system.utilisation > _BUSY:
        left = float(100 * (1 - system.utilisation))
        yield (
            "little-left",
            f"the tasks' WCETs leave {left:.1f} % of the processor for the kernel: horolog plan predicts "
            "whether that is enough",
        )
    yield from _of_corrections(system)
    if not _sure_to_hold(system):
        yield (
            "high-utilisation",
            f"at a utilisation of {float(system.utilisation):.3f} rate-monotonic priorities do not "
            "by themselves assure the deadlines: horolog analyse has a bound of each response",
        )


def _of_corrections(system: System) -> Iterator[tuple[str, str]]:
    """Tables that follow a global time, and cannot be moved."""
    fixed = [
        table.name
        for table in system.schedules
        if table.strategy is Strategy.EXPLICIT
        and not any(point.max_retard or point.max_advance for point in table.points)
    ]
    sync, hz = None if system.control is None else system.control.sync, system.board.clock.hz
    if sync is not None and max(sync.maximum_advance, sync.maximum_retard) * hz < 1:
        fixed.append(system.tables[0].name)
    for name in fixed:
        yield (
            "no-correction",
            f'the table "{name}" follows a global time, and may be moved by no count: it is never corrected',
        )


def _ranks(system: System, kind: Kind) -> int:
    tasks = [task for task in system.tasks if task.kind is kind]
    if system.priorities is PriorityRule.EXPLICIT:
        return 0
    if system.priorities is PriorityRule.DEADLINE_MONOTONIC:
        return len({task.deadline for task in tasks})
    return len({task.period for task in tasks})


def _sure_to_hold(system: System) -> bool:
    """Whether a utilisation test settles it, or none applies.

    For rate-monotonic priorities and deadlines equal to the periods: harmonic periods hold up to
    1, others while the product of U_i + 1 is at most 2 (Bini and Buttazzo; sharper than Liu and
    Layland's n(2^(1/n) - 1)).
    """
    if system.priorities is PriorityRule.EXPLICIT or system.interrupts:
        return True
    if any(task.deadline != task.period for task in system.tasks):
        return True
    periods = sorted({task.period for task in system.tasks})
    pairs = pairwise(periods)
    if all((longer / shorter).denominator == 1 for shorter, longer in pairs):
        return True
    shares = [task.wcet * task.rate for task in system.tasks if task.wcet is not None]
    return prod((share + 1 for share in shares), start=Fraction(1)) <= 2


def _of_tasks(system: System, tasks: list[Task]) -> Iterator[tuple[str, str]]:
    """Code and message of what is implausible about tasks of one entry, which may differ in their periods."""
    first = tasks[0]
    shortest = min(task.period for task in tasks)
    longest = max(task.period for task in tasks)
    if longest > _LONG_PERIOD:
        yield "long-period", f"a period of {duration_text(longest)}: is the unit right?"
    if first.wcet is not None and first.wcet < _SHORT_WCET:
        yield (
            "short-wcet",
            f"a WCET of {duration_text(first.wcet)}: shorter than releasing the task",
        )
    if first.wcet is not None and first.budget is not None and first.budget < first.wcet:
        yield (
            "budget-below-wcet",
            f"a budget of {duration_text(first.budget)}, below the WCET of {duration_text(first.wcet)}: a "
            "job that keeps its WCET may use it up",
        )
    if first.budget is not None and first.budget > shortest:
        yield (
            "long-budget",
            f"a budget of {duration_text(first.budget)}, above the time from one job to the next, "
            f"{duration_text(shortest)}: a job that uses it up has missed its deadline long before",
        )
    turns = (first.work or 0) * system.board.work_ns / 10**9
    if first.wcet is not None and first.wcet < turns:
        yield (
            "wcet-below-work",
            f"a WCET of {duration_text(first.wcet)}, but {first.work} turns of work last "
            f"{duration_text(turns)}",
        )
    if first.offset >= system.duration:
        yield (
            "never-released",
            f"first released at {duration_text(first.offset)}, when the duration of "
            f"{duration_text(system.duration)} is over",
        )
    elif first.offset >= shortest:
        yield (
            "long-offset",
            f"an offset of {duration_text(first.offset)} is no shorter than the period of "
            f"{duration_text(shortest)}",
        )
    port = system.board.port
    if (
        first.kind is Kind.THREAD
        and first.body is not None
        and first.stack < _SMALL_STACK * port.stacks.least
    ):
        yield (
            "small-stack",
            f"a stack of {first.stack} bytes is little for a body in C: an interrupt's frame and "
            f"the saved registers alone take {port.context_bytes or 64}",
        )
    yield from _inexact_periods(system, tasks)


def _inexact_periods(system: System, tasks: list[Task]) -> Iterator[tuple[str, str]]:
    hz = system.board.clock.hz
    inexact = sorted({t.period for t in tasks if (t.period * hz).denominator != 1})
    if inexact:
        shown = listed([duration_text(period) for period in inexact[:3]], last="and")
        more = f" and {len(inexact) - 3} more" if len(inexact) > 3 else ""
        yield (
            "inexact-period",
            f"a period of {shown}{more} is no whole number of counts at {frequency_text(hz)}: the "
            "remainder is carried along, so releases are off by less than one count and never drift",
        )
