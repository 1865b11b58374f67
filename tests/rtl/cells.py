# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The timer cells: every register, mode and race (run by cocotb, inside the simulator)."""

from __future__ import annotations

from typing import Any

import cocotb
from tests.rtl.harness import Bench, cell
from tests.rtl.model import (
    COMPARE,
    CONTROL,
    COUNT,
    ENABLE,
    PENDING,
    RUN,
    RUN_CLEAR,
    RUN_SET,
    STATUS,
    Access,
)

EN, RE = 1, 2
PERIODIC, ONE_SHOT, CONTINUOUS, RESERVED = 0 << 2, 1 << 2, 2 << 2, 3 << 2
FIRED, LOST = 1, 2


async def firings(bench: Bench, number: int, cycles: int) -> list[int]:
    """In which of the next cycles the cell fires."""
    found = []
    for n in range(cycles):
        await bench.step()
        if bench.fired() >> number & 1:
            found.append(n)
    return found


async def status(bench: Bench, number: int) -> int:
    return await bench.read(cell(number, STATUS))


@cocotb.test()
async def registers_are_0_after_reset_and_hold_what_is_written(dut: Any) -> None:
    bench = await Bench(dut).start()
    for number in range(16):
        for register in (COUNT, COMPARE, CONTROL, STATUS):
            assert await bench.read(cell(number, register)) == 0
    for number in range(16):
        await bench.write(cell(number, COUNT), 0x1234_5600 + number)
        await bench.write(cell(number, COMPARE), 0xFEDC_BA00 + number)
        await bench.write(cell(number, CONTROL), 0xFFFF_FFFE)
    for number in range(16):
        assert await bench.read(cell(number, COUNT)) == 0x1234_5600 + number
        assert await bench.read(cell(number, COMPARE)) == 0xFEDC_BA00 + number
        assert await bench.read(cell(number, CONTROL)) == 0xF0E  # reserved bits read as 0


@cocotb.test()
async def a_periodic_cell_fires_every_compare_cycles(dut: Any) -> None:
    bench = await Bench(dut).start()
    for number, period in enumerate((1, 2, 5, 64)):
        await bench.write(cell(number, COMPARE), period)
        await bench.write(cell(number, CONTROL), EN | PERIODIC)
        found = await firings(bench, number, 200)
        assert found == list(range(period - 1, 200, period))


@cocotb.test()
async def a_count_of_compare_minus_d_fires_after_d_cycles(dut: Any) -> None:
    bench = await Bench(dut).start()
    for mode in (PERIODIC, ONE_SHOT, CONTINUOUS):
        for d in (1, 2, 7):
            await bench.write(cell(3, COMPARE), 100)
            await bench.write(cell(3, COUNT), 100 - d)
            await bench.write(cell(3, CONTROL), EN | mode)
            # Fires at the end of the d-th cycle: it has expired after d.
            assert await firings(bench, 3, 50) == [d - 1]
            await bench.write(cell(3, CONTROL), 0)


@cocotb.test()
async def a_compare_of_0_is_a_period_of_2_to_the_32(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(cell(0, COUNT), 0xFFFF_FFFD)
    await bench.write(cell(0, CONTROL), EN | PERIODIC)
    assert await firings(bench, 0, 20) == [2]
    assert await bench.read(cell(0, COUNT)) == 17


@cocotb.test()
async def a_one_shot_fires_once_and_switches_itself_off(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(cell(1, COMPARE), 4)
    await bench.write(cell(1, CONTROL), EN | RE | ONE_SHOT)
    assert await firings(bench, 1, 30) == [3]
    assert await bench.read(cell(1, CONTROL)) == RE | ONE_SHOT
    assert await bench.read(cell(1, COUNT)) == 0
    assert await status(bench, 1) == FIRED


@cocotb.test()
async def a_continuous_cell_runs_on_through_2_to_the_32(dut: Any) -> None:
    bench = await Bench(dut).start()
    for mode in (CONTINUOUS, RESERVED):  # the reserved mode is the continuous one
        await bench.write(cell(2, COMPARE), 0xFFFF_FFFE)
        await bench.write(cell(2, COUNT), 0xFFFF_FFFC)
        await bench.write(cell(2, CONTROL), EN | mode)
        assert await firings(bench, 2, 8) == [1]
        assert await bench.read(cell(2, COUNT)) == 4
        await bench.write(cell(2, COMPARE), 12)
        found = await firings(bench, 2, 20)
        assert len(found) == 1
        await bench.write(cell(2, CONTROL), 0)


@cocotb.test()
async def a_cell_fires_when_it_counts_to_compare_not_when_it_is_written_there(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(cell(2, COMPARE), 1000)
    await bench.write(cell(2, CONTROL), EN | CONTINUOUS)
    await bench.write(cell(2, COUNT), 1000)
    assert await firings(bench, 2, 20) == []
    await bench.write(cell(2, COMPARE), await bench.read(cell(2, COUNT)) + 1)
    assert await firings(bench, 2, 20) == []  # passed already


@cocotb.test()
async def a_disabled_cell_stands(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(cell(5, COMPARE), 8)
    await bench.write(cell(5, COUNT), 7)
    assert await firings(bench, 5, 20) == []
    assert await bench.read(cell(5, COUNT)) == 7


async def about_to_fire(bench: Bench, mode: int, flags: int = 0) -> None:
    """Cell 6, with period 10, fires at the end of the next cycle; its STATUS is `flags`."""
    await bench.write(cell(6, CONTROL), 0)
    await bench.write(cell(6, STATUS), FIRED | LOST)
    await bench.write(cell(6, COMPARE), 10)
    for _ in range({0: 0, FIRED: 1, FIRED | LOST: 2}[flags]):
        await bench.write(cell(6, COUNT), 9)
        await bench.write(cell(6, CONTROL), EN | PERIODIC)
        await bench.write(cell(6, CONTROL), 0)
    assert await status(bench, 6) == flags
    await bench.write(cell(6, COUNT), 8)
    await bench.write(cell(6, CONTROL), EN | RE | mode)
    await bench.step()


@cocotb.test()
async def a_write_of_count_in_the_cycle_of_expiry_wins_and_the_expiry_stands(dut: Any) -> None:
    bench = await Bench(dut).start()
    for mode in (PERIODIC, ONE_SHOT, CONTINUOUS):
        await about_to_fire(bench, mode)
        await bench.write(cell(6, COUNT), 3)
        assert bench.fired() >> 6 & 1
        await bench.write(cell(6, CONTROL), 0)
        assert await bench.read(cell(6, COUNT)) == (3 if mode == ONE_SHOT else 4)
        assert await status(bench, 6) == FIRED


@cocotb.test()
async def a_write_of_compare_in_the_cycle_of_expiry_counts_from_the_next(dut: Any) -> None:
    bench = await Bench(dut).start()
    await about_to_fire(bench, PERIODIC)
    await bench.write(cell(6, COMPARE), 5)
    assert bench.fired() >> 6 & 1
    assert await firings(bench, 6, 12) == [4, 9]
    # The other way round: a write that would have made it fire in this cycle is too late by one.
    await bench.write(cell(6, CONTROL), 0)
    await bench.write(cell(6, COUNT), 20)
    await bench.write(cell(6, CONTROL), EN | CONTINUOUS)
    await bench.write(cell(6, COMPARE), 21)
    assert await firings(bench, 6, 12) == []


@cocotb.test()
async def a_write_of_control_in_the_cycle_of_expiry_wins_and_the_expiry_stands(dut: Any) -> None:
    bench = await Bench(dut).start()
    await about_to_fire(bench, ONE_SHOT)
    await bench.write(cell(6, CONTROL), EN | ONE_SHOT)  # on again, without a request
    assert bench.fired() >> 6 & 1
    assert await bench.read(PENDING + 8) == 1 << 6, "the request of that cycle was still enabled"
    assert await bench.read(cell(6, CONTROL)) == EN | ONE_SHOT
    await about_to_fire(bench, PERIODIC)
    await bench.write(cell(6, CONTROL), 0)
    assert bench.fired() >> 6 & 1
    assert await bench.read(cell(6, COUNT)) == 0
    assert await status(bench, 6) == FIRED


@cocotb.test()
async def an_expiry_wins_against_the_clearing_of_its_flags(dut: Any) -> None:
    bench = await Bench(dut).start()
    for before, clears, after in (
        (0, FIRED, FIRED),
        (FIRED, 0, FIRED | LOST),
        (FIRED, FIRED, FIRED),  # the earlier expiry was acknowledged: none is lost
        (FIRED, LOST, FIRED | LOST),
        (FIRED | LOST, FIRED, FIRED | LOST),
        (FIRED | LOST, LOST, FIRED | LOST),
        (FIRED | LOST, FIRED | LOST, FIRED),
    ):
        await about_to_fire(bench, PERIODIC, before)
        await bench.write(cell(6, STATUS), clears)
        assert bench.fired() >> 6 & 1
        assert await status(bench, 6) == after, (before, clears)


@cocotb.test()
async def status_bits_are_cleared_by_writing_1_and_nothing_else(dut: Any) -> None:
    bench = await Bench(dut).start()
    for clears, after in ((0, 3), (FIRED, LOST), (LOST, FIRED), (3, 0)):
        await about_to_fire(bench, ONE_SHOT, FIRED)
        await bench.step()
        assert await status(bench, 6) == FIRED | LOST
        await bench.write(cell(6, STATUS), clears)
        assert await status(bench, 6) == after


@cocotb.test()
async def without_request_enable_the_flag_is_set_and_nothing_pends(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(cell(4, COMPARE), 3)
    await bench.write(cell(4, CONTROL), EN | PERIODIC)
    await bench.idle(10)
    assert await status(bench, 4) == FIRED | LOST
    assert await bench.read(PENDING + 8) == 0
    await bench.write(cell(4, CONTROL), EN | RE | PERIODIC)
    await bench.idle(3)
    assert await bench.read(PENDING + 8) == 1 << 4


@cocotb.test()
async def control_cells_start_and_stop_their_group_in_phase(dut: Any) -> None:
    bench = await Bench(dut).start()
    for number, (period, group) in enumerate(((6, 3), (6, 3), (4, 3), (6, 15))):
        await bench.write(cell(number, COMPARE), period)
        await bench.write(cell(number, CONTROL), EN | PERIODIC | group << 8)
        await bench.idle(number)
    assert [await bench.read(cell(number)) for number in range(4)] == [0, 0, 0, 0]
    await bench.write(RUN_SET, 1 << 3)
    fires = []
    for _ in range(12):
        await bench.step()
        fires.append(bench.fired())
    assert fires == [0, 0, 0, 4, 0, 3, 0, 4, 0, 0, 0, 7]
    await bench.write(RUN_CLEAR, 1 << 3)
    first = await bench.read(cell(0))
    await bench.idle(5)
    assert first == 1, "it counted in the cycle of the store, and then stood"
    assert [await bench.read(cell(n)) for n in range(4)] == [1, 1, 1, 0]
    await bench.write(RUN, 1 << 15)
    await bench.idle(3)
    assert [await bench.read(cell(n)) for n in range(3)] == [1, 1, 1]
    assert await bench.read(cell(3)) != 0


@cocotb.test()
async def run_can_be_read_at_all_three_and_bit_0_is_always_set(dut: Any) -> None:
    bench = await Bench(dut).start()
    assert await bench.read(RUN) == 1
    await bench.write(RUN, 0xFFFF_A5A0)
    assert await bench.read(RUN) == 0xA5A1
    await bench.write(RUN_CLEAR, 0xFFFF_0021)
    assert await bench.read(RUN) == 0xA581
    await bench.write(RUN_SET, 0x0008)
    assert await bench.read(RUN) == 0xA589
    assert await bench.read(RUN_SET) == 0
    assert await bench.read(RUN_CLEAR) == 0


@cocotb.test()
async def a_store_to_the_control_cells_in_the_cycle_of_expiry_comes_after_it(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(cell(0, COMPARE), 10)
    await bench.write(cell(0, CONTROL), EN | PERIODIC | 1 << 8)
    await bench.write(RUN_SET, 2)
    await bench.idle(9)
    await bench.write(RUN_CLEAR, 2)
    assert bench.fired() == 1
    assert await bench.read(cell(0)) == 0
    await bench.idle(30)
    assert await bench.read(cell(0)) == 0


@cocotb.test()
async def four_cells_share_a_line_if_the_board_is_built_so(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(ENABLE + 8, 0xFFFF)
    for number in (5, 6, 15):
        await bench.write(cell(number, COMPARE), 9)
        await bench.write(cell(number, COUNT), 4 if number == 15 else 2)
        await bench.write(cell(number, CONTROL), EN | RE | ONE_SHOT)
    await bench.idle(20)
    assert await bench.read(PENDING + 8) == 1 << 5 | 1 << 6 | 1 << 15
    assert await bench.read(PENDING + 8, shared=True) == 1 << 1 | 1 << 3
    assert await status(bench, 5) == FIRED, "which one it was says its flag"


@cocotb.test()
async def cells_that_are_not_there_and_parts_of_words_are_errors(dut: Any) -> None:
    bench = await Bench(dut).start()
    assert await bench.fails(Access(cell(16)))
    assert await bench.fails(Access(cell(255, 12), True, 1))
    await bench.write(cell(0, COUNT), 77)
    for enables in (1, 2, 4, 8, 3, 12):
        assert await bench.fails(Access(cell(0, COUNT), True, 0, enables))
        assert await bench.fails(Access(cell(0, COUNT), False, 0, enables))
    assert await bench.read(cell(0, COUNT)) == 77
    assert not await bench.fails(Access(cell(15, 12)))
