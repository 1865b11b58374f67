# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench tables`: some of its scenarios and few of its rounds, compared with the evidence of all."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT

from horolog.build.freertos import freertos_source
from horolog_experiments.dispatch.scenarios import MAXPERF, MPS2, OURS, Platform, Span
from horolog_experiments.tables import DATA, Results, measure_tables
from horolog_experiments.tables.holds import HELD, MISSED, Held, hold_on_board, hold_on_host
from horolog_experiments.tables.scenarios import Monitor, table_name
from horolog_experiments.tables.schedules import calls_name
from horolog_experiments.tables.sync import DISPATCHER, PRECISION, SCHEDULE, follow

MEASURED = ROOT / "docs" / "evidence" / "tables" / "measured.json"
TABLE = table_name("table", 2, Monitor.ONE)
SOME = (TABLE, "tick-idle", calls_name("clock"))


def _evidence(part: Results) -> Results:
    evidence = DATA.read(MEASURED.read_text(encoding="utf-8"))
    if evidence.toolchain != part.toolchain:
        pytest.skip(
            f"{LOUD}: docs/evidence/tables holds for {evidence.toolchain}, here is {part.toolchain}"
        )
    return evidence


@pytest.mark.emulator
@pytest.mark.golden
@pytest.mark.parametrize("platform", [MAXPERF, MPS2], ids=lambda platform: platform.name)
def test_a_part_of_the_run_is_a_part_of_the_evidence(platform: Platform, tmp_path: Path) -> None:
    part = measure_tables(tmp_path, lambda text: None, platforms=[platform], names=SOME)
    expected = 4 if freertos_source() is not None else 2
    assert len(part.spans) == expected
    ours = part.span(platform.name, OURS, TABLE, Span.START)
    assert ours is not None
    assert ours.samples == 1000
    evidence = _evidence(part)
    assert part.spans.items() <= evidence.spans.items(), "regenerate: horolog bench tables"
    assert {key[2] for key in part.calls} == {"start", "state", "stop"}
    assert part.calls.items() <= evidence.calls.items(), "regenerate: horolog bench tables"


@pytest.mark.golden
def test_rounds_on_the_host_port(tmp_path: Path) -> None:
    """Deadlines that hold cause no interrupt; one that is missed in each round is counted each time."""
    assert hold_on_host(HELD, 500, tmp_path / "held") == Held(500, 1500, 1500, 0, 0, 0)
    missed = hold_on_host(MISSED, 1000, tmp_path / "missed")
    assert missed == Held(1000, 3000, 3000, 1000, 0, 0)


@pytest.mark.golden
@pytest.mark.parametrize(
    ("table", "ppm"),
    [
        (SCHEDULE, 200),
        (DISPATCHER, -200),
        pytest.param(SCHEDULE, -200, marks=pytest.mark.soak),
        pytest.param(DISPATCHER, 200, marks=pytest.mark.soak),
    ],
)
def test_a_table_converges_to_a_global_time(ppm: int, table: str, tmp_path: Path) -> None:
    """It starts 2,000 counts late, and a round makes up for at most 200 of them."""
    found = follow(table, ppm, True, 1, tmp_path)
    assert found.settled is not None
    assert found.worst <= PRECISION
    errors = [error for _, error in found.shown]
    assert max(after - error for error, after in pairwise(errors)) in range(185, 215)
    evidence = DATA.read(MEASURED.read_text(encoding="utf-8"))
    measured = evidence.following if table == SCHEDULE else evidence.dispatched
    assert found.shown == measured[ppm, True].shown, "regenerate: horolog bench tables"


@pytest.mark.emulator
@pytest.mark.golden
def test_rounds_on_the_simulated_core(tmp_path: Path) -> None:
    held, _ = hold_on_board(HELD, MAXPERF, 100, tmp_path)
    assert (held.interrupts, held.drift, held.jobs) == (0, 0, 300)
    missed, _ = hold_on_board(MISSED, MAXPERF, 100, tmp_path)
    assert (missed.interrupts, missed.drift, missed.jobs) == (100, 0, 300)
