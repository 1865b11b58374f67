# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems in which each task has a cell of its own, and how late the entries of its interrupts are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.system.support import Run, made_plan

from horolog.model import Board, Mode, Plan, Releaser, Task

__all__ = ["cell_a_task", "lateness"]


def cell_a_task(
    board: Board, tasks: Sequence[Task], modes: Sequence[Mode], duration: Fraction
) -> Plan:
    """Each task has the cell of its number, in the mode of its number."""
    releasers, interrupts = [], []
    for cell, one, mode, number in zip(board.cells, tasks, modes, range(len(tasks)), strict=False):
        counts, first = (int(of * board.clock.hz) for of in (one.period, one.offset))
        is_periodic = mode is Mode.PERIODIC
        releasers.append(
            Releaser(
                cell=cell.name,
                mode=mode,
                store="sorted-list",
                tasks=(number,),
                first=first,
                cell_period=counts if is_periodic else None,
                divider=1,
                period=one.period if is_periodic else None,
            )
        )
        interrupts.append(-(-(duration - one.offset) // one.period))
    return made_plan(*releasers, interrupts=interrupts)


def lateness(run: Run, quiet_ns: int) -> dict[int, list[int]]:
    """By cell, how many ns after its nominal instant each of its entries came that found the processor idle.

    For `quiet_ns` there was no event before. t = 0 is the entry of the first instant.
    """
    nth, open_jobs, quiet_since = [0] * 4, 0, -quiet_ns
    found: dict[int, list[int]] = {number: [] for number in range(4)}
    for ns, kind, index in run.trace:
        if kind == "I":
            one = run.system.tasks[index]
            due = (one.offset + nth[index] * one.period) * 10**9
            nth[index] += 1
            if open_jobs == 0 and ns - quiet_since >= quiet_ns:
                found[index].append(int(ns - due))
        open_jobs += (kind == "S") - (kind == "E")
        quiet_since = ns
    return found
