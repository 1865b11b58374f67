# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/evidence/periodic-timers.md, and the rows of result.json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from horolog_experiments.harness import entries, fixed, number, table, targets_table
from horolog_experiments.periodic_timers.figures import CHEAPER, CURVES, TURN_LENGTHS
from horolog_experiments.periodic_timers.ours import (
    ALARM,
    HANDLING_HZ,
    HOROLOG,
    PLAN,
    TASK,
    TASK_PLAN,
)
from horolog_experiments.periodic_timers.page_words import (
    CHOICES,
    FAULTS,
    HEAD,
    INSTANTS,
    OWN_PRESCALER,
    QUESTION,
    TABLE_3,
    TABLE_4,
    TABLES_1_2,
    TURNS,
)
from horolog_experiments.periodic_timers.paper import (
    CLOCKS,
    HANDLING_US,
    INTERVALS_US,
    LAMP_US,
    PERIODIC,
    PERIODS_US,
    SINGLE_SHOT,
    THREADS_US,
)
from horolog_experiments.periodic_timers.programs import FAST, FREERTOS, IDEA, PUBLISHED, SLOW
from horolog_experiments.periodic_timers.question import FOUND
from horolog_experiments.periodic_timers.results import (
    Choice,
    Instants,
    Intervals,
    Lamp,
    Price,
    Results,
    Spread,
)
from horolog_experiments.periodic_timers.targets import TARGETS

__all__ = ["periodic_timers_page", "result_rows"]

SIDES = (PUBLISHED, IDEA, HOROLOG, TASK, ALARM, FREERTOS)
PLANNED_SIDES = (PLAN, TASK_PLAN)
_DASH, _REFUSED = "-", "refused"


def _us(cycles: Fraction | int, hz: int) -> Fraction:
    return Fraction(cycles) * 1_000_000 / hz


def periodic_timers_page(results: Results) -> str:
    """The page."""
    parts = [
        f"{HEAD} {results.toolchain}; FreeRTOS: {results.freertos or 'not measured'}.\n",
        "## Targets\n",
        targets_table(entries(TARGETS, results)),
        FAULTS,
        f"## Tables 1 and 2\n\n{TABLES_1_2}\n",
        f"![Errors of the mean interval]({'periodic-timers'}/{CURVES}.svg)\n",
        *(_intervals(results, nth, mode) for nth, mode in ((1, PERIODIC), (2, SINGLE_SHOT))),
        _instants(results),
        _choices(results),
        f"## Table 3: what an interrupt takes\n\n{TABLE_3}\n\n{_handling(results)}",
        _turns(results),
        f"## Table 4: several threads\n\n{TABLE_4}\n\n{_threads(results)}",
        _question(results),
        _refused(results),
    ]
    return "\n".join(parts)


def _intervals(results: Results, nth: int, mode: str) -> str:
    found = {
        (one.side, one.clock_hz, one.period_us): one
        for one in results.intervals
        if one.mode == mode
    }
    sides = [side for side in SIDES if any(key[0] == side for key in found)]
    choices, planned = _chosen(results)
    rows = []
    for clock_hz in CLOCKS:
        for period_us, paper in zip(PERIODS_US, INTERVALS_US[mode, clock_hz], strict=True):
            ours = [found.get((side, clock_hz, period_us)) for side in sides]
            if not any(ours):
                continue
            counts = Fraction(clock_hz * period_us, 1_000_000)
            row = [f"{clock_hz:,} Hz", f"{period_us:,}", number(counts, 2), f"{paper:,}"]
            row += [_interval(one, paper) for one in ours]
            chosen = [choices.get((side, clock_hz, period_us)) for side in planned]
            rows.append(row + [_planned_interval(one) for one in chosen])
    header = ["timer clock", "period, us", "counts", "paper", *sides, *planned]
    return f"Table {nth}, {mode}:\n\n{table(header, rows)}"


def _chosen(
    results: Results,
) -> tuple[dict[tuple[str, int | None, int], Choice], list[str]]:
    """What the tool chose in Tables 1 and 2, and the sides of it."""
    found = {(one.side, one.asked_hz, one.period_us): one for one in results.choices}
    return found, [side for side in PLANNED_SIDES if any(key[0] == side for key in found)]


def _planned_interval(one: Choice | None) -> str:
    if one is None or one.refused:
        return _DASH if one is None else _REFUSED
    return f"{_mean_and_error(one.ten, one.period_us)}; {one.plan}"


def _mean_and_error(ten: Spread | None, period_us: int) -> str:
    if ten is None:
        return _DASH
    mean = _us(ten.mean, SLOW.hz)
    return f"{number(mean)} ({_signed(100 * (mean / period_us - 1), 4)} %)"


def _choices(results: Results) -> str:
    choices, planned = _chosen(results)
    if not choices:
        return ""
    rows = []
    for asked_hz, period_us in dict.fromkeys(
        (one.asked_hz, one.period_us) for one in results.choices
    ):
        if asked_hz is not None:
            ones = [choices.get((side, asked_hz, period_us)) for side in planned]
            rows.append([f"{asked_hz:,} Hz", f"{period_us:,}", *map(_interrupts, ones)])
    own = [_own_prescaler(one) for one in results.choices if one.asked_hz is None]
    own_header = ["period, us", "", "timer clock", "plan", "mean", "release 1,000", "interrupt"]
    return f"""\
## What the tool chooses

{CHOICES}

{table(["timer clock", "period, us", *planned], rows)}
{OWN_PRESCALER}

{table(own_header, own)}"""


def _interrupts(one: Choice | None) -> str:
    """Of those that release, and of those that do not, if there are any."""
    if one is None or one.refused or one.releasing is None:
        return _REFUSED if one is not None and one.refused else _DASH
    counting = "" if one.counting is None else f" ({_range(one.counting)})"
    return f"{_range(one.releasing)}{counting}"


def _own_prescaler(one: Choice) -> list[str]:
    row = [f"{one.period_us:,}", one.side]
    if one.refused:
        return [*row, *[_REFUSED] * 5]
    clock = f"{number(Fraction(SLOW.hz, one.prescaler))} Hz, by {one.prescaler:,}"
    mean = _mean_and_error(one.ten, one.period_us)
    return [*row, clock, one.plan, mean, _instant(one), _interrupts(one)]


def _instants(results: Results) -> str:
    if not results.instants:
        return ""
    by_key = {(one.side, one.mode, one.clock_hz, one.period_us): one for one in results.instants}
    columns = list(dict.fromkeys((one.side, one.mode) for one in results.instants))
    columns.sort()
    choices, planned = _chosen(results)
    rows = []
    for clock_hz in CLOCKS:
        for period_us in PERIODS_US:
            cells = [by_key.get((*column, clock_hz, period_us)) for column in columns]
            if any(cells):
                chosen = [choices.get((side, clock_hz, period_us)) for side in planned]
                row = [f"{clock_hz:,} Hz", f"{period_us:,}", *map(_instant, cells)]
                rows.append(row + [_instant(one) for one in chosen])
    header = ["timer clock", "period, us", *(f"{side}, {mode}" for side, mode in columns), *planned]
    return f"## Release 1,000\n\n{INSTANTS}\n\n{table(header, rows)}"


def _instant(one: Instants | Choice | None) -> str:
    if one is None or one.off is None:
        return _REFUSED if isinstance(one, Choice) and one.refused else _DASH
    late = "never" if one.late is None else f"{one.late:,}"
    return f"{number(one.off, 2)} / {late}"


def _interval(one: Intervals | None, paper: int) -> str:
    if one is None:
        return _DASH
    if one.side == PUBLISHED:
        mean = _us(one.cycles.mean, SLOW.hz)
        return f"{number(mean)} ({_signed(mean - paper, 1)})"
    return _mean_and_error(one.cycles, one.period_us)


def _signed(value: Fraction, decimals: int) -> str:
    shown = number(value, decimals)
    return shown if shown.startswith("-") or shown == "0" else f"+{shown}"


def _handling(results: Results) -> str:
    rows = []
    for (mode, releases), paper in HANDLING_US.items():
        row = [mode, "releases the alarm" if releases else "counts only"]
        row.append(f"{paper * FAST.hz // 1_000_000:,} ({paper} us)")
        for side in SIDES:
            cells = [
                f"{_range(one.cycles)}{f' ({_range(one.lit)})' if one.lit else ''}"
                for one in results.handling
                if (one.side, one.mode, one.releases) == (side, mode, releases)
            ]
            row.append(cells[0] if cells else _DASH)
        rows.append(row)
    columns = {PLAN: HOROLOG, TASK_PLAN: TASK}
    for asked_hz in dict.fromkeys(one.asked_hz for one in results.handled):
        chosen = {columns[one.side]: one for one in results.handled if one.asked_hz == asked_hz}
        what = (
            "the plan's choice"
            if asked_hz == HANDLING_HZ
            else "the plan's choice, of the clock too"
        )
        cells = [_handled(chosen[side]) if side in chosen else _DASH for side in SIDES]
        rows.append([what, "releases the alarm", _DASH, *cells])
    return table(["timer", "interrupt", "paper", *SIDES], rows)


def _handled(one: Choice) -> str:
    clock = "" if one.asked_hz else f"; {number(Fraction(FAST.hz, one.prescaler))} Hz"
    return f"{_interrupts(one)}; {one.plan}{clock}"


def _range(spread: Spread) -> str:
    if spread.least == spread.most:
        return f"{spread.most:,}"
    return f"{spread.least:,} to {spread.most:,}"


def _turns(results: Results) -> str:
    if not results.lamps:
        return ""
    rows = []
    for (mode, ticks), (mean, deviation) in LAMP_US.items():
        row = [f"{mode}, {ticks:,} Hz" if ticks else mode, f"{mean} / {deviation}"]
        for side in SIDES:
            cells = [
                _turn(one)
                for one in results.lamps
                if (one.side, one.mode, one.ticks) == (side, mode, ticks)
            ]
            row.append(cells[0] if cells else _DASH)
        rows.append(row)
    for one in results.lamps:
        if one.side == PLAN:
            rows.append(
                [
                    "the plan's choice",
                    _DASH,
                    *(_turn(one) if side == TASK else _DASH for side in SIDES),
                ]
            )
    first = results.lamps[0].cycles
    words = TURNS.format(least=first.least, seconds=round(first.total / FAST.hz))
    return (
        f"## Figures 10 and 11: a loop that is interrupted\n\n{words}\n\n"
        f"{table(['timer', 'paper', *SIDES], rows)}\n"
        f"![Lengths of turns](periodic-timers/{TURN_LENGTHS}.svg)\n"
    )


def _turn(one: Lamp) -> str:
    mean = _us(one.cycles.mean, FAST.hz)
    deviation = Fraction(round(one.cycles.deviation * 1_000_000_000 / FAST.hz), 1_000)
    longest = _us(one.cycles.most, FAST.hz)
    return f"{fixed(mean, 2)} / {fixed(deviation, 2)} (longest {fixed(longest, 2)})"


def _threads(results: Results) -> str:
    rows = []
    for threads, paper in THREADS_US.items():
        in_cycles = [_whole(Fraction(one * SLOW.hz, 1_000_000)) for one in paper]
        rows.append([f"{threads}", "paper", *(f"{one:,}" for one in paper), *in_cycles])
        for one in results.threads:
            if one.threads != threads or one.side == IDEA:
                continue
            spread = one.cycles
            four = (spread.mean, spread.most, spread.least, Fraction(round(spread.deviation)))
            rows.append(
                [
                    f"{threads}",
                    one.side,
                    *(fixed(_us(value, SLOW.hz), 1) for value in four),
                    *(_whole(Fraction(value)) for value in four),
                ]
            )
    names = ("average", "greatest", "least", "deviation")
    header = [
        "threads",
        "",
        *(f"{name}, us" for name in names),
        *(f"{name}, cycles" for name in names),
    ]
    return table(header, rows)


def _question(results: Results) -> str:
    if not results.prices:
        return ""
    prices = [
        [one.kind, one.mode, f"{one.number or _DASH}", _released(one), number(one.cycles)]
        for one in results.prices
    ]
    checks = [
        [
            one.kind,
            f"{one.clock_hz:,} Hz",
            number(Fraction(one.period_us, 1_000)),
            f"{one.number}",
            one.mode,
            number(one.measured, 0),
            number(one.predicted, 0),
            f"{_signed(100 * (one.predicted / one.measured - 1), 2)} %",
        ]
        for one in results.checks
    ]
    header = [
        "",
        "timer clock",
        "P, ms",
        "n",
        "timer",
        "measured, cycles/s",
        "counted",
        "difference",
    ]
    return f"""\
## Which is cheaper?

{QUESTION}

![Single-shot against periodic](periodic-timers/{CHEAPER}.svg)

Points that were measured to check the counting:

{table(header, checks)}
Cycles of an interrupt and of all that follows, at 28,800 Hz and P = 100 ms (a hop: P = 10 s):

{table(["", "timer", "n", "released", "cycles"], prices)}"""


def _released(one: Price) -> str:
    if one.released == FOUND:
        return "1, by a look: more by"
    return "0, but looks" if one.number and not one.released else f"{one.released}"


def _refused(results: Results) -> str:
    rows = [[what, why] for what, why in results.refused]
    rows += [
        [f"{one.side}, {one.period_us:,} us at {_asked(one)}", one.refused]
        for one in results.choices
        if one.refused
    ]
    if not rows:
        return ""
    return f"## What is not here\n\n{table(['what', 'why'], rows)}"


def _asked(one: Choice) -> str:
    return f"{one.asked_hz:,} Hz" if one.asked_hz else "any timer clock"


def _whole(value: Fraction) -> str:
    return f"{round(value):,}"


def result_rows(results: Results) -> Sequence[dict[str, Any]]:
    """The rows of result.json."""
    return list(_rows(results))


def _rows(results: Results) -> Iterator[dict[str, Any]]:
    for one in results.intervals:
        yield {
            "what": "mean of ten intervals",
            "side": one.side,
            "mode": one.mode,
            "timer_hz": one.clock_hz,
            "period_us": one.period_us,
            "paper_us": INTERVALS_US[one.mode, one.clock_hz][PERIODS_US.index(one.period_us)],
            "us": round(float(_us(one.cycles.mean, SLOW.hz)), 3),
            **_spread(one.cycles, SLOW.hz),
        }
    for handled in results.handling:
        yield {
            "what": "interrupt that releases" if handled.releases else "interrupt that counts only",
            "side": handled.side,
            "mode": handled.mode,
            "lit": None if handled.lit is None else handled.lit.most,
            "paper_us": HANDLING_US[handled.mode, handled.releases],
            **_spread(handled.cycles, FAST.hz),
        }
    for lamp in results.lamps:
        yield {
            "what": "turn of the lamp's loop",
            "side": lamp.side,
            "mode": lamp.mode,
            "ticks": lamp.ticks,
            "paper_us": LAMP_US.get((lamp.mode, lamp.ticks)),
            **_spread(lamp.cycles, FAST.hz),
        }
    for threads in results.threads:
        yield {
            "what": "interrupt of several threads",
            "side": threads.side,
            "threads": threads.threads,
            "paper_us": THREADS_US[threads.threads],
            **_spread(threads.cycles, SLOW.hz),
        }
    for hz, choices in ((SLOW.hz, results.choices), (FAST.hz, results.handled)):
        for chosen in choices:
            if chosen.releasing is not None:
                yield {
                    "what": "interrupt that releases, of what is planned",
                    "side": chosen.side,
                    "timer_hz": hz // chosen.prescaler,
                    "period_us": chosen.period_us,
                    "plan": chosen.plan,
                    "off_counts": None if chosen.off is None else round(float(chosen.off), 3),
                    "late": chosen.late,
                    **_spread(chosen.releasing, hz),
                }


def _spread(spread: Spread, hz: int) -> dict[str, Any]:
    return {
        "mean": round(float(spread.mean), 3),
        "deviation": round(spread.deviation, 3),
        "least": spread.least,
        "most": spread.most,
        "unit": "cycles",
        "platform": f"ATmega128 at {hz:,} Hz, simavr",
    }
