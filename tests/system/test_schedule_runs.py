# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables of a description: their tasks run in the order of a model, and end within their bounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import BOARD, example, horolog

from horolog.model import ScheduleTable, System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of

_BOARDS = [
    pytest.param(BOARD, "50 ms", marks=pytest.mark.emulator),
    pytest.param("ibex-cells", "15 ms", marks=pytest.mark.emulator),
    pytest.param("host", "200 ms"),
]
_BODIES = """\
#include "hrl_gen_tables.h"
#include <hrl/hooks.h>

HRL_EVENT_DEFINE(cylinder_events);
static const char by_clock[] = "%(by_clock)s", by_teeth[] = "%(by_teeth)s";
static uint32_t by_clock_at, by_teeth_at, teeth;

static void check(int holds, int line)
{
    if (!holds) {
        hrl_assert_hook("not as in the model", __FILE__, line);
    }
}

static void flags_are(uint32_t flags, int line)
{
    check(hrl_event_flags(&cylinder_events) == flags, line);
}

%(bodies)s
/* All that a tooth activates has run before the next one comes. */
void tooth(void);
void tooth(void)
{
    static const uint16_t ran[] = {%(ran)s};

    check(by_teeth_at == ran[teeth], __LINE__);
    hrl_counter_increment(&counter_crankshaft);
    teeth++;
    check(hrl_counter_value(&counter_crankshaft) == teeth %% 120u, __LINE__);
    flags_are(teeth < 28u ? 0u : teeth < 90u ? 1u : 3u, __LINE__);
}
"""
_BODY = """\
void {name}(void);
void {name}(void)
{{
    check({log}[{log}_at++] == '{letter}', __LINE__);
}}
"""
_LETTERS = {"inject": "i", "ignite": "g", "knock": "k", "sample": "s", "filter": "f", "report": "r"}


def rounds(system: System, table: ScheduleTable, until: int) -> Iterator[tuple[int, str]]:
    """The instants of a table's points with actions, in steps after its start, and the letters of its tasks.

    By priority: a job ends before a task of lower priority begins.
    """
    for start in range(0, until, table.duration):
        for point in table.points:
            tasks = [system.sporadic[task].task for task in point.tasks]
            tasks.sort(key=lambda task: -(task.priority or 0))
            if start + point.offset < until:
                yield start + point.offset, "".join(_LETTERS[task.name] for task in tasks)


def checked(folder: Path, board: str, duration: str) -> Path:
    """The example with bodies that stop the run where it is not as in the model."""
    text = example("combustion").read_text(encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(
        text.replace('duration = "200 ms"', f'duration = "{duration}"'), encoding="utf-8"
    )
    source = folder / "bodies.c"
    source.write_text(
        "HRL_EVENT_DEFINE(cylinder_events);"
        + "".join(f"void {name}(void) {{}}\n" for name in ("tooth", *_LETTERS)),
        encoding="utf-8",
    )
    system = read_system(path, board=board)
    cylinder, measurement = system.schedules
    counts = int(system.duration * system.board.clock.hz)
    teeth = int(system.duration / system.tasks[0].period) + 2
    by_teeth = {at: letters for at, letters in rounds(system, cylinder, teeth + 120) if at}
    # `ran`: how many jobs there were before each increment, which brings the counter to one more.
    ran = [sum(len(by_teeth.get(at, "")) for at in range(tooth + 1)) for tooth in range(teeth)]
    assert measurement.autostart is not None
    by_clock = "".join(
        letters for _, letters in rounds(system, measurement, counts + measurement.duration)
    )
    source.write_text(
        _BODIES
        % {
            "by_clock": by_clock,
            "by_teeth": "".join(by_teeth[at] for at in sorted(by_teeth)),
            "ran": ", ".join(map(str, ran)),
            "bodies": "".join(
                _BODY.format(
                    name=name, letter=letter, log="by_teeth" if letter in "igk" else "by_clock"
                )
                for name, letter in _LETTERS.items()
            ),
        },
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize(("board", "duration"), _BOARDS)
def test_the_order_is_the_model_s_and_no_job_is_later_than_its_bound(
    board: str, duration: str, tmp_path: Path
) -> None:
    path = checked(tmp_path, board, duration)
    said = horolog("run", path, "--board", board, "--json", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    measured = said.object["horolog"]["response"]
    assert {"sample", "filter", "report"} < measured.keys()
    assert not {"inject", "ignite", "knock"} & measured.keys(), (
        "their increments are the application's"
    )
    system = read_system(path, board=board)
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    by_name = {system.all_tasks[one.task].name: one for one in found.bounds}
    assert by_name.keys() == {task.name for task in system.all_tasks}
    for name, response in measured.items():
        bound = by_name[name].response
        assert bound is not None
        assert Fraction(response["max_ns"]) <= bound * 10**9, name
    counts = (tmp_path / "out" / "horolog.counts").read_text(encoding="ascii").splitlines()
    ran = {int(row.split()[1]): int(row.split()[2]) for row in counts if "longest " in row}
    jobs = 2 + len(system.sporadic)
    assert board == "host" or all(ran[task] > 0 for task in range(jobs)), "each has run"
