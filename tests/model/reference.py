# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel promises, as plainly as it can be said: the scheduler, its services, their time-outs.

Written from include/hrl/*.h and ADR 0006, not from the kernel's code. Time stands still in the kernel.
What holds at one instant, in this order: time-outs expire, earlier instants first and of equal instants
those that were asked for first; interrupts, in the order of the script; one dispatch.

A call consists of steps, between any two of which an interrupt may fall. Where the script says that one
does, but not between which, every place is right: `explain` follows the kernel's trace and asks whether
some choice of places leads to it.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass

from tests.model.script import Call, Script

__all__ = ["Explanation", "explain"]

OK, WOULD_WAIT, TIMED_OUT, FULL = range(4)
DORMANT, RUNNING, READY, WAITING, SUSPENDED, ENDED = range(6)
SKIPPED = -1
NO_WAIT = 0
NOTHING = -1  # the queue of who sleeps
FIRST_TICK = 25000  # SUT_START_COUNTS


class _Differs(Exception):
    """The trace goes on otherwise."""


class _Queue:
    """Threads in the order in which they come: the most urgent, of these who has been in for longest."""

    __slots__ = ("members",)

    def __init__(self, members: list[_Thread] | None = None) -> None:
        self.members = members or []

    def add(self, thread: _Thread) -> None:
        """Behind all that are not less urgent."""
        place = 0
        while place < len(self.members) and self.members[place].level >= thread.level:
            place += 1
        self.members.insert(place, thread)

    def add_first(self, thread: _Thread) -> None:
        """Before all that are not more urgent."""
        place = 0
        while place < len(self.members) and self.members[place].level > thread.level:
            place += 1
        self.members.insert(place, thread)


class _Thread:
    __slots__ = (
        "base",
        "call",
        "clock",
        "expired",
        "level",
        "life",
        "name",
        "order",
        "phase",
        "queue",
        "result",
        "round",
        "status",
        "suspended",
        "until",
        "waits",
        "work",
    )

    def __init__(self, name: int, level: int) -> None:
        self.name = name
        self.base = self.level = level
        self.life = DORMANT  # or READY: it has been started; or ENDED
        self.suspended = False
        self.waits = False  # it has called something that waits, and has not run since it was over
        self.queue = NOTHING  # of the object that it waits in
        self.status = -1  # what it was given; -1: nothing yet
        self.until = 0  # the instant of its time-out; 0: none
        self.order = 0  # of the time-out among those of one instant
        self.expired = False
        self.call = self.round = 0
        self.phase = "begin"  # of the call: begin, clock, call, end; or begin, work, end
        self.work = 0
        self.clock = 0  # when it was read for the call: spans count from then
        self.result = 0

    def has_nothing_to_wait_for(self) -> bool:
        return not self.waits or self.status >= 0 or self.expired


@dataclass
class _Injection:
    at: int
    interrupt: int


Step = tuple[Callable[..., None], tuple[int, ...]]


class _Machine:
    """The state of the system, and where it stands in the trace."""

    def __init__(self, script: Script, trace: list[str]) -> None:
        self.script = script
        self.trace = trace
        self.place = 0  # in the trace
        self.now = 0
        self.steps_left = script.steps
        self.threads = [_Thread(i, one.level) for i, one in enumerate(script.threads)]
        self.counts = [one.initial for one in script.semaphores]
        # Who waits: for semaphore k in queue k, for the end of thread k in queue len(semaphores) + k.
        self.queues = [_Queue() for _ in (*script.semaphores, *script.threads)]
        self.ready = _Queue()
        self.running: int | None = None
        self.steps: list[Step] = []  # the rest of a call that nobody but interrupts may break into
        self.timed = [i for i, one in enumerate(script.interrupts) if one.at]
        self.timeouts_asked_for = 0
        self.injection: _Injection | None = None
        for thread, one in zip(self.threads, script.threads, strict=True):
            if one.started:
                self.start(thread)

    def copy(self) -> _Machine:
        """Another one of the same state, which goes its own way."""
        other = copy(self)
        other.threads = [copy(thread) for thread in self.threads]
        other.counts = list(self.counts)
        other.queues = [
            _Queue([other.threads[one.name] for one in queue.members]) for queue in self.queues
        ]
        other.ready = _Queue([other.threads[one.name] for one in self.ready.members])
        other.steps = list(self.steps)
        other.timed = list(self.timed)
        return other

    # The trace.

    def say(self, line: str) -> None:
        if self.place >= len(self.trace) or self.trace[self.place] != line:
            raise _Differs(line)
        self.place += 1

    def say_of_thread(self, line: str) -> None:
        self.injection = None  # it did not come
        self.say(line)

    # Threads become ready and cease to be.

    def start(self, thread: _Thread) -> None:
        thread.life = READY
        thread.level = thread.base
        thread.suspended = thread.waits = False
        thread.call = thread.round = 0
        thread.phase = "begin"
        self.ready.add(thread)

    def make_ready(self, thread: _Thread) -> None:
        if not thread.suspended and thread not in self.ready.members:
            self.ready.add(thread)

    def give(self, queue: int, status: int) -> bool:
        """Ends the wait of the first in `queue`, if there is one."""
        members = self.queues[queue].members
        if not members:
            return False
        thread = members.pop(0)
        thread.status = status
        self.make_ready(thread)
        return True

    def wait(self, thread: _Thread, queue: int, amount: int) -> None:
        """`amount` of a script: 0 not, negative for ever, otherwise so long from `clock` on."""
        if amount == NO_WAIT:
            thread.result = WOULD_WAIT
            return
        thread.waits, thread.queue, thread.status, thread.expired = True, queue, -1, False
        if queue != NOTHING:
            self.queues[queue].add(thread)
        if amount < 0:
            thread.until = 0
            self.ready.members.remove(thread)
        else:
            thread.until = thread.clock + amount
            self.steps.append((_Machine.leave, (thread.name,)))

    def sleep(self, thread: _Thread, instant: int) -> None:
        if instant > self.now:
            self.wait(thread, NOTHING, instant - thread.clock)

    def leave(self, name: int) -> None:
        """With a time-out it takes a moment to fall asleep, in which the thread keeps its place."""
        thread = self.threads[name]
        if thread.status < 0 and thread.until > self.now:
            self.timeouts_asked_for += 1
            thread.order = self.timeouts_asked_for
            self.ready.members.remove(thread)
        else:
            self.end_wait(thread)

    def end_wait(self, thread: _Thread) -> None:
        """It runs again: if nobody has given it what it waits for by now, its time is over."""
        if thread.status < 0:
            if thread.queue != NOTHING:
                self.queues[thread.queue].members.remove(thread)
            thread.status = TIMED_OUT
        thread.waits, thread.until, thread.expired = False, 0, False
        thread.result = OK if thread.queue == NOTHING else thread.status

    # The calls, in steps. A call of an interrupt is one step.

    def state_of(self, name: int) -> int:
        thread = self.threads[name]
        if name == self.running:
            return RUNNING
        if thread.life != READY:
            return thread.life
        if thread.suspended:
            return SUSPENDED
        return READY if thread in self.ready.members else WAITING

    def call(self, caller: _Thread, call: Call) -> None:
        target = call.object
        match call.verb:
            case "take":
                if self.counts[target]:
                    self.counts[target] -= 1
                else:
                    self.wait(caller, target, call.amount)
            case "sleep-for":
                self.sleep(caller, caller.clock + call.amount)
            case "sleep-until":
                self.sleep(caller, call.amount)
            case "join":
                self.join(caller, target, call.amount)
            case "yield":
                self.ready.members.remove(caller)
                self.ready.add(caller)
            case "set-level":
                self.threads[target].base = call.amount
                self.steps.append((_Machine.apply_level, (target, call.amount)))
            case "exit":
                self.exit(caller)
            case "start":
                caller.result = self.state_of(target)
                if caller.result in (DORMANT, ENDED):
                    self.steps.append((_Machine.start_named, (target,)))
            case "suspend":
                caller.result = self.state_of(target)
                if caller.result not in (DORMANT, ENDED):
                    self.steps.append((_Machine.suspend, (target,)))
            case _:
                caller.result = self.interrupt_call(call)

    def join(self, caller: _Thread, target: int, amount: int) -> None:
        if target == self.running and amount != NO_WAIT:
            caller.result = SKIPPED
        elif self.threads[target].life != ENDED:
            self.wait(caller, len(self.counts) + target, amount)

    def start_named(self, name: int) -> None:
        self.start(self.threads[name])

    def suspend(self, name: int) -> None:
        thread = self.threads[name]
        thread.suspended = True
        if thread in self.ready.members:
            self.ready.members.remove(thread)

    def apply_level(self, name: int, level: int) -> None:
        """The running thread comes first in its new level, others last, wherever they stand."""
        thread = self.threads[name]
        thread.level = level
        for queue in (self.ready, *self.queues):
            if thread in queue.members:
                queue.members.remove(thread)
                if queue is self.ready and name == self.running:
                    queue.add_first(thread)
                else:
                    queue.add(thread)

    def exit(self, thread: _Thread) -> None:
        thread.life = ENDED
        self.steps.append((_Machine.serve_joiner, (thread.name,)))

    def serve_joiner(self, name: int) -> None:
        """One after the other, then the thread is gone."""
        if self.give(len(self.counts) + name, OK):
            self.steps.append((_Machine.serve_joiner, (name,)))
        else:
            self.ready.members.remove(self.threads[name])

    def interrupt_call(self, call: Call) -> int:
        target = call.object
        match call.verb:
            case "give":
                if not self.give(target, OK):
                    if self.counts[target] == self.script.semaphores[target].limit:
                        return FULL
                    self.counts[target] += 1
                return OK
            case "take":
                self.counts[target] -= (taken := min(1, self.counts[target]))
                return OK if taken else WOULD_WAIT
            case "count":
                return self.counts[target]
            case "state":
                return self.state_of(target)
            case "get-level":
                return self.threads[target].base
            case "join":
                return OK if self.threads[target].life == ENDED else WOULD_WAIT
            case "resume":
                self.resume(self.threads[target])
                return 0
        raise ValueError(f"no such call: {call}")

    def resume(self, thread: _Thread) -> None:
        if thread.suspended:
            thread.suspended = False
            if thread.has_nothing_to_wait_for():
                self.ready.add(thread)

    # Interrupts and time.

    def interrupt(self, number: int) -> None:
        self.say(f"{self.now} i{number}")
        for index, call in enumerate(self.script.interrupts[number].calls):
            self.say(f"{self.now} i{number} {index} = {self.interrupt_call(call)}")

    def expiry(self, until: int) -> int:
        """When the time-out of an instant is served: at once, or with the next tick."""
        tick = self.script.tick
        if tick == 0:
            return until
        return FIRST_TICK + max(0, -(-(until - FIRST_TICK) // tick)) * tick

    def sleepers(self) -> list[_Thread]:
        return [one for one in self.threads if one.until and one.order and not one.expired]

    def next_event(self) -> int | None:
        instants = [self.expiry(one.until) for one in self.sleepers()]
        instants += [self.script.interrupts[i].at for i in self.timed[:1]]
        return min(instants, default=None)

    def advance(self, instant: int) -> None:
        self.now = instant
        due = [one for one in self.sleepers() if self.expiry(one.until) <= instant]
        for thread in sorted(due, key=lambda one: (one.until, one.order)):
            thread.expired = True
            if thread.status < 0:
                self.make_ready(thread)
        while self.timed and self.script.interrupts[self.timed[0]].at <= instant:
            self.interrupt(self.timed.pop(0))

    def idle(self) -> bool:
        """Time passes; False: the run is over."""
        end = FIRST_TICK + self.script.duration
        event = self.next_event()
        if event is None or event >= end or self.now >= end:
            self.now = max(self.now, end)
            self.say(f"{self.now} done")
            return False
        self.advance(event)
        return True

    def work(self, thread: _Thread) -> None:
        event = self.next_event()
        if event is None or self.now + thread.work < event:
            self.now += thread.work
            thread.work = 0
        else:
            thread.work -= event - self.now
            self.advance(event)

    # The processor.

    def begin_call(self, thread: _Thread) -> bool:
        """False: the run is over."""
        one = self.script.threads[thread.name]
        if self.steps_left == 0:
            self.say_of_thread(f"{self.now} enough")
            return False
        self.steps_left -= 1
        is_last = thread.round >= one.repeats or not one.calls
        number = len(one.calls) if is_last else thread.call
        self.say_of_thread(f"{self.now} t{thread.name} {number}")
        if is_last:
            self.exit(thread)
            return True
        call = one.calls[thread.call]
        if call.after:
            self.injection = _Injection(self.now, call.interrupt)
        thread.result = 0
        thread.phase, thread.work = "clock", 0
        if call.verb == "work":
            thread.phase, thread.work = "work", call.amount
        return True

    def make_call(self, thread: _Thread) -> None:
        thread.phase = "end"
        self.call(thread, self.script.threads[thread.name].calls[thread.call])

    def end_call(self, thread: _Thread) -> None:
        self.say_of_thread(f"{self.now} t{thread.name} {thread.call} = {thread.result}")
        self.next_call(thread)

    def next_call(self, thread: _Thread) -> None:
        thread.phase = "begin"
        thread.call += 1
        if thread.call == len(self.script.threads[thread.name].calls):
            thread.call = 0
            thread.round += 1

    def may_be_interrupted_here(self) -> bool:
        if self.injection is None or self.place >= len(self.trace):
            return False
        marker = f"{self.injection.at} i{self.injection.interrupt}"
        return self.now == self.injection.at and self.trace[self.place] == marker

    def interrupt_here(self) -> None:
        assert self.injection is not None
        number, self.injection = self.injection.interrupt, None
        self.interrupt(number)

    def step(self) -> bool:
        """One step of the kernel, or of a thread, or time passes; False: the run is over."""
        if self.steps:
            function, arguments = self.steps.pop(0)
            function(self, *arguments)
            return True
        first = self.ready.members[0] if self.ready.members else None
        if first is None and self.running is None:
            return self.idle()
        if first is None:
            self.running = None
            return True
        if first.name != self.running:
            self.running = first.name
        elif first.waits:
            self.end_wait(first)
        elif first.phase == "begin":
            return self.begin_call(first)
        elif first.phase == "clock":
            first.clock, first.phase = self.now, "call"
        elif first.phase == "call":
            self.make_call(first)
        elif first.phase == "work" and first.work:
            self.work(first)
        else:
            self.end_call(first)
        return True

    def key(self) -> str:
        threads = [tuple(getattr(one, slot) for slot in _Thread.__slots__) for one in self.threads]
        queues = [[one.name for one in queue.members] for queue in (self.ready, *self.queues)]
        steps = [(function.__name__, arguments) for function, arguments in self.steps]
        rest = (self.place, self.running, self.now, self.counts, self.injection, len(self.timed))
        return repr((threads, queues, steps, rest))


@dataclass(frozen=True, slots=True)
class Explanation:
    """`holds`: the model allows the trace. If not, what it expects instead of which line."""

    holds: bool
    place: int
    expected: tuple[str, ...]
    choices: int


def explain(script: Script, trace: list[str]) -> Explanation:
    """Whether the kernel may do what `trace` says when it plays `script`."""
    open_ways = [_Machine(script, trace)]
    seen: set[str] = set()
    furthest = 0
    expected: list[str] = []
    while open_ways:
        machine = open_ways.pop()
        try:
            while machine.step():
                if machine.may_be_interrupted_here():
                    key = machine.key()
                    if key in seen:
                        break
                    seen.add(key)
                    open_ways.append(machine.copy())
                    machine.interrupt_here()
            else:
                if machine.place == len(trace):
                    return Explanation(True, machine.place, (), len(seen))
        except _Differs as difference:
            if machine.place > furthest:
                furthest, expected = machine.place, []
            if machine.place == furthest:
                expected.append(str(difference))
    return Explanation(False, furthest, tuple(dict.fromkeys(expected)), len(seen))
