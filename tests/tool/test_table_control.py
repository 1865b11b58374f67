# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Dispatcher tables that the application controls: what is read and planned, and what is not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from tests.system.support import horolog

from horolog.analyse import in_mode, in_shortest_rounds, jobs_in
from horolog.emit import generated
from horolog.model import DispatcherTable, HorologError, Kind, Synchronisation, System, TableControl
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of, chains_of
from horolog.responses.demand_of import demand_of
from horolog.responses.rounds import round_text, rounds_left

MS = Fraction(1, 1000)
SYSTEM = """\
[system]
name = "flight"
board = "mps2-an385"
duration = "50 ms"

[[task]]
name = "sense"
work = 2000

[[task]]
name = "steer"
work = 8000

[[task]]
name = "flare"
work = 4000

[[table]]
name = "up"
kind = "dispatcher"
mode = "cruise"
round = "5 ms"
point = [
    { offset = "0 ms", activate = "sense", deadline = "1 ms" },
    { offset = "2 ms", activate = "steer", deadline = "2 ms" },
]

[[table]]
name = "down"
kind = "dispatcher"
mode = "landing"
round = "4 ms"
point = [
    { offset = "1 ms", activate = "steer", deadline = "2 ms" },
    { offset = "1.2 ms", activate = "sense" },
    { offset = "3.5 ms", activate = "flare", deadline = "0.4 ms" },
]
"""
ONE = SYSTEM[: SYSTEM.index('[[table]]\nname = "down"')].replace('mode = "cruise"\n', "")
ONE = ONE.replace('[[task]]\nname = "flare"\nwork = 4000\n', "")
SYNC = """
[table.sync]
precision = "10 us"
maximum_advance = "100 us"
maximum_retard = "200 us"
"""
THREAD = '\n[[task]]\nname = "log"\nperiod = "20 ms"\nwork = 100\n'


def read(folder: Path, text: str, board: str | None = None) -> System:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, board=board)


def at(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_modes_share_levels_and_a_cell(tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM + THREAD)
    sense, steer, flare, log = system.tasks
    assert [task.dormant for task in system.tasks] == [False, False, True, False]
    # steer may be unfinished when sense starts, in the second mode only.
    assert (sense.table_level, steer.table_level, flare.table_level) == (2, 1, 1)
    assert {task.kind for task in (sense, steer, flare)} == {Kind.BASIC}
    assert [table.mode for table in system.tables] == ["cruise", "landing"]
    assert system.control == TableControl("timer0", by_application=False, sync=None)
    assert "timer0" not in system.cells
    assert jobs_in(system) == (10, 10, 0, 3)
    assert log.table_level is None


def test_a_mode_is_a_system_of_its_own(tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM + THREAD)
    landing = in_mode(system, system.tables[1])
    assert jobs_in(landing) == (13, 13, 12, 3)
    sense = landing.tasks[0]
    assert [(one.offset, one.deadline) for one in sense.points] == [(MS * 12 / 10, MS * 28 / 10)]
    assert (landing.control, landing.tables) == (system.control, (system.tables[1],))


def test_the_analysis_is_the_worst_over_modes(tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM + THREAD)
    choice = plan(system).choice
    found = analysis_of(system, choice)
    each = [analysis_of(in_mode(system, table), choice) for table in system.tables]
    names = [task.name for task in system.tasks]
    slack = {names[one.task]: one.slack for one in found.bounds}
    assert list(slack) == names
    by_mode = [{names[one.task]: one.slack for one in mode.bounds} for mode in each]
    assert "flare" not in by_mode[0]
    for name, least in slack.items():
        of_modes = min(mode[name] or Fraction(0) for mode in by_mode if name in mode)
        # A thread meets rounds at any phase: they begin elsewhere when the mode has changed.
        assert least is not None
        assert least < of_modes if name == "log" else least == of_modes
    assert "responses below the table across a change of mode" in found.not_covered
    assert [one.table.mode for one in rounds_left(system, found)] == ["cruise", "landing"]


@pytest.mark.parametrize("board", ["mps2-an385", "ibex-cells", "host"])
def test_one_cell_has_the_points_of_all_modes(board: str, tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM + THREAD, board)
    assert system.control is not None
    choice = plan(system).choice
    (releaser,) = (one for one in choice.releasers if one.dispatches)
    assert (releaser.cell, releaser.tasks) == (system.control.cell, (0, 1, 2))
    assert all(one.tasks == (3,) for one in choice.releasers if one is not releaser)
    text = generated(system, choice).texts["hrl_gen_system.c"]
    hz = system.board.clock.hz // 1000
    index = choice.releasers.index(releaser)
    assert f"HRLI_DISPATCHER_MODE({index}, cruise, 0u, 2u, 0u, {5 * hz}u, {hz}u, NULL)" in text
    assert f"HRLI_DISPATCHER_MODE({index}, landing, 2u, 5u, {hz}u, {4 * hz}u, 0u, NULL)" in text
    assert f"HRLI_START_DISPATCHER({system.board.start_counts}u)" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            SYSTEM,
            [
                "; mode cruise, in which the system starts and which the sums are of",
                "; mode landing",
            ],
        ),
        (
            at(ONE, "point = [", 'start = "application"\npoint = ['),
            ["; the application starts it, so that the sums above have none of its jobs"],
        ),
        (ONE + SYNC, [")"]),
    ],
)
def test_a_check_says_which_jobs_its_sums_have(text: str, said: list[str], tmp_path: Path) -> None:
    read(tmp_path, text + THREAD)
    lines = horolog("check", tmp_path / "system.toml").out.splitlines()
    of_tables = [line for line in lines if line.startswith("table ")]
    for line, end in zip(of_tables, said, strict=True):
        assert line.endswith(end), line


def test_an_application_that_starts_it_alone(tmp_path: Path) -> None:
    system = read(tmp_path, at(ONE, 'round = "5 ms"', 'round = "5 ms"\nstart = "application"'))
    assert all(task.dormant for task in system.tasks[:2])
    choice = plan(system).choice
    assert choice.prediction.interrupts == 0
    text = generated(system, choice).texts["hrl_gen_system.c"]
    assert "HRLI_DISPATCHER_MODE(0, up, " in text
    assert "HRLI_START_DISPATCHER" not in text


def test_a_global_time(tmp_path: Path) -> None:
    system = read(tmp_path, ONE + SYNC)
    assert system.control is not None
    times = (MS / 100, MS / 10, MS / 5)
    assert system.control.sync == Synchronisation(*times)
    text = generated(system, plan(system).choice).texts["hrl_gen_system.c"]
    assert "true, 250u, 5000u, 2500u, " in text
    assert "HRLI_WITHOUT_GLOBAL_TIME" not in text


def test_a_counter_that_is_the_global_time(tmp_path: Path) -> None:
    """It takes the cell for all points, as its state is asked for, and there is nothing to correct."""
    system = read(
        tmp_path, at(ONE, 'round = "5 ms"', 'round = "5 ms"\nsync = { strategy = "implicit" }')
    )
    assert system.control == TableControl("timer0", False, None, is_implicit=True)
    planned = plan(system)
    text = generated(system, planned.choice).texts["hrl_gen_system.c"]
    assert ", HRLI_CLOCK_IS_GLOBAL_TIME)" in text
    assert "HRLI_START_DISPATCHER(" in text, "t = 0 is an absolute instant"
    assert not [note for note in planned.notes if "correction" in note]
    assert not analysis_of(system, planned.choice).not_covered


BAD = {
    "no mode": (
        at(SYSTEM, 'mode = "landing"\n', ""),
        'the table "down" is one of several, and has no mode',
    ),
    "one mode twice": (
        at(SYSTEM, "landing", "cruise"),
        'the tables "up" and "down" have one mode\n  found:    "cruise"\n  expected: another mode',
    ),
    "start of a later table": (
        at(SYSTEM, 'mode = "landing"', 'mode = "landing"\nstart = "application"'),
        'the table "down" says for all modes what the first table says',
    ),
    "deadline in the next round": (
        at(
            SYSTEM,
            '"3.5 ms", activate = "flare", deadline = "0.4 ms"',
            '"3.5 ms", activate = "flare", deadline = "1 ms"',
        ),
        'a deadline of the table "down" lies in the next round, which another mode may have\n'
        "  found:    1 ms, at 3.5 ms\n  expected: at most 500 us",
    ),
    "monitoring of one": (
        at(SYSTEM, 'mode = "landing"', 'mode = "landing"\ndeadline_monitoring = "stringent"'),
        'the tables "up" and "down" do not monitor deadlines alike',
    ),
    "long round": (
        at(SYSTEM, 'round = "4 ms"', 'round = "40 s"'),
        'the round of "down" cannot be controlled: it is no whole number of counts below 2^29',
    ),
    "rounds of a global time": (
        at(
            SYSTEM,
            'mode = "cruise"',
            'mode = "cruise"\n'
            'sync = { precision = "1 us", maximum_advance = "0 us", maximum_retard = "1 us" }',
        ),
        "tables that follow a global time have one round\n  found:    rounds of 4 ms and 5 ms",
    ),
    "no time for an advance": (
        at(ONE, '"2 ms", activate = "steer", deadline = "2 ms"', '"2 ms", activate = "steer"')
        + SYNC,
        'no round of "up" can be shorter: its last deadline is at its end',
    ),
    "much": (
        ONE + at(SYNC, '"200 us"', '"3 ms"'),
        "maximum_retard is above half the round, which no deviation is",
    ),
    "implicit": (
        ONE + '[table.sync]\nstrategy = "implicit"\nmaximum_retard = "1 us"\n',
        "a table whose counter is the global time has no maximum_retard, as it never deviates",
    ),
    "neither": (
        ONE + at(SYNC, 'maximum_retard = "200 us"\n', ""),
        'found:    no maximum_retard\n  expected: maximum_retard = "..."; or strategy = "implicit"',
    ),
    "implicit rounds": (
        at(SYSTEM, 'mode = "cruise"', 'mode = "cruise"\nsync = { strategy = "implicit" }'),
        "tables that follow a global time have one round\n  found:    rounds of 4 ms and 5 ms",
    ),
    "cell without control": (
        at(ONE, 'round = "5 ms"', 'round = "5 ms"\npoint_cell = "timer0"'),
        'the table "up" has a cell for its points, which the plan gives to cells',
    ),
    "another cell": (
        at(SYSTEM, 'mode = "cruise"', 'mode = "cruise"\npoint_cell = "timer9"'),
        'the cell "timer9" cannot have points',
    ),
    "releases": (
        at(SYSTEM, 'duration = "50 ms"', 'duration = "50 ms"\nreleases = 3'),
        "a table that the application starts, changes or synchronises runs for ever",
    ),
    "circle over modes": (
        at(
            at(SYSTEM, '"1.2 ms", activate = "sense"', '"1.1 ms", activate = "sense"'),
            '{ offset = "0 ms", activate = "sense", deadline = "1 ms" },\n    { offset = "2 ms"',
            '{ offset = "2 ms", activate = "sense", deadline = "1 ms" },\n    { offset = "2.05 ms"',
        ),
        'tasks of the table "up" preempt one another in a circle, in all modes together',
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_is_said(name: str, tmp_path: Path) -> None:
    text, said = BAD[name]
    with pytest.raises(HorologError) as caught:
        read(tmp_path, text)
    assert caught.value.exit == 2
    assert said in str(caught.value).replace("…", "")


def test_tables_that_take_the_last_cell(tmp_path: Path) -> None:
    with pytest.raises(HorologError) as caught:
        read(tmp_path, at(SYSTEM, "[system]", '[system]\ncells = ["timer0"]') + THREAD)
    assert str(caught.value).replace(f"{tmp_path}/", "") == (
        "system.toml:2:9: system.cells: 2 cells are needed, and 1 can be had\n"
        '  found:    1 for threads and 1 for the points of the table "up", which the application controls, '
        "of timer0\n"
        '  expected: 2 cells; the board "mps2-an385" has 4; this fits: "timer1" in cells of [system], too'
    )


CHAIN = '\n[[chain]]\nname = "{0}"\ntasks = ["{0}", "{1}"]\ndeadline = "50 ms"\n'


def test_a_chain_goes_through_tasks_of_the_first_mode(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="does not run in the first mode") as raised:
        read(tmp_path, SYSTEM + THREAD + CHAIN.format("log", "flare"))
    assert raised.value.place is not None
    assert raised.value.place.key == "chain.log.tasks[1]"
    assert raised.value.found == '"flare", which has points in landing only'
    assert '"cruise"' in (raised.value.expected or "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SYSTEM, "chains while another mode than the first runs"),
        (at(ONE, "point = [", 'start = "application"\npoint = ['), None),
        (ONE + SYNC, "chains across a round that is longer or shorter to follow the global time"),
    ],
)
def test_a_chain_of_controlled_tables_has_a_bound(
    text: str, said: str | None, tmp_path: Path
) -> None:
    system = read(tmp_path, text + THREAD + CHAIN.format("sense", "steer"))
    planned = plan(system).choice
    analysis = analysis_of(system, planned)
    (bound,) = chains_of(system, planned, analysis)
    assert bound.reaction is not None
    assert bound.reaction > 5 * MS
    told = [one for one in analysis.demanded.not_covered if one.startswith("chains")]
    assert told == ([] if said is None else [said])


@pytest.mark.parametrize("keys", ['start = "application"', ""], ids=["application", "modes"])
def test_bounds_have_the_price_of_deadlines_that_move(keys: str, tmp_path: Path) -> None:
    """Also of a device of which the board has no such price: then that of deadlines that do not."""
    text = at(ONE, "point = [", f"{keys}\npoint = [") if keys else SYSTEM
    monitored = 'deadline_monitoring = "stringent"\ndeadline_cell = "systick"\npoint = ['
    system = read(tmp_path, text.replace("point = [", monitored) + THREAD)
    choice, known = plan(system).choice, read_prices(system.board)
    assert known.monitored(system, "mask-table") == known.moving_deadlines["systick"]
    assert known.moving_deadlines["systick"] > known.deadlines["systick"]
    without = replace(known, moving_deadlines={})
    assert without.monitored(system, "mask-table") == known.deadlines["systick"]
    dear = replace(known, moving_deadlines={"systick": Fraction(1000)})
    usual, more = (
        {one.task: one.response or Fraction(0) for one in analysis_of(system, choice, of).bounds}
        for of in (known, dear)
    )
    log = next(at for at, task in enumerate(system.tasks) if task.name == "log")
    assert more[log] > usual[log] + MS / 50


@pytest.mark.parametrize(("text", "interrupts"), [(ONE, 0), (ONE + SYNC, 1)])
def test_bounds_have_an_interrupt_of_each_correction(
    text: str, interrupts: int, tmp_path: Path
) -> None:
    system = read(tmp_path, text + THREAD)
    choice, known = plan(system).choice, read_prices(system.board)
    found = demand_of(system, choice, known).demand.sources
    cell = next((one.cell for one in choice.releasers if one.dispatches), None)
    between = [one for one in found if one.name == cell and one.is_interrupt and one.offset is None]
    assert len(between) == interrupts
    steps = [one.cost for one in found if one.name == cell and one.offset is not None]
    assert all(one.cost * 2 > max(steps) for one in between)


@pytest.mark.parametrize(
    "keys",
    ['start = "application"', f"sync = {{ {', '.join(SYNC.split(chr(10))[2:5])} }}"],
    ids=["application", "sync"],
)
def test_a_thread_meets_a_table_that_moves_at_any_phase(keys: str, tmp_path: Path) -> None:
    """Of a table that begins at t = 0 the thread's releases meet no long job; of one that moves they may."""
    fixed = ONE + at(THREAD, 'period = "20 ms"', 'period = "20 ms"\noffset = "4.5 ms"')
    moved = at(fixed, 'round = "5 ms"', f'round = "5 ms"\n{keys}')
    still, floats = (
        analysis_of(system, None) for system in map(partial(read, tmp_path), (fixed, moved))
    )
    longest = max(one.wcet or 0 for one in read(tmp_path, fixed).tasks[:2])
    for before, after in zip(still.bounds, floats.bounds, strict=True):
        assert before.response is not None
        assert after.response is not None
        if after.task == 2:
            assert before.response < longest < after.response
        else:
            assert before.response == after.response, "points of a round keep their places in it"


def test_rounds_come_as_soon_as_a_global_time_lets_them(tmp_path: Path) -> None:
    """A thread that needs more than a round meets the points of all rounds after the shortest distances."""
    text = ONE + at(THREAD, "work = 100", 'work = 100\nwcet = "12 ms"')
    keys = (
        '\nsync = { precision = "10 us", maximum_advance = "ADVANCE", maximum_retard = "200 us" }'
    )

    def short(advance: str) -> tuple[System, DispatcherTable]:
        sync = keys.replace("ADVANCE", advance)
        system = read(tmp_path, at(text, 'round = "5 ms"', 'round = "5 ms"' + sync))
        assert system.control is not None
        return system, in_shortest_rounds(system.tables[0], system.control.sync)

    def response(system: System) -> Fraction:
        found = analysis_of(system, None)
        assert not any("round" in words for words in found.demanded.not_covered)
        (one,) = (bound for bound in found.bounds if bound.task == 2)
        assert one.response is not None
        return one.response

    systems, tables = zip(*map(short, ("0 us", "500 us", "2.5 ms")), strict=True)
    assert [table.round for table in tables] == [
        5 * MS,
        Fraction("4.5") * MS,
        4 * MS,
    ]
    assert in_shortest_rounds(tables[0], None) is tables[0]
    rigid, moved, most = map(response, systems)
    assert rigid < moved <= most
    # As of a table of that round, which the application starts.
    alike = at(text, 'round = "5 ms"', 'round = "4.5 ms"\nstart = "application"')
    assert response(read(tmp_path, alike)) == moved
    (left,) = rounds_left(systems[1], analysis_of(systems[1], None))
    assert left.shortened
    assert "of 4.500 ms in the shortest round" in round_text(left)


@pytest.mark.parametrize("cell", ["timer0", "timer1", "dual0", "systick"])
def test_a_named_cell_has_points_only(cell: str, tmp_path: Path) -> None:
    keys = f'start = "application"\npoint_cell = "{cell}"\ndeadline_monitoring = "stringent"'
    system = read(tmp_path, at(ONE, "point = [", f"{keys}\npoint = ["))
    assert system.control is not None
    assert system.control.cell == cell
    monitoring = system.tables[0].deadline_cells
    assert monitoring is not None
    assert cell not in monitoring.names
    assert cell not in system.cells
