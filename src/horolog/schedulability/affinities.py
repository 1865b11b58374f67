# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Response times of jobs that any of some processors may run, by fixed priorities; in whole units of time.

Bertogna and Cirinei, "Response-Time Analysis for Globally Scheduled Symmetric Multiprocessor Platforms"
(RTSS 2007), section 5, for tasks with affinities, as Gujarati, Cerqueira and Brandenburg do it
("Multiprocessor Real-Time Scheduling with Arbitrary Processor Affinities", Real-Time Systems 51, 2015,
sections 4 and 5): of any processors of a job's affinity, and with the least of these bounds.

Of the schedule one thing is used, which weak affinity has, too: while a job is ready and no processor runs
it, each processor of its affinity runs a job that is no less urgent, or is in the kernel. Where the more
urgent job runs otherwise, and whether it moves, is never used. Let x be a time from the release on in which
the job does not end, C its body, and K(x) what bounds the time in which it is ready, and it, or any
processor of its affinity, is in the kernel. The rest of x is more than y = x - C - K(x), and in all of it
each of the processors S, a part of the affinity, runs the body of another task that is no less urgent. These
are as many tasks at a time as S has processors. Task k runs for at most W_k(x) in it, and for no longer than
it lasts, so the sum of min(W_k(x), y') is |S| * y' or more for y' the length of the rest. As a function of
y' that sum is concave, and 0 at 0, so it is also |S| * y or more at y. An x with y > 0 at which it is less
is therefore a bound. (Bertogna and Cirinei round down, as their schedules change at whole instants. This
does not assume that, and costs a unit.)

W_k(x): no body of k ends later than its response bound R_k behind its release, so the most is executed where
the first job ends with R_k, just after its whole body, and all others begin at their releases. Where no R_k
is known one job of k may be unfinished at the beginning, as k skips releases while one is, and then each
release brings one body.

With one processor in S the time is counted from the last instant at or before the release at which none of
the tasks that are bound to that processor, and are no less urgent, has an unfinished job: from there on
until the release the processor runs such jobs or is in the kernel, which is all that the above needs; so
these tasks have no unfinished job at its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

__all__ = ["Arrivals", "Charge", "Rival", "AffinityBound", "Work", "kernel_span", "affinity_bound"]


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Instants a period apart, each earlier or later by `jitter` in all; `more`: so many beside these."""

    period: int
    jitter: int = 0
    more: int = 0

    def most(self, window: int) -> int:
        """How many of them a time of that length holds, its end not in it."""
        return -(-(window + self.jitter) // self.period) + self.more

    def next(self, window: int) -> int:
        """The least longer window that may hold more."""
        return -(-(window + self.jitter) // self.period) * self.period - self.jitter + 1


@dataclass(frozen=True, slots=True)
class Charge:
    """What the kernel takes at each of these instants."""

    arrivals: Arrivals
    cost: int


@dataclass(frozen=True, slots=True)
class Work:
    """What the kernel takes from a job in a window: `once`, and these charges."""

    once: int = 0
    charges: tuple[Charge, ...] = ()

    def most(self, window: int) -> int:
        """In a time of that length."""
        return self.once + sum([one.arrivals.most(window) * one.cost for one in self.charges])


@dataclass(frozen=True, slots=True)
class Rival:
    """A task that is no less urgent: a body of `work` in each period.

    `cores`: the processors that may run it. A release is at most `early` before its nominal instant and at
    most `late` after it. `response`: a bound of the end of the body from the nominal release, no more than
    the period; None: there is none, and releases are skipped while a body is unfinished. `work` None:
    nothing bounds a body.
    """

    cores: frozenset[int]
    period: int
    work: int | None
    early: int = 0
    late: int = 0
    response: int | None = None

    def executed(self, window: int, *, carried: bool) -> int:
        """For how long its bodies may run in a time of that length. `carried`: one may have begun before."""
        if self.work is None:
            return window
        if carried and self.response is None:
            return self._releases.most(window) * self.work
        whole, rest = divmod(window + self._ahead(carried), self.period)
        return whole * self.work + min(self.work, rest)

    def bend(self, window: int, *, carried: bool) -> int:
        """The least longer window behind which that grows in another way."""
        if self.work is None:
            return 2 * window + 1
        if carried and self.response is None:
            return self._releases.next(window)
        ahead = self._ahead(carried)
        whole, rest = divmod(window + ahead, self.period)
        return whole * self.period + (self.work if rest < self.work else self.period) - ahead

    @property
    def _releases(self) -> Arrivals:
        return Arrivals(self.period, self.early + self.late, 1)

    def _ahead(self, carried: bool) -> int:
        """For how long before a window a row of bodies may have begun that goes on in it, without pauses but
        one.
        """
        if not carried or self.response is None or self.work is None:
            return self.early + self.late
        return self.early + self.response - self.work


@dataclass(frozen=True, slots=True)
class AffinityBound:
    """The bound of a job from its release: its body, what the kernel takes, and the wait for `cores`."""

    response: int
    work: int
    kernel: int
    waits: int
    cores: tuple[int, ...]


def affinity_bound(
    work: int,
    cores: Sequence[int],
    rivals: Sequence[Rival],
    kernel: Sequence[Work] = (Work(),),
    most: int = 0,
) -> AffinityBound | None:
    """The longest response of a job with a body of `work` that `cores` may run; None: more than `most`.

    `kernel`: bounds of what the kernel takes, of which the least holds.
    """
    found: AffinityBound | None = None
    for some in _subsets(cores):
        of = _Subset(work, some, rivals, kernel)
        limit = most if found is None else found.response - 1
        window = of.least(limit)
        if window is not None:
            took = of.kernel_in(window)
            found = AffinityBound(window, work, took, window - work - took, some)
    return found


def kernel_span(kernel: Work, most: int) -> int | None:
    """The longest time of which each instant has some work of `kernel`; None: more than `most`."""
    window = kernel.most(1)
    while window <= most:
        longer = kernel.most(window + 1)  # what begins at its end goes on behind it
        if longer <= window:
            return window
        window = longer
    return None


def _subsets(cores: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All but the empty one, the largest first, as their bounds are mostly the least."""
    for count in range(len(cores), 0, -1):
        yield from combinations(cores, count)


class _Subset:
    """A job that waits for all of some processors."""

    def __init__(
        self, work: int, cores: tuple[int, ...], rivals: Sequence[Rival], kernel: Sequence[Work]
    ) -> None:
        some = frozenset(cores)
        self._count = len(cores)
        self._work, self._kernel = work, kernel
        self._rivals = [
            (one, len(cores) > 1 or len(one.cores) > 1) for one in rivals if one.cores & some
        ]

    def kernel_in(self, window: int) -> int:
        return min(one.most(window) for one in self._kernel)

    def _holds(self, window: int, kernel: int) -> bool:
        left = window - self._work - kernel
        if left <= 0:
            return left == 0 and all(one.work == 0 for one, _ in self._rivals)
        executed = [
            min(one.executed(window, carried=carried), left) for one, carried in self._rivals
        ]
        return sum(executed) < self._count * left

    def _bend(self, window: int) -> int:
        """Up to there the kernel's work is the same, and that of rivals grows evenly."""
        bends = [one.bend(window, carried=carried) for one, carried in self._rivals]
        of_kernel = [each.arrivals.next(window) for one in self._kernel for each in one.charges]
        return min([*bends, *of_kernel], default=2 * window + self._work + 1)

    def least(self, most: int) -> int | None:
        """The least window that holds; None: it is more than `most`.

        Between two bends what the rivals execute, beyond what the processors can in the rest, is concave: it
        is not below 0 between two windows at which it is not, and stays below 0 up to the bend once it is.
        """
        window = self._work
        while window <= most:
            kernel = self.kernel_in(window)
            bend = self._bend(window)
            least = self._work + kernel
            if least > window:
                window = min(bend, least)
                continue
            if self._holds(window, kernel):
                return window
            last = bend - 1
            if last > window and self._holds(last, kernel):
                return self._first(window, last, kernel, most)
            window = bend
        return None

    def _first(self, below: int, holds: int, kernel: int, most: int) -> int | None:
        """The first window that holds: `below` does not, `holds` does."""
        while holds - below > 1:
            middle = (below + holds) // 2
            if self._holds(middle, kernel):
                holds = middle
            else:
                below = middle
        return holds if holds <= most else None
