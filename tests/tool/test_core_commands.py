# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""check, plan and analyse of systems on several cores: each core for itself, and all together."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.tool.core_boards import board_of, system_on

from horolog.build.firmware import Firmware
from horolog.calls import Body, Calls, MainStack, TaskStack
from horolog.calls.main_stack import Part as StackPart
from horolog.cli.main import main
from horolog.model import Part, Plan, Planned, System
from horolog.responses import OffsetFigures, Offsets


@pytest.fixture
def system(tmp_path: Path) -> Path:
    return system_on(tmp_path)


def horolog(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


def data_of(*arguments: str | Path) -> Any:
    done = horolog(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_check_shows_each_core(system: Path) -> None:
    done = horolog("check", system)
    assert done.exit_code == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["1", "4", "3", "2.94", "%", "cell32", "to", "cell63", "slow,", "late", "(3)"] in lines
    assert "all deadlines of 2 cores hold; core " in done.stdout
    found = data_of("check", system)
    assert [one["tasks"] for one in found["cores"]] == [
        ["fast"],
        ["slow", "late.0", "late.1", "late.2"],
    ]
    assert found["cores"][1]["divided"] == ["late.0", "late.1", "late.2"]
    assert found["deadlines"]["hold"]
    assert all(one["deadlines"]["hold"] for one in found["cores"])


def test_a_core_that_misses(tmp_path: Path) -> None:
    more = '[[task]]\nname = "near"\nperiod = "5 ms"\ndeadline = "60 us"\nwork = 900\ncore = 1\n'
    system = system_on(tmp_path, core="0", more=more)
    text = system.read_text(encoding="utf-8").replace('deadline = "60 us"', 'deadline = "55 us"')
    text += '[[task]]\nname = "near2"\nperiod = "5 ms"\ndeadline = "55 us"\nwork = 900\ncore = 1\n'
    system.write_text(text, encoding="utf-8")
    done = horolog("check", system)
    assert done.exit_code == 1
    assert "core 1: the deadline of " in done.stdout
    assert "core 1: system demo: the deadline of " in done.stderr
    done = horolog("plan", system)
    assert done.exit_code == 1
    assert "core 1: system demo: the deadline of " in done.stderr


def test_plan_shows_each_core_and_all(system: Path) -> None:
    done = horolog("plan", system, "--explain")
    assert done.exit_code == 0
    for text in (
        "5 tasks on 2 cores, 100 ms",
        "of what 2 cores can execute",
        "core 0: 1 task, utilisation 0.60 %",
        "core 1: 4 tasks, utilisation 2.94 %",
        "cell32",
        "chronos-const",
        "divided    ",
    ):
        assert text in done.stdout, text
    found = data_of("plan", system)
    plans = [one["plan"] for one in found["cores"]]
    each = [one["choice"]["prediction"] for one in plans]
    assert found["interrupts"] == sum(one["interrupts"] for one in each)
    each = [one["overhead_percent"] for one in each]
    assert found["overhead_percent"] == pytest.approx(sum(each) / 2, abs=1e-4)


def test_a_core_without_tasks(tmp_path: Path) -> None:
    system = system_on(tmp_path, of=4, cores="cores = 3", core="1")
    done = horolog("plan", system)
    assert done.exit_code == 0
    assert "core 2: 0 tasks, utilisation 0.00 %\nnothing to release" in done.stdout
    found = data_of("analyse", system)
    assert [one["deadlines"] is None for one in found["cores"]] == [False, False, True, True]
    assert "analysis" not in found["cores"][2]


def test_a_plan_for_other_cells_has_as_many_on_each_core(tmp_path: Path) -> None:
    found = data_of("plan", system_on(tmp_path, core="1"), "--cells", "2")["cores"]
    assert [one["cells"] for one in found] == [["cell0/1", "cell0/2"], ["cell0/3", "cell0/4"]]
    used = [{one["cell"] for one in core["plan"]["choice"]["releasers"]} for core in found]
    assert used[0] == {"cell0/1"}
    assert used[1] <= {"cell0/3", "cell0/4"}
    idle = data_of("plan", system_on(tmp_path, of=4, cores="cores = 3", core="1"), "--cells", "1")
    assert [one["cells"] for one in idle["cores"]] == [["cell0/1"], ["cell0/2"], ["cell0/3"], []]


def test_the_curve_of_each_core(tmp_path: Path) -> None:
    system = system_on(tmp_path, core="0", of=4)
    first, second, *idle = data_of("plan", system, "--curve", "--mechanism", "chronos")["cores"]
    assert [len(one["curve"]) for one in (first, second)] == [16, 16]
    assert not any("curve" in one for one in idle)
    assert first["curve"][0] != second["curve"][0]
    lines = horolog("plan", system, "--curve", "--mechanism", "chronos").stdout.splitlines()
    assert sum(line.startswith("cells  chronos/s") for line in lines) == 2
    basic = '[[task]]\nname = "b"\nkind = "basic"\nperiod = "5 ms"\nwork = 5\ncore = 1\n'
    done = horolog("plan", system_on(tmp_path, core="0", more=basic), "--curve")
    assert done.exit_code == 2
    assert "core 1: system demo: no mechanism can serve it" in done.stderr


def test_offsets_are_chosen_on_each_core_but_of_groups_on_several(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group has one offset in the description."""
    seen = []

    def chosen(part: System, planned: Planned, *_: object) -> tuple[System, Planned, Offsets]:
        seen.append({task.name: task.offset_open for task in part.tasks})
        figures = OffsetFigures(2, None, Fraction(1), Fraction(1))
        first = ((part.tasks[0].name, Fraction(1, 100)),)
        return part, planned, Offsets(first, figures, figures)

    monkeypatch.setattr("horolog.cli.plan.choose_offsets", chosen)
    found = data_of("plan", system, "--choose-offsets", "--objective", "slack")["cores"]
    assert [one["offsets"]["chosen"][0]["name"] for one in found] == ["fast", "slow"]
    assert seen == [
        {"fast": True, "late.0": False, "late.1": False},
        {"slow": True, "late.2": False},
    ]


def test_offsets_of_each_core_are_printed(system: Path) -> None:
    text = horolog("plan", system, "--choose-offsets", "--mechanism", "one-shot").stdout
    assert text.count("\noffsets    ") == 2


def test_an_option_of_one_core(system: Path) -> None:
    done = horolog("plan", system, "--verify")
    assert done.exit_code == 2
    assert "--verify on several cores: not yet supported" in done.stderr


def test_analyse_shows_each_core(system: Path) -> None:
    done = horolog("analyse", system, "--sensitivity", "--all")
    assert done.exit_code == 0
    assert "core 1: 4 tasks, utilisation 2.94 %, released by " in done.stdout
    assert done.stdout.count("breakdown  all deadlines hold") == 2
    found = data_of("analyse", system, "--no-factor")
    assert found["holds"]
    tasks = [[row["name"] for row in one["analysis"]["tasks"]] for one in found["cores"]]
    assert sorted(tasks[1]) == ["late.0", "late.1", "late.2", "slow"]


def test_a_mechanism_that_a_core_cannot_have(system: Path) -> None:
    done = horolog("plan", system, "--mechanism", "table-only")
    assert done.exit_code == 2
    odd = system.read_text(encoding="utf-8").replace('period = "20 ms"', 'period = "20.00003 ms"')
    system.write_text(odd, encoding="utf-8")
    done = horolog("plan", system, "--mechanism", "tick")
    assert done.exit_code == 1
    assert "is proved with the mechanism or queue that is named" in done.stderr
    system.write_text(odd.replace('"auto"', "0"), encoding="utf-8")
    done = horolog("plan", system, "--mechanism", "tick")
    assert done.exit_code == 2
    assert "core 1: " in done.stderr


def test_stacks_of_the_firmware_of_all_cores(
    system: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def stacks(of: System, elf: Path) -> tuple[TaskStack, ...]:
        asked.append((elf.name, of.cores, any(task.shares for task in of.tasks)))
        return (TaskStack(1, 512, 100, 40, 10, ()),)

    made = Firmware(tmp_path, tmp_path / "all.elf", None)
    monkeypatch.setattr("horolog.run.build_cores", lambda _: made)
    monkeypatch.setattr("horolog.calls.thread_stacks", stacks)
    lines = [line.split() for line in horolog("check", system, "--stacks").stdout.splitlines()]
    assert ["slow", "140", "512", "100"] in lines
    (one,) = data_of("check", system, "--stacks")["stacks"]
    assert (one["task"], one["need_bytes"]) == ("slow", 140)
    assert "stacks" not in data_of("check", system)
    assert asked == [("all.elf", 2, False)] * 2


def test_calls_on_the_firmware_of_all_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = '[[task]]\nname = "b"\nkind = "basic"\nperiod = "9 ms"\nwork = 5\ncore = 1\n'
    system = system_on(tmp_path, core="1", more=more)
    made = Firmware(tmp_path, tmp_path / "all.elf", None)

    def calls(elf: Path, roots: list[str], _: object) -> Calls:
        of = (
            Body(root, (), (), (), (), (), (), 8 * at, 8 * at, 8, (), None, None)
            for at, root in enumerate(roots)
        )
        return Calls(elf, "EM_RISCV", tuple(of))

    def main_of(part: System, plan: Plan, elf: Path, core: Part) -> MainStack:
        assert core.system.tasks == part.tasks
        return MainStack(
            1000, (StackPart(f"of {plan.mechanism}", 100 + core.core),), ("a pointer",)
        )

    monkeypatch.setattr("horolog.cli.calls.build_cores", lambda _: made)
    monkeypatch.setattr("horolog.cli.calls.analyse_calls", calls)
    monkeypatch.setattr("horolog.cli.calls.main_stack", main_of)
    text = horolog("calls", system).stdout
    assert (
        "core 0: main stack: 100 bytes of 1,000, what cannot be followed comes on top: of " in text
    )
    assert "note core 1: main stack: a pointer" in text
    assert (
        "core 1: bodies of basic tasks on their common stack, all levels nested: 40 bytes" in text
    )
    assert "core 0: bodies" not in text
    found = data_of("calls", system)
    assert [one["common_stack_bytes"] for one in found["cores"]] == [None, 40]
    assert [one["main_stack"]["most_bytes"] for one in found["cores"]] == [100, 101]
    assert [one["stack_bytes"] for one in found["tasks"]] == [0, 8, 16, 24, 32, 40]


def test_tasks_without_a_wcet_are_divided_by_what_is_known(tmp_path: Path) -> None:
    system = system_on(tmp_path)
    text = system.read_text(encoding="utf-8").replace("duration =", 'sources = ["b.c"]\nduration =')
    (tmp_path / "b.c").write_text("void late(void) {}\n", encoding="utf-8")
    system.write_text(text.replace("work = 4_000", 'body = "late"'), encoding="utf-8")
    found = data_of("plan", system)
    assert found["division"] == "by the utilisation that is known, as WCETs are missing"
    assert [one["divided"] for one in found["cores"]] == [["late.0", "late.1", "late.2"], []]
    assert not found["deadlines"]["hold"]
    shared = '[[resource]]\nname = "bus"\ntasks = ["slow", "late.1"]\nmutex = "inheritance"\n'
    system.write_text(system.read_text(encoding="utf-8") + shared, encoding="utf-8")
    cores = [one["divided"] for one in data_of("plan", system)["cores"]]
    assert cores == [["late.0", "late.2"], ["late.1"]], "it stays with the other user"


def test_by_the_objective_slack_the_cores_have_equally_much_to_do(system: Path) -> None:
    found = data_of("plan", system, "--objective", "slack")
    assert found["division"] == "so that the cores have equally much to do"
    names = [["fast", "late.0", "late.1"], ["slow", "late.2"]]
    assert [one["tasks"] for one in found["cores"]] == names


CHAIN = """
[[chain]]
name = "path"
tasks = ["fast", "slow", "late.0"]
deadline = "{}"
max_age = "200 ms"
"""


def test_a_chain_over_cores_adds_up_the_bounds_of_their_tasks(tmp_path: Path) -> None:
    system = system_on(tmp_path, core="0", more=CHAIN.format("90 ms"))
    found = data_of("analyse", system)
    bounds = {
        task["name"]: task["bound_ns"]
        for core in found["cores"]
        for task in core["analysis"]["tasks"]
    }
    waits = sum(bounds[name] for name in ("fast", "slow", "late.0")) + 75_000_000
    (chain,) = found["chains"]
    assert chain["holds"]
    assert waits <= chain["reaction_ns"] <= waits + 1000, "releases may be a count early"
    assert chain["age_ns"] == chain["reaction_ns"] - 50_000_000
    assert "all deadlines of 2 cores and 1 chain hold; core " in found["verdict"]
    assert "path" in horolog("analyse", system).stdout
    assert "and 1 chain hold" in data_of("plan", system)["deadlines"]["verdict"]


def test_a_chain_over_cores_that_takes_too_long(tmp_path: Path) -> None:
    system = system_on(tmp_path, core="0", more=CHAIN.format("70 ms"))
    done = horolog("analyse", system)
    assert done.exit_code == 1
    assert 'the reaction time of the chain "path" may be' in done.stderr
    assert "fast -> slow -> late.0" in done.stderr
    for command in ("check", "plan"):
        found = data_of(command, system)["deadlines"]
        assert not found["hold"]
        assert 'the reaction time of the chain "path" is not proved' in found["verdict"]


def test_a_chain_stays_on_one_core_if_it_may(tmp_path: Path) -> None:
    tasks = 'tasks = ["late.0", "late.1", "fast"]'
    one = CHAIN.format("170 ms").replace('tasks = ["fast", "slow", "late.0"]', tasks)
    assert data_of("plan", system_on(tmp_path, more=one))["cores"][0]["divided"][:2] == [
        "late.0",
        "late.1",
    ]
    over = one.replace("late.1", "slow")
    found = data_of("plan", system_on(tmp_path, more=over))
    assert found["deadlines"]["hold"]
    assert found["cores"][0]["divided"] == []


def test_calibration_is_of_one_core(tmp_path: Path) -> None:
    done = horolog("calibrate", board_of(tmp_path, 2))
    assert done.exit_code == 2
    assert "calibration measures one core" in done.stderr
