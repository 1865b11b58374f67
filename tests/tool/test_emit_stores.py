# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What generated code asks of each delay queue stands in that queue's header."""

from __future__ import annotations

import re

import pytest

from horolog.data import data_root
from horolog.emit.stores import TIMEOUT_STORE, store
from horolog.model import QUEUES

HZ = 25_000_000


def header(stem: str) -> str:
    return (data_root() / "kernel" / "queue" / f"{stem}.h").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*QUEUES, TIMEOUT_STORE])
def test_the_header_declares_what_is_called(name: str) -> None:
    made = store(name, HZ)
    text = header(made.stem)
    for call in (f"hrli_{made.stem}_init", f"hrli_{made.stem}_insert", f"hrli_{made.stem}_first"):
        assert re.search(rf"\b{call}\(", text), call
    assert re.search(rf"\b{made.pop.split('(')[0]}\(", text)
    called = re.fullmatch(r"(\w+)\((.*)\)", made.remove)
    assert called is not None
    parameters = re.search(rf"\b{called[1]}\(([^)]*)\)", text)
    assert parameters is not None
    assert parameters.group(1).count(",") == called[2].count(",")
    assert f"struct hrli_{made.stem} {{" in text
    parameters = re.search(rf"hrli_{made.stem}_init\(([^)]*)\)", text)
    assert parameters is not None
    assert parameters.group(1).count(",") == made.arguments.count(",")


def test_every_queue_of_the_kernel_is_chosen_by_the_planner_or_serves_the_time_outs() -> None:
    folder = data_root() / "kernel" / "queue"
    queues = {path.stem for path in folder.glob("*.c")} - {
        "instant_set",
        "instant_tree",
    }  # parts of the calendar
    assert queues == {name.replace("-", "_") for name in (*QUEUES, TIMEOUT_STORE)}


def test_slots_last_about_a_millisecond() -> None:
    assert ", 15u," in store("timing-wheel", HZ).arguments  # 1.31 ms
    assert store("calendar", 32_768).arguments.endswith(", 6u")  # 1.95 ms
