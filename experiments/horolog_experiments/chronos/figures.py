# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Figures 6 to 10 of CHRONOS redrawn, with the schedulable regions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

from horolog_experiments.chronos.points import Row
from horolog_experiments.chronos.results import Results, region_of
from horolog_experiments.chronos.sets import BASES_MS, Scenario, Variant, methods_of
from horolog_experiments.harness.drawing import svg_files

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["REGIONS", "draw_figures"]

REGIONS: Mapping[str, tuple[str, str]] = {
    "none": ("#f6d0cc", "not schedulable"),
    "chronos": ("#fbf0bf", "Chronos"),
    "harmonic": ("#cfe3f5", "harmonic"),
    "all": ("#d9efd6", "schedulable"),
    "other": ("#e8e8e8", "FreeRTOS, not all of ours"),
}
"""Colour and label of each region."""

_LINES: Mapping[str, tuple[str, str, str, float]] = {
    "freertos": ("#d55e00", "-", "o", 1.6),
    "tickless": ("#d55e00", ":", "v", 1.1),
    "rate-group": ("#d55e00", "-.", "s", 1.1),
    "tick": ("#8c8c8c", "--", "s", 0.9),
    "one-shot": ("#8c8c8c", "-.", "D", 0.9),
    "chronos": ("#000000", "-", "^", 1.3),
    "const": ("#cc79a7", "-", "P", 1.3),
    "harmonic": ("#009e73", "-", "X", 1.3),
    "planner": ("#0072b2", "-", "o", 2.4),
    "shared": ("#0072b2", "--", "s", 1.8),
    "basic": ("#56b4e9", "-", "D", 2.4),
}
"""Colour, dashes, mark and width of each method that is drawn."""

_MARKED = (1, 2, 3, 4, 5, 7, 10, 15)  # factors with a label


def draw_figures(results: Results) -> dict[str, str]:
    """The file of each scenario's figure, of the scenario's name. ImportError without matplotlib."""
    return svg_files({of.name: partial(_figure, results, of) for of in results.scenarios()})


def _figure(results: Results, of: Scenario) -> Figure:
    """The paper's measure over its five releases, and the kernel instructions of a job in the long run."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    panels: tuple[tuple[Axes, Variant, str, Callable[[Row], Fraction]], ...] = (
        (left, Variant.FIVE, "in tick interrupts and delay calls, % of the run", _share),
        (right, Variant.CONTINUOUS, "kernel instructions a job", _per_job),
    )
    for panel, variant, label, value in panels:
        _lines(panel, results, of, variant, value)
        _regions(panel, results, of, variant)
        _x_axis(panel, results, of)
        _y_axis(panel, logarithmic=variant is Variant.FIVE)
        panel.set_ylabel(label)
        panel.set_title(variant.value)
    figure.legend(
        *left.get_legend_handles_labels(),
        loc="outside upper center",
        ncols=8,
        frameon=False,
        title=f"{of.title}: open marks missed deadlines",
    )
    return figure


def _share(row: Row) -> Fraction:
    return row.share


def _per_job(row: Row) -> Fraction:
    return row.per_job


def _place(of: Scenario, factor: int) -> float:
    """Where a factor stands: with several cells at their interrupts, 1 being a tick of 1 ms."""
    if of.single:
        return float(factor)
    return float(sum(Fraction(1, ms * factor) for ms in BASES_MS))


def _lines(
    panel: Axes, results: Results, of: Scenario, variant: Variant, value: Callable[[Row], Fraction]
) -> None:
    for how in methods_of(of):
        rows = [
            row
            for factor in results.factors(of.name)
            if (row := results.row(of.name, factor, variant, how.name)) is not None
            and row.state == "measured"
        ]
        if not rows or how.name not in _LINES:
            continue
        colour, dashes, mark, wide = _LINES[how.name]
        x = [_place(of, row.point.factor) for row in rows]
        y = [float(value(row)) for row in rows]
        panel.plot(x, y, color=colour, linestyle=dashes, linewidth=wide, zorder=3)
        for feasible in (True, False):
            some = [at for at, row in enumerate(rows) if row.feasible is feasible]
            panel.plot(
                [x[at] for at in some],
                [y[at] for at in some],
                color=colour,
                marker=mark,
                markersize=4.5,
                markerfacecolor=colour if feasible else "white",
                linestyle="",
                zorder=4,
            )
        panel.plot([], [], color=colour, linestyle=dashes, marker=mark, label=how.title)


def _regions(panel: Axes, results: Results, of: Scenario, variant: Variant) -> None:
    """A band of the region's colour around every factor, and its name once a band."""
    factors = results.factors(of.name)
    places = sorted(
        (_place(of, factor), region_of(results, of, factor, variant)) for factor in factors
    )
    start = 0
    for at, (_, region) in enumerate(places):
        if at + 1 < len(places) and places[at + 1][1] == region:
            continue
        low, high = _border(of, places, start - 1), _border(of, places, at)
        colour, name = REGIONS[region]
        panel.axvspan(low, high, color=colour, linewidth=0, zorder=0)
        middle = (low + high) / 2 if of.single else sqrt(low * high)
        panel.annotate(
            name,
            xy=(middle, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, -3),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=7.5,
            rotation=90 if at == start else 0,
        )
        start = at + 1


def _border(of: Scenario, places: list[tuple[float, str]], at: int) -> float:
    """Between the place `at` and the next; beyond the ends as far again."""
    xs = [x for x, _ in places]
    if len(xs) == 1:
        xs = [xs[0] - 1, xs[0], xs[0] + 1] if of.single else [xs[0] / 2, xs[0], xs[0] * 2]
        at += 1
    if at < 0:
        return xs[0] - 0.5 if of.single else xs[0] / sqrt(xs[1] / xs[0])
    if at + 1 == len(xs):
        return xs[-1] + 0.5 if of.single else xs[-1] * sqrt(xs[-1] / xs[-2])
    return (xs[at] + xs[at + 1]) / 2 if of.single else sqrt(xs[at] * xs[at + 1])


def _x_axis(panel: Axes, results: Results, of: Scenario) -> None:
    from matplotlib.ticker import NullLocator

    factors = [factor for factor in results.factors(of.name) if factor in _MARKED]
    places = [_place(of, factor) for factor in factors]
    panel.margins(x=0, y=0.16)  # above: room for the regions' names
    if of.single:
        panel.set_xlabel("period factor")
        panel.set_xticks(places, [str(factor) for factor in factors])
        return
    labels = [f"{x:.2g}\n\N{MULTIPLICATION SIGN} {f}" for x, f in zip(places, factors, strict=True)]
    panel.set_xscale("log")
    panel.set_xticks(places, labels)
    panel.xaxis.set_minor_locator(NullLocator())
    panel.set_xlabel("interrupts of four cells, as a share of a 1 ms tick's; period factor")


def _y_axis(panel: Axes, *, logarithmic: bool) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    if logarithmic:
        panel.set_yscale("log")
        panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.yaxis.set_minor_locator(NullLocator())
        panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    else:
        panel.set_ylim(bottom=0)
