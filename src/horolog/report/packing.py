# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A run as the timeline of the page reads it: small enough to stand inside the page.

A stream of variable-length integers (seven bits a byte, low ones first), deflated, in base64:

- number of jobs, then for each, by start: task, number of its release, start after the previous
  job's start, and 1 + duration until its end, or 0 if it has none;
- number of jobs that never began, then for each: task, number;
- number of segments, then for each: job (zigzag difference to the previous segment's), gap since the
  previous segment's end, length;
- number of interrupts, then for each: cell, time after the previous one.

Times are nanoseconds; the first of each list counts from t = 0.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence

from horolog.trace import Job, Segment

__all__ = ["pack"]


def pack(
    due: Sequence[Job], stretches: Sequence[Segment], interrupts: Sequence[tuple[int, int]]
) -> str:
    """The stream as base64 text. Segments of jobs that are not in `due` are left out."""
    out = bytearray()
    started: dict[int, list[Job]] = {}
    for job in due:
        if job.start_ns is not None:
            started.setdefault(job.task, []).append(job)
    by_start = sorted(
        (job.start_ns, task, nth)
        for task, jobs in started.items()
        for nth, job in enumerate(jobs)
        if job.start_ns is not None
    )
    place = {(task, nth): position for position, (_, task, nth) in enumerate(by_start)}

    _put(out, len(by_start))
    previous = 0
    for start, task, nth in by_start:
        job = started[task][nth]
        _put(out, task)
        _put(out, job.number)
        _put(out, start - previous)
        _put(out, 0 if job.end_ns is None else 1 + job.end_ns - start)
        previous = start

    waiting = [job for job in due if job.start_ns is None]
    _put(out, len(waiting))
    for job in waiting:
        _put(out, job.task)
        _put(out, job.number)

    kept = [(place[s.task, s.nth], s) for s in stretches if (s.task, s.nth) in place]
    _put(out, len(kept))
    previous_job = previous = 0
    for position, stretch in kept:
        difference = position - previous_job
        _put(out, difference * 2 if difference >= 0 else -difference * 2 - 1)
        _put(out, stretch.start_ns - previous)
        _put(out, stretch.end_ns - stretch.start_ns)
        previous_job, previous = position, stretch.end_ns

    shown = [(ns, cell) for ns, cell in interrupts if ns >= 0]
    _put(out, len(shown))
    previous = 0
    for ns, cell in shown:
        _put(out, cell)
        _put(out, ns - previous)
        previous = ns
    return base64.b64encode(zlib.compress(bytes(out), 9)).decode("ascii")


def _put(out: bytearray, value: int) -> None:
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
