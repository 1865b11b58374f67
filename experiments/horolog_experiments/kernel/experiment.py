# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment as the harness conducts it."""

from __future__ import annotations

from horolog_experiments.harness import Experiment
from horolog_experiments.kernel.page import kernel_page
from horolog_experiments.kernel.recorded import RECORDED, recorded_text
from horolog_experiments.kernel.result import head, result_rows
from horolog_experiments.kernel.results import DATA, Results
from horolog_experiments.kernel.run import measure_kernel
from horolog_experiments.kernel.targets import TARGETS

__all__ = ["EXPERIMENT"]


def _files(results: Results) -> dict[str, str]:
    """With ThreadX measured there is recorded.json, too, which bench/kernel/threadx/ has a copy of."""
    record = results.record()
    return {} if record is None else {RECORDED: recorded_text(record)}


EXPERIMENT = Experiment[Results](
    "kernel",
    measure=lambda run: measure_kernel(run.folder, run.say),
    rows=result_rows,
    page=kernel_page,
    targets=TARGETS,
    head=head,
    data=DATA.text,
    files=_files,
    is_whole=lambda results, run: results.freertos is not None and results.threadx is None,
)
"""Without FreeRTOS's source, or with ThreadX's, the page goes beside the results."""
