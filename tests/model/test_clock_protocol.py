# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""SPIN searches all runs of the clock's protocol, kernel/time/clock.pml; and finds what is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.model.player import ROOT

from horolog.programs import call

MODEL = ROOT / "kernel" / "time" / "clock.pml"


def errors(folder: Path, model: str, *defines: str) -> tuple[int, int]:
    """Errors, the first of which ends the search, and states."""
    (folder / "clock.pml").write_text(model, encoding="utf-8")
    for words in (
        ["spin", *defines, "-a", "clock.pml"],
        ["gcc", "-O1", "-DSAFETY", "-o", "pan", "pan.c"],
    ):
        done = call(words, seconds=60, folder=folder)
        assert done.status == 0, done.output + done.errors
    said = call([str(folder / "pan"), "-E", "-m100000"], seconds=60, folder=folder).output
    assert "max search depth too small" not in said
    found = re.search(r"errors: (\d+)\n *(\d+) states, stored", said)
    assert found is not None, said
    return int(found[1]), int(found[2])


def test_the_time_never_jumps(tmp_path: Path) -> None:
    count, states = errors(tmp_path, MODEL.read_text(encoding="utf-8"))
    assert count == 0
    assert states > 100_000


def test_without_its_lock_the_handler_makes_it_jump(tmp_path: Path) -> None:
    assert errors(tmp_path, MODEL.read_text(encoding="utf-8"), "-DUNLOCKED")[0] == 1


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("high == wraps -> break", "true -> break"),
        (":: pending == flag ->", ":: true ->"),
        ("(high + pending) * COUNTS", "high * COUNTS"),
    ],
)
def test_every_look_is_needed(line: str, broken: str, tmp_path: Path) -> None:
    model = MODEL.read_text(encoding="utf-8")
    assert model.count(line) == 1
    assert errors(tmp_path, model.replace(line, broken))[0] == 1
