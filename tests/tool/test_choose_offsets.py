# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""plan --choose-offsets: fewer releases at one instant, no bound larger, and the offsets as TOML."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from horolog.model import System
from horolog.plan import Limit, plan, read_prices
from horolog.read import read_system
from horolog.responses import Analysis, analysis_of, choose_offsets
from horolog.responses import offsets as module

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop

HEAD = """[system]
name = "made"
board = "mps2-an385"
duration = "1 s"
"""
A = '\n[[task]]\nname = "a"\nperiod = "10 ms"\nwcet = "1 ms"\nwork = 1_000\n'


def group(name: str, tasks: int, period: str) -> str:
    return (
        f'\n[[task_group]]\nname = "{name}"\ntasks = {tasks}\nperiod = "{period}"\nwcet = "1 ms"\n'
        "work = 1_000\n"
    )


GROUPS = A + group("g", 6, "20 ms") + group("h", 4, "40 ms")


def test_fewer_releases_at_one_instant(workshop: Workshop) -> None:
    """1 + 6 + 4 at 0; with h 10 ms later 1 + 6 and 1 + 4. No instant is new: a has all multiples of 10 ms."""
    path = workshop.write(HEAD + GROUPS)
    data = workshop.run("plan", str(path), "--choose-offsets", "--json").object
    found = data["offsets"]
    assert [(one["name"], one["offset_exact"]) for one in found["chosen"]] == [
        ("a", "0"),
        ("g", "0"),
        ("h", "1/100"),
    ]
    assert found["before"]["releases_at_one_instant"] == 11
    assert found["after"]["releases_at_one_instant"] == 7
    assert found["after"]["kernel_per_second"] <= found["before"]["kernel_per_second"]
    said = workshop.run("plan", str(path), "--choose-offsets").out
    assert "offsets    at most 7 releases at one instant instead of 11, longest handler" in said
    assert '           h: offset = "10 ms"\n' in said
    before = read_system(path)
    pasted = (HEAD + GROUPS).replace('period = "40 ms"', 'period = "40 ms"\noffset = "10 ms"')
    workshop.write(pasted)
    after = read_system(path)
    for was, now in zip(bounds(before), bounds(after), strict=True):
        assert now <= was


def bounds(system: System) -> list[Fraction]:
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    return [one.response for one in found.bounds if one.response is not None]


def test_offsets_that_are_given_stay(workshop: Workshop) -> None:
    text = GROUPS.replace('period = "40 ms"', 'period = "40 ms"\noffset = "0 ms"')
    path = str(workshop.write(HEAD + text))
    found = workshop.run("plan", path, "--choose-offsets", "--json").object["offsets"]
    assert {one["name"]: one["offset_exact"] for one in found["chosen"]} == {"a": "0", "g": "1/100"}
    every = GROUPS.replace('wcet = "1 ms"', 'wcet = "1 ms"\noffset = "0 ms"')
    workshop.write(HEAD + every)
    said = workshop.run("plan", path, "--choose-offsets").out
    assert "offsets    none chosen: no task without an offset of its own can be moved" in said


def test_more_overhead_is_refused(workshop: Workshop) -> None:
    """A tick of 1 ms takes far more than an interrupt each 10 ms."""
    system = read_system(workshop.write(HEAD + GROUPS))
    planned = plan(system, mechanism="gcd")
    _, _, found = choose_offsets(system, planned, lambda one: plan(one, mechanism="tick"), Limit())
    assert found.chosen == ()
    assert found.refused[0].startswith("a grid of 10.000 ms: ")
    assert found.refused[0].endswith(" % more overhead")


def test_a_bound_that_grows_is_refused(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    system = read_system(workshop.write(HEAD + GROUPS))
    planned = plan(system)

    def longer(of: System, *more: object) -> Analysis:
        found = analysis_of(of, *more)  # type: ignore[arg-type]
        if of is system:
            return found
        last = found.bounds[0]
        assert last.response is not None
        grown = replace(last, response=last.response + Fraction(1, 1000))
        return replace(found, bounds=(grown, *found.bounds[1:]))

    same, _, found = choose_offsets(system, planned, plan, Limit())
    assert same is not system
    assert found.chosen
    monkeypatch.setattr(module, "analysis_of", longer)
    same, again, found = choose_offsets(system, planned, plan, Limit())
    assert (same, again) == (system, planned)
    assert found.chosen == ()
    assert found.refused[0].startswith('a grid of 10.000 ms: the bound of "a", ')


def test_a_limit_ends_the_comparison(workshop: Workshop) -> None:
    system = read_system(workshop.write(HEAD + GROUPS))
    limit = Limit()
    limit.interrupt()
    _, _, found = choose_offsets(system, plan(system), plan, limit)
    assert (found.chosen, found.cut) == ((), True)


def test_tasks_with_numbers_in_their_names_are_no_group(workshop: Workshop) -> None:
    one, other = (A.replace('"a"', f'"m.{at}"') for at in (1, 2))
    system = read_system(workshop.write(HEAD + one + other + group("g", 2, "20 ms")))
    assert [task.entry for task in system.tasks] == ["m.1", "m.2", "g", "g"]


def test_offsets_are_not_chosen_where_bounds_are_not_known(workshop: Workshop) -> None:
    """Of a task without a WCET no bound can be said not to grow."""
    system = read_system(workshop.write(HEAD + GROUPS))
    planned = plan(system)
    assert choose_offsets(system, planned, plan, Limit())[2].chosen
    tasks = (replace(system.tasks[0], wcet=None), *system.tasks[1:])
    unknown = replace(system, tasks=tasks)
    found = choose_offsets(unknown, plan(unknown), plan, Limit())[2]
    assert not found.chosen
    why = 'whether a bound grows is not known: no wcet of "a"'
    assert any(why in one for one in found.refused)
