# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The numbers under which entries of handlers are counted: that of the first cell with the handler."""

from __future__ import annotations

from horolog.model import Board, Plan, System

__all__ = ["clock_number", "interrupt_numbers", "tick_number"]


def interrupt_numbers(system: System, plan: Plan) -> list[int]:
    """For each releaser of `plan`, the number of its cell's handler."""
    handlers = [cell.handler for cell in system.board.cells]
    return [handlers.index(system.board.cell(releaser.cell).handler) for releaser in plan.releasers]


def clock_number(board: Board) -> int | None:
    """The number of the clock's handler; None if no cell shares it."""
    handlers = [cell.handler for cell in board.cells]
    return handlers.index(board.clock.handler) if board.clock.handler in handlers else None


def tick_number(board: Board) -> int:
    """The number of the handler of FreeRTOS's tick: of the device that its port says, or the first cell's."""
    device = board.port.freertos_tick
    return next((i for i, cell in enumerate(board.cells) if cell.device == device), 0)
