# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether some choice of places for the interrupts leads to the kernel's trace."""

from __future__ import annotations

from dataclasses import dataclass

from tests.model.reference.processor import interrupt_here, may_be_interrupted_here, step
from tests.model.reference.state import Differs, State
from tests.model.reference.threads import start
from tests.model.script import Script

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """`holds`: the model allows the trace. If not, what it expects instead of which line."""

    holds: bool
    place: int
    expected: tuple[str, ...]
    choices: int


def _begin(script: Script, trace: list[str]) -> State:
    state = State(script, trace)
    for name, one in enumerate(script.threads):
        if one.started:
            start(state, name)
    return state


def explain(script: Script, trace: list[str]) -> Explanation:
    """Whether the kernel may do what `trace` says when it plays `script`."""
    open_ways = [_begin(script, trace)]
    seen: set[str] = set()
    furthest = 0
    expected: list[str] = []
    while open_ways:
        state = open_ways.pop()
        try:
            while step(state):
                if may_be_interrupted_here(state):
                    key = state.key()
                    if key in seen:
                        break
                    seen.add(key)
                    open_ways.append(state.copy())
                    interrupt_here(state)
            else:
                if state.place == len(trace):
                    return Explanation(True, state.place, (), len(seen))
        except Differs as difference:
            if state.place > furthest:
                furthest, expected = state.place, []
            if state.place == furthest:
                expected.append(str(difference))
    return Explanation(False, furthest, tuple(dict.fromkeys(expected)), len(seen))
