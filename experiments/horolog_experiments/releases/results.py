# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the bench `releases` found, and its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from horolog_experiments.harness import INLINE, Data
from horolog_experiments.releases.judged import Judged

__all__ = ["DATA", "Releases", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """One cell in one run.

    `wraps` are those of the clock's counter, `turns` those of one as wide as the cell's that counts as
    the clock.
    """

    board: str
    case: str
    cell: str
    device: str
    width: int
    kind: str  # of timer, where the device has several
    mode: str
    by_requests: bool
    bound: Fraction
    wraps: int
    turns: int
    overruns: int
    found: Judged = field(metadata=INLINE)

    @property
    def releases(self) -> int:
        """Instants that were judged."""
        return self.found.releases

    @property
    def off(self) -> int:
        """Of these, those with a request a count or more off."""
        return self.found.off

    @property
    def late(self) -> int:
        """Entries later than the bound."""
        return self.found.late


@dataclass(frozen=True)
class Releases:
    """All rows, and what they hold for."""

    rows: tuple[Row, ...]
    toolchain: str
    quick: bool
    sources: Mapping[str, str]  # by board: the sources that were measured

    def with_boards_of(self, other: Releases) -> Releases:
        """These, but the boards that `other` has measured are taken from `other`."""
        kept = tuple(row for row in self.rows if row.board not in other.sources)
        sources = {**self.sources, **other.sources}
        return Releases((*kept, *other.rows), other.toolchain, other.quick, sources)


DATA = Data(Releases, head=("toolchain", "quick", "sources"), lists=("rows",))
