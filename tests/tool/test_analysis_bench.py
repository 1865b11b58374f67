# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `analysis`: its draws, the oracle, one system of each kind run, and terms that are left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.model import HorologError, Kind
from horolog.plan import plan
from horolog.responses import analysis_of
from horolog_experiments.analysis.measure import (
    DROPPED,
    Case,
    Large,
    Seen,
    case_of,
    measure_case,
    system_of,
)
from horolog_experiments.analysis.oracle import differing, drawn, theirs
from horolog_experiments.analysis.page import TARGETS, Analysed, analysis_page
from horolog_experiments.harness import entries


def test_the_analysis_equals_the_oracle() -> None:
    assert differing(300) == ()


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(sources: object) -> list[int | None]:
        found = theirs(drawn(3))
        return [None if one is None else one + 1 for one in found]

    monkeypatch.setattr("horolog_experiments.analysis.oracle.theirs", wrong)
    assert differing(2) == (0, 1)


def test_draws_depend_on_their_number_alone() -> None:
    assert case_of(7, "host") == case_of(7, "host") != case_of(8, "host")
    system = system_of(case_of(5, "host"))
    assert system.tasks == system_of(case_of(5, "host")).tasks
    assert system.utilisation <= Fraction(case_of(5, "host").load, 100) + Fraction(1, 10)


@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_no_response_on_the_host_is_above_its_bound(kind: str, tmp_path: Path) -> None:
    case = Case(0, "host", kind, "one-shot", 6, "random", True, 60)
    seen = measure_case(case, tmp_path)
    assert (seen.state, seen.above) == ("measured", 0)
    assert seen.bounds == 6
    assert 0 < seen.ratios <= 6


@pytest.mark.emulator
def test_on_the_board_the_kernel_is_needed_in_the_bound(tmp_path: Path) -> None:
    """Without offsets the worst case happens at the start; a bound without the kernel's work is below it."""
    case = Case(0, "mps2-an385", "thread", "gcd", 6, "none", False, 50)
    seen = measure_case(case, tmp_path)
    assert (seen.state, seen.above) == ("measured", 0)
    assert seen.dropped is not None
    assert seen.dropped["all of the kernel"] > 0
    assert seen.dropped["others of the level"] >= 0


@pytest.mark.parametrize("name", DROPPED)
def test_without_a_term_no_bound_is_longer(name: str) -> None:
    system = system_of(Case(1, "host", "basic", "one-shot", 12, "none", True, 60))
    try:
        chosen = plan(system).choice
    except HorologError:
        pytest.skip("no plan")
    demand = analysis_of(system, chosen).demanded.demand
    from horolog.schedulability import response_bounds

    def by_task(of: object) -> dict[int, int]:
        return {one.task: one.response or 0 for one in response_bounds(of)}  # type: ignore[arg-type]

    before, after = by_task(demand), by_task(DROPPED[name](demand))
    assert all(after[task] <= before[task] for task in after)


def test_the_page_has_targets_and_rows() -> None:
    case = case_of(0, "host")
    seen = Seen(case, "measured", True, 0, 5, 0, 0, Fraction(4), dict.fromkeys(DROPPED, 1))
    failed = replace(seen, state="never idle")
    found = Analysed(10, (), (seen, failed), (Large("primes", False, True, 1.0),))
    targets = {one["name"]: one for one in entries(TARGETS, found)}
    assert len(targets) == 7
    assert targets["responses above their bound, 1,000 systems"]["met"]
    assert targets["mean of largest measured response / bound, synchronous systems"][
        "measured"
    ] == pytest.approx(0.8)
    page = analysis_page(found)
    assert page.index("## Targets") < page.index("## Measured")
    assert "| blocking | 1 | 1 |" in page
