# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""SPIN, which searches all runs of a protocol's model beside the kernel's code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.model.player import ROOT

from horolog.programs import call

__all__ = ["Change", "Found", "search"]

_SECONDS = 600

Change = tuple[str, str]


@dataclass(frozen=True)
class Found:
    """What a search ended with, at the first error or with all states seen."""

    errors: int
    states: int
    said: str


def search(
    folder: Path, model: str, *defines: str, changes: tuple[Change, ...] = (), ends: bool = False
) -> Found:
    """Search `model`, a path below the repository, with `changes` (what stands there once, and what instead).

    `ends`: a run may end where no process can go on; otherwise that is an error.
    """
    text = (ROOT / model).read_text(encoding="utf-8")
    for line, broken in changes:
        assert text.count(line) == 1, line
        text = text.replace(line, broken)
    (folder / "model.pml").write_text(text, encoding="utf-8")
    for words in (
        ["spin", *defines, "-a", "model.pml"],
        ["gcc", "-O0" if changes else "-O1", "-DSAFETY", "-o", "pan", "pan.c"],
    ):
        done = call(words, seconds=_SECONDS, folder=folder)
        assert done.status == 0, done.output + done.errors
    said = call(
        [str(folder / "pan"), *(["-E"] if ends else []), "-m1000000"],
        seconds=_SECONDS,
        folder=folder,
    ).output
    assert "max search depth too small" not in said
    found = re.search(r"errors: (\d+)\n *(\d+) states, stored", said)
    assert found is not None, said
    return Found(int(found[1]), int(found[2]), said)
