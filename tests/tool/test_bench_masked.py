# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `masked`: reader, targets and page, without running anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.bench.masked import (
    Masked,
    Window,
    masked_from,
    masked_object,
    masked_page,
    masked_targets,
    masked_text,
    read_windows,
    watch_text,
)
from horolog.model import HorologError
from horolog.run.image import Function, Image

ROOT = Path(__file__).resolve().parents[2]

IMAGE = Image(
    Path("x.elf"),
    (Function("give", 0x100, 0x140, "kernel"), Function("TIMER0_Handler", 0x140, 0x180, "kernel")),
    {
        "bench_mark_call_sleep": 0x20,
        "bench_mark_call_give": 0x30,
        "bench_mark_done": 0x40,
        "hrlp_idle_loop": 0x200,
        "TIMER0_Handler": 0x140,
        "TIMER1_Handler": 0x300,
        "DUALTIMER_Handler": 0x400,
    },
    {"hrlp_idle_loop": 32},
    None,
)


def made(*longest: int) -> Masked:
    """The longest windows of one call with 10 and 1,500 sleepers."""
    windows = [
        Window(n, "sleep", 7, length, "TIMER1_Handler")
        for n, length in zip((10, 1500), longest, strict=True)
    ]
    return Masked((*windows, Window(1500, "give", 9, 30, "give")), "board", "compiler")


def test_windows_are_named_by_call_and_place() -> None:
    # Calls are numbered as they are handed over: by name.
    assert watch_text(IMAGE, Path("/o")).splitlines() == [
        "out /o",
        "done 0x40",
        "idle 0x200 0x220",
        "call 0x30",
        "call 0x20",
        "handler 0x300",
        "handler 0x400",
    ]
    text = "call 0 5 11 264\ncall 1 6 158 320\ndone\n"
    assert read_windows(text, IMAGE, 10) == [
        Window(10, "give", 5, 11, "give"),
        Window(10, "sleep", 6, 158, "TIMER0_Handler"),
    ]
    with pytest.raises(HorologError, match="did not come to its end"):
        read_windows("call 0 5 11 264\n", IMAGE, 10)


def test_targets_follow_from_the_windows() -> None:
    growth, longest = masked_targets(made(100, 105))
    assert (growth["name"], growth["target"], growth["sense"]) == (
        "longest interrupts-off window, n = 1,500 against n = 10",
        1.05,
        "<=",
    )
    assert (growth["measured"], growth["met"]) == (1.05, True)
    assert (longest["name"], longest["target"], longest["sense"]) == (
        "longest interrupts-off window, any call",
        120,
        "<=",
    )
    assert (longest["measured"], longest["met"]) == (105, True)
    assert "reason" not in growth
    assert "reason" not in longest


def test_what_is_missed_says_where() -> None:
    growth, longest = masked_targets(made(100, 200))
    assert (growth["measured"], growth["met"]) == (2, False)
    assert growth["reason"] == "200 instructions against 100"
    assert not longest["met"]
    assert "TIMER1_Handler, during sleep with 1,500 sleepers" in longest["reason"]
    assert "the longest is 30" in longest["reason"]


def test_a_part_of_the_numbers_has_no_growth() -> None:
    part = Masked((Window(10, "give", 9, 30, "give"),), "board", "compiler")
    growth, longest = masked_targets(part)
    assert (growth["measured"], growth["met"]) == (None, False)
    assert longest["met"]
    assert masked_object(part)["rows"][0]["longest"] == 30


def test_the_committed_page_is_made_from_the_committed_data() -> None:
    folder = ROOT / "docs" / "evidence"
    text = (folder / "masked" / "measured.json").read_text()
    masked = masked_from(text)
    assert masked_text(masked) == text
    assert masked_page(masked) == (folder / "masked.md").read_text()
