# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What several cores have for themselves and share, at one moment; their own steps, and how time passes."""

from __future__ import annotations

from copy import copy
from typing import Self

from tests.model.reference.core_alarms import ASKING, Alarms, Step, has_own_step
from tests.model.reference.core_mutexes import Mutexes
from tests.model.reference.state import Differs, Queue, State, Thread, call_of, copied
from tests.model.reference.threads import start
from tests.model.reference.waiting import expiry, fall_asleep, time_out, wait
from tests.model.script import Script

__all__ = ["MOST_CORES", "OWN_STEPS", "Core", "Cores"]

OWN_STEPS = ("yield", "sleep-for", "sleep-until")
MOST_CORES = 4


class Core:
    """What a core has for itself."""

    __slots__ = (
        "activity",
        "answering",
        "calls",
        "deferred",
        "injection",
        "interrupt",
        "left",
        "ready",
        "result",
        "running",
        "serving",
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
        # "joiners", "level" of the thread `target`, "alarm"; or, by the dispatch, "changes",
        # "suspension", and then of alarms "look", "asked"
        self.target = -1
        self.left: set[int] = set()  # the threads from which it may not have switched yet
        self.activity: list[Step] = []  # of the thread's or the dispatch's work on an alarm
        self.serving: list[Step] | None = (
            None  # of the handler of the store of time-outs; None: it is not under way
        )
        self.deferred = False  # that handler has left its work to the thread, which uses the store
        self.timed = timed
        self.interrupt = -1  # under way
        self.calls = 0  # it has made
        self.stage = 0  # of the call that it makes
        self.result: int | None = None  # of it
        self.injection: tuple[int, int] | None = None  # instant, interrupt


class Cores:
    """All cores, and where they stand in the trace."""

    def __init__(self, script: Script, trace: list[str]) -> None:
        self.state = State(script, trace)
        self.cores = [
            Core([i for i, one in enumerate(script.interrupts) if one.at and one.core == core])
            for core in range(MOST_CORES)
        ]
        self.state.rung = [[] for _ in range(MOST_CORES)]
        self.mutexes = Mutexes(MOST_CORES)
        self.alarms = Alarms(script, MOST_CORES)
        self.stages = [0 for _ in script.threads]  # of the thread's call, with the lock
        self.pending = [False for _ in script.threads]  # its call has not returned yet
        self.launched = [one.started for one in script.threads]
        self.borrowed: dict[tuple[int, int], int] = {}
        self.enter(0)
        for name, one in enumerate(script.threads):
            if one.started:
                start(self.state, name)
        self.dispatch()

    def copy(self) -> Self:
        other = copy(self)
        other.state = self.state.copy()
        threads = other.state.threads
        other.cores = [copied(one) for one in self.cores]
        for one in other.cores:
            one.ready = Queue([threads[each.name] for each in one.ready.members])
            one.steps, one.timed, one.answering = (
                list(one.steps),
                list(one.timed),
                list(one.answering),
            )
            one.left, one.activity = set(one.left), list(one.activity)
            one.serving = None if one.serving is None else list(one.serving)
        other.state.rung = [list(one) for one in self.state.rung]
        other.mutexes, other.alarms = self.mutexes.copy(), self.alarms.copy()
        other.stages, other.pending = list(self.stages), list(self.pending)
        other.launched, other.borrowed = list(self.launched), dict(self.borrowed)
        other.enter(self.state.core)
        return other

    def key(self) -> str:
        """Equal for equal states."""
        self.enter(0)
        cores = [
            (
                [thread.name for thread in one.ready.members],
                sorted(one.left),
                [getattr(one, name) for name in one.__slots__ if name not in ("ready", "left")],
            )
            for one in self.cores
        ]
        calls = self.stages, self.pending, self.launched, sorted(self.borrowed.items())
        shared = self.state.key(), self.state.rung, self.mutexes.key(), self.alarms.key()
        return repr((cores, calls, shared))

    def enter(self, core: int) -> Core:
        """What follows is on this core."""
        self.state.core = core
        self.state.ready = self.cores[core].ready
        return self.cores[core]

    def core_of(self, thread: int) -> int:
        return self.state.script.threads[thread].core

    # What runs.

    def holds(self, core: Core) -> bool:
        """The running thread has waited with a time-out, or changes an alarm, and had no lock since."""
        if core.running < 0:
            return False
        one = self.state.threads[core.running]
        if self.changes_alarm(one):
            return True
        is_ready = one in core.ready.members
        if is_ready and one.phase == "lower":
            return True
        return is_ready and one.waits and one.until > 0 and one.place[0] != "sleep"

    def changes_alarm(self, thread: Thread) -> bool:
        """It is about to have the lock for that."""
        return thread.phase == "locked" and call_of(self.state, thread).verb in ASKING

    def dispatch(self) -> None:
        """The most urgent thread that is ready runs, unless dispatch is held off, or a handler runs."""
        core = self.cores[self.state.core]
        if not core.steps and core.serving is None:
            runs = core.ready.members[0].name if core.ready.members else -1
            if runs != core.running:
                core.left.add(core.running)
            core.running = runs

    def do_own_steps(self, core: Core) -> None:
        """Those for which it needs no lock."""
        while self.do_own_step(core):
            pass

    def do_own_step(self, core: Core) -> bool:
        """One of the handler that serves time-outs, or of what is done with an alarm; or all of threads."""
        return self.serve_on(core) or (
            core.serving is None and (self.act_on(core) or self.run(core))
        )

    def may_go_on(self, number: int) -> bool:
        """By an own step."""
        core = self.enter(number)
        return core.interrupt < 0 and self.has_own_step(core)

    def has_own_step(self, core: Core) -> bool:
        if core.serving is not None:
            return not core.serving or has_own_step(core.serving)
        if core.activity:
            return has_own_step(core.activity)
        if core.steps:
            return core.steps[-1] in ("alarm", "look")
        return core.running >= 0 and self.state.threads[core.running].phase == "own"

    def serve_on(self, core: Core) -> bool:
        """The next one that is due, of threads and alarms."""
        if core.serving is None:
            return False
        if core.serving:
            return self.alarms.step(self.state, core.serving)
        threads = [
            (one.key, one.order, one.name, -1) for one in self.expired_threads(self.state.core)
        ]
        alarms = [
            (key, order, -1, number)
            for key, order, number in self.alarms.due(self.state.core, self.state.now)
        ]
        first = min([*threads, *alarms], default=None)
        if first is None:
            core.serving = None
            core.left.add(core.running)
            self.dispatch()
        elif first[3] >= 0:
            core.serving = [("expire", (first[3],))]
            self.alarms.step(self.state, core.serving)
        else:
            time_out(self.state, first[2])
        return True

    def is_at_alarms(self, number: int) -> bool:
        """It may have own steps to make that are about alarms."""
        core = self.cores[number]
        return core.serving is not None or core.steps[-1:] in (["alarm"], ["look"], ["asked"])

    def act_on(self, core: Core) -> bool:
        if core.activity:
            return self.alarms.step(self.state, core.activity)
        match core.steps[-1:]:
            case ["alarm"]:
                core.deferred, core.steps = False, []
                self.end_steps(core, looks=True)
            case ["look"] if self.alarms.asked[self.state.core]:
                core.steps = ["asked"]
            case ["look"]:
                self.end_changes(core)
            case _:
                return False
        return True

    def end_changes(self, core: Core) -> None:
        """Of the dispatch, which may have been asked for again meanwhile."""
        core.steps, core.left = [], {core.running}
        self.dispatch()

    def end_steps(self, core: Core, looks: bool) -> None:
        """The dispatch, or what allows it again, sees at once that others have left word."""
        if looks and not core.steps and self.mutexes.flagged[self.state.core]:
            core.steps = ["changes"]
        self.dispatch()

    def run(self, core: Core) -> bool:
        """The running thread's own step, then that of the one that runs then."""
        any_made = False
        while core.running >= 0 and not core.steps:
            thread = self.state.threads[core.running]
            if thread.phase != "own":
                break
            any_made = True
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
        return any_made

    # Time.

    def due(self, number: int) -> bool:
        core = self.cores[number]
        script = self.state.script
        return (not core.deferred and self.has_expired(number)) or any(
            script.interrupts[one].at <= self.state.now for one in core.timed[:1]
        )

    def has_expired(self, core: int) -> bool:
        return bool(self.expired_threads(core) or self.alarms.due(core, self.state.now))

    def sleepers(self) -> list[Thread]:
        return [
            one
            for one in self.state.threads
            if one.until
            and not one.expired
            and one not in self.cores[self.core_of(one.name)].ready.members
        ]

    def expired_threads(self, core: int) -> list[Thread]:
        return [
            one
            for one in self.sleepers()
            if self.core_of(one.name) == core and one.key <= self.state.now
        ]

    def working(self, core: Core) -> Thread | None:
        thread = self.state.threads[core.running] if core.running >= 0 else None
        return thread if thread is not None and thread.phase == "work" and thread.work else None

    def next_instant(self) -> int | None:
        state = self.state
        instants = [expiry(state, one.key) for one in self.sleepers()]
        for number, core in enumerate(self.cores):
            instants += [key for key, _, _ in self.alarms.to_come(number)]
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
            if not is_idle or core.steps or core.serving is not None or core.interrupt >= 0:
                raise Differs(f"{state.now} core {number} goes on, thread {core.running}")
            if state.rung[number] or self.mutexes.flagged[number] or self.due(number):
                raise Differs(f"{state.now} core {number} is interrupted")
        until = self.next_instant()
        if until is None or until > instant:
            until = instant
        for core in self.cores:
            thread = self.working(core)
            if thread is not None:
                thread.work -= until - state.now
        state.now = until

    def make_ready(self, core: Core, count: int) -> None:
        """The first so many of those for which the core answers."""
        for name in core.answering[:count]:
            if self.state.threads[name] not in core.ready.members:
                core.ready.add(self.state.threads[name])
        core.answering = core.answering[count:]
        self.dispatch()
