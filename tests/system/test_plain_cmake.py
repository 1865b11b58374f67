# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The kernel without the tool: examples/services is a CMake project, runs on the emulated board."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.system.support import ROOT

SAYS = "sample\n" * 5 + "the sampler has ended\nno more samples\ndone\n"


@pytest.mark.emulator
@pytest.mark.parametrize("checks", [1, 0])
def test_services(tmp_path: Path, checks: int) -> None:
    toolchain = ROOT / "cmake" / "toolchain" / "armv7m.cmake"
    subprocess.run(
        [
            "cmake",
            "-S",
            ROOT / "examples" / "services",
            "-B",
            tmp_path,
            "-G",
            "Ninja",
            f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
            "-DHRL_CPU=cortex-m3",
            f"-DHRL_PLAIN_FLAGS=-DHRL_CHECKS={checks}",
        ],
        check=True,
        capture_output=True,
    )
    subprocess.run(["cmake", "--build", tmp_path], check=True, capture_output=True)
    ran = subprocess.run(
        [
            "qemu-system-arm",
            "-M",
            "mps2-an385",
            "-nographic",
            "-semihosting",
            "-icount",
            "shift=5,sleep=off",
            "-kernel",
            tmp_path / "services.elf",
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0
    assert ran.stdout + ran.stderr == SAYS
