# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""result.json: exact, and in the documented shape; a comparison that would not be fair is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horolog.model import Baseline
from horolog.model.result import (
    CYCLES,
    INSTRUCTIONS,
    Candidate,
    Excess,
    Instructions,
    Interruptions,
    Interrupts,
    MemoryBytes,
    Response,
    Result,
    Rival,
    Side,
    compare_sides,
)
from horolog.model.result_json import to_json

COUNTS = st.integers(0, 10**12)
TIMES = st.integers(0, 10**13).map(lambda thousandths: Fraction(thousandths, 1000))
NS = TIMES.map(lambda ns: ns / 10**9)
EXCESSES = st.builds(Excess, st.text(), NS, NS)
RESPONSES = st.builds(Response, TIMES, TIMES, TIMES)


@st.composite
def instructions(draw: st.DrawFn) -> Instructions:
    by_function = draw(st.dictionaries(st.text(min_size=1), COUNTS, max_size=4))
    bodies, idle, retired = draw(COUNTS), draw(COUNTS), draw(st.none() | COUNTS)
    unit = INSTRUCTIONS if retired is None else CYCLES
    total = bodies + idle + sum(by_function.values())
    return Instructions(total, bodies, idle, by_function, unit, retired)


SIDES = st.builds(
    Side,
    mechanism=st.text(),
    jobs=COUNTS,
    deadline_misses=st.integers(0, 2),
    overruns=COUNTS,
    interrupts=st.builds(Interrupts, COUNTS, COUNTS, COUNTS),
    instructions=st.none() | instructions(),
    response=st.dictionaries(st.text(), RESPONSES, max_size=3),
    interruptions=st.none() | st.builds(Interruptions, COUNTS, st.none() | COUNTS),
)
CANDIDATES = st.builds(
    Candidate,
    mechanism=st.text(),
    chosen=st.booleans(),
    reason=st.text(),
    cells=st.lists(st.text()).map(tuple),
    interrupts=st.none() | COUNTS,
    required=st.none() | COUNTS,
    kernel_instructions=st.none() | TIMES,
    overhead_percent=st.none() | TIMES,
)


@st.composite
def results(draw: st.DrawFn) -> Result:
    freertos, basic = draw(st.none() | SIDES), draw(st.none() | SIDES)
    return Result(
        system=draw(st.text()),
        board=draw(st.text()),
        versions=draw(st.dictionaries(st.text(), st.text())),
        commands=tuple(draw(st.lists(st.text()))),
        window_s=draw(st.fractions(min_value=Fraction(1, 1000), max_denominator=1000)),
        horolog=draw(SIDES),
        freertos=freertos,
        alternatives=tuple(draw(st.lists(CANDIDATES, max_size=3))),
        not_compared=draw(st.none() | st.text()) if freertos is None else None,
        notes=tuple(draw(st.lists(st.text()))),
        warnings=tuple(draw(st.lists(st.text()))),
        basic=basic,
        no_basic=draw(st.none() | st.text()) if basic is None else None,
        exceeded=tuple(draw(st.lists(EXCESSES, max_size=2))),
    )


def side(**changes: object) -> Side:
    plain = Side(
        mechanism="chronos",
        jobs=10,
        deadline_misses=0,
        overruns=0,
        interrupts=Interrupts(8, 7, 1),
        instructions=Instructions(1000, 600, 370, {"b": 10, "a": 20}),
        response={"t": Response(Fraction(1), Fraction(7, 3), Fraction(4))},
        memory=MemoryBytes(4000, 300, 2048),
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def result() -> Result:
    return Result(
        system="demo",
        board="mps2-an385",
        versions={"z": "1", "a": "2"},
        commands=("horolog compare system.toml",),
        window_s=Fraction(2),
        horolog=side(),
        freertos=side(instructions=Instructions(1000, 600, 300, {"f": 100})),
        alternatives=(),
    )


@given(results())
def test_any_result_is_written_with_what_follows_from_it(one: Result) -> None:
    data = json.loads(to_json(one))
    assert set(data["horolog"]["response"]) == set(one.horolog.response)
    assert len(data["alternatives"]) == len(one.alternatives)
    assert (data["ratio"] is None) == (one.ratio is None)
    for name, side in (("horolog", one.horolog), ("freertos", one.freertos), ("basic", one.basic)):
        if side is None:
            assert data[name] is None
        elif side.instructions is not None:
            counted = data[name][side.unit]
            assert counted["kernel"] == sum(counted["by_function"].values())
            assert counted["total"] == sum(counted[part] for part in ("bodies", "idle", "kernel"))


def test_the_documented_keys_in_the_documented_order() -> None:
    data = json.loads(to_json(result()))
    assert list(data)[-14:] == [
        "basic",
        "ratio_basic",
        "ratio_basic_refused",
        "notes",
        "warnings",
        "wcet_exceeded",
        "caveat",
        "baselines",
        "strongest",
        "suggestions",
        "exception_cycles",
        "exceptions_refused",
        "ratio_exceptions",
        "ratio_basic_exceptions",
    ]
    assert list(data)[:10] == [
        "system",
        "board",
        "versions",
        "commands",
        "window_s",
        "deadlines",
        "horolog",
        "freertos",
        "alternatives",
        "ratio",
    ]
    assert list(data["horolog"]) == [
        "mechanism",
        "jobs",
        "deadline_misses",
        "overruns",
        "interrupts",
        "instructions",
        "kernel_per_job",
        "overhead_percent",
        "response",
        "cycles",
        "interruptions",
        "memory",
        "exceptions",
        "cells",
        "periods_rounded_percent",
    ]
    assert data["horolog"]["interrupts"] == {
        "predicted": 8,
        "taken": 7,
        "coalesced": 1,
        "excess": 0,
    }
    assert list(data["horolog"]["instructions"]) == [
        "total",
        "bodies",
        "idle",
        "kernel",
        "by_function",
    ]
    assert data["horolog"]["response"]["t"] == {"min_ns": 1, "mean_ns": 2.333, "max_ns": 4}
    assert data["horolog"]["kernel_per_job"] == 3
    assert data["horolog"]["memory"] == {
        "program": 4000,
        "variables": 300,
        "stacks": 2048,
        "tables": 0,
    }
    assert data["horolog"]["overhead_percent"] == 3
    assert data["ratio"] == 3.3333
    assert list(data["versions"]) == ["a", "z"]


def test_a_window_without_exact_decimals_stays_a_fraction() -> None:
    third = replace(result(), window_s=Fraction(1, 3))
    assert json.loads(to_json(third))["window_s"] == "1/3"
    assert json.loads(to_json(replace(third, window_s=Fraction(5, 2))))["window_s"] == 2.5


def test_uncounted_instructions_are_null() -> None:
    data = json.loads(to_json(replace(result(), horolog=side(instructions=None))))
    assert data["horolog"]["instructions"] is None
    assert data["horolog"]["overhead_percent"] is None
    assert data["ratio"] is None
    assert data["ratio_refused"] == "no instructions are counted on this board"


@pytest.mark.parametrize(
    ("horolog", "freertos", "reason"),
    [
        (side(), side(jobs=9), "jobs differ: Horolog 10, FreeRTOS 9"),
        (side(deadline_misses=2), side(), "Horolog missed 2 of 10 deadlines"),
        (side(), side(deadline_misses=1), "FreeRTOS missed 1 of 10 deadlines"),
        (
            side(),
            side(instructions=Instructions(1000, 601, 369, {"f": 30})),
            "task bodies differ: Horolog 600 instructions, FreeRTOS 601",
        ),
        (side(), side(instructions=None), "no instructions are counted on this board"),
        (
            side(instructions=Instructions(1000, 600, 400, {})),
            side(),
            "no kernel instruction was counted for Horolog",
        ),
    ],
)
def test_an_unfair_comparison_is_refused(horolog: Side, freertos: Side, reason: str) -> None:
    assert compare_sides(horolog, freertos) == (None, reason)


def test_the_ratio_is_freertos_kernel_for_horologs() -> None:
    theirs = side(instructions=Instructions(1000, 600, 355, {"f": 45}))
    assert compare_sides(side(), theirs) == (Fraction(3, 2), None)


def cycles(work: int, bodies: int = 600) -> Instructions:
    return Instructions(1000, bodies, 970 - bodies, {"f": 30}, CYCLES, work)


def test_cycles_are_compared_where_bodies_executed_the_same_instructions() -> None:
    """The cycles of bodies differ: after an interrupt the core's pipeline fills again."""
    assert compare_sides(side(instructions=cycles(400)), side(instructions=cycles(400, 610))) == (
        Fraction(1),
        None,
    )
    assert compare_sides(side(instructions=cycles(400)), side(instructions=cycles(401))) == (
        None,
        "task bodies differ: Horolog 400 instructions, FreeRTOS 401",
    )
    assert compare_sides(side(instructions=cycles(400)), side()) == (
        None,
        "Horolog's cycles were counted, FreeRTOS's instructions",
    )


def test_cycles_are_never_called_instructions() -> None:
    data = json.loads(to_json(replace(result(), horolog=side(instructions=cycles(400)))))
    assert data["horolog"]["instructions"] is None
    assert data["horolog"]["cycles"]["kernel"] == 30
    assert data["horolog"]["cycles"]["instructions_in_bodies"] == 400
    assert data["freertos"]["cycles"] is None
    with pytest.raises(ValueError, match="retired = 400 beside a count of instructions"):
        Instructions(1000, 600, 370, {"f": 30}, retired=400)
    assert Instructions(1000, 600, 370, {"f": 30}, CYCLES).work == 600  # of a firmware's own record


def test_basic_tasks_have_a_ratio_of_their_own() -> None:
    basic = side(instructions=Instructions(1000, 600, 390, {"f": 10}))
    both = replace(result(), basic=basic)
    assert both.ratio is not None
    assert both.ratio_basic == both.ratio * 3
    assert json.loads(to_json(both))["ratio_basic"] == 10
    late = replace(both, basic=replace(basic, deadline_misses=1))
    assert late.ratio_basic is None
    assert late.ratio_basic_refused == "Horolog missed 1 of 10 deadlines"
    assert late.ratio == both.ratio
    alone = replace(both, freertos=None)
    assert (alone.ratio_basic, alone.ratio_basic_refused) == (None, None)


def test_counts_that_do_not_add_up_are_a_bug_of_the_bench() -> None:
    with pytest.raises(ValueError, match="adds up to 5, the kernel executed 30"):
        Instructions(1000, 600, 370, {"a": 5})
    with pytest.raises(ValueError, match="exceed the total"):
        Instructions(1000, 900, 370, {})


def test_the_strongest_side_is_the_one_that_costs_least_and_may_be_compared() -> None:
    groups = Rival(Baseline.RATE_GROUP, side(instructions=Instructions(1000, 600, 340, {"f": 60})))
    fewest = side(instructions=Instructions(1000, 600, 390, {"f": 10}))
    rounded = Rival(Baseline.NOTIFY, replace(fewest, rounded=Fraction(1, 300)))
    basic = side(instructions=Instructions(1000, 600, 380, {"f": 20}))
    one = replace(result(), rivals=(groups, rounded), basic=basic)
    data = json.loads(to_json(one))
    assert data["strongest"] == {
        "baseline": "rate-group",
        "ratio": 2,
        "ratio_basic": 3,
        "ratio_exceptions": None,
        "ratio_basic_exceptions": None,
    }
    assert (data["ratio"], data["ratio_basic"]) == (3.3333, 5)  # the stock side's
    assert data["baselines"]["rate-group"]["side"]["instructions"]["kernel"] == 60
    assert data["baselines"]["rate-group"]["ratio"] == 2
    assert data["baselines"]["rate-group"]["ratio_refused"] is None
    other = data["baselines"]["notify"]
    assert (other["ratio"], other["ratio_basic"]) == (None, None)
    assert other["ratio_refused"] == "FreeRTOS rounds periods, by up to 0.33 %"
    assert other["side"]["periods_rounded_percent"] == 0.3333


def test_a_side_is_compared_that_rounds_periods_by_no_more_than_a_crystal_is_inexact() -> None:
    ours, theirs = side(), side(instructions=Instructions(1000, 600, 300, {"f": 100}))
    ratio, why = compare_sides(ours, replace(theirs, rounded=Fraction(1, 10_000)))
    assert (ratio, why) == (Fraction(100, 30), None)
    more = replace(theirs, rounded=Fraction(1, 9_999))
    assert compare_sides(ours, more) == (None, "FreeRTOS rounds periods, by up to 0.010 %")
    other = replace(theirs, rounded=Fraction(1, 20_000), jobs=11)
    assert compare_sides(ours, other) == (None, "jobs differ: Horolog 10, FreeRTOS 11")


def test_a_side_that_was_not_run_says_why() -> None:
    one = replace(result(), freertos=None, rivals=(Rival(Baseline.NOTIFY, None, "no cell"),))
    data = json.loads(to_json(one))
    assert data["strongest"] is None
    assert data["baselines"]["notify"] == {
        "side": None,
        "ratio": None,
        "ratio_basic": None,
        "ratio_refused": "no cell",
        "ratio_exceptions": None,
        "ratio_basic_exceptions": None,
    }


def test_a_run_that_does_not_hold_has_no_strongest_side() -> None:
    over = Excess("t", Fraction(2), Fraction(1))
    one = replace(result(), exceeded=(over,))
    assert json.loads(to_json(one))["strongest"] is None
