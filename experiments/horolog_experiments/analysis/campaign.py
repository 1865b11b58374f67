# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""All that is measured, in two lanes; what the same sources and tools have measured before is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path

from horolog.programs import require, version
from horolog.read import read_board
from horolog_experiments.analysis.draws import BOARDS, case_of
from horolog_experiments.analysis.measure import (
    Factor,
    Large,
    Seen,
    measure_case,
    measure_factor,
    measure_large,
)
from horolog_experiments.analysis.oracle import differs
from horolog_experiments.analysis.results import Analysed
from horolog_experiments.analysis.simulated import simulation_differs
from horolog_experiments.harness import Kept, Run

__all__ = ["QUICK", "SLOW", "WHOLE", "measure_analysis"]

WHOLE = {
    "host": 1_000,
    "mps2-an385": 200,
    "ibex-cells": 20,
    "factor": 100,
    "large": 100,
    "oracle": 40,
    "simso": 40,
}
"""How much of each part there is. The oracles' are of so many systems each as _CHUNKS says."""
QUICK = {
    "host": 16,
    "mps2-an385": 6,
    "ibex-cells": 0,
    "factor": 4,
    "large": 2,
    "oracle": 4,
    "simso": 1,
}
SLOW = 5
"""Seconds of the processor that the analysis of 1,500 tasks may take."""
_CHUNKS = {"oracle": 250, "simso": 25}
_LANES = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one step; one field is set. `missing`: the oracle is not installed."""

    seen: Seen | None = None
    factor: Factor | None = None
    large: Large | None = None
    differing: tuple[int, ...] = ()
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One system, or a chunk of an oracle's."""

    part: str
    number: int


def steps(counts: Mapping[str, int]) -> list[Step]:
    """All steps; the parts advance together, so that an interrupted run has something of each."""
    found = [(Fraction(n, many), part, n) for part, many in counts.items() for n in range(many)]
    return [Step(part, number) for _, part, number in sorted(found)]


def measure_step(step: Step, out: Path) -> Answer:
    """Take `step`, below the folder `out`."""
    if step.part in BOARDS:
        return Answer(seen=measure_case(case_of(step.number, step.part), out))
    if step.part == "factor":
        return Answer(factor=measure_factor(step.number, out))
    if step.part == "large":
        return Answer(large=measure_large(step.number))
    chunk = _CHUNKS[step.part]
    numbers = range(step.number * chunk, (step.number + 1) * chunk)
    try:
        differ = differs if step.part == "oracle" else simulation_differs
        return Answer(differing=tuple(number for number in numbers if differ(number)))
    except ImportError:
        return Answer(missing=True)


def measure_analysis(run: Run, counts: Mapping[str, int] | None = None) -> Analysed:
    """Compare and run, below run.folder. HorologError (3) if a tool is missing."""
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    counts = counts or (QUICK if run.quick else WHOLE)
    asked = steps(counts)
    end = None if run.minutes is None else time.monotonic() + 60 * run.minutes
    own = sorted(Path(__file__).parent.glob("*.py"))
    own = [
        path
        for path in own
        if path.stem not in ("page", "results", "__init__", "campaign", "targets")
    ]
    own += sorted((Path(__file__).parents[3] / "src" / "horolog" / "responses").glob("*.py"))
    own += sorted((Path(__file__).parents[3] / "src" / "horolog" / "schedulability").glob("*.py"))
    kept = {board: Kept(run.folder / "cache", Answer, board, own) for board in BOARDS}

    def lane(number: int) -> list[Answer]:
        """Every _LANES-th step, in a process and a folder of its own."""
        found = []
        with ProcessPoolExecutor(1, get_context("spawn")) as worker:
            for at, step in list(enumerate(asked))[number::_LANES]:
                store = kept.get(step.part, kept["host"])
                answer = store.get(step)
                if answer is None:
                    if end is not None and time.monotonic() > end:
                        break
                    run.say(f"{at + 1} of {len(asked)}: {step.part} {step.number}")
                    folder = run.folder / f"lane-{number}"
                    answer = worker.submit(measure_step, step, folder).result()
                    if not answer.missing:
                        store.put(step, answer)
                found.append(answer)
        return found

    with ThreadPoolExecutor(_LANES) as pool:
        lanes = list(pool.map(lane, range(_LANES)))
    answers = {
        step: lanes[at % _LANES][at // _LANES]
        for at, step in enumerate(asked)
        if at // _LANES < len(lanes[at % _LANES])
    }
    return _together(run, without_gaps(answers))


def without_gaps(answers: Mapping[Step, Answer]) -> dict[Step, Answer]:
    """Each part up to its first step without an answer, so that what was drawn is not chosen by its time."""
    return {
        step: answer
        for step, answer in answers.items()
        if all(Step(step.part, number) in answers for number in range(step.number))
    }


def _together(run: Run, answers: Mapping[Step, Answer]) -> Analysed:
    """All answers, in the order of the parts and numbers; seconds go to times.json."""
    found = sorted(answers.items(), key=lambda one: (one[0].part, one[0].number))
    large = [one.large for _, one in found if one.large is not None]
    times = [[one.family, one.offsets, one.seconds] for one in large]
    run.folder.mkdir(parents=True, exist_ok=True)
    (run.folder / "times.json").write_text(json.dumps(times, indent=1) + "\n", encoding="utf-8")
    oracle, simso = (_compared(found, part) for part in ("oracle", "simso"))
    return Analysed(
        *oracle,
        *simso,
        len(large),
        sum(one.seconds > SLOW for one in large),
        f"{read_board('mps2-an385').title}, QEMU {version('qemu-system-arm')}",
        f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}",
        tuple(
            one.seen for board in BOARDS for step, one in found if step.part == board and one.seen
        ),
        tuple(one.factor for _, one in found if one.factor is not None),
    )


def _compared(found: list[tuple[Step, Answer]], part: str) -> tuple[int | None, tuple[int, ...]]:
    """How many systems were compared, None if the oracle is missing; and those that differ."""
    of = [one for step, one in found if step.part == part]
    if not of or any(one.missing for one in of):
        return None, ()
    return _CHUNKS[part] * len(of), tuple(number for one in of for number in one.differing)
