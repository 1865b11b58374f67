# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The report as it fits into a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from horolog.figures import count, plural, significant
from horolog.model import Planned, System
from horolog.model.result import Result, Side
from horolog.report.pictures import groups
from horolog.report.rounds import corrections
from horolog.report.wording import (
    MEMORY_ROWS,
    beside_rows,
    capital,
    deadlines_tone,
    exception_rows,
    exceptions_text,
    headline,
    interruptions_text,
    memory_text,
    ns_text,
    percent,
    ratio_rows,
    sides,
    unpredicted,
)
from horolog.trace import TaskResponse, Trace, jobs, responses

__all__ = ["TONES", "terminal"]

TONES = {"good": "bold green", "neutral": "bold", "bad": "bold red"}
_MOST_GROUPS = 12
_NS = 1_000_000_000


def terminal(
    result: Result,
    planned: Planned,
    system: System,
    trace: Trace | None = None,
    basic: Planned | None = None,
) -> RenderableType:
    """Headline, comparison, alternatives and, if there is a trace, the worst responses.

    `basic`: the plan for all tasks as basic tasks, if they were measured so, too.
    """
    first = headline(result, len(system.tasks))
    parts: list[RenderableType] = []
    if result.deadlines is not None:
        parts.append(Text(result.deadlines.text, style=TONES[deadlines_tone(result.deadlines)]))
    if result.hint is not None:
        parts.append(Text(capital(result.hint), style="dim"))
    parts.append(Text(first.sentence, style=TONES[first.tone]))
    if first.detail:
        parts.append(Text(first.detail, style="dim"))
    parts += [Text(f"Note: {note}", style="yellow") for note in result.notes]
    parts += [Text(f"Not predicted: {text}", style="dim") for text in unpredicted(result)]
    if result.caveat is not None:
        parts.append(Text(result.caveat, style="dim"))
    by_manual = exceptions_text(result)
    if by_manual is not None:
        parts.append(Text(by_manual, style="dim"))
    changed = None if trace is None else corrections(system, trace.rounds)
    if changed is not None:
        parts.append(Text(f"{capital(changed.text)}.", style="dim"))
    parts += [Text(), _comparison(result, planned, basic), Text(), _alternatives(result, planned)]
    if trace is not None:
        parts += [Text(), _worst(system, responses(jobs(trace, system), system, trace.rounds))]
    for one in result.suggestions:
        parts += [Text(), Text(f"Better: {one.text}"), Text(f"  {one.line}", style="bold")]
    return Padding(Group(*parts), (1, 1))


def _table(title: str, *columns: str | Column) -> Table:
    return Table(
        *columns, title=title, title_justify="left", title_style="bold", box=None, pad_edge=False
    )


def _right(*headings: str) -> list[Column]:
    return [Column(heading, justify="right") for heading in headings]


def _comparison(result: Result, planned: Planned, basic: Planned | None) -> Table:
    named = sides(result)
    every = [side for _, _, side in named]
    table = _table(f"{result.system} on {result.board}", "", *_right(*(n for _, n, _ in named)))

    def row(label: str, value: Callable[[Side], str], style: str = "") -> None:
        table.add_row(label, *[value(side) for side in every], style=style)

    row("mechanism", lambda side: side.mechanism)
    plans = {"ours": planned, "basic": basic}
    cells = [plans.get(key) for key, _, _ in named]
    table.add_row("timer cells", *[str(len(p.choice.releasers)) if p else "1" for p in cells])
    row("interrupts predicted", lambda side: count(side.interrupts.predicted))
    row("interrupts taken", lambda side: count(side.interrupts.taken))
    row("interrupts coalesced", lambda side: count(side.interrupts.coalesced))
    if any(side.interrupts.excess for side in every):
        row("interrupts for no instant", lambda side: count(side.interrupts.excess), "bold red")
    for label, figures in beside_rows(result):
        table.add_row(label, *[figures.get(key, "") for key, _, _ in named])
    row("jobs", lambda side: count(side.jobs))
    late = any(side.deadline_misses for side in every)
    row("missed deadlines", lambda side: count(side.deadline_misses), "bold red" if late else "")
    row("overruns", lambda side: count(side.overruns))
    if any(side.interruptions is not None for side in every):
        row("jobs disturbed for jobs of lower priority", interruptions_text)
    if any(side.instructions is not None for side in every):
        if any(side.beside for side in every):
            row(f"kernel {result.unit} predicted", _predicted)
        row(f"kernel {result.unit}", lambda side: _counted(side))
        row("  per job", lambda side: _or_dash(side.kernel_per_job))
        row("kernel overhead", lambda side: percent(side.overhead_percent), "bold")
    for label, figures in exception_rows(result):
        table.add_row(label, *[figures.get(key, "") for key, _, _ in named])
    for label, memory_of in MEMORY_ROWS:
        if any(side.memory is not None for side in every):
            row(label, partial(memory_text, memory_of))
    for label, ratios in ratio_rows(result):
        row_of = [ratios.get(key) for key, _, _ in named]
        shown = ["" if ratio is None else f"{significant(ratio, 4)} to 1" for ratio in row_of]
        table.add_row(label, *shown, style="bold")
    return table


def _alternatives(result: Result, planned: Planned) -> Table:
    table = _table("Alternatives, predicted", "", *_right("cells", "interrupts", "overhead"), "")
    for candidate in result.alternatives:
        possible = candidate.interrupts is not None
        table.add_row(
            candidate.mechanism,
            str(len(candidate.cells)) if possible else "\u2013",
            count(candidate.interrupts) if candidate.interrupts is not None else "\u2013",
            percent(candidate.overhead_percent),
            candidate.reason,
            style="bold" if candidate.chosen else "",
        )
    bound = count(planned.distinct_instants)
    table.add_row("lower bound", "", bound, "", "distinct release instants", style="dim")
    return table


def _worst(system: System, rows: Sequence[TaskResponse]) -> Group:
    """The worst task of every level, the levels nearest to their deadlines first."""

    def share(row: TaskResponse) -> Fraction:
        worst = row.max_ns
        return Fraction(-1) if worst is None else worst / (system.tasks[row.task].deadline * _NS)

    worst = [
        (group, max((rows[index] for index in group.tasks), key=share))
        for group in groups(system, at_most=0)
    ]
    worst.sort(key=lambda item: -share(item[1]))
    numbers = _right("response", "of its deadline")
    table = _table("Worst responses, one task a level", "level", "task", *numbers)
    for group, row in worst[:_MOST_GROUPS]:
        table.add_row(
            group.label,
            system.tasks[row.task].name,
            ns_text(row.max_ns),
            "\u2013" if row.max_ns is None else percent(100 * share(row)),
            style="bold red" if row.misses else "",
        )
    left = len(worst) - _MOST_GROUPS
    more = f"and {plural(left, 'level')} further from their deadlines" if left > 0 else ""
    return Group(table, *([Text(more, style="dim")] if more else []))


def _counted(side: Side) -> str:
    return "\u2013" if side.instructions is None else count(side.instructions.kernel)


def _predicted(side: Side) -> str:
    predicted = side.kernel_predicted
    return "\u2013" if predicted is None else count(round(predicted))


def _or_dash(value: Fraction | None) -> str:
    return "\u2013" if value is None else significant(value, 4)
