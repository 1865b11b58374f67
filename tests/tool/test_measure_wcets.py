# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog run --wcet: WCETs proposed by the longest job of each body."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop
from tests.tool.factory import make_system, make_task, ms

from horolog.measure.measured import HOROLOG, Kernel, Measured
from horolog.measure.probe import Findings
from horolog.measure.wcets import proposals, proposals_data, proposals_text
from horolog.model import Place
from horolog.model.result import INSTRUCTIONS
from horolog.trace import Trace

LOOP = """\
static volatile unsigned turns;

void fast_step(void)
{
    static unsigned jobs;

    for (turns = 0; turns < (jobs == 7 ? 500u : 20u); turns++) {
    }
    jobs++;
}
"""


def measured(longest: dict[int, int], ends: list[int]) -> Measured:
    trace = Trace.of([(at, "E", task) for at, task in enumerate(ends)])
    findings = Findings("done", 0, 0, 0, longest=longest)
    return Measured(Kernel(HOROLOG, "tick"), findings, trace, None, INSTRUCTIONS)


def test_the_longest_of_all_tasks_of_a_table_and_the_margin_are_rounded_up() -> None:
    """A count is 32 ns: 1,001 of them and a fifth are 38,438.4 ns."""
    group = Place("system.toml", 9, 1, "task_group.can")
    tasks = [make_task(f"can.{at}", ms(5), wcet=ms(1)) for at in range(2)]
    idle = make_task("idle", ms(50), line=3)
    loop = replace(make_task("loop", ms(5), line=20), body=None, work=5)
    system = make_system(tasks=[*(replace(one, place=group) for one in tasks), idle, loop])
    found = proposals(system, measured({0: 400, 1: 1001, 3: 5000}, [0, 1, 1, 3]), 20)
    assert [(one.place.line, one.jobs, one.steps) for one in found] == [(3, 0, 0), (9, 3, 1001)]
    assert [one.proposed for one in found] == [None, Fraction(38_500, 10**9)]
    assert found[1].longest == Fraction(1001 * 32, 10**9)
    lines = list(proposals_text(system, found, INSTRUCTIONS, 20))
    assert "a hint, not a proof" in lines[0]
    assert tomllib.loads("\n".join(lines)) == {"wcet": "38.5 us"}
    assert any("the longest of 3 jobs: 32.032 us, 1,001 instructions" in line for line in lines)
    assert any("body did not end in this run" in line for line in lines)
    data = proposals_data(found, 20)
    assert (data["proof"], data["margin_percent"]) == (False, 20)
    assert [one["toml"] for one in data["bodies"]] == [None, 'wcet = "38.5 us"']


def test_the_host_port_says_that_it_counts_nothing(workshop: Workshop) -> None:
    path = workshop.write_changed(('board = "mps2-an385"', 'board = "host"'))
    said = workshop.run("run", str(path), "--wcet", "--out", str(workshop.directory / "out"))
    assert said.code == 2
    assert 'the board "host" does not count it' in said.err
    assert "--board mps2-an385" in said.err
    assert not (workshop.directory / "out").exists()


@pytest.mark.emulator
def test_one_long_job_among_many_is_proposed_also_if_it_exceeds_the_wcet(
    workshop: Workshop, tmp_path: Path
) -> None:
    """One job of 500 turns among others of 20 takes more than the 10 us of the description."""
    path = workshop.write(
        workshop.text.replace("120 us", "10 us").replace("2 s", "100 ms"), bodies=LOOP
    )
    out = ("--out", str(tmp_path / "out"))
    said = workshop.run("run", str(path), "--margin", "50", "--json", *out)
    assert said.code == 1
    assert "ran longer than its wcet" in said.object["error"]["message"]
    (body,) = said.object["wcets"]["bodies"]
    assert (body["table"], body["line"], body["jobs"]) == ("task.fast", 7, 20)
    assert body["longest_steps"] > 5 * 500
    assert body["longest_ns"] == 32 * body["longest_steps"]
    assert 1.5 * body["longest_ns"] <= body["proposed_ns"] < 1.52 * body["longest_ns"]
    path.write_text(
        path.read_text(encoding="utf-8").replace('wcet = "10 us"', body["toml"]), encoding="utf-8"
    )
    said = workshop.run("run", str(path), "--wcet", *out)
    assert said.code == 0
    assert f"{body['longest_steps']:,} instructions; wcet now" in said.out
