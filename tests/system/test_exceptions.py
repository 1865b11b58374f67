# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Exceptions counted from outside: of a program with a known number, and beside what QEMU itself says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from horolog.image import read_image
from horolog.measure.probe import compiled_plugin, read_findings
from horolog.programs import call
from horolog.read import read_board
from horolog.run.qemu import qemu_command

pytestmark = pytest.mark.emulator

PROGRAM = Path(__file__).with_name("exceptions.S")
SCRIPT = "ENTRY(Reset_Handler)\nSECTIONS { . = 0; .text : { *(.vectors) *(.text*) } }\n"


def test_exceptions_are_counted_by_how_they_were_entered(tmp_path: Path) -> None:
    (tmp_path / "a.ld").write_text(SCRIPT)
    elf = tmp_path / "a.elf"
    flags = ["-mcpu=cortex-m3", "-mthumb", "-nostdlib", "-T", str(tmp_path / "a.ld")]
    done = call(["arm-none-eabi-gcc", *flags, str(PROGRAM), "-o", str(elf)], seconds=60)
    assert done.status == 0, done.errors
    image, out = read_image(elf), tmp_path / "out"
    names = ("TIMER0", "TIMER1", "DUALTIMER", "LOW", "SVC", "PendSV", "SysTick")
    assert {*image.handlers} == {image.address(f"{name}_Handler") for name in names}
    lines = ["ns_per_instruction 32", "end_ns 100000", "late_ns 0", "limit_ns 1000000"]
    lines += ["start_ns 1000000", f"out {out}"]
    lines += [f"function {one.low:#x} {one.high:#x} {one.owner[0]}" for one in image.functions]
    lines += [f"interrupt {image.address('TIMER0_Handler'):#x} 0"]
    lines += [f"exception {address:#x}" for address in image.handlers]
    config, log = tmp_path / "watch", tmp_path / "log"
    config.write_text("\n".join(lines) + "\n")
    options = ["-plugin", f"{compiled_plugin()},config={config}", "-d", "int", "-D", str(log)]
    ran = call([*qemu_command(read_board("mps2-an385"), elf), *options], seconds=60)
    assert out.is_file(), ran.errors
    found = read_findings(out.read_text())
    assert found.status == "done"
    assert (found.exceptions, found.tail_chained) == (55, 6)
    said = Counter(line.strip(". \n").split(" ")[0] for line in log.read_text().splitlines())
    assert (said["loading"], said["tailchaining"]) == (55, 6)
