# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Deadlines of a system that no order of priorities can meet, by the bodies alone."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from horolog.model import System
from horolog.schedulability import Periodic, overfull

__all__ = ["overfull_interval"]

_MOST_UNIT = 10**24


def overfull_interval(system: System) -> tuple[Fraction, Fraction, Fraction] | None:
    """(begin, end, need): bodies of jobs released and due in that time need more; seconds. None: none found.

    Tasks without a WCET, tasks that may move, and those that tables activate unevenly count with nothing.
    """
    count = len(system.tasks)
    known = [
        (task, at >= count)
        for at, task in enumerate(system.demanding)
        if task.wcet is not None
        and not (task.jitter or task.arrivals)
        and task.least_period is None
    ]
    times = [
        time
        for task, _ in known
        for time in (
            *(task.period, task.wcet or Fraction(0), task.deadline, task.nominal_offset),
            *(time for point in task.points for time in (point.offset, point.deadline)),
        )
    ]
    unit = lcm(*(time.denominator for time in times))
    if unit > _MOST_UNIT:
        return None
    jobs = [
        Periodic(
            int(task.period * unit),
            int((task.wcet or Fraction(0)) * unit),
            int(deadline * unit),
            None if sporadic else int(offset * unit),
        )
        for task, sporadic in known
        for offset, deadline in [(point.offset, point.deadline) for point in task.points]
        or [(task.nominal_offset, task.deadline)]
    ]
    found = overfull(jobs)
    if found is None:
        return None
    return Fraction(found.begin, unit), Fraction(found.end, unit), Fraction(found.work, unit)
