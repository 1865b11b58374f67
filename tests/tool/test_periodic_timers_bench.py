# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `periodic-timers`: logs, programs, targets and page; and some of the paper's cells, run anew."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.model import HorologError
from horolog.read import read_system
from horolog_experiments.harness import entries, result_object
from horolog_experiments.periodic_timers import (
    DATA,
    EXPERIMENT,
    Results,
    periodic_timers_page,
)
from horolog_experiments.periodic_timers.choices import measure_choice
from horolog_experiments.periodic_timers.described import Job, described_text
from horolog_experiments.periodic_timers.figures import error_curve
from horolog_experiments.periodic_timers.machine import (
    Interrupt,
    Log,
    Pulse,
    Visit,
    parts,
    pulses,
    ran,
    read_interrupts,
    read_pins,
    read_visits,
)
from horolog_experiments.periodic_timers.measure import handlings, measure_intervals
from horolog_experiments.periodic_timers.ours import (
    ALARM,
    HOROLOG,
    PLAN,
    RELEASES,
    TASK_PLAN,
    by_release,
    handler_cycles,
    instants_of,
    slice_of,
    ten_intervals,
)
from horolog_experiments.periodic_timers.paper import INTERVALS_US, PERIODIC, SINGLE_SHOT
from horolog_experiments.periodic_timers.programs import (
    FAST,
    IDEA,
    PUBLISHED,
    SLOW,
    Program,
    built,
    interval_program,
    tick_hz,
)
from horolog_experiments.periodic_timers.results import (
    Choice,
    Engine,
    Handling,
    Instants,
    Intervals,
    Lamp,
    Size,
    Spread,
    Threads,
    spread_of,
)
from horolog_experiments.periodic_timers.turning import lamp_of, turns

ROOT = Path(__file__).resolve().parents[2]
needs_avr = pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="avr-gcc is not installed")


def test_logs_are_read() -> None:
    """Those nested in others stand before these in the file."""
    text = "13 145 149 164 2\n12 126 130 171 1\n26 300 304 0 1\n"
    found = read_interrupts(text)
    assert found == (Interrupt(12, 126, 171), Interrupt(13, 145, 164), Interrupt(26, 300, 0))
    assert [one.cycles for one in found[:2]] == [45, 19]
    pins = read_pins("10 A7 1\n12 B0 1\n15 B0 0\n20 A7 0\n40 A7 1\n41 B0 1\n")
    log = Log(((5, 1), (7, 2), (9, 1)), found, pins)
    assert log.at(1) == [5, 9]
    assert log.over == list(found[:2])
    assert pulses(log, "B0") == [Pulse(12, 3)]
    assert turns(log) == [10, 20]


def test_what_runs_between_two_cycles() -> None:
    text = "10 + 1 0x40\n19 - 1 0x48\n24 + 2 0x60\n29 - 2 0x62\n30 + 1 0x44\n89 - 1 0x46\n95 end\n"
    visits = read_visits(text, {1: "serve", 2: "insert"})
    assert visits == (Visit("serve", 10, 20), Visit("insert", 24, 30), Visit("serve", 30, 90))
    log = Log((), (), (), visits)
    assert parts(log, 8, 40) == [("", 6), ("serve", 20), ("insert", 6)]


def test_spreads() -> None:
    found = spread_of([1, 3])
    assert found == Spread(2, 4, 10, 1, 3)
    assert (found.mean, found.deviation) == (Fraction(2), 1.0)


def test_every_fifth_interrupt_releases() -> None:
    """With the light of each; without a light, or without counting, there is less."""
    interrupts = tuple(
        Interrupt(26, 100 * n, 100 * n + (90 if n % 5 == 4 else 10)) for n in range(10)
    )
    lights = [(one.entered + at, "B0", at % 2) for one in interrupts for at in (1, 4)]
    log = Log((), interrupts, tuple(lights))
    ten, ninety, three = spread_of([10] * 8), spread_of([90] * 2), spread_of([3])
    assert handlings("x", PERIODIC, log, releases_every=5) == [
        Handling("x", PERIODIC, False, ten, Spread(8, 24, 72, 3, 3)),
        Handling("x", PERIODIC, True, ninety, Spread(2, 6, 18, 3, 3)),
    ]
    one = Log((), interrupts[:1], ())
    assert handlings("x", SINGLE_SHOT, one, releases_every=1) == [
        Handling("x", SINGLE_SHOT, True, spread_of([10]), None)
    ]
    assert three.mean == 3


def test_turns_are_kept_by_their_runs() -> None:
    changes = tuple((cycle, "A7", 0) for cycle in (0, 5, 10, 22, 27))
    lamp = lamp_of("x", PERIODIC, 50, Log((), (), changes))
    assert lamp == Lamp("x", PERIODIC, 50, spread_of([5, 5, 12, 5]), ((2, 5), (1, 12), (1, 5)))


@pytest.mark.parametrize(
    ("edition", "clock_hz", "period_us", "hz"),
    [
        (PUBLISHED, 28_800, 100, 7_200),
        (PUBLISHED, 28_800, 1_000, 7_200),
        (PUBLISHED, 28_800, 10_000, 100),
        (IDEA, 7_200, 100, 7_200),
        (IDEA, 28_800, 1_000, 1_000),
        (IDEA, 28_800, 10_000_000, 1),
        (IDEA, 115_200, 10_000_000, 2),
    ],
)
def test_how_often_the_periodic_timer_interrupts(
    edition: str, clock_hz: int, period_us: int, hz: int
) -> None:
    assert tick_hz(edition, clock_hz, period_us) == hz


def test_targets_are_the_issues() -> None:
    found = {one["name"]: one for one in entries(EXPERIMENT.targets, Results())}
    limits = {name: (one["sense"], one["target"]) for name, one in found.items()}
    assert limits["interrupt that counts only, 8 MHz"] == ("<=", 75)
    assert limits["Table 4, six threads, worst"] == ("<=", 800)
    assert all(not one["met"] and one["reason"] for one in found.values())


def measured(**more: object) -> dict[str, object]:
    """What the targets of our side find, by name."""
    return {one["name"]: one["measured"] for one in entries(EXPERIMENT.targets, Results(**more))}  # type: ignore[arg-type]


def test_releases_are_judged_by_their_nominal_instants() -> None:
    """Of each combination the side that keeps the instant; the latest handler of these counts."""
    instants = (
        Instants(HOROLOG, PERIODIC, 7_200, 1_000, "", Fraction(-1, 2), 300),
        Instants(HOROLOG, SINGLE_SHOT, 7_200, 1_000, "", Fraction(1), None),
        Instants(ALARM, SINGLE_SHOT, 7_200, 1_000, "", Fraction(0), 250),
    )
    found = list(measured(instants=instants).values())
    assert found[:2] == [0, 300]
    assert list(measured(instants=instants[:2]).values())[:2] == [1, 300]


@pytest.mark.parametrize(
    ("clock_hz", "period_us", "counts"),
    [
        (7_200, 1_000, 0),  # 7.2 counts
        (28_800, 10_000, 288),
        (115_200, 1_000_000, 28_800),
        (115_200, 10_000_000, 32_000),
        (125_000, 40, 0),  # 5 counts
    ],
)
def test_a_periodic_cell_interrupts_as_seldom_as_it_can(
    clock_hz: int, period_us: int, counts: int
) -> None:
    assert slice_of(clock_hz, period_us) == counts


def test_targets_of_what_is_beside_the_paper() -> None:
    threads = (
        Threads(f"{HOROLOG}, {PERIODIC}", 6, spread_of([200, 300]), "a list"),
        Threads(PLAN, 6, spread_of([100, 500]), "masks"),
    )
    lamps = (
        Lamp(ALARM, PERIODIC, 50, spread_of([0, 4]), ()),
        Lamp(PLAN, "", 0, spread_of([0, 2]), ()),
    )
    engine = (Engine("threads", "masks", 10, Fraction(100), Fraction(350)),)
    sizes = (Size(HOROLOG, 190, 3_000), Size("FreeRTOS", 358, 6_000))
    found = measured(threads=threads, lamps=lamps, engine=engine, sizes=sizes)
    assert found["Table 4, six threads, average"] == 250
    assert found["Table 4, six threads, worst"] == 300
    assert found["ROM of the same, FreeRTOS's / ours"] == 2
    assert found["the same, basic"] is None
    assert list(found.values()).count(0.5) == 1, "the plan's deviation is half of the other"
    assert list(found.values()).count(3.5) == 1


def test_a_miss_says_what_it_is_made_of() -> None:
    taken = spread_of([200, 900])
    one = Threads(HOROLOG, 6, taken, "", least=(("serve", 200),), most=(("", 8), ("serve", 892)))
    size = Size(HOROLOG, 290, 5_000, (("walk", 100),), (("worker", 48),))
    results = Results(threads=(one,), sizes=(size,))
    said = [str(target.find(results).said) for target in EXPERIMENT.targets]
    for words in ("task, is made of 200 `serve`", "it is made of 8 entry, 892 `serve`"):
        assert [words in one for one in said].count(True) == 1
    for words in ("largest: 48 `worker`", "largest: 100 `walk`"):
        assert [words in one for one in said].count(True) == 1


def test_the_instant_of_a_release_is_that_of_its_interrupt() -> None:
    """1 ms at 8 MHz: 8,000 cycles. A hop before the release, and a handler that waited, change nothing."""
    interrupts, marks = [], []
    for k in range(RELEASES + 1):
        interrupts += [Interrupt(12, 8_000 * k, 0), Interrupt(14, 8_000 * k + 5, 0)]
        marks.append((8_000 * k + (90 if k == 3 else 50), 1))
    log = Log(tuple(marks), tuple(interrupts), ())
    assert instants_of(log, FAST, 125_000, 1_000) == (Fraction(0), 90)
    missing = Log(tuple(marks[:-1]), tuple(interrupts), ())
    assert instants_of(missing, FAST, 125_000, 1_000) == (Fraction(125), 90)
    assert instants_of(Log((), (), ()), FAST, 125_000, 1_000) == (Fraction(125 * 1_001), None)


def test_a_handler_ends_where_it_switches() -> None:
    interrupts = (Interrupt(12, 100, 200), Interrupt(12, 300, 900))
    switches = (Visit("hrlp_avr_switch", 250, 260), Visit("hrlp_avr_switch", 400, 450))
    log = Log((), interrupts, (), switches)
    assert handler_cycles(log, interrupts) == [100, 100]


def test_descriptions_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    jobs = [Job(10_000, "bench_nothing"), Job(30_000, "bench_nothing", 2)]
    path.write_text(described_text("x", SLOW, 28_800, jobs, 3))
    system = read_system(path)
    assert (system.board.name, system.board.clock.hz) == ("atmega128", 28_800)
    assert [task.priority for task in system.tasks] == [1, 2]
    path.write_text(described_text("x", FAST, 125_000, jobs, 1))
    assert read_system(path).board.name == "atmega128-8mhz"


def test_a_description_leaves_the_prescaler_to_the_plan(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(described_text("x", SLOW, None, [Job(10_000, "bench_nothing")], 1))
    assert len(read_system(path).board.clock.prescalers) == 5


def test_interrupts_that_release_and_others() -> None:
    """Those before the first mark are the start's; the last one may have a mark that is not in the log."""
    interrupts = tuple(Interrupt(12, at, at + 40) for at in (100, 200, 300, 400, 500))
    log = Log(((130, 1), (330, 1), (430, 1)), interrupts, ())
    assert by_release(log) == {False: [(40, 200)], True: [(40, 300), (40, 400)]}
    assert ten_intervals(log) is None
    marks = tuple((at, 1) for at in (0, *range(15, 126, 10)))
    assert ten_intervals(Log(marks, (), ())) == spread_of([10] * 10), "from the second mark on"


def test_what_is_refused_says_why(tmp_path: Path) -> None:
    """0.72 counts; and a thread that takes more than its period."""
    short = measure_choice(TASK_PLAN, 7_200, 100, tmp_path)
    assert "too short" in short.refused
    assert "0.72 counts" in short.refused
    busy = measure_choice(PLAN, 28_800, 100, tmp_path)
    assert "of the processor" in busy.refused


def test_the_page_shows_what_the_tool_chooses() -> None:
    ten, some = spread_of([73_728] * 10), spread_of([212, 215])
    chosen = Choice(
        TASK_PLAN, 28_800, 10_000, 256, "periodic 10 ms, none", ten, Fraction(0), 136, some
    )
    own = Choice(
        TASK_PLAN, None, 10_000, 64, "periodic 10 ms, none", ten, Fraction(0), 136, some, ten
    )
    refused = Choice(PLAN, 28_800, 10_000, refused="too short")
    never = Choice(PLAN, None, 10_000, refused="too long")
    handled = (
        Choice(PLAN, 125_000, 5_000, 64, "one-shot, a list", releasing=some),
        Choice(TASK_PLAN, None, 5_000, 8, "one-shot, a list", releasing=some),
    )
    lists = Intervals("x", PERIODIC, 28_800, 10_000, ten)
    page = periodic_timers_page(
        Results(intervals=(lists,), choices=(chosen, refused, own, never), handled=handled)
    )
    lines = page.splitlines()
    assert "| 28,800 Hz | 10,000 | refused | 212 to 215 |" in lines
    assert (
        "| 10,000 | Horolog, task, planned | 115,200 Hz, by 64 | periodic 10 ms, none | 10,000 (0 %) "
        "| 0 / 136 | 212 to 215 (73,728) |"
    ) in lines
    assert (
        "| the plan's choice | releases the alarm | - | - | - | 212 to 215; one-shot, a list |"
        in page
    )
    assert "| 212 to 215; one-shot, a list; 1,000,000 Hz |" in page
    assert "| Horolog, planned, 10,000 us at any timer clock | too long |" in lines
    rows = result_object(EXPERIMENT, Results(choices=(chosen, refused), handled=handled))["rows"]
    assert [row["timer_hz"] for row in rows] == [28_800, 125_000, 1_000_000]


def test_an_error_stands_over_its_own_period() -> None:
    """Sides that cannot have the shortest periods have no point there; plans are of either mode."""
    ten = spread_of([737_280] * 10)
    results = Results(
        intervals=(Intervals(HOROLOG, PERIODIC, 28_800, 100_000, ten),),
        choices=(
            Choice(PLAN, 28_800, 100, refused="too short"),
            Choice(PLAN, 28_800, 100_000, 256, "one-shot, sorted-list", ten),
            Choice(PLAN, None, 100_000, 64, "one-shot, sorted-list", ten),
        ),
    )
    exact = {100_000: 1e-5}
    assert error_curve(results, HOROLOG, PERIODIC, 28_800) == exact
    assert error_curve(results, HOROLOG, SINGLE_SHOT, 28_800) == {}
    assert error_curve(results, PLAN, SINGLE_SHOT, 28_800) == exact


def test_results_without_anything_have_a_page() -> None:
    page = periodic_timers_page(Results(toolchain="avr-gcc 0"))
    assert page.startswith("# Periodic or single-shot?\n")
    assert "Figures 10 and 11" not in page
    assert result_object(EXPERIMENT, Results())["rows"] == []


def test_the_committed_page_is_made_from_the_committed_data() -> None:
    folder = ROOT / "docs" / "evidence"
    text = (folder / "periodic-timers" / "measured.json").read_text(encoding="utf-8")
    results = DATA.read(text)
    assert DATA.text(results) == text
    page = (folder / "periodic-timers.md").read_text(encoding="utf-8")
    assert periodic_timers_page(results) == page


def test_the_committed_figures_come_out_to_a_microsecond() -> None:
    """Table 1 of the paper, all of it: by the compare register, frequencies, and what the code takes."""
    results = DATA.read(
        (ROOT / "docs/evidence/periodic-timers/measured.json").read_text(encoding="utf-8")
    )
    table_1 = [one for one in results.intervals if (one.side, one.mode) == (PUBLISHED, PERIODIC)]
    assert len(table_1) == 18
    periods = dict.fromkeys(one.period_us for one in table_1)
    for one in table_1:
        paper = INTERVALS_US[PERIODIC, one.clock_hz][list(periods).index(one.period_us)]
        assert abs(one.cycles.mean * 1_000_000 / SLOW.hz - paper) < 1


@needs_avr
def test_the_papers_programs_run(tmp_path: Path) -> None:
    """Two cells as published: a count too much, and one that is lost before the timer is set."""
    for mode, counts in ((PERIODIC, 289), (SINGLE_SHOT, 290)):
        found = measure_intervals(PUBLISHED, mode, 28_800, 10_000, tmp_path)
        assert found.cycles.most == counts * 256, mode


@needs_avr
def test_what_is_planned_runs(tmp_path: Path) -> None:
    """Also where the run's end finds the processor busy, as it often is with periods of 100 us."""
    found = measure_choice(TASK_PLAN, 28_800, 100, tmp_path)
    assert (found.prescaler, found.refused) == (256, "")
    assert found.plan.startswith("periodic 0.1 ms")
    assert found.off == 0
    assert found.releasing is not None
    assert found.counting is None


@needs_avr
def test_what_fails_says_so(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="does not compile"):
        built(Program("nothing", FAST, ("paper/nothing.c",)), tmp_path)
    elf = built(interval_program(IDEA, PERIODIC, 7_200, 1_000), tmp_path)
    with pytest.raises(HorologError, match=r"the bench's program .* failed"):
        ran(elf, SLOW, cycles=1_000_000)
