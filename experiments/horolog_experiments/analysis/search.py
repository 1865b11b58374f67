# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The search for long responses in the runs of one built system: execution times and devices' phases vary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from horolog.model import System
from horolog.trace import Job
from horolog_experiments.analysis.runs import Longest, Runner

__all__ = ["search"]

_SHORTLY = 2000  # counts: so much behind a release, at most, or with it


@dataclass(frozen=True)
class _Try:
    """What a run of the search is: the least share of each body, draws, and each device's first interrupt."""

    percents: tuple[int, ...]
    seed: int
    firsts: tuple[int, ...]

    @property
    def options(self) -> list[str]:
        return ["--least-percents", ",".join(map(str, self.percents)), "--draw", str(self.seed)]


def search(
    runner: Runner,
    system: System,
    bounds: Mapping[int, Fraction],
    runs: int,
    below: Callable[[int], int],
    critical: int = 0,
) -> tuple[Longest, list[tuple[Job, ...]]]:
    """So many runs for long responses: all that was the longest, and the jobs of each run.

    First all bodies take their WCETs and all devices interrupt `critical` counts after t = 0. Then one body's
    share, the draw or a device's phase is changed of the best so far, or all are drawn anew; what comes
    closer to the bounds stays.
    """
    hz = system.board.clock.hz
    gaps = [ceil(one.gap * hz) for one in system.interrupts]
    releases = [(int(task.offset * hz), int(task.period * hz)) for task in system.tasks]
    best = _Try((100,) * len(system.tasks), 0, (critical,) * len(gaps))
    longest, found, most = Longest(), [], Fraction(-1)
    for number in range(runs):
        tried = best if number == 0 else _changed(best, gaps, releases, below)
        one = Longest()
        found.append(runner.into(one, tried.options, tried.firsts))
        value = sum(
            (one.responses[at] / bounds[at] for at in bounds.keys() & one.responses.keys()),
            Fraction(0),
        )
        if value > most:
            best, most = tried, value
        longest.add(one)
    return longest, found


def _changed(
    best: _Try,
    gaps: Sequence[int],
    releases: Sequence[tuple[int, int]],
    below: Callable[[int], int],
) -> _Try:
    """Another run than `best`. A device interrupts first anywhere, or as a task is released or has begun."""
    if below(4) == 0:
        return _Try(
            tuple(below(101) for _ in best.percents),
            1 + below(1 << 30),
            tuple(below(gap) for gap in gaps),
        )
    which = below(len(best.percents) + 2 * len(gaps))
    if which >= len(best.percents):
        at = (which - len(best.percents)) // 2
        first = below(gaps[at])
        if below(2):
            offset, period = releases[below(len(releases))]
            first = offset + below(4) * period + below(2) * below(_SHORTLY)
        return replace(best, firsts=(*best.firsts[:at], first, *best.firsts[at + 1 :]))
    least = below(101)
    return replace(
        best,
        seed=1 + below(1 << 30),
        percents=(*best.percents[:which], least, *best.percents[which + 1 :]),
    )
