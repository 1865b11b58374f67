# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the guide says the kernel's objects take on AVR is what the compiler gives them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.system.support import ROOT

from horolog.programs import call, require

pytestmark = pytest.mark.emulator

ROOMS = ("time", "queue", "ready", "release", "core", "thread", "basic")
PORT = ("ports/include", "ports/avr", "ports/avr/vectors", "ports/cell/avr-timer16")


def test_the_guide_has_the_sizes_of_objects(tmp_path: Path) -> None:
    require("avr-gcc", "avr-nm")
    folders = ["include", *PORT, *(f"kernel/{room}" for room in ROOMS)]
    source, out = ROOT / "tests" / "system" / "avr" / "sizes.c", tmp_path / "sizes.o"
    options = ["-std=gnu11", "-fno-common", "-ffreestanding", "-DHRL_CHECKS=0", "-mmcu=atmega128"]
    includes = [f"-I{ROOT / folder}" for folder in folders]
    done = call(["avr-gcc", *options, *includes, "-c", str(source), "-o", str(out)], seconds=60)
    assert done.status == 0, done.errors
    listed = call(["avr-nm", "-S", str(out)], seconds=60).output
    found = {int(n): int(size, 16) for size, n in re.findall(r"\w+ (\w+) \w thing_(\d+)", listed)}
    guide = (ROOT / "docs" / "guide" / "avr.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| [a-z][^|]*\| (\d+) \|$", guide, flags=re.MULTILINE)
    assert [int(size) for size in table] == [found[n] for n in range(len(found))]
