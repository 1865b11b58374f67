# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A script: threads and interrupts, each with a list of calls. README.md has the grammar of its text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count

__all__ = [
    "Alarm",
    "Call",
    "Interrupt",
    "Mutex",
    "Pool",
    "Queue",
    "Script",
    "Semaphore",
    "Thread",
    "parse",
]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the kernel; `interrupt` comes before the `after`-th call of the port in it, 0: never."""

    verb: str
    object: int = 0
    amount: int = 0
    after: int = 0
    interrupt: int = 0
    number: int = field(default=0, compare=False)
    """Among all calls of the script, from 1: the message that it sends."""
    flags: int = 0
    """Of events: that it sets, clears or waits for. Of a periodic alarm: period + times, 0 to 3."""

    def __str__(self) -> str:
        text = f"{self.verb} {self.object} {self.amount}"
        text += f" {self.flags}" if self.flags else ""
        return f"{text} ! {self.after} {self.interrupt}" if self.after else text


@dataclass(frozen=True, slots=True)
class Thread:
    level: int
    repeats: int
    started: bool
    calls: tuple[Call, ...]
    core: int = 0


@dataclass(frozen=True, slots=True)
class Interrupt:
    """At an instant; at 0 only when a call says so."""

    at: int
    calls: tuple[Call, ...]
    core: int = 0


@dataclass(frozen=True, slots=True)
class Semaphore:
    initial: int
    limit: int


@dataclass(frozen=True, slots=True)
class Mutex:
    """With a ceiling of 0 its owner inherits."""

    ceiling: int


@dataclass(frozen=True, slots=True)
class Queue:
    capacity: int
    words: int


@dataclass(frozen=True, slots=True)
class Pool:
    blocks: int


@dataclass(frozen=True, slots=True)
class Alarm:
    """It wakes its waiters, gives a semaphore, or makes the calls of an interrupt; -1: of none."""

    kind: str
    target: int = 0


@dataclass(frozen=True, slots=True)
class Script:
    """Threads begin in the order in which they stand; interrupts stand in the order of their instants."""

    threads: tuple[Thread, ...] = ()
    interrupts: tuple[Interrupt, ...] = ()
    semaphores: tuple[Semaphore, ...] = ()
    mutexes: tuple[Mutex, ...] = ()
    queues: tuple[Queue, ...] = ()
    pools: tuple[Pool, ...] = ()
    events: int = 0
    alarms: tuple[Alarm, ...] = ()
    tick: int = 0
    duration: int = 100000
    steps: int = 1000
    seed: int = 0
    """Of the interleaving of cores."""
    turn: int = 0
    """Most calls of the port in a core's turn, of several; 0: there is one core."""

    @property
    def cores(self) -> int:
        of_threads = [one.core for one in self.threads]
        return 1 + max((*of_threads, *(one.core for one in self.interrupts)), default=0)

    def numbered(self) -> Script:
        """The same, every call with its number."""
        numbers = count(1)
        return replace(
            self,
            threads=tuple(
                replace(one, calls=tuple(replace(call, number=next(numbers)) for call in one.calls))
                for one in self.threads
            ),
            interrupts=tuple(
                replace(one, calls=tuple(replace(call, number=next(numbers)) for call in one.calls))
                for one in self.interrupts
            ),
        )

    def __str__(self) -> str:
        lines = [f"tick {self.tick}"] if self.tick else []
        lines += [f"duration {self.duration}", f"steps {self.steps}"]
        lines += [f"seed {self.seed}", f"turn {self.turn}"] if self.turn else []
        lines += [f"semaphore {one.initial} {one.limit}" for one in self.semaphores]
        lines += [f"mutex {one.ceiling}" for one in self.mutexes]
        lines += [f"queue {one.capacity} {one.words}" for one in self.queues]
        lines += [f"pool {one.blocks}" for one in self.pools]
        lines += ["event"] * self.events
        lines += [f"alarm {one.kind} {one.target}" for one in self.alarms]
        for thread in self.threads:
            begins = "started" if thread.started else "dormant"
            lines.append(f"thread {thread.level} {thread.repeats} {begins}{_on(thread.core)}")
            lines += [f"  {call}" for call in thread.calls]
        for interrupt in self.interrupts:
            lines.append(f"interrupt {interrupt.at}{_on(interrupt.core)}")
            lines += [f"  {call}" for call in interrupt.calls]
        return "\n".join([*lines, "run", ""])


def _on(core: int) -> str:
    return f" {core}" if core else ""


@dataclass
class _Reader:
    numbers: dict[str, int] = field(default_factory=dict)
    semaphores: list[Semaphore] = field(default_factory=list)
    mutexes: list[Mutex] = field(default_factory=list)
    queues: list[Queue] = field(default_factory=list)
    pools: list[Pool] = field(default_factory=list)
    events: int = 0
    alarms: list[Alarm] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    interrupts: list[Interrupt] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    head: list[str] = field(default_factory=list)

    def close(self) -> None:
        """The thread or interrupt that began with `head` has all its calls."""
        calls = tuple(self.calls)
        if self.head and self.head[0] == "thread":
            started = self.head[3:4] != ["dormant"]
            core = int((self.head[4:] or ["0"])[0])
            self.threads.append(Thread(int(self.head[1]), int(self.head[2]), started, calls, core))
        elif self.head:
            core = int((self.head[2:] or ["0"])[0])
            self.interrupts.append(Interrupt(int(self.head[1]), calls, core))
        self.calls, self.head = [], []

    def line(self, words: list[str]) -> None:
        if words[0] in ("tick", "duration", "steps", "seed", "turn"):
            self.numbers[words[0]] = int(words[1])
        elif words[0] == "semaphore":
            self.semaphores.append(Semaphore(int(words[1]), int(words[2])))
        elif words[0] == "mutex":
            self.mutexes.append(Mutex(int(words[1])))
        elif words[0] == "queue":
            self.queues.append(Queue(int(words[1]), int(words[2])))
        elif words[0] == "pool":
            self.pools.append(Pool(int(words[1])))
        elif words[0] == "event":
            self.events += 1
        elif words[0] == "alarm":
            self.alarms.append(Alarm(words[1], int(words[2])))
        elif words[0] in ("thread", "interrupt"):
            self.close()
            self.head = words
        else:
            mark = words.index("!") if "!" in words else len(words)
            numbers = [int(word) for word in words[1:mark]] + [0, 0, 0]
            raised = [int(word) for word in words[mark + 1 :]] + [0, 0]
            target, amount, flags = numbers[:3]
            self.calls.append(Call(words[0], target, amount, raised[0], raised[1], flags=flags))


def parse(text: str) -> Script:
    """The script that `text` holds, up to its line "run"."""
    reader = _Reader()
    for line in text.splitlines():
        words = line.split()
        if words == ["run"]:
            break
        if words and not words[0].startswith("#"):
            reader.line(words)
    reader.close()
    return Script(
        tuple(reader.threads),
        tuple(reader.interrupts),
        tuple(reader.semaphores),
        tuple(reader.mutexes),
        tuple(reader.queues),
        tuple(reader.pools),
        reader.events,
        tuple(reader.alarms),
        **reader.numbers,
    ).numbered()
