# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the bench dispatch says: targets, page and data, of hand-made results."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.chronos_results import made_results, made_row

from horolog_experiments.chronos import Point, Variant
from horolog_experiments.dispatch import (
    DATA,
    EXPERIMENT,
    Results,
    dispatch_page,
)
from horolog_experiments.dispatch.elsewhere import beside
from horolog_experiments.dispatch.figure import (
    Interruptions,
    Timeline,
)
from horolog_experiments.dispatch.memory import Piece
from horolog_experiments.dispatch.results import Chronos, Engine
from horolog_experiments.dispatch.scenarios import (
    FREERTOS,
    FREERTOS_IMAGES,
    MAXPERF,
    OURS,
    PLATFORMS,
    SMALL,
    SYSTEMS,
)
from horolog_experiments.dispatch.visits import (
    Part,
    Spans,
    Visit,
)
from horolog_experiments.harness import entries, result_object, write_evidence


def _results(cost: int = 20) -> Results:
    spans, parts = {}, {}
    for platform in PLATFORMS:
        for kernel, images, each in (
            (OURS, SYSTEMS, cost),
            (FREERTOS, FREERTOS_IMAGES, 15 * cost),
        ):
            for image in images:
                for span in image.spans:
                    more = 37 if "div" in image.name or "wide" in image.name else 0
                    one = Spans(10, each - 2, each + more, 10 * each, 7)
                    spans[platform.name, kernel, image.name, span] = one
                    made_of = Part("before it", 2), Part("serve", one.worst - 2)
                    parts[platform.name, kernel, image.name, span] = made_of
    kernel_ram = Piece("kernel", "ram", "words", 8, "line.c")
    kernel_rom = Piece("kernel", "rom", "serve", 500, "line.c")
    start = Piece("start-up", "rom", "reset", 900, "startup.S")
    return Results(
        spans=spans,
        parts=parts,
        plans={("ibex-cells", "idle-basic"): "periodic none, 1 task"},
        rates={(MAXPERF.name, OURS): 40, (MAXPERF.name, "tick"): 500},
        interruptions={
            (platform.name, image): Interruptions(20, count, 100 * count, 100)
            for platform in PLATFORMS
            for image, count in (("figure-lines", 0), ("figure-one-cell", 40), ("figure", 80))
        },
        timelines={
            "figure-lines": Timeline(0, 100, ("idle", "high"), (Visit(1, 10, 20),), ((1, 9),))
        },
        memory={
            (board, kernel): (kernel_ram, kernel_rom, start)
            for board in ("ibex-cells", "mps2-an385")
            for kernel in (OURS, FREERTOS)
        },
        engine=Engine("a plan", 14_000, Fraction(37, 2), Fraction(110), Fraction(540)),
        chronos=tuple(
            Chronos(
                *(scenario, factor, variant, "a plan", 100, kernel, theirs),
                tickless=Fraction(450) if theirs else None,
                gcd_tick=Fraction(750, 2) if theirs else None,
            )
            for scenario in ("low", "single")
            for factor in (1, 15)
            for variant in ("continuous", "five releases")
            for kernel, theirs in [(2_000, 60_000) if scenario == "low" else (2_400, 0)]
        ),
        chronos_freertos="somewhere",
        freertos="V11.2.0",
        toolchain="a compiler",
    )


def test_all_targets_of_the_issue() -> None:
    found = entries(EXPERIMENT.targets, _results())
    assert [(one["sense"], one["target"]) for one in found] == [
        *(("<=", limit) for limit in (25, 35, 62, 68, 34, 52)),  # a basic task's start
        *(("<=", limit) for limit in (20, 28, 20, 28, 34, 52)),  # its end
        *(("<=", limit) for limit in (110, 200)),  # a thread's start
        ("<=", 25),
        ("<=", 25),
        (">=", 20),
        ("<=", 20),
        ("==", 0),
        ("<=", 8),
        ("<=", 600),
    ]
    assert [one["measured"] for one in found] == [
        *(20, 20, 57, 57, 57, 57),
        *(20, 20, 57, 57, 57, 57),
        *(20, 57),
        *(24, 24, 30.0, 18.5, 0, 8, 500),
    ]
    assert [one["name"] for one in found if not one["met"]] == [
        "expiry to first instruction of a basic task, nesting on, a frame of all registers, cycles, "
        "ibex maxperf",
        "expiry to first instruction of a basic task, nesting on, a frame of all registers, cycles, "
        "ibex small",
        "end of basic task to resumed code, interrupted code with division, cycles, ibex maxperf",
        "end of basic task to resumed code, interrupted code with division, cycles, ibex small",
        "end of basic task to resumed code, a frame of all registers, cycles, ibex maxperf",
        "end of basic task to resumed code, a frame of all registers, cycles, ibex small",
    ]
    for one in found[14:17]:
        assert "points of `horolog bench chronos`" in one["note"]
    beside = "; against tickless FreeRTOS 22.50; against FreeRTOS with a tick at the gcd 18.75; "
    assert beside in next(one["note"] for one in found if one["measured"] == 30.0)


def test_a_miss_says_why() -> None:
    results = _results(cost=30)
    found = entries(EXPERIMENT.targets, replace(results, chronos=(), engine=None))
    assert [one["met"] for one in (*found[:2], *found[6:8], found[12])] == [
        *(False, True, False, False, True)
    ]
    assert "idle to basic: 30" in found[0]["reason"]
    assert "idle to basic is made of 2 before it, 28 `serve`" in found[0]["reason"]
    assert found[16]["measured"] is None
    assert "not measured" in found[16]["reason"]
    late = replace(results.chronos[0], kernel=0, theirs=0, said="deadlines are missed")
    (target,) = [
        one
        for one in entries(
            EXPERIMENT.targets, replace(results, chronos=(late, *results.chronos[1:]))
        )
        if one["name"].startswith("kernel instructions per job")
    ]
    assert "low not counted: deadlines are missed" in target["note"]


def test_what_the_tool_refuses_stands_as_a_reason() -> None:
    results = _results()
    spans = {key: one for key, one in results.spans.items() if key[0] != MAXPERF.name}
    refused = {("ibex-cells", name): "no such lines" for name in ("idle-basic", "minimal")}
    less = replace(results, spans=spans, refused=refused)
    found = entries(EXPERIMENT.targets, less)
    assert (found[0]["measured"], found[0]["reason"]) == (None, "not measured: no such lines")
    assert found[1]["met"]
    assert "not on ibex-cells: no such lines" in found[-1]["note"]
    assert "refused: no such lines" in dispatch_page(less)
    assert DATA.read(DATA.text(less)) == less


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ({}, {}, ""),
        ({"misses": 1}, {}, "deadlines are missed"),
        ({"state": "overloaded"}, {}, "deadlines are missed"),
        ({"state": "refused", "said": "no table"}, {}, "no table"),
        ({"bodies": 5}, {}, "other work than FreeRTOS's: 100 jobs of 5 instructions"),
        ({"bodies": 5}, {"misses": 1}, ""),
    ],
)
def test_when_a_point_of_chronos_counts(
    ours: dict[str, object], theirs: dict[str, object], said: str
) -> None:
    point = Point("low", 2, Variant.CONTINUOUS, "basic")
    row = replace(made_row(point), **ours)  # type: ignore[arg-type]
    other = replace(made_row(replace(point, method="freertos")), **theirs)  # type: ignore[arg-type]
    tickless = made_row(replace(point, method="tickless"))
    late = made_row(replace(point, method="gcd-tick"), misses=1)
    made = beside(row, replace(made_results(), rows=(other, tickless, late)))
    assert made.said.startswith(said)
    assert bool(made.kernel) == (not said)
    assert made.theirs == (0 if said or theirs else other.kernel)
    assert made.tickless == (None if said else 500)
    assert made.gcd_tick is None


def test_a_disturbed_urgent_task_is_seen() -> None:
    results = _results()
    disturbed = {
        **results.interruptions,
        (SMALL.name, "figure-lines"): Interruptions(20, 3, 90, 30),
    }
    found = entries(EXPERIMENT.targets, replace(results, interruptions=disturbed))
    (one,) = [one for one in found if one["name"].startswith("interruptions")]
    assert (one["measured"], one["met"]) == (3, False)


def test_the_data_come_back() -> None:
    results = _results()
    assert DATA.read(DATA.text(results)) == results
    empty = Results(spans={})
    assert DATA.read(DATA.text(empty)) == empty


def test_the_data_do_not_depend_on_what_was_built_first() -> None:
    results = replace(_results(), refused={("ibex-cells", "b"): "no", ("ibex-cells", "a"): "no"})
    results = replace(results, plans={**results.plans, ("ibex-cells", "basic-basic"): "periodic"})
    backwards = replace(
        results,
        plans=dict(reversed([*results.plans.items()])),
        refused=dict(reversed([*results.refused.items()])),
    )
    assert DATA.text(backwards) == DATA.text(results)


def test_the_page_begins_with_the_targets_and_shows_all() -> None:
    page = dispatch_page(_results())
    assert (
        page.index("## Targets")
        < page.index("## What is counted")
        < page.index("## ibex-cells, maxperf")
    )
    assert (
        "| idle to basic | 14 | 2,344 | 120 | 20 (18, 20) | 300 (298, 300) | 300 (298, 300) | 15, 15 |"
        in page
    )
    assert "| thread to thread | 77 | 2,400 |" in page
    assert (
        "| mean against tickless FreeRTOS | mean against FreeRTOS with a tick at the gcd |" in page
    )
    assert "| low | continuous | 20 | 20 | 2 of 2 | 2 | 30 | 30.0 | 30 | 22.5 | 18.8 |" in page
    assert "`serve` 500 (rom, line.c)" in page
    assert "1,250" in page  # kHz of 40 cycles
    assert "engine-control" in page
    assert dispatch_page(Results(spans={}))  # of a run without anything


def test_result_json_has_rows_with_units() -> None:
    made = json.loads(json.dumps(result_object(EXPERIMENT, _results())))
    assert made["bench"] == "dispatch"
    assert {row["unit"] for row in made["rows"]} == {"cycles", "instructions", "bytes"}
    assert all("platform" in row and "what" in row for row in made["rows"])


def test_evidence_is_written_twice_the_same(tmp_path: Path) -> None:
    paths = write_evidence(EXPERIMENT, _results(), tmp_path / "dispatch.md")
    first = {path: path.read_bytes() for path in paths}
    write_evidence(
        EXPERIMENT,
        DATA.read((tmp_path / "dispatch" / "measured.json").read_text()),
        tmp_path / "dispatch.md",
    )
    assert {path: path.read_bytes() for path in paths} == first
    assert {path.name for path in paths} == {
        "dispatch.md",
        "measured.json",
        "figure7.svg",
        "figure-lines.vcd",
    }
