# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems whose periods have little in common: hyperperiods and tick rates that no float can hold."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.conftest import Workshop
from tests.tool.factory import make_board, make_cell, make_system

from horolog.analyse import hyperperiod, large_text, streams, table_of, table_size
from horolog.emit import baseline_tick
from horolog.model import HorologError, Kind, Mode, Releaser, System
from horolog.plan import NOTHING, plan, to_data
from horolog.plan.stores.basic_tables import basic_table_misfit
from horolog.plan.stores.sizes import table_misfit

LIMIT = 131_072
BEYOND_FLOATS = 10**308

_microseconds = st.fractions(20_000, 3_000_000, max_denominator=97)
_periods = st.lists(_microseconds.map(lambda us: us / 10**6), min_size=1, max_size=900, unique=True)


def irregular(tasks: int) -> list[Fraction]:
    """Periods of so many tasks, in whole microseconds; with 75 their hyperperiod is beyond floats."""
    return [Fraction(20_011 + 39_989 * at, 10**6) for at in range(tasks)]


def one_cell(periods: list[Fraction], kind: Kind = Kind.THREAD) -> System:
    board = make_board([make_cell("cell", min_counts=1)], lines=8)
    return make_system(periods, board=board, kind=kind)


@settings(max_examples=25)
@given(_periods)
def test_why_a_table_does_not_fit_is_said_of_any_periods(periods: list[Fraction]) -> None:
    system = one_cell(periods)
    every = tuple(range(len(periods)))
    releaser = Releaser("cell", Mode.ONE_SHOT, "mask-table", every, 0)
    for misfit in (
        table_misfit(system, every, LIMIT),
        basic_table_misfit(one_cell(periods, Kind.BASIC), releaser, LIMIT),
    ):
        if misfit is not None and "hyperperiod" in misfit:
            assert "table_bytes allows 131,072" in misfit
            assert len(misfit) < 200
    tick = baseline_tick(system)
    assert tick.hz is not None or (tick.note is not None and len(tick.note) < 120)
    if not table_size(system, every).exact:
        with pytest.raises(HorologError, match="repeat too late for a mask table") as caught:
            table_of(system, every)
        assert caught.value.found is not None
        assert len(caught.value.found) < 200


@pytest.mark.parametrize("tasks", [75, 800])
def test_the_size_of_an_endless_table_is_said_in_powers_of_ten(tasks: int) -> None:
    system = one_cell(irregular(tasks))
    every = tuple(range(tasks))
    cycle = hyperperiod(streams(system))
    assert cycle > BEYOND_FLOATS
    misfit = table_misfit(system, every, LIMIT)
    assert misfit is not None
    assert misfit.startswith(f"a hyperperiod of {large_text(cycle)} s with ")


@settings(max_examples=6)
@given(st.integers(75, 90), st.sampled_from(["one-shot", "gcd", "chronos"]))
def test_tasks_of_irregular_periods_are_planned(tasks: int, mechanism: str) -> None:
    system = one_cell(irregular(tasks))
    assert hyperperiod(streams(system)) > BEYOND_FLOATS
    data = json.loads(
        json.dumps(to_data(system, plan(system, mechanism=mechanism, prices=NOTHING)))
    )
    assert data["choice"]["prediction"]["interrupts"] > 0


@pytest.mark.parametrize(
    ("mechanism", "kind", "reason"),
    [
        ("gcd", Kind.THREAD, r"the common divisor [0-9.]+e-[0-9]+ s is too short for every cell"),
        ("chronos", Kind.THREAD, r"common divisor that no cell can time; 20 such cells would do"),
        ("one-shot", Kind.BASIC, r"a hyperperiod of [0-9.]+e\+[0-9]+ s with "),
    ],
)
def test_periods_with_many_digits_are_refused_in_words(
    mechanism: str, kind: Kind, reason: str
) -> None:
    fine = [Fraction(10**17 + 3 * at, 10**18 + 7 * at) for at in range(20)]
    table = "mask-table" if kind is Kind.BASIC else None
    with pytest.raises(HorologError, match=reason) as caught:
        plan(one_cell(fine, kind), mechanism=mechanism, queue=table, prices=NOTHING)
    assert len(caught.value.message) < 250


def test_the_exact_utilisation_may_have_any_number_of_digits(workshop: Workshop) -> None:
    tasks = "".join(
        f'[[task]]\nname = "t{at}"\nperiod = "{period.numerator}/{period.denominator} s"\n'
        'wcet = "1 us"\nwork = 1\n'
        for at, period in enumerate(irregular(1000))
    )
    path = workshop.directory / "system.toml"
    path.write_text(
        f'[system]\nname = "x"\nboard = "mps2-an385"\nduration = "1 s"\n{tasks}', encoding="utf-8"
    )
    said = workshop.run("check", str(path), "--json")
    assert said.code == 0
    over, under = said.object["utilisation_exact"].split("/")
    assert len(under) > 4300  # the most that str() gives of an integer
    assert abs(Fraction(int(over[:40]), int(under[:40])) / 10 ** (len(under) - len(over))) < 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (131_072, "131,072"),
        (Fraction(1, 3), "0.3"),
        (Fraction(24_681, 10), "2,468.1"),
        (10**12 - 1, "999,999,999,999"),
        (10**12, "1e+12"),
        (12_340_000_000_000, "1.2e+13"),
        (7 * 10**99, "7e+99"),
        (Fraction(77 * 10**700, 10), "7.7e+700"),
        (10**5000, "1e+5000"),
        (Fraction(10**9000, 3), "3.3e+8999"),
        (Fraction(1, 20), "5e-2"),
        (Fraction(2, 3 * 10**6000), "6.7e-6001"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",  # pytest, too, calls str() otherwise
)
def test_large_numbers_as_text(value: int | Fraction, text: str) -> None:
    assert large_text(value) == text


def test_a_system_of_75_tasks_from_the_command_line(tmp_path: Path) -> None:
    tasks = "".join(
        f'[[task]]\nname = "t{at}"\nperiod = "{period * 10**6} us"\nwork = 1\n'
        for at, period in enumerate(irregular(75))
    )
    path = tmp_path / "system.toml"
    path.write_text(
        '[system]\nname = "x"\nboard = "mps2-an385"\nduration = "1 s"\ncells = ["timer0"]\n'
        + tasks,
        encoding="utf-8",
    )
    said = Workshop(tmp_path).run("plan", str(path), "--mechanism", "one-shot", "--explain-all")
    assert said.code == 0, said.err
    assert "e+" in said.out
