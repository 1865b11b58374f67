# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is measured: the scenarios of CHRONOS, section VII, as systems, and the kernels and mechanisms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from horolog.data import data_root
from horolog.model import Kind, Overrun, System
from horolog.read import read_system
from horolog.read.distributions import periods_of
from horolog.read.schema import DistributionName

__all__ = [
    "BASES_MS",
    "FACTORS",
    "RELEASES",
    "SCENARIOS",
    "STRONGER",
    "TASKS",
    "Point",
    "Scenario",
    "Variant",
    "METHODS",
    "Method",
    "seed_of",
    "scenario",
    "system_of",
    "method",
    "methods_of",
]

TASKS = 100
FACTORS = tuple(range(1, 16))
RELEASES = 5
BASES_MS = (3, 5, 7, 11)
_CONTINUOUS_S = 2
_STUB_NS = 16 * 32  # what a body executes beside its turns, at most


class Variant(Enum):
    """How long the tasks run; the values are for people."""

    FIVE = "five releases"
    CONTINUOUS = "continuous"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One of the paper's scenarios. `single`: all on one cell, with a period that stays 1 ms."""

    name: str
    title: str
    figure: int  # the paper's
    distribution: DistributionName
    work: int
    single: bool = False

    @property
    def harmonic(self) -> bool:
        """Whether the set is a union of as many harmonic chains as there are cells."""
        return self.distribution == "chronos-harmonic"


SCENARIOS = (
    Scenario("low", "Non-harmonic, low", 6, "chronos", 1_000),
    Scenario("high", "Non-harmonic, high", 7, "chronos", 10_000),
    Scenario("single", "Harmonic, single timer", 8, "chronos-harmonic", 100, single=True),
    Scenario("harmonic-low", "Harmonic, low", 9, "chronos-harmonic", 1_000),
    Scenario("harmonic-high", "Harmonic, high", 10, "chronos-harmonic", 10_000),
)


@dataclass(frozen=True, slots=True)
class Method:
    """A kernel and how it releases. `mechanism` None: the planner chooses; `queue` None, too.

    With `tickless` not None it is FreeRTOS; `slowest`: with as slow a tick as its periods allow;
    `grouped`: with a FreeRTOS task for each rate. `basic`: all tasks are basic tasks, which no other
    method has; `shared`: those share threads that may, as the tool's defaults have it.
    """

    name: str
    title: str
    mechanism: str | None = None
    queue: str | None = None
    tickless: bool | None = None
    slowest: bool = False
    grouped: bool = False
    basic: bool = False
    shared: bool = False

    @property
    def freertos(self) -> bool:
        """Whether it is a baseline."""
        return self.tickless is not None


_BASELINES = (
    Method("freertos", "FreeRTOS", tickless=False),
    Method("tickless", "FreeRTOS tickless", tickless=True),
    Method("gcd-tick", "FreeRTOS with a gcd tick", tickless=False, slowest=True),
    Method("rate-group", "FreeRTOS in rate groups", tickless=False, grouped=True),
    Method(
        "rate-group-gcd",
        "FreeRTOS in rate groups, gcd tick",
        tickless=False,
        slowest=True,
        grouped=True,
    ),
)
STRONGER = {
    "tickless": "tickless FreeRTOS",
    "gcd-tick": "FreeRTOS with a tick at the gcd",
    "rate-group": "FreeRTOS in rate groups",
    "rate-group-gcd": "FreeRTOS in rate groups with a tick at the gcd",
}
"""The baselines that stand beside the stock one, by method."""
_PLANNER = Method("planner", "planner's choice")
_SHARED = Method("shared", "planner's choice, shared threads", shared=True)
_BASIC = Method("basic", "planner's choice, basic tasks", basic=True)
METHODS = (
    *_BASELINES,
    Method("tick", "tick", "tick"),
    Method("one-shot", "one-shot", "one-shot"),
    Method("chronos", "chronos", "chronos", "sorted-list"),
    Method("const", "chronos-const", "chronos-const"),
    Method("harmonic", "chronos-harmonic", "chronos-harmonic"),
    _PLANNER,
    _SHARED,
    _BASIC,
)
_SINGLE_METHODS = (
    *_BASELINES,
    Method("tick", "tick", "tick"),
    Method("one-shot", "one-shot", "one-shot"),
    Method("const", "tick, unsorted list", "tick", "unsorted-list"),
    Method("harmonic", "tick, harmonic arrays", "tick", "harmonic-array"),
    _PLANNER,
    _SHARED,
    _BASIC,
)


@dataclass(frozen=True, slots=True)
class Point:
    """One run: a scenario at a period factor, under one method. `work` is the scenario's unless given."""

    scenario: str
    factor: int
    variant: Variant
    method: str
    tasks: int = TASKS
    work: int | None = None


def scenario(name: str) -> Scenario:
    """The scenario of SCENARIOS called `name`; StopIteration if there is none."""
    return next(one for one in SCENARIOS if one.name == name)


def methods_of(of: Scenario) -> tuple[Method, ...]:
    """In the order in which they are shown."""
    return _SINGLE_METHODS if of.single else METHODS


def method(of: Scenario, name: str) -> Method:
    """The method of methods_of(`of`) called `name`; StopIteration if there is none."""
    return next(one for one in methods_of(of) if one.name == name)


def seed_of(distribution: DistributionName, tasks: int = TASKS) -> int:
    """The first seed with which each base itself is a period: else the cells' periods are others."""
    wanted = {Fraction(ms, 1000) for ms in BASES_MS}
    seed = 0
    while not wanted <= set(periods_of(distribution, tasks, seed)):
        seed += 1
    return seed


def system_of(point: Point) -> System:
    """The system of `point`: examples/chronos with other periods, work and end, and maybe basic tasks.

    Unlike systems that are read, it may be overloaded. A late job is not left out but done late, as under
    FreeRTOS, but for tasks that share threads: these have a thread each in the paper, and by no other
    method than the shared one do they share.
    """
    of = scenario(point.scenario)
    example = read_system(data_root() / "examples" / "chronos" / "system.toml")
    board = example.board
    work = of.work if point.work is None else point.work
    wcet = (work * board.work_ns + _STUB_NS) / 10**9
    how = method(of, point.method) if point.method else Method("", "")
    basic, shared = how.basic, how.shared
    periods = periods_of(of.distribution, point.tasks, seed_of(of.distribution, point.tasks))
    tasks = tuple(
        replace(
            example.tasks[0],
            name=f"task.{index}",
            period=period * point.factor,
            deadline=period * point.factor,
            work=work,
            wcet=wcet,
            overrun=Overrun.SKIP if shared else Overrun.QUEUE,
            kind=Kind.BASIC if basic else Kind.THREAD,
            shares=shared,
        )
        for index, period in enumerate(periods)
    )
    five = point.variant is Variant.FIVE
    longest = max(task.period for task in tasks)
    return replace(
        example,
        name="chronos-bench",
        cells=example.cells[:1] if of.single else example.cells,
        tasks=tasks,
        duration=RELEASES * longest if five else Fraction(_CONTINUOUS_S),
        releases=RELEASES if five else None,
    )
