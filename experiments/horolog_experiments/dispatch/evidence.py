# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a run leaves to be read: the page, the figure, its waveforms, and the data that all are made from."""

from __future__ import annotations

from pathlib import Path

from horolog_experiments.dispatch.figure import timelines_svg, vcd_text
from horolog_experiments.dispatch.page import FIGURE, FOLDER, MEASURED, dispatch_page
from horolog_experiments.dispatch.results import Results, measured_text
from horolog_experiments.dispatch.scenarios import FIGURES, FREERTOS_FIGURE, MAXPERF

__all__ = ["write_evidence"]


def write_evidence(results: Results, page: Path) -> tuple[list[Path], list[str]]:
    """Write the page, and in a folder beside it all else; returns the paths, and no notes."""
    folder = page.parent / FOLDER
    titles = {image.name: image.title for image in (*FIGURES, FREERTOS_FIGURE)}
    drawn = {titles[way]: one for way, one in results.timelines.items()}
    texts = {
        page: dispatch_page(results),
        folder / MEASURED: measured_text(results),
        folder / FIGURE: timelines_svg(drawn, MAXPERF.unit),
    }
    texts |= {folder / f"{way}.vcd": vcd_text(one) for way, one in results.timelines.items()}
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts), []
