# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The releases of tasks that share a thread: seen from outside are those of its first task."""

from __future__ import annotations

from collections.abc import Iterator

from horolog.analyse import shared_threads
from horolog.model import System
from horolog.trace.events import Event, Trace

__all__ = ["all_released"]


def all_released(trace: Trace, system: System) -> Trace:
    """`trace` with a release of every task of a thread where one of its first task stands."""
    others = {tasks[0]: tasks[1:] for tasks in shared_threads(system)}
    return Trace.of(_events(trace, others)) if others else trace


def _events(trace: Trace, others: dict[int, tuple[int, ...]]) -> Iterator[tuple[int, str, int]]:
    release = Event.RELEASE.value
    for ns, kind, index in trace:
        yield ns, kind, index
        if kind == release:
            for task in others.get(index, ()):
                yield ns, kind, task
