# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog bench tables`: some of its scenarios, compared with the evidence of all."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.conftest import LOUD
from tests.system.support import ROOT

from horolog.build.freertos import freertos_source
from horolog_experiments.dispatch.scenarios import MAXPERF, MPS2, OURS, Platform, Span
from horolog_experiments.tables import DATA, Results, measure_tables
from horolog_experiments.tables.scenarios import Monitor, table_name

MEASURED = ROOT / "docs" / "evidence" / "tables" / "measured.json"
TABLE = table_name("table", 2, Monitor.ONE)
SOME = (TABLE, "tick-idle")


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
    assert part.spans.items() <= _evidence(part).spans.items(), "regenerate: horolog bench tables"
