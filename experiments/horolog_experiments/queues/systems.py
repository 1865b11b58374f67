# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Each queue inside the running kernel: examples/engine-control, and ten and more times as many tasks.

Both kernels tick at 1 ms (mechanism `tick`: one releaser, all tasks in one queue), so that nothing but
the queue differs between our rows, and little else between ours and FreeRTOS's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.analyse import threads_apart
from horolog.build.freertos import HOW_TO_GET_IT, freertos_source, freertos_version
from horolog.calibrate.workloads import automotive_counts
from horolog.data import data_root
from horolog.model import NeverIdle, System, Task
from horolog.model.result import Side, compare_sides
from horolog.plan import plan
from horolog.read import duration_text, read_system
from horolog.run import measure_baseline, measure_plan
from horolog_experiments.queues.cases import QUEUES
from horolog_experiments.queues.results import SystemRow, Whole

__all__ = ["MECHANISM", "SIZES", "STRETCH", "engine_control", "measure_systems", "run_system"]

MECHANISM = "tick"
STRETCH = 40
"""All periods are so many times as long in systems of more than the example's 85 tasks."""
SIZES = (85, 850, 1500)


def engine_control(tasks: int) -> System:
    """The example with `tasks` tasks, at least 85: the same shares of periods, the same bodies.

    85 tasks are the example itself and its window. More have STRETCH times the periods and a window of
    one hyperperiod; of tasks with one period, each of the example's has as many copies as the others, or
    one more.
    """
    path = data_root() / "examples" / "engine-control" / "system.toml"
    example = threads_apart(read_system(path))  # so that many wait
    if tasks == len(example.tasks):
        return example
    of_period: Mapping[Fraction, list[Task]] = defaultdict(list)
    for task in example.tasks:
        of_period[task.period].append(task)
    made = []
    for ms, count in automotive_counts(tasks):
        originals = of_period[Fraction(ms, 1000)]
        for nth in range(count):
            original = originals[nth * len(originals) // count]
            made.append(
                replace(
                    original,
                    name=f"{original.name}.{nth}",
                    period=original.period * STRETCH,
                    deadline=original.deadline * STRETCH,
                )
            )
    longest = max(task.period for task in made)  # every other period divides it
    return replace(example, name=f"{example.name}-{tasks}", tasks=tuple(made), duration=longest)


def run_system(system: System, queue: str, out: Path) -> Side:
    """Horolog with `queue`, as kernel/queue/ calls it, in every releaser; built below `out`.

    HorologError (4) if the system never becomes idle after the window.
    """
    choice = plan(system, mechanism=MECHANISM, queue=queue.replace("_", "-")).choice
    return measure_plan(system, choice, out)


def measure_systems(out: Path, most: int, workers: int, say: Callable[[str], None]) -> Whole:
    """Every queue of the kernel, and FreeRTOS if its source is here, at SIZES up to `most`."""
    systems = {tasks: engine_control(tasks) for tasks in SIZES if tasks <= most}
    if not systems:
        return Whole()
    source = freertos_source()
    queues: list[str | None] = [queue.name for queue in QUEUES if not queue.bench_only]
    if source is not None:
        queues.append(None)
    jobs = [(tasks, queue) for tasks in reversed(systems) for queue in reversed(queues)]

    def lane(number: int) -> dict[tuple[int, str | None], Side | None]:
        """Every `workers`-th job, in one folder a size, so that the kernel is compiled once there."""
        sides: dict[tuple[int, str | None], Side | None] = {}
        for tasks, queue in jobs[number::workers]:
            system = systems[tasks]
            say(
                f"running {queue or 'FreeRTOS'} in the kernel: {tasks} tasks, "
                f"{duration_text(system.duration)} simulated"
            )
            folder = out / f"{tasks}-{number}"
            try:
                sides[tasks, queue] = _run(system, queue, source, folder)
            except NeverIdle:
                sides[tasks, queue] = None
        return sides

    sides: dict[tuple[int, str | None], Side | None] = {}
    with ThreadPoolExecutor(workers) as pool:
        for found in pool.map(lane, range(workers)):
            sides.update(found)
    return Whole(
        rows=tuple(
            _row(queue, tasks, sides[tasks, queue], _refused(sides, queue, tasks))
            for tasks in systems
            for queue in queues
        ),
        mechanism=MECHANISM,
        windows_s=tuple((tasks, int(system.duration)) for tasks, system in systems.items()),
        freertos=None if source is None else freertos_version(source),
        missing=HOW_TO_GET_IT if source is None else None,
    )


def _run(system: System, queue: str | None, source: Path | None, folder: Path) -> Side:
    if queue is not None:
        return run_system(system, queue, folder)
    assert source is not None
    return measure_baseline(system, plan(system, mechanism=MECHANISM).choice, source, folder)


def _refused(
    sides: Mapping[tuple[int, str | None], Side | None], queue: str | None, tasks: int
) -> str | None:
    """Why a row has no ratio to FreeRTOS; None if it has, or is FreeRTOS's, or FreeRTOS did not run."""
    if queue is None or (tasks, None) not in sides:
        return None
    ours, theirs = sides[tasks, queue], sides[tasks, None]
    if ours is None or theirs is None:
        return f"{'Horolog' if ours is None else 'FreeRTOS'} is overloaded"
    return compare_sides(ours, theirs)[1]


def _row(queue: str | None, tasks: int, side: Side | None, refused: str | None) -> SystemRow:
    if side is None:
        return SystemRow(queue, tasks, 0, 0, 0, 0, 0, 0, 0, refused)
    assert side.instructions is not None
    return SystemRow(
        queue=queue,
        tasks=tasks,
        jobs=side.jobs,
        deadline_misses=side.deadline_misses,
        overruns=side.overruns,
        interrupts=side.interrupts.taken,
        kernel=side.instructions.kernel,
        bodies=side.instructions.bodies,
        total=side.instructions.total,
        refused=refused,
    )
