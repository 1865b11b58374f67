# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `chronos` without an emulator: its sets, its points, what follows from rows, its page."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.tool.chronos_results import made_results, made_row

import horolog
from horolog.data import data_root
from horolog.model import MECHANISMS, STORES, Kind, Mode, Overrun
from horolog.model.result import Instructions
from horolog.plan import plan
from horolog_experiments.chronos import (
    DATA,
    EXPERIMENT,
    FACTORS,
    SCENARIOS,
    Point,
    Results,
    Row,
    Variant,
    points_of,
    quick_points,
    region_of,
    run,
    system_of,
)
from horolog_experiments.chronos.page import chronos_page
from horolog_experiments.chronos.points import expected_interrupts, plan_of, tick_and_delay
from horolog_experiments.chronos.results import at_least, geometric_mean
from horolog_experiments.chronos.run import kept_rows
from horolog_experiments.chronos.sets import METHODS, methods_of, scenario, seed_of
from horolog_experiments.harness import (
    Run,
    entries,
    plain_value,
    result_object,
    typed,
    write_evidence,
)
from horolog_experiments.harness.drawing import can_draw
from horolog_experiments.harness.kept import sources

LOW = Point("low", 2, Variant.CONTINUOUS, "planner")


# --- the sets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", SCENARIOS, ids=lambda of: of.name)
def test_the_sets_are_the_papers(of: Any) -> None:
    system = system_of(Point(of.name, 3, Variant.FIVE, "planner"))
    factors = (1, 2, 4, 8, 16) if of.harmonic else range(1, 11)
    allowed = {Fraction(3 * base * r, 1000) for base in (3, 5, 7, 11) for r in factors}
    periods = {task.period for task in system.tasks}
    assert len(system.tasks) == 100
    assert {Fraction(3 * base, 1000) for base in (3, 5, 7, 11)} <= periods <= allowed
    assert all(task.deadline == task.period for task in system.tasks)
    assert {task.work for task in system.tasks} == {of.work}
    assert {task.overrun for task in system.tasks} == {Overrun.QUEUE}
    assert system.cells == (("timer0",) if of.single else ("timer0", "timer1", "dual0", "systick"))
    assert (system.releases, system.duration) == (5, 5 * max(periods))


def test_the_continuous_variant_has_no_end() -> None:
    system = system_of(LOW)
    assert system.releases is None
    assert system.duration == 2
    assert system_of(replace(LOW, work=7, tasks=400)).tasks[399].work == 7


def test_the_seed_is_the_first_that_has_all_bases() -> None:
    assert seed_of("chronos") == seed_of("chronos-harmonic") == 0
    assert seed_of("chronos", 5) > 0  # of few tasks some base is missing


def test_the_campaign_is_the_issues() -> None:
    points = points_of()
    assert tuple(range(1, 16)) == FACTORS
    assert len(points) == len(set(points)) == 2 * 15 * (4 * 13 + 12)
    assert set(quick_points()) < set(points)
    assert {(case.tasks, case.factor) for case in run.CASES} == {(100, 1), (400, 5), (400, 10)}
    for method in {method for of in SCENARIOS for method in methods_of(of)}:
        assert method.mechanism is None or method.mechanism in MECHANISMS
        assert method.queue is None or method.queue in STORES
    assert {w.name for w in METHODS} == {w.name for of in SCENARIOS for w in methods_of(of)}


# --- a point -------------------------------------------------------------------------------------


def test_the_papers_measure_is_ticks_and_delays() -> None:
    counted = Instructions(
        total=1000,
        bodies=500,
        idle=100,
        by_function={
            "PendSV_Handler": 100,
            "hrli_cpu_switch": 50,
            "limited_12": 4,
            "limited_shared_3": 3,
            "hrl_gen_group_1": 3,
            "run_jobs": 20,
            "hrl_semaphore_take": 20,
            "TIMER0_Handler": 120,
            "wait_for_key": 80,
        },
    )
    assert tick_and_delay(counted) == 200


def test_basic_tasks_are_one_way_and_no_other() -> None:
    kinds = {
        method.name: {
            task.kind for task in system_of(Point("low", 1, Variant.FIVE, method.name)).tasks
        }
        for method in METHODS
    }
    assert kinds.pop("basic") == {Kind.BASIC}
    assert set(map(frozenset, kinds.values())) == {frozenset({Kind.THREAD})}


@pytest.mark.parametrize(
    "name",
    [
        *("chronos", "const", "harmonic", "planner", "basic"),
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("tick", "shared")),
    ],
)
def test_a_plan_is_what_the_way_says(name: str) -> None:
    point = Point("harmonic-low", 3, Variant.CONTINUOUS, name, work=77)
    how = next(method for method in METHODS if method.name == name)
    asked = plan(system_of(point), mechanism=how.mechanism, queue=how.queue).choice
    # How long handlers are is not asked for in all of them.
    assert replace(plan_of(point), handlers=()) == replace(asked, handlers=())


@pytest.mark.parametrize(
    ("mechanism", "queue", "wanted"),
    [
        ("tick", "calendar", 20),
        ("chronos", "calendar", 7 + 2),
        ("one-shot", "calendar", len({0, 3, 6, 12, 10})),
        ("one-shot", "mask-table", len({0, 3, 6, 9, 12, 15, 18, 10})),
    ],
)
def test_interrupts_of_tasks_that_end(mechanism: str, queue: str, wanted: int) -> None:
    """3, 6 and 10 ms, two jobs: no task waits behind the third release, and the window ends at 20 ms."""
    system = system_of(Point("low", 1, Variant.FIVE, "planner"))
    tasks = tuple(
        replace(
            system.tasks[0], name=f"t{ms}", period=Fraction(ms, 1000), deadline=Fraction(ms, 1000)
        )
        for ms in (3, 6, 10)
    )
    system = replace(system, tasks=tasks, releases=2, duration=Fraction(20, 1000))
    choice = plan(system, mechanism=mechanism, queue=queue).choice
    assert expected_interrupts(system, choice) == wanted


def test_a_partner_takes_over_instants_of_a_one_shot_cell() -> None:
    system = system_of(Point("low", 1, Variant.FIVE, "planner"))
    tasks = tuple(
        replace(
            system.tasks[0], name=f"t{ms}", period=Fraction(ms, 1000), deadline=Fraction(ms, 1000)
        )
        for ms in (3, 10, 6)
    )
    system = replace(system, tasks=tasks, releases=2, duration=Fraction(20, 1000))
    several = plan(system, mechanism="chronos").choice
    alone = replace(several.releasers[0], tasks=(0,), first=0, cell_period=75_000, divider=1)
    alone = replace(alone, store="calendar")
    rest = replace(alone, cell="timer1", mode=Mode.ONE_SHOT, tasks=(1, 2), cell_period=None)
    counts = (("timer0", 7), ("timer1", 0))
    choice = replace(
        several,
        releasers=(alone, replace(rest, cooperates=True)),
        prediction=replace(several.prediction, interrupts_by_cell=counts),
    )
    assert expected_interrupts(system, choice) == 7 + len({10})  # of 0, 6, 10, 12
    choice = replace(choice, releasers=(alone, rest))
    assert expected_interrupts(system, choice) == 7 + len({0, 6, 10, 12})


def test_rows_survive_their_file(tmp_path: Path) -> None:
    row = replace(made_row(LOW), predicted_kernel=Fraction(1, 3), earliest_ns=-5, said="so")
    assert typed(Row, plain_value(row)) == row
    kept = kept_rows(tmp_path)
    assert kept.get(LOW) is None
    kept.put(LOW, row)
    assert kept_rows(tmp_path).get(LOW) == row
    assert kept.get(replace(LOW, work=5)) is None
    results = made_results()
    assert DATA.read(DATA.text(results)) == results


def test_rows_are_kept_by_all_that_they_depend_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of each room that plans, writes, builds, runs and measures; an edit of one is another row."""
    package, files = Path(horolog.__file__).parent, set(sources("mps2-an385"))
    for name in (
        "plan/choice",
        "emit/generate",
        "analyse/levels",
        "build/firmware",
        "measure/probe",
    ):
        assert package / f"{name}.py" in files
    assert package / "emit/templates/hrl_gen_system.c.j2" in files
    assert data_root() / "kernel/release/periodic.h" in files
    edited = tmp_path / "one.py"
    edited.write_text("1", encoding="utf-8")
    monkeypatch.setattr("horolog_experiments.harness.kept.sources", lambda board: [edited])
    kept_rows(tmp_path / "kept").put(LOW, made_row(LOW))
    assert kept_rows(tmp_path / "kept").get(LOW) is not None
    edited.write_text("2", encoding="utf-8")
    assert kept_rows(tmp_path / "kept").get(LOW) is None


def test_what_was_measured_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every point once, the answers in the order of the points; what an ended run has measured is kept."""
    asked: list[Point] = []

    def measure(point: Point, out: Path) -> Row:
        asked.append(point)
        if point.factor == 9:
            raise ValueError("broken")
        return made_row(point)

    monkeypatch.setattr("horolog_experiments.chronos.run.measure_point", measure)
    points = [replace(LOW, factor=factor) for factor in (3, 1, 2)]
    said: list[str] = []
    first = run.measure_chronos(tmp_path, said.append, points=points, workers=1)
    assert [row.point for row in first.rows] == points
    assert said == [f"{n} of 3 points" for n in (1, 2, 3)]
    with pytest.raises(ValueError, match="broken"):
        run.measure_chronos(
            tmp_path, said.append, points=[*points, replace(LOW, factor=9)], workers=1
        )
    assert sorted(p.factor for p in asked) == [1, 2, 3, 9]
    assert first.ideals[("low", 2, Variant.CONTINUOUS)].feasible


def test_the_breakdown_is_where_it_begins_to_miss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {"freertos": 700, "planner": 10**9, "tick": 0}

    def measure(point: Point, out: Path) -> Row:
        assert point.work is not None
        late = point.work > limits.get(point.method, 1000)
        row = made_row(point, misses=int(late))
        return replace(row, bodies=row.jobs * (2 * point.work + 5))

    case = Point("low", 1, Variant.CONTINUOUS, "", 100)
    monkeypatch.setattr("horolog_experiments.chronos.run.measure_point", measure)
    monkeypatch.setattr("horolog_experiments.chronos.run.CASES", (case,))
    monkeypatch.setattr("horolog_experiments.chronos.run.points_of", lambda: [replace(LOW, work=1)])
    results = run.measure_chronos(tmp_path, lambda text: None, workers=1)
    found = {one.point.method: one.work for one in results.breakdowns}
    assert list(found) == ["ideal", *(method.name for method in METHODS)]
    assert found["freertos"] == 700
    assert found["chronos"] == 1000
    assert found["tick"] is None
    assert found["planner"] == found["ideal"]  # what never misses is cut off by zero cost
    assert found["ideal"] is not None
    assert 3000 < found["ideal"] < 3400


# --- what follows --------------------------------------------------------------------------------


def target(results: Results, begins: str) -> dict[str, Any]:
    (found,) = [
        one for one in entries(EXPERIMENT.targets, results) if one["name"].startswith(begins)
    ]
    return found


def changed(results: Results, change: Callable[[Row], Row]) -> Results:
    return replace(results, rows=tuple(change(row) for row in results.rows))


def test_the_table_of_the_issue_is_unchanged() -> None:
    assert [
        (t["name"], t["sense"], t["target"]) for t in entries(EXPERIMENT.targets, made_results())
    ] == [
        (
            "threads, planner's choice, kernel instructions against stock FreeRTOS, geometric mean over "
            "points without misses",
            ">=",
            4,
        ),
        ("the same, worst point", ">=", 2.5),
        ("the same, continuous variant, geometric mean", ">=", 4),
        (
            "by default, tasks sharing threads, five releases, against stock FreeRTOS, worst point",
            ">=",
            2.5,
        ),
        ("the same, against tickless FreeRTOS, geometric mean", ">=", 4),
        ("the same, against FreeRTOS with a tick at the gcd, geometric mean", ">=", 4),
        ("points that hold under FreeRTOS and not under ours", "==", 0),
        ("points that hold with zero cost and 1.1 x the work and not under ours", "==", 0),
        (
            "breakdown workload, 100 tasks factor 1, share of the gap between FreeRTOS and zero cost that "
            "is closed, %",
            ">=",
            75,
        ),
        ("taken + coalesced interrupts against predicted, largest difference", "==", 0),
        (
            "predicted against measured overhead, largest relative difference over points, %",
            "<=",
            5,
        ),
    ]


def test_targets_follow_from_the_rows() -> None:
    results = made_results()
    assert all(one["met"] for one in entries(EXPERIMENT.targets, results))
    assert target(results, "threads")["measured"] == pytest.approx(6)
    assert target(results, "breakdown")["measured"] == 80
    # low and single hold at 2 and 3 under FreeRTOS, harmonic-low at 3
    assert "low 6.00 (2 points)" in target(results, "threads")["note"]
    assert "harmonic-low 6.00 (1 points)" in target(results, "threads")["note"]


def test_beside_each_ratio_to_stock_freertos_stand_those_to_stronger_ones() -> None:
    results = made_results()
    stronger = (
        "; against tickless FreeRTOS 5.00; against FreeRTOS with a tick at the gcd 4.00; against FreeRTOS in "
        "rate groups 3.00; against FreeRTOS in rate groups with a tick at the gcd 2.00"
    )
    for begins in ("threads", "the same, continuous", "the same, worst"):
        assert target(results, begins)["note"].endswith(stronger)
    page = chronos_page(results, figures=False)
    assert (
        "| mean against tickless | mean against a tick at the gcd | mean against rate groups | "
        in page
    )
    assert (
        "| low | planner's choice | 100 | 100 | 2 | 6.00 | 6.00 | 6.00 | 5.00 | 4.00 | 3.00 | 2.00 |"
        in page
    )
    assert "| low | FreeRTOS with a gcd tick | (late) | 400 | 2 |  |  |  |  |  |  |  |" in page
    assert "that SysTick can count, at every point." in page
    rows = result_object(EXPERIMENT, results)["rows"]
    made = [row for row in rows if (row["what"], row["way"]) == ("point", "planner")]
    assert {(row["ratio_tickless"], row["ratio_gcd_tick"]) for row in made} == {
        (5, 4),
        (None, None),
    }


def test_where_there_is_no_tick_at_the_gcd_is_said() -> None:
    none = Point("low", 3, Variant.FIVE, "gcd-tick")
    results = changed(
        made_results(),
        lambda row: Row(none, "refused", "a tick of 1 s is too long") if row.point == none else row,
    )
    page = chronos_page(results, figures=False)
    assert "but at low x 3, five releases: a tick of 1 s is too long." in page
    note = target(results, "threads")["note"]
    assert "against FreeRTOS with a tick at the gcd 4.00 (4 points)" in note
    unmeasured = replace(
        results, rows=tuple(row for row in results.rows if row.point.method != "gcd-tick")
    )
    assert "against FreeRTOS with a tick at the gcd" not in target(unmeasured, "threads")["note"]
    assert "was not measured" in chronos_page(unmeasured, figures=False)


def test_a_point_that_is_late_enters_no_ratio_and_is_counted() -> None:
    lost = Point("low", 3, Variant.FIVE, "planner")
    results = changed(
        made_results(),
        lambda row: made_row(row.point, misses=2, cost=1) if row.point == lost else row,
    )
    assert target(results, "threads")["measured"] == pytest.approx(6)
    for begins in ("points that hold under FreeRTOS", "points that hold with zero cost"):
        found = target(results, begins)
        assert (found["measured"], found["met"]) == (1, False)
        assert "at low x 3, five releases" in found["reason"]


def test_the_worst_point_and_the_mean_are_exact() -> None:
    slow = Point("low", 2, Variant.FIVE, "planner")
    results = changed(
        made_results(), lambda row: made_row(row.point, cost=300) if row.point == slow else row
    )
    found = target(results, "the same, worst")
    assert (found["measured"], found["met"]) == (2, False)
    assert "low x 2, five releases: 300 a job against 600" in found["reason"]
    assert target(results, "the same, continuous")["measured"] == pytest.approx(6)
    assert at_least([Fraction(2), Fraction(8)], 4)
    assert not at_least([Fraction(2), Fraction(8) - Fraction(1, 10**30)], 4)
    assert not at_least([], 4)
    assert geometric_mean([]) is None


def test_other_work_is_not_compared() -> None:
    results = made_results()
    row = results.row("low", 2, Variant.FIVE, "planner")
    assert row is not None
    assert results.ratio(row) == 6
    assert results.ratio(replace(row, bodies=row.bodies + 1)) is None
    assert results.ratio(row, "tickless") == 5
    assert results.reduction(row) == 6


def test_predictions_are_held_against_what_was_measured() -> None:
    def change(row: Row) -> Row:
        if row.point == Point("single", 2, Variant.CONTINUOUS, "tick"):
            return replace(row, taken=row.taken - 3, predicted_kernel=row.kernel * Fraction(9, 10))
        return row

    results = changed(made_results(), change)
    found = target(results, "taken + coalesced")
    assert (found["measured"], found["met"]) == (3, False)
    assert "tick, continuous: 1" in found["reason"]
    found = target(results, "predicted against")
    assert (found["measured"], found["met"]) == (10, False)
    assert "tick at single x 2, continuous: -10 %" in found["reason"]


def test_what_was_not_measured_is_null_and_not_met() -> None:
    results = replace(made_results(), breakdowns=(), rows=(), ideals={})
    assert {one["measured"] for one in entries(EXPERIMENT.targets, results)} == {None}
    assert not any(one["met"] for one in entries(EXPERIMENT.targets, results))


def test_regions_are_the_papers() -> None:
    results = made_results()

    def regions(name: str) -> list[str]:
        return [region_of(results, scenario(name), f, Variant.FIVE) for f in (1, 2, 3)]

    assert regions("low") == ["chronos", "all", "all"]
    assert regions("harmonic-low") == ["chronos", "harmonic", "all"]
    late = changed(results, lambda row: replace(row, misses=1))
    assert region_of(late, scenario("low"), 2, Variant.FIVE) == "none"
    ours_late = changed(results, lambda row: replace(row, misses=int(row.point.method == "const")))
    assert region_of(ours_late, scenario("low"), 2, Variant.FIVE) == "other"


# --- the page ------------------------------------------------------------------------------------


def test_the_page_has_table_ii_beside_ours() -> None:
    page = chronos_page(made_results(), figures=False)
    assert page.index("## Targets") < page.index("## Table II")
    assert "| low | **chronos** | 9.16× | 3.00× | 4.64× | 3.00× |" in page
    assert "| single | **tick, harmonic arrays** | 2.33× | 5.00× | 1.83× | 5.00× |" in page
    assert "| low | FreeRTOS tickless |" in page
    assert "| non-harmonic | 100 | 1 | planner's choice | 180 | 1 | 80 |" in page
    assert "| non-harmonic | 400 | 5 | FreeRTOS | none |  |  |" in page
    assert (
        "| low | FreeRTOS, FreeRTOS tickless, FreeRTOS with a gcd tick, FreeRTOS in rate groups, "
        "FreeRTOS in rate groups, gcd tick, zero cost, 1.1 x | 2-3 | 2-3 |" in page
    )
    assert ".svg" not in page
    assert "Figures 6 to 10" in chronos_page(made_results(), figures=True)


def test_the_result_says_what_where_and_in_which_unit() -> None:
    made = result_object(EXPERIMENT, made_results())
    points = [row for row in made["rows"] if row["what"] == "point"]
    assert len(points) == 2 * 3 * (13 + 12 + 13)
    assert {row["platform"] for row in made["rows"]} == {"a board, QEMU 0"}
    (one,) = [
        row
        for row in points
        if (row["scenario"], row["factor"], row["variant"], row["way"])
        == ("low", 2, "five releases", "planner")
    ]
    assert (one["kernel_per_job"], one["ratio"], one["unit"]) == (100.0, 6.0, "instructions")
    assert [r["work"] for r in made["rows"] if r["what"] == "breakdown"] == [
        200,
        100,
        180,
        200,
        None,
        60,
    ]


@pytest.mark.skipif(not can_draw(), reason="matplotlib is not installed")
def test_the_evidence_is_the_page_its_data_and_a_figure_a_scenario(tmp_path: Path) -> None:
    results = made_results()
    written = write_evidence(EXPERIMENT, results, tmp_path / "chronos.md")
    again = write_evidence(EXPERIMENT, results, tmp_path / "again" / "chronos.md")
    assert EXPERIMENT.notes(results, Run(tmp_path, print)) == []
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "chronos.md",
        "chronos/measured.json",
        "chronos/low.svg",
        "chronos/single.svg",
        "chronos/harmonic-low.svg",
    ]
    for one, other in zip(written, again, strict=True):
        assert one.read_bytes() == other.read_bytes()
    for path in written[2:]:
        ElementTree.parse(path)
        assert f"](chronos/{path.name})" in written[0].read_text(encoding="utf-8")
