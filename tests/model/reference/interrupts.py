# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The calls that interrupts make, each one step; threads make them, too."""

from __future__ import annotations

from dataclasses import replace

from tests.model.reference.events import WAITS, attempt_event, clear_flags, set_flags_at_once
from tests.model.reference.objects import (
    borrow,
    give_semaphore,
    receive,
    return_block,
    send,
    take,
)
from tests.model.reference.state import ENDED, OK, RECEIVED, SKIPPED, WOULD_WAIT, State
from tests.model.reference.threads import resume, state_of
from tests.model.script import Call

__all__ = ["MAY_WAIT", "OF_ALARMS", "attempt", "interrupt_call", "perform"]

OF_ALARMS = ("alarm-start", "alarm-every", "alarm-stop", "alarm-next")
"""What threads do, and functions of alarms."""
MAY_WAIT = ("take", "borrow", "join", "send", "receive", "alarm-wait", *WAITS)


def attempt_alarm(state: State, alarm: int) -> int | None:
    """How often it has expired since a thread last waited for it, if it has."""
    one = state.alarms[alarm]
    state.alarms[alarm] = replace(one, expired=0)
    return RECEIVED + one.expired if one.expired else None


def attempt(state: State, call: Call) -> int | None:
    target = call.object
    match call.verb:
        case "take":
            return take(state, target)
        case "borrow":
            return borrow(state, target)
        case "join":
            return OK if state.threads[target].life == ENDED else None
        case "send":
            return send(state, target, call.number)
        case "receive":
            return receive(state, target)
        case "alarm-wait":
            return attempt_alarm(state, target)
        case verb if verb in WAITS:
            return attempt_event(state, call)
    raise ValueError(f"no such call: {call}")


def perform(state: State, call: Call) -> int:
    """Those that interrupts may make, too."""
    target = call.object
    match call.verb:
        case "give":
            return give_semaphore(state, target)
        case "return":
            return return_block(state, target)
        case "count":
            return state.counts[target]
        case "messages":
            return len(state.messages[target])
        case "owner":
            return state.owners[target]
        case "state":
            return state_of(state, target)
        case "get-level":
            return state.threads[target].base
        case "resume":
            resume(state, state.threads[target])
            return 0
        case "set":
            return set_flags_at_once(state, target, call.flags)
        case "clear":
            return clear_flags(state, target, call.flags)
        case "flags":
            return state.flags[target]
    raise ValueError(f"no such call: {call}")


def interrupt_call(state: State, call: Call) -> int:
    """A call of an interrupt is one step."""
    if call.verb == "return":
        if state.borrowed[call.object] == 0:
            return SKIPPED
        state.borrowed[call.object] -= 1
    if call.verb in OF_ALARMS:
        return SKIPPED
    if call.verb == "alarm-wait" and state.script.alarms[call.object].kind != "wake":
        return SKIPPED
    if call.verb not in MAY_WAIT:
        return perform(state, call)
    result = attempt(state, call)
    if call.verb == "borrow" and result == OK:
        state.borrowed[call.object] += 1
    return WOULD_WAIT if result is None else result
