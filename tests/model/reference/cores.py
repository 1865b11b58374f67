# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Several cores: each has a processor of its own, and they share objects, under one lock.

The trace says which core does its next step: `cC` that core C has the lock of services, `dC` that it
answers the others, `wC` that it begins to serve its time-outs, `eC` that it has the lock while it does so,
for an alarm. What the step is, what it returns, which thread makes it and which one runs then, and when time
passes, the model says. A thread of another core is ready once that core has answered.

Five things the trace does not say; all ways are followed then.

- A core may be interrupted before or after a step of its own that needs no lock: of a thread (OWN_STEPS, and
  the reading of the clock), of the handler that serves time-outs, of what is done with an alarm.
- It may be interrupted between two threads that it makes ready when it answers.
- A thread that has waited with a time-out, or is about to change an alarm, keeps its core until it has the
  lock, unless a more urgent one becomes ready before it is under way.
- A dispatch may have begun, and so look at what other cores have left word of (core_mutexes.py), or not yet.
- Another core that asks for an alarm may come before or after an own step of the alarm's core.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.model.reference.core_alarms import OF_ALARMS
from tests.model.reference.core_lines import LOOKS, System
from tests.model.reference.core_state import MOST_CORES, Core
from tests.model.reference.events import WAITS
from tests.model.reference.explanation import Explanation
from tests.model.reference.state import Differs
from tests.model.script import Script

__all__ = ["CROSSING", "LOOKS", "explain_cores"]

CROSSING = (
    *("take", "give", "send", "receive", "borrow", "return", "set", "clear", "join", "launch"),
    *("lock", "unlock", "alarm-wait", *OF_ALARMS),
    *WAITS,
)
"""The calls that may be about an object, or a thread, of any core: the one place that says so. `alarm-next`
is skipped if the alarm is another core's, or belongs to none yet."""
BREAK_IN = ("d", "w", "i")
TAKES_LOCK = ("c", "d", "e")


def _number_of_core(system: System, actor: str) -> int:
    kind, number = actor[0], int(actor[1:])
    script = system.state.script
    if kind == "t":
        found = [one.core for one in script.threads[number : number + 1]]
    elif kind == "i":
        found = [one.core for one in script.interrupts[number : number + 1]]
    elif kind == "a":
        found = [one.home for one in system.alarms.all[number : number + 1] if one.home >= 0]
    else:
        found = [number] if number < MOST_CORES else []
    if not found:
        raise Differs(f"no such {kind}")
    return found[0]


def _apply(system: System, line: str, deferred: bool = False) -> None:
    """One line of the trace, about a core."""
    _, actor, *rest = line.split()
    kind, name = actor[0], int(actor[1:])
    core = system.enter(_number_of_core(system, actor))
    match kind:
        case "t":
            system.thread_line(core, name, rest)
        case "i":
            system.interrupt(core, name, rest)
        case "c":
            system.lock(name)
        case "e":
            system.lock_in_handler(name)
        case "a":
            system.function_line(core, name, rest)
        case "d":
            system.answer(name)
        case _:
            system.serve(name, deferred)


def _after(ways: list[System], number: int, what: Callable[[System, Core], object]) -> list[System]:
    """Each way after `what`; and that on which a thread still holds the core until it has the lock."""
    found = []
    for way in ways:
        core = way.enter(number)
        runs, held = core.running, way.holds(core)
        what(way, core)
        found.append(way)
        if held and core.running != runs:
            other = way.copy()
            other.enter(number).running = runs
            found.append(other)
    return found


def _before(system: System, number: int, comes: str) -> list[System]:
    """The ways on which the core may have come to a line: interrupts come before or after its own steps."""
    core = system.enter(number)
    ways: list[System] = []
    if core.answering:
        most = len(core.answering)
        for count in range(most if comes == "i" else 0):
            way = system.copy()
            ways += _after([way], number, lambda one, its, n=count: one.make_ready(its, n))  # type: ignore[misc]
        whole = _after([system], number, lambda one, its: one.make_ready(its, most))
    else:
        whole = [system]
    if comes in BREAK_IN:
        return ways + [one for way in whole for one in _on_its_way(way, number)]
    if comes in ("c", "t"):
        whole = [one for way in whole for one in _behind_the_handler(way, number)]
    if comes == "c" and system.mutexes.flagged[number]:
        # After its handler was rung, or its thread's call had the lock last, it asks whether there is word.
        for way in [one.copy() for one in whole]:
            way.do_own_steps(way.enter(number))
            ways += _with_changes(way, number)
    return ways + whole


def _behind_the_handler(system: System, number: int) -> list[System]:
    """It has served all time-outs."""
    if system.cores[number].serving is None:
        return [system]

    def serve(one: System, its: Core) -> None:
        while one.serve_on(its):
            pass

    return _after([system], number, serve)


def _on_its_way(system: System, number: int) -> list[System]:
    """The ways on which the core has made none of its own steps yet, one, or more."""
    ways, now = [], [system]
    while now:
        going_on = [one for one in now if one.may_go_on(number)]
        ways += [one.copy() if one in going_on else one for one in now]
        now = _after(going_on, number, System.do_own_step)
    return ways


def _with_word(system: System, number: int, comes: str) -> list[System]:
    """What a core asks for it writes down after it has rung, before any core has the lock again: the alarm's
    core may have looked before that, and before it was rung."""
    asking = system.alarms.asking
    if asking is None and comes not in ("c", "e"):
        return [system]
    ways = [system]
    if asking is not None:
        home = system.alarms.all[asking[0]].home
        if comes in TAKES_LOCK:
            ways = _on_its_way(system, home)
            for way in ways:
                way.alarms.write_down()
        elif home == number:
            ways = [one for each in _on_its_way(system, home) for one in (each, each.copy())]
            for way in ways[1::2]:
                way.alarms.write_down()
    if comes in ("c", "e"):
        ways = [one for way in ways for one in _before_it_is_asked(way, number, comes)]
    return ways


def _before_it_is_asked(system: System, number: int, comes: str) -> list[System]:
    """The core may be about to ask for an alarm of another, which has come so far."""
    home = system.asks_for(number, comes)
    return [system] if home in (-1, number) else _on_its_way(system, home)


def _with_changes(system: System, number: int) -> list[System]:
    """The dispatch of the core looks at what others have left word of, and has not switched yet."""
    core = system.cores[number]
    if core.steps:
        return [system]
    listed = system.mutexes.changed[number]
    ways = []
    for runs in {core.running, *(core.left & {*listed})}:
        way = system.copy()
        way.cores[number].running, way.cores[number].steps = runs, ["changes"]
        ways.append(way)
    return ways


def _rung(system: System, number: int) -> list[System]:
    """The handler asks for the dispatch, unless a thread holds it off, which may or may not be so."""
    core = system.enter(number)
    if core.steps or not system.mutexes.flagged[number]:
        return [system]
    return [*([system] if system.holds(core) else []), *_with_changes(system, number)]


def _next(system: System, line: str) -> list[System]:
    """The ways on which `line` comes next; Differs: there is none."""
    _, actor, *rest = line.split()
    number = _number_of_core(system, actor)
    in_interrupt = system.cores[number].interrupt >= 0 and (
        actor[0] == "c" or (actor[0] == "i" and bool(rest))
    )
    comes = "" if in_interrupt else actor[0]
    ways: list[System] = []
    expected: list[str] = []
    for told in _with_word(system, number, actor[0]):
        for way in [told] if in_interrupt else _before(told, number, comes):
            defers = way.may_defer(number) if comes == "w" else (False,)
            for deferred in defers:
                one = way if deferred is defers[-1] else way.copy()
                try:
                    ways += _with(one, number, comes, line, deferred)
                except Differs as difference:
                    expected.append(str(difference))
    if not ways:
        raise Differs("; or ".join(dict.fromkeys(expected)))
    return ways


def _with(way: System, number: int, comes: str, line: str, deferred: bool) -> list[System]:
    """The ways behind it."""
    if comes not in ("", *BREAK_IN):
        _apply(way, line)
        return [way]
    after = _after([way], number, lambda one, its: _apply(one, line, deferred))
    return [one for each in after for one in (_rung(each, number) if comes == "d" else [each])]


def _is_last(system: System, line: str) -> bool:
    """How the run ends: by as many calls as there may be, or idle at its end."""
    state = system.state
    words = line.split()
    if words[1:] == ["enough"]:
        return state.calls_left == 0 and words[0] == str(state.now)
    if int(words[0]) < state.script.duration or state.trace[-1].split()[1:] != ["done"]:
        return False
    until = system.next_instant()
    system.pass_to(state.script.duration if until is None else min(until, state.script.duration))
    return state.now >= state.script.duration


def _follow(system: System) -> list[System] | None:
    """One line on; None: it was the last."""
    state = system.state
    line = state.trace[state.place]
    words = line.split()
    if len(words) < 2 or not words[0].isdigit():
        raise Differs("a line")
    if words[1] in ("done", "enough") or int(words[0]) >= state.script.duration:
        if not _is_last(system, line):
            raise Differs(f"{state.now} goes on")
        return None
    while state.now < int(words[0]):
        system.settle()
        until = system.next_instant()
        if words[1][0] == "w" and (until is None or until > int(words[0])):
            break  # for a time-out that has been withdrawn
        system.pass_to(int(words[0]))
    ways = _next(system, line)
    for way in ways:
        way.state.place += 1
    return ways


def _unseen(ways: list[System], seen: set[str]) -> list[System]:
    """Those from which nothing has been tried yet."""
    found = {way.key(): way for way in ways}
    new = [way for key, way in found.items() if key not in seen]
    seen.update(found)
    return new


def explain_cores(script: Script, trace: list[str]) -> Explanation:
    """Whether the kernel may do what `trace` says when it plays `script` on several cores."""
    open_ways = [System(script, trace)]
    seen: set[str] = set()
    furthest, choices = 0, 0
    expected: list[str] = []
    while open_ways:
        system = open_ways.pop()
        place = system.state.place
        try:
            if place == len(trace):
                raise Differs("the end")
            ways = _follow(system)
            if ways is None:
                return Explanation(True, place + 1, (), choices)
            if len(ways) > 1:
                ways = _unseen(ways, seen)
                choices += max(0, len(ways) - 1)
            open_ways += ways
        except Differs as difference:
            if place > furthest:
                furthest, expected = place, []
            if place == furthest:
                expected.append(str(difference))
    return Explanation(False, furthest, tuple(dict.fromkeys(expected)), choices)
