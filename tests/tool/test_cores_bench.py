# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `cores`: marks, figures, targets and page; FreeRTOS's images; a case on the board of one core."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.build.freertos import freertos_source
from horolog.image import read_image
from horolog.model import HorologError
from horolog_experiments.cores import EXPERIMENT, measure_cores
from horolog_experiments.cores.cases import (
    FREERTOS,
    GLOBAL,
    MILLION,
    MODEL,
    OURS,
    PINNED,
    START_UP,
    WINDOW,
    Case,
    cases,
    quick_cases,
)
from horolog_experiments.cores.locks import GIVEN, GOT, POLL, given, waiting_loops
from horolog_experiments.cores.marks import (
    Mark,
    figures,
    read_marks,
    read_requests,
    read_traffic,
    traffic_figures,
)
from horolog_experiments.cores.page import cores_page, result_rows
from horolog_experiments.cores.plots import FIGURES
from horolog_experiments.cores.results import DATA, Results, Row
from horolog_experiments.cores.run import build_images
from horolog_experiments.cores.targets import jobs, scheduler, turns, wake
from horolog_experiments.cores.task_sets import MS
from horolog_experiments.harness import entries, result_object

ROOT = Path(__file__).resolve().parents[2]
TRAFFIC = """\
cycles 500
core 0 instructions 300
core 0 shared 20 4 1
core 0 locks 10 0 0
core 1 shared 30 6 1
core 1 locks 0 0 0
"""


SLICES = {"ends": 78, "least": 19, "most": 20}


def switched(case: Case, each: int) -> Row:
    """A row in which each core does so many."""
    found = figures(case, [Mark(START_UP, core, "turn") for core in range(case.cores)] * each)
    return Row(case, found | traffic_figures(case, {}))


def spread(case: Case, *values: int) -> Row:
    return Row(
        case,
        {
            "samples": len(values),
            "least": min(values),
            "total": sum(values),
            "worst": max(values),
            "shared_accesses": 0,
        },
    )


def worked(cores: int, kernel: int) -> Row:
    """A row in which a core does a hundred jobs, one of them with so many cycles of the kernel."""
    found = {"jobs": 100 * cores, "kernel": 9_000 * (cores - 1) + kernel}
    return Row(jobs(cores), {**found, "worst_jobs": 100, "worst_kernel": kernel, "late": 0})


def locked(cores: int, worst: int, bound: int, form: str = MODEL) -> Row:
    """A row in which a core has waited so long for the lock."""
    found = {
        "samples": 2,
        "least": 3,
        "total": 5 + worst,
        "worst": worst,
        "wait": bound,
        "held": 90,
    }
    held = {"held_samples": 2, "held_total": 100, "held_worst": 80, "passed_worst": 9}
    return Row(Case("lock", OURS, form, cores), found | held)


def made(*rows: Row) -> Results:
    return Results(rows, "tools", "V11.2.0")


def test_marks_of_all_cores_stand_in_one_order() -> None:
    texts = ["10 irq\n12 mark 0x80\n30 mark 0x84\n", "11 trap 3\n12 mark 0x84\n"]
    found = read_marks(texts, {0x80: "give", 0x84: "woken"})
    assert found == [Mark(12, 0, "give"), Mark(12, 1, "woken"), Mark(30, 0, "woken")]


def test_what_comes_before_the_window_does_not_count() -> None:
    case = Case("switches", FREERTOS, PINNED, 2)
    cycles = [(START_UP - 1, 0), (START_UP, 0), (START_UP + 5, 1), (START_UP + 9, 1)]
    found = figures(case, [Mark(*one, "turn") for one in cycles])
    assert found == {"switches": 3, "least": 1, "most": 2}
    assert traffic_figures(case, read_traffic(TRAFFIC)) == {
        **{"shared_accesses": 50, "shared_waits": 10, "locks_accesses": 10, "locks_waits": 0},
    }


def test_a_wake_up_goes_from_the_give_to_what_follows_the_take() -> None:
    case = Case("wake", FREERTOS, PINNED, 2)
    marks = [Mark(START_UP + at, core, name) for at, core, name in (
        (0, 1, "woken"), (10, 0, "give"), (510, 1, "woken"), (900, 0, "give"), (1500, 1, "woken"),
    )]  # fmt: skip
    found = figures(case, marks)
    assert [found[name] for name in ("samples", "least", "total", "worst")] == [2, 500, 1100, 600]
    assert spread(case, 500, 600).mean == Fraction(550)


def test_an_instant_lasts_from_the_first_core_to_the_last() -> None:
    case = Case("instant", FREERTOS, PINNED, 2)
    cycles = [(1000, 0), (1217, 1), (100_990, 1), (101_000, 0)]
    marks = [Mark(START_UP + at, core, "instant") for at, core in cycles]
    found = figures(case, marks)
    assert [found[name] for name in ("samples", "least", "worst")] == [2, 10, 217]
    texts = [
        "60900 expiry 65\n60950 trap 11\n160950 expiry 65\n",
        "60902 expiry 65\n160951 expiry 65\n",
    ]
    found = figures(case, marks, read_requests(texts))
    assert [found[name] for name in ("first", "last", "requests_apart")] == [40, 317, 2]
    assert read_requests(["9 trap 7\n", "11 mark 0x80\n"]) == [[9], []]


def test_an_instant_that_no_timer_asked_for_is_an_error() -> None:
    marks = [Mark(START_UP + 1000, 0, "instant")]
    with pytest.raises(HorologError, match="did not do"):
        figures(Case("instant", OURS, MODEL, 1), marks, [[START_UP + 2000]])


def test_a_slice_has_ended_where_another_thread_follows() -> None:
    case = Case("share", OURS, MODEL, 2)
    names = ["one", "one", "other", "one"]
    marks = [Mark(START_UP + at, core, name) for core in (0, 1) for at, name in enumerate(names)]
    marks.append(Mark(START_UP + 9, 1, "other"))
    found = figures(case, marks)
    assert [found[name] for name in ("ends", "least", "most")] == [5, 2, 3]


def test_a_core_waits_for_a_lock_from_its_first_question_on() -> None:
    text = """
80000aa4:	40052683          	lw	a3,1024(a0)
80000aa8:	4158              	lw	a4,4(a0)
80000aaa:	fee69fe3          	bne	a3,a4,80000aa8 <take+0x8>
80000aae:	8082              	ret
80000ab0:	fee69fe3          	bne	a3,a4,80000aa8 <take+0x8>
"""
    assert list(waiting_loops(text)) == [(0x80000AA8, 0x80000AAE)]
    marks = [Mark(START_UP + at, core, name) for at, core, name in (
        (0, 0, GOT), (10, 0, POLL), (11, 1, POLL), (15, 0, GOT), (16, 1, POLL), (37, 0, GIVEN), (40, 1, GOT),
        (41, 0, GIVEN), (48, 1, GIVEN), (60, 0, POLL), (64, 0, GOT), (70, 0, GIVEN),
    )]  # fmt: skip
    found = figures(Case("lock", OURS, MODEL, 2), marks)
    assert [found[name] for name in ("samples", "least", "worst")] == [3, 4, 29]
    assert [found[f"held_{name}"] for name in ("samples", "least", "worst")] == [3, 6, 22]
    assert [found[f"passed_{name}"] for name in ("samples", "worst")] == [1, 3]


def test_a_lock_is_given_where_its_served_ticket_is_counted_up() -> None:
    text = """
80000ab2:	400507b7          	lui	a5,0x40050
80000ab6:	4047a783          	lw	a5,1028(a5) # 40050404 <x>
80000aba:	4007a783          	lw	a5,1024(a5)
"""
    assert list(given(text)) == [0x80000AB6]


@pytest.mark.parametrize("what", ["lock", "share", "switches", "wake", "instant"])
def test_a_core_that_does_not_take_part_is_an_error(what: str) -> None:
    with pytest.raises(HorologError, match="did not do what it is there for"):
        figures(Case(what, FREERTOS, PINNED, 2), [Mark(START_UP, 0, "turn")])


def test_a_second_token_before_the_first_is_taken_is_an_error() -> None:
    marks = [Mark(START_UP, 0, "give"), Mark(START_UP + 9, 0, "give")]
    with pytest.raises(HorologError, match="did not do"):
        figures(Case("wake", FREERTOS, PINNED, 2), marks)


def test_targets_follow_from_the_rows() -> None:
    results = made(
        switched(scheduler(MODEL, 1), 100),
        switched(scheduler(MODEL, 2), 99),
        switched(scheduler(MODEL, 8), 98),
        switched(scheduler("unified_ns", 2), 50),
        switched(turns(OURS, 4), 30),
        switched(turns(FREERTOS, 4), 9),
        switched(Case("switches", FREERTOS, GLOBAL, 4, 2), 10),
        spread(wake(OURS), 180, 200),
        spread(wake(FREERTOS), 760, 800),
        spread(Case("wake", FREERTOS, GLOBAL, 2), 690, 710),
        worked(1, 10_000),
        worked(4, 10_300),
        locked(8, 300, 400),
    )
    found = [one["measured"] for one in entries(EXPERIMENT.targets, results)]
    assert found == [0.98, 1.98, None, None, 200, 3.684, 3, 0.75, 0.75, 1.03]


def test_without_our_side_nothing_is_met_and_nothing_is_made_up() -> None:
    found = entries(EXPERIMENT.targets, made(switched(turns(FREERTOS, 4), 9)))
    assert {(one["measured"], one["met"], one["state"]) for one in found} == {
        (None, False, "pending")
    }


def test_cases_have_images_of_their_own() -> None:
    by_image: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for case in cases():
        by_image.setdefault((case.side, case.image), set()).add((case.scenario, *case.defines))
    assert {len(one) for one in by_image.values()} == {1}
    assert {case.cores for case in quick_cases()} == {1, 2}
    assert {case.cycles - START_UP for case in cases()} == {WINDOW, MILLION, MILLION + 2 * MS}


def test_the_page_has_a_row_for_what_was_measured() -> None:
    results = made(
        switched(Case("switches", FREERTOS, PINNED, 1, 2), 1588),
        switched(Case("switches", FREERTOS, PINNED, 2, 2), 597),
        spread(wake(FREERTOS), 700, 701),
    )
    slices = Row(Case("share", OURS, MODEL, 4), SLICES)
    instant = spread(Case("instant", OURS, MODEL, 1), 0, 0)
    timed = replace(
        instant, figures={**instant.figures, "first": 80, "last": 81, "requests_apart": 0}
    )
    locks = [locked(4, 295, 400), locked(4, 300, 600, GLOBAL)]
    page = cores_page(made(*results.rows, slices, timed, worked(2, 9_500), *locks))
    assert "| N = 4 | 2 | 50 | 80 | 90 | 9 | 150 | 295 | 400 | 0.89 | 0.74 |" in page
    assert (
        "| N = 4, threads that any core may run | 2 | 50 | 80 | 90 | 9 | 152.5 | 300 | 600 |"
        in page
    )
    assert "| Horolog, 1+N, N = 1 | 0 | 0 | 0 | 80 | 81 | 2 |" in page
    assert "| N = 2 | 200 | 92.5 | 95 | 0 |" in page
    assert "| 1+N | 19 to 20 |" in page
    assert "| FreeRTOS, tasks with a core | 6,352 (157) | 2,388 (419) |  |  |" in page
    assert "| FreeRTOS, tasks with a core, N = 2 | 700.5 | 700 | 701 | 2 |" in page
    assert [row["cores"] for row in result_rows(results)] == [1, 2, 2]
    assert DATA.read(DATA.text(results)) == results
    assert result_object(EXPERIMENT, results)["freertos"] == "V11.2.0"


def test_the_committed_page_is_made_from_the_committed_data() -> None:
    folder = ROOT / "docs" / "evidence"
    results = DATA.read((folder / "cores" / "measured.json").read_text(encoding="utf-8"))
    assert cores_page(results) == (folder / "cores.md").read_text(encoding="utf-8")
    assert {path.stem for path in (folder / "cores").glob("*.svg")} == {*FIGURES}


def test_no_wait_for_the_lock_was_longer_than_its_bound() -> None:
    data = ROOT / "docs" / "evidence" / "cores" / "measured.json"
    rows = [
        row for row in DATA.read(data.read_text(encoding="utf-8")).rows if row.case.what == "lock"
    ]
    assert len(rows) >= 5
    for row in rows:
        assert row.figures["worst"] <= row.figures["wait"], row.case
        assert row.case.busy or row.figures["held_worst"] <= row.figures["held"], row.case


needs_freertos = pytest.mark.skipif(freertos_source() is None, reason="no source of FreeRTOS")


@needs_freertos
def test_what_the_port_has_is_private_and_what_the_kernel_has_is_shared(tmp_path: Path) -> None:
    source = freertos_source()
    assert source is not None
    pinned, free = (Case("wake", FREERTOS, form, 8, busy=True) for form in (PINNED, GLOBAL))
    build_images([pinned, free], source, tmp_path)
    for case in (pinned, free):
        at = read_image(tmp_path / f"{case.image}.elf").symbols
        own = ("pxPortCurrentTCB", "ulPortHeld", "xCriticalNesting", "ullNextTime")
        assert {at[name] >> 16 for name in own} == {0x9000}
        assert at["pxCurrentTCBs"] >> 28 == 0xA
        assert at["bench_stacks"] == (0x91010000 if case is pinned else 0xA0300000)
        assert {"bench_mark_give", "bench_mark_woken"} <= {*at}


@needs_freertos
def test_a_case_is_measured_once(tmp_path: Path) -> None:
    told: list[str] = []
    chosen = [Case("switches", FREERTOS, PINNED, 1, 2), scheduler(MODEL, 1)]
    first = measure_cores(tmp_path, told.append, chosen)
    assert "1 of 2: freertos_switches_pinned_x1_t2" in told
    theirs, ours = (first.rate(case) for case in chosen)
    assert theirs is not None
    assert ours is not None
    assert ours > theirs
    told.clear()
    assert measure_cores(tmp_path, told.append, chosen) == first
    assert [text for text in told if " of " in text and text[0].isdigit()] == []
