# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The issue's target table beside what was measured, and what is not built yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from horolog_experiments.dispatch.memory import total
from horolog_experiments.dispatch.scenarios import (
    MAXPERF,
    OURS,
    PLATFORMS,
    SMALL,
    Platform,
    Span,
)
from horolog_experiments.dispatch.targets import parts_words
from horolog_experiments.harness import Found, Target, number
from horolog_experiments.tables.holds import HELD, HOST, MISSED, Held
from horolog_experiments.tables.rates import RATE
from horolog_experiments.tables.results import Results
from horolog_experiments.tables.rows import Row, deadline_rows, ours_of
from horolog_experiments.tables.scenarios import (
    PAST_WORDS,
    Monitor,
    budget_name,
    keeping_name,
    minimal_name,
    table_name,
    uneven_name,
)
from horolog_experiments.tables.schedules import (
    CELLS,
    COUNTERS,
    IN_CELLS,
    STORE,
    activation_name,
)
from horolog_experiments.tables.sync import PRECISION, Following

__all__ = ["TARGETS"]

_CYCLES = "cycles"
_MHZ = 50
_LARGEST = 5
_COUNTS_A_MS = 25_000  # of the host port's clock
_IN_WORDS = ("without a deadline", "with 1 deadline", "with 2 deadlines")


def _worst(platform: Platform, rows: Sequence[Row], span: Span) -> Callable[[Results], Found]:
    """The longest of these rows."""

    def find(results: Results) -> Found:
        found = {
            row: one for row in rows if (one := ours_of(results, platform, row, span)) is not None
        }
        if not found:
            return _refused(results, platform.board, [row.scenario for row in rows])
        said = [f"{_title(row)}: {one.worst}" for row, one in found.items()]
        row, worst = max(found.items(), key=lambda item: item[1].worst)
        made_of = results.parts.get((platform.name, OURS, row.scenario, span), ())
        if made_of:
            said.append(f"the worst is made of {parts_words(made_of)}")
        without = replace(row, monitor=Monitor.NONE)
        least = ours_of(results, platform, without, span)
        if span is Span.END and row.deadlines and least is not None:
            moves = worst.worst - least.worst
            said.append(f"{moves} of them to move the comparison of the cell that monitors")
        return Found(worst.worst, "; ".join(said))

    return find


def _title(row: Row) -> str:
    few = f", {row.points} points a round" if row.points > 1 and not row.deadlines else ""
    return PAST_WORDS[row.past] + few


def _refused(results: Results, board: str, names: Iterable[str]) -> Found:
    """Why there is no figure of these systems."""
    reasons = {results.refused[board, name] for name in names if (board, name) in results.refused}
    return Found(None, f"not measured: {'; '.join(sorted(reasons))}") if reasons else Found(None)


def _adds(span: Span) -> Callable[[Results], Found]:
    """What two deadlines of a task that one cell monitors add to a job, the most of all interrupted code."""

    def find(results: Results) -> Found:
        added = {}
        for past, words in PAST_WORDS.items():
            without, with_two = (
                results.span(MAXPERF.name, OURS, table_name(past, 2, monitor), span)
                for monitor in (Monitor.NONE, Monitor.OWN)
            )
            if without is not None and with_two is not None:
                added[words] = with_two.worst - without.worst
        if not added:
            return Found(None)
        said = ", ".join(f"{words} {cycles}" for words, cycles in added.items())
        return Found(
            max(added.values()),
            f"a task with 2 deadlines in a round, which one cell monitors, less the same without: {said}; "
            "the deadlines are evenly spaced; one cell monitors all if those of a task are not",
        )

    return find


def _moving(results: Results) -> Found:
    """What points that are not evenly spaced add to a job, at both ends, the most of all interrupted code."""
    added = {}
    for past, words in PAST_WORDS.items():
        both = []
        for span in (Span.START, Span.END):
            even, moved = (
                results.span(MAXPERF.name, OURS, name, span)
                for name in (table_name(past, 2, Monitor.NONE), uneven_name(past))
            )
            if even is not None and moved is not None:
                both.append(moved.worst - even.worst)
        if len(both) == 2:
            added[words] = both
    if not added:
        return Found(None)
    said = ", ".join(f"{words} {start} + {end}" for words, (start, end) in added.items())
    return Found(
        max(start + end for start, end in added.values()),
        "a task with 2 points in a round that are not evenly spaced, whose cell is moved from one to the "
        f"next, less the same with even steps, at the start + at the end of a job: {said}; even steps take "
        "one periodic cell, and add nothing",
    )


def _budget(results: Results) -> Found:
    """What a budget that holds adds to a job, at its start and its end: the most of all jobs and all
    interrupted code.
    """
    said, worst = [], []
    for words, names in _BUDGETED.items():
        added = {
            past_words: both
            for past, past_words in PAST_WORDS.items()
            if (both := _added(results, *names(past))) is not None
        }
        if added:
            worst.append(max(sum(both) for both in added.values()))
            costs = ", ".join(f"{past} {start} + {end}" for past, (start, end) in added.items())
            said.append(f"{words}: {costs}")
    if not worst:
        return Found(None)
    return Found(
        max(worst),
        f"at the start + at the end of a job that its budget may end; {'; '.join(said)}; what comes into the "
        "job takes nothing for it, as the cell's group follows the task's line",
    )


_BUDGETED: Mapping[str, Callable[[str], tuple[str, str]]] = {
    "one that changes all registers that calls keep, and may take a resource": lambda past: (
        keeping_name(past, budget=False),
        keeping_name(past, budget=True),
    ),
    "one that changes none, and takes none": lambda past: (
        table_name(past, 1, Monitor.NONE),
        budget_name(past),
    ),
}
"""Jobs, and the scenarios without a budget and with it, by the interrupted code."""


def _added(results: Results, lacks: str, has: str) -> tuple[int, int] | None:
    """By how much the start and the end of a job take longer in the second of two scenarios."""
    found = []
    for span in (Span.START, Span.END):
        lack, have = (results.span(MAXPERF.name, OURS, name, span) for name in (lacks, has))
        if lack is None or have is None:
            return None
        found.append(have.worst - lack.worst)
    start, end = found
    return start, end


def _frequency(results: Results) -> Found:
    cycles = results.rates.get((MAXPERF.name, RATE.name))
    if cycles is None:
        return Found(None)
    others = [
        f"{platform.title}: {results.rates[platform.name, RATE.name]} cycles"
        for platform in PLATFORMS
        if (platform.name, RATE.name) in results.rates
    ]
    return Found(
        Fraction(_MHZ, cycles),
        f"the shortest round without a lost activation in 1,000; {', '.join(others)}; the board's "
        "description refuses rounds below its min_counts of 250: the search is below the tool",
    )


def _memory(memory: str) -> Callable[[Results], Found]:
    """The worst of the boards, each with what the tool chooses there; the largest of its symbols."""

    def find(results: Results) -> Found:
        ours = {
            platform.board: found
            for platform in PLATFORMS
            if (found := results.memory.get((platform.board, minimal_name(platform)))) is not None
        }
        if not ours:
            return Found(None)
        said = []
        for board, pieces in ours.items():
            some = [
                one for one in pieces if one.part == "kernel" and one.memory in (memory, "both")
            ]
            largest = sorted(some, key=lambda one: -one.bytes)[:_LARGEST]
            words = ", ".join(f"`{one.name}` {one.bytes}" for one in largest)
            said.append(f"{total(pieces, 'kernel', memory):,} on {board}, of that {words}")
        worst = max(total(pieces, "kernel", memory) for pieces in ours.values())
        return Found(worst, "; ".join(said))

    return find


_BY_A_TABLE = {
    Span.START: (
        "the point's cell activates a thread; by a table on a clock counter, of which the alarm finds what "
        "is due, steps the table, and is set again, {clock}; made of"
    ),
    Span.END: (
        "the thread waits for its next activation, and the interrupted one goes on; by a table on a clock "
        "counter {clock}; made of"
    ),
}


def _thread_to_thread(span: Span) -> Callable[[Results], Found]:
    """By a schedule table in cells; beside it by one on the clock."""

    def find(results: Results) -> Found:
        name = activation_name("thread", "thread", CELLS)
        one = results.span(MAXPERF.name, OURS, name, span)
        clock = results.span(MAXPERF.name, OURS, activation_name("thread", "thread"), span)
        if one is None or clock is None:
            return Found(None)
        made_of = parts_words(results.parts.get((MAXPERF.name, OURS, name, span), ()))
        return Found(one.worst, f"{_BY_A_TABLE[span].format(clock=clock.worst)} {made_of}")

    return find


def _call(call: str) -> Callable[[Results], Found]:
    """The longest of the tables in cells; beside it those on counters, and on the other platforms."""

    def find(results: Results) -> Found:
        some = [results.calls.get((MAXPERF.name, counter, call)) for counter in IN_CELLS]
        worst = max((one.worst for one in some if one is not None), default=None)
        if worst is None:
            return Found(None)
        others = [
            f"{platform.title}, {counter if counter in IN_CELLS else f'{counter} counter'}: "
            f"{spans.worst} {platform.unit}"
            for platform in PLATFORMS
            for counter in COUNTERS
            if (spans := results.calls.get((platform.name, counter, call))) is not None
        ]
        return Found(
            worst,
            "of a table of 8 points in timer cells, which has one more for the end of its round if it runs "
            f"once or is followed; {'; '.join(others)}",
        )

    return find


def _held(
    where: str, what: Callable[[Held], int], *, control: bool = False
) -> Callable[[Results], Found]:
    """The most of the runs; with `control` what was counted where a deadline is missed."""

    def find(results: Results) -> Found:
        one = results.held.get((where, HELD.name))
        if one is None:
            return Found(None)
        some = [(where, one)]
        if where == MAXPERF.name and (small := results.held.get((SMALL.name, HELD.name))):
            some.append((SMALL.name, small))
        said = [
            f"{name}: {what(held)} in {held.rounds:,} rounds with {held.deadlines:,} deadlines"
            for name, held in some
        ]
        seen = results.held.get((where, MISSED.name))
        if control and seen is not None:
            said.append(
                f"with a deadline that each of {seen.rounds:,} rounds misses, {seen.interrupts:,} interrupts"
            )
        return Found(max(what(held) for _, held in some), "; ".join(said))

    return find


def _followed(
    of: Callable[[Results], Mapping[tuple[int, bool], Following]],
) -> Callable[[Results], Found]:
    """The largest error of a table that is given the global time."""
    return lambda results: _largest_error(of(results))


def _largest_error(following: Mapping[tuple[int, bool], Following]) -> Found:
    given = {ppm: one for (ppm, is_given), one in following.items() if is_given}
    if not given:
        return Found(None)
    said = [
        f"{ppm:+} ppm: {one.worst} in {one.rounds:,} rounds"
        + (
            ", never converged"
            if one.settled is None
            else f", above {PRECISION} until {number(Fraction(one.settled, _COUNTS_A_MS))} ms"
        )
        for ppm, one in given.items()
    ]
    worst = max(one.worst for one in given.values())
    return Found(worst, f"{'; '.join(said)}; the limit is the table's precision")


def _latencies() -> Iterable[Target[Results]]:
    kinds = (
        ("dispatch", Span.START, (("without", False, (25, 30, 35)), ("with", True, (62, 67, 72)))),
        ("termination", Span.END, (("", None, (20, 25, 30)),)),
    )
    for name, span, cases in kinds:
        for words, division, limits in cases:
            for deadlines, limit in enumerate(limits):
                rows: tuple[Row, ...] = ()
                for one in (False, True) if division is None else (division,):
                    rows += deadline_rows(deadlines, Monitor.OWN, division=one)
                code = f", interrupted code {words} division" if words else ""
                yield Target(
                    f"{name} {_IN_WORDS[deadlines]}{code}, cycles, ibex maxperf",
                    "<=",
                    limit,
                    _CYCLES,
                    _worst(MAXPERF, rows, span),
                )


TARGETS: Sequence[Target[Results]] = (
    *_latencies(),
    Target(
        "a budget adds, start + end",
        "<=",
        16,
        _CYCLES,
        _budget,
    ),
    Target(
        "activation multiplexed adds",
        "<=",
        18,
        _CYCLES,
        _moving,
    ),
    Target("deadline multiplexed adds at dispatch", "<=", 0, _CYCLES, _adds(Span.START)),
    Target("deadline multiplexed adds at termination", "<=", 18, _CYCLES, _adds(Span.END)),
    Target(
        "thread to thread by a table, activation, cycles, ibex maxperf",
        "<=",
        110,
        _CYCLES,
        _thread_to_thread(Span.START),
    ),
    Target(
        "thread to thread by a table, termination, cycles, ibex maxperf",
        "<=",
        110,
        _CYCLES,
        _thread_to_thread(Span.END),
    ),
    Target("highest dispatch frequency of one minimal task, 50 MHz", ">=", 1.0, "MHz", _frequency),
    Target(
        "start of a schedule table with its status, control cell, cycles, ibex maxperf",
        "<=",
        60,
        _CYCLES,
        _call("start"),
    ),
    Target(
        "stop of a schedule table with its status, control cell, cycles, ibex maxperf",
        "<=",
        20,
        _CYCLES,
        _call("stop"),
    ),
    Target("the bare store that stops it", "<=", 12, _CYCLES, _call(STORE)),
    Target(
        "interrupts for deadlines that hold, 10^6 rounds on the host port",
        "==",
        0,
        "interrupts",
        _held(HOST, lambda one: one.interrupts, control=True),
    ),
    Target(
        "interrupts for deadlines that hold, 10^4 rounds on ibex-cells",
        "==",
        0,
        "interrupts",
        _held(MAXPERF.name, lambda one: one.interrupts, control=True),
    ),
    Target(
        "drift over the same rounds, host port",
        "==",
        0,
        "counts",
        _held(HOST, lambda one: one.drift),
    ),
    Target(
        "drift over the same rounds, ibex-cells",
        "==",
        0,
        "counts",
        _held(MAXPERF.name, lambda one: one.drift),
    ),
    Target(
        "kernel RAM of the minimal time-triggered application, start-up apart",
        "<=",
        8,
        "bytes",
        _memory("ram"),
    ),
    Target(
        "kernel ROM of the minimal time-triggered application, start-up apart, vectors apart",
        "<=",
        856,
        "bytes",
        _memory("rom"),
    ),
    Target(
        "synchronisation of a schedule table, clock off by +-200 ppm: largest error once it has converged",
        "<=",
        PRECISION,
        "counts",
        _followed(lambda results: results.following),
    ),
    Target(
        "synchronisation of a dispatcher table, the same",
        "<=",
        PRECISION,
        "counts",
        _followed(lambda results: results.dispatched),
    ),
)
"""The issue's table; a line with several entries is as many."""
