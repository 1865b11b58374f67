# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How many of the instants of a one-shot cell release several tasks at once.

On ports where it can switch threads at its end, the handler of such a cell has a straight path for an instant
with one due task and another that waits (docs/adr/0018-straight-one-shot.md). All other instants take the
general path, which costs more.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from horolog.analyse import Stream, releases, settled_counts

__all__ = ["share_of_general"]

_SAMPLES = 512


def share_of_general(of: Sequence[Stream], hz: int) -> Fraction:
    """Returns the share of the instants of `of` that take the general path, from a stretch of them.

    A task that is alone in the store leaves it empty when it is due, which takes the general path, too.
    """
    return _share(tuple(of), hz)


@lru_cache(maxsize=1024)
def _share(of: tuple[Stream, ...], hz: int) -> Fraction:
    if sum(len(stream.tasks) for stream in of) == 1:
        return Fraction(1)
    start = settled_counts(of, hz)
    end = start + int(_SAMPLES * max(stream.period for stream in of) * hz) + 1
    seen = several = 0
    for _, due in islice(releases(of, hz, start, end), _SAMPLES):
        seen += 1
        several += sum(len(of[at].tasks) for at in due) > 1
    return Fraction(several, seen)
