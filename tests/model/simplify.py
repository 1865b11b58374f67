# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Leaves out of a script what is not needed for it to fail: what bytes cannot say, after Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.model.script import Call, Script, Thread

__all__ = ["simplify"]

ABOUT_THREADS = ("join", "start", "suspend", "resume", "state", "set-level", "get-level")


def _without_thread(script: Script, gone: int) -> Script:
    """Threads after it move up; calls about it go."""

    def rest(calls: tuple[Call, ...]) -> tuple[Call, ...]:
        return tuple(
            replace(one, object=one.object - 1)
            if one.verb in ABOUT_THREADS and one.object > gone
            else one
            for one in calls
            if one.verb not in ABOUT_THREADS or one.object != gone
        )

    return replace(
        script,
        threads=tuple(
            replace(one, calls=rest(one.calls)) for i, one in enumerate(script.threads) if i != gone
        ),
        interrupts=tuple(replace(one, calls=rest(one.calls)) for one in script.interrupts),
    )


def _without_interrupt(script: Script, gone: int) -> Script:
    def rest(call: Call) -> Call:
        if call.after and call.interrupt == gone:
            return replace(call, after=0, interrupt=0)
        return replace(call, interrupt=call.interrupt - (call.interrupt > gone))

    return replace(
        script,
        threads=tuple(replace(one, calls=tuple(map(rest, one.calls))) for one in script.threads),
        interrupts=tuple(one for i, one in enumerate(script.interrupts) if i != gone),
        alarms=tuple(
            replace(one, target=-1 if one.target == gone else one.target - (one.target > gone))
            if one.kind == "call"
            else one
            for one in script.alarms
        ),
    )


def _fewer_calls(calls: tuple[Call, ...]) -> Iterator[tuple[Call, ...]]:
    for place, call in enumerate(calls):
        yield calls[:place] + calls[place + 1 :]
        if call.after:
            yield (*calls[:place], replace(call, after=0, interrupt=0), *calls[place + 1 :])


def _smaller(script: Script) -> Iterator[Script]:
    for i, thread in enumerate(script.threads):
        yield _without_thread(script, i)
        others: list[Thread] = [replace(thread, repeats=1)] if thread.repeats > 1 else []
        others += [replace(thread, calls=calls) for calls in _fewer_calls(thread.calls)]
        for other in others:
            yield replace(script, threads=(*script.threads[:i], other, *script.threads[i + 1 :]))
    for i, interrupt in enumerate(script.interrupts):
        yield _without_interrupt(script, i)
        for calls in _fewer_calls(interrupt.calls):
            less = replace(interrupt, calls=calls)
            yield replace(
                script, interrupts=(*script.interrupts[:i], less, *script.interrupts[i + 1 :])
            )
    if script.tick:
        yield replace(script, tick=0)


def simplify(script: Script, fails: Callable[[Script], bool]) -> Script:
    """A script that still fails, of which nothing more can be left out."""
    while True:
        smaller = next((one for s in _smaller(script) if fails(one := s.numbered())), None)
        if smaller is None:
            return script
        script = smaller
