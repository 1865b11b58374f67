# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The figures of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from horolog_experiments.harness.drawing import svg_files
from horolog_experiments.periodic_timers.paper import (
    CLOCKS,
    INTERVALS_US,
    LAMP_US,
    PERIODIC,
    PERIODS_US,
    SINGLE_SHOT,
)
from horolog_experiments.periodic_timers.programs import FAST, SLOW
from horolog_experiments.periodic_timers.question import MOST, rates
from horolog_experiments.periodic_timers.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["CHEAPER", "CURVES", "TURN_LENGTHS", "draw_figures", "error_curve"]

CURVES = "errors"
TURN_LENGTHS = "turns"
CHEAPER = "cheaper"

_STYLE: dict[Any, Any] = {"axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6}
_BLACK, _BLUE, _RED, _SKY, _ORANGE = "#000000", "#0072b2", "#d55e00", "#56b4e9", "#e69f00"
_LINES: Mapping[int, tuple[str, str]] = dict(
    zip(CLOCKS, ((_RED, "o"), (_BLUE, "s"), (_BLACK, "^")), strict=True)
)
_PAPER = "the paper"
_LEAST_PERCENT = 1e-5


def draw_figures(results: Results) -> dict[str, str]:
    """The files. ImportError without matplotlib."""
    makers: dict[str, Callable[[Results], Figure]] = {CURVES: _errors}
    if results.lamps:
        makers[TURN_LENGTHS] = _turns
    if results.prices:
        makers[CHEAPER] = _cheaper
    return svg_files({name: partial(make, results) for name, make in makers.items()}, _STYLE)


def _panels(width: float, height: float, rows: int, columns: int) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    return figure, axes


def _errors(results: Results) -> Figure:
    """Figure 8: how far off the mean interval is, in percent, over the period. Plans choose the mode, too."""
    sides = [_PAPER, *dict.fromkeys(one.side for one in results.intervals)]
    planned = list(dict.fromkeys(one.side for one in results.choices))
    figure, axes = _panels(3.0 * (len(sides) + len(planned)), 5.6, 2, len(sides) + len(planned))
    for row, mode in enumerate((PERIODIC, SINGLE_SHOT)):
        for column, side in enumerate((*sides, *planned)):
            panel: Axes = axes[row][column]
            if side in planned and row:
                panel.set_axis_off()
                continue
            panel.set_title(side if side in planned else f"{side}, {mode}")
            for clock_hz, (colour, marker) in _LINES.items():
                curve = error_curve(results, side, mode, clock_hz)
                periods = [us / 1_000 for us in curve]
                label = f"{clock_hz:,} Hz"
                panel.plot(
                    periods,
                    list(curve.values()),
                    color=colour,
                    marker=marker,
                    markersize=4,
                    label=label,
                )
            panel.set_xscale("log")
            panel.set_yscale("log")
    axes[0][0].legend(fontsize=8)
    figure.supxlabel("period, ms")
    figure.supylabel("error of the mean of ten intervals, %")
    return figure


def error_curve(results: Results, side: str, mode: str, clock_hz: int) -> dict[int, float]:
    """The error of the mean interval in percent, no less than the axis shows, by the period in us."""
    means: dict[int, float]
    if side == _PAPER:
        of_paper = zip(PERIODS_US, INTERVALS_US[mode, clock_hz], strict=True)
        means = {period_us: float(us) for period_us, us in of_paper}
    else:
        spreads = {
            one.period_us: one.cycles
            for one in results.intervals
            if (one.side, one.mode, one.clock_hz) == (side, mode, clock_hz)
        }
        spreads |= {
            one.period_us: one.ten
            for one in results.choices
            if (one.side, one.asked_hz) == (side, clock_hz) and one.ten is not None
        }
        means = {us: float(spread.mean) * 1e6 / SLOW.hz for us, spread in spreads.items()}
    return {us: max(_LEAST_PERCENT, abs(mean / us - 1) * 100) for us, mean in means.items()}


def _turns(results: Results) -> Figure:
    """Figure 10: lengths of turns, along the time, for each way to drive the alarm."""
    keys = list(LAMP_US)
    sides = list(
        dict.fromkeys(one.side for one in results.lamps if (one.mode, one.ticks) in LAMP_US)
    )
    figure, axes = _panels(3.2 * len(sides), 1.7 * len(keys), len(keys), len(sides))
    for row, (mode, ticks) in enumerate(keys):
        for column, side in enumerate(sides):
            panel: Axes = axes[row][column]
            panel.set_title(f"{side}, {mode}" + (f", {ticks:,} Hz" if ticks else ""))
            found = [
                one
                for one in results.lamps
                if (one.side, one.mode, one.ticks) == (side, mode, ticks)
            ]
            for one in found:
                _lengths(panel, one.begin)
            if not found:
                panel.set_axis_off()
                panel.set_title("")
    figure.supxlabel("time, ms")
    figure.supylabel("length of a turn, us")
    return figure


def _lengths(panel: Axes, runs: Sequence[tuple[int, int]]) -> None:
    times, lengths, at = [], [], 0
    for count, length in runs:
        times += [at / FAST.hz * 1e3, (at + count * length) / FAST.hz * 1e3]
        lengths += [length / FAST.hz * 1e6] * 2
        at += count * length
    panel.plot(times, lengths, color=_BLUE, linewidth=0.8)


_GRID_US = (*(step * 10**power for power in range(2, 7) for step in (1, 2, 5)), 10**7)
_NEITHER, _PERIODIC_ONLY, _SINGLE_ONLY = "#d8d8d8", "#b5cfe3", "#f3cfb3"


def _cheaper(results: Results) -> Figure:
    """For which clock, period and number of alarms a periodic cell is cheaper than a one-shot cell."""
    prices = {(one.kind, one.mode, one.number, one.released): one.cycles for one in results.prices}
    kinds = list(dict.fromkeys(one.kind for one in results.prices))
    figure, axes = _panels(8.2 * len(kinds), 7.2, len(CLOCKS), len(kinds))
    for row, clock_hz in enumerate(CLOCKS):
        for nth, kind in enumerate(kinds):
            panel: Axes = axes[row][nth]
            panel.set_title(f"{kind}, timer clock {clock_hz:,} Hz")
            for column, period_us in enumerate(_GRID_US):
                for number in range(1, MOST + 1):
                    found = rates(prices, kind, clock_hz, period_us, number)
                    _cell(panel, column, number, found[PERIODIC], found[SINGLE_SHOT])
            panel.set_xlim(0, len(_GRID_US))
            panel.set_ylim(0.5, MOST + 0.5)
            panel.set_yticks(range(1, MOST + 1))
            panel.set_xticks([at + 0.5 for at in range(len(_GRID_US))])
            panel.set_xticklabels([f"{us / 1_000:g}" for us in _GRID_US])
            panel.grid(visible=False)
    figure.supxlabel("P, ms; in a field: single-shot / periodic, kernel cycles a second")
    figure.supylabel("n, with periods of 10, 11, 12, ... tenths of P")
    return figure


def _cell(
    panel: Axes, column: int, number: int, periodic: Fraction | None, single: Fraction | None
) -> None:
    from matplotlib.patches import Rectangle

    if periodic is not None and single is not None:
        ratio = single / periodic
        colour, words = (_SKY if ratio > 1 else _ORANGE), f"{float(ratio):.2f}"
    elif periodic is not None:
        colour, words = _PERIODIC_ONLY, "p"
    elif single is not None:
        colour, words = _SINGLE_ONLY, "s"
    else:
        colour, words = _NEITHER, "-"
    panel.add_patch(Rectangle((column, number - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
    panel.text(column + 0.5, number, words, ha="center", va="center", fontsize=7)
