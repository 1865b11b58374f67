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
    options = (
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'toolchain' / 'armv7m.cmake'}",
        "-DHRL_CPU=cortex-m3",
        f"-DHRL_PLAIN_FLAGS=-DHRL_CHECKS={checks}",
    )
    source = str(ROOT / "examples" / "services")
    run("cmake", "-S", source, "-B", str(tmp_path), "-G", "Ninja", *options)
    run("cmake", "--build", str(tmp_path))
    machine = ("-M", "mps2-an385", "-nographic", "-semihosting", "-icount", "shift=5,sleep=off")
    assert run("qemu-system-arm", *machine, "-kernel", str(tmp_path / "services.elf")) == SAYS


def run(*command: str) -> str:
    """What `command` says; it must succeed within a minute."""
    ran = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout
