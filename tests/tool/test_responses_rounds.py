# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a dispatcher table leaves of its round: beside a processor step by step, and by the command."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from tests.tool.test_read_dispatch_tables import HEAD, OTHERS, TABLE, TASKS

from horolog.analyse import dispatched_round, free_stretches
from horolog.cli.main import main
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of, round_text, rounds_left
from horolog.responses.rounds import free_of, longest_of

MS = Fraction(1, 1000)


def stepped(of_round: int, work: list[tuple[int, int]], rounds: int = 40) -> list[bool]:
    """Whether each unit of a late round is free; the processor does a unit of the work that has come."""
    backlog, free = 0, list[bool]()
    for now in range(-of_round, rounds * of_round):
        backlog += sum(length for offset, length in work if (now - offset) % of_round == 0)
        free.append(backlog == 0)
        backlog -= backlog > 0
    return free[-of_round:]


@pytest.mark.parametrize("seed", range(300))
def test_free_is_what_a_processor_finds_free_step_by_step(seed: int) -> None:
    random = Random(seed)
    of_round = random.randint(8, 40)
    work = [
        (random.randint(-3, of_round), random.randint(0, of_round // 3))
        for _ in range(random.randint(0, 6))
    ]
    model = stepped(of_round, work)
    free = free_of(of_round, work)
    ours = [any(begin <= now < end for begin, end in free) for now in range(of_round)]
    assert ours == model
    if all(model):
        expected = of_round
    else:
        first = model.index(False)
        turned = model[first:] + model[:first]
        expected = max((len(list(run)) for is_free, run in groupby(turned) if is_free), default=0)
    assert longest_of(of_round, free) == expected


def described(folder: Path, *, board: str, text: str = TASKS) -> Path:
    path = folder / "system.toml"
    path.write_text(HEAD.replace("mps2-an385", board) + text + OTHERS + TABLE, encoding="utf-8")
    return path


def test_where_the_kernel_takes_no_time_it_is_what_the_table_leaves(tmp_path: Path) -> None:
    system = read_system(described(tmp_path, board="host"))
    found = analysis_of(system, None)
    (one,) = rounds_left(system, found)
    (table,) = system.tables
    wcets = {p.task: system.tasks[p.task].wcet or Fraction(0) for p in table.points}
    free = free_stretches(table.round, dispatched_round(table, wcets))
    assert one.left == sum((end - begin for begin, end in free), Fraction(0))
    assert one.longest == max(end - begin for begin, end in free)
    log, blink = (next(t for t in system.tasks if t.name == name) for name in ("log", "blink"))
    assert one.needed == 5 * MS * sum(((t.wcet or 0) / t.period for t in (log, blink)), Fraction(0))
    assert one.needed_known


@pytest.mark.parametrize("mechanism", [None, "gcd", "one-shot"])
def test_the_kernel_s_work_for_the_table_is_taken_off(
    mechanism: str | None, tmp_path: Path
) -> None:
    system = read_system(described(tmp_path, board="mps2-an385"))
    bare = rounds_left(system, analysis_of(system, None))[0]
    choice = plan(system, mechanism=mechanism).choice
    found = analysis_of(system, choice, read_prices(system.board))
    (one,) = rounds_left(system, found)
    assert bare.left is not None
    assert bare.longest is not None
    assert one.left is not None
    assert one.longest is not None
    tabled = {point.task for point in system.tables[0].points}
    sources = found.demanded.demand.sources
    own = [s for s in sources if {end.task for end in s.ends} & tabled]
    above = [s for s in sources if not s.ends and s.level >= min(s.level for s in own)]
    whole, unit = int(5 * MS * found.demanded.unit), found.demanded.unit
    phased = [s for s in (*own, *above) if s.offset is not None and whole % s.period == 0]
    anywhere = sum(s.arrivals(whole) * s.cost for s in above if s not in phased)
    assert anywhere > 0  # the clock's interrupt, and that of "blink"
    random = Random(1)
    for _ in range(50):  # releases as early as they may be, each by itself
        work = [
            ((s.offset or 0) + at - random.choice((0, s.early)), s.cost)
            for s in phased
            for at in range(0, whole, s.period)
        ]
        free = free_of(whole, work)
        assert one.left * unit <= sum(end - begin for begin, end in free) - anywhere
        assert one.longest * unit <= longest_of(whole, free) - anywhere
    early = sum(whole // s.period * s.early for s in phased)
    assert whole - sum(length for _, length in work) - anywhere - early <= one.left * unit
    assert one.left < bare.left
    assert 0 < one.longest < bare.longest
    assert one.needed > bare.needed


def test_more_than_the_round_leaves_nothing(tmp_path: Path) -> None:
    text = TASKS.replace("work = 20000", "work = 60000")
    path = described(tmp_path, board="mps2-an385", text=text)
    path.write_text(
        path.read_text(encoding="utf-8").replace('"estimate" }', '"estimate", deadline = "5 ms" }'),
        encoding="utf-8",
    )
    system = read_system(path)
    tasks = tuple(replace(t, wcet=6 * MS) if t.name == "control" else t for t in system.tasks)
    (one,) = rounds_left(system, analysis_of(replace(system, tasks=tasks), None))
    assert one.left == 0
    assert one.longest == 0


def test_a_missing_wcet_leaves_it_open(tmp_path: Path) -> None:
    system = read_system(described(tmp_path, board="mps2-an385"))
    index = {task.name: at for at, task in enumerate(system.tasks)}

    def without(name: str) -> str:
        tasks = list(system.tasks)
        tasks[index[name]] = replace(tasks[index[name]], wcet=None, work=None, body="f")
        changed = replace(system, tasks=tuple(tasks))
        (one,) = rounds_left(changed, analysis_of(changed, None))
        return round_text(one)

    assert without("sense") == "flight: not known what it leaves, as WCETs of its tasks are missing"
    assert "what runs below needs at least 0.001 ms" in without("log")
    assert "at least" not in round_text(rounds_left(system, analysis_of(system, None))[0])[40:]


def test_the_command_says_it_in_words_and_as_data(tmp_path: Path) -> None:
    path = str(described(tmp_path, board="mps2-an385"))
    said = CliRunner().invoke(main, ["analyse", path])
    assert said.exit_code == 0, said.output
    (line,) = [line for line in said.output.splitlines() if line.startswith("round ")]
    assert line.startswith("round      flight: of 5.000 ms at least ")
    (data,) = json.loads(CliRunner().invoke(main, ["analyse", path, "--json"]).stdout)["rounds"]
    assert (data["table"], data["round_ns"]) == ("flight", 5_000_000)
    assert f"at least {data['left_ns'] / 10**6:.6f}"[:-3] in line
    assert 0 < data["longest_ns"] <= data["left_ns"] < data["round_ns"]
    assert data["needed_known"] is True
