# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Firmware for boards that `horolog board new` writes: it builds. No emulator here runs it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from tests.system.support import ROOT, horolog_process

from horolog.parts import Wish, board_files, chosen, find_part

SYSTEM = """\
[system]
name = "blink"
board = "{board}"
duration = "1 s"

[[task]]
name = "fast"
period = "2 ms"
work = 10
kind = "{kind}"

[[task]]
name = "slow"
period = "7 ms"
work = 10
kind = "{kind}"
"""

VERBS = """\
#include "hrlp_stm32_tim.h"

#define ALL(channel) \\
    hrlp_stm32_tim_prepare(channel, 0); \\
    hrlp_stm32_tim_prepare_at(channel, 1); \\
    hrlp_stm32_tim_arm(channel, 1000); \\
    hrlp_stm32_tim_rearm(channel, 1000); \\
    if (hrlp_stm32_tim_fired(channel)) { hrlp_stm32_tim_acknowledge(channel); } \\
    hrlp_stm32_tim_forget(channel); \\
    hrlp_stm32_tim_disarm(channel);
#define OTHER(channel) \\
    ALL(channel) \\
    hrlp_stm32_tim_start_periodic(channel, 1000, 100); \\
    hrlp_stm32_tim_stretch(channel, 1000, 100, true);

void all(void);
void all(void)
{
    ALL(0) ALL(1) ALL(2) ALL(3) OTHER(5) OTHER(6)
}
"""


def write(part: str, folder: Path, wish: Wish | None = None) -> None:
    for path, text in board_files(chosen(find_part(part), wish or Wish()), "board").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def build(part: str, folder: Path, kind: str) -> Path:
    write(part, folder / "board")
    (folder / "system.toml").write_text(SYSTEM.format(kind=kind, board="./board"), encoding="utf-8")
    done = horolog_process("build", "system.toml", folder=folder)
    assert done.code == 0, done.err
    return folder / "build" / "blink" / "cmake" / "board" / "horolog.elf"


def test_a_firmware_has_the_chip_s_vectors(tmp_path: Path) -> None:
    """Of an F103, with two timers as one clock: line 29 is TIM3's, the clock's."""
    elf = build("STM32F103CB", tmp_path, "thread")
    with elf.open("rb") as stream:
        text = ELFFile(stream).get_section_by_name(".text")
        assert text is not None
        assert text["sh_addr"] == 0x0800_0000
        words = text.data()
    done = subprocess.run(["arm-none-eabi-nm", elf], capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    address = {row[2]: int(row[0], 16) | 1 for row in rows if len(row) == 3}

    def vector(line: int) -> int:
        return int.from_bytes(words[4 * (16 + line) :][:4], "little")

    assert int.from_bytes(words[:4], "little") == 0x2000_0000 + 20 * 1024
    assert vector(29) == address["TIM3_Handler"]
    assert vector(29) != vector(0) == vector(30) == address["hrlp_cortex_m_line"]


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["thread", "basic"])
@pytest.mark.parametrize(
    "part",
    [
        "STM32F446RE",
        "STM32L152RE",
        "STM32F767ZI",
        "STM32H743ZI",
        "STM32U575ZI",
        "STM32WLE5CC",
        "STM32F072RB",
        "STM32G071RB",
        "STM32L073RZ",
        "STM32C031C6",
    ],
)
def test_a_firmware_builds_for_each_core(part: str, kind: str, tmp_path: Path) -> None:
    assert build(part, tmp_path, kind).is_file()


def test_a_cortex_m33_has_limits_of_stacks(tmp_path: Path) -> None:
    """The memory protection unit of Armv8-M has other registers than the guard of Armv7-M stores to."""
    write("STM32U575ZI", tmp_path / "board")
    system = tmp_path / "system.toml"
    text = SYSTEM.format(kind="thread", board="./board")
    system.write_text(text.replace('"1 s"', '"1 s"\nguard = "mpu"'), encoding="utf-8")
    done = horolog_process("build", "system.toml", folder=tmp_path)
    assert done.code == 2
    assert 'the board "board" has no guard "mpu"' in done.err
    assert 'expected: guard = "stack-limit", or' in done.err
    system.write_text(text.replace('"1 s"', '"1 s"\nguard = "stack-limit"'), encoding="utf-8")
    done = horolog_process("build", "system.toml", folder=tmp_path)
    assert done.code == 0, done.err
    elf = tmp_path / "build" / "blink" / "cmake" / "board" / "horolog.elf"
    command = ["arm-none-eabi-objdump", "-d", "--disassemble=hrli_cpu_switch", str(elf)]
    switch = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "PSPLIM" in switch


@pytest.mark.parametrize("part", ["STM32F446RE", "STM32F405RG", "STM32F103C8"])
def test_the_driver_compiles(part: str, tmp_path: Path) -> None:
    """With warnings as errors, every verb of every kind of instance, and the clock."""
    write(part, tmp_path)
    (tmp_path / "verbs.c").write_text(VERBS, encoding="utf-8")
    ports = ROOT / "ports"
    folders = [
        tmp_path / "port",
        ports / "armv7m",
        ports / "armv7m" / "nvic",
        ports / "cortex-m",
        ports / "cell" / "stm32-tim",
    ]
    folders += [ports / "include", ROOT / "include"]
    cpu = chosen(find_part(part), Wish()).core.cpu
    command = [
        "arm-none-eabi-gcc",
        f"-mcpu={cpu}",
        "-mthumb",
        "-std=gnu11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
    ]
    command += [
        "-ffreestanding",
        "-DHRL_CHECKS=1",
        *(f"-I{folder}" for folder in folders),
        "-c",
        "-o",
        "it.o",
    ]
    for source in (tmp_path / "verbs.c", ports / "cell" / "stm32-tim" / "stm32_tim_clock.c"):
        done = subprocess.run(
            [*command, source], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
