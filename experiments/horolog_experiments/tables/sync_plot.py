# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The error over time of a schedule table that follows a global time, as SVG (needs matplotlib)."""

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


def following_svg(following: Mapping[tuple[int, bool], Following]) -> dict[str, str]:
    """figure5.svg; ImportError without matplotlib."""
    return svg_files({"figure5": partial(_figure, following)})


def _figure(following: Mapping[tuple[int, bool], Following]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.6, 3.6), layout="constrained")
    panel = figure.subplots()
    panel.axhspan(-PRECISION, PRECISION, color="#d8dee6", label=f"precision, {PRECISION} counts")
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
    panel.set_ylabel("table's position less global time, counts of 40 ns")
    panel.legend(frameon=False, fontsize=8)
    panel.grid(color="#eee")
    return figure
