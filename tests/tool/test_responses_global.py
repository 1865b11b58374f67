# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds of systems of which several cores may run some tasks, without the kernel's work and with it."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.test_run_cores import horolog

from horolog.divide import divided, plans_for_cores
from horolog.model import CorePlan, GlobalThreads, parts_of
from horolog.read import read_system
from horolog.read.ports import find_port
from horolog.responses import CoreBounds, TaskBound, bounds_of_cores, deadlines_of_cores
from horolog.responses.global_kernel import GlobalKernel, GlobalTask
from horolog.schedulability import Source

ROOT = Path(__file__).resolve().parents[2]
TEXT = """\
[system]
name = "wide"
board = "ibex-cells-x2"
duration = "12 ms"
sources = ["bodies.c"]

[[task]]
name = "left"
period = "3 ms"
wcet = "300 us"
body = "left"
core = 0

[[task]]
name = "right"
period = "2 ms"
wcet = "300 us"
body = "right"
core = 1

[[task]]
name = "brisk"
period = "1500 us"
wcet = "30 us"
body = "brisk"
cores = [0, 1]

[[task]]
name = "long"
period = "6 ms"
wcet = "1500 us"
body = "longest"
cores = [1, 0]
"""
US = Fraction(1, 10**6)


def written(folder: Path, text: str = TEXT) -> Path:
    names = ("left", "right", "brisk", "longest")
    bodies = "".join(f"void {name}(void) {{}}\n" for name in names)
    (folder / "bodies.c").write_text(bodies, encoding="utf-8")
    path = folder / "wide.toml"
    path.write_text(text, encoding="utf-8")
    return path


def by_name(bounds: tuple[CoreBounds, ...]) -> dict[str, TaskBound]:
    return {
        one.system.tasks[bound.task].name: bound
        for one in bounds
        if one.analysis is not None
        for bound in one.analysis.bounds
    }


def without_kernel(path: Path) -> tuple[CoreBounds, ...]:
    whole = divided(read_system(path)).system
    return bounds_of_cores([CorePlan(part, None) for part in parts_of(whole)])


def with_kernel(path: Path) -> tuple[CoreBounds, ...]:
    return bounds_of_cores(plans_for_cores(read_system(path)).plans)


def test_bounds_without_the_kernel(tmp_path: Path) -> None:
    """By hand; a unit of a nanosecond more where a task waits."""
    found = without_kernel(written(tmp_path))
    unit = US / 1000
    assert {name: one.response for name, one in by_name(found).items()} == {
        "brisk": 30 * US,
        "left": 330 * US + unit,  # brisk, released once beside it
        "right": 330 * US + unit,
        # While it waits core 1 runs right or brisk; so it would do alone on either core.
        "long": 1830 * US + unit,
    }
    assert [one.deadlines is not None and one.deadlines.hold for one in found] == [True, True]
    assert "the kernel's own work not counted" in deadlines_of_cores(found).text


def test_the_kernel_makes_bounds_longer(tmp_path: Path) -> None:
    path = written(tmp_path)
    ideal, found = by_name(without_kernel(path)), by_name(with_kernel(path))
    for name, one in found.items():
        short = ideal[name].response
        assert one.response is not None
        assert short is not None
        assert one.response == sum(one.parts.values())
        assert (
            one.parts["kernel"] > 100 * US
        )  # a release of brisk alone takes seven sections of 533 cycles
        assert one.response > short + one.parts["kernel"]


def test_what_is_not_proved_is_said_with_by_how_much(tmp_path: Path) -> None:
    text = TEXT.replace(
        '"6 ms"\nwcet = "1500 us"', '"6 ms"\ndeadline = "1800 us"\nwcet = "1500 us"'
    )
    path = written(tmp_path, text)
    said = deadlines_of_cores(without_kernel(path))
    assert not said.hold
    assert not said.missed
    assert said.text == (
        'core 1: the deadline of "long" is not proved: a job may take 1.831 ms, and 1.800 ms are allowed'
    )
    assert said.slack == -30 * US - US / 1000
    done = horolog("analyse", path)
    assert done.exit_code == 1
    assert f"{path}:{text[: text.index('long')].count(chr(10))}" in done.output.replace("\n", "")


def test_nothing_is_known_below_a_task_without_a_wcet(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT.replace('wcet = "300 us"\nbody = "right"', 'body = "right"'))
    found = without_kernel(path)
    known = by_name(found)
    assert known["brisk"].response == 30 * US
    assert known["left"].response == 330 * US + US / 1000
    assert known["right"].response is None
    # What core 0 leaves is enough for it: a job of left, and of brisk two.
    assert known["long"].response is not None
    assert known["long"].response <= 1900 * US
    assert [one.deadlines is not None and one.deadlines.hold for one in found] == [True, False]
    assert deadlines_of_cores(found).text == "core 1: not known: 1 of 2 tasks has no WCET"
    both = TEXT.replace('wcet = "300 us"\n', "")
    done = horolog("check", written(tmp_path, both), "--json")
    assert json.loads(done.stdout)["deadlines"]["verdict"].startswith("core 0: not known")


def test_a_task_of_another_core_without_a_wcet_may_hold_one_off(tmp_path: Path) -> None:
    text = TEXT.replace('wcet = "30 us"\n', "")
    found = without_kernel(written(tmp_path, text))
    assert found[1].deadlines is not None
    assert found[1].deadlines.text == (
        "not known: tasks of other cores that have no WCET may hold off right"
    )


def test_the_bounds_are_shown(tmp_path: Path) -> None:
    done = horolog("analyse", written(tmp_path), "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    tasks = {one["name"]: one for core in data["cores"] for one in core["analysis"]["tasks"]}
    assert set(tasks) == {"left", "right", "brisk", "long"}
    assert all(one["holds"] and one["parts_ns"]["kernel"] > 0 for one in tasks.values())
    levels = {name: one["level"] for name, one in tasks.items()}
    assert sorted(levels, key=levels.__getitem__) == ["long", "left", "right", "brisk"]
    assert 0 < data["cores"][0]["analysis"]["kernel"] < 1


def test_the_port_says_what_its_header_does() -> None:
    header = (ROOT / "ports/rv32/cells/hrlp_cores_controller.h").read_text(encoding="utf-8")
    held = re.search(
        r"LOCK_HELD_CYCLES = HRL_GLOBAL_THREADS \? (\d+) \+ (\d+) \* HRL_CORES : (\d+)", header
    )
    passed = re.search(r"LOCK_PASSED = (\d+)", header)
    assert held is not None
    assert passed is not None
    toml = (ROOT / "ports/rv32/cells/port.toml").read_text(encoding="utf-8")
    for key, value in zip(
        ("held_steps", "held_steps_each", "lock_steps", "passed_steps"),
        (*held.groups(), *passed.groups()),
        strict=True,
    ):
        assert re.search(rf"^{key} = {value}$", toml, re.MULTILINE), key


def source(period: int) -> Source:
    return Source("", 1, period, 0)


def test_sections_are_longer_where_not_all_cores_may_run_all() -> None:
    """As the header says: 45 cycles for a level, 12 for a thread, 40 + 12 * cores for a claim."""
    known = of_cells()
    assert known.held(4) == 333 + 4 * 92 + 16
    assert known.held(4, 3) == known.held(4) + 3 * (45 + 12) + 3 * (40 + 12 * 4)
    assert known.held(2, 5) == known.held(2) + 5 * (45 + 12) + 2 * (40 + 12 * 2)


def of_cells() -> GlobalThreads:
    known = find_port("rv32", "cells")
    assert known is not None
    assert known.global_threads is not None
    return known.global_threads


@pytest.mark.parametrize(("cores", "rings"), [({0, 1}, (1, 1)), ({0, 1, 2}, (3, 2))])
def test_what_a_release_rings(cores: set[int], rings: tuple[int, int]) -> None:
    """Of a task of core 0 beside two that `cores` may run; steps are units, and nothing else takes time."""
    port = GlobalThreads(0, 0, 0, 0, 0, 0, 0, 0, 1, 0)  # the doorbell's handler
    wide = [
        GlobalTask(source(1000), level, frozenset(cores), 0, 10, response=20) for level in (3, 2)
    ]
    pinned = [GlobalTask(source(1000), level, frozenset({0}), 0, 10) for level in (1, 4)]
    kernel = GlobalKernel([*wide, *pinned], [], port, 3, 1, 0, 0)
    low, high = (kernel.of(one)[0].most(100) for one in pinned)
    start, wake = rings
    assert (
        low == 3 * start + 2 * wake
    )  # of both, and of the pinned one above; the lowest is not there
    assert high == 0  # nothing more urgent claims its core
