# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `analysis`: how much is measured, its targets and its page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from horolog.programs import require
from horolog_experiments.analysis.measure import (
    DROPPED,
    Large,
    Seen,
    case_of,
    measure_case,
    measure_large,
)
from horolog_experiments.analysis.oracle import differing
from horolog_experiments.harness import (
    Experiment,
    Found,
    Run,
    Target,
    entries,
    table,
    targets_table,
)

__all__ = ["EXPERIMENT", "TARGETS", "Analysed", "analysis_page", "measure_analysis"]

_WHOLE = {"oracle": 10_000, "host": 1_000, "mps2-an385": 200, "large": 100}
_QUICK = {"oracle": 1_000, "host": 16, "mps2-an385": 8, "large": 2}
_SLOW = 5


@dataclass(frozen=True)
class Analysed:
    """Everything measured. `oracle`: how many systems were compared; None: it is not installed."""

    oracle: int | None
    differing: tuple[int, ...]
    seen: tuple[Seen, ...]
    large: tuple[Large, ...]

    def measured(self) -> list[Seen]:
        """The systems that ran."""
        return [one for one in self.seen if one.state == "measured"]


def measure_analysis(run: Run) -> Analysed:
    """Compare and run, below run.folder. HorologError (3) if a tool is missing."""
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    counts = _QUICK if run.quick else _WHOLE
    oracle: int | None = counts["oracle"]
    different: tuple[int, ...] = ()
    try:
        different = differing(counts["oracle"])
    except ImportError:
        oracle = None
        run.say("the oracle is not installed: pip install response-time-analysis")
    seen = []
    for board in ("host", "mps2-an385"):
        for number in range(counts[board]):
            case = case_of(number, board)
            run.say(str(case))
            seen.append(measure_case(case, run.folder))
    found = Analysed(oracle, different, tuple(seen), tuple(measure_large(counts["large"], run.say)))
    times = [asdict(one) for one in found.large]
    run.folder.mkdir(parents=True, exist_ok=True)
    (run.folder / "times.json").write_text(json.dumps(times, indent=1) + "\n", encoding="utf-8")
    return found


def _mean(seen: Iterable[Seen]) -> Fraction | None:
    of = list(seen)
    count = sum(one.bounds for one in of)
    return sum((one.ratios for one in of), Fraction(0)) / count if count else None


def _synchronous(one: Seen) -> bool:
    return one.case.offsets == "none" and one.misses == 0


def _oracle(found: Analysed) -> Found:
    if found.oracle is None:
        return Found(None, "response-time-analysis is not installed")
    return Found(len(found.differing), f"{found.oracle:,} systems compared")


def _above(found: Analysed) -> Found:
    ran = found.measured()
    tasks = sum(one.bounds for one in ran)
    return Found(
        sum(one.above for one in ran), f"{len(ran):,} systems with {tasks:,} tasks were run"
    )


def _tight(chosen: Callable[[Seen], bool]) -> Callable[[Analysed], Found]:
    def find(found: Analysed) -> Found:
        of = [one for one in found.measured() if chosen(one)]
        boards = {one.case.board for one in of}
        each = (
            f"{board} {float(_mean(one for one in of if one.case.board == board) or 0):.2f}"
            for board in sorted(boards)
        )
        return Found(_mean(of), f"{len(of)} systems; {', '.join(each)}")

    return find


def _slow(found: Analysed) -> Found:
    most = max((one.seconds for one in found.large), default=0)
    return Found(
        sum(one.seconds > _SLOW for one in found.large),
        f"{len(found.large)} systems" + (", all within the limit" if most <= _SLOW else ""),
    )


def _not_yet(found: Analysed) -> Found:
    return Found(None, "not measured yet")


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
        _tight(_synchronous),
    ),
    Target[Analysed](
        "the same with offsets used",
        ">=",
        0.7,
        "ratio",
        _tight(lambda one: one.case.offsets != "none" and bool(one.by_offsets)),
    ),
    Target[Analysed](
        "of 100 systems of 1,500 tasks, with and without offsets, those whose analysis takes over 5 s",
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
        _not_yet,
    ),
    Target[Analysed](
        "chains: reaction times above their bound, 200 systems", "==", 0, "times", _not_yet
    ),
)


def _rows(found: Analysed) -> list[dict[str, Any]]:
    return [
        {
            **asdict(one.case),
            "state": one.state,
            "holds": one.holds,
            "deadline_misses": one.misses,
            "tasks": one.bounds,
            "by_offsets": one.by_offsets,
            "above": one.above,
            "ratio": None if (mean := _mean([one])) is None else round(float(mean), 3),
            "above_without": dict(one.dropped or {}),
        }
        for one in found.seen
    ]


def analysis_page(found: Analysed) -> str:
    """The page of evidence."""
    ran = found.measured()
    groups = sorted({(one.case.board, one.case.kind, one.case.offsets) for one in ran})
    by_group = []
    for key in groups:
        of = [one for one in ran if (one.case.board, one.case.kind, one.case.offsets) == key]
        failing = [one for one in of if not one.holds]
        by_group.append(
            [
                *key,
                str(len(of)),
                str(sum(one.bounds for one in of)),
                str(sum(one.above for one in of)),
                f"{float(_mean(of) or 0):.2f}",
                f"{sum(bool(one.misses) for one in failing)} of {len(failing)}",
            ]
        )
    dropped = [
        [name, str(sum((one.dropped or {}).get(name, 0) for one in ran))] for name in DROPPED
    ]
    dropped_systems = [
        [*row, str(sum(bool((one.dropped or {}).get(row[0], 0)) for one in ran))] for row in dropped
    ]
    left_out = [one for one in found.seen if one.state != "measured"]
    return f"""# Bounds of response times

Written by `horolog bench analysis`; do not edit.

## Targets

{targets_table(entries(TARGETS, found))}
## Measured responses beside their bounds

Bodies are turns of a loop and take their WCETs. On mps2-an385 the kernel's instructions take time; on the
host port they take none. *Ratio* is the mean, over tasks, of the largest measured response over the bound.
*Missed*: of the systems that are not proved to hold their deadlines, those that did miss one in the run.

{table(["board", "kind", "offsets", "systems", "tasks", "above", "ratio", "missed"], by_group)}
{len(left_out)} systems were not run, as no plan serves them or they were never idle.

## What a wrong term does

The same responses beside bounds from which one term is left out: so many responses are above them. If a
row had none, the runs above could not find that mistake.

{table(["without", "tasks above", "in systems"], dropped_systems)}"""


EXPERIMENT = Experiment[Analysed](
    "analysis",
    measure=measure_analysis,
    rows=_rows,
    page=analysis_page,
    targets=TARGETS,
    is_whole=lambda found, run: not run.quick,
    takes=("quick",),
)
