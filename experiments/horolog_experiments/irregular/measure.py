# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans, builds and runs every case, as threads and as basic tasks, and FreeRTOS where it can."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from math import ceil
from multiprocessing import get_context
from pathlib import Path

from horolog.build.firmware import Target, build_firmware
from horolog.build.freertos import freertos_source
from horolog.emit import baseline_tick
from horolog.image import loaded_bytes, read_image
from horolog.model import ON_ONE_CORE, HorologError, Kind, NeverIdle, Plan, Planned, System
from horolog.plan import plan, read_prices
from horolog.plan.prices.size_costs import FLASH_NOTE, freertos_bytes
from horolog.programs import require, version
from horolog.read import read_board
from horolog.run import measure_baseline, measure_plan
from horolog_experiments.harness import Kept
from horolog_experiments.irregular.families import Case, cases, system_of
from horolog_experiments.irregular.others import (
    WIDE,
    WIDE_QUICK,
    measure_alone,
    measure_large,
    measure_wholes,
    measure_wide,
)
from horolog_experiments.irregular.results import (
    SLOW,
    Answer,
    Flash,
    Irregular,
    Measured,
    Theirs,
    Tried,
)

__all__ = ["ALL_LISTED", "SYSTEMS", "measure_case", "measure_irregular", "seconds_of"]

SYSTEMS = 300
ALL_LISTED = 40
"""At least so many cases have every listed alternative measured; of the others, the three best predicted."""
_BEST = 3
_LANES = 2
_BOARD = "mps2-an385"
_KINDS = (Kind.THREAD, Kind.BASIC)


def measure_irregular(
    out: Path,
    say: Callable[[str], None],
    count: int = SYSTEMS,
    seed: int = 0,
    *,
    compare: bool = True,
    minutes: int | None = None,
) -> tuple[Irregular, list[tuple[Case, tuple[float, ...]]]]:
    """The first `count` cases of `seed`, below the folder `out`; and the seconds that planning took.

    What the same sources and tools have measured there before is not measured again. After so many
    `minutes` no case is begun; those before the first that is missing count.

    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    source = freertos_source() if compare else None
    asked = cases(count, seed)
    end = None if minutes is None else time.monotonic() + 60 * minutes
    own = [Path(__file__).parent / name for name in ("families.py", "measure.py")]
    kept = Kept(out / "cache", Answer, _BOARD, own)

    def lane(number: int) -> list[Answer]:
        """Every _LANES-th case, in a folder of its own, so that the kernel is compiled once there.

        And in a process of its own, as plans are made in Python.
        """
        answers = []
        with ProcessPoolExecutor(1, get_context("spawn")) as worker:
            for case in asked[number::_LANES]:
                key = (case, seed, _tries(case, count), compare)
                answer = kept.get(key)
                if answer is None:
                    if end is not None and time.monotonic() > end:
                        break
                    say(str(case))
                    folder = out / f"lane-{number}"
                    answer = worker.submit(_answer, case, seed, source, folder, key[2]).result()
                    kept.put(key, answer)
                answers.append(answer)
        return answers

    with ThreadPoolExecutor(_LANES) as pool:
        lanes = list(pool.map(lane, range(_LANES)))
    answers = _without_gaps(lanes)
    quick = count < SYSTEMS
    found = Irregular(
        seed=seed,
        measured=tuple(one for answer in answers for one in answer.measured),
        freertos=tuple(one for answer in answers for one in answer.freertos),
        flash=tuple(answer.flash for answer in answers if answer.flash is not None),
        wholes=measure_wholes(source, out / "examples", say),
        alone=measure_alone(out / "alone", say),
        large=measure_large(say, quick=quick),
        wide=measure_wide(out / "wide", say, WIDE_QUICK if quick else WIDE, seed),
        slow=sum(max(one.seconds) > SLOW for one in answers),
        platform=f"{read_board(_BOARD).title}, QEMU {version('qemu-system-arm')}",
        toolchain=f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}",
    )
    return found, [(case, one.seconds) for case, one in zip(asked, answers, strict=False)]


def _without_gaps(lanes: Sequence[Sequence[Answer]]) -> list[Answer]:
    """Up to the first case without an answer, so that what was drawn is not chosen by its time."""
    found: list[Answer] = []
    while len(found) // _LANES < len(lanes[len(found) % _LANES]):
        found.append(lanes[len(found) % _LANES][len(found) // _LANES])
    return found


def _tries(case: Case, count: int) -> int | None:
    """How many plans of a case are run: None, all that are listed, of ALL_LISTED or more in SYSTEMS.

    Eight cases after another are one of each family, so whole eights are taken.
    """
    eights = max(1, count // 8)
    chosen = ceil(Fraction(eights * ALL_LISTED, SYSTEMS))
    return None if (case.number // 8) % eights < chosen else _BEST


def _answer(case: Case, seed: int, source: Path | None, out: Path, most: int | None) -> Answer:
    measured, seconds, flash = [], [], None
    for kind in _KINDS:
        one, took, planned = measure_case(case, kind, seed, out, most)
        measured.append(one)
        seconds.append(took)
        if kind is Kind.THREAD and planned is not None:
            flash = _flash(case, system_of(case, kind, seed), planned, source, out)
    return Answer(tuple(measured), _freertos(case, seed, source, out), flash, tuple(seconds))


def measure_case(
    case: Case, kind: Kind, seed: int, out: Path, most: int | None
) -> tuple[Measured, float, Planned | None]:
    """The choice for `case`, and up to `most` plans in all (None: every one); the seconds to plan it.

    And what was planned; None if it was refused.
    """
    system = system_of(case, kind, seed)
    start = time.thread_time()
    try:
        planned = plan(system)
    except HorologError as error:
        refused = Measured(case, kind.value, "refused", str(error), ())
        return refused, time.thread_time() - start, None
    took = time.thread_time() - start
    tried = []
    for choice in _listed(system, planned)[:most]:
        try:
            tried.append(_run(system, choice, out))
        except NeverIdle as error:
            if not tried:
                return Measured(case, kind.value, "overloaded", str(error), ()), took, planned
    return Measured(case, kind.value, "measured", "", tuple(tried)), took, planned


def _listed(system: System, planned: Planned) -> Sequence[Plan]:
    """The choice; then by prediction the other mechanisms, and the choice's with other stores."""
    choice, prices = planned.choice, read_prices(system.board)
    listed = [one.plan for one in planned.alternatives if one.plan is not None]
    others = [one for one in listed if one.mechanism != choice.mechanism]
    stores = {option.store for one in choice.queues for option in one.options if option.admissible}
    for store in sorted(stores - {releaser.store for releaser in choice.releasers}):
        try:
            stored = plan(
                system, mechanism=choice.mechanism, queue=store, prices=prices, alone=True
            )
            others.append(stored.choice)
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


def _freertos(case: Case, seed: int, source: Path | None, out: Path) -> tuple[Theirs, ...]:
    """Each baseline that can express the system exactly and misses no deadline."""
    if source is None:
        return ()
    system = system_of(case, Kind.THREAD, seed)
    any_plan, found = plan(system, mechanism="one-shot", alone=True).choice, []
    for baseline in ON_ONE_CORE:
        try:
            side = measure_baseline(system, any_plan, source, out, baseline=baseline)
        except HorologError:
            continue
        if not side.deadline_misses and side.instructions is not None:
            found.append(Theirs(case.number, baseline.value, side.instructions.kernel))
    return tuple(found)


def _flash(
    case: Case, system: System, planned: Planned, source: Path | None, out: Path
) -> Flash | None:
    """The bytes of the choice and of stock FreeRTOS, which are predicted where that is not built."""
    costs = read_prices(system.board).flash
    if costs is None:
        return None
    said = any(note.startswith(FLASH_NOTE) for note in planned.notes)
    ours = build_firmware(system, planned.choice, out, None, only=Target.HOROLOG).horolog
    theirs = round(freertos_bytes(len(system.tasks), costs.threads)) + read_image(ours).apart
    tick = baseline_tick(system)
    built = source is not None and tick.hz is not None
    if built:
        made = build_firmware(
            system, planned.choice, out, source, only=Target.FREERTOS, tick=tick
        ).freertos
        assert made is not None
        theirs = loaded_bytes(made)
    return Flash(case.number, loaded_bytes(ours), theirs, built, said)


def seconds_of(times: Iterable[tuple[Case, tuple[float, ...]]]) -> list[dict[str, object]]:
    """times.json: what planning each case took, as threads and as basic tasks."""
    return [{"case": str(case), "seconds": [round(one, 3) for one in took]} for case, took in times]
