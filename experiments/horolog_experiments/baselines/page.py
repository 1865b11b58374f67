# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The page of the experiment `baselines`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from horolog.model import Baseline
from horolog_experiments.baselines.results import Baselines, BaselineSide
from horolog_experiments.baselines.targets import TARGETS
from horolog_experiments.harness import entries
from horolog_experiments.harness.tables import number, table, targets_table

__all__ = ["baselines_page"]


def baselines_page(found: Baselines) -> str:
    """The page of evidence."""
    return f"""\
# Examples beside FreeRTOS

Written by `horolog bench baselines`; do not edit. Platform: {found.platform};
{found.compiler}. Figures are **instructions** of the kernel, counted from outside the firmware as
[ADR 0009](../adr/0009-overhead.md) says. Each example runs as `horolog compare` runs it: as threads, as basic
tasks, and as [FreeRTOS's three sides](../guide/comparing.md).

## Targets

{targets_table(entries(TARGETS, found))}
{"".join(_section(found, one.name) for one in found.examples)}
## What exceptions add

QEMU counts nothing for the entry of an exception and the return from it. The second ratio adds, on both
sides alike, what the manual of the core states: {found.cycles}.
[How they are counted](../guide/comparing.md#what-exceptions-cost), and how exact that is.

## What audio's sides are

No tick of FreeRTOS's goes a whole number of times into 1/3 ms. Its sides round that period by 0.004 %, less
than the 0.01 % up to which sides are compared, and the example lasts 995.1 ms, in which all sides run as many
jobs. In a second FreeRTOS runs three jobs more, and there would be no ratio.

## What is not here

Time on silicon; boards other than this one; systems of a user's own. An emulated instruction is no cycle:
memory, the pipeline and late arrivals of interrupts are in neither ratio.
"""


_NAMES = {"threads": "Horolog, threads", "basic": "Horolog, basic"}


def _name(side: BaselineSide) -> str:
    return _NAMES.get(side.name) or Baseline(side.name).title


def _section(found: Baselines, example: str) -> str:
    of = [one for one in found.sides if one.example == example]
    refused = "".join(
        f"\nNo ratio to {Baseline(one.name).described}: {one.refused}."
        for one in of
        if one.refused is not None
    )
    heading = f"## {example}\n\n`horolog compare examples/{example}/system.toml`\n\n"
    return f"{heading}{table(_HEADINGS, _rows(found, of))}{refused}\n\n"


_HEADINGS = (
    "side",
    "by",
    "kernel",
    "a job",
    "exceptions a job",
    "a job with exceptions",
    "to threads",
    "with exceptions",
    "to basic",
    "with exceptions",
    "program",
    "variables",
    "stacks",
)


def _rows(found: Baselines, of: list[BaselineSide]) -> Iterator[list[str]]:
    for one in of:
        if one.kernel is None:
            continue
        ratios = [""] * 4
        if one in found.compared(one.example):
            ratios = [
                _figure(found.ratio(one.example, ours, one, exceptions=exceptions))
                for ours in ("threads", "basic")
                for exceptions in (False, True)
            ]
        yield [
            _name(one),
            one.mechanism,
            f"{one.kernel:,}",
            _per_job(one.kernel, one),
            _per_job(one.exceptions, one),
            _per_job(one.with_exceptions, one),
            *ratios,
            *(
                "" if size is None else f"{size:,}"
                for size in (one.program, one.variables, one.stacks)
            ),
        ]


def _per_job(value: int | None, side: BaselineSide) -> str:
    return "" if value is None or not side.jobs else number(Fraction(value, side.jobs), 2)


def _figure(ratio: Fraction | None) -> str:
    return "" if ratio is None else number(ratio, 2)
