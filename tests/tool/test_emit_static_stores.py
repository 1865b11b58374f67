# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The generated data of static stores, read back from the C, against what it was made from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog.analyse import Part, chains_of, groups_of, mask_places, table_of
from horolog.data import data_root
from horolog.emit import generate
from horolog.emit.stores import store
from horolog.model import (
    MASK_STORES,
    QUEUES,
    STATIC_STORES,
    HorologError,
    Mode,
    Plan,
    Prediction,
    Releaser,
    System,
)

PERIODIC = ("unsorted-list", "harmonic-array", "period-groups", "mask-table")
START = 25_000  # count of t = 0 on the made-up board


def by_hand(*releasers: Releaser) -> Plan:
    nothing = Fraction(0)
    return Plan("by hand", releasers, Prediction(0, (), 0, nothing, nothing, nothing))


def tick(store: str, tasks: Sequence[int], cell: str = "cell0", first: int = 0) -> Releaser:
    return Releaser(cell, Mode.PERIODIC, store, tuple(tasks), first, 25_000)


def one_shot(store: str, tasks: Sequence[int], cell: str = "cell0", first: int = 0) -> Releaser:
    return Releaser(cell, Mode.ONE_SHOT, store, tuple(tasks), first)


def text_of(system: System, *releasers: Releaser) -> str:
    return generate(system, by_hand(*releasers))["hrl_gen_system.c"]


def block(text: str, name: str) -> str:
    """What stands between the braces of array `name`, without comments."""
    found = re.search(rf"\b{name}\[\w*\] = {{\n(.*?)\n}};", text, re.DOTALL)
    assert found is not None, name
    return re.sub(r"/\*.*?\*/", "", found[1])


def numbers(text: str) -> list[int]:
    """The constants in C text."""
    return [int(number, 0) for number in re.findall(r"\b(0x[0-9a-f]+|\d+)u\b", text)]


def pairs(values: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(values[::2], values[1::2], strict=True))


def parts(text: str) -> list[Part]:
    return [Part(*pair) for pair in pairs(numbers(block(text, "hrl_gen_mask_parts")))]


def referenced(line: str, text: str) -> tuple[Part, ...]:
    """The parts that `{&hrl_gen_mask_parts[start], count}` in `line` stands for."""
    found = re.search(r"{&hrl_gen_mask_parts\[(\d+)\], (\d+)u}", line)
    assert found is not None, line
    return tuple(parts(text)[int(found[1]) :][: int(found[2])])


OFFSETS = make_system(
    [ms(5), ms(10), ms(5), ms(20), ms(15)],
    offsets=[ms(0), ms(5), ms(1), ms(0), ms(40)],
)


@pytest.mark.parametrize("name", ["unsorted-list", *STATIC_STORES])
def test_the_headers_say_what_becomes_of_the_store(name: str) -> None:
    made = store(name)
    assert not made.is_queue
    text = (data_root() / "kernel" / "release" / f"{made.stem}.h").read_text(encoding="utf-8")
    assert f"#define HRLI_PUT_{made.stem} " in text
    assert f"#define HRLI_STATIC_STORE_{made.stem}(store)" in text
    assert f"struct hrli_{made.stem} {{" in text


def test_a_mask_table_stands_in_c_as_it_was_made() -> None:
    table = table_of(OFFSETS, range(5))
    assert table.lead > 0
    text = text_of(OFFSETS, tick("mask-table", range(5)))
    rows = pairs(numbers(block(text, "rows_0")))
    assert [gap for gap, _ in rows] == [row.gap for row in table.rows]
    lines = block(text, "masks").splitlines()
    assert len(lines) == len(table.masks)  # each mask once
    for (_, number), row in zip(rows, table.rows, strict=True):
        assert referenced(lines[number], text) == table.masks[row.mask]
    assert f"HRLI_MASK_TABLE(0, {table.lead}u, {START + table.first}u)\n" in text
    assert "come once, while offsets pass" in text


def test_period_groups_stand_in_c_as_they_were_made() -> None:
    system = make_system([ms(5), ms("1/3"), ms(5)], offsets=[ms(2), ms("1/7"), ms(2)])
    text = text_of(system, one_shot("period-groups", range(3)))
    lines = block(text, "groups_0").splitlines()
    groups = groups_of(system, range(3))
    assert len(lines) == len(groups) == 2
    assert [referenced(line, text) for line in lines] == [group.parts for group in groups]
    # 1/3 ms are 8,333 1/3 counts of 25 MHz, and 1/7 ms is 3,571 3/7: in 21st parts of a count.
    assert "{28571u, {8333u, 0u, 7u, 21u, 9u}," in lines[0]
    assert "{75000u, {125000u, 0u, 0u, 1u, 0u}," in lines[1]
    assert "HRLI_PERIOD_GROUPS_ONE_SHOT(0, 28571u)\n" in text  # which keeps its next instant there
    of_cell = text_of(make_system([ms(5)]), tick("period-groups", [0]))
    assert re.search(r"^HRLI_PERIOD_GROUPS\(0, \d+u\)$", of_cell, re.MULTILINE)


def test_a_harmonic_array_stands_in_c_as_it_was_made() -> None:
    text = text_of(OFFSETS, tick("harmonic-array", range(5)))
    chains = chains_of(OFFSETS, range(5), 0, 25_000)
    assert len(chains) > 1
    levels = numbers(block(text, "levels_0"))
    expected = [
        x for c in chains for one in c.levels for x in (one.every, one.left, len(one.tasks))
    ]
    assert levels == expected
    starts: list[tuple[int, int]] = []
    entry: dict[int, int] = {}
    for chain in chains:
        starts.append((sum(count for _, count in starts), len(chain.levels)))
        for task in (task for level in chain.levels for task in level.tasks):
            entry[task] = len(entry)
    stated = re.findall(r"{&levels_0\[(\d+)\], (\d+)u, &waiting_0\[\d+\]}", text)
    assert [(int(first), int(count)) for first, count in stated] == starts
    threads = re.findall(r"_THREAD\((\d+), \"t\d\", \d+u, 0u, &waiting_0\[(\d+)\],", text)
    assert {int(task): int(at) for task, at in threads} == entry
    assert "HRL_RELEASE_MASKS" not in "".join(
        generate(OFFSETS, by_hand(tick("harmonic-array", range(5)))).values()
    )


def test_threads_and_mates_agree_on_the_bit_of_each_thread() -> None:
    system = make_system([ms(5)] * 5 + [ms(10)])
    files = generate(
        system,
        by_hand(tick("period-groups", [0, 1, 3, 4]), one_shot("sorted-list", [2, 5], "cell1")),
    )
    text = files["hrl_gen_system.c"]
    places = mask_places(system)
    threads = re.findall(r"THREAD\((\d+), \"t\d\", (\d+)u, (0x[0-9a-f]+|0)u,", text)
    assert len(threads) == 6
    for task, level, bit in threads:
        at, number = places[int(task)]
        assert int(level) == at
        # A thread that waits in a queue has no bit.
        assert int(bit, 0) == (0 if int(task) in (2, 5) else 1 << number)
    assert (
        block(text, "by_bit_2").strip()
        == ", ".join(
            f"HRLI_THREAD_NODE({at})" if at is not None else "NULL" for at in (4, 3, None, 1, 0)
        )
        + ","
    )
    assert "HRLI_PREPARE_BY_BIT(2)\n" in text
    assert "by_bit_1" not in text
    assert "set(HRL_RELEASE_MASKS 1)" in files["system.cmake"]


def test_masks_that_several_releasers_use_stand_there_once() -> None:
    system = make_system([ms(5), ms(10)])
    text = text_of(
        system,
        tick("period-groups", [0]),
        one_shot("mask-table", [1], "cell1"),
    )
    assert len(parts(text)) == 2
    same = text_of(system, tick("period-groups", [0, 1]))
    table = text_of(system, tick("mask-table", [0, 1]))
    assert len(parts(same)) == 2
    assert len(parts(table)) == 3  # both at 0, the first alone at 5 ms


@pytest.mark.parametrize("store", [*QUEUES, "unsorted-list", "harmonic-array"])
def test_a_system_without_masks_is_compiled_without_them(store: str) -> None:
    files = generate(make_system([ms(5), ms(10)]), by_hand(tick(store, [0, 1])))
    assert "mask" not in files["hrl_gen_system.c"]
    assert "MASK" not in files["system.cmake"]


def test_both_modes_take_a_store_from_one_line() -> None:
    system = make_system([ms(5), ms(10)])
    for name in MASK_STORES:
        stem = name.replace("-", "_")
        text = text_of(system, tick(name, [0]), one_shot(name, [1], "cell1"))
        assert text.count(f"HRLI_STATIC_STORE({stem})\n") == 1
        assert f"HRLI_PERIODIC(0, STATIC, {stem}, " in text
        assert f"HRLI_ONE_SHOT(1, STATIC, {stem}, " in text


def test_every_periodic_cell_serves_the_cooperative_one_too() -> None:
    system = make_system([ms(5), ms(10), ms(7)])
    releasers = (
        tick("sorted-list", [0]),
        tick("mask-table", [1], "cell1"),
        replace(one_shot("calendar", [2], "cell2"), cooperates=True),
    )
    text = text_of(system, *releasers)
    for index, store_of in enumerate(("QUEUE, sorted_list", "STATIC, mask_table")):
        assert f"HRLI_SERVE_PERIODIC_PARTNER({index}, {store_of}, 2) HRLI_DISPATCH\n" in text
        line = next(x for x in text.splitlines() if f"HRLI_PERIODIC_PARTNER({index}, " in x)
        assert line.endswith(", 2)")
    assert "HRLI_SERVE_COOPERATIVE(2) HRLI_DISPATCH\n" in text
    line = next(x for x in text.splitlines() if x.startswith("HRLI_COOPERATIVE(2, QUEUE, calendar"))
    assert line.endswith(", &hrl_gen_releaser_0, &hrl_gen_releaser_1)")
    alone = text_of(system, *releasers[:2], replace(releasers[2], cooperates=False))
    assert "COOPERATIVE" not in alone
    assert "PARTNER" not in alone


def test_a_shared_handler_visits_only_for_the_cell_that_fired() -> None:
    cells = [make_cell(name) for name in ("cell0", "cell1", "cell2")]
    shared = [replace(cell, handler="SHARED_handler") for cell in cells[:2]]
    system = make_system(
        [ms(5), ms(10), ms(7)], board=make_board([*shared, cells[2]], hz=25_000_000)
    )
    text = text_of(
        system,
        tick("sorted-list", [0]),
        tick("sorted-list", [1], "cell1"),
        replace(one_shot("sorted-list", [2], "cell2"), cooperates=True),
    )
    handler = re.search(r"HRLI_HANDLER\(SHARED_handler,\n(.*?)\n\)", text, re.DOTALL)
    assert handler is not None
    for line, index in zip(handler[1].splitlines(), (0, 1), strict=True):
        assert line.startswith("    HRLI_IF_FIRED(")
        assert f" HRLI_SERVE_PERIODIC_PARTNER({index}, QUEUE, sorted_list, 2) " in line


def test_what_a_store_cannot_hold_is_not_generated() -> None:
    with pytest.raises(HorologError, match="cannot have the store harmonic-array") as caught:
        text_of(make_system([ms(5)]), one_shot("harmonic-array", [0]))
    assert "periodic" in str(caught.value)
    crowd = make_system([ms(5)] * 33, board=make_board(levels=1))
    with pytest.raises(HorologError, match="33 tasks"):
        text_of(crowd, tick("mask-table", range(33)))
    long = make_system([ms(n) for n in (3, 5, 7, 11, 13, 17, 19)])
    with pytest.raises(HorologError, match="repeat too late"):
        text_of(long, tick("mask-table", range(7)))
