# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the experiment `divisions` found, and its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from horolog_experiments.divisions.sets import CORES, FITS, DividedSet, share_proved
from horolog_experiments.harness import Data, Target, entries
from horolog_experiments.harness.tables import number, table, targets_table
from horolog_experiments.harness.targets import Found

__all__ = ["DATA", "TARGETS", "Divisions", "divisions_page", "rows_of"]


@dataclass(frozen=True, slots=True)
class Divisions:
    """All sets."""

    sets: tuple[DividedSet, ...]


DATA = Data(Divisions, head=(), lists=("sets",))


def _share(found: Divisions) -> Found:
    share, proved, alone = share_proved(found.sets)
    of = f"of {len(found.sets)} sets a packing proves {proved}; the plan alone proves {alone} more"
    return Found(share if proved else None, of)


TARGETS: Sequence[Target[Divisions]] = (
    Target(
        '`core = "auto"`: of 500 random sets at 70 % of 4 cores, share proved of those that first-, best-, '
        "worst- or next-fit by decreasing utilisation proves with the same analysis, %",
        "==",
        100,
        "%",
        _share,
    ),
)
"""The line of the issue's table that is about this, unchanged."""


def rows_of(found: Divisions) -> list[dict[str, Any]]:
    """The rows of result.json."""
    return [
        {
            **asdict(one),
            "fits": dict(zip(FITS, one.fits, strict=True)),
            "price": None if one.price is None else str(one.price),
            "bound": None if one.bound is None else str(one.bound),
            "unit": "cycles a second",
        }
        for one in found.sets
    ]


def divisions_page(found: Divisions) -> str:
    """The page of evidence."""
    return f"""\
# Dividing tasks among cores

Written by `horolog bench divisions`; do not edit. Sets of 8 to 20 tasks take 70 % of {CORES} cores with 16
cells each and the prices of ibex-cells; their deadlines are from half of the period on, or from three
quarters, or are the periods. A core is proved if all its deadlines hold by the analysis with a plan, the
kernel's work counted in; packings admit a task where that holds.
[ADR 0028](../adr/0028-dividing-tasks.md) says how the plan divides. Here it tries little for a lower price,
which proves neither more nor less. Each core of its divisions is proved once more, by the analysis that the
packings have.

## Targets

{targets_table(entries(TARGETS, found))}
## Who proves a division

{table(_HEADINGS, _rows(found))}
The gap is how far the price of the plan's divisions may be from the least, the mean of the sets. The bound
does not count switches, so a part of it is none.
"""


_HEADINGS = [
    "periods",
    "tasks",
    "sets",
    *(f"{fit}-fit" for fit in FITS),
    "any of these",
    "the plan",
    "gap, %",
]


def _rows(found: Divisions) -> Iterator[list[str]]:
    keys = sorted({(one.family, one.tasks) for one in found.sets})
    for family, tasks in keys:
        mine = [one for one in found.sets if (one.family, one.tasks) == (family, tasks)]
        yield [family, str(tasks), *_counts(mine)]
    yield ["all", "", *_counts(found.sets)]


def _counts(sets: Sequence[DividedSet]) -> list[str]:
    gaps = [
        100 * (1 - one.bound / one.price)
        for one in sets
        if one.price is not None and one.bound is not None
    ]
    return [
        str(len(sets)),
        *(str(sum(one.fits[at] for one in sets)) for at in range(len(FITS))),
        str(sum(any(one.fits) for one in sets)),
        str(sum(one.auto for one in sets)),
        number(sum(gaps, Fraction(0)) / len(gaps), 1) if gaps else "",
    ]
