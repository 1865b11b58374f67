# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Generated systems with threads of the application's own, which sleep and time out: examples/logger."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.system.support import ROOT, Said, horolog

pytestmark = pytest.mark.emulator

_BOARDS = ["mps2-an385", "mps2-an386", "host"]
# Of 100 readings those whose number is 0 or 1 modulo 4 are sent; then nothing comes for 30 ms.
_WRITTEN, _SILENCES = 50, 25
_CHECK = """
#include <hrl/hooks.h>
void check(void);
void check(void)
{
    if (logger_written != %du || logger_silences != %du || logger_lost != 0u) {
        hrl_assert_hook("wrong counts", __FILE__, __LINE__);
    }
}
"""
_TASK = """
[[task]]
name = "check"
period = "1 s"
offset = "995 ms"
wcet = "20 us"
body = "check"
"""


def run(folder: Path, board: str, written: int) -> Said:
    """The example with a task that looks at its counts 5 ms before the end."""
    shutil.copytree(ROOT / "examples" / "logger", folder / "logger")
    description, source = folder / "logger" / "system.toml", folder / "logger" / "logger.c"
    description.write_text(description.read_text(encoding="utf-8") + _TASK, encoding="utf-8")
    check = _CHECK % (written, _SILENCES)
    source.write_text(source.read_text(encoding="utf-8") + check, encoding="utf-8")
    return horolog("run", description, "--board", board, "--out", folder / "out")


@pytest.mark.parametrize("board", _BOARDS)
def test_messages_arrive_and_waits_time_out(board: str, tmp_path: Path) -> None:
    said = run(tmp_path, board, _WRITTEN)
    assert said.code == 0, said.err
    result = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    side = result["horolog"]
    assert side["jobs"] == 100 + 500 + 1
    assert side["deadline_misses"] == 0
    assert side["interrupts"]["taken"] == side["interrupts"]["predicted"]
    assert any("not predicted" in note for note in result["notes"])


def test_wrong_counts_would_be_seen(tmp_path: Path) -> None:
    said = run(tmp_path, "mps2-an385", _WRITTEN + 1)
    assert said.code == 4
    assert "wrong counts" in said.err


def test_freertos_is_not_asked(tmp_path: Path) -> None:
    said = horolog("compare", ROOT / "examples" / "logger" / "system.toml", "--out", tmp_path)
    assert said.code == 0, said.err
    words = " ".join(said.out.split())  # wherever the lines end
    assert "the application calls Horolog's services, which FreeRTOS does not have" in words
