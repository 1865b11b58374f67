# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How large stacks are: as the description says, or what the board's port needs."""

from __future__ import annotations

from collections.abc import Iterator

from horolog.model import Board, HorologError
from horolog.read.document import Document
from horolog.read.schema import GroupTable, SystemFile, TaskTable

__all__ = ["stack_of", "stack_problems"]


def stack_of(table: TaskTable | GroupTable, board: Board) -> int:
    """The bytes of a task's stack on `board`; a description for another board may say too little."""
    sizes = board.port.stacks
    return sizes.usual if table.stack is None else max(table.stack, sizes.least)


def stack_problems(document: Document, file: SystemFile, own: Board) -> Iterator[HorologError]:
    """Stacks that are smaller than the port of the description's `own` board needs any to be."""
    least = own.port.stacks.least
    given = [("task", index, one.stack) for index, one in enumerate(file.task)]
    given += [("task_group", index, one.stack) for index, one in enumerate(file.task_group)]
    for of, index, stack in given:
        if stack is not None and stack < least:
            yield HorologError(
                "too small",
                place=document.place(of, index, "stack"),
                found=str(stack),
                expected=f"{least} or more on {own.name}",
            )
