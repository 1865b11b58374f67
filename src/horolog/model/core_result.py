# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a run on several cores came to: the result of each core, and of all of them together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

from horolog.model.baseline import Baseline
from horolog.model.result import (
    Instructions,
    Interruptions,
    Interrupts,
    Response,
    Result,
    Side,
)
from horolog.model.result_json import to_data

__all__ = [
    "CoreResult",
    "CoreShare",
    "CoresResult",
    "RivalCores",
    "Waits",
    "cores_to_data",
    "cores_to_json",
    "counted_together",
    "together",
]


_CAVEAT = (
    "Cycles are those of the simulated cores, waits for what the cores share included: exact for that, and "
    "not time on silicon."
)


@dataclass(frozen=True, slots=True)
class Waits:
    """How long a core's accesses to what the cores share have waited, from reset to the end, in cycles."""

    accesses: int
    cycles: int
    longest: int  # of one access


@dataclass(frozen=True, slots=True)
class CoreResult:
    """One core's: as a system of one core has it, without what holds for all cores."""

    core: int
    tasks: tuple[str, ...]
    result: Result
    waits: Waits = Waits(0, 0, 0)  # frozen


@dataclass(frozen=True, slots=True)
class CoreShare:
    """What one core did under a kernel that is one for all cores."""

    core: int
    counted: Instructions
    waits: Waits
    doorbells: int  # how often another core asked it to switch


@dataclass(frozen=True, slots=True)
class RivalCores:
    """The cores under one FreeRTOS side: all that the board has."""

    baseline: Baseline
    cores: tuple[CoreShare, ...]


@dataclass(frozen=True, slots=True)
class CoresResult:
    """That of all cores together, and of each core that has tasks; and the cores under FreeRTOS's sides."""

    whole: Result
    cores: tuple[CoreResult, ...]
    rivals: tuple[RivalCores, ...] = ()

    @property
    def caveat(self) -> str | None:
        """What the figures are not; None where nothing was counted."""
        return None if self.whole.caveat is None else _CAVEAT


def together(sides: Sequence[Side]) -> Side:
    """Returns the sums of what was measured on several cores. There is one side at least."""
    first = sides[0]
    mechanisms = dict.fromkeys(side.mechanism for side in sides)
    responses: dict[str, Response] = {}
    for side in sides:
        responses |= side.response
    predicted = [side.kernel_predicted for side in sides if side.kernel_predicted is not None]
    return replace(
        first,
        mechanism=", ".join(mechanisms),
        jobs=sum(side.jobs for side in sides),
        deadline_misses=sum(side.deadline_misses for side in sides),
        overruns=sum(side.overruns for side in sides),
        interrupts=Interrupts(
            sum(side.interrupts.predicted for side in sides),
            sum(side.interrupts.taken for side in sides),
            sum(side.interrupts.coalesced for side in sides),
            sum(side.interrupts.excess for side in sides),
        ),
        instructions=counted_together(
            [s.instructions for s in sides if s.instructions is not None]
        ),
        response=responses,
        interruptions=_interruptions(
            [s.interruptions for s in sides if s.interruptions is not None]
        ),
        kernel_predicted=sum(predicted, Fraction(0)) if len(predicted) == len(sides) else None,
        beside=tuple(one for side in sides for one in side.beside),
    )


def counted_together(of: Sequence[Instructions]) -> Instructions | None:
    """Returns the sums of what was counted on several cores; None: nothing was."""
    if not of:
        return None
    by_function: Counter[str] = Counter()
    for one in of:
        by_function.update(one.by_function)
    retired = [one.retired for one in of if one.retired is not None]
    return Instructions(
        total=sum(one.total for one in of),
        bodies=sum(one.bodies for one in of),
        idle=sum(one.idle for one in of),
        by_function=by_function,
        unit=of[0].unit,
        retired=sum(retired) if retired else None,
    )


def _interruptions(of: Sequence[Interruptions]) -> Interruptions | None:
    if not of:
        return None
    kernel = [one.kernel for one in of if one.kernel is not None]
    counted = len(kernel) == len(of)
    return Interruptions(sum(one.count for one in of), sum(kernel) if counted else None)


def cores_to_json(result: CoresResult) -> str:
    """The text of result.json, or run.json, of several cores."""
    return json.dumps(cores_to_data(result), indent=2, ensure_ascii=False) + "\n"


def cores_to_data(result: CoresResult) -> dict[str, Any]:
    """The object in it: as of one core, with all cores together, and behind that each core's own."""
    whole = to_data(result.whole)
    kept = ("deadlines", "horolog", "alternatives", "wcet_exceeded")
    return {
        **whole,
        "caveat": result.caveat,
        "cores": [
            {
                "core": one.core,
                "tasks": list(one.tasks),
                "waits": asdict(one.waits),
                **{key: value for key, value in to_data(one.result).items() if key in kept},
            }
            for one in result.cores
        ],
        **({} if not result.rivals else {"freertos_cores": _rivals(result.rivals)}),
    }


def _rivals(rivals: Sequence[RivalCores]) -> dict[str, Any]:
    """What each core did under each of FreeRTOS's sides, by their names."""
    return {
        rival.baseline.value: [
            {
                "core": one.core,
                "total": one.counted.total,
                "bodies": one.counted.bodies,
                "idle": one.counted.idle,
                "kernel": one.counted.kernel,
                "doorbells": one.doorbells,
                "waits": asdict(one.waits),
            }
            for one in rival.cores
        ]
        for rival in rivals
    }
