# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A system behind a prescaler, on the host port in virtual time: jobs start with the counts of releases."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import measured

from horolog.analyse import count_instant
from horolog.data import data_root
from horolog.plan import plan_moving
from horolog.read import read_system
from horolog.trace import jobs

SYSTEM = """\
[system]
name = "behind"
board = "./board.toml"
duration = "1 s"

[[task]]
name = "a"
period = "10 ms"
work = 1

[[task]]
name = "b"
period = "1.1 ms"
offset = "300 us"
work = 1

[[task]]
name = "c"
period = "70 ms"
work = 1

[prescalers]
clock = {prescaler}
"""
CHANGES = (
    ("hz = 25_000_000\n", "hz = 7_372_800\nprescalers = [1, 8, 64, 256, 1024]\n"),
    ("[plain]\n", "[plain]\nprescaler = 64\n"),
)


@pytest.mark.parametrize(("prescaler", "mechanism"), [(1024, "one-shot"), (64, "chronos")])
def test_no_release_is_off_by_a_count(prescaler: int, mechanism: str, tmp_path: Path) -> None:
    """At 7.2 kHz 1.1 ms are 7.92 counts."""
    text = (data_root() / "boards" / "host" / "board.toml").read_text(encoding="utf-8")
    for old, new in CHANGES:
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM.format(prescaler=prescaler), encoding="utf-8")
    system, planned = plan_moving(read_system(path), mechanism=mechanism)
    hz = 7_372_800 // prescaler
    assert system.board.clock.hz == hz
    run = measured(system, planned.choice, tmp_path / "out")
    taken = run.side.interrupts
    assert taken.taken + taken.coalesced == planned.choice.prediction.interrupts
    assert run.side.overruns == run.side.deadline_misses == 0
    found = jobs(run.trace, system)
    assert len(found) == 100 + 909 + 15
    count = Fraction(10**9, hz)
    for job in found:
        assert job.start_ns is not None
        nominal = count_instant(job.release_ns / 10**9, hz) * count
        # Instants as near as HRLP_CELL_EARLY_COUNTS are served at once; a body may be in the way.
        assert -2 * count <= job.start_ns - nominal <= 2 * count
