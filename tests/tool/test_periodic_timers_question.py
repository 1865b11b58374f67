# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which timer is cheaper: interrupts are counted, and priced by what was measured."""

from __future__ import annotations

from fractions import Fraction

import pytest

pytest.importorskip("matplotlib")

from horolog_experiments.periodic_timers import Results, figures, periodic_timers_page
from horolog_experiments.periodic_timers.figures import CHEAPER, draw_figures
from horolog_experiments.periodic_timers.machine import Interrupt, Log
from horolog_experiments.periodic_timers.paper import PERIODIC, SINGLE_SHOT
from horolog_experiments.periodic_timers.question import (
    ALARMS,
    FOUND,
    MOST,
    THREADS,
    Counted,
    count,
    rate,
    rates,
    stretches,
    together,
)
from horolog_experiments.periodic_timers.results import Check, Price

COSTS = {PERIODIC: 300, SINGLE_SHOT: 400}
NOTHING = {PERIODIC: 70, SINGLE_SHOT: 90}
PRICES = tuple(
    Price(kind, mode, number, many, Fraction(COSTS[mode] * many))
    for kind in (ALARMS, THREADS)
    for mode in COSTS
    for number in range(1, MOST + 1)
    for many in (1, number)
) + tuple(
    Price(kind, mode, 0, 0, Fraction(cycles))
    for kind in (ALARMS, THREADS)
    for mode, cycles in NOTHING.items()
)
PRICES = (
    *PRICES,
    Price(ALARMS, PERIODIC, 1, 0, Fraction(100)),
    Price(ALARMS, PERIODIC, 1, FOUND, Fraction(50)),
    Price(ALARMS, PERIODIC, 2, FOUND, Fraction(50)),
)
BY_KEY = {(one.kind, one.mode, one.number, one.released): one.cycles for one in PRICES}


def test_instants_ticks_and_hops() -> None:
    """Periods of 10 and 11 tenths: 110 tenths, 20 instants, one of both, and a tick each tenth."""
    found = count(THREADS, 28_800, 10_000, 2)
    assert found == Counted(Fraction(11, 100), {2: 1, 1: 19}, 110, 0)
    alone = count(THREADS, 28_800, 10_000, 1, window=3)
    assert alone == Counted(Fraction(3, 100), {1: 3}, 3, 0)


def test_what_sixteen_bits_do_not_reach() -> None:
    """10 s at 115,200 Hz: 1,152,000 counts, 18 interrupts of a periodic cell, 35 hops and the release."""
    found = count(THREADS, 115_200, 10_000_000, 1)
    assert (found.ticks, found.hops) == (18, 35)
    assert count(ALARMS, 115_200, 10_000_000, 1).ticks == 36, "whole counts, below 32,768"
    assert count(ALARMS, 28_800, 1_000, 1).ticks == 0, "28.8 counts"
    assert count(ALARMS, 28_800, 200, 1).ticks == 0


def test_what_is_counted_beyond_sixteen_bits() -> None:
    """9 ticks of 32,000 counts: 65,535 are over at the third, the sixth, and the ninth, which is due."""
    found = count(ALARMS, 28_800, 10_000_000, 1)
    assert (found.ticks, found.looks, found.found) == (9, 2, 1)
    assert rate(BY_KEY, ALARMS, PERIODIC, 1, found) * 10 == 300 + 8 * 70 + 2 * 30 + 50
    nearly = count(ALARMS, 28_800, 5_000_000, 1)
    assert (nearly.ticks, nearly.looks, nearly.found) == (5, 1, 0), (
        "the third; two more are near enough"
    )
    assert count(THREADS, 28_800, 10_000_000, 1).looks == 0


def test_rates() -> None:
    counted = Counted(Fraction(1, 2), {2: 1, 1: 3}, 10, 4)
    assert rate(BY_KEY, THREADS, PERIODIC, 2, counted) == 2 * (600 + 900 + 6 * 70)
    assert rate(BY_KEY, THREADS, SINGLE_SHOT, 2, counted) == 2 * (800 + 1_200 + 4 * 90)
    between = Counted(Fraction(1), {2: 1}, 1, 0)
    assert rate(BY_KEY, THREADS, PERIODIC, 3, between) == 600, "between those of one and of three"


def test_what_cannot_be_done_has_no_rate() -> None:
    assert set(rates(BY_KEY, THREADS, 7_200, 100, 1).values()) == {None}, "0.72 counts"
    found = rates(BY_KEY, THREADS, 7_200, 1_000, 2)
    assert (found[PERIODIC], found[SINGLE_SHOT] is not None) == (None, True), (
        "a tick of 0.72 counts"
    )
    found = rates(BY_KEY, THREADS, 28_800, 10_000, 1)
    assert found == {PERIODIC: 30_000, SINGLE_SHOT: 40_000}
    found = rates(BY_KEY, ALARMS, 28_800, 1_000, 1)
    assert found == {PERIODIC: None, SINGLE_SHOT: 400_000}, "28.8 counts"


def test_stretches_of_interrupts() -> None:
    """One that comes while a thread runs that another has released belongs to its stretch."""
    interrupts = [Interrupt(12, 100, 900), Interrupt(12, 300, 400), Interrupt(12, 1_000, 1_050)]
    assert together(interrupts) == [(100, 900), (1_000, 1_050)]
    log = Log(((150, 1), (350, 1)), tuple(interrupts), ())
    assert stretches(log, 2_000) == [(2, 800), (0, 50)]
    assert stretches(log, 500) == [(2, 800)]


def test_it_is_drawn_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_GRID_US", (100, 10_000))
    checks = (Check(THREADS, PERIODIC, 28_800, 10_000, 2, Fraction(1_000), Fraction(1_010)),)
    results = Results(prices=PRICES, checks=checks, refused=(("a plan", "no costs"),))
    page = periodic_timers_page(results)
    assert "| threads | 28,800 Hz | 10 | 2 | periodic | 1,000 | 1,010 | +1 % |" in page
    assert "| a plan | no costs |" in page
    assert f"{CHEAPER}.svg" in draw_figures(results)
