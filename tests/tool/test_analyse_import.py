# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tables of tasks (CSV): what is read, what is refused and where, and horolog analyse --import."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.test_analyse_command import run

from horolog.data import data_root
from horolog.model import HorologError, Kind
from horolog.read import TableTask, read_table

EXAMPLE = data_root() / "examples" / "spreadsheet" / "tasks.csv"
HEAD = "name,period [ms],wcet [ms]\n"


def table(folder: Path, text: str | bytes) -> Path:
    path = folder / "tasks.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(folder: Path, text: str | bytes) -> tuple[TableTask, ...]:
    return read_table(table(folder, text))


def ms(*values: int | str) -> list[Fraction]:
    return [Fraction(value) / 1000 for value in values]


def problems(folder: Path, text: str | bytes) -> list[HorologError]:
    with pytest.raises(HorologError) as raised:
        read(folder, text)
    return list(getattr(raised.value, "errors", (raised.value,)))


@pytest.mark.parametrize(
    "text",
    [
        "name,period [ms],wcet [us]\na,2.5,100\nb,1/3,100\n",
        "name;period (ms);wcet\na;2,5;100 us\nb;1/3;0,1 ms\n",
        "NAME\tWcet [ms]\tPeriod [ms]\na\t0,1\t2,5\nb\t0,1 ms\t1/3\n",
        b'\xef\xbb\xbfname,period,wcet\r\n"a","2.5 ms","1e-4 s"\r\n\r\nb,1/3 ms,100us\r\n,,\r\n',
        "sep=;\nname;period;wcet\na;400 Hz;100 us\nb;3 kHz;100 us\n",
        'name,"# a note, not read",period [ms],wcet [us]\na,"x, y",2.5,100\nb,,1/3,100\n',
    ],
)
def test_all_forms_of_one_table_say_the_same(tmp_path: Path, text: str | bytes) -> None:
    tasks = read(tmp_path, text)
    assert [task.name for task in tasks] == ["a", "b"]
    assert [task.period for task in tasks] == ms("5/2", "1/3")
    assert [task.wcet for task in tasks] == ms("1/10", "1/10")
    assert [task.deadline for task in tasks] == ms("5/2", "1/3")


def test_every_column_is_read(tmp_path: Path) -> None:
    (task,) = read(
        tmp_path,
        "kind,jitter [us],priority,offset,deadline [ms],wcet [ms],period [s],name\n"
        "Basic,20,7,0 ms,4,1,0.01,pump control\n",
    )
    assert (task.name, task.kind, task.priority) == ("pump control", Kind.BASIC, 7)
    assert [task.jitter, task.offset, task.deadline] == ms("1/50", 0, 4)
    assert (task.place.line, task.cells["name"], task.cells["kind"]) == (2, 8, 1)


@pytest.mark.parametrize(
    ("text", "place", "said", "found", "expected"),
    [
        ("", ":1: ", "the table is empty", None, "name, period, wcet"),
        (HEAD, ":1: ", "has no task", None, "a row for each task"),
        ("name,periode [ms],wcet [ms]\n", ":1:2: ", 'did you mean "period"', "periode", "or activated_by"),
        ("name,period [ms],colour,wcet\n", ":1:3: ", 'unknown column "colour"', "colour", "begins with #"),
        ("name,period [ms]\n", ":1: ", 'the column "wcet" is missing', "period [ms]", "wcet [ms]"),
        ("name,period [ms],wcet [ms],Period\n", ":1:4: ", "second column", "Period", "once"),
        ("name,period [mS],wcet\n", ":1:2: ", 'did you mean "ms"', "period [mS]", "period [ms]"),
        ("name [ms],period,wcet\n", ":1:1: ", "has no unit", "name [ms]", '"name"'),
        (HEAD + "a,10,1\nb,10\n", ":3:3: wcet [ms]: ", "an empty cell", "nothing", "a value"),
        (HEAD + "a,10,1\n,10,1\n", ":3:1: name: ", "an empty cell", "nothing", "a value"),
        (HEAD + "a,10,1\n\na,10,1\n", ":4:1: name: ", '"a" is taken', "row 2", "its own"),
        (HEAD + "a,-10,1\n", ":2:2: period [ms]: ", "negative duration", '"-10"', "more than zero"),
        (HEAD + "a,10,0\n", ":2:3: wcet [ms]: ", "duration of zero", '"0"', "more than zero"),
        (HEAD + "a,ten,1\n", ":2:2: period [ms]: ", "not a number", '"ten"', "100 Hz"),
        (HEAD + "a,1.0.0,1\n", ":2:2: period [ms]: ", "not a number", '"1.0.0"', "10 ms"),
        (HEAD + "a,10 parsec,1\n", ":2:2: period [ms]: ", "is not a unit", "parsec", "10 ms"),
        (HEAD + "a,10,1 Hz\n", ":2:3: wcet [ms]: ", "is not a unit", "1 Hz", "10 ms"),
        (HEAD + 'a,"1,000",1\n', ":2:2: period [ms]: ", "comma in a number", "1,000", "decimal point"),
        (HEAD + "a,2,5,1\n", ":2:4: ", "a cell without a heading", '"1"', "semicolons"),
        ("name;period;wcet\na;10;1 ms\n", ":2:2: period: ", "no unit", '"10"', "period [ms]"),
        ("name;period [ms];wcet [ms]\na;1.000;0,5\n", ":2:2: ", "point in a number", "1.000", '"2,5"'),
        ("name,period,wcet,priority\na,1 ms,1 us,\n", ":2:4: priority: ", "empty", "nothing", "each task"),
        ("name,period,wcet,priority\na,1 ms,1 us,0\n", ":2:4: priority: ", "not a priority", '"0"', "1 on"),
        ("name,period,wcet,kind\na,1 ms,1 us,bsic\n", ":2:4: kind: ", 'mean "basic"', "bsic", "thread or"),
        ("name,period,wcet,offset\na,1 ms,1 us,-1 us\n", ":2:4: ", "negative", "-1 us", "zero or more"),
        (HEAD + 'a,"10,1\n', ":2: ", "not a table", None, "quotes in pairs"),
        (HEAD.encode() + b"caf\xe9,10,1\n", ":2: ", "not UTF-8", "0xe9", "CSV UTF-8"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_row_and_column(
    tmp_path: Path, text: str | bytes, place: str, said: str, found: str | None, expected: str
) -> None:
    (error,) = problems(tmp_path, text)
    assert str(error).startswith(f"{tmp_path}/tasks.csv{place}")
    assert said in error.message
    assert found is None or found in (error.found or "")
    assert expected in (error.expected or "")


def test_all_wrong_cells_are_reported_at_once(tmp_path: Path) -> None:
    assert [
        (one.place.line, one.place.column)
        for one in problems(tmp_path, HEAD + "a,x,1\nb,10,y\nb,10,1\n")
        if one.place
    ] == [(2, 2), (3, 3), (4, 1)]


def test_without_a_board_the_bounds_are_those_of_the_textbook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tasks of Burns and Wellings' book, with responses of 3, 6 and 20."""
    monkeypatch.chdir(tmp_path)
    table(tmp_path, HEAD + "a,7,3\nb,12,3\nc,20,5\n")
    code, out, err = run(capsys, "analyse", "--import", "tasks.csv", "--json")
    data = json.loads(out)
    assert code == 0
    assert "tasks.csv: 3 tasks; priorities by periods" in err
    assert [one["bound_ns"] for one in data["tasks"]] == [3_000_000, 6_000_000, 20_000_000]
    assert (data["board"], data["mechanism"], data["kernel"]) == (None, None, None)
    assert any("no board is given" in note for note in data["notes"])


def test_a_deadline_beyond_the_period_counts_all_jobs_of_a_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lehoczky 1990: the longest response of the second task is that of its fifth job, 118."""
    monkeypatch.chdir(tmp_path)
    table(
        tmp_path,
        "name,period [ms],wcet [ms],deadline [ms],priority\na,70,26,70,2\nb,100,62,120,1\n",
    )
    code, out, _ = run(capsys, "analyse", "--import", "tasks.csv", "--json")
    assert code == 0
    assert [one["bound_ns"] for one in json.loads(out)["tasks"]] == [26_000_000, 118_000_000]


def test_jitter_and_priorities_of_the_table_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table(
        tmp_path,
        "name,period,wcet,priority,jitter\nslow,20 ms,5 ms,200,0 ms\nfast,10 ms,2 ms,3,1 ms\n",
    )
    code, out, err = run(capsys, "analyse", "--import", "tasks.csv", "--json")
    assert code == 0
    assert "a larger number is more urgent" in err
    found = {one["name"]: (one["level"], one["bound_ns"]) for one in json.loads(out)["tasks"]}
    assert found == {"slow": (200, 5_000_000), "fast": (3, 8_000_000)}


def test_a_table_that_does_not_hold_ends_with_1_at_its_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table(tmp_path, HEAD + "fast,10,5\nslow,14,6\n")
    code, out, err = run(capsys, "analyse", "--import", "tasks.csv")
    assert code == 1
    assert "tasks.csv:3: slow: system tasks: the deadline of" in err
    assert "kernel     not counted: no board" in out


def test_a_board_adds_the_kernel_s_costs_and_a_description_that_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = json.loads(run(capsys, "analyse", "--import", str(EXAMPLE), "--json")[1])
    on_board = ("--board", "mps2-an385", "--json")
    code, out, _ = run(
        capsys, "analyse", "--import", str(EXAMPLE), "--write", "system.toml", *on_board
    )
    data = json.loads(out)
    assert code == 0
    assert data["board"] == "mps2-an385"
    for one, other in zip(data["tasks"], alone["tasks"], strict=True):
        assert one["name"] == other["name"]
        assert one["bound_ns"] > other["bound_ns"]
    again = json.loads(run(capsys, "analyse", "system.toml", "--json")[1])
    assert again["tasks"] == data["tasks"]
    code, _, err = run(
        capsys, "analyse", "--import", str(EXAMPLE), "--write", "system.toml", *on_board
    )
    assert (code, "system.toml is there already" in err + _) == (2, True)


def test_what_a_board_refuses_is_said_at_the_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table(tmp_path, "name,period [ms],wcet [ms],deadline [ms]\nok,10,1,5\npump control,10,1,20\n")
    code, _, err = run(capsys, "analyse", "--import", "tasks.csv", "--board", "mps2-an385")
    assert code == 2
    assert 'tasks.csv:3:1: task.pump control.name: not a name\n  found:    "pump control"' in err
    table(tmp_path, "name,period [ms],wcet [ms],deadline [ms]\nok,10,1,5\npump,10,1,20\n")
    code, _, err = run(capsys, "analyse", "--import", "tasks.csv", "--board", "mps2-an385")
    assert code == 2
    assert "tasks.csv:3:4: task.pump.deadline: a deadline above the period" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "nothing to analyse"),
        (("system.toml", "--import", "tasks.csv"), "both a description and a table"),
        (("system.toml", "--write", "new.toml"), "--write writes what --import has read"),
        (("--import", "tasks.csv", "--write", "new.toml"), "--write needs a board"),
        (("--import", "tasks.csv", "--mechanism", "tick"), "--mechanism needs a board"),
        (("--import", "tasks.csv", "--board", "mps2"), 'unknown board "mps2"'),
        (("--import", "none.csv"), "cannot read it"),
    ],
)
def test_options_that_do_not_fit(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    table(tmp_path, HEAD + "a,10,1\n")
    code, _, err = run(capsys, "analyse", *arguments)
    assert (code, said in err) == (2, True)


# Sporadic tasks

SPORADIC = """\
name,period [ms],min_gap [ms],activated_by,wcet [ms],deadline [ms],priority
sense,10,,,2,,5
filter,,,task sense,1,,9
send,,8,task filter,1,6,2
button,,20,,1,,1
"""


def test_sporadic_tasks_have_a_gap_of_their_own_or_that_of_what_activates_them(
    tmp_path: Path,
) -> None:
    tasks = read(tmp_path, SPORADIC)
    assert [task.is_sporadic for task in tasks] == [False, True, True, True]
    assert [task.period for task in tasks] == ms(10, 10, 8, 20)
    assert [task.deadline for task in tasks] == ms(10, 10, 6, 20)
    assert [task.after for task in tasks] == [None, "sense", "filter", None]


def test_bounds_of_sporadic_tasks_without_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """filter: 1; sense: 2 + 1; send: 1 + 2 + 1; button: all of them."""
    code, out, err = run(capsys, "analyse", "--import", str(table(tmp_path, SPORADIC)), "--json")
    assert code == 0, err
    bounds = {row["name"]: row["bound_ns"] for row in json.loads(out)["tasks"]}
    assert bounds == {"sense": 3 * 10**6, "filter": 10**6, "send": 4 * 10**6, "button": 5 * 10**6}
    unordered = SPORADIC.replace(",priority", "").replace(",5\n", "\n").replace(",9\n", "\n")
    unordered = unordered.replace(",2\n", "\n").replace(",1\n", "\n")
    code, out, err = run(capsys, "analyse", "--import", str(table(tmp_path, unordered)), "--json")
    assert code == 0, err
    assert {row["name"] for row in json.loads(out)["tasks"]} == set(bounds)


def test_sporadic_tasks_of_a_table_on_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "made.toml"
    options = ("--import", str(table(tmp_path, SPORADIC)), "--board", "mps2-an385")
    code, _, err = run(capsys, "analyse", *options, "--write", str(made))
    assert code == 0, err
    text = made.read_text(encoding="utf-8")
    assert 'name = "filter"\nactivated_by = "task sense"\nwcet' in text
    assert 'name = "send"\nmin_gap = "8 ms"\nactivated_by = "task filter"\nwcet' in text
    assert 'name = "button"\nmin_gap = "20 ms"\nwcet' in text
    assert run(capsys, "analyse", str(made))[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "place", "said"),
    [
        ("sense,10,,,", "sense,,10,,", (2, None), "no task has a period"),
        ("filter,,,task sense", "filter,10,,task sense", (3, 4), "so it has no activated_by"),
        ("button,,20", "button,20,20", (5, 3), "so it has no min_gap"),
        ("button,,20", "button,,", (5, 2), "an empty cell"),
        ("task sense", "task sens", (3, 4), 'activates it; did you mean "sense"?'),
        ("task sense", "sense", (3, 4), "not a task that activates it"),
        ("task sense", "task filter", (3, 4), "the task activates itself"),
        ("send,,8", "send,,11", (4, 3), '"filter" runs more often than it may be activated'),
    ],
)
def test_wrong_rows_of_sporadic_tasks(
    tmp_path: Path, old: str, new: str, place: tuple[int, int | None], said: str
) -> None:
    assert SPORADIC.count(old) == 1
    first, *_ = problems(tmp_path, SPORADIC.replace(old, new))
    assert said in first.message
    assert first.place is not None
    assert (first.place.line, first.place.column) == place


def test_tasks_that_activate_one_another(tmp_path: Path) -> None:
    found = problems(tmp_path, SPORADIC.replace("task sense", "task send"))
    assert [(one.place.line, one.message) for one in found if one.place is not None] == [
        (3, "the task activates itself"),
        (4, "the task activates itself"),
    ]


def test_a_sporadic_task_has_no_offset(tmp_path: Path) -> None:
    text = "name,period [ms],min_gap [ms],wcet [ms],offset [ms]\na,10,,1,1\nb,,10,1,1\n"
    (one,) = problems(tmp_path, text)
    assert one.message == "a sporadic task has no offset"
    assert one.place is not None
    assert (one.place.line, one.place.column) == (3, 5)


def test_the_breakdown_factor_is_finer_than_the_unit_of_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With f of their WCETs both end at 11 f ms, before fast is released again at 10 ms: f = 10 / 11."""
    path = table(tmp_path, "name,period [ms],wcet [ms]\nfast,10,5\nslow,14,6\n")
    code, out, err = run(capsys, "analyse", "--import", str(path), "--json")
    assert code == 1
    assert json.loads(out)["breakdown_factor"] == pytest.approx(10 / 11, abs=1 / 4096)
    assert "and the kernel" not in err
    path = table(tmp_path, "name,period [ms],wcet [ms]\nfast,10,6\nslow,20,10\n")
    _, out, err = run(capsys, "analyse", "--import", str(path))
    assert "tasks of its priority and above need 110.0 % of the processor" in err
