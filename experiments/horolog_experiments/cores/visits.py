# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What of a global set ran when on which core: jobs, misses, the kernel's cycles, and changes of core."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from pathlib import Path

from horolog.image import Image
from horolog_experiments.cores.marks import Mark, Requests
from horolog_experiments.cores.task_sets import HYPERPERIOD, PeriodicTask

__all__ = ["Visit", "global_figures", "read_visits", "watch_text"]

_JOB = "bench_job_"
_IDLE = "hrlp_idle_loop"
_SOON = 10_000
"""From the request of an instant to its first job: fewer cycles. Ticks are five times as far apart."""


@dataclass(frozen=True, slots=True)
class Visit:
    """From cycle `begin` to before `end` a core executed a task's work, or the idle loop.

    `what`: the task's number, or "idle".
    """

    begin: int
    end: int
    core: int
    what: str


def watch_text(image: Image, out: Path) -> str:
    """What the simulator is to log of a core (watch/visit_log.h): the work of tasks, and the idle loop."""
    lines = [f"out {out}"]
    for number, one in enumerate(image.functions):
        if one.name.startswith(_JOB) or one.name == _IDLE:
            lines.append(f"watch {one.low:#x} {one.high:#x} {number}")
    return "\n".join(lines) + "\n"


def read_visits(texts: Sequence[str], image: Image) -> list[Visit]:
    """The visits of all cores in order, of their logs. One that has no end there is left out."""
    found = []
    for core, text in enumerate(texts):
        begin = 0
        for line in text.splitlines():
            time, kind, *rest = line.split()
            if kind == "+":
                begin = int(time)
            elif kind == "-":
                name = image.functions[int(rest[0])].name
                found.append(
                    Visit(
                        begin, int(time) + 1, core, "idle" if name == _IDLE else name[len(_JOB) :]
                    )
                )
    return sorted(found, key=attrgetter("begin", "core"))


def global_figures(
    tasks: Sequence[PeriodicTask],
    cores: int,
    marks: Iterable[Mark],
    visits: Sequence[Visit],
    requests: Requests,
) -> Mapping[str, int]:
    """Of one hyperperiod; t = 0 is the first of the `requests` that released the first jobs."""
    ends = _ends(marks)
    first = min(one.begin for one in visits if one.what != "idle")
    start = min(at for cycles in requests for at in cycles if first - _SOON < at < first)
    jobs = missed = 0
    for number, task in enumerate(tasks):
        for job in range(HYPERPERIOD // task.period):
            jobs += 1
            ended = ends[number][job] if job < len(ends[number]) else None
            missed += ended is None or ended > start + (job + 1) * task.period
    inside = sum(
        max(0, min(one.end, start + HYPERPERIOD) - max(one.begin, start)) for one in visits
    )
    return {
        "jobs": jobs,
        "missed": missed,
        "kernel": cores * HYPERPERIOD - inside,
        "moves": _moves([one for one in visits if one.begin < start + HYPERPERIOD]),
    }


def _ends(marks: Iterable[Mark]) -> Mapping[int, list[int]]:
    """By task, when its jobs ended. An instruction that an interrupt took out of the core begins twice."""
    ends: dict[int, list[int]] = defaultdict(list)
    runs: set[int] = set()
    for mark in marks:
        what, number = mark.name.split("_")
        if what == "begin":
            runs.add(int(number))
        elif int(number) in runs:
            runs.remove(int(number))
            ends[int(number)].append(mark.cycle)
    return ends


def _moves(visits: Iterable[Visit]) -> int:
    """How often a task went on, or began its next job, on another core than before."""
    by_task: dict[str, list[int]] = defaultdict(list)
    for one in visits:
        if one.what != "idle":
            by_task[one.what].append(one.core)
    return sum(one != other for cores in by_task.values() for one, other in pairwise(cores))
