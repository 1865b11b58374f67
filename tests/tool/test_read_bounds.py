# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Times of tables, counters and budgets that are refused: the bound that the message names is accepted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from horolog.model import HorologError
from horolog.read import read_system

HEAD = """\
[system]
name = "t"
board = "mps2-an385"
duration = "100 ms"
priorities = "explicit"
timeouts = "timer1"

[[task]]
name = "log"
period = "20 ms"
work = 400
priority = 1

[[task]]
name = "a"
kind = "basic"
priority = 5
work = 10
"""
STEPS = """
[[counter]]
name = "crank"
maximum = 719
min_cycle = 2
min_increment_distance = "20 us"
"""


def schedule(keys: str, *points: str) -> str:
    listed = ", ".join(f'{{ activate = ["a"], {point} }}' for point in points)
    return f'{HEAD}{STEPS}\n[[table]]\nname = "x"\nkind = "schedule"\n{keys}\npoint = [{listed}]\n'


def in_cells(keys: str, *points: str) -> str:
    return (
        schedule(f'counter = "cells"\n{keys}', *points)
        .replace("mps2-an385", "ibex-cells")
        .replace("timer1", "cell1")
    )


def dispatched(keys: str, *points: str) -> str:
    listed = ", ".join(f'{{ activate = "a", {point} }}' for point in points)
    text = HEAD.replace('kind = "basic"\npriority = 5\n', "")
    return f'{text}\n[[table]]\nname = "x"\nkind = "dispatcher"\n{keys}\npoint = [{listed}]\n'


# By what is bounded: a description with VALUE, and a value that is too large or too small.
CASES = {
    "a round by the clock": (schedule("round = VALUE", 'offset = "0 ms"'), '"100 s"'),
    "a round in cells": (in_cells("round = VALUE", 'offset = "0 ms"'), '"22 s"'),
    "a round of steps": (schedule('counter = "crank"\nround = VALUE', "offset = 0"), "721"),
    "a point behind another": (
        schedule('round = "6 ms"', 'offset = "1 ms"', "offset = VALUE"),
        '"1.004 ms"',
    ),
    "the first point": (schedule('round = "6 ms"', "offset = VALUE"), '"4 us"'),
    "the last point": (schedule('round = "6 ms"', "offset = VALUE"), '"5.996 ms"'),
    "a point behind the round": (
        schedule('round = "6 ms"\nrepeating = false', "offset = VALUE"),
        '"7 ms"',
    ),
    "a point of steps": (
        schedule('counter = "crank"\nround = 720', "offset = 9", "offset = VALUE"),
        "10",
    ),
    "a start": (
        schedule('round = "6 ms"\nautostart = { relative = VALUE }', 'offset = "1 ms"'),
        '"50 s"',
    ),
    "a start at a value": (
        schedule('counter = "crank"\nround = 9\nautostart = { absolute = VALUE }', "offset = 0"),
        "720",
    ),
    "an advance": (
        schedule(
            'counter = "crank"\nround = 720\nsync = "explicit"',
            "offset = 10, max_advance = VALUE",
            "offset = 300",
        ),
        "289",
    ),
    "a gap": (
        schedule('round = "6 ms"', 'offset = "1 ms"').replace(
            "priority = 5", "priority = 5\nmin_gap = VALUE"
        ),
        '"7 ms"',
    ),
    "a cycle": (
        schedule('round = "6 ms"', 'offset = "0 ms"').replace("min_cycle = 2", "min_cycle = VALUE"),
        "720",
    ),
    "a monitored round": (
        dispatched(
            'round = VALUE\ndeadline_monitoring = "stringent"', 'offset = "0 ms", deadline = "1 ms"'
        ),
        '"30 s"',
    ),
    "a controlled round": (
        dispatched('round = VALUE\nstart = "application"', 'offset = "0 ms"'),
        '"30 s"',
    ),
    "a deadline behind the next point": (
        dispatched('round = "5 ms"', 'offset = "0 ms", deadline = VALUE', 'offset = "2 ms"'),
        '"3 ms"',
    ),
    "a deadline in the next round": (
        dispatched('round = "5 ms"\nstart = "application"', 'offset = "2 ms", deadline = VALUE'),
        '"4 ms"',
    ),
    "a correction": (
        dispatched(
            'round = "5 ms"\nsync = { precision = "1 us", maximum_advance = "1 ms", '
            "maximum_retard = VALUE }",
            'offset = "1 ms", deadline = "1 ms"',
        ),
        '"3 ms"',
    ),
    "a budget": (
        dispatched('round = "5 ms"', 'offset = "0 ms"').replace(
            "work = 10", "work = 10\nbudget = VALUE"
        ),
        '"30 s"',
    ),
    "a period": (
        HEAD.replace('"20 ms"', "VALUE")
        .replace("work = 400", "work = 1")
        .partition('\n[[task]]\nname = "a"')[0],
        '"5 us"',
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_bound_that_is_named_is_accepted(name: str, tmp_path: Path) -> None:
    text, beyond = CASES[name]
    path = tmp_path / "system.toml"
    path.write_text(text.replace("VALUE", beyond), encoding="utf-8")
    with pytest.raises(HorologError) as caught:
        read_system(path)
    said = str(caught.value)
    assert said.count("expected:") == 1, said
    assert re.search(r"system\.toml:\d+:\d+: ", said)
    (bound,) = re.findall(r"expected: .*?(?:at most|at least|up to) ([\d,./]+(?: [a-z]+)?)", said)
    named = f'"{bound}"' if '"' in beyond else bound.rstrip(":").replace(",", "")
    path.write_text(text.replace("VALUE", named), encoding="utf-8")
    assert read_system(path).tasks
