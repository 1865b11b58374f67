# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Mutexes: inheritance along chains, and ceilings."""

from __future__ import annotations

from tests.model.reference.levels import update_level
from tests.model.reference.state import NO_WAIT, WOULD_WAIT, State, Thread
from tests.model.reference.waiting import fall_asleep, give, wait, waiters

__all__ = ["lock", "take_back", "unlock"]


def lock(state: State, thread: Thread, mutex: int, amount: int) -> None:
    owner, name = state.owners[mutex], thread.name
    if owner < 0 and state.script.mutexes[mutex].ceiling == 0:
        state.owners[mutex] = name
    elif owner < 0:
        state.steps += [(own, (name, mutex)), (update_level, (name,))]
    elif amount == NO_WAIT:
        thread.result = WOULD_WAIT
    else:
        wait(state, thread, ("lock", mutex), amount)
        thread.awaits = mutex
        state.steps += [(update_level, (owner,)), (fall_asleep, (name,))]


def own(state: State, name: int, mutex: int) -> None:
    state.owners[mutex] = name


def unlock(state: State, thread: Thread, mutex: int) -> None:
    """An interrupt between the steps may still see the old owner; a dispatch comes after them.

    Also without an heir the level may change: a thread that has timed out may not have taken back yet what
    it lent.
    """
    heirs = waiters(state, ("lock", mutex))
    if not heirs:
        state.steps.append((own, (-1, mutex)))
    else:
        heir = heirs[0].name
        state.steps += [
            (own, (heir, mutex)),
            (hand_over, (heir, mutex)),
            (update_level, (heir,)),
        ]
    state.steps.append((update_level, (thread.name,)))


def hand_over(state: State, heir: int, mutex: int) -> None:
    give(state, ("lock", mutex))
    state.threads[heir].awaits = -1


def take_back(state: State, thread: Thread) -> None:
    """It no longer waits for the mutex, so its owner no longer inherits from it."""
    owner = state.owners[thread.awaits]
    thread.awaits = -1
    thread.phase = "end"
    if owner >= 0:
        state.steps.append((update_level, (owner,)))
