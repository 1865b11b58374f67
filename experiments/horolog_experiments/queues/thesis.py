# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the thesis on task dispatching measured: its tables and crossovers, in CPU cycles at -O0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = [
    "AUTOMOTIVE",
    "CROSSOVERS",
    "FORMULAS",
    "LIST_STEP",
    "MEETINGS",
    "MOST_TASKS",
    "Formula",
    "Structure",
]

MOST_TASKS = 150
"""Its device had no memory for more."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A worst case in n: as the thesis writes it, and as a function."""

    text: str
    of: Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Structure:
    """One of the tables 5.3 to 5.6. `same`: ours with its algorithm; `queue`: the kernel's."""

    table: str
    title: str
    queue: str
    same: str
    operations: tuple[Formula, Formula, Formula]  # insert, first, pop


def _heap_pop(n: int) -> int:
    return 77 if n <= 2 else 82 + 185 * ((n - 1).bit_length() - 1)


FORMULAS = (
    Structure(
        "5.3",
        "List",
        "sorted_list",
        "sorted_list",
        (
            Formula("21 + 8 n", lambda n: 21 + 8 * n),
            Formula("3", lambda n: 3),
            Formula("12", lambda n: 12),
        ),
    ),
    Structure(
        "5.4",
        "Binary search tree",
        "binary_tree",
        "binary_tree",
        (
            Formula("14 + 14 n", lambda n: 14 + 14 * n),
            Formula("1 + 8 n", lambda n: 1 + 8 * n),
            Formula("20 + 8 n", lambda n: 20 + 8 * n),
        ),
    ),
    Structure(
        "5.5",
        "Heap",
        "array_heap",
        "thesis_heap",
        (
            Formula("77 + 166 floor(log2(n))", lambda n: 77 + 166 * (n.bit_length() - 1)),
            Formula("1", lambda n: 1),
            Formula("82 + 185 floor(log2(n - 1)); 77 for n <= 2", _heap_pop),
        ),
    ),
    Structure(
        "5.6",
        "Red-black tree",
        "red_black_tree",
        "thesis_red_black_tree",
        (
            Formula("22 + 230 ceil(log2(n + 1))", lambda n: 22 + 230 * n.bit_length()),
            Formula("12 ceil(log2(n + 1))", lambda n: 12 * n.bit_length()),
            Formula(
                "18 + 208 ceil(log2(n + 1)) in its text; the table repeats the retrieval's",
                lambda n: 18 + 208 * n.bit_length(),
            ),
        ),
    ),
)
"""The tables of worst cases."""

AUTOMOTIVE: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("List", "sorted_list", (19, 732, 181, 3, 3, 3, 12, 12, 12)),
    ("BoI", "bucket", (55, 6543, 226, 3, 3, 3, 12, 12, 12)),
    ("BST", "binary_tree", (20, 1200, 277, 6, 72, 28, 16, 92, 40)),
    ("Heap", "array_heap", (81, 1064, 344, 1, 1, 1, 100, 1176, 946)),
    ("RBT", "red_black_tree", (61, 474, 219, 6, 48, 17, 47, 177, 54)),
    ("RBT", "thesis_red_black_tree", (61, 474, 219, 6, 48, 17, 47, 177, 54)),
)
"""Table 5.7: structure, our queue, and best, worst, average of insertion, retrieval and removal."""

_HEAPS = ("array_heap", "thesis_heap")
_TREES = ("red_black_tree", "thesis_red_black_tree")

LIST_STEP = 4
"""Cycles by which its list's average insertion grows with each of homogeneous tasks (section 5.3.1)."""

MEETINGS = {
    ("heap", "insertion"): 18,
    ("heap", "job"): 25,
    ("red-black tree", "insertion"): 50,
    ("red-black tree", "job"): 65,
}
"""Homogeneous tasks from which on a structure beats its list (section 5.3.6), as numbers."""

CROSSOVERS: dict[tuple[str, str, str], str] = {
    **{
        (name, "homogeneous", kind): f"about {tasks}"
        for (title, kind), tasks in MEETINGS.items()
        for name in (_HEAPS if title == "heap" else _TREES)
    },
    ("binary_tree", "homogeneous", "job"): "not up to 150",
    ("bucket", "homogeneous", "job"): "not up to 150",
    **{(name, "uniform", "job"): "a tie at 144" for name in _TREES},
    **{(name, "worst", "job"): "about 370, extrapolated" for name in _HEAPS},
}
"""Where it found a structure to overtake the list: our queue, family, and insertion alone or a job."""
