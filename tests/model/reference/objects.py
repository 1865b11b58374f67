# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Semaphores, message queues and pools: what has not to be waited for."""

from __future__ import annotations

from tests.model.reference.state import FULL, OK, RECEIVED, State
from tests.model.reference.waiting import give

__all__ = ["borrow", "give_semaphore", "receive", "return_block", "send", "take"]


def take(state: State, semaphore: int) -> int | None:
    """None, here and below: the caller has to wait."""
    if state.counts[semaphore] == 0:
        return None
    state.counts[semaphore] -= 1
    return OK


def borrow(state: State, pool: int) -> int | None:
    if state.free[pool] == 0:
        return None
    state.free[pool] -= 1
    return OK


def send(state: State, queue: int, message: int) -> int | None:
    receiver = give(state, ("receive", queue))
    if receiver is not None:
        receiver.message = message
    elif len(state.messages[queue]) < state.script.queues[queue].capacity:
        state.messages[queue] = (*state.messages[queue], message)
    else:
        return None
    return OK


def receive(state: State, queue: int) -> int | None:
    if not state.messages[queue]:
        return None
    message, *rest = state.messages[queue]
    sender = give(state, ("send", queue))
    state.messages[queue] = (*rest, sender.message) if sender else tuple(rest)
    return RECEIVED + message


def give_semaphore(state: State, semaphore: int) -> int:
    if give(state, ("take", semaphore)) is None:
        if state.counts[semaphore] == state.script.semaphores[semaphore].limit:
            return FULL
        state.counts[semaphore] += 1
    return OK


def return_block(state: State, pool: int) -> int:
    if give(state, ("borrow", pool)) is None:
        state.free[pool] += 1
    return OK
