# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Who had the processor and when, as seen from outside a firmware, and the spans between.

A *visit* is a stretch in which every instruction is of one owner's code: a task's body, the idle loop, a
handler. Its times are numbers of cycles (of instructions under QEMU): of the first one that has an
instruction of the owner in the decode and execute stage, and of the last one. An *expiry* is the cycle at
whose beginning a timer has reached its compare value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from horolog.model import Exit, HorologError

__all__ = [
    "Log",
    "Spans",
    "Visit",
    "gaps",
    "read_visits",
    "rounds",
    "spans_of",
    "starts",
]


@dataclass(frozen=True, slots=True)
class Visit:
    """`places`: the addresses of its first instruction and of its last."""

    who: int
    first: int
    last: int
    places: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Log:
    """All visits of a run, ascending, and the expiries of each timer."""

    visits: tuple[Visit, ...]
    expiries: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def of(self, who: int) -> list[Visit]:
        """The visits of one owner."""
        return [visit for visit in self.visits if visit.who == who]

    def following(self, time: int) -> Iterator[Visit]:
        """The visits that begin at `time` or later."""
        at = bisect_left(self.visits, time, key=lambda visit: visit.first)
        return (self.visits[index] for index in range(at, len(self.visits)))

    def before(self, time: int) -> Visit | None:
        """The last visit that begins before `time`."""
        at = bisect_left(self.visits, time, key=lambda visit: visit.first)
        return self.visits[at - 1] if at else None


@dataclass(frozen=True, slots=True)
class Spans:
    """So many samples: the least, the most, and the sum. `phases`: in how many states they met the processor."""

    samples: int
    best: int
    worst: int
    total: int
    phases: int = 0

    @property
    def mean(self) -> Fraction:
        """Of one sample."""
        return Fraction(self.total, self.samples)


def read_visits(text: str, handlers: Mapping[int, str]) -> Log:
    """The log of plugin/horolog_visits.c.

    `handlers`: whose "code" is the first instruction of a timer's handler. There are no expiries to be seen in
    the emulator, and entering a handler costs nothing there, so that a handler's entry is the expiry.
    """
    visits: list[Visit] = []
    expiries: dict[str, list[int]] = {name: [] for name in handlers.values()}
    begun: tuple[int, int] = 0, 0
    for line in text.splitlines():
        words = line.split()
        if words[1] == "end":
            break
        time, who, place = int(words[0]), int(words[2]), int(words[3], 16)
        if words[1] == "+":
            begun = time, place
            if who in handlers:
                expiries[handlers[who]].append(time)
        elif who not in handlers:
            visits.append(Visit(who, begun[0], time, (begun[1], place)))
    return Log(tuple(visits), {name: tuple(times) for name, times in expiries.items()})


def spans_of(samples: Sequence[int], wanted: int, phases: int = 0) -> Spans:
    """The first `wanted` of `samples`. HorologError if there are fewer: the firmware went another way."""
    if len(samples) < wanted:
        raise HorologError(
            "the bench's firmware took another path than its scenario",
            found=f"{len(samples)} samples",
            expected=str(wanted),
            exit=Exit.TARGET_FAILED,
        )
    some = samples[:wanted]
    return Spans(wanted, min(some), max(some), sum(some), phases)


def starts(log: Log, expiries: Sequence[int], who: int, past: int) -> tuple[list[int], list[int]]:
    """From each expiry to the first visit of `who` after it; and the place of what `past` did last before it.

    An expiry counts if `past` had the processor, or was the last to have it, and `who` came before the next
    expiry.
    """
    spans, places = [], []
    for nth, expiry in enumerate(expiries[:-1]):
        interrupted = log.before(expiry)
        if interrupted is None or interrupted.who != past:
            continue
        for visit in log.following(expiry):
            if visit.first >= expiries[nth + 1]:
                break
            if visit.who == who:
                spans.append(visit.first - expiry)
                places.append(interrupted.places[1])
                break
    return spans, places


def gaps(log: Log, who: int, following: int) -> list[int]:
    """Between a visit of `who` and the one of `following` that comes next: what belongs to nobody."""
    return [
        after.first - visit.last - 1
        for visit, after in zip(log.visits, log.visits[1:], strict=False)
        if visit.who == who and after.who == following
    ]


def rounds(log: Log, expiries: Sequence[int], past: int) -> list[int]:
    """From each expiry that interrupts `past` until that goes on: what belongs to nobody, in all."""
    found = []
    for nth, expiry in enumerate(expiries[:-1]):
        interrupted = log.before(expiry)
        if interrupted is None or interrupted.who != past:
            continue
        begin = max(expiry, interrupted.last + 1)  # it may have gone on for a few cycles
        others = 0
        for visit in log.following(begin):
            if visit.first >= expiries[nth + 1]:
                break
            if visit.who == past:
                found.append(visit.first - begin - others)
                break
            others += visit.last - visit.first + 1
    return found
