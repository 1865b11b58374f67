# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The processor: the running thread, and the phases of its call."""

from __future__ import annotations

from tests.model.reference.calls import exit_thread, is_skipped, thread_call
from tests.model.reference.mutexes import take_back, unlock
from tests.model.reference.passing import idle, interrupt, work
from tests.model.reference.state import SKIPPED, Injection, State, Thread, call_of
from tests.model.reference.waiting import end_wait

__all__ = ["interrupt_here", "may_be_interrupted_here", "step"]


def has_made_all(state: State, thread: Thread) -> bool:
    one = state.script.threads[thread.name]
    return thread.round >= one.repeats or not one.calls


def begin_call(state: State, thread: Thread) -> bool:
    """False: the run is over."""
    one = state.script.threads[thread.name]
    if state.calls_left == 0:
        state.say_of_thread(f"{state.now} enough")
        return False
    state.calls_left -= 1
    thread.result, thread.work = 0, 0
    if has_made_all(state, thread):
        state.say_of_thread(f"{state.now} t{thread.name} {len(one.calls)}")
        begin_end(state, thread)
        return True
    call = one.calls[thread.call]
    state.say_of_thread(f"{state.now} t{thread.name} {thread.call}")
    if call.after:
        state.injection = Injection(state.now, call.interrupt)
    thread.phase = "work" if call.verb == "work" else "clock"
    thread.work = call.amount if call.verb == "work" else 0
    return True


def begin_end(state: State, thread: Thread) -> None:
    """It unlocks what it owns, one after the other, before it ends."""
    if thread.name in state.owners:
        thread.phase = "end"
        unlock(state, thread, state.owners.index(thread.name))
    else:
        exit_thread(state, thread)


def read_clock(state: State, thread: Thread) -> None:
    call = call_of(state, thread)
    thread.clock, thread.phase = state.now, "call"
    if is_skipped(state, thread, call):
        thread.result, thread.phase = SKIPPED, "end"
    elif call.verb == "return":
        state.borrowed[call.object] -= 1


def make_call(state: State, thread: Thread) -> None:
    thread.phase = "end"
    thread_call(state, thread, call_of(state, thread))


def keep(state: State, thread: Thread) -> None:
    state.borrowed[call_of(state, thread).object] += 1
    thread.phase = "end"


def end_call(state: State, thread: Thread) -> None:
    calls = state.script.threads[thread.name].calls
    is_last = has_made_all(state, thread)
    number = len(calls) if is_last else thread.call
    state.say_of_thread(f"{state.now} t{thread.name} {number} = {thread.result}")
    thread.phase = "begin"
    if not is_last:
        thread.call = (thread.call + 1) % len(calls)
        thread.round += thread.call == 0


def may_be_interrupted_here(state: State) -> bool:
    if state.injection is None or state.place >= len(state.trace):
        return False
    marker = f"{state.injection.at} i{state.injection.interrupt}"
    return state.now == state.injection.at and state.trace[state.place] == marker


def interrupt_here(state: State) -> None:
    assert state.injection is not None
    number, state.injection = state.injection.interrupt, None
    interrupt(state, number)


def step(state: State) -> bool:
    """One step of the kernel, or of a thread, or time passes; False: the run is over."""
    if state.steps:
        function, arguments = state.steps.pop(0)
        function(state, *arguments)
        return True
    first = state.ready.members[0] if state.ready.members else None
    if first is None and state.running < 0:
        return idle(state)
    if first is None:
        state.running = -1
        return True
    if first.name != state.running:
        state.running = first.name
        return True
    if first.waits:
        end_wait(state, first)
        return True
    return step_of(state, first)


def step_of(state: State, thread: Thread) -> bool:
    match thread.phase:
        case "begin":
            return begin_call(state, thread)
        case "clock":
            read_clock(state, thread)
        case "call":
            make_call(state, thread)
        case "lower":
            take_back(state, thread)
        case "keep":
            keep(state, thread)
        case "work" if thread.work:
            work(state, thread)
        case _:
            end_call(state, thread)
    return True
