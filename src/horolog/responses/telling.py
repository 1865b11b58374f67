# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an analysis says, in words and as data for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from horolog.analyse import all_levels
from horolog.figures import plural
from horolog.model import Deadlines, Exit, HorologError, System
from horolog.responses.analysis import PARTS, Analysis, TaskBound
from horolog.responses.impossible import overfull_interval

if TYPE_CHECKING:
    from horolog.responses.chains import ChainBound

__all__ = [
    "MEANING",
    "chain_text",
    "deadlines_of",
    "impossible_text",
    "ms_text",
    "refuse_misses",
    "to_data",
    "verdict_text",
    "why_text",
]

MEANING = {
    "own": "its own body",
    "higher": "tasks of higher priority",
    "level": "other tasks of its priority",
    "interrupts": "interrupts",
    "kernel": "the kernel's work for these jobs",
    "blocking": "blocking",
    "jitter": "its release, later than nominal",
    "pending": "jobs released before it",
    "before": "the time before its release",
}
"""The parts of a response, for people."""

_US = 10**6


def ms_text(seconds: Fraction, *, up: bool = True) -> str:
    """Milliseconds to a microsecond, rounded to the safe side: "1.234"."""
    us = ceil(seconds * _US) if up else floor(seconds * _US)
    sign = "-" if us < 0 else ""
    return f"{sign}{abs(us) // 1000:,}.{abs(us) % 1000:03}"


def why_text(bound: TaskBound, *, kernel: bool = True) -> str:
    """The parts that a response is made of, the longest first. `kernel`: whether it takes time."""
    if bound.response is None:
        what = "tasks of its priority and above" + (", and the kernel," if kernel else "")
        need = f"{what} need {float(100 * bound.busy):.1f} % of the processor"
        if bound.busy > 1:
            return need
        return f"{need}, and no end was found of the time in which they keep it busy"
    parts = sorted(
        ((seconds, name) for name, seconds in bound.parts.items() if seconds > 0), reverse=True
    )
    return ", ".join(f"{ms_text(seconds)} ms {MEANING[name]}" for seconds, name in parts)


def verdict_text(system: System, analysis: Analysis, chains: Sequence[ChainBound] = ()) -> str:
    """One line: whether all deadlines hold, else the first task or chain that fails, and why."""
    count = len(analysis.bounds)
    if analysis.unknown and not analysis.certain:
        return f"not known: {_unknown_text(system, analysis)}"
    first = analysis.first_failing
    if first is None:
        failing = next((one for one in chains if not one.holds), None)
        if failing is not None:
            return chain_text(failing)
        every = "the deadline" if count == 1 else f"all {count} deadlines"
        if chains:
            every += " and the chain" if len(chains) == 1 else f" and {len(chains)} chains"
        every += " holds" if count == 1 and not chains else " hold"
        if analysis.kernel is None:
            every += ", the kernel's own work not counted"
        if analysis.not_covered:
            every += f"; not covered: {', '.join(analysis.not_covered)}"
        return every
    counted = analysis.kernel is not None
    task = system.all_tasks[first.task]
    if first.task in analysis.open:
        return (
            f'the deadline of "{task.name}" is missed, even if bodies without a WCET take no time: '
            f"{ms_text(first.deadline, up=False)} ms are allowed"
        )
    if first.response is None:
        return f'the deadline of "{task.name}" does not hold: {why_text(first, kernel=counted)}'
    certain = "is missed" if first.task in analysis.certain else "is not proved"
    return (
        f'the deadline of "{task.name}" {certain}: a job may take {ms_text(first.response)} ms, and '
        f"{ms_text(first.deadline, up=False)} ms are allowed"
    )


def chain_text(chain: ChainBound) -> str:
    """What of a chain is not proved."""
    name, bound, most = next(one for one in chain.limits if one[1] is None or one[1] > one[2])
    may = "has no bound" if bound is None else f"may be {ms_text(bound)} ms"
    allowed = f"and {ms_text(most, up=False)} ms are allowed"
    return f'the {name} of the chain "{chain.chain.name}" is not proved: it {may}, {allowed}'


def _unknown_text(system: System, analysis: Analysis) -> str:
    """How many tasks have no WCET, and how many are activated any number of times."""
    count = plural(len(analysis.bounds), "task")
    without = sum(system.all_tasks[task].wcet is None for task in analysis.unknown)
    loose = len(system.unbounded)
    if not without and not loose:
        held = ", ".join(system.all_tasks[task].name for task in analysis.unknown[:4])
        return f"tasks of other cores that have no WCET may hold off {held}"
    found = [f"{without} of {count} {'has' if without == 1 else 'have'} no WCET"] if without else []
    if loose:
        found.append(
            f"nothing bounds how often {loose} of {count} {'is' if loose == 1 else 'are'} activated"
        )
    return ", and ".join(found)


def deadlines_of(
    system: System, analysis: Analysis, chains: Sequence[ChainBound] = ()
) -> Deadlines:
    """The verdict in a line, with the least slack where there is one; `chains`: those of the system."""
    text = verdict_text(system, analysis, chains)
    holds = analysis.holds and all(one.holds for one in chains)
    least = min(analysis.bounds, key=lambda one: (one.slack is not None, one.slack or 0))
    name, slack = system.all_tasks[least.task].name, least.slack
    if holds and slack is not None:
        first, mark, rest = text.partition("; not covered")
        text = f"{first}; least slack {ms_text(slack, up=False)} ms: {name}{mark}{rest}"
    return Deadlines(
        holds,
        bool(analysis.certain),
        text,
        name,
        None if analysis.unknown else slack,
        analysis.not_covered,
        tuple((task.name, task.deadline) for task in system.all_tasks if analysis.unknown),
    )


def impossible_text(system: System) -> str | None:
    """That no order of priorities meets all deadlines, with figures; None: that is not known."""
    found = overfull_interval(system)
    if found is None:
        return None
    begin, end, need = found
    least = "at least " if any(task.wcet is None for task in system.all_tasks) else ""
    return (
        f"no order of priorities meets all deadlines: jobs released and due from {ms_text(begin)} to "
        f"{ms_text(end)} ms need {least}{ms_text(need, up=False)} ms"
    )


def refuse_misses(
    system: System, analysis: Analysis, factor: Fraction | None = None, way: str | None = None
) -> None:
    """HorologError (1), at the first task that fails (Analysis.first_failing) or has no WCET.

    `way`: a way out, in a sentence.
    """
    if analysis.holds:
        return
    if analysis.unknown and not analysis.certain:
        task, why = system.all_tasks[analysis.unknown[0]], system.unbounded.get(analysis.unknown[0])
        if why is not None:
            raise HorologError(
                f"system {system.name}: {verdict_text(system, analysis)}",
                place=task.place,
                found=f'"{task.name}": {why}',
                expected='min_increment_distance = "..." of the [[counter]]; or min_gap of the task, as a '
                "promise",
                exit=Exit.DOES_NOT_HOLD,
            )
        raise HorologError(
            f"system {system.name}: {verdict_text(system, analysis)}",
            place=task.place,
            found=f'"{task.name}" without a WCET'
            if task.wcet is None
            else f'"{task.name}", and a task without a WCET that may hold it off',
            expected='wcet = "...", the longest that a job runs undisturbed; horolog run --wcet measures '
            "one as a hint, which is no proof",
            exit=Exit.DOES_NOT_HOLD,
        )
    first = analysis.first_failing
    assert first is not None
    task = system.all_tasks[first.task]
    expected = f"at most {ms_text(first.deadline, up=False)} ms"
    impossible = impossible_text(system)
    if impossible is not None:
        expected += f"; {impossible}"
    if factor:
        expected += f"; all deadlines hold with bodies that take {_factor(factor)} times as long"
    if way:
        expected += f"; way out: {way}"
    raise HorologError(
        f"system {system.name}: {verdict_text(system, analysis)}",
        place=task.place,
        found=_not_counted(system, analysis)
        if first.task in analysis.open
        else why_text(first, kernel=analysis.kernel is not None),
        expected=expected,
        exit=Exit.DOES_NOT_HOLD,
    )


def _not_counted(system: System, analysis: Analysis) -> str:
    """Of a deadline that known WCETs alone miss: the tasks that are not in it."""
    names = [system.all_tasks[task].name for task in analysis.unknown]
    rest = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return (
        f"a longer response, with {len(names)} of {plural(len(analysis.bounds), 'task')} not counted: "
        f"{', '.join(names[:4])}{rest}"
    )


def _factor(factor: Fraction) -> str:
    return f"{floor(factor * 1000) / 1000:.3f}"


def to_data(
    system: System,
    analysis: Analysis,
    factor: Fraction | None,
    mechanism: str | None,
    sensitivity: Mapping[int, Fraction] | None = None,
) -> dict[str, Any]:
    """For --json. Times are nanoseconds, rounded to the safe side."""
    on = all_levels(system)
    tasks = [_task(system, analysis, one, on[one.task]) for one in analysis.bounds]
    if sensitivity is not None:
        for one, data in zip(analysis.bounds, tasks, strict=True):
            more = sensitivity.get(one.task)
            data["may_grow_ns"] = None if more is None else floor(more * 10**9)
    return {
        "system": system.name,
        "board": system.board.name,
        "mechanism": mechanism,
        "holds": analysis.holds,
        "verdict": verdict_text(system, analysis),
        "utilisation": float(analysis.utilisation),
        "without_wcet": [
            system.all_tasks[task].name
            for task in analysis.unknown
            if system.all_tasks[task].wcet is None
        ],
        "unbounded": {system.all_tasks[task].name: why for task, why in system.unbounded.items()},
        "kernel": None if analysis.kernel is None else float(analysis.kernel),
        "breakdown_factor": None if factor is None else float(factor),
        "not_covered": list(analysis.not_covered),
        "notes": list(analysis.notes),
        "tasks": tasks,
    }


def _task(system: System, analysis: Analysis, bound: TaskBound, level: int) -> dict[str, Any]:
    task = system.all_tasks[bound.task]
    is_open = bound.task in analysis.open
    response, slack = (None, None) if is_open else (bound.response, bound.slack)
    return {
        "name": task.name,
        "kind": task.kind.value,
        "level": level,
        "bound_ns": None if response is None else _ns(response),
        "deadline_ns": floor(bound.deadline * 10**9),
        "slack_ns": None if slack is None else floor(slack * 10**9),
        "holds": bound.holds and not is_open,
        "misses_with_wcets": bound.task in analysis.certain,
        "offsets": "used" if bound.by_offsets else "ignored",
        "parts_ns": {
            name: _ns(bound.parts[name]) for name in PARTS if name in bound.parts and not is_open
        },
    }


def _ns(seconds: Fraction) -> int:
    return ceil(seconds * 10**9)
