# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Several cores: each has a processor of its own, and they share objects, under one lock.

The trace says which core does its next step: `cC` that core C has the lock of services, `dC` that it
answers the others, `wC` that it serves its time-outs. What the step is, what it returns, which thread makes
it and which one runs then, and when time passes, the model says. A thread of another core is ready once that
core has answered.

Four things the trace does not say. A core may be interrupted before or after a step of its own that needs
no lock (OWN_STEPS, and the reading of the clock); or between two threads that it makes ready when it
answers; and a thread that has waited with a time-out keeps its core until it has the lock again, unless a
more urgent one becomes ready before it is under way; and a dispatch may have begun, and so look at what
other cores have left word of (core_mutexes.py), or not yet. All ways are followed then.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from tests.model.reference.calls import is_skipped, serve_joiner
from tests.model.reference.core_mutexes import Mutexes
from tests.model.reference.events import WAITS, clear_flags, set_flags_at_once
from tests.model.reference.explanation import Explanation
from tests.model.reference.interrupts import attempt, perform
from tests.model.reference.objects import give_semaphore, return_block
from tests.model.reference.state import (
    ENDED,
    NO_WAIT,
    OK,
    SKIPPED,
    WOULD_WAIT,
    Differs,
    Queue,
    State,
    Thread,
    call_of,
)
from tests.model.reference.threads import start
from tests.model.reference.waiting import end_wait, expiry, fall_asleep, time_out, wait, waiters
from tests.model.script import Call, Script

__all__ = ["CROSSING", "LOOKS", "explain_cores"]

CROSSING = (
    *("take", "give", "send", "receive", "borrow", "return", "set", "clear", "join", "launch"),
    *("lock", "unlock"),
    *WAITS,
)
"""The calls that may be about an object, or a thread, of any core: the one place that says so."""
OWN_STEPS = ("yield", "sleep-for", "sleep-until")
MOST_CORES = 4
OF_MUTEXES = ("lock", "unlock")
LOOKS = ("count",)
"""It reads a number, in the moment in which the call begins. Those of messages and flags may be under change
then, by another core that has the lock."""
LOOKS_FIRST = ("take", "send", "receive")
"""These look for a short way before the one on which they may wait, each with the lock."""


class _Core:
    """What a core has for itself."""

    __slots__ = (
        "answering",
        "calls",
        "injection",
        "interrupt",
        "left",
        "ready",
        "result",
        "running",
        "stage",
        "steps",
        "target",
        "timed",
    )

    def __init__(self, timed: list[int]) -> None:
        self.ready = Queue()
        self.running = -1
        self.answering: list[int] = []  # threads that others woke, about to be ready
        self.steps: list[
            str
        ] = []  # under way, the last one first; no thread is dispatched: "asleep",
        # "joiners", "level" of the thread `target`; or, by the dispatch, "changes", "suspension"
        self.target = -1
        self.left: set[int] = set()  # the threads from which it may not have switched yet
        self.timed = timed
        self.interrupt = -1  # under way
        self.calls = 0  # it has made
        self.stage = 0  # of the call that it makes
        self.result: int | None = None  # of it
        self.injection: tuple[int, int] | None = None  # instant, interrupt


class _System:
    """All cores, and where they stand in the trace."""

    def __init__(self, script: Script, trace: list[str]) -> None:
        self.state = State(script, trace)
        self.cores = [
            _Core([i for i, one in enumerate(script.interrupts) if one.at and one.core == core])
            for core in range(MOST_CORES)
        ]
        self.state.rung = [[] for _ in range(MOST_CORES)]
        self.mutexes = Mutexes(MOST_CORES)
        self.stages = [0 for _ in script.threads]  # of the thread's call, with the lock
        self.pending = [False for _ in script.threads]  # its call has not returned yet
        self.launched = [one.started for one in script.threads]
        self.borrowed: dict[tuple[int, int], int] = {}
        self.enter(0)
        for name, one in enumerate(script.threads):
            if one.started:
                start(self.state, name)
        self.dispatch()

    def copy(self) -> _System:
        other = copy(self)
        other.state = self.state.copy()
        threads = other.state.threads
        other.cores = [copy(one) for one in self.cores]
        for one in other.cores:
            one.ready = Queue([threads[each.name] for each in one.ready.members])
            one.steps, one.timed, one.answering = (
                list(one.steps),
                list(one.timed),
                list(one.answering),
            )
            one.left = set(one.left)
        other.state.rung = [list(one) for one in self.state.rung]
        other.mutexes = self.mutexes.copy()
        other.stages, other.pending = list(self.stages), list(self.pending)
        other.launched, other.borrowed = list(self.launched), dict(self.borrowed)
        other.enter(self.state.core)
        return other

    def enter(self, core: int) -> _Core:
        """What follows is on this core."""
        self.state.core = core
        self.state.ready = self.cores[core].ready
        return self.cores[core]

    def core_of(self, thread: int) -> int:
        return self.state.script.threads[thread].core

    # What runs.

    def holds(self, core: _Core) -> bool:
        """The running thread has waited with a time-out, and has not had the lock since."""
        if core.running < 0:
            return False
        one = self.state.threads[core.running]
        is_ready = one in core.ready.members
        if is_ready and one.phase == "lower":
            return True
        return is_ready and one.waits and one.until > 0 and one.place[0] != "sleep"

    def dispatch(self) -> None:
        """The most urgent thread that is ready runs, unless dispatch is held off."""
        core = self.cores[self.state.core]
        if not core.steps:
            runs = core.ready.members[0].name if core.ready.members else -1
            if runs != core.running:
                core.left.add(core.running)
            core.running = runs

    def do_own_steps(self, core: _Core) -> None:
        """The running thread's, for which it needs no lock; then that of the one that runs then."""
        while core.running >= 0 and not core.steps:
            thread = self.state.threads[core.running]
            if thread.phase != "own":
                return
            call = call_of(self.state, thread)
            thread.phase = "call"
            if call.verb not in OWN_STEPS:
                thread.clock, thread.phase = self.state.now, "locked"
            elif call.verb == "yield":
                core.ready.members.remove(thread)
                core.ready.add(thread)
            else:
                instant = call.amount + (self.state.now if call.verb == "sleep-for" else 0)
                if instant > self.state.now:
                    thread.clock = self.state.now
                    wait(self.state, thread, ("sleep", 0), instant - self.state.now)
                    fall_asleep(self.state, thread.name)
            self.dispatch()

    def has_own_step(self, core: _Core) -> bool:
        return (
            core.running >= 0 and not core.steps and self.state.threads[core.running].phase == "own"
        )

    # Time.

    def due(self, number: int) -> bool:
        core = self.cores[number]
        script = self.state.script
        return bool(self.expired(number)) or any(
            script.interrupts[one].at <= self.state.now for one in core.timed[:1]
        )

    def sleepers(self) -> list[Thread]:
        return [
            one
            for one in self.state.threads
            if one.until
            and not one.expired
            and one not in self.cores[self.core_of(one.name)].ready.members
        ]

    def expired(self, core: int) -> list[Thread]:
        due = [
            one
            for one in self.sleepers()
            if self.core_of(one.name) == core and one.key <= self.state.now
        ]
        return sorted(due, key=lambda one: (one.key, one.order))

    def working(self, core: _Core) -> Thread | None:
        thread = self.state.threads[core.running] if core.running >= 0 else None
        return thread if thread is not None and thread.phase == "work" and thread.work else None

    def next_instant(self) -> int | None:
        state = self.state
        instants = [expiry(state, one.key) for one in self.sleepers()]
        for core in self.cores:
            instants += [state.script.interrupts[one].at for one in core.timed[:1]]
            thread = self.working(core)
            instants += [state.now + thread.work] if thread is not None else []
        return min(instants, default=None)

    def settle(self) -> None:
        """All own steps, as time passes after them only."""
        for number in range(len(self.cores)):
            core = self.enter(number)
            self.make_ready(core, len(core.answering))
            self.do_own_steps(core)

    def pass_to(self, instant: int) -> None:
        """Time passes when no core has anything to do; up to the next instant that holds something."""
        state = self.state
        self.settle()
        for number, core in enumerate(self.cores):
            is_idle = core.running < 0 or self.working(core) is not None
            if not is_idle or core.steps or core.interrupt >= 0:
                raise Differs(f"{state.now} core {number} goes on, thread {core.running}")
            if state.rung[number] or self.mutexes.changed[number] or self.due(number):
                raise Differs(f"{state.now} core {number} is interrupted")
        until = self.next_instant()
        if until is None or until > instant:
            until = instant
        for core in self.cores:
            thread = self.working(core)
            if thread is not None:
                thread.work -= until - state.now
        state.now = until

    # Steps with the lock.

    def with_lock(self, call: Call, stage: int, thread: Thread | None) -> int | None:
        """A step of a call, by `thread` or an interrupt: its result; None: it is not over."""
        state, target = self.state, call.object
        match call.verb:
            case "give":
                return give_semaphore(state, target)
            case "return":
                return return_block(state, target)
            case "set":
                return set_flags_at_once(state, target, call.flags)
            case "clear":
                return clear_flags(state, target, call.flags)
            case "launch" if stage == 2:  # claimed, and not on its stack any more
                start(state, target)
                return OK
            case "launch":
                return None
        if stage == 0 and call.verb in LOOKS_FIRST and not self.has_short_way(call):
            return None
        result = attempt(state, call)
        if result is None and stage == 0 and call.verb in LOOKS_FIRST:
            return None
        if result is None and (thread is None or call.amount == NO_WAIT):
            return WOULD_WAIT
        if result is None:
            assert thread is not None
            self.come_in(thread, call)
        return result

    def has_short_way(self, call: Call) -> bool:
        """No thread waits at the other end of the queue."""
        if call.verb == "take":
            return True
        other = "receive" if call.verb == "send" else "send"
        return not waiters(self.state, (other, call.object))

    def come_in(self, thread: Thread, call: Call) -> None:
        if call.verb == "send":
            thread.message = call.number
        thread.phase = "waits"
        wait(
            self.state,
            thread,
            ("event" if call.verb in WAITS else call.verb, call.object),
            call.amount,
        )
        if call.amount < 0:
            fall_asleep(self.state, thread.name)
        else:
            self.cores[self.state.core].steps = ["asleep"]

    def lock_in_thread(self, number: int) -> None:
        core = self.cores[number]
        self.must_go_on(number)
        if core.steps and core.steps[-1] in ("changes", "level", "suspension"):
            self.bring_in_line(core)
            return
        if core.running < 0:
            raise Differs(f"{self.state.now} core {number} is idle")
        thread = self.state.threads[core.running]
        if thread.name in self.state.rung[number] and (core.steps or thread.waits):
            return  # the answer to the others comes first
        if core.steps == ["joiners"]:
            serve_joiner(self.state, thread.name)
            over = not self.state.steps
            self.state.steps = []
            core.steps = [] if over else core.steps
            looks = over
        elif core.steps == ["asleep"]:
            core.steps, looks = [], True
            fall_asleep(self.state, thread.name)
        elif thread.waits and thread.until > 0 and thread.place[0] != "sleep":
            looks = True
            end_wait(self.state, thread)
        elif thread.phase == "lower":
            core.target, thread.phase = self.mutexes.take_back(self.state, thread), "end"
            core.steps = ["level"] if core.target >= 0 else []
            looks = not core.steps
        elif thread.phase == "locked" and call_of(self.state, thread).verb in OF_MUTEXES:
            self.use_mutex(core, thread)
            looks = thread not in core.ready.members
        elif thread.phase == "locked":
            call = call_of(self.state, thread)
            result = self.with_lock(call, self.stages[thread.name], thread)
            self.stages[thread.name] += 1
            if result is not None:
                thread.result, thread.phase = result, "end"
            looks = thread not in core.ready.members
        else:
            raise Differs(f"{self.state.now} no lock for thread {thread.name}")
        self.end_steps(core, looks)

    def use_mutex(self, core: _Core, thread: Thread) -> None:
        call = call_of(self.state, thread)
        if call.verb == "lock":
            how = self.mutexes.lock(self.state, thread, call)
        else:
            how = self.mutexes.unlock(self.state, call.object)
        if how == "wait":
            self.come_in(thread, call)
            self.mutexes.wait(self.state, thread, call.object)
            return
        thread.phase = "end"
        if how == "level":
            core.steps, core.target = ["level"], thread.name

    def end_steps(self, core: _Core, looks: bool) -> None:
        """The dispatch, or what allows it again, sees at once that others have left word."""
        if looks and not core.steps and self.mutexes.changed[self.state.core]:
            core.steps = ["changes"]
        self.dispatch()

    def bring_in_line(self, core: _Core) -> None:
        """Of the dispatch, or of a thread that holds it off: with the lock for one thread after the other."""
        changed = self.mutexes.changed[self.state.core]
        match core.steps[-1]:
            case "changes" if changed:
                core.target = changed.pop(0)
                core.steps += ["suspension", "level"]
            case "level":
                core.target = self.mutexes.update(self.state, core.target, core.running)
                if core.target < 0:
                    core.steps = core.steps[:-1]
                    self.end_steps(core, looks=True)
            case "changes":
                core.steps, core.left = [], set()
                self.dispatch()
            case _:
                core.steps = core.steps[:-1]

    def must_go_on(self, number: int) -> None:
        core = self.cores[number]
        if core.interrupt >= 0 or self.due(number):
            raise Differs(f"{self.state.now} core {number} is interrupted")
        self.do_own_steps(core)

    def lock(self, number: int) -> None:
        core = self.cores[number]
        if core.interrupt < 0:
            self.lock_in_thread(number)
            return
        calls = self.state.script.interrupts[core.interrupt].calls
        if core.result is not None or core.calls >= len(calls):
            raise Differs(f"{self.state.now} no lock for interrupt {core.interrupt}")
        core.result = self.with_lock(calls[core.calls], core.stage, None)
        core.stage += 1

    # Lines.

    def answer(self, number: int) -> None:
        core = self.cores[number]
        core.answering, self.state.rung[number] = self.state.rung[number], []

    def make_ready(self, core: _Core, count: int) -> None:
        """The first so many of those for which the core answers."""
        for name in core.answering[:count]:
            if self.state.threads[name] not in core.ready.members:
                core.ready.add(self.state.threads[name])
        core.answering = core.answering[count:]
        self.dispatch()

    def serve(self, number: int) -> None:
        for thread in self.expired(number):
            time_out(self.state, thread.name)
        self.dispatch()

    def end_interrupt(self, core: _Core) -> None:
        if core.calls == len(self.state.script.interrupts[core.interrupt].calls):
            core.interrupt = -1
            self.dispatch()

    def interrupt(self, core: _Core, name: int, rest: list[str]) -> None:
        state, number = self.state, self.state.core
        if not rest:
            here = core.injection == (state.now, name)
            if core.interrupt >= 0 or not (here or core.timed[:1] == [name]):
                raise Differs(f"{state.now} no interrupt {name} on core {number}")
            if here:
                core.injection = None
            elif state.script.interrupts[name].at > state.now:
                raise Differs(f"{state.script.interrupts[name].at} i{name}")
            else:
                core.timed.pop(0)
            core.interrupt, core.calls, core.stage, core.result = name, 0, 0, None
        else:
            expected = [str(core.calls), "=", str(core.result)]
            if core.interrupt != name or rest != expected:
                raise Differs(f"{state.now} i{core.interrupt} {' '.join(expected)}")
            core.calls, core.stage, core.result = core.calls + 1, 0, None
        self.end_interrupt(core)

    def thread_line(self, core: _Core, name: int, rest: list[str]) -> None:
        state, thread = self.state, self.state.threads[name]
        self.must_go_on(state.core)
        if core.running != name or core.steps:
            raise Differs(f"{state.now} t{core.running}")
        core.injection = None
        core.left = set()
        if self.pending[name]:
            expected = self.end(thread)
        else:
            expected = self.begin(core, thread)
        if rest != expected.split():
            raise Differs(f"{state.now} t{name} {expected}")

    def begin(self, core: _Core, thread: Thread) -> str:
        state, one = self.state, self.state.script.threads[thread.name]
        if state.calls_left == 0:
            raise Differs(f"{state.now} enough")
        state.calls_left -= 1
        if thread.round >= one.repeats or not one.calls:
            thread.life = ENDED
            core.steps = ["joiners"]
            return str(len(one.calls))
        call = one.calls[thread.call]
        self.pending[thread.name], self.stages[thread.name] = True, 0
        thread.result, thread.clock = OK, state.now
        thread.phase = "locked"
        if call.after and state.script.interrupts[call.interrupt].core == state.core:
            core.injection = (state.now, call.interrupt)
        if call.verb in OWN_STEPS:
            thread.phase = "own"
        elif call.verb == "work":
            thread.phase, thread.work = "work", call.amount
        elif call.verb in LOOKS:
            thread.result, thread.phase = perform(state, call), "end"
        elif self.is_skipped(thread, call):
            thread.result, thread.phase = SKIPPED, "end"
        elif call.amount > 0:
            thread.phase = "own"  # it reads the clock
        return str(thread.call)

    def is_skipped(self, thread: Thread, call: Call) -> bool:
        if call.verb == "launch":
            was, self.launched[call.object] = self.launched[call.object], True
            return was
        if call.verb == "return":
            have = self.borrowed.get((thread.name, call.object), 0)
            self.borrowed[thread.name, call.object] = max(0, have - 1)
            return have == 0
        if call.verb in OF_MUTEXES:
            return is_skipped(self.state, thread, call)
        return call.verb == "join" and call.object == thread.name and call.amount != NO_WAIT

    def end(self, thread: Thread) -> str:
        state, calls = self.state, self.state.script.threads[thread.name].calls
        call = calls[thread.call]
        if thread.waits and (thread.until == 0 or thread.place[0] == "sleep"):
            end_wait(state, thread)
        if thread.phase in ("locked", "lower") or thread.waits or thread.work:
            raise Differs(f"{state.now} t{thread.name} has not done its call {thread.call}")
        if call.verb == "borrow" and thread.result == OK:
            place = thread.name, call.object
            self.borrowed[place] = self.borrowed.get(place, 0) + 1
        self.pending[thread.name], thread.phase = False, "begin"
        line = f"{thread.call} = {thread.result}"
        thread.call = (thread.call + 1) % len(calls)
        thread.round += thread.call == 0
        return line


def _number_of_core(system: _System, actor: str) -> int:
    kind, number = actor[0], int(actor[1:])
    script = system.state.script
    if kind == "t":
        found = [one.core for one in script.threads[number : number + 1]]
    elif kind == "i":
        found = [one.core for one in script.interrupts[number : number + 1]]
    else:
        found = [number] if number < MOST_CORES else []
    if not found:
        raise Differs(f"no such {kind}")
    return found[0]


def _apply(system: _System, line: str) -> None:
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
        case "d":
            system.answer(name)
        case _:
            system.serve(name)


def _after(
    ways: list[_System], number: int, what: Callable[[_System, _Core], None]
) -> list[_System]:
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


def _before(system: _System, number: int, comes: str) -> list[_System]:
    """The ways on which the core may have come to a line: interrupts come before or after its own steps."""
    core = system.enter(number)
    may_break_in = comes in ("d", "w", "i")
    ways: list[_System] = []
    if core.answering:
        most = len(core.answering)
        for count in range(most if comes in ("w", "i") else 0):
            way = system.copy()
            ways += _after([way], number, lambda one, its, n=count: one.make_ready(its, n))  # type: ignore[misc]
        whole = _after([system], number, lambda one, its: one.make_ready(its, most))
    else:
        whole = [system]
    if comes == "c" and system.mutexes.changed[number]:
        for way in [one.copy() for one in whole]:
            way.do_own_steps(way.enter(number))
            if way.cores[number].left:
                ways += _with_changes(way, number)
    for way in whole if may_break_in else []:
        if way.has_own_step(way.enter(number)):
            other = way.copy()
            other.do_own_steps(other.enter(number))
            ways.append(other)
    return ways + whole


def _with_changes(system: _System, number: int) -> list[_System]:
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


def _rung(system: _System, number: int) -> list[_System]:
    """The handler asks for the dispatch, unless a thread holds it off, which may or may not be so."""
    core = system.enter(number)
    if core.steps or not system.mutexes.changed[number]:
        return [system]
    return [*([system] if system.holds(core) else []), *_with_changes(system, number)]


def _next(system: _System, line: str) -> list[_System]:
    """The ways on which `line` comes next; Differs: there is none."""
    _, actor, *rest = line.split()
    number = _number_of_core(system, actor)
    in_interrupt = system.cores[number].interrupt >= 0 and (actor[0] == "c" or bool(rest))
    comes = "" if in_interrupt else actor[0]
    came = [system] if in_interrupt else _before(system, number, comes)
    ways: list[_System] = []
    expected: list[str] = []
    for way in came:
        try:
            if comes in ("w", "d", "i", ""):
                after = _after([way], number, lambda one, its: _apply(one, line))
                ways += [
                    one
                    for each in after
                    for one in (_rung(each, number) if comes == "d" else [each])
                ]
            else:
                _apply(way, line)
                ways.append(way)
        except Differs as difference:
            expected.append(str(difference))
    if not ways:
        raise Differs("; or ".join(dict.fromkeys(expected)))
    return ways


def _is_last(system: _System, line: str) -> bool:
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


def _follow(system: _System) -> list[_System] | None:
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


def explain_cores(script: Script, trace: list[str]) -> Explanation:
    """Whether the kernel may do what `trace` says when it plays `script` on several cores."""
    open_ways = [_System(script, trace)]
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
            choices += len(ways) - 1
            open_ways += ways
        except Differs as difference:
            if place > furthest:
                furthest, expected = place, []
            if place == furthest:
                expected.append(str(difference))
    return Explanation(False, furthest, tuple(dict.fromkeys(expected)), choices)
