# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The errors over time of tables that follow a global time, as SVG (needs matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from horolog_experiments.harness.drawing import svg_files
from horolog_experiments.tables.sync import PRECISION, Following

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["following_svg"]

_COUNTS_A_MS = 25_000
_COLOURS = {200: "#3465a4", -200: "#73a946"}


def following_svg(
    schedule: Mapping[tuple[int, bool], Following],
    dispatcher: Mapping[tuple[int, bool], Following],
) -> dict[str, str]:
    """figure5.svg; ImportError without matplotlib."""
    return svg_files({"figure5": partial(_figure, schedule, dispatcher)})


def _figure(
    schedule: Mapping[tuple[int, bool], Following],
    dispatcher: Mapping[tuple[int, bool], Following],
) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for panel, title, following in (
        (left, "schedule table", schedule),
        (right, "dispatcher table", dispatcher),
    ):
        panel.set_title(title, fontsize=10)
        panel.axhspan(
            -PRECISION, PRECISION, color="#d8dee6", label=f"precision, {PRECISION} counts"
        )
        for (ppm, given), one in following.items():
            panel.plot(
                [at / _COUNTS_A_MS for at, _ in one.shown],
                [error for _, error in one.shown],
                color=_COLOURS[ppm],
                linestyle="-" if given else ":",
                linewidth=1.2,
                label=f"global time {ppm:+} ppm, {'given every 10 ms' if given else 'never given'}",
            )
        panel.set_xlabel("ms")
        panel.grid(color="#eee")
    left.set_ylabel("table's position less global time, counts of 40 ns")
    right.legend(frameon=False, fontsize=8)
    return figure
