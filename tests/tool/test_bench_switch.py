# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `switch`: targets and page, without running anything."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from horolog.image import Image
from horolog_experiments.harness import entries, result_object
from horolog_experiments.kernel import Spans
from horolog_experiments.switch import (
    CLOCKS,
    DATA,
    EXPERIMENT,
    Measured,
    Switches,
    switch_page,
    watch_text,
)

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = ROOT / "docs" / "evidence" / "switch.md"
BOARD = "mps2-an385"


def whole(model: str, total: int, called: str = "scheduler_1", board: str = BOARD) -> Measured:
    """A loop of 20,000 switches in so many instructions."""
    return Measured(board, f"{model}_{called}_whole", Spans(1, total, total, total))


def made(**totals: int) -> Switches:
    """Loops of the three models that the targets compare, and conversions that cost 30."""
    found = [
        whole(model, total, called)
        for called in ("scheduler_1", "yield_1", "yield_2")
        for model, total in totals.items()
    ]
    found.append(Measured(BOARD, "tick_scheduler_1_each", Spans(1000, 26, 99, 26_073)))
    for hz in CLOCKS:
        for to in ("ns", "counts"):
            found.append(Measured(BOARD, f"convert_{hz}_{to}", Spans(62, 20, 30, 1800)))
    return Switches(tuple(found), "compiler, emulator", None)


def test_a_rate_counts_interrupts_and_a_cost_does_not() -> None:
    switches = made(tick=600_000, unified_ns=2_000_000, one_plus_n=640_000)
    assert switches.rate(BOARD, "tick", "scheduler_1") == Fraction(100_000, 3)
    assert switches.instructions(BOARD, "tick", "scheduler_1") == 26
    assert switches.instructions(BOARD, "freertos", "scheduler_1") is None


def test_targets_are_the_issues() -> None:
    targets = entries(
        EXPERIMENT.targets, made(tick=600_000, unified_ns=2_000_000, one_plus_n=640_000)
    )
    assert [(one["sense"], one["target"]) for one in targets] == [
        (">=", 1.4),
        (">=", 0.9),
        ("<=", 35),
        ("<=", 70),
    ]
    assert [one["measured"] for one in targets] == [3.125, 0.938, 30, 30]
    assert all(one["met"] and "note" in one for one in targets)


def test_the_worse_board_counts_and_a_miss_has_a_reason() -> None:
    one = made(tick=600_000, unified_ns=2_000_000, one_plus_n=640_000)
    slow = [
        whole(model, total, called, "mps2-an386")
        for called in ("scheduler_1", "yield_1", "yield_2")
        for model, total in (("tick", 600_000), ("unified_ns", 700_000), ("one_plus_n", 700_000))
    ]
    targets = entries(EXPERIMENT.targets, Switches((*one.measured, *slow), "", None))
    assert [target["met"] for target in targets] == [False, False, True, True]
    assert targets[0]["measured"] == 1
    assert "mps2-an386" in targets[1]["reason"]


def test_what_is_written_is_read_again() -> None:
    switches = made(tick=1, unified_ns=2, one_plus_n=3)
    assert DATA.read(DATA.text(switches)) == switches


def test_rows_name_what_was_measured() -> None:
    rows = result_object(EXPERIMENT, made(tick=600_000, unified_ns=2_000_000, one_plus_n=640_000))[
        "rows"
    ]
    assert rows[0]["what"] == "tick: the scheduler, by one ready thread"
    assert rows[0]["instructions"] == 26
    assert rows[0]["switches_per_million"] == 33_333.333
    assert len(rows) == 1 + 2 * len(CLOCKS)


def test_the_plugin_watches_the_marks() -> None:
    symbols = {"bench_mark_start": 0x10, "bench_mark_stop": 0x20, "bench_mark_done": 0x30}
    text = watch_text(Image(Path("x.elf"), (), symbols, {}, None), Path("/o"))
    assert text.splitlines() == ["out /o", "done 0x30", "stop 0x20", "start 0x10"]


def test_the_page_is_that_of_its_data() -> None:
    data = EVIDENCE.parent / "switch" / "measured.json"
    assert switch_page(DATA.read(data.read_text())) == EVIDENCE.read_text()
