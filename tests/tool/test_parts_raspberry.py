# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Boards of Raspberry Pi's chips: what is chosen of an SVD file, what is written, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tool.conftest import Workshop
from tests.tool.raspberry_svd import rp2040_svd, rp2350_svd

from horolog.model import Board, Exit, HorologError
from horolog.parts import Raspberry, Wish, files_of, raspberry_board, raspberry_chips
from horolog.parts.raspberry_chips import find_raspberry, pll_ratio
from horolog.read import read_board

SVD = {"RP2040": rp2040_svd(), "RP2350": rp2350_svd()}


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are written below the current folder."""
    monkeypatch.chdir(tmp_path)


def made(part: str, folder: Path, wish: Wish | None = None, text: str | None = None) -> Raspberry:
    file = folder / "chip.svd"
    file.write_text(SVD[part[:6].upper()] if text is None else text, encoding="utf-8")
    return raspberry_board(part, wish or Wish(), file)


def written(board: Raspberry, folder: Path) -> Board:
    """The board as the tool reads it."""
    for path, text in files_of(board, "mine").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return read_board(str(folder / "board.toml"))


def words(path: Path) -> list[str]:
    """The header's macros, word by word, without comments."""
    lines = [line.partition("/*")[0] for line in path.read_text(encoding="utf-8").splitlines()]
    return " ".join(line for line in lines if line.startswith("#define HRLP_RP_")).split()


# ---- what is chosen --------------------------------------------------------------------------


@pytest.mark.parametrize(("part", "shipped"), [("RP2040", "pico"), ("RP2350", "pico2")])
def test_the_board_that_comes_with_horolog_is_what_the_command_makes(
    tmp_path: Path, part: str, shipped: str
) -> None:
    """In all but its name and the words around it; the lines of the RP2040 have names here."""
    mine, its = written(made(part, tmp_path), tmp_path), read_board(shipped)
    assert (mine.clock, mine.memory, mine.work_ns) == (its.clock, its.memory, its.work_ns)
    assert (mine.arch, mine.cpu, mine.fpu, mine.levels) == (its.arch, its.cpu, its.fpu, its.levels)
    assert (mine.runner.kind, mine.runner.ns_per_step) == (
        its.runner.kind,
        its.runner.ns_per_step,
    )
    assert mine.probe == its.probe
    assert [(cell.name, cell.instance, cell.modes) for cell in mine.cells] == [
        (cell.name, cell.instance, cell.modes) for cell in its.cells
    ]
    timers = Path("port", "hrlp_board_timers.h")
    renamed = [
        word.replace("TIMER_IRQ_0_Handler", "IRQ0_Handler") if part == "RP2040" else word
        for word in words(tmp_path / timers)
    ]
    assert renamed == words(its.directory / timers)
    costs = (tmp_path / "costs.toml").read_text(encoding="utf-8")
    assert costs[costs.index("[costs]") :] in (its.directory / "costs.toml").read_text("utf-8")


def test_the_second_timer_of_an_rp2350(tmp_path: Path) -> None:
    board = made("rp2350a", tmp_path, Wish(timers=("timer1",)))
    assert (board.timer.base, board.timer.first_line, board.timer.intr) == (0x400B_8000, 4, 0x3C)
    assert (board.tick, board.tick_cycles) == (0x4010_8024, 0x4010_8028)
    assert board.reset_bits == {"TIMER1": 24, "PLL_SYS": 14}
    assert ("TIMER0_IRQ_0", 0) in board.lines
    read = written(board, tmp_path)
    assert [cell.handler for cell in read.cells] == [f"TIMER1_IRQ_{n}_Handler" for n in range(4)]
    chip = (tmp_path / "chip.txt").read_text(encoding="utf-8")
    assert "alarms 0x400b8000 4 150 0x40020000 24 0x40108024" in chip


def test_eight_lines_in_a_row_come_first(tmp_path: Path) -> None:
    lines = made("RP2350", tmp_path).lines
    assert [number for _, number in lines][:8] == [*range(22, 30)]
    assert {number for _, number in lines} == {*range(4, 32)}
    assert ("IRQ29", 29) in lines  # what the file does not name has its number


def test_threads_serve_basic_tasks_of_an_rp2040(tmp_path: Path) -> None:
    """As on the board pico, the costs of which it has."""
    board = made("RP2040", tmp_path)
    assert board.lines == ()
    read, shipped = written(board, tmp_path), read_board("pico")
    assert (read.controller, read.attachable, read.basic_levels) == (
        None,
        shipped.attachable,
        shipped.basic_levels,
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<nvicPrioBits>4", "<nvicPrioBits>-1", ["nvicPrioBits", "4 bits of interrupt priority"]),
        ("[23:23]", "[40:40]", ["RESET.field.TIMER0.bitRange: no bit", '"40"', "0 to 31"]),
        (
            "<baseAddress>0x400b0000",
            "<baseAddress>-0x10",
            ["peripheral.TIMER0.baseAddress: no address of a peripheral", "-0x10", "0x5fffffff"],
        ),
        (
            "<baseAddress>0x40108000",
            "<baseAddress>0xe0000000",
            ["peripheral.TICKS: no address of a peripheral", "0xe0000018"],
        ),
        ("<value>3</value>", "<value>9</value>", ["with numbers in a row below 52"]),
    ],
)
def test_what_no_chip_has_is_refused(tmp_path: Path, old: str, new: str, said: list[str]) -> None:
    text = rp2350_svd()
    assert old in text
    with pytest.raises(HorologError) as refused:
        made("RP2350", tmp_path, text=text.replace(old, new))
    for one in said:
        assert one in str(refused.value)


def test_lines_beyond_those_of_the_chip_are_refused(tmp_path: Path) -> None:
    text = rp2350_svd()
    for n in range(4):
        name = f"<name>TIMER0_IRQ_{n}</name>"
        text = text.replace(f"{name}<value>{n}<", f"{name}<value>{49 + n}<")
    with pytest.raises(HorologError, match="TIMER0 is not what the driver") as refused:
        made("RP2350", tmp_path, text=text)
    assert "interrupts 49, 50, 51 and 52" in str(refused.value)


def test_a_slow_core_has_longer_shortest_intervals(tmp_path: Path) -> None:
    read = written(made("RP2040", tmp_path, Wish(hz=20_000_000)), tmp_path)
    assert {cell.min_counts for cell in read.cells} == {100}
    header = (tmp_path / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
    assert "HRLP_RP_COUNT_CYCLES 20u" in header


def test_another_frequency_has_no_simulator_and_no_costs(tmp_path: Path) -> None:
    board = made("RP2350", tmp_path, Wish(hz=48_000_000))
    assert board.pll.hz == 48_000_000
    read = written(board, tmp_path)
    assert (read.runner.kind, read.runner.cycles_hz) == ("none", None)
    assert not {"chip.txt", "costs.toml"} & {path.name for path in tmp_path.iterdir()}
    header = words(tmp_path / "port" / "hrlp_board_timers.h")
    at = header.index("HRLP_RP_PLL_MULTIPLY")
    multiply, first, second = (int(header[at + by].strip("(u)")) for by in (1, 4, 8))
    assert 12_000_000 * multiply == 48_000_000 * first * second


@pytest.mark.parametrize("chip", raspberry_chips(), ids=lambda chip: chip.name)
def test_what_the_pll_makes_is_within_the_datasheet(chip: object) -> None:
    known = find_raspberry(getattr(chip, "name"))  # noqa: B009
    for hz in (known.hz, 48_000_000, 100_000_000, 120_000_000, known.most_hz):
        ratio = pll_ratio(known, hz)
        oscillator = 12_000_000 * ratio.multiply
        assert ratio.hz == hz
        assert 750_000_000 <= oscillator <= 1_600_000_000
        assert 1 <= ratio.second <= ratio.first <= 7
        assert oscillator == hz * ratio.first * ratio.second


# ---- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "text", "wish", "said"),
    [
        ("RP2041", rp2040_svd(), Wish(), ['unknown part "RP2041"', "RP2040 or RP2350"]),
        ("RP2040A", rp2040_svd(), Wish(), ['unknown part "RP2040A"']),
        ("RP2040", rp2350_svd(), Wish(), ["device.name: this SVD file is of another", '"RP2350"']),
        ("RP2040", "no XML", Wish(), ["chip.svd:1:1", "it is no XML"]),
        ("RP2040", rp2040_svd(), Wish(hz=200_000_000), ["at 133 MHz at most", "133000000"]),
        ("RP2350", rp2350_svd(), Wish(hz=149_000_000), ["cannot make 149 MHz", "148500000"]),
        ("RP2040", rp2040_svd(), Wish(timer_hz=2_000_000), ["count microseconds", "1000000"]),
        ("RP2040", rp2040_svd(), Wish(timers=("TIMER1",)), ['no timer "TIMER1"', "TIMER"]),
        (
            "RP2350",
            rp2350_svd(),
            Wish(timers=("TIMER0", "TIMER1")),
            ["one TIMER is the clock", "--timers TIMER0 or --timers TIMER1"],
        ),
        (
            "RP2040",
            rp2040_svd().replace("<name>ARMED</name>", "<name>ARM</name>"),
            Wish(),
            ["peripheral.TIMER.register.ARMED", "no such register", "ARMED at 0x20"],
        ),
        (
            "RP2350",
            rp2350_svd().replace("<addressOffset>0x40<", "<addressOffset>0x44<"),
            Wish(),
            ["peripheral.TIMER0.register.INTE", "INTR at 0x3c, INTE at 0x44"],
        ),
        (
            "RP2040",
            rp2040_svd().replace("<name>TIMER_IRQ_3</name><value>3<", "<name>X</name><value>7<"),
            Wish(),
            ["peripheral.TIMER", "four interrupts with numbers in a row"],
        ),
        (
            "RP2040",
            rp2040_svd().replace("<name>XOSC</name>", "<name>OSC</name>"),
            Wish(),
            ["no peripheral XOSC", "CTRL, STATUS and STARTUP"],
        ),
        (
            "RP2040",
            rp2040_svd().replace("<name>timer</name>", "<name>clock</name>"),
            Wish(),
            ["peripheral.RESETS.register.RESET.fields: RESETS has no bit for TIMER"],
        ),
        (
            "RP2040",
            rp2040_svd().replace("[21:21]", "[21]").replace("[12:12]", "[x]"),
            Wish(),
            ["peripheral.RESETS.register.RESET.field.pll_sys.bitRange", "a number from 0 to 31"],
        ),
        (
            "RP2350",
            rp2350_svd().replace("<name>TIMER0_CYCLES</name>", "<name>CYCLES</name>"),
            Wish(),
            ["peripheral.TICKS", "TICKS with a register TIMER0_CYCLES"],
        ),
        (
            "RP2040",
            rp2040_svd().replace("<name>WATCHDOG</name>", "<name>DOG</name>"),
            Wish(),
            ["does not say what starts TIMER", "no peripheral WATCHDOG"],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 9 else "",
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, part: str, text: str, wish: Wish, said: list[str]
) -> None:
    with pytest.raises(HorologError) as refused:
        made(part, tmp_path, wish, text)
    assert refused.value.exit == Exit.BAD_INPUT
    for one in said:
        assert one in str(refused.value)


@pytest.mark.parametrize("form", ["<bitOffset>9</bitOffset>", "<lsb>9</lsb><msb>9</msb>"])
def test_fields_are_written_in_three_ways(tmp_path: Path, form: str) -> None:
    text = rp2040_svd().replace("<bitRange>[21:21]</bitRange>", form)
    assert made("RP2040", tmp_path, text=text).reset_bits["TIMER"] == 9


# ---- the crate -------------------------------------------------------------------------------


def crate(home: Path, name: str, path: str, text: str) -> None:
    """A crate among cargo's sources."""
    file = home / "registry" / "src" / "index" / name / path
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")


def test_the_file_of_the_crate_is_read_where_cargo_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    monkeypatch.setattr("horolog.parts.svd_files.shutil.which", lambda name: None)
    crate(tmp_path, "rp235x-pac-0.2.0", "svd/RP2350.svd", rp2350_svd())
    assert raspberry_board("RP2350", Wish()).timer.base == 0x400B_0000


def test_without_cargo_the_error_says_what_to_do(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_HOME", str(workshop.directory / "none"))
    monkeypatch.setattr("horolog.parts.svd_files.shutil.which", lambda name: None)
    said = workshop.run("board", "new", "--part", "RP2350")
    assert said.code == Exit.NOT_INSTALLED
    for one in ("the crate rp235x-pac", "no cargo on PATH", "horolog board new --svd FILE"):
        assert one in said.err


def test_a_crate_that_cannot_be_fetched(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = workshop.directory / "bin" / "cargo"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'error: no network' >&2\nexit 101\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("CARGO_HOME", str(workshop.directory / "none"))
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    said = workshop.run("board", "new", "--part", "RP2040")
    assert said.code == Exit.NOT_INSTALLED
    for one in ("rp2040-pac 0.6.0, which cargo cannot fetch", "error: no network", "crates.io"):
        assert one in said.err


# ---- the commands ----------------------------------------------------------------------------


def test_a_board_in_one_command(workshop: Workshop) -> None:
    (workshop.directory / "chip.svd").write_text(rp2350_svd(), encoding="utf-8")
    said = workshop.run("board", "new", "--part", "rp2350", "--svd", "chip.svd")
    assert said.code == 0, said.err
    assert "RP2350, cortex-m33 at 150 MHz, which the driver of the clock sets" in said.out
    assert "TIMER0, 1 MHz, 64 bits" in said.out
    assert "A simulator runs it" in said.out
    table = workshop.run("board", "parts", "rp2").out
    assert table.index("RP2040") < table.index("RP2350")
    assert "520 KiB" in table


def test_a_project_for_a_chip(
    workshop: Workshop, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("cargo")
    monkeypatch.setenv("CARGO_HOME", str(home))
    crate(home, "rp2040-pac-0.6.0", "svd/rp2040.svd", rp2040_svd())
    said = workshop.run("new", "blink", "--board", "RP2040")
    assert said.code == 0, said.err
    text = (workshop.directory / "blink" / "system.toml").read_text(encoding="utf-8")
    assert 'board = "./boards/rp2040"' in text
    assert workshop.run("check", "blink/system.toml").code == 0
