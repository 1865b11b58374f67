# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The interrupt controller: every register, the order of claims and races (run by cocotb)."""

from __future__ import annotations

from typing import Any

import cocotb
from tests.rtl.harness import Bench, cell
from tests.rtl.model import (
    ACTIVE,
    ACTIVE_PRIORITY,
    ACTIVE_SOURCE,
    CLAIM,
    CLEAR,
    COMPARE,
    COMPLETE,
    CONTROL,
    COUNT,
    ENABLE,
    FOLLOW,
    FOLLOWS,
    HANDLER,
    HOT,
    LOWER,
    OVERRUN,
    PENDING,
    PRIORITY,
    RAISE,
    RESTART,
    SPURIOUS,
    THRESHOLD,
    Access,
)

EN_RE_ONCE = 1 | 2 | 1 << 2
NONE = 0xFFFF_FFFF
NOTHING = 0xBAD0  # what the spurious register is set to here
SOURCES = [*range(33), *range(64, 80)]


def handler(source: int) -> int:
    """What the handler register of a source is set to here."""
    return 0x8000_0000 + 16 * source


async def started(dut: Any, priorities: dict[int, int]) -> Bench:
    """A bench with these sources enabled."""
    bench = await Bench(dut).start()
    await bench.write(SPURIOUS, NOTHING)
    for source in SOURCES:
        await bench.write(HANDLER + 4 * source, handler(source))
    for source, priority in priorities.items():
        await bench.write(PRIORITY + 4 * source, priority)
    for word in range(4):
        bits = sum(1 << s % 32 for s in priorities if s // 32 == word)
        await bench.write(ENABLE + 4 * word, bits)
    return bench


async def expire(bench: Bench, number: int, after: int) -> None:
    """Have a cell request so many cycles after the two that this takes."""
    await bench.write(cell(number, COMPARE), 100)
    await bench.write(cell(number, COUNT), 100 - after)
    await bench.write(cell(number, CONTROL), EN_RE_ONCE)


@cocotb.test()
async def tables_are_0_after_reset_and_hold_what_is_written(dut: Any) -> None:
    bench = await Bench(dut).start()
    for source in range(128):
        assert await bench.read(PRIORITY + 4 * source) == 0
    for base in (ENABLE, PENDING, OVERRUN, ACTIVE):
        for word in range(16):
            assert await bench.read(base + 4 * word) == 0
    assert await bench.read(SPURIOUS) == 0
    for source in range(512):
        await bench.write(PRIORITY + 4 * source, NONE - source)
        await bench.write(HANDLER + 4 * source, handler(source))
    for word in range(16):
        await bench.write(ENABLE + 4 * word, NONE)
    for source in (*range(128), 319, 511):
        there = source in SOURCES
        assert await bench.read(PRIORITY + 4 * source) == ((NONE - source) & 31 if there else 0)
        assert await bench.read(HANDLER + 4 * source) == (handler(source) if there else 0)
    words = [await bench.read(ENABLE + 4 * word) for word in range(16)]
    assert words == [NONE, 1, 0xFFFF] + 13 * [0]
    words = [await bench.read(ENABLE + 4 * word, shared=True) for word in range(4)]
    assert words == [NONE, 1, 0xF, 0]
    await bench.write(ENABLE, 0x0F0F)
    assert await bench.read(ENABLE) == 0x0F0F, "a word is replaced"
    assert await bench.read(ENABLE + 8) == 0xFFFF, "and no other"


@cocotb.test()
async def the_most_urgent_is_claimed_and_among_equals_the_lowest_number(dut: Any) -> None:
    bench = await started(dut, {0: 5, 7: 9, 12: 5, 31: 9, 64: 9, 66: 31, 65: 1, 32: 9})
    for number in (0, 1, 2):
        await expire(bench, number, 2)
    await bench.write(RAISE, 1 << 0 | 1 << 7 | 1 << 12 | 1 << 31)
    await bench.idle(20)
    for source in (66, 7, 31, 64, 0, 12, 65):
        assert bench.irq()
        assert await bench.read(CLAIM) == handler(source)
        await bench.write(COMPLETE, 0)
        await bench.step()
    assert not bench.irq()
    assert await bench.read(CLAIM) == NOTHING


@cocotb.test()
async def a_claim_is_spurious_if_nothing_is_above_the_running_priority(dut: Any) -> None:
    bench = await started(dut, {3: 10, 4: 10})
    assert await bench.read(CLAIM) == NOTHING
    await bench.write(RAISE, 1 << 3 | 1 << 4)
    assert await bench.read(CLAIM) == handler(3)
    assert not bench.irq(), "an equal does not interrupt"
    assert await bench.read(CLAIM) == NOTHING
    assert await bench.read(PENDING) == 1 << 4
    assert await bench.read(ACTIVE) == 1 << 3


@cocotb.test()
async def claims_nest_and_complete_retires_the_most_urgent(dut: Any) -> None:
    bench = await started(dut, {1: 2, 2: 7, 3: 7, 4: 20})
    assert await bench.read(ACTIVE_PRIORITY) == 0
    assert await bench.read(ACTIVE_SOURCE) == NONE
    for source, priority in ((1, 2), (3, 7), (4, 20)):
        await bench.write(RAISE, 1 << source)
        await bench.step()
        assert bench.irq()
        assert await bench.read(CLAIM) == handler(source)
        assert await bench.read(ACTIVE_PRIORITY) == priority
        assert await bench.read(ACTIVE_SOURCE) == source
    assert await bench.read(ACTIVE) == 1 << 1 | 1 << 3 | 1 << 4
    await bench.write(RAISE, 1 << 2)
    await bench.write(COMPLETE, 0)
    assert await bench.read(ACTIVE_SOURCE) == 3
    assert not bench.irq(), "2 is as urgent as 3"
    await bench.write(COMPLETE, 0)
    await bench.step()
    assert bench.irq()
    assert await bench.read(CLAIM) == handler(2)
    await bench.write(COMPLETE, 0)
    assert await bench.read(ACTIVE_SOURCE) == 1
    await bench.write(COMPLETE, 0)
    assert await bench.read(ACTIVE) == 0
    await bench.write(COMPLETE, 0)  # nothing is active: nothing happens
    assert await bench.read(ACTIVE) == 0


@cocotb.test()
async def complete_uncovers_an_equal_that_waits_at_once(dut: Any) -> None:
    bench = await started(dut, {5: 4})
    await bench.write(RAISE, 1 << 5)
    assert await bench.read(CLAIM) == handler(5)
    await bench.write(RAISE, 1 << 5)  # activated again while it runs
    await bench.step()
    assert not bench.irq()
    await bench.write(COMPLETE, 0)
    await bench.step()
    assert bench.irq(), "in the cycle after the store"
    assert await bench.read(CLAIM) == handler(5)
    assert await bench.read(OVERRUN) == 0, "software knows by itself"


@cocotb.test()
async def the_threshold_holds_back_what_is_not_above_it(dut: Any) -> None:
    bench = await started(dut, {8: 6, 9: 7})
    await bench.write(THRESHOLD, 0xFFFF_FFE6)
    assert await bench.read(THRESHOLD) == 6
    await bench.write(RAISE, 1 << 8)
    await bench.step()
    assert not bench.irq()
    assert await bench.read(CLAIM) == NOTHING
    await bench.write(RAISE, 1 << 9)
    await bench.step()
    assert bench.irq()
    assert await bench.read(CLAIM) == handler(9)
    await bench.write(COMPLETE, 0)
    await bench.write(THRESHOLD, 5)
    await bench.step()
    assert bench.irq(), "in the cycle after the store"
    await bench.write(THRESHOLD, 31)
    await bench.step()
    assert not bench.irq()
    assert await bench.read(ACTIVE_PRIORITY) == 0, "the threshold is no active priority"


@cocotb.test()
async def priority_0_and_disabled_sources_never_interrupt(dut: Any) -> None:
    bench = await started(dut, {10: 0, 11: 3})
    await bench.write(RAISE, 1 << 10)
    await bench.step()
    assert not bench.irq()
    await bench.write(ENABLE, 1 << 10)
    await bench.write(RAISE, 1 << 11)
    await bench.step()
    assert not bench.irq()
    assert await bench.read(RAISE) == 1 << 10 | 1 << 11, "but they wait"
    await bench.write(ENABLE, 1 << 11)
    await bench.step()
    assert bench.irq()


@cocotb.test()
async def software_pends_and_clears_by_both_pairs_of_registers(dut: Any) -> None:
    bench = await started(dut, {})
    await bench.write(RAISE, 0x8000_0003)
    await bench.write(PENDING, 0x0000_0010)
    assert await bench.read(RAISE) == await bench.read(PENDING) == 0x8000_0013
    await bench.write(LOWER, 0x8000_0001)
    assert await bench.read(PENDING) == 0x12
    await bench.write(CLEAR, 0x10)
    assert await bench.read(PENDING) == 2
    assert await bench.read(LOWER) == 0
    assert await bench.read(CLEAR) == 0


@cocotb.test()
async def software_pends_software_sources_only_but_clears_all(dut: Any) -> None:
    bench = await started(dut, {})
    for word in range(1, 16):
        await bench.write(PENDING + 4 * word, NONE)
    assert [await bench.read(PENDING + 4 * word) for word in range(4)] == [0, 0, 0, 0]
    await expire(bench, 9, 1)
    await expire(bench, 9, 1)
    await bench.step()
    assert [await bench.read(PENDING + 4 * word) for word in range(3)] == [0, 1, 1 << 9]
    await bench.write(CLEAR + 4, 1)
    await bench.write(CLEAR + 8, 1 << 9)
    assert [await bench.read(PENDING + 4 * word) for word in range(3)] == [0, 0, 0]


@cocotb.test()
async def an_overrun_is_a_request_that_meets_its_source_pending_or_active(dut: Any) -> None:
    bench = await started(dut, {32: 30, 68: 4})
    await expire(bench, 4, 1)
    await bench.step()
    assert await bench.read(OVERRUN + 8) == 0
    await expire(bench, 4, 1)
    await bench.step()
    assert await bench.read(OVERRUN + 8) == 1 << 4, "it was pending"
    assert await bench.read(CLAIM) == handler(32), "source 32 tells"
    await bench.write(OVERRUN + 8, 1 << 5)
    assert await bench.read(OVERRUN + 8) == 1 << 4
    await bench.write(OVERRUN + 8, 1 << 4)
    assert await bench.read(OVERRUN + 8) == 0
    await bench.write(COMPLETE, 0)
    assert await bench.read(CLAIM) == handler(68)
    await expire(bench, 4, 1)
    await bench.step()
    assert await bench.read(OVERRUN + 8) == 1 << 4, "it was active"
    assert await bench.read(PENDING + 8) == 1 << 4, "and runs again"


async def meets(bench: Bench, number: int, access: Access) -> None:
    """`access` in the very cycle in which a cell requests."""
    await expire(bench, number, 5)
    await bench.idle(4)
    await bench.step(access)
    assert bench.fired() >> number & 1


@cocotb.test()
async def a_request_wins_against_the_clearing_of_its_pending_bit(dut: Any) -> None:
    bench = await started(dut, {})
    await meets(bench, 3, Access(CLEAR + 8, True, NONE))
    assert await bench.read(PENDING + 8) == 1 << 3
    assert await bench.read(OVERRUN + 8) == 0
    await meets(bench, 3, Access(CLEAR + 8, True, NONE))  # of a request that waited already
    assert await bench.read(PENDING + 8) == 1 << 3
    assert await bench.read(OVERRUN + 8) == 0, "the earlier one was withdrawn before"


@cocotb.test()
async def a_request_in_the_cycle_of_its_own_claim_pends_again_as_an_overrun(dut: Any) -> None:
    bench = await started(dut, {66: 3})
    await expire(bench, 2, 1)
    await bench.step()
    await meets(bench, 2, Access(CLAIM))
    assert await bench.read(ACTIVE + 8) == 1 << 2
    assert await bench.read(PENDING + 8) == 1 << 2
    assert await bench.read(OVERRUN + 8) == 1 << 2


@cocotb.test()
async def a_request_in_the_cycle_of_its_own_complete_is_no_overrun(dut: Any) -> None:
    bench = await started(dut, {66: 3})
    await expire(bench, 2, 1)
    await bench.step()
    assert await bench.read(CLAIM) == handler(66)
    await meets(bench, 2, Access(COMPLETE, True, 0))
    assert await bench.read(ACTIVE + 8) == 0
    assert await bench.read(PENDING + 8) == 1 << 2
    assert await bench.read(OVERRUN + 8) == 0


@cocotb.test()
async def an_overrun_wins_against_the_clearing_of_its_bit(dut: Any) -> None:
    bench = await started(dut, {})
    await expire(bench, 2, 1)
    await bench.step()
    await meets(bench, 2, Access(OVERRUN + 8, True, NONE))
    assert await bench.read(OVERRUN + 8) == 1 << 2
    await meets(bench, 2, Access(CLEAR + 4, True, NONE))
    assert await bench.read(PENDING + 4) == 1


@cocotb.test()
async def a_claim_takes_what_was_most_urgent_before_its_cycle(dut: Any) -> None:
    bench = await started(dut, {1: 3, 70: 9})
    await bench.write(RAISE, 1 << 1)
    await meets(bench, 6, Access(CLAIM))
    await bench.step()
    assert bench.irq(), "the more urgent one interrupts in the next cycle"
    assert await bench.read(ACTIVE) == 1 << 1
    assert await bench.read(CLAIM) == handler(70)
    # A cycle later it is what is claimed.
    await bench.write(COMPLETE, 0)
    await bench.write(COMPLETE, 0)
    await bench.write(RAISE, 1 << 1)
    await expire(bench, 6, 5)
    await bench.idle(5)
    assert await bench.read(CLAIM) == handler(70)


@cocotb.test()
async def priorities_may_change_while_sources_wait_and_run(dut: Any) -> None:
    bench = await started(dut, {1: 3, 2: 4})
    await bench.write(RAISE, 1 << 1 | 1 << 2)
    await bench.write(PRIORITY + 4, 5)
    assert await bench.read(CLAIM) == handler(1)
    await bench.write(PRIORITY + 4, 0)  # it stays active, but holds no source back
    assert await bench.read(ACTIVE_SOURCE) == 1
    assert await bench.read(ACTIVE_PRIORITY) == 0
    assert bench.irq()
    assert await bench.read(CLAIM) == handler(2)
    await bench.write(COMPLETE, 0)
    assert await bench.read(ACTIVE_SOURCE) == 1
    await bench.write(COMPLETE, 0)
    assert await bench.read(ACTIVE_SOURCE) == NONE


@cocotb.test()
async def what_cannot_be_accessed_is_an_error_and_changes_nothing(dut: Any) -> None:
    bench = await started(dut, {1: 3})
    await bench.write(RAISE, 2)
    for enables in (1, 2, 3, 8, 12):
        assert await bench.fails(Access(CLAIM, False, 0, enables))
        assert await bench.fails(Access(THRESHOLD, True, 31, enables))
    assert await bench.fails(Access(HOT + 52))
    assert await bench.read(RESTART) == 0
    assert await bench.fails(Access(HOT - 4))
    assert await bench.fails(Access(PRIORITY - 4))
    assert await bench.fails(Access(PRIORITY + 0x2000))
    assert not await bench.fails(Access(COMPLETE)), "a load of COMPLETE reads 0"
    await bench.write(CLAIM, 5)  # a store to CLAIM does nothing
    assert await bench.read(CLAIM) == handler(1)


@cocotb.test()
async def a_group_counts_while_its_source_is_the_most_urgent_active_one(dut: Any) -> None:
    bench = await started(dut, {1: 2, 5: 9, 66: 20})
    await bench.write(FOLLOW, NONE)
    for group in range(1, 16):
        await bench.write(FOLLOW + 4 * group, NONE - group)
    words = [await bench.read(FOLLOW + 4 * group) for group in range(16)]
    assert words == [0] + [FOLLOWS | 0x1FF - group for group in range(1, 16)]
    for group in range(1, 16):
        await bench.write(FOLLOW + 4 * group, 0)
    await bench.write(FOLLOW + 4 * 3, FOLLOWS | 5)
    await bench.write(FOLLOW + 4 * 7, FOLLOWS | 66)
    await bench.write(FOLLOW + 4 * 8, 1)  # not set to follow
    for number, group in ((2, 7), (3, 3), (4, 8)):
        await bench.write(cell(number, CONTROL), 1 | 2 << 2 | group << 8)
    await bench.write(cell(2, COMPARE), 6)  # the first expires, and requests
    await bench.write(cell(2, CONTROL), 3 | 2 << 2)

    async def counts() -> list[int]:
        return [await bench.read(cell(number, COUNT)) for number in (3, 4)]

    await bench.write(RAISE, 1 << 1 | 1 << 5)
    assert await counts() == [0, 0]
    assert await bench.read(CLAIM) == handler(5)
    await bench.idle(20)
    first = (await counts())[0]
    assert first >= 20
    assert await bench.read(CLAIM) == handler(66)
    held = await counts()
    await bench.idle(20)
    assert await counts() == held, "a more urgent one is active"
    await bench.write(COMPLETE, 0)
    await bench.idle(20)
    assert (await counts())[0] >= held[0] + 20, "it goes on"
    await bench.write(COMPLETE, 0)
    held = await counts()
    assert await bench.read(CLAIM) == handler(1)
    await bench.idle(20)
    assert await counts() == held, "its own has been retired"
    assert held[1] == 0


@cocotb.test()
async def a_store_restarts_the_cells_that_follow_what_is_served(dut: Any) -> None:
    """COUNT becomes 0 of all cells of groups that follow the most urgent active source, of no other."""
    bench = await started(dut, {1: 2, 5: 9})
    await bench.write(FOLLOW + 4 * 3, FOLLOWS | 5)
    await bench.write(FOLLOW + 4 * 7, FOLLOWS | 1)
    await bench.write(FOLLOW + 4 * 8, 5)  # not set to follow
    cells = (2, 3, 4, 5, 6)
    for number, group in zip(cells, (3, 3, 7, 8, 0), strict=True):
        await bench.write(cell(number, CONTROL), 2 << 2 | group << 8)

    async def counts() -> list[int]:
        return [await bench.read(cell(number, COUNT)) for number in cells]

    for number in cells:
        await bench.write(cell(number, COUNT), 100 + number)
    await bench.write(RESTART, NONE)
    assert await counts() == [102, 103, 104, 105, 106], "no source is active"
    await bench.write(RAISE, 1 << 1 | 1 << 5)
    assert await bench.read(CLAIM) == handler(5)
    await bench.write(RESTART, 0)
    assert await counts() == [0, 0, 104, 105, 106]
    await bench.write(COMPLETE, 0)
    assert await bench.read(CLAIM) == handler(1)
    await bench.write(cell(2, COUNT), 7)
    await bench.write(RESTART, 0)
    assert await counts() == [7, 0, 0, 105, 106]


@cocotb.test()
async def an_expiry_in_the_cycle_of_a_restart_takes_effect(dut: Any) -> None:
    bench = await started(dut, {5: 9, 66: 20})
    await bench.write(FOLLOW + 4 * 3, FOLLOWS | 5)
    await bench.write(cell(2, COMPARE), 20)
    await bench.write(cell(2, CONTROL), 3 | 2 << 2 | 3 << 8)
    await bench.write(RAISE, 1 << 5)
    assert await bench.read(CLAIM) == handler(5)
    await bench.write(cell(2, COUNT), 18)
    await bench.step()
    await bench.write(RESTART, 0)  # in the cycle in which it counts to 20
    assert bench.fired() >> 2 & 1
    assert await bench.read(cell(2, COUNT)) == 0
    assert await bench.read(PENDING + 8) == 1 << 2
