# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is measured: a case is one image on one board, and gives one row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from horolog_experiments.cores.task_sets import HYPERPERIOD, MS, task_set

__all__ = [
    "CORES",
    "FREERTOS",
    "GLOBAL",
    "JOBS",
    "MILLION",
    "MODELS",
    "OURS",
    "PINNED",
    "PLANNED",
    "SET",
    "SETS",
    "SET_CORES",
    "START_UP",
    "WINDOW",
    "Case",
]
__all__ += ["cases", "quick_cases"]

CORES = (1, 2, 4, 8)
"""How many cores a board has."""
FREERTOS = "freertos"
OURS = "horolog"
PINNED = "pinned"
GLOBAL = "global"
"""FreeRTOS's tasks belong to cores by their affinity; or to none, in a configuration without affinity.
GLOBAL of ours: threads that any core may run."""
MODELS = ("tick", "unified_ns", "unified", "one_plus_n")
"""Our timing models: the forms of our side."""
PLANNED = "planned"
"""Our form where the tool has made the image of a description, with what it plans by default."""
JOBS = "jobs"
"""`what` of these."""
SET = "set"
"""`what` of a random set of tasks at 80 % of the cores (task_sets.py)."""
SETS = 8
"""So many of them for a number of cores."""
SET_CORES = (2, 4)
MODEL = "one_plus_n"
"""That of our rows which are not about timing models."""
START_UP = 60_000
"""After so many cycles all cores do what they do for ever; what comes before is not counted."""
WINDOW = 250_000
"""Cycles in which switches are counted."""
MILLION = 1_000_000
"""Cycles of the other scenarios, whose events are rare."""


@dataclass(frozen=True, slots=True, order=True)
class Case:
    """`what`: `scheduler`, `switches`, `share`, `wake`, `instant`, `lock` or SET, a source of
    bench/cores/scenarios, or JOBS. `side`: a kernel; `form`: how it is used.

    `threads` of a core take turns. `busy`: cores that have no part in the scenario yield all the time.
    `ports`: shared memory has a port for each core. `seed`: of a SET.
    """

    what: str
    side: str
    form: str
    cores: int
    threads: int = 1
    busy: bool = False
    ports: bool = False
    seed: int = 0

    @property
    def image(self) -> str:
        """The image's name; cases that differ in nothing but the board's memory have one."""
        parts = [self.what, self.form, f"x{self.cores}", f"t{self.threads}", *["busy"] * self.busy]
        if self.what == SET:
            parts.append(f"s{self.seed}")
        return "_".join(parts)

    @property
    def scenario(self) -> str:
        """The name of its source."""
        if self.what == "lock" and self.form == GLOBAL:
            return "global_lock"
        return "yield" if self.what == "switches" else self.what

    @property
    def defines(self) -> tuple[str, ...]:
        """What the scenario is compiled with."""
        defines = (f"BENCH_THREADS={self.threads}", f"BENCH_BUSY={int(self.busy)}")
        return (*defines, f"BENCH_SET={self._tasks}") if self.what == SET else defines

    @property
    def _tasks(self) -> str:
        tasks = enumerate(task_set(self.cores, self.seed))
        return " ".join(f"TASK({number}, {one.ms}, {one.turns})" for number, one in tasks)

    @property
    def cycles(self) -> int:
        """How long the board runs. The first release of a set is 2 ms after the start."""
        if self.what == SET:
            return START_UP + 2 * MS + HYPERPERIOD
        return START_UP + (WINDOW if self.what in ("scheduler", "switches", "lock") else MILLION)


def _freertos() -> Iterable[Case]:
    several = CORES[1:]
    for threads in (1, 2):
        yield Case("switches", FREERTOS, PINNED, 1, threads)
        for form in (PINNED, GLOBAL):
            for ports in (False, True):
                for cores in several:
                    yield Case("switches", FREERTOS, form, cores, threads, ports=ports)
    for cores in SET_CORES:
        for seed in range(SETS):
            yield Case(SET, FREERTOS, GLOBAL, cores, seed=seed)
    for cores in several:
        for form in (PINNED, GLOBAL):
            yield Case("wake", FREERTOS, form, cores)
        if cores > 2:
            yield Case("wake", FREERTOS, PINNED, cores, busy=True)
        yield Case("instant", FREERTOS, PINNED, cores)


def _ours() -> Iterable[Case]:
    for model in MODELS:
        for what, threads in (("scheduler", 1), ("switches", 1), ("switches", 2)):
            for cores in CORES:
                yield Case(what, OURS, model, cores, threads)
        yield Case("share", OURS, model, 4)
    several = CORES[1:]
    for cores in several:
        for what, threads in (("scheduler", 1), ("switches", 2)):
            yield Case(what, OURS, MODEL, cores, threads, ports=True)
        yield Case("wake", OURS, MODEL, cores)
        if cores > 2:
            yield Case("wake", OURS, MODEL, cores, busy=True)
        yield Case("lock", OURS, MODEL, cores)
        if cores > 2:
            yield Case("lock", OURS, MODEL, cores, busy=True)
    for cores in several:
        yield Case("lock", OURS, GLOBAL, cores)
    for cores in CORES:
        yield Case("instant", OURS, MODEL, cores)
    for cores in CORES:
        yield Case(JOBS, OURS, PLANNED, cores)
    for cores in SET_CORES:
        for seed in range(SETS):
            yield Case(SET, OURS, GLOBAL, cores, seed=seed)
        yield Case(SET, OURS, PLANNED, cores)


def cases() -> tuple[Case, ...]:
    """All of them, in the order of the page."""
    return (*_ours(), *_freertos())


def quick_cases() -> tuple[Case, ...]:
    """Those on one core and on two whose shared memory has one port."""
    return tuple(one for one in cases() if one.cores <= 2 and not one.ports)
