# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Sporadic tasks: one activated by an interrupt, one by the application; each end comes within its bound.

Activations by the application are not seen from outside, so the bodies measure responses, too, and stop the
run at one too long.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.activated_tasks import bounds_in_counts, decode_and_keep, longest_jobs
from tests.system.support import BOARD, horolog

from horolog.read import read_system

_DESCRIPTION = """\
[system]
name = "parse"
board = "{board}"
duration = "140 ms"
priorities = "explicit"
sources = ["bodies.c"]
start = "begin"

[[task]]
name = "talk"
period = "2 ms"
offset = "700 us"
wcet = "20 us"
body = "talk"
priority = 3

[[task]]
name = "urgent"
period = "1 ms"
work = 3000
priority = 9

[[task]]
name = "decode"
min_gap = "1900 us"
activated_by = "interrupt received"
body = "decode"
stack = 1_024  # it may report a fault
wcet = "300 us"
priority = 5

[[task]]
name = "keep"
min_gap = "7 ms"
body = "keep"
stack = 1_024  # it may report a fault
wcet = "100 us"
priority = 1

[[interrupt]]
name = "received"
line = {line}
priority = 2
min_gap = "1900 us"
handler = "on_byte"
wcet = "100 us"
"""
_ACTIVATED = "#include <hrl/semaphore.h>\n\nextern struct hrl_semaphore activate_keep;\n"
_BEGIN = "\nvoid begin(void);\nvoid begin(void)\n{\n    bytes = 0;\n}\n"


def described(folder: Path, board: str, line: int, **most: int) -> Path:
    text = decode_and_keep(line, _ACTIVATED, "hrl_semaphore_give(&activate_keep)", **most)
    (folder / "bodies.c").write_text(text + _BEGIN, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(_DESCRIPTION.format(board=board, line=line), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("board", "line"),
    [
        pytest.param(BOARD, 24, marks=pytest.mark.emulator),
        pytest.param("ibex-cells", 30, marks=pytest.mark.emulator),
        ("host", 9),
    ],
)
def test_every_activation_ends_within_its_bound(board: str, line: int, tmp_path: Path) -> None:
    bounds = bounds_in_counts(read_system(described(tmp_path, board, line)))
    most = {name: bounds[name] for name in ("decode", "keep")}
    path = described(tmp_path, board, line, **most)
    said = horolog("run", path, "--json", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    result = said.object
    assert result["horolog"]["jobs"] == 210, "of the tasks that time releases"
    (note,) = (one for one in result["notes"] if "are not measured" in one)
    seen = ["decode"] * (board != "host")
    assert note.startswith("responses of keep" if seen else "responses of decode, keep")
    clock = read_system(path).board.clock.hz
    for name in seen:
        response = result["horolog"]["response"][name]
        assert 0 < response["min_ns"] <= response["max_ns"] <= most[name] * 10**9 / clock
    longest = longest_jobs(tmp_path / "out")
    assert longest[3] > 0, "decode ran"
    assert longest[4] > 0, "so did keep"
    fifth = {name: bound // 5 for name, bound in most.items()}
    late = horolog("run", described(tmp_path, board, line, **fifth), "--out", tmp_path / "out")
    assert late.code == 4
    assert "later than its bound" in late.err


@pytest.mark.emulator
def test_no_other_kernel_runs_them(tmp_path: Path) -> None:
    path = described(tmp_path, BOARD, 24)
    said = horolog("compare", path, "--json", "--out", tmp_path / "out")
    assert said.code == 0
    assert said.object["freertos"] is None
    assert "which FreeRTOS does not have" in said.object["ratio_refused"]
