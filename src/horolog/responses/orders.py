# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The order of the jobs of one level, by what dispatches and releases their tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from horolog.analyse import Dispatcher, lines_of
from horolog.model import MASK_STORES, Kind, Overrun, Plan, Releaser, System, Task
from horolog.responses.kernel import JobCost
from horolog.schedulability import Demand, End, Level, Order, window_bounds

__all__ = ["Orders", "without_order_behind"]


@dataclass(frozen=True)
class Orders:
    """The orders on the levels of a system of threads; `by` and `on`: dispatchers and levels of its tasks."""

    system: System
    plan: Plan | None
    by: Sequence[Dispatcher]
    on: Sequence[int]

    def of(self, of: Sequence[int], jobs: Mapping[int, tuple[JobCost, Releaser]]) -> Order:
        """The order of the jobs of a level: known of threads that wait for their releases alone.

        And of basic tasks that the controller dispatches, if interrupts above them release all of them: one
        line takes its tasks by rank, and the controller its lines of one task.
        """
        system = self.system
        if any(at not in jobs for at in of):
            return Order.ANY
        if all(self.by[at] is Dispatcher.CONTROLLER for at in of):
            return self._on_lines(of, jobs)
        if all(self.by[at] is Dispatcher.LINE_THREAD for at in of):
            assert self.plan is not None
            used = [line for line in lines_of(system, self.plan) if {*line.tasks} & {*of}]
            general = any(system.tasks[at].is_general for at in of)
            return Order.RANK if len(used) == 1 and not general else Order.ANY
        if any(system.tasks[at].kind is not Kind.THREAD for at in of):
            return Order.ANY
        tasks: list[Task] = [system.tasks[at] for at in of]
        if system.uses_services or any(task.overrun is Overrun.QUEUE for task in tasks):
            return Order.ANY
        stores = {jobs[at][1].store for at in of}
        if stores <= {*MASK_STORES}:
            return Order.RANK
        if stores & {*MASK_STORES} or system.basic:
            return Order.ANY
        return Order.FIFO

    def _on_lines(self, of: Sequence[int], jobs: Mapping[int, tuple[JobCost, Releaser]]) -> Order:
        system, plan = self.system, self.plan
        assert plan is not None
        for at in of:
            level = jobs[at][1].level
            if level is None or level <= self.on[at] or system.tasks[at].is_general:
                return Order.ANY
        used = [line for line in lines_of(system, plan) if {*line.tasks} & {*of}]
        alone = all(len(line.tasks) == 1 for line in used)
        return Order.RANK if len(used) == 1 or alone else Order.ANY


def without_order_behind(demand: Demand) -> Demand:
    """`demand` without an order on levels on which a shared thread may end after its next release.

    Such a thread goes on at once and passes what was released before (kernel/thread/thread.c). Whether
    it may is asked without the order.
    """
    shared = {
        at
        for at, one in enumerate(demand.sources)
        if len(one.ends) > 1 and demand.level(one.level).order is not Order.ANY
    }
    if not shared:
        return demand

    def any_order(of: set[int]) -> dict[int, Level]:
        return {
            at: replace(one, order=Order.ANY) if at in of else one
            for at, one in demand.levels.items()
        }

    levels = {demand.sources[at].level for at in shared}
    whole = [
        replace(one, ends=(End(at, one.cost, one.period - one.early),) if at in shared else ())
        for at, one in enumerate(demand.sources)
    ]
    bounds = window_bounds(Demand(tuple(whole), any_order(levels)))
    behind = {demand.sources[one.task].level for one in bounds if not one.holds}
    return replace(demand, levels=any_order(behind))
