# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The figures of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from horolog_experiments.periodic_timers.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["CURVES", "TURN_LENGTHS", "draw_figures"]

CURVES = "errors"
TURN_LENGTHS = "turns"

_STYLE: dict[Any, Any] = {"axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6}
_BLACK, _BLUE, _RED = "#000000", "#0072b2", "#d55e00"  # Okabe and Ito's
_LINES: Mapping[int, tuple[str, str]] = dict(
    zip(CLOCKS, ((_RED, "o"), (_BLUE, "s"), (_BLACK, "^")), strict=True)
)
_PAPER = "the paper"
_LEAST_PERCENT = 1e-5


def draw_figures(results: Results) -> dict[str, str]:
    """The files. ImportError without matplotlib."""
    makers: Mapping[str, Callable[[Results], Figure]] = {CURVES: _errors, TURN_LENGTHS: _turns}
    return svg_files({name: partial(make, results) for name, make in makers.items()}, _STYLE)


def _panels(width: float, height: float, rows: int, columns: int) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    return figure, axes


def _errors(results: Results) -> Figure:
    """Figure 8: how far off the mean interval is, in percent, over the period."""
    sides = [_PAPER, *dict.fromkeys(one.side for one in results.intervals)]
    figure, axes = _panels(3.0 * len(sides), 5.6, 2, len(sides))
    for row, mode in enumerate((PERIODIC, SINGLE_SHOT)):
        for column, side in enumerate(sides):
            panel: Axes = axes[row][column]
            panel.set_title(f"{side}, {mode}")
            for clock_hz, (colour, marker) in _LINES.items():
                errors = _percent(results, side, mode, clock_hz)
                periods = [us / 1_000 for us in PERIODS_US[: len(errors)]]
                label = f"{clock_hz:,} Hz"
                panel.plot(periods, errors, color=colour, marker=marker, markersize=4, label=label)
            panel.set_xscale("log")
            panel.set_yscale("log")
    axes[0][0].legend(fontsize=8)
    figure.supxlabel("period, ms")
    figure.supylabel("error of the mean of ten intervals, %")
    return figure


def _percent(results: Results, side: str, mode: str, clock_hz: int) -> Sequence[float]:
    if side == _PAPER:
        means = [float(us) for us in INTERVALS_US[mode, clock_hz]]
    else:
        means = [
            float(one.cycles.mean) * 1e6 / SLOW.hz
            for one in results.intervals
            if (one.side, one.mode, one.clock_hz) == (side, mode, clock_hz)
        ]
    return [
        max(_LEAST_PERCENT, abs(mean / us - 1) * 100)
        for mean, us in zip(means, PERIODS_US, strict=False)
    ]


def _turns(results: Results) -> Figure:
    """Figure 10: lengths of turns, along the time, for each way to drive the alarm."""
    keys = list(LAMP_US)
    sides = list(dict.fromkeys(one.side for one in results.lamps))
    figure, axes = _panels(3.2 * len(sides), 1.7 * len(keys), len(keys), len(sides))
    for row, (mode, ticks) in enumerate(keys):
        for column, side in enumerate(sides):
            panel: Axes = axes[row][column]
            panel.set_title(f"{side}, {mode}" + (f", {ticks:,} Hz" if ticks else ""))
            for one in results.lamps:
                if (one.side, one.mode, one.ticks) == (side, mode, ticks):
                    _lengths(panel, one.begin)
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
