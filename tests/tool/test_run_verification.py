# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which plans are measured before one is taken, what is said of them, what Ctrl-C keeps; nothing is built."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from tests.tool.test_plan_command import TEXT

import horolog.run.verification as stage
from horolog.cli import verifying
from horolog.cli.main import main
from horolog.cli.searching import searching
from horolog.model import Exit, HorologError, Plan, System
from horolog.plan import Limit, best_predicted, plan
from horolog.read import read_system

Measure = Callable[[Plan], SimpleNamespace]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    made = tmp_path / "system.toml"
    made.write_text(TEXT, encoding="utf-8")
    return made


def side(kernel: int, *, taken: int = 1000, late: int = 0) -> SimpleNamespace:
    return SimpleNamespace(
        counted=SimpleNamespace(kernel=kernel),
        interrupts=SimpleNamespace(taken=taken),
        deadline_misses=late,
        overruns=0,
    )


def as_predicted(one: Plan) -> SimpleNamespace:
    return side(round(one.prediction.kernel_instructions))


def measuring(monkeypatch: pytest.MonkeyPatch, measure: Measure) -> list[tuple[Plan, Path]]:
    """Let what is run come to what `measure` says; what was run, and where."""
    ran: list[tuple[Plan, Path]] = []

    def run(system: System, one: Plan, folder: Path) -> SimpleNamespace:
        ran.append((one, folder))
        return measure(one)

    monkeypatch.setattr(stage, "measure_plan", run)
    return ran


def horolog_plan(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["plan", *map(str, arguments), "--verify"])


def ranked(path: Path, count: int = 3) -> tuple[Plan, ...]:
    system = read_system(path)
    return best_predicted(
        system, plan(system), count, lambda name, store: plan(system, mechanism=name, queue=store)
    )


def test_the_best_are_distinct_and_in_order_of_prediction(path: Path) -> None:
    system = read_system(path)
    found = ranked(path, 8)
    assert found[0] == plan(system).choice
    costs = [one.prediction.kernel_per_second for one in found[1:]]
    assert costs == sorted(costs)
    assert len({frozenset(one.releasers) for one in found}) == len(found) == 8
    assert {one.mechanism for one in found} > {found[0].mechanism}
    assert "chronos-const" not in {one.mechanism for one in found}
    same = [one for one in found if one.mechanism == found[0].mechanism]
    assert len(same) > 1  # with other stores


def test_what_the_user_has_named_stays(path: Path) -> None:
    system = read_system(path)
    named = plan(system, mechanism="one-shot")
    of = best_predicted(
        system, named, 3, lambda name, store: plan(system, mechanism=name, queue=store)
    )
    assert [one.mechanism for one in of] == ["one-shot"] * 3
    assert len({one.releasers[0].store for one in of}) == 3
    stored = plan(system, queue="calendar")
    of = best_predicted(system, stored, 3, None)
    assert {releaser.store for one in of for releaser in one.releasers} == {"calendar"}
    assert len({one.mechanism for one in of}) == 3
    both = plan(system, mechanism="one-shot", queue="calendar")
    assert best_predicted(system, both, 3, None) == (both.choice,)


def test_right_predictions_leave_the_choice_and_show_each(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = measuring(monkeypatch, as_predicted)
    result = horolog_plan(path)
    assert result.exit_code == Exit.OK, result.output
    best = ranked(path)
    assert len(ran) == 3
    assert {frozenset(one.releasers) for one, _ in ran} == {
        frozenset(one.releasers) for one in best
    }
    for one in best:
        shown = f"{round(one.prediction.kernel_instructions):,}"
        (row,) = [
            line
            for line in result.stdout.splitlines()
            if line.split()[:1] == [one.mechanism] and line.split().count(shown) == 2
        ]
        assert ("the measured best, the predicted best" in row) == (one is best[0])
    assert "fault" not in result.stdout
    assert "verified 3 of 3: " in result.stderr
    (tmp,) = {folder.parts[0] for _, folder in ran}
    assert tmp == "build"
    data = json.loads(horolog_plan(path, "--json").stdout)
    assert data["choice"]["mechanism"] == best[0].mechanism
    found = data["verification"]
    assert found["faults"] == []
    assert found["bound_percent"] == 5
    assert [one["chosen"] for one in found["trials"]] == [True, False, False]
    assert [one["predicted_best"] for one in found["trials"]] == [True, False, False]
    assert [one["measured"] for one in found["trials"]] == [
        round(one.prediction.kernel_instructions) for one in best
    ]
    assert [one["stores"] for one in found["trials"]] == [
        [releaser.store for releaser in one.releasers] for one in best
    ]


def test_without_the_option_nothing_is_measured(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = measuring(monkeypatch, as_predicted)
    result = CliRunner().invoke(main, ["plan", str(path), "--json"])
    assert json.loads(result.stdout)["verification"] is None
    assert ran == []


@pytest.mark.parametrize("better", [1, 2])
def test_the_measured_best_is_taken_and_the_model_is_at_fault(
    path: Path, monkeypatch: pytest.MonkeyPatch, better: int
) -> None:
    best = ranked(path)

    def measure(one: Plan) -> SimpleNamespace:
        return side(1000 if {*one.releasers} == {*best[better].releasers} else 500_000)

    measuring(monkeypatch, measure)
    data = json.loads(horolog_plan(path, "--json").stdout)
    assert [one["store"] for one in data["choice"]["releasers"]] == [
        releaser.store for releaser in best[better].releasers
    ]
    assert data["choice"]["mechanism"] == best[better].mechanism
    (chosen,) = [one for one in data["alternatives"] if one["chosen"]]
    assert chosen["plan"] == data["choice"]
    assert chosen["reason"].startswith("chosen: the best measured; ")
    trials = data["verification"]["trials"]
    assert [one["chosen"] for one in trials] == [at == better for at in range(3)]
    said = data["verification"]["faults"][0]
    assert "was predicted to be the best, but" in said
    assert "takes 99.8 % fewer kernel instructions: it is taken" in said
    text = horolog_plan(path).stdout
    assert "(chosen: the best measured; " in text
    assert "fault of the model: " in text


@pytest.mark.parametrize(("percent", "at_fault"), [(104, False), (106, True), (94, True)])
def test_a_difference_above_the_bound_is_a_fault_of_the_model(
    path: Path, monkeypatch: pytest.MonkeyPatch, percent: int, at_fault: bool
) -> None:
    measuring(
        monkeypatch, lambda one: side(round(one.prediction.kernel_instructions * percent / 100))
    )
    result = horolog_plan(path)
    assert ("fault of the model: " in result.stdout) == at_fault
    assert ("further off than 5 %" in result.stdout) == at_fault
    found = json.loads(horolog_plan(path, "--json").stdout)["verification"]
    assert len(found["faults"]) == 3 * at_fault
    for said in found["faults"]:
        assert f"% too {'low' if percent > 100 else 'high'}, more than 5 %" in said
    off = [one["difference_percent"] for one in found["trials"]]
    assert off == pytest.approx([100 * (100 / percent - 1)] * 3, abs=0.01)


def test_a_plan_that_is_late_is_not_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    best = ranked(path)

    def measure(one: Plan) -> SimpleNamespace:
        first = {*one.releasers} == {*best[0].releasers}
        return side(round(one.prediction.kernel_instructions), late=2 * first)

    measuring(monkeypatch, measure)
    found = json.loads(horolog_plan(path, "--json").stdout)["verification"]
    assert [one["late"] for one in found["trials"]] == [2, 0, 0]
    assert [one["chosen"] for one in found["trials"]] == [False, True, False]
    assert "misses no deadline: it is taken" in found["faults"][0]


def test_fewer_interrupts_are_better_if_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = iter([500, 400, 600])
    measuring(monkeypatch, lambda one: side(1000, taken=next(taken)))
    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # one after the other
    data = json.loads(horolog_plan(path, "--json", "--objective", "interrupts").stdout)
    found = data["verification"]
    assert [one["chosen"] for one in found["trials"]] == [False, True, False]
    assert "is better in what was asked for" in found["faults"][0]


def test_a_plan_that_cannot_be_built_leaves_the_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = ranked(path)

    def measure(one: Plan) -> SimpleNamespace:
        if {*one.releasers} == {*best[0].releasers}:
            raise HorologError("region RAM overflowed")
        return as_predicted(one)

    measuring(monkeypatch, measure)
    found = json.loads(horolog_plan(path, "--json").stdout)["verification"]
    assert [one["not_measured"] for one in found["trials"]] == ["region RAM overflowed", None, None]
    assert found["trials"][1]["chosen"]
    assert "region RAM overflowed" in horolog_plan(path).stdout


def test_if_none_can_be_run_that_is_the_commands_error(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(one: Plan) -> SimpleNamespace:
        raise HorologError("the target left no results", exit=Exit.TARGET_FAILED)

    measuring(monkeypatch, measure)
    result = horolog_plan(path)
    assert result.exit_code == Exit.TARGET_FAILED
    assert "the target left no results" in result.stderr


def interrupting(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What does as Ctrl-C does while plans are verified; a signal could meet the test's own process late."""
    limits: list[Limit] = []

    @contextmanager
    def kept(seconds: Fraction) -> Iterator[Limit]:
        with searching(seconds) as limit:
            limits.append(limit)
            yield limit

    monkeypatch.setattr(verifying, "searching", kept)
    return lambda: limits[-1].interrupt()


def test_ctrl_c_keeps_what_was_measured(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    before = signal.getsignal(signal.SIGINT)
    interrupt = interrupting(monkeypatch)
    best = ranked(path)

    def measure(one: Plan) -> SimpleNamespace:
        if {*one.releasers} == {*best[1].releasers}:
            interrupt()  # the emulator ends by it, too
            raise HorologError("the target left no results", exit=Exit.TARGET_FAILED)
        return as_predicted(one)

    ran = measuring(monkeypatch, measure)
    result = horolog_plan(path)
    assert result.exit_code == Exit.OK, result.output
    assert len(ran) == 2
    assert "interrupted: the best of what was measured until then is taken" in result.stdout
    assert sum(line.rstrip().endswith("interrupted") for line in result.stdout.splitlines()) == 2
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_before_anything_was_measured_keeps_the_predicted_plan(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt = interrupting(monkeypatch)

    def measure(one: Plan) -> SimpleNamespace:
        interrupt()
        raise HorologError("the target left no results", exit=Exit.TARGET_FAILED)

    measuring(monkeypatch, measure)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    data = json.loads(horolog_plan(path, "--json").stdout)
    assert data["verification"]["interrupted"] is True
    assert data["choice"]["mechanism"] == ranked(path)[0].mechanism
    assert [one["not_measured"] for one in data["verification"]["trials"]] == ["interrupted"] * 3


def test_a_board_that_counts_nothing_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = measuring(monkeypatch, as_predicted)
    result = horolog_plan(path, "--board", "host")
    assert result.exit_code == Exit.BAD_INPUT
    assert "--verify needs a board on which the kernel's instructions are counted" in result.stderr
    assert "--board with an emulated board, such as mps2-an385" in result.stderr
    assert ran == []


def test_cells_that_are_not_there_are_refused(path: Path) -> None:
    result = horolog_plan(path, "--cells", "8")
    assert result.exit_code == Exit.BAD_INPUT
    assert "--cells plans for a board that cannot be built" in result.stderr


@pytest.mark.parametrize("program", ["qemu-system-arm", "arm-none-eabi-gcc", "ninja"])
def test_a_missing_tool_is_named(path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == program else which(name))
    result = horolog_plan(path)
    assert result.exit_code == Exit.NOT_INSTALLED
    assert f"not installed: {program}" in result.stderr
    assert "apt-get install" in result.stderr


def test_what_is_not_predicted_is_no_fault(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An application that calls the kernel: its calls are measured, too."""
    (path.parent / "own.c").write_text("void begin(void)\n{\n}\n", encoding="utf-8")
    text = TEXT.replace("[system]\n", '[system]\nsources = ["own.c"]\nstart = "begin"\n')
    path.write_text(text, encoding="utf-8")
    measuring(monkeypatch, lambda one: side(2 * round(one.prediction.kernel_instructions)))
    result = horolog_plan(path)
    assert result.exit_code == Exit.OK, result.output
    assert "differences are no fault of the model: the application's calls" in result.stdout
    assert "fault of the model: " not in result.stdout.replace("no fault of the model", "")


def test_ninety_nine_percent_of_a_plan_is_not_worth_more_memory(path: Path) -> None:
    """What the planner passed over as not worth its bytes is not measured either."""
    system = read_system(path)
    made = plan(system)
    better = made.choice.prediction.kernel_per_second * Fraction(995, 1000)

    def cheaper(name: str, store: str) -> object:
        other = plan(system, mechanism=name, queue=store)
        prediction = replace(other.choice.prediction, kernel_per_second=better)
        return replace(other, choice=replace(other.choice, prediction=prediction))

    of = best_predicted(system, made, 3, cheaper)  # type: ignore[arg-type]
    assert len(of) == 3
    assert [one.mechanism == made.choice.mechanism for one in of] == [True, False, False]
