# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `costs`: the planner's predictions beside what is measured, queue by queue.

Example systems are run on the board by the mechanism that the planner chooses, with each queue in every
releaser, and with the queues that it chooses. Deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from horolog.analyse import threads_apart
from horolog.build.toolchains import toolchain
from horolog.data import data_root
from horolog.model import QUEUES, Exit, HorologError, Plan, System
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_plan
from horolog_experiments.harness import Experiment, Found, Target, entries, targets_table

__all__ = [
    "CHOSEN",
    "EXAMPLES",
    "EXPERIMENT",
    "WITHIN_PERCENT",
    "PredictionRow",
    "measure_predictions",
    "predictions_page",
]

EXAMPLES = ("engine-control", "chronos")

CHOSEN = "as chosen"
"""Stands for a queue's name where each releaser has the queue that the planner chose."""

WITHIN_PERCENT = 5
"""How far off a prediction for the first of EXAMPLES may be, with any queue."""


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """One system with one queue: kernel instructions predicted and measured in the window."""

    system: str
    mechanism: str
    queue: str  # one of QUEUES, or CHOSEN
    stores: tuple[str, ...]  # of the releasers, each once
    jobs: int
    predicted: Fraction
    measured: int

    @property
    def off(self) -> Fraction:
        """How far the prediction is off, in percent of what was measured."""
        return 100 * (self.predicted / self.measured - 1)


def measure_predictions(
    out: Path, say: Callable[[str], None], examples: Sequence[str] = EXAMPLES
) -> tuple[PredictionRow, ...]:
    """Plan, build and run the `examples` with every queue, below the folder `out`."""
    rows = []
    for name in examples:
        system = read_system(data_root() / "examples" / name / "system.toml")
        chosen = plan(system).choice
        rows.append(_row(system, CHOSEN, chosen, out, say))
        # The queues are compared where many tasks wait: each in a thread of its own.
        apart = threads_apart(system)
        for store in QUEUES:
            one = plan(apart, mechanism=chosen.mechanism, queue=store).choice
            rows.append(_row(apart, store, one, out, say))
    return tuple(rows)


def _row(
    system: System, queue: str, by: Plan, out: Path, say: Callable[[str], None]
) -> PredictionRow:
    say(f"running {system.name}, {by.mechanism}, queue {queue}")
    side = measure_plan(system, by, out / system.name)
    if side.instructions is None or side.deadline_misses:
        raise HorologError(
            f"{system.name} with queue {queue} cannot be compared",
            found=f"{side.deadline_misses} of {side.jobs} deadlines missed",
            exit=Exit.TARGET_FAILED,
        )
    return PredictionRow(
        system=system.name,
        mechanism=by.mechanism,
        queue=queue,
        stores=tuple(dict.fromkeys(r.store for r in by.releasers)),
        jobs=side.jobs,
        predicted=by.prediction.kernel_instructions,
        measured=side.instructions.kernel,
    )


def _worst(rows: Sequence[PredictionRow]) -> Found:
    worst = max(abs(row.off) for row in rows if row.system == EXAMPLES[0])
    return Found(worst, shown=round(float(worst), 2))


_TARGETS = (
    Target[Sequence[PredictionRow]](
        f"{EXAMPLES[0]}: a prediction off by at most, with any queue",
        "<=",
        WITHIN_PERCENT,
        "percent",
        _worst,
    ),
)


def _rows(rows: Sequence[PredictionRow]) -> list[dict[str, Any]]:
    return [
        {
            "system": row.system,
            "mechanism": row.mechanism,
            "queue": row.queue,
            "stores": list(row.stores),
            "jobs": row.jobs,
            "predicted": round(float(row.predicted / row.jobs), 2),
            "measured": round(row.measured / row.jobs, 2),
            "unit": "kernel instructions a job",
            "off_percent": round(float(row.off), 2),
        }
        for row in rows
    ]


def predictions_page(rows: Sequence[PredictionRow]) -> str:
    """docs/evidence/costs.md."""
    targets = targets_table(entries(_TARGETS, rows), None).rstrip("\n")
    lines = [
        "# What the planner predicts, and what is measured",
        "",
        f"Written by `horolog bench costs`; do not edit. {toolchain()}, -O2.",
        "",
        targets.replace("| wanted |", "| |"),
    ]
    for name in dict.fromkeys(row.system for row in rows):
        here = [row for row in rows if row.system == name]
        lines += [
            "",
            f"## {name}, {here[0].mechanism}",
            "",
            "Kernel instructions a job; every releaser has the queue named.",
            "",
            "| queue | predicted | measured | off by |",
            "|---|---|---|---|",
            *(_line(row) for row in here),
        ]
    return "\n".join([*lines, "", _EXPLANATION])


def _line(row: PredictionRow) -> str:
    name = f"`{row.queue}`"
    if row.queue == CHOSEN:
        name = f"{CHOSEN}: {', '.join(f'`{store}`' for store in row.stores)}"
    return (
        f"| {name} | {float(row.predicted / row.jobs):.1f} | {row.measured / row.jobs:.1f} "
        f"| {float(row.off):+.1f} % |"
    )


_EXPLANATION = """\
## How a prediction is made, and what it leaves out

`horolog calibrate` measures, on the target:

- the kernel's steps over a sorted list, from small systems that differ in one thing (`[costs]`);
- for each queue, what its insert, first and pop cost on their own, by the number of tasks, for five shapes
  of workload: one period (`same`); a base period and its multiples up to tenfold (`near`); the automotive
  distribution (`wide`); CHRONOS's distribution (`many`); tasks hardly ever due together (`distinct`);
- what the kernel makes of these calls: the same 20 tasks are run with every queue, released in three ways;
  what differs from the sorted list, less what the calls differ by, is the `job` and `interrupt_*` of the
  queue. Short calls are compiled into their callers, and the registers that a handler saves depend on them.

A job is then predicted as the kernel's steps, plus the queue's calls and `job`, less the sorted list's. The
shape of a releaser's workload is `distinct` if at most five jobs are released at four instants, else that
of its periods: one (`same`); more than twelve that are not all multiples of the shortest (`many`); of the
others at most 40-fold apart (`near`), or more (`wide`). Lists, the bucket and the binary tree are looked up
by the nodes that a sorted list's insertion passes, which is known exactly; the others by the number of
tasks.

Left out are: phases (offsets) other than by the nodes passed and by the shape `distinct`; the difference
between a workload and the one of its shape that was measured; preemption's part of a switch, which is that
of one mixture. Systems of a few tasks over several cells switch more often than that mixture, whatever the
queue.
"""


EXPERIMENT = Experiment[Sequence[PredictionRow]](
    "costs",
    measure=lambda run: measure_predictions(run.folder, run.say),
    rows=_rows,
    page=predictions_page,
    targets=_TARGETS,
    head=lambda rows: {"toolchain": toolchain()},
)
