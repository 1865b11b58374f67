# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `releases`: how logs are judged, bounds of headers, the page. Its runs: test_releases.py."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.model import HorologError, Mode
from horolog.read import read_board
from horolog_experiments.harness import entries
from horolog_experiments.releases import DATA, EXPERIMENT, Releases, releases_page
from horolog_experiments.releases.boards import kind_of
from horolog_experiments.releases.bounds import bound_counts, bound_text
from horolog_experiments.releases.cases import BENCHES, cases
from horolog_experiments.releases.judged import Judged, Nominal, Time, judged, seen_of
from horolog_experiments.releases.nrf_rtc import measure_model
from horolog_experiments.releases.plans import Line, by_lines, instants
from horolog_experiments.releases.results import Row

ROOT = Path(__file__).resolve().parents[2]
CYCLES = Time(Fraction(1000), 100, count_bits=8, quiet=Fraction(1, 10))
"""Ten steps a count; the log has 8 bits of it."""
BY_ENTRIES = replace(CYCLES, requests=False)
FEW = 2


def log(*lines: str) -> list[list[str]]:
    return [line.split() for line in lines]


def test_a_request_at_another_count_is_off_and_one_that_lacks() -> None:
    seen = seen_of(
        log(
            *("500 C 0", "2500 Q 7 200", "2512 I 1", "5500 Q 7 245", "5512 I 1"),  # 500 is 244
            *("9500 Q 7 132", "9520 I 1", "9999 Q 8 0"),  # 900 is 132
        )
    )
    found = judged(seen, Nominal([200, 500, 700, 900], 7, 1), CYCLES, Fraction(FEW))
    assert found == Judged(4, 4, 2, Fraction(1), 2, 0, Fraction(2), 0)


def test_an_entry_behind_the_bound_is_late_if_the_processor_was_idle() -> None:
    lines = ("0 C 0", "2000 Q 7 200", "2021 I 1", "4000 Q 7 144", "4021 I 1")
    nominal = Nominal([200, 400], 7, 1)
    assert judged(seen_of(log(*lines)), nominal, CYCLES, Fraction(FEW)).late == 2
    busy = (*lines[:3], "3950 S 0", *lines[3:])  # a job is open
    assert judged(seen_of(log(*busy)), nominal, CYCLES, Fraction(FEW)).late == 1
    before = (*lines[:3], "3920 S 0", "3930 E 0", *lines[3:])  # less than 100 steps ago
    assert judged(seen_of(log(*before)), nominal, CYCLES, Fraction(FEW)).late == 1
    other = (*lines[:4], "4005 I 2", lines[4])  # another handler went first
    assert judged(seen_of(log(*other)), nominal, CYCLES, Fraction(FEW)).late == 1


def test_what_is_for_no_instant_is_no_release() -> None:
    hops = log("0 C 0", "1500 Q 7 150", "2000 Q 7 200", "2010 I 1", "3000 Q 7 44")
    found = judged(seen_of(hops), Nominal([200], 7, 1), CYCLES, Fraction(FEW))
    assert (found.releases, found.off, found.others) == (1, 0, 2)


@pytest.mark.parametrize(
    ("entry", "off", "late"),
    [(2000, 0, 0), (1995, 0, 0), (2010, 0, 0), (2011, 1, 0), (1985, 1, 0), (2021, 1, 1)],
)
def test_by_entries_a_count_and_a_step_away_is_off(entry: int, off: int, late: int) -> None:
    found = judged(
        seen_of(log("0 C 0", f"{entry} I 1")), Nominal([200], None, 1), BY_ENTRIES, Fraction(FEW)
    )
    assert (found.releases, found.off, found.late) == (1, off, late)


def test_by_entries_only_those_that_found_the_processor_idle_are_judged() -> None:
    lines = ("0 C 0", "1950 S 0", "2015 E 0", "2030 I 1", "4000 I 1")
    found = judged(seen_of(log(*lines)), Nominal([200, 400], None, 1), BY_ENTRIES, Fraction(FEW))
    assert (found.instants, found.releases, found.off) == (2, 1, 0)


def test_an_entry_that_never_comes_is_off() -> None:
    found = judged(
        seen_of(log("0 C 0", "2000 I 1")), Nominal([200, 400], None, 1), BY_ENTRIES, Fraction(FEW)
    )
    assert (found.releases, found.off) == (2, 1)


def test_instants_are_rounded_down_from_the_exact_ones() -> None:
    board = read_board("mps2-an385")
    hz, start = board.clock.hz, board.start_counts
    line = Line("timer0", Mode.PERIODIC, Fraction(1, 3_000_000), (Fraction(1, hz * 2),))
    assert instants(line, board, Fraction(30, hz)) == [start + n for n in (0, 8, 17, 25)]
    _, plan = by_lines(board, [line], Fraction(30, hz))
    (releaser,) = plan.releasers
    assert releaser.counts == Fraction(25, 3)
    assert releaser.origin == Fraction(1, 2)


def test_each_cell_works_in_each_of_its_modes(tmp_path: Path) -> None:
    for bench in BENCHES:
        board = bench.make(tmp_path / bench.name)
        wanted = {(c.name, m) for c in board.cells[: bench.cells] for m in c.modes}
        spread = [one for one in cases(bench, board, quick=False) if one.name.startswith("spread")]
        assert {(line.cell, line.mode) for one in spread for line in one.lines} == wanted


def test_each_kind_of_cell_meets_the_wrap_in_each_of_its_modes(tmp_path: Path) -> None:
    kinds: set[tuple[str, int]] = set()
    for bench in (one for one in BENCHES if one.wraps):
        board = bench.make(tmp_path / bench.name)
        cells = board.cells[: bench.cells]
        wanted = {(c.device, c.width, kind_of(c), m) for c in cells for m in c.modes}
        wraps = [one for one in cases(bench, board, quick=False) if one.name.startswith("wrap")]
        found = {
            (cell.device, cell.width, kind_of(cell), line.mode)
            for one in wraps
            for line in one.lines
            for cell in (board.cell(line.cell),)
        }
        assert found == wanted, bench.name
        assert all(one.duration * board.clock.hz > 2**32 for one in wraps)
        kinds |= {(device, width) for device, width, _, _ in found}
    assert len(kinds) == 14, sorted(kinds)


def devices() -> list[str]:
    """Drivers that start or arm a cell by themselves."""
    return sorted(
        header.parent.name
        for header in (ROOT / "ports" / "cell").glob("*/hrlp_*.h")
        if header.stem == f"hrlp_{header.parent.name.replace('-', '_')}"
        and not header.parent.name.startswith("own-")  # those of a core's own number
        and "_start_periodic(" in header.read_text(encoding="utf-8")
    )


def test_each_driver_says_how_late_its_handler_may_enter() -> None:
    assert len(devices()) == 13
    for device in devices():
        assert set(bound_text(device)) <= {"COUNTS", "CYCLES"}
    board = read_board("arduino-uno")
    said = bound_text("avr-timer16")
    by_64 = bound_counts("avr-timer16", board.with_prescaler(64))
    assert by_64 == said["COUNTS"] + Fraction(said["CYCLES"], 64)
    with pytest.raises(HorologError, match="driver systick-clock does not say how late"):
        bound_text("systick-clock")


def row(device: str, mode: str, found: Judged, board: str = "a") -> Row:
    return Row(board, "odd 1", "c", device, 32, "", mode, True, Fraction(FEW), 1, 2, 0, found)


def made(releases: int = 100_000, off: int = 0, late: int = 0) -> Releases:
    fine = Judged(100_000, 100_000, 0, Fraction(0), 9, 0, Fraction(1), 0)
    other = replace(fine, releases=releases, off=off, late=late)
    rows = (row("x", "periodic", fine), row("x", "one-shot", other))
    return Releases(rows, "tools", False, {"a": "commit"})


def test_the_target_wants_each_device_in_each_mode_and_none_off() -> None:
    (target,) = entries(EXPERIMENT.targets, made())
    assert (target["measured"], target["met"]) == (0, True)
    (target,) = entries(EXPERIMENT.targets, made(off=2, late=1))
    assert (target["measured"], target["met"]) == (3, False)
    (target,) = entries(EXPERIMENT.targets, made(releases=99_999))
    assert (target["measured"], target["met"]) == (0, False)
    assert "fewer than 100,000 of x one-shot: 99,999" in target["reason"]


def test_a_board_that_is_measured_again_takes_its_own_place() -> None:
    old = made(off=5)
    other = replace(
        old, rows=tuple(replace(one, board="b") for one in old.rows), sources={"b": "2"}
    )
    both = old.with_boards_of(other)
    assert both.with_boards_of(replace(made(), sources={"a": "3"})).sources == {"a": "3", "b": "2"}
    assert sum(one.off for one in both.rows) == 10
    assert sum(one.off for one in both.with_boards_of(made()).rows) == 5
    assert DATA.read(DATA.text(both)) == both


def test_the_driver_without_an_emulator_over_its_model(tmp_path: Path) -> None:
    rows = measure_model(tmp_path, 2000)
    assert [(one.mode, one.releases, one.off, one.late) for one in rows] == [
        ("periodic", 2000, 0, 0),
        ("one-shot", 2000, 0, 0),
    ]


def test_the_committed_page_is_made_from_the_committed_data() -> None:
    folder = ROOT / "docs" / "evidence"
    text = (folder / "releases" / "measured.json").read_text(encoding="utf-8")
    results = DATA.read(text)
    assert DATA.text(results) == text
    assert releases_page(results) == (folder / "releases.md").read_text(encoding="utf-8")
    assert {one.name for one in BENCHES} <= results.sources.keys()
