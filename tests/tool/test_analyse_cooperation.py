# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What periodic partners serve for a cooperative one-shot cell, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tests.tool.factory import make_system, ms

from horolog.analyse import covered_instants
from horolog.model import Mode, Plan, Prediction, Releaser, System

NOTHING = Prediction(0, (), 0, Fraction(0), Fraction(0), Fraction(0))
MS = 25_000  # counts


def covered(system: System, plan: Plan) -> int:
    """Of all releasers of `plan`."""
    return sum(covered_instants(system, plan, releaser) for releaser in plan.releasers)


def cooperative(*tasks: int) -> Releaser:
    return Releaser("cell1", Mode.ONE_SHOT, "sorted-list", tasks, 0, cooperates=True)


def periodic(cell: str, period_ms: int, first_ms: int = 0, divider: int = 1) -> Releaser:
    return Releaser(
        cell, Mode.PERIODIC, "sorted-list", (), first_ms * MS, period_ms * MS, divider=divider
    )


def test_an_instant_counts_where_a_partner_interrupts_at_it() -> None:
    system = make_system([ms(4), ms(6)], duration=ms(24))  # 0 4 6 8 12 16 18 20
    one = Plan("made", (periodic("cell0", 3), cooperative(0, 1)), NOTHING)
    assert covered(system, one) == 4  # 0 6 12 18
    two = Plan("made", (periodic("cell0", 3), periodic("cell2", 8), cooperative(0, 1)), NOTHING)
    assert covered(system, two) == 6  # and 8, 16: 0 only once
    late = Plan("made", (periodic("cell0", 3, first_ms=9), cooperative(0, 1)), NOTHING)
    assert covered(system, late) == 2  # 12 18
    # A divider skips instants of its own tasks, but the cell interrupts.
    skips = Plan("made", (periodic("cell0", 3, divider=4), cooperative(0, 1)), NOTHING)
    assert covered(system, skips) == 4


def test_a_releaser_that_does_not_cooperate_serves_itself() -> None:
    system = make_system([ms(4)], duration=ms(24))
    alone = replace(cooperative(0), cooperates=False)
    assert covered(system, Plan("made", (periodic("cell0", 4), alone), NOTHING)) == 0
    assert covered(system, Plan("made", (cooperative(0),), NOTHING)) == 0
