# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is remembered of a system is what would be said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from horolog.analyse.memo import remembered
from horolog.data import data_root
from horolog.model import HorologError, System
from horolog.read import read_system


def _drone() -> System:
    return read_system(Path(data_root() / "examples" / "drone" / "system.toml"))


def test_the_same_system_is_looked_at_once() -> None:
    asked: list[System] = []

    @remembered
    def tasks(system: System) -> int:
        asked.append(system)
        return len(system.tasks)

    drone = _drone()
    assert tasks(drone) == tasks(drone) == len(drone.tasks)
    assert len(asked) == 1


def test_another_system_is_looked_at_anew() -> None:
    @remembered
    def name(system: System) -> str:
        return system.name

    drone = _drone()
    other = replace(drone, name="other")
    assert [name(drone), name(other), name(drone)] == ["drone", "other", "drone"]


def test_an_error_is_remembered_too() -> None:
    asked: list[System] = []

    @remembered
    def refused(system: System) -> int:
        asked.append(system)
        raise HorologError("too many", found=system.name)

    drone = _drone()
    for _ in range(2):
        with pytest.raises(HorologError, match="too many"):
            refused(drone)
    assert len(asked) == 1
