# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bodies without a WCET: the verdict is open, and what was measured is a hint."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import make_system, make_task, ms
from tests.tool.test_analyse_command import run

from horolog.cli.earlier import earlier_hint
from horolog.model import HorologError, Kind, Place, PriorityRule, Resource
from horolog.plan import plan
from horolog.read import read_system
from horolog.responses import analysis_of, deadlines_of, refuse_misses, slack_of, slack_text

TEXT = """[system]
name = "open"
board = "mps2-an385"
duration = "1 s"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "fast"
period = "10 ms"
wcet = "2 ms"
work = 100
priority = 3

[[task]]
name = "own"
period = "14 ms"
body = "own"
priority = 2

[[task]]
name = "late"
activated_by = "task fast"
body = "late"
priority = 1
"""
BODIES = "void own(void);\nvoid late(void);\nvoid own(void)\n{\n}\nvoid late(void)\n{\n}\n"


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bodies.c").write_text(BODIES, encoding="utf-8")
    path = tmp_path / "open.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_missing_wcet_leaves_no_slack(system: Path) -> None:
    """Its own bound and those below are longer by what is not known."""
    one = read_system(system)
    found = slack_of(one, plan(one).choice)
    assert found.share is None
    assert slack_text(found) in {"no bound for own", "no bound for late"}


def measured(folder: Path, **longest_ns: int) -> Path:
    """As `horolog run` leaves it in `folder`, as far as a hint needs it."""
    folder.mkdir(parents=True, exist_ok=True)
    response = {
        name: {"min_ns": 1, "mean_ns": 1.5, "max_ns": ns} for name, ns in longest_ns.items()
    }
    data = {"system": "open", "board": "mps2-an385", "horolog": {"response": response}}
    path = folder / "run.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_check_and_analyse_say_that_it_is_not_known(
    system: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "check", str(system))
    assert code == 0
    assert "not known: 2 of 3 tasks have no WCET" in out
    assert "at least 20.00 %" in out
    code, out, err = run(capsys, "analyse", str(system))
    assert code == 1
    assert "open.toml:15:1: task.own: system open: not known" in err
    assert "a hint, no proof" not in out
    row = next(line for line in out.splitlines() if line.startswith("own"))
    assert row.split()[:5] == ["own", "2", "not", "known", "14.000"]
    assert "breakdown" not in out
    code, out, _ = run(capsys, "analyse", str(system), "--json")
    data = json.loads(out)
    assert (data["holds"], data["breakdown_factor"], data["hint"]) == (False, None, None)
    assert data["without_wcet"] == ["own", "late"]
    assert [one["bound_ns"] is None for one in data["tasks"]] == [False, True, True]
    code, out, _ = run(capsys, "plan", str(system))
    assert code == 0
    assert "not known: 2 of 3 tasks have no WCET" in out


def test_check_lists_all_tasks_in_rows_that_make_the_sum(
    system: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = '\n[[task]]\nname = "same"\nperiod = "10 ms"\nbody = "own"\npriority = 4\n'
    served = (
        '\n[[task]]\nname = "rare"\nserver = "server"\nbody = "own"\nwcet = "1 ms"\n'
        '\n[[server]]\nname = "server"\nkind = "polling"\nperiod = "20 ms"\npriority = 5\n'
    )
    system.write_text(TEXT + same + served, encoding="utf-8")
    code, out, _ = run(capsys, "check", str(system))
    assert code == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[1].startswith("6 tasks, explicit; ")
    first = lines.index("period tasks jobs/s longest wcet utilisation")
    assert lines[first + 1 : first + 7] == [
        "10 ms 2 200.0 at least 2 ms at least 20.00 %",
        "14 ms 1 71.4 not known",
        "20 ms 1 50.0 1 ms 5.00 %",
        "least gap 10 ms 1 100.0 not known",
        "aperiodic 1 1 ms of its server",
        "sum 6 421.4 at least 25.00 %",
    ]
    _, out, _ = run(capsys, "check", str(system), "--json")
    data = json.loads(out)
    assert (data["tasks"], round(data["jobs_per_second"], 1)) == (6, 421.4)


def test_what_a_run_has_measured_is_a_hint(
    system: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = measured(tmp_path / "build" / "open", fast=9_000_000, own=13_000_000, late=100)
    hint = 'nearest to its deadline took 13.000 ms, of "own", and 14.000 ms are allowed (build/open/run.json)'
    for command in ("check", "analyse"):
        _, out, _ = run(capsys, command, str(system))
        assert hint in out.replace("\n", " ")
        _, out, _ = run(capsys, command, str(system), "--json")
        data = json.loads(out)
        assert hint in (data if command == "analyse" else data["deadlines"])["hint"]
    at = system.stat().st_mtime
    os.utime(path, (at - 10, at - 10))
    read = read_system(system)
    deadlines = deadlines_of(read, analysis_of(read, None))
    assert str(earlier_hint(read, deadlines)).endswith("run.json, before the last change)")


def test_results_of_something_else_are_no_hint(system: Path, tmp_path: Path) -> None:
    read = read_system(system)
    deadlines = deadlines_of(read, analysis_of(read, None))
    folder = tmp_path / "elsewhere"
    path = measured(folder, own=13_000_000)
    assert earlier_hint(read, deadlines, folder) is not None
    assert earlier_hint(replace(read, name="other"), deadlines, folder) is None
    for text in (
        "",
        "[]",
        '{"system": "open", "board": "mps2-an385", "horolog": {"response": [1]}}',
    ):
        path.write_text(text, encoding="utf-8")
        assert earlier_hint(read, deadlines, folder) is None
    known = make_system(tasks=[make_task("own", ms(5), wcet=ms(1))])
    measured(folder, own=13_000_000)
    assert earlier_hint(known, deadlines_of(known, analysis_of(known, None)), folder) is None


def test_a_miss_is_told_although_a_wcet_is_missing() -> None:
    system = make_system(
        tasks=[
            make_task("a", ms(4), wcet=ms(2)),
            make_task("b", ms(8), wcet=ms(3), deadline=ms(6)),
            make_task("c", ms(9)),
        ]
    )
    found = analysis_of(system, None)
    deadlines = deadlines_of(system, found)
    assert found.unknown == (2,)
    assert found.certain == {1}
    assert deadlines.missed
    assert deadlines.text.startswith('the deadline of "b" is missed: ')


def test_a_certain_miss_is_told_without_figures_that_a_missing_wcet_makes_too_small() -> None:
    system = make_system(
        tasks=[
            make_task("open", ms(3)),
            make_task("a", ms(4), wcet=ms(2)),
            make_task("b", ms(8), wcet=ms(5), deadline=ms(6)),
        ]
    )
    found = analysis_of(system, None)
    assert found.open == {0, 1, 2}
    assert found.certain == {2}
    assert deadlines_of(system, found).text == (
        'the deadline of "b" is missed, even if bodies without a WCET take no time: 6.000 ms are allowed'
    )
    with pytest.raises(HorologError, match="even if bodies without a WCET take no time") as error:
        refuse_misses(system, found)
    assert error.value.found == "a longer response, with 1 of 3 tasks not counted: open"
    assert error.value.expected == (
        "at most 6.000 ms; no order of priorities meets all deadlines: jobs released and due from "
        "0.000 to 6.000 ms need at least 7.000 ms"
    )


def test_of_several_late_tasks_one_that_misses_for_certain_is_told() -> None:
    """Without offsets "b" is not proved, and it is more urgent than "c"."""
    system = make_system(
        tasks=[
            make_task("a", ms(40), wcet=ms(10)),
            make_task("b", ms(40), wcet=ms(10), offset=ms(10), deadline=ms(11)),
            make_task("c", ms(80), wcet=ms(10), deadline=ms(15)),
        ]
    )
    system = replace(system, releases=3)
    found = analysis_of(system, None, most=0)
    assert [one.task for one in found.failing] == [1, 2]
    assert found.certain == {2}
    assert deadlines_of(system, found).text.startswith('the deadline of "c" is missed: ')
    with pytest.raises(HorologError, match='"c" is missed') as error:
        refuse_misses(system, found)
    assert error.value.expected == "at most 15.000 ms"


def test_late_tasks_without_a_wcet_use_up_no_search_for_misses() -> None:
    """ "open" is late by the job of "a", and has more releases than the schedules may have in all."""
    first = make_task("a", ms(40), wcet=ms(10), priority=3)
    unknown = make_task("open", ms("0.001"), priority=2)
    late = make_task("b", ms(80), wcet=ms(10), deadline=ms(15), priority=1)
    system = make_system(tasks=[first, unknown, late], priorities=PriorityRule.EXPLICIT)
    found = analysis_of(system, None)
    assert [one.task for one in found.failing] == [1, 2]
    assert found.certain == {2}


def test_a_late_release_of_a_task_without_a_wcet_hides_no_miss_below() -> None:
    """Its body takes nothing for certain, whenever it is released."""
    above = [
        replace(make_task("open", ms(5)), jitter=ms(1)),
        make_task("a", ms(40), wcet=ms(10)),
    ]
    below = make_task("b", ms(80), wcet=ms(10), deadline=ms(15))
    assert analysis_of(make_system(tasks=[*above, below]), None).certain == {2}


def test_a_late_task_that_never_misses_leaves_steps_for_others() -> None:
    """Without offsets the bound of "b" is above its deadline, and no job of it ever misses."""
    system = make_system(
        tasks=[
            make_task("a", ms(40), wcet=ms(10)),
            make_task("b", ms(40), wcet=ms(10), offset=ms(10), deadline=ms(11)),
            make_task("c", ms(80), wcet=ms(10), deadline=ms(15)),
        ]
    )
    assert analysis_of(system, None, most=0).certain == {2}


def test_a_resource_that_an_unknown_body_holds_leaves_all_bounds_open() -> None:
    """Without `hold` it counts for as long as the body; with it for that."""
    high = make_task("high", ms(5), wcet=ms(1), kind=Kind.BASIC)
    low = make_task("low", ms(9), kind=Kind.BASIC)
    plain = make_system(tasks=[high, low])
    for hold, is_open, response in ((None, {0, 1}, 1), (ms(2), {1}, 3)):
        shared = Resource("r", (0, 1), Place("system.toml"), (ms(1), hold))
        found = analysis_of(replace(plain, resources=(shared,)), None)
        assert found.open == is_open
        assert found.bounds[0].response == ms(response)
    assert analysis_of(plain, None).bounds[0].response == Fraction(1, 1000)


def test_a_run_in_which_bodies_take_no_time_gives_no_hint(system: Path, tmp_path: Path) -> None:
    system.write_text(TEXT.replace("mps2-an385", "host"), encoding="utf-8")
    one = read_system(system)
    deadlines = deadlines_of(one, analysis_of(one, None))
    folder = measured(tmp_path / "build" / "open", fast=1, own=2, late=3)
    assert deadlines.unproved
    assert earlier_hint(one, deadlines, folder) is None
