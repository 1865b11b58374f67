# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What cores did that run each other's tasks: jobs by the core that releases them, and changes of core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from horolog.figures import plural
from horolog.measure.measured import Measured
from horolog.model import System
from horolog.trace import Event, Trace

__all__ = ["changes_of_core", "changes_text", "jobs_by_home"]

_OF_JOBS = (Event.RELEASE.value, Event.START.value, Event.END.value)
_RUNS = (Event.DISPATCH.value, Event.START.value, Event.END.value)


def jobs_by_home(tasks: Sequence[Sequence[int]], seen: Sequence[Measured]) -> list[Measured]:
    """Returns what was `seen` of each core, with the jobs of the tasks that it releases.

    `tasks`: of each core, their numbers in the whole system; in the results they have their places there.
    The trace of each has these jobs alone, wherever they ran. What was counted is what the core executed.
    """
    events = sorted(
        (event for one in seen for event in one.trace if event[1] in _OF_JOBS),
        key=lambda event: event[0],
    )
    longest: Counter[int] = Counter()
    for one in seen:
        longest |= Counter(one.findings.longest)
    found = []
    for one, numbers in zip(seen, tasks, strict=True):
        at = {number: own for own, number in enumerate(numbers)}
        own = Trace.of((ns, kind, at[task]) for ns, kind, task in events if task in at)
        most = {at[task]: steps for task, steps in longest.items() if task in at}
        found.append(replace(one, trace=own, findings=replace(one.findings, longest=most)))
    return found


def changes_of_core(system: System, seen: Sequence[Measured]) -> dict[int, int]:
    """Returns how often each task that several cores may run was found on another core than before."""
    found = sorted(
        (ns, core, task)
        for core, one in enumerate(seen)
        for ns, kind, task in one.trace
        if kind in _RUNS and system.tasks[task].affinity
    )
    last: dict[int, int] = {}
    changes = {at: 0 for at, task in enumerate(system.tasks) if task.affinity}
    for _, core, task in found:
        changes[task] += last.get(task, core) != core
        last[task] = core
    return changes


def changes_text(system: System, seen: Sequence[Measured]) -> str:
    """A note about the changes of core of each such task."""
    changes = changes_of_core(system, seen)
    each = ", ".join(f"{system.tasks[task].name} {count}" for task, count in changes.items())
    total = plural(sum(changes.values()), "change")
    return f"{total} of core by tasks that several cores may run: {each}"
