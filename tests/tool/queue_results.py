# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Made-up results of `horolog bench queues`, with figures that a test can do in its head."""

from __future__ import annotations

from horolog_experiments.queues import (
    LEVELS,
    ORDERS,
    QUEUES,
    Results,
    Row,
    SystemRow,
    Whole,
    cases_up_to,
)

__all__ = ["NAMES", "made_results", "made_whole"]

NAMES = tuple(queue.name for queue in QUEUES)


def made_results(names: tuple[str, ...], whole: Whole | None = None) -> Results:
    """Every queue costs n to insert but the last, which costs 20; first 2 (asked twice), pop 5."""
    rows = []
    for level in LEVELS:
        for name in names:
            for case in cases_up_to(1500):
                if case.order not in ("PERIODIC", "EQUAL"):
                    continue
                orders = len(ORDERS) if case.family == "worst" else 0
                insert = 20 if name == names[-1] else case.tasks
                for operation, calls, cost in (
                    ("insert", 10, insert),
                    ("first", 40, 2),
                    ("pop", 20, 5),
                ):
                    rows.append(
                        Row(
                            name,
                            level,
                            case.family,
                            case.tasks,
                            operation,
                            calls,
                            cost,
                            cost,
                            calls * cost,
                            (cost,) * orders,
                        )
                    )
    sizes = {name: 24 + 1000 * (name == names[-1]) for name in names}
    return Results(
        tuple(rows),
        sizes,
        {(n, level): 100 for n in names for level in LEVELS},
        "a board",
        "gcc",
        Whole() if whole is None else whole,
    )


def made_whole() -> Whole:
    """85 tasks: FreeRTOS twice as dear as every queue of ours, but the calendar, which is overloaded."""
    rows = [
        SystemRow(queue.name, 85, 10, 0, 0, 20, 1000, 500, 9000)
        for queue in QUEUES
        if not queue.bench_only and queue.name != "calendar"
    ]
    rows.append(SystemRow("calendar", 85, 0, 0, 0, 0, 0, 0, 0, "Horolog is overloaded"))
    rows.append(SystemRow(None, 85, 10, 0, 0, 20, 2000, 500, 9000))
    return Whole(tuple(rows), "tick", ((85, 2),), "V11.2.0")
