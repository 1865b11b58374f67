# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What drivers of timers take from board.toml and the plan, as definitions of the compiler's."""

from __future__ import annotations

from horolog.model import Board, Plan, System

__all__ = ["reload_definitions", "timer_definitions"]


def timer_definitions(system: System, plan: Plan) -> list[str]:
    """Returns all of them, as system.cmake lists them (HRL_PRESCALERS of cmake/port.cmake)."""
    return [*_prescalers(system, plan), *reload_definitions(system.board)]


def reload_definitions(board: Board) -> list[str]:
    """Returns those of devices of which the board says how many counts a reload takes."""
    said = {one.device: one.reload_counts for one in board.cells if one.reload_counts is not None}
    return [f"HRL_BOARD_{_upper(device)}_RELOAD_COUNTS={counts}" for device, counts in said.items()]


def _prescalers(system: System, plan: Plan) -> list[str]:
    """Returns those that say by what the clock and cells with another timer count."""
    if not system.board.clock.prescalers:
        return []
    found = [f"HRL_BOARD_CLOCK_PRESCALER={system.board.clock.prescaler}"]
    for releaser in plan.releasers:
        if releaser.prescaler is not None:
            cell = system.board.cell(releaser.cell)
            name = _upper(f"{cell.device}_{cell.instance}")
            found.append(f"HRL_BOARD_{name}_PRESCALER={releaser.prescaler}")
    return found


def _upper(name: str) -> str:
    return name.replace("-", "_").upper()
