# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the firmware that measures delay queues is told to run: cases, and the C that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.read.distributions import AUTOMOTIVE_SHARES

__all__ = ["OPERATIONS", "Case", "automotive_counts", "cases_source"]

OPERATIONS = ("insert", "first", "pop")


@dataclass(frozen=True, slots=True)
class Case:
    """One run: tasks with periods, as (ms, how many), or nodes with keys that follow an order.

    `single` instead of `groups`: tasks with an offset each, as (period, offset) in nanoseconds.
    """

    family: str
    tasks: int
    order: str = "PERIODIC"
    groups: tuple[tuple[int, int], ...] = ()
    end_ms: int = 0
    single: tuple[tuple[int, int], ...] = ()


def automotive_counts(tasks: int) -> tuple[tuple[int, int], ...]:
    """(ms, tasks) of the automotive distribution; what does not divide goes by largest remainder."""
    percent = sum(AUTOMOTIVE_SHARES.values())
    exact = {ms: Fraction(share * tasks, percent) for ms, share in AUTOMOTIVE_SHARES.items()}
    counts = {ms: int(value) for ms, value in exact.items()}
    left = tasks - sum(counts.values())
    by_remainder = sorted(exact, key=lambda ms: (counts[ms] - exact[ms], ms))
    for ms in by_remainder[:left]:
        counts[ms] += 1
    return tuple(counts.items())


def cases_source(queue: str, cases: Sequence[Case], hz: int) -> str:
    """The C source that tells the firmware what to run."""

    def counts(ms: int) -> int:
        return ms * hz // 1000

    def counts_ns(ns: int) -> int:
        return ns * hz // 10**9

    # REUSE-IgnoreStart
    lines = [
        "/* SPDX-License-Identifier: 0BSD */",
        # REUSE-IgnoreEnd
        "/* Written by: horolog bench queues */",
        '#include "bench_case.h"',
        "",
        f'const char bench_queue_name[] = "{queue}";',
        "",
    ]
    entries = []
    for index, case in enumerate(cases):
        name = "NULL"
        rows = [f"{counts(ms)}u, {tasks}u, 0u" for ms, tasks in case.groups]
        rows += [f"{counts_ns(ns)}u, 1u, {counts_ns(offset)}u" for ns, offset in case.single]
        if rows:
            name = f"groups_{index}"
            groups = ", ".join(f"{{{row}}}" for row in rows)
            lines.append(f"static const struct bench_group {name}[] = {{{groups}}};")
        entries.append(
            f"    {{BENCH_{case.order}, {case.tasks}u, {counts(case.end_ms)}u, {name}, "
            f"{len(rows)}u}},"
        )
    lines += ["", "const struct bench_case bench_cases[] = {", *entries, "};"]
    lines.append(f"const size_t bench_case_count = {len(cases)}u;")
    return "\n".join(lines) + "\n"
