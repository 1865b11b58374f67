# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Several cores: what each does with the lock of services, a step for each time that it has it."""

from __future__ import annotations

from tests.model.reference.calls import PLACES, serve_joiner
from tests.model.reference.core_alarms import ASKING, OF_ALARMS, Step
from tests.model.reference.core_state import Core, Cores
from tests.model.reference.events import clear_flags, set_flags_at_once
from tests.model.reference.interrupts import attempt
from tests.model.reference.objects import give_semaphore, return_block
from tests.model.reference.state import NO_WAIT, OK, WOULD_WAIT, Differs, Thread, call_of
from tests.model.reference.threads import start
from tests.model.reference.waiting import end_wait, fall_asleep, wait, waiters
from tests.model.script import Call

__all__ = ["OF_MUTEXES", "Steps"]

OF_MUTEXES = ("lock", "unlock")
LOOKS_FIRST = ("take", "send", "receive")
"""These look for a short way before the one on which they may wait, each with the lock."""


class Steps(Cores):
    """Cores, and their steps with the lock."""

    def with_lock(self, call: Call, stage: int, thread: Thread | None) -> int | None:
        """A step of a call, by `thread` or an interrupt: its result; None: it is not over."""
        state, target = self.state, call.object
        match call.verb:
            case "alarm-next":
                return self.alarms.call(state, call, 0)[0]
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
            (PLACES.get(call.verb, call.verb), call.object),
            call.amount,
        )
        if call.amount < 0:
            fall_asleep(self.state, thread.name)
        else:
            self.cores[self.state.core].steps = ["asleep"]

    def lock_in_thread(self, number: int) -> None:
        core = self.cores[number]
        self.must_go_on(number)
        if core.activity:
            self.act(core.activity)
            return
        if core.steps and core.steps[-1] in ("changes", "level", "suspension", "asked"):
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
        elif self.changes_alarm(thread):
            call = call_of(self.state, thread)
            first = max(0, thread.clock + call.amount)
            thread.result, core.activity = self.alarm_call(call, first)
            thread.phase, core.steps, looks = "end", ["alarm"], False
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

    def use_mutex(self, core: Core, thread: Thread) -> None:
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

    def bring_in_line(self, core: Core) -> None:
        """Of the dispatch, or of a thread that holds it off: with the lock for one thread after the other."""
        changed = self.mutexes.changed[self.state.core]
        match core.steps[-1]:
            case "asked":
                steps = self.alarms.take_asked(self.state)
                core.activity = steps or []
                if steps is None:
                    self.end_changes(core)
            case "changes" if changed:
                core.target = changed.pop(0)
                core.steps += ["suspension", "level"]
            case "level":
                core.target = self.mutexes.update(self.state, core.target, core.running)
                if core.target < 0:
                    core.steps = core.steps[:-1]
                    self.end_steps(core, looks=True)
            case "changes":
                self.mutexes.flagged[self.state.core] = False
                core.steps = ["look"]
            case _:
                core.steps = core.steps[:-1]

    def must_go_on(self, number: int) -> None:
        """The thread, or the dispatch, does, after all own steps of the core."""
        core = self.cores[number]
        if core.interrupt >= 0:
            raise Differs(f"{self.state.now} core {number} is interrupted")
        self.do_own_steps(core)
        if core.serving is not None or self.due(number):
            raise Differs(f"{self.state.now} core {number} is interrupted")

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

    def alarm_call(self, call: Call, first: int) -> tuple[int, list[Step]]:
        result, steps = self.alarms.call(self.state, call, first)
        if self.alarms.asking is not None:
            self.mutexes.flagged[self.alarms.all[call.object].home] = True
        return result, steps

    def asks_for(self, number: int, comes: str) -> int:
        """The core of the alarm for which it is about to ask, if that may be about to look at one, or -1."""
        others = [one for one in range(len(self.cores)) if one != number and self.is_at_alarms(one)]
        if not others or self.cores[number].interrupt >= 0:
            return -1
        return self.copy().find_asked(number, comes)

    def find_asked(self, number: int, comes: str) -> int:
        """Of the thread that runs, too, if it was rung, and has not answered yet."""
        core = self.enter(number)
        before = self.asked_now(core, comes)
        self.make_ready(core, len(core.answering))
        self.do_own_steps(core)
        after = self.asked_now(core, comes)
        return before if after < 0 else after

    def asked_now(self, core: Core, comes: str) -> int:
        steps = core.activity if comes == "c" else core.serving or []
        call = None
        if steps and steps[0][0] == "call":
            call = self.alarms.call_of(self.state, steps[0][1][0], steps[0][1][1])
        elif comes == "c" and core.running >= 0 and not steps:
            thread = self.state.threads[core.running]
            if thread.call < len(self.state.script.threads[thread.name].calls):
                call = call_of(self.state, thread)
        return self.alarms.all[call.object].home if call and call.verb in ASKING else -1

    def may_defer(self, number: int) -> tuple[bool, ...]:
        """Whether the handler of time-outs may find, or finds, that the store is in use."""
        core = self.cores[number]
        if core.steps == ["alarm"]:
            return (True,)
        thread = self.state.threads[core.running] if core.running >= 0 else None
        return (False, True) if thread and self.changes_alarm(thread) else (False,)

    def lock_in_handler(self, number: int) -> None:
        """That of the store of time-outs."""
        core = self.cores[number]
        if core.interrupt >= 0 or core.serving is None:
            raise Differs(f"{self.state.now} core {number} serves no time-outs")
        while self.serve_on(core):
            pass
        self.act(core.serving or [])

    def act(self, steps: list[Step]) -> None:
        """What an alarm does with the lock: the first of `steps`."""
        name = steps[0][0] if steps else ""
        if name in ("wake", "tokens"):
            self.alarms.act_with_lock(self.state, steps)
        elif name == "call":
            self.call_in_function(steps)
        else:
            raise Differs(f"{self.state.now} no lock for an alarm: {name}")

    def call_in_function(self, steps: list[Step]) -> None:
        number, place, stage = steps.pop(0)[1]
        call = self.alarms.call_of(self.state, number, place)
        then: list[Step] = []
        result: int | None
        if call.verb in OF_ALARMS:
            result, then = self.alarm_call(call, max(0, self.state.now + call.amount))
        else:
            result = self.with_lock(call, stage, None)
        if result is None:
            steps.insert(0, ("call", (number, place, stage + 1)))
        else:
            steps[:0] = [*then, ("result", (number, place, result))]
