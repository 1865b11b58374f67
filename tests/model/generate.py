# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Scripts out of bytes, so that what draws and shrinks bytes draws and shrinks scripts.

Each RECORD bytes are a thread, an interrupt or a call of the thread or interrupt before; zeros are
nothing. So fewer bytes that are not zero make a smaller script, and every sequence of bytes makes a
right one.
"""

from __future__ import annotations

from tests.model.script import Call, Interrupt, Script, Semaphore, Thread

__all__ = ["HEAD", "RECORD", "script_of"]

HEAD = 4
RECORD = 5
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
)
INTERRUPT_CALLS = ("give", "resume", "give", "take", "state", "count", "join", "get-level", "give")
ON_SEMAPHORES = ("take", "give", "count")
# Interrupts fall into work by the clock; the other two look first whether they may be called.
NEVER_INTERRUPTED = ("work", "start", "suspend")


class _Draft:
    def __init__(self, data: bytes) -> None:
        self.semaphores = 1 + data[0] % 3
        self.tick = 0 if data[1] % 4 else UNIT * (data[1] // 4)
        self.threads: list[tuple[int, int, bool, list[Call]]] = []
        self.interrupts: list[tuple[int, list[Call]]] = []
        self.calls: list[Call] | None = None
        self.in_interrupt = False
        self.instant = 0
        for place in range(HEAD, len(data) - RECORD + 1, RECORD):
            self.record(*data[place : place + RECORD])

    def record(self, kind: int, a: int, b: int, c: int, d: int) -> None:
        if kind == 0:
            return
        if kind < 40 or self.calls is None:
            if len(self.threads) < MOST_THREADS:
                level = LEVELS[a % len(LEVELS)]
                self.threads.append((level, 1 + b % 12, c % 5 != 4, []))
                self.calls, self.in_interrupt = self.threads[-1][3], False
        elif kind < 70:
            if len(self.interrupts) < MOST_INTERRUPTS:
                self.instant += UNIT * (a % 32) if b % 8 else 100 * UNIT * a
                self.interrupts.append((0 if c % 3 == 2 else self.instant, []))
                self.calls, self.in_interrupt = self.interrupts[-1][1], True
        elif len(self.calls) < MOST_CALLS:
            self.calls.append(
                self.interrupt_call(a, b) if self.in_interrupt else self.call(a, b, c, d)
            )

    @staticmethod
    def interrupt_call(a: int, b: int) -> Call:
        return Call(INTERRUPT_CALLS[a % len(INTERRUPT_CALLS)], b)

    def call(self, a: int, b: int, c: int, d: int) -> Call:
        verb = THREAD_CALLS[a % len(THREAD_CALLS)]
        amount = 0
        if verb in ("take", "join"):
            amount = -1 if c % 4 == 1 else 0 if c % 4 == 2 else UNIT * (c // 4)
        elif verb in ("work", "sleep-for"):
            amount = UNIT * (c % 64)
        elif verb == "sleep-until":
            amount = UNIT * (self.instant // UNIT * c // 128) + UNIT * c
        elif verb == "set-level":
            amount = LEVELS[c % len(LEVELS)]
        after = d // 8 if d % 3 == 1 and verb not in NEVER_INTERRUPTED else 0
        return Call(verb, b, amount, after, d if after else 0)

    def within(self, calls: list[Call]) -> tuple[Call, ...]:
        """The same calls, of objects that there are."""
        semaphores, threads, interrupts = self.semaphores, len(self.threads), len(self.interrupts)
        return tuple(
            Call(
                one.verb,
                one.object % (semaphores if one.verb in ON_SEMAPHORES else max(1, threads)),
                one.amount,
                one.after if interrupts else 0,
                one.interrupt % interrupts if one.after and interrupts else 0,
            )
            for one in calls
        )


def script_of(data: bytes) -> Script:
    """The script that `data`, at least HEAD bytes, stands for."""
    draft = _Draft(data)
    limits = data[2]
    return Script(
        tuple(
            Thread(level, repeats, started, draft.within(calls))
            for level, repeats, started, calls in draft.threads
        ),
        tuple(
            Interrupt(at, draft.within(calls) if draft.threads else ())
            for at, calls in draft.interrupts
        ),
        tuple(
            Semaphore(data[3] >> k & 1, 1 + (limits >> 2 * k) % 4) for k in range(draft.semaphores)
        ),
        tick=draft.tick,
        duration=UNIT * 5000,
        steps=400,
    )
