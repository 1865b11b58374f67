# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The report of several cores as it fits into a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from horolog.model import System
from horolog.model.core_result import CoresResult
from horolog.report.cores_rows import (
    CoreSeen,
    TaskSeen,
    cores_headline,
    head_of_rivals,
    head_of_rows,
    idle_cores,
    idle_row,
    rival_rows,
    row_of,
    seen_tasks,
)
from horolog.report.terminal import TONES
from horolog.report.wording import capital, deadlines_tone, ns_text, percent

__all__ = ["cores_terminal"]

_MOST_TASKS = 12


def cores_terminal(
    result: CoresResult, system: System, cores: Sequence[CoreSeen]
) -> RenderableType:
    """Headline, a row for each core, and the tasks nearest to their deadlines."""
    whole = result.whole
    first = cores_headline(result)
    parts: list[RenderableType] = []
    if whole.deadlines is not None:
        tone = TONES[deadlines_tone(whole.deadlines)]
        parts.append(Text(capital(whole.deadlines.text), style=tone))
    if whole.hint is not None:
        parts.append(Text(capital(whole.hint), style="dim"))
    parts.append(Text(first.sentence, style=TONES[first.tone]))
    if first.detail:
        parts.append(Text(first.detail, style="dim"))
    parts += [Text(f"Note: {note}", style="yellow") for note in whole.notes]
    if result.caveat is not None:
        parts.append(Text(result.caveat, style="dim"))
    parts += [Text(), _comparison(result, system, cores), Text()]
    if result.rivals:
        parts += [_rivals(result), Text()]
    parts += [_plans(result, cores), Text()]
    parts.append(_worst([*seen_tasks(cores)]))
    return Padding(Group(*parts), (1, 1))


def _table(title: str, *columns: str | Column) -> Table:
    return Table(
        *columns, title=title, title_justify="left", title_style="bold", box=None, pad_edge=False
    )


def _right(*headings: str) -> list[Column]:
    return [Column(heading, justify="right") for heading in headings]


def _comparison(result: CoresResult, system: System, cores: Sequence[CoreSeen]) -> Table:
    whole = result.whole
    table = _table(f"{whole.system} on {whole.board}", "core", *_right(*head_of_rows(whole.unit)))
    tasks = cells = 0
    for one, seen in zip(result.cores, cores, strict=True):
        own = 0 if seen.plan.planned is None else len(seen.plan.planned.choice.releasers)
        table.add_row(
            str(one.core), *row_of(one.result.horolog, len(one.tasks), own, one.waits.cycles)
        )
        tasks, cells = tasks + len(one.tasks), cells + own
    for core in idle_cores(system, result):
        table.add_row(str(core), *idle_row(), style="dim")
    waits = sum(one.waits.cycles for one in result.cores)
    table.add_row("all", *row_of(whole.horolog, tasks, cells, waits), style="bold")
    return table


def _rivals(result: CoresResult) -> Table:
    """All cores together under each kernel; the FreeRTOS side that costs least in bold."""
    head = head_of_rivals(result.whole.unit)
    name = Column("side", no_wrap=True)
    table = _table("Compared with FreeRTOS", name, *_right(*head))
    for row in rival_rows(result):
        table.add_row(row.name, *row.figures, style="bold" if row.best else "")
    return table


def _plans(result: CoresResult, cores: Sequence[CoreSeen]) -> Table:
    table = _table("Plans", "core", "mechanism", "deadlines")
    for one, seen in zip(result.cores, cores, strict=True):
        planned, deadlines = seen.plan.planned, one.result.deadlines
        table.add_row(
            str(one.core),
            "" if planned is None else planned.choice.mechanism,
            "" if deadlines is None else deadlines.text,
        )
    return table


def _worst(tasks: Sequence[TaskSeen]) -> Table:
    """Of each level of a core the task nearest to its deadline, the nearest first."""
    of_level: dict[tuple[int, int], TaskSeen] = {}
    for one in tasks:
        key = one.core, one.level
        if key not in of_level or _share(one) > _share(of_level[key]):
            of_level[key] = one
    table = _table(
        "Worst responses, one task a level of a core",
        *_right("core", "level"),
        "task",
        *_right("response", "of its deadline"),
    )
    for one in sorted(of_level.values(), key=_share, reverse=True)[:_MOST_TASKS]:
        share = one.share
        table.add_row(
            str(one.core),
            str(one.level),
            one.name,
            ns_text(one.found.max_ns),
            "\u2013" if share is None else percent(100 * share),
            style="bold red" if one.found.misses else "",
        )
    return table


def _share(one: TaskSeen) -> Fraction:
    return Fraction(-1) if one.share is None else one.share
