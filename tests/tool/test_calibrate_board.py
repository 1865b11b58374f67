# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Calibration against made-up kernels whose costs are known, and the file that it writes.

That the committed costs.toml is what calibration measures is shown by tests/system/test_goldens.py.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.tool.conftest import Workshop
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog.analyse import (
    clock_wraps_in,
    distinct_instants,
    jobs_in,
    of_threads,
    own_levels,
    streams,
    with_threads_only,
)
from horolog.calibrate import Calibration, calibrate, costs_toml, line_queues
from horolog.calibrate import board as module
from horolog.calibrate.curves import BY_DEPTH, BY_WALK
from horolog.calibrate.fitting import Undetermined, fit
from horolog.calibrate.stores import Spec
from horolog.data import data_root
from horolog.model import MASK_STORES, QUEUES, Exit, HorologError, Kind, Mode, Plan, System
from horolog.model.result import Instructions, Interrupts, Side
from horolog.plan import (
    FREE,
    NOTHING,
    SHAPES,
    STEPS,
    Cooperation,
    Costs,
    Curve,
    Point,
    Prices,
    QueueCosts,
    SharingCosts,
    StepCosts,
    plan,
    read_prices,
)
from horolog.plan.prediction.predict import forecast, head_probability, mean_walks
from horolog.plan.prices.basic_costs import BASIC_STEPS, FEW_BOARDS_STEPS, basic_cost
from horolog.plan.prices.group_costs import LineQueueCosts
from horolog.plan.prices.static_costs import parts_of
from horolog.read import read_board
from horolog.read.ports import ports

TRUE = Costs(
    interrupt_periodic=Fraction(50),
    interrupt_one_shot=Fraction(80),
    divider_skip=Fraction(40),
    release=Fraction(20),
    wait=Fraction(90),
    walk=Fraction(5),
    rearm=Fraction(43),
    switch=Fraction(0),  # follows from `dispatch`
    required=Fraction(4),
    wait_one_shot=Fraction(7),
    dispatch=Fraction(16),
    fraction=Fraction(11),
    masks=Fraction(14),
    part=Fraction(6),
    step=Fraction(9),
    longer=Fraction(12),
    step_basic=Fraction(15),
    own_levels=Fraction(9),
    general=Fraction(33),
)
ARM = 30
"""Of an interrupt of a one-shot cell, and of `rearm`: what the cell's own function takes."""
SLOW = {Mode.PERIODIC: Fraction(3), Mode.ONE_SHOT: Fraction(9)}
"""What an interrupt of a cell of the device "slow" costs more."""

STEP_COST = {
    "instant": 50,
    "required": 11,
    "scanned": 6,
    "chain": 9,
    "group": 7,
    "fired": 17,
    "row": 13,
    "part": 12,
    "job": 80,
    "single": 56,
    "chained": 61,
    "chained_job": 74,
    "direct": 151,
    "lone": 52,
    "fraction": 6,
    "levels": 5,
    "alone": 71,
}
TRUE_STORES = {
    store: StepCosts(
        {mode: {name: Fraction(STEP_COST[name]) for name in names} for mode, names in modes.items()}
    )
    for store, modes in STEPS.items()
}
BASIC_STEP_COST = {
    "interrupt": 13,
    "row": 15,
    "row_alone": 19,
    "row_both": 21,
    "cycle": 4,
    "part": 23,
    "job": 11,
    "alone": 2,
    "general": 24,
    "ending": 27,
    "release": 31,
    "release_alone": 36,
    "release_both": 38,
    "fraction": 6,
    "line": 9,
    "moved": 8,
    "walk": 5,
    "head": 7,
    "group": 10,
    "chain": 14,
    "lone": -4,
    "several": 12,
    "whole": -9,
    "several_release": -5,
    "several_whole": -11,
}
FREE_ENDS = {"general": 0, "ending": 0}


def basic_costs(step_cost: Mapping[str, int]) -> dict[str, StepCosts]:
    return {
        method: StepCosts(
            {
                mode: {
                    name: Fraction(step_cost[name])
                    for name in names
                    if name not in FEW_BOARDS_STEPS
                }
                for mode, names in modes.items()
            },
            {mode: {"slow": Fraction(3 if mode is Mode.PERIODIC else -5)} for mode in modes},
        )
        for method, modes in BASIC_STEPS.items()
    }


TRUE_BASIC = basic_costs(BASIC_STEP_COST)
TRUE_LINE_QUEUES = {
    name: LineQueueCosts(
        "passed" if name in BY_WALK else "depth" if name in BY_DEPTH else "waiting",
        Fraction(at),
        Curve((Point(Fraction(0), Fraction(40 + at), Fraction(0), Fraction(0)),)),
    )
    for at, name in enumerate(QUEUES[1:])
}
SHARING = SharingCosts(thread=Fraction(8), body=Fraction(5), body_clock=Fraction(7))
TOGETHER = Cooperation(*map(Fraction, (12, 3, 31, 9)))
BY_QUEUE = Cooperation(*map(Fraction, (14, 4, 25, 21)))

BOARD = replace(
    make_board([make_cell(f"cell{at}", min_counts=250) for at in range(4)]),
    arch="armv7m",
    port=ports()["armv7m", "nvic"],
    name="made",
)
BASIC_BOARD = replace(
    BOARD,
    basic_levels=8,
    controller=make_board(lines=8).controller,
    cells=(*BOARD.cells[:3], replace(BOARD.cells[3], device="slow")),
)


def made_side(system: System, plan: Plan, costs: Costs, misses: int = 0) -> Side:
    """The side of a kernel that costs exactly `costs`, TRUE_STORES, TRUE_BASIC and TOGETHER."""
    jobs = sum(jobs_in(system))
    if all(task.kind is Kind.BASIC for task in system.tasks):
        return basic_side(system, plan, jobs, costs)
    apart = jobs - sum(jobs_in(of_threads(system)))  # further bodies of shared threads
    plan, system = with_threads_only(system, plan), of_threads(system)
    threads = jobs - apart
    spent: Counter[str] = Counter()
    spent["PendSV_Handler"] = int(costs.dispatch) * (threads + distinct_instants(system))
    if any(r.store in TRUE_STORES or r.cooperates for r in plan.releasers):
        undispatched = replace(costs, dispatch=Fraction(0))
        prices = Prices(undispatched, {}, TRUE_STORES, TOGETHER, BY_QUEUE, SHARING)
        partners = [r for r in plan.releasers if not r.cooperates]
        for releaser in plan.releasers:
            one = forecast(system, releaser, prices, partners if releaser.cooperates else ())
            spent["enqueue_0"] += int(one.cost(system, releaser.store, prices).window)
            by_masks = {r.store for r in plan.releasers} & {*MASK_STORES}
            if by_masks and releaser.store not in MASK_STORES:
                spent["enqueue_0"] += int(one.waits.window * costs.masks)  # beside another's masks
        return side_of(plan, jobs, plan.prediction.interrupts, misses, spent)
    taken = 0
    for releaser in plan.releasers:
        parts = parts_of(system, forecast(system, releaser, NOTHING).work).window
        spent["hrl_release_wait"] += int(parts * costs.part)
        of = streams(system, releaser.tasks)
        handler = system.board.cell(releaser.cell).handler
        if releaser.mode is Mode.PERIODIC:
            assert releaser.cell_period is not None
            here = len(releaser.between(0, int(system.duration * system.board.clock.hz)))
            instants = -(-here // releaser.divider)
            cost = instants * costs.interrupt_periodic + (here - instants) * costs.divider_skip
            cost += distinct_instants(system, releaser.tasks) * costs.required
            if releaser.part:
                cost += here * costs.stepped(releaser.part, basic=False)
        else:
            due = Counter(
                s.offset + k * s.period
                for s in of
                for k in range(int(1 / s.period))
                for _ in s.tasks
            )
            here = len(due)
            cost = here * (costs.interrupt_one_shot - ARM)
            several = sum(many > 1 or len(system.tasks) == 1 for many in due.values())
            cost += several * costs.general
            arms = "cell_0_disarm" if len(system.tasks) == 1 else "cell_0_arm"  # nothing else waits
            spent[arms] += here * ARM
            released = sum(len(s.tasks) * int(1 / s.period) for s in of)
            spent["hrl_release_wait"] += int(costs.wait_one_shot) * released
            heads = int(head_probability(of) * int(1 / of[0].period))
            spent["cell_0_arm"] += heads * ARM
            spent["rearm"] += heads * int(costs.rearm - ARM)
            parted = sum(
                jobs_in(system)[task]
                for s in of
                for task in s.tasks
                if (s.period * system.board.clock.hz).denominator != 1
            )
            spent["hrl_release_wait"] += parted * int(costs.fraction)
        if system.board.cell(releaser.cell).device == "slow":
            cost += here * SLOW[releaser.mode]
        taken += here
        spent[handler] += int(cost)
        walks = sum(
            walk * sum(jobs_in(system)[task] for task in s.tasks)
            for walk, s in zip(mean_walks(of), of, strict=True)
        )
        by_one_shot = releaser.mode is Mode.ONE_SHOT  # there the insertion is part of the wait
        where = "hrl_release_wait" if by_one_shot else "hrli_sorted_list_insert"
        spent[where] += int(walks * costs.walk)
        spent[handler] += int(costs.release) * sum(jobs_in(system)[task] for task in releaser.tasks)
    if own_levels(system):
        spent["hrl_release_wait"] -= int(costs.own_levels) * threads
    spent["hrl_release_wait"] += int(costs.wait) * threads + int(SHARING.body_clock) * apart
    return side_of(plan, jobs, taken, misses, spent)


def basic_side(system: System, plan: Plan, jobs: int, costs: Costs) -> Side:
    """Basic tasks are not switched; the kernel's instructions are TRUE_BASIC's steps."""
    (releaser,) = plan.releasers
    work = forecast(system, releaser, NOTHING).work
    cost = basic_cost(system, work, releaser, TRUE_BASIC, TRUE_LINE_QUEUES).window
    if releaser.part:
        cost += work.instants.window * costs.stepped(releaser.part, basic=True)
    return side_of(plan, jobs, plan.prediction.interrupts, 0, Counter({"HRL_line_0": int(cost)}))


def side_of(plan: Plan, jobs: int, taken: int, misses: int, spent: Counter[str]) -> Side:
    total = sum(spent.values()) + 10_000
    return Side(
        mechanism=plan.mechanism,
        jobs=jobs,
        deadline_misses=misses,
        overruns=0,
        interrupts=Interrupts(taken, taken, 0),
        instructions=Instructions(total, 4_000, 6_000, dict(spent)),
        response={},
    )


def made_queue(over: Literal["waiting", "passed"] = "waiting") -> QueueCosts:
    points = tuple(Point(*[Fraction(v) for v in (n, 20 + n, 7, 5)]) for n in (1, 5, 10, 100))
    return QueueCosts(
        over=over,
        ram=Fraction(24),
        ram_per_task=Fraction(4),
        rom=Fraction(-8),
        job=Fraction(-7, 4),
        job_one_shot=Fraction(5, 4),
        interrupt_periodic=Fraction(-1, 8),
        interrupt_one_shot=Fraction(3),
        curves={shape: Curve(points) for shape in SHAPES},
    )


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> list[System]:
    """Makes calibration measure the made-up kernel; the systems that it built."""
    systems: list[System] = []

    def measure_plan(system: System, plan: Plan, out: Path) -> Side:
        systems.append(system)
        return made_side(system, plan, TRUE)

    monkeypatch.setattr(module, "measure_plan", measure_plan)
    monkeypatch.setattr(line_queues, "LADDER", (1, 5))  # a hundred groups take a while to foresee
    monkeypatch.setattr(module, "calibrate_handlers", lambda make, folder, say: {})
    monkeypatch.setattr(module, "calibrate_sizes", lambda *_: None)
    # test_calibrate_guards.py calibrates these.
    monkeypatch.setattr(module, "calibrate_budgets", lambda *_: {})
    monkeypatch.setattr(module, "calibrate_dispatched", lambda *_: ({}, {}))
    monkeypatch.setattr(module, "calibrate_expiries", lambda *_: None)
    monkeypatch.setattr(module, "calibrate_points", lambda *_: {})
    monkeypatch.setattr(
        module, "calibrate_queues", lambda board, folder, say: {"sorted-list": made_queue("passed")}
    )
    return systems


_FOUND: dict[str, Any] = {}


@pytest.fixture
def kernel_once(kernel: list[System], monkeypatch: pytest.MonkeyPatch) -> None:
    """The known kernel; its basic tasks are calibrated once for all tests that only look at files."""
    for name in ("basic", "line_queues"):
        original = getattr(module.Experiments, name)

        def once(self: Any, *more: Any, name: str = name, original: Any = original) -> Any:
            if name not in _FOUND:
                _FOUND[name] = original(self, *more)
            return _FOUND[name]

        monkeypatch.setattr(module.Experiments, name, once)


def test_an_emulator_gives_calibration_more_ram_than_the_chip_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """80 threads do not fit into 16 KiB; costs are instructions, the same in any RAM."""
    seen = []

    def start(board: Any, *_: object) -> Any:
        seen.append(board)
        raise HorologError("enough")

    monkeypatch.setattr(module, "Experiments", start)
    for name in ("microbit", "mps2-an385"):
        with pytest.raises(HorologError, match="enough"):
            calibrate(read_board(name), lambda text: None)
    (small, usual), own = seen, read_board("mps2-an385")
    assert {one.name: one.length for one in small.memory} == {"flash": 0x40000, "ram": 0x40000}
    assert usual.memory == own.memory


def test_costs_say_if_they_were_measured_with_more_ram() -> None:
    made = Calibration("made", TRUE, "gcc 1, qemu 2")
    assert "KiB of RAM" not in costs_toml(made)
    assert "# Measured on an emulated chip with 256 KiB of RAM" in costs_toml(
        replace(made, ram=0x40000)
    )


def test_the_costs_of_a_known_kernel_are_found(kernel: list[System]) -> None:
    said: list[str] = []
    found = calibrate(BOARD, said.append)
    assert found.board == "made"
    for field in fields(Costs):
        if field.name not in ("switch", "step_basic"):  # the board has no controller
            assert getattr(found.costs, field.name) == pytest.approx(
                getattr(TRUE, field.name), rel=0.01
            ), field.name
    assert TRUE.dispatch < found.costs.switch < 2 * TRUE.dispatch
    assert found.cells == {Mode.PERIODIC: {}, Mode.ONE_SHOT: {}}  # all cells are of one device
    assert len(said) == len(kernel) == len({system.name for system in kernel})


def test_what_an_interrupt_of_another_device_costs_is_found(kernel: list[System]) -> None:
    found = calibrate(replace(BOARD, cells=BASIC_BOARD.cells), lambda _: None)
    assert found.cells == {mode: {"slow": more} for mode, more in SLOW.items()}


def test_what_devices_cost_is_read_back(tmp_path: Path) -> None:
    text = costs_toml(
        Calibration("made", TRUE, "x", cells={mode: {"slow": more} for mode, more in SLOW.items()})
    )
    (tmp_path / "costs.toml").write_text(text, encoding="utf-8")
    back = read_prices(replace(BASIC_BOARD, directory=tmp_path))
    assert [back.of_device(mode, "slow") for mode in SLOW] == list(SLOW.values())
    assert back.of_device(Mode.PERIODIC, "made") == 0


def test_the_steps_of_known_stores_are_found(kernel: list[System]) -> None:
    found = calibrate(BOARD, lambda text: None)
    assert found.stores.keys() == TRUE_STORES.keys()
    for store, steps in found.stores.items():
        for mode, by_step in steps.by_mode.items():
            for name, cost in by_step.items():
                expected = TRUE_STORES[store].by_mode[mode][name]
                assert cost == pytest.approx(expected, rel=0.01, abs=0.1), (store, mode, name)
    assert found.sharing == SHARING
    for made, true in ((found.cooperation, TOGETHER), (found.cooperation_by_queue, BY_QUEUE)):
        assert made is not None
        for field in fields(Cooperation):
            assert getattr(made, field.name) == pytest.approx(
                getattr(true, field.name), rel=0.02, abs=0.2
            ), field.name


@pytest.mark.parametrize("step_cost", [BASIC_STEP_COST, {**BASIC_STEP_COST, **FREE_ENDS}])
def test_the_steps_of_known_basic_tasks_are_found(
    step_cost: dict[str, int], kernel: list[System], monkeypatch: pytest.MonkeyPatch
) -> None:
    true = basic_costs(step_cost)
    monkeypatch.setattr(sys.modules[__name__], "TRUE_BASIC", true)
    calibration = calibrate(BASIC_BOARD, lambda text: None)
    assert abs(calibration.costs.step_basic - TRUE.step_basic) < Fraction(1, 10)  # jobs are whole
    found = calibration.basic
    assert found.keys() == true.keys()
    for method, steps in found.items():
        of = true[method]
        # No cell moves its comparison, so none is armed that is its task's interrupt.
        modes = {*of.by_mode} - ({Mode.ONE_SHOT} if method == "none" else set())
        assert steps.by_mode.keys() == modes
        for mode, by_step in steps.by_mode.items():
            expected = dict(of.by_mode[mode])
            # A task is due at each interrupt of a one-shot cell, which holds what a row costs.
            if mode is Mode.ONE_SHOT and "row" in expected:
                row = expected["row"]
                for step in {"row", "row_alone", "row_both"} & {*expected}:
                    expected[step] -= row
                expected["interrupt"] += row
            assert by_step == pytest.approx(expected, rel=0.01, abs=0.01), (method, mode)
        assert steps.cells == {mode: of.cells[mode] for mode in modes}


def test_the_queues_of_known_groups_are_found(kernel: list[System]) -> None:
    found = calibrate(BASIC_BOARD, lambda text: None).line_queues
    assert [*found] == [*QUEUES[1:]]
    for name, queue in found.items():
        assert queue.over == TRUE_LINE_QUEUES[name].over
        assert queue.interrupt == pytest.approx(TRUE_LINE_QUEUES[name].interrupt, abs=0.01)
        for point in queue.curve.points:
            true = TRUE_LINE_QUEUES[name].curve.at(point.x)
            assert point.job == pytest.approx(true, rel=0.02), (name, point.x)


def test_runs_that_do_not_tell_steps_apart_are_refused() -> None:
    one, two = {"a": Fraction(1), "b": Fraction(2)}, {"a": Fraction(2), "b": Fraction(4)}
    with pytest.raises(Undetermined, match="b"):
        fit(("a", "b"), [(one, Fraction(5)), (two, Fraction(10))])
    three = {"a": Fraction(1), "b": Fraction(1)}
    assert fit(("a", "b"), [(one, Fraction(5)), (three, Fraction(3))]) == {"a": 1, "b": 2}


def test_calibration_that_misses_deadlines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure_plan(system: System, plan: Plan, out: Path) -> Side:
        return made_side(system, plan, TRUE, misses=3)

    monkeypatch.setattr(module, "measure_plan", measure_plan)
    with pytest.raises(HorologError, match="calibration does not hold on board made") as raised:
        calibrate(BOARD, lambda text: None)
    assert raised.value.exit is Exit.TARGET_FAILED
    assert raised.value.found == "3 of 100 deadlines missed"


def test_a_board_that_counts_no_instructions_cannot_be_calibrated(workshop: Workshop) -> None:
    said = workshop.run("calibrate", "host", "--out", str(workshop.directory / "costs.toml"))
    assert said.code == Exit.BAD_INPUT
    assert "nothing to calibrate on board host" in said.err
    assert list(workshop.directory.iterdir()) == []


def test_the_file_is_read_back_to_the_digits_that_it_has(tmp_path: Path) -> None:
    costs = replace(TRUE, wait=Fraction(2599, 30), switch=Fraction(1, 3))
    text = costs_toml(Calibration("made", costs, "gcc 1, qemu 2"))
    assert tomllib.loads(text)["meta"] == {
        "toolchain": "gcc 1, qemu 2",
        "flags": "-O2",
        "generated-by": "horolog calibrate made",
    }
    (tmp_path / "costs.toml").write_text(text, encoding="utf-8")
    back = read_prices(replace(BOARD, directory=tmp_path))
    assert back.costs == replace(TRUE, wait=Fraction("86.63"), switch=Fraction("0.33"))
    assert back.queues == {}
    assert back.stores == {}
    assert back.cooperation is None
    assert back.origin is not None
    assert (back.origin.toolchain, back.origin.flags) == ("gcc 1, qemu 2", "-O2")


def test_the_stores_are_read_back(tmp_path: Path) -> None:
    made = Calibration(
        *("made", TRUE, "gcc 1, qemu 2", {}, TRUE_STORES, TOGETHER),
        basic=TRUE_BASIC,
        line_queues=TRUE_LINE_QUEUES,
        sharing=SHARING,
        cooperation_by_queue=BY_QUEUE,
    )
    text = costs_toml(made)
    (tmp_path / "costs.toml").write_text(text, encoding="utf-8")
    back = read_prices(replace(BASIC_BOARD, directory=tmp_path))
    assert (back.costs, back.stores, back.cooperation) == (TRUE, TRUE_STORES, TOGETHER)
    assert back.cooperation_by_queue == BY_QUEUE
    assert back.basic == TRUE_BASIC
    assert back.sharing == SHARING
    assert back.line_queues == TRUE_LINE_QUEUES
    headings = [line for line in text.splitlines() if line.startswith("[") and "#" in line]
    assert {line.rsplit("# ")[1] for line in headings} == {"instructions"}
    rtl = replace(made, unit="cycles")
    assert costs_toml(rtl).count("# cycles") == len(headings)
    assert "# instructions" not in costs_toml(rtl)


def test_a_file_of_an_earlier_version_has_no_stores(tmp_path: Path) -> None:
    old = replace(
        TRUE,
        switch=Fraction(30),
        required=Fraction(0),
        wait_one_shot=Fraction(0),
        dispatch=FREE.dispatch,
    )
    text = costs_toml(Calibration("made", old, "gcc 1, qemu 2"))
    assert "dispatch" not in text
    (tmp_path / "costs.toml").write_text(text, encoding="utf-8")
    board = replace(BOARD, directory=tmp_path)
    assert read_prices(board).costs == old
    planned = plan(make_system([ms(3), ms(5)], board=board))
    assert planned.notes == (
        "unsorted-list, harmonic-array, period-groups, mask-table: not considered, "
        "the costs do not hold them",
        "mixed: not considered, the costs do not hold cooperation",
        "horolog calibrate made measures what is missing",
    )
    reasons = {a.mechanism: a.reason for a in planned.alternatives if a.plan is None}
    assert reasons == {
        "chronos-const": "the board's costs.toml does not say what unsorted-list costs",
        "chronos-harmonic": "the board's costs.toml does not say what harmonic-array costs",
        "mixed": "the board's costs.toml does not say what cooperation costs",
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "store.mask-table.p",
            "store.mask-tables.p",
            'unknown store "mask-tables"; did you mean "mask-table"?',
        ),
        ("store.mask-table.periodic", "store.mask-table.x", r"no \[store.mask-table.periodic\]"),
        ("row = 13", "rows = 13", "store.mask-table.periodic.row: a value is missing"),
        ("row = 13", 'row = "x"', "store.mask-table.periodic.row: a value cannot be used"),
        ("visit = 12", "visits = 12", "cooperation.visit: a value is missing"),
    ],
)
def test_stores_that_cannot_be_used(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = costs_toml(Calibration("made", TRUE, "gcc 1, qemu 2", {}, TRUE_STORES, TOGETHER))
    assert old in text
    (tmp_path / "costs.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(HorologError, match=message):
        read_prices(replace(BOARD, directory=tmp_path))


def test_a_device_that_no_cell_has(tmp_path: Path) -> None:
    text = costs_toml(Calibration("made", TRUE, "gcc 1, qemu 2", basic=TRUE_BASIC))
    (tmp_path / "costs.toml").write_text(text, encoding="utf-8")
    with pytest.raises(HorologError, match=r"basic.lines.periodic.cell.slow: a value cannot be"):
        read_prices(replace(BOARD, directory=tmp_path))


def test_the_queues_are_read_back_to_the_digits_that_they_have(tmp_path: Path) -> None:
    queues = {"sorted-list": made_queue("passed"), "calendar": made_queue()}
    text = costs_toml(Calibration("made", TRUE, "gcc 1, qemu 2", queues))
    (tmp_path / "costs.toml").write_text(text, encoding="utf-8")
    back = read_prices(replace(BOARD, directory=tmp_path)).queues
    assert back == {
        name: replace(queue, interrupt_periodic=Fraction("-0.12")) for name, queue in queues.items()
    }


@pytest.mark.usefixtures("kernel_once")
@pytest.mark.xdist_group("calibrated-once")
def test_the_command_writes_where_it_is_told(workshop: Workshop, tmp_path: Path) -> None:
    out = tmp_path / "made.toml"
    said = workshop.run("calibrate", "mps2-an385", "--json", "--out", str(out))
    assert said.code == Exit.OK
    assert said.object == {"board": "mps2-an385", "written": str(out)}
    costs = tomllib.loads(out.read_text(encoding="utf-8"))["costs"]
    assert set(costs.pop("cell")) == {mode.value for mode in Mode}
    assert set(costs.pop("deadline")) == {"cmsdk-timer", "cmsdk-dualtimer", "systick"}
    others = {
        "wrap",
        "own_levels_one_shot",
    }  # its clock has 32 bits, and it has as many levels as are tried
    assert set(costs) == {field.name for field in fields(Costs)} - others


@pytest.mark.usefixtures("kernel_once")
@pytest.mark.xdist_group("calibrated-once")
def test_a_board_that_came_with_horolog_gets_a_copy_of_the_users(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    said = workshop.run("calibrate", "mps2-an385", "--json")
    own = tmp_path / "horolog" / "boards" / "mps2-an385" / "costs.toml"
    assert said.object == {"board": "mps2-an385", "written": str(own)}
    found = workshop.run("plan", str(workshop.write()), "--json").object
    assert (found["costs"]["file"], found["costs"]["kind"]) == (str(own), "the user's copy")


@pytest.mark.usefixtures("kernel_once")
@pytest.mark.xdist_group("calibrated-once")
def test_a_board_of_the_users_gets_its_costs_beside_it(workshop: Workshop, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    shipped = data_root() / "boards" / "mps2-an385" / "board.toml"
    (mine / "board.toml").write_bytes(shipped.read_bytes())
    said = workshop.run("calibrate", str(mine / "board.toml"), "--json")
    assert said.object["written"] == str(mine / "costs.toml")
    path = workshop.write_changed(('"mps2-an385"', f'"{mine}/board.toml"'))
    found = workshop.run("plan", str(path), "--json").object
    assert found["costs"]["kind"] == "beside board.toml"


def test_two_places_at_once_are_refused(workshop: Workshop) -> None:
    said = workshop.run("calibrate", "mps2-an385", "--shipped", "--out", "x.toml")
    assert said.code == Exit.BAD_INPUT
    assert "--out and --shipped name two places" in said.err


def test_boards_of_few_levels_compare_few_tasks_in_both_modes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def measure_plan(system: System, plan: Plan, out: Path) -> Side:
        (releaser,) = plan.releasers
        less = {Mode.PERIODIC: 36, Mode.ONE_SHOT: 68}[releaser.mode] * own_levels(system)
        jobs = sum(jobs_in(system))
        spent = Counter({"hrl_release_wait": (1_000 - less) * jobs})
        return side_of(plan, jobs, plan.prediction.interrupts, 0, spent)

    monkeypatch.setattr(module, "measure_plan", measure_plan)
    experiments = module.Experiments(replace(BOARD, levels=15), Path("none"), lambda _: None)
    many = [Spec(Fraction(1, 100), priority=level + 1) for level in range(20)]
    spread = experiments._run("20 tasks on 20 levels", many, "gcd")
    assert experiments._own_levels(many, spread) == (Fraction(36), Fraction(32))


def test_queues_are_measured_where_hundreds_of_threads_fit() -> None:
    assert module._has_room_for_queues(read_board("mps2-an385"))
    assert not module._has_room_for_queues(read_board("lm3s6965evb"))


@pytest.mark.parametrize(("board", "most"), [("mps2-an385", 200), ("lm3s6965evb", 100)])
def test_a_slow_board_has_no_time_for_the_most_groups(board: str, most: int) -> None:
    experiments = module.Experiments(read_board(board), Path("none"), lambda _: None)
    assert line_queues._ladder(experiments._system) == tuple(
        n for n in line_queues.LADDER if n <= most
    )


def test_a_wrap_of_the_clock_is_what_two_prescalers_differ_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[int] = []

    def measure_plan(system: System, plan: Plan, out: Path) -> Side:
        seen.append(system.board.clock.prescaler)
        (releaser,) = plan.releasers
        assert releaser.divider == 1
        spent = Counter({releaser.cell: 5000 + 30 * clock_wraps_in(system)})
        return side_of(plan, sum(jobs_in(system)), plan.prediction.interrupts, 0, spent)

    monkeypatch.setattr(module, "measure_plan", measure_plan)
    clock = replace(BOARD.clock, hz=8_000_000, width=16, prescalers=(1, 8, 64, 256, 1024))
    cells = tuple(
        replace(cell, width=16, hz=8_000_000, min_counts=512, input_min_counts=512)
        for cell in BOARD.cells
    )
    board = replace(BOARD, clock=clock, cells=cells)
    experiments = module.Experiments(board.with_prescaler(64), Path("none"), lambda _: None)
    assert experiments.wrap() == 30
    assert seen == [1, 256]
    lone = replace(board, clock=replace(clock, prescalers=(1,)))
    for other in (BOARD, lone):
        assert module.Experiments(other, Path("none"), lambda _: None).wrap() == 0
