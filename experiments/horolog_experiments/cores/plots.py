# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The figures of the page: what happens as cores are added."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from horolog_experiments.cores.cases import CORES, FREERTOS, GLOBAL, OURS, PINNED, Case
from horolog_experiments.cores.results import Results
from horolog_experiments.harness.drawing import svg_files

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "draw_figures"]

FIGURES = ("switches", "wake")
"""Names of the figures; each is <name>.svg."""
_STYLE: dict[Any, Any] = {"axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6}
_RED, _ORANGE, _BLUE, _GREEN = "#d55e00", "#e69f00", "#0072b2", "#009e73"
_SKY, _PURPLE = "#56b4e9", "#cc79a7"
_LINES: Mapping[tuple[str, str], tuple[str, str, str]] = {
    (OURS, "one_plus_n"): ("Horolog, 1+N", _BLUE, "o-"),
    (OURS, "tick"): ("Horolog, tick", _SKY, "^:"),
    (OURS, "unified"): ("Horolog, unified, counts", _GREEN, "s--"),
    (OURS, "unified_ns"): ("Horolog, unified, ns", _PURPLE, "D-."),
    (FREERTOS, PINNED): ("FreeRTOS, tasks with a core", _RED, "o-"),
    (FREERTOS, GLOBAL): ("FreeRTOS, without affinity", _ORANGE, "s--"),
}
"""By side and form: title, colour (Okabe and Ito's), marker and dashes."""


def draw_figures(results: Results) -> dict[str, str]:
    """The files of FIGURES. ImportError without matplotlib."""
    makers: Mapping[str, Callable[[Results], Figure]] = {"switches": _switches, "wake": _wake}
    return svg_files({name: partial(makers[name], results) for name in FIGURES}, _STYLE)


def _panels(columns: int) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5 * columns, 3.6), layout="constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def _line(panel: Axes, side: str, form: str, points: Mapping[int, Fraction | None]) -> None:
    there = {cores: float(value) for cores, value in points.items() if value is not None}
    title, colour, style = _LINES[side, form]
    if there:
        panel.plot(list(there), list(there.values()), style, color=colour, label=title)


def _finish(panel: Axes, title: str) -> None:
    panel.set_title(title)
    panel.set_xlabel("cores")
    panel.set_xscale("log", base=2)
    panel.set_xticks(CORES, [str(cores) for cores in CORES])
    panel.set_ylim(bottom=0)
    panel.legend(frameon=False)


def _switches(results: Results) -> Figure:
    """A panel for one thread a core and for two, and all cores together."""
    figure, panels = _panels(3)
    for panel, threads, times, title in zip(
        panels,
        (1, 2, 2),
        (False, False, True),
        ("one thread a core", "two threads a core", "two threads a core, all cores together"),
        strict=True,
    ):
        for side, form in _LINES:
            rates = {
                cores: results.rate(Case("switches", side, form, cores, threads)) for cores in CORES
            }
            if times:
                rates = {cores: rate and rate * cores for cores, rate in rates.items()}
            _line(panel, side, form, rates)
        _finish(panel, title)
        panel.set_ylabel(f"yields{'' if times else ' a core'} in a million cycles")
    return figure


def _wake(results: Results) -> Figure:
    figure, (panel,) = _panels(1)
    for side, form in _LINES:
        rows = {cores: results.row(Case("wake", side, form, cores)) for cores in CORES}
        means = {cores: row.mean for cores, row in rows.items() if row is not None}
        _line(panel, side, form, means)
    _finish(panel, "a token from core 0 to core 1, which is idle")
    panel.set_ylabel("cycles, mean")
    return figure
