# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Rows, page and figures of the experiment `analysis`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from horolog_experiments.analysis.campaign import WHOLE
from horolog_experiments.analysis.draws import BOARDS, DEEP, WINDOWS
from horolog_experiments.analysis.dropped import DROPPED
from horolog_experiments.analysis.measure import Seen
from horolog_experiments.analysis.results import Analysed, mean
from horolog_experiments.analysis.targets import TARGETS, is_offset, is_synchronous
from horolog_experiments.harness import entries, fixed, number, table, targets_table
from horolog_experiments.harness.drawing import svg_files

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["analysis_page", "analysis_rows", "draw_figures"]

_SHOWN = 12
_FIGURES = {
    "tightness": "Tasks by largest measured response over bound, for each kind of offsets",
    "by-load": "Mean of largest measured response over bound, by the load of the bodies",
}


def analysis_rows(found: Analysed) -> list[dict[str, Any]]:
    """A row for each system."""
    return [
        {
            **asdict(one.case),
            "state": one.state,
            "holds": one.holds,
            "deadline_misses": one.misses,
            "runs": one.runs,
            "phasings": one.phasings,
            "runs_at_other_phases": one.phased_runs,
            "deadline_misses_at_other_phases": one.phased_misses,
            "tasks": one.bounds,
            "by_offsets": one.by_offsets,
            "above": one.above,
            "ratio": None if (of := mean([one])) is None else round(float(of), 3),
            "ratio_as_drawn": None
            if (drawn := mean([one], as_drawn=True)) is None
            else round(float(drawn), 3),
            "chains": one.chains,
            "above_in_chains": one.late_chains,
            "above_without": None if one.dropped is None else dict(one.dropped),
        }
        for one in found.seen
    ]


def analysis_page(found: Analysed, *, figures: bool) -> str:
    """The page of evidence."""
    ran = found.measured()
    pictures = (
        "".join(f"![{words}](analysis/{name}.svg)\n\n" for name, words in _FIGURES.items())
        if figures
        else ""
    )
    windows = ", ".join(f"{number(1000 * WINDOWS[board])} ms on {board}" for board in BOARDS)
    return f"""# Bounds of response times

Written by `horolog bench analysis`; do not edit. Made with {found.platform}, and {found.toolchain}.

{_part(found)}## Targets

{targets_table(entries(TARGETS, found))}
## What is drawn

5 to 100 tasks (16 on ibex-cells), a load of 30 to 95 % that is divided as UUniFast does, periods of 2 to
100 ms or of the automotive distribution, threads and basic tasks and every mechanism in turn. A window
is {windows}, where periods are a 20th as long. Offsets: none; random, to a tenth of the period; or
*behind*: all tasks but the least urgent one are released 50 us after it, so that it has its resource or
its level. A quarter of the systems allow releases to move. On the host port basic tasks share up to two
resources, held for 0.02 to 0.3 ms, and up to three devices interrupt, some of them in bursts with an arrival
curve.

One system in four has at most 40 tasks with a period, and besides them, in the same load, one to four
sporadic tasks: threads, basic tasks, or basic tasks beside threads. A device's interrupt or the end of
another task's job activates them. Two in three of those with threads have one or two aperiodic tasks with a
server, polling or deferrable. All priorities are explicit then. Devices interrupt as often as they may: each
at its least gap, or in bursts as close as its arrival curve allows; those of aperiodic tasks as often as
these are served, or up to three times as often, so that activations are lost. Responses of sporadic and
aperiodic tasks count from the device's interrupt, or from the end of the activating job. On the other boards,
where no device interrupts, other tasks activate all of them.

On mps2-an385 and ibex-cells kernel instructions take their time, and bodies are turns of a loop that
take their WCETs. On the host port each interrupt of a cell takes 20 to 400 counts of 40 ns, and as much,
drawn separately, passes before each body and behind its end: exactly what the analysis charges, its
margin of a tenth included, and for basic tasks the switches to the thread that serves them and its loop;
beside sporadic tasks it is the least that is charged for any task. A job activates others before the work at
its end passes, as in the kernel.
That is a model of the kernel's work: sections with interrupts off take none
there, but the analysis charges one. There the longest responses are searched: the first run has all
bodies at their WCETs and all devices interrupting at t = 0; each further run (3; 23 of one system in
{DEEP}) changes one body's execution times, the draw or a device's phase of the best run so far, or draws
all anew.

There release phases are searched, too. A bound that does not use offsets holds for every phase at which no
one-shot cell interrupts more often, and the plan's cells may begin at others: the system is built again with
other offsets and cells that begin there, up to 3 times (12 of one system in {DEEP}).
The first has all releases at once. Then come the critical instants that the analysis assumes of the tasks
that are the furthest from their bounds: what blocks the task has just begun
when all else is released, and the others of its level come a count before it. A sporadic task has its
critical instant where the job that activates it ends, or its interrupt comes; an aperiodic one where its
interrupt comes just after its polling server has looked. Last come changes of what
was the longest: the run begins where the task waited longest, about half of the tasks above are released
with it, and one task anywhere. Devices interrupt at the critical instant, and then anywhere, or at or shortly
after the release of a task. The tasks of a
periodic cell keep to its instants, so with few cells not every phase is possible. Each response is held to
the bound of the phases that it was measured with. Beside the bounds of the system as drawn, in ratios, such
phases count for bounds that use no offsets.

## Measured responses beside their bounds

*Ratio* is the mean, over tasks, of the largest measured response over the bound; *as drawn*: without the
runs at other phases. *Missed*: of the systems that are not proved to hold their deadlines, those that did
miss one in a run as drawn; in brackets, with those that missed one at other phases only.

{_by_group(ran)}
{_unproved(ran)}{_untimed(ran)}
{_left_out(found)}
{pictures}## The breakdown factor

By how much all bodies may be longer: predicted, and found by bisection on the host port.

{_factors(found)}
## What a wrong term does

The responses of one system in five beside bounds from which one term is left out: so many responses are
above them. A row without any is a mistake that these runs would not find. *Jitter* is where releases
have been moved to, and the early interrupts of cells; *one interrupt* is the source without a body that
takes most.

{_wrong(ran)}"""


def _part(found: Analysed) -> str:
    """Says that a part of all systems was measured, if so: no other figure of the page does."""
    drawn = {board: sum(one.case.board == board for one in found.seen) for board in BOARDS}
    drawn |= {"factor": len(found.factors), "large": found.large}
    if all(count >= WHOLE[part] for part, count in drawn.items()):
        return ""
    named = {"factor": "for breakdown factors", "large": "of 1,500 tasks"}
    counts = ", ".join(
        f"{count:,} of {WHOLE[part]:,} {named.get(part, f'on {part}')}"
        for part, count in drawn.items()
    )
    return f"""**This run was stopped early** (`--minutes`). It measured
systems {counts}.
Targets that are met here are met by these only; `horolog bench analysis` measures the others.

"""


def _by_group(ran: Sequence[Seen]) -> str:
    groups = sorted({_group(one) for one in ran}, key=lambda key: (BOARDS.index(key[0]), *key[1:]))
    rows = []
    for key in groups:
        of = [one for one in ran if _group(one) == key]
        failing = [one for one in of if not one.holds]
        ratio = mean(of)
        rows.append(
            [
                *key,
                f"{len(of):,}",
                f"{sum(one.bounds for one in of):,}",
                str(sum(one.above for one in of)),
                "-" if (drawn := mean(of, as_drawn=True)) is None else fixed(drawn, 2),
                "-" if ratio is None else fixed(ratio, 2),
                missed_text(failing),
            ]
        )
    head = ["board", "kind", "offsets", "sporadic", "systems", "tasks", "above"]
    return table([*head, "as drawn", "ratio", "missed"], rows)


def missed_text(failing: Sequence[Seen]) -> str:
    """How many of the systems that are not proved missed a deadline, as drawn and at any phases, in words."""
    drawn = sum(one.misses > 0 for one in failing)
    anywhere = sum(one.misses + one.phased_misses > 0 for one in failing)
    more = f" ({anywhere})" if anywhere > drawn else ""
    return f"{drawn}{more} of {len(failing)}"


def _group(one: Seen) -> tuple[str, str, str, str]:
    return one.case.board, one.case.kind, one.case.offsets, "yes" if one.case.untimed else "no"


def _unproved(ran: Sequence[Seen]) -> str:
    """The other half of tightness: systems that are declared not to hold, and those that did not."""
    failing = [one for one in ran if not one.holds]
    by = ", ".join(
        f"{missed_text(of)} on {board}"
        for board in BOARDS
        if (of := [one for one in failing if one.case.board == board])
    )
    return f"Systems that are not proved and missed a deadline: {by or 'none'}.\n"


def _untimed(ran: Sequence[Seen]) -> str:
    """The tasks that time does not release, in a sentence each."""
    kinds = {
        "sporadic tasks": [ratio for one in ran for ratio in one.sporadic_ratios],
        "aperiodic tasks, with the wait for their servers": [
            ratio for one in ran for ratio in one.aperiodic_ratios
        ],
    }
    systems = sum(one.case.untimed > 0 for one in ran)
    said = "; ".join(
        f"{len(of):,} {name}: {fixed(sum(of, Fraction(0)) / len(of), 2)}"
        for name, of in kinds.items()
        if of
    )
    return (
        f"Ratios of tasks that time does not release, in {systems:,} systems: {said or 'none'}.\n"
    )


def _left_out(found: Analysed) -> str:
    """The systems that did not run, by why."""
    why = Counter(_kind_of(one.state) for one in found.seen if one.state != "measured")
    if not why:
        return "Every system that was drawn has run.\n"
    rows = [[words, str(count)] for words, count in why.most_common()]
    return f"Drawn, and not run:\n\n{table(['why', 'systems'], rows)}"


def _kind_of(state: str) -> str:
    """A message without what is particular to one system."""
    if "never idle" in state:
        return "never idle: more work than the processor has time for"
    return state if len(state) < 100 and not any(c.isdigit() for c in state) else state[:60] + "..."


def _factors(found: Analysed) -> str:
    rows = [
        [
            f"{one.case.number}: {one.case.kind}, {one.case.mechanism}, {one.case.n} tasks",
            fixed(one.predicted, 3),
            fixed(one.found, 3),
            f"{number(100 * one.off)} %",
        ]
        for one in sorted(found.bisected(), key=lambda one: -one.off)[:_SHOWN]
    ]
    return table(["system, the furthest off first", "predicted", "found", "off"], rows)


def _wrong(ran: Sequence[Seen]) -> str:
    asked = [one.dropped for one in ran if one.dropped is not None]
    rows = [
        [
            name,
            f"{sum(one.get(name, 0) for one in asked):,}",
            str(sum(one.get(name, 0) > 0 for one in asked)),
        ]
        for name in DROPPED
    ]
    return table(["without", "tasks above", f"in systems, of {len(asked):,}"], rows)


def draw_figures(found: Analysed) -> dict[str, str]:
    """The figures, by name of the file. ImportError without matplotlib."""
    return svg_files({"tightness": partial(_tightness, found), "by-load": partial(_by_load, found)})


_LINES: dict[str, tuple[str, Callable[[Seen], bool]]] = {
    "synchronous": ("#0072b2", is_synchronous),
    "offsets used": ("#d55e00", is_offset),
    "offsets, not used": (
        "#009e73",
        lambda one: one.case.offsets != "none" and not one.by_offsets and not one.case.untimed,
    ),
    "with sporadic tasks": ("#cc79a7", lambda one: one.case.untimed > 0),
}


def _tightness(found: Analysed) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    for label, (colour, chosen) in _LINES.items():
        ratios = [float(r) for one in found.measured() if chosen(one) for r in one.ratios]
        if ratios:
            weights = [100 / len(ratios)] * len(ratios)
            bins = [at / 20 for at in range(21)]
            axes.hist(
                ratios, bins=bins, weights=weights, histtype="step", color=colour, label=label
            )
    axes.set_xlabel("largest measured response / bound")
    axes.set_ylabel("share of the tasks, %")
    axes.grid(visible=True, color="#dddddd")
    axes.legend(frameon=False, loc="upper left")
    return figure


def _by_load(found: Analysed) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    for label, (colour, chosen) in _LINES.items():
        points = []
        for load in range(30, 100, 10):
            of = [
                one for one in found.measured() if chosen(one) and load <= one.case.load < load + 10
            ]
            ratio = mean(of)
            if ratio is not None:
                points.append((load + 5, float(ratio)))
        axes.plot(
            *zip(*points, strict=True), color=colour, marker=".", label=label
        ) if points else None
    axes.set_xlabel("load of the bodies, %")
    axes.set_ylabel("mean of response / bound")
    axes.set_ylim(0, 1)
    axes.grid(visible=True, color="#dddddd")
    axes.legend(frameon=False, loc="lower left")
    return figure
