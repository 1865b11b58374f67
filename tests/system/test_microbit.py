# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""microbit, a Cortex-M0 with 16 KiB: a description beside FreeRTOS, the tick of which comes from TIMER0."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.support import ROOT, horolog

pytestmark = pytest.mark.emulator

ENGINE = ROOT / "examples" / "engine-20" / "system.toml"
JOBS = 2 * (1000 + 600 + 300 + 20 + 50 + 1)


@pytest.mark.freertos
def test_engine_20_beside_freertos(freertos: Path, tmp_path: Path) -> None:
    said = horolog("compare", ENGINE, "--json", "--out", tmp_path, "--baseline", "stock")
    assert said.code == 0, said.err
    ours, theirs = said.object["horolog"], said.object["freertos"]
    for side in (ours, theirs):
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (JOBS, 0, 0)
        assert "?" not in side["instructions"]["by_function"]
    assert ours["instructions"]["bodies"] == theirs["instructions"]["bodies"]
    assert theirs["interrupts"]["taken"] == 2000  # the tick is exact, with a counter that runs free
    assert said.object["ratio"] > 2
