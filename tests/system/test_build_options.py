# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Sources in three languages, with macros, flags, an archive and an object, make one firmware."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.system.support import horolog

from horolog.model import Exit

SYSTEM = """
[system]
name = "languages"
board = "mps2-an385"
duration = "10 ms"
sources = ["loop.cpp", "sum.S", "log.c"]

[build]
include = ["inc"]
define = ["POLES=7"]
flags = ["-O3"]
libraries = ["lib/libgain.a"]
objects = ["lib/radio.o"]
c_standard = "99"
cxx_standard = "17"
warnings = "all"

[[task]]
name = "loop"
period = "1 ms"
wcet = "40 us"
body = "loop_step"

[[task]]
name = "log"
period = "5 ms"
wcet = "40 us"
body = "log_step"
"""
FILES = {
    "inc/filter.hpp": """template <int n> struct Filter {
    int kept[n];
    int step(int x) { return kept[n - 1] + x; }
};
""",
    "loop.cpp": """#include "filter.hpp"
#include <math.h>
#if !__OPTIMIZE__ || __cplusplus != 201703L
#error not as [build] says
#endif
extern "C" {
int sum(int, int);
int gain(int);
extern volatile int loops;
}
static Filter<POLES> filter;
volatile int constructed;
struct Device { Device() { constructed = constructed + 1; } } device;
extern "C" void loop_step()
{
    if (constructed != 1) {
        __builtin_trap();
    }
    loops = filter.step(sum(gain(1), static_cast<int>(sqrtf(4.0F))));
}
""",
    "sum.S": """#if POLES != 7
#error not as [build] says
#endif
    .syntax unified
    .section .text.sum, "ax", %progbits
    .global sum
    .type sum, %function
    .thumb_func
sum:
    adds r0, r0, r1
    bx lr
    .size sum, . - sum
""",
    "log.c": """#if __STDC_VERSION__ != 199901L
#error not as [build] says
#endif
void log_step(void);
static int half(int x, int unused) { return x / POLES; }
volatile int logged;
void log_step(void) { logged = half(logged, 1); }
""",
    "gain.c": "int gain(int x) { return 2 * x; }\n",
    "radio.c": "volatile int loops = 5; volatile int kept_though_unused = 7;\n",
}


@pytest.mark.skipif(
    shutil.which("arm-none-eabi-g++") is None, reason="needs the cross compiler of C++"
)
def test_sources_objects_and_archives_make_one_firmware(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "lib").mkdir()
    for name, text in {"system.toml": SYSTEM, **FILES}.items():
        (tmp_path / name).write_text(text)
    compiler = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-c"]
    for command in (
        [*compiler, "gain.c", "-o", "gain.o"],
        [*compiler, "radio.c", "-o", "lib/radio.o"],
        ["arm-none-eabi-ar", "rcs", "lib/libgain.a", "gain.o"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    out = tmp_path / "out"
    said = horolog(
        *("compare", str(tmp_path / "system.toml"), "--baseline", "stock", "--out", str(out))
    )
    assert said.code == Exit.OK, said.err
    assert "unused parameter 'unused'" in said.err  # warnings = "all"
    for elf in ("horolog.elf", "freertos.elf"):
        names = subprocess.run(
            ["arm-none-eabi-nm", str(out / "cmake" / "mps2-an385" / elf)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for name in ("loop_step", "sum", "log_step", "gain", "loops"):
            assert f" {name}\n" in names, (elf, name)
