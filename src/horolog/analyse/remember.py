# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was found out about a system is asked for hundreds of times while it is planned."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from horolog.model import System

__all__ = ["remembered"]

_Found = TypeVar("_Found")


def remembered(function: Callable[[System], _Found]) -> Callable[[System], _Found]:
    """`function`, which remembers what it said of the system that it was asked about last.

    By identity: systems are frozen, and to compare two of a thousand tasks costs more than to count.
    """
    last: list[tuple[System, _Found]] = []

    @wraps(function)
    def answer(system: System) -> _Found:
        if not last or last[0][0] is not system:
            last[:] = [(system, function(system))]
        return last[0][1]

    return answer
