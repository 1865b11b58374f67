# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Stepped cells that are started anew while an interrupt comes that the kernel never masks."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.system.running import command
from tests.system.support import ROOT, horolog

from horolog.read import read_board

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
    shutil.copy(ROOT / "tests" / "system" / "above" / "above.c", tmp_path)
    (tmp_path / "system.toml").write_text(SYSTEM, encoding="utf-8")
    options = ["--mechanism", "gcd", "--queue", "mask-table", "--json"]
    said = horolog("build", tmp_path / "system.toml", "--out", tmp_path / "out", *options)
    assert said.code == 0, said.out + said.err
    called = command(read_board("mps2-an385"), Path(said.object["horolog"]))
    done = subprocess.run(called, capture_output=True, text=True, check=False, timeout=120)
    verdict = re.search(r"^verdict: (.*)$", done.stdout + done.stderr, flags=re.MULTILINE)
    assert verdict is not None, "the cell was silent until the time was up"
    assert verdict[1] == "all holds"
