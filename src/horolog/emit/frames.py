# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The functions of a generated system with an entry that saves the registers that they may change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from horolog.emit.basic_data import BasicData

__all__ = ["Handler", "framed_functions"]


class Handler(Protocol):
    """An entry of the vector table."""

    @property
    def name(self) -> str:
        """The function's name in the vector table."""

    @property
    def is_basic(self) -> bool:
        """Whether it is an interrupt at the level of basic tasks."""


def framed_functions(basic: BasicData | None, handlers: Iterable[Handler]) -> dict[str, str]:
    """Returns the function behind each macro of hrl_gen_frames.h: a body, or the handler itself.

    A line or a cell of one task is entered straight to its body.
    """
    if basic is None or not basic.entered:
        return {}
    behind: dict[str, str] = {}
    bodies = basic.bodies
    if basic.deadlines is not None:  # their entries have what monitors them
        bodies |= {task: f"hrl_gen_body_{basic.numbers[task]}" for task in basic.deadlines.compares}
    counted = basic.counted
    bodies |= {task: f"hrl_gen_body_{basic.numbers[task]}" for task in counted}
    for line in basic.lines:
        if line.handler is not None:
            alone = line.words is None
            behind[line.handler] = bodies[line.tasks[0]] if alone else line.handler
    for handler in handlers:
        if handler.name in basic.reported:
            behind[handler.name] = bodies[basic.reported[handler.name]]
        elif handler.is_basic:
            behind[handler.name] = handler.name
    if basic.reported:
        behind[basic.overrun_handler] = basic.overrun_handler
    frames = {f"HRL_GEN_FRAME_{entered}": function for entered, function in behind.items()}
    late = {of: f"late_{basic.numbers[task]}" for of, task in basic.watched.items()}
    frames |= {f"HRL_GEN_FRAME_LATE_{of}": function for of, function in late.items()}
    return frames | {f"HRL_GEN_KEPT_{of}": behind[of] for of in counted.values()}
