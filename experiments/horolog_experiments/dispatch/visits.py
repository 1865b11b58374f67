# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which code had the processor and when, as seen from outside a firmware, and the spans between.

A *visit* is a stretch in which every instruction that is executed is of one owner's code: a task's body, the
idle loop. Its times are numbers of cycles (of instructions under QEMU): of the one in which its first
instruction comes into the decode and execute stage, and of the one in which its last is executed. An *expiry*
is the cycle in which a timer has, from its beginning, reached its compare value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from horolog.model import Exit, HorologError
from horolog_experiments.harness import UNSAVED

__all__ = [
    "Log",
    "Part",
    "Sample",
    "Spans",
    "Visit",
    "gaps",
    "parts_of",
    "read_visits",
    "rounds",
    "spans_of",
    "starts",
]


@dataclass(frozen=True, slots=True)
class Visit:
    """`places`: the addresses of its first instruction and of its last."""

    owner: int
    first: int
    last: int
    places: tuple[int, int] = field(default=(0, 0), metadata=UNSAVED)


@dataclass(frozen=True, slots=True)
class Log:
    """All visits of a run, ascending, and the expiries of each timer. `names`: of the kernel's functions."""

    visits: tuple[Visit, ...]
    expiries: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    def of(self, owner: int) -> list[Visit]:
        """The visits of one owner."""
        return [visit for visit in self.visits if visit.owner == owner]

    def of_owners(self) -> Log:
        """The log without the visits of the kernel's functions."""
        return Log(tuple(one for one in self.visits if one.owner not in self.names), self.expiries)

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
    """So many samples: the least, the most, and the sum. `phases`: so many places were interrupted."""

    samples: int
    best: int
    worst: int
    total: int
    phases: int = 0

    @property
    def mean(self) -> Fraction:
        """The mean cycles of one sample."""
        return Fraction(self.total, self.samples)


@dataclass(frozen=True, slots=True)
class Sample:
    """From `begin` up to `end`. `place`: the address of what was executed last before, if that is asked."""

    begin: int
    end: int
    place: int = 0

    @property
    def length(self) -> int:
        """In the platform's unit."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class Part:
    """So much of a sample was spent in code of that name."""

    name: str
    time: int


def read_visits(text: str, handlers: Mapping[int, str]) -> Log:
    """The log of plugin/horolog_visits.c or of rtl/sim/visits.cpp.

    In the latter expiries are those of "timer", the CLINT's, and of "cell N". In the emulator they cannot be
    seen, but entering a handler costs nothing there: `handlers` are owners with the first instruction of a
    timer's handler as their "code"; its execution is the expiry of that name. They make no visits.
    """
    visits: list[Visit] = []
    expiries: dict[str, list[int]] = {}
    begun: tuple[int, int] = 0, 0
    for line in text.splitlines():
        time, kind, *rest = line.split()
        if kind in ("expiry", "timer"):
            expiries.setdefault(f"cell {rest[0]}" if rest else kind, []).append(int(time))
        elif kind != "end":
            owner, place = int(rest[0]), int(rest[1], 16)
            if kind == "+" and owner in handlers:
                expiries.setdefault(handlers[owner], []).append(int(time))
            elif kind == "+":
                begun = int(time), place
            elif owner not in handlers:
                visits.append(Visit(owner, begun[0], int(time), (begun[1], place)))
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


def starts(log: Log, expiries: Sequence[int], owner: int, past: int) -> list[Sample]:
    """From each expiry to the first visit of `owner` after it; and the last place of `past` before it.

    An expiry counts if `past` had the processor, or was the last to have it, and `owner` came before the next
    expiry.
    """
    found = []
    for expiry, until in pairwise(expiries):
        interrupted = log.before(expiry)
        if interrupted is None or interrupted.owner != past:
            continue
        for visit in log.following(expiry):
            if visit.first >= until:
                break
            if visit.owner == owner:
                found.append(Sample(expiry, visit.first, interrupted.places[1]))
                break
    return found


def gaps(log: Log, owner: int, following: int, *, resumed: bool = False) -> list[Sample]:
    """The spans between a visit of `owner` and the visit of `following` that comes next.

    With `resumed` only those that interrupted `following`: not those behind which it begins a job.
    """
    return [
        Sample(visit.last + 1, after.first)
        for before, visit, after in zip(
            (None, *log.visits), log.visits, log.visits[1:], strict=False
        )
        if visit.owner == owner
        and after.owner == following
        and (not resumed or (before is not None and before.owner == following))
    ]


def parts_of(log: Log, sample: Sample, before: str) -> tuple[Part, ...]:
    """How much of `sample` was spent in which function of `log.names`, by first appearance.

    `before` is what precedes the first of them. What passes between two of them (a jump that empties the
    core) is the former's. The parts add up to the sample.
    """
    found: dict[str, int] = {}
    name, at = before, sample.begin
    for visit in log.following(sample.begin):
        if visit.first >= sample.end:
            break
        if visit.owner in log.names:
            found[name] = found.get(name, 0) + visit.first - at
            name, at = log.names[visit.owner], visit.first
    found[name] = found.get(name, 0) + sample.end - at
    return tuple(Part(name, time) for name, time in found.items() if time)


def rounds(log: Log, expiries: Sequence[int], owner: int, past: int) -> list[int]:
    """From each expiry that interrupts `past` and releases `owner` until `past` goes on, without visits."""
    found = []
    for nth, expiry in enumerate(expiries[:-1]):
        interrupted = log.before(expiry)
        if interrupted is None or interrupted.owner != past:
            continue
        others, came = 0, False
        for visit in log.following(expiry):
            if visit.first >= expiries[nth + 1]:
                break
            if visit.owner == past:
                if came:
                    found.append(visit.first - expiry - others)
                break
            others += visit.last - visit.first + 1
            came = came or visit.owner == owner
    return found
