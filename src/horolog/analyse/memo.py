# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A memo of what functions return for a system: planning calls some of them hundreds of times.

Results are kept by the system's identity, as comparing systems would take longer than most calls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from horolog.model import HorologError, System

__all__ = ["remembered"]

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
    """Returns `function` with a memo of its latest results, a HorologError among them.

    Its other arguments are hashable, and given by position.
    """

    @lru_cache(maxsize=512)
    def known(same: _Same, *args: Any) -> tuple[R | None, HorologError | None]:
        try:
            return cast(Callable[..., R], function)(same.system, *args), None
        except HorologError as error:
            return None, error

    @wraps(function)
    def ask(system: System, /, *args: P.args, **kwargs: P.kwargs) -> R:
        assert not kwargs
        answer, error = known(_Same(system), *args)
        if error is not None:
            raise error.with_traceback(None)
        return cast(R, answer)

    return ask
