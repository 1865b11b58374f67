# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""From which end a thread of a one-shot cell is put into a sorted list, and what its insertion then passes.

How many nodes lie before a next release is that of plan/prediction/predict.py: all tasks of shorter
periods, and one in T_j / T_i of the longer ones. All others wait behind. Rates are rounded to multiples of a
small step, so that numbers stay short however many periods there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.analyse.releases import Stream

__all__ = ["Walk", "walks_of", "known_walks"]

_RATES = 1 << 40  # rates are multiples of 1 / this, a second
_LOADS = Fraction(4, 3)
"""What a node passed from the end costs beside one from the head, where one load finds key and link."""
_CHOICE = 1  # nodes: what it takes to pass, at least, before the end is worth it


@dataclass(frozen=True, slots=True)
class Walk:
    """A job's insertion, of a stream of one releaser, on average."""

    from_head: Fraction  # nodes passed
    from_end: Fraction

    @property
    def is_from_end(self) -> bool:
        """Whether the end is nearer."""
        return self.spared > 0

    @property
    def spared(self) -> Fraction:
        """What the walk from the end spares, in nodes passed from the head, less what choosing takes."""
        return self.from_head - _LOADS * self.from_end - _CHOICE


def walks_of(of: Sequence[Stream]) -> tuple[Walk, ...]:
    """The walk of each stream of one releaser."""
    certain, rates = known_walks(of)
    rounded = {period: int(rate * _RATES) for period, rate in rates.items()}
    longer: dict[Fraction, int] = {}
    rate = 0
    for period in sorted(rounded, reverse=True):
        longer[period] = rate
        rate += rounded[period]
    others = sum(len(stream.tasks) for stream in of) - 1
    heads = [
        walk + stream.period * Fraction(longer[stream.period], _RATES)
        for stream, walk in zip(of, certain, strict=True)
    ]
    return tuple(Walk(head, others - head) for head in heads)


def known_walks(of: Sequence[Stream]) -> tuple[list[Fraction], dict[Fraction, Fraction]]:
    """Of each stream, the walk past tasks of no longer periods; and of each period its tasks' releases."""
    tasks_at: dict[Fraction, int] = defaultdict(int)
    tasks_at_phase: dict[tuple[Fraction, Fraction], int] = defaultdict(int)
    for stream in of:
        tasks_at[stream.period] += len(stream.tasks)
        tasks_at_phase[stream.period, stream.offset % stream.period] += len(stream.tasks)
    shorter: dict[Fraction, int] = {}
    count = 0
    for period in sorted(tasks_at):
        shorter[period] = count
        count += tasks_at[period]
    walks = []
    for stream in of:
        together = tasks_at_phase[stream.period, stream.offset % stream.period]
        equal = tasks_at[stream.period] - together + Fraction(together - 1, 2)
        walks.append(shorter[stream.period] + equal)
    return walks, {period: tasks / period for period, tasks in tasks_at.items()}
