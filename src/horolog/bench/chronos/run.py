# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runs the campaign: every point, the kernel of zero cost beside it, and the breakdown workloads.

Two firmwares at a time, each in a folder of its own way, so that a kernel is compiled once there. What has
been measured by the same sources and tools is not measured again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import TypeVar

from horolog.bench.chronos.cache import Cache
from horolog.bench.chronos.ideal import first_miss, ideal_tasks, most_work
from horolog.bench.chronos.points import Row, measure_point
from horolog.bench.chronos.results import Breakdown, Ideals, Results
from horolog.bench.chronos.sets import (
    FACTORS,
    SCENARIOS,
    WAYS,
    Point,
    Variant,
    scenario,
    system_of,
    ways_of,
)
from horolog.read import read_board
from horolog.run.freertos import freertos_source, freertos_version
from horolog.run.programs import version

__all__ = ["CASES", "TURN", "WORKERS", "measure_chronos", "points_of", "quick_points"]

WORKERS = 2
TURN = 2
"""Instructions of a turn of the work loop."""

CASES = tuple(
    Point(name, factor, Variant.CONTINUOUS, "", tasks)
    for name in ("low", "harmonic-low")
    for factor, tasks in ((1, 100), (5, 400), (10, 400))
)
"""Where the breakdown workload is looked for; `way` and `work` are to be filled in."""

_QUICK_WAYS = ("freertos", "tickless", "chronos", "planner")
_STEP = 20  # points between two words of progress
Say = Callable[[str], None]
_Asked = TypeVar("_Asked")
_Answer = TypeVar("_Answer")


def points_of() -> list[Point]:
    """All points of the campaign."""
    return [
        Point(of.name, factor, variant, way.name)
        for of in SCENARIOS
        for variant in Variant
        for factor in FACTORS
        for way in ways_of(of)
    ]


def quick_points() -> list[Point]:
    """A few of them, to see that the bench works."""
    return [
        point
        for point in points_of()
        if point.scenario == "low" and point.factor == 2 and point.way in _QUICK_WAYS
    ]


def measure_chronos(
    out: Path, say: Say, *, quick: bool = False, points: Sequence[Point] | None = None
) -> Results:
    """Measure everything below the folder `out`, or a few points with `quick`, or `points`.

    HorologError (3) if a tool is missing, (4) if a firmware fails. Only a whole run has breakdowns.
    """
    board = read_board("mps2-an385")
    bench = _Bench(out)
    whole = points is None and not quick
    wanted = list(points) if points is not None else quick_points() if quick else points_of()
    rows = bench.rows(wanted, say)
    source = freertos_source()
    return Results(
        rows=tuple(rows),
        ideals=_ideals(rows),
        breakdowns=tuple(bench.breakdowns(say)) if whole else (),
        freertos=None if source is None else freertos_version(source),
        platform=f"{board.title}, QEMU {version('qemu-system-arm')}",
        toolchain=f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}",
        quick=not whole,
    )


class _Bench:
    """Measures points, two at a time, or takes them from the cache."""

    def __init__(self, out: Path) -> None:
        self._folder = out / "lanes"
        self._cache = Cache(out / "cache")
        self._lanes: SimpleQueue[int] = SimpleQueue()
        for lane in range(WORKERS):
            self._lanes.put(lane)

    def rows(self, points: Sequence[Point], say: Say) -> list[Row]:
        """The row of each of `points`, in their order."""
        return self._all(self.row, points, say, "points")

    def breakdowns(self, say: Say) -> list[Breakdown]:
        """Of every case: zero cost, then every way."""
        stubs = {case: self._stub(case) for case in CASES}
        ideals = {
            case: most_work(system_of(replace(case, way="planner")), TURN, stubs[case])
            for case in CASES
        }
        searches = [(replace(case, way=way.name), ideals[case]) for case in CASES for way in WAYS]
        found = self._all(lambda search: self._search(*search), searches, say, "breakdowns", step=4)
        rows = []
        for case in CASES:
            rows.append(Breakdown(replace(case, way="ideal"), ideals[case]))
            rows += [one for one in found if replace(one.point, way="", work=None) == case]
        return rows

    def row(self, point: Point) -> Row:
        """One point, measured or known."""
        known = self._cache.get(point)
        if known is not None:
            return known
        lane = self._lanes.get()
        try:
            row = measure_point(point, self._folder / f"{lane}-{point.way}")
        finally:
            self._lanes.put(lane)
        self._cache.put(row)
        return row

    def _stub(self, case: Point) -> int:
        """Instructions of a body beside its turns."""
        row = self.row(replace(case, way="planner", work=1))
        stub = Fraction(row.bodies, row.jobs) - TURN
        assert stub.denominator == 1, "bodies of one work differ"
        return int(stub)

    def _search(self, point: Point, most: int) -> Breakdown:
        """Halves between what holds and what does not; nobody is better than zero cost, `most`."""
        low, high = 0, most + 1
        best: Row | None = None
        while high - low > 1:
            middle = (low + high) // 2
            row = self.row(replace(point, work=middle))
            if row.holds:
                low, best = middle, row
            else:
                high = middle
        if best is None:
            return Breakdown(point, None)
        return Breakdown(best.point, low, best.per_job)

    def _all(
        self,
        answer: Callable[[_Asked], _Answer],
        asked: Sequence[_Asked],
        say: Say,
        what: str,
        step: int = _STEP,
    ) -> list[_Answer]:
        """The answers, in order, with words of progress; the first error ends what has not begun."""
        lock, done = Lock(), [0]

        def one(question: _Asked) -> _Answer:
            found = answer(question)
            with lock:
                done[0] += 1
                if done[0] % step == 0 or done[0] == len(asked):
                    say(f"{done[0]:,} of {len(asked):,} {what}")
            return found

        with ThreadPoolExecutor(WORKERS) as pool:
            try:
                return list(pool.map(one, asked))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


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
        holds, more = (
            first_miss(*ideal_tasks(system, each * tenths / 10)) is None for tenths in (10, 11)
        )
        found[place] = Ideals(holds, more)
    return found
