# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""That predicted = taken + coalesced can fail for basic tasks: what is served is seen, not computed.

The kernel is broken, a line at a time. Where a line has changed, say here how to break the new one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.system.support import ROOT, Run, made_system, measured, ms, task

from horolog.build import firmware
from horolog.model import Kind, Plan, Releaser, System
from horolog.plan import NOTHING, plan

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

_BUILT_FROM = ("baselines", "boards", "cmake", "include", "kernel", "ports")
LINE_TABLE, DIRECT = "kernel/basic/line_table.h", "kernel/basic/direct.h"


@dataclass(frozen=True)
class Fault:
    """One broken line, and the mechanism and release method that it is of."""

    mechanism: str
    method: str
    file: str
    right: str
    wrong: str


FAULTS = {
    "a row is served behind the next one": Fault(
        "gcd",
        "lines",
        LINE_TABLE,
        "    if (!hrli_stamp_has_passed(due, now, ahead)) {\n        return;",
        "    if (!hrli_stamp_has_passed(due + 120000u, now, 2u * ahead)) {\n        return;",
    ),
    "every row takes a quarter longer": Fault(
        "gcd", "lines", LINE_TABLE, "due += row->gap;", "due += row->gap + row->gap / 4u;"
    ),
    "the same of a cell that runs its tasks itself": Fault(
        "one-shot", "direct", DIRECT, "due += row->gap;", "due += row->gap + row->gap / 4u;"
    ),
    "a cell's own task forgets its next release": Fault(
        "sloth", "none", DIRECT, "    *direct->due = next;\n", ""
    ),
}


def system_of(method: str) -> System:
    """Two tasks, of one level if one cell is to run both itself."""
    periods = (ms(4), ms(6)) if method != "direct" else (ms(4), ms(4))
    offset = ms(1) if method == "direct" else ms(0)
    rows = [task("a", periods[0], work=10), task("b", periods[1], offset=offset, work=10)]
    cells = ["timer0"] if method != "none" else ["timer0", "timer1"]
    return made_system(
        [replace(row, kind=Kind.BASIC) for row in rows], cells=cells, duration=ms(60)
    )


def release_method(releaser: Releaser) -> str:
    if releaser.store == "none":
        return "none"
    return "direct" if releaser.direct else "lines"


def plan_of(system: System, mechanism: str, method: str) -> Plan:
    by = plan(system, mechanism=mechanism, prices=NOTHING).choice
    assert {release_method(one) for one in by.releasers} == {method}
    return by


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if number < 2 else [pytest.mark.soak])
        for number, name in enumerate(FAULTS)
    ],
)
def test_a_fault_in_serving_does_not_add_up(
    name: str, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = FAULTS[name]
    system = system_of(fault.method)
    by = plan_of(system, fault.mechanism, fault.method)
    right = bench(system, by).side.interrupts
    assert right.adds_up, right
    for folder in _BUILT_FROM:
        shutil.copytree(ROOT / folder, tmp_path / "broken" / folder)
    source = tmp_path / "broken" / fault.file
    text = source.read_text(encoding="utf-8")
    assert text.count(fault.right) == 1
    source.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    monkeypatch.setattr(firmware, "data_root", lambda: tmp_path / "broken")
    wrong = measured(system, by, tmp_path / "wrong").side.interrupts
    assert wrong.predicted == right.predicted
    assert not wrong.adds_up, wrong
    assert wrong.taken + wrong.coalesced - wrong.excess < wrong.predicted
