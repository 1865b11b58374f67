# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[interrupt]] tables of system.toml: the application's own interrupts, and the lines that they take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path

from horolog.model import (
    MOST_KERNEL_AWARE,
    Arrivals,
    Board,
    HorologError,
    Interrupt,
    Line,
)
from horolog.read.document import Document
from horolog.read.problems import listed, name_taken, suggestion
from horolog.read.schema import InterruptTable, SystemFile
from horolog.read.sources import function_problems
from horolog.read.units import duration_text
from horolog.read.untimed import wcet_of

__all__ = ["interrupt_problems", "interrupts_of", "without_lines"]


def interrupt_problems(
    document: Document, file: SystemFile, own: Board, board: Board, sources: Sequence[Path]
) -> Iterator[HorologError]:
    """Interrupts that contradict themselves, each other, or the board; `own` is the description's."""
    known: set[str] = set()
    taken: dict[int, str] = {}
    for index, table in enumerate(file.interrupt):
        if table.name in known:
            yield name_taken("interrupt", table.name, document.place("interrupt", index, "name"))
        known.add(table.name)
        yield from _line_problems(document, index, table, own, taken)
        yield from _gap_problems(document, file, index, table)
        yield from _work_problems(document, index, table, own, sources, file)
        if table.priority > board.port.highest_interrupt:
            yield HorologError(
                f'the board "{board.name}" has no interrupts above the kernel',
                place=document.place("interrupt", index, "priority"),
                found=f"priority = {table.priority}",
                expected=f"1 to {MOST_KERNEL_AWARE}, larger is more urgent",
            )
    if file.interrupt and len(file.interrupt) > len(board.lines):
        yield HorologError(
            f'the board "{board.name}" has fewer interrupt lines for applications',
            place=document.place("interrupt", 0),
            found=f"{len(file.interrupt)} interrupts, and {len(board.lines)} lines",
            expected=f"at most {len(board.lines)} interrupts",
        )


def _line_problems(
    document: Document, index: int, table: InterruptTable, board: Board, taken: dict[int, str]
) -> Iterator[HorologError]:
    place = document.place("interrupt", index, "line")
    line = _line(board, table.line)
    if line is None:
        names = [one.handler for one in board.lines if one.handler]
        numbers = sorted(one.number for one in board.lines)
        ways = [listed(names)] * bool(names)
        ways += [f"a number from {numbers[0]} to {numbers[-1]}"] * bool(numbers)
        near = suggestion(table.line, names) if isinstance(table.line, str) else ""
        shown = f'"{table.line}"' if isinstance(table.line, str) else str(table.line)
        yield HorologError(
            f'the board "{board.name}" has no free interrupt line {shown}{near}',
            place=place,
            found=shown,
            expected=", or ".join(ways) or "a board with interrupt lines for applications",
        )
    elif line.number in taken:
        yield HorologError(
            f'the interrupt line of "{table.name}" has a handler already',
            place=place,
            found=f'line {line.number}, which "{taken[line.number]}" has',
            expected="a line of its own for each interrupt",
        )
    else:
        taken[line.number] = table.name


def _line(board: Board, wanted: int | str) -> Line | None:
    """The board's line of that name or number."""
    return next((one for one in board.lines if wanted in (one.handler or None, one.number)), None)


def _gap_problems(
    document: Document, file: SystemFile, index: int, table: InterruptTable
) -> Iterator[HorologError]:
    if table.min_gap is None:
        by = f"interrupt {table.name}"
        served = [
            one.name for one in file.task if one.activated_by == by and one.server is not None
        ]
        yield HorologError(
            f'nothing bounds how often the interrupt "{table.name}" comes',
            place=document.place("interrupt", index),
            found="no min_gap" + (", and arrivals alone" if table.arrivals else ""),
            expected='min_gap = "1 ms", the shortest time between two of them'
            + (
                f'; the server of "{served[0]}" bounds its jobs, and not the handler'
                if served
                else ""
            ),
        )
        return
    for at, one in enumerate(table.arrivals):
        most = ceil(one.within / table.min_gap)
        if one.count >= most:
            yield HorologError(
                "a point of the arrival curve says no more than the gap does",
                place=document.place("interrupt", index, "arrivals", at),
                found=f"count = {one.count} within {duration_text(one.within)}, and min_gap = "
                f"{duration_text(table.min_gap)}, with which at most {most} can come",
                expected=f"count below {most}, a longer time, or no such point",
            )


def _work_problems(
    document: Document,
    index: int,
    table: InterruptTable,
    board: Board,
    sources: Sequence[Path],
    file: SystemFile,
) -> Iterator[HorologError]:
    """What the handler does: one function with its WCET, or work; and whether there is time for it."""

    def error(message: str, key: str | None, found: str | None, expected: str) -> HorologError:
        keys = () if key is None else (key,)
        place = document.place("interrupt", index, *keys)
        return HorologError(message, place=place, found=found, expected=expected)

    title = f'the interrupt "{table.name}"'
    if (table.handler is None) == (table.work is None):
        both = table.work is not None
        yield error(
            f"{title} has {'both a handler and work' if both else 'nothing to do'}",
            "work" if both else None,
            f'handler = "{table.handler}" and work = {table.work}' if both else "neither",
            "one of them" if both else 'handler = "c_function" and wcet = "...", or work = N',
        )
        return
    if table.handler is not None:
        if table.wcet is None:
            yield error(f"{title} has a handler but no wcet", "handler", None, 'wcet = "..."')
        yield from function_problems(
            document.place("interrupt", index, "handler"), table.handler, sources, file
        )
    wcet = wcet_of(table, board)
    if wcet is not None and table.min_gap is not None and wcet > table.min_gap:
        key = "wcet" if table.wcet is not None else "work"
        yield error(
            f"the handler of {title} may still run when the next one comes",
            key,
            f"{duration_text(wcet)}, with a min_gap of {duration_text(table.min_gap)}",
            f"at most {duration_text(table.min_gap)}",
        )


def interrupts_of(
    document: Document, file: SystemFile, own: Board, board: Board
) -> tuple[Interrupt, ...]:
    """The interrupts of a file without interrupt_problems.

    On another board than the description's `own` each has the line of its name, else the last free one.
    """
    wanted = [_line(own, table.line) for table in file.interrupt]
    lines: list[Line | None] = list(wanted)
    if board.name != own.name:
        named = {one.handler: one for one in board.lines if one.handler}
        lines = [named.get(one.handler) if one is not None else None for one in wanted]
        free = [one for one in board.lines if one not in lines]
        lines = [free.pop() if one is None else one for one in lines]
    found = []
    for index, (table, line) in enumerate(zip(file.interrupt, lines, strict=True)):
        wcet = wcet_of(table, board)
        assert line is not None
        assert table.min_gap is not None
        assert wcet is not None
        found.append(
            Interrupt(
                name=table.name,
                line=line.number,
                priority=table.priority,
                gap=table.min_gap,
                wcet=wcet,
                handler=table.handler,
                work=table.work,
                place=document.place("interrupt", index),
                arrivals=tuple(Arrivals(one.count, one.within) for one in table.arrivals),
            )
        )
    return tuple(found)


def without_lines(board: Board, interrupts: Sequence[Interrupt]) -> Board:
    """`board` with a controller that does not raise the lines of `interrupts` for basic tasks."""
    in_software = board.attachable is not None and not board.port.cells_at_levels
    if (
        board.controller is None or in_software or not interrupts
    ):  # whose lines have numbers of their own
        return board
    taken = {one.line for one in interrupts}
    free = tuple(one for one in board.controller.lines if one.number not in taken)
    return replace(board, controller=replace(board.controller, lines=free))
