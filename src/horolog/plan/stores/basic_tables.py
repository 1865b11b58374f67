# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How long the mask tables of basic tasks are, and whether one is short enough."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

from horolog import analyse
from horolog.analyse import HOP_COUNTS, MOST_ROWS, group_lines, hyperperiod, lines, streams
from horolog.analyse.memo import remembered
from horolog.model import GROUP_STORES, Mode, Releaser, System
from horolog.plan.instants.interrupts import instants_of
from horolog.plan.mapping.cell_timing import one_shot_span
from horolog.plan.prices.basic_costs import release_method
from horolog.plan.prices.line_steps import is_alone
from horolog.plan.stores.sizes import sized, too_long
from horolog.read.units import about_duration_text

__all__ = ["basic_constants", "basic_ram", "basic_table_misfit"]

_WITH_POINTER = (1, 1)  # words and pointers of struct hrli_line_row, and of struct hrli_line_part
_DIRECT_ROW_BYTES = 8  # struct hrli_direct_row
_GROUP = (11, 3)  # struct hrli_line_group
_LEVEL = (3, 1)  # struct hrli_line_level
_GROUPS_BYTES = 8  # what is served and what is due
_RAM = {"lines": (1, 1), "direct": (4, 1), "none": (1, 0)}

_rows_of = remembered(analyse.release_rows)


def basic_table_misfit(system: System, releaser: Releaser, limit: int) -> str | None:
    """Why `releaser` cannot have a mask table, or not in `limit` bytes; None if it can."""
    tasks = releaser.tasks
    of, hz = streams(system, tasks), system.board.clock.hz
    for stream in of:
        if stream.period * hz > HOP_COUNTS:
            name = system.tasks[stream.tasks[0]].name
            most = Fraction(HOP_COUNTS, hz)
            return f"{name} has a period of more than {about_duration_text(most, 4)}, which a row cannot span"
    cycle = hyperperiod(of)
    rows = ceil(instants_of(of, hz, 0)[0].rate * cycle)
    row_bytes = sized(system, *_WITH_POINTER)
    if rows <= MOST_ROWS and rows * row_bytes <= limit:
        needed = _bytes(system, replace(releaser, direct=False))
        if needed is not None and needed <= limit:
            return _too_far(system, releaser)
        rows, needed = max(rows, 1), max(needed or 0, rows * row_bytes)
    else:
        needed = rows * row_bytes
    return too_long(cycle, rows, needed, limit)


def _too_far(system: System, releaser: Releaser) -> str | None:
    """Why a one-shot cell cannot be armed for every row; a periodic one comes by itself."""
    if releaser.mode is Mode.PERIODIC:
        return None
    found, cell = _rows_of(system, releaser.tasks), system.board.cell(releaser.cell)
    assert found is not None
    furthest = max(*found.gaps, found.first + cell.hz // 1000)
    if furthest <= one_shot_span(cell):
        return None
    return f"{cell.name} cannot be armed {furthest:,} counts ahead, from one row to the next"


def basic_constants(system: System, releaser: Releaser) -> int:
    """Bytes of the read-only tables of a releaser that has a mask table."""
    if releaser.store == "none":
        return 0
    if releaser.store in GROUP_STORES:
        return sized(system, *_WITH_POINTER) * (1 + _parts(system, releaser.tasks))
    return _bytes(system, releaser) or 0


def basic_ram(system: System, releaser: Releaser) -> int:
    """Bytes of RAM beside the words of the lines."""
    if releaser.store not in GROUP_STORES:
        return sized(system, *_RAM[release_method(releaser)])
    groups = len(streams(system, releaser.tasks))
    if releaser.store == "harmonic-array":
        return _GROUPS_BYTES + sized(system, *_LEVEL) * groups
    return _GROUPS_BYTES + sized(system, *_GROUP) * groups


@remembered
def _parts(system: System, tasks: tuple[int, ...]) -> int:
    """The heads and parts of the groups of `tasks`."""
    own = [line for line in group_lines(system, tasks) if not is_alone(system, line)]
    line_of = {task: at for at, line in enumerate(own) for task in line.tasks}
    return sum(
        1 + len({line_of[task] for task in stream.tasks if task in line_of})
        for stream in streams(system, tasks)
    )


@remembered
def _bytes(system: System, releaser: Releaser) -> int | None:
    """Bytes of the mask table of `releaser`; None: it has more than MOST_ROWS rows."""
    found = _rows_of(system, releaser.tasks)
    if found is None:
        return None
    if releaser.direct:
        return (len(found.gaps) + 1) * _DIRECT_ROW_BYTES
    words = {
        task: releaser.words or not is_alone(system, line)
        for line in lines(system)
        for task in line.tasks
    }
    line_of = {task: at for at, line in enumerate(lines(system)) for task in line.tasks}
    parts = sum(
        1 + len({line_of[task] for task in released if words[task]})
        for released in {*found.released}
    )
    return (len(found.gaps) + 1 + parts + 1) * sized(system, *_WITH_POINTER)
