# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel takes for jobs beyond their releases: servers, activations, messages, lines, mutexes."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from horolog.analyse import Dispatcher
from horolog.model import Kind, Plan, Sporadic, System
from horolog.plan import Prices
from horolog.responses.budgets import pause_of_interrupt, pause_of_task
from horolog.responses.kernel import BODY_STEPS, JobCost, section_steps
from horolog.responses.mutexes import links
from horolog.responses.units import Units

__all__ = ["JobCosts"]

_POLL_STEPS = 80
"""For an activation of an aperiodic task: a look at its semaphore, the token that is taken, the loop."""
_LINE_STEPS = 100  # of the handler of a line of sporadic basic tasks, before the body and behind it
_WAITING_STEPS = 40  # of a look at whether a job of one of its tasks waits
_WORD_STEPS = 8  # to copy a word of a message
_SERVER_STEPS = 60  # of a server's loop, beside the switches to it and its wait


class JobCosts:
    """Of the tasks of `system`. `of_threads`: the system of its threads, which `by` dispatches.

    Numbers of tasks are those of System.all_tasks, unless a method says otherwise. Methods return units
    where they do not name steps; without a plan the kernel takes no time.
    """

    def __init__(
        self,
        system: System,
        of_threads: System,
        by: Sequence[Dispatcher],
        plan: Plan | None,
        prices: Prices,
        units: Units,
    ) -> None:
        self._all, self._system, self._by = system, of_threads, by
        self._plan, self._prices, self._units = plan, prices, units
        self._serves = system.served
        self.mutexes = [one for one in of_threads.resources if one.mutex is not None]
        self._links = links(self.mutexes)
        self._section = section_steps(system)

    def serving(self, number: int) -> int:
        """What a server takes beside the bodies of the jobs that it runs."""
        if number not in self._serves:
            return 0
        served = self._serves[number]
        server = self.aperiodic(served).server
        assert server is not None
        each = _POLL_STEPS + BODY_STEPS
        if not server.polls:  # a token more is given and taken, by a thread as sporadic tasks have
            job = self.sporadic_job(served)
            each += self._section + job.before + job.after
        return self._units.steps(server.jobs * each + _POLL_STEPS)

    def gives(self, number: int) -> int:
        """So many activations of sporadic tasks, at the level of what activates them."""
        return 0 if self._plan is None else self._units.steps(number * self._section)

    def pauses(self) -> int:
        """What an interrupt of the application takes for the budget of the job that it comes into."""
        return self._units.steps(pause_of_interrupt(self._all, self._prices)) if self._plan else 0

    def sporadic_job(self, number: int) -> JobCost:
        """A switch to the thread and one from it, what gives its semaphore, and the wait for the next.

        Or what the line of a basic task takes; if a job has waited, that looks at each task of the line.
        """
        if self._all.task(number).kind is Kind.BASIC:
            looked = _WAITING_STEPS * len(self._all.sporadic_basic)
            looked += pause_of_task(self._all, number, self._prices)
            job = JobCost(_LINE_STEPS + looked, _LINE_STEPS)
            served = self._by[self.behind(number)] is Dispatcher.LINE_THREAD
            return self.served(job) if served else job
        costs = self._prices.costs
        switch = ceil(2 * max(costs.dispatch, costs.switch))
        message = self._all.sporadic[number - len(self._all.tasks)].message
        copies = 0 if message is None else self._section + 2 * _WORD_STEPS * (message // 4)
        return JobCost(switch + self._section + copies, switch + self._section)

    def sporadic_end(self, number: int) -> int:
        """Steps for which the end of a job of a sporadic task may hold off more urgent threads."""
        return self.end_steps(self.behind(number), self.sporadic_job(number))

    def copies(self) -> int:
        """Steps for which a message is copied, into its queue and out of it, by a thread of any level.

        Long ones with dispatch held off; with interrupts masked, if an interrupt uses the queue meanwhile.
        """
        sizes = [one.message for one in self._all.sporadic if one.message is not None]
        return self._section + 2 * _WORD_STEPS * (max(sizes) // 4) if sizes else 0

    def served(self, job: JobCost) -> JobCost:
        """Of a basic task that a server runs: what a thread's job takes, and the line's."""
        if self._system.board.runner.ns_per_step is None:
            return job
        switch, wait = self._server()
        return JobCost(job.before + switch + wait, job.after + switch)

    def _server(self) -> tuple[int, int]:
        """Steps of the switch to a server, and of its loop, in which it waits with dispatch held off."""
        costs = self._prices.costs
        return (
            ceil(max(costs.dispatch, costs.switch)),
            ceil(costs.release + costs.wait) + _SERVER_STEPS,
        )

    def end_steps(self, at: int, job: JobCost) -> int:
        """Steps for which the end of a job of `at`, of the system of threads, may hold off others."""
        if self._by[at] is Dispatcher.LINE_THREAD and self._system.board.runner.ns_per_step:
            return job.after + sum(self._server())
        return job.after

    def contended(self, mutexes: int) -> int:
        """What it takes that a thread waits for so many mutexes: a switch to each owner, and one back.

        And to bring the owners up to date, of which that of a mutex may wait for another.
        """
        if self._plan is None or self._system.board.runner.ns_per_step is None:
            return 0
        switch = ceil(2 * max(self._prices.costs.dispatch, self._prices.costs.switch))
        return self._units.steps(mutexes * (2 * switch + (3 + self._links) * self._section))

    def contended_by(self, at: int) -> int:
        """The same, of a job of the thread `at`, which waits once for each of its mutexes."""
        return self.contended(sum(at in one.tasks for one in self.mutexes))

    def aperiodic(self, at: int) -> Sporadic:
        """The sporadic or aperiodic task of that number, one of all tasks."""
        return self._all.sporadic[at - len(self._all.tasks)]

    def behind(self, number: int) -> int:
        """The index in the system of threads of a sporadic task, one of all tasks."""
        return number - len(self._all.tasks) + len(self._system.tasks)
