# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How often the processor goes from one thread to another, whatever the mechanism.

A job costs a switch at its end: to the next job, to one that it had preempted, or to idle. A release
instant costs one more, from idle or from the job that is preempted, unless a job that is as urgent as
the most urgent one released, or more so, is running then. So k jobs released together take k + 1
switches, and k released apart take 2 k.

How often an instant finds such a job running is estimated by these tasks' utilisation; those released at
the instant itself have ended. That is over the release instants of a stretch, and does not depend on the
window. Tasks without a known execution time are taken to be short.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from horolog.analyse import levels, releases, settled_counts, streams, window_counts
from horolog.analyse.memo import remembered
from horolog.model import System
from horolog.plan.instants.counts_and_rates import NONE, Amount
from horolog.plan.instants.interrupts import instants_of
from horolog.plan.prices.costs import Costs

__all__ = ["switches_of", "taking_over"]

_SAMPLES = 4096
_WHOLE = 1 << 40
"""Shares of the processor are integers of so many parts: thousands of fractions would take seconds."""


def switches_of(system: System, costs: Costs) -> Amount:
    """Instructions of the switches that release instants cost; a job's own are with its releaser."""
    if not costs.dispatch:
        return NONE
    of, hz = streams(system), system.board.clock.hz
    instants, _ = instants_of(of, hz, window_counts(system))
    return instants * (taking_over(system) * costs.dispatch)


@remembered
def taking_over(system: System) -> Fraction:
    """The share of release instants at which a released task preempts the running job or idle."""
    of, hz, level = streams(system), system.board.clock.hz, levels(system)
    most_urgent = [max(level[task] for task in stream.tasks) for stream in of]
    # Utilisation by level, and of each stream's tasks by level.
    busy = [Fraction(0)] * (max(level) + 1)
    for index, task in enumerate(system.tasks):
        busy[level[index]] += (task.wcet or 0) * task.rate
    at_least = [int(sum(busy[at:], Fraction(0)) * _WHOLE) for at in range(len(busy))]
    own = [
        [
            (level[task], int((system.tasks[task].wcet or 0) / stream.period * _WHOLE))
            for task in stream.tasks
        ]
        for stream in of
    ]
    start = settled_counts(of, hz)
    seen = free = 0
    end = start + int(_SAMPLES * max(stream.period for stream in of) * hz) + 1
    for _, due in islice(releases(of, hz, start, end), _SAMPLES):
        top = max(most_urgent[at] for at in due)
        ended = sum(share for at in due for on, share in own[at] if on >= top)
        seen += 1
        free += _WHOLE - min(_WHOLE, max(0, at_least[top] - ended))
    return Fraction(free, seen * _WHOLE).limit_denominator(10**6)
