# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Alarms, chronometer and wall clock on every board: alarms/main.c says what it saw."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.plain_cmake import build, options, run
from tests.system.running import ROOMY
from tests.system.support import ROOT

pytestmark = pytest.mark.emulator

SEEN = (
    "given in time",
    "given in time",
    "given in time",
    "five ticks",
    "three tokens",
    "a pulse",
    "in time",
    "three more",
    "wall clock",
    "chronometer",
)


@pytest.mark.parametrize("name", ROOMY)
def test_time_services(name: str, tmp_path: Path) -> None:
    build(ROOT / "tests" / "system" / "alarms", tmp_path, *options(name))
    assert run(name, tmp_path / "alarms.elf") == "".join(f"{what}: yes\n" for what in SEEN)
