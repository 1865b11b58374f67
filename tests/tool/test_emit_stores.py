# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What kernel/assemble/store.h asks of each delay queue stands in that queue's header."""

from __future__ import annotations

import re

import pytest

from horolog.analyse import wheel_slot_bits
from horolog.data import data_root
from horolog.emit.stores import TIMEOUT_STORE, store
from horolog.model import QUEUES

HZ = 25_000_000


def header(stem: str) -> str:
    return (data_root() / "kernel" / "queue" / f"{stem}.h").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*QUEUES, TIMEOUT_STORE])
def test_every_queue_has_the_same_calls_with_the_same_arguments(name: str) -> None:
    made = store(name)
    assert made.is_queue
    text, queue = header(made.stem), f"struct hrli_{made.stem} \\*\\w+"
    node = r"struct hrli_queue_node \*\w+"
    assert re.search(rf"\bhrli_{made.stem}_first\({queue}\)", text)
    for call in ("insert", "pop", "remove"):
        alias = f"#define hrli_{made.stem}_pop hrli_{made.stem}_remove\n"
        if call == "pop" and alias in text:
            continue
        assert re.search(rf"\bhrli_{made.stem}_{call}\({queue},\s+{node}\)", text), call
    for macro in (f"HRLI_ARRAYS_{made.stem}", f"HRLI_INIT_{made.stem}"):
        assert f"#define {macro}(name, nodes, slots, bits)" in text


def test_every_queue_of_the_kernel_is_chosen_by_the_planner_or_serves_the_time_outs() -> None:
    folder = data_root() / "kernel" / "queue"
    queues = {path.stem for path in folder.glob("*.c")} - {"instant_tree"}  # a part of the calendar
    assert queues == {name.replace("-", "_") for name in (*QUEUES, TIMEOUT_STORE)}


def test_slots_last_about_a_millisecond() -> None:
    assert wheel_slot_bits(HZ) == 15  # 1.31 ms
    assert wheel_slot_bits(32_768) == 6  # 1.95 ms
    assert wheel_slot_bits(HZ, shortest=HZ) == 22  # of a long period: at most a third, and in reach
