# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from horolog.data import data_root
from horolog.model import ChipId, FreertosPort, HorologError, Mode, Probing
from horolog.read import HorologErrors, board_names, read_board

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop

AN385 = data_root() / "boards" / "mps2-an385" / "board.toml"


def refused(folder: Path, *changes: tuple[str, str]) -> str:
    """What is said about the board with each `old` replaced by its `new`."""
    text = AN385.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "board.toml").write_text(text, encoding="utf-8")
    with pytest.raises(HorologError) as caught:
        read_board("./board.toml", relative_to=folder)
    assert caught.value.exit == 2
    return str(caught.value)


def test_the_boards_that_come_with_horolog() -> None:
    assert {"host", "mps2-an385"} <= set(board_names())
    for name in board_names():
        board = read_board(name)
        assert board.name == name
        assert board.directory == data_root() / "boards" / name


def test_a_board_in_full() -> None:
    board = read_board("mps2-an385")
    assert (board.arch, board.cpu, board.levels) == ("armv7m", "cortex-m3", 31)
    assert board.work_ns == Fraction(64)
    assert (board.clock.hz, board.clock.width) == (25_000_000, 32)
    assert [cell.name for cell in board.cells] == ["timer0", "timer1", "dual0", "systick"]
    systick = board.cell("systick")
    assert (systick.hz, systick.width, systick.max_counts) == (25_000_000, 24, 2**24 - 1)
    assert systick.modes == {Mode.PERIODIC, Mode.ONE_SHOT}
    assert board.runner.ns_per_instruction == 32
    assert [memory.name for memory in board.memory][:2] == ["flash", "ram"]


def test_applications_have_the_lines_of_the_controller_or_those_that_are_attachable() -> None:
    nvic, chip, host = (read_board(name) for name in ("mps2-an385", "atmega128", "host"))
    assert nvic.controller is not None
    assert (nvic.attachable, nvic.lines) == (None, nvic.controller.lines)
    # A controller in software has lines of its own, which applications cannot have.
    assert chip.controller is not None
    assert [line.number for line in chip.controller.lines] == [*range(16)]
    assert [line.number for line in chip.lines] == [*range(1, 35)]
    assert {line.handler for line in chip.lines} == {""}
    assert host.controller is None
    assert [line.number for line in host.lines] == [*range(9, 17)]
    assert replace(host, attachable=None).lines == ()


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        ([("levels = 31", "level = 31")], ["unknown key", 'did you mean "levels"?']),
        ([('time = "timer0"', 'time = "timer9"')], ["there is no such cell", '"timer9"']),
        ([('slices = "systick"', 'slice = "systick"')], ["unknown key", 'did you mean "slices"?']),
        ([('slices = "systick"', 'slices = "timer0"')], ["`slices` names the same cell as `time`"]),
        ([('work_ns = "64"', "work_ns = 64.0")], ["board.work_ns: not a positive number"]),
        ([('work_ns = "64"', 'work_ns = "0"')], ["board.work_ns: not a positive number"]),
        (
            [('kind = "qemu"', 'kind = "quemu"')],
            [
                "runner.kind: not one of",
                '"simavr", "rp2040js", "rp2040-emu", "stm32", "rp2350" or "none"',
            ],
        ),
        ([("hz = 25_000_000", "hz = 0")], ["clock.hz: no frequency of a clock", "1 Hz to 1 GHz"]),
        ([("hz = 25_000_000", "hz = 25e6")], ["clock.hz: not a frequency", '"25 MHz"']),
        ([("hz = 25_000_000", 'hz = "2 GHz"')], ["clock.hz: no frequency of a clock"]),
        ([("hz = 25_000_000", 'hz = "25 mhz"')], ['"mhz" is not a unit of', 'did you mean "MHz"?']),
        (
            [("hz = 25_000_000", 'hz = "1/3 MHz"')],
            ["clock.hz: a clock's frequency", "whole number"],
        ),
        ([('work_ns = "64"', 'work_ns = "1e999999999"')], ["board.work_ns: not a positive number"]),
        ([("width = 32", 'width = "32"')], ["clock.width: wrong type", "a whole number"]),
        ([("[clock]", "[clocks]")], ["unknown table", "the table [clock] is missing"]),
        ([('name = "timer1"', 'name = "timer0"')], ["cell.timer0.name", "is taken"]),
        (
            [('instance = 1\nhandler = "TIMER1', 'instance = 0\nhandler = "TIMER1')],
            ["two cells are instance 0 of cmsdk-timer"],
        ),
        (
            [('instance = 0\nhandler = "TIMER0', 'instance = 0\nhz = 1000\nhandler = "TIMER0')],
            ["cell.timer0.hz: the cell's hz must equal the clock's", "25 MHz, or no hz"],
        ),
        (
            [("min_counts = 250", "min_counts = 4294967296")],
            ["cannot time its own shortest interval", "at most 4294967295"],
        ),
        ([('"periodic", "one-shot"', '"periodic", "one_shot"')], ['"periodic" or "one-shot"']),
        ([("ns_per_instruction = 32", "ns_per_instruction = 30")], ["32, which is 2^5"]),
        ([("origin = 0x20000000", "origin = 0x00000010")], ["flash", "ram", "overlap"]),
        ([('name = "ram"', 'name = "flash"')], ['the memory name "flash" is taken']),
        ([("[board]", "[board")], ["board.toml:", "TOML syntax"]),
    ],
)
def test_a_wrong_board_is_refused(
    tmp_path: Path, changes: list[tuple[str, str]], texts: list[str]
) -> None:
    said = refused(tmp_path, *changes)
    assert "board.toml:" in said
    for text in texts:
        assert text in said


def test_a_clock_has_its_frequency_as_a_number_or_with_a_unit(tmp_path: Path) -> None:
    text = AN385.read_text(encoding="utf-8")
    (tmp_path / "board.toml").write_text(
        text.replace("hz = 25_000_000", 'hz = "25 MHz"', 1), encoding="utf-8"
    )
    assert read_board(str(tmp_path)).clock.hz == read_board("mps2-an385").clock.hz == 25_000_000


def test_a_board_needs_memory_unless_it_is_the_host(tmp_path: Path) -> None:
    text = AN385.read_text(encoding="utf-8").partition("[[memory]]")[0]
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    with pytest.raises(HorologError, match="no memory"):
        read_board(str(tmp_path / "board.toml"))
    assert read_board("host").memory == ()


def test_several_errors_at_once(tmp_path: Path) -> None:
    changes = (("levels = 31", "levels = 0"), ("hz = 25_000_000", "hz = 0"))
    text = AN385.read_text(encoding="utf-8")
    for old, new in changes:
        text = text.replace(old, new, 1)
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    with pytest.raises(HorologErrors) as caught:
        read_board(str(tmp_path))
    assert [str(error.place and error.place.key) for error in caught.value.errors] == [
        "board.levels",
        "clock.hz",
    ]


def test_an_unknown_board_lists_those_there_are() -> None:
    with pytest.raises(HorologError, match="host, ibex-cells") as caught:
        read_board("nucleo")
    assert 'unknown board "nucleo"' in str(caught.value)


# ---- horolog boards --------------------------------------------------------------------------


def test_boards_lists_them(workshop: Workshop) -> None:
    said = workshop.run("boards")
    assert said.code == 0
    for text in ("mps2-an385", "host", "Cortex-M3", "timer0", "systick", "10 us", "one-shot"):
        assert text in said.out


def test_boards_as_json(workshop: Workshop) -> None:
    boards = workshop.run("boards", "--json").object["boards"]
    assert [board["name"] for board in boards] == list(board_names())
    (one,) = workshop.run("boards", "--json", "mps2-an385").object["boards"]
    assert one["cells"][3] == {
        "name": "systick",
        "device": "systick",
        "width": 24,
        "modes": ["periodic", "one-shot"],
        "min_counts": 250,
    }


def test_boards_of_a_file(workshop: Workshop) -> None:
    assert "mps2-an385" in workshop.run("boards", str(AN385)).out
    said = workshop.run("boards", "toaster", "--json")
    assert said.code == 2
    assert said.object["error"]["message"] == 'unknown board "toaster"'


# ---- many cells, lines, cycles -----------------------------------------------------------------

CELLS = """
[[cell]]
name = "cell"
count = 3
device = "timer-cells"
instance = 4
handler = "Cell"
width = 32
modes = ["periodic", "one-shot"]
min_counts = 50
"""


def changed(folder: Path, *changes: tuple[str, str], more: str = "") -> Path:
    """The board with each `old` replaced by its `new`, and `more` behind it."""
    text = AN385.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "board.toml"
    path.write_text(text + more, encoding="utf-8")
    return path


def test_the_port_of_freertos_for_a_chip_and_the_timer_of_its_tick(tmp_path: Path) -> None:
    table = '[freertos]\nport = "GCC/ATMega323"\nhandler = "TICK"\nbits = 16\nprescalers = [1, 8]\n'
    board = read_board(str(changed(tmp_path, more=table)))
    assert board.freertos == FreertosPort("GCC/ATMega323", "TICK", 16, (1, 8))


def test_a_table_stands_for_many_cells(tmp_path: Path) -> None:
    board = read_board(str(changed(tmp_path, more=CELLS)))
    made = [(cell.name, cell.instance, cell.handler) for cell in board.cells[4:]]
    assert made == [("cell0", 4, "Cell0"), ("cell1", 5, "Cell1"), ("cell2", 6, "Cell2")]


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        (('name = "cell"', 'name = "timer"'), ['the cell name "timer0" is taken']),
        (('"timer-cells"', '"systick"'), []),
        (
            ('"timer-cells"\ninstance = 4', '"cmsdk-timer"\ninstance = 1'),
            ["two cells are instance 1 of cmsdk-timer"],
        ),
        (("count = 3", "count = 0"), ["cell.cell.count: too small", "1 or more"]),
    ],
)
def test_many_cells_clash_like_single_ones(
    tmp_path: Path, change: tuple[str, str], texts: list[str]
) -> None:
    path = changed(tmp_path, more=CELLS.replace(*change))
    if not texts:
        assert len(read_board(str(path)).cells) == 7
        return
    with pytest.raises(HorologError) as caught:
        read_board(str(path))
    for text in texts:
        assert text in str(caught.value)


def test_the_lines_that_are_free() -> None:
    board = read_board("mps2-an385")
    assert board.basic_levels == 8
    assert board.controller is not None
    assert board.controller.device == "nvic"
    numbers = [line.number for line in board.controller.lines]
    assert sorted(numbers) == [n for n in range(32) if n not in (8, 9, 10)]
    assert board.controller.lines[0].handler == "PORT0_0_Handler"
    assert read_board("host").controller is None


NVIC = data_root() / "ports" / "armv7m" / "nvic"


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        (NVIC, ("mps2-an385", "mps2-an386")),
        (NVIC.parent / "sse200", ("mps2-an521",)),
        (data_root() / "boards" / "lm3s6965evb" / "port", ("lm3s6965evb",)),
    ],
)
def test_the_names_of_the_lines_are_those_of_the_vector_table(
    folder: Path, names: tuple[str, ...]
) -> None:
    source = (folder / "hrlp_lines_controller.h").read_text(encoding="utf-8")
    rows = re.findall(r"\bROW\((\w+)\)", source.partition("#define HRLP_ARMV7M_LINES(ROW)")[2])
    said = re.search(r"#define HRLP_IRQ_LINES (\d+)\n", source)
    assert len(rows) == (32 if said is None else int(said[1]))  # 32: ports/armv7m/hrlp_irq_arch.h
    for name in names:
        board = read_board(name)
        assert board.controller is not None
        for line in board.controller.lines:
            assert f"{rows[line.number]}_Handler" == line.handler


def test_what_a_reload_takes_is_the_devices(tmp_path: Path) -> None:
    cells = read_board("lm3s6965evb").cells
    assert [cell.reload_counts for cell in cells] == [0, 0, 0, 0]
    assert read_board("mps2-an385").cells[0].reload_counts is None
    timer1 = 'handler = "TIMER1_Handler"\n'
    said = refused(tmp_path, (timer1, f"{timer1}reload_counts = 1\n"))
    assert "cells of cmsdk-timer differ in reload_counts, which its driver has once" in said
    assert "board.toml:" in said
    assert "found:    1" in said
    assert "expected: no reload_counts" in said
    timer0 = 'handler = "TIMER0_Handler"\n'
    said = refused(tmp_path, (timer0, f"{timer0}reload_counts = 0\n"))
    assert "found:    none" in said
    assert "expected: reload_counts = 0" in said
    said = refused(tmp_path, (timer0, f"{timer0}reload_counts = 2\n"))
    assert "reload_counts: too large" in said


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        (
            ('"PORT0_1_Handler"', '"TIMER1_Handler"'),
            ["the line TIMER1_Handler is not free", "which cell timer1 has"],
        ),
        (
            ('"PORT0_1_Handler", number = 25', '"PORT0_1_Handler", number = 24'),
            ["the line number 24 is taken", "a number of its own"],
        ),
        (('device = "nvic"', 'device = "gic"'), ["nvic or sse200: a folder of ports/armv7m/"]),
    ],
)
def test_wrong_lines_are_refused(tmp_path: Path, change: tuple[str, str], texts: list[str]) -> None:
    said = refused(tmp_path, change)
    for text in texts:
        assert text in said


def test_many_lines_at_once(tmp_path: Path) -> None:
    text = AN385.read_text(encoding="utf-8")
    lines = text.partition("lines = [\n")[2].partition("]\n")[0]
    few = '{ handler = "Software", number = 32, count = 3 }'
    board = read_board(str(changed(tmp_path, (lines, few))))
    assert board.controller is not None
    made = [(line.handler, line.number) for line in board.controller.lines]
    assert made == [("Software0", 32), ("Software1", 33), ("Software2", 34)]


def test_cycles_instead_of_instructions(tmp_path: Path) -> None:
    runner = read_board("mps2-an385").runner
    assert (runner.unit, runner.ns_per_step) == ("instructions", 32)
    counted = 'kind = "ibex"\nconfiguration = "maxperf"\nns_per_cycle = 20'
    path = changed(
        tmp_path,
        ('kind = "qemu"', counted),
        ("icount_shift = 5", ""),
        ("ns_per_instruction = 32", ""),
    )
    runner = read_board(str(path)).runner
    assert (runner.kind, runner.configuration) == ("ibex", "maxperf")
    assert (runner.unit, runner.ns_per_step) == ("cycles", 20)
    said = refused(tmp_path, ("icount_shift = 5", "ns_per_cycle = 20"))
    assert "ns_per_instruction and ns_per_cycle exclude each other" in said
    said = refused(tmp_path, ("icount_shift = 5", "cycles_hz = 8_000_000"))
    assert "ns_per_instruction and cycles_hz exclude each other" in said


@pytest.mark.parametrize(
    ("hz", "lasts"), [(8_000_000, 125), (16_000_000, Fraction(125, 2)), (7_372_800, None)]
)
def test_cycles_of_any_frequency(tmp_path: Path, hz: int, lasts: Fraction | int | None) -> None:
    path = changed(
        tmp_path,
        ('kind = "qemu"', f'kind = "simavr"\ncycles_hz = {hz}'),
        ("icount_shift = 5", ""),
        ("ns_per_instruction = 32", ""),
    )
    runner = read_board(str(path)).runner
    assert (runner.kind, runner.unit, runner.counts_cycles) == ("simavr", "cycles", True)
    assert runner.ns_per_step == (lasts or Fraction(10**9, hz))
    assert isinstance(runner.ns_per_step, int) is (lasts == 125)


def test_a_simulator_of_avr_boards_needs_the_frequency(tmp_path: Path) -> None:
    said = refused(tmp_path, ('kind = "qemu"', 'kind = "simavr"'))
    assert "no cycles_hz: the simulator of AVR boards needs the core's frequency" in said


@pytest.mark.parametrize("kind", ["stm32", "rp2350"])
def test_a_simulator_of_chips_needs_the_frequency(tmp_path: Path, kind: str) -> None:
    said = refused(tmp_path, ('kind = "qemu"', f'kind = "{kind}"'))
    assert "no cycles_hz: the simulator of this board needs the core's frequency" in said


# ---- what reaches a command line ----------------------------------------------------------------

WORD = "no spaces"
FOLDERS = "cmsdk-dualtimer, cmsdk-timer"


@pytest.mark.parametrize(
    ("old", "new", "key", "expected"),
    [
        # Each of these ran, read or wrote something on the developer's machine, or broke the build.
        ('cpu = "cortex-m3"', 'cpu = "cortex-m3 -fplugin=./evil.so"', "board.cpu", WORD),
        ('cpu = "cortex-m3"', 'cpu = "-fplugin=./evil.so"', "board.cpu", WORD),
        ('cpu = "cortex-m3"', 'cpu = "cortex-m3;-wrapper;sh"', "board.cpu", WORD),
        ('cpu = "cortex-m3"', 'cpu = "$ENV{HOME}"', "board.cpu", WORD),
        ('cpu = "cortex-m3"', 'cpu = "cortex-m3\\n"', "board.cpu", WORD),
        ('cpu = "cortex-m3"', 'cpu = "@/tmp/flags"', "board.cpu", WORD),
        ('cpu = "cortex-m3"', f'cpu = "{"m" * 65}"', "board.cpu", "at most 64 characters"),
        ('cpu = "cortex-m3"', 'cpu = ""', "board.cpu", WORD),
        ("levels = 31", 'fpu = "auto -B/tmp"\nlevels = 31', "board.fpu", WORD),
        ('machine = "mps2-an385"', 'machine = "virt,dumpdtb=out"', "runner.machine", WORD),
        ('machine = "mps2-an385"', 'machine = ""', "runner.machine", WORD),
        (
            "icount_shift = 5",
            'configuration = "../x"\nicount_shift = 5',
            "runner.configuration",
            WORD,
        ),
        ('arch = "armv7m"', 'arch = "z80"', "board.arch", "armv7m, avr, host or rv32"),
        ('device = "cmsdk-dualtimer"', 'device = "../../evil"', "clock.device", WORD),
        ('device = "cmsdk-timer"', 'device = "../../evil"', "cell.timer0.device", WORD),
        ('device = "cmsdk-timer"', 'device = "cmsdk-timers"', "cell.timer0.device", FOLDERS),
        ('title = "Arm', 'title = "\\u001b[2JArm', "board.title", "one line"),
    ],
)
def test_no_string_is_more_than_it_may_be(
    tmp_path: Path, old: str, new: str, key: str, expected: str
) -> None:
    said = refused(tmp_path, (old, new))
    line = AN385.read_text(encoding="utf-8").split(old)[0].count("\n") + 1
    assert re.search(rf"board\.toml:{line}:\d+: {re.escape(key)}: ", said), said
    assert expected in said


@pytest.mark.parametrize("cpu", ["cortex-m4+nofp", "cortex-m0plus", "cortex-m33", "rv32imac_zicsr"])
def test_names_of_processors_are_taken(tmp_path: Path, cpu: str) -> None:
    assert read_board(str(changed(tmp_path, ('"cortex-m3"', f'"{cpu}"')))).cpu == cpu


def test_what_the_servers_of_probes_call_a_board() -> None:
    board = read_board("pico")
    assert board.probe == Probing(
        ("interface/cmsis-dap.cfg", "target/rp2040-core0.cfg"),
        "RP2040",
        "rp2040",
        ChipId(0x40000000, 0x0FFFFFFF, 0x2927),
        125_000_000,
    )
    assert read_board("mps2-an385").probe is None


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ('openocd = ["evil.cfg"]', ("probe.openocd", "evil.cfg", "comes with OpenOCD")),
        ('openocd = ["target/../../evil.cfg"]', ("probe.openocd", "comes with OpenOCD")),
        ('openocd = ["interface/a.cfg", "-c", "x"]', ("probe.openocd[1]", '"-c"')),
        ('pyocd = "--script=x"', ("probe.pyocd", "not a single word")),
        ("chip = { address = 0x1_0000_0000, value = 1 }", ("probe.chip.address", "4294967296")),
        ('probe-rs = "RP2040"', ("probe-rs", "probe_rs")),
    ],
)
def test_a_probe_s_servers_are_told_nothing_else(
    line: str, texts: tuple[str, ...], tmp_path: Path
) -> None:
    said = refused(tmp_path, ("[clock]", f"[probe]\n{line}\n\n[clock]"))
    for text in texts:
        assert text in said
