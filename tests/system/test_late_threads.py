# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""On the board threads that were kept from running for minutes go on at their instants; emulated time."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.plain_cmake import build, options, project, run
from tests.system.support import BOARD, ROOT

pytestmark = pytest.mark.emulator

MAIN = ROOT / "tests" / "system" / "late" / "main.c"


def test_suspended_for_three_minutes_they_go_on_at_their_instants(tmp_path: Path) -> None:
    build(project(tmp_path / "project", "", MAIN), tmp_path / "out", *options(BOARD))
    assert run(BOARD, tmp_path / "out" / "plain.elf") == (
        "not before\nthe sleeper is on time\nthe waiter is on time\n"
    )
