# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is said where cells, groups or levels do not suffice; and that what it says fits is accepted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from horolog.emit import generate
from horolog.model import HorologError, System
from horolog.plan import plan
from horolog.read import read_system

Edit = tuple[str, str]

HEAD = """\
[system]
name = "t"
board = "{board}"
duration = "100 ms"
priorities = "{priorities}"
sources = ["bodies.c"]
"""
LOG = """
[[task]]
name = "log"
period = "20 ms"
work = 400
"""
FLIGHT = """
[[task]]
name = "sense"
wcet = "1 ms"
body = "sense"

[[task]]
name = "control"
wcet = "2 ms"
budget = "2.5 ms"
body = "control"

[[table]]
name = "flight"
kind = "dispatcher"
round = "5 ms"
point = [
    {{ offset = "0 ms", activate = "control" }},
    {{ offset = "1 ms", activate = "sense", deadline = "2 ms" }},
]
"""


def read(folder: Path, text: str) -> System:
    names = {*re.findall(r'body = "(\w+)"', text)}
    bodies = "".join(f"void {name}(void) {{}}\n" for name in sorted(names))
    (folder / "bodies.c").write_text(bodies, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path)


def refused(folder: Path, text: str) -> str:
    with pytest.raises(HorologError) as caught:
        read(folder, text)
    assert caught.value.exit == 2
    return str(caught.value).replace(f"{folder}/", "")


def edited(text: str, *edits: Edit) -> str:
    for old, new in edits:
        assert text.count(old) >= 1, old
        text = text.replace(old, new)
    return text


def flight(*edits: Edit, board: str = "mps2-an385") -> str:
    text = (HEAD + LOG + FLIGHT).format(board=board, priorities="rate-monotonic")
    return edited(text, *edits)


def tables_in_cells(*sizes: int, system: str = "", table: str = "") -> str:
    """Schedule tables with so many points in cells, each with a task."""
    text = HEAD.format(board="ibex-cells", priorities="explicit") + system
    text += LOG + "priority = 1\n"
    for number, size in enumerate(sizes):
        name = "xyzabcdefghijklmnop"[number]
        points = "".join(
            f'    {{ offset = "{at + 1} ms", activate = ["a{name}"] }},\n' for at in range(size)
        )
        text += (
            f'\n[[task]]\nname = "a{name}"\nkind = "basic"\nwork = 10\npriority = 5\n'
            f'\n[[table]]\nname = "{name}"\nkind = "schedule"\ncounter = "cells"\nround = "100 ms"\n{table}'
            f"point = [\n{points}]\n"
        )
    return text


def nested(board: str, depth: int, more: str = "", wcet: str = '"2 ms"') -> str:
    """A dispatcher table whose tasks preempt one another, so many deep."""
    text = HEAD.format(board=board, priorities="rate-monotonic") + LOG
    text += "".join(
        f'\n[[task]]\nname = "t{at}"\nbody = "t{at}"\n' + (f"wcet = {wcet}\n" if wcet else "")
        for at in range(depth)
    )
    points = "".join(
        f'    {{ offset = "{at}00 us", activate = "t{at}" }},\n' for at in range(depth)
    )
    table = f'name = "deep"\nkind = "dispatcher"\nround = "50 ms"\n{more}'
    return f"{text}\n[[table]]\n{table}point = [\n{points}]\n"


ALL_CELLS = ", ".join(f'"cell{at}"' for at in range(60))
FEWER_CELLS = ", ".join(f'"cell{at}"' for at in range(54))

UNFIT: dict[str, tuple[str, str, Sequence[Sequence[Edit]]]] = {
    "too few cells for a table, deadlines and budgets": (
        flight(
            ('name = "t"', 'name = "t"\ncells = ["timer0", "dual0"]'),
            ("round", 'deadline_monitoring = "stringent"\nround'),
        ),
        "system.toml:3:9: system.cells: 3 cells are needed, and 2 can be had\n"
        '  found:    1 for threads, 1 for the points of the table "flight" and 1 for monitored deadlines and '
        "budgets, of timer0 and dual0\n"
        '  expected: 3 cells; the board "mps2-an385" has 4; this fits: "timer1" in cells of [system], too',
        [[('"timer0", "dual0"', '"timer0", "dual0", "timer1"')]],
    ),
    "all of a board's cells, one of which cannot count budgets, too": (
        flight(
            ('name = "t"', 'name = "t"\ntimeouts = "timer0"'),
            (
                "round",
                'start = "application"\ndeadline_monitoring = "stringent"\ndeadline_cell = "dual0"\nround',
            ),
        ),
        "system.toml:1:1: system.cells: 5 cells are needed, and 4 can be had\n"
        '  found:    1 for threads, 1 for the points of the table "flight", which the application controls, '
        "1 "
        "for monitored deadlines, 1 for budgets and 1 for time-outs, of timer1, dual0, systick and timer0\n"
        '  expected: 5 cells; the board "mps2-an385" has 4; this fits: no deadline_cell; or '
        'deadline_monitoring = "none"; or no budget of "control"',
        [
            [('deadline_cell = "dual0"\n', "")],
            [('deadline_monitoring = "stringent"\ndeadline_cell = "dual0"\n', "")],
            [('budget = "2.5 ms"\n', "")],
        ],
    ),
    "two cells too few": (
        flight(
            ('name = "t"', 'name = "t"\ncells = ["timer0"]\ntimeouts = "systick"'),
            (
                "round",
                'start = "application"\ndeadline_monitoring = "stringent"\ndeadline_cell = "dual0"\nround',
            ),
        ),
        "system.toml:3:9: system.cells: 4 cells are needed, and 2 can be had\n"
        '  found:    1 for threads, 1 for the points of the table "flight", which the application controls, '
        "1 "
        "for budgets and 1 for time-outs, of timer0 and systick\n"
        '  expected: 4 cells; the board "mps2-an385" has 4; this fits: "timer1" and "dual0" in cells of '
        "[system], too and no deadline_cell",
        [[('"timer0"]', '"timer0", "timer1", "dual0"]'), ('deadline_cell = "dual0"\n', "")]],
    ),
    "a table with more points than a group has cells": (
        tables_in_cells(40),
        'system.toml:20:1: table.x: the table "x" needs 40 cells in one group\n'
        '  found:    40 cells of "x", one for each point and for the end of a round that is followed or the '
        "only one; 64 are free\n"
        '  expected: at most 32, which follow one another; this fits: counter = "clock" of "x" and timeouts '
        "= "
        '"cell0" in [system], at the cost of an alarm a point (40 a round of x)',
        [
            [
                ('counter = "cells"', 'counter = "clock"'),
                ('name = "t"', 'name = "t"\ntimeouts = "cell0"'),
            ]
        ],
    ),
    "more points than cells": (
        tables_in_cells(30, 30, 5),
        "system.toml:20:1: table.x: the tables in timer cells need 65 cells\n"
        '  found:    30 cells of "x", 30 cells of "y" and 5 cells of "z", one for each point and for the '
        "end of "
        "a round that is followed or the only one; 64 are free\n"
        '  expected: at most 63, those of one table next to one another; this fits: counter = "clock" of "z" '
        'and timeouts = "cell0" in [system], at the cost of an alarm a point (5 a round of '
        "z)",
        [
            [
                (
                    'name = "z"\nkind = "schedule"\ncounter = "cells"',
                    'name = "z"\nkind = "schedule"',
                ),
                ('name = "t"', 'name = "t"\ntimeouts = "cell0"'),
            ]
        ],
    ),
    "cells for ends of rounds that nothing follows": (
        tables_in_cells(31, 31, table="followed = true\n", system='timeouts = "cell0"\n'),
        "system.toml:21:1: table.x: the tables in timer cells need 64 cells\n"
        '  found:    32 cells of "x" and 32 cells of "y", one for each point and for the end of a round '
        "that is "
        "followed or the only one; 63 are free\n"
        '  expected: at most 62, those of one table next to one another; this fits: no followed of "x" and '
        '"y", if none follows; or counter = "clock" of "x", at the cost of an alarm a point '
        "(31 a round of x)",
        [[("followed = true\n", "")]],
    ),
    "cells that tasks have": (
        tables_in_cells(10, system=f"cells = [{ALL_CELLS}]\n"),
        "system.toml:21:1: table.x: the tables in timer cells need 10 cells\n"
        '  found:    10 cells of "x", one for each point and for the end of a round that is followed or the '
        "only one; 4 are free\n"
        "  expected: at most 4, those of one table next to one another; this fits: cells of [system] without "
        'cell54 to cell59; or counter = "clock" of "x" and timeouts = "cell60" in [system], at the '
        "cost of an alarm a point (10 a round of x)",
        [
            [(ALL_CELLS, FEWER_CELLS)],
            [
                ('counter = "cells"', 'counter = "clock"'),
                ("cells =", 'timeouts = "cell60"\ncells ='),
            ],
        ],
    ),
    "more budgets than groups": (
        edited(
            HEAD.format(board="ibex-cells", priorities="rate-monotonic")
            + "".join(
                f'\n[[task]]\nname = "b{at}"\nkind = "basic"\nperiod = "10 ms"\nwork = 9\n'
                f'budget = "{at + 1} us"\n'
                for at in range(17)
            )
        ),
        "system.toml:118:10: task.b15.budget: budgets need 17 cells, each in a group of its own\n"
        "  found:    64 cells and 15 groups left\n"
        '  expected: at most 15 budgets; this fits: no budget of "b15" and "b16"',
        [[('budget = "16 us"\n', ""), ('budget = "17 us"\n', "")]],
    ),
    "more levels than there are": (
        nested("mps2-an385", 9),
        "system.toml:58:1: table.deep: the table needs 9 levels, as its tasks preempt one another\n"
        "  found:    one behind another: t0, t1, t2, t3, t4, t5, t6, t7 then t8\n"
        '  expected: at most 8 on the board "mps2-an385", which has 8: shorter WCETs or deadlines, or '
        "offsets "
        'further apart; this fits: wcet = "100 us" of "t0"',
        [[('"t0"\nwcet = "2 ms"', '"t0"\nwcet = "100 us"')]],
    ),
    "a level too few for monitored deadlines": (
        nested("mps2-an385", 8, 'deadline_monitoring = "stringent"\n').replace(
            '"t7" }', '"t7", deadline = "5 ms" }'
        ),
        "system.toml:53:1: table.deep: the table needs 8 levels, as its tasks preempt one another\n"
        "  found:    one behind another: t0, t1, t2, t3, t4, t5, t6 then t7\n"
        '  expected: at most 7 on the board "mps2-an385", which has 8, one of them for the interrupt of '
        'deadlines: shorter WCETs or deadlines, or offsets further apart; this fits: wcet = "100 us" of '
        '"t0"; '
        'or deadline_monitoring = "none"',
        [
            [('"t0"\nwcet = "2 ms"', '"t0"\nwcet = "100 us"')],
            [('deadline_monitoring = "stringent"\n', "")],
        ],
    ),
    "WCETs that nothing says": (
        nested("mps2-an385", 4, wcet="").replace('body = "t2"\n', 'body = "t2"\nwcet = "0.4 ms"\n'),
        'system.toml:30:1: table.deep: tasks of the table "deep" preempt one another in a circle\n'
        '  found:    "t2", "t1", "t0" then "t2" each start while the one before may be unfinished\n'
        "  expected: WCETs or deadlines that let one of them end before the next starts; this fits: wcet = "
        '"49.4 ms" of "t3"',
        [[('body = "t3"\n', 'body = "t3"\nwcet = "49.4 ms"\n')]],
    ),
}


@pytest.mark.parametrize("name", UNFIT)
def test_what_fits_is_told_and_accepted(name: str, tmp_path: Path) -> None:
    text, said, ways = UNFIT[name]
    assert refused(tmp_path, text) == said
    for edits in ways:
        system = read(tmp_path, edited(text, *edits))
        assert plan(system).choice.releasers


CONTROLLED = 'start = "application"\ndeadline_monitoring = "stringent"\n'
SHARING: dict[str, tuple[str, str, str | None, str]] = {
    # timeouts, keys of the table: the cell that deadlines and budgets share, if they do; and that of points
    "a cell is left": ("", "", None, "timer0"),
    "none is left": ('timeouts = "timer0"\n', "", "systick", "timer1"),
    "the cell of points is named": (
        'timeouts = "timer0"\n',
        'point_cell = "systick"\n',
        "timer1",
        "systick",
    ),
    "that of deadlines is named": (
        'timeouts = "timer0"\n',
        'deadline_cell = "timer1"\n',
        "timer1",
        "systick",
    ),
    "it is beside those for tasks": (
        'timeouts = "timer0"\ncells = ["timer1", "dual0"]\n',
        'deadline_cell = "systick"\n',
        "systick",
        "timer1",
    ),
}


@pytest.mark.parametrize("name", SHARING)
def test_deadlines_and_budgets_share_a_cell_only_where_cells_do_not_suffice(
    name: str, tmp_path: Path
) -> None:
    keys, more, cell, points = SHARING[name]
    text = flight(('duration = "100 ms"\n', f'duration = "100 ms"\n{keys}'))
    system = read(tmp_path, edited(text, ("round", f"{CONTROLLED}{more}round")))
    monitored, budgets = system.monitored, system.budget_cells
    assert monitored is not None
    assert monitored.deadline_cells is not None
    assert budgets is not None
    assert system.control is not None
    assert system.control.cell == points
    assert system.shares_guards == (cell is not None)
    if cell is not None:
        assert monitored.deadline_cells.names == budgets.names == (cell,)
        assert not {cell, points, system.timeouts} & {*system.cells}
    made = generate(system, plan(system).choice)["hrl_gen_system.c"]
    assert made.count("HRLI_SHARED_GUARD_HANDLER(") == (cell is not None)
    assert made.count("HRLI_BUDGET_HANDLER(") == (cell is None)


def test_they_share_a_cell_if_the_one_left_has_no_interrupt_of_its_own(tmp_path: Path) -> None:
    keys = 'duration = "100 ms"\ncells = ["timer0", "dual0", "systick"]\n'
    text = flight(('duration = "100 ms"\n', keys), (LOG, ""), ("round", f"{CONTROLLED}round"))
    system = read(tmp_path, text)
    assert system.shares_guards
    assert system.cells == ("dual0",)


def test_too_few_cells_for_a_mechanism_are_told_with_what_sharing_costs(tmp_path: Path) -> None:
    text = flight(
        ('name = "t"', 'name = "t"\ncells = ["timer0", "timer1"]'), ('budget = "2.5 ms"\n', "")
    )
    with pytest.raises(HorologError) as caught:
        plan(read(tmp_path, text), mechanism="sloth")
    assert re.fullmatch(
        "system t: mechanism sloth cannot serve it: 2 cells are needed, one for each level, period and "
        "offset; 1 can be had\n"
        r"  expected: the nearest plan that fits: tick, on timer0, timer1, predicted 0\.\d+ % of the "
        r"processor; 0\.\d+ with as many cells as are needed",
        str(caught.value),
    )
    wider = read(tmp_path, text.replace('"timer1"]', '"timer1", "dual0"]'))
    assert plan(wider, mechanism="sloth").choice.mechanism == "sloth"
