# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables, as system.toml has them; and what is said where one cannot be."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.analyse import activation_counts, all_levels, basic_levels, expiry_level
from horolog.model import Arrivals, HorologError, Kind, Start, Strategy, System
from horolog.read import read_system

MS = Fraction(1, 1000)
HEAD = """\
[system]
name = "engine"
board = "mps2-an385"
duration = "50 ms"
priorities = "explicit"
timeouts = "timer1"
sources = ["bodies.c"]
"""
BOSS = """
[[task]]
name = "boss"
period = "10 ms"
work = 100
priority = 1
"""
INJECT = """
[[task]]
name = "inject"
kind = "basic"
work = 100
priority = 3
"""
LOG = """
[[task]]
name = "log"
work = 100
priority = 2
"""
TASKS = BOSS + INJECT + LOG
TABLE = """
[[table]]
name = "combustion"
kind = "schedule"
round = "6 ms"
autostart = { relative = "1 ms" }
point = [
    { offset = "0 ms", activate = ["inject"] },
    { offset = "2 ms", activate = ["log", "inject"], set = [{ event = "spark", flags = 4 }] },
    { offset = "5 ms", activate = ["inject"] },
]
"""
COUNTER = """
[[counter]]
name = "crank"
maximum = 719
min_cycle = 2
min_increment_distance = "20 us"
"""
STEPS = """
[[table]]
name = "wheel"
kind = "schedule"
counter = "crank"
round = 720
point = [
    { offset = 10, activate = ["inject"] },
    { offset = 300, activate = ["inject", "log"] },
]
"""


def read(
    folder: Path, text: str, *, board: str | None = None, kind: Kind | None = None, source: str = ""
) -> System:
    (folder / "bodies.c").write_text(f"HRL_EVENT_DEFINE(spark);\n{source}", encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, board=board, kind=kind)


def refused(folder: Path, text: str) -> str:
    with pytest.raises(HorologError) as caught:
        read(folder, text)
    assert caught.value.exit == 2
    return str(caught.value).replace(f"{folder}/", "")


def test_its_tasks_have_the_distances_of_its_points(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + TASKS + TABLE)
    (table,) = system.schedules
    hz = system.board.clock.hz
    assert (table.name, table.duration, table.is_repeating) == ("combustion", 6 * hz // 1000, True)
    assert [point.offset * 1000 // hz for point in table.points] == [0, 2, 5]
    assert [point.tasks for point in table.points] == [(0,), (1, 0), (0,)]
    assert table.points[1].events == (("spark", 4),)
    assert table.autostart is not None
    assert (table.autostart.how, table.first) == (Start.RELATIVE, hz // 1000)
    inject, log = system.sporadic
    # 0, 2, 5, 6, 8, 11, ...: one in 1 ms, two in 3, three in 6
    assert inject.task.period == inject.task.deadline == 1 * MS
    assert inject.task.arrivals == (Arrivals(2, 3 * MS), Arrivals(3, 6 * MS))
    assert (log.task.period, log.task.arrivals, log.task.kind) == (6 * MS, (), Kind.THREAD)
    assert [*activation_counts(table, 0, 8 * hz // 1000)] == [
        at * hz // 1000 for at in (1, 3, 6, 7)
    ]


def test_its_object_in_sources_means_that_its_instants_are_not_known(tmp_path: Path) -> None:
    assert read(tmp_path, HEAD + TASKS + TABLE, source="table_combustions").schedules[0].is_known
    named = read(tmp_path, HEAD + TASKS + TABLE, source="f(&table_combustion)").schedules[0]
    assert not named.is_known
    by_call = read(tmp_path, HEAD + TASKS + re.sub("autostart.*\n", "", TABLE)).schedules[0]
    assert not by_call.is_known
    assert by_call.first is None


def test_a_counter_s_tasks_have_gaps_by_its_increments(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD.replace("timeouts", "# ") + TASKS + COUNTER + STEPS)
    inject, log = system.sporadic
    assert inject.task.period == 290 * 20 * MS / 1000
    assert inject.task.arrivals == (Arrivals(2, 720 * 20 * MS / 1000),)
    assert log.task.period == 720 * 20 * MS / 1000
    assert system.counters[0].maximum == 719
    assert system.timeouts is None


def test_a_counter_of_unknown_speed_bounds_nothing(tmp_path: Path) -> None:
    slow = COUNTER.replace("min_increment_distance", "# ")
    tasks = TASKS.replace("priority = 3", 'priority = 3\ndeadline = "2 ms"')
    tasks = tasks.replace("priority = 2", 'priority = 2\nmin_gap = "4 ms"')
    system = read(tmp_path, HEAD + tasks + slow + STEPS)
    inject, log = system.sporadic
    assert inject.unbounded is not None
    assert "crank" in inject.unbounded
    assert inject.task.deadline == 2 * MS
    assert inject.task not in system.demanding
    assert (log.unbounded, log.task.period) == (None, 4 * MS)


def test_corrections_bring_points_closer(tmp_path: Path) -> None:
    text = HEAD + TASKS + TABLE.replace('round = "6 ms"', 'round = "6 ms"\nsync = "explicit"')
    text = text.replace('activate = ["log", "inject"]', 'activate = ["log"], max_advance = "1 ms"')
    system = read(
        tmp_path, text.replace("relative", "synchronous").replace('"1 ms" }\n', "true }\n")
    )
    (table,) = system.schedules
    assert table.strategy is Strategy.EXPLICIT
    inject, log = system.sporadic
    assert inject.task.period == 1 * MS  # 5 to 6: of another point
    assert inject.task.arrivals == (Arrivals(2, 5 * MS),)
    assert log.task.period == 5 * MS


@pytest.mark.parametrize("board", ["mps2-an385", "ibex-cells", "host"])
def test_the_cell_of_tables_is_above_the_tasks_that_it_activates(
    board: str, tmp_path: Path
) -> None:
    system = read(tmp_path, HEAD + TASKS + TABLE, board=board)
    if board == "host":
        assert expiry_level(system) is None
    else:
        assert expiry_level(system) == basic_levels(system) > max(all_levels(system))
    of_threads = read(tmp_path, HEAD + TASKS + TABLE, board=board, kind=Kind.THREAD)
    assert expiry_level(of_threads) is None


BAD = {
    "kind": (("schedule", "round-robin"), "table.combustion.kind: not one of the choices"),
    "no round": (('round = "6 ms"\n', ""), '"round" is missing'),
    "unknown key": (("round =", "rounds ="), 'unknown key "rounds"; did you mean "round"?'),
    "no time": (('"6 ms"', "6"), "a number of steps, in a table that goes by the clock"),
    "float": (('"6 ms"', "6.5"), "neither a duration nor whole steps"),
    "no count": (('"6 ms"', '"6000001 ns"'), "which is 6000001/40 counts"),
    "too long": (('"6 ms"', '"100 s"'), "expected: at most 42.949 s"),
    "counter": (("round", 'counter = "crank"\nround'), 'there is no counter "crank"'),
    "order": (('"5 ms"', '"1 ms"'), "does not come behind the one before"),
    "equal": (('"5 ms"', '"2 ms"'), "does not come behind the one before"),
    "close": (('"5 ms"', '"2.005 ms"'), "expected: at least 2.01 ms: points are 10 us apart"),
    "first": (('"0 ms"', '"1 us"'), "too close to the start of the round"),
    "behind": (('"5 ms"', '"6 ms"'), "lies behind its round"),
    "final delay": (('"5 ms"', '"5.995 ms"'), "too close to the next round"),
    "task": (('["log",', '["logs",'), 'activates no task; did you mean "log"?'),
    "twice": (('["log",', '["inject",'), 'activates "inject" twice'),
    "nothing": ((', activate = ["inject"] }', " }"), "does nothing"),
    "event": (('"spark"', '"sparks"'), "sets an event that no source names"),
    "flags": (("flags = 4", "flags = 0"), "1 or more"),
    "period": (("priority = 2", 'priority = 2\nperiod = "5 ms"'), "which has no period of its own"),
    "gap": (
        ("priority = 2", 'priority = 2\nmin_gap = "7 ms"'),
        'the table "combustion" activates "log" more often than it may be\n'
        "  found:    min_gap = 7 ms, and points that are 6 ms apart\n"
        "  expected: at most 6 ms, or points further apart",
    ),
    "server": (("priority = 2", 'server = "s"'), "which has no server of its own"),
    "no way": (('{ relative = "1 ms" }', "{}"), "found:    none of them"),
    "two ways": (('"1 ms" }\n', '"1 ms", absolute = 1 }\n'), "found:    relative and absolute"),
    "absolute": (('relative = "1 ms"', "absolute = 1"), "whose value at the start is the board's"),
    "synchronous": (('relative = "1 ms"', "synchronous = true"), "no global time"),
    "start": (('relative = "1 ms"', 'relative = "50 s"'), "starts later than its counter can tell"),
    "implicit": (("round", 'sync = "implicit"\nround'), "the table lasts as long as it"),
    "precision": (("round", 'precision = "1 ms"\nround'), "is not corrected"),
    "advance": (("flags = 4 }]", 'flags = 4 }], max_advance = "1 ms"'), "is not corrected"),
    "cell": (('timeouts = "timer1"\n', ""), "needs the cell for time-outs"),
    "releases": (("timeouts", "releases = 3\ntimeouts"), "goes on for ever"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_is_said(name: str, tmp_path: Path) -> None:
    (old, new), said = BAD[name]
    text = HEAD + TASKS + TABLE
    assert old in text
    found = refused(tmp_path, text.replace(old, new, 1))
    assert said in found
    assert re.match(r"system\.toml:[0-9]+:[0-9]+: ", found)


BAD_STEPS = {
    "time": (("round = 720", 'round = "720 ms"'), "which counts no time"),
    "long": (("round = 720", "round = 721"), "expected: at most 720"),
    "cycle": (("offset = 300", "offset = 11"), "expected: at least 12: points are 2 apart"),
    "implicit": (("round = 720", 'round = 700\nsync = "implicit"'), "expected: 720, the counter's"),
    "started": (
        ("round", 'sync = "implicit"\nautostart = { relative = 1 }\nround'),
        "it is started at a value",
    ),
    "value": (("round", "autostart = { absolute = 720 }\nround"), "never has that value"),
    "speed": (("min_increment_distance", "# "), "has no deadline"),
    "clock": (('name = "crank"', 'name = "clock"'), "which is the name of the system's"),
    "minimum": (("min_cycle = 2", "min_cycle = 720"), "could not be so far apart"),
    "loose": (
        ("offset = 10", "max_advance = 289, offset = 10"),
        'found:    max_advance, with sync = "none"',
    ),
    "advance": (
        (
            "point = [\n    { offset = 10",
            'sync = "explicit"\npoint = [\n    { max_advance = 289, offset = 10',
        ),
        "expected: at most 288",
    ),
    "retard": (
        (
            "point = [\n    { offset = 10",
            'sync = "explicit"\npoint = [\n    { max_retard = 720, offset = 10',
        ),
        "followed a round too late",
    ),
    "precision": (("round", 'sync = "explicit"\nprecision = 720\nround'), "never so large"),
}


@pytest.mark.parametrize("name", BAD_STEPS)
def test_what_cannot_be_on_a_counter_is_said(name: str, tmp_path: Path) -> None:
    (old, new), said = BAD_STEPS[name]
    text = HEAD + TASKS + COUNTER + STEPS
    assert old in text
    found = refused(tmp_path, text.replace(old, new, 1))
    assert said in found
    assert re.match(r"system\.toml:[0-9]+:[0-9]+: ", found)


def test_names_in_c_and_tasks_of_two_tables(tmp_path: Path) -> None:
    both = HEAD + TASKS + TABLE + COUNTER + STEPS
    found = refused(tmp_path, both)
    assert 'several tables activate "inject"' in found
    assert 'tables "combustion" and "wheel", and no min_gap' in found
    again = HEAD + TASKS + TABLE + TABLE
    assert 'the table name "combustion" is taken' in refused(tmp_path, again)
    named = HEAD + TASKS.replace("work = 100", 'body = "table_combustion"', 1) + TABLE
    assert "have one name in C: table_combustion" in refused(tmp_path, named)
    dispatched = """
[[table]]
name = "flight"
kind = "dispatcher"
round = "5 ms"
point = [{ offset = "0 ms", activate = "inject" }]
"""
    assert 'starts the task "inject", too' in refused(tmp_path, HEAD + TASKS + TABLE + dispatched)


def test_a_shorter_gap_covers_starts_within_a_round(tmp_path: Path) -> None:
    tasks = TASKS.replace("priority = 3", 'priority = 3\nmin_gap = "0.5 ms"')
    inject, _ = read(tmp_path, HEAD + tasks + TABLE).sporadic
    assert (inject.task.period, inject.task.arrivals) == (MS / 2, ())


def test_several_tables_with_a_promise(tmp_path: Path) -> None:
    tasks = TASKS.replace("priority = 3", 'priority = 3\nmin_gap = "1 ms"')
    tasks = tasks.replace("priority = 2", 'priority = 2\nmin_gap = "3 ms"')
    system = read(tmp_path, HEAD + tasks + TABLE + COUNTER + STEPS)
    assert [one.task.period for one in system.sporadic] == [1 * MS, 3 * MS]
    assert [len(system.schedules_of(at)) for at in (0, 1)] == [2, 2]
    assert not system.sporadic[0].task.arrivals
