# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The numbers under which entries of handlers are counted: that of the first cell with the handler."""

from __future__ import annotations

from horolog.model import Board, Plan, System

__all__ = ["aside_numbers", "clock_number", "interrupt_numbers", "tick_handler", "tick_number"]


def interrupt_numbers(system: System, plan: Plan) -> list[int]:
    """For each releaser of `plan`, the number of its cell's handler."""
    handlers = [cell.handler for cell in system.board.cells]
    return [handlers.index(system.board.cell(releaser.cell).handler) for releaser in plan.releasers]


def clock_number(board: Board) -> int | None:
    """The number of the clock's handler; None if no cell shares it."""
    handlers = [cell.handler for cell in board.cells]
    return handlers.index(board.clock.handler) if board.clock.handler in handlers else None


def aside_numbers(system: System, plan: Plan) -> dict[str, int]:
    """By cells that serve tables or budgets beside releasers, the numbers of handlers that tell of them.

    A run is watched from the first interrupt of a handler that is watched. So it has to be none of these, and
    none of those that share their handler.
    """
    if system.start is not None:  # it may set time-outs
        return {}
    started = system.control is None or not system.control.by_application
    first = min(
        (one.first for one in plan.releasers if started or not one.dispatches), default=None
    )
    handlers = [cell.handler for cell in system.board.cells]
    found: dict[str, int] = {}
    for one in plan.prediction.beside:
        if one.cell is None or one.interrupts is None:
            continue
        cell = system.board.cell(one.cell)
        if not system.board.has_own_interrupt(cell):
            continue
        known = [table.first for table in system.clock_schedules if table.first is not None]
        if one.cell != system.timeouts or (first is not None and min(known) >= first):
            found[one.cell] = handlers.index(cell.handler)
    return found


def tick_handler(board: Board) -> str | None:
    """The handler of FreeRTOS's tick, if that is no cell's."""
    if board.freertos is not None:
        return board.freertos.handler
    port = board.port
    of_cell = any(cell.device == port.freertos_tick for cell in board.cells)
    return None if of_cell else port.freertos_tick_handler


def tick_number(board: Board) -> int:
    """The number of the handler of FreeRTOS's tick: of the device that its port says, or the first cell's."""
    device = board.port.freertos_tick
    return next((i for i, cell in enumerate(board.cells) if cell.device == device), 0)
