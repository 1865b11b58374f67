# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from horolog.data import data_root
from horolog.read import check, read_system

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop


def test_nothing_to_say_about_a_plain_system(workshop: Workshop) -> None:
    assert check(workshop.read()) == []


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ([('"20 ms"', '"11 s"')], ["short-duration", "long-period"]),
        ([('"2 s"', '"10 ms"')], ["short-duration"]),
        ([("work = 500", "work = 10")], ["short-wcet"]),
        ([("work = 500", 'work = 500\nwcet = "30 us"')], ["wcet-below-work"]),
        ([("work = 500", 'work = 500\noffset = "20 ms"')], ["long-offset"]),
        ([("work = 500", 'work = 500\noffset = "2 s"')], ["never-released"]),
        ([('"fast_step"', '"fast_step"\nstack = 256')], ["small-stack"]),
        ([("work = 500", "work = 500\nstack = 256")], []),
        ([('"20 ms"', '"1/3 s"')], ["inexact-period"]),
        (
            [('wcet = "120 us"\nbody = "fast_step"', "work = 5000")],
            ["unused-sources"],
        ),
        # 5 and 7 ms: 0.6 + 0.27 are above the bound; 5 and 20 ms are harmonic, and any sum holds.
        ([('"120 us"', '"3 ms"'), ('"20 ms"', '"7 ms"'), ("500", "30000")], ["high-utilisation"]),
        ([('"120 us"', '"3 ms"'), ("500", "100000")], ["little-left"]),
    ],
)
def test_what_is_implausible(
    workshop: Workshop, changes: list[tuple[str, str]], codes: list[str]
) -> None:
    assert sorted(finding.code for finding in check(workshop.read(*changes))) == sorted(codes)


def test_a_group_is_told_once(workshop: Workshop) -> None:
    tail = '[[task_group]]\nname = "g"\ntasks = 9\nperiod = "1/7 s"\nwork = 100\n'
    (finding,) = check(workshop.read_with(tail))
    assert finding.code == "inexact-period"
    assert "never drift" in finding.message
    assert finding.place.line == 18


def test_more_ranks_than_levels(workshop: Workshop) -> None:
    periods = ", ".join(f'"{10 + i} ms"' for i in range(40))
    tail = f'[[task_group]]\nname = "g"\nperiods = [{periods}]\nwork = 100\n'
    codes = [finding.code for finding in check(workshop.read_with(tail))]
    assert codes == ["shared-levels"]


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("engine-control", []),
        ("drone", []),
        ("flight-table", []),
        ("chronos", ["shared-levels"]),
    ],
)
def test_the_examples_are_plausible(name: str, codes: list[str]) -> None:
    system = read_system(data_root() / "examples" / name / "system.toml")
    assert [finding.code for finding in check(system)] == codes
