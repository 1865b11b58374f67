# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the bench tables says: targets, page, figures and data, of hand-made results."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from horolog_experiments.dispatch.figure import Timeline
from horolog_experiments.dispatch.memory import Piece
from horolog_experiments.dispatch.scenarios import FREERTOS, MAXPERF, OURS, PLATFORMS, Span
from horolog_experiments.dispatch.visits import Part, Spans, Visit
from horolog_experiments.harness import entries, result_object, write_evidence
from horolog_experiments.tables import DATA, EXPERIMENT, TARGETS, Results, tables_page
from horolog_experiments.tables.holds import HOST, Held
from horolog_experiments.tables.scenarios import (
    BUDGETS,
    FREERTOS_SIDES,
    KEEPING,
    TABLES,
    Monitor,
    can_monitor,
    keeping_name,
    table_name,
)
from horolog_experiments.tables.schedules import (
    ACTIVATIONS,
    CELLS,
    CELLS_FOLLOWED,
    CELLS_ONCE,
    STORE,
)
from horolog_experiments.tables.sync import CASES, Following

ISSUE = [
    *(("<=", limit) for limit in (25, 30, 35)),  # dispatch
    *(("<=", limit) for limit in (62, 67, 72)),  # the same, interrupted code divides
    *(("<=", limit) for limit in (20, 25, 30)),  # termination
    ("<=", 16),  # a budget
    *(("<=", limit) for limit in (18, 0, 18)),  # multiplexed
    *(("<=", limit) for limit in (110, 110)),  # thread to thread
    (">=", 1.0),
    *(("<=", limit) for limit in (60, 20, 12)),  # a schedule table
    *(("==", 0) for _ in range(4)),  # interrupts and drift
    *(("<=", limit) for limit in (8, 856)),
    *(("<=", 75) for _ in range(2)),  # synchronisation
]


def _cost(name: str, span: Span) -> int:
    """What a scenario takes: more with division, with a budget, and at the end of a monitored job."""
    cost = 19 + (35 if "div" in name else 0) + (6 if "budget" in name else 0)
    cost += (7 if "keeping" in name else 0) + (8 if "keeping-budget" in name else 0)
    if span is Span.END:
        cost = 17 + {"none": 0, "own": 7, "one": 64}.get(name.rpartition("-")[2], 0)
    return cost


def _results() -> Results:
    spans, parts = {}, {}
    for platform in PLATFORMS:
        tables = (*TABLES, *BUDGETS, *KEEPING)
        ours = [image.system for image in tables if can_monitor(platform, image.monitor)]
        for kernel, images in (
            (OURS, [*ours, *(image.system for image in ACTIVATIONS)]),
            (FREERTOS, FREERTOS_SIDES),
        ):
            for image in images:
                for span in image.spans:
                    cost = _cost(image.name, span) * (1 if kernel == OURS else 15)
                    spans[platform.name, kernel, image.name, span] = Spans(10, 5, cost, 100, 7)
                    made_of = Part("before it", 2), Part("serve", cost - 2)
                    parts[platform.name, kernel, image.name, span] = made_of
    ram = Piece("kernel", "ram", "words", 8, "line.c")
    rom = Piece("kernel", "rom", "serve", 900, "line.c")
    start = Piece("start-up", "rom", "reset", 700, "startup.S")
    return Results(
        spans=spans,
        parts=parts,
        plans={("ibex-cells", TABLES[0].name): "periodic none, 1 task"},
        refused={("mps2-an385", TABLES[1].name): "no cell"},
        rates={(MAXPERF.name, "rate"): 48},
        memory={
            ("ibex-cells", "minimal-own"): (ram, rom, start),
            ("ibex-cells", "minimal-one"): (ram, ram, ram, rom, start),
            ("mps2-an385", "minimal-one"): (ram, ram, rom, start),
            ("mps2-an385", FREERTOS): (ram, rom, start),
        },
        calls={
            (MAXPERF.name, counter, call): Spans(10, cost, cost, 10 * cost)
            for counter, cost in (("software", 90), ("clock", 600), (FREERTOS, 1100))
            for call in ("start", "state", "stop")
        }
        | {
            (MAXPERF.name, by, call): Spans(10, cost, cost, 10 * cost)
            for by, more in ((CELLS, 0), (CELLS_ONCE, 5), (CELLS_FOLLOWED, 4))
            for call, cost in (("start", 58 + more), ("state", 11), ("stop", 20), (STORE, 5))
        },
        held={
            (HOST, "held"): Held(1_000_000, 3_000_000, 3_000_000, 0, 0, 0),
            (HOST, "missed"): Held(1000, 3000, 3000, 1000, 0, 0),
            (MAXPERF.name, "held"): Held(10_000, 30_000, 30_000, 0, 0, 19),
        },
        timelines={
            "held": Timeline(
                0, 2003, ("idle", "first", "second", "third"), (Visit(1, 10, 20),), ((1, 9),)
            ),
        },
        following={
            (ppm, given): Following(((0, -2000), (50_000, -40)), 40_000 if given else None, 55, 900)
            for ppm, given in CASES
        },
        dispatched={
            (ppm, given): Following(((0, -2000), (50_000, -30)), 30_000 if given else None, 45, 800)
            for ppm, given in CASES
        },
        freertos="V11.2.0",
        toolchain="a compiler",
    )


def test_all_targets_of_the_issue() -> None:
    found = entries(TARGETS, _results())
    assert [(one["sense"], one["target"]) for one in found] == ISSUE
    assert [one["measured"] for one in found] == [
        *(19, 19, 19, 54, 54, 54, 17, 24, 24),
        14,
        *(0, 0, 7),
        *(19, 17),
        1.042,
        *(63, 20, 5),
        *(0, 0, 0, 0),
        *(16, 900),
        *(55, 45),
    ]
    assert [one["met"] for one in found] == [
        *[True] * 10,
        *(True, True, True),
        *(True, True, True),
        *(False, True, True),
        *[True] * 4,
        *(False, False),
        *(True, True),
    ]


def test_a_miss_says_why() -> None:
    found = {one["name"]: one for one in entries(TARGETS, _results())}
    ram = found["kernel RAM of the minimal time-triggered application, start-up apart"]
    assert ram[
        "reason"
    ] == "8 on ibex-cells, of that `words` 8; 16 on mps2-an385, of that " + ", ".join(
        ["`words` 8"] * 2
    )
    start = found["start of a schedule table with its status, control cell, cycles, ibex maxperf"]
    assert start["reason"].startswith("of a table of 8 points in timer cells, ")
    assert "software counter: 90 cycles" in start["reason"]


def test_interrupts_that_are_there_are_seen() -> None:
    results = _results()
    worse = {**results.held, (HOST, "held"): Held(1_000_000, 3_000_000, 3_000_000, 2, 1, 0)}
    found = [one for one in entries(TARGETS, replace(results, held=worse)) if one["sense"] == "=="]
    assert [one["measured"] for one in found] == [2, 0, 1, 0]
    assert [one["met"] for one in found] == [False, True, False, True]
    assert "of 1,000 rounds misses, 1,000 interrupts" in found[0]["reason"]


def test_a_table_that_does_not_converge_is_seen() -> None:
    results = _results()
    lost = replace(results.following[200, True], settled=None, worst=2000)
    worse = {**results.following, (200, True): lost}
    for at, found in (
        (-2, entries(TARGETS, replace(results, following=worse))),
        (-1, entries(TARGETS, replace(results, dispatched=worse))),
    ):
        assert [one["met"] for one in found[-2:]].count(False) == 1
        assert (found[at]["measured"], found[at]["met"]) == (2000, False)
        assert "+200 ppm: 2000 in 900 rounds, never converged" in found[at]["reason"]


def test_nothing_measured_is_nothing_met() -> None:
    found = entries(TARGETS, Results(spans={}))
    assert len(found) == len(ISSUE)
    assert not any(one["met"] for one in found)
    assert all(one["measured"] is None for one in found)


def test_the_data_come_back() -> None:
    results = _results()
    assert DATA.read(DATA.text(results)) == results


def test_the_page_begins_with_the_targets_and_shows_all() -> None:
    page = tables_page(_results())
    assert page.index("## Targets") < page.index("## What is counted")
    for text in (
        "| the idle loop | 1 | 1 | a cell for each task | 26 | 120 | 19 (5, 10) | 285 (5, 10) |",
        "| TriCore TC1796 | SLOTH ON TIME, one task, one deadline | kernel | 856 | 8 |",
        # 285 + 255 less 19 + 17, less 19 + 24; a timer's 285 + 255
        "| ibex-cells, maxperf | cycles | FreeRTOS, tick | 504 | 497 | 540 |",
        "| mps2-an385 | instructions | FreeRTOS, notified | 504 | 440 | 540 |",  # by one cell for all
        "| ibex-cells, maxperf | 48 cycles | 1,041.7 |",
        "| start_relative | clock | 108 | 1,104 | 600 | 1,100 |",
        "| host port, virtual time | each holds | 1,000,000 | 3,000,000 | 0 | 0 | 0 |",
        "| schedule | +200 | every 10 ms | 1.6 ms | 55 | 900 |",
        "| dispatcher | +200 | every 10 ms | 1.2 ms | 45 | 800 |",
        "| dispatcher | -200 | never |  |  |  |",
        "refused: no cell",
        "(tables/figure6.svg)",
        "(tables/figure5.svg)",
        "[held.vcd](tables/held.vcd)",
    ):
        assert text in page, text
    assert page.index("## Table I:") < page.index("## Table II") < page.index("## Table III")


def test_narrow_figures_stand_beside_the_worst() -> None:
    """The job for which a budget has most to do, and the table that has most cells, are the targets'."""
    results = _results()
    found = {one["name"]: one for one in entries(TARGETS, results)}
    budget = found["a budget adds, start + end"]
    costs = "changes all registers that calls keep, and may take a resource: the idle loop 14 + 0, "
    assert costs in budget["note"]
    assert "changes none, and takes none: the idle loop 6 + 0, " in budget["note"]
    start = next(one for name, one in found.items() if name.startswith("start of a schedule table"))
    for words in ("cells: 58 cycles", "cells, run once: 63 cycles", "cells, followed: 62 cycles"):
        assert words in start["reason"], words
    narrow = {key: one for key, one in results.spans.items() if "keeping" not in key[2]}
    (only,) = (
        one["measured"]
        for one in entries(TARGETS, replace(results, spans=narrow))
        if one["name"] == budget["name"]
    )
    assert only == 6
    one = keeping_name("thread", budget=True)
    worse = {**results.spans, (MAXPERF.name, OURS, one, Span.END): Spans(10, 1, 39, 10)}
    assert entries(TARGETS, replace(results, spans=worse))[9]["measured"] == 36  # 14 + 39 - 17


def test_deadlines_by_one_cell_are_no_rows_of_the_target() -> None:
    results = _results()
    key = MAXPERF.name, OURS, table_name("idle", 1, Monitor.ONE), Span.END
    worse = {**results.spans, key: Spans(10, 1, 999, 10, 7)}
    found = entries(TARGETS, replace(results, spans=worse))
    assert max(one["measured"] or 0 for one in found[:9]) < 999


def test_result_json_has_rows_with_units() -> None:
    made = result_object(EXPERIMENT, _results())
    assert made["bench"] == "tables"
    assert made["rows"]
    assert all(row["unit"] for row in made["rows"])
    kinds = {row["what"] for row in made["rows"]}
    assert kinds >= {"deadlines of many rounds", "call of a schedule table", "global time"}
    json.dumps(made)


def test_evidence_is_written_with_figures_and_twice_the_same(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    page = tmp_path / "tables.md"
    written = write_evidence(EXPERIMENT, _results(), page)
    names = {path.name for path in written}
    assert names == {"tables.md", "measured.json", "figure5.svg", "figure6.svg", "held.vcd"}
    before = {path: path.read_bytes() for path in written}
    assert {
        path: path.read_bytes() for path in write_evidence(EXPERIMENT, _results(), page)
    } == before
    figure = (tmp_path / "tables" / "figure6.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(figure)
    assert "deadlines that hold" in figure
    assert figure.count('stroke="#c4302b"') == 1  # the deadline's cross
