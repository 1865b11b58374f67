# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""CHRONOS's tasks on each core, as a user would describe them: what the kernel costs a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path

from horolog.divide import plans_for_cores
from horolog.model import System
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import CoresRequest, measure_cores, measure_plan
from horolog_experiments.cores.cases import Case
from horolog_experiments.cores.task_sets import HYPERPERIOD, MS, task_set

__all__ = ["TASKS", "kernel_a_job", "measure_divided", "measure_jobs"]

TASKS = 100
"""Of a core, drawn as in the CHRONOS paper, section VII, all cores' alike: they are released at once."""
_DURATION = "200 ms"
_CALL = 30
"""Cycles in which a body is called and returns: more than that takes."""


def kernel_a_job(figures: Mapping[str, int]) -> Fraction:
    """Cycles of the kernel for a job, on the core where they are most."""
    return Fraction(figures["worst_kernel"], figures["worst_jobs"])


def measure_jobs(case: Case, out: Path, say: Callable[[str], None]) -> dict[str, int]:
    """Jobs and the kernel's cycles of all cores, and of the core where a job costs most; built in `out`.

    HorologError (4) if the run fails.
    """
    sides = list(_sides(_described(case.cores, out), out, say))
    worst = max(sides, key=lambda one: Fraction(one.counted.kernel, one.jobs))
    return {
        "jobs": sum(one.jobs for one in sides),
        "kernel": sum(one.counted.kernel for one in sides),
        "worst_jobs": worst.jobs,
        "worst_kernel": worst.counted.kernel,
        "late": sum(one.deadline_misses + one.overruns for one in sides),
    }


def measure_divided(case: Case, out: Path, say: Callable[[str], None]) -> dict[str, int]:
    """The same of the set of `case`, each of its tasks on the core that the plan chooses.

    HorologError (1) if no division is proved, (4) if the run fails.
    """
    tasks = [
        f"""
[[task]]
name = "task{number}"
period = "{task.ms} ms"
work = {task.turns}
wcet = "{(task.work + _CALL) * 1000 // (MS // 1000)} ns"
"""
        for number, task in enumerate(task_set(case.cores, case.seed))
    ]
    head = f"""\
[system]
name = "set-x{case.cores}"
board = "ibex-cells-x{case.cores}"
duration = "{HYPERPERIOD // MS} ms"
priorities = "rate-monotonic"
core = "auto"
"""
    sides = list(_sides(_written(head, tasks, out), out, say))
    return {
        "jobs": sum(one.jobs for one in sides),
        "missed": sum(one.deadline_misses + one.overruns for one in sides),
        "kernel": sum(one.counted.kernel for one in sides),
        "moves": 0,
    }


def _described(cores: int, out: Path) -> System:
    """The system, of a description as a user would write it, on the board of `cores` cores."""
    groups = [
        f"""
[[task_group]]
name = "core{core}"
tasks = {TASKS}
distribution = "chronos"
seed = 0
work = 1_000
{f"core = {core}" if cores > 1 else ""}
"""
        for core in range(cores)
    ]
    head = f"""\
[system]
name = "chronos-x{cores}"
board = "ibex-cells{f"-x{cores}" if cores > 1 else ""}"
duration = "{_DURATION}"
priorities = "rate-monotonic"
"""
    return _written(head, groups, out)


def _written(head: str, entries: Iterable[str], out: Path) -> System:
    out.mkdir(parents=True, exist_ok=True)
    path = out / "system.toml"
    path.write_text(head + "".join(entries), encoding="utf-8")
    return read_system(path)


def _sides(system: System, out: Path, say: Callable[[str], None]) -> Iterable[Side]:
    if system.cores == 1:
        return [measure_plan(system, plan(system).choice, out)]
    found = plans_for_cores(system)
    outcome = measure_cores(CoresRequest(found.system, found.plans, out, say))
    return [one.result.horolog for one in outcome.result.cores]
