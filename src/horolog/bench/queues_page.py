# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page of the experiment `queues`: targets, the thesis' tables beside ours, what differs and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from horolog.bench.queues import LEVELS, OPERATIONS, QUEUES, Results, targets

__all__ = ["Fit", "fit", "queues_page"]

_SAYS = {"insert": "Task insertion", "first": "First task retrieval", "pop": "First task removal"}

_FORMULAS: tuple[tuple[str, str, str, tuple[str, str, str]], ...] = (
    ("5.3", "List", "sorted_list", ("21 + 8 n", "3", "12")),
    ("5.4", "Binary search tree", "binary_tree", ("14 + 14 n", "1 + 8 n", "20 + 8 n")),
    (
        "5.5",
        "Heap",
        "array_heap",
        ("77 + 166 floor(log2(n))", "1", "82 + 185 floor(log2(n - 1)); 77 for n <= 2"),
    ),
    (
        "5.6",
        "Red-black tree",
        "red_black_tree",
        (
            "22 + 230 ceil(log2(n + 1))",
            "12 ceil(log2(n + 1))",
            "18 + 208 ceil(log2(n + 1)) in its text; the table repeats the retrieval's",
        ),
    ),
)
"""The thesis' tables of worst cases: number, structure, our queue, formulas in CPU cycles."""

_TABLE_5_7: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("List", "sorted_list", (19, 732, 181, 3, 3, 3, 12, 12, 12)),
    ("BoI", "bucket", (55, 6543, 226, 3, 3, 3, 12, 12, 12)),
    ("BST", "binary_tree", (20, 1200, 277, 6, 72, 28, 16, 92, 40)),
    ("Heap", "array_heap", (81, 1064, 344, 1, 1, 1, 100, 1176, 946)),
    ("RBT", "red_black_tree", (61, 474, 219, 6, 48, 17, 47, 177, 54)),
    ("RBT", "thesis_red_black_tree", (61, 474, 219, 6, 48, 17, 47, 177, 54)),
)
"""Structure, our queue, and best, worst, average of insertion, retrieval and removal in CPU cycles."""

_CROSSOVERS = {
    ("array_heap", "homogeneous"): "about 25",
    ("red_black_tree", "homogeneous"): "about 65",
    ("red_black_tree", "uniform"): "a tie at 144",
    ("thesis_red_black_tree", "homogeneous"): "about 65",
    ("thesis_red_black_tree", "uniform"): "a tie at 144",
}
"""Where the thesis found a structure to overtake the list."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A cost as a + b x, x being n or ceil(log2(n + 1)); by how much it is off at most."""

    form: str
    a: Fraction
    b: Fraction
    residual: Fraction

    def __str__(self) -> str:
        if _number(self.b) == "0":
            return _number(self.a)
        sign = "-" if self.b < 0 else "+"
        return f"{_number(self.a)} {sign} {_number(abs(self.b))} {self.form}"


_FORMS: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("n", lambda n: n),
    ("ceil(log2(n + 1))", lambda n: n.bit_length()),
)


def fit(points: Sequence[tuple[int, int]]) -> Fit:
    """The better of the forms, by least squares, for (n, cost)."""
    fits = [_line(form, [(x(n), y) for n, y in points]) for form, x in _FORMS]
    return min(fits, key=lambda one: one.residual)


def _line(form: str, points: Sequence[tuple[int, int]]) -> Fit:
    count = len(points)
    mean_x = Fraction(sum(x for x, _ in points), count)
    mean_y = Fraction(sum(y for _, y in points), count)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    together = sum((x - mean_x) * (y - mean_y) for x, y in points)
    b = Fraction(together) / spread if spread else Fraction(0)
    a = mean_y - b * mean_x
    return Fit(form, a, b, max(abs(a + b * x - y) for x, y in points))


def queues_page(results: Results) -> str:
    """docs/evidence/queues.md."""
    sections = [
        _head(results),
        _targets(results),
        _formulas(results),
        _automotive_85(results),
        _automotive(results),
        *(_family(results, family) for family in ("worst", "homogeneous", "uniform")),
        _crossovers(results),
        _memory(results),
        _differs(results),
        _missing(),
    ]
    return "\n".join(section for section in sections if section)


def _head(results: Results) -> str:
    return f"""\
# Delay queues on the target

Written by `horolog bench queues`; do not edit. Platform: {results.platform}; {results.toolchain}.
Figures are **instructions** executed, not time on silicon. Counted from outside the firmware
(`plugin/horolog_calls.c`): the call, the function and its return; not the loading of its arguments. No
interrupt runs. `first` and `pop`, which the kernel inlines for most queues, are called here like the rest.
"""


def _targets(results: Results) -> str:
    rows = []
    for one in targets(results):
        value = one["measured"]
        measured = "not measured" if value is None else f"{value:,}"
        said = "yes" if one["met"] else "no"
        reason = f": {one['reason']}" if "reason" in one else ""
        rows.append(
            [one["name"], f"{one['sense']} {one['target']:,}", measured, one["unit"], said + reason]
        )
    return "## Targets\n\nThe calendar's figures at -O2.\n\n" + _table(
        ["target", "wanted", "measured", "unit", "met"], rows
    )


def _formulas(results: Results) -> str:
    parts = [
        "## Worst cases: the thesis' tables 5.3 to 5.6 beside ours\n",
        "The thesis: CPU cycles of an ESP32-S3 in FreeRTOS, -O0, up to 150 tasks. Ours: the dearest call "
        "seen while a queue is filled with n nodes, churned and emptied, their keys ascending, descending, "
        "all equal, alternating extremes, all within one slot, or random; a line through n = "
        f"{min(results.sizes('worst')):,} to {max(results.sizes('worst')):,} by least squares, in n or "
        "in ceil(log2(n + 1)), whichever is nearer; in brackets by how much it is off at most. In ours "
        "n includes the node itself.\n",
    ]
    known = {queue.name: queue for queue in QUEUES}
    in_thesis = {name for _, _, name, _ in _FORMULAS}
    for number, title, name, formulas in _FORMULAS:
        ours = [n for n in (name, f"thesis_{name}") if n in known]
        parts.append(f"### Table {number}: {title}\n")
        header = ["", "thesis, cycles"]
        header += [f"`{n}` -{level}" for n in ours for level in reversed(LEVELS)]
        rows = []
        for operation, formula in zip(OPERATIONS, formulas, strict=True):
            row = [_SAYS[operation], formula]
            row += [
                _fitted(results, n, operation, level) for n in ours for level in reversed(LEVELS)
            ]
            rows.append(row)
        parts.append(_table(header, rows))
        if not ours:
            parts.append(f"The kernel has no `{name}` yet.\n")
    parts.append("### Queues that the thesis has no formula for\n")
    rows = [
        [f"`{q.name}`", f"-{level}", *(_fitted(results, q.name, op, level) for op in OPERATIONS)]
        for q in QUEUES
        if q.name.removeprefix("thesis_") not in in_thesis
        for level in reversed(LEVELS)
    ]
    parts.append(_table(["queue", "level", *OPERATIONS], rows))
    return "\n".join(parts)


def _fitted(results: Results, queue: str, operation: str, level: str) -> str:
    found = fit(
        [
            (n, results.row(queue, "worst", n, operation, level).worst)
            for n in results.sizes("worst")
        ]
    )
    return f"{found} ({_number(found.residual)})"


def _automotive_85(results: Results) -> str:
    if 85 not in results.sizes("automotive"):
        return ""
    rows = []
    known = {queue.name for queue in QUEUES}
    for title, name, figures in _TABLE_5_7:
        if name != "thesis_red_black_tree":
            rows.append([f"{title}, thesis", "cycles, -O0", *map(_number, figures)])
        if name not in known:
            rows.append([f"`{name}`", "not there yet", *[""] * 9])
            continue
        rows += [_triples(results, name, 85, level) for level in reversed(LEVELS)]
    listed = {name for _, name, _ in _TABLE_5_7}
    for queue in QUEUES:
        if queue.name not in listed:
            rows += [_triples(results, queue.name, 85, level) for level in reversed(LEVELS)]
    return "## Automotive distribution, 85 tasks: the thesis' table 5.7 beside ours\n\n" + _table(
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
        cells += [_number(row.best), _number(row.worst), _number(row.average)]
    return cells


def _automotive(results: Results) -> str:
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
        parts.append(title + _table(["queue", "unit", *_heads()], rows))
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


def _family(results: Results, family: str) -> str:
    title, what, operations = _FAMILY[family]
    parts = [
        f"## {title}\n",
        f"Instructions at -O2, {what}. result.json has all sizes, -O0, best and worst.\n",
    ]
    names = [queue.name for queue in QUEUES]
    for operation in (*operations, *(() if family == "worst" else ("job",))):
        rows = []
        for tasks in _shown(results.sizes(family)):
            row = [f"{tasks:,}"]
            for name in names:
                if operation == "job":
                    row.append(_number(results.per_job(name, family, tasks)))
                else:
                    one = results.row(name, family, tasks, operation)
                    row.append(_number(one.worst if family == "worst" else one.average))
            rows.append(row)
        header = [f"{operation}: n", *(f"`{name}`" for name in names)]
        parts.append(_table(header, rows))
    if family != "worst":
        most = max(results.sizes(family))
        parts.append(f"Best and worst at {most:,} tasks:\n")
        rows = []
        for name in names:
            row = [f"`{name}`"]
            for operation in OPERATIONS:
                one = results.row(name, family, most, operation)
                row.append(f"{_number(one.best)} to {_number(one.worst)}")
            rows.append(row)
        parts.append(_table(["queue", *OPERATIONS], rows))
    return "\n".join(parts)


def _shown(sizes: Sequence[int]) -> list[int]:
    """About a dozen of the sizes, the last among them."""
    found: list[int] = []
    for size in sizes:
        if not found or 2 * size >= 3 * found[-1] or size == sizes[-1]:
            found.append(size)
    return found


def _crossovers(results: Results) -> str:
    rows = []
    for family in ("homogeneous", "uniform"):
        for queue in QUEUES:
            if queue.name == "sorted_list":
                continue
            row = [family, f"`{queue.name}`", _CROSSOVERS.get((queue.name, family), "")]
            for level in reversed(LEVELS):
                found = results.crossover(queue.name, "sorted_list", family, level)
                row.append("never" if found is None else f"{found:,}")
            rows.append(row)
    return (
        "## Crossover with the sorted list\n\n"
        "The number of tasks measured from which on a job's insert, first and pop together cost no more "
        "than the list's, at every larger number too. The thesis compares calls one by one.\n\n"
        + _table(["family", "queue", "thesis", "ours -O0", "ours -O2"], rows)
    )


def _memory(results: Results) -> str:
    rows = [
        [
            f"`{queue.name}`",
            f"{results.ram[queue.name]:,}",
            f"{results.rom[queue.name, 'O2']:,}",
            f"{results.rom[queue.name, 'O0']:,}",
        ]
        for queue in QUEUES
    ]
    return (
        "## RAM and ROM\n\n"
        "Bytes. RAM: the queue and its arrays for 1,500 nodes, beside the nodes themselves (24 bytes each, "
        "whichever the queue). ROM: the queue's object file, and its inline functions once.\n\n"
        + _table(["queue", "RAM", "ROM -O2", "ROM -O0"], rows)
    )


def _differs(results: Results) -> str:
    most = max(results.sizes("worst"))
    walk = [
        _number(
            fit(
                [
                    (n, results.row("sorted_list", "worst", n, "insert", level).worst)
                    for n in results.sizes("worst")
                ]
            ).b
        )
        for level in LEVELS
    ]
    list_, tree = (
        _number(results.row(name, "homogeneous", most, "insert").average)
        for name in ("sorted_list", "binary_tree")
    )
    return f"""\
## What differs, and why

- **Instructions, not cycles.** The thesis counts cycles of an Xtensa core, flash and caches included. Slopes
  and crossovers compare; absolute figures do not.
- **List.** As in the thesis the worst insertion grows with n; passing a node costs {walk[0]} instructions
  at -O2 and {walk[1]} at -O0, where the thesis has 8 cycles: comparing stamps across the wrap is an inline
  function, which -O0 calls.
- **Retrieval.** The thesis' trees look for their first each time, O(n) or O(log n). Ours know it:
  the contract wants first in O(1), since it runs with interrupts off. `thesis_red_black_tree` is the thesis'
  own algorithm and shows the difference.
- **Removal from the binary tree** is O(1) here, because its nodes are chained in order.
- **Removal from the red-black tree** costs more than the thesis' because it mends the tree: the thesis'
  algorithm 7 leaves it unbalanced (`bench/queues/thesis_red_black_tree.h`).
- **Bucket.** The thesis sorts all at a refill; ours sorts in advance, by pieces, in the inserting thread,
  so that pop stays bounded. Its worst insertion still is a refill. With one period for all an insertion is
  never earlier than the bucket's least and goes into the bucket, so that the average grows with log n
  where the thesis' grows as the list's.
- **Crossovers.** Where a tree overtakes the list depends on what the list pays for each node it passes: few
  instructions at -O2. The thesis' are those of -O0 on another processor; and ours take a job's
  calls together.
- **ROM at -O0.** The red-black tree's mirrored cases are inlined at any level, which only -O2 simplifies.
- **Equal keys.** All kernel queues keep first come, first out. With one period for all, insertion therefore
  goes to the end: at {most:,} tasks {list_} instructions on average for the list and {tree} for the
  binary tree, which degenerates to a list, as in the thesis.
- **Workload.** Virtual instants: all tasks are released at 0; at an instant all that are due are taken out
  (first is asked once more than there are) and then wait again, the shortest period first. Over whole
  hyperperiods, at whose ends the queue is empty, so that the state is steady from the start. The thesis'
  figures come from a running kernel, whose jobs also overlap. 1,494 = 9 x 166 is the multiple of nine below
  1,500; 1,500 automotive tasks follow the shares by largest remainder.
- **Worst case** means the dearest call seen with the orders above, not a proof.
"""


_PLANNED = (
    "array_heap",
    "pairing_heap",
    "timing_wheel",
    "hashed_wheel",
    "hierarchical_wheel",
    "calendar",
)


def _missing() -> str:
    there = {queue.name for queue in QUEUES}
    absent = ", ".join(f"`{name}`" for name in _PLANNED if name not in there)
    queues = f"; queues that the kernel does not have yet: {absent}" if absent else ""
    return f"""\
## Not on this page yet

Plots (the thesis' figures 5.10 to 5.26); the queues inside the running kernel{queues}.
"""


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _number(value: Any) -> str:
    """A number with one decimal at most."""
    tenths = round(Fraction(value) * 10)
    whole, rest = divmod(abs(tenths), 10)
    sign = "-" if tenths < 0 else ""
    return f"{sign}{whole:,}.{rest}" if rest else f"{sign}{whole:,}"
