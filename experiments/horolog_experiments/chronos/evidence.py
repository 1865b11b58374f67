# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a run leaves to be read: the page, its figures, and the data that both are made from."""

from __future__ import annotations

from pathlib import Path

from horolog_experiments.chronos.figures import draw_figures
from horolog_experiments.chronos.page import FOLDER, chronos_page
from horolog_experiments.chronos.results import Results, measured_text
from horolog_experiments.queues.plots import HOW_TO_DRAW, can_draw

__all__ = ["MEASURED", "write_evidence"]

MEASURED = "measured.json"


def write_evidence(results: Results, page: Path) -> tuple[list[Path], list[str]]:
    """Write the page, and measured.json and the figures in a folder beside it.

    Returns the paths written, and what a person has to know: that matplotlib is missing, if it is. Figures
    of an earlier run are taken away then, as they would not be of these results.
    """
    folder = page.parent / FOLDER
    drawing = can_draw()
    texts = {
        page: chronos_page(results, figures=drawing),
        folder / MEASURED: measured_text(results),
    }
    for stale in folder.glob("*.svg"):
        stale.unlink()
    if drawing:
        for name, text in draw_figures(results).items():
            texts[folder / f"{name}.svg"] = text
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts), [] if drawing else [HOW_TO_DRAW]
