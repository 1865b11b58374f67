# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Cause-effect chains: how late an output follows an input through tasks that hand data on.

By variables, or by activation. Where it is by variables, each task is periodic, reads what the one before it
wrote last, and has written by the end of its job. No job is skipped: every response is at most the period.
Releases come at most `early` before their nominal instants, from which responses count.

**Reaction time**, from a change of the input to the end of the first job of the last task that has seen it.
The change may come just after a job of the first task has read. Then, from release to release, the next job
of the first task is a period later, and a job that is released when the one before it has ended sees it:

    T_1 + sum over the hops of (R_i + T_i+1) + R_n

(Davare and others, "Period optimization for hard real-time distributed automotive systems", DAC 2007.)

**Data age**, from the release at which the first task reads to the end of the last job of the last task that
uses that. Backwards from the last job, the newest job that certainly ended before the reader's release was
released at most T_i + R_i before that:

    sum over the hops of (T_i + R_i) + R_n

**Ahead.** A job that always ends before any job of the next task that is released at the same time or later
begins, as it has a higher priority on the same processor, needs no R_i in its hop: Durr, von der Bruggen,
Chen and Chen, "End-to-end timing analysis of sporadic cause-effect chains in distributed systems" (ACM TECS
18, 2019).

**Activation.** A task that activates the next one at the end of each of its jobs adds its response alone: the
next one's response counts from there, and its job number k is the activating one's, so that what has seen the
change stays in order. The next task may read what a later job has written meanwhile: that is newer.

**Events.** Where the first task is activated by an event, and not by time, that is the change, and there is
no period to wait for. Such events may be any time apart: data that goes on by variables has no age then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Link", "age_bound", "reaction_bound"]


@dataclass(frozen=True, slots=True)
class Link:
    """A task of a chain. `ahead`: of the next one, as the module says.

    `activates`: the next one, at the end of each job. `by_event`: time does not release it (only the first).
    """

    period: int
    response: int
    early: int = 0
    ahead: bool = False
    activates: bool = False
    by_event: bool = False


def reaction_bound(links: Sequence[Link]) -> int | None:
    """The longest reaction time; None: a response is longer than its period."""
    if not _is_known(links):
        return None
    first = links[0]
    found = 0 if first.by_event else first.early + first.period
    for one, after in pairwise(links):
        if one.activates:
            found += one.response
        else:
            found += after.period + (0 if one.ahead else one.response + after.early)
    return found + links[-1].response


def age_bound(links: Sequence[Link]) -> int | None:
    """The largest age of the data behind an output; None: there is none, or as reaction_bound()."""
    if not _is_known(links):
        return None
    if links[0].by_event and not all(one.activates for one in links[:-1]):
        return None
    found = 0 if links[0].by_event else links[0].early
    for one, after in pairwise(links):
        if one.activates:
            found += one.response
        else:
            found += one.period + (0 if one.ahead else one.response + after.early)
    return found + links[-1].response


def _is_known(links: Sequence[Link]) -> bool:
    return all(one.response <= one.period for one in links)
