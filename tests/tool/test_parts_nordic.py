# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Boards of Nordic's chips: what is chosen of an SVD file, the files that are written, what is refused."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop
from tests.tool.nordic_svd import NRF51, NRF52840, put, svd

from horolog.model import Board, Exit, HorologError
from horolog.parts import Wish, files_of, is_nordic, made_board, nordic_memory, nordic_names
from horolog.parts.nordic import Nordic, nordic_board
from horolog.read import read_board

CM0 = "<name>CM0</name><fpuPresent>0</fpuPresent><nvicPrioBits>2</nvicPrioBits>"


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are written below the current folder."""
    monkeypatch.chdir(tmp_path)


def made(part: str, text: str, folder: Path, wish: Wish | None = None) -> Nordic:
    return nordic_board(part, wish or Wish(), put(folder, text))


def written(board: Nordic, folder: Path) -> Board:
    """The board as the tool reads it."""
    for path, text in files_of(board, "mine").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return read_board(str(folder / "board.toml"))


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str | None, text: str) -> None:
    """A package pyocd in `folder` with an SVD file of that name; None: with something else as its archive."""
    data = folder / "site" / "pyocd" / "debug" / "svd" / "svd_data.zip"
    data.parent.mkdir(parents=True)
    (folder / "site" / "pyocd" / "__init__.py").write_text("", encoding="utf-8")
    if name is None:
        data.write_text(text, encoding="utf-8")
    else:
        with zipfile.ZipFile(data, "w") as archive:
            archive.writestr(name, text)
    monkeypatch.syspath_prepend(str(folder / "site"))


# ---- what is chosen --------------------------------------------------------------------------


def test_the_board_that_comes_with_horolog_is_what_the_command_makes(tmp_path: Path) -> None:
    """In all but its name, the words around it, and lines above 31, which the SVD file here has not all."""
    mine = written(made("nrf52840", svd(), tmp_path), tmp_path)
    shipped = read_board("nrf52840dk")
    assert (mine.clock, mine.cells, mine.memory) == (shipped.clock, shipped.cells, shipped.memory)
    assert (mine.arch, mine.cpu, mine.fpu) == (shipped.arch, shipped.cpu, shipped.fpu)
    assert (mine.work_ns, mine.basic_levels) == (shipped.work_ns, shipped.basic_levels)
    assert mine.controller is not None
    assert shipped.controller is not None
    assert [line.number for line in mine.controller.lines] == [
        line.number for line in shipped.controller.lines
    ]
    header = (tmp_path / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
    its = (shipped.directory / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
    mine_words, its_words = ("".join(text.split("#define")[2:]) for text in (header, its))
    assert mine_words.replace("\\", "").split() == its_words.replace("\\", "").split()


def test_timers_lines_and_memory_of_an_nrf52840(tmp_path: Path) -> None:
    board = made("nRF52840-QIAA-R7", svd(), tmp_path)
    assert board.part.name == "nRF52840_xxAA"
    assert (board.arch, board.core.cpu, board.core.fpu) == ("armv7m", "cortex-m4", "fpv4-sp-d16")
    assert [(timer.base, timer.line, timer.width) for timer in board.timers] == [
        (0x4000_8000, "TIMER0", 32),
        (0x4000_9000, "TIMER1", 32),
        (0x4000_A000, "TIMER2", 32),
        (0x4001_A000, "TIMER3", 32),
        (0x4001_B000, "TIMER4", 32),
    ]
    assert [(one.origin, one.length) for one in board.memory] == [
        (0, 0x10_0000),
        (0x2000_0000, 0x4_0000),
    ]
    numbers = [number for _, number in board.lines]
    assert numbers[:8] == [*range(18, 26)]
    assert {8, 9, 10, 26, 27} & set(numbers) == set()
    assert max(numbers) < 32
    names = [name for name, _ in board.lines]
    assert names.index("TEMP") < names.index("RADIO")


def test_an_nrf51_has_one_wide_timer_and_two_bits_of_priority(tmp_path: Path) -> None:
    text = svd("nrf51", NRF51, CM0)
    board = written(made("nRF51822_xxAC", text, tmp_path), tmp_path)
    assert (board.arch, board.cpu, board.fpu, board.basic_levels) == (
        "armv6m",
        "cortex-m0",
        None,
        4,
    )
    assert (board.clock.width, board.cell("timer0a").width, board.cell("timer2d").width) == (
        32,
        32,
        16,
    )
    assert [one.length for one in board.memory] == [256 * 1024, 32 * 1024]
    assert board.probe is not None
    assert board.probe.cycles_hz is None  # there is no SysTick
    header = (tmp_path / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
    assert "TIMERS 3u" in header
    assert "OTHER_BITS 16u" in header
    assert "READS_BACK 0" in header


def test_named_timers_leave_the_others_and_their_lines(tmp_path: Path) -> None:
    wish = Wish(timers=("timer4", "TIMER1"), timer_hz=250_000)
    board = made("nrf52840", svd(), tmp_path, wish)
    assert [timer.name for timer in board.clock_timers] == ["TIMER1"]
    assert [timer.name for timer in board.timers] == ["TIMER1", "TIMER4"]
    assert (board.timer_hz, board.prescaler) == (250_000, 6)
    assert 2 * board.start_counts < board.min_counts
    assert ("TIMER0", 8) in board.lines
    read = written(board, tmp_path)
    assert [cell.name for cell in read.cells] == [
        *("timer1a", "timer1b"),
        *("timer4a", "timer4b", "timer4c", "timer4d"),
    ]
    assert [cell.instance for cell in read.cells] == [0, 1, 4, 5, 6, 7]
    assert {cell.handler for cell in read.cells} == {"TIMER1_Handler", "TIMER4_Handler"}
    header = (tmp_path / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
    assert "((timer) == 0u ? 0x40009000u : 0x4001b000u)" in header
    assert "((timer) == 0u ? 9 : 27)" in header
    assert "CLOCK_HANDLER TIMER1_Handler" in header


@pytest.mark.parametrize(("name", "instances"), [("RTC0", [0, 1]), ("rtc1", [0, 1, 3])])
def test_an_rtc_is_the_clock_and_its_comparisons_are_the_cells(
    tmp_path: Path, name: str, instances: list[int]
) -> None:
    made_of = made("nrf52840", svd(), tmp_path, Wish(timers=(name,)))
    board = written(made_of, tmp_path)
    assert (board.clock.device, board.clock.hz, board.clock.width) == ("nrf-rtc", 32_768, 24)
    assert board.clock.handler == f"{name.upper()}_Handler"
    assert [cell.instance for cell in board.cells] == instances
    assert {(cell.device, cell.width) for cell in board.cells} == {("nrf-rtc", 24)}
    assert all(cell.min_counts > 2 * made_of.start_counts for cell in board.cells)
    assert ("TIMER0", 8) in made_of.lines
    assert name.upper() not in [line for line, _ in made_of.lines]
    header = (tmp_path / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
    assert f"0x{0x4000_B000 if name == 'RTC0' else 0x4001_1000:08x}u" in header


def test_a_silent_file_leaves_the_data_sheet_s_core_and_bits(tmp_path: Path) -> None:
    board = made("nrf52832", svd("nrf52", cpu=""), tmp_path)
    assert (board.core.name, board.part.priority_bits) == ("m4f", 3)
    assert [one.length for one in board.memory] == [512 * 1024, 64 * 1024]


@pytest.mark.parametrize("hz", [16_000_000 >> by for by in range(4, 10)])
def test_shortest_intervals_leave_time_for_a_start_at_every_frequency(
    tmp_path: Path, hz: int
) -> None:
    board = made("nrf52840", svd(), tmp_path, Wish(timer_hz=hz))
    assert 16_000_000 >> board.prescaler == hz
    assert board.min_counts > 2 * board.start_counts >= 4


def test_every_part_has_a_core_with_a_port(tmp_path: Path) -> None:
    files = {"nRF51822": svd("nrf51", NRF51, ""), "nRF52832": svd("nrf52", cpu="")}
    for part, (_, flash, ram) in nordic_memory().items():
        chip = part.partition("_")[0]
        board = made(part, files.get(chip, svd(chip.lower(), cpu="")), tmp_path)
        assert [one.length for one in board.memory] == [flash, ram]
        assert chip in nordic_names()
        assert is_nordic(part.lower())


# ---- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "text", "wish", "said"),
    [
        ("nrf52841", svd(), Wish(), ['unknown part "nrf52841"', "nRF52840, nRF52833 or nRF52832"]),
        ("nrf", svd(), Wish(), ["unknown part", "nRF51822, nRF52832, nRF52833 or nRF52840"]),
        ("nrf52832_xxAC", svd(), Wish(), ["no variant xxAC", "nRF52832_xxAA or nRF52832_xxAB"]),
        ("nrf52832", svd(), Wish(), ["device.name: this SVD file is of another", '"nrf52840"']),
        ("nrf52840", "no XML", Wish(), ["chip.svd:1:1", "it is no XML"]),
        (
            "nrf52840",
            svd(lines={"RTC0": 11}),
            Wish(),
            ["chip.svd: peripherals: this SVD file has no timers", "TIMER0"],
        ),
        (
            "nrf52840",
            svd().replace("<addressOffset>0x540", "<addressOffset>0x5c0"),
            Wish(),
            ["peripheral.TIMER0.register.CC[%s]", "CC[%s] at 0x5c0", "CC[%s] at 0x540"],
        ),
        (
            "nrf52840",
            svd().replace("<name>PRESCALER</name>", "<name>DIVIDER</name>"),
            Wish(),
            ["is not a timer that the driver", "no such register", "PRESCALER at 0x510"],
        ),
        (
            "nrf52840",
            svd().replace("<interrupt><name>TIMER2</name><value>10</value></interrupt>", ""),
            Wish(),
            ["peripheral.TIMER2: TIMER2 has no interrupt"],
        ),
        ("nrf52840", svd(cpu="<name>CM33</name>"), Wish(), ["cpu.name: no core", '"CM33"']),
        (
            "nrf52840",
            svd(cpu="<nvicPrioBits>1</nvicPrioBits>"),
            Wish(),
            ["nvicPrioBits: no number of priority bits", "the chip has 3"],
        ),
        ("nrf52840", svd(), Wish(timers=("TIMER5",)), ['no timer "TIMER5"', "TIMER4"]),
        ("nrf52840", svd(), Wish(timers=("TIMER1", "timer1")), ["TIMER1 is listed twice"]),
        ("nrf52840", svd(), Wish(timers=("RTC1", "RTC2")), ["the driver nrf-rtc has 1 timer\n"]),
        ("nrf52840", svd(), Wish(timers=("RTC1", "TIMER1")), ['no timer "TIMER1"', "RTC2"]),
        ("nrf52840", svd(), Wish(timers=("RTC1",), timer_hz=1_000_000), ["1 MHz", "32768"]),
        (
            "nrf52840",
            svd().replace("<name>COUNTER</name>", "<name>COUNT</name>"),
            Wish(timers=("RTC0",)),
            ["register.COUNTER", "that the driver nrf-rtc knows", "COUNTER at 0x504"],
        ),
        ("nrf52840", svd(), Wish(hz=32_000_000), ["runs at 64 MHz only", "--hz 32000000"]),
        (
            "nrf52840",
            svd(),
            Wish(timer_hz=16_000_000),
            ["16 MHz", "1000000, 500000, 250000, 125000, 62500, 31250"],
        ),
        (
            "nrf51822",
            svd("nrf51", NRF51, CM0),
            Wish(timers=("TIMER1",)),
            ["needs 32 bits", "TIMER0 among them"],
        ),
        (
            "nrf51822",
            svd("nrf51", {"TIMER0": 8}, CM0).replace("TIMER0", "TIMER1"),
            Wish(),
            ["nRF51822_xxAA has no board: its SVD file has no timer of 32 bits"],
        ),
        (
            "nrf52840",
            svd(lines=NRF52840 | {"TIMER5": 30}),
            Wish(timers=tuple(f"TIMER{n}" for n in range(6))),
            ["the driver nrf-timer has 5 timers"],
        ),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, part: str, text: str, wish: Wish, said: list[str]
) -> None:
    with pytest.raises(HorologError) as refused:
        made(part, text, tmp_path, wish)
    assert refused.value.exit == Exit.BAD_INPUT
    for words in said:
        assert words in str(refused.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="the SVD file cannot be read") as refused:
        nordic_board("nrf52840", Wish(), tmp_path)
    assert "Is a directory" in str(refused.value)


# ---- pyOCD's package -------------------------------------------------------------------------


def test_the_file_of_pyocd_is_read_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, monkeypatch, "nrf52840.svd", svd())
    assert len(nordic_board("nrf52840", Wish()).timers) == 5
    with pytest.raises(HorologError, match="pyOCD's package has no data of nRF52832_xxAA") as lost:
        nordic_board("nrf52832", Wish())
    assert "no nrf52.svd in it" in str(lost.value)
    assert "--svd FILE" in str(lost.value)


def test_a_broken_package_of_pyocd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, monkeypatch, None, "no archive")
    with pytest.raises(HorologError, match="has no data") as refused:
        nordic_board("nrf52840", Wish())
    assert "File is not a zip file" in str(refused.value)


def test_without_pyocd_the_error_says_what_to_install(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("horolog.parts.svd_files.find_spec", lambda name: None)
    said = workshop.run("board", "new", "--part", "nrf52840")
    assert said.code == Exit.NOT_INSTALLED
    for words in ("`pip install pyocd`", "horolog board new --svd FILE", "no Python package pyocd"):
        assert words in said.err


# ---- the commands ----------------------------------------------------------------------------


def test_a_board_in_one_command(workshop: Workshop) -> None:
    put(workshop.directory)
    said = workshop.run("board", "new", "--part", "nrf52840", "--svd", "chip.svd", "--json").object
    assert (said["part"], said["clock"], said["hz"]) == ("nRF52840_xxAA", "TIMER0", 64_000_000)
    assert len(said["cells"]) == 18
    assert all((workshop.directory / said["directory"] / file).is_file() for file in said["files"])


@pytest.mark.parametrize(
    ("part", "more", "said"),
    [
        ("ESP32", (), ['unknown part "ESP32"', "nRF52840"]),
        ("STM32F446RE", ("--svd", "chip.svd"), ["no SVD file is read for this part"]),
    ],
)
def test_parts_that_are_not_made_of_svd(
    workshop: Workshop, part: str, more: tuple[str, ...], said: list[str]
) -> None:
    refused = workshop.run("board", "new", "--part", part, *more)
    assert refused.code == Exit.BAD_INPUT
    for words in said:
        assert words in refused.err


def test_an_stm32_is_made_as_before() -> None:
    assert made_board("STM32F446RE", Wish()).part.name == "STM32F446RE"


def test_parts_are_listed_with_what_is_known_without_a_file(workshop: Workshop) -> None:
    rows = workshop.run("board", "parts", "nrf528", "--json").object["parts"]
    assert [row["part"] for row in rows] == [
        "nRF52832_xxAA",
        "nRF52832_xxAB",
        "nRF52833_xxAA",
        "nRF52840_xxAA",
    ]
    assert rows[3]["ram_bytes"] == 256 * 1024
    assert rows[3]["timers"] is None
    assert "by SVD" in workshop.run("board", "parts", "nrf52840").out


def test_a_project_for_a_part(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(workshop.directory, monkeypatch, "nrf52.svd", svd("nrf52"))
    folder = workshop.directory / "mine"
    said = workshop.run("new", str(folder), "--board", "nrf52832", "--json")
    assert said.code == 0, said.err
    assert "boards/nrf52832/board.toml" in said.object["files"]
    assert workshop.run("plan", str(folder / "system.toml")).code == 0
    refused = workshop.run("new", str(workshop.directory / "other"), "--board", "nrf52840-dk")
    assert "nrf52840dk" in refused.err
    assert "unknown board or part" in refused.err


def test_the_board_that_comes_with_horolog_is_not_run(workshop: Workshop) -> None:
    folder = workshop.directory / "mine"
    said = workshop.run("new", str(folder), "--board", "nrf52840dk")
    assert said.code == 0, said.err
    assert "horolog run" not in said.out
    assert "horolog build" in said.out
    planned = workshop.run("plan", str(folder / "system.toml"))
    assert planned.code == 0
    assert "not predicted: no instructions are counted on this board" in planned.out
    for command in ("run", "compare"):
        refused = workshop.run(command, str(folder / "system.toml"))
        assert refused.code == Exit.BAD_INPUT
        assert "runner.kind: no emulator runs the board nrf52840dk" in refused.err
