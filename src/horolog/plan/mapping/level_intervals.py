# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Divisions of basic tasks among cells by level, and the mechanism `sloth`: a cell for each task, or nearly.

A cell with tasks of one level only interrupts at that level and runs them itself, without a line. So basic
tasks are divided by level: `mixed` gives each cell an interval of levels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, zip_longest

from horolog.analyse import Stream, levels, streams
from horolog.model import Cell, Mixture, Mode, Releaser, System
from horolog.plan.limit import Limit
from horolog.plan.mapping.offset_cells import offset_cell_fault, offset_cells, tasks_with_offsets
from horolog.plan.mapping.releasers import (
    Inadmissible,
    Proposal,
    as_group,
    cells_with,
    one_shot_on,
    periodic_on,
)
from horolog.plan.prices.costs import WORTH

__all__ = ["intervals", "sloth"]

Price = Callable[[Releaser], Fraction | None]
"""The cost of a releaser a second; None: it cannot be had."""


def sloth(system: System) -> Proposal | Inadmissible:
    """A periodic cell for each level, period and offset (SLOTH ON TIME, with cells to spare).

    A task with points that are not evenly spaced has a cell that is moved from each to the next.
    """
    groups = _sloth_groups(system)
    moved = {
        index: [one for one in streams(system) if index in one.tasks]
        for index in tasks_with_offsets(system)
    }
    even = [one for one in groups if moved.keys().isdisjoint(one[0].tasks)]
    cells = cells_with(system, Mode.PERIODIC)
    if len(even) + len(moved) > len(cells):
        return Inadmissible(
            f"{len(even) + len(moved)} cells are needed, one for each level, period and offset; "
            f"{len(cells)} can be had",
            remedy="fewer periods, offsets or levels; or another mechanism",
            cells=len(even) + len(moved),
        )
    by_offsets = _moved(system, moved)
    if isinstance(by_offsets, Inadmissible):
        return by_offsets
    taken = {one.cell for one in by_offsets}
    left = [cell for cell in cells if cell.name not in taken]
    made = periodic_on(system, [as_group(one) for one in even], left) if even else ()
    if isinstance(made, Inadmissible):
        return made
    return Proposal(
        tuple(sorted((*made, *by_offsets), key=lambda one: system.cells.index(one.cell)))
    )


_NONE_MOVES = (
    "its points are not evenly spaced, and too few of the cells in use can be moved to the next"
)


def _moved(system: System, of: Mapping[int, list[Stream]]) -> list[Releaser] | Inadmissible:
    """A cell for each task with points that are not evenly spaced: the last ones that can be moved."""
    able = offset_cells(system)[-len(of) :] if of else []
    for index, cell in zip_longest(of, able):
        task = system.tasks[index]
        fault = offset_cell_fault(system.board, cell, task) if cell else _NONE_MOVES
        if fault is not None:
            return Inadmissible(
                f"task {task.name}: {fault}",
                index,
                remedy="even steps from each point to the next; or another mechanism",
            )
    hz = system.board.clock.hz
    made = []
    for (index, some), cell in zip(of.items(), able, strict=True):
        alone = [Stream(one.period, one.offset, (index,)) for one in some]
        made.append(one_shot_on(cell, alone, hz))
    return made


def _sloth_groups(system: System) -> list[list[Stream]]:
    """The streams of the tasks of each level, period and offset, the most urgent first."""
    on = levels(system)
    found: dict[tuple[int, Fraction, tuple[Fraction, ...]], list[int]] = {}
    for index, task in enumerate(system.tasks):
        found.setdefault((-on[index], task.period, task.offsets), []).append(index)
    return [
        [Stream(period, offset, tuple(found[level, period, offsets])) for offset in offsets]
        for level, period, offsets in sorted(found)
    ]


@dataclass(frozen=True, slots=True)
class _Piece:
    """An interval of levels, and the cheapest way to release it."""

    price: Fraction
    mode: Mode
    of: tuple[Stream, ...]


def intervals(system: System, price: Price, limit: Limit | None = None) -> Proposal | Inadmissible:
    """The cheapest division of the levels into intervals, one a cell, by what `price` says of each.

    By dynamic programming over the number of cells: no other division by intervals is cheaper. Where the
    `limit` is over, those with a price until then are compared, all levels on one cell among them.
    """
    limit = limit or Limit()
    cells = [system.board.cell(name) for name in system.cells]
    on = levels(system)
    distinct = sorted({on[task] for stream in streams(system) for task in stream.tasks})
    # Short intervals and that of all levels first: what is known when the limit is over can be put together.
    order = sorted(
        combinations_with_replacement(range(len(distinct)), 2), key=lambda one: one[1] - one[0]
    )
    pieces: dict[tuple[int, int], _Piece] = {}
    cut = False
    for asked, (low, high) in enumerate([order[-1], *order[:-1]]):
        if asked and limit.over(
            words=partial("{} of {} intervals of levels".format, asked, len(order))
        ):
            cut = True
            break
        own = {*distinct[low : high + 1]}
        tasks = [index for index, level in enumerate(on) if level in own]
        best = _cheapest(system, tasks, cells, price)
        if best is not None:
            pieces[low, high] = best
    pieces = {key: pieces[key] for key in sorted(pieces)}
    chosen = _division(pieces, len(distinct), len(cells))
    if chosen is None:
        return Inadmissible("no division of the levels among the cells can be had")
    made = _on_cells(system, chosen, cells)
    if isinstance(made, Inadmissible):
        return made
    some = "some" if cut else "all"
    words = f"the best of {some} divisions of {len(distinct)} levels into intervals, one a cell"
    return Proposal(made, mixture=Mixture(len(pieces), words))


def _cheapest(
    system: System, tasks: Sequence[int], cells: Sequence[Cell], price: Price
) -> _Piece | None:
    """On the first cell that can do it; among ways that cost the same a periodic one."""
    of = streams(system, tasks)
    hz = system.board.clock.hz
    found: list[_Piece] = []
    able = [cell for cell in cells if Mode.PERIODIC in cell.modes]
    made = periodic_on(system, [as_group(of)], able) if able else None
    if isinstance(made, tuple):
        cost = price(made[0])
        if cost is not None:
            found.append(_Piece(cost, Mode.PERIODIC, of))
    single = _single(of, cells, hz)
    if single is not None:
        cost = price(one_shot_on(single, of, hz))
        if cost is not None:
            found.append(_Piece(cost, Mode.ONE_SHOT, of))
    return min(found, key=lambda piece: piece.price, default=None)


def _single(of: Sequence[Stream], cells: Sequence[Cell], hz: int) -> Cell | None:
    """The widest cell that can be armed for these instants."""
    able = [
        cell
        for cell in cells
        if Mode.ONE_SHOT in cell.modes and of[0].period * hz >= cell.min_counts
    ]
    return max(able, key=lambda cell: cell.width, default=None)


def _division(
    pieces: dict[tuple[int, int], _Piece], count: int, most: int
) -> tuple[_Piece, ...] | None:
    """The cheapest pieces that make up the intervals 0 to count - 1, at most `most`.

    One piece more has to save WORTH of all.
    """
    best: dict[int, tuple[Fraction, tuple[_Piece, ...]]] = {0: (Fraction(0), ())}
    overall: tuple[Fraction, tuple[_Piece, ...]] | None = None
    for _ in range(min(most, count)):
        following: dict[int, tuple[Fraction, tuple[_Piece, ...]]] = {}
        for (low, high), piece in pieces.items():
            if low in best:
                cost = best[low][0] + piece.price
                if high + 1 not in following or cost < following[high + 1][0]:
                    following[high + 1] = cost, (*best[low][1], piece)
        best = following
        if count in best and (overall is None or best[count][0] < overall[0] * (1 - WORTH)):
            overall = best[count]
    return None if overall is None else overall[1]


def _on_cells(
    system: System, pieces: Sequence[_Piece], cells: Sequence[Cell]
) -> tuple[Releaser, ...] | Inadmissible:
    hz = system.board.clock.hz
    left = list(cells)
    made: list[Releaser] = []
    for piece in pieces:
        if piece.mode is Mode.ONE_SHOT:
            cell = _single(piece.of, left, hz)
            if cell is None:
                return Inadmissible("too few cells can be armed for one instant")
            left.remove(cell)
            made.append(one_shot_on(cell, piece.of, hz))
    wanted = [as_group(piece.of) for piece in pieces if piece.mode is Mode.PERIODIC]
    periodic = periodic_on(system, wanted, [cell for cell in left if Mode.PERIODIC in cell.modes])
    if isinstance(periodic, Inadmissible):
        return periodic
    every = [*made, *periodic]
    return tuple(
        replace(one) for one in sorted(every, key=lambda one: system.cells.index(one.cell))
    )
