# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Does a system hold? The page's first answer: the verdict, what was measured, late tasks, bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from horolog.figures import plural
from horolog.model import System
from horolog.model.result import Result
from horolog.report.timeline import Run
from horolog.report.wording import Headline, capital, deadlines_tone, headline, ns_text, percent
from horolog.responses import Analysis, ms_text, why_text
from horolog.trace import Job

__all__ = ["Held", "Late", "bound_rows", "held", "share_of"]

_NS = 1_000_000_000
_MOST_LATE = 10


@dataclass(frozen=True, slots=True)
class Late:
    """A task with late jobs under one kernel; `first` says which was the first, and when."""

    key: str
    kernel: str
    task: str
    misses: int
    jobs: int
    deadline: Fraction  # the longest of its points, seconds
    worst: Fraction | None  # ns
    first: str


@dataclass(frozen=True, slots=True)
class Held:
    """`answer`: the first sentence. `lines`: what else is known. `late`: those with the most late jobs.

    `failed`: the run was not valid, or jobs were late. That is the report's headline then, and `answer`.
    """

    answer: Headline
    failed: bool
    lines: tuple[str, ...]
    late: tuple[Late, ...]
    more_late: int


def held(result: Result, system: System, runs: Sequence[Run]) -> Held:
    """What the page says first; `runs`: Horolog's as it was planned, then the others."""
    late = [one for run in runs for one in _late(run, system)]
    late.sort(key=lambda one: (one.key != runs[0].key, -one.misses))
    verdict = result.deadlines
    lines = [_measured(result, runs[0], system)]
    failed = bool(result.exceeded or result.horolog.deadline_misses)
    if failed:
        answer = headline(result, len(system.tasks))
        if verdict is not None:
            lines.insert(0, f"By the analysis of the plan: {verdict.text}.")
    elif verdict is not None:
        answer = Headline(f"{capital(verdict.text)}.", "", deadlines_tone(verdict))
    else:
        answer = Headline(f"{_in_time(result)}.", "", "neutral")
        lines.append("No bounds were computed: what was measured is no proof.")
    shown = tuple(late[:_MOST_LATE])
    return Held(answer, failed, tuple(filter(None, lines)), shown, len(late) - len(shown))


def bound_rows(system: System, analysis: Analysis, run: Run) -> list[dict[str, Any]]:
    """A row for each task, that with the least slack first; `run` is that of the plan that was analysed."""
    order = sorted(
        analysis.bounds, key=lambda one: (one.slack is not None, one.slack or 0, one.task)
    )
    rows = []
    for one in order:
        task = system.all_tasks[one.task]
        is_timed = one.task < len(system.tasks)  # sporadic tasks stand behind
        seen = run.side.response.get(task.name)
        worst = None if seen is None else seen.max_ns
        if is_timed:
            worst = run.responses[one.task].max_ns
        measured = None if worst is None else Fraction(worst) / _NS
        is_open = one.task in analysis.open
        response, slack = (None, None) if is_open else (one.response, one.slack)
        rows.append(
            {
                "name": task.name,
                "deadline": ms_text(one.deadline, up=False),
                "bound": None if response is None else ms_text(response),
                "slack": None if slack is None else ms_text(slack, up=False),
                "measured": None if measured is None else ms_text(measured),
                "absent": "not known" if is_open else "none",
                "holds": one.holds and not is_open,
                "part": share_of(min(measured or 0, one.deadline), one.deadline),
                "limit": share_of(min(response or one.deadline, one.deadline), one.deadline),
                "why": "not known, as WCETs are missing" if is_open else why_text(one),
            }
        )
    return rows


def share_of(part: Fraction | float, whole: Fraction | float) -> float:
    """`part` in percent of `whole`, for the length of a bar."""
    return round(float(100 * part / whole), 3) if whole else 0.0


def _in_time(result: Result) -> str:
    return f"Of {plural(result.horolog.jobs, 'measured job')} none was late"


def _measured(result: Result, run: Run, system: System) -> str:
    """How near to its deadline a job came at most; empty if none ended."""
    nearest = _nearest(run)
    if nearest is None:
        return ""
    late = bool(result.horolog.deadline_misses)
    took, allowed = _response(nearest), nearest.deadline * _NS
    first = f"{_in_time(result)}. " if result.deadlines is not None and not late else ""
    return (
        f"{first}The job {'furthest behind' if late else 'nearest to'} its deadline was one of "
        f"{system.tasks[nearest.task].name}: {ns_text(took)} of {ns_text(allowed)}, "
        f"{percent(100 * took / allowed)}."
    )


def _nearest(run: Run) -> Job | None:
    finished = [job for job in run.due if job.end_ns is not None]
    if not finished:
        return None
    return max(finished, key=lambda job: (_response(job) / job.deadline, -job.release_ns))


def _response(job: Job) -> Fraction:
    assert job.end_ns is not None
    return job.end_ns - job.release_ns


def _late(run: Run, system: System) -> Iterator[Late]:
    """The tasks of `run` with late jobs."""
    first: dict[int, Job] = {}
    for job in run.due:
        if job.end_ns is None or _response(job) > job.deadline * _NS:
            known = first.get(job.task)
            if known is None or job.release_ns < known.release_ns:
                first[job.task] = job
    for index, row in enumerate(run.responses):
        if not row.misses:
            continue
        job = first[index]
        when = ns_text(job.release_ns)
        yield Late(
            run.key,
            run.name,
            system.tasks[index].name,
            row.misses,
            row.jobs,
            system.tasks[index].deadline,
            row.max_ns,
            f"#{job.number}, released at {when}" + ("" if job.end_ns else ", unfinished"),
        )
