# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Hypothesis drives kernel and model through the same scripts, a given number of steps long."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.model.generate import HEAD, RECORD, script_of
from tests.model.player import Player
from tests.model.reference import Explanation, explain
from tests.model.script import Script
from tests.model.simplify import simplify

__all__ = ["Differs", "check", "drive", "say_difference", "steps_in"]

LINES_BEFORE = 30
SCRIPTS = st.binary(min_size=HEAD + 120 * RECORD, max_size=HEAD + 260 * RECORD)
SCRIPTS_A_ROUND = 300


class Differs(AssertionError):
    """The kernel did in `script` what the model does not allow."""

    def __init__(self, message: str, script: Script) -> None:
        super().__init__(message)
        self.script = script


def steps_in(trace: list[str]) -> int:
    """The calls that ended, of threads and of interrupts."""
    return sum("=" in line for line in trace)


def say_difference(script: Script, trace: list[str], found: Explanation) -> str:
    """The script, and the trace where it leaves what the model allows."""
    here = found.place
    lines = ["the kernel does what the model does not allow; the script:", "", str(script)]
    lines += ["the trace, with what the model expects:", ""]
    lines += [f"  {line}" for line in trace[max(0, here - LINES_BEFORE) : here]]
    lines += [f"- {line}" for line in trace[here : here + 12]]
    lines += [f"+ {line}" for line in found.expected]
    return "\n".join(lines)


def check(script: Script, trace: list[str]) -> None:
    """Differs says where `trace` leaves what the model allows."""
    found = explain(script, trace)
    if not found.holds:
        raise Differs(say_difference(script, trace, found), script)


def drive(player: Player, steps: int, first_seed: int, *, simplified: bool = True) -> int:
    """Plays scripts until they had `steps` steps; the number that they had. The same ones every time.

    Differs has the smallest script found, unless `simplified` is False: then the first one.
    """
    played = 0

    @settings(
        max_examples=SCRIPTS_A_ROUND,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=tuple(Phase) if simplified else (Phase.generate,),
    )
    @given(SCRIPTS)
    def agree(data: bytes) -> None:
        nonlocal played
        script = script_of(data)
        trace = player.play(script)
        check(script, trace)
        played += steps_in(trace)

    number = first_seed
    while played < steps:
        try:
            seed(number)(agree)()
        except Differs as found:
            if not simplified:
                raise
            script = simplify(found.script, lambda one: not explain(one, player.play(one)).holds)
            check(script, player.play(script))
            raise
        number += 1
    return played
