# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the [[task]] tables of sporadic and of aperiodic tasks have in common: time does not release them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from re import fullmatch

from horolog.model import MOST_KERNEL_AWARE, Board, HorologError
from horolog.read.activated import BY_MESSAGE, Activators, by_task
from horolog.read.document import Document
from horolog.read.problems import listed, suggestion
from horolog.read.schema import InterruptTable, SystemFile, TaskTable
from horolog.read.sources import function_problems
from horolog.read.units import duration_text
from horolog.read.values import IDENTIFIER_PATTERN

__all__ = ["activation_of", "activation_problems", "name_problems", "wcet_of", "work_problems"]

_BY_INTERRUPT = "interrupt "


def wcet_of(table: TaskTable | InterruptTable, board: Board) -> Fraction | None:
    """The WCET in seconds, as given or of its `work`; None: it is not known."""
    if table.wcet is not None or table.work is None:
        return table.wcet
    return table.work * board.work_ns / 10**9


def name_problems(
    document: Document, index: int, table: TaskTable, taken: set[str], title: str, names: str
) -> Iterator[HorologError]:
    """A name that is in `taken`, or is none of C. `names`: what it names in C, for people."""
    if table.name in taken or fullmatch(IDENTIFIER_PATTERN, table.name) is None:
        yield HorologError(
            f'the name "{table.name}" is taken'
            if table.name in taken
            else f'the {title} "{table.name}" needs a name of C',
            place=document.place("task", index, "name"),
            found=f'"{table.name}"',
            expected=f"a name of its own, of letters, digits and '_': {names}",
        )


def work_problems(
    document: Document, file: SystemFile, index: int, table: TaskTable, sources: Sequence[Path]
) -> Iterator[HorologError]:
    """Neither a body nor work, or both; a body that no source defines."""
    if (table.body is None) == (table.work is None):
        wrong = "nothing to do" if table.body is None else "both a body and work"
        yield HorologError(
            f'the task "{table.name}" has {wrong}',
            place=document.place("task", index),
            found="neither body nor work" if table.body is None else "both",
            expected='body = "c_function", or work = N',
        )
    elif table.body is not None:
        where = document.place("task", index, "body")
        yield from function_problems(where, table.body, sources, file)


def activation_problems(
    document: Document, file: SystemFile, index: int, table: TaskTable, *, basic: bool = False
) -> Iterator[HorologError]:
    """An interrupt that there is not, or that cannot activate `table`, which no task activates."""
    by, gap = table.activated_by, table.min_gap
    yield from _message_problems(document, index, table, basic=basic)
    if by is None or by == BY_MESSAGE:
        return
    place = document.place("task", index, "activated_by")
    names = [one.name for one in file.interrupt]
    name = by.removeprefix(_BY_INTERRUPT)
    if not by.startswith(_BY_INTERRUPT) or name not in names:
        others = ['"task NAME"', *(['"message"'] if not basic and table.server is None else [])]
        ways = listed([*(f'"{_BY_INTERRUPT}{one}"' for one in names), *others])
        yield HorologError(
            f'no such interrupt activates "{table.name}"{suggestion(name, names)}',
            place=place,
            found=f'"{by}"',
            expected=(f"{ways}, or " if ways else "")
            + "no activated_by: the application "
            + (
                f"activates basic_{table.name}"
                if basic
                else f"gives the semaphore activate_{table.name}"
            ),
        )
        return
    source = file.interrupt[names.index(name)]
    if source.priority > MOST_KERNEL_AWARE:
        yield HorologError(
            f'the interrupt "{name}" is above the kernel and cannot activate "{table.name}"',
            place=place,
            found=f"priority = {source.priority}",
            expected=f"an interrupt of priority 1 to {MOST_KERNEL_AWARE}",
        )
    if source.min_gap is not None and gap is not None and source.min_gap < gap:
        yield HorologError(
            f'the interrupt "{name}" comes more often than "{table.name}" may be activated',
            place=document.place("task", index, "min_gap"),
            found=f"{duration_text(gap)}, and {duration_text(source.min_gap)} of the interrupt",
            expected=f"at most {duration_text(source.min_gap)}",
        )


def _message_problems(
    document: Document, index: int, table: TaskTable, *, basic: bool
) -> Iterator[HorologError]:
    """Messages that no thread of its own receives, or of no length, or the length of none."""
    if table.activated_by != BY_MESSAGE:
        if table.message_bytes is not None:
            yield HorologError(
                f'no messages activate "{table.name}"',
                place=document.place("task", index, "message_bytes"),
                found=f"message_bytes = {table.message_bytes}",
                expected='activated_by = "message", or no message_bytes',
            )
    elif basic or table.server is not None:
        yield HorologError(
            f'only a sporadic thread receives messages, and "{table.name}" is none',
            place=document.place("task", index, "activated_by"),
            found="a basic task" if basic else f'server = "{table.server}"',
            expected='kind = "thread" and min_gap, or no activated_by',
        )
    elif table.message_bytes is None:
        yield HorologError(
            f'nothing says how long a message for "{table.name}" is',
            place=document.place("task", index, "activated_by"),
            found="no message_bytes",
            expected="message_bytes = N, a multiple of 4",
        )


def activation_of(
    file: SystemFile, table: TaskTable, known: Activators
) -> tuple[int | None, int | None]:
    """The number of the interrupt, or of the task of `known`, that activates `table`, if one does."""
    by, before = table.activated_by, by_task(table)
    if before is not None:
        return None, known.names.index(before)
    if by is None or by == BY_MESSAGE:
        return None, None
    names = [one.name for one in file.interrupt]
    return names.index(by.removeprefix(_BY_INTERRUPT)), None
