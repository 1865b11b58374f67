# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Stepped cells that are started anew while an interrupt comes that the kernel never masks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.running import verdict
from tests.system.support import ROOT

pytestmark = pytest.mark.emulator

SYSTEM = """
[system]
name = "above"
board = "mps2-an385"
priorities = "explicit"
cells = ["systick"]
start = "prepare"
duration = "1 s"
sources = ["above.c"]

[[task]]
name = "third"
period = "3 kHz"
wcet = "10 us"
body = "third"
priority = 1
"""


def test_a_start_that_is_interrupted_is_made_anew(tmp_path: Path) -> None:
    """Else all releases are as late as the interrupt was long, or the timer's count wraps."""
    source = ROOT / "tests" / "system" / "above" / "above.c"
    options = ("--mechanism", "gcd", "--queue", "mask-table")
    assert (
        verdict(tmp_path, SYSTEM, source, *options) == "all holds"
    )  # None: the cell was silent until the time was up
