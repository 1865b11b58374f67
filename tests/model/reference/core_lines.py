# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Several cores: what each line of their trace says."""

from __future__ import annotations

from tests.model.reference.calls import is_skipped
from tests.model.reference.core_alarms import OF_ALARMS
from tests.model.reference.core_state import OWN_STEPS, Core
from tests.model.reference.core_steps import OF_MUTEXES, Steps
from tests.model.reference.interrupts import perform
from tests.model.reference.state import ENDED, NO_WAIT, OK, SKIPPED, Differs, Thread
from tests.model.reference.waiting import end_wait
from tests.model.script import Call

__all__ = ["LOOKS", "System"]

LOOKS = ("count",)
"""It reads a number, in the moment in which the call begins. Those of messages and flags may be under change
then, by another core that has the lock."""


class System(Steps):
    """All cores, and where they stand in the trace."""

    def answer(self, number: int) -> None:
        core = self.cores[number]
        core.answering, self.state.rung[number] = self.state.rung[number], []

    def serve(self, number: int, deferred: bool) -> None:
        """The handler begins; or it leaves its work to the thread."""
        core = self.cores[number]
        if core.serving is not None or core.interrupt >= 0:
            raise Differs(f"{self.state.now} core {number} is interrupted")
        if deferred:
            core.deferred = True
        else:
            core.serving = []

    def function_line(self, core: Core, number: int, rest: list[str]) -> None:
        """Of an alarm's function: in the handler, in a thread or in the dispatch."""
        if core.interrupt >= 0:
            raise Differs(f"{self.state.now} i{core.interrupt}")
        self.do_own_steps(core)
        steps = core.activity if core.serving is None else core.serving
        name, arguments = steps.pop(0) if steps else ("", ())
        match name:
            case "say":
                expected = f"{arguments[1]}"
            case "result":
                expected = f"{arguments[1]} = {arguments[2]}"
            case _:
                raise Differs(f"{self.state.now} no function of an alarm on core {self.state.core}")
        if arguments[0] != number or rest != expected.split():
            raise Differs(f"{self.state.now} a{arguments[0]} {expected}")

    def end_interrupt(self, core: Core) -> None:
        if core.calls == len(self.state.script.interrupts[core.interrupt].calls):
            core.interrupt = -1
            self.dispatch()

    def interrupt(self, core: Core, name: int, rest: list[str]) -> None:
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
            if core.result is None and core.stage == 0 and self.is_skipped_in_interrupt(core):
                core.result = SKIPPED
            expected = [str(core.calls), "=", str(core.result)]
            if core.interrupt != name or rest != expected:
                raise Differs(f"{state.now} i{core.interrupt} {' '.join(expected)}")
            core.calls, core.stage, core.result = core.calls + 1, 0, None
        self.end_interrupt(core)

    def is_skipped_in_interrupt(self, core: Core) -> bool:
        calls = self.state.script.interrupts[core.interrupt].calls[core.calls : core.calls + 1]
        return any(
            one.verb in OF_ALARMS or self.alarms.is_skipped(self.state, one) for one in calls
        )

    def thread_line(self, core: Core, name: int, rest: list[str]) -> None:
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

    def begin(self, core: Core, thread: Thread) -> str:
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
        elif call.amount > 0 or call.verb in ("alarm-start", "alarm-every"):
            thread.phase = "own"  # it reads the clock
        return str(thread.call)

    def is_skipped(self, thread: Thread, call: Call) -> bool:
        if call.verb == "launch":
            was: bool
            was, self.launched[call.object] = self.launched[call.object], True
            return was
        if call.verb == "return":
            have = self.borrowed.get((thread.name, call.object), 0)
            self.borrowed[thread.name, call.object] = max(0, have - 1)
            return have == 0
        if call.verb in OF_MUTEXES:
            return is_skipped(self.state, thread, call)
        if self.alarms.is_skipped(self.state, call):
            return True
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
