# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks, their lines and their releasers' tables, as the templates write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from horolog.analyse import BasicLine, Dispatcher, ceiling, numbered, release_rows
from horolog.model import Cell, HorologError, Line, Plan, Releaser, System

__all__ = ["BasicData", "basic_data", "driver_of"]

_NAMES = 4  # so many tasks are named in a comment

_LINE_OF = {
    "cmsdk-timer": "HRLP_CMSDK_TIMER_LINE({n})",
    "cmsdk-dualtimer": "HRLP_CMSDK_DUALTIMER_LINE",
    "systick": "HRLP_SYSTICK_LINE",
    "timer-cells": "HRLP_TIMER_CELLS_LINE({n})",
}
"""The controller's line of a device's channel, as its header names it."""


@dataclass(frozen=True, slots=True)
class EmittedTask:
    """struct hrl_basic."""

    index: int
    name: str
    line: int
    counts: int  # index of its first word among all counts
    limit: int
    rank: int
    may_end: bool


@dataclass(frozen=True, slots=True)
class EmittedLine:
    """struct hrl_line, and its handler."""

    index: int
    level: int
    number: str  # C
    tasks: tuple[int, ...]
    names: str
    words: str | None  # C: their address
    handler: str | None  # None: it is a cell's
    general: bool  # some task may have several unfinished jobs, or end early
    is_cell: bool

    @property
    def count(self) -> int:
        return len(self.tasks)


@dataclass(frozen=True, slots=True)
class Row:
    """struct hrli_line_row, or hrli_direct_row with its bits."""

    gap: int
    raised: tuple[int, ...]  # lines by index
    parts: int | None  # index of the first one
    bits: int


@dataclass(frozen=True, slots=True)
class PartList:
    """What a row does to words; `start`: index of the first part. The last is the end."""

    start: int
    parts: tuple[tuple[int, int], ...]  # line by index, and bits
    names: str


@dataclass(frozen=True, slots=True)
class EmittedReleaser:
    """A cell and what its handler does."""

    index: int
    cell: Cell
    driver: str
    mode: str
    way: str  # lines, direct or none
    level: int
    period_text: str | None
    names: str
    first_stamp: int  # of the cell
    cell_period: int
    table_first: int  # of the table
    rows: tuple[Row, ...]
    lead: int
    parts: tuple[PartList, ...]
    end: int  # index of the part that ends the rows
    alone: tuple[int, ...]  # lines of one task without words, by index
    shared: bool
    task: int  # the first one's index
    line: int  # of a direct cell: its line's index
    general: bool


@dataclass(frozen=True, slots=True)
class BasicData:
    """All that the templates are told of basic tasks."""

    tasks: tuple[EmittedTask, ...]
    counts: int
    lines: tuple[EmittedLine, ...]
    releasers: tuple[EmittedReleaser, ...]
    resources: tuple[tuple[str, int], ...]  # name and ceiling
    entered: bool  # by code that saves what the handler or body behind it may change
    told: Mapping[str, int]  # the task of each handler whose overruns the controller tells of


def driver_of(device: str) -> str:
    """The prefix of a device's functions."""
    return "hrlp_" + device.replace("-", "_")


def basic_data(system: System, plan: Plan) -> BasicData:
    """What `plan` comes to. HorologError if it cannot be generated."""
    found = numbered(system, plan)
    lines = tuple(_line(system, plan, at, *one) for at, one in enumerate(found))
    line_of = {task: line.index for line in lines for task in line.tasks}
    tasks, at = [], 0
    for index in system.basic:
        task, line = system.tasks[index], lines[line_of[index]]
        rank = line.tasks.index(index)
        tasks.append(
            EmittedTask(index, task.name, line.index, at, task.limit, rank, task.terminates)
        )
        at += 1 if task.limit == 1 else 2
    made = tuple(
        _releaser(system, plan, number, releaser, lines, line_of)
        for number, releaser in enumerate(plan.releasers)
        if {*releaser.tasks} <= {*system.basic}
    )
    resources = tuple((one.name, ceiling(system, one)) for one in system.resources)
    controller = system.board.controller
    entered = controller is not None and controller.device == "cells"
    told = {one.cell.handler: one.task for one in made if entered and one.way == "none"}
    return BasicData(tuple(tasks), at, lines, made, resources, entered, told)


def _line(system: System, plan: Plan, index: int, line: BasicLine, own: Line | None) -> EmittedLine:
    general = any(system.tasks[task].is_general for task in line.tasks)
    words: str | None = None
    number, handler, is_cell = "0", None, False
    if line.cell is not None:
        releaser = next(at for at, r in enumerate(plan.releasers) if r.cell == line.cell)
        cell = system.board.cell(line.cell)
        number = _number(cell)
        is_cell = plan.releasers[releaser].store == "none"
        if not is_cell:
            words = f"&table_{releaser}.words"
    elif own is not None:
        number, handler = str(own.number), own.handler
        by = next(r for r in plan.releasers if line.tasks[0] in r.tasks)
        if len(line.tasks) > 1 or general or by.words:
            words = f"&words_{index}"
    else:
        assert line.by is Dispatcher.LINE_THREAD
        raise HorologError(
            "basic tasks that run in threads of the kernel's are not generated yet",
            place=system.tasks[line.tasks[0]].place,
            expected="a board with a controller, and priorities above those of all threads",
        )
    return EmittedLine(
        index=index,
        level=line.level,
        number=number,
        tasks=line.tasks,
        names=_names(system, line.tasks),
        words=words,
        handler=handler,
        general=general,
        is_cell=is_cell,
    )


def _number(cell: Cell) -> str:
    if cell.device not in _LINE_OF:
        raise HorologError(
            f"basic tasks are not generated for cells of the device {cell.device} yet",
            found=f"cell {cell.name}",
            expected=f"one of {', '.join(sorted(_LINE_OF))}",
        )
    return _LINE_OF[cell.device].format(n=cell.instance)


def _releaser(
    system: System,
    plan: Plan,
    number: int,
    releaser: Releaser,
    lines: Sequence[EmittedLine],
    line_of: Mapping[int, int],
) -> EmittedReleaser:
    cell = system.board.cell(releaser.cell)
    _number(cell)
    assert releaser.level is not None
    way = "none" if releaser.store == "none" else "direct" if releaser.direct else "lines"
    found = release_rows(system, releaser.tasks)
    if found is None:
        raise HorologError(f"the table of cell {cell.name} is too long")
    rows: list[Row] = []
    parts: dict[tuple[tuple[int, int], ...], PartList] = {}
    at = 0
    for gap, released in zip(found.gaps, found.released, strict=True):
        bits: dict[int, int] = {}
        for task in released:
            line = lines[line_of[task]]
            bits[line.index] = bits.get(line.index, 0) | 1 << (31 - line.tasks.index(task))
        raised = tuple(sorted(bits))
        some = tuple((line, bits[line]) for line in raised if lines[line].words is not None)
        if some and way == "lines" and some not in parts:
            parts[some] = PartList(at, some, _names(system, released))
            at += len(some) + 1
        first = parts[some].start if some and way == "lines" else None
        rows.append(Row(gap, raised, first, sum(bits.values()) if way == "direct" else 0))
    own = {line_of[task] for task in releaser.tasks}
    return EmittedReleaser(
        index=number,
        cell=cell,
        driver=driver_of(cell.device),
        mode=releaser.mode.value,
        way=way,
        level=releaser.level,
        period_text=None if releaser.period is None else f"{float(releaser.period * 1000):g} ms",
        names=_names(system, releaser.tasks),
        first_stamp=system.board.start_counts + releaser.first,
        cell_period=releaser.cell_period or 0,
        table_first=system.board.start_counts + found.first,
        rows=tuple(rows),
        lead=found.lead,
        parts=tuple(parts.values()),
        end=at,
        alone=tuple(sorted(line for line in own if lines[line].words is None)),
        shared=_shared(system, plan, releaser, own, line_of),
        task=releaser.tasks[0],
        line=line_of[releaser.tasks[0]],
        general=any(lines[line].general for line in own),
    )


def _shared(
    system: System, plan: Plan, releaser: Releaser, own: set[int], line_of: Mapping[int, int]
) -> bool:
    """Whether an interrupt that comes into this one may write the same words.

    The application's code may activate tasks, so with sources all is shared.
    """
    if system.sources or system.start is not None:
        return True
    assert releaser.level is not None
    return any(
        other.level > releaser.level and own & {line_of[task] for task in other.tasks}
        for other in plan.releasers
        if other is not releaser and other.level is not None
    )


def _names(system: System, tasks: Sequence[int]) -> str:
    names = [system.tasks[task].name for task in tasks]
    if len(names) > _NAMES:
        names[_NAMES - 1 :] = [f"and {len(names) - _NAMES + 1} more"]
    return ", ".join(names)
