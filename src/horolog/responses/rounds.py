# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a dispatcher table leaves of its round to all that runs below it, at least.

The table's jobs, and the interrupts at their levels and above, come at known offsets of the round and run
before anything else: whatever their order, the processor is free of them where no work of theirs is left.
Jobs take their WCETs and what the kernel takes for them, as in the bounds of responses. Where they take less,
more is free: an instant that is free with the longest jobs is free with shorter ones.

A release that may come early is counted as one that comes so much earlier and takes so much longer.
Interrupts that come at no known offset (the application's, the clock's, those of periods that do not divide
the round) are taken off as often as a round can hold them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from horolog.analyse import in_mode, in_shortest_rounds
from horolog.model import DispatcherTable, System
from horolog.responses.analysis import Analysis
from horolog.responses.telling import ms_text
from horolog.schedulability import Source

__all__ = ["RoundLeft", "free_of", "longest_of", "round_data", "round_text", "rounds_left"]


@dataclass(frozen=True, slots=True)
class RoundLeft:
    """Of a round of `table`, in seconds. `left` and `longest` None: a WCET of its tasks is missing."""

    table: DispatcherTable
    left: Fraction | None  # to all below the table, at least
    longest: (
        Fraction | None
    )  # of it in one stretch, at least; a stretch may go on in the next round
    needed: Fraction  # by all below the table, on the average of many rounds, at most
    needed_known: bool  # no WCET of a task below is missing
    shortened: bool = False  # it is as short as a global time may make it


def rounds_left(system: System, analysis: Analysis) -> tuple[RoundLeft, ...]:
    """Of each dispatcher table of the `system` that was analysed."""
    if analysis.modes:
        sync = None if system.control is None else system.control.sync
        shortest = [in_shortest_rounds(table, sync) for table in system.tables]
        return tuple(
            replace(one, shortened=one.table.round < table.round)
            for table, short, mode in zip(system.tables, shortest, analysis.modes, strict=True)
            for one in rounds_left(in_mode(system, short), mode)
        )
    demanded = analysis.demanded
    found = []
    for table in system.tables:
        tabled = {point.task for point in table.points}
        sources = demanded.demand.sources
        own = [one for one in sources if any(end.task in tabled for end in one.ends)]
        if not own:  # without points
            continue
        lowest = min(one.level for one in own)
        above = [one for one in sources if not one.ends and one.level >= lowest]
        rest = [one for one in sources if one not in own and one not in above]
        whole = int(table.round * demanded.unit)  # rounded down, as the phases below are
        needed = sum((Fraction(one.cost * whole, one.period) for one in rest), Fraction(0))
        left, longest = None, None
        if tabled.isdisjoint(demanded.unknown):
            left, longest = _left(whole, (*own, *above), demanded.unit)
        found.append(
            RoundLeft(
                table,
                left,
                longest,
                needed / demanded.unit,
                not set(demanded.unknown) - tabled,
            )
        )
    return tuple(found)


def free_of(of_round: int, work: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The begins and ends of what `work` leaves of a round that repeats, in order.

    Work is (offset, length); an offset may be negative, or behind the round's end. Lindley's recursion: what
    is left of it at the end of one round stands at the begin of the next. The second round is like all that
    follow if the work of a round is no longer than the round; else nothing is free in the second, either.
    """
    in_order = sorted((offset % of_round, length) for offset, length in work if length)
    backlog = 0
    for _ in range(2):
        now, found = 0, list[tuple[int, int]]()
        for offset, length in (*in_order, (of_round, 0)):
            if now + backlog < offset:
                found.append((now + backlog, offset))
            backlog = max(0, now + backlog - offset) + length
            now = offset
    return tuple(found)


def longest_of(of_round: int, free: Sequence[tuple[int, int]]) -> int:
    """The longest stretch of `free`; one that reaches the round's end goes on at the begin of the next."""
    lengths = [end - begin for begin, end in free]
    if len(free) > 1 and free[0][0] == 0 and free[-1][1] == of_round:
        lengths.append(lengths[0] + lengths[-1])
    return max(lengths, default=0)


def _left(whole: int, sources: Sequence[Source], unit: int) -> tuple[Fraction, Fraction]:
    """What `sources` leave of a round of `whole` units, and the longest stretch of it, in seconds."""
    work: list[tuple[int, int]] = []
    anywhere = 0
    for one in sources:
        instants = _instants(whole, one)
        if instants is None:
            anywhere += one.arrivals(whole) * one.cost
        else:
            work += [(at - one.early, one.cost + one.early) for at in instants]
    free = free_of(whole, work)
    left = sum(end - begin for begin, end in free) - anywhere
    longest = longest_of(whole, free) - anywhere
    return Fraction(max(0, left), unit), Fraction(max(0, longest), unit)


def _instants(whole: int, one: Source) -> set[int] | None:
    """The instants of the round at which `one` comes; None: they are not known."""
    if one.offset is None or one.late or one.lag:
        return None
    streams = one.streams or ((one.period, one.offset),)
    if any(whole % period for period, _ in streams):
        return None
    return {
        (offset + number * period) % whole
        for period, offset in streams
        for number in range(whole // period)
    }


def round_text(one: RoundLeft) -> str:
    """What is left of a round, in a line."""
    if one.left is None or one.longest is None:
        return f"{one.table.name}: not known what it leaves, as WCETs of its tasks are missing"
    percent = floor(10_000 * one.left / one.table.round) / 100
    needs = ms_text(one.needed)
    of = ms_text(one.table.round) + " ms" + " in the shortest round" * one.shortened
    return (
        f"{one.table.name}: of {of} at least {ms_text(one.left, up=False)} ms "
        f"({percent:.2f} %) are left, up to {ms_text(one.longest, up=False)} ms of it in one stretch; what "
        f"runs below needs {'' if one.needed_known else 'at least '}{needs} ms a round on average"
    )


def round_data(one: RoundLeft) -> dict[str, Any]:
    """For --json. Times are nanoseconds, rounded to the safe side."""

    def down(seconds: Fraction | None) -> int | None:
        return None if seconds is None else floor(seconds * 10**9)

    return {
        "table": one.table.name,
        "round_ns": down(one.table.round),
        "left_ns": down(one.left),
        "longest_ns": down(one.longest),
        "needed_ns": ceil(one.needed * 10**9),
        "needed_known": one.needed_known,
    }
