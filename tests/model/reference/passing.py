# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Time passes: interrupts and time-outs."""

from __future__ import annotations

from collections.abc import Callable

from tests.model.reference.alarms import expire
from tests.model.reference.interrupts import interrupt_call
from tests.model.reference.state import FIRST_TICK, State, Thread
from tests.model.reference.waiting import expiry, time_out

__all__ = ["idle", "interrupt", "work"]


def interrupt(state: State, number: int) -> None:
    state.say(f"{state.now} i{number}")
    for index, call in enumerate(state.script.interrupts[number].calls):
        state.say(f"{state.now} i{number} {index} = {interrupt_call(state, call)}")


def sleepers(state: State) -> list[Thread]:
    return [one for one in state.threads if one.until and not one.expired]


def next_event(state: State) -> int | None:
    instants = [expiry(state, one.key) for one in sleepers(state)]
    instants += [expiry(state, one.next) for one in state.alarms if one.next is not None]
    instants += [state.script.interrupts[i].at for i in state.timed[:1]]
    return min(instants, default=None)


def advance(state: State, instant: int) -> None:
    """Interrupts first: time-outs are served at the lowest priority."""
    state.now = instant
    while state.timed and state.script.interrupts[state.timed[0]].at <= instant:
        interrupt(state, state.timed.pop(0))
    while serve_one(state, instant):
        pass


def serve_one(state: State, instant: int) -> bool:
    """The first of those that are due: a function of an alarm may stop and start others."""
    due: list[tuple[int, int, Callable[[State, int], None], int]] = [
        (one.key, one.order, time_out, one.name)
        for one in sleepers(state)
        if expiry(state, one.key) <= instant
    ]
    due += [
        (one.next, one.order, expire, alarm)
        for alarm, one in enumerate(state.alarms)
        if one.next is not None and expiry(state, one.next) <= instant
    ]
    if not due:
        return False
    _, _, serve, number = min(due, key=lambda one: one[:2])
    serve(state, number)
    return True


def idle(state: State) -> bool:
    """Time passes; False: the run is over."""
    end = FIRST_TICK + state.script.duration
    event = next_event(state)
    if event is None or event >= end or state.now >= end:
        state.now = max(state.now, end)
        state.say(f"{state.now} done")
        return False
    advance(state, event)
    return True


def work(state: State, thread: Thread) -> None:
    event = next_event(state)
    if event is None or state.now + thread.work < event:
        state.now += thread.work
        thread.work = 0
    else:
        thread.work -= event - state.now
        advance(state, event)
