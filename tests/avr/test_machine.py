# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The simulator of AVR boards against cycles that are counted by hand, in the comments of the firmware."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest
from tests.avr.simulate import HZ, assembled, run

from horolog.build.simavr import simavr_simulator
from horolog.programs import call


def test_interrupts_pins_marks_console_and_status(tmp_path: Path) -> None:
    """Timer 1 counts from cycle 25; its channels match at 125 and, within that handler, at 145."""
    elf = assembled("interrupts", tmp_path)
    ran = run(elf)
    assert (ran.done.status, ran.done.output) == (42, "ok\n"), ran.done.errors
    # A's flag is up in cycle 125, the loop's instruction ends at 126; 4 cycles later the handler begins.
    # B's is up in 145, between two of A's instructions.
    assert ran.logs["interrupts"] == "13 145 149 164 2\n12 126 130 171 1\n"
    # Three cycles of JMP behind the entry the count is 133 - 25 and 152 - 25.
    assert ran.logs["marks"] == "135 108\n154 127\n"
    assert ran.logs["pins"] == "138 B3 1\n164 B3 0\n"
    assert run(elf) == ran, "it ran otherwise the second time"


def test_a_waveform_tells_each_cycle(tmp_path: Path) -> None:
    """Its times are picoseconds, though a cycle is no whole number of them."""
    ran = run(assembled("interrupts", tmp_path), "--pin", "B3", "--pin", "B4")
    header, changes = ran.logs["vcd"].split("$dumpvars\n")
    names = [line.split()[4] for line in header.splitlines() if line.startswith("$var")]
    assert names == ["vector", "B3", "B4"]
    now, seen = 0, []
    for line in changes.split("$end\n")[1].splitlines():
        if line.startswith("#"):
            now = ceil(int(line[1:]) * HZ / 10**12)
        else:
            seen.append((now, line))
    assert seen == [
        (130, "b00001100 !"),
        (138, '1"'),
        (149, "b00001101 !"),
        (164, "b00000000 !"),
        (164, '0"'),
    ]


def test_a_stretch_of_a_waveform(tmp_path: Path) -> None:
    """It begins with how things are, and has no change in or behind its end."""
    elf = assembled("interrupts", tmp_path)
    stretch = ("--vcd-from", "140", "--vcd-to", "164")
    changes = run(elf, "--pin", "B3", *stretch).logs["vcd"].split("$enddefinitions $end\n")[1]
    start, entry = (cycle * 10**12 // HZ for cycle in (140, 149))
    assert changes == f'#{start}\n$dumpvars\nb00001100 !\n1"\n$end\n#{entry}\nb00001101 !\n'
    late = run(elf, "--pin", "B3", "--vcd-from", "165").logs["vcd"]
    assert late.endswith('\nb00000000 !\n0"\n$end\n')


def test_a_sleep_ends_with_the_interrupt_exactly(tmp_path: Path) -> None:
    """It is over in the cycle of the match; then the entry takes 4 cycles more than otherwise."""
    ran = run(assembled("sleep", tmp_path))
    assert ran.done.status == 0, ran.done.errors
    assert ran.logs["interrupts"] == "12 1012 1020 1029 1\n"
    assert ran.logs["marks"] == "1023 1\n"


def test_flags_are_cleared_one_by_one_and_enables_find_them(tmp_path: Path) -> None:
    """libsimavr 1.6 clears all, does not look, and executes two instructions behind SEI."""
    ran = run(assembled("flags", tmp_path))
    a, b = 0x10, 0x08
    assert ran.marks == [
        a | b,  # both have matched
        b,  # A's was cleared
        0,  # B's interrupt, in the place of the increment behind the enable
        1,
        2,  # A's interrupt, behind one increment of two
        3,
    ], ran.logs["marks"]


@pytest.mark.parametrize(("compare", "matches"), [(4, False), (5, False), (6, True), (7, False)])
def test_a_compare_register_holds_behind_its_store(
    tmp_path: Path, compare: int, matches: bool
) -> None:
    """The count is 6 then: 5 has gone, 6 is found, 7 is not yet there."""
    ran = run(assembled("compare", tmp_path, COMPARE=compare, PHASE=0))
    assert (ran.marks[0] & 0x10 != 0) is matches


@pytest.mark.parametrize("phase", range(9))
def test_a_match_behind_an_overflow_is_not_lost(tmp_path: Path, phase: int) -> None:
    """However far the instruction goes on in which the overflow lies; A and B match at a count of 0."""
    ran = run(assembled("compare", tmp_path, COMPARE=0, PHASE=phase))
    assert ran.marks[1] == 0x18


@pytest.mark.parametrize("phase", [0, 1, 7, 8])
def test_a_count_that_is_written_leaves_the_prescaler_alone(tmp_path: Path, phase: int) -> None:
    """The match is ten steps of 8 cycles behind the last one, which the store's end takes the place of."""
    ran = run(assembled("restart", tmp_path, PHASE=phase, COUNT=0))
    assert ran.done.status == 0, ran.done.errors
    last = 11 + 16 + (phase + 1) // 8 * 8
    assert ran.logs["interrupts"].split()[:2] == ["12", str(last + 80)]


@pytest.mark.parametrize("count", [4, 8, 9])
def test_a_count_that_is_written_is_exact_and_does_not_match_itself(
    tmp_path: Path, count: int
) -> None:
    """Of 9, which is compared with, there is no match up to the next lap."""
    ran = run(assembled("restart", tmp_path, PHASE=3, COUNT=count), cycles=600_000)
    lap = 65_536 * 8 if count == 9 else 0
    entered = 11 + 16 + (10 - count) * 8 + lap
    assert ran.logs["interrupts"].split()[:2] == ["12", str(entered)]


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (0, "at 0x8c, in cycle 3: CORE: *** 008c: Invalid Opcode"),
        (1, "at 0x8c, in cycle 3: CORE: *** Invalid write address"),
        (2, "at 0, in cycle 6: it came to address 0 again"),
        (3, "at 0x1000, in cycle 6: there is no code"),
        (4, "it sleeps with interrupts masked"),
    ],
)
def test_faults_end_the_run(tmp_path: Path, fault: int, says: str) -> None:
    """With a status of their own, and a line that says where."""
    done = run(assembled("faults", tmp_path, FAULT=fault)).done
    assert done.status == 126
    assert done.errors.startswith("horolog-simavr: ")
    assert says in done.errors


def test_a_sleep_that_nothing_ends(tmp_path: Path) -> None:
    """Ends with the limit, at once; without one it is a fault."""
    elf = assembled("faults", tmp_path, FAULT=5)
    assert run(elf, cycles=10**15).done.status == 124
    done = call(
        [str(simavr_simulator()), "--elf", str(elf), "--mcu", "atmega128", "--hz", "1"], seconds=60
    )
    assert done.status == 126
    assert "nothing will wake it" in done.errors


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "--elf, --mcu and --hz are needed"),
        (["--hz", "fast"], "fast cannot be used here"),
        (["--elf", "{folder}", "--mcu", "atmega128", "--hz", "1"], "cannot be read"),
        (["--elf", "{text}", "--mcu", "atmega128", "--hz", "1"], "is no ELF file for AVR"),
        (["--elf", "{text}", "--mcu", "z80", "--hz", "1"], "libsimavr knows no z80"),
        (["--elf", "{elf}", "--mcu", "attiny13", "--hz", "1"], "does not fit into the flash"),
        (
            ["--elf", "{elf}", "--mcu", "atmega128", "--hz", "1", "--pin", "Q9", "--vcd", "{log}"],
            "there is no pin Q9",
        ),
        (
            ["--elf", "{elf}", "--mcu", "atmega128", "--hz", "1", "--marks", "{folder}/no/way"],
            "cannot be written",
        ),
        (
            ["--elf", "{elf}", "--mcu", "atmega128", "--hz", "1", "--watch", "{text}"],
            "cannot use this line: no ELF",
        ),
    ],
)
def test_wrong_arguments(tmp_path: Path, options: list[str], says: str) -> None:
    """Each is told, with a status of its own."""
    text = tmp_path / "text"
    text.write_text("no ELF file", encoding="utf-8")
    places = {
        "folder": tmp_path / "none",
        "text": text,
        "log": tmp_path / "log",
        "elf": assembled("sleep", tmp_path) if "{elf}" in options else "",
    }
    command = [str(simavr_simulator()), *(one.format(**places) for one in options)]
    if "attiny13" in options:
        (tmp_path / "big.S").write_text(".space 2000\n", encoding="utf-8")
        big = tmp_path / "big.elf"
        compiler = ["avr-gcc", "-mmcu=atmega128", "-nostartfiles", str(tmp_path / "big.S")]
        assert call([*compiler, "-o", str(big)], seconds=60).status == 0
        command[command.index("--elf") + 1] = str(big)
    done = call(command, seconds=60)
    assert done.status == 125
    assert says in done.errors
