# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Divides the tasks of a system among cores: which have to stay together, how a part is proved and priced.

A core's part is a system of one core: it is planned and analysed as such. A part is proved if all deadlines
and chains hold with the plan of least overhead, or else with that of another mechanism, the kernel's own work
counted in. Its price is what the objective counts, a second: the kernel's instructions or cycles, or
interrupts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from horolog.analyse import rank, streams
from horolog.divide.common_instants import instant_sets
from horolog.divide.floors import Floor, floor_of
from horolog.divide.problem import Answer, Common, Item, Part, Problem
from horolog.divide.refusal import refuse_without_wcet, refused
from horolog.divide.search import ALL_COMPARED, Effort, Found, search
from horolog.figures import first_names, significant
from horolog.model import HorologError, Plan, System, Task, chains_within, resources_of
from horolog.plan import FREE, Limit, plan, read_prices
from horolog.responses import Analysis, analysis_of, chains_of, plan_for

__all__ = ["Divided", "PartOf", "Planner", "divide", "plain_part", "problem_of", "together"]

PartOf = Callable[[tuple[int, ...], int], System]
"""The system of one core that has these tasks, indices of System.all_tasks, on that core."""

_QUICK = ("chronos-harmonic", "chronos", "one-shot", "gcd")
_QUICK_BASIC = ("sloth", "chronos", "one-shot", "gcd")
"""Mechanisms with a plan that is made soon, in which searches prove and price."""

_ONLY_IF_NAMED = ("chronos-const",)
_FEW = Effort(rounds=2, moving=0, repairing=500)
_NO_PLAN = Fraction(10)  # farther from a proof than a missed deadline
_UNTIMED = Answer(proved=False, excess=_NO_PLAN)  # of tasks that something activates alone


@dataclass(frozen=True, slots=True)
class Divided:
    """The core of each of System.all_tasks, and what is known of that division.

    Prices are a second, in `unit`. No division that is proved costs less than `bound`; None: not known.
    """

    cores: tuple[int, ...]
    mechanisms: tuple[str | None, ...]
    """By core: the mechanism to name so that the part is proved; None: none has to be named."""
    price: Fraction
    bound: Fraction | None
    unit: str
    how: str
    compared: int
    packed: dict[
        str, bool
    ]  # by the name of a fit, whether it proves a division; those that were tried

    @property
    def gap(self) -> Fraction | None:
        """The share of the price that another division could save at most."""
        if self.bound is None:
            return None
        return max(Fraction(0), 1 - self.bound / self.price) if self.price else Fraction(0)

    @property
    def text(self) -> str:
        """One line."""
        found = f"{significant(self.price)} {self.unit}/s of overhead, {self.how}"
        if self.gap is None:
            return f"{found}; how far the best is from that is not known"
        if not self.gap:
            return f"{found}; no division has less"
        return (
            f"{found}; none has less than {significant(self.bound or 0)}: "
            f"a gap of {significant(100 * self.gap)} %"
        )


def divide(
    system: System,
    cores: int,
    *,
    part_of: PartOf | None = None,
    allowed: Sequence[frozenset[int]] | None = None,
    mechanism: str | None = None,
    queue: str | None = None,
    objective: str | None = None,
    limit: Limit | None = None,
    effort: Effort | None = None,
) -> Divided:
    """Divide `system` among so many cores, so that each core is proved and the overhead is least.

    `allowed`: the cores on which each of System.all_tasks may be; by default all. The others are as plan()
    has them, for each part. `part_of`: plain_part by default. HorologError (1) if no division is proved, (3)
    without OR-Tools where there are more than a few tasks.
    """
    refuse_without_wcet(system)
    part_of = part_of or partial(plain_part, system, cores)
    limit = limit or Limit()
    judges = Planner(system, part_of, mechanism, queue, objective, limit)
    problem, units = problem_of(system, cores, judges, allowed)
    found = search(problem, effort, partial(limit.over, 1), partial(limit.left, 1))
    assigned = [0] * len(system.all_tasks)
    for unit, core in zip(units, found.division, strict=True):
        for task in unit:
            assigned[task] = core
    if found.price is None:
        ways = tuple(_ways_out(system, cores, judges, allowed))
        raise refused(
            system,
            tuple(assigned),
            cores,
            part_of,
            judges.analysed,
            ways,
            certain=found.how == ALL_COMPARED,
        )
    parts = [
        tuple(task for task, own in enumerate(assigned) if own == core) for core in range(cores)
    ]
    return Divided(
        cores=tuple(assigned),
        mechanisms=tuple(
            judges.named(part, core) if part else None for core, part in enumerate(parts)
        ),
        price=found.price,
        bound=found.bound if problem.bounded else None,
        unit=judges.unit,
        how=_how(found),
        compared=found.compared,
        packed=found.packed,
    )


def _ways_out(
    system: System, cores: int, judges: Planner, allowed: Sequence[frozenset[int]] | None
) -> Iterator[str]:
    """More cores where these have no room; conditions of the user without which a division is proved."""
    needed = _cores_with_room(system)
    if needed > cores:
        yield f"{needed} cores have room for these WCETs"
    every = frozenset(range(cores))
    fixed = [at for at, may in enumerate(allowed or ()) if may != every]
    if not fixed:
        return
    problem, _ = problem_of(system, cores, judges)
    quick = replace(problem, judge=problem.screen or problem.judge, screen=None)
    if search(quick, _FEW).price is not None:
        names = ", ".join(first_names([system.all_tasks[at].name for at in fixed], 4))
        yield f"it is proved if these may be on any core: {names}"


def _cores_with_room(system: System) -> int:
    """How many cores the tasks need for their WCETs alone, by first-fit decreasing."""
    tasks = system.all_tasks
    shares = [
        sum(((tasks[at].wcet or 0) * tasks[at].rate for at in unit), Fraction(0))
        for unit in together(system)
    ]
    loads: list[Fraction] = []
    for share in sorted(shares, reverse=True):
        at = next((at for at, load in enumerate(loads) if load + share <= 1), None)
        if at is None:
            loads.append(share)
        else:
            loads[at] += share
    return len(loads)


def _how(found: Found) -> str:
    if not found.compared:
        return found.how
    return f"by {found.how}, the best of {found.compared:,} that are proved"


def together(system: System) -> tuple[tuple[int, ...], ...]:
    """The tasks that stay on one core: sets of System.all_tasks, in the order of their first tasks.

    Those that use a resource for which no core spins; of a chain that the user has not put on several cores;
    that activate each other, or that one interrupt activates; of a dispatcher or schedule table; a server's
    thread with its task.
    """
    count = len(system.all_tasks)
    head = list(range(count))

    def root(at: int) -> int:
        while head[at] != at:
            at = head[at]
        return at

    for group in _groups(system):
        for other in group[1:]:
            one, two = sorted((root(group[0]), root(other)))
            head[two] = one
    sets: dict[int, list[int]] = {}
    for at in range(count):
        sets.setdefault(root(at), []).append(at)
    return tuple(tuple(one) for one in sets.values())


def _groups(system: System) -> Iterator[Sequence[int]]:
    behind = len(system.tasks)
    for resource in system.resources:
        if not resource.spin:
            yield resource.tasks
    for chain in system.chains:
        cores = {system.task(task).core for task in chain.tasks}
        if len(cores - {None}) < 2:
            yield chain.tasks
    for at, one in enumerate(system.sporadic, behind):
        if one.after is not None:
            yield one.after, at
        if one.server is not None:
            yield one.server.task, at
    for number in range(len(system.interrupts)):
        of = [at for at, one in enumerate(system.sporadic, behind) if one.interrupt == number]
        if of:
            yield of
    of_tables = [at for at, task in enumerate(system.tasks) if task.table_level is not None]
    if of_tables:
        yield of_tables
    for schedule in system.schedules:
        if schedule.tasks:
            yield [behind + at for at in sorted(schedule.tasks)]
    for cells in system.cell_schedules:
        tasks = sorted({task for point in cells.points for task in point.tasks})
        if tasks:
            yield tasks


def plain_part(system: System, cores: int, tasks: Sequence[int], core: int) -> System:
    """`system` with `tasks` alone, and with the cells of that core: an even share, in their order.

    For systems with periodic tasks, resources and chains, and nothing else.
    """
    number = {task: at for at, task in enumerate(tasks)}
    share = len(system.cells) // cores
    return replace(
        system,
        cells=system.cells[core * share : (core + 1) * share],
        tasks=tuple(system.tasks[task] for task in tasks),
        resources=tuple(resources_of(system, number, cores)),
        chains=tuple(chains_within(system, number)),
    )


class Planner:
    """Plans and analyses the parts of a system: the judges of its problem."""

    def __init__(
        self,
        system: System,
        part_of: PartOf,
        mechanism: str | None,
        queue: str | None,
        objective: str | None,
        limit: Limit,
    ) -> None:
        self.system, self.part_of = system, part_of
        self._mechanism, self._queue, self._objective = mechanism, queue, objective
        self._limit = limit
        self.prices = read_prices(system.board)
        objective = system.objective if objective is None else objective
        self.by_interrupts = objective == "interrupts" or self.prices.costs == FREE
        self._names: dict[tuple[tuple[int, ...], int], str | None] = {}

    @property
    def unit(self) -> str:
        """What prices count."""
        return "interrupts" if self.by_interrupts else self.system.board.runner.unit

    def price(self, of: Plan) -> Fraction:
        """What the objective counts of a plan."""
        prediction = of.prediction
        if self.by_interrupts:
            return prediction.interrupts_per_second
        return prediction.kernel_per_second

    def _quick(self, part: System) -> Iterator[Plan]:
        names: tuple[str, ...] = _QUICK_BASIC if part.basic else _QUICK
        if self._mechanism is not None:
            names = (self._mechanism,)
        for name in names:
            unknown = name == "chronos-harmonic" and "harmonic-array" not in self.prices.stores
            if unknown and self._mechanism is None:
                continue
            try:
                yield plan(
                    part,
                    mechanism=name,
                    queue=self._queue,
                    objective=self._objective,
                    prices=self.prices,
                    limit=self._limit,
                    alone=True,
                ).choice
            except HorologError:
                continue

    def judged(self, tasks: tuple[int, ...], core: int) -> Answer:
        """By the plan that the part will have; if it is not proved, by the next mechanism that is."""
        part, key = self.part_of(tasks, core), (tasks, core)
        if not part.tasks:
            return _UNTIMED
        if self._mechanism is not None and not any(_moves(task) for task in part.tasks):
            return self._by_name(part, key)
        try:
            moved, planned = plan_for(
                part,
                mechanism=self._mechanism,
                queue=self._queue,
                objective=self._objective,
                limit=self._limit,
            )
        except HorologError:
            return self._by_name(part, key)
        if _holds(moved, planned.choice, self.analysed(moved, planned.choice)):
            self._names[key] = None
            return Answer(proved=True, price=self.price(planned.choice))
        return self._by_name(part, key)

    def screened(self, tasks: tuple[int, ...], core: int) -> Answer:
        """By plans that are made soon."""
        part = self.part_of(tasks, core)
        return self._by_name(part, None) if part.tasks else _UNTIMED

    def _by_name(self, part: System, key: tuple[tuple[int, ...], int] | None) -> Answer:
        """By the cheapest of these plans that is proved; if it is not for good, by the first."""
        excess = _NO_PLAN
        plans = self._quick(part)  # made one by one, the first ones mostly the cheapest
        if key is not None or self.by_interrupts:
            plans = iter(sorted(plans, key=self.price))
        for one in plans:
            found = self.analysed(part, one)
            if _holds(part, one, found):
                if key is not None:
                    self._names[key] = None if self._mechanism is not None else one.mechanism
                return Answer(proved=True, price=self.price(one))
            excess = min(excess, _excess(found))
        return Answer(proved=False, excess=excess)

    def named(self, tasks: tuple[int, ...], core: int) -> str | None:
        """The mechanism to name so that a part that was judged is proved; None: none has to be named."""
        if (tasks, core) not in self._names:  # a core that is alike has been judged
            self.judged(tasks, core)
        return self._names[tasks, core]

    def analysed(self, part: System, of: Plan) -> Analysis:
        """The bounds of a part with a plan."""
        return analysis_of(part, of, self.prices)


def _holds(part: System, of: Plan, found: Analysis) -> bool:
    return found.holds and all(one.holds for one in chains_of(part, of, found))


def _excess(found: Analysis) -> Fraction:
    """How far from a proof: the largest share of a deadline by which it is exceeded."""
    worst = Fraction(0)
    for one in found.bounds:
        if one.response is None:
            worst = max(worst, 1 + one.busy)
        elif not one.holds:
            worst = max(worst, one.response / one.deadline - 1)
    return worst or Fraction(1, 1000)  # a chain


def problem_of(
    system: System, cores: int, judges: Planner, allowed: Sequence[frozenset[int]] | None = None
) -> tuple[Problem, tuple[tuple[int, ...], ...]]:
    """The problem of dividing `system`, and the tasks of each of its items."""
    units = together(system)
    every = frozenset(range(cores))
    item_of = {task: at for at, unit in enumerate(units) for task in unit}
    items = []
    demanding = {id(task) for task in system.demanding}
    for unit in units:
        tasks = [system.all_tasks[at] for at in unit]
        share = sum(
            ((one.wcet or 0) * one.rate for one in tasks if id(one) in demanding), Fraction(0)
        )
        may = every
        if allowed is not None:
            may = may.intersection(*(allowed[at] for at in unit))
        if not may:
            names = ", ".join(one.name for one in tasks[:4])
            raise HorologError(
                f"system {system.name}: tasks that have to be on one core may be on none together",
                place=tasks[0].place,
                found=names,
                expected="a core that all of them may have",
            )
        items.append(Item(share, may, len(unit)))
    floor = _floor(system, judges)
    least, commons = _of_threads(system, item_of, floor) if floor else (Fraction(0), [])

    def asked(of: Callable[[tuple[int, ...], int], Answer], part: Part, core: int) -> Answer:
        return of(tuple(sorted(task for at in part for task in units[at])), core)

    return Problem(
        items=tuple(items),
        kinds=_kinds(judges.part_of, cores, units[0]),
        judge=partial(asked, judges.judged),
        screen=partial(asked, judges.screened),
        least=least,
        commons=(*_commons(system, item_of, floor.instant if floor else Fraction(1)), *commons),
        bounded=floor is not None,
    ), units


def _floor(system: System, judges: Planner) -> Floor | None:
    if judges.by_interrupts:
        return Floor(Fraction(1), Fraction(0))
    if system.has_basic:
        return None
    return floor_of(system, judges.prices)


def _of_threads(
    system: System, item_of: dict[int, int], floor: Floor
) -> tuple[Fraction, list[Common]]:
    """What jobs cost at least: on any core, and on each core with a task of those that may share a thread.

    Tasks share one if they are on one core (analyse/sharing.py). Each task then costs a body, and the thread
    what a job costs beyond that.
    """
    body = min(floor.job, floor.body)
    least = Fraction(0)
    threads: dict[object, list[int]] = {}
    for at, task in enumerate(system.tasks):
        least += task.rate * body
        if task.shares and _moves(task):
            continue  # it may become part of any thread
        key = (rank(system, at), task.period, task.offset) if task.shares else at
        threads.setdefault(key, []).append(at)
    commons = [
        Common(
            system.tasks[tasks[0]].rate * (floor.job - body),
            frozenset(item_of[at] for at in tasks),
        )
        for tasks in threads.values()
        if floor.job > body
    ]
    return least, commons


def _moves(task: Task) -> bool:
    """Whether the user lets the plan move its releases."""
    return bool(task.jitter) or task.least_period is not None


def _commons(system: System, item_of: dict[int, int], instant: Fraction) -> Iterator[Common]:
    """Sets of items that are released at one instant, by what an instant costs.

    Instants that are no whole counts, or that may move, may fall on those of others: they are left out.
    """
    hz = system.board.clock.hz
    rows: dict[tuple[int, int], set[int]] = {}
    for stream in streams(system):
        period, offset = stream.period * hz, stream.offset * hz
        whole = period.denominator == 1 and offset.denominator == 1
        tasks = [task for task in stream.tasks if not _moves(system.tasks[task])]
        if whole and tasks:
            key = period.numerator, offset.numerator % period.numerator
            rows.setdefault(key, set()).update(item_of[task] for task in tasks)
    items = list(rows.values())
    prices: dict[Part, Fraction] = {}
    for of_rows, density in instant_sets(list(rows)).items():
        found = frozenset[int]().union(*(items[row] for row in of_rows))
        prices[found] = prices.get(found, Fraction(0)) + density * hz * instant
    for found, price in prices.items():
        if price:
            yield Common(price, found)


def _kinds(part_of: PartOf, cores: int, tasks: tuple[int, ...]) -> tuple[int, ...]:
    """By core, the first core with cells that are alike, in the same order, and the same interrupts."""
    first: dict[tuple[object, ...], int] = {}
    found = []
    for core in range(cores):
        part = part_of(tasks, core)
        cells = tuple(
            replace(part.board.cell(name), name="", instance=0, handler="") for name in part.cells
        )
        found.append(first.setdefault((cells, part.interrupts), core))
    return tuple(found)
