# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What several cores share: turns on a bus, locks, doorbells, memory, routes of cells (run by cocotb)."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from tests.rtl.cores_harness import CORES, CoresBench
from tests.rtl.cores_model import INCREMENT, LOCKS, SET, VALUE, Request
from tests.rtl.model import CELLS, CLINT, COMPARE, CONTROL, COUNT, FINISHER, STATUS

TICKET, TEST = Request(INCREMENT), Request(SET + 4)
ROUTES = 0x4002_0000
ONCE = 1 | 2 | 1 << 2  # EN, RE, one-shot
SEEDS, CYCLES = range(4), 800


@cocotb.test()
async def a_lone_request_is_granted_at_once_and_waits_for_nothing(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    for port in (0, 3, 3, 1, 2, 0):
        (answer,) = await bench.answers({port: TICKET})
        assert (answer.port, answer.waited) == (port, 0)
    assert bench.bus.waits == [0] * CORES


@cocotb.test()
async def ports_that_ask_together_take_turns(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    for first in range(CORES):  # the one behind the last turn begins
        answers = await bench.answers(dict.fromkeys(range(CORES), TICKET))
        assert [one.port for one in answers] == list(range(CORES))
        assert [one.waited for one in answers] == list(range(CORES))
        assert bench.bus.waits == [(first + 1) * port for port in range(CORES)]
    await bench.answers({1: TICKET})
    answers = await bench.answers(dict.fromkeys(range(CORES), TICKET))
    assert [one.port for one in answers] == [2, 3, 0, 1]


@cocotb.test()
async def a_port_that_always_asks_has_every_turn_but_one_of_each_other(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    granted = dict.fromkeys(range(CORES), 0)
    for _ in range(40):  # all ask again as soon as they were granted
        answer = await bench.step(
            {port: TICKET for port in range(CORES) if port not in bench.asking}
        )
        if answer is not None:
            granted[answer.port] += 1
            assert answer.waited <= CORES - 1
    assert max(granted.values()) - min(granted.values()) <= 1


@cocotb.test()
async def tickets_of_one_cycle_are_different_and_in_order(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    for ports in ((0, 1), (1, 0), (2, 3), (0, 3), (0, 1, 2, 3)):
        before = bench.locks.values[0]
        answers = await bench.answers(dict.fromkeys(ports, TICKET))
        assert [one.value for one in answers] == list(range(before, before + len(ports)))
        assert {one.port for one in answers} == set(ports)
    assert bench.locks.values[0] == 12


@cocotb.test()
async def a_counter_steps_over_its_end(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    await bench.answers({0: Request(VALUE, True, 2**32 - 1)})
    answers = await bench.answers({0: TICKET, 1: TICKET})
    assert [one.value for one in answers] == [2**32 - 1, 0]
    (answer,) = await bench.answers({2: Request(VALUE)})
    assert answer.value == 1


@cocotb.test()
async def one_of_those_that_test_and_set_in_one_cycle_has_the_lock(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    for ports in ((0, 1), (3, 1), (0, 1, 2, 3)):
        answers = await bench.answers(dict.fromkeys(ports, TEST))
        assert [one.value for one in answers] == [0, *[1] * (len(ports) - 1)]
        owner = answers[0].port
        await bench.answers({owner: Request(VALUE + 4, True, 0)})  # gives it back


@cocotb.test()
async def a_lock_that_is_given_back_while_another_tests_is_given_once(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    await bench.answers({0: TEST})
    answers = await bench.answers(
        {0: Request(VALUE + 4, True, 0), 1: TEST, 2: TEST, 3: TEST}
    )  # the store has its turn last, as core 0 had the one before
    assert [(one.port, one.value) for one in answers] == [(1, 1), (2, 1), (3, 1), (0, 1)]
    answers = await bench.answers(dict.fromkeys(range(CORES), TEST))
    assert [one.value for one in answers] == [0, 1, 1, 1]


@cocotb.test()
async def what_is_no_access_to_a_lock_is_an_error_and_changes_nothing(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    await bench.answers({0: Request(VALUE + 8, True, 77)})
    for request in (
        Request(INCREMENT + 8, True, 5),
        Request(SET + 8, True, 5),
        Request(VALUE + 8, True, 5, 0b0011),
        Request(INCREMENT + 8, False, 0, 0b0001),
        Request(0xC00 + 8),
        Request(VALUE + 4 * LOCKS),
    ):
        (answer,) = await bench.answers({1: request})
        assert answer.value is None
        (answer,) = await bench.answers({2: Request(VALUE + 8)})
        assert answer.value == 77


@cocotb.test()
async def random_accesses_are_all_answered_and_none_waits_too_long(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    asked = answered = 0
    longest = 0
    for seed in SEEDS:
        chance = random.Random(seed)
        eager = chance.choice([0.1, 0.3, 0.9])
        for _ in range(CYCLES):
            new = {
                port: Request(
                    chance.choice([VALUE, INCREMENT, SET, 0xC00]) + 4 * chance.randrange(18),
                    chance.random() < 0.4,
                    chance.getrandbits(32),
                    chance.choice([15, 15, 15, 3, 8]),
                )
                for port in range(CORES)
                if port not in bench.asking and chance.random() < eager
            }
            asked += len(new)
            answer = await bench.step(new)
            if answer is not None:
                answered += 1
                longest = max(longest, answer.waited)
    answered += len(await bench.answers({}))
    assert asked == answered > 1000
    assert longest == CORES - 1
    assert sum(bench.bus.waits) > 500


@cocotb.test()
async def doorbells_of_one_cycle_all_ring(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    _, raised = await bench.ring(
        (0, False, 2, 0x1), (1, False, 2, 0x10), (2, False, 2, 0x11), (3, False, 0, 8)
    )
    assert raised == (8, 0, 0x11, 0)
    _, raised = await bench.ring()
    assert raised == (0, 0, 0, 0), "a store lasts a cycle"
    await bench.ring((0, True, 1, 1), (3, True, 3, 1))
    assert (await bench.ring())[0] == 0b1010
    await bench.ring((1, True, 1, 0), (2, True, 3, 2))  # bit 0 is all that there is
    assert (await bench.ring())[0] == 0
    await bench.ring((0, True, 2, 1), (1, True, 2, 0))
    assert (await bench.ring())[0] == 0b0100, "set and cleared in one cycle: set"
    await bench.ring((0, True, 5, 1), (0, False, 5, 1))
    assert (await bench.ring())[0] == 0b0100, "there is no core 5"


@cocotb.test()
async def a_cell_interrupts_the_core_that_it_is_routed_to(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    assert await bench.load(ROUTES + 4 * 5) == 0
    for core in (0, 2, 3):
        assert not await bench.store(ROUTES + 4 * 5, core)
        assert await bench.load(ROUTES + 4 * 5) == core
        await bench.store(CELLS + 16 * 5 + COUNT, 0)
        await bench.store(CELLS + 16 * 5 + COMPARE, 6)
        await bench.store(CELLS + 16 * 5 + CONTROL, ONCE)
        seen = [await bench.devices() for _ in range(10)]
        wanted = tuple(1 << 5 if one == core else 0 for one in range(CORES))
        assert sorted({one.requests for one in seen}) == sorted({wanted, (0, 0, 0, 0)})
        assert [one.requests for one in seen] == [one.fired for one in seen]
        assert sum(one.requests == wanted for one in seen) == 1
        assert await bench.load(CELLS + 16 * 5 + STATUS) & 1
    assert await bench.load(ROUTES + 4 * 4) == 0, "the neighbour's"


@cocotb.test()
async def the_control_cells_of_its_core_run_a_cell(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    await bench.store(ROUTES + 4 * 7, 2)
    await bench.store(CELLS + 16 * 7 + CONTROL, 1 | 2 << 2 | 3 << 8)  # continuous, group 3
    for core in range(CORES):
        run = tuple(1 << 3 if one == core else 0 for one in range(CORES))
        before = await bench.load(CELLS + 16 * 7 + COUNT)
        for _ in range(5):
            await bench.devices(run=run)
        after = await bench.load(CELLS + 16 * 7 + COUNT)
        assert after - before == (5 if core == 2 else 0)


@cocotb.test()
async def a_cell_cannot_be_routed_to_a_core_that_is_not_there(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    await bench.store(ROUTES, 1)
    for core in (CORES, 8, 2**31):
        assert await bench.store(ROUTES, core)
        assert await bench.load(ROUTES) == 1
    assert await bench.store(ROUTES, 2, 0b0001)
    assert await bench.store(ROUTES + 4 * 16, 0), "there are 16 cells"
    assert await bench.store(FINISHER + 4, 0)


@cocotb.test()
async def the_time_base_counts_every_cycle_and_can_be_written(dut: Any) -> None:
    bench = await CoresBench(dut).start()
    times = [(await bench.devices()).time for _ in range(5)]
    assert times == list(range(times[0], times[0] + 5))
    await bench.devices(Request(CLINT + 0xBFFC, True, 7))
    await bench.devices(Request(CLINT + 0xBFF8, True, 2**32 - 2))
    times = [(await bench.devices()).time for _ in range(4)]
    assert times == [(7 << 32) + 2**32 - 2 + n for n in range(4)]
    await bench.devices(Request(CLINT + 0xBFF8))
    assert (await bench.devices()).error, "cores load it from ports of their own"
