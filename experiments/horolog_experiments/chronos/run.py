# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runs the campaign: every point, the kernel of zero cost beside it, and the breakdown workloads.

Two processes, each with a folder for every method, so that a kernel is compiled once there. What has been
measured by the same sources and tools is not measured again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from horolog.build.freertos import freertos_source, freertos_version
from horolog.read import read_board
from horolog_experiments.chronos.ideal import first_miss, ideal_tasks, most_work
from horolog_experiments.chronos.points import Row, measure_point
from horolog_experiments.chronos.results import Breakdown, Ideals, Results
from horolog_experiments.chronos.sets import (
    FACTORS,
    METHODS,
    SCENARIOS,
    Point,
    Variant,
    methods_of,
    scenario,
    system_of,
)
from horolog_experiments.harness import Kept
from horolog_experiments.harness.tools import compiler, platform

__all__ = ["CASES", "TURN", "WORKERS", "kept_rows", "measure_chronos", "points_of", "quick_points"]

WORKERS = 2
TURN = 2
"""Instructions of a turn of the work loop."""

CASES = tuple(
    Point(name, factor, Variant.CONTINUOUS, "", tasks)
    for name, factor, tasks in (
        ("low", 1, 100),
        ("low", 5, 400),
        ("low", 10, 400),
        ("harmonic-low", 1, 100),
    )
)
"""Where the breakdown workload is looked for; `method` and `work` are to be filled in."""

_QUICK_METHODS = ("freertos", "tickless", "gcd-tick", "chronos", "planner", "basic")
Say = Callable[[str], None]


def points_of() -> list[Point]:
    """All points of the campaign."""
    return [
        Point(of.name, factor, variant, method.name)
        for of in SCENARIOS
        for variant in Variant
        for factor in FACTORS
        for method in methods_of(of)
    ]


def quick_points() -> list[Point]:
    """A few of them, to see that the bench works."""
    return [
        point
        for point in points_of()
        if point.scenario == "low" and point.factor == 2 and point.method in _QUICK_METHODS
    ]


def measure_chronos(
    out: Path,
    say: Say,
    *,
    quick: bool = False,
    points: Sequence[Point] | None = None,
    workers: int = WORKERS,
) -> Results:
    """Measure everything below the folder `out`, or a few points with `quick`, or `points`.

    HorologError (3) if a tool is missing, (4) if a firmware fails. Only a whole run has breakdowns. With
    one worker no process is started.
    """
    board = read_board("mps2-an385")
    whole = points is None and not quick
    wanted = list(points) if points is not None else quick_points() if quick else points_of()
    with _bench(out, workers) as bench:
        rows = _rows(bench, wanted, say)
        found = _breakdowns(bench, say) if whole else []
    source = freertos_source()
    return Results(
        rows=tuple(rows),
        ideals=_ideals(rows),
        breakdowns=tuple(found),
        freertos=None if source is None else freertos_version(source),
        platform=platform(board),
        toolchain=compiler(),
        quick=not whole,
    )


def kept_rows(folder: Path) -> Kept[Row]:
    """The rows that are kept below `folder`, of the sources and tools that are here."""
    own = [Path(__file__).parent / name for name in ("points.py", "sets.py")]
    return Kept(folder, Row, "mps2-an385", own)


class _Worker:
    """Measures points one after the other, in folders of its own, or takes them from what is kept."""

    def __init__(self, kept: Kept[Row], folder: Path, lane: int) -> None:
        self._kept = kept
        self._folder = folder
        self._lane = lane

    def row(self, point: Point) -> Row:
        """One point, measured or known."""
        known = self._kept.get(point)
        if known is not None:
            return known
        row = measure_point(point, self._folder / f"{self._lane}-{point.method}")
        self._kept.put(point, row)
        return row

    def search(self, point: Point, most: int) -> Breakdown:
        """Search down from `most`, which a kernel of zero cost holds, to what holds; then by halving."""
        low, high, step = 0, most + 1, max(1, most // 16)
        best: Row | None = None
        while high - low > 1:
            middle = (low + high) // 2 if best else max(1, high - step)
            row = self.row(replace(point, work=middle))
            if row.feasible:
                low, best = middle, row
            else:
                high, step = middle, 2 * step
        if best is None:
            return Breakdown(point, None)
        return Breakdown(best.point, low, best.per_job)


_HERE: list[_Worker] = []
"""The worker of this process, once it has begun."""


def _begin(kept: Kept[Row], folder: Path, lanes: Any) -> None:
    _HERE[:] = [_Worker(kept, folder, lanes.get())]


def _place(points: Sequence[Point]) -> list[Row]:
    return [_HERE[0].row(point) for point in points]


def _search(question: tuple[Point, int]) -> Breakdown:
    return _HERE[0].search(*question)


_Map = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]


@contextmanager
def _bench(out: Path, workers: int) -> Iterator[_Map]:
    """A map over so many processes, or within this one; the answers come in order."""
    kept, folder = kept_rows(out / "cache"), out / "lanes"
    if workers == 1:
        _HERE[:] = [_Worker(kept, folder, 0)]
        yield map
        return
    context = get_context("spawn")
    lanes = context.Queue()
    for lane in range(workers):
        lanes.put(lane)
    pool = ProcessPoolExecutor(workers, context, _begin, (kept, folder, lanes))
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


def _rows(bench: _Map, points: Sequence[Point], say: Say) -> list[Row]:
    """The row of each of `points`, in their order; all methods of a place by one worker, which plans once."""
    places: dict[Point, list[Point]] = {}
    for point in points:
        places.setdefault(replace(point, method=""), []).append(point)
    found: dict[Point, Row] = {}
    for rows in bench(_place, list(places.values())):
        found.update((row.point, row) for row in rows)
        say(f"{len(found):,} of {len(points):,} points")
    return [found[point] for point in points]


def _breakdowns(bench: _Map, say: Say) -> list[Breakdown]:
    """The breakdowns of every case: zero cost, then every method."""
    cases = list(CASES)
    probes = [replace(case, method="planner", work=1) for case in cases]
    stubs = [_stub(row) for (row,) in bench(_place, [[probe] for probe in probes])]
    most = [
        most_work(system_of(probe), TURN, stub) for probe, stub in zip(probes, stubs, strict=True)
    ]
    asked = [
        (replace(case, method=method.name), limit)
        for case, limit in zip(cases, most, strict=True)
        for method in METHODS
    ]
    answers = []
    for answer in bench(_search, asked):
        answers.append(answer)
        say(f"{len(answers)} of {len(asked)} breakdown workloads")
    found = []
    for nth, (case, limit) in enumerate(zip(cases, most, strict=True)):
        found.append(Breakdown(replace(case, method="ideal"), limit))
        found += answers[nth * len(METHODS) : (nth + 1) * len(METHODS)]
    return found


def _stub(row: Row) -> int:
    """Instructions of a body beside its turns; `row` is of one turn a job."""
    stub = Fraction(row.bodies, row.jobs) - TURN
    assert stub.denominator == 1, "bodies of one work differ"
    return int(stub)


def _ideals(rows: Iterable[Row]) -> dict[tuple[str, int, Variant], Ideals]:
    """The kernel of zero cost at every point that was measured."""
    instructions: dict[str, Fraction] = {}
    places = {}
    for row in rows:
        point = row.point
        places[point.scenario, point.factor, point.variant] = point
        if row.state == "measured" and row.misses == 0:
            instructions.setdefault(point.scenario, Fraction(row.bodies, row.jobs))
    found = {}
    for place, point in places.items():
        each = instructions.get(point.scenario, Fraction(TURN * scenario(point.scenario).work))
        system = system_of(point)
        feasible, more = (
            first_miss(*ideal_tasks(system, each * tenths / 10)) is None for tenths in (10, 11)
        )
        found[place] = Ideals(feasible, more)
    return found
