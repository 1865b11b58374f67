# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""SPIN searches all runs of the clock's protocol, kernel/time/clock.pml; and finds what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.model.protocol import Change, Found, search


def clock(folder: Path, *defines: str, changes: tuple[Change, ...] = ()) -> Found:
    return search(folder, "kernel/time/clock.pml", *defines, changes=changes, ends=True)


def test_the_time_never_jumps(tmp_path: Path) -> None:
    found = clock(tmp_path)
    assert found.errors == 0
    assert found.states > 100_000


def test_without_its_lock_the_handler_makes_it_jump(tmp_path: Path) -> None:
    assert clock(tmp_path, "-DUNLOCKED").errors == 1


@pytest.mark.parametrize(
    "change",
    [
        ("high == wraps -> break", "true -> break"),
        (":: pending == flag ->", ":: true ->"),
        ("(high + pending) * COUNTS", "high * COUNTS"),
    ],
)
def test_every_look_is_needed(change: Change, tmp_path: Path) -> None:
    assert clock(tmp_path, changes=(change,)).errors == 1
