# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Items that are to be divided among cores, and how a division is judged; nothing here knows of systems.

An item is one task, or several that have to stay together. A core's part is proved or not, and has a price.
Both are asked of functions that the problem brings, and kept: searches ask for the same part again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

__all__ = ["Answer", "Common", "Division", "Item", "Judge", "Judged", "Part", "Problem", "parts_of"]

Part = frozenset[int]
"""The items of one core, by their numbers."""

Division = tuple[int, ...]
"""The core of each item."""


@dataclass(frozen=True, slots=True)
class Item:
    """What goes to one core as a whole."""

    share: Fraction  # of a core that it needs at least: more than 1 on a core is never proved
    cores: frozenset[int]  # where it may be
    size: int = 1  # tasks


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of a part: whether it is proved; at which price, or else how far it is from that."""

    proved: bool
    price: Fraction = Fraction(0)
    excess: Fraction = Fraction(0)  # not proved: the more, the farther


Judge = Callable[[Part, int], Answer]
"""Of a part that is not empty, on this core."""


@dataclass(frozen=True, slots=True)
class Common:
    """A price that each core pays on which one or more of these items are."""

    price: Fraction
    items: Part


@dataclass(frozen=True)
class Problem:
    """Items, the cores (`kinds`: cores with one number are alike), and what no division undercuts.

    No division costs less than `least` and, for each of `commons`, its price on each core concerned.
    `screen` takes little time. `judge` is exact, and proves what `screen` proves.
    """

    items: tuple[Item, ...]
    kinds: tuple[int, ...]
    judge: Judge
    screen: Judge | None = None  # None: `judge` takes little time
    least: Fraction = Fraction(0)
    commons: tuple[Common, ...] = ()
    bounded: bool = True  # whether prices are known to be no less than that

    @cached_property
    def classes(self) -> tuple[int, ...]:
        """By core, the first core of those that are interchangeable with it."""
        allowed = [
            tuple(core in item.cores for item in self.items) for core in range(len(self.kinds))
        ]
        first: dict[tuple[int, tuple[bool, ...]], int] = {}
        return tuple(
            first.setdefault((kind, may), core)
            for core, (kind, may) in enumerate(zip(self.kinds, allowed, strict=True))
        )

    def share(self, part: Part) -> Fraction:
        """How much of its core a part needs at least."""
        return sum((self.items[at].share for at in part), Fraction(0))

    def allows(self, division: Division) -> bool:
        """Whether each item is where it may be."""
        return all(core in item.cores for item, core in zip(self.items, division, strict=True))

    def bound(self, part: Part) -> Fraction:
        """What a core with this part pays at least, beside its share of `least`."""
        return sum((one.price for one in self.commons if one.items & part), Fraction(0))


def parts_of(division: Sequence[int], cores: int) -> list[Part]:
    """The part of each core."""
    found: list[set[int]] = [set() for _ in range(cores)]
    for at, core in enumerate(division):
        found[core].add(at)
    return [frozenset(part) for part in found]


@dataclass
class Judged:
    """The answers of one judge, kept by kind of core; `effort`: tasks in the parts that it was asked for."""

    problem: Problem
    judge: Judge
    effort: int = 0
    _known: dict[tuple[int, Part], Answer] = field(default_factory=dict)

    def __call__(self, part: Part, core: int) -> Answer:
        """What is known of `part` on `core`. An empty one is proved, and costs nothing."""
        if not part:
            return Answer(proved=True)
        key = self.problem.kinds[core], part
        if key not in self._known:
            share = self.problem.share(part)
            if share > 1:
                self._known[key] = Answer(proved=False, excess=share)
            else:
                self.effort += self.cost(part)
                self._known[key] = self.judge(part, core)
        return self._known[key]

    def cost(self, part: Part) -> int:
        """The effort of judging `part` anew."""
        return sum(self.problem.items[at].size for at in part)

    def of(self, division: Division) -> Iterator[Answer]:
        """The answer for each core."""
        for core, part in enumerate(parts_of(division, len(self.problem.kinds))):
            yield self(part, core)

    def price(self, division: Division) -> Fraction | None:
        """What a division costs; None: some core has no proof."""
        total = Fraction(0)
        for one in self.of(division):
            if not one.proved:
                return None
            total += one.price
        return total
