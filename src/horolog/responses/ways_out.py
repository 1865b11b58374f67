# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A way out for a system whose deadlines are not proved: one change with which the same analysis proves them.

Tried in this order, what changes or takes the least first: the other mechanisms of the plan; priorities by
another rule, and Audsley's (schedulability/priorities.py); every task as a basic task; more of the board's
cells; other stores. The first that holds is taken. What is tried is planned and analysed as the user would do
it with the change made, so a way that is named holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from horolog.analyse import basic_levels, is_basic, levels, threads_apart
from horolog.figures import plural
from horolog.model import STORES, HorologError, Kind, Plan, Planned, PriorityRule, System
from horolog.plan import Limit, Prices, plan, read_prices
from horolog.responses.analysis import Analysis, analysis_of
from horolog.responses.chains import chains_of
from horolog.responses.demand_of import demand_of
from horolog.responses.slack import plan_for
from horolog.responses.telling import impossible_text
from horolog.schedulability import (
    MOST_STEPS,
    Order,
    assigned_levels,
    spread_levels,
    window_bounds,
)

__all__ = ["Asked", "Way", "Ways", "way_to_data", "ways_out"]

_SHARE = Fraction(1, 4)  # of the time that is left, for the next plan


@dataclass(frozen=True, slots=True)
class Way:
    """A change with which all deadlines are proved. `text` says it in a sentence."""

    change: str  # "plan", "kind", "cells" or "priorities"
    text: str
    options: tuple[str, ...] = ()  # of the command that do the same without a change of the file
    toml: tuple[str, ...] = ()  # lines of [system]
    priorities: tuple[tuple[str, int], ...] = ()  # of each task or group, where they are explicit


@dataclass(frozen=True, slots=True)
class Ways:
    """What a search for a way out has found; None: nothing that was `tried` holds."""

    found: Way | None
    tried: tuple[str, ...]
    cut: bool = False  # by its limit, before all was tried
    impossible: str | None = None  # why no order of priorities, and no plan, helps

    @property
    def text(self) -> str:
        """One sentence."""
        if self.found is not None:
            return self.found.text
        if self.impossible is not None:
            return f"none; {self.impossible}"
        tried = "; tried: " + ", ".join(self.tried) if self.tried else ""
        cut = "; the limit of --seconds ended the search" if self.cut else ""
        return f"none found{tried}{cut}"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a user has asked for: the system as described, and how it is planned and analysed.

    `as_basic` reads the system with every task as a basic one.
    """

    system: System
    as_basic: Callable[[], System]
    mechanism: str | None = None
    queue: str | None = None
    objective: str | None = None
    most: int = MOST_STEPS  # as analysis_of has it

    @property
    def named(self) -> dict[str, Any]:
        """As plan_moving takes it."""
        return {"mechanism": self.mechanism, "queue": self.queue, "objective": self.objective}


def ways_out(asked: Asked, system: System, planned: Planned, limit: Limit) -> Ways:
    """Looks for a way out until `limit` is over. `system` is as it was planned, perhaps moved."""
    impossible = impossible_text(system)
    if impossible is not None:
        return Ways(None, (), impossible=impossible)
    return _Search(asked, system, planned, limit).ways()


class _Search:
    def __init__(self, asked: Asked, system: System, planned: Planned, limit: Limit) -> None:
        self._asked, self._system, self._planned = asked, system, planned
        self._limit, self._tried, self._cut = limit, list[str](), False

    def ways(self) -> Ways:
        without_kernel = analysis_of(self._system, None, most=self._asked.most)
        if self._holds(self._system, None, without_kernel):
            steps = [
                self._mechanisms,
                self._rules,
                self._audsley,
                self._kinds,
                self._cells,
                self._stores,
            ]
        else:
            failing = without_kernel.failing
            if failing:
                name = self._system.all_tasks[failing[0].task].name
                self._tried.append(f'plans and cells ("{name}" fails without the kernel, too)')
            steps = [self._rules, self._audsley, self._kinds]
        for step in steps:
            for way in step():
                return Ways(way, tuple(self._tried), self._cut)
        return Ways(None, tuple(self._tried), self._cut)

    def _over(self) -> bool:
        """Whether there is no time for one more."""
        if self._limit.over(1):
            self._cut = True
        return self._cut

    def _holds(self, system: System, of: Plan | None, found: Analysis) -> bool:
        return found.holds and all(one.holds for one in chains_of(system, of, found))

    def _works(self, system: System, **named: Any) -> bool:
        """Whether all deadlines are proved with `system` planned as the user would."""
        named = {**self._asked.named, **named}
        limit = self._limit.part(_SHARE)
        try:
            moves = any(task.jitter or task.least_period is not None for task in system.tasks)
            if moves or named["mechanism"] is None:
                moved, planned = plan_for(system, limit=limit, **named)
            else:
                moved, planned = system, plan(system, limit=limit, alone=True, **named)
        except HorologError:
            return False
        prices = read_prices(moved.board)
        found = analysis_of(moved, planned.choice, prices, self._asked.most)
        return self._holds(moved, planned.choice, found)

    def _way(self, change: str, do: str, **more: Any) -> Way:
        count = len(self._system.all_tasks)
        every = "the deadline holds" if count == 1 else f"all {count} deadlines hold"
        return Way(change, f"{do}: then {every}", **more)

    # Plans

    def _mechanisms(self) -> Iterator[Way]:
        asked, chosen, prices = self._asked, self._planned.choice, read_prices(self._system.board)
        others = [one.plan for one in self._planned.alternatives]
        plans = [one for one in others if one is not None and one is not chosen]
        if plans:
            self._tried.append(plural(len(plans), "other mechanism"))
        for one in plans:
            if self._over():
                return
            found = analysis_of(self._system, one, prices, asked.most)
            if not self._holds(self._system, one, found):
                continue
            if asked.mechanism is None and self._works(asked.system, objective="slack"):
                line = 'objective = "slack"'
                yield self._way(
                    "plan",
                    f"set {line} in [system]",
                    options=("--objective", "slack"),
                    toml=(line,),
                )
            if self._works(asked.system, mechanism=one.mechanism, queue=None):
                yield self._by_option("--mechanism", one.mechanism)

    def _stores(self) -> Iterator[Way]:
        chosen = self._planned.choice
        used = {one.store for one in chosen.releasers}
        if self._asked.queue is not None or self._over():
            return
        self._tried.append(f"other stores with {chosen.mechanism}")
        for store in (one for one in STORES if used != {one}):
            if self._over():
                return
            if self._works(self._asked.system, mechanism=chosen.mechanism, queue=store):
                yield self._by_option("--mechanism", chosen.mechanism, "--queue", store)

    def _by_option(self, *options: str) -> Way:
        return self._way("plan", f"plan with {' '.join(options)}", options=options)

    def _kinds(self) -> Iterator[Way]:
        if len(self._system.basic) == len(self._system.tasks) or self._over():
            return
        self._tried.append("all tasks as basic tasks")
        try:
            system = self._asked.as_basic()
        except HorologError:
            return
        if self._works(system, mechanism=None, queue=None):
            yield self._way(
                "kind",
                'make every task a basic task (kind = "basic" in each [[task]], or --kind basic)',
                options=("--kind", "basic"),
            )

    def _cells(self) -> Iterator[Way]:
        system = self._asked.system
        used = {*system.cells, system.timeouts}
        free = [cell.name for cell in system.board.cells if cell.name not in used]
        if not free:
            return
        self._tried.append(plural(len(free), "more cell") + " of the board")
        for count in range(1, len(free) + 1):
            if self._over():
                return
            cells = (*system.cells, *free[:count])
            if self._works(replace(system, cells=cells)):
                line = f"cells = [{', '.join(_quoted(one) for one in cells)}]"
                yield self._way("cells", f"set {line} in [system]", toml=(line,))

    # Priorities

    def _rules(self) -> Iterator[Way]:
        system = self._asked.system
        for rule in (PriorityRule.DEADLINE_MONOTONIC, PriorityRule.RATE_MONOTONIC):
            if rule is system.priorities or system.sporadic or self._over():
                continue
            self._tried.append(f"{rule.value} priorities")
            other = replace(system, priorities=rule)
            free = analysis_of(replace(self._system, priorities=rule), None, most=self._asked.most)
            if free.holds and self._works(other):
                line = f'priorities = "{rule.value}"'
                yield self._way("priorities", f"set {line} in [system]", toml=(line,))

    def _audsley(self) -> Iterator[Way]:
        system = self._asked.system
        if self._over() or system.tables:  # a table says the order of its tasks
            return
        self._tried.append("Audsley's priorities")
        found = self._assignment()
        if found is None:
            return
        if self._works(_with_priorities(system, found)):
            given = _by_entry(system, found)
            yield self._way(
                "priorities",
                'set priorities = "explicit" in [system] and these priorities of tasks (Audsley)',
                toml=('priorities = "explicit"',),
                priorities=given,
            )

    def _assignment(self) -> Mapping[int, int] | None:
        """A priority for each of all tasks, by windows with the offsets and the order of a level ignored.

        Basic tasks stay above all threads, where the controller dispatches them.
        """
        system = threads_apart(self._system)
        units = _units(system)
        found: tuple[tuple[int, ...], ...] = ()  # the threads' levels, then those of basic tasks
        for kind in (Kind.THREAD, Kind.BASIC):
            mine = [at for at, unit in enumerate(units) if system.task(unit[0]).kind is kind]
            above = [
                at
                for at, unit in enumerate(units)
                if kind is Kind.THREAD and system.task(unit[0]).kind is Kind.BASIC
            ]
            most = system.board.levels - len(found) - bool(above)
            if kind is Kind.BASIC and system.board.controller is not None:
                most = min(most, basic_levels(system))
            levels = self._levels(system, units, found, mine, above, most)
            if levels is None:
                return None
            found = (*found, *levels)
        return {
            task: number
            for number, level in enumerate(found, 1)
            for at in level
            for task in units[at]
        }

    def _levels(
        self,
        system: System,
        units: tuple[tuple[int, ...], ...],
        below: tuple[tuple[int, ...], ...],
        mine: Sequence[int],
        above: Sequence[int],
        most: int,
    ) -> tuple[tuple[int, ...], ...] | None:
        """Levels for `mine` between those `below` and the one of `above`, at most so many."""

        def holding(levels: tuple[tuple[int, ...], ...]) -> set[int]:
            given = {
                task: number
                for number, level in enumerate((*below, *levels, tuple(above)), 1)
                for unit in level
                for task in units[unit]
            }
            late = _late(_with_priorities(system, given), self._planned.choice)
            return {unit for unit in levels[-1] if not late & {*units[unit]}}

        found = assigned_levels(mine, most, holding, lambda: not self._over())
        if found is None:
            return None
        deadline = {at: (system.all_tasks[units[at][0]].deadline, at) for at in mine}
        spare = most if not above else max(len(found), most - _BASIC_LEVELS)
        return spread_levels(found, spare, deadline)


_BASIC_LEVELS = (
    7  # that the threads leave to basic tasks where they need fewer levels than there are
)


def _late(system: System, planned: Plan) -> set[int]:
    """The tasks that are not proved, with no order within a level and without offsets."""
    on = levels(system)
    releasers = tuple(
        replace(one, level=max(on[task] for task in one.tasks), direct=False)
        if is_basic(system, one) and one.level is not None
        else one
        for one in planned.releasers
    )
    prices: Prices = read_prices(system.board)
    demand = demand_of(system, replace(planned, releasers=releasers), prices).demand
    any_order = {at: replace(one, order=Order.ANY) for at, one in demand.levels.items()}
    found = window_bounds(replace(demand, levels=any_order))
    return {one.task for one in found if not one.holds}


def _units(system: System) -> tuple[tuple[int, ...], ...]:
    """The tasks of each entry of the file, which have one priority; an aperiodic task has its server's."""
    found: dict[str, list[int]] = {}
    server = {at: system.tasks[by] for by, at in system.served.items()}
    for at, task in enumerate(system.all_tasks):
        found.setdefault(server.get(at, task).entry, []).append(at)
    return tuple(tuple(one) for one in found.values())


def _by_entry(system: System, given: Mapping[int, int]) -> tuple[tuple[str, int], ...]:
    units = _units(system)
    return tuple((system.all_tasks[unit[0]].entry, given[unit[0]]) for unit in units)


def _with_priorities(system: System, given: Mapping[int, int]) -> System:
    count = len(system.tasks)
    tasks = tuple(replace(task, priority=given[at]) for at, task in enumerate(system.tasks))
    sporadic = tuple(
        replace(one, task=replace(one.task, priority=given[at]))
        for at, one in enumerate(system.sporadic, count)
    )
    return replace(system, tasks=tasks, sporadic=sporadic, priorities=PriorityRule.EXPLICIT)


def _quoted(name: str) -> str:
    return f'"{name}"'


def way_to_data(ways: Ways) -> dict[str, Any]:
    """For --json."""
    way = ways.found
    data: dict[str, Any] = {"text": ways.text, "tried": list(ways.tried), "cut": ways.cut}
    if way is None:
        return {"found": False, **data}
    return {
        "found": True,
        "change": way.change,
        **data,
        "options": list(way.options),
        "toml": list(way.toml),
        "priorities": [{"name": name, "priority": number} for name, number in way.priorities],
    }
