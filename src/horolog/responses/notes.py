# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Notes beside the bounds: what they hold for, and what the description does not say."""

from __future__ import annotations

from collections.abc import Sequence

from horolog.model import System

__all__ = ["about_servers", "about_tables", "about_unknown", "uncovered"]


def uncovered(system: System) -> tuple[tuple[str, ...], list[str]]:
    """The subjects of which the description says too little, in a few words each; and a note on each."""
    found, notes = [], []
    waiting = [
        task.name
        for at, task in enumerate(system.all_tasks)
        if task.may_wait and at not in system.served
    ]
    if waiting:
        names = ", ".join(waiting[:3])
        more = "" if len(waiting) <= 3 else f" and {len(waiting) - 3} more"
        found.append("waits in bodies")
        notes.append(
            f"bodies of {names}{more} may wait for a semaphore, a mutex or a message, and for how long "
            "is not in it; waits = false says that they do not"
        )
    if system.start is not None or system.timeouts is not None:
        found.append("the application's own threads, handlers and time-outs")
        notes.append(
            "threads and handlers of the application's own, time-outs and mutexes without a [[resource]] are "
            "not in it"
        )
    if any(task.terminates for task in system.tasks):
        found.append("jobs that other jobs chain to")
        notes.append("a job that another one chains to is not in it")
    return tuple(found), notes


def about_servers(system: System) -> list[str]:
    """A note on each aperiodic task: the activations for which its bound holds."""
    notes = []
    for one in system.sporadic:
        if one.server is None:
            continue
        kind = one.server.kind.value
        releases = -(-one.most // one.server.jobs)
        periods = "its period" if releases == 1 else f"{releases} of its periods"
        when = "waiting" if one.server.polls else "unfinished and no capacity left"
        notes.append(
            f"{one.task.name} is aperiodic: its bound is for activations that are accepted, with at most "
            f"{one.most} of them {when}, and is {periods} and the response of the {kind} server "
            f"{one.server.name}"
        )
    return notes


def about_unknown(system: System, unknown: Sequence[int]) -> list[str]:
    """A note on the tasks without a WCET, if there are any."""
    if not unknown:
        return []
    names = ", ".join(system.all_tasks[i].name for i in unknown[:4])
    more = "" if len(unknown) <= 4 else f" and {len(unknown) - 4} more"
    return [
        f"no WCET is known of {names}{more}: nothing is proved of these and of tasks that their bodies hold "
        "off; horolog run --wcet measures one as a hint, which is no proof"
    ]


def about_tables(system: System) -> list[str]:
    """Notes on the activations by schedule tables for which bounds hold, and on tasks without one."""
    notes = [
        f"no bound of {system.all_tasks[task].name}, nor of tasks that its jobs may hold off, because {why}"
        for task, why in system.unbounded.items()
    ]
    if system.schedules or system.cell_schedules:
        notes.append(
            "a schedule table is taken to run on: one that the application stops and starts again within a "
            "round, or that follows another one, may activate tasks sooner than its distances say"
        )
    counters = {table.counter.name for table in system.schedules if table.counter is not None}
    if counters:
        notes.append(
            f"what hrl_counter_increment takes for {', '.join(sorted(counters))} is part of the wcet of the "
            "task or interrupt that calls it"
        )
    return notes
