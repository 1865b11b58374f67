# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what each call of each delay queue costs on a board, by the number of tasks: its curves.

The firmware is that of `horolog bench queues` (bench/queues/firmware), at the kernel's own -O2; the
workloads are ladders, one for each shape of workload that the planner tells apart: one period; a base
period and its multiples; the automotive distribution; CHRONOS's distribution; tasks with distinct release
instants.
Deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.analyse import Stream, tree_walk, wheel_walk
from horolog.calibrate.images import build_images, run_image
from horolog.calibrate.workloads import OPERATIONS, Case, automotive_counts
from horolog.measure.probe import compiled_plugin
from horolog.model import QUEUES, Board
from horolog.plan import Curve, Point
from horolog.plan.instants.interrupts import instants_of
from horolog.plan.prediction.predict import mean_walks
from horolog.plan.prices.curves import Over

__all__ = [
    "BY_DEPTH",
    "BY_INSTANT",
    "BY_SLOT",
    "BY_WALK",
    "LADDER",
    "Calls",
    "curve_of",
    "ladder_cases",
    "measure_calls",
    "nodes_passed",
    "over_of",
    "slot_walk_of",
    "slot_walks",
    "without_walks",
    "streams_of",
]

LADDER = (1, 2, 5, 10, 20, 50, 85, 100, 200, 500, 1000, 1500)
"""Numbers of tasks that curves are measured at."""

BY_WALK = ("sorted-list", "delta-list", "bucket")
"""Queues with an insertion that passes nodes one by one: their curves run over the nodes passed.

A bucket does so in its sorted part.
"""

BY_DEPTH = ("binary-tree",)
"""Queues with an insertion that passes as many nodes as their tree is deep, which is simulated."""

BY_SLOT = ("timing-wheel",)
"""Queues with slots that are sorted: their curves run over tasks, less what is passed, which is simulated."""

BY_INSTANT = ("calendar",)
"""Queues that keep the tasks of one instant together: their curves run over the jobs at an instant."""

_SAME_MS = 10
_NEAR_MS = tuple(3 * factor for factor in range(1, 11))  # as one releaser of CHRONOS serves
_MANY_MS = tuple(sorted({base * factor for base in (3, 5, 7, 11) for factor in range(1, 11)}))
_END_MS = 1000  # of `wide`, the automotive distribution, a hyperperiod
# Periods of `distinct`: 0.5 to 64 ms, as many in each octave.
_DISTINCT_NS, _DISTINCT_OCTAVES = 500_000, 7
_DISTINCT_END_MS, _DISTINCT_MOST = (100, 1000), 500  # tasks: beyond, the last line goes on
# The deepest trees that are simulated whole; beyond, the last line goes on, as each node costs the same.
_DEPTH_MOST, _DEPTH_HZ, _DEPTH_NODES = 200, 10**9, 1 << 24
_WHEEL_BITS, _WHEEL_STEPS = 15, 1 << 22  # the slots of bench/queues/firmware
_GOLDEN, _PLASTIC = 2654435769, 3242174889  # 2^32 / 1.6180..., 2^32 / 1.3247...


@dataclass(frozen=True, slots=True)
class Calls:
    """Average instructions of one call each, by one queue on one workload."""

    insert: Fraction
    first: Fraction
    pop: Fraction

    @property
    def job(self) -> Fraction:
        """Instructions of the three calls of a job."""
        return self.insert + self.first + self.pop


def ladder_cases() -> dict[str, tuple[Case, ...]]:
    """The workloads of each shape, by the number of tasks."""
    return {
        "same": tuple(_case("same", ((_SAME_MS, n),), 2 * _SAME_MS) for n in LADDER),
        "near": tuple(_case("near", _dealt(_NEAR_MS, n), _END_MS) for n in LADDER),
        "wide": tuple(_case("wide", automotive_counts(n), _END_MS) for n in LADDER),
        "many": tuple(_case("many", _dealt(_MANY_MS, n), _END_MS) for n in LADDER),
        "distinct": tuple(_distinct(n) for n in LADDER if n <= _DISTINCT_MOST),
    }


def _case(shape: str, groups: Iterable[tuple[int, int]], end_ms: int) -> Case:
    used = tuple((ms, tasks) for ms, tasks in groups if tasks)
    return Case(shape, sum(tasks for _, tasks in used), groups=used, end_ms=end_ms)


def _distinct(tasks: int) -> Case:
    """Tasks of which hardly two are due together: periods spread over some octaves, and an offset each."""
    pairs = []
    for task in range(1, tasks + 1):
        period = round(_DISTINCT_NS * 2 ** (_DISTINCT_OCTAVES * _spread(task, _GOLDEN)))
        pairs.append((period, int(period * _spread(task, _PLASTIC))))
    end_ms = min(max(10**5 // tasks // 2, _DISTINCT_END_MS[0]), _DISTINCT_END_MS[1])
    return Case("distinct", tasks, end_ms=end_ms, single=tuple(sorted(pairs)))


def _spread(index: int, step: int) -> float:
    """In [0, 1), evenly over any run of indices: multiples of `step` / 2^32, without their whole parts."""
    return float(index * step % 2**32) / 2**32


def _dealt(periods_ms: Sequence[int], tasks: int) -> list[tuple[int, int]]:
    """`tasks` dealt out evenly over the periods."""
    counts = [0] * len(periods_ms)
    for task in range(tasks):
        counts[task * len(periods_ms) // tasks] += 1
    return list(zip(periods_ms, counts, strict=True))


def streams_of(case: Case) -> list[Stream]:
    """The tasks of a case, by period."""
    if case.single:
        return [
            Stream(Fraction(1000, 10**12 // ns), Fraction(offset, 10**9), (task,))  # to a mHz
            for task, (ns, offset) in enumerate(case.single)
        ]
    return [
        Stream(Fraction(ms, 1000), Fraction(0), tuple(range(tasks)))
        for ms, tasks in sorted(case.groups)
    ]


def nodes_passed(case: Case) -> Fraction:
    """Nodes that an insertion into a sorted list passes in `case`, on average over its jobs."""
    of = streams_of(case)
    rates = [len(stream.tasks) / stream.period for stream in of]
    passed = sum(
        (rate * walk for rate, walk in zip(rates, mean_walks(of), strict=True)), Fraction(0)
    )
    return passed / sum(rates)


def over_of(queue: str) -> Over:
    """What the curves of `queue` run over."""
    if queue in BY_INSTANT:
        return "together"
    if queue in BY_DEPTH:
        return "depth"
    return "passed" if queue in BY_WALK else "waiting"


def curve_of(cases: Sequence[Case], calls: Sequence[Calls], over: Over) -> Curve:
    """The curve through what was measured; of points at one x the first stands."""
    points: dict[Fraction, Point] = {}
    for case, cost in zip(cases, calls, strict=True):
        x = Fraction(case.tasks)
        if over == "passed":
            x = nodes_passed(case)
        elif over == "depth":
            if case.tasks > _DEPTH_MOST:
                continue
            x = _depth(case)
        elif over == "together" and not case.single:
            x = _jobs_at_an_instant(case)
        points.setdefault(x, Point(x, cost.insert, cost.first, cost.pop))
    return Curve(tuple(points[x] for x in sorted(points)))


def slot_walks(cases: Sequence[Case], hz: int) -> list[Fraction]:
    """Nodes that an insertion into the firmware's timing wheel passes in each case, on average.

    `hz`: of the clock.
    """
    return [
        wheel_walk(
            tuple(streams_of(case)),
            hz,
            case.end_ms * hz // 1000,
            groups=False,
            bits=_WHEEL_BITS,
            steps=_WHEEL_STEPS,
        )
        for case in cases
    ]


def slot_walk_of(costs: Sequence[Fraction], walks: Sequence[Fraction]) -> Fraction:
    """What passing a node costs: the slope between the two longest walks; nothing if that falls."""
    (low, less), (high, more) = sorted(zip(walks, costs, strict=True))[-2:]
    return max(Fraction(0), (more - less) / (high - low))


def without_walks(
    calls: Sequence[Calls], walks: Sequence[Fraction], slot_walk: Fraction
) -> list[Calls]:
    """`calls`, less what their insertions pass."""
    return [
        replace(one, insert=one.insert - slot_walk * walk)
        for one, walk in zip(calls, walks, strict=True)
    ]


def _depth(case: Case) -> Fraction:
    """Nodes that an insertion into a binary tree passes, on average over the whole case."""
    counts = case.end_ms * _DEPTH_HZ // 1000
    return tree_walk(tuple(streams_of(case)), _DEPTH_HZ, counts, groups=False, steps=_DEPTH_NODES)


def _jobs_at_an_instant(case: Case) -> Fraction:
    """Jobs released at an instant, on average."""
    of = streams_of(case)
    jobs = sum((len(stream.tasks) / stream.period for stream in of), Fraction(0))
    return jobs / instants_of(of, 1000, 0)[0].rate


def measure_calls(
    board: Board, cases: Sequence[Case], out: Path, say: Callable[[str], None]
) -> Mapping[str, tuple[Calls, ...]]:
    """For each of QUEUES what its calls cost in each of `cases`; builds and runs below `out`."""
    say(f"building {len(QUEUES)} queues")
    binaries = build_images(board, [_stem(store) for store in QUEUES], cases, out)
    plugin = compiled_plugin("horolog_calls")

    def run(store: str) -> tuple[Calls, ...]:
        say(f"curves of {store}: {len(cases)} workloads")
        return _calls(run_image(board, binaries / f"O2_{_stem(store)}.elf", plugin), len(cases))

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(QUEUES, pool.map(run, QUEUES), strict=True))


def _calls(
    found: Mapping[tuple[int, str], tuple[int, int, int, int]], cases: int
) -> tuple[Calls, ...]:
    def average(case: int, operation: str) -> Fraction:
        calls, _, _, total = found[case, operation]
        return Fraction(total, calls)

    return tuple(Calls(*[average(case, o) for o in OPERATIONS]) for case in range(cases))


def _stem(store: str) -> str:
    return store.replace("-", "_")
