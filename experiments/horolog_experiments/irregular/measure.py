# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans, builds and runs every case, as threads and as basic tasks, and FreeRTOS where it can."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from horolog.build.freertos import freertos_source
from horolog.model import HorologError, Kind, NeverIdle, Plan, Planned, System
from horolog.plan import plan
from horolog.programs import require, version
from horolog.read import read_board
from horolog.run import measure_baseline, measure_plan
from horolog_experiments.irregular.families import Case, cases, system_of
from horolog_experiments.irregular.results import SLOW, Irregular, Measured, Tried

__all__ = ["ALL_LISTED", "SYSTEMS", "measure_case", "measure_irregular", "seconds_of"]

SYSTEMS = 300
ALL_LISTED = 40
"""So many of the cases have every listed alternative measured; of the others, the three best predicted."""
_BEST = 3
_LANES = 2
_BOARD = "mps2-an385"
_KINDS = (Kind.THREAD, Kind.BASIC)


@dataclass(frozen=True, slots=True)
class _Answer:
    measured: tuple[Measured, ...]
    freertos: int | None
    seconds: tuple[float, ...]  # of the processor, to plan each kind


def measure_irregular(
    out: Path,
    say: Callable[[str], None],
    count: int = SYSTEMS,
    seed: int = 0,
    *,
    compare: bool = True,
) -> tuple[Irregular, list[tuple[Case, tuple[float, ...]]]]:
    """The first `count` cases of `seed`, below the folder `out`; and the seconds that planning took.

    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    source = freertos_source() if compare else None
    asked = cases(count, seed)

    def lane(number: int) -> list[_Answer]:
        """Every _LANES-th case, in a folder of its own, so that the kernel is compiled once there."""
        answers = []
        for case in asked[number::_LANES]:
            say(str(case))
            answers.append(_answer(case, seed, source, out / f"lane-{number}", _tries(case, count)))
        return answers

    with ThreadPoolExecutor(_LANES) as pool:
        lanes = list(pool.map(lane, range(_LANES)))
    answers = [lanes[case.number % _LANES][case.number // _LANES] for case in asked]
    kernels = [(case.number, one.freertos) for case, one in zip(asked, answers, strict=True)]
    found = Irregular(
        seed=seed,
        measured=tuple(one for answer in answers for one in answer.measured),
        freertos=tuple((number, kernel) for number, kernel in kernels if kernel is not None),
        slow=sum(max(one.seconds) > SLOW for one in answers),
        platform=f"{read_board(_BOARD).title}, QEMU {version('qemu-system-arm')}",
        toolchain=f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}",
    )
    return found, [(case, one.seconds) for case, one in zip(asked, answers, strict=True)]


def _tries(case: Case, count: int) -> int | None:
    """How many plans of a case are run: None, all that are listed, of about ALL_LISTED in SYSTEMS.

    Eight cases after another are one of each family, so whole eights are taken.
    """
    eights = max(1, count // 8)
    chosen = max(1, eights * ALL_LISTED // SYSTEMS)
    return None if (case.number // 8) % eights < chosen else _BEST


def _answer(case: Case, seed: int, source: Path | None, out: Path, most: int | None) -> _Answer:
    measured, seconds = [], []
    for kind in _KINDS:
        one, took = measure_case(case, kind, seed, out, most)
        measured.append(one)
        seconds.append(took)
    return _Answer(tuple(measured), _freertos(case, seed, source, out), tuple(seconds))


def measure_case(
    case: Case, kind: Kind, seed: int, out: Path, most: int | None
) -> tuple[Measured, float]:
    """The choice for `case`, and up to `most` plans in all (None: every one); the seconds to plan it."""
    system = system_of(case, kind, seed)
    start = time.thread_time()
    try:
        planned = plan(system)
    except HorologError as error:
        return Measured(case, kind.value, "refused", str(error), ()), time.thread_time() - start
    took = time.thread_time() - start
    tried = []
    for choice in _listed(system, planned)[:most]:
        try:
            tried.append(_run(system, choice, out))
        except NeverIdle as error:
            if not tried:
                return Measured(case, kind.value, "overloaded", str(error), ()), took
    return Measured(case, kind.value, "measured", "", tuple(tried)), took


def _listed(system: System, planned: Planned) -> Sequence[Plan]:
    """The choice; then by prediction the other mechanisms, and the choice's with other stores."""
    choice = planned.choice
    listed = [one.plan for one in planned.alternatives if one.plan is not None]
    others = [one for one in listed if one.mechanism != choice.mechanism]
    stores = {option.store for one in choice.queues for option in one.options if option.admissible}
    for store in sorted(stores - {releaser.store for releaser in choice.releasers}):
        try:
            others.append(plan(system, mechanism=choice.mechanism, queue=store).choice)
        except HorologError:  # one releaser of several cannot have it
            continue
    return [choice, *sorted(others, key=lambda one: one.prediction.kernel_instructions)]


def _run(system: System, choice: Plan, out: Path) -> Tried:
    side = measure_plan(system, choice, out)
    assert side.instructions is not None
    interrupts = side.interrupts
    return Tried(
        mechanism=choice.mechanism,
        stores=tuple(releaser.store for releaser in choice.releasers),
        predicted=round(choice.prediction.kernel_instructions),
        measured=side.instructions.kernel,
        jobs=side.jobs,
        misses=side.deadline_misses,
        interrupts=(interrupts.predicted, interrupts.taken, interrupts.coalesced),
        excess=interrupts.excess,
    )


def _freertos(case: Case, seed: int, source: Path | None, out: Path) -> int | None:
    """FreeRTOS's kernel instructions; None if no tick can express the system, or it misses deadlines."""
    if source is None:
        return None
    system = system_of(case, Kind.THREAD, seed)
    try:
        side = measure_baseline(system, plan(system, mechanism="one-shot").choice, source, out)
    except HorologError:
        return None
    if side.deadline_misses or side.instructions is None:
        return None
    return side.instructions.kernel


def seconds_of(times: Iterable[tuple[Case, tuple[float, ...]]]) -> list[dict[str, object]]:
    """times.json: what planning each case took, as threads and as basic tasks."""
    return [{"case": str(case), "seconds": [round(one, 3) for one in took]} for case, took in times]
