# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Controlled dispatcher tables: rounds, as a run tells them, and missed deadlines are those of a model."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import Run, horolog
from tests.system.test_dispatcher_control import CRUISE, LAND, Table, described

from horolog.model import Plan, System
from horolog.plan import plan
from horolog.read import duration_text, read_board
from horolog.trace import Round

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

GRID = Fraction(100, 10**6)
CALL = "expect(hrl_dispatcher_{}, HRL_OK);"
_LEAST = 64  # counts that an advance leaves


def begins_in_step(
    round_counts: int, rest: int, most: int, told: list[tuple[int, int]], until: int
) -> list[int]:
    """When rounds begin that follow a global time, by the guide: (when, position) `told`, in counts."""
    begin, off, found = 0, 0, []
    while begin < until:
        found.append(begin)
        sync = begin + round_counts - rest
        for at, position in told:
            if begin <= at < sync:
                off = (at - begin - position) % round_counts
                off -= round_counts if off > round_counts // 2 else 0
        by = min(off, most) if off > 0 else -min(-off, most, rest - _LEAST)
        off -= by
        begin += round_counts + by
    return found


@pytest.mark.parametrize("ppm", [200, -200])
def test_a_table_follows_a_clock_that_is_off(ppm: int, bench: Bench, tmp_path: Path) -> None:
    """Told every 7 steps of a clock that is off, from 3 steps ahead on; instants to the count."""
    hz = read_board("host").clock.hz
    start, counts = read_board("host").start_counts, int(GRID * hz)
    whole = CRUISE.round * counts
    ahead = 3 * counts
    position = f"((hrl_now() - {start}u) * {10**6 + ppm}u / 1000000u + {ahead}u) % {whole}u"
    calls = {number: CALL.format(f"synchronise((uint32_t)({position}))") for number in range(120)}
    keys = (
        f'[table.sync]\nprecision = "{duration_text(GRID)}"\nmaximum_advance = "{duration_text(GRID / 2)}"\n'
        f'maximum_retard = "{duration_text(GRID / 2)}"\n'
    )
    # The last deadline of the round is at 16 steps, and the table's tasks are above the one that tells.
    system = described(
        tmp_path, "host", GRID, (CRUISE,), calls, until=800, every=7, keys=keys, monitored=False
    )
    run = bench(system, plan(system).choice)
    seen = sorted(
        (ns * hz // 10**9) for ns, task in run.times("S") if system.tasks[task].name == "say"
    )
    told = [(at, (at * (10**6 + ppm) // 10**6 + ahead) % whole) for at in seen]
    model = begins_in_step(whole, 4 * counts, counts // 2, told, 800 * counts)
    assert run.rounds == tuple(Round(begin, 0) for begin in model)
    last = [b * (10**6 + ppm) // 10**6 + ahead for b in model[-5:]]
    assert all(min(at % whole, -at % whole) < 20 for at in last), "it drifts by 10 counts a round"
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)


def test_deadlines_are_those_of_the_mode(bench: Bench, tmp_path: Path) -> None:
    """In one mode "flare" runs behind "act", and misses each deadline; in the other none is missed."""
    late = Table("land", 12, ((1, "sense"), (6, "flare"), (6, "act")))
    calm = Table("cruise", 20, ((0, "sense"), (3, "log"), (7, "flare"), (15, "act")))
    calls = {1: CALL.format("set_mode(&mode_land)"), 9: CALL.format("set_mode(&mode_cruise)")}
    turns = int(GRID * 6 / 10 / Fraction(64, 10**9))
    system = described(
        tmp_path, "host", GRID, (calm, late), calls, until=100, monitored=False, work=turns
    )
    run = bench(system, plan(system).choice)
    counts = int(GRID * run.hz)
    # Asked for at 5, done at 20; asked for at 45 in the round from 44 on, done at 56.
    begins = [(0, 0), (20, 1), (32, 1), (44, 1), (56, 0), (76, 0), (96, 0)]
    assert run.rounds == tuple(Round(begin * counts, table) for begin, table in begins)
    assert run.side.deadline_misses == 3
    worst = run.side.response["flare"].max_ns
    assert worst is not None
    assert GRID * 10**9 < worst < 13 * GRID * 10**8
    assert LAND.points == late.points


def test_a_run_that_does_not_see_the_rounds_judges_no_jobs_of_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on an emulator that lets no memory be read: the tables' jobs are neither counted nor called late."""
    described(tmp_path, "host", GRID, (CRUISE, LAND), {}, until=50)
    monkeypatch.setattr("horolog.run.host.rounds_of", lambda seen, unread, system: None)
    said = horolog("run", tmp_path / "system.toml", "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    notes = said.object["notes"]
    assert any("jobs of cruise-table, land-table are not judged" in note for note in notes), notes
    assert said.object["horolog"]["jobs"] == 10, "of the task beside the tables"
    assert set(said.object["horolog"]["response"]) == {"say"}
    assert "No whole round was measured" in (tmp_path / "out" / "run.html").read_text(
        encoding="utf-8"
    )
