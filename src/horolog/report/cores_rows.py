# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a run on several cores came to, a row for each core and one for all, for terminal and page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.analyse import all_levels
from horolog.figures import count, plural, significant
from horolog.model import CorePlan, System
from horolog.model.core_result import CoresResult
from horolog.model.result import Side
from horolog.report.wording import Headline, headline, percent, sum_text
from horolog.trace import TaskResponse, Trace, jobs, responses

__all__ = [
    "CoreSeen",
    "RivalRow",
    "TaskSeen",
    "cores_headline",
    "head_of_rivals",
    "head_of_rows",
    "idle_cores",
    "idle_row",
    "rival_rows",
    "row_of",
    "seen_tasks",
]

_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class CoreSeen:
    """A core with tasks: its plan, and what was seen of its run."""

    plan: CorePlan
    trace: Trace
    activated: tuple[TaskResponse, ...] = ()  # of tasks that something other than time releases


@dataclass(frozen=True, slots=True)
class TaskSeen:
    """One task's responses."""

    core: int
    name: str
    level: int
    period: Fraction
    deadline: Fraction
    found: TaskResponse

    @property
    def share(self) -> Fraction | None:
        """The longest response as a share of the deadline; None: no job was finished."""
        worst = self.found.max_ns
        return None if worst is None else worst / (self.deadline * _NS)


def cores_headline(result: CoresResult) -> Headline:
    """The first sentence of the report."""
    tasks = sum(len(one.tasks) for one in result.cores)
    return headline(result.whole, tasks, plural(len(result.cores), "core"))


def head_of_rows(unit: str) -> tuple[str, ...]:
    """The headings of what row_of has."""
    return ("tasks", "cells", "predicted = taken + coalesced", *_head_of_work(unit))


def _head_of_work(unit: str) -> tuple[str, ...]:
    """The headings of what _work has."""
    return ("jobs", "missed", "overruns", f"kernel {unit}", "per job", "overhead", "waits")


def idle_cores(system: System, result: CoresResult) -> list[int]:
    """The cores without tasks, in order."""
    busy = {one.core for one in result.cores}
    return [core for core in range(system.cores) if core not in busy]


def idle_row() -> tuple[str, ...]:
    """What row_of has of a core without tasks: nothing was counted."""
    return ("0", "0", *("\u2013",) * 8)


def row_of(side: Side, tasks: int, cells: int, waits: int) -> tuple[str, ...]:
    """The figures of one core, or of all. `waits`: for other cores, in cycles since reset."""
    return (count(tasks), count(cells), sum_text(side.interrupts), *_work(side, waits))


def _work(side: Side, waits: int) -> tuple[str, ...]:
    """Jobs, and what the kernel spent on them."""
    counted, per_job = side.instructions, side.kernel_per_job
    return (
        count(side.jobs),
        count(side.deadline_misses),
        count(side.overruns),
        "\u2013" if counted is None else count(counted.kernel),
        "\u2013" if per_job is None else significant(per_job, 4),
        percent(side.overhead_percent),
        count(waits),
    )


def head_of_rivals(unit: str) -> tuple[str, ...]:
    """The headings of what rival_rows has behind a side's name."""
    return ("interrupts", "doorbells", *_head_of_work(unit), "to Horolog")


@dataclass(frozen=True, slots=True)
class RivalRow:
    """A side of the comparison, all cores together; `best`: the FreeRTOS side that costs least."""

    name: str
    figures: tuple[str, ...]
    best: bool


def rival_rows(result: CoresResult) -> list[RivalRow]:
    """Horolog and FreeRTOS's sides that were measured; none if there is no such side."""
    whole = result.whole
    if not result.rivals:
        return []
    waits = sum(one.waits.cycles for one in result.cores)
    rows = [RivalRow("Horolog", _compared(whole.horolog, waits, None), best=False)]
    for rival in result.rivals:
        side = whole.freertos_sides[rival.baseline]
        waits = sum(one.waits.cycles for one in rival.cores)
        figures = _compared(side, waits, whole.ratio_to(rival.baseline))
        rows.append(RivalRow(rival.baseline.title, figures, rival.baseline is whole.strongest))
    return rows


def _compared(side: Side, waits: int, ratio: Fraction | None) -> tuple[str, ...]:
    return (
        count(side.interrupts.taken),
        "\u2013" if side.doorbells is None else count(side.doorbells),
        *_work(side, waits),
        "\u2013" if ratio is None else significant(ratio),
    )


def seen_tasks(cores: Sequence[CoreSeen]) -> Iterator[TaskSeen]:
    """The tasks of all cores, core by core."""
    for core in cores:
        system = core.plan.system
        on = all_levels(system)
        timed = responses(
            jobs(core.trace, system, nested=not system.has_global), system, core.trace.rounds
        )
        for found in (*timed, *core.activated):
            task = system.task(found.task)
            yield TaskSeen(
                core.plan.core, task.name, on[found.task], task.period, task.deadline, found
            )
