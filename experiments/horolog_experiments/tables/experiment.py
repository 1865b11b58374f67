# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment as the harness conducts it."""

from __future__ import annotations

from horolog_experiments.dispatch.figure import timelines_svg, vcd_text
from horolog_experiments.dispatch.scenarios import MAXPERF
from horolog_experiments.harness import Experiment
from horolog_experiments.tables.holds import HELD, IMAGES, MISSED, deadline_marks
from horolog_experiments.tables.objects import result_rows
from horolog_experiments.tables.page import FIGURE, tables_page
from horolog_experiments.tables.results import DATA, Results
from horolog_experiments.tables.run import measure_tables
from horolog_experiments.tables.sync_plot import following_svg
from horolog_experiments.tables.targets import TARGETS

__all__ = ["EXPERIMENT"]


def _files(results: Results) -> dict[str, str]:
    """Figure 6 and its waveforms."""
    drawn = {_TITLES[name]: one for name, one in results.timelines.items()}
    marks = {
        _TITLES[image.name]: deadline_marks(image, results.timelines[image.name])
        for image in IMAGES
        if image.name in results.timelines
    }
    waveforms = {f"{name}.vcd": vcd_text(one) for name, one in results.timelines.items()}
    return {FIGURE: timelines_svg(drawn, MAXPERF.unit, marks), **waveforms} if drawn else {}


_TITLES = {
    HELD.name: "deadlines that hold",
    MISSED.name: "the first task misses its deadline, and a hook is called",
}


EXPERIMENT = Experiment[Results](
    "tables",
    measure=lambda run: measure_tables(run.folder, run.say, quick=run.quick),
    rows=result_rows,
    page=tables_page,
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain, "freertos": results.freertos},
    data=DATA.text,
    has_data=lambda results: bool(results.following),
    figures=lambda results: following_svg(results.following, results.dispatched),
    files=_files,
    takes=("quick",),
    is_whole=lambda results, run: not run.quick and results.freertos is not None,
)
"""Without FreeRTOS's source it is not whole."""
