# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page of the experiment `queues`: targets, the thesis' tables beside ours, what differs and why."""

from __future__ import annotations

from horolog_experiments.harness import entries, number, table, targets_table
from horolog_experiments.harness.drawing import HOW_TO_DRAW
from horolog_experiments.queues.cases import LEVELS, MOST_TASKS, QUEUES
from horolog_experiments.queues.crossovers import crossover_section
from horolog_experiments.queues.families import (
    automotive_85_section,
    automotive_section,
    family_section,
    formulas_section,
    orders_section,
)
from horolog_experiments.queues.fits import fit
from horolog_experiments.queues.page_system import system_section
from horolog_experiments.queues.results import Results
from horolog_experiments.queues.targets import TARGETS

__all__ = ["FOLDER", "queues_page"]

FOLDER = "queues"
"""The folder of the figures and the measured data, beside the page."""

_LINES = "Lines are named at their ends; the thin grey ones are the other queues, in the tables."
_BAND = " Shaded: from best to worst, for the list and the calendar."
_CAPTIONS = {
    "worst": f"Dearest call over all orders of keys (the thesis' figures 5.10 to 5.12). {_LINES}",
    "homogeneous": f"One period for all, averages (figures 5.13 to 5.23). {_LINES}{_BAND}",
    "uniform": f"The nine automotive periods, averages (figures 5.24 to 5.26). {_LINES}{_BAND}",
    "thesis": "Dearest call at -O0 up to 150 tasks: solid ours, in instructions; dashed the thesis' "
    "formulas, in cycles (figures 5.1 to 5.9). Heap and red-black tree are the thesis' algorithms "
    "(`thesis_heap`, `thesis_red_black_tree`); ours were measured at every fifth n.",
    "automotive": "Automotive distribution, best, average and worst (table 5.7, which has no figure).",
    "system": "Kernel instructions a job in the running kernel, and in brackets how many times as many "
    "FreeRTOS executes (dashed); the thesis has no such measurement.",
}


def queues_page(results: Results, *, figures: bool = True) -> str:
    """docs/evidence/queues.md; with `figures`, those of a full run are shown from FOLDER."""

    def figure(name: str) -> str:
        if not full:
            return ""
        return f"![{_CAPTIONS[name].split('.')[0]}]({FOLDER}/{name}.svg)\n\n*{_CAPTIONS[name]}*\n"

    whole = MOST_TASKS in results.sizes("worst")
    full = figures and whole
    system = system_section(results)
    sections = [
        _head(results) + (f"\nHere {HOW_TO_DRAW}.\n" if whole and not figures else ""),
        _targets(results),
        system,
        figure("system") if system else "",
        formulas_section(results),
        figure("thesis"),
        automotive_85_section(results),
        figure("automotive"),
        automotive_section(results),
        *(
            part
            for family in ("worst", "homogeneous", "uniform")
            for part in (
                family_section(results, family),
                figure(family),
                orders_section(results) if family == "worst" else "",
            )
        ),
        crossover_section(results),
        _memory(results),
        _differs(results),
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
    return "## Targets\n\nThe calendar's figures at -O2.\n\n" + targets_table(
        entries(TARGETS, results)
    )


def _memory(results: Results) -> str:
    rows = [
        [
            f"`{queue.name}`",
            f"{results.ram[queue.name]:,}",
            str(queue.node_words),
            f"{results.rom[queue.name, 'O2']:,}",
            f"{results.rom[queue.name, 'O0']:,}",
        ]
        for queue in QUEUES
    ]
    return (
        "## RAM and ROM\n\n"
        "Bytes. RAM: the queue and its arrays for 1,500 nodes, beside the nodes themselves (24 bytes each, "
        "whichever the queue; the next column says how many of its six words the queue uses). ROM: the "
        "queue's object files, and its inline functions once.\n\n"
        + table(["queue", "RAM", "words of a node", "ROM -O2", "ROM -O0"], rows)
    )


def _differs(results: Results) -> str:
    most = max(results.sizes("worst"))
    walk = [
        number(
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
        number(results.row(name, "homogeneous", most, "insert").average)
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
- **Crossovers.** The section above has the formulas: what the list pays for each node that it passes
  against what another structure costs in any case. The thesis' are those of -O0 on another processor.
- **ROM at -O0.** The red-black tree's mirrored cases are inlined at any level, which only -O2 simplifies.
- **Equal keys.** All kernel queues keep first come, first out. With one period for all, insertion therefore
  goes to the end: at {most:,} tasks {list_} instructions on average for the list and {tree} for the
  binary tree, which degenerates to a list, as in the thesis.
- **Workload.** Virtual instants: all tasks are released at 0; at an instant all that are due are taken out
  (first is asked once more than there are) and then wait again, the shortest period first. Over whole
  hyperperiods; at the end of each the queue is empty, so that the state is steady from the start. The thesis'
  figures come from a running kernel, where jobs also overlap. 1,494 = 9 x 166 is the multiple of nine below
  1,500; 1,500 automotive tasks follow the shares by largest remainder.
- **Worst case** means the dearest call seen with the orders above, not a proof.
"""
