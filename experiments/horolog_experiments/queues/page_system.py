# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page's section on the queues inside the running kernel."""

from __future__ import annotations

from horolog_experiments.harness.tables import fixed, number, table
from horolog_experiments.queues.cases import QUEUES
from horolog_experiments.queues.results import Results, SystemRow
from horolog_experiments.queues.systems import STRETCH

__all__ = ["system_section"]


def system_section(results: Results) -> str:
    """Kernel instructions per job for every queue and size, and the ratio to FreeRTOS; "" if none."""
    whole = results.whole
    if not whole.rows:
        return ""
    windows = ", ".join(f"{seconds} s with {tasks:,} tasks" for tasks, seconds in whole.windows_s)
    against = (
        f"FreeRTOS {whole.freertos} ticks at 1 kHz as well"
        if whole.freertos
        else f"FreeRTOS is missing here: {whole.missing}"
    )
    parts = [
        "## Inside the running kernel\n",
        "examples/engine-control, by the rule of ADR 0009: every instruction outside bodies and "
        f"idle is kernel. More than 85 tasks: the same shares and bodies, periods {STRETCH} times as "
        f"long, for both kernels. Window: {windows}; the larger ones are one hyperperiod. Mechanism "
        f"`{whole.mechanism}` for every queue: one 1 kHz periodic cell, all tasks in one queue, so that "
        f"only the queue differs; {against}, so that the ratio is not owed to fewer interrupts. Both "
        "at -O2 with the same flags. Ratio: FreeRTOS's kernel instructions for each of ours. Longer periods "
        "are a test of horizons too: the timing and the hashed wheel have 128 slots of 2^15 counts, 168 "
        "ms.\n",
        _table(results),
    ]
    refused = [
        f"- `{row.queue}`, {row.tasks:,} tasks: no ratio, {row.refused}."
        for row in whole.rows
        if row.refused is not None
    ]
    sizes = ", ".join(f"{size:,}" for size in whole.sizes)
    parts.append(
        "\n".join(refused) + "\n"
        if refused
        else f"No deadline is missed and no release overruns at {sizes} tasks, on either side.\n"
        if not any(row.deadline_misses or row.overruns or row.overloaded for row in whole.rows)
        else ""
    )
    return "\n".join(part for part in parts if part)


def _table(results: Results) -> str:
    whole = results.whole
    header = ["queue"]
    for tasks in whole.sizes:
        header += [f"{tasks:,}: kernel per job", "overhead, %", "ratio"]
    names: list[str | None] = [q.name for q in QUEUES if not q.bench_only]
    if whole.freertos:
        names.append(None)
    rows = []
    for name in names:
        row = ["FreeRTOS" if name is None else f"`{name}`"]
        for tasks in whole.sizes:
            one = whole.row(name, tasks)
            ratio = None if name is None else whole.ratio(name, tasks)
            row += [*_cells(one), "" if ratio is None else fixed(ratio, 2)]
        rows.append(row)
    return table(header, rows)


def _cells(row: SystemRow) -> list[str]:
    if row.per_job is None or row.overhead_percent is None:
        return ["overloaded", ""]
    late = f", {row.deadline_misses:,} of {row.jobs:,} late" if row.deadline_misses else ""
    return [number(row.per_job) + late, fixed(row.overhead_percent, 2)]
