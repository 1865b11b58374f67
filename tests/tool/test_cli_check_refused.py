# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Keys and values that `horolog check` refuses: message, place and exit status."""

from __future__ import annotations

import pytest
from tests.tool.conftest import Workshop, assert_refused

Change = tuple[str, str]


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        pytest.param(
            [('period = "5 ms"', 'perod = "5 ms"')],
            [':9:1: task.fast.perod: unknown key "perod"; did you mean "period"?'],
            id="unknown-key",
        ),
        pytest.param(
            [('period = "5 ms"\n', ""), ('period = "20 ms"\n', "")],
            ['task.fast: "period" is missing', 'task.slow: "period" is missing', "2 errors"],
            id="no-period",
        ),
        pytest.param(
            [("[[task]]", "[[tasks]]")],
            [':7:1: tasks: unknown table "tasks"; did you mean "task"?'],
            id="unknown-table",
        ),
        pytest.param(
            [('duration = "2 s"', 'duration = "2 s"\nzzz = 1')],
            [
                ':5:1: system.zzz: unknown key "zzz"',
                "one of name, board, cells, cores, core, duration",
            ],
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
            ['"system.toml" is not a C, C++ or assembly file'],
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
            [
                ":11:12: task.fast.deadline: a deadline above the period needs releases that wait",
                'found:    6 ms, with a period of 5 ms, and overrun = "skip"',
                'expected: overrun = "queue", or a deadline of at most 5 ms',
            ],
            id="deadline-above-period",
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
            ["task.slow.stack: not a multiple of 8", "expected: a multiple of 8"],
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


def test_a_table_says_what_it_lacks(workshop: Workshop) -> None:
    said = workshop.check_with('[[table]]\nname = "x"\nkind = "schedule"\n')
    assert_refused(
        said,
        ":18:1: table.x: the table [[table.point]] is missing",
        ':18:1: table.x: "round" is missing',
    )


def test_a_table_is_of_one_of_two_kinds(workshop: Workshop) -> None:
    said = workshop.check_with('[[table]]\nname = "x"\nkind = "other"\n')
    assert_refused(
        said,
        ":20:8: table.x.kind: not one of the choices",
        'found:    "other"\n  expected: "dispatcher" or "schedule"',
    )


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
