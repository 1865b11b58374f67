# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When a releaser's cell interrupts: exact numbers in the window, and rates in the long run.

Not counted here: the clock's own wrap, every 2^width counts, which on some boards enters the handler
of a cell too (`Clock.handler`). Where that is to be charged, this is the place; it needs to know what
the clock reads at t = 0 (`Board.start_counts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from horolog.analyse import (
    HOP_COUNTS,
    Stream,
    count_release_instants,
    count_wakes,
    cycle_counts,
    essential,
    settled_counts,
    wakes,
)
from horolog.analyse.releases import periodic_count
from horolog.plan.instants.coincidence import whole_classes
from horolog.plan.instants.counts_and_rates import Amount
from horolog.plan.instants.density import union_density
from horolog.plan.instants.residue_classes import Residues

__all__ = ["instants_of", "one_shot_interrupts", "one_shot_rate", "periodic_interrupts"]

_EXACT_WAKES = 1 << 18
"""A one-shot rate is counted over a whole hyperperiod of up to this many wakes."""

_MOST_TERMS = 4_000
"""The most terms of a density; with more, instants are counted one by one."""

_STRETCH_WAKES = 1 << 15
"""The wakes that are counted of a hyperperiod with too many."""


def periodic_interrupts(first: int | Fraction, period: int | Fraction, end: int) -> int:
    """How many of first, first + period, ... lie before `end`."""
    return max(0, int(-((first - end) // period)))


def one_shot_interrupts(of: Sequence[Stream], hz: int, span: int, end: int) -> int:
    """Interrupts before `end` of a one-shot cell that releases the streams `of`.

    One at every wake. Where the next one is more than `span` after the instant served last, the
    cell is armed for that instant + span first, as often as it takes; at t = 0 a chain begins.
    """
    settled = _first_wake_from(of, hz, settled_counts(of, hz))

    def count(low: int, high: int) -> int:
        return _chain(of, hz, span, low, high)

    return periodic_count(count, settled, cycle_counts(of, hz), end)


def one_shot_rate(of: Sequence[Stream], hz: int, span: int) -> tuple[Fraction, bool]:
    """Interrupts per second in the long run, and whether that is exact.

    Exact over a hyperperiod; where that holds too many wakes to count, over a stretch that does not
    depend on the window, as the planner is not to know how long a run lasts. Where there are no hops
    and all instants are whole counts, it is a density, which needs no counting.
    """
    shortest, longest = of[0].period * hz, max(stream.period for stream in of) * hz
    if shortest <= span and longest <= HOP_COUNTS:
        rate = _density(of, hz)
        if rate is not None:
            return rate, True
    settled, cycle = _first_wake_from(of, hz, settled_counts(of, hz)), cycle_counts(of, hz)
    of = essential(of, hz)
    per_count = sum((1 / (stream.period * hz) for stream in of), Fraction(0))
    exact = cycle * per_count <= _EXACT_WAKES
    length = cycle if exact else int(_STRETCH_WAKES / per_count)
    return Fraction(_chain(of, hz, span, settled, settled + length) * hz, length), exact


def instants_of(of: Sequence[Stream], hz: int, end: int) -> tuple[Amount, bool]:
    """Distinct release instants of the streams `of`, in [0, end), and whether their rate is exact."""
    return _instants_of(tuple(of), hz, end)


@lru_cache(maxsize=1024)
def _instants_of(of: tuple[Stream, ...], hz: int, end: int) -> tuple[Amount, bool]:
    def count(low: int, high: int) -> int:
        return count_release_instants(of, hz, low, high)

    settled, cycle = settled_counts(of, hz), cycle_counts(of, hz)
    window = Fraction(periodic_count(count, settled, cycle, end))
    rate = _density(of, hz)
    if rate is not None:
        return Amount(window, rate), True
    per_count = sum((1 / (stream.period * hz) for stream in of), Fraction(0))
    exact = cycle * per_count <= _EXACT_WAKES
    length = cycle if exact else int(_STRETCH_WAKES / per_count)
    return Amount(window, Fraction(count(settled, settled + length) * hz, length)), exact


def _density(of: Sequence[Stream], hz: int) -> Fraction | None:
    """Distinct instants a second, exactly; None if that is not known so."""
    classes = whole_classes(of, hz)
    per_count = None if classes is None else _union(tuple(sorted(set(classes))))
    return None if per_count is None else per_count * hz


@lru_cache(maxsize=1024)
def _union(classes: tuple[Residues, ...]) -> Fraction | None:
    density = union_density(classes, _MOST_TERMS)
    return density.low if density.exact else None


def _first_wake_from(of: Sequence[Stream], hz: int, start: int) -> int:
    """The first wake at or after `start`, which is no less than any offset."""
    reach = min(int(stream.period * hz) for stream in of) + 2
    return next(wakes(of, hz, start, start + reach))


def _chain(of: Sequence[Stream], hz: int, span: int, low: int, high: int) -> int:
    """Wakes in [low, high), and the hops between them; `low` counts as served."""
    # From the first release of the shortest period on wakes are no further apart than that period.
    to_come = max(Fraction(0), of[0].offset * hz - low)
    if to_come + of[0].period * hz + 1 <= span:
        return count_wakes(of, hz, low, high)
    interrupts, served = 0, low
    for wake in wakes(of, hz, low, high):
        interrupts += 1 + max(0, (wake - served - 1) // span)
        served = wake
    latest = max(served, high, *(int(stream.offset * hz) for stream in of)) + 1
    wake = next(wakes(of, hz, high, latest + int(of[0].period * hz) + 2))
    return interrupts + _hops_before(wake - served, span, high - served)


def _hops_before(left: int, span: int, end: int) -> int:
    """Of the hops over `left` counts, those within the first `end` of them.

    Each goes `span` far, but for the last one, which goes half of what is left (hrli_releaser_stride).
    """
    whole = max(0, left // span - 1)
    rest = left - whole * span
    last = rest > span and whole * span + rest // 2 < end
    return min(whole, max(0, (end - 1) // span)) + last
