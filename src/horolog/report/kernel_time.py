# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When the kernel ran, for the timeline: traces tell when bodies ran, and what interruptions took.

Between two stretches of bodies the processor is the kernel's or idle. It is the kernel's

- from an interrupt to the body that runs next, and from the end of a body to that which follows without an
  interrupt: exactly so long;
- for a while behind a body, or an interrupt, that no other follows at once; then it idles up to the next
  interrupt. How long that tail is, traces do not tell. All that is executed is counted, though, so
  what all tails together took is known, and each is shown with their mean.

Where a trace has no switches (of basic tasks), a preempted body counts as going on from the end of that which
preempted it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction

from horolog.trace import Met, Segment

__all__ = ["mean_tail", "without_interruptions"]


def without_interruptions(
    stretches: Sequence[Segment], met: Sequence[Met], step_ns: Fraction | int
) -> list[Segment]:
    """`stretches` less what the kernel executed in interrupts that found their jobs running."""
    cuts = [(one.ns, int(one.ns + one.kernel * step_ns)) for one in met if one.kernel is not None]
    starts = [begin for begin, _ in cuts]
    found: list[Segment] = []
    for stretch in stretches:
        at = stretch.start_ns
        for begin, end in cuts[
            bisect_left(starts, stretch.start_ns) : bisect_left(starts, stretch.end_ns)
        ]:
            if begin > at:
                found.append(stretch._replace(start_ns=at, end_ns=begin))
            at = max(at, min(end, stretch.end_ns))
        if at < stretch.end_ns or at == stretch.start_ns:
            found.append(stretch._replace(start_ns=at))
    return found


def mean_tail(
    stretches: Sequence[Segment], interrupts: Sequence[int], window_ns: int, busy_ns: Fraction | int
) -> int | None:
    """How long the kernel runs, on the mean, behind a body or an interrupt until it idles.

    `stretches` are without interruptions, `interrupts` in order of time; `busy_ns` is all the time that the
    processor did not idle. None: it never idled.
    """
    left = busy_ns - sum(one.end_ns - one.start_ns for one in stretches)
    rooms = []
    for length, is_tail in _gaps(stretches, interrupts, window_ns):
        if is_tail:
            rooms.append(length)
        else:
            left -= length
    # A tail is no longer than its gap: what does not fit there is the others'.
    for position, room in enumerate(sorted(rooms)):
        each = max(Fraction(0), Fraction(left) / (len(rooms) - position))
        if each <= room:
            return int(each)
        left -= room
    return max(rooms, default=None)


def _gaps(
    stretches: Sequence[Segment], interrupts: Sequence[int], window_ns: int
) -> Iterator[tuple[int, bool]]:
    """Each time without a body between bodies and interrupts, and whether the processor idled at its end."""
    at, call = 0, 0
    for begin, end in [
        *((one.start_ns, one.end_ns) for one in stretches),
        (max(window_ns, stretches[-1].end_ns if stretches else 0), None),
    ]:
        last = at
        while call < len(interrupts) and interrupts[call] < begin:
            if interrupts[call] > last:
                yield interrupts[call] - last, True
                last = interrupts[call]
            call += 1
        if begin > last:
            yield begin - last, end is None
        at = begin if end is None else max(at, end)
        while call < len(interrupts) and interrupts[call] < at:
            call += 1
