# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems for the experiment `analysis`, and what the kernel and the devices do in their runs.

A case depends on its number, its board and the seed alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import Chain, Interrupt, Kind, Place, Resource, System, Task
from horolog.model.plan import BASIC_MECHANISMS, MECHANISMS
from horolog.read import read_system
from horolog.read.distributions import AUTOMOTIVE_SHARES
from horolog_experiments.analysis.untimed import Untimed, with_bursts, with_untimed
from horolog_experiments.irregular.families import example_task
from horolog_experiments.planner.families import Draw

__all__ = ["BOARDS", "DEEP", "WINDOWS", "Case", "case_of", "factor_case", "system_of"]

_MS, _US = Fraction(1, 10**3), Fraction(1, 10**6)
_MECHANISMS = {Kind.THREAD: MECHANISMS, Kind.BASIC: BASIC_MECHANISMS}
_PERIODS = tuple(ms for ms, share in AUTOMOTIVE_SHARES.items() for _ in range(share))
_BEHIND = Fraction(1, 20_000)  # 50 us: so much after the least urgent task the others are released
_FIRST_LINE = 9  # of the host port's, for the application
BOARDS = ("host", "mps2-an385", "ibex-cells")
WINDOWS = {"host": Fraction(1, 2), "mps2-an385": Fraction(1, 4), "ibex-cells": Fraction(1, 50)}
"""Seconds that a system runs. On ibex-cells, where a second takes minutes, periods are a 20th as long."""
_SHORTER = {"ibex-cells": 20}
_MOST_TASKS = {"host": 100, "mps2-an385": 100, "ibex-cells": 16}
DEEP = 50
"""One case in so many is searched for long."""


@dataclass(frozen=True, slots=True)
class Case:
    """One system. `load` in percent, without the kernel, interrupts and resources.

    `offsets`: "none", "random", or "behind": all tasks but the least urgent come just after it. `jitter`:
    releases may move. `interrupt_counts` and `job_counts`: what the kernel takes, on the host port.
    """

    number: int
    board: str
    kind: str
    mechanism: str
    n: int
    offsets: str
    jitter: bool
    load: int
    family: str = "uniform"  # of periods; or "automotive"
    resources: int = 0
    interrupts: int = 0
    chains: int = 0
    interrupt_counts: int = 0
    job_counts: int = 0
    sporadic: int = 0
    servers: int = 0
    bursts: bool = False  # some interrupts come in bursts

    @property
    def untimed(self) -> int:
        """How many of its tasks time does not release."""
        return self.sporadic + self.servers

    @property
    def text(self) -> str:
        """What its draws depend on: what was added later only where there is any of it, and no bursts."""
        of = {field.name: getattr(self, field.name) for field in fields(self)}
        del of["bursts"]
        if not self.untimed:
            del of["sporadic"], of["servers"]
        return f"Case({', '.join(f'{name}={value!r}' for name, value in of.items())})"


def case_of(number: int, board: str, seed: int = 0) -> Case:
    """The case of that number: kinds, mechanisms and offsets in turn."""
    draw = Draw(f"analysis {seed} {board} {number}")
    kind = (Kind.THREAD, Kind.BASIC)[number % 2]
    host = board == "host"
    n = min(draw.within(5, 1 << draw.within(3, 7)), _MOST_TASKS[board])
    found = Case(
        number,
        board,
        kind.value,
        _MECHANISMS[kind][number // 2 % len(_MECHANISMS[kind])],
        n,
        ("none", "random", "none", "behind")[number // 2 % 4],
        draw.below(4) == 0,
        draw.within(30, 95),
        ("uniform", "automotive")[draw.below(2)],
        chains=draw.below(3),
    )
    more = Draw(f"analysis untimed {seed} {board} {number}")
    if more.below(4) == 0:
        found = replace(
            found,
            n=min(n, 40),
            sporadic=more.within(1, 4),
            servers=more.within(0, 2) if kind is Kind.THREAD else 0,
        )
    if not host:
        return found
    return replace(
        found,
        bursts=more.below(2) == 0,
        resources=draw.below(3) if kind is Kind.BASIC else 0,
        interrupts=draw.below(4) if draw.below(2) else 0,
        interrupt_counts=draw.within(20, 400),
        job_counts=draw.within(20, 400),
    )


def factor_case(number: int, seed: int = 0) -> Case:
    """A synchronous system on the host port, without resources and interrupts: bodies alone may grow."""
    case = case_of(number, "host", seed)
    draw = Draw(f"factor {seed} {number}")
    kept = replace(
        case,
        offsets="none",
        jitter=False,
        resources=0,
        interrupts=0,
        chains=0,
        sporadic=0,
        servers=0,
        bursts=False,
    )
    return replace(kept, load=draw.within(20, 70), n=min(case.n, 40))


def system_of(case: Case, seed: int = 0, bodies: Path | None = None) -> System:
    """The system of `case`, the load divided as UUniFast does (Bini and Buttazzo 2005).

    `bodies`: the file that has the bodies of tasks with resources.
    """
    example = read_system(
        data_root() / "examples" / "engine-control" / "system.toml", board=case.board
    )
    draw = Draw(f"analysis {seed} {case.text}")
    cuts = sorted(draw.below(10**6) for _ in range(case.n + case.untimed - 1))
    shares = [b - a for a, b in zip([0, *cuts], [*cuts, 10**6], strict=True)]
    shorter = _SHORTER.get(case.board, 1)
    tasks = []
    for at, share in enumerate(shares[: case.n]):
        ms = draw.one_of(_PERIODS) if case.family == "automotive" else draw.within(2, 100)
        period = ms * _MS / shorter
        time_of = period * share * case.load / 10**8
        work = max(1, int(time_of / (example.board.work_ns / 10**9)))
        one = example_task(example, f"task.{at}", period, work=work)
        jitter = period / 20 if case.jitter and draw.below(2) else Fraction(0)
        tasks.append(replace(one, kind=Kind(case.kind), jitter=jitter))
    tasks = [
        replace(one, offset=_offset(case, draw, one, at, tasks)) for at, one in enumerate(tasks)
    ]
    resources = _resources(case, draw, tasks)
    for resource in resources:
        for at, hold in resource.users:
            assert hold is not None
            wcet = (tasks[at].wcet or Fraction(0)) + hold
            tasks[at] = replace(tasks[at], wcet=wcet, work=None, body=f"body_{at}")
    interrupts = _interrupts(case, draw, example)
    if case.bursts:
        interrupts = with_bursts(interrupts, Draw(f"bursts {seed} {case.text}"))
    found = replace(
        example,
        name=f"analysis-{case.number}",
        tasks=tuple(tasks),
        duration=WINDOWS[case.board],
        resources=tuple(resources),
        interrupts=tuple(interrupts),
        chains=tuple(_chains(case, draw)),
        sources=(bodies.resolve(),) if bodies is not None and resources else (),
    )
    if not case.untimed:
        return found
    of = [Fraction(share * case.load, 10**8) for share in shares[case.n :]]
    asked = Untimed(case.sporadic, case.servers, case.board == "host", shorter)
    return with_untimed(found, asked, of, Draw(f"untimed {seed} {case.text}"))


def _offset(case: Case, draw: Draw, task: Task, at: int, tasks: list[Task]) -> Fraction:
    if case.offsets == "random":
        offset = draw.below(10) * task.period / 10
        return Fraction(int(offset / (10 * _US))) * 10 * _US
    if case.offsets == "behind":
        last = max(range(len(tasks)), key=lambda one: (tasks[one].period, one))
        return Fraction(0) if at == last else min(_BEHIND, task.period / 4)
    return Fraction(0)


def _resources(case: Case, draw: Draw, tasks: list[Task]) -> list[Resource]:
    """Each task uses one resource at most, from the begin of its job; a least urgent one uses the first."""
    free = sorted(range(len(tasks)), key=lambda one: (tasks[one].period, one))
    found = []
    for number in range(case.resources):
        if len(free) < 2:
            break
        users = {free.pop()} | {
            free.pop(draw.below(len(free))) for _ in range(draw.within(1, min(3, len(free))))
        }
        holds = tuple(_MS * draw.within(10, 150) / 500 for _ in users)
        found.append(Resource(f"shared_{number}", tuple(sorted(users)), Place("drawn"), holds))
    return found


def _interrupts(case: Case, draw: Draw, example: System) -> list[Interrupt]:
    found = []
    for number in range(case.interrupts):
        work = draw.within(100, 2000)
        found.append(
            Interrupt(
                f"device.{number}",
                _FIRST_LINE + number,
                draw.within(1, 7),
                draw.within(300, 5000) * 10 * _US,
                work * example.board.work_ns / 10**9,
                None,
                work,
                Place("drawn"),
            )
        )
    return found


def _chains(case: Case, draw: Draw) -> list[Chain]:
    found = []
    for number in range(case.chains):
        left = list(range(case.n))
        tasks = tuple(left.pop(draw.below(len(left))) for _ in range(draw.within(2, 4)))
        found.append(Chain(f"chain.{number}", tasks, Fraction(10), Fraction(10), Place("drawn")))
    return found
