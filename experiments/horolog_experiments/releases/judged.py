# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Requests and entries of one run beside the nominal instants of its cells.

What a run has seen is a file as watch/watch.h describes it. Where the simulator shows when a cell
requests its interrupt, each request is compared with its instant, to the count. Elsewhere the entries
that found the processor idle stand for the requests: the emulator takes no time to enter a handler.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

__all__ = ["Judged", "Nominal", "Seen", "Time", "judged", "read_log", "seen_of"]

_EARLY = 2
"""Counts before its instant from which on an entry is the instant's: HRLP_CELL_EARLY_COUNTS."""


@dataclass(frozen=True, slots=True)
class Time:
    """How steps of a log become counts: so many steps and counts a second."""

    steps_hz: Fraction
    hz: int
    count_bits: int = 32  # of the clock's count that stand in the log
    at_start: int = 0  # the step in which the clock is 0, where the log does not say it
    requests: bool = True  # whether the log has requests
    quiet: Fraction = Fraction(0)  # seconds without an event: the processor is idle
    slack: int = 0  # counts by which the emulator's own timer may be late

    @property
    def units(self) -> tuple[int, int]:
        """Units of a count, and of a step, in whole numbers."""
        return self.steps_hz.numerator, self.hz * self.steps_hz.denominator

    @property
    def quiet_steps(self) -> int:
        """`quiet` in steps."""
        return int(self.quiet * self.steps_hz)

    def counts(self, steps: int) -> Fraction:
        """So many counts last as long as `steps`."""
        return steps * self.hz / self.steps_hz


@dataclass(slots=True)
class Seen:
    """What a log holds. Events are entries, begins and ends of jobs, in order."""

    start: int | None = None
    requests: dict[int, list[tuple[int, int]]] = field(
        default_factory=dict
    )  # by source: step, count
    entries: dict[int, array[int]] = field(default_factory=dict)  # by number: steps
    events: array[int] = field(default_factory=lambda: array("q"))
    open_jobs: array[int] = field(default_factory=lambda: array("h"))  # behind each event


def read_log(path: Path) -> Seen:
    """What the file of a run says."""
    with path.open(encoding="ascii") as lines:
        return seen_of(line.split() for line in lines)


def seen_of(lines: Iterable[Sequence[str]]) -> Seen:
    """The same of lines that are split into words: step, letter, index, and of a request the count."""
    seen, jobs = Seen(), 0
    for step, kind, index, *count in lines:
        at, of = int(step), int(index)
        if kind == "Q":
            seen.requests.setdefault(of, []).append((at, int(count[0])))
            continue
        if kind == "C":
            seen.start = at
            continue
        if kind == "I":
            seen.entries.setdefault(of, array("q")).append(at)
        jobs += (kind == "S") - (kind == "E")
        seen.events.append(at)
        seen.open_jobs.append(jobs)
    return seen


@dataclass(frozen=True, slots=True)
class Nominal:
    """One cell: its instants in counts since the clock's start, ascending, and where it stands in a log."""

    instants: Sequence[int]
    source: int | None  # of its requests
    entry: int  # of its handler's entries


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one cell.

    `releases`: instants that were judged, all if there are requests, else those that found the processor
    idle. `off`: of these, those whose request was a count or more off, or did not come; `worst_off` is
    the largest, in counts. `entered`: entries that found the processor idle; `late` of these entered
    later than the bound; `worst_late` is the latest, in counts. `others`: requests, or entries, for no
    instant: of hops, of the clock.
    """

    instants: int
    releases: int
    off: int
    worst_off: Fraction
    entered: int
    late: int
    worst_late: Fraction
    others: int


def judged(seen: Seen, cell: Nominal, time: Time, bound: Fraction) -> Judged:
    """`cell` by what was `seen`; `bound` in counts is how late its handler may enter."""
    start = time.at_start if seen.start is None else seen.start
    if time.requests:
        return _by_requests(seen, cell, time, bound, start)
    return _by_entries(seen, cell, time, bound, start)


def _by_requests(seen: Seen, cell: Nominal, time: Time, bound: Fraction, start: int) -> Judged:
    assert cell.source is not None
    found: dict[int, tuple[int, int]] = {}  # by index of the instant: off by, step
    others = 0
    for step, count in seen.requests.get(cell.source, []):
        full = _full(count, time, step - start)
        at = _nearest(cell.instants, full)
        off = full - cell.instants[at]
        if at in found:
            others += 1
        if at not in found or abs(off) < abs(found[at][0]):
            found[at] = off, step
    number = len(cell.instants)
    offs = {at: off for at, (off, _) in found.items() if off}
    entries = seen.entries.get(cell.entry, array("q"))
    lates = []
    for off, step in found.values():
        entry = bisect_left(entries, step)
        if not off and entry < len(entries) and _is_quiet(seen, time, step, entries[entry]):
            lates.append(entries[entry] - step)
    return Judged(
        instants=number,
        releases=number,
        off=len(offs) + number - len(found),
        worst_off=Fraction(max(offs.values(), key=abs, default=0)),
        entered=len(lates),
        late=sum(time.counts(late) > bound for late in lates),
        worst_late=time.counts(max(lates, default=0)),
        others=others,
    )


def _by_entries(seen: Seen, cell: Nominal, time: Time, bound: Fraction, start: int) -> Judged:
    """An entry that is seen an instruction late, or by what the emulator's timer is, is not off by that."""
    entries = seen.entries.get(cell.entry, array("q"))
    a_count = 1 + time.counts(1) + time.slack
    unit, step_units = time.units
    found: list[int] = []  # how late, in units of a count
    lost, used = 0, set()
    for instant in cell.instants:
        early = start + (instant - _EARLY) * unit // step_units
        entry = bisect_left(entries, early)
        if entry == len(entries):
            lost += 1
            continue
        used.add(entry)
        if _is_quiet(seen, time, early, entries[entry]):
            found.append((entries[entry] - start) * step_units - instant * unit)
    off = [late for late in found if abs(late) >= a_count * unit]
    return Judged(
        instants=len(cell.instants),
        releases=len(found) + lost,
        off=len(off) + lost,
        worst_off=Fraction(max(off, key=abs, default=0), unit),
        entered=len(found),
        late=sum(late > (bound + time.slack) * unit for late in found),
        worst_late=Fraction(max(found, default=0), unit),
        others=len(entries) - len(used),
    )


def _full(count: int, time: Time, steps: int) -> int:
    """The whole count, of which `count` are the lower bits, so many steps after the clock's start."""
    turn = 1 << time.count_bits
    unit, step_units = time.units
    about = steps * step_units // unit
    return about + (count - about + turn // 2) % turn - turn // 2


def _nearest(instants: Sequence[int], count: int) -> int:
    at = bisect_left(instants, count)
    near = [one for one in (at - 1, at) if 0 <= one < len(instants)]
    return min(near, key=lambda one: abs(instants[one] - count))


def _is_quiet(seen: Seen, time: Time, since: int, entry: int) -> bool:
    """Whether nothing has happened from long before `since` up to `entry`, and no job is open."""
    last = bisect_left(seen.events, entry) - 1
    if last < 0:
        return True
    return seen.open_jobs[last] == 0 and since - seen.events[last] >= time.quiet_steps
