# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a run leaves to be read: the page, and the data that it is made from."""

from __future__ import annotations

from pathlib import Path

from horolog_experiments.kernel.page import FOLDER, MEASURED, kernel_page
from horolog_experiments.kernel.recorded import RECORDED, recorded_text
from horolog_experiments.kernel.results import Results, measured_text

__all__ = ["write_evidence"]


def write_evidence(results: Results, page: Path) -> tuple[list[Path], list[str]]:
    """Write the page and, in a folder beside it, measured.json; returns the paths, and no notes.

    With ThreadX measured there is recorded.json, too, which bench/kernel/threadx/ has a copy of.
    """
    texts = {page: kernel_page(results), page.parent / FOLDER / MEASURED: measured_text(results)}
    record = results.record()
    if record is not None:
        texts[page.parent / FOLDER / RECORDED] = recorded_text(record)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts), []
