# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Alarms of several cores: each has the core that started it first, and only that core changes it.

Others write down what they ask for, and put the alarm into a list of its core, which does that in its next
dispatch, behind what others have left word of. Expiries of an alarm that is asked for do nothing.

What follows such a call, or an expiry, is a list of steps (Step): those with the lock of services, those that
the trace has a line for, and the core's own, of which no line says when they are made.
"""

from __future__ import annotations

from copy import copy

from tests.model.reference.alarms import TIMES, give_tokens, wake
from tests.model.reference.state import OK, SKIPPED, STARTS, Running, State, copied, values
from tests.model.reference.waiting import waiters
from tests.model.script import Call, Script

__all__ = ["ASKING", "OF_ALARMS", "Alarms", "Asked", "Step", "has_own_step"]

ASKING = ("alarm-start", "alarm-every", "alarm-stop")
OF_ALARMS = (*ASKING, "alarm-next")
"""What threads do, and functions of alarms."""

Step = tuple[str, tuple[int, ...]]
Asked = tuple[int, ...]
"""Of a start: first, period, times. Of a stop: nothing."""


OWN = ("take-out", "remove", "put-in", "expire", "pay", "acted", "begin")


def has_own_step(steps: list[Step]) -> bool:
    """It comes first."""
    return bool(steps) and steps[0][0] in OWN


class Alarm:
    """What only its core changes, but for `home`, `asked` and `listed`."""

    __slots__ = ("asked", "home", "key", "listed", "order", "owed", "rest", "runs", "stored")

    def __init__(self) -> None:
        self.home = -1
        self.asked: Asked | None = None
        self.listed = False
        self.runs = False  # as others see it
        self.stored = False  # it is in its core's store of time-outs
        self.key = self.order = 0  # there
        self.rest = (0, 0)  # its period; expiries to come, 0: no end
        self.owed = 0  # expiries in the past, of one that a function has started


class Alarms:
    """All of them, and what each core has of them."""

    def __init__(self, script: Script, cores: int) -> None:
        self.all = [Alarm() for _ in script.alarms]
        self.asked: list[list[int]] = [[] for _ in range(cores)]
        """That others ask for, the one that was first asked for first."""
        self.owing: list[list[int]] = [[] for _ in range(cores)]
        self.acting = [False for _ in range(cores)]
        self.starts_left = [STARTS for _ in range(cores)]  # by functions
        self.asking: tuple[int, Asked] | None = None
        """The holder of the lock has yet to write it down: it rings first."""

    def copy(self) -> Alarms:
        other = copy(self)
        other.all = [copied(one) for one in self.all]
        other.asked = [list(one) for one in self.asked]
        other.owing = [list(one) for one in self.owing]
        other.acting, other.starts_left = list(self.acting), list(self.starts_left)
        return other

    def key(self) -> object:
        """Equal for equal states."""
        rest = self.asked, self.owing, self.acting, self.starts_left, self.asking
        return [values(one) for one in self.all], rest

    def due(self, core: int, now: int) -> list[tuple[int, int, int]]:
        """Key, order and number of those that expire."""
        return [one for one in self.to_come(core) if one[0] <= now]

    def to_come(self, core: int) -> list[tuple[int, int, int]]:
        return [
            (one.key, one.order, number)
            for number, one in enumerate(self.all)
            if one.stored and one.home == core
        ]

    # With the lock of services.

    def call(self, state: State, call: Call, first: int) -> tuple[int, list[Step]]:
        """Its result, and the own steps that follow."""
        one, core = self.all[call.object], state.core
        if call.verb == "alarm-next":
            if one.asked is not None:
                return (one.asked[0] if one.asked else -1), []
            return (one.key if one.runs else -1), []
        ran = one.runs or one.owed != 0 if one.asked is None else bool(one.asked)
        if call.verb == "alarm-stop":
            asked: Asked = ()
        else:
            state.alarms[call.object] = Running()
            period = call.flags - call.flags % TIMES if call.verb == "alarm-every" else 0
            asked = first, period, call.flags % TIMES if call.verb == "alarm-every" else 1
        result = int(ran) if call.verb == "alarm-stop" else OK
        if one.home < 0 and call.verb == "alarm-stop":
            return result, []
        one.home = core if one.home < 0 else one.home
        if one.home == core:
            one.asked = None
            steps: list[Step] = [("take-out", (call.object,))]
            return result, [*steps, ("put-in", (call.object, *asked))] if asked else steps
        if not one.listed:
            one.listed = True
            self.asked[one.home].append(call.object)
        self.asking = call.object, asked
        return result, []

    def write_down(self) -> None:
        if self.asking is not None:
            number, asked = self.asking
            self.all[number].asked = asked
            self.asking = None

    def take_asked(self, state: State) -> list[Step] | None:
        """By the dispatch: what is to be done; None: there is nothing more."""
        asked = self.asked[state.core]
        if not asked:
            return None
        number = asked.pop(0)
        one = self.all[number]
        what, one.asked, one.listed = one.asked, None, False
        if what is None:
            return []
        one.runs = bool(what)
        if not what:
            return [("remove", (number,))]
        state.alarms[number] = Running()
        return [("remove", (number,)), ("put-in", (number, *what))]

    def act_with_lock(self, state: State, steps: list[Step]) -> None:
        """The first of `steps`: of an expiry that wakes or gives."""
        name, arguments = steps.pop(0)
        if name == "wake":
            wake(state, *arguments)
            return
        semaphore, tokens = arguments
        if waiters(state, ("take", semaphore)) and tokens > 1:
            steps.insert(0, ("tokens", (semaphore, tokens - 1)))
            tokens = 1
        give_all(state, semaphore, tokens)

    # Own steps.

    def step(self, state: State, steps: list[Step]) -> bool:
        """Makes the first of `steps`, if it is an own one; False: it is not, or there is none."""
        if not has_own_step(steps):
            return False
        name, arguments = steps[0]
        match name:
            case "take-out" | "remove":
                one = self.all[arguments[0]]
                one.runs = one.runs and name == "remove"
                one.stored, one.owed = False, 0
                then: list[Step] = []
            case "put-in":
                then = self.put_in(state, *arguments)
            case "expire":
                then = self.expire(state, arguments[0])
            case "pay":
                then = self.pay(state)
            case "acted":
                self.acting[state.core], then = False, []
            case _:
                then = self.begin_call(state, *arguments)
        steps[:1] = then
        return True

    def put_in(self, state: State, number: int, first: int, period: int, times: int) -> list[Step]:
        one = self.all[number]
        one.rest = period, times
        expiries = self.put_in_after(state, number, first) if first <= state.now else 0
        if first > state.now:
            self.store(state, number, first)
        if not expiries:
            return []
        if not self.acting[state.core]:
            return self.act(state, number, expiries)
        one.owed = expiries
        if number not in self.owing[state.core]:
            self.owing[state.core].append(number)
        return []

    def store(self, state: State, number: int, key: int) -> None:
        state.timeouts_asked_for += 1
        one = self.all[number]
        one.key, one.order, one.runs, one.stored = key, state.timeouts_asked_for, True, True

    def put_in_after(self, state: State, number: int, key: int) -> int:
        """To the first instant that has not passed since `key`; how many have."""
        one = self.all[number]
        period, left = one.rest
        passed = 1 + (state.now - key) // period if period else 1
        if left and passed >= left:
            one.runs = False
            return left
        one.rest = period, left and left - passed
        self.store(state, number, key + passed * period)
        return passed

    def expire(self, state: State, number: int) -> list[Step]:
        """Served, and out of the store. What is asked for comes first."""
        one = self.all[number]
        one.stored = False
        if one.asked is not None:
            one.runs = False
            return []
        return self.act(state, number, self.put_in_after(state, number, one.key))

    def act(self, state: State, number: int, expiries: int) -> list[Step]:
        """What the alarm does, and then those that owe."""
        self.acting[state.core] = True
        return [*self.steps_of(state, number, expiries), ("pay", ()), ("acted", ())]

    def steps_of(self, state: State, number: int, expiries: int) -> list[Step]:
        one = state.script.alarms[number]
        if one.kind == "wake":
            return [("wake", (number, expiries))]
        if one.kind == "give":
            return [("tokens", (one.target, expiries))]
        calls = state.script.interrupts[one.target].calls if one.target >= 0 else ()
        return [("say", (number, expiries)), *(("begin", (number, i)) for i in range(len(calls)))]

    def pay(self, state: State) -> list[Step]:
        if not self.owing[state.core]:
            return []
        number = self.owing[state.core].pop(0)
        one = self.all[number]
        expiries, one.owed = one.owed, 0
        due = expiries and one.asked is None
        return [*(self.steps_of(state, number, expiries) if due else ()), ("pay", ())]

    def begin_call(self, state: State, number: int, place: int) -> list[Step]:
        """Of a function: some are skipped."""
        call = self.call_of(state, number, place)
        if call.verb in ("alarm-start", "alarm-every"):
            if self.starts_left[state.core] == 0:
                return [("result", (number, place, SKIPPED))]
            self.starts_left[state.core] -= 1
        if self.is_skipped(state, call):
            return [("result", (number, place, SKIPPED))]
        return [("call", (number, place, 0))]

    def is_skipped(self, state: State, call: Call) -> bool:
        if call.verb == "alarm-wait":
            return state.script.alarms[call.object].kind != "wake"
        return call.verb == "alarm-next" and self.all[call.object].home != state.core

    def call_of(self, state: State, number: int, place: int) -> Call:
        return state.script.interrupts[state.script.alarms[number].target].calls[place]


def give_all(state: State, semaphore: int, tokens: int) -> None:
    """In one moment, as far as there is room."""
    rest, state.steps = state.steps, []
    give_tokens(state, semaphore, tokens)
    while state.steps:
        function, arguments = state.steps.pop(0)
        function(state, *arguments)
    state.steps = rest
