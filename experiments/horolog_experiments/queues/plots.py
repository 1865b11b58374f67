# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The figures of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from horolog.calibrate.workloads import OPERATIONS
from horolog_experiments.harness.drawing import svg_files
from horolog_experiments.harness.tables import fixed, number
from horolog_experiments.queues import thesis
from horolog_experiments.queues.cases import MOST_TASKS, QUEUES
from horolog_experiments.queues.results import Results, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "draw_figures"]

FIGURES = ("worst", "homogeneous", "uniform", "thesis", "automotive", "system")
"""Names of the figures; each is <name>.svg."""

_STYLE: dict[Any, Any] = {
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
}

_BLACK, _ORANGE, _SKY, _GREEN = "#000000", "#e69f00", "#56b4e9", "#009e73"
_BLUE, _RED, _PURPLE, _GREY, _BROWN = "#0072b2", "#d55e00", "#cc79a7", "#b8b8b8", "#7a5230"
_LINES: Mapping[str, tuple[str, str, float]] = {
    "sorted_list": (_BLACK, "-", 1.4),
    "bucket": (_ORANGE, "--", 1.4),
    "binary_tree": (_PURPLE, "-.", 1.4),
    "red_black_tree": (_RED, "-", 1.4),
    "array_heap": (_SKY, "--", 1.6),
    "pairing_heap": (_BROWN, ":", 1.6),
    "leftist_heap": (_BROWN, "-", 2.0),
    "hashed_wheel": (_GREEN, "-.", 1.4),
    "calendar": (_BLUE, "-", 2.6),
}
"""Colour (Okabe and Ito's, for all kinds of sight), dashes and width; other queues are thin and grey."""
_BANDS = ("sorted_list", "calendar")
"""Where averages are drawn, these have their range from best to worst behind them."""
_TITLES = {queue.name: queue.title for queue in QUEUES}
_SAYS = {"insert": "insert", "first": "first", "pop": "pop (remove the first)"}
_LABEL_STEP = 0.048  # of a panel's height: one line of text
_THESIS_LINES = (("insert", _RED), ("first", _GREEN), ("pop", _BLUE))


def draw_figures(results: Results) -> dict[str, str]:
    """The files of FIGURES. `results` are those of a full run; ImportError without matplotlib."""
    makers: Mapping[str, Callable[[Results], Figure]] = {
        "worst": _worst,
        "homogeneous": _homogeneous,
        "uniform": _uniform,
        "thesis": _thesis,
        "automotive": _automotive,
        "system": _system,
    }
    return svg_files({name: partial(makers[name], results) for name in FIGURES}, _STYLE)


def _panels(width: float, height: float, columns: int, rows: int = 1) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, [one for line in axes for one in line]


def _plain_ticks(axis: Axes, *, x: bool = True, y: bool = True) -> None:
    """Powers of ten as 1,000 and not as 10^3, and no labels in between."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    for wanted, one in ((x, axis.xaxis), (y, axis.yaxis)):
        if wanted:
            one.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
            one.set_minor_formatter(NullFormatter())


def _worst(results: Results) -> Figure:
    return _family(results, "worst", "dearest call", lambda row: float(row.worst))


def _homogeneous(results: Results) -> Figure:
    return _family(results, "homogeneous", "average", lambda row: float(row.average))


def _uniform(results: Results) -> Figure:
    return _family(results, "uniform", "average", lambda row: float(row.average))


def _family(results: Results, family: str, what: str, value: Callable[[Row], float]) -> Figure:
    """A panel an operation, a line a queue, both axes logarithmic."""
    figure, panels = _panels(13, 5.2, len(OPERATIONS))
    sizes = results.sizes(family)
    for panel, operation in zip(panels, OPERATIONS, strict=True):
        ends = []
        for queue in QUEUES:
            if queue.bench_only:
                continue
            values = [value(results.row(queue.name, family, n, operation)) for n in sizes]
            colour, dashes, wide = _LINES.get(queue.name, (_GREY, "-", 0.9))
            front = 3 if queue.name in _LINES else 2
            panel.plot(sizes, values, color=colour, linestyle=dashes, linewidth=wide, zorder=front)
            if family != "worst" and queue.name in _BANDS and operation != "first":
                rows = [results.row(queue.name, family, n, operation) for n in sizes]
                panel.fill_between(
                    sizes,
                    [row.best for row in rows],
                    [row.worst for row in rows],
                    color=colour,
                    alpha=0.12,
                    linewidth=0,
                    zorder=1,
                )
            if queue.name in _LINES:
                ends.append((values[-1], queue.title, colour))
        panel.set(xscale="log", xlabel="tasks n", title=_SAYS[operation])
        if operation == "first":  # a few instructions, whatever n
            panel.set_ylim(0, 1.1 * max(value for value, _, _ in ends))
        else:
            panel.set_yscale("log")
        panel.set_xlim(sizes[0], sizes[-1])
        _plain_ticks(panel)
        _label_ends(panel, sizes[-1], ends)
    panels[0].set_ylabel(f"instructions, {what}, -O2")
    return figure


def _label_ends(panel: Axes, x: float, ends: Iterable[tuple[float, str, str]]) -> None:
    """Write each line's name at its end; names of lines that end near one another move apart."""
    limits = panel.get_ylim()
    to_axes = panel.transScale + panel.transLimits
    ordered = sorted(ends)
    heights = [float(to_axes.transform((x, value))[1]) for value, _, _ in ordered]
    spread = _apart(heights, _LABEL_STEP)
    for (value, name, colour), at in zip(ordered, spread, strict=True):
        panel.annotate(
            name,
            xy=(x, value),
            xycoords="data",
            xytext=(1.08, at),
            textcoords="axes fraction",
            color=colour,
            va="center",
            fontsize=8.5,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.6,
                "shrinkA": 1,
                "shrinkB": 0,
                "relpos": (0, 0.5),
            },
        )
    panel.set_ylim(limits)


def _apart(heights: Sequence[float], step: float) -> list[float]:
    """`heights`, ascending, moved as little as makes them `step` apart; groups keep their middle."""
    groups: list[tuple[float, int]] = []  # the middle and the number of members
    for height in heights:
        groups.append((height, 1))
        while len(groups) > 1:
            (below, few), (above, more) = groups[-2], groups[-1]
            if above - below >= step * (few + more) / 2:
                break
            groups[-2:] = [((below * few + above * more) / (few + more), few + more)]
    return [
        middle + step * (nth - (count - 1) / 2) for middle, count in groups for nth in range(count)
    ]


def _thesis(results: Results) -> Figure:
    """A panel a structure: our -O0 beside the thesis' formulas."""
    figure, panels = _panels(11, 8, 2, 2)
    sizes = [n for n in results.sizes("worst") if 2 <= n <= thesis.MOST_TASKS]
    every = range(2, thesis.MOST_TASKS + 1)
    for panel, structure in zip(panels, thesis.FORMULAS, strict=True):
        ends = []
        for (operation, colour), formula in zip(_THESIS_LINES, structure.operations, strict=True):
            ours = [results.row(structure.same, "worst", n, operation, "O0").worst for n in sizes]
            theirs = [formula.of(n) for n in every]
            panel.plot(sizes, ours, color=colour, linewidth=1.6)
            panel.plot(every, theirs, color=colour, linewidth=1.4, linestyle=(0, (4, 2)))
            ends.append((float(ours[-1]), f"{operation}, ours", colour))
            ends.append((float(theirs[-1]), f"{operation}, thesis", colour))
        panel.set(xscale="log", yscale="log", title=f"{structure.title} (table {structure.table})")
        panel.set_xlim(sizes[0], sizes[-1])
        _plain_ticks(panel)
        panel.set_xticks([2, 5, 10, 20, 50, 100, 150])
        _label_ends(panel, sizes[-1], ends)
    for panel in panels[2:]:
        panel.set_xlabel("tasks n")
    for panel in panels[::2]:
        panel.set_ylabel("dearest call, -O0: our instructions, its cycles")
    return figure


def _automotive(results: Results) -> Figure:
    """A panel an operation, a row a queue: from best to worst, a mark at the average, two sizes."""
    figure, panels = _panels(13, 5.6, len(OPERATIONS))
    names = [queue.name for queue in QUEUES if not queue.bench_only]
    for panel, operation in zip(panels, OPERATIONS, strict=True):
        for tasks, colour, shift, mark in ((85, _BLUE, -0.17, "o"), (MOST_TASKS, _RED, 0.17, "D")):
            rows = [results.row(name, "automotive", tasks, operation) for name in names]
            at = [place + shift for place in range(len(names))]
            panel.barh(
                at,
                [max(row.worst - row.best, 0.02 * row.best) for row in rows],
                left=[row.best for row in rows],
                height=0.26,
                color=colour,
                alpha=0.35,
                linewidth=0,
            )
            panel.plot(
                [float(row.average) for row in rows],
                at,
                linestyle="none",
                marker=mark,
                markersize=4.5,
                color=colour,
                label=f"{tasks:,} tasks",
            )
        panel.set(title=_SAYS[operation], ylim=(len(names) - 0.4, -0.6))
        if operation == "first":
            panel.set_xlim(left=0)
        else:
            panel.set_xscale("log")
            left, right = panel.get_xlim()
            panel.set_xlim(0.8 * left, right)
        panel.set_yticks(range(len(names)), [_TITLES[name] for name in names])
        panel.grid(visible=False, axis="y")
        panel.tick_params(axis="y", length=0)
        if panel is not panels[0]:
            panel.set_yticklabels([])
        panel.set_xlabel("instructions, -O2")
        _plain_ticks(panel, y=False)
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=2,
        frameon=False,
        title="mark: average; bar: best to worst",
    )
    return figure


def _system(results: Results) -> Figure:
    """A panel a number of tasks, a bar a queue, and FreeRTOS."""
    whole = results.whole
    figure, panels = _panels(13, 4.8, len(whole.sizes))
    names: list[str | None] = [queue.name for queue in QUEUES if not queue.bench_only]
    if whole.freertos:
        names.append(None)
    for panel, tasks in zip(panels, whole.sizes, strict=True):
        costs = [whole.row(name, tasks).per_job for name in names]
        colours = [
            _RED if name is None else _BLUE if name == "calendar" else _GREY for name in names
        ]
        widths = [0.0 if cost is None else float(cost) for cost in costs]
        panel.barh(range(len(names)), widths, height=0.7, color=colours, linewidth=0)
        for place, (name, cost) in enumerate(zip(names, costs, strict=True)):
            panel.annotate(
                "overloaded"
                if cost is None
                else f"{number(cost, 0)}{_ratio(results, name, tasks)}",
                xy=(widths[place], place),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
                zorder=4,
                bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "linewidth": 0},
            )
        if whole.freertos:
            panel.axvline(widths[-1], color=_RED, linewidth=0.9, linestyle="--", zorder=3)
        panel.set(ylim=(len(names) - 0.4, -0.6), xlim=(0, 1.32 * max(widths)))
        panel.set_title(f"{tasks:,} tasks")
        panel.set_yticks(
            range(len(names)), ["FreeRTOS" if name is None else _TITLES[name] for name in names]
        )
        if panel is not panels[0]:
            panel.set_yticklabels([])
        panel.tick_params(axis="y", length=0)
        panel.grid(visible=False, axis="y")
        panel.set_xlabel("kernel instructions a job, -O2")
        _plain_ticks(panel, y=False)
    return figure


def _ratio(results: Results, name: str | None, tasks: int) -> str:
    ratio = None if name is None else results.whole.ratio(name, tasks)
    if ratio is not None:
        return f" ({fixed(ratio, 2)}\N{MULTIPLICATION SIGN})"
    return "" if name is None or results.whole.row(name, tasks).refused is None else " (late)"
