# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Geometry of a dispatcher table's round: a lane for each task, as the paper on SLOTH ON TIME draws it.

Places and widths are percents of the round, so that the page stretches lanes and leaves marks round. A job
is a bar, pale where others preempt it; its point is a circle, its deadline a cross. The last lane is the
time that no task of the table uses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from horolog.analyse import Stretch, dispatched_round, free_stretches
from horolog.figures import plural
from horolog.model import DispatcherTable, System
from horolog.read.units import about_duration_text, duration_text
from horolog.report.pictures import Tick, time_ticks
from horolog.trace import Job, Round, Segment

__all__ = [
    "Bar",
    "Corrections",
    "Lane",
    "Mark",
    "RoundPicture",
    "corrections",
    "measured_round",
    "planned_round",
]

_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Bar:
    """What happens for a while.

    `kind`: "ours" of a job that runs, "wait" of one that is preempted, "late" behind its deadline; "free" of
    the time that the table leaves, "soft" of what runs in it.
    """

    at: float
    width: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point or a deadline."""

    at: float
    title: str


@dataclass(frozen=True, slots=True)
class Lane:
    """One task of the table, or what the table leaves."""

    label: str
    note: str
    bars: tuple[Bar, ...]
    points: tuple[Mark, ...]
    deadlines: tuple[Mark, ...]
    runs: Fraction  # seconds of the round
    words: str  # the lane in words, for readers without the picture


@dataclass(frozen=True, slots=True)
class RoundPicture:
    """A round of `table`. `number` of the run's `rounds`, from 1, was measured; None: by WCETs.

    A correction to a global time has made it `longer`, in seconds. `begin` is when it began, of a table that
    the application controls.
    """

    table: DispatcherTable
    lanes: tuple[Lane, ...]  # the highest level first
    left: Lane
    ticks: tuple[Tick, ...]
    number: int | None = None
    rounds: int = 0
    longer: Fraction = Fraction(0)
    begin: Fraction | None = None


class _Piece(NamedTuple):
    """What a job, or something below the table, does for a while; seconds from the start of the round."""

    task: int
    begin: Fraction
    end: Fraction
    kind: str
    job: str  # "#2", or what else to call it


def planned_round(system: System, table: DispatcherTable) -> RoundPicture | None:
    """The round if all jobs take their WCETs, and the kernel no time; None if a WCET is not known."""
    longest = {}
    for point in table.points:
        wcet = system.tasks[point.task].wcet
        if not wcet:
            return None
        longest[point.task] = wcet
    stretches = dispatched_round(table, longest)
    pieces = [
        piece
        for one in stretches
        for piece in _split(table, one.task, one.begin, one.end, one.runs, *_limit_of(table, one))
    ]
    free = free_stretches(table.round, stretches)
    return _picture(system, table, pieces, free, ())


def measured_round(
    system: System,
    table: DispatcherTable,
    due: Sequence[Job],
    ran: Sequence[Segment],
    rounds: Sequence[Round] | None = None,
) -> RoundPicture | None:
    """The measured round in which the tasks of `table` ran for longest; None if no whole round was measured.

    `due` and `ran`: the jobs of the run, and when each of them ran. `rounds` are those of its trace.
    """
    tabled = {point.task for point in table.points}
    spans = _spans(system, table, rounds)
    busy: dict[int, Fraction] = defaultdict(Fraction)
    for one in ran:
        for number, begin, end in _by_round(spans, one) if one.task in tabled else ():
            busy[number] += end - begin
    whole = [number for number in range(len(spans)) if busy[number]]
    if not whole:
        return None
    shown = max(whole, key=lambda number: (busy[number], -number))
    inside: dict[int, list[tuple[Fraction, Fraction]]] = defaultdict(list)
    for one in ran:
        inside[one.task] += [(a, b) for number, a, b in _by_round(spans, one) if number == shown]
    pieces = []
    start, end = spans[shown].begin, spans[shown].end
    for job in due:
        if job.task in tabled and job.start_ns is not None and job.end_ns is not None:
            pieces += _pieces_of(table, job, start, inside[job.task])
    stretches = [Stretch(p.task, 0, p.begin, p.end, True) for p in pieces if p.kind != "wait"]
    others = [
        _Piece(task, a, b, "soft", "")
        for task, spans_of in inside.items()
        if task not in tabled
        for a, b in spans_of
    ]
    free = free_stretches(min(table.round, end - start), stretches)
    found = _picture(system, table, pieces, free, others)
    return RoundPicture(
        table,
        found.lanes,
        found.left,
        found.ticks,
        shown + 1,
        len(spans),
        spans[shown].longer,
        None if rounds is None else start,
    )


class _Span(NamedTuple):
    """A whole round of the run, in seconds after t = 0, and by how much a correction has made it longer."""

    begin: Fraction
    end: Fraction
    longer: Fraction = Fraction(0)


def _spans(system: System, table: DispatcherTable, rounds: Sequence[Round] | None) -> list[_Span]:
    """The whole rounds of `table` in the window, in order."""
    length = table.round
    if system.control is None:
        every = int(system.duration / length)
        return [_Span(number * length, (number + 1) * length) for number in range(every)]
    found = []
    for at, one in enumerate(rounds or ()):
        if system.tables[one.table] is not table:
            continue
        begin = Fraction(one.begin, system.board.clock.hz)
        longer = _longer(system, (rounds or ())[at : at + 2])
        if begin + length + longer <= system.duration:
            found.append(_Span(begin, begin + length + longer, longer))
    return found


def _longer(system: System, rounds: Sequence[Round]) -> Fraction:
    """By how much the first of two rounds lasted longer than its table says, in seconds; negative: shorter.

    A table that was stopped begins again within a correction only if the application starts it so.
    """
    if len(rounds) < 2 or system.control is None or system.control.sync is None:
        return Fraction(0)
    hz, sync = system.board.clock.hz, system.control.sync
    by = Fraction(rounds[1].begin - rounds[0].begin, hz) - system.tables[rounds[0].table].round
    return by if -sync.maximum_advance <= by <= sync.maximum_retard else Fraction(0)


@dataclass(frozen=True, slots=True)
class Corrections:
    """What following a global time has done to the rounds of a run: a bar for each round that it changed."""

    bars: tuple[
        Bar, ...
    ]  # width in percent of the picture, which has all rounds one beside the other
    heights: tuple[float, ...]  # of each bar, in percent of the largest; negative: shorter
    text: str


def corrections(system: System, rounds: Sequence[Round] | None) -> Corrections | None:
    """The corrections of a run; None if its tables follow no global time, or no round began."""
    if system.control is None or system.control.sync is None or not rounds:
        return None
    changes = [_longer(system, rounds[at : at + 2]) for at in range(len(rounds))]
    most = max(map(abs, changes))
    changed = [(at, by) for at, by in enumerate(changes) if by]
    words = [
        f"{len(some)} {how}, by up to {about_duration_text(max(map(abs, some)))}"
        if (some := [by for by in changes if by * sign > 0])
        else f"none {how}"
        for sign, how in ((1, "longer"), (-1, "shorter"))
    ]
    return Corrections(
        tuple(
            Bar(
                _percent(Fraction(len(changes)), Fraction(at)),
                _percent(Fraction(len(changes)), Fraction(1)),
                "ours" if by > 0 else "soft",
                f"round {at + 1}: {about_duration_text(abs(by))} {'longer' if by > 0 else 'shorter'}",
            )
            for at, by in changed
        ),
        tuple(_percent(most, by) for _, by in changed),
        f"of {plural(len(changes), 'round')} the global time made {', and '.join(words)}",
    )


def _by_round(spans: Sequence[_Span], one: Segment) -> Iterable[tuple[int, Fraction, Fraction]]:
    """`one` as (number in `spans`, begin, end), in seconds from the start of the round."""
    begin, end = Fraction(one.start_ns, _NS), Fraction(one.end_ns, _NS)
    number = max(0, bisect_right(spans, begin, key=lambda span: span.begin) - 1)
    while number < len(spans) and spans[number].begin < end:
        start, behind = spans[number].begin, spans[number].end
        if behind > begin:
            yield number, max(begin - start, Fraction(0)), min(end, behind) - start
        number += 1


def _pieces_of(
    table: DispatcherTable,
    job: Job,
    start: Fraction,
    ran: Sequence[tuple[Fraction, Fraction]],
) -> list[_Piece]:
    """What `job` did in the round from `start` on; `ran`: when its task did."""
    assert job.start_ns is not None
    assert job.end_ns is not None
    begin, end = Fraction(job.start_ns, _NS) - start, Fraction(job.end_ns, _NS) - start
    release = job.release_ns / _NS - start
    limit = release + job.deadline
    nth = f"#{job.number}"
    found: list[_Piece] = []
    now = max(begin, Fraction(0))
    for a, b in [(max(a, begin), min(b, end)) for a, b in ran if a < end and b > begin]:
        if a > now:
            found += _split(table, job.task, now, a, False, limit, nth)
        found += _split(table, job.task, a, b, True, limit, nth)
        now = b
    if now < min(end, table.round):
        found += _split(table, job.task, now, min(end, table.round), False, limit, nth)
    return found


def _limit_of(table: DispatcherTable, one: Stretch) -> tuple[Fraction, str]:
    """When the job of `one` is late, in the time of its round, and what to call it."""
    point = table.points[one.point]
    of_task = [at for at, other in enumerate(table.points) if other.task == one.task]
    nth = f"#{of_task.index(one.point)}"
    release = point.offset if one.begin >= point.offset else point.offset - table.round
    if point.deadline is not None:
        return release + point.deadline, nth
    behind = [table.points[at].offset for at in of_task if table.points[at].offset > point.offset]
    following = behind[0] if behind else table.points[of_task[0]].offset + table.round
    return release + following - point.offset, nth


def _split(
    table: DispatcherTable,
    task: int,
    begin: Fraction,
    end: Fraction,
    runs: bool,
    limit: Fraction,
    job: str,
) -> Iterable[_Piece]:
    """A stretch as pieces: what lies behind the deadline at `limit` apart."""
    kind = "ours" if runs else "wait"
    if begin < limit:
        yield _Piece(task, begin, min(end, limit), kind, job)
    if end > limit:
        yield _Piece(task, max(begin, limit), end, "late" if runs else "wait", job)


def _picture(
    system: System,
    table: DispatcherTable,
    pieces: Sequence[_Piece],
    free: Sequence[tuple[Fraction, Fraction]],
    others: Sequence[_Piece],
) -> RoundPicture:
    first = {point.task: point.offset for point in reversed(table.points)}
    order = sorted(first, key=lambda t: (-(system.tasks[t].table_level or 0), first[t], t))
    lanes = tuple(
        _lane(system, table, task, [p for p in pieces if p.task == task]) for task in order
    )
    return RoundPicture(table, lanes, _left(system, table, free, others), time_ticks(table.round))


def _lane(system: System, table: DispatcherTable, task: int, pieces: Sequence[_Piece]) -> Lane:
    own = [point for point in table.points if point.task == task]
    of = system.tasks[task]
    name, percent = of.name, partial(_percent, table.round)
    runs = sum((p.end - p.begin for p in pieces if p.kind != "wait"), Fraction(0))
    deadlines = []
    for point in own:
        if point.deadline is not None:
            at = point.offset + point.deadline
            behind = ", in the next round" if at > table.round else ""
            at -= table.round if at > table.round else 0
            deadlines.append(Mark(percent(at), f"deadline of {name}: {_time(at)}{behind}"))
    did = {"ours": "runs", "wait": "is preempted", "late": "runs, late"}
    bars = tuple(
        Bar(
            percent(p.begin),
            percent(p.end - p.begin),
            p.kind,
            f"{name} {p.job} {did[p.kind]}: {_span(p.begin, p.end)}",
        )
        for p in sorted(pieces, key=lambda p: (p.kind != "wait", p.begin))
    )
    spans = ", ".join(_span(p.begin, p.end) for p in pieces if p.kind != "wait")
    preempted = sum(p.kind == "wait" for p in pieces)
    late = ", late" if any(p.kind == "late" for p in pieces) else ""
    return Lane(
        label=name,
        note=f"level {of.table_level}, {plural(len(own), 'point')}",
        bars=bars,
        points=tuple(
            Mark(percent(point.offset), f"point of {name}: {_time(point.offset)}") for point in own
        ),
        deadlines=tuple(deadlines),
        runs=runs,
        words=f"{name}: {plural(len(own), 'point')}, runs {spans or 'never'}{late}, is preempted "
        f"{plural(preempted, 'time')}",
    )


def _left(
    system: System,
    table: DispatcherTable,
    free: Sequence[tuple[Fraction, Fraction]],
    others: Sequence[_Piece],
) -> Lane:
    percent = partial(_percent, table.round)
    bars = [Bar(percent(a), percent(b - a), "free", f"free: {_span(a, b)}") for a, b in free]
    bars += [
        Bar(
            percent(p.begin),
            percent(p.end - p.begin),
            "soft",
            f"{system.tasks[p.task].name} runs: {_span(p.begin, p.end)}",
        )
        for p in others
    ]
    said = ", ".join(_span(a, b) for a, b in free) or "none"
    return Lane(
        label="time left",
        note="threads, other tasks, idle",
        bars=tuple(bars),
        points=(),
        deadlines=(),
        runs=sum((b - a for a, b in free), Fraction(0)),
        words=f"left by the table: {said}",
    )


def _percent(whole: Fraction, seconds: Fraction) -> float:
    return round(float(100 * seconds / whole), 3)


def _time(seconds: Fraction) -> str:
    """To the microsecond, as a place in a picture is no more exact."""
    return duration_text(Fraction(round(seconds * 1_000_000), 1_000_000)) if seconds else "0"


def _span(begin: Fraction, end: Fraction) -> str:
    return f"{_time(begin)} to {_time(end)}"
