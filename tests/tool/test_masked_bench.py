# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `masked`: reader, targets and page; and a small part of it on the emulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.image import Function, Image
from horolog.model import HorologError
from horolog_experiments.harness import entries, result_object
from horolog_experiments.masked import (
    DATA,
    EXPERIMENT,
    Masked,
    Release,
    Window,
    masked_page,
)
from horolog_experiments.masked.services import windows_from
from horolog_experiments.masked.watching import read_windows, watch_text

ROOT = Path(__file__).resolve().parents[2]

IMAGE = Image(
    Path("x.elf"),
    (Function("give", 0x100, 0x140, "kernel"), Function("TIMER1_Handler", 0x140, 0x180, "kernel")),
    {"hrlp_idle_loop": 0x200},
    {"hrlp_idle_loop": 32},
    None,
)


def made(*longest: int, handler: int = 20, release: int = 40) -> Masked:
    """The longest windows of one call with 10 and 1,500 sleepers, of a handler and of a releaser."""
    windows = [
        Window(n, "sleep", 7, length, "hrli_wait", False)
        for n, length in zip((10, 1500), longest, strict=False)
    ]
    windows.append(Window(10, "event", 9, handler, "TIMER1_Handler", True))
    releases = (Release("thread", "tick", "calendar", 3, release, "TIMER0_Handler"),)
    return Masked(tuple(windows), releases, "board", "compiler")


def test_windows_are_named_by_call_and_place() -> None:
    assert watch_text(IMAGE, ["done 0x40", "call 0x30"], Path("/o")).splitlines() == [
        "out /o",
        "idle 0x200 0x220",
        "done 0x40",
        "call 0x30",
    ]
    found = read_windows("call 0 5 11 264\ncall 1 6 158 320\ndone\n", IMAGE)
    assert found == [(5, 11, "give"), (6, 158, "TIMER1_Handler")]
    assert windows_from(found, ["give", "sleep"], 10) == [
        Window(10, "give", 5, 11, "give", False),
        Window(10, "sleep", 6, 158, "TIMER1_Handler", True),
    ]
    with pytest.raises(HorologError, match="did not come to its end"):
        read_windows("call 0 5 11 264\n", IMAGE)


def test_targets_follow_from_the_windows() -> None:
    growth, longest = entries(EXPERIMENT.targets, made(100, 105))
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
    growth, longest = entries(EXPERIMENT.targets, made(100, 200))
    assert (growth["measured"], growth["met"]) == (2, False)
    assert growth["reason"] == "200 instructions against 100, whole handlers apart"
    assert not longest["met"]
    assert longest["reason"] == (
        "200 `sleep` (hrli_wait); "
        "the longest of all others: 40 threads released by tick, calendar (TIMER0_Handler)"
    )


@pytest.mark.parametrize(
    ("masked", "measured", "reason"),
    [
        (made(100, handler=916), 916, "916 `event` (TIMER1_Handler, the whole handler)"),
        (
            made(100, release=2152),
            2152,
            "2,152 threads released by tick, calendar (TIMER0_Handler)",
        ),
    ],
)
def test_handlers_and_releasers_count_as_any_call(
    masked: Masked, measured: int, reason: str
) -> None:
    _, longest = entries(EXPERIMENT.targets, masked)
    assert (longest["measured"], longest["met"]) == (measured, False)
    assert longest["reason"].startswith(reason)


def test_a_part_of_the_numbers_has_no_growth() -> None:
    growth, longest = entries(EXPERIMENT.targets, made(30))
    assert (growth["measured"], growth["met"]) == (None, False)
    assert longest["met"]
    assert [row["longest"] for row in result_object(EXPERIMENT, made(30))["rows"]] == [30, 20, 40]


def test_the_committed_page_is_made_from_the_committed_data() -> None:
    folder = ROOT / "docs" / "evidence"
    text = (folder / "masked" / "measured.json").read_text(encoding="utf-8")
    masked = DATA.read(text)
    assert DATA.text(masked) == text
    assert masked_page(masked) == (folder / "masked.md").read_text(encoding="utf-8")
