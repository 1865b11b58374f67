# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A reference model of schedule tables, and the scripts that it and the kernel play (play_tables.c).

It is written from the words of docs/guide/schedule-tables.md and include/hrl/schedule_table.h: counters
go on step by step, instants never wrap, and each table is a position in its round.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from enum import IntEnum

__all__ = ["Call", "Counter", "Model", "Point", "Script", "State", "Status", "Strategy", "Table"]

FARTHEST = (1 << 31) - 1
"""How many steps a first point may be away."""
Line = str | tuple[str, set[int], str]
"""Of the trace: whole, or what comes before a call's result, the results that are right, and what follows."""


class State(IntEnum):
    STOPPED = 0
    NEXT = 1
    WAITING = 2
    RUNNING = 3
    SYNCHRONOUS = 4


class Strategy(IntEnum):
    NONE = 0
    IMPLICIT = 1
    EXPLICIT = 2


class Status(IntEnum):
    """As enum hrl_status has them."""

    OK = 0
    STATE = 5
    VALUE = 6
    ID = 7
    NOT_RUNNING = 8


@dataclass(frozen=True)
class Call:
    verb: str
    object: int = 0
    amount: int = 0

    def __str__(self) -> str:
        return f"call {self.verb} {self.object} {self.amount}\n"


@dataclass(frozen=True)
class Counter:
    """Of software: its first value, and how many steps it has made. A clock: `value` is its start."""

    maximum: int
    cycle: int
    value: int
    total: int = 0
    is_clock: bool = False

    def __str__(self) -> str:
        if self.is_clock:
            return f"clock {self.value}\n"
        return f"counter {self.maximum} {self.cycle} {self.value} {self.total}\n"


@dataclass(frozen=True)
class Point:
    offset: int
    retard: int = 0
    advance: int = 0
    calls: tuple[Call, ...] = ()

    def __str__(self) -> str:
        return f"point {self.offset} {self.retard} {self.advance}\n" + "".join(map(str, self.calls))


@dataclass(frozen=True)
class Table:
    counter: int
    duration: int
    repeats: bool
    strategy: Strategy
    precision: int
    points: tuple[Point, ...]

    def __str__(self) -> str:
        head = f"{self.counter} {self.duration} {int(self.repeats)} {int(self.strategy)} {self.precision}"
        return f"table {head}\n" + "".join(map(str, self.points))


@dataclass(frozen=True)
class Script:
    counters: tuple[Counter, ...]
    tables: tuple[Table, ...]
    calls: tuple[Call, ...]

    def __str__(self) -> str:
        parts = [*self.counters, *self.tables, "thread\n", *self.calls, "run\n"]
        return "".join(map(str, parts))


@dataclass
class _Course:
    """What a table does. `due`: when its next point is, or the end of its round (at == all points)."""

    table: Table
    state: State = State.STOPPED
    at: int = 0
    due: int = 0
    deviation: int = 0
    is_global: bool = False
    follower: _Course | None = None

    @property
    def runs(self) -> bool:
        return self.state in (State.RUNNING, State.SYNCHRONOUS)

    @property
    def offset(self) -> int:
        """Of what is due."""
        points = self.table.points
        return points[self.at].offset if self.at < len(points) else self.table.duration

    def deviate(self, by: int) -> None:
        """Wraps into (-duration / 2, duration / 2], and judges."""
        by %= self.table.duration
        self.deviation = by - self.table.duration if 2 * by > self.table.duration else by
        synchronous = self.is_global and abs(self.deviation) <= self.table.precision
        if self.table.strategy is Strategy.IMPLICIT:
            synchronous = True
        self.state = State.SYNCHRONOUS if synchronous else State.RUNNING


@dataclass
class _Time:
    """How far a counter is: its steps, from 0 on, and the tables that run, the one started first is first."""

    counter: Counter
    now: int = 0
    running: list[_Course] = field(default_factory=list)

    @property
    def value(self) -> int:
        start = 0 if self.counter.is_clock else self.counter.value
        return (start + self.now) % (self.counter.maximum + 1)

    def first(self) -> _Course | None:
        return min(self.running, key=lambda one: one.due, default=None)


class Model:
    """Plays a script. Of several reasons to refuse a call any may be its result."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._times = [_Time(one) for one in script.counters]
        self._courses = [_Course(one) for one in script.tables]
        self._fuel = 40

    def play(self) -> Iterator[Line]:
        """The lines of the trace."""
        yield from self._make("", self._script.calls)

    def _make(self, who: str, calls: tuple[Call, ...]) -> Iterator[Line]:
        for number, call in enumerate(calls):
            if call.verb == "count":
                results = {(yield from self._count(call.object, call.amount))}
            elif call.verb == "pass":
                results = {(yield from self._pass(call.object, call.amount))}
            else:
                results = self._status(call)
            states = "".join(f" {int(one.state)}" for one in self._courses)
            yield f"{who}{number} = ", results, f":{states}"

    # Time.

    def _count(self, counter: int, steps: int) -> Generator[Line, None, int]:
        time = self._times[counter]
        for _ in range(steps):
            time.now += 1
            yield from self._process(time)
        return time.value

    def _pass(self, is_late: int, counts: int) -> Generator[Line, None, int]:
        for time in self._times:
            if time.counter.is_clock:
                end = time.now + counts
                while not is_late and (first := time.first()) is not None and first.due <= end:
                    time.now = max(time.now, first.due)
                    yield from self._process(time)
                time.now = end
                yield from self._process(time)
        return 0

    def _process(self, time: _Time) -> Iterator[Line]:
        while (course := time.first()) is not None and course.due <= time.now:
            if course.at == len(course.table.points):
                self._end_round(time, course)
                continue
            number, point = course.at, course.table.points[course.at]
            course.at += 1
            course.due += self._corrected(course, point, course.offset - point.offset)
            name = self._courses.index(course)
            yield f"point {name} {number} at {time.value}"
            yield f"event {name} {number}"
            if self._fuel:
                self._fuel -= 1
                yield from self._make("its ", point.calls)

    def _corrected(self, course: _Course, point: Point, distance: int) -> int:
        cycle = self._script.counters[course.table.counter].cycle
        by = 0
        if course.deviation > 0:
            by = min(course.deviation, point.retard)
        elif course.deviation < 0:
            by = -min(-course.deviation, point.advance, max(0, distance - cycle))
        if by:
            course.deviate(course.deviation - by)
        return distance + by

    def _end_round(self, time: _Time, course: _Course) -> None:
        if course.follower is not None:
            follower, course.follower = course.follower, None
            self._leave(course)
            self._begin(follower, course.due)
            follower.is_global = course.is_global
            follower.deviate(course.deviation)
        elif course.table.repeats:
            course.at = 0
            course.due += course.offset
        else:
            self._leave(course)

    def _begin(self, course: _Course, start: int) -> None:
        course.at = 0
        course.due = start + course.offset
        course.is_global = False
        course.deviate(0)
        self._times[course.table.counter].running.append(course)

    def _leave(self, course: _Course) -> None:
        if course.runs:
            self._times[course.table.counter].running.remove(course)
        course.state = State.STOPPED

    # The calls.

    def _status(self, call: Call) -> set[int]:
        course = self._courses[call.object]
        done = getattr(self, f"_{call.verb}")(course, call.amount)
        return set(done) or {Status.OK}

    def _relative(self, course: _Course, offset: int) -> set[Status]:
        time, first = self._times[course.table.counter], course.table.points[0].offset
        wrong = set()
        if course.table.strategy is Strategy.IMPLICIT:
            wrong.add(Status.ID)
        if course.state is not State.STOPPED:
            wrong.add(Status.STATE)
        if offset == 0 or offset > time.counter.maximum - first or offset + first > FARTHEST:
            wrong.add(Status.VALUE)
        if not wrong:
            self._begin(course, time.now + offset)
        return wrong

    def _absolute(self, course: _Course, start: int) -> set[Status]:
        time, first = self._times[course.table.counter], course.table.points[0].offset
        modulus = time.counter.maximum + 1
        ahead = (start + first - time.value) % modulus or modulus
        wrong = set()
        if course.state is not State.STOPPED:
            wrong.add(Status.STATE)
        if start > time.counter.maximum or ahead > FARTHEST:
            wrong.add(Status.VALUE)
        if not wrong:
            self._begin(course, time.now + ahead - first)
        return wrong

    def _synchronous(self, course: _Course, _: int) -> set[Status]:
        wrong = set()
        if course.table.strategy is not Strategy.EXPLICIT:
            wrong.add(Status.ID)
        if course.state is not State.STOPPED:
            wrong.add(Status.STATE)
        if not wrong:
            course.state = State.WAITING
        return wrong

    def _stop(self, course: _Course, _: int) -> set[Status]:
        if course.state is State.STOPPED:
            return {Status.NOT_RUNNING}
        for other in self._courses:
            if other.follower is course:
                other.follower = None
        if course.follower is not None:
            course.follower.state = State.STOPPED
            course.follower = None
        self._leave(course)
        return set()

    def _next(self, course: _Course, number: int) -> set[Status]:
        other = self._courses[number]
        wrong = set()
        if (course.table.counter, course.table.strategy) != (
            other.table.counter,
            other.table.strategy,
        ):
            wrong.add(Status.ID)
        if not course.runs and course.state is not State.WAITING:
            wrong.add(Status.NOT_RUNNING)
        if other.state is not State.STOPPED:
            wrong.add(Status.STATE)
        if not wrong:
            if course.follower is not None:
                course.follower.state = State.STOPPED
            course.follower = other
            other.state = State.NEXT
        return wrong

    def _global(self, course: _Course, value: int) -> set[Status]:
        time, table = self._times[course.table.counter], course.table
        wrong = set()
        if table.strategy is not Strategy.EXPLICIT:
            wrong.add(Status.ID)
        if course.state in (State.STOPPED, State.NEXT):
            wrong.add(Status.STATE)
        if value >= table.duration:
            wrong.add(Status.VALUE)
        if wrong:
            return wrong
        if course.state is State.WAITING:  # until the global time is that of its first point
            first = table.points[0].offset
            ahead = (first - value) % table.duration or table.duration
            self._begin(course, time.now + ahead - first)
        course.is_global = True
        position = course.offset - (course.due - time.now)
        course.deviate(position - value)
        return set()

    def _asynchronous(self, course: _Course, _: int) -> set[Status]:
        wrong = set()
        if course.table.strategy is not Strategy.EXPLICIT:
            wrong.add(Status.ID)
        if not course.runs:
            wrong.add(Status.STATE)
        if not wrong:
            course.is_global = False
            course.deviate(0)
        return wrong
