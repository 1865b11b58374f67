# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How threads wait: in the queue of an object, for an instant, or for either."""

from __future__ import annotations

from tests.model.reference.state import (
    FIRST_TICK,
    OK,
    RECEIVED,
    TIMED_OUT,
    Place,
    Queue,
    State,
    Thread,
)
from tests.model.reference.threads import make_ready

__all__ = ["end_wait", "expiry", "fall_asleep", "give", "release", "time_out", "wait", "waiters"]

HOP = 1 << 30  # counts


def waiters(state: State, place: Place) -> list[Thread]:
    return state.queues.setdefault(place, Queue()).members


def give(state: State, place: Place) -> Thread | None:
    """Ends the wait of the first there, if there is one."""
    members = waiters(state, place)
    if not members:
        return None
    thread = members[0]
    release(state, thread)
    return thread


def release(state: State, thread: Thread) -> None:
    """Ends the wait of `thread`, wherever it stands in its queue."""
    waiters(state, thread.place).remove(thread)
    thread.status = OK
    make_ready(state, thread)


def wait(state: State, thread: Thread, place: Place, amount: int) -> None:
    """`amount` of a script, not 0: negative for ever, otherwise so long from `clock` on."""
    thread.waits, thread.place, thread.status, thread.expired = True, place, -1, False
    if place[0] != "sleep":
        waiters(state, place)
        state.queues[place].add(thread)
    thread.until = 0 if amount < 0 else thread.clock + amount


def fall_asleep(state: State, name: int) -> None:
    """What came in the moment that this took counts; the thread keeps its place then. Not so a sleeper."""
    thread = state.threads[name]
    is_over = 0 < thread.until <= state.now and thread.place[0] != "sleep"
    if thread.status >= 0 or is_over:
        end_wait(state, thread)
        return
    hop(state, thread)


def hop(state: State, thread: Thread) -> None:
    """Until its instant, or for as long as one entry of the store of time-outs can be ahead."""
    state.timeouts_asked_for += 1
    thread.order = state.timeouts_asked_for
    thread.key = min(thread.until, state.now + HOP)
    state.ready.members.remove(thread)
    if thread.until > 0 and expiry(state, thread.key) <= state.now:
        time_out(state, thread.name)


def expiry(state: State, until: int) -> int:
    """When the time-out of an instant is served: at once, or with the next tick."""
    tick = state.script.tick
    if tick == 0:
        return until
    return FIRST_TICK + max(0, -(-(until - FIRST_TICK) // tick)) * tick


def time_out(state: State, name: int) -> None:
    thread = state.threads[name]
    thread.expired = True
    make_ready(state, thread)


def end_wait(state: State, thread: Thread) -> None:
    """It runs again: if it has not been given what it waits for by now, its time is over, or a hop is."""
    verb = thread.place[0]
    if thread.status < 0 and thread.expired and thread.key < thread.until > state.now:
        thread.expired = False
        hop(state, thread)
        return
    if thread.status < 0:
        if verb != "sleep":
            waiters(state, thread.place).remove(thread)
        thread.status = TIMED_OUT
        thread.phase = "lower" if verb == "lock" else thread.phase
    elif verb == "borrow":
        thread.phase = "keep"
    thread.waits, thread.until, thread.expired = False, 0, False
    thread.result = OK if verb == "sleep" else thread.status
    if verb in ("receive", "event", "alarm") and thread.status == OK:
        thread.result = RECEIVED + thread.message
