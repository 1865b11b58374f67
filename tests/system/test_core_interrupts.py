# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts of an application on several cores, and the tasks that they activate, on the RTL."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest
from tests.support.activated_tasks import decode_and_keep
from tests.system.support import horolog

_ACTIVATED = """\
[system]
name = "parse"
board = "ibex-cells-x2"
duration = "20 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "calm"
period = "1 ms"
work = 300
priority = 5
core = 0

[[task]]
name = "ring"
period = "2 ms"
offset = "300 us"
wcet = "10 us"
body = "ring"
priority = 3
core = 0

[[task]]
name = "talk"
period = "2 ms"
offset = "700 us"
wcet = "20 us"
body = "talk"
priority = 3
core = 1

[[task]]
name = "urgent"
period = "1 ms"
work = 300
priority = 9
core = 1

[[task]]
name = "decode"
min_gap = "1900 us"
activated_by = "interrupt received"
body = "decode"
stack = 1_024  # it may report a fault
wcet = "300 us"
priority = 5

[[task]]
name = "note"
activated_by = "task decode"
work = 100
priority = 4

[[task]]
name = "keep"
min_gap = "7 ms"
body = "keep"
stack = 1_024  # it may report a fault
wcet = "100 us"
priority = 1
core = 1

[[task]]
name = "spark"
kind = "basic"
min_gap = "1900 us"
activated_by = "interrupt ringing"
work = 50
priority = 2

[[interrupt]]
name = "received"
line = 29
priority = 2
min_gap = "1900 us"
handler = "on_byte"
wcet = "100 us"
core = 1

[[interrupt]]
name = "ringing"
line = 28
priority = 1
min_gap = "1900 us"
work = 20
core = 0
"""
_KEEPS = "#include <hrl/semaphore.h>\n\nextern struct hrl_semaphore activate_keep;\n"
_RINGS = """
void ring(void);
void ring(void)
{
    (void)hrl_interrupt_raise(28);
}
"""


def described(folder: Path, **most: int) -> Path:
    """A system with interrupts of both cores; `most` as decode_and_keep has it."""
    text = decode_and_keep(29, _KEEPS, "hrl_semaphore_give(&activate_keep)", **most)
    (folder / "bodies.c").write_text(text + _RINGS, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(_ACTIVATED, encoding="utf-8")
    return path


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_each_core_has_its_interrupts_and_what_they_activate(tmp_path: Path) -> None:
    found = horolog("analyse", described(tmp_path), "--json").object
    bounds = {
        row["name"]: row["bound_ns"] for one in found["cores"] for row in one["analysis"]["tasks"]
    }
    assert {*bounds} == {"calm", "ring", "talk", "urgent", "decode", "note", "keep", "spark"}
    most = {name: ceil(bounds[name] / 20) for name in ("decode", "keep")}  # cycles
    path = described(tmp_path, **most)
    said = horolog("run", path, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    for one in said.object["cores"]:
        side = one["horolog"]
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (30, 0, 0)
        assert side["interrupts"]["predicted"] == side["interrupts"]["taken"] == 30
    seen = said.object["horolog"]["response"]
    assert {*bounds} - {*seen} == {"keep"}  # which a body activates
    for name, response in seen.items():
        assert 0 < response["min_ns"] <= response["max_ns"] <= bounds[name], name
    fifth = {name: bound // 5 for name, bound in most.items()}
    late = horolog("run", described(tmp_path, **fifth), "--out", tmp_path / "out")
    assert late.code == 4
    assert "later than its bound" in late.err
