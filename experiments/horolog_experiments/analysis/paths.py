# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reaction times and data ages of a chain in a run: a job reads as its body starts, writes as it ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from horolog.trace import Job

__all__ = ["longest_age", "longest_reaction"]

_NS = 10**9


def _of(due: Sequence[Job], tasks: Sequence[int]) -> list[list[Job]]:
    """The ended jobs of each task, in order of time."""
    return [[job for job in due if job.task == task and job.end_ns is not None] for task in tasks]


def longest_reaction(due: Sequence[Job], tasks: Sequence[int]) -> Fraction | None:
    """Seconds from a change just after a job of the first task has read to the end of what shows it.

    None: nothing in the run went along the chain.
    """
    first, *others = _of(due, tasks)
    starts = [[job.start_ns or 0 for job in of] for of in others]
    longest = None
    for before, job in pairwise(first):
        changed, end = (before.start_ns or 0) + 1, job.end_ns or 0
        for of, begun in zip(others, starts, strict=True):
            at = bisect_left(begun, end)
            if at == len(of):
                break
            end = of[at].end_ns or 0
        else:
            longest = max(longest or 0, end - changed)
    return None if longest is None else Fraction(longest, _NS)


def longest_age(due: Sequence[Job], tasks: Sequence[int]) -> Fraction | None:
    """Seconds from the release of the first task's job to the end of the last job that uses its data."""
    *others, last = _of(due, tasks)
    ends = [[job.end_ns or 0 for job in of] for of in others]
    longest = None
    for job in last:
        read = job.start_ns or 0
        for of, ended in zip(reversed(others), reversed(ends), strict=True):
            at = bisect_right(ended, read) - 1
            if at < 0:
                break
            source = of[at]
            read = source.start_ns or 0
        else:
            age = (job.end_ns or 0) - source.release_ns
            longest = age if longest is None else max(longest, age)
    return None if longest is None else longest / _NS
