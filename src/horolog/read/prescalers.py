# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Prescalers: what is wrong with a board's, and those that a description fixes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from horolog.model import Board, Clock, HorologError
from horolog.read.document import Document, Loc
from horolog.read.problems import listed, shown, suggestion
from horolog.read.schema import BoardFile, SystemFile
from horolog.read.units import frequency_text

__all__ = [
    "board_prescaler_problems",
    "default_prescaler",
    "prescaler_problems",
    "with_fixed_prescalers",
]


def default_prescaler(file: BoardFile) -> int:
    """Where nothing is planned: what [plain] says, else the first that leaves whole hertz."""
    if file.plain is not None and file.plain.prescaler is not None:
        return file.plain.prescaler
    return next(one for one in file.clock.prescalers or () if file.clock.hz % one == 0)


def board_prescaler_problems(file: BoardFile, document: Document) -> Iterator[HorologError]:
    """Prescalers of the clock, of cells with timers of their own, and of [plain]."""
    clock = file.clock
    yield from _order_problems(clock.prescalers, ("clock", "prescalers"), document)
    whole = [one for one in clock.prescalers or () if clock.hz % one == 0]
    if clock.prescalers and not whole:
        yield HorologError(
            "no prescaler leaves a whole number of counts a second",
            place=document.place("clock", "prescalers"),
            found=f"{_numbers(clock.prescalers, last='and')} for {frequency_text(clock.hz)}",
            expected="at least one that divides the clock's hz",
        )
    for index, cell in enumerate(file.cell):
        loc: Loc = ("cell", index, "prescalers")
        yield from _order_problems(cell.prescalers, loc, document)
        if cell.prescalers is not None and not clock.prescalers:
            yield HorologError(
                "a cell has prescalers, and the clock has none",
                place=document.place(*loc),
                found=_numbers(cell.prescalers),
                expected="prescalers in [clock], too, if only 1, as hz is then what both count before them",
            )
        if cell.prescalers is not None and cell.modes != ["periodic"]:
            yield HorologError(
                "a cell with prescalers of its own does not compare with the clock: it is periodic only",
                place=document.place("cell", index, "modes"),
                found=listed(cell.modes),
                expected='modes = ["periodic"], or no prescalers',
            )
        if cell.timer is not None and cell.prescalers is None:
            yield HorologError(
                "a timer is for cells with prescalers of their own",
                place=document.place("cell", index, "timer"),
                found=shown(cell.timer),
                expected="prescalers, or no timer",
            )
        alike = next((one for one in file.cell if one.timer == cell.timer is not None), cell)
        if alike.prescalers != cell.prescalers:
            yield HorologError(
                f'"{alike.name}" and "{cell.name}" are of one timer, and have other prescalers',
                place=document.place(*loc),
                found=_numbers(cell.prescalers or ()),
                expected=_numbers(alike.prescalers or ()),
            )
    yield from _plain_prescaler_problems(file, whole, document)


def _plain_prescaler_problems(
    file: BoardFile, whole: Sequence[int], document: Document
) -> Iterator[HorologError]:
    if file.plain is None or (file.plain.prescaler is None and not file.clock.prescalers):
        return
    if file.plain.prescaler is None:
        yield HorologError(
            "[plain] has no prescaler, although the clock has prescalers",
            place=document.place("plain"),
            expected=f"prescaler = {whole[0] if whole else 1}",
        )
    elif not file.clock.prescalers:
        yield HorologError(
            "[plain] has a prescaler, and the clock has none",
            place=document.place("plain", "prescaler"),
            found=str(file.plain.prescaler),
            expected="prescalers in [clock], or no prescaler",
        )
    elif file.plain.prescaler not in whole:
        divides = file.plain.prescaler in file.clock.prescalers
        yield HorologError(
            f"a prescaler of {file.plain.prescaler} leaves no whole number of hertz"
            if divides
            else "the clock has no such prescaler",
            place=document.place("plain", "prescaler"),
            found=str(file.plain.prescaler),
            expected=f"one of {_numbers(whole)}",
        )


def _order_problems(
    prescalers: Sequence[int] | None, loc: Loc, document: Document
) -> Iterator[HorologError]:
    ordered = sorted({*prescalers}) if prescalers else []
    if prescalers and [*prescalers] != ordered:
        yield HorologError(
            "prescalers are in ascending order, each once",
            place=document.place(*loc),
            found=_numbers(prescalers, last="and"),
            expected=f"[{', '.join(map(str, ordered))}]",
        )


_CLOCK = "clock"


def prescaler_problems(
    document: Document, file: SystemFile, board: Board
) -> Iterator[HorologError]:
    """What a description fixes, and its own board has not, or cannot have together."""
    fixed = file.prescalers
    choosable = {cell.name: cell.prescalers for cell in board.cells}
    known = [_CLOCK, *choosable] if board.clock.prescalers else []
    for name, prescaler in fixed.items():
        place = document.place("prescalers", name)
        if not known:
            yield HorologError(
                f'the board "{board.name}" has no prescalers',
                place=place,
                found=f"{name} = {prescaler}",
                expected="no [prescalers]: all that there is counts at "
                f"{frequency_text(board.clock.hz)}",
            )
            return
        if name not in known:
            yield HorologError(
                f'the board "{board.name}" has no cell "{name}"{suggestion(name, known)}',
                place=place,
                found=shown(name),
                expected=f"the clock, or a cell: {listed(known)}",
            )
            continue
        able = choosable.get(name) or _whole(board.clock)
        if prescaler not in able:
            yield HorologError(
                f"{name} cannot count by a prescaler of {prescaler}",
                place=place,
                found=str(prescaler),
                expected=f"one of {_numbers(able)}",
            )
        else:
            yield from _together_problems(document, fixed, board, name)


def _together_problems(
    document: Document, fixed: Mapping[str, int], board: Board, name: str
) -> Iterator[HorologError]:
    """Two that count by one prescaler, and have different ones."""
    timer = _timer(board, name)
    for other, prescaler in fixed.items():
        if other == name:
            return  # each pair once
        if _timer(board, other) == timer and prescaler != fixed[name]:
            yield HorologError(
                f"{other} and {name} count by one prescaler"
                + (", the clock's" if timer == _CLOCK else f", that of {timer}"),
                place=document.place("prescalers", name),
                found=f"{other} = {prescaler} and {name} = {fixed[name]}",
                expected=f"{name} = {prescaler}, or a cell of another timer",
            )
            return


def _timer(board: Board, name: str) -> str:
    if name == _CLOCK:
        return _CLOCK
    cell = next((one for one in board.cells if one.name == name), None)
    if cell is None:
        return name
    return (cell.timer or cell.name) if cell.prescalers else _CLOCK


def _whole(clock: Clock) -> tuple[int, ...]:
    """Those of the clock's prescalers that leave whole hertz."""
    return tuple(one for one in clock.prescalers if clock.input_hz % one == 0)


def with_fixed_prescalers(board: Board, file: SystemFile, own: Board) -> Board:
    """`board` with no other prescalers than those that the description fixes for `own`, if that is it.

    Call it with a description without prescaler_problems.
    """
    if board.name != own.name or not file.prescalers:
        return board
    timers = {_timer(board, name): prescaler for name, prescaler in file.prescalers.items()}
    cells = tuple(
        replace(cell, prescalers=(timers[_timer(board, cell.name)],))
        if cell.prescalers and _timer(board, cell.name) in timers
        else cell
        for cell in board.cells
    )
    board = replace(board, cells=cells)
    if _CLOCK not in timers:
        return board
    board = board.with_prescaler(timers[_CLOCK])
    return replace(board, clock=replace(board.clock, prescalers=(timers[_CLOCK],)))


def _numbers(prescalers: Sequence[int], *, last: str = "or") -> str:
    return listed([f"{one:,}" for one in prescalers], last=last)
