# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How long tasks wait busily for resources that tasks of other cores have.

A core that wants such a resource lets nothing else run until it has given it back, and cores have it first
come, first served. So when it asks, each other core is in front of it with one section at most: it waits for
the longest section of that resource on each of them. A job takes longer by the waits of all its requests. A
section of a less urgent task with its wait holds off all levels of its core, once. (Gai, Lipari and Di
Natale, "Minimizing memory utilization of real-time task sets in single and multi-processor
systems-on-a-chip", RTSS 2001: MSRP.)
"""

from __future__ import annotations

from fractions import Fraction

from horolog.model import Resource, System
from horolog.responses.units import Units

__all__ = ["Spins"]


class Spins:
    """Of the resources with `spin` of `system`, which may be a core's part. In units.

    The kernel takes time to take and give a lock only `with_kernel`: as many steps as the port says, and in
    each section for which a core waits as many again.
    """

    def __init__(self, system: System, units: Units, *, with_kernel: bool) -> None:
        self._system, self._units = system, units
        steps = system.board.port.spinlock_steps if with_kernel else 0
        self._lock = units.steps(steps)
        self._spun = [one for one in system.resources if one.spin]
        self.longest = max(
            (
                units.most(hold or Fraction(0)) + self.of_request(one)
                for one in self._spun
                for hold in one.holds
            ),
            default=0,
        )
        """Of a section with its wait: for so long interrupts are kept out."""

    def _wait(self, resource: Resource) -> int:
        """Of one request, for sections of other cores."""
        return sum(self._units.most(hold) + self._lock for hold in resource.elsewhere)

    def of_request(self, resource: Resource) -> int:
        """Beside the section itself: the wait, and the lock."""
        return self._lock + self._wait(resource)

    def of_job(self, task: int) -> int:
        """Of all requests of a job of one of System.all_tasks."""
        return self.of_job_of(self._system, task)

    def of_job_of(self, system: System, task: int) -> int:
        """The same, of a task of `system`, which numbers them in its own way (analyse.of_threads)."""
        return sum(
            one.requests_of(task) * self.of_request(one)
            for one in system.resources
            if one.spin and task in one.tasks
        )

    def waits_of_job(self, task: int) -> int:
        """Of these, the sections of other cores."""
        return sum(
            one.requests_of(task) * sum(map(self._units.most, one.elsewhere))
            for one in self._spun
            if task in one.tasks
        )
