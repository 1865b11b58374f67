# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Alarms: the next instants, and what is done at them. Those that have passed by then count together."""

from __future__ import annotations

from dataclasses import replace

from tests.model.reference.events import set_flags
from tests.model.reference.interrupts import attempt, interrupt_call, perform
from tests.model.reference.objects import give_semaphore
from tests.model.reference.state import FULL, OK, State, Step, Thread
from tests.model.reference.waiting import release, waiters
from tests.model.script import Call

__all__ = ["alarm_call", "expire", "is_alarm_call"]

TIMES = 4  # FLAGS of a script: period + times


def is_alarm_call(call: Call) -> bool:
    return call.verb in ("alarm-start", "alarm-every", "alarm-stop", "alarm-next")


def alarm_call(state: State, thread: Thread, call: Call) -> None:
    """By a thread. An alarm that is started for now expires in the call."""
    target = call.object
    match call.verb:
        case "alarm-stop":
            thread.result = int(state.alarms[target].next is not None)
            state.alarms[target] = replace(state.alarms[target], next=None)
        case "alarm-next":
            found = state.alarms[target].next
            thread.result = -1 if found is None else found
        case _:
            state.steps.append((start, (target, thread.clock + call.amount, call.flags)))


def start(state: State, alarm: int, first: int, flags: int) -> None:
    period, times = flags - flags % TIMES, flags % TIMES if flags else 1
    state.timeouts_asked_for += 1
    state.alarms[alarm] = replace(
        state.alarms[alarm],
        next=first,
        order=state.timeouts_asked_for,
        period=period,
        left=times,
        expired=0,
    )
    if first <= state.now:
        state.steps = act(state, alarm, move_on(state, alarm)) + state.steps


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
    rest, state.steps = state.steps, act(state, alarm, passed)
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
    elif call.verb == "set":
        state.steps.insert(0, (say_result, (number, index, OK)))
        set_flags(state, call.object, call.flags)
    else:
        state.steps.insert(0, (say_result, (number, index, interrupt_call(state, call))))


def give_back(state: State, number: int, index: int) -> None:
    result = perform(state, state.script.interrupts[number].calls[index])
    state.steps.insert(0, (say_result, (number, index, result)))


def keep(state: State, number: int, index: int) -> None:
    state.borrowed[state.script.interrupts[number].calls[index].object] += 1
    say_result(state, number, index, OK)


def say_result(state: State, number: int, index: int, result: int) -> None:
    state.say(f"{state.now} i{number} {index} = {result}")
