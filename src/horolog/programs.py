# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Other people's programs: found or missed by name, run in bounded time, their versions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from horolog.model import NotInstalled

__all__ = [
    "Finished",
    "call",
    "follow",
    "installed_versions",
    "package_versions",
    "require",
    "version",
]

_PACKAGES: Mapping[str, str] = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "arm-none-eabi-objdump": "binutils-arm-none-eabi",
    "qemu-system-arm": "qemu-system-arm",
    "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf",
    "riscv64-unknown-elf-objdump": "binutils-riscv64-unknown-elf",
    "qemu-system-riscv32": "qemu-system-misc",
    "avr-gcc": "gcc-avr avr-libc",
    "avr-objdump": "binutils-avr",
    "avr-gdb": "gdb-avr",
