# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""No handler on the emulator is longer than the plan says, whatever the mechanism and the store."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import made_system, ms, task

from horolog.calibrate.handler_lengths import handler_lengths
from horolog.model import System
from horolog.plan import plan

pytestmark = pytest.mark.emulator


def tidy() -> System:
    """Four periods without a common multiple that is short, seven tasks each, all released at once."""
    return made_system(
        [task(f"t{at}", ms((3, 5, 7, 11)[at % 4])) for at in range(28)], duration=ms(500)
    )


def harmonic() -> System:
    return made_system(
        [task(f"t{at}", ms(5 * 2 ** (at % 4)), offset=ms(5 * (at % 2))) for at in range(20)],
        duration=ms(500),
    )


def scattered() -> System:
    """Each alone at its instants, some microseconds from the next: one handler may serve several."""
    return made_system(
        [
            task(f"t{at}", ms(4 + at), offset=Fraction(at * 7_480, 10**9), priority=None)
            for at in range(16)
        ],
        duration=ms(500),
    )


CASES = [
    (tidy, "chronos", "mask-table"),
    (tidy, "chronos", "period-groups"),
    (tidy, "tick", "period-groups"),
    (tidy, "tick", "sorted-list"),
    (tidy, "one-shot", "sorted-list"),
    (tidy, "one-shot", "calendar"),
    (tidy, "one-shot", "period-groups"),
    (tidy, "chronos-harmonic", None),
    (tidy, "chronos-const", None),
    (tidy, "mixed", None),
    (tidy, "mixed", "red-black-tree"),
    (harmonic, "chronos-harmonic", None),
    (harmonic, "gcd", "mask-table"),
    (harmonic, "one-shot", "mask-table"),
    (harmonic, "one-shot", "array-heap"),
    (scattered, "one-shot", "sorted-list"),
    (scattered, "one-shot", "calendar"),
    (scattered, "one-shot", "period-groups"),
]
_NO_LOOSER = Fraction(3, 2)
"""Of what was measured, where each instant has an interrupt of its own."""


@pytest.mark.parametrize(
    ("made", "mechanism", "store"),
    CASES,
    ids=[f"{made.__name__}-{mechanism}-{store}" for made, mechanism, store in CASES],
)
@pytest.mark.xdist_group("handler-bounds")
def test_no_handler_is_longer_than_its_bound(
    made: object, mechanism: str, store: str | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert callable(made)
    system: System = made()
    chosen = plan(system, mechanism=mechanism, queue=store).choice
    folder = Path(tmp_path_factory.getbasetemp()) / "handlers"  # the kernel is compiled once
    measured = handler_lengths(system, chosen, folder)
    for bound in chosen.handlers:
        seen = measured[bound.cell]
        assert seen.runs > 0
        assert bound.longest is not None, bound.why
        assert seen.longest <= bound.longest
        if made is not scattered and mechanism != "mixed":
            assert bound.longest <= _NO_LOOSER * seen.longest
