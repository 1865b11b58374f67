# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A vector table of the application's own: which boards can have one, and how their handlers are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from horolog.data import data_root
from horolog.model import Board, HorologError
from horolog.read.document import Document
from horolog.read.ports import ports_with_own_vectors
from horolog.read.problems import listed
from horolog.read.schema import SystemFile

__all__ = ["handler_words", "line_numbers", "own_vectors_problems", "with_own_vectors"]

_OURS, _CMSIS = "_Handler", "_IRQHandler"
"""How names of lines' handlers end; those of the processor itself have the same names in CMSIS."""

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_ROW = re.compile(r"\bROW\((\w+)\)")


def line_numbers(board: Board) -> dict[str, int]:
    """The numbers of the interrupt lines of `board`'s chip by their names.

    They are from the header that start-up takes. Empty if the port has none, or applications have no vector
    table of their own there.
    """
    vectors = board.port.own_vectors
    if vectors is None:
        return {}
    folders = [board.directory / "port", *(data_root() / one for one in vectors.folders)]
    headers = [folder / vectors.line_names for folder in folders]
    header = next((one for one in headers if one.is_file()), None)
    text = "" if header is None else header.read_text(encoding="utf-8")
    return {name: at for at, name in enumerate(_ROW.findall(_COMMENT.sub("", text)))}


def handler_words(board: Board) -> dict[str, int]:
    """The word of a vector table of the application's own for each handler that stands there."""
    vectors = board.port.own_vectors
    if vectors is None:
        return {}
    lines = {f"{name}{_CMSIS}": vectors.lines + at for name, at in line_numbers(board).items()}
    return {**lines, **dict(vectors.places)}


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
    """`board` with the handlers named as CMSIS does, if `file` says that the table is the application's."""
    vectors = board.port.own_vectors
    if file.build.vectors != "own" or vectors is None:
        return board
    renamed = {f"{name}{_OURS}": f"{name}{_CMSIS}" for name in line_numbers(board)}

    def named(handler: str) -> str:
        return renamed.get(handler, handler)

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
