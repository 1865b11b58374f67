# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How narrow processors serve a mask table of basic tasks, as far as that has a price of its own.

Where the handler of a periodic cell counts its interrupts, a single task has no row: the handler runs the job
(kernel/basic/counted_table.h). A one-shot cell's table is short where its rows are near
(kernel/basic/short_table.h).
"""

from __future__ import annotations

from horolog import analyse
from horolog.analyse import Dispatcher, dispatchers, lines
from horolog.analyse.memo import remembered
from horolog.model import Mode, Releaser, System
from horolog.plan.prices.line_steps import is_alone, is_narrow

__all__ = ["counts_for_task", "has_far_rows"]

_NEAR = 0x4000  # HRLI_SHORT_AHEAD

_rows_of = remembered(analyse.release_rows)


def counts_for_task(system: System, releaser: Releaser) -> bool:
    """Whether the handler of a cell without a level counts for its single task, and runs the job."""
    board, first = system.board, releaser.tasks[0]
    task = system.tasks[first]
    return (
        not board.port.cells_at_levels
        and releaser.mode is Mode.PERIODIC
        and len(releaser.tasks) == 1
        and board.cell(releaser.cell).can_count((releaser.cell_period or 0) + releaser.part)
        and dispatchers(system)[first] is Dispatcher.CONTROLLER
        and task.is_even
        and not releaser.words
        and any(line.tasks == (first,) and is_alone(system, line) for line in lines(system))
        and system.releases is None
        and not any(one.budget for one in system.tasks)
    )


def has_far_rows(system: System, releaser: Releaser) -> bool:
    """Whether the mask table of `releaser`, which has one, is not short where others are."""
    if not is_narrow(system.board):
        return False
    found = _rows_of(system, releaser.tasks)
    return found is not None and found.furthest(system.board.start_counts) > _NEAR
