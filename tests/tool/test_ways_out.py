# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Ways out of systems that miss deadlines: each is applied, and then all deadlines hold."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.tool.test_analyse_command import run

from horolog.model import HorologError, System
from horolog.plan import Limit, plan, read_prices
from horolog.read import read_system
from horolog.responses import Asked, Ways, analysis_of, plan_for, ways_out

HEAD = """[system]
name = "made"
board = "mps2-an385"
duration = "1 s"
"""


def table(name: str, period: str, wcet: str, deadline: str = "", more: str = "") -> str:
    deadline = f'deadline = "{deadline}"\n' if deadline else ""
    return (
        f'\n[[task]]\nname = "{name}"\nperiod = "{period}"\nwcet = "{wcet}"\n{deadline}{more}'
        "work = 1_000\n"
    )


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "made.toml"


def analysed(
    path: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, dict[str, Any]]:
    code, out, _ = run(
        capsys, "analyse", str(path), "--json", "--no-factor", "--seconds", "120", *options
    )
    return code, json.loads(out)


def test_deadline_monotonic_priorities(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """5 ms above 4 ms with a deadline of 9 ms leaves nothing for the kernel; turned round, 4 and 9 of 10."""
    path.write_text(
        HEAD + table("fast", "10 ms", "5 ms") + table("slow", "20 ms", "4 ms", "9 ms"),
        encoding="utf-8",
    )
    code, data = analysed(path, capsys)
    way = data["way_out"]
    assert code == 1
    assert way["found"] is True
    assert way["toml"] == ['priorities = "deadline-monotonic"']
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"1 s"\n', f'"1 s"\n{way["toml"][0]}\n', 1), encoding="utf-8")
    code, data = analysed(path, capsys)
    assert (code, data["holds"], data["way_out"]) == (0, True, None)


SPORADIC = """
[[interrupt]]
name = "byte"
line = 24
priority = 2
min_gap = "20 ms"
work = 500

[[task]]
name = "decode"
min_gap = "20 ms"
activated_by = "interrupt byte"
deadline = "5 ms"
wcet = "2 ms"
priority = 1
waits = false
body = "decode"
"""


@pytest.mark.parametrize("group", [False, True])
def test_audsleys_priorities_are_printed(
    path: Path, capsys: pytest.CaptureFixture[str], group: bool
) -> None:
    """No rule ranks a sporadic task: 2 ms within 5 ms cannot wait for the 4 ms of a task or of a group."""
    row = table("a", "20 ms", "4 ms", more="priority = 2\n")
    if group:
        row = row.replace("[[task]]", "[[task_group]]\ntasks = 2").replace('"4 ms"', '"2 ms"')
    (path.parent / "a.c").write_text("void decode(void) {}\n", encoding="utf-8")
    text = HEAD + 'priorities = "explicit"\nsources = ["a.c"]\n' + row + SPORADIC
    path.write_text(text, encoding="utf-8")
    code, out, err = run(capsys, "analyse", str(path), "--no-factor", "--seconds", "120")
    assert code == 1
    assert 'way out    set priorities = "explicit" in [system]' in out
    assert "           a: priority = 1\n           decode: priority = 2\n" in out
    assert "task.decode" in err
    assert "way out: set priorities" in err
    ranked = text.replace("priority = 2\nwork = 1_000", "priority = 1\nwork = 1_000")
    ranked = ranked.replace("priority = 1\nwaits", "priority = 2\nwaits")
    path.write_text(ranked, encoding="utf-8")
    code, data = analysed(path, capsys)
    assert (code, data["holds"]) == (0, True)


def test_audsleys_priorities_of_threads_and_basic_tasks(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The threads are in the wrong order, and so are the basic tasks, which stay above them."""
    basic = 'kind = "basic"\npriority = '
    rows = table("a", "20 ms", "3 ms", more="priority = 2\n")
    rows += table("long", "20 ms", "1500 us", more=basic + "9\n")
    rows += table("short", "20 ms", "500 us", "1 ms", basic + "8\n")
    (path.parent / "a.c").write_text("void decode(void) {}\n", encoding="utf-8")
    text = HEAD + 'priorities = "explicit"\nsources = ["a.c"]\n' + rows + SPORADIC
    path.write_text(text, encoding="utf-8")
    code, data = analysed(path, capsys)
    assert code == 1
    assert [one["name"] for one in data["tasks"] if not one["holds"]] == ["short", "decode"]
    given = {one["name"]: one["priority"] for one in data["way_out"]["priorities"]}
    assert given["a"] < given["decode"] < given["long"] < given["short"]
    for name, priority in given.items():
        before, mark, behind = text.partition(f'name = "{name}"\n')
        text = before + mark + re.sub(r"priority = \d+", f"priority = {priority}", behind, count=1)
    path.write_text(text, encoding="utf-8")
    code, data = analysed(path, capsys)
    assert (code, data["holds"]) == (0, True)


def test_no_way_out_says_what_was_tried(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = table("fast", "10 ms", "5 ms") + table("slow", "14 ms", "6 ms")
    path.write_text(HEAD + rows, encoding="utf-8")
    code, data = analysed(path, capsys)
    way = data["way_out"]
    assert (code, way["found"], way["cut"]) == (1, False, False)
    assert way["tried"][0] == 'plans and cells ("slow" fails without the kernel, too)'
    assert "Audsley's priorities" in way["tried"]
    assert analysed(path, capsys, "--no-way-out")[1]["way_out"] is None


def test_a_limit_that_ends_the_search_is_said(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = table("fast", "10 ms", "5 ms") + table("slow", "14 ms", "6 ms")
    path.write_text(HEAD + rows, encoding="utf-8")
    code, out, _ = run(capsys, "analyse", str(path), "--no-factor", "--seconds", "0")
    assert code == 1
    assert "the limit of --seconds ended the search" in out


def us(count: int, of: int = 1) -> Fraction:
    return Fraction(count, of * 10**6)


def described(path: Path, rows: str, more: str = "") -> System:
    path.write_text(HEAD + more + rows, encoding="utf-8")
    return read_system(path)


def with_deadlines(system: System, deadlines: list[Fraction | None]) -> System:
    tasks = [
        replace(task, deadline=deadline or task.deadline)
        for task, deadline in zip(system.tasks, deadlines, strict=True)
    ]
    return replace(system, tasks=tuple(tasks))


def bounds(system: System, **named: Any) -> list[Fraction | None]:
    found = analysis_of(system, plan(system, **named).choice, read_prices(system.board))
    return [one.response for one in found.bounds]


def no_basic() -> System:
    raise HorologError("a body waits")


def searched(asked: Asked) -> Ways:
    planned = plan(asked.system, mechanism=asked.mechanism)
    return ways_out(asked, asked.system, planned, Limit(Fraction(300)))


THREE = table("a", "10 ms", "200 us") + table("b", "15 ms", "200 us") + table("c", "4 ms", "200 us")


def test_another_mechanism(path: Path) -> None:
    """The cheapest interrupts more than one cell at one instant; a cell for all does that once."""
    system = described(path, THREE.replace("10 ms", "5 ms").replace("15 ms", "7 ms"))
    chosen = plan(system)
    (other,) = (one.plan for one in chosen.alternatives if one.mechanism == "gcd")
    assert other is not None
    least = [one.response for one in analysis_of(system, other, read_prices(system.board)).bounds]
    asked = Asked(with_deadlines(system, least), no_basic)
    found = searched(asked).found
    assert found is not None
    assert found.toml == ('objective = "slack"',)
    moved, planned = plan_for(replace(asked.system, objective="slack"))
    assert analysis_of(moved, planned.choice, read_prices(moved.board)).holds
    found = searched(replace(asked, mechanism="one-shot")).found
    assert found is not None
    assert found.options[0] == "--mechanism"
    assert bounds(asked.system, mechanism=found.options[1]) <= least


def test_more_cells(path: Path) -> None:
    """With a second cell an interrupt comes less often; no other order and no mechanism is enough."""
    system = described(path, THREE, 'cells = ["timer0"]\n')
    wide = replace(system, cells=("timer0", "timer1"))
    few, more = (bounds(one, mechanism="chronos-const") for one in (system, wide))
    assert all((one or 0) > (other or 0) for one, other in zip(few, more, strict=True))
    ways = searched(Asked(with_deadlines(system, more), no_basic, mechanism="chronos-const"))
    assert ways.found is not None
    assert ways.found.toml == ('cells = ["timer0", "timer1"]',)
    assert "all tasks as basic tasks" in ways.tried


def test_basic_tasks(path: Path) -> None:
    """A job of a basic task takes less of the kernel: between both bounds the kind decides."""
    row = table("a", "5 ms", "1 ms")
    system = described(path, row)
    basic = described(path, row.replace("work", 'kind = "basic"\nwork'))
    least = bounds(basic)
    asked = Asked(with_deadlines(system, least), lambda: with_deadlines(basic, least))
    found = searched(asked).found
    assert found is not None
    assert (found.change, found.options) == ("kind", ("--kind", "basic"))
