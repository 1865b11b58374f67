# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page of the experiment, and its figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from horolog.figures import plural
from horolog.model import ON_ONE_CORE, Baseline, Kind
from horolog_experiments.harness import Target, entries, number, table, targets_table
from horolog_experiments.harness.drawing import svg_files
from horolog_experiments.irregular.families import FAMILIES
from horolog_experiments.irregular.measure import ALL_LISTED, SYSTEMS
from horolog_experiments.irregular.results import (
    Irregular,
    Measured,
    geometric_mean,
    percentile,
)
from horolog_experiments.irregular.targets import TARGETS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_figures", "irregular_page"]

_KINDS = (Kind.THREAD.value, Kind.BASIC.value)
_WORST = 10
_FEW_JOBS = 100


def irregular_page(found: Irregular, *, figures: bool) -> str:
    """The page; with `figures`, it shows those of draw_figures."""
    targets: Sequence[Target[Irregular]] = TARGETS
    pictures = "".join(
        f"![{text}](irregular/{name}.svg)\n\n" for name, text in _FIGURES.items() if figures
    )
    families = table(
        ["family", "periods"], ((f"`{name}`", text) for name, (text, _) in FAMILIES.items())
    )
    return f"""\
# Systems that fit no grid

Written by `horolog bench irregular`; do not edit. Platform: {found.platform};
{found.toolchain}. Seed {found.seed}. Figures are **instructions** of the kernel in a window of
1 s, counted from outside the firmware.

{_part(found)}## Targets

{targets_table(entries(targets, found))}
## The systems

{_counts(found)} Each is drawn from one of the families below:
1 to 200 tasks, 1 to 4 cells of mps2-an385, no offsets, one for all or random ones to the nanosecond, a
load of 20 to 70 % divided at random. Every one is planned, built and run as threads and as basic tasks.
Of at least {ALL_LISTED} in {SYSTEMS} every listed plan is run, of the others the choice and the two that are
predicted to be the next best; *regret* is the choice's cost divided by that of the best that was run.
{len(found.wide)} more systems run as threads on 5 to 8 cells of the host port, which counts interrupts
and no instructions.

{families}
{pictures}## By family

{_by_family(found)}
{_beside(found)}## The {_WORST} predictions that are furthest off

{_worst(found, lambda one: abs(one.choice.off), _why_off)}
## The {_WORST} choices with the most regret

{_worst(found, lambda one: one.regret, _why_regret)}
"""


def _part(found: Irregular) -> str:
    """Says that a part of all systems was measured, if so: no other figure of the page does."""
    systems = len({one.case.number for one in found.measured})
    if systems >= SYSTEMS:
        return ""
    return f"""**This run was stopped early** (`--minutes`), after the first {systems} of {SYSTEMS} systems.
Targets that are met here are met by these only; `horolog bench irregular` goes on with the others.

"""


def _counts(found: Irregular) -> str:
    systems = len({one.case.number for one in found.measured})
    states = [
        f"as {kind} tasks {len(found.of(kind))} are measured, {len(found.of(kind, 'refused'))} refused, "
        f"{len(found.of(kind, 'overloaded'))} overloaded"
        for kind in _KINDS
    ]
    return f"{systems} systems: {'; '.join(states)}."


def _by_family(found: Irregular) -> str:
    rows = []
    for family in FAMILIES:
        for kind in _KINDS:
            of = [one for one in found.of(kind) if one.case.family == family]
            if of:
                rows.append([f"`{family}`", kind, *_summary(of)])
    header = ["family", "tasks", "systems", "instructions a job", "off, median", "off, worst"]
    return table([*header, "regret, worst"], rows)


def _beside(found: Irregular) -> str:
    """FreeRTOS's sides, of the drawn systems and of the examples; empty if none was run."""
    if not found.freertos and not found.wholes:
        return ""
    rows = []
    of_baselines = {one.described: found.kernels(one.value) for one in ON_ONE_CORE}
    for words, theirs in {
        **of_baselines,
        "the one of these that costs least": found.strongest(),
    }.items():
        row = [words, str(len(theirs))]
        for kind in _KINDS:
            of = found.ratios(kind, theirs)
            row.append(f"{geometric_mean(of):.2f}" if of else "-")
        rows.append(row)
    systems = table(
        ["against", "systems", "FreeRTOS / ours, threads", "FreeRTOS / ours, basic tasks"], rows
    )
    return f"""\
## Beside FreeRTOS

Kernel instructions of each [baseline](../guide/comparing.md) for each of ours, geometric means over the
systems that it can express exactly, and that both sides serve in time. Which systems these are differs from
baseline to baseline.

{systems}
{_examples(found)}"""


def _examples(found: Irregular) -> str:
    """The examples' sides."""
    if not found.wholes:
        return ""
    rows = []
    for one in found.wholes:
        ours = [found.whole(one.example, kind) for kind in _KINDS]
        ratios = [
            "-" if of is None or of is one else f"{one.kernel / of.kernel:.2f}" for of in ours
        ]
        own = one.side in _KINDS
        words = f"Horolog, {one.side} tasks" if own else Baseline(one.side).described
        words += f"; {one.misses:,} deadlines missed" if one.misses else ""
        rows.append([one.example, words, f"{one.kernel:,}", *(["", ""] if own else ratios)])
    header = ["example", "side", "kernel instructions", "/ ours, threads", "/ ours, basic tasks"]
    return f"""\
The examples in their windows:

{table(header, rows)}
"""


def _summary(of: Sequence[Measured]) -> list[str]:
    off = [abs(one.choice.off) * 100 for one in of]
    return [
        str(len(of)),
        f"{geometric_mean([one.choice.per_job for one in of]):.1f}",
        f"{number(percentile(off, 50))} %",
        f"{number(max(off))} %",
        number(max(one.regret for one in of), 3),
    ]


def _worst(
    found: Irregular, by: Callable[[Measured], Fraction], why: Callable[[Measured], str]
) -> str:
    of = sorted((one for kind in _KINDS for one in found.of(kind)), key=by, reverse=True)
    rows = []
    for one in of[:_WORST]:
        choice, best = one.choice, min(one.tried, key=lambda tried: tried.measured)
        rows.append(
            [
                str(one.case),
                one.kind,
                choice.words,
                f"{choice.predicted:,}",
                f"{choice.measured:,}",
                f"{number(choice.off * 100)} %",
                "it" if best is choice else f"{best.words} ({best.measured:,})",
                why(one),
            ]
        )
    return table(["system", "tasks", "choice", "predicted", "measured", "off", "best", "why"], rows)


def _why_off(one: Measured) -> str:
    """What of the run the prediction does not know, or knows by a mean only."""
    choice = one.choice
    predicted, taken, coalesced = choice.interrupts
    facts = []
    if choice.misses:
        facts.append(
            f"{plural(choice.misses, 'deadline')} missed: late jobs find their release passed"
        )
    if coalesced * 20 > predicted:
        facts.append(
            f"{number(Fraction(100 * coalesced, predicted))} % of the interrupts come while another is "
            "served, which saves their entry and exit"
        )
    if taken * 2 < choice.jobs:
        facts.append(f"{number(Fraction(choice.jobs, max(1, taken)))} jobs an interrupt")
    if len(choice.stores) > 1:
        facts.append(f"{len(choice.stores)} cells, which meet as their phases have it")
    if choice.jobs < _FEW_JOBS:
        facts.append(f"{choice.jobs:,} jobs only, a window with little to average")
    a_job = number(Fraction(choice.predicted - choice.measured, choice.jobs))
    return "; ".join([f"{a_job} instructions a job", *facts])


def _why_regret(one: Measured) -> str:
    """How far the predictions of the choice and of the best are off: what made the planner prefer the one."""
    choice, best = one.choice, min(one.tried, key=lambda tried: tried.measured)
    if best is choice:
        return ""
    return (
        f"predicted {number(100 * choice.off)} % off, the best {number(100 * best.off)} % off: "
        f"{choice.predicted:,} against {best.predicted:,}"
    )


_FIGURES = {
    "off": "How far predictions are off, by system",
    "per-job": "Kernel instructions a job, by system",
}


def draw_figures(found: Irregular) -> dict[str, str]:
    """The distributions, by name of the file. ImportError without matplotlib."""
    values: dict[str, Callable[[Measured], Fraction]] = {
        "off": lambda one: one.choice.off * 100,
        "per-job": lambda one: one.choice.per_job,
    }
    labels = {"off": "predicted - measured, %", "per-job": "kernel instructions a job"}
    return svg_files(
        {name: partial(_figure, found, values[name], labels[name]) for name in _FIGURES}
    )


def _figure(found: Irregular, value: Callable[[Measured], Fraction], label: str) -> Figure:
    """All systems in order of their value, one curve for each kind of tasks."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    for kind, colour in zip(_KINDS, ("#0072b2", "#d55e00"), strict=True):
        of = sorted(float(value(one)) for one in found.of(kind))
        shares = [100 * (at + 1) / len(of) for at in range(len(of))]
        axes.plot(shares, of, color=colour, marker=".", label=f"{kind} tasks")
    axes.set_xlabel("share of the systems, %")
    axes.set_ylabel(label)
    axes.grid(visible=True, color="#dddddd")
    axes.legend(frameon=False)
    return figure
