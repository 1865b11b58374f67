# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Boards by the part numbers of their chips: the data, what is chosen of them, the files that are written."""

from __future__ import annotations

import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from horolog.model import Board, HorologError
from horolog.parts import Part, Wish, board_files, chosen, find_part, part_names, read_part
from horolog.parts.clocks import speed
from horolog.read import read_board
from horolog.read.ports import ports

REASONS = (
    "there is no port for its core, a Cortex-M55",
    "it is the second core of its chip, which no port starts",
    "it has no timer of 32 bits, and no two that are known to be one together",
    "the clock of .* after reset is not known here",
)
PORT_OF = {core.name: arch for (arch, _), port in ports().items() for core in port.part_cores}


def written(part: str, folder: Path, wish: Wish | None = None) -> Board:
    """The board of `part`, written to `folder` and read by the tool."""
    for path, text in board_files(chosen(find_part(part), wish or Wish()), "mine").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return read_board(str(folder / "board.toml"))


# ---- the data --------------------------------------------------------------------------------


def test_an_f446_is_what_its_manual_says() -> None:
    """RM0390: table 1 (memory), 6.3 (RCC), table 38 (vectors)."""
    part = find_part("STM32F446RE")
    assert (part.family, part.core, part.priority_bits) == ("STM32F4", "m4f", 4)
    timers = {timer.name: timer for timer in part.timers}
    assert list(timers) == [f"TIM{number}" for number in range(1, 15)]
    two, nine, eight = timers["TIM2"], timers["TIM9"], timers["TIM8"]
    assert (two.base, two.width, two.channels, two.enable) == (0x4000_0000, 32, 4, (0x4002_3840, 0))
    assert (nine.base, nine.width, nine.channels, nine.enable) == (
        0x4001_4000,
        16,
        2,
        (0x4002_3844, 16),
    )
    assert [timers[f"TIM{n}"].channels for n in (6, 13)] == [0, 1]
    lines = part.interrupts
    assert (lines[two.update_line], lines[eight.update_line], lines[eight.compare_line]) == (
        28,
        44,
        46,
    )
    assert [(r.origin, r.length) for r in part.memory if r.kind == "ram"] == [
        (0x2000_0000, 0x2_0000)
    ]


@pytest.mark.parametrize(
    ("name", "enable", "line"),
    [
        ("STM32F103C8", (0x4002_101C, 0), 28),
        ("STM32H743ZI", (0x5802_44E8, 0), 28),
        ("STM32WB55RG", (0x5800_0058, 0), 28),
        ("STM32U575ZI", (0x4602_0C9C, 0), 45),
        ("STM32L073RZ", (0x4002_1038, 0), 15),
    ],
)
def test_timer_2_of_other_families(name: str, enable: tuple[int, int], line: int) -> None:
    part = find_part(name)
    two = next(timer for timer in part.timers if timer.name == "TIM2")
    assert (two.base, two.enable, part.interrupts[two.update_line]) == (0x4000_0000, enable, line)


def test_every_part_is_whole() -> None:
    names = part_names()
    assert len(names) == 1533
    for name in names:
        part = read_part(name)
        assert part.core in PORT_OF or part.core == "m55"
        assert part.priority_bits in (2, 3, 4)
        assert speed(part).most_of_timers <= speed(part).most
        for timer in part.timers:
            assert {timer.update_line, timer.compare_line} <= set(part.interrupts)
            assert 0 <= timer.enable[1] < 32


def test_the_file_is_small() -> None:
    from horolog.parts.stm32 import FILE

    assert FILE.stat().st_size < 20_000


def test_an_order_code_names_its_part() -> None:
    assert find_part("stm32f446ret6").name == "STM32F446RE"
    assert find_part("STM32F103C8T6TR").name == "STM32F103C8"


# ---- what is chosen --------------------------------------------------------------------------


def test_a_timer_of_32_bits_is_the_clock_and_the_others_are_cells() -> None:
    found = chosen(find_part("STM32F446RE"), Wish())
    assert (found.clock.name, found.chain, found.hz, found.source) == (
        "TIM2",
        None,
        16_000_000,
        "HSI",
    )
    assert {timer.name for timer in found.cells} == {f"TIM{n}" for n in range(1, 15)} - {"TIM2"}
    other = chosen(find_part("STM32F446RE"), Wish(timers=("tim5", "TIM3")))
    assert (other.clock.name, [timer.name for timer in other.cells]) == ("TIM5", ["TIM3"])


def test_two_timers_of_16_bits_are_one_clock() -> None:
    found = chosen(find_part("STM32F103C8"), Wish())
    assert found.chain is not None
    assert (found.clock.name, found.chain.high.name, found.chain.trigger) == ("TIM2", "TIM3", 1)
    assert [timer.name for timer in found.cells] == ["TIM1", "TIM4"]
    assert (found.clock_line, [timer.name for timer in found.clock_timers]) == (
        "TIM3",
        ["TIM2", "TIM3"],
    )


def test_a_line_for_basic_tasks_is_no_timer_s() -> None:
    found = chosen(find_part("STM32F446RE"), Wish(timers=("TIM1", "TIM2")))
    names = [name for name, _ in found.lines]
    assert {"TIM2", "TIM1_UP_TIM10"} & set(names) == set()
    assert {"TIM3", "TIM1_CC"} <= set(names)
    assert all(number < 32 for _, number in found.lines)
    assert names.index("WWDG") < names.index("EXTI0") < names.index("I2C1_EV")


@pytest.mark.parametrize(
    ("part", "wish", "said"),
    [
        (
            "STM32F446RE",
            Wish(hz=200_000_000),
            ["200 MHz", "--hz 200000000", "65536 to 180000000; after"],
        ),
        ("STM32F446RE", Wish(hz=0), ["cannot have a clock", "--hz 0"]),
        (
            "STM32F446RE",
            Wish(timer_hz=5_000_000),
            ["5 MHz", "4000000, 2000000 or 1000000"],
        ),
        (
            "STM32H743ZI",
            Wish(hz=480_000_000),
            ["without --timer-hz", "--timer-hz 240000000, 120000000"],
        ),
        ("STM32U385CG", Wish(), ["after reset is not known here", "--hz, up to 96000000"]),
        (
            "STM32F446RE",
            Wish(timers=("TIM2", "TIM22")),
            ['no timer "TIM22"', 'mean "TIM2"', "TIM14"],
        ),
        (
            "STM32F446RE",
            Wish(timers=("TIM2", "tim2")),
            ["TIM2 is listed twice", "--timers TIM2,TIM2"],
        ),
        (
            "STM32F446RE",
            Wish(timers=("TIM3",)),
            ["needs 32 bits", "TIM2 or TIM5 among them"],
        ),
        ("STM32F103C8", Wish(timers=("TIM2", "TIM4")), ["needs 32 bits", "both TIM2 and TIM3"]),
        ("STM32N657Z0", Wish(), ["STM32N657Z0 has no board", "Cortex-M55"]),
        ("STM32H745ZI-CM4", Wish(), ["second core of its chip"]),
    ],
)
def test_what_a_part_cannot_have_is_refused(part: str, wish: Wish, said: list[str]) -> None:
    with pytest.raises(HorologError) as refused:
        chosen(find_part(part), wish)
    for words in said:
        assert words in str(refused.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("STM32F446", ['unknown part "STM32F446"', "STM32F446RC, STM32F446RE"]),
        ("STM32F446RF", ["STM32F446RE"]),
        ("ESP32", ["horolog board parts lists them"]),
        ("STM32", ["STM32"]),
        ("", ['unknown part ""']),
        ("STM32H745ZI", ["STM32H745ZI-CM4 or STM32H745ZI-CM7"]),
    ],
)
def test_an_unknown_part_is_refused_with_what_is_near(name: str, said: list[str]) -> None:
    with pytest.raises(HorologError) as refused:
        find_part(name)
    for words in said:
        assert words in str(refused.value)


def test_of_regions_that_overlap_by_mistake_the_first_is_taken() -> None:
    """The crate has the second bank of STM32U375CE in the middle of the first."""
    found = chosen(find_part("STM32U375CE"), Wish(hz=12_000_000))
    assert [(r.origin, r.length) for r in found.memory if r.name == "flash"] == [
        (0x0800_0000, 0x4_0000)
    ]


# ---- the files -------------------------------------------------------------------------------


def test_a_board_says_what_was_chosen(tmp_path: Path) -> None:
    board = written("STM32F446RE", tmp_path, Wish(hz=180_000_000, timer_hz=90_000_000))
    assert (board.arch, board.cpu, board.fpu) == ("armv7m", "cortex-m4", "fpv4-sp-d16")
    assert (board.clock.hz, board.clock.width, board.clock.handler) == (
        90_000_000,
        32,
        "TIM2_Handler",
    )
    assert board.cell("tim2-4").handler == "TIM2_Handler"
    assert (board.cell("tim5").width, board.cell("tim3").width, board.cell("tim3").min_counts) == (
        32,
        16,
        900,
    )
    assert [(m.name, m.origin, m.length) for m in board.memory] == [
        ("flash", 0x0800_0000, 0x8_0000),
        ("ram", 0x2000_0000, 0x2_0000),
    ]
    text = (tmp_path / "board.toml").read_text(encoding="utf-8")
    assert "names sets that up. Timers count at 90 MHz" in text


def test_the_simulator_is_told_of_the_same_timers(tmp_path: Path) -> None:
    written("STM32F103CB", tmp_path)
    lines = (tmp_path / "chip.txt").read_text(encoding="utf-8").splitlines()
    assert "memory 0x08000000 0x20000 rx" in lines
    assert "memory 0x20000000 0x5000 rw" in lines
    assert "registers 0x4002101c 4 # lets clocks through" in lines
    assert "timer 0x40000000 16 4 28 28 0x4002101c 0 # TIM2" in lines
    assert "timer 0x40012c00 16 4 25 27 0x40021018 11 # TIM1" in lines
    assert "trigger 0x40000400 1 0x40000000" in lines  # TIM3 by ITR1, which is TIM2
    assert not any(line.startswith("cycles") for line in lines)
    slower = Wish(hz=72_000_000, timer_hz=36_000_000)
    written("STM32F103CB", tmp_path, slower)
    assert "cycles 2" in (tmp_path / "chip.txt").read_text(encoding="utf-8").splitlines()


def test_a_core_that_nothing_simulates_has_no_chip(tmp_path: Path) -> None:
    assert written("STM32F767ZI", tmp_path).runner.kind == "none"
    assert not (tmp_path / "chip.txt").exists()


def test_the_headers_say_the_same_as_the_board(tmp_path: Path) -> None:
    """A handler of board.toml stands in the row of its number, and each instance is its timer."""
    for name in ("STM32F446RE", "STM32F103C8", "STM32U575ZI"):
        board, part = written(name, tmp_path / name), find_part(name)
        text = (tmp_path / name / "port" / "hrlp_lines_controller.h").read_text(encoding="utf-8")
        rows = re.findall(r"ROW\((\w+)\)", text.split("HRLP_ARMV7M_LINES(ROW)")[1])
        assert f"#define HRLP_IRQ_LINES {len(rows)}\n" in text
        assert all(rows[number] == line for line, number in part.interrupts.items())
        assert ("0xFFFFFFBC" in text) == (name == "STM32U575ZI")
        timers = (tmp_path / name / "port" / "hrlp_board_timers.h").read_text(encoding="utf-8")
        bases = {
            int(at): int(base, 16) for at, base in re.findall(r"== (\d+)u \? (0x\w+)u", timers)
        }
        numbers = {int(at): int(line) for at, line in re.findall(r"== (\d+)u \? (\d+) ", timers)}
        known = {timer.name.lower(): timer for timer in part.timers}
        assert board.controller is not None
        assert all(
            rows[line.number] == line.handler.removesuffix("_Handler")
            for line in board.controller.lines
        )
        cells = [cell for cell in board.cells if "-" not in cell.name]
        assert {cell.instance: known[cell.name].base for cell in cells} == bases
        assert {
            cell.instance: rows.index(cell.handler.removesuffix("_Handler")) for cell in cells
        } == numbers


# ---- all parts -------------------------------------------------------------------------------


def outcome(name: str, folder: Path) -> str | None:
    """Why `name` gives no board; None: it gives one that the tool reads."""
    try:
        board = written(name, folder)
    except HorologError as refused:
        if not any(re.search(reason, refused.message) for reason in REASONS):
            raise
        return refused.message.replace(name, "it")
    assert board.clock.hz == chosen(find_part(name), Wish()).timer_hz
    return None


def sample() -> list[str]:
    """The first part of each family and core, and of the rest one in a hundred."""

    def alike(name: str) -> tuple[str, str]:
        part = read_part(name)
        return part.family, part.core

    first = [next(names) for _, names in itertools.groupby(sorted(part_names(), key=alike), alike)]
    return sorted({*first, *part_names()[::100]})


@pytest.mark.parametrize("name", sample())
def test_a_part_gives_a_board_or_a_reason(name: str, tmp_path: Path) -> None:
    outcome(name, tmp_path)


def shares(names: Iterable[str], folder: Path) -> tuple[Counter[str], int, int]:
    """How often each reason was given; of those with a core to target and two timers all, and boards."""
    reasons: Counter[str] = Counter()
    of_these = boards = 0
    for name in names:
        why, part = outcome(name, folder), read_part(name)
        reasons[why or "a board"] += 1
        if targeted(part):
            of_these += 1
            boards += why is None
    return reasons, of_these, boards


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def targeted(part: Part) -> bool:
    """Whether its core is one of the issue's: Cortex-M0, M0+, M3, M4, M7, M33, with two timers."""
    return part.core != "m55" and len(part.timers) >= 2


@pytest.mark.soak
def test_every_part_gives_a_board_or_a_reason(tmp_path: Path) -> None:
    reasons, of_these, boards = shares(part_names(), tmp_path)
    for reason, count in reasons.most_common():
        say(f"{count:5} {reason}")
    say(f"a board or a reason: {sum(reasons.values())} of {len(part_names())}")
    say(
        f"cores to target, two timers: {boards} boards of {of_these}, {100 * boards / of_these:.1f} %"
    )
    armv7m = [name for name in part_names() if PORT_OF.get(read_part(name).core) == "armv7m"]
    ours = [name for name in armv7m if targeted(read_part(name))]
    _, of_ours, its = shares(ours, tmp_path)
    say(f"of these without Cortex-M0 and M0+: {its} of {of_ours}, {100 * its / of_ours:.1f} %")
    assert its >= 0.95 * of_ours
    assert boards >= 0.95 * of_these
