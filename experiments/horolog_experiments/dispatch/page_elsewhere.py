# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The sections of the page about whole systems: engine-control, and the experiments of CHRONOS."""

from __future__ import annotations

from collections.abc import Sequence

from horolog_experiments.chronos.sets import STRONGER
from horolog_experiments.dispatch.results import Chronos, Results
from horolog_experiments.dispatch.targets import chronos_mean, per_job, stronger_means
from horolog_experiments.harness.tables import number, table

__all__ = ["chronos_section", "engine_section"]


def engine_section(results: Results) -> str:
    """engine-control; empty if it was not run."""
    one = results.engine
    if one is None:
        return ""
    rows = [["basic tasks", number(one.basic), one.plan]]
    if one.threads is not None:
        rows.append(["threads, one for each task, planner's choice", number(one.threads), ""])
    if one.freertos is not None:
        rows.append(["FreeRTOS", number(one.freertos), "tick of 1 kHz"])
    return (
        f"## engine-control on mps2-an385\n\n`examples/engine-control`, 85 tasks, {one.jobs:,} jobs in 2 s; "
        "kernel instructions a job, measured in this run.\n\n"
        + table(["as", "kernel a job", "plan"], rows)
    )


def chronos_section(results: Results) -> str:
    """The points of CHRONOS; empty if they were not run."""
    if not results.chronos:
        return ""
    rows = []
    for scenario in dict.fromkeys(one.scenario for one in results.chronos):
        for variant in dict.fromkeys(one.variant for one in results.chronos):
            some = [o for o in results.chronos if (o.scenario, o.variant) == (scenario, variant)]
            by_factor = {one.factor: per_job(one) for one in some}
            compared = [one for one in some if one.kernel and one.theirs]
            mean, ratios = chronos_mean(Results(spans={}, chronos=tuple(compared)))
            rows.append(
                [
                    scenario,
                    variant,
                    *(
                        "" if by_factor.get(factor) is None else number(by_factor[factor] or 0)
                        for factor in (1, 15)
                    ),
                    f"{sum(one.kernel > 0 for one in some)} of {len(some)}",
                    str(len(compared)),
                    "" if mean is None else number(min(ratios)),
                    "" if mean is None else f"{mean:.1f}",
                    "" if mean is None else number(max(ratios)),
                    *_stronger(compared),
                ]
            )
    header = [
        "workload",
        "variant",
        "kernel a job, x 1",
        "x 15",
        "points that hold",
        "compared",
        "ratio, least",
        "mean",
        "most",
        *(f"mean against {title}" for title in STRONGER.values()),
    ]
    return (
        "## The experiments of CHRONOS with basic tasks, mps2-an385\n\nKernel instructions, and how many "
        "times as many stock FreeRTOS executes; means are geometric. The points are those of `horolog bench "
        "chronos` ([chronos.md](chronos.md)), its way `basic`, run here or taken from its cache; FreeRTOS's "
        f"figures are {results.chronos_freertos or 'not here'}. A point at which either misses a deadline "
        "enters no ratio. The stronger FreeRTOS sides are compared by the job.\n\n"
        + table(header, rows)
        + _uncounted(results)
    )


def _stronger(some: Sequence[Chronos]) -> list[str]:
    """The mean against each of STRONGER."""
    means = stronger_means(some)
    return [f"{means[title]:.1f}" if title in means else "" for title in STRONGER.values()]


def _uncounted(results: Results) -> str:
    """The points that do not count, but for missed deadlines, by reason."""
    found: dict[str, list[str]] = {}
    for one in results.chronos:
        if one.said and one.said != "deadlines are missed":
            found.setdefault(one.said.partition(": ")[0], []).append(
                f"{one.scenario} x {one.factor}, {one.variant}"
            )
    return "".join(
        f"\nNot counted, {why} ({len(points)} points): {points[0]} to {points[-1]}.\n"
        for why, points in found.items()
    )
