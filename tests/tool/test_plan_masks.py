# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Masks beside delay queues cost the queues' threads something: the plan takes both only if that pays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from horolog.model import MASK_STORES, QUEUES, Kind, Plan, System
from horolog.plan import Prices, plan, read_prices
from horolog_experiments.irregular.families import cases, system_of

SEED, NUMBER = 8, 8


@pytest.fixture(scope="module")
def system() -> System:
    """4 tasks of prime periods on three cells: some suit a table, the others a list."""
    return system_of(cases(NUMBER + 1, SEED)[NUMBER], Kind.THREAD, SEED)


def with_masks_at(system: System, price: int) -> Prices:
    prices = read_prices(system.board)
    return replace(prices, costs=replace(prices.costs, masks=Fraction(price)))


def kinds(choice: Plan) -> set[str]:
    stores = {releaser.store for releaser in choice.releasers}
    return {
        name
        for name, of in (("masks", MASK_STORES), ("queues", QUEUES))
        if not stores.isdisjoint(of)
    }


def test_stores_are_mixed_where_that_costs_nothing(system: System) -> None:
    made = plan(system, mechanism="mixed", prices=with_masks_at(system, 0))
    assert kinds(made.choice) == {"masks", "queues"}


def test_stores_are_not_mixed_where_that_costs_more_than_it_saves(system: System) -> None:
    made = plan(system, mechanism="mixed", prices=with_masks_at(system, 20))
    assert len(kinds(made.choice)) == 1
    reasons = {one.reason for one in made.choice.queues}
    assert any("masks beside delay queues would cost more" in reason for reason in reasons)
    mixed = plan(system, mechanism="mixed", prices=with_masks_at(system, 0)).choice
    free = made.choice.prediction.kernel_instructions
    assert free > mixed.prediction.kernel_instructions  # what masks save is not had
