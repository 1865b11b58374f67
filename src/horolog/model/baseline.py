# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The ways in which FreeRTOS runs the tasks of a system beside Horolog."""

from __future__ import annotations

from enum import Enum

__all__ = ["ON_ONE_CORE", "ON_SEVERAL_CORES", "Baseline"]


class Baseline(Enum):
    """One FreeRTOS side; the values are what users write and what result.json says."""

    STOCK = "stock"
    """A FreeRTOS task for each task, which waits with xTaskDelayUntil: as its documentation recommends."""
    RATE_GROUP = "rate-group"
    """A FreeRTOS task for each rate group, which runs the bodies of its tasks in order; waits as in STOCK."""
    NOTIFY = "notify"
    """As RATE_GROUP, but a cell's interrupt releases, by task notifications. FreeRTOS's own tick is off."""
    ANY_CORE = "any-core"
    """On several cores: as STOCK, but tasks run on whichever core is free. Else each has its core."""

    @property
    def title(self) -> str:
        """Its name for people, as a heading."""
        return _TITLES[self]

    @property
    def described(self) -> str:
        """Its name within a sentence."""
        return _DESCRIBED[self]


_TITLES = {
    Baseline.STOCK: "FreeRTOS",
    Baseline.RATE_GROUP: "FreeRTOS, rate groups",
    Baseline.NOTIFY: "FreeRTOS, notify",
    Baseline.ANY_CORE: "FreeRTOS, any core",
}
_DESCRIBED = {
    Baseline.STOCK: "stock FreeRTOS",
    Baseline.RATE_GROUP: "FreeRTOS with rate groups",
    Baseline.NOTIFY: "FreeRTOS with notifications",
    Baseline.ANY_CORE: "FreeRTOS without affinity",
}

ON_ONE_CORE = (Baseline.STOCK, Baseline.RATE_GROUP, Baseline.NOTIFY)
"""Those that there are on a board of one core."""
ON_SEVERAL_CORES = (Baseline.STOCK, Baseline.RATE_GROUP, Baseline.ANY_CORE)
"""Those that there are on a board of several."""
