# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the experiment `analysis` found, and its file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from horolog_experiments.analysis.measure import Factor, Seen
from horolog_experiments.harness import Data

__all__ = ["DATA", "Analysed", "mean"]


@dataclass(frozen=True)
class Analysed:
    """Everything measured. `oracle`, `simso`: systems compared; None: it is not installed."""

    oracle: int | None
    differing: tuple[int, ...]
    simso: int | None
    simso_differing: tuple[int, ...]
    large: int  # systems of 1,500 tasks
    slow: int  # of them, those with a longer analysis than SLOW seconds
    platform: str
    toolchain: str
    seen: tuple[Seen, ...]
    factors: tuple[Factor, ...]

    def measured(self, board: str | None = None) -> list[Seen]:
        """The systems that ran."""
        return [
            one for one in self.seen if one.state == "measured" and board in (None, one.case.board)
        ]

    def bisected(self) -> list[Factor]:
        """The systems whose factor was found."""
        return [one for one in self.factors if one.state == "measured" and one.found]


def mean(seen: Iterable[Seen], *, as_drawn: bool = False) -> Fraction | None:
    """The mean over all tasks of the largest response over the bound; None: there are none.

    `as_drawn`: without the runs at other release phases.
    """
    ratios = [ratio for one in seen for ratio in (one.ratios_as_drawn if as_drawn else one.ratios)]
    return sum(ratios, Fraction(0)) / len(ratios) if ratios else None


DATA = Data(
    Analysed,
    head=(
        "oracle",
        "differing",
        "simso",
        "simso_differing",
        "large",
        "slow",
        "platform",
        "toolchain",
    ),
    lists=("seen", "factors"),
)
