# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans that need more of the processor than there is, or nearly all of it."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from tests.tool.conftest import Said, Workshop
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.model import Exit, HorologError, System
from horolog.plan import NOTHING, Costs, Prices, plan
from horolog.plan.prediction.utilisation import demand_of, refuse_overload, warnings_of

PRICES = Prices(Costs(*[Fraction(125)] * 8))  # instructions of 32 ns: 4 us a step


def loaded(share: str, period: str = "1", board_ns: int | None = 32) -> System:
    """One task that takes `share` of the processor."""
    task = make_task("busy", ms(period), wcet=ms(period) * Fraction(share))
    return make_system(tasks=[task], board=make_board(ns_per_instruction=board_ns))


def test_the_demand_is_both_parts() -> None:
    system = loaded("0.25")
    planned = plan(system, prices=PRICES)
    demand = demand_of(system, planned.choice)
    assert demand.tasks == Fraction(1, 4)
    assert demand.kernel == planned.choice.prediction.kernel_per_second * 32 / 10**9
    assert demand.kernel > 0
    assert demand.total == demand.tasks + demand.kernel


@pytest.mark.parametrize(
    ("share", "warned", "refused"),
    [("0.9", False, False), ("0.901", True, False), ("1", True, False), ("1.0001", False, True)],
)
def test_where_the_limits_are(share: str, warned: bool, refused: bool) -> None:
    system = loaded(share, board_ns=None)
    planned = plan(system, prices=NOTHING)
    assert bool(planned.warnings) == warned
    assert planned.warnings == warnings_of(system, planned.choice)
    if not refused:
        refuse_overload(system, planned)
        return
    with pytest.raises(HorologError, match="predicted to need a little above 100 %") as caught:
        refuse_overload(system, planned)
    assert caught.value.exit is Exit.DOES_NOT_HOLD
    assert caught.value.found == (
        "a little above 100 % for the tasks (wcet / period), not predicted for the kernel"
    )


def test_what_would_help_is_said() -> None:
    system = make_system(tasks=[make_task("only", ms(10), wcet=ms("9.95"))], board=make_board())
    planned = plan(system, prices=PRICES, mechanism="tick")  # ten interrupts a job
    with pytest.raises(HorologError) as caught:
        refuse_overload(system, planned)
    error = caught.value
    assert error.message.startswith("system made: tick is predicted to need ")
    assert error.found is not None
    assert error.found.startswith("99.5 % for the tasks (wcet / period), ")
    cheapest = planned.alternatives[0].plan
    assert cheapest is not None
    needed = f"{float(100 * demand_of(system, cheapest).total):.1f} %"
    assert error.expected == (
        f"at most 100 %: the mechanism {cheapest.mechanism}, with {needed}, longer periods, fewer tasks "
        "or shorter WCETs"
    )


def test_a_cheaper_mechanism_that_would_not_do_either_is_no_help() -> None:
    system = make_system(
        tasks=[make_task("only", ms(10), wcet=ms("9.999"))], board=make_board(lines=4)
    )
    with pytest.raises(HorologError) as caught:
        refuse_overload(system, plan(system, prices=PRICES, mechanism="tick"))
    assert caught.value.expected == (
        "at most 100 %: longer periods, fewer tasks, shorter WCETs or basic tasks (--kind basic), which "
        "cost the kernel less"
    )


OVERLOAD = """
[system]
name = "busy"
board = "mps2-an385"
duration = "100 ms"
cells = ["timer0"]
share = "never"

[[task_group]]
name = "t"
tasks = 40
period = "1 ms"
wcet = "23.25 us"
work = 200
"""
"""Utilisation 93 %; the kernel takes some 20 % more."""


def commands(workshop: Workshop, text: str) -> dict[str, tuple[Said, Said]]:
    """What each command says, in words and in JSON."""
    path = workshop.directory / "system.toml"
    path.write_text(text, encoding="utf-8")
    out = ["--out", str(workshop.directory / "out")]
    return {
        name: (
            workshop.run(name, *extra, str(path)),
            workshop.run(name, *extra, "--json", str(path)),
        )
        for name, extra in (("plan", []), ("build", out), ("run", out), ("compare", out))
    }


def test_every_command_refuses_an_impossible_plan(workshop: Workshop) -> None:
    for name, (words, data) in commands(workshop, OVERLOAD).items():
        assert words.code == data.code == Exit.DOES_NOT_HOLD, name
        assert "of the processor" in words.err, name
        error = data.object["error"]
        assert error["exit"] == 1
        assert error["found"].startswith("93.0 % for the tasks (wcet / period), ")
        assert error["expected"].startswith("at most 100 %: ")
    assert not (workshop.directory / "out").exists()


def test_what_is_planned_is_shown_before_it_is_refused(workshop: Workshop) -> None:
    path = workshop.directory / "system.toml"
    path.write_text(OVERLOAD, encoding="utf-8")
    said = workshop.run("plan", str(path))
    assert "40 tasks" in said.out
    assert said.code == 1
    data = workshop.run("plan", "--json", str(path)).object
    assert data["demand"]["tasks_percent"] == 93
    assert data["error"]["exit"] == 1


def test_a_plan_that_leaves_little_is_a_warning(workshop: Workshop) -> None:
    path = workshop.directory / "system.toml"
    path.write_text(OVERLOAD.replace("tasks = 40", "tasks = 35"), encoding="utf-8")
    said = workshop.run("plan", str(path))
    assert said.code == 0
    assert "warning: " in said.err
    assert "81.4 % for the tasks (wcet / period)" in said.err
    data = json.loads(workshop.run("plan", "--json", str(path)).out)
    assert len(data["warnings"]) == 1
    assert data["demand"]["tasks_percent"] == 81.375
    total = data["demand"]["tasks_percent"] + data["demand"]["kernel_percent"]
    assert data["demand"]["total_percent"] == pytest.approx(total)
    assert 90 < total <= 100


def test_check_says_that_the_tasks_leave_little(workshop: Workshop) -> None:
    path = workshop.directory / "system.toml"
    path.write_text(OVERLOAD, encoding="utf-8")
    said = workshop.run("check", str(path), "--json")
    assert said.code == 0  # that the kernel needs more than what is left, only a plan can say
    assert "little-left" in [one["code"] for one in said.object["findings"]]
    path.write_text(OVERLOAD.replace("tasks = 40", "tasks = 44"), encoding="utf-8")
    assert workshop.run("check", str(path)).code == 1
