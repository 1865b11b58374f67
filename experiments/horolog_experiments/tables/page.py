# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""docs/evidence/tables.md: targets, the paper's tables beside ours, and what differs."""

from __future__ import annotations

from fractions import Fraction

from horolog.build.freertos import HOW_TO_GET_IT
from horolog_experiments.dispatch.memory import total
from horolog_experiments.dispatch.page import listed_pieces, shown_spans, times
from horolog_experiments.dispatch.scenarios import FREERTOS, OURS, PLATFORMS, Platform, Span
from horolog_experiments.dispatch.targets import parts_words
from horolog_experiments.harness import entries, number, table, targets_table
from horolog_experiments.tables.holds import HELD
from horolog_experiments.tables.page_words import (
    ACTIVATIONS_TEXT,
    CALLS_TEXT,
    DEFINITIONS,
    DIFFERS,
    FOLLOWING_TEXT,
    GAINS_TEXT,
    HEAD,
    HELD_TEXT,
    HOW,
    MEMORY_TEXT,
)
from horolog_experiments.tables.results import Results
from horolog_experiments.tables.rows import ROWS, Row, freertos_of, ours_of
from horolog_experiments.tables.scenarios import (
    MINIMALS,
    PAST_WORDS,
    TABLES,
    Monitor,
    can_monitor,
    table_name,
)
from horolog_experiments.tables.schedules import ACTIVATIONS, CELLS, STORE
from horolog_experiments.tables.sync import DISPATCHER, SCHEDULE
from horolog_experiments.tables.targets import TARGETS

__all__ = ["FIGURE", "SYNC_FIGURE", "tables_page"]

FOLDER = "tables"
"""The folder of the figures and the waveforms, beside the page."""
FIGURE = "figure6.svg"
SYNC_FIGURE = "figure5.svg"

_MHZ = 50
_MONITORS = {Monitor.NONE: "", Monitor.OWN: "a cell for each task", Monitor.ONE: "one for all"}


def tables_page(results: Results) -> str:
    """The whole page."""
    parts = [
        _head(results),
        "## Targets\n\n" + targets_table(entries(TARGETS, results)),
        DEFINITIONS,
        *(_latencies(results, platform) for platform in PLATFORMS),
        _gains(results),
        _parts(results),
        _frequency(results),
        _calls(results),
        _activations(results),
        _held(results),
        _following(results),
        _memory(results),
        HOW,
        _plans(results),
        DIFFERS,
    ]
    return "\n".join(part for part in parts if part)


def _head(results: Results) -> str:
    version = results.freertos or f"not measured: {HOW_TO_GET_IT}"
    return f"{HEAD}{results.toolchain}; FreeRTOS: {version}.\n"


def _latencies(results: Results, platform: Platform) -> str:
    header = ["interrupted code, or what goes on", "points", "deadlines", "monitored by"]
    header += ["paper", "OSEKtime", "Horolog", "FreeRTOS, tick", "notified", "ratios"]
    rows = []
    for span, words in (
        (Span.START, "expiry to the first instruction"),
        (Span.END, "last instruction to resumed code"),
    ):
        rows.append([f"**{words}**", *[""] * (len(header) - 1)])
        rows += [
            _latency(results, platform, row, span)
            for row in ROWS
            if ours_of(results, platform, row, span) is not None
        ]
    text = f"## Table I: {platform.title}, {platform.unit}\n\n"
    if platform is PLATFORMS[0]:
        text += (
            "The paper's figures are cycles of a TriCore TC1796 at 50 MHz, beside a commercial OSEKtime. "
            "That adds an interrupt of 95 cycles for each deadline that holds; ours and the paper's add "
            "none.\n\n"
        )
    return text + table(header, rows)


def _latency(results: Results, platform: Platform, row: Row, span: Span) -> list[str]:
    ours = ours_of(results, platform, row, span)
    tick, notified = freertos_of(results, platform, row, span)
    paper = row.paper(span)
    published = (None, None) if paper is None else (paper.sloth, paper.osektime)
    ratios = [text for text in (times(ours, tick), times(ours, notified)) if text]
    return [
        PAST_WORDS[row.past],
        str(row.points) if row.even else f"{row.points}, uneven",
        str(row.deadlines),
        _MONITORS[row.monitor],
        *("" if value is None else f"{value:,}" for value in published),
        shown_spans(ours),
        shown_spans(tick),
        shown_spans(notified),
        ", ".join(ratios),
    ]


def _gains(results: Results) -> str:
    """Dispatch and termination of FreeRTOS's ways less ours, from idle and back; a deadline as a timer."""
    rows = []
    for platform in PLATFORMS:
        monitor = Monitor.OWN if can_monitor(platform, Monitor.OWN) else Monitor.ONE
        ours, monitored = (
            _both(results, platform, OURS, table_name("idle", 1, one))
            for one in (Monitor.NONE, monitor)
        )
        tick, notified, timer = (
            _both(results, platform, FREERTOS, f"{way}-idle") for way in ("tick", "notify", "timer")
        )
        for title, theirs in (("FreeRTOS, tick", tick), ("FreeRTOS, notified", notified)):
            if ours is None or monitored is None or theirs is None or timer is None:
                continue
            figures = (theirs - ours, theirs - monitored, timer)
            words = [f"{figure:,}" for figure in figures]
            rows.append([platform.title, platform.unit, title, *words])
    paper = ["TriCore TC1796", "cycles", "a commercial OSEKtime, by the paper", "130", "114", "95"]
    header = ["platform", "unit", "over", "activation without a deadline", "with a deadline"]
    return GAINS_TEXT + table([*header, "monitored deadline that holds"], [*rows, paper])


def _both(results: Results, platform: Platform, kernel: str, name: str) -> int | None:
    """The worst dispatch and the worst termination of a scenario."""
    found = [results.span(platform.name, kernel, name, span) for span in (Span.START, Span.END)]
    return None if None in found else sum(one.worst for one in found if one is not None)


def _parts(results: Results) -> str:
    rows = []
    for platform in PLATFORMS:
        for row in (one for one in ROWS if one.past == "idle" and one.points == 1):
            for span, words in ((Span.START, "dispatch"), (Span.END, "termination")):
                made_of = results.parts.get((platform.name, OURS, row.scenario, span), ())
                if made_of:
                    whole = sum(part.time for part in made_of)
                    deadlines = _MONITORS[row.monitor] or "no deadline"
                    words_of = parts_words(made_of)
                    rows.append([platform.title, words, deadlines, f"{whole:,}", words_of])
    if not rows:
        return ""
    return (
        "## What the worst are made of\n\nThe worst sample from idle and back, function by function, from "
        "the same log.\n\n" + table(["platform", "", "deadline", "worst", "made of"], rows)
    )


def _frequency(results: Results) -> str:
    rows = []
    for (name, _), cycles in results.rates.items():
        title = next(platform.title for platform in PLATFORMS if platform.name == name)
        rows.append([title, f"{cycles} cycles", number(Fraction(_MHZ * 1000, cycles))])
    rows.append(["TriCore TC1796, SLOTH ON TIME", "29 cycles, computed", "1,700"])
    rows.append(["TriCore TC1796, a commercial AUTOSAR OS", "2,941 cycles, computed", "17"])
    return (
        "## Maximum dispatch frequency\n\nThe shortest round of a table with one minimal task, without a "
        "deadline, at which no activation is lost in 1,000; frequencies at the nominal 50 MHz. FreeRTOS's "
        "stand in [dispatch.md](dispatch.md#maximum-dispatch-frequency).\n\n"
        + table(["platform", "shortest round", "kHz"], rows)
    )


_SLOTH_CALLS = {"start": ("108", "1,104"), "stop": ("20", "752")}
_CALL_WORDS = {
    "start": "start_relative",
    "state": "state",
    "stop": "stop",
    STORE: "a bare store of the control cell",
}


def _calls(results: Results) -> str:
    rows = []
    for (name, counter, call), one in results.calls.items():
        if counter == FREERTOS:
            continue
        platform = next(platform for platform in PLATFORMS if platform.name == name)
        theirs = results.calls.get((name, FREERTOS, call))
        figures = [*_SLOTH_CALLS.get(call, ("", "")), shown_spans(one), shown_spans(theirs)]
        rows.append([platform.title, platform.unit, _CALL_WORDS[call], counter, *figures])
    header = ["platform", "unit", "call", "driven by", "paper", "AUTOSAR OS", "Horolog"]
    return CALLS_TEXT + table([*header, "FreeRTOS, a timer"], rows)


def _activations(results: Results) -> str:
    rows = []
    for platform in PLATFORMS:
        for span, words in ((Span.START, "activation"), (Span.END, "termination")):
            for image in ACTIVATIONS:
                one = results.span(platform.name, OURS, image.name, span)
                if one is None:
                    continue
                other = "preempt" if image.past == "thread" else image.past
                other = "preempt-div" if other == "thread-div" else other
                tick = results.span(platform.name, FREERTOS, f"tick-{other}", span)
                notified = results.span(platform.name, FREERTOS, f"notify-{other}", span)
                timer = results.span(platform.name, FREERTOS, f"timer-{other}", span)
                rows.append(
                    [
                        platform.title,
                        words,
                        "cells" if image.by == CELLS else "a clock counter",
                        image.title,
                        *_TABLE_III.get((span, image.kind, image.past), ("", "")),
                        shown_spans(one),
                        shown_spans(tick),
                        shown_spans(notified),
                        shown_spans(timer),
                    ]
                )
    header = ["platform", "", "driven by", "from and to, or back", "paper", "AUTOSAR OS", "Horolog"]
    return ACTIVATIONS_TEXT + table([*header, "FreeRTOS, tick", "notified", "software timer"], rows)


_TABLE_III = {
    (Span.START, "basic", "idle"): ("14", "2,344"),
    (Span.START, "thread", "thread"): ("77", "2,400"),
    (Span.END, "basic", "idle"): ("14", "382"),
    (Span.END, "thread", "thread"): ("88", "532"),
}


def _held(results: Results) -> str:
    rows = [
        [
            _TITLES.get(where, "host port, virtual time"),
            "each holds" if image == HELD.name else "the first task misses its own",
            f"{one.rounds:,}",
            f"{one.deadlines:,}",
            f"{one.interrupts:,}",
            f"{one.drift:,}",
            f"{one.latest:,}",
        ]
        for (where, image), one in results.held.items()
    ]
    header = ["platform", "deadlines", "rounds", "monitored", "interrupts", "drift, counts"]
    waves = ", ".join(f"[{image}.vcd]({FOLDER}/{image}.vcd)" for image in results.timelines)
    return (
        HELD_TEXT
        + table([*header, "longest from a point to its task, counts"], rows)
        + f"\n![the task that has the processor, on ibex-cells maxperf]({FOLDER}/{FIGURE})\n"
        + f"\nThe same windows as waveforms, a wire a task: {waves}.\n"
    )


_TITLES = {platform.name: platform.title for platform in PLATFORMS}


def _following(results: Results) -> str:
    rows = []
    for table_kind, some in ((SCHEDULE, results.following), (DISPATCHER, results.dispatched)):
        for (ppm, given), one in some.items():
            settled = (
                "not" if one.settled is None else f"{number(Fraction(one.settled, 25_000))} ms"
            )
            figures = [settled, f"{one.worst:,}", f"{one.rounds:,}"] if given else ["", "", ""]
            rows.append([table_kind, f"{ppm:+}", "every 10 ms" if given else "never", *figures])
    header = ["table", "global time faster by, ppm", "given to the table", "converged within"]
    header += ["largest error from 200 ms on, counts", "rounds"]
    return (
        FOLLOWING_TEXT + f"![the error over time]({FOLDER}/{SYNC_FIGURE})\n\n" + table(header, rows)
    )


def _memory(results: Results) -> str:
    titles = {image.name: image.title for image in MINIMALS}
    rows = []
    for (board, name), found in results.memory.items():
        title = "FreeRTOS, `xTaskDelayUntil`, no deadline" if name == FREERTOS else titles[name]
        rows += [
            [board, title, part, f"{total(found, part, 'rom'):,}", f"{total(found, part, 'ram'):,}"]
            for part in ("kernel", "start-up")
        ]
    paper = "TriCore TC1796"
    rows.append([paper, "SLOTH ON TIME, one task, one deadline", "kernel", "856", "8"])
    rows.append([paper, "SLOTH ON TIME, one task, one deadline", "start-up", "624", ""])
    rows.append([paper, "a commercial OSEKtime, one task, one deadline", "all", "2,600", "52"])
    text = MEMORY_TEXT + table(
        ["platform", "application", "part", "ROM, bytes", "RAM, bytes"], rows
    )
    for (board, name), found in results.memory.items():
        if name != FREERTOS:
            text += f"\nThe kernel's on {board}, {titles[name]}: {listed_pieces(found)}.\n"
    return text


def _plans(results: Results) -> str:
    rows = []
    for image in TABLES:
        for board in dict.fromkeys(platform.board for platform in PLATFORMS):
            why = results.refused.get((board, image.name))
            words = (
                f"refused: {why}" if why is not None else results.plans.get((board, image.name), "")
            )
            if words:
                rows.append([image.name, image.title, board, words])
    return (
        "## Our systems and their plans\n\nThe planner's choice for the activations of each, of four "
        "cells.\n\n" + table(["system", "what it is", "board", "planned"], rows)
    )
