# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Mutexes of several cores: only its own core changes the level of an owner; others leave word of it."""

from __future__ import annotations

from tests.model.reference.levels import level_due, set_level
from tests.model.reference.state import NO_WAIT, WOULD_WAIT, State, Thread
from tests.model.reference.waiting import give, waiters
from tests.model.script import Call

__all__ = ["Mutexes"]


class Mutexes:
    """What cores leave word of, and which mutexes count for the level of their owners."""

    def __init__(self, cores: int) -> None:
        self.changed: list[list[int]] = [[] for _ in range(cores)]
        """Of each core the threads that it has to look at, the one listed last first."""
        self.flagged = [False for _ in range(cores)]
        """Others have left word, also of alarms, since it last found that there is none."""
        self.counts: set[int] = set()

    def copy(self) -> Mutexes:
        other = Mutexes(0)
        other.changed = [list(one) for one in self.changed]
        other.flagged = list(self.flagged)
        other.counts = set(self.counts)
        return other

    def key(self) -> object:
        """Equal for equal states."""
        return self.changed, self.flagged, sorted(self.counts)

    def lock(self, state: State, thread: Thread, call: Call) -> str:
        """With the lock of services: "end", "wait", or "level" if its own level has to be looked at."""
        mutex = call.object
        owner, ceiling = state.owners[mutex], state.script.mutexes[mutex].ceiling
        if owner < 0:
            state.owners[mutex] = thread.name
            self.counts.add(mutex)
            return "end" if ceiling == 0 else "level"
        if call.amount == NO_WAIT:
            thread.result = WOULD_WAIT
            return "end"
        return "wait"

    def wait(self, state: State, thread: Thread, mutex: int) -> None:
        """It stands in the queue."""
        thread.awaits = mutex
        self.counts.add(mutex)
        self.leave_word(state, state.owners[mutex])

    def unlock(self, state: State, mutex: int) -> str:
        """With the lock of services, as above."""
        if mutex not in self.counts:
            state.owners[mutex] = -1
            return "end"
        self.counts.discard(mutex)
        heir = give(state, ("lock", mutex))
        state.owners[mutex] = -1 if heir is None else heir.name
        if heir is not None:
            heir.awaits = -1
            if state.script.mutexes[mutex].ceiling or waiters(state, ("lock", mutex)):
                self.counts.add(mutex)
                self.leave_word(state, heir.name)
        return "level"

    def take_back(self, state: State, thread: Thread) -> int:
        """After a time-out: the owner, which may have to be less urgent again, or -1."""
        mutex, thread.awaits = thread.awaits, -1
        owner = state.owners[mutex]
        has_waiters = bool(waiters(state, ("lock", mutex)))
        if owner >= 0 and not has_waiters and state.script.mutexes[mutex].ceiling == 0:
            self.counts.discard(mutex)
        return owner

    def leave_word(self, state: State, name: int) -> None:
        """If its level has to change."""
        thread = state.threads[name]
        core = state.script.threads[name].core
        if level_due(state, thread) != thread.level and name not in self.changed[core]:
            self.changed[core].insert(0, name)
            self.flagged[core] = True

    def update(self, state: State, name: int, running: int) -> int:
        """One level, with the lock of services; the owner that is looked at next, or -1."""
        thread = state.threads[name]
        level = level_due(state, thread)
        if level == thread.level:
            return -1
        if state.script.threads[name].core != state.core:
            self.leave_word(state, name)
            return -1
        state.running = running
        set_level(state, thread, level)
        return state.owners[thread.awaits] if thread.awaits >= 0 else -1
