# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment as the harness conducts it."""

from __future__ import annotations

from horolog_experiments.dispatch.figure import timelines_svg, vcd_text
from horolog_experiments.dispatch.objects import result_rows
from horolog_experiments.dispatch.page import FIGURE, dispatch_page
from horolog_experiments.dispatch.results import DATA, Results
from horolog_experiments.dispatch.run import measure_dispatch
from horolog_experiments.dispatch.scenarios import FIGURES, FREERTOS_FIGURE, MAXPERF
from horolog_experiments.dispatch.targets import TARGETS
from horolog_experiments.harness import Experiment

__all__ = ["EXPERIMENT"]


def _files(results: Results) -> dict[str, str]:
    """The figure and its waveforms."""
    titles = {image.name: image.title for image in (*FIGURES, FREERTOS_FIGURE)}
    drawn = {titles[image]: one for image, one in results.timelines.items()}
    figure = {FIGURE: timelines_svg(drawn, MAXPERF.unit)}
    waveforms = {f"{image}.vcd": vcd_text(one) for image, one in results.timelines.items()}
    return figure | waveforms


EXPERIMENT = Experiment[Results](
    "dispatch",
    measure=lambda run: measure_dispatch(run.folder, run.say, quick=run.quick),
    rows=result_rows,
    page=dispatch_page,
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain, "freertos": results.freertos},
    data=DATA.text,
    files=_files,
    takes=("quick",),
    is_whole=lambda results, run: not run.quick and results.freertos is not None,
)
"""Without FreeRTOS's source it is not whole."""
