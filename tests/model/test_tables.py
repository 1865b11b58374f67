# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables on the host port do what their reference model does (table_model.py), in random scripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from tests.model.player import Player, build
from tests.model.table_model import (
    Call,
    Counter,
    Model,
    Point,
    Script,
    State,
    Status,
    Strategy,
    Table,
)

WHOLE = (1 << 32) - 1
SCRIPTS = 5000
MOST_CALLS = 60
STARTS = ("relative", "absolute", "synchronous")
OTHERS = ("next", "next", "global", "global", "stop", "asynchronous")


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    with Player(build("model_play_tables")) as player:
        yield player


def differences(script: Script, trace: list[str]) -> list[str]:
    """The first line of the trace that the model does not have, with what it has; empty: there is none."""
    lines = iter(trace)
    for expected in Model(script).play():
        line = next(lines, "nothing")
        if isinstance(expected, str):
            if line != expected:
                return [f"- {line}", f"+ {expected}"]
            continue
        before, results, behind = expected
        if line not in {f"{before}{int(result)}{behind}" for result in results}:
            return [f"- {line}", f"+ {before}{'|'.join(str(int(one)) for one in results)}{behind}"]
    return [f"- {line}" for line in lines]


class Drawn:
    """A script out of a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        pick = self._random.choice
        self.counters = self._counters()
        # Instants on the clock are so far apart that the kernel does not serve them together.
        unit = 4 << pick((0, 0, 5, 20))
        self._units = tuple(unit if one.is_clock else 1 for one in self.counters)
        self._usual = pick((Strategy.NONE, Strategy.EXPLICIT, Strategy.EXPLICIT))
        self._on = [pick((0, 0, 0, 1)) for _ in range(self._random.randint(1, 5))]
        tables = [self._table(number) for number in self._on]
        calls = [self._call() for _ in range(self._random.randint(3, MOST_CALLS))]
        tables = [self._with_calls(table) for table in tables]
        self.script = Script(self.counters, tuple(tables), tuple(calls))

    def _counters(self) -> tuple[Counter, ...]:
        """Two of software, or the clock and one of software."""
        pick, between = self._random.choice, self._random.randint

        def of_software() -> Counter:
            maximum = pick((12, 29, 99, WHOLE))
            near = between(0, min(maximum, 40))
            total = pick((0, WHOLE - 20, (1 << 31) - 20))
            value = pick((near, maximum - near))
            return Counter(maximum, between(1, 3), value, total)

        if pick((False, True)):
            return of_software(), of_software()
        start = pick((0, (1 << 32) - 25_400, (1 << 31) - 25_400))
        return Counter(WHOLE, 1, start, is_clock=True), of_software()

    def _table(self, number: int) -> Table:
        """A table that the kernel takes: distances of at least the minimum cycle, within the counter."""
        pick, between = self._random.choice, self._random.randint
        counter, unit = self.counters[number], self._units[number]
        least = unit if counter.is_clock else counter.cycle
        end = counter.maximum + 1
        repeats = pick((False, True))
        offsets = [pick((0, least + between(0, 8) * unit))]
        if counter.maximum < WHOLE and between(0, 9) == 0:
            offsets = [pick((end - 1, end))]
        for _ in range(between(0, 3)):
            offset = offsets[-1] + least + between(0, 8) * unit
            if offset <= end - least:
                offsets.append(offset)
        duration = max(unit, offsets[-1] + least * repeats + between(0, 8) * unit)
        strategy = pick((self._usual,) * 5 + (Strategy.NONE, Strategy.EXPLICIT, Strategy.IMPLICIT))
        if counter.maximum == WHOLE and strategy is Strategy.IMPLICIT:
            strategy = self._usual
        if strategy is Strategy.IMPLICIT or duration > end:
            duration = end
        repeats = repeats and duration - offsets[-1] >= least
        points = []
        for at, offset in enumerate(offsets):
            distance = (*offsets, duration)[at + 1] - offset
            advance = between(0, 8) * unit
            if counter.is_clock:
                advance = min(advance, max(0, distance - unit))
            points.append(Point(offset, between(0, 8) * unit, advance))
        precision = between(0, 3) * unit
        return Table(number, duration, repeats, strategy, precision, tuple(points))

    def _call(self) -> Call:
        """One of the thread's."""
        pick = self._random.choice
        if pick((False, False, True, True, True)):
            return self._table_call(list(range(len(self._on))))
        counter = pick((0, 0, 0, 1))
        if self.counters[counter].is_clock:
            return Call("pass", pick((0, 0, 1)), pick((1, 2, 5, 9, 17, 60)) * self._units[counter])
        return Call("count", counter, pick((1, 2, 5, 9, 17, 60)))

    def _table_call(self, allowed: list[int]) -> Call:
        """A call for one of the tables `allowed`."""
        pick, between = self._random.choice, self._random.randint
        table = pick(allowed)
        counter, unit = self.counters[self._on[table]], self._units[self._on[table]]
        verb = pick((*STARTS, *OTHERS))
        is_far = between(0, 7) == 0
        amount = between(0, pick((2, 20, 60))) * unit
        if verb == "next":
            near = [one for one in allowed if self._on[one] == self._on[table] and one != table]
            amount = pick(near if near and not is_far else allowed)
        elif verb == "relative" and is_far:
            amount += (1 << 31) - 10 * unit
        elif verb == "absolute" and is_far:
            amount = WHOLE + 1 - unit - amount
        elif verb == "absolute" and not counter.is_clock:
            amount = (counter.value + amount) % (counter.maximum + 2)
        return Call(verb, table, amount % (WHOLE + 1))

    def _with_calls(self, table: Table) -> Table:
        """With calls at some points; these may count the other counter, if that is of software."""
        pick = self._random.choice
        # Points of a software counter's tables have interrupts masked: no calls for the clock's.
        allowed = [
            number
            for number, on in enumerate(self._on)
            if self.counters[table.counter].is_clock or not self.counters[on].is_clock
        ]
        other = 1 - table.counter
        counts = [] if self.counters[other].is_clock else [Call("count", other, 1)]

        def one() -> Call:
            if counts and self._random.randint(0, 2) == 0:
                return counts[0]
            return self._table_call(allowed)

        points = []
        for point in table.points:
            calls = [one() for _ in range(pick((0, 0, 0, 0, 1, 2)))]
            points.append(replace(point, calls=tuple(calls)))
        return replace(table, points=tuple(points))


def smaller(script: Script) -> Iterator[Script]:
    """Scripts with a call less."""
    for at in reversed(range(len(script.calls))):
        yield replace(script, calls=script.calls[:at] + script.calls[at + 1 :])
    for number, table in enumerate(script.tables):
        for at, point in enumerate(table.points):
            if point.calls:
                points = list(table.points)
                points[at] = replace(point, calls=point.calls[1:])
                tables = list(script.tables)
                tables[number] = replace(table, points=tuple(points))
                yield replace(script, tables=tuple(tables))


def simplified(player: Player, script: Script) -> Script:
    """As small a script in which the two differ."""
    while True:
        found = next(
            (one for one in smaller(script) if differences(one, played(player, one))), None
        )
        if found is None:
            return script
        script = found


def played(player: Player, script: Script) -> list[str]:
    return player.play(script)  # type: ignore[arg-type]


def first_difference(player: Player, seeds: range) -> Script | None:
    """The first script in which the two differ."""
    scripts = (Drawn(seed).script for seed in seeds)
    return next((one for one in scripts if differences(one, played(player, one))), None)


def test_the_kernel_does_what_the_model_does(player: Player) -> None:
    found = first_difference(player, range(SCRIPTS))
    if found is not None:
        small = simplified(player, found)
        trace = played(player, small)
        pytest.fail("\n".join([str(small), *trace, *differences(small, trace)]))


def test_the_scripts_reach_all_states_and_statuses() -> None:
    """Of the first ones, by the model: each state, each status, and many points."""
    states: set[str] = set()
    statuses: set[int] = set()
    points = 0
    for seed in range(300):
        for line in Model(Drawn(seed).script).play():
            if isinstance(line, str):
                points += line.startswith("point")
            else:
                states.update(line[2].removeprefix(":").split())
                statuses.update(one for one in line[1] if isinstance(one, Status))
    assert states == {str(int(one)) for one in State}
    assert statuses == set(Status)
    assert points > 2000


def test_the_model_refuses_every_other_trace(player: Player) -> None:
    """What is left out or said twice, or of another value, is a difference."""
    script = next(
        one for one in (Drawn(seed).script for seed in range(300)) if len(played(player, one)) > 80
    )
    trace = played(player, script)
    assert not differences(script, trace)
    for place, line in enumerate(trace):
        assert differences(script, trace[:place] + trace[place + 1 :]) or line in (
            trace[place - 1 : place] + trace[place + 1 : place + 2]
        )
        assert differences(script, [*trace[:place], f"{line}1", *trace[place + 1 :]])
    assert differences(script, [*trace, "more"])
