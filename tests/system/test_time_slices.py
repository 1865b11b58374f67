# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""On the emulated boards two equal threads share the processor, by each timing model (systems/plain)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.plain_cmake import build, must, options, project, run
from tests.system.support import ROOT

pytestmark = pytest.mark.emulator

MAIN = ROOT / "tests" / "system" / "time_slices" / "main.c"
MODELS = ("tick", "unified", "unified_ns", "one_plus_n")
CASES = [
    *(("mps2-an385", model) for model in MODELS),
    ("mps2-an386", "one_plus_n"),
    ("qemu-virt-rv32", "tick"),
    ("qemu-virt-rv32", "unified"),
    ("qemu-virt-rv32", "unified_ns"),
]
LASTS_US = 20_000
SLICE_US = 1_000


def said(name: str, arguments: str, folder: Path) -> dict[str, int]:
    """What the program prints, its numbers by their labels."""
    out = folder / "out"
    build(project(folder / "project", arguments, MAIN), out, *options(name))
    *numbers, last = run(name, out / "plain.elf").splitlines()
    assert last == "idles"
    return {line.rsplit(maxsplit=1)[0]: int(line.rsplit(maxsplit=1)[1]) for line in numbers}


@pytest.mark.parametrize(("name", "model"), CASES)
def test_equal_threads_share(name: str, model: str, tmp_path: Path) -> None:
    found = said(name, f"TIMING {model} RUN_TIME", tmp_path)
    assert found["turns"] in range(LASTS_US // SLICE_US - 1, LASTS_US // SLICE_US + 2)
    half = LASTS_US // 2
    assert abs(found["first us"] - half) <= SLICE_US
    assert abs(found["second us"] - half) <= SLICE_US
    assert found["idles before"] == 0


def test_a_slice_has_the_length_that_was_asked_for(tmp_path: Path) -> None:
    found = said("mps2-an385", "TIMING one_plus_n SLICE 100000", tmp_path)
    assert found["turns"] in (5, 6)
    assert found["first us"] == 0  # it is not counted


def test_without_slices_the_first_goes_on(tmp_path: Path) -> None:
    found = said("mps2-an385", "RUN_TIME", tmp_path)
    assert found["turns"] == 1
    assert found["first us"] >= LASTS_US - SLICE_US
    assert found["second us"] == 0


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("qemu-virt-rv32", "TIMING one_plus_n", "has no second cell for TIMING one_plus_n"),
        (
            "mps2-an385",
            "TIMING two",
            "TIMING is one of none, counting, one_plus_n, tick, unified, unified_ns",
        ),
        ("mps2-an385", "TIMING counting", "TIMING counting is AVR's"),
        ("mps2-an385", "TIMING tick SLICE 20000000", "a SLICE is 1,000 to 2^24 counts"),
    ],
)
def test_what_is_wrong_is_said(name: str, arguments: str, words: str, tmp_path: Path) -> None:
    source = project(tmp_path / "project", arguments, MAIN)
    must(
        "cmake",
        "-S",
        str(source),
        "-B",
        str(tmp_path / "out"),
        "-G",
        "Ninja",
        *options(name),
        fails=words,
    )
