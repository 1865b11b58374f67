# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The runner of the board pico, without its simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.tool.test_run_simavr import IMAGE, LEFT, PLAN, SYSTEM, TRACE

from horolog.measure.measured import HOROLOG, Kernel
from horolog.model import HorologError, Runner
from horolog.programs import Finished
from horolog.run import rp2040
from horolog.run.rp2040 import run_on_rp2040

RUNNER = Runner("rp2040js", "rp2040", None, None, ns_per_cycle=8)


def test_the_watcher_runs_the_simulator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands: list[str] = []

    def simulator(command: Sequence[str], **how: Any) -> Finished:
        commands[:] = [*command, str(how["seconds"])]
        (tmp_path / "horolog.trace").write_text(TRACE, encoding="ascii")
        (tmp_path / "horolog.counts").write_text(LEFT, encoding="ascii")
        return Finished(0, "", "")

    monkeypatch.setattr(rp2040, "call", simulator)
    monkeypatch.setattr(rp2040, "read_image", lambda path: IMAGE)
    monkeypatch.setattr(rp2040, "rp2040_watcher", lambda: Path("/cache/watcher"))
    monkeypatch.setattr(rp2040, "rp2040_simulator", lambda: ["/bin/node", "main.cjs"])
    monkeypatch.setattr("horolog.measure.watched.marks_of", lambda *of: ())
    system = replace(SYSTEM, board=replace(SYSTEM.board, runner=RUNNER))
    elf, watch = tmp_path / "horolog.elf", tmp_path / "horolog.watch"
    found = run_on_rp2040(system, PLAN, Kernel(HOROLOG, "made"), elf, tmp_path)
    assert commands == [
        *("/cache/watcher", str(watch), "/bin/node", "main.cjs", "--elf", str(elf)),
        "65",  # seconds: of these five for 20 ms
    ]
    assert watch.read_text(encoding="ascii").startswith("ns_per_instruction 8\n")
    assert found.unit == "cycles"


def test_a_board_says_what_a_cycle_lasts(tmp_path: Path) -> None:
    board = replace(SYSTEM.board, runner=replace(RUNNER, ns_per_cycle=None))
    with pytest.raises(HorologError, match="ns_per_cycle"):
        run_on_rp2040(
            replace(SYSTEM, board=board),
            PLAN,
            Kernel(HOROLOG, "made"),
            tmp_path / "horolog.elf",
            tmp_path,
        )
