# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether a plan of basic tasks has enough interrupt lines; and if not, what would fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from horolog.analyse import (
    MOST_ON_A_LINE,
    BasicLine,
    Dispatcher,
    all_levels,
    basic_levels,
    lines,
    lines_of,
    rank,
)
from horolog.figures import plural
from horolog.model import HorologError, Plan, PriorityRule, System
from horolog.read import duration_text

__all__ = ["check_lines"]

MOST_LINES = 32  # that threads serve, each a bit of a word


def check_lines(system: System, plan: Plan) -> None:
    """HorologError if the lines are more than the board has free, or without a controller than MOST_LINES."""
    raised = _raised(system, [line for line in lines_of(system, plan) if line.cell is None])
    have, limited_by = MOST_LINES, "without a controller the kernel tells"
    if system.board.controller is not None:
        have = len(system.board.controller.lines)
        limited_by = f'the board "{system.board.name}" has'
    if len(raised) <= have:
        return
    first = system.task(raised[have].tasks[0])
    apart = "free" if system.board.controller is not None else "apart"
    raise HorologError(
        f"{len(raised)} interrupt lines are needed for basic tasks; {limited_by} {have} {apart}",
        place=first.place,
        found=f"{sum(len(line.tasks) for line in raised)} tasks on "
        f"{len({line.level for line in raised})} levels, up to {_most(system)} on a line",
        expected=f"at most {have} lines; {_what_fits(system, have)}",
    )


def _raised(system: System, of: Sequence[BasicLine]) -> list[BasicLine]:
    """The lines of `of` that need a number each; on a controller, all lines of threads share one."""
    if system.board.controller is None:
        return [*of]
    below = [line for line in of if line.by is Dispatcher.LINE_THREAD]
    return [line for line in of if line.by is Dispatcher.CONTROLLER] + below[:1]


def _what_fits(system: System, have: int) -> str:
    """The largest number of levels with which the lines are enough; or how many tasks there may be."""
    for fewer in range(basic_levels(system) - 1, 0, -1):
        tried = replace(system, board=replace(system.board, basic_levels=fewer))
        needed = len(_raised(tried, lines(tried)))
        if needed <= have:
            return (
                f"quantised to {fewer} level{'s' * (fewer != 1)} they fit on {needed}, by priorities = "
                f'"explicit": {_levels_text(tried)}'
            )
    most, basic = have * _most(system), len(system.basic) + len(system.sporadic_basic)
    return f"{plural(most, 'task')} on one level would fit, so {basic - most} have to be threads"


def _most(system: System) -> int:
    """How many of its tasks have room on a line."""
    return MOST_ON_A_LINE - max((line.catch_up_ranks for line in lines(system)), default=0)


def _levels_text(system: System) -> str:
    """Which periods, deadlines or priorities have which level."""
    on, basic = all_levels(system), (*system.basic, *system.sporadic_basic)
    words: dict[int, list[str]] = {}
    for index in sorted(basic, key=lambda at: rank(system, at)):
        task = system.task(index)
        if system.priorities is PriorityRule.EXPLICIT:
            word = f"priority {task.priority}"
        elif system.priorities is PriorityRule.DEADLINE_MONOTONIC:
            word = f"deadline {duration_text(task.deadline)}"
        else:
            word = duration_text(task.period)
        some = words.setdefault(on[index], [])
        if word not in some:
            some.append(word)
    return "; ".join(
        f"{words[level][0]}{'' if len(words[level]) == 1 else f' to {words[level][-1]}'} on {level}"
        for level in sorted(words, reverse=True)
    )
