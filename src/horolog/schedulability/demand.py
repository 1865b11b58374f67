# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What asks for the processor again and again, in whole steps of one unit of time.

The unit is the caller's. A source is a thread, a basic task or an interrupt: `cost` is what one of its jobs
takes from all others, the kernel's work for it included. The end of a task's body inside such a job is an
End; a thread that several tasks share has one for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

__all__ = ["Demand", "End", "Level", "Order", "Source"]


class Order(Enum):
    """Which of the jobs of one level goes first. No job preempts another of its level."""

    ANY = "any"  # nothing is known
    FIFO = "fifo"  # in the order of their releases
    RANK = "rank"  # by Source.rank, the least first, each time that one is chosen


@dataclass(frozen=True, slots=True)
class End:
    """The end of a body.

    `work`: what the source's job has taken by then, at most, of which `kernel` is not the bodies'. Of that,
    `spin` is for sections in the bodies of other processors. Response and `deadline` count from the nominal
    release.
    """

    task: int
    work: int
    deadline: int
    kernel: int = 0
    spin: int = 0

    def scaled(self, by: int, of: int) -> End:
        """With bodies that take by / of as long, rounded up."""
        more = _more(self.spin, by, of)
        work = more + self.kernel - ((self.kernel - self.work) * by // of)
        return replace(self, work=work, kernel=self.kernel + more, spin=self.spin + more)


@dataclass(frozen=True, slots=True)
class Source:
    """Jobs that are released at offset + k * period, nominally.

    A release is at most `early` before its nominal instant and at most `late` after it, by any amount
    between. Without `ends` it is an interrupt. Larger levels are more urgent.

    A source that is released at the end of each job of another one has that one's period and no offset, and
    the jitter of that one's releases as its `lag`: its responses count from its releases (windows.py).

    With a `curve` the period is the least gap between two, and for each (count, within) of it no more than
    `count` come in any time of `within` (an arrival curve: Richter, "Compositional scheduling analysis using
    standard event models", 2005). Without streams its offset is None then.

    Sources with one `releaser` are released in the order of their nominal instants, and those of one instant
    before any job of them begins. Interrupts of one releaser that are due at one instant are one: together
    they take `shared`, a part of the cost of each, once.

    With `streams` its instants are all those of each (period, offset) of them, each once, and `period` is no
    more than any distance of them (instants.py, and tables that activate tasks). Its offset is their last.
    """

    name: str
    level: int
    period: int
    cost: int
    kernel: int = 0  # of the cost
    spin: int = 0  # of that, as an End has it
    early: int = 0
    late: int = 0
    offset: int | None = 0  # None: it may have any phase
    rank: int = 0
    ends: tuple[End, ...] = ()
    curve: tuple[tuple[int, int], ...] = ()
    lag: int = 0
    releaser: int | None = None
    shared: int = 0
    streams: tuple[tuple[int, int], ...] = ()

    def arrivals(self, window: int) -> int:
        """How many releases a time of that length can hold, its end not in it."""
        length = window + self.jitter
        found = -(-length // self.period)
        for count, within in self.curve:
            whole, rest = divmod(length, within)
            found = min(found, whole * count + min(count, -(-rest // self.period)))
        if found > len(self.streams) > 0:
            found = min(found, sum([-(-length // period) for period, _ in self.streams]))
        return found

    def apart(self, jobs: int) -> int:
        """The least time from a release to the one so many behind it, but for the jitter.

        With no more than n in any time of `within`, the one n behind comes after that.
        """
        found = jobs * self.period
        for count, within in self.curve:
            whole, rest = divmod(jobs, count)
            found = max(found, whole * within + rest * self.period)
        return found

    def has_common(self, window: int) -> bool:
        """Whether a time of that length has fewer instants of `streams` than releases."""
        length = window + self.jitter
        asked = sum([-(-length // period) for period, _ in self.streams])
        return self.arrivals(window) < asked

    def instants(self, until: int) -> Iterable[int]:
        """The nominal releases before `until`, in order; its phase is known."""
        assert self.offset is not None
        if not self.streams:
            return range(self.offset, until, self.period)
        return sorted({at for period, first in self.streams for at in range(first, until, period)})

    @property
    def periods(self) -> tuple[int, ...]:
        """After all of these its releases repeat."""
        return tuple(period for period, _ in self.streams) or (self.period,)

    def share(self, parts: int, cost: int | None = None) -> int:
        """What of so many parts of the processor its jobs take in the long run, rounded up.

        Or what is taken if each takes `cost`.
        """
        each = self.cost if cost is None else cost
        rates = ((1, self.period), *self.curve)
        found = min(-(-each * count * parts // within) for count, within in rates)
        if self.streams:
            found = min(found, sum([-(-each * parts // period) for period in self.periods]))
        return found

    @property
    def jitter(self) -> int:
        """How much the instants of its releases vary."""
        return self.early + self.late + self.lag

    @property
    def is_fixed(self) -> bool:
        """Whether its nominal instants are known, and no release is after its own."""
        return self.offset is not None and not self.late

    @property
    def is_interrupt(self) -> bool:
        """Whether no body ends in it."""
        return not self.ends

    def scaled(self, by: int, of: int) -> Source:
        """With bodies that take by / of as long, rounded up; the kernel's work stays."""
        more = _more(self.spin, by, of)
        return replace(
            self,
            cost=more + self.kernel - ((self.kernel - self.cost) * by // of),
            kernel=self.kernel + more,
            spin=self.spin + more,
            ends=tuple(end.scaled(by, of) for end in self.ends),
        )


def _more(held: int, by: int, of: int) -> int:
    """By how much `held`, a part of bodies, gets longer with them. With shorter ones it stays."""
    return max(0, -(-held * by // of) - held)


@dataclass(frozen=True, slots=True)
class Level:
    """What is known of one level, beside its sources.

    `blocking`: for how long less urgent code may hold off a job of this level, once; of that, `held` is in
    bodies, which hold a resource. `apart`: two releases are certainly served in their order if they are
    further apart (with Order.FIFO).
    """

    order: Order = Order.ANY
    blocking: int = 0
    apart: int = 0
    held: int = 0

    def scaled(self, by: int, of: int) -> Level:
        """With bodies that take by / of as long: they hold resources as much longer, but never shorter."""
        more = _more(self.held, by, of)
        return replace(self, blocking=self.blocking + more, held=self.held + more)


@dataclass(frozen=True)
class Demand:
    """All sources of one processor, and what is known of their levels."""

    sources: tuple[Source, ...]
    levels: dict[int, Level]

    def level(self, number: int) -> Level:
        """What is known of a level; nothing, if it is not told."""
        return self.levels.get(number, Level())

    def scaled(self, by: int, of: int) -> Demand:
        """With bodies that take by / of as long."""
        levels = {number: one.scaled(by, of) for number, one in self.levels.items()}
        return Demand(tuple(one.scaled(by, of) for one in self.sources), levels)

    def replaced(self, sources: Sequence[Source]) -> Demand:
        """With other sources on the same levels."""
        return replace(self, sources=tuple(sources))
