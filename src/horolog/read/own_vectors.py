# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A vector table of the application's own: which boards can have one, and how their handlers are called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from horolog.model import Board, HorologError
from horolog.read.document import Document
from horolog.read.ports import ports_with_own_vectors
from horolog.read.problems import listed
from horolog.read.schema import SystemFile

__all__ = ["own_vectors_problems", "with_own_vectors"]

_OURS, _CMSIS = "_Handler", "_IRQHandler"
"""How names of lines' handlers end; those of the processor itself have the same names in CMSIS."""


def own_vectors_problems(
    document: Document, file: SystemFile, board: Board
) -> Iterator[HorologError]:
    """If `board` cannot have them."""
    if file.build.vectors != "own":
        return
    if board.port.own_vectors is None or board.cores > 1:
        yield HorologError(
            f"firmware of {board.name} has no vector table of the application's own",
            place=document.place("build", "vectors"),
            found=f'"own", and {board.cores} cores'
            if board.cores > 1
            else f'"own", on {board.arch}',
            expected=f'"horolog", or a board of one core with arch {listed(ports_with_own_vectors())}',
        )


def with_own_vectors(board: Board, file: SystemFile) -> Board:
    """`board`, whose lines have the handlers that CMSIS names, if `file` says that the table is its own."""
    vectors = board.port.own_vectors
    if file.build.vectors != "own" or vectors is None:
        return board
    kept = {name for name, _ in vectors.places}

    def named(handler: str) -> str:
        if handler in kept or handler.endswith(_CMSIS) or not handler.endswith(_OURS):
            return handler
        return handler.removesuffix(_OURS) + _CMSIS

    controller, handler = board.controller, board.clock.handler
    if controller is not None:
        lines = tuple(replace(one, handler=named(one.handler)) for one in controller.lines)
        controller = replace(controller, lines=lines)
    return replace(
        board,
        cells=tuple(replace(one, handler=named(one.handler)) for one in board.cells),
        clock=replace(board.clock, handler=None if handler is None else named(handler)),
        controller=controller,
    )
