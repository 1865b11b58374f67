# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page's sections on the four families: the thesis' tables beside ours, and ours up to 1,500 tasks."""

from __future__ import annotations

from horolog.calibrate.workloads import OPERATIONS
from horolog_experiments.harness.tables import number, shown, table
from horolog_experiments.queues import thesis
from horolog_experiments.queues.cases import LEVELS, ORDERS, QUEUES
from horolog_experiments.queues.fits import fit
from horolog_experiments.queues.results import Results

__all__ = [
    "automotive_85_section",
    "automotive_section",
    "family_section",
    "formulas_section",
    "orders_section",
]

_SAYS = {"insert": "Task insertion", "first": "First task retrieval", "pop": "First task removal"}


def formulas_section(results: Results) -> str:
    """Tables 5.3 to 5.6 beside ours, and formulas of the other queues."""
    parts = [
        "## Worst cases: the thesis' tables 5.3 to 5.6 beside ours\n",
        "The thesis: CPU cycles of an ESP32-S3 in FreeRTOS, -O0, up to 150 tasks. Ours: the dearest call "
        f"seen while a queue is filled with n nodes, churned and emptied, under each of {len(ORDERS)} orders "
        "of keys (listed below); a line through n = "
        f"{min(results.sizes('worst')):,} to {max(results.sizes('worst')):,} by least squares, in n or "
        "in ceil(log2(n + 1)), whichever is nearer; in brackets by how much it is off at most. In ours "
        "n includes the node itself.\n",
    ]
    known = {queue.name: queue for queue in QUEUES}
    in_thesis = {name for s in thesis.FORMULAS for name in (s.queue, s.same)}
    for structure in thesis.FORMULAS:
        ours = [n for n in dict.fromkeys((structure.queue, structure.same)) if n in known]
        parts.append(f"### Table {structure.table}: {structure.title}\n")
        header = ["", "thesis, cycles"]
        header += [f"`{n}` -{level}" for n in ours for level in reversed(LEVELS)]
        rows = []
        for operation, formula in zip(OPERATIONS, structure.operations, strict=True):
            row = [_SAYS[operation], formula.text]
            row += [
                _fitted(results, n, operation, level) for n in ours for level in reversed(LEVELS)
            ]
            rows.append(row)
        parts.append(table(header, rows))
    parts.append("### Queues that the thesis has no formula for\n")
    rows = [
        [f"`{q.name}`", f"-{level}", *(_fitted(results, q.name, op, level) for op in OPERATIONS)]
        for q in QUEUES
        if q.name not in in_thesis
        for level in reversed(LEVELS)
    ]
    parts.append(table(["queue", "level", *OPERATIONS], rows))
    return "\n".join(parts)


def _fitted(results: Results, queue: str, operation: str, level: str) -> str:
    found = fit(
        [
            (n, results.row(queue, "worst", n, operation, level).worst)
            for n in results.sizes("worst")
        ]
    )
    return f"{found} ({number(found.residual)})"


def automotive_85_section(results: Results) -> str:
    """Table 5.7 beside ours."""
    if 85 not in results.sizes("automotive"):
        return ""
    rows = []
    known = {queue.name for queue in QUEUES}
    for title, name, figures in thesis.AUTOMOTIVE:
        if name != "thesis_red_black_tree":
            rows.append([f"{title}, thesis", "cycles, -O0", *map(number, figures)])
        if name not in known:
            rows.append([f"`{name}`", "not there yet", *[""] * 9])
            continue
        rows += [_triples(results, name, 85, level) for level in reversed(LEVELS)]
    listed = {name for _, name, _ in thesis.AUTOMOTIVE}
    for queue in QUEUES:
        if queue.name not in listed:
            rows += [_triples(results, queue.name, 85, level) for level in reversed(LEVELS)]
    return "## Automotive distribution, 85 tasks: the thesis' table 5.7 beside ours\n\n" + table(
        ["queue", "unit", *_heads()], rows
    )


def _heads() -> list[str]:
    return [
        f"{operation} {which}" for operation in OPERATIONS for which in ("best", "worst", "avg")
    ]


def _triples(results: Results, queue: str, tasks: int, level: str) -> list[str]:
    cells = [f"`{queue}`", f"instructions, -{level}"]
    for operation in OPERATIONS:
        row = results.row(queue, "automotive", tasks, operation, level)
        cells += [number(row.best), number(row.worst), number(row.average)]
    return cells


def automotive_section(results: Results) -> str:
    """The automotive distribution with more tasks than the thesis had memory for."""
    parts = []
    for tasks in results.sizes("automotive"):
        if tasks == 85:
            continue
        rows = [
            _triples(results, queue.name, tasks, level)
            for level in reversed(LEVELS)
            for queue in QUEUES
        ]
        title = f"## Automotive distribution, {tasks:,} tasks\n\n"
        parts.append(title + table(["queue", "unit", *_heads()], rows))
    return "\n".join(parts)


_FAMILY = {
    "worst": ("Worst case", "dearest call over all orders", OPERATIONS),
    "homogeneous": (
        "Homogeneous periods",
        "average a call; job: insert, first and pop",
        OPERATIONS,
    ),
    "uniform": (
        "Uniform over the nine automotive periods",
        "average a call; job: insert, first and pop",
        OPERATIONS,
    ),
}


def family_section(results: Results, family: str) -> str:
    """One family, by number of tasks."""
    title, what, operations = _FAMILY[family]
    parts = [
        f"## {title}\n",
        f"Instructions at -O2, {what}. result.json has all sizes, -O0, best and worst.\n",
    ]
    names = [queue.name for queue in QUEUES]
    for operation in (*operations, *(() if family == "worst" else ("job",))):
        rows = []
        for tasks in shown(results.sizes(family)):
            row = [f"{tasks:,}"]
            for name in names:
                if operation == "job":
                    row.append(number(results.per_job(name, family, tasks)))
                else:
                    one = results.row(name, family, tasks, operation)
                    row.append(number(one.worst if family == "worst" else one.average))
            rows.append(row)
        header = [f"{operation}: n", *(f"`{name}`" for name in names)]
        parts.append(table(header, rows))
    if family != "worst":
        most = max(results.sizes(family))
        parts.append(f"Best and worst at {most:,} tasks:\n")
        rows = []
        for name in names:
            row = [f"`{name}`"]
            for operation in OPERATIONS:
                one = results.row(name, family, most, operation)
                row.append(f"{number(one.best)} to {number(one.worst)}")
            rows.append(row)
        parts.append(table(["queue", *OPERATIONS], rows))
    return "\n".join(parts)


def orders_section(results: Results) -> str:
    """The section that says which order of keys costs each queue the most."""
    most = max(results.sizes("worst"))
    rows = []
    for queue in QUEUES:
        row = results.row(queue.name, "worst", most, "insert")
        costs = [f"**{c:,}**" if c == row.worst else f"{c:,}" for c in row.by_order]
        rows.append([f"`{queue.name}`", *costs])
    orders = "\n".join(f"- {name}: {said}" for name, said in ORDERS.items())
    return (
        f"Dearest insertion at {most:,} tasks by order of keys, -O2; a queue's dearest is bold:\n\n"
        + table(["queue", *ORDERS], rows)
        + f"\nThe orders, as delays from the last node taken out:\n\n{orders}\n"
    )
