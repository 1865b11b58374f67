# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a run leaves to be read: the page, its figures, and the data that both are made from."""

from __future__ import annotations

from pathlib import Path

from horolog_experiments.queues.cases import MOST_TASKS
from horolog_experiments.queues.page import FOLDER, queues_page
from horolog_experiments.queues.plots import HOW_TO_DRAW, can_draw, draw_figures
from horolog_experiments.queues.results import Results, measured_text

__all__ = ["MEASURED", "write_evidence"]

MEASURED = "measured.json"
"""The data, beside the figures."""


def write_evidence(results: Results, page: Path) -> tuple[list[Path], list[str]]:
    """Write the page; of a full run also measured.json and the figures, in a folder beside it.

    Returns the paths written, and what a person has to know: that matplotlib is missing, if it is. Figures
    of an earlier run are taken away then, as they would not be of these results.
    """
    full = MOST_TASKS in results.sizes("worst")
    drawing = full and can_draw()
    texts = {page: queues_page(results, figures=drawing)}
    folder = page.parent / FOLDER
    if full:
        for stale in folder.glob("*.svg"):
            stale.unlink()
        texts[folder / MEASURED] = measured_text(results)
    if drawing:
        for name, text in draw_figures(results).items():
            texts[folder / f"{name}.svg"] = text
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts), [HOW_TO_DRAW] if full and not drawing else []
