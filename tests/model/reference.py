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
RECEIVED = 10  # plus the message
FIRST_TICK = 25000  # SUT_START_COUNTS

Place = tuple[str, int]
"""Where a thread waits: the call that it made, and of which object."""


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
        "awaits",
        "base",
        "call",
        "clock",
        "expired",
        "level",
        "life",
        "message",
        "name",
        "order",
        "phase",
        "place",
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
        self.place: Place = ("sleep", 0)
        self.status = -1  # what it was given; -1: nothing yet
        self.message = 0  # that it sends, or has been sent
        self.awaits = -1  # the mutex whose owner inherits from it
        self.until = 0  # the instant of its time-out; 0: none
        self.order = 0  # of the time-out among those of one instant
        self.expired = False
        self.call = self.round = 0
        self.phase = "begin"  # of the call: begin, clock, call, perhaps keep or lower, end; or work
        self.work = 0
        self.clock = 0  # when it was read for the call: spans count from then
        self.result = 0

    def has_nothing_to_wait_for(self) -> bool:
        return not self.waits or self.status >= 0 or self.expired


@dataclass(frozen=True)
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
        self.calls_left = script.steps
        self.threads = [_Thread(i, one.level) for i, one in enumerate(script.threads)]
        self.counts = [one.initial for one in script.semaphores]
        self.owners = [-1 for _ in script.mutexes]
        self.messages: list[tuple[int, ...]] = [() for _ in script.queues]
        self.free = [one.blocks for one in script.pools]
        self.borrowed = [0 for _ in script.pools]  # that somebody could return
        self.queues: dict[Place, _Queue] = {}
        self.ready = _Queue()
        self.running = -1
        self.steps: list[Step] = []  # the rest of a call that nobody but interrupts may break into
        self.timed = [i for i, one in enumerate(script.interrupts) if one.at]
        self.timeouts_asked_for = 0
        self.injection: _Injection | None = None
        for thread, one in zip(self.threads, script.threads, strict=True):
            if one.started:
                self.start(thread.name)

    def copy(self) -> _Machine:
        """Another one of the same state, which goes its own way."""
        other = copy(self)
        other.threads = [copy(thread) for thread in self.threads]
        for name in ("counts", "owners", "messages", "free", "borrowed", "steps", "timed"):
            setattr(other, name, list(getattr(self, name)))
        other.queues = {
            place: _Queue([other.threads[one.name] for one in queue.members])
            for place, queue in self.queues.items()
        }
        other.ready = _Queue([other.threads[one.name] for one in self.ready.members])
        return other

    def key(self) -> str:
        """Equal for equal states."""
        threads = [tuple(getattr(one, slot) for slot in _Thread.__slots__) for one in self.threads]
        queues = [
            (place, [one.name for one in queue.members])
            for place, queue in sorted([*self.queues.items(), (("ready", 0), self.ready)])
            if queue.members
        ]
        steps = [(function.__name__, arguments) for function, arguments in self.steps]
        objects = (self.counts, self.owners, self.messages, self.free, self.borrowed)
        rest = (self.place, self.running, self.now, self.injection, len(self.timed))
        return repr((threads, queues, steps, objects, rest))

    # The trace.

    def say(self, line: str) -> None:
        if self.place >= len(self.trace) or self.trace[self.place] != line:
            raise _Differs(line)
        self.place += 1

    def say_of_thread(self, line: str) -> None:
        self.injection = None  # it did not come
        self.say(line)

    # Threads become ready and cease to be.

    def start(self, name: int) -> None:
        thread = self.threads[name]
        thread.life = READY
        thread.level = thread.base
        thread.suspended = thread.waits = False
        thread.call = thread.round = 0
        thread.phase = "begin"
        self.ready.add(thread)

    def make_ready(self, thread: _Thread) -> None:
        if not thread.suspended and thread not in self.ready.members:
            self.ready.add(thread)

    def suspend(self, name: int) -> None:
        thread = self.threads[name]
        thread.suspended = True
        if thread in self.ready.members:
            self.ready.members.remove(thread)

    def resume(self, thread: _Thread) -> None:
        if thread.suspended:
            thread.suspended = False
            if thread.has_nothing_to_wait_for():
                self.ready.add(thread)

    def state_of(self, name: int) -> int:
        thread = self.threads[name]
        if name == self.running:
            return RUNNING
        if thread.life != READY:
            return thread.life
        if thread.suspended:
            return SUSPENDED
        return READY if thread in self.ready.members else WAITING

    # Waiting.

    def waiters(self, place: Place) -> list[_Thread]:
        return self.queues.setdefault(place, _Queue()).members

    def give(self, place: Place) -> _Thread | None:
        """Ends the wait of the first there, if there is one."""
        members = self.waiters(place)
        if not members:
            return None
        thread = members.pop(0)
        thread.status = OK
        self.make_ready(thread)
        return thread

    def wait(self, thread: _Thread, place: Place, amount: int) -> None:
        """`amount` of a script, not 0: negative for ever, otherwise so long from `clock` on."""
        thread.waits, thread.place, thread.status, thread.expired = True, place, -1, False
        if place[0] != "sleep":
            self.waiters(place)
            self.queues[place].add(thread)
        thread.until = 0 if amount < 0 else thread.clock + amount

    def fall_asleep(self, name: int) -> None:
        """What came in the moment that this took counts; the thread keeps its place then."""
        thread = self.threads[name]
        if thread.status < 0 and (thread.until > self.now or thread.until == 0):
            self.timeouts_asked_for += 1
            thread.order = self.timeouts_asked_for
            self.ready.members.remove(thread)
        else:
            self.end_wait(thread)

    def end_wait(self, thread: _Thread) -> None:
        """It runs again: if nobody has given it what it waits for by now, its time is over."""
        verb = thread.place[0]
        if thread.status < 0:
            if verb != "sleep":
                self.waiters(thread.place).remove(thread)
            thread.status = TIMED_OUT
            thread.phase = "lower" if verb == "lock" else thread.phase
        elif verb == "borrow":
            thread.phase = "keep"
        thread.waits, thread.until, thread.expired = False, 0, False
        thread.result = OK if verb == "sleep" else thread.status
        if verb == "receive" and thread.status == OK:
            thread.result = RECEIVED + thread.message

    # Levels. A thread's is the highest of its own and of what its mutexes ask for.

    def level_due(self, thread: _Thread) -> int:
        levels = [thread.base]
        for mutex, owner in enumerate(self.owners):
            if owner == thread.name:
                levels.append(self.script.mutexes[mutex].ceiling)
                levels += [one.level for one in self.waiters(("lock", mutex))[:1]]
        return max(levels)

    def update_level(self, name: int) -> None:
        """Then that of the owner it waits for, and so on. The running thread comes first in its new
        level, others last, wherever they stand."""
        thread = self.threads[name]
        level = self.level_due(thread)
        if level == thread.level:
            return
        thread.level = level
        for queue in (self.ready, *self.queues.values()):
            if thread in queue.members:
                queue.members.remove(thread)
                if queue is self.ready and name == self.running:
                    queue.add_first(thread)
                else:
                    queue.add(thread)
        if thread.awaits >= 0 and self.owners[thread.awaits] >= 0:
            self.steps.insert(0, (_Machine.update_level, (self.owners[thread.awaits],)))

    # Calls that may have to wait: the result, or None if they have to.

    def attempt(self, call: Call) -> int | None:
        target = call.object
        match call.verb:
            case "take":
                self.counts[target] -= (taken := min(1, self.counts[target]))
                return OK if taken else None
            case "borrow":
                self.free[target] -= (taken := min(1, self.free[target]))
                return OK if taken else None
            case "join":
                return OK if self.threads[target].life == ENDED else None
            case "send":
                return self.send(target, call.number)
            case "receive":
                return self.receive(target)
        raise ValueError(f"no such call: {call}")

    def send(self, queue: int, message: int) -> int | None:
        receiver = self.give(("receive", queue))
        if receiver is not None:
            receiver.message = message
        elif len(self.messages[queue]) < self.script.queues[queue].capacity:
            self.messages[queue] = (*self.messages[queue], message)
        else:
            return None
        return OK

    def receive(self, queue: int) -> int | None:
        if not self.messages[queue]:
            return None
        message, *rest = self.messages[queue]
        sender = self.give(("send", queue))
        self.messages[queue] = (*rest, sender.message) if sender else tuple(rest)
        return RECEIVED + message

    # Calls that never wait.

    def give_semaphore(self, semaphore: int) -> int:
        if self.give(("take", semaphore)) is None:
            if self.counts[semaphore] == self.script.semaphores[semaphore].limit:
                return FULL
            self.counts[semaphore] += 1
        return OK

    def return_block(self, pool: int) -> int:
        if self.give(("borrow", pool)) is None:
            self.free[pool] += 1
        return OK

    def perform(self, call: Call) -> int:
        """Those that interrupts may make, too."""
        target = call.object
        match call.verb:
            case "give":
                return self.give_semaphore(target)
            case "return":
                return self.return_block(target)
            case "count":
                return self.counts[target]
            case "messages":
                return len(self.messages[target])
            case "owner":
                return self.owners[target]
            case "state":
                return self.state_of(target)
            case "get-level":
                return self.threads[target].base
            case "resume":
                self.resume(self.threads[target])
                return 0
        raise ValueError(f"no such call: {call}")

    def interrupt_call(self, call: Call) -> int:
        """A call of an interrupt is one step."""
        if call.verb == "return":
            if self.borrowed[call.object] == 0:
                return SKIPPED
            self.borrowed[call.object] -= 1
        if call.verb not in MAY_WAIT:
            return self.perform(call)
        result = self.attempt(call)
        if call.verb == "borrow" and result == OK:
            self.borrowed[call.object] += 1
        return WOULD_WAIT if result is None else result

    # Calls of threads.

    def is_skipped(self, thread: _Thread, call: Call) -> bool:
        target = call.object
        match call.verb:
            case "join":
                return target == thread.name and call.amount != NO_WAIT
            case "lock":
                ceiling = self.script.mutexes[target].ceiling
                return self.owners[target] == thread.name or 0 < ceiling < thread.base
            case "unlock":
                return self.owners[target] != thread.name
            case "return":
                return self.borrowed[target] == 0
            case "exit":
                return thread.name in self.owners
        return False

    def thread_call(self, thread: _Thread, call: Call) -> None:
        target = call.object
        match call.verb:
            case "sleep-for":
                self.sleep(thread, thread.clock + call.amount)
            case "sleep-until":
                self.sleep(thread, call.amount)
            case "yield":
                self.ready.members.remove(thread)
                self.ready.add(thread)
            case "set-level":
                self.threads[target].base = call.amount
                self.steps.append((_Machine.update_level, (target,)))
            case "exit":
                self.exit(thread)
            case "start" | "suspend":
                self.look_then(thread, call)
            case "lock":
                self.lock(thread, target, call.amount)
            case "unlock":
                self.unlock(thread, target)
            case verb if verb in MAY_WAIT:
                self.try_or_wait(thread, call)
            case _:
                thread.result = self.perform(call)

    def sleep(self, thread: _Thread, instant: int) -> None:
        if instant > self.now:
            self.wait(thread, ("sleep", 0), instant - thread.clock)
            self.steps.append((_Machine.fall_asleep, (thread.name,)))

    def try_or_wait(self, thread: _Thread, call: Call) -> None:
        result = self.attempt(call)
        if result is not None:
            thread.result = result
            thread.phase = "keep" if call.verb == "borrow" else thread.phase
        elif call.amount == NO_WAIT:
            thread.result = WOULD_WAIT
        else:
            if call.verb == "send":
                thread.message = call.number
            self.wait(thread, (call.verb, call.object), call.amount)
            if call.amount < 0:
                self.fall_asleep(thread.name)
            else:
                self.steps.append((_Machine.fall_asleep, (thread.name,)))

    def look_then(self, thread: _Thread, call: Call) -> None:
        thread.result = self.state_of(call.object)
        is_over = thread.result in (DORMANT, ENDED)
        if call.verb == "start" and is_over:
            self.steps.append((_Machine.start, (call.object,)))
        elif call.verb == "suspend" and not is_over:
            self.steps.append((_Machine.suspend, (call.object,)))

    def exit(self, thread: _Thread) -> None:
        thread.life = ENDED
        self.steps.append((_Machine.serve_joiner, (thread.name,)))

    def serve_joiner(self, name: int) -> None:
        """One after the other, then the thread is gone."""
        if self.give(("join", name)):
            self.steps.append((_Machine.serve_joiner, (name,)))
        else:
            self.ready.members.remove(self.threads[name])

    def lock(self, thread: _Thread, mutex: int, amount: int) -> None:
        owner, name = self.owners[mutex], thread.name
        if owner < 0 and self.script.mutexes[mutex].ceiling == 0:
            self.owners[mutex] = name
        elif owner < 0:
            self.steps += [(_Machine.own, (name, mutex)), (_Machine.update_level, (name,))]
        elif amount == NO_WAIT:
            thread.result = WOULD_WAIT
        else:
            self.wait(thread, ("lock", mutex), amount)
            thread.awaits = mutex
            self.steps += [(_Machine.update_level, (owner,)), (_Machine.fall_asleep, (name,))]

    def own(self, name: int, mutex: int) -> None:
        self.owners[mutex] = name

    def unlock(self, thread: _Thread, mutex: int) -> None:
        heirs = self.waiters(("lock", mutex))
        if not heirs and self.script.mutexes[mutex].ceiling == 0:
            self.owners[mutex] = -1
            # Who waited until its time was over may not have taken back yet what it lent.
        elif not heirs:
            self.steps.append((_Machine.own, (-1, mutex)))
        else:
            heir = heirs[0].name
            self.steps += [
                (_Machine.own, (heir, mutex)),
                (_Machine.hand_over, (heir, mutex)),
                (_Machine.update_level, (heir,)),
            ]
        self.steps.append((_Machine.update_level, (thread.name,)))

    def hand_over(self, heir: int, mutex: int) -> None:
        self.give(("lock", mutex))
        self.threads[heir].awaits = -1

    def take_back(self, thread: _Thread) -> None:
        """It no longer waits for the mutex, so its owner no longer inherits from it."""
        owner = self.owners[thread.awaits]
        thread.awaits = -1
        thread.phase = "end"
        if owner >= 0:
            self.steps.append((_Machine.update_level, (owner,)))

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
        return [one for one in self.threads if one.until and not one.expired]

    def next_event(self) -> int | None:
        instants = [self.expiry(one.until) for one in self.sleepers()]
        instants += [self.script.interrupts[i].at for i in self.timed[:1]]
        return min(instants, default=None)

    def advance(self, instant: int) -> None:
        self.now = instant
        due = [one for one in self.sleepers() if self.expiry(one.until) <= instant]
        for thread in sorted(due, key=lambda one: (one.until, one.order)):
            thread.expired = True
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

    def has_made_all(self, thread: _Thread) -> bool:
        one = self.script.threads[thread.name]
        return thread.round >= one.repeats or not one.calls

    def begin_call(self, thread: _Thread) -> bool:
        """False: the run is over."""
        one = self.script.threads[thread.name]
        if self.calls_left == 0:
            self.say_of_thread(f"{self.now} enough")
            return False
        self.calls_left -= 1
        thread.result, thread.work = 0, 0
        if self.has_made_all(thread):
            self.say_of_thread(f"{self.now} t{thread.name} {len(one.calls)}")
            self.begin_end(thread)
            return True
        call = one.calls[thread.call]
        self.say_of_thread(f"{self.now} t{thread.name} {thread.call}")
        if call.after:
            self.injection = _Injection(self.now, call.interrupt)
        thread.phase = "work" if call.verb == "work" else "clock"
        thread.work = call.amount if call.verb == "work" else 0
        return True

    def begin_end(self, thread: _Thread) -> None:
        """It unlocks what it owns, one after the other, before it ends."""
        if thread.name in self.owners:
            thread.phase = "end"
            self.unlock(thread, self.owners.index(thread.name))
        else:
            self.exit(thread)

    def read_clock(self, thread: _Thread) -> None:
        call = self.script.threads[thread.name].calls[thread.call]
        thread.clock, thread.phase = self.now, "call"
        if self.is_skipped(thread, call):
            thread.result, thread.phase = SKIPPED, "end"
        elif call.verb == "return":
            self.borrowed[call.object] -= 1

    def make_call(self, thread: _Thread) -> None:
        thread.phase = "end"
        self.thread_call(thread, self.script.threads[thread.name].calls[thread.call])

    def keep(self, thread: _Thread) -> None:
        self.borrowed[self.script.threads[thread.name].calls[thread.call].object] += 1
        thread.phase = "end"

    def end_call(self, thread: _Thread) -> None:
        calls = self.script.threads[thread.name].calls
        is_last = self.has_made_all(thread)
        number = len(calls) if is_last else thread.call
        self.say_of_thread(f"{self.now} t{thread.name} {number} = {thread.result}")
        thread.phase = "begin"
        if not is_last:
            thread.call = (thread.call + 1) % len(calls)
            thread.round += thread.call == 0

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
        if first is None and self.running < 0:
            return self.idle()
        if first is None:
            self.running = -1
            return True
        if first.name != self.running:
            self.running = first.name
            return True
        if first.waits:
            self.end_wait(first)
            return True
        return self.step_of(first)

    def step_of(self, thread: _Thread) -> bool:
        match thread.phase:
            case "begin":
                return self.begin_call(thread)
            case "clock":
                self.read_clock(thread)
            case "call":
                self.make_call(thread)
            case "lower":
                self.take_back(thread)
            case "keep":
                self.keep(thread)
            case "work" if thread.work:
                self.work(thread)
            case _:
                self.end_call(thread)
        return True


MAY_WAIT = ("take", "borrow", "join", "send", "receive")


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
