# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Distinct instants and harmonic chains, against counting and trying."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import lcm

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_system, ms

from horolog.analyse import streams
from horolog.plan.bounds import bounds_of, instant_density
from horolog.plan.instants.density import union_density
from horolog.plan.instants.interrupts import one_shot_rate
from horolog.plan.instants.residue_classes import Residues, holds
from horolog.plan.mapping.grouping import frame
from horolog.plan.mapping.harmonic_chains import harmonic_chains

_classes = st.lists(
    st.integers(1, 40).flatmap(lambda p: st.tuples(st.just(p), st.integers(0, p - 1))),
    min_size=1,
    max_size=7,
)


@settings(max_examples=300, deadline=None)
@given(_classes)
def test_the_density_is_what_counting_finds(rows: list[Residues]) -> None:
    cycle = lcm(*(period for period, _ in rows))
    assume(cycle <= 50_000)
    counted = sum(any((at - o) % p == 0 for p, o in rows) for at in range(cycle))
    found = union_density(rows)
    assert found.exact
    assert found.low == Fraction(counted, cycle)
    some = union_density(rows, most_terms=2)
    tight = union_density(rows, most_terms=2, tight=True)
    assert some.low <= tight.low <= found.low <= tight.high == some.high


def test_the_density_of_the_papers_set() -> None:
    found = bounds_of(make_system([ms(p) for p in (3, 5, 7, 11, 6, 77)]))
    assert found.instants_low == found.instants_high == Fraction(45_000, 77)  # 584.4


def test_the_density_is_a_one_shot_cells_rate() -> None:
    system = make_system([ms(p) for p in (4, 6, 10)], offsets=[ms(o) for o in (1, 2, 0)])
    of = streams(system)
    density = instant_density(frame(of, 25_000_000, 1, 1))
    assert density.low == one_shot_rate(of, 25_000_000, 1 << 31)[0]


def test_too_many_intersections_leave_an_interval() -> None:
    rows = [(prime_power, 0) for prime_power in range(1001, 1400, 2)]
    found = union_density(rows, most_terms=500)
    assert 0 < found.low < found.high < 1
    tight = union_density(rows, most_terms=500, tight=True)
    assert found.low < tight.low < tight.high == found.high


def fewest(rows: list[Residues]) -> int:
    """By trying: each row, in order, behind every chain that it may follow."""
    best = len(rows)

    def place(at: int, chains: list[Residues]) -> None:
        nonlocal best
        if at == len(rows):
            best = min(best, len(chains))
            return
        for number, last in enumerate(chains):
            if holds(last, rows[at]):
                place(at + 1, [*chains[:number], rows[at], *chains[number + 1 :]])
        place(at + 1, [*chains, rows[at]])

    place(0, [])
    return best


_few = st.lists(
    st.sampled_from((2, 3, 4, 5, 6, 8, 10, 12, 16, 24)).flatmap(
        lambda p: st.tuples(st.just(p), st.integers(0, p - 1))
    ),
    min_size=1,
    max_size=7,
)


@settings(max_examples=300, deadline=None)
@given(_few, st.booleans())
def test_there_are_no_fewer_chains(rows: list[Residues], in_phase: bool) -> None:
    rows = sorted((p, 0 if in_phase else o) for p, o in rows)
    found = harmonic_chains(rows)
    assert sorted(at for chain in found for at in chain) == list(range(len(rows)))
    for chain in found:
        assert all(holds(rows[one], rows[other]) for one, other in pairwise(chain))
    assert len(found) == fewest(rows)


def test_chains_of_many_streams() -> None:
    # Those above 500 divide none of each other, and each chain k, 2k, 4k, ... ends in one of them.
    assert len(harmonic_chains([(k, 0) for k in range(1, 1001)])) == 500
    assert len(harmonic_chains([(1 << k, 0) for k in range(300)])) == 1
