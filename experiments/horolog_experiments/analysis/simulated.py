# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Synchronous systems with the simulator `simso`: where all tasks are released at once, each has its longest
response in the first busy period of its level, so a simulation finds exactly the bound.
"""

from __future__ import annotations

from collections.abc import Sequence

from horolog.schedulability import Demand, Source, window_bounds
from horolog_experiments.analysis.oracle import drawn

__all__ = ["simulated", "simulation_differs"]

_CYCLES_PER_MS = 1000  # of simso, which knows milliseconds and cycles: a unit is a millisecond


def simulated(sources: Sequence[Source], window: int) -> list[int]:
    """The largest response of each source in a run of `window` units. ImportError without simso."""
    from simso.configuration import Configuration
    from simso.core import Model

    configuration = Configuration()
    configuration.cycles_per_ms = _CYCLES_PER_MS
    configuration.duration = window * _CYCLES_PER_MS
    for at, one in enumerate(sources):
        configuration.add_task(
            name=one.name,
            identifier=at + 1,
            period=one.period,
            activation_date=0,
            wcet=one.cost,
            deadline=10**6,
            abort_on_miss=False,
            data={"priority": one.level},
        )
    configuration.add_processor(name="CPU", identifier=1)
    configuration.scheduler_info.clas = "simso.schedulers.FP"
    configuration.check_all()
    model = Model(configuration)
    model.run_model()
    by_name = {task.name: task for task in model.results.tasks}
    return [
        max(
            round(job.response_time)
            for job in by_name[one.name].jobs
            if job.response_time is not None
        )
        for one in sources
    ]


def simulation_differs(number: int, seed: int = 0) -> bool:
    """Whether simso's largest responses differ from the bounds; each task has a level of its own."""
    sources = [
        Source(one.name, at + 1, one.period, one.cost, ends=one.ends)
        for at, one in enumerate(drawn(number, seed))
    ]
    bounds = [one.response for one in window_bounds(Demand(tuple(sources), {}))]
    longest = max((one for one in bounds if one is not None), default=0)
    window = 4 * max(longest, *(one.period for one in sources))
    return None in bounds or simulated(sources, window) != bounds
