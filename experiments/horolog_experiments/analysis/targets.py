# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The targets of issue 20 beside what was found; fewer systems than asked for meet no target of a count."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from horolog_experiments.analysis.campaign import SLOW, WHOLE
from horolog_experiments.analysis.draws import BOARDS
from horolog_experiments.analysis.measure import Seen
from horolog_experiments.analysis.results import Analysed, mean
from horolog_experiments.harness import Found, Target, number

__all__ = ["TARGETS", "is_offset", "is_synchronous"]

_ORACLE = 10_000
_CHAINS = 200


def is_synchronous(one: Seen) -> bool:
    """Whether time releases all tasks, together, and no deadline is missed, so that no release is dropped."""
    return one.case.offsets == "none" and not one.case.untimed and not one.misses


def is_offset(one: Seen) -> bool:
    """Whether bounds of it use offsets, with every job of a hyperperiod looked at."""
    return one.case.offsets != "none" and one.by_offsets > 0


def _zero(count: int, systems: int, asked: int, said: str) -> Found:
    """A count that is to be 0; met only if it is of as many systems as the target says."""
    if not systems:
        return Found(None, said)
    short = f"; {asked:,} are asked for" if systems < asked else ""
    return Found(count, said + short, met=count == 0 and systems >= asked)


def _oracle(found: Analysed) -> Found:
    if found.oracle is None:
        return Found(None, "response-time-analysis is not installed")
    simso = (
        "simso is not installed"
        if found.simso is None
        else f"{found.simso:,} more, synchronous and without shared levels, compared with simso's simulation"
    )
    different = len(found.differing) + len(found.simso_differing)
    return _zero(different, found.oracle, _ORACLE, f"{found.oracle:,} systems compared; {simso}")


def _above(found: Analysed) -> Found:
    ran = found.measured()
    tasks, runs = sum(one.bounds for one in ran), sum(one.runs for one in ran)
    boards = ", ".join(f"{len(found.measured(board)):,} on {board}" for board in BOARDS)
    phasings, phased = sum(one.phasings for one in ran), sum(one.phased_runs for one in ran)
    said = (
        f"{boards}; {tasks:,} tasks in {runs:,} runs, and {phased:,} at {phasings:,} other phasings"
    )
    seen = [sum(one.case.board == board for one in found.seen) for board in BOARDS]
    whole = all(count >= WHOLE[board] for count, board in zip(seen, BOARDS, strict=True))
    above = sum(one.above for one in ran)
    if not whole:
        said += "; " + ", ".join(f"{WHOLE[board]:,}" for board in BOARDS) + " are asked for"
    return Found(above if ran else None, said, met=above == 0 and whole)


def _tight(chosen: Callable[[Seen], bool]) -> Callable[[Analysed], Found]:
    def find(found: Analysed) -> Found:
        of = [one for one in found.measured() if chosen(one)]
        each = (
            f"{board} {number(ratio, 2)}"
            for board in BOARDS
            if (ratio := mean(one for one in of if one.case.board == board)) is not None
        )
        return Found(mean(of), f"{len(of):,} systems; {', '.join(each)}")

    return find


def _slow(found: Analysed) -> Found:
    return _zero(found.slow, found.large, WHOLE["large"], f"{found.large} systems")


def _factor(found: Analysed) -> Found:
    of = found.bisected()
    if not of:
        return Found(None)
    off = sum((one.off for one in of), Fraction(0)) / len(of)
    above = sum(one.predicted > one.found * Fraction(201, 200) for one in of)
    said = f"{len(of)} systems, found to half a percent; largest {number(100 * max(one.off for one in of))} %"
    return Found(100 * off, f"{said}; predicted above found in {above}")


def _chained(found: Analysed) -> Found:
    ran = [one for one in found.measured() if one.chains]
    chains = sum(one.chains for one in ran)
    said = f"{chains:,} chains in {len(ran):,} systems, reaction times and data ages"
    return _zero(sum(one.late_chains for one in ran), len(ran), _CHAINS, said)


TARGETS = (
    Target[Analysed](
        "random systems on which the overhead-free analysis differs from the oracle",
        "==",
        0,
        "systems",
        _oracle,
    ),
    Target[Analysed]("responses above their bound, 1,000 systems", "==", 0, "tasks", _above),
    Target[Analysed](
        "mean of largest measured response / bound, synchronous systems",
        ">=",
        0.85,
        "ratio",
        _tight(is_synchronous),
    ),
    Target[Analysed]("the same with offsets used", ">=", 0.7, "ratio", _tight(is_offset)),
    Target[Analysed](
        "of 100 systems of 1,500 tasks, with and without offsets, those whose analysis takes over "
        f"{SLOW} s",
        "==",
        0,
        "systems",
        _slow,
    ),
    Target[Analysed](
        "breakdown factor predicted against found by bisection on the host port, mean relative difference",
        "<=",
        5,
        "%",
        _factor,
    ),
    Target[Analysed](
        "chains: reaction times above their bound, 200 systems", "==", 0, "times", _chained
    ),
)
