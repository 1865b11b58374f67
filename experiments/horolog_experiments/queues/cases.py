# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is measured: the queues and the families of cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from horolog.calibrate.workloads import Case, automotive_counts
from horolog.model.queues import delay_queues
from horolog.read.distributions import AUTOMOTIVE_SHARES

__all__ = [
    "BOARD",
    "LEVELS",
    "LIST",
    "MOST_TASKS",
    "ORDERS",
    "OURS",
    "QUEUES",
    "Queue",
    "cases_up_to",
]

BOARD = "mps2-an385"
LEVELS = ("O2", "O0")
MOST_TASKS = 1500
OURS = "calendar"
"""The queue that the issue's targets are about."""
LIST = "sorted_list"
"""The baseline of crossovers."""

ORDERS = {
    "ASCENDING": "each 1,000 counts behind the one before",
    "DESCENDING": "each 1,000 counts before the one before",
    "EQUAL": "all equal",
    "EXTREMES": "the nearest, the furthest, the second nearest, ...",
    "ONE_SLOT": "all distinct, scattered over one slot of 2^15 counts",
    "SLOT_DOWN": "all distinct, descending over one slot of 2^15 counts",
    "FAR": "all distinct, 2^28 counts ahead and further, scattered up to 2^30",
    "FAR_SLOT": "all distinct, 2^28 counts ahead, scattered over 2^15 counts",
    "POWERS": "at all powers of two and a few counts beside them",
    "SAWTOOTH": "random from one count to the full horizon, every magnitude as often",
    "RANDOM": "random, 1,000 counts apart on average",
}
"""How keys follow one another in the family `worst`: BENCH_<order> of the firmware, and in words."""

_HOMOGENEOUS_MS = 10
_HOMOGENEOUS_ROUNDS = 2
_SAMPLES = (1, 2, *range(5, 151, 5), 300, 600, 1000, 1500)
_UNIFORM = (*range(1, 17), 18, 20, 22, 24, 28, 33, 66, 111, 166)  # tasks of each period
_AUTOMOTIVE = (85, 850, 1500)


@dataclass(frozen=True, slots=True)
class Queue:
    """One that bench/queues/firmware knows too. `node_words`: of a node it uses, key included."""

    name: str
    title: str
    source: str  # what its code is in, from the repository's root; there is none if all is inline
    node_words: int
    helpers: tuple[str, ...] = ()  # other sources that are there for it
    exact: bool = True  # it has the resolution of a count and the full horizon
    bench_only: bool = False


_TITLES = {
    "bucket": "bucket of ignorance",
    "red_black_tree": "red-black tree",
    "tree_234": "2-3-4 tree",
    "leftist_heap": "leftist heap behind a list",
}
"""Of queues with a title that is not their name."""
_HELPERS = {"calendar": ("kernel/queue/instant_tree.c",)}


def _kernel_queues() -> Iterator[Queue]:
    """Those of the kernel, in the order of their table."""
    for queue in delay_queues():
        yield Queue(
            queue.stem,
            _TITLES.get(queue.stem, queue.stem.replace("_", " ")),
            f"kernel/queue/{queue.stem}.c",
            queue.node_words,
            _HELPERS.get(queue.stem, ()),
        )


QUEUES = (
    *_kernel_queues(),
    Queue("thesis_heap", "heap, the thesis'", "bench/queues/thesis_heap.c", 1, bench_only=True),
    Queue(
        "thesis_red_black_tree",
        "red-black tree, the thesis'",
        "bench/queues/thesis_red_black_tree.c",
        5,
        bench_only=True,
    ),
)


def cases_up_to(most: int) -> tuple[Case, ...]:
    """The four families, as far as they have at most `most` tasks."""
    cases = [Case("worst", n, order) for n in _SAMPLES for order in ORDERS]
    cases += [
        Case(
            "homogeneous",
            n,
            groups=((_HOMOGENEOUS_MS, n),),
            end_ms=_HOMOGENEOUS_ROUNDS * _HOMOGENEOUS_MS,
        )
        for n in _SAMPLES
    ]
    hyperperiod = max(AUTOMOTIVE_SHARES)  # every other period divides it
    cases += [
        Case(
            "uniform",
            each * len(AUTOMOTIVE_SHARES),
            groups=tuple((ms, each) for ms in AUTOMOTIVE_SHARES),
            end_ms=hyperperiod,
        )
        for each in _UNIFORM
    ]
    cases += [
        Case("automotive", n, groups=automotive_counts(n), end_ms=hyperperiod) for n in _AUTOMOTIVE
    ]
    return tuple(case for case in cases if case.tasks <= most)
