# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bad inputs of the issue, through the command line: message, place and exit status."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path

import pytest
from tests.tool.conftest import Said, Workshop

Change = tuple[str, str]


def assert_refused(said: Said, *texts: str, code: int = 2) -> None:
    assert said.code == code
    assert said.out == ""
    assert "Traceback" not in said.err
    for text in texts:
        assert text in said.err


def test_a_valid_system_passes(workshop: Workshop) -> None:
    said = workshop.check()
    assert (said.code, said.err) == (0, "")
    assert "2 tasks" in said.out
    assert "2.56 %" in said.out
    assert said.out.rstrip().endswith("valid")


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        pytest.param(
            [('period = "5 ms"', 'perod = "5 ms"')],
            [
                ':9:1: task.fast.perod: unknown key "perod"; did you mean "period"?',
                'task.fast: "period" is missing',
                "2 errors",
            ],
            id="unknown-key",
        ),
        pytest.param(
            [("[[task]]", "[[tasks]]")],
            [':7:1: tasks: unknown table "tasks"; did you mean "task"?'],
            id="unknown-table",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\nzzz = 1')],
            [':5:1: system.zzz: unknown key "zzz"', "one of name, board, cells, duration"],
            id="unknown-key-without-neighbour",
        ),
        pytest.param(
            [('"5 ms"', '"5"')],
            [":9:10: task.fast.period: a duration needs a unit", 'found:    "5"', '"5 ms"'],
            id="no-unit",
        ),
        pytest.param(
            [('"5 ms"', "5")],
            [":9:10: task.fast.period: a duration needs a unit", "found:    5", '"5 ms"?'],
            id="bare-number",
        ),
        pytest.param(
            [('"5 ms"', "2.5")],
            [":9:10: task.fast.period: a duration needs a unit", '"2.5 ms"?'],
            id="bare-float",
        ),
        pytest.param(
            [('"5 ms"', '"0 ms"')],
            ["task.fast.period: a duration of zero", "more than zero"],
            id="zero-period",
        ),
        pytest.param(
            [('"5 ms"', '"-5 ms"')],
            ["task.fast.period: a negative duration", 'found:    "-5 ms"', "more than zero"],
            id="negative-period",
        ),
        pytest.param(
            [('"5 ms"', '"soon"')],
            ["task.fast.period: not a duration", 'found:    "soon"'],
            id="non-numeric-period",
        ),
        pytest.param(
            [('"5 ms"', "true")],
            ["task.fast.period: not a duration", "found:    true"],
            id="boolean-period",
        ),
        pytest.param(
            [('"5 ms"', '"5 msec"')],
            ['task.fast.period: "msec" is not a unit of time or frequency; did you mean "ms"?'],
            id="unknown-unit",
        ),
        pytest.param(
            [('"2 s"', '"300000 s"')],
            [
                ":4:12: system.duration: a simulation of more than a day",
                'found:    "300000 s"',
                "at most 86400 s",
            ],
            id="endless-simulation",
        ),
        pytest.param(
            [("work = 500", "work = 0x" + "f" * 5000)],
            [":16:8: task.slow.work: a whole number of more than 64 bits", "found:    20000 bits"],
            id="number-of-thousands-of-digits",
        ),
        pytest.param(
            [('wcet = "120 us"', 'wcet = "1 kHz"')],
            ['task.fast.wcet: "kHz" is not a unit of time'],
            id="frequency-for-a-time",
        ),
        pytest.param(
            [('"fast_step"', '"fast_setp"')],
            [
                ':11:8: task.fast.body: no function "fast_setp" in bodies.c; '
                'did you mean "fast_step"?',
                "void fast_setp(void) in one of the sources",
            ],
            id="missing-body",
        ),
        pytest.param(
            [('sources = ["bodies.c"]\n', "")],
            ['no function "fast_step": [system] lists no sources'],
            id="body-without-sources",
        ),
        pytest.param(
            [('"bodies.c"', '"bodys.c"')],
            [':5:12: system.sources[0]: there is no source file "bodys.c"'],
            id="missing-source",
        ),
        pytest.param(
            [('"bodies.c"', '"system.toml"')],
            ['"system.toml" is not a C file'],
            id="source-not-c",
        ),
        pytest.param(
            [('"bodies.c"', '"bodies.c", "./bodies.c"')],
            ['the source file "./bodies.c" is listed twice'],
            id="source-twice",
        ),
        pytest.param(
            [('"slow"', '"fast"')],
            [':14:8: task.fast.name: the name "fast" is taken', 'the task "fast" of line 7'],
            id="duplicate-name",
        ),
        pytest.param(
            [('name = "fast"', 'name = "9 lives"')],
            [":8:8: task.9 lives.name: not a name", "a letter, then"],
            id="bad-name",
        ),
        pytest.param(
            [('"120 us"', '"6 ms"')],
            [
                ":10:8: task.fast.wcet: the WCET is above the period",
                "6 ms, with a period of 5 ms",
                "at most 5 ms",
            ],
            id="wcet-above-period",
        ),
        pytest.param(
            [("work = 500", "work = 500000")],
            [":16:8: task.slow.work: the time that 500000 turns take is above the period", "32 ms"],
            id="work-above-period",
        ),
        pytest.param(
            [('"120 us"', '"3 ms"\ndeadline = "2 ms"')],
            [":10:8: task.fast.wcet: the WCET is above the deadline"],
            id="wcet-above-deadline",
        ),
        pytest.param(
            [('"120 us"', '"120 us"\ndeadline = "6 ms"')],
            [":11:12: task.fast.deadline: a deadline above the period is not yet supported"],
            id="deadline-above-period",
        ),
        pytest.param(
            [('wcet = "120 us"\n', "")],
            ['task.fast.body: the task "fast" has a body but no wcet'],
            id="body-without-wcet",
        ),
        pytest.param(
            [("work = 500", "")],
            [':13:1: task.slow: the task "slow" has nothing to do', "neither body nor work"],
            id="no-body-no-work",
        ),
        pytest.param(
            [("work = 500", 'work = 500\nbody = "fast_step"')],
            ['task.slow.work: the task "slow" has both body and work', "one of them"],
            id="body-and-work",
        ),
        pytest.param(
            [("work = 500", "work = 0")],
            ["task.slow.work: too small", "1 or more"],
            id="no-work",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\ncells = ["timer0", "timer9"]')],
            [
                ':5:20: system.cells[1]: the board "mps2-an385" has no cell "timer9"',
                'did you mean "timer',
                "some of timer0, timer1, dual0 and systick",
            ],
            id="unknown-cell",
        ),
        pytest.param(
            [
                ("mps2-an385", "ibex-cells"),
                ('duration = "2 s"', 'duration = "2 s"\ncells = ["zzz"]'),
            ],
            [
                ':5:10: system.cells[0]: the board "ibex-cells" has no',
                "some of cell0, cell1, ... and cell63 (64",
            ],
            id="unknown-cell-of-many",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\ncells = ["dual0", "dual0"]')],
            [':5:19: system.cells[1]: the cell "dual0" is listed twice'],
            id="cell-twice",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\ntimeouts = "timer9"')],
            [
                ':5:12: system.timeouts: the board "mps2-an385" has no cell "timer9"; did you mean',
                "one of timer0, timer1, dual0 or systick",
            ],
            id="no-such-cell-for-time-outs",
        ),
        pytest.param(
            [
                (
                    'duration = "2 s"',
                    'duration = "2 s"\ncells = ["timer0", "timer1"]\ntimeouts = "timer1"',
                )
            ],
            [
                ':6:12: system.timeouts: the cell "timer1" is among cells, too',
                "one of dual0 or systick",
            ],
            id="the-cell-of-time-outs-releases-no-task",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\nreleases = 0')],
            [":5:12: system.releases: "],
            id="tasks-that-never-run",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\nreleases = "5"')],
            [":5:12: system.releases: "],
            id="releases-are-a-number",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\nstart = "fast_stop"')],
            [
                ':5:9: system.start: no function "fast_stop" in the sources; did you mean "fast_step"?',
                "one void fast_stop(void), not static",
            ],
            id="no-such-start-function",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\ncells = []')],
            [":5:9: system.cells: is empty"],
            id="no-cells",
        ),
        pytest.param(
            [('"mps2-an385"', '"mps2-an395"')],
            [
                ':3:9: system.board: unknown board "mps2-an395"; did you mean "mps2-an385"?',
                "host, ibex-cells",
            ],
            id="unknown-board",
        ),
        pytest.param(
            [('"mps2-an385"', '"./my/board.toml"')],
            [":3:9: system.board: there is no such board file", "host, ibex-cells"],
            id="missing-board-file",
        ),
        pytest.param(
            [('"5 ms"', '"5 us"'), ('"120 us"', '"1 us"')],
            [
                ":9:10: task.fast.period: the period is too short for every cell",
                "found:    5 us",
                "at least 10 us",
            ],
            id="period-too-short",
        ),
        pytest.param(
            [("work = 500", "work = 500\nstack = 128")],
            ["task.slow.stack: too small", "found:    128", "256 or more"],
            id="small-stack",
        ),
        pytest.param(
            [("work = 500", "work = 500\nstack = 260")],
            ["task.slow.stack: not a multiple of 8", "a multiple of 8, such as 512"],
            id="odd-stack",
        ),
        pytest.param(
            [("work = 500", 'work = 500\nstack = "1 kB"')],
            ["task.slow.stack: wrong type", 'found:    "1 kB"', "a whole number"],
            id="stack-string",
        ),
        pytest.param(
            [("work = 500", 'work = 500\noverrun = "drop"')],
            ["task.slow.overrun: not one of the choices", '"skip" or "queue"'],
            id="bad-overrun",
        ),
        pytest.param(
            [("work = 500", "work = 500\npriority = 3")],
            ['task.slow.priority: priority is given although priorities = "rate-monotonic"'],
            id="priority-without-rule",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\npriorities = "explicit"')],
            [
                'the task "fast" has no priority although priorities = "explicit"',
                'the task "slow" has no priority although priorities = "explicit"',
                "priority = N, 1 to 31, larger is more urgent",
                "2 errors",
            ],
            id="explicit-without-priority",
        ),
        pytest.param(
            [
                ('duration = "2 s"', 'duration = "2 s"\npriorities = "explicit"'),
                ('"120 us"', '"120 us"\npriority = 32'),
                ("work = 500", "work = 500\npriority = 1"),
            ],
            ['task.fast.priority: the board "mps2-an385" has 31 priority levels', "found:    32"],
            id="priority-above-levels",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\npriorities = "random"')],
            ['"rate-monotonic", "deadline-monotonic" or "explicit"'],
            id="unknown-rule",
        ),
        pytest.param(
            [("[[task]]", "[task]")],
            [":13:", "TOML syntax"],
            id="task-as-table-and-array",
        ),
        pytest.param(
            [('[system]\nname = "demo"', '[system]\nname = "demo')],
            [":2:13: TOML syntax: illegal character"],
            id="toml-syntax",
        ),
        pytest.param(
            [('period = "5 ms"', 'period "5 ms"')],
            [":9:8: TOML syntax: expected '=' after a key", 'found:    period "5 ms"'],
            id="toml-no-equals",
        ),
        pytest.param(
            [('period = "5 ms"', 'period = "5 ms"\nperiod = "6 ms"')],
            [":10:", "TOML syntax: cannot overwrite a value"],
            id="key-twice",
        ),
        pytest.param([('duration = "2 s"\n', "")], [':1:1: system: "duration" is missing'], id="m"),
        pytest.param(
            [("work = 500", 'work = 500\nkind = "idle"')],
            ["task.slow.kind: not one of the choices", '"thread" or "basic"'],
            id="unknown-kind",
        ),
        pytest.param(
            [("work = 500", 'work = 500\nreleases = ["1 ms"]')],
            [":17:1: task.slow.releases: releases is not yet supported"],
            id="releases",
        ),
    ],
)
def test_bad_input_is_refused(workshop: Workshop, changes: list[Change], texts: list[str]) -> None:
    assert_refused(workshop.check(*changes), "system.toml", *texts)


@pytest.mark.parametrize("table", ["interrupt", "table"])
def test_reserved_tables_are_not_yet_supported(workshop: Workshop, table: str) -> None:
    said = workshop.check_with(f'[[{table}]]\nname = "x"\n')
    assert_refused(said, f":18:1: {table}: {table} is not yet supported")
    assert "unknown" not in said.err


def test_utilisation_above_one_is_exit_1_with_the_sum(workshop: Workshop) -> None:
    said = workshop.check(('"120 us"', '"4 ms"'), ("work = 500", "work = 100_000"))
    assert_refused(said, "the utilisation is 1.1200, above 1", "1.1200 (28/25)", code=1)
    assert "fast 0.800 and slow 0.320" in said.err


def test_utilisation_barely_above_one_is_still_above(workshop: Workshop) -> None:
    said = workshop.check(('"120 us"', '"4.9999999 ms"'))
    assert_refused(said, "the utilisation is 1.0016, above 1", code=1)
    said = workshop.check(('"120 us"', '"4.99200001 ms"'), ("work = 500", "work = 500"))
    assert_refused(said, "the utilisation is 1 + 0.00000000200, above 1", code=1)


def test_utilisation_of_exactly_one_is_accepted(workshop: Workshop) -> None:
    assert workshop.check(('"120 us"', '"4.992 ms"')).code == 0


def test_a_single_table_in_place_of_an_array(workshop: Workshop) -> None:
    head, _, _ = workshop.text.partition("[[task]]")
    path = workshop.write(head + '[task]\nname = "a"\nperiod = "1 ms"\nwork = 5\n')
    said = workshop.run("check", str(path))
    assert_refused(said, ":7:1: task: has to be an array of tables", "double brackets: [[task]]")


def test_an_array_in_place_of_a_single_table(workshop: Workshop) -> None:
    path = workshop.write(workshop.text.replace("[system]", "[[system]]"))
    assert_refused(workshop.run("check", str(path)), ":1:1: system: has to be a table", "[system]")


def test_an_empty_file_wants_a_system(workshop: Workshop) -> None:
    said = workshop.run("check", str(workshop.write("")))
    assert_refused(said, "system.toml: the table [system] is missing")


def test_a_system_without_tasks(workshop: Workshop) -> None:
    head, _, _ = workshop.text.partition("[[task]]")
    assert_refused(workshop.run("check", str(workshop.write(head))), "no tasks", "[[task_group]]")


def test_a_file_that_is_not_there(workshop: Workshop) -> None:
    said = workshop.run("check", str(workshop.directory / "none.toml"))
    assert_refused(said, "none.toml: cannot read it: no such file or directory")


def test_a_folder_instead_of_a_file(workshop: Workshop) -> None:
    assert_refused(workshop.run("check", str(workshop.directory)), "cannot read it: is a directory")


def test_a_byte_order_mark_is_no_part_of_the_text(workshop: Workshop) -> None:
    path = workshop.write()
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert workshop.run("check", str(path)).code == 0
    path.write_bytes(codecs.BOM_UTF8 + b"nonsense = 1\n")
    assert_refused(workshop.run("check", str(path)), ":1:1: nonsense: unknown key")


@pytest.mark.parametrize("sign", ["\u00b5", "\u03bc"])
def test_what_outputs_print_is_read(sign: str, workshop: Workshop) -> None:
    changes = (
        ('"120 us"', f'"120.0\u202f{sign}s"'),
        ('"5 ms"', '"200 Hz"'),
        ('"20 ms"', '"0.05 kHz"'),
    )
    assert workshop.check(*changes).out == workshop.check().out


UNBUILDABLE = [";", '"', "\\", "$", "${HOME}", "[1]", "|", "\n", "\r", "\0"]


@pytest.mark.parametrize("sign", UNBUILDABLE)
def test_a_source_that_the_build_cannot_take_is_refused(sign: str, workshop: Workshop) -> None:
    name = f"bo{sign}dies.c"
    if "\0" not in name:
        (workshop.directory / name).write_text("void fast_step(void) {}\n", encoding="utf-8")
    said = workshop.check(('"bodies.c"', json.dumps(name)))
    assert_refused(said, ":5:12: system.sources[0]: the build cannot take a source file with ")
    assert_refused(said, 'expected: a path without ; " \\ $ [ ] | and line breaks, in UTF-8')


def test_a_source_s_path_is_checked_behind_a_symbolic_link(workshop: Workshop) -> None:
    """CMake gets the path that it leads to, in which these signs would be commands."""
    folder = workshop.directory / 'x")execute_process(COMMAND id)#'
    folder.mkdir()
    (folder / "real.c").write_text("void fast_step(void) {}\n", encoding="utf-8")
    (workshop.directory / "link.c").symlink_to(folder / "real.c")
    said = workshop.check(('"bodies.c"', '"link.c"'))
    assert_refused(said, ":5:12: system.sources[0]: the build cannot take a source file with ")


@pytest.mark.parametrize("sign", [";", '"', "\\", "$", "[", "|", "\n", os.fsdecode(b"\xfc")])
def test_a_folder_that_the_build_cannot_take_is_refused(sign: str, tmp_path: Path) -> None:
    folder = tmp_path / f"a{sign}b"
    folder.mkdir()
    said = Workshop.run("check", str(Workshop(folder).write()))
    assert_refused(
        said, "system.toml: the build cannot take a folder with ", "expected: a path without"
    )


@pytest.mark.parametrize(
    "name", ["a #1 (copy) 100% @ b&c", "it's <new>?*", "a,b=c:d", "\u00fc\u6642"]
)
def test_other_names_are_taken(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    assert Workshop.run("check", str(Workshop(folder).write())).code == 0


def test_a_board_that_the_build_cannot_take_is_refused(workshop: Workshop) -> None:
    said = workshop.check(('"mps2-an385"', '"./a;b/board.toml"'))
    assert_refused(said, ":3:9: system.board: the build cannot take a board with a semicolon in it")


def test_what_a_file_says_does_not_command_the_terminal(workshop: Workshop) -> None:
    """As a key, as a value and as a line of firmware's console, all of which errors show."""
    said = workshop.check(('board = "mps2-an385"', r""""\u001b[2Jx\u009b" = 1"""))
    assert_refused(said, r"\x1b[2Jx\x9b")
    assert "\x1b" not in said.err
    assert "\x9b" not in said.err


def test_bytes_that_are_no_text(workshop: Workshop) -> None:
    path = workshop.write()
    path.write_bytes(b'[system]\nname = "\xff"\n')
    assert_refused(workshop.run("check", str(path)), ":2:9: not UTF-8", "0xff")


def test_all_errors_come_at_once_in_the_order_of_the_file(workshop: Workshop) -> None:
    said = workshop.check(('"5 ms"', '"5"'), ('"20 ms"', "20"), ('"2 s"', '"0 s"'))
    assert_refused(said, "3 errors")
    lines = [line for line in said.err.splitlines() if "system.toml:" in line]
    assert [line.split(":")[-4] for line in lines] == ["4", "9", "15"]


def test_columns_count_characters_not_bytes(workshop: Workshop) -> None:
    text = workshop.text + '\n[[task]]\n"n\u00e4me" = 1\nname = "x"\nperiod = "1 ms"\nwork = 1\n'
    said = workshop.run("check", str(workshop.write(text)))
    assert_refused(said, ':19:1: task.x.n\u00e4me: unknown key "n\u00e4me"; did you mean "name"?')
    inline = 'task = [{name = "\u00e4\u00e4", period = "5", work = 1}]\n'
    head, _, _ = workshop.text.partition("[[task]]")
    said = workshop.run("check", str(workshop.write(inline + head)))
    assert_refused(said, ":1:32: task.\u00e4\u00e4.period: a duration needs a unit")


def test_errors_as_json_keep_the_exit_status(workshop: Workshop) -> None:
    path = workshop.write_changed(('"5 ms"', '"5"'))
    said = workshop.run("check", str(path), "--json")
    assert said.code == 2
    assert said.err == ""
    assert said.object == {
        "error": {
            "message": "a duration needs a unit",
            "place": {"file": str(path), "line": 9, "column": 10, "key": "task.fast.period"},
            "found": '"5"',
            "expected": 'a number and a unit, such as "5 ms", "2.5 us" or "1/3 ms"; '
            'or how often: "60 Hz"',
            "exit": 2,
        }
    }


def test_several_errors_as_json(workshop: Workshop) -> None:
    path = workshop.write_changed(('"5 ms"', '"5"'), ('"20 ms"', '"20"'))
    said = workshop.run("check", "--json", str(path))
    assert [one["place"]["line"] for one in said.object["error"]["all"]] == [9, 15]


def test_the_report_as_json(workshop: Workshop) -> None:
    said = workshop.run("check", "--json", str(workshop.write()))
    assert said.code == 0
    assert said.object["utilisation_exact"] == "16/625"
    assert said.object["tasks"] == 2
    assert said.object["cells"] == ["timer0", "timer1", "dual0", "systick"]
    assert said.object["findings"] == []


def test_another_board_by_option(workshop: Workshop) -> None:
    path = str(workshop.write())
    assert workshop.run("check", "--json", "--board", "host", path).object["board"] == "host"
    assert_refused(workshop.run("check", "--board", "hots", path), 'did you mean "host"?')


def test_what_is_implausible_is_said_and_accepted(workshop: Workshop) -> None:
    said = workshop.check(('"20 ms"', '"20 s"'))
    assert said.code == 0
    assert "task.slow: a period of 20 s: is the unit right?" in said.out
    assert "the duration of 2 s is shorter than the longest period, 20 s" in said.out
    assert "valid, 2 to look at" in said.out


@pytest.mark.parametrize(
    ("group", "texts"),
    [
        ('period = "10 ms"', ["the group", "does not say how many", "tasks = N"]),
        ("tasks = 5", ["needs one of period, periods and distribution", "none of them"]),
        ('tasks = 2\nperiod = "10 ms"\nperiods = ["5 ms"]', ["period and periods"]),
        ('tasks = 3\nperiods = ["5 ms", "6 ms"]', ["3 tasks", "a multiple of 2"]),
        ('tasks = 84\ndistribution = "automotive"', ["84 tasks", "a multiple of 85"]),
        ('tasks = 10\ndistribution = "uniform-automotive"', ["a multiple of 9"]),
        ('tasks = 85\ndistribution = "automotive"\nseed = 3', ["nothing in", "is drawn"]),
        ('tasks = 9\ndistribution = "chronos"', ["it needs a seed"]),
        ('tasks = 9\ndistribution = "normal"', ["not one of the choices", "chronos-harmonic"]),
        ('tasks = 0\nperiod = "1 ms"', ["too small", "1 or more"]),
        ("periods = []", ["is empty"]),
        ('periods = ["5 ms", "6"]', [":20:20: task_group.can.periods[1]: a duration needs a unit"]),
        ('periods = ["5 ms", "5 us"]', [":20:20: task_group.can.periods[1]: the period is too"]),
        ('tasks = 2\nperiod = "10 ms"\nwcet = "11 ms"', ["the WCET is above the period"]),
        ('periods = ["5 ms", "9 ms"]\ndeadline = "6 ms"', ["deadline above the period"]),
    ],
)
def test_bad_groups_are_refused(workshop: Workshop, group: str, texts: list[str]) -> None:
    said = workshop.check_with(f'[[task_group]]\nname = "can"\n{group}\nwork = 10\n')
    assert_refused(said, "task_group.can", *texts)


def test_a_group_takes_the_name_of_a_task(workshop: Workshop) -> None:
    group = '[[task_group]]\nname = "can"\ntasks = 2\nperiod = "9 ms"\nwork = 1\n'
    single = '[[task]]\nname = "can.1"\nperiod = "9 ms"\nwork = 1\n'
    said = workshop.check_with(group + single)
    assert_refused(said, 'the name "can.1" is taken', 'which the group "can" of line 18 has')
    assert_refused(workshop.check_with(group + group), 'the name "can" is taken')
