# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Events: a set looks at all waiters, one after the other, as if all were looked at in one moment."""

from __future__ import annotations

from tests.model.reference.state import OK, RECEIVED, State, Walk, call_of
from tests.model.reference.waiting import release, waiters
from tests.model.script import Call

__all__ = ["WAITS", "attempt_event", "clear_flags", "set_flags", "set_flags_at_once"]

WAITS = ("wait-any", "wait-all", "wait-any-clear", "wait-all-clear")


def _holds(call: Call, flags: int) -> bool:
    there = flags & call.flags
    return there == call.flags if call.verb.startswith("wait-all") else there != 0


def _cleared_by(call: Call) -> int:
    return call.flags if call.verb.endswith("clear") else 0


def attempt_event(state: State, call: Call) -> int | None:
    """The flags as they are, if they are what the call waits for."""
    flags = state.flags[call.object]
    if not _holds(call, flags):
        return None
    state.flags[call.object] &= ~_cleared_by(call)
    return RECEIVED + flags


def clear_flags(state: State, event: int, flags: int) -> int:
    state.flags[event] &= ~flags
    return OK


def _begin(state: State, event: int, flags: int) -> None:
    state.flags[event] |= flags
    waiting = tuple(one.name for one in waiters(state, ("event", event)))
    if waiting:
        state.walks[event] = Walk(waiting, state.flags[event], 0)


def _look(state: State, event: int) -> None:
    """At the next waiter; what is to be cleared is cleared behind the last."""
    walk = state.walks[event]
    assert walk is not None
    thread = state.threads[walk.rest[0]]
    call = call_of(state, thread)
    cleared = walk.cleared
    if _holds(call, walk.flags):
        thread.message = walk.flags
        release(state, thread)
        cleared |= _cleared_by(call)
    if walk.rest[1:]:
        state.walks[event] = Walk(walk.rest[1:], walk.flags, cleared)
    else:
        state.walks[event] = None
        state.flags[event] &= ~cleared


def _end(state: State, event: int) -> None:
    while state.walks[event] is not None:
        _look(state, event)


def set_flags_at_once(state: State, event: int, flags: int) -> int:
    """By an interrupt: it ends the set that it may have come into before."""
    _end(state, event)
    _begin(state, event, flags)
    _end(state, event)
    return OK


def set_flags(state: State, event: int, flags: int) -> None:
    """By a thread: interrupts may fall between any two waiters that are looked at."""
    _begin(state, event, flags)
    look_on(state, event)


def look_on(state: State, event: int) -> None:
    """Unless an interrupt has ended the walk."""
    if state.walks[event] is not None:
        _look(state, event)
        state.steps.insert(0, (look_on, (event,)))
