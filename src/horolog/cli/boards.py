# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog boards: what can be targeted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from horolog.cli import console, echo, echo_json, json_option, plain_table, right
from horolog.model import Board, Cell, Clock, Mode
from horolog.read import board_names, duration_text, read_board
from horolog.read.units import about_duration_text, frequency_text
from horolog.report.boards_page import boards_page

__all__ = ["boards"]

_MOST_APART = 4  # cells that are alike and still have a line each


@click.command()
@click.argument("board", required=False, metavar="[BOARD]")
@click.option(
    "--page", is_flag=True, help="Print docs/boards.md: how each is tested, what was never tried."
)
@json_option
def boards(board: str | None, page: bool, as_json: bool) -> None:
    """What can be targeted: every board that comes with Horolog, or BOARD (a name or a path) alone.

    A board of your own is a board.toml; see those that come with Horolog.
    """
    names = board_names() if board is None else (board,)
    found = [read_board(name, relative_to=Path()) for name in names]
    if page:
        echo(boards_page(found).rstrip("\n"))
        return
    if as_json:
        echo_json({"boards": [_object(one) for one in found]})
        return
    out = console()
    for one in found:
        _print(out, one)


def _object(board: Board) -> dict[str, Any]:
    return {
        "name": board.name,
        "title": board.title,
        "arch": board.arch,
        "cpu": board.cpu,
        "levels": board.levels,
        "work_ns": float(board.work_ns),
        "runner": board.runner.kind,
        "ns_per_instruction": board.runner.ns_per_instruction,
        "ns_per_cycle": board.runner.ns_per_cycle,
        "cycles_hz": board.runner.cycles_hz,
        "basic_levels": board.basic_levels or board.levels,
        "controller": None if board.controller is None else asdict(board.controller),
        "clock": {
            "device": board.clock.device,
            "hz": board.clock.hz,
            "width": board.clock.width,
            **({"prescalers": list(board.clock.prescalers)} if board.clock.prescalers else {}),
        },
        "cells": [
            {
                "name": cell.name,
                "device": cell.device,
                "width": cell.width,
                "modes": [mode.value for mode in Mode if mode in cell.modes],
                "min_counts": cell.min_counts,
                **({"prescalers": list(cell.prescalers)} if cell.prescalers else {}),
            }
            for cell in board.cells
        ],
    }


def _clock_hz(clock: Clock) -> str:
    """What it counts; with prescalers, of what, and behind which one the cells are shown."""
    if not clock.prescalers:
        return frequency_text(clock.hz)
    known = ", ".join(f"{one:,}" for one in clock.prescalers)
    return (
        f"{frequency_text(clock.input_hz)} by {known} (here by {clock.prescaler:,}: "
        f"{frequency_text(clock.hz)})"
    )


def _short(time: Fraction) -> str:
    exact = duration_text(time)
    return about_duration_text(time) if "/" in exact else exact


def _dispatcher(board: Board) -> str:
    levels = board.basic_levels or board.levels
    if board.controller is None:
        return f"{levels} levels, dispatched by the kernel"
    lines = len(board.controller.lines)
    return f"{levels} levels, dispatched by {board.controller.device} on {lines} free lines"


def _alike(board: Board) -> Iterator[tuple[Cell, ...]]:
    """The cells in their order, neighbours together that differ in nothing but a number."""

    def key(cell: Cell) -> tuple[object, ...]:
        stem = cell.name.rstrip("0123456789")
        return stem, cell.device, cell.hz, cell.width, cell.modes, cell.min_counts

    for _, cells in groupby(board.cells, key):
        found = tuple(cells)
        if len(found) > _MOST_APART:
            yield found
        else:
            yield from ((cell,) for cell in found)


def _print(out: Console, board: Board) -> None:
    out.print(f"[bold]{board.name}[/]  {escape(board.title)}")
    out.print(
        f"  {board.arch} ({board.cpu}), {board.levels} priority levels, "
        f"clock of {_clock_hz(board.clock)} and {board.clock.width} bits, run by {board.runner.kind}"
        + (", which counts cycles" if board.runner.counts_cycles else "")
    )
    out.print(f"  basic tasks: {_dispatcher(board)}")
    table = plain_table("  cell", "device", *right("bits", "shortest", "longest"), "modes")
    for cells in _alike(board):
        cell = cells[0]
        table.add_row(
            f"  {cell.name}" if len(cells) == 1 else f"  {cell.name} to {cells[-1].name}",
            cell.device,
            str(cell.width),
            _short(Fraction(cell.min_counts, cell.hz)),
            about_duration_text(Fraction(cell.max_counts, cell.hz)),
            ", ".join(mode.value for mode in Mode if mode in cell.modes),
        )
    out.print(table)
    out.print()
