# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where the time went, and what happened, by a firmware's own records: as watch/ says it from outside.

Between two records the processor runs the kernel, a body or the idle loop. An interrupt is the kernel's
from when it is entered until it is left, and so is a thread, but for its jobs, and a service that a body
calls, from the call until it returns; what an interrupt came into goes on when it is left, or the thread
that runs then. What the records themselves cost is subtracted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from horolog.measure.ring import Header, Kind, Record

__all__ = ["Account", "Objects", "account"]

_KERNEL = -1
_IDLE = -2
_OTHER = -3  # a thread of the application's own, which is a body's as seen from outside


@dataclass(frozen=True, slots=True)
class Objects:
    """What records are about. Addresses are of 24 bits."""

    cells: Mapping[int, int]  # by the processor's number of an interrupt: that of its cell
    releasers: Mapping[int, int]  # by address
    thread_of: Callable[[int], int | None]  # the task of the thread with this address in it
    masked: Mapping[tuple[int, int], int]  # by level and bit: the task
    switches: frozenset[int] = frozenset()  # numbers of the exceptions that switch threads


@dataclass(slots=True)
class Account:
    """Of the window: counts, and events as watch/watch.h has them. Times are counts after it opened."""

    handlers: Fraction = Fraction(0)  # the kernel in interrupts that do not only switch
    switches: Fraction = Fraction(0)  # in exceptions that do
    calls: Fraction = Fraction(0)  # and in threads, between their jobs
    bodies: Fraction = Fraction(0)
    idle: Fraction = Fraction(0)
    ring: Fraction = Fraction(0)  # what the records cost, which is in none of these
    records: int = 0
    end: int = 0
    is_over: bool = False  # idle behind the end
    lost: int = 0  # records that are missing where the account ends, as it then has to
    taken: Counter[int] = field(default_factory=Counter)
    entered: Counter[int] = field(
        default_factory=Counter
    )  # by the processor's number, all interrupts
    served: Counter[int] = field(default_factory=Counter)
    releases: int = 0
    longest: dict[int, Fraction] = field(default_factory=dict)
    open_jobs: dict[int, Fraction] = field(default_factory=dict)
    events: list[tuple[int, str, int | Fraction]] = field(default_factory=list)

    @property
    def kernel(self) -> Fraction:
        """All of the kernel."""
        return self.handlers + self.switches + self.calls


def account(
    header: Header,
    records: Sequence[Record],
    objects: Objects,
    ends: Callable[[int, Account], bool],
    counts: Callable[[int, int, Account], bool],
) -> Account:
    """What `records` say from the first interrupt of a cell on, until `ends` says so of an idle instant.

    `counts` says whether an interrupt of a cell at an instant is one of the window.
    """
    first = next(
        (
            i
            for i, one in enumerate(records)
            if one.kind is Kind.LOST or (one.kind is Kind.ENTERED and one.about in objects.cells)
        ),
        len(records),
    )
    run = _Run(header, objects, records[first].at if first < len(records) else 0)
    for i in range(first, len(records)):
        record = records[i]
        if run.context() == _IDLE and ends(record.at - run.opened, run.found) and i > first:
            run.found.is_over = True
            break
        if record.kind is Kind.LOST:
            run.found.lost = record.about
            break
        if i > first:
            run.pass_time(records[i - 1], record)
        run.take(record, counts)
    return run.found


class _Run:
    """What runs, record by record."""

    def __init__(self, header: Header, objects: Objects, opened: int) -> None:
        self.header, self.objects, self.opened = header, objects, opened
        self.found = Account()
        self._nested: list[int] = []  # handlers
        self._numbers: list[int] = []  # of these, as the processor counts them
        self._threads: dict[int, int] = {header.idle: _IDLE}
        self._running = header.idle
        self._calls: dict[int, list[int]] = {}  # what called services, by where that was
        self._kernel_at: Fraction | None = None  # at an interrupt that found a job open

    def context(self) -> int:
        """_KERNEL, _IDLE, _OTHER or the task of the job that runs."""
        if self._nested:
            return self._nested[-1]
        known = self._threads.get(self._running)
        if known is None:
            ours = self.objects.thread_of(self._running) is not None
            known = self._threads[self._running] = _KERNEL if ours else _OTHER
        return known

    def pass_time(self, last: Record, now: Record) -> None:
        """The time between two records, less what these cost."""
        costs, found = self.header.costs, self.found
        spent = costs[last.kind].after + costs[now.kind].before
        took = now.at - last.at - spent
        found.ring += spent
        found.end = now.at - self.opened
        context = self.context()
        if context == _KERNEL:
            if not self._numbers:
                found.calls += took
            elif self._numbers[-1] in self.objects.switches:
                found.switches += took
            else:
                found.handlers += took
        elif context == _IDLE:
            found.idle += took
        else:
            found.bodies += took
            if context in found.open_jobs:
                found.open_jobs[context] += took

    def take(self, record: Record, counts: Callable[[int, int, Account], bool]) -> None:
        """What `record` changes."""
        self.found.records += 1
        at, kind, about = record.at - self.opened, record.kind, record.about
        if kind is Kind.ENTERED:
            self._enter(at, about, counts)
        elif kind in (Kind.LEFT, Kind.SWITCHED):
            self._leave(at, about)
        elif kind is Kind.BEGUN:
            self._set(about)
            self.found.open_jobs[about] = Fraction(0)
            self._event(at, "S", about)
        elif kind is Kind.ENDED:
            self._set(_KERNEL)
            took = self.found.open_jobs.pop(about, Fraction(0))
            self.found.longest[about] = max(took, self.found.longest.get(about, took))
            self._event(at, "E", about)
        elif kind is Kind.CALLED:
            self._calls.setdefault(self._where(), []).append(self.context())
            self._set(_KERNEL)
        elif kind is Kind.RETURNED:
            calls = self._calls.get(self._where())
            if calls:  # else it was called before the window
                self._set(calls.pop())
        elif kind is Kind.SERVED:
            releaser = self.objects.releasers.get(about)
            if releaser is not None:
                self.found.served[releaser] += 1
        elif kind is not Kind.EMPTY:
            for task in self._released(kind, about):
                self.found.releases += 1
                self._event(at, "R", task)

    def _enter(self, at: int, number: int, counts: Callable[[int, int, Account], bool]) -> None:
        cell = self.objects.cells.get(number)
        self.found.entered[number] += 1
        if cell is not None and counts(at, cell, self.found):
            self.found.taken[cell] += 1
            self._event(at, "I", cell)
            self._kernel_at = self.found.kernel if self.found.open_jobs else None
        self._nested.append(_KERNEL)
        self._numbers.append(number)

    def _leave(self, at: int, thread: int) -> None:
        if self._nested:
            self._nested.pop()
            self._numbers.pop()
        if thread != self._running:
            self._running = thread
            task = self.objects.thread_of(thread)
            self._event(at, *(("N", 0) if task is None else ("D", task)))

    def _where(self) -> int:
        """The thread that runs, or below 0 a handler."""
        return -len(self._nested) if self._nested else self._running

    def _set(self, context: int) -> None:
        if self._nested:
            self._nested[-1] = context
        else:
            self._threads[self._running] = context

    def _event(self, at: int, kind: str, index: int) -> None:
        if self._kernel_at is not None and kind not in "RI":
            self.found.events.append((at, "K", self.found.kernel - self._kernel_at))
            self._kernel_at = None
        self.found.events.append((at, kind, index))

    def _released(self, kind: Kind, about: int) -> Iterable[int]:
        """The tasks that a record says are released, the most urgent first."""
        if kind is Kind.RELEASED:
            task = self.objects.thread_of(about)
            return () if task is None else (task,)
        shift = 16 if kind in (Kind.MASK_HIGH, Kind.MASK_MORE) else 0
        bits = [bit + shift for bit in range(15, -1, -1) if about >> bit & 1]
        level = about >> 16
        return [
            self.objects.masked[level, bit] for bit in bits if (level, bit) in self.objects.masked
        ]
