# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The calls of threads and interrupts."""

from __future__ import annotations

from tests.model.reference.alarms import alarm_call, is_alarm_call
from tests.model.reference.events import WAITS, set_flags
from tests.model.reference.interrupts import MAY_WAIT, attempt, perform
from tests.model.reference.levels import update_level
from tests.model.reference.mutexes import lock, unlock
from tests.model.reference.state import (
    DORMANT,
    ENDED,
    NO_WAIT,
    WOULD_WAIT,
    State,
    Thread,
    call_of,
)
from tests.model.reference.threads import start, state_of, suspend
from tests.model.reference.waiting import fall_asleep, give, wait, waiters
from tests.model.script import Call

__all__ = ["exit_thread", "is_skipped", "thread_call"]

PLACES = {**dict.fromkeys(WAITS, "event"), "alarm-wait": "alarm"}
"""Where a call waits, if that is not its own name."""


def is_skipped(state: State, thread: Thread, call: Call) -> bool:
    target = call.object
    match call.verb:
        case "join":
            return target == thread.name and call.amount != NO_WAIT
        case "lock":
            ceiling = state.script.mutexes[target].ceiling
            return state.owners[target] == thread.name or 0 < ceiling < thread.base
        case "set-level":
            awaits = state.threads[target].awaits
            return awaits >= 0 and 0 < state.script.mutexes[awaits].ceiling < call.amount
        case "unlock":
            return state.owners[target] != thread.name
        case "return":
            return state.borrowed[target] == 0
        case "exit":
            return thread.name in state.owners
        case "alarm-wait":
            return state.script.alarms[target].kind != "wake"
    return False


def thread_call(state: State, thread: Thread, call: Call) -> None:
    target = call.object
    match call.verb:
        case "sleep-for":
            sleep(state, thread, thread.clock + call.amount)
        case "sleep-until":
            sleep(state, thread, call.amount)
        case "yield":
            state.ready.members.remove(thread)
            state.ready.add(thread)
        case "set-level":
            state.threads[target].base = call.amount
            state.steps.append((update_level, (target,)))
        case "exit":
            exit_thread(state, thread)
        case "start" | "suspend":
            look_then(state, thread, call)
        case "lock":
            lock(state, thread, target, call.amount)
        case "set":
            set_flags(state, target, call.flags)
        case _ if is_alarm_call(call):
            alarm_call(state, thread, call)
        case "unlock":
            unlock(state, thread, target)
        case verb if verb in MAY_WAIT:
            try_or_wait(state, thread, call)
        case _:
            thread.result = perform(state, call)


def sleep(state: State, thread: Thread, instant: int) -> None:
    """A thread that has found that the instant is to come sleeps, also if it has passed meanwhile."""
    if instant > thread.clock:
        wait(state, thread, ("sleep", 0), instant - thread.clock)
        state.steps.append((fall_asleep, (thread.name,)))


def try_or_wait(state: State, thread: Thread, call: Call) -> None:
    result = attempt(state, call)
    if result is not None:
        thread.result = result
        thread.phase = "keep" if call.verb == "borrow" else thread.phase
    elif call.amount == NO_WAIT:
        thread.result = WOULD_WAIT
    else:
        if call.verb == "send":
            thread.message = call.number
        place = PLACES.get(call.verb, call.verb), call.object
        first = next(iter(waiters(state, place)), None)
        if first is not None and first.level > thread.level:
            state.steps.append((look_again, (thread.name,)))
        else:
            come_in(state, thread, call)


def look_again(state: State, name: int) -> None:
    """Interrupts may have come before a thread that has to wait behind others; no other thread has run.

    If they have left something to take, more urgent threads run before the call looks once more.
    """
    thread = state.threads[name]
    call = call_of(state, thread)
    if attempt(state.copy(), call) is None:
        come_in(state, thread, call)
    else:
        thread.phase = "call"


def come_in(state: State, thread: Thread, call: Call) -> None:
    wait(state, thread, (PLACES.get(call.verb, call.verb), call.object), call.amount)
    if call.amount < 0:
        fall_asleep(state, thread.name)
    else:
        state.steps.append((fall_asleep, (thread.name,)))


def look_then(state: State, thread: Thread, call: Call) -> None:
    thread.result = state_of(state, call.object)
    is_over = thread.result in (DORMANT, ENDED)
    if call.verb == "start" and is_over:
        state.steps.append((start, (call.object,)))
    elif call.verb == "suspend" and not is_over:
        state.steps.append((suspend, (call.object,)))


def exit_thread(state: State, thread: Thread) -> None:
    thread.life = ENDED
    state.steps.append((serve_joiner, (thread.name,)))


def serve_joiner(state: State, name: int) -> None:
    """One after the other, then the thread is gone."""
    if give(state, ("join", name)):
        state.steps.append((serve_joiner, (name,)))
    else:
        state.ready.members.remove(state.threads[name])
