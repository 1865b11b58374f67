# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The interrupts of system.toml: what is read, what is refused, and what the analysis makes of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import ms

from horolog.emit import generate
from horolog.model import Arrivals, HorologError, Kind, System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of, demand_of

HEAD = """\
[system]
name = "demo"
board = "mps2-an385"
duration = "2 s"
sources = ["bodies.c"]

[[task]]
name = "quick"
period = "5 ms"
work = 5000

"""
BYTE = """\
[[interrupt]]
name = "byte"
line = "PORT0_0_Handler"
priority = 2
min_gap = "1 ms"
handler = "on_byte"
wcet = "50 us"
"""


def read(folder: Path, text: str, board: str | None = None, kind: Kind | None = None) -> System:
    (folder / "bodies.c").write_text("void on_byte(void)\n{\n}\n", encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, board=board, kind=kind)


def test_an_interrupt_has_its_line_by_name_or_number(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + BYTE)
    (byte,) = system.interrupts
    assert (byte.name, byte.line, byte.priority, byte.handler) == ("byte", 24, 2, "on_byte")
    assert (byte.gap, byte.wcet, byte.place.line) == (ms(1), ms("0.05"), 12)
    by_number = read(tmp_path, HEAD + BYTE.replace('"PORT0_0_Handler"', "24"))
    assert by_number.interrupts == system.interrupts
    assert system.uses_services, "no other kernel takes it"


def test_its_line_is_none_of_the_basic_tasks(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + BYTE, kind=Kind.BASIC)
    assert system.board.controller is not None
    assert 24 not in {line.number for line in system.board.controller.lines}
    text = generate(system, plan(system).choice)["hrl_gen_system.c"]
    assert "HRLI_INTERRUPT(0, 1)\n" in text
    assert "HRLI_MAIN(HRLI_ATTACH(0, 24u, 2u))\n" in text
    assert "PORT0_0_Handler" not in text


@pytest.mark.parametrize(("board", "line"), [("host", 16), ("mps2-an386", 24)])
def test_another_board_has_the_line_of_its_name_or_its_last_free_one(
    board: str, line: int, tmp_path: Path
) -> None:
    (byte,) = read(tmp_path, HEAD + BYTE, board).interrupts
    assert byte.line == line


def test_what_interrupts_take_counts_as_utilisation(tmp_path: Path) -> None:
    curve = BYTE + 'arrivals = [{ count = 3, within = "10 ms" }]\n'
    system = read(tmp_path, HEAD + curve)
    tasks = ms("0.32") / ms(5)
    assert system.interrupts[0].arrivals == (Arrivals(3, ms(10)),)
    assert system.utilisation == tasks + ms("0.05") * 3 / ms(10)
    assert read(tmp_path, HEAD + BYTE).utilisation == tasks + Fraction(1, 20)
    with pytest.raises(HorologError, match="above 1") as error:
        read(tmp_path, HEAD + BYTE.replace('"50 us"', '"1 ms"'))
    assert error.value.exit == 1
    assert "over 1 task and 1 interrupt" in str(error.value)
    assert "byte 1.00 and quick" in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        (
            'min_gap = "1 ms"\n',
            "",
            [
                'system.toml:12:1: interrupt.byte: nothing bounds how often the interrupt "byte" comes',
                "found:    no min_gap",
                'expected: min_gap = "1 ms"',
            ],
        ),
        ('min_gap = "1 ms"', 'min_gap = "0 ms"', ["interrupt.byte.min_gap: a duration of zero"]),
        (
            '"PORT0_0_Handler"',
            '"ADCSP_Handler"',
            [
                'interrupt.byte.line: the board "mps2-an385" has no free interrupt line "ADCSP_Handler"',
                'did you mean "ADCSPI_Handler"?',
                "a number from 0 to 31",
            ],
        ),
        ('"PORT0_0_Handler"', "8", ["no free interrupt line 8", "found:    8"]),
        ('"PORT0_0_Handler"', "-1", ["interrupt.byte.line: no interrupt line", "found:    -1"]),
        ("priority = 2", "priority = 8", ["interrupt.byte.priority: too large", "7 or less"]),
        ('"on_byte"', '"on_bite"', ['no function "on_bite"', 'did you mean "on_byte"?']),
        ('wcet = "50 us"\n', "", ['the interrupt "byte" has a handler but no wcet']),
        ('handler = "on_byte"\n', "", ["has nothing to do", "found:    neither"]),
        ('wcet = "50 us"', 'wcet = "50 us"\nwork = 3', ["has both a handler and work"]),
        (
            'wcet = "50 us"',
            'wcet = "1001 us"',
            [
                "system.toml:18:8: interrupt.byte.wcet: the handler of the interrupt",
                "found:    1.001 ms, with a min_gap of 1 ms",
                "expected: at most 1 ms",
            ],
        ),
        (
            'wcet = "50 us"',
            'wcet = "50 us"\narrivals = [{ count = 2, within = "2 ms" }]',
            ["a point of the arrival curve says no more than the gap does", "at most 2 can come"],
        ),
        ('name = "byte"', 'name = "a b"', ["interrupt.a b.name: not a name"]),
    ],
)
def test_wrong_interrupts_are_refused(tmp_path: Path, old: str, new: str, texts: list[str]) -> None:
    assert old in BYTE
    with pytest.raises(HorologError) as caught:
        read(tmp_path, HEAD + BYTE.replace(old, new))
    assert caught.value.exit == 2
    for one in texts:
        assert one in str(caught.value)


def test_two_on_one_line_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HorologError) as caught:
        read(tmp_path, HEAD + BYTE + BYTE.replace('"byte"', '"bit"'))
    assert 'line 24, which "byte" has' in str(caught.value)
    with pytest.raises(HorologError, match='interrupt name "byte" is taken'):
        read(tmp_path, HEAD + BYTE + BYTE.replace("PORT0_0", "PORT0_1"))


def test_priorities_above_the_kernel_are_for_hardware_that_has_them(tmp_path: Path) -> None:
    high = HEAD + BYTE.replace("priority = 2", "priority = 7")
    assert read(tmp_path, high).interrupts[0].priority == 7
    with pytest.raises(HorologError, match="no interrupts above the kernel") as caught:
        read(tmp_path, high, "qemu-virt-rv32")
    assert caught.value.expected == "1 to 3, larger is more urgent"


def test_every_bound_has_the_interrupts_in_it(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + BYTE)
    (bound,) = analysis_of(system, None).bounds
    assert bound.parts["interrupts"] == ms("0.05")
    assert bound.response == ms("0.37")
    chosen, prices = plan(system).choice, read_prices(system.board)
    demanded = demand_of(system, chosen, prices)
    (byte,) = (one for one in demanded.demand.sources if one.name == "byte")
    entry = Fraction(byte.kernel, demanded.unit)
    assert Fraction(byte.cost, demanded.unit) == ms("0.05") + entry
    assert entry >= 20 * Fraction(32, 10**9), "the way to an attached handler, and back"


def test_beside_basic_tasks_it_disturbs_its_own_level_and_those_below(tmp_path: Path) -> None:
    """Priority 2 is the third level of the NVIC's eight."""
    tasks = "".join(
        f'[[task]]\nname = "t{period}"\nperiod = "{period} ms"\nwork = 5000\nkind = "basic"\n\n'
        for period in (5, 10, 20, 40)
    )
    text = HEAD[: HEAD.index("[[task]]")] + tasks + BYTE
    bounds = analysis_of(read(tmp_path, text), None).bounds
    assert [one.parts["interrupts"] > 0 for one in bounds] == [False, True, True, True]
    elsewhere = analysis_of(read(tmp_path, text, "ibex-cells"), None).bounds
    assert all(one.parts["interrupts"] > 0 for one in elsewhere)
