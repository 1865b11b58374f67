# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What analyse/ says of a system's tasks, asked once: a plan asks the same of many candidates.

Answers are kept by the system's identity, as comparing systems would take longer than most questions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from horolog import analyse
from horolog.model import System

__all__ = [
    "chains_of",
    "groups_of",
    "mask_places",
    "remembered",
    "static_store_misfit",
    "table_size",
]

P = ParamSpec("P")
R = TypeVar("R")


class _Same:
    """A system that equals itself only. It is held, so that no other can get its place in memory."""

    __slots__ = ("system",)

    def __init__(self, system: System) -> None:
        self.system = system

    def __hash__(self) -> int:
        return id(self.system)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.system is self.system


def remembered(
    function: Callable[Concatenate[System, P], R],
) -> Callable[Concatenate[System, P], R]:
    """`function`, which answers what it was asked lately from memory.

    Its other arguments are hashable, and given by position.
    """

    @lru_cache(maxsize=512)
    def known(same: _Same, *args: Any) -> R:
        return cast(Callable[..., R], function)(same.system, *args)

    def ask(system: System, /, *args: P.args, **kwargs: P.kwargs) -> R:
        assert not kwargs
        return known(_Same(system), *args)

    return ask


chains_of = remembered(analyse.chains_of)
groups_of = remembered(analyse.groups_of)
mask_places = remembered(analyse.mask_places)
static_store_misfit = remembered(analyse.static_store_misfit)
table_size = remembered(analyse.table_size)
