# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Alarms: the next instants, and what is done at them. Those that have passed by then count together."""

from __future__ import annotations

from dataclasses import replace

from tests.model.reference.events import set_flags
from tests.model.reference.interrupts import OF_ALARMS, attempt, interrupt_call, perform
from tests.model.reference.objects import give_semaphore
from tests.model.reference.state import FULL, OK, SKIPPED, Running, State, Step, Thread
from tests.model.reference.waiting import release, waiters
from tests.model.script import Call

__all__ = ["alarm_call", "expire", "is_alarm_call"]

TIMES = 4  # FLAGS of a script: period + times


def is_alarm_call(call: Call) -> bool:
    return call.verb in OF_ALARMS


def alarm_call(state: State, thread: Thread, call: Call) -> None:
    """By a thread. An alarm that is started for now, or for the past, expires in the call."""
    target = call.object
    if call.verb in ("alarm-stop", "alarm-next"):
        thread.result = stop_or_ask(state, call)
    else:
        first = max(0, thread.clock + call.amount)
        state.steps.append((start_by_thread, (target, first, call.flags)))


def stop_or_ask(state: State, call: Call) -> int:
    one = state.alarms[call.object]
    if call.verb == "alarm-next":
        return -1 if one.next is None else one.next
    state.alarms[call.object] = replace(one, next=None, owed=0)
    return int(one.next is not None or one.owed != 0)


def start(state: State, alarm: int, first: int, flags: int) -> int:
    """Anew. Returns how many expiries it is late by."""
    period, times = flags - flags % TIMES, flags % TIMES if flags else 1
    state.timeouts_asked_for += 1
    order = state.timeouts_asked_for
    state.alarms[alarm] = Running(next=first, order=order, period=period, left=times)
    return move_on(state, alarm) if first <= state.now else 0


def start_by_thread(state: State, alarm: int, first: int, flags: int) -> None:
    expiries = start(state, alarm, first, flags)
    if expiries:
        state.steps = [*act(state, alarm, expiries), (pay, ()), *state.steps]


def start_by_function(state: State, alarm: int, first: int, flags: int) -> int:
    """What it is late by it owes until the function has returned; one that owes already keeps its place."""
    if state.starts_left == 0:
        return SKIPPED
    state.starts_left -= 1
    expiries = start(state, alarm, first, flags)
    state.alarms[alarm] = replace(state.alarms[alarm], owed=expiries)
    if expiries and alarm not in state.owing:
        state.owing.append(alarm)
    return OK


def pay(state: State) -> None:
    """What functions made alarms owe, one after the other, while there are any."""
    if state.owing:
        alarm = state.owing.pop(0)
        expiries = state.alarms[alarm].owed
        state.alarms[alarm] = replace(state.alarms[alarm], owed=0)
        due = act(state, alarm, expiries) if expiries else []
        state.steps = [*due, (pay, ()), *state.steps]


def move_on(state: State, alarm: int) -> int:
    """To the next instant that has not passed; how many have."""
    one = state.alarms[alarm]
    assert one.next is not None
    passed = 1 + (state.now - one.next) // one.period if one.period else 1
    if one.left and passed >= one.left:
        state.alarms[alarm] = replace(one, next=None)
        return one.left
    state.alarms[alarm] = replace(
        one, next=one.next + passed * one.period, left=one.left and one.left - passed
    )
    return passed


def expire(state: State, alarm: int) -> None:
    """Served: nothing comes between its steps."""
    passed = move_on(state, alarm)
    state.timeouts_asked_for += 1
    state.alarms[alarm] = replace(state.alarms[alarm], order=state.timeouts_asked_for)
    rest, state.steps = state.steps, [*act(state, alarm, passed), (pay, ())]
    while state.steps:
        function, arguments = state.steps.pop(0)
        function(state, *arguments)
    state.steps = rest


def act(state: State, alarm: int, expiries: int) -> list[Step]:
    """What the alarm does, step by step."""
    one = state.script.alarms[alarm]
    if one.kind == "wake":
        return [(wake, (alarm, expiries))]
    if one.kind == "give":
        return [(give_tokens, (one.target, expiries))]
    calls = state.script.interrupts[one.target].calls if one.target >= 0 else ()
    return [
        (say_call, (alarm, expiries)),
        *((one_call, (one.target, index)) for index in range(-1, len(calls)) if one.target >= 0),
    ]


def wake(state: State, alarm: int, expiries: int) -> None:
    """The most urgent one that waits, or the next that will."""
    one = state.alarms[alarm]
    expiries += one.expired
    members = waiters(state, ("alarm", alarm))
    if members:
        members[0].message = expiries
        release(state, members[0])
        expiries = 0
    state.alarms[alarm] = replace(one, expired=expiries)


def give_tokens(state: State, semaphore: int, expiries: int) -> None:
    """One after the other."""
    if give_semaphore(state, semaphore) != FULL and expiries > 1:
        state.steps.insert(0, (give_tokens, (semaphore, expiries - 1)))


def say_call(state: State, alarm: int, expiries: int) -> None:
    state.say(f"{state.now} a{alarm} {expiries}")


def one_call(state: State, number: int, index: int) -> None:
    """The function makes the calls of an interrupt; in a thread's call interrupts may fall into it."""
    if index < 0:
        state.say(f"{state.now} i{number}")
        return
    call = state.script.interrupts[number].calls[index]
    if call.verb == "return" and state.borrowed[call.object]:
        state.borrowed[call.object] -= 1  # of blocks the player keeps account
        state.steps.insert(0, (give_back, (number, index)))
    elif call.verb == "borrow" and attempt(state, call) == OK:
        state.steps.insert(0, (keep, (number, index)))
    elif call.verb in OF_ALARMS:
        state.steps.insert(0, (say_result, (number, index, change(state, call))))
    elif call.verb == "set":
        state.steps.insert(0, (say_result, (number, index, OK)))
        set_flags(state, call.object, call.flags)
    else:
        state.steps.insert(0, (say_result, (number, index, interrupt_call(state, call))))


def change(state: State, call: Call) -> int:
    if call.verb in ("alarm-stop", "alarm-next"):
        return stop_or_ask(state, call)
    return start_by_function(state, call.object, max(0, state.now + call.amount), call.flags)


def give_back(state: State, number: int, index: int) -> None:
    result = perform(state, state.script.interrupts[number].calls[index])
    state.steps.insert(0, (say_result, (number, index, result)))


def keep(state: State, number: int, index: int) -> None:
    state.borrowed[state.script.interrupts[number].calls[index].object] += 1
    say_result(state, number, index, OK)


def say_result(state: State, number: int, index: int, result: int) -> None:
    state.say(f"{state.now} i{number} {index} = {result}")
