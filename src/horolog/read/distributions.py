# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Named distributions of periods, from the papers; reproducible for ever.

`automotive`: Kramer et al. as in the thesis' Table 5.1, one task for each percentage point, the
angle-synchronous ones left out: 85 tasks, or a multiple. `uniform-automotive`: its nine periods,
the same number of each (the thesis' third set). Both are fixed: they draw nothing and take no seed.

`chronos`: CHRONOS, section VII: a base period of 3, 5, 7 or 11 ms times a factor of 1 to 10, both
uniform. `chronos-harmonic`: the factor is 1, 2, 4, 8 or 16. The seed starts a Mersenne Twister
(`random.Random(seed)`), of which only `getrandbits` is used: for a choice among n, as many bits as
n - 1 has, drawn again until the number is below n; the base is drawn first, then the factor. The
algorithm is here and not in `random.choice` because Python may change that one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from horolog.read.schema import DistributionName

__all__ = ["AUTOMOTIVE_SHARES", "multiple_of", "needs_seed", "periods_of"]

AUTOMOTIVE_SHARES = {1: 3, 2: 2, 5: 2, 10: 25, 20: 25, 50: 3, 100: 20, 200: 1, 1000: 4}
"""Percentage points by period in milliseconds; the missing 15 are angle-synchronous."""

_CHRONOS_BASES = (3, 5, 7, 11)
_CHRONOS_FACTORS = tuple(range(1, 11))
_HARMONIC_FACTORS = (1, 2, 4, 8, 16)


def multiple_of(name: DistributionName) -> int:
    """The number of tasks has to be a multiple of this."""
    if name == "automotive":
        return sum(AUTOMOTIVE_SHARES.values())
    if name == "uniform-automotive":
        return len(AUTOMOTIVE_SHARES)
    return 1


def needs_seed(name: DistributionName) -> bool:
    """Whether the distribution draws; the others refuse a seed."""
    return name in ("chronos", "chronos-harmonic")


def periods_of(name: DistributionName, tasks: int, seed: int = 0) -> tuple[Fraction, ...]:
    """`tasks` periods in seconds; `tasks` is a multiple of `multiple_of(name)`."""
    times = tasks // multiple_of(name)
    if name == "automotive":
        milliseconds = [ms for ms, share in AUTOMOTIVE_SHARES.items() for _ in range(share * times)]
    elif name == "uniform-automotive":
        milliseconds = [ms for ms in AUTOMOTIVE_SHARES for _ in range(times)]
    else:
        factors = _CHRONOS_FACTORS if name == "chronos" else _HARMONIC_FACTORS
        draw = random.Random(seed)
        milliseconds = [
            _choice(draw, _CHRONOS_BASES) * _choice(draw, factors) for _ in range(tasks)
        ]
    return tuple(Fraction(ms, 1000) for ms in milliseconds)


def _choice(draw: random.Random, items: Sequence[int]) -> int:
    bits = (len(items) - 1).bit_length()
    while (index := draw.getrandbits(bits)) >= len(items):
        pass
    return items[index]
