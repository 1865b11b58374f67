# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The system at one moment: threads, objects, the rest of a call; and where it stands in the trace."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import TypeVar

from tests.model.script import Call, Script

__all__ = [
    "DORMANT",
    "ENDED",
    "FIRST_TICK",
    "FULL",
    "NO_WAIT",
    "OK",
    "READY",
    "RECEIVED",
    "RUNNING",
    "SKIPPED",
    "Running",
    "SUSPENDED",
    "TIMED_OUT",
    "WAITING",
    "WOULD_WAIT",
    "Differs",
    "Injection",
    "Place",
    "Queue",
    "State",
    "Step",
    "Thread",
    "Walk",
    "call_of",
    "copied",
    "values",
]

OK, WOULD_WAIT, TIMED_OUT, FULL = range(4)
DORMANT, RUNNING, READY, WAITING, SUSPENDED, ENDED = range(6)
SKIPPED = -1
NO_WAIT = 0
RECEIVED = 10  # plus the message, or the flags that were seen
FIRST_TICK = 25000  # SUT_START_COUNTS
STARTS = 60  # PLAY_STARTS

Place = tuple[str, int]
"""Where a thread waits: the call that it made, and of which object."""


class Differs(Exception):
    """The trace goes on otherwise."""


class Queue:
    """Threads in the order in which they come: the most urgent, of these the one that came in first."""

    __slots__ = ("members",)

    def __init__(self, members: list[Thread] | None = None) -> None:
        self.members = members or []

    def add(self, thread: Thread) -> None:
        """Behind all that are not less urgent."""
        place = 0
        while place < len(self.members) and self.members[place].level >= thread.level:
            place += 1
        self.members.insert(place, thread)

    def add_first(self, thread: Thread) -> None:
        """Before all that are not more urgent."""
        place = 0
        while place < len(self.members) and self.members[place].level > thread.level:
            place += 1
        self.members.insert(place, thread)


Slotted = TypeVar("Slotted")


def copied(one: Slotted) -> Slotted:
    """What copy.copy does for an object that has slots only, in a fraction of the time."""
    other = object.__new__(type(one))
    for name in one.__slots__:  # type: ignore[attr-defined]
        setattr(other, name, getattr(one, name))
    return other


def values(one: object) -> list[object]:
    """Of its slots."""
    return [getattr(one, name) for name in one.__slots__]  # type: ignore[attr-defined]


class Thread:
    """A thread, and what it is doing."""

    __slots__ = (
        "awaits",
        "base",
        "call",
        "clock",
        "expired",
        "key",
        "level",
        "life",
        "message",
        "name",
        "order",
        "phase",
        "place",
        "result",
        "round",
        "status",
        "suspended",
        "until",
        "waits",
        "work",
    )

    def __init__(self, name: int, level: int) -> None:
        self.name = name
        self.base = self.level = level
        self.life = DORMANT  # or READY: it has been started; or ENDED
        self.suspended = False
        self.waits = False  # it has called something that waits, and has not run since it was over
        self.place: Place = ("sleep", 0)
        self.status = -1  # what it was given; -1: nothing yet
        self.message = 0  # that it sends, or has been sent; the flags that it has been shown
        self.awaits = -1  # the mutex whose owner inherits from it
        self.until = 0  # the instant of its time-out; 0: none
        self.key = 0  # when its time-out is served next: at that instant, or at a hop
        self.order = 0  # of the time-out among those of one instant
        self.expired = False
        self.call = self.round = 0
        self.phase = "begin"  # of the call: begin, clock, call, perhaps keep or lower, end; or work
        self.work = 0
        self.clock = 0  # when it was read for the call: spans count from then
        self.result = 0

    def has_nothing_to_wait_for(self) -> bool:
        return not self.waits or self.status >= 0 or self.expired


@dataclass(frozen=True)
class Injection:
    """The interrupt that comes into the call of a thread, if it comes at this instant."""

    at: int
    interrupt: int


@dataclass(frozen=True, slots=True)
class Walk:
    """The rest of a set of an event by a thread: the waiters that it has yet to look at."""

    rest: tuple[int, ...]
    flags: int  # as they were when it began
    cleared: int  # what those that it has woken want to be cleared


Step = tuple[Callable[..., None], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Running:
    """An alarm: when it expires next, or that it does not run."""

    next: int | None = None
    order: int = 0  # among the time-outs of one instant
    period: int = 0
    left: int = 0  # expiries to come; 0: no end
    expired: int = 0  # times, for the next waiter
    owed: int = 0  # expiries in the past, of one that a function has started


_OBJECTS = ("counts", "owners", "messages", "free", "borrowed", "flags", "walks", "alarms", "owing")
"""What State keeps of them, one list each."""


class State:
    """The state of the system, and where it stands in the trace."""

    def __init__(self, script: Script, trace: list[str]) -> None:
        self.script = script
        self.trace = trace
        self.place = 0  # in the trace
        self.now = 0
        self.calls_left = script.steps
        self.threads = [Thread(i, one.level) for i, one in enumerate(script.threads)]
        self.counts = [one.initial for one in script.semaphores]
        self.owners = [-1 for _ in script.mutexes]
        self.messages: list[tuple[int, ...]] = [() for _ in script.queues]
        self.free = [one.blocks for one in script.pools]
        self.borrowed = [0 for _ in script.pools]  # that a thread could return
        self.flags = [0 for _ in range(script.events)]
        self.walks: list[Walk | None] = [None for _ in range(script.events)]
        self.alarms = [Running() for _ in script.alarms]
        self.owing: list[int] = []  # alarms that expire after a function's return, in order
        self.starts_left = STARTS  # of alarms by functions of alarms
        self.queues: dict[Place, Queue] = {}
        self.ready = Queue()
        self.running = -1
        self.core = 0  # on which all is that follows; cores.py
        self.rung: list[list[int]] = [[] for _ in range(script.cores)]  # that others have woken
        self.steps: list[Step] = []  # the rest of a call that only interrupts may break into
        self.timed = [i for i, one in enumerate(script.interrupts) if one.at]
        self.timeouts_asked_for = 0
        self.injection: Injection | None = None

    def copy(self) -> State:
        """Another one of the same state, which goes its own way."""
        other = copy(self)
        other.threads = [copied(thread) for thread in self.threads]
        for name in (*_OBJECTS, "steps", "timed"):
            setattr(other, name, list(getattr(self, name)))
        other.queues = {
            place: Queue([other.threads[one.name] for one in queue.members])
            for place, queue in self.queues.items()
        }
        other.ready = Queue([other.threads[one.name] for one in self.ready.members])
        return other

    def key(self) -> str:
        """Equal for equal states."""
        threads = [values(one) for one in self.threads]
        queues = [
            (place, [one.name for one in queue.members])
            for place, queue in sorted([*self.queues.items(), (("ready", 0), self.ready)])
            if queue.members
        ]
        steps = [(function.__name__, arguments) for function, arguments in self.steps]
        objects = [getattr(self, name) for name in _OBJECTS]
        rest = (
            self.place,
            self.running,
            self.now,
            self.injection,
            len(self.timed),
            self.starts_left,
        )
        return repr((threads, queues, steps, objects, rest))

    # The trace.

    def say(self, line: str) -> None:
        """The trace has to say the same."""
        if self.place >= len(self.trace) or self.trace[self.place] != line:
            raise Differs(line)
        self.place += 1

    def say_of_thread(self, line: str) -> None:
        """A line of a thread; an interrupt that has not come into its call by now did not come."""
        self.injection = None
        self.say(line)


def call_of(state: State, thread: Thread) -> Call:
    """The call that `thread` makes, or waits in."""
    return state.script.threads[thread.name].calls[thread.call]
