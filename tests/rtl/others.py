# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The free-running counter and the ports; and all devices under random accesses (run by cocotb)."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from tests.rtl.harness import Bench, cell
from tests.rtl.model import (
    BULK,
    CELLS,
    CLAIM,
    CLEAR,
    CLINT,
    COMPLETE,
    CONSOLE,
    CONTROL,
    FINISHER,
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
    RUN,
    RUN_CLEAR,
    RUN_SET,
    THRESHOLD,
    TIME_HIGH,
    TIME_LOW,
    TRACE,
    Access,
)

MSIP, COMPARE_LOW, COMPARE_HIGH = CLINT, CLINT + 0x4000, CLINT + 0x4004
LOW, HIGH = CLINT + 0xBFF8, CLINT + 0xBFFC
SEEDS = range(8)
CYCLES = 1000


@cocotb.test()
async def time_counts_every_cycle_and_can_be_written(dut: Any) -> None:
    bench = await Bench(dut).start()
    first = await bench.read(LOW)
    await bench.idle(10)
    assert await bench.read(LOW) == first + 12
    await bench.write(HIGH, 0x1234_5678)
    await bench.write(LOW, 1000)
    assert await bench.read(LOW) == 1000
    assert await bench.read(TIME_LOW) == 1002
    assert await bench.read(HIGH) == await bench.read(TIME_HIGH) == 0x1234_5678


@cocotb.test()
async def the_counter_carries_and_high_low_high_reads_it_whole(dut: Any) -> None:
    bench = await Bench(dut).start()
    for before in range(1, 9):
        await bench.write(HIGH, 7)
        await bench.write(LOW, 2**32 - before)
        start = bench.cycle
        while True:
            high = await bench.read(TIME_HIGH)
            at = bench.cycle
            low = await bench.read(TIME_LOW)
            if high == await bench.read(TIME_HIGH):
                break
        assert high << 32 | low == (7 << 32) + 2**32 - before + at - start


@cocotb.test()
async def a_write_of_one_half_in_the_cycle_of_the_carry_stops_the_carry(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(HIGH, 3)
    await bench.write(LOW, 0xFFFF_FFFF)
    await bench.write(LOW, 0xFFFF_FFF0)
    assert await bench.read(HIGH) == 3
    await bench.write(LOW, 0xFFFF_FFFF)
    await bench.write(HIGH, 9)  # in the cycle of the carry: the low half does not step
    assert await bench.read(LOW) == 0xFFFF_FFFF
    assert await bench.read(HIGH) == 10


@cocotb.test()
async def the_timer_interrupts_from_mtimecmp_on(dut: Any) -> None:
    bench = await Bench(dut).start()
    assert await bench.read(COMPARE_LOW) == await bench.read(COMPARE_HIGH) == 2**32 - 1
    now = await bench.read(LOW)
    await bench.write(COMPARE_LOW, now + 10)
    await bench.write(COMPARE_HIGH, 0)
    risen = []
    for n in range(20):
        risen.append(bench.models[0].time >= bench.models[0].time_compare)
        await bench.step()
        assert risen[n] == bench.timer()
    assert risen == sorted(risen)
    assert True in risen
    assert False in risen
    await bench.write(COMPARE_HIGH, 1)
    await bench.step()
    assert not bench.timer()


@cocotb.test()
async def msip_is_one_bit(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(MSIP, 0xFFFF_FFFF)
    assert await bench.read(MSIP) == 1
    assert bench.software()
    await bench.write(MSIP, 0xFFFF_FFFE)
    assert await bench.read(MSIP) == 0
    assert not bench.software()


@cocotb.test()
async def console_finisher_and_trace_port_say_what_is_stored(dut: Any) -> None:
    bench = await Bench(dut).start()
    await bench.write(CONSOLE, 0xAB41, 0b0001)
    assert bench.said() == (0x41, False, False)
    await bench.write(CONSOLE, 0x42)
    assert bench.said() == (0x42, False, False)
    await bench.write(CONSOLE, 0x4300, 0b0010)  # another register of a 16550
    assert bench.said() == (None, False, False)
    assert await bench.read(CONSOLE + 4) == 0x6000  # byte 5: ready
    await bench.write(TRACE, 5)
    assert bench.said() == (None, False, True)
    await bench.write(FINISHER, 0x5555)
    assert bench.said() == (None, True, False)
    for at in (0, FINISHER + 4, TRACE + 4, CONSOLE + 8, CLINT + 0x10000, CELLS - 4):
        assert await bench.fails(Access(at, True, 0)), hex(at)


def any_access(chance: random.Random) -> Access | None:
    """Something that a program might do, and rather what meets events than what does not."""
    kind = chance.random()
    n, word = chance.randrange(16), chance.randrange(4)
    source = chance.choice([*range(6), 32, *range(64, 80)])
    bits = chance.getrandbits(32) & chance.getrandbits(32)
    if kind < 0.25:
        return None
    if kind < 0.35:
        return Access(CLAIM)
    if kind < 0.43:
        return Access(COMPLETE, True, bits)
    if kind < 0.48:
        return Access(RAISE, True, bits & 0x3F)
    if kind < 0.66:  # small numbers, so that cells fire
        register = chance.choice([0, 0, 4, 8, 8, 12])
        small = chance.choice([chance.randrange(8), chance.randrange(24), 2**32 - 2])
        groups = chance.choice([0, 0, 1, 2, 15]) << 8
        data = chance.randrange(16) | 3 | groups if register == 8 else small
        return Access(cell(n, register), True, data)
    if kind < 0.72:
        return Access(PRIORITY + 4 * source, True, chance.randrange(6))
    if kind < 0.76:
        return Access(chance.choice([RUN, RUN_SET, RUN_CLEAR]), True, bits)
    if kind < 0.80:
        return Access(THRESHOLD, True, chance.choice([0, 0, chance.randrange(6)]))
    if kind < 0.87:
        at = chance.choice([PENDING, CLEAR, OVERRUN, BULK + 0x1000]) + 4 * word
        return Access(at, True, bits | (0xFFFF if at < PENDING else 0))
    if kind < 0.89:
        return Access(LOWER, True, bits & 0x3F)
    if kind < 0.90:
        return Access(HANDLER + 4 * source, True, bits)
    if kind < 0.905:
        if chance.random() < 0.3:
            return Access(FOLLOW + 4 * chance.choice([1, 2, 15]), True, FOLLOWS | source)
        return Access(RESTART, True, bits)
    if kind < 0.91:
        at = chance.choice([MSIP, COMPARE_LOW, COMPARE_HIGH, LOW, HIGH])
        return Access(at, True, chance.choice([0, 1, 30, 2**32 - 1]))
    read = chance.choice(
        [
            HOT + 4 * chance.randrange(14),
            cell(n, 4 * chance.randrange(4)),
            BULK + 0x1000 + 4 * chance.randrange(96),
            chance.choice([PRIORITY, HANDLER]) + 4 * source,
            chance.choice([MSIP, COMPARE_LOW, COMPARE_HIGH, LOW, HIGH]),
        ]
    )
    return Access(read, False, 0, chance.choice([15] * 9 + [3]))


@cocotb.test()
async def random_programs_see_what_the_model_says(dut: Any) -> None:
    bench = await Bench(dut).start()
    fired = claimed = overran = 0
    for seed in SEEDS:
        chance = random.Random(seed)
        for n in range(16):
            await bench.write(cell(n, CONTROL), 3)
            await bench.write(BULK + 0x1000 + 4 * (n % 4), 2**32 - 1)
        for _ in range(CYCLES):
            access = any_access(chance)
            claimed += bench.models[0].seen(access).claim
            await bench.step(access)
            fired += bench.fired().bit_count()
        overran += len(bench.models[0].overrun)
    # The programs were worth running.
    assert fired > 500
    assert claimed > 200
    assert overran > 5
