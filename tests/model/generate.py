# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Scripts out of bytes, so that what draws and shrinks bytes draws and shrinks scripts.

Each RECORD bytes are a thread, an interrupt or a call of the thread or interrupt before; zeros are
nothing. So fewer bytes that are not zero make a smaller script, and every sequence of bytes makes a
right one.
"""

from __future__ import annotations

from tests.model.script import Alarm, Call, Interrupt, Mutex, Pool, Queue, Script, Semaphore, Thread

__all__ = ["HEAD", "RECORD", "script_of"]

HEAD = 9
RECORD = 5
STRETCHES = (0, 0, 0, 24)  # powers of two: waits, work and suspension beyond what a stamp tells
ALARMS_STRETCH = 19  # as they expire again and again
UNIT = 4  # counts: instants must not be so near that the kernel serves them together
LEVELS = (1, 2, 2, 3, 3, 3, 4, 31)
MOST_THREADS = 8
MOST_CALLS = 40
MOST_INTERRUPTS = 30

THREAD_CALLS = (
    "work",
    "take",
    "give",
    "sleep-for",
    "take",
    "give",
    "yield",
    "suspend",
    "resume",
    "set-level",
    "join",
    "start",
    "work",
    "sleep-until",
    "take",
    "resume",
    "exit",
    "state",
    "count",
    "get-level",
    "lock",
    "lock",
    "unlock",
    "unlock",
    "lock",
    "owner",
    "send",
    "send",
    "receive",
    "receive",
    "messages",
    "borrow",
    "borrow",
    "return",
    "set",
    "wait-any",
    "set",
    "wait-all-clear",
    "flags",
)
LOCKING = (
    *("lock", "lock", "work", "sleep-for", "lock", "sleep-for", "work", "lock", "unlock"),
    *("lock", "work", "sleep-for", "set-level", "resume", "owner", "give", "take", "start"),
)
CROWDING = (
    *("take", "take", "take", "take", "give", "sleep-for", "work", "receive", "receive", "send"),
    *("set-level", "resume", "give", "lock", "work", "unlock", "borrow", "return", "count"),
)
PASSING = (
    *("send", "receive", "borrow", "return", "give", "take", "work", "send", "receive"),
    *("borrow", "return", "suspend", "resume", "set-level", "sleep-for", "yield", "join"),
)
LIVING = (
    *("join", "start", "work", "join", "sleep-for", "join", "exit", "join", "start", "take"),
    *("state", "yield", "give", "resume", "suspend"),
)
WATCHING = (
    *("wait-all-clear", "set", "wait-any-clear", "wait-any", "set", "wait-all", "wait-all-clear"),
    *("sleep-for", "set", "wait-any-clear", "suspend", "resume", "clear", "set-level", "set"),
    *("work", "flags", "wait-all", "wait-any-clear"),
)
ALARMING = (
    *("alarm-start", "alarm-wait", "take", "alarm-every", "alarm-wait", "sleep-for", "take"),
    *("alarm-stop", "alarm-next", "work", "wait-any-clear", "suspend", "resume", "set-level"),
    *("alarm-every", "alarm-start", "alarm-wait", "yield", "receive", "alarm-start"),
)
SETTING = (
    *("alarm-start", "wait-any", "wait-any-clear", "wait-all-clear", "wait-any", "alarm-start"),
    *("sleep-for", "alarm-every", "wait-any", "clear", "set-level"),
)
PROFILES = (
    *(THREAD_CALLS, LOCKING, PASSING, LOCKING, CROWDING, LIVING, WATCHING, THREAD_CALLS),
    *(WATCHING, CROWDING, ALARMING, SETTING, ALARMING),
)
"""What the threads of a script do; one of these."""
WAITS = ("wait-any", "wait-all", "wait-any-clear", "wait-all-clear")
INTERRUPT_CALLS = (
    "give",
    "resume",
    "send",
    "receive",
    "return",
    "give",
    "take",
    "borrow",
    "state",
    "count",
    "join",
    "get-level",
    "owner",
    "messages",
    "set",
    "clear",
    "set",
    "wait-any-clear",
    "set",
    "wait-all",
    "flags",
    "alarm-wait",
    "set",
    "alarm-start",
    "alarm-every",
    "alarm-stop",
    "alarm-next",
)
STARTS = ("alarm-start", "alarm-every")
ALARM_CALLS = ("alarm-start", "alarm-every", "alarm-stop", "alarm-next", "alarm-wait")
KINDS = {
    **dict.fromkeys(("take", "give", "count"), "semaphores"),
    **dict.fromkeys(("lock", "unlock", "owner"), "mutexes"),
    **dict.fromkeys(("send", "receive", "messages"), "queues"),
    **dict.fromkeys(("borrow", "return"), "pools"),
    **dict.fromkeys(("set", "clear", "flags", *WAITS), "events"),
    **dict.fromkeys(ALARM_CALLS, "alarms"),
}
"""What a call's object is; of all others a thread."""
MAY_WAIT = ("take", "join", "lock", "send", "receive", "borrow", "alarm-wait", *WAITS)
WITH_FLAGS = ("set", "clear", *WAITS)
FLAGS = (1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15, 1 << 31 | 1)
CEILINGS = (0, 0, 31, 4)
# Interrupts fall into work by the clock; the other two look first whether they may be called.
NEVER_INTERRUPTED = ("work", "start", "suspend")


class _Draft:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.objects = {
            kind: 1 + (data[0] >> 2 * place) % 4 // 3
            for place, kind in enumerate(("semaphores", "mutexes", "queues", "pools"))
        }
        self.objects["mutexes"] += data[7] // 8 % 3
        self.objects["events"] = 1 + data[8] // 3 % 4 // 3
        self.objects["alarms"] = 3
        self.tick = 0 if data[1] % 4 else UNIT * (data[1] // 4)
        self.threads: list[tuple[int, int, bool, list[Call]]] = []
        self.interrupts: list[tuple[int, list[Call]]] = []
        self.calls: list[Call] | None = None
        self.verbs = PROFILES[data[7] % len(PROFILES)]
        self.locked: set[int] = set()
        stretch = STRETCHES[data[8] // 16 % 4]
        self.unit = UNIT << stretch  # counts
        self.alarms_unit = UNIT << min(stretch, ALARMS_STRETCH)
        self.patience = self.unit * (1, 4, 16)[data[8] % 3]  # the unit of time-outs
        if stretch:
            self.tick = 0
        self.in_interrupt = False
        self.instant = 0
        for place in range(HEAD, len(data) - RECORD + 1, RECORD):
            self.record(*data[place : place + RECORD])
        self.close()

    def close(self) -> None:
        """Before its next round a thread unlocks what it has locked."""
        if self.calls is not None:
            self.calls += [Call("unlock", mutex) for mutex in sorted(self.locked)]
        self.locked = set()

    def record(self, kind: int, a: int, b: int, c: int, d: int) -> None:
        if kind == 0:
            return
        if kind < 18 or self.calls is None:
            self.close()
            rounds = 1 if self.verbs is LIVING else 1 + b % 12
            if len(self.threads) < MOST_THREADS:
                level = LEVELS[a % len(LEVELS)]
                self.threads.append((level, rounds, c % 5 != 4, []))
                self.calls, self.in_interrupt = self.threads[-1][3], False
        elif kind < 36:
            self.close()
            if len(self.interrupts) < MOST_INTERRUPTS:
                self.instant += self.unit * (a % 32) if b % 8 else 100 * self.unit * a
                self.interrupts.append((0 if c % 3 == 2 else self.instant, []))
                self.calls, self.in_interrupt = self.interrupts[-1][1], True
        elif len(self.calls) < MOST_CALLS:
            self.calls.append(
                self.interrupt_call(a, b, c, d) if self.in_interrupt else self.call(a, b, c, d)
            )

    def instant_of_alarm(self, byte: int) -> int:
        """From now: now, in the past, or to come."""
        if byte % 4 == 0:
            return 0
        return -self.alarms_unit * byte if byte % 8 == 1 else self.alarms_unit * (byte // 4)

    def period_and_times(self, b: int, d: int) -> int:
        return self.alarms_unit * (32 + d) + b // 8 % 4

    def interrupt_call(self, a: int, b: int, c: int, d: int) -> Call:
        verb = INTERRUPT_CALLS[a % len(INTERRUPT_CALLS)]
        flags = FLAGS[b // 4 % 16] if verb in WITH_FLAGS else 0
        if verb == "alarm-every":
            flags = self.period_and_times(b, d)
        return Call(verb, b, self.instant_of_alarm(c) if verb in STARTS else 0, flags=flags)

    def call(self, a: int, b: int, c: int, d: int) -> Call:
        verb = self.verbs[a % len(self.verbs)]
        if verb in ("lock", "unlock"):
            verb, b = self.lock_or_unlock(verb, b)
        amount = 0
        if verb in MAY_WAIT:
            amount = -1 if c % 8 == 1 else 0 if c % 8 == 2 else self.patience * (c // 4)
        elif verb in STARTS:
            amount = self.instant_of_alarm(c)
        elif verb in ("work", "sleep-for"):
            amount = self.unit * (c % 64)
        elif verb == "sleep-until":
            amount = self.unit * (self.instant // self.unit * c // 128) + self.unit * c
        elif verb == "set-level":
            amount = LEVELS[c % len(LEVELS)]
        after = d // 8 if d % 3 == 1 and verb not in NEVER_INTERRUPTED else 0
        flags = FLAGS[b // 4 % 16] if verb in WITH_FLAGS else 0
        if verb == "alarm-every":
            flags = self.period_and_times(b, d)
        return Call(verb, b, amount, after, d if after else 0, flags=flags)

    def lock_or_unlock(self, verb: str, mutex: int) -> tuple[str, int]:
        """What is not skipped, in the first round and without time-outs: nested, in any order."""
        free = sorted(set(range(self.objects["mutexes"])) - self.locked)
        if not free or (verb == "unlock" and self.locked):
            locked = sorted(self.locked)
            verb, mutex = "unlock", locked[mutex % len(locked)]
        else:
            verb, mutex = "lock", free[mutex % len(free)]
        self.locked ^= {mutex}
        return verb, mutex

    def within(self, calls: list[Call]) -> tuple[Call, ...]:
        """The same calls, of objects that there are."""
        threads, interrupts = max(1, len(self.threads)), len(self.interrupts)
        return tuple(
            Call(
                one.verb,
                one.object % self.objects.get(KINDS.get(one.verb, "threads"), threads),
                one.amount,
                one.after if interrupts else 0,
                one.interrupt % interrupts if one.after and interrupts else 0,
                flags=one.flags,
            )
            for one in calls
        )

    def alarm(self, byte: int) -> Alarm:
        kind = ("wake", "give", "call", "call")[byte % 4]
        if kind == "give":
            return Alarm(kind, byte // 4 % self.objects["semaphores"])
        none = not self.interrupts or not self.threads
        return Alarm(
            kind, -1 if none else byte // 4 % len(self.interrupts) if kind == "call" else 0
        )

    def script(self) -> Script:
        limits, starts, mutexes, queues, pools = self.data[2:7]
        return Script(
            tuple(
                Thread(level, repeats, started, self.within(calls))
                for level, repeats, started, calls in self.threads
            ),
            tuple(
                Interrupt(at, self.within(calls) if self.threads else ())
                for at, calls in self.interrupts
            ),
            tuple(
                Semaphore(starts >> k & 1, 1 + (limits >> 2 * k) % 4)
                for k in range(self.objects["semaphores"])
            ),
            tuple(Mutex(CEILINGS[(mutexes >> 2 * k) % 4]) for k in range(self.objects["mutexes"])),
            tuple(
                Queue(1 + (queues >> 2 * k) % 3, 1 + (queues >> 2 * k) % 4 % 3)
                for k in range(self.objects["queues"])
            ),
            tuple(Pool(1 + (pools >> 2 * k) % 3) for k in range(self.objects["pools"])),
            self.objects["events"],
            tuple(self.alarm(mutexes >> 2 * k) for k in range(self.objects["alarms"])),
            tick=self.tick,
            duration=self.unit * 5000,
            steps=400,
        ).numbered()


def script_of(data: bytes) -> Script:
    """The script that `data`, at least HEAD bytes, stands for."""
    return _Draft(data).script()
