# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random scripts for several cores, out of a seed."""

from __future__ import annotations

from random import Random

from tests.model.reference.cores import CROSSING, LOOKS
from tests.model.script import Alarm, Call, Interrupt, Mutex, Pool, Queue, Script, Semaphore, Thread

__all__ = ["script_on_cores"]

UNIT = 4  # counts: instants must not be so near that the kernel serves them together
LEVELS = (1, 2, 2, 3, 3, 4)
CEILINGS = (0, 0, 0, 3, 4)
OF_THREAD = ("work", "work", "sleep-for", "sleep-for", "yield", "sleep-until", *LOOKS)
PROFILES = (
    CROSSING,
    ("take", "take", "give", "take", "give"),
    ("set", "wait-any", "wait-all-clear", "wait-any-clear", "clear", "set", "wait-all"),
    ("send", "receive", "borrow", "return", "send", "receive"),
    ("lock", "unlock", "lock", "unlock"),
    ("lock", "lock", "unlock", "take", "give"),
    ("join", "launch", "give", "take", "join", "set", "wait-any-clear"),
    ("alarm-start", "alarm-wait", "alarm-every", "alarm-wait", "alarm-stop", "take", "alarm-next"),
    ("alarm-start", "alarm-start", "alarm-stop", "alarm-every", "alarm-stop"),
)
ALARM_CALLS = ("alarm-start", "alarm-every", "alarm-stop", "alarm-next", "alarm-wait")
OF_INTERRUPT = (
    "give",
    "give",
    "take",
    "send",
    "receive",
    "set",
    "set",
    "clear",
    "wait-any-clear",
    "join",
    "alarm-wait",
)
OF_FUNCTION = (
    *OF_INTERRUPT,
    "alarm-start",
    "alarm-start",
    "alarm-every",
    "alarm-stop",
    "alarm-next",
)
WITH_FLAGS = ("set", "clear", "wait-any", "wait-all", "wait-any-clear", "wait-all-clear")
NO_AMOUNT = (
    *LOOKS,
    "give",
    "return",
    "set",
    "clear",
    "launch",
    "yield",
    "unlock",
    "alarm-stop",
    "alarm-next",
)


class _Draft:
    def __init__(self, cores: int, seed: int) -> None:
        self.random = Random(f"{cores} {seed}")
        self.cores = cores
        draw = self.random.randrange
        self.semaphores = tuple(Semaphore(draw(2), 1 + draw(3)) for _ in range(1 + draw(2)))
        self.queues = tuple(Queue(1 + draw(3), 1 + draw(3)) for _ in range(1 + draw(2)))
        self.pools = tuple(Pool(1 + draw(3)) for _ in range(1 + draw(2)))
        self.mutexes = tuple(Mutex(self.random.choice(CEILINGS)) for _ in range(1 + draw(3)))
        self.events = 1 + draw(2)
        self.thread_count = draw(cores, 4 * cores + 1) if cores == 2 else draw(cores, 13)
        self.interrupt_count = draw(10)
        self.alarms = tuple(self.alarm() for _ in range(self.random.choice((1, 1, 2, 3))))
        self.verbs = self.random.choice(PROFILES)
        self.patience = UNIT * self.random.choice((1, 3, 10))

    def alarm(self) -> Alarm:
        kind = self.random.choice(("wake", "give", "call", "call"))
        if kind == "call":
            return Alarm(kind, self.random.randrange(-1, self.interrupt_count))
        return Alarm(kind, self.random.randrange(len(self.semaphores)) if kind == "give" else 0)

    def target(self, verb: str) -> int:
        kinds = {"take": self.semaphores, "give": self.semaphores, "send": self.queues}
        kinds |= {
            "count": self.semaphores,
            "messages": self.queues,
            "receive": self.queues,
            "borrow": self.pools,
            "return": self.pools,
            "lock": self.mutexes,
            "unlock": self.mutexes,
        }
        kinds |= dict.fromkeys(ALARM_CALLS, self.alarms)
        if verb in WITH_FLAGS or verb == "flags":
            return self.random.randrange(self.events)
        if verb in ("join", "launch"):
            return self.random.randrange(self.thread_count)
        return self.random.randrange(len(kinds[verb])) if verb in kinds else 0

    def flags(self, verb: str) -> int:
        if verb == "alarm-every":
            return self.patience * self.random.randrange(1, 12) + self.random.choice(
                (0, 1, 2, 3, 3)
            )
        return self.random.randrange(1, 16) if verb in WITH_FLAGS else 0

    def first(self) -> int:
        """From now, when an alarm expires: now, in the past, or to come."""
        draw = self.random.randrange
        return self.random.choice((0, -UNIT * draw(200), UNIT * draw(12), self.patience * draw(20)))

    def call(self) -> Call:
        draw = self.random.randrange
        verb = self.random.choice(self.verbs if draw(10) < 7 else OF_THREAD)
        amount = 0
        if verb == "work" or verb.startswith("sleep"):
            amount = UNIT * draw(12 if verb != "sleep-until" else 400)
        elif verb in ("alarm-start", "alarm-every"):
            amount = self.first()
        elif verb not in NO_AMOUNT:
            amount = self.random.choice(
                (-1, 0, self.patience * draw(1, 20), self.patience * draw(1, 20))
            )
        comes = self.interrupt_count and draw(5) == 0 and verb != "work"
        after, interrupt = (1 + draw(12), draw(self.interrupt_count)) if comes else (0, 0)
        return Call(verb, self.target(verb), amount, after, interrupt, flags=self.flags(verb))

    def calls_of_thread(self) -> tuple[Call, ...]:
        """A thread unlocks what it has locked before it ends."""
        calls = [self.call() for _ in range(1 + self.random.randrange(10))]
        locked = sorted({one.object for one in calls if one.verb == "lock"})
        return (*calls, *(Call("unlock", mutex) for mutex in locked))

    def calls_of_interrupt(self) -> tuple[Call, ...]:
        """And of functions, which start and stop alarms, too."""
        verbs = self.random.choice((OF_INTERRUPT, OF_FUNCTION))
        return tuple(
            Call(
                verb,
                self.target(verb),
                self.first() if verb in ("alarm-start", "alarm-every") else 0,
                flags=self.flags(verb),
            )
            for verb in (self.random.choice(verbs) for _ in range(self.random.randrange(5)))
        )

    def script(self) -> Script:
        draw = self.random.randrange
        threads = [
            Thread(
                self.random.choice(LEVELS),
                1 + draw(8),
                draw(6) != 0,
                self.calls_of_thread(),
                i % self.cores if i < self.cores else draw(self.cores),
            )
            for i in range(self.thread_count)
        ]
        instants = sorted(UNIT * draw(1, 400) for _ in range(self.interrupt_count))
        return Script(
            tuple(threads),
            tuple(
                Interrupt(at if draw(3) else 0, self.calls_of_interrupt(), draw(self.cores))
                for at in instants
            ),
            self.semaphores,
            mutexes=self.mutexes,
            queues=self.queues,
            pools=self.pools,
            events=self.events,
            alarms=self.alarms,
            duration=UNIT * 3000,
            steps=400,
            seed=draw(1 << 32),
            turn=self.random.choice((1, 2, 4, 8, 16)),
        ).numbered()


def script_on_cores(cores: int, seed: int) -> Script:
    """The script number `seed` for so many cores."""
    return _Draft(cores, seed).script()
