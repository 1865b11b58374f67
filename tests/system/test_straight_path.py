# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A one-shot cell's handler that switches where it ends goes to the most urgent thread, wherever it comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.running import verdict
from tests.system.support import ROOT

pytestmark = pytest.mark.emulator

SYSTEM = """
[system]
name = "inversion"
board = "mps2-an385"
priorities = "explicit"
cells = ["timer0"]
start = "start_threads"
duration = "1 s"
sources = ["inversion.c"]

[[task]]
name = "giver"
period = "400000 ns"
wcet = "10 us"
body = "giver"
priority = 1

[[task]]
name = "middle"
period = "400040 ns"
wcet = "10 us"
body = "middle"
priority = 2

[[task]]
name = "distant"
period = "1 s"
offset = "10 ms"
wcet = "1 us"
body = "distant"
priority = 4
"""


def test_what_a_give_has_woken_goes_first(tmp_path: Path) -> None:
    """Between the give's unlock and its request of the switch, too."""
    source = ROOT / "tests" / "system" / "inversion" / "inversion.c"
    options = ("--mechanism", "one-shot", "--queue", "sorted-list")
    assert verdict(tmp_path, SYSTEM, source, *options) == "all holds"
