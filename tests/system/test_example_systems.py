# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The systems that new users brought, beside every side of FreeRTOS that can express them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.support import ROOT, horolog_process

pytestmark = [pytest.mark.emulator, pytest.mark.usefixtures("freertos")]


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("motor", {"notify"}),  # no tick of up to 10 kHz comes near 50 us
        pytest.param("battery", {"stock", "rate-group", "notify"}, marks=pytest.mark.soak),
        # A block is no whole number of counts long: no timer of FreeRTOS has it, and a tick is 0.004 % off.
        pytest.param("audio", {"stock", "rate-group"}, marks=pytest.mark.soak),
    ],
)
def test_it_is_compared(tmp_path: Path, name: str, sides: set[str]) -> None:
    path = ROOT / "examples" / name / "system.toml"
    said = horolog_process("compare", path, "--out", tmp_path / "out", "--json", folder=tmp_path)
    assert said.code == 0, said.err
    found = said.object
    sides_of = {"stock": found["freertos"]}
    sides_of |= {key: one["side"] for key, one in found["baselines"].items()}
    theirs = {key: one for key, one in sides_of.items() if one is not None}
    assert theirs.keys() == sides
    for one in (found["horolog"], found["basic"], *theirs.values()):
        assert one["deadline_misses"] == 0
        assert one["overruns"] == 0
        assert one["jobs"] == found["horolog"]["jobs"]
    assert found["strongest"]["baseline"] in sides
