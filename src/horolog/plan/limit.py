# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How long planning may look for something better.

A search asks `over` where it could go on; if the answer is yes, it ends with the best that it has, and
the plan says that it was cut. Nothing else of a plan depends on the clock: a search that comes to its end
by itself is the same on every machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

from horolog.model import SearchEnd

__all__ = ["SEARCHING", "Limit"]

SEARCHING = 0.5
"""Of a limit's seconds: searches may take so many; the others are for prices and bounds."""


_TELL_S = 0.25


class Limit:
    """So many `seconds` by `clock` (None: no limit), or until `interrupt`.

    `say` gets text on the progress of a search, when the search asks whether it is over, but not too often.
    """

    def __init__(
        self,
        seconds: Fraction | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.seconds = seconds
        self._seconds = 0.0 if seconds is None else float(seconds)
        self._clock = clock
        self._say = say
        self._start = self._said = clock()
        self._end = SearchEnd.BY_ITSELF
        self._interrupted = False
        self._whole: Limit | None = None

    def part(self, share: Fraction) -> Limit:
        """Returns a limit for one of several plans: this share of the seconds that this limit has left."""
        one = Limit(self.seconds, clock=self._clock, say=self._say)
        one._seconds = (self.left(1) or 0.0) * float(share)
        one._whole = self
        return one

    @property
    def end(self) -> SearchEnd:
        """How the searches under this limit ended: cut, if one of them was cut."""
        return self._end

    @property
    def interrupted(self) -> bool:
        """Whether `interrupt` was called, even if no search has asked since."""
        return self._interrupted or (self._whole is not None and self._whole.interrupted)

    def interrupt(self) -> None:
        """Ends the search as soon as it asks. May be called by a signal's handler."""
        self._interrupted = True

    def left(self, share: float = SEARCHING) -> float | None:
        """Returns the seconds that are left of `share` of all; None: without end."""
        if self.seconds is None:
            return None
        return self._left(share, self._clock())

    def _left(self, share: float, now: float) -> float:
        return max(0.0, self._seconds * share - (now - self._start))

    def over(self, share: float = SEARCHING, words: Callable[[], str] | None = None) -> bool:
        """Returns whether a search that could go on has to end now; it may take `share` of all seconds.

        `words`: how far it has come.
        """
        if self.seconds is None:
            if not self.interrupted:
                return False
        else:
            now = self._clock()
            if self._say is not None and words is not None and now - self._said >= _TELL_S:
                self._said = now
                self._say(words())
            if not self.interrupted and self._left(share, now):
                return False
        self.cut()
        return True

    def cut(self) -> None:
        """Records that a search was cut that could have gone on."""
        self._end = SearchEnd.INTERRUPTED if self.interrupted else SearchEnd.AT_LIMIT
