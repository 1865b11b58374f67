# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The interrupt controller in software of AVR, and cells whose handlers count, cycle by cycle on simavr."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.plain_cmake import run
from tests.system.support import ROOT

from horolog.build.firmware import build_firmware
from horolog.plan import NOTHING, plan
from horolog.read import read_system

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("avr")]

SOURCES = ROOT / "tests" / "system" / "avr"
SYSTEM = """\
[system]
name = "lines"
board = "{board}"
duration = "1 s"
priorities = "explicit"
sources = ["bodies.c"]

[prescalers]
clock = 1
"""
BASIC = """
[[task]]
name = "{name}"
{released} = "{period}"
body = "{name}"
wcet = "{wcet}"
kind = "basic"
priority = {priority}
"""
THREAD = BASIC.replace('kind = "basic"', "stack = 256")


def built(
    folder: Path,
    board: str,
    case: str,
    text: str,
    macros: Mapping[str, object],
    mechanism: str = "gcd",
) -> Path:
    """The firmware of tasks `text` with the bodies of the case."""
    defined = "".join(f"#define {name} {value}\n" for name, value in macros.items())
    source = (SOURCES / f"{case}.c").read_text(encoding="utf-8")
    (folder / "bodies.c").write_text(defined + source, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(SYSTEM.format(board=board) + text, encoding="utf-8")
    system = read_system(path)
    chosen = plan(system, mechanism=mechanism, prices=NOTHING).choice
    return build_firmware(system, chosen, folder / "out", None).horolog


def basic(
    name: str, period: str, priority: int, *, sporadic: bool = False, wcet: str = "1 us"
) -> str:
    released = "min_gap" if sporadic else "period"
    return BASIC.format(name=name, released=released, period=period, priority=priority, wcet=wcet)


def thread(name: str, period: str, priority: int, released: str = "period") -> str:
    return THREAD.format(
        name=name, released=released, period=period, priority=priority, wcet="1 us"
    )


@pytest.mark.parametrize(("board", "threads"), [("atmega128-8mhz", True), ("arduino-uno", False)])
def test_jobs_come_in_the_order_of_their_levels(board: str, threads: bool, tmp_path: Path) -> None:
    text = basic("low", "5 ms", 4)
    for name, level in (("mid", 6), ("even", 6), ("high", 9)):
        text += basic(name, "5 ms", level, sporadic=True)
    text += '\n[[resource]]\nname = "bus"\ntasks = ["low", "mid", "even"%s]\n'
    text %= ', "asks"' if threads else ""
    if threads:
        text += thread("asks", "5 ms", 1) + thread("served", "5 ms", 3, "min_gap")
    elf = built(tmp_path, board, "lines_order", text, {"WITH_THREADS": int(threads)})
    by_low = "bMHmEblHHMbHcEb"
    by_thread = "S HtcMSt" if threads else ""
    assert run(board, elf) == f"{by_low}{by_thread}\n"


def counts(period: Fraction, hz: int) -> dict[str, int]:
    exact = period * hz
    whole, part = divmod(exact.numerator, exact.denominator)
    return {"WHOLE": whole, "PART": part, "OF": exact.denominator}


@pytest.mark.parametrize(
    ("board", "hz", "period", "releases"),
    [
        ("arduino-uno", 16_000_000, "1000/3 us", 2000),
        ("atmega128-8mhz", 8_000_000, "1000/7 us", 2000),
        ("atmega128-8mhz", 8_000_000, "5 ms", 100),
        pytest.param("atmega128-8mhz", 8_000_000, "1000/7 us", 100_000, marks=pytest.mark.soak),
    ],
)
def test_a_counted_task_keeps_its_instants(
    board: str, hz: int, period: str, releases: int, tmp_path: Path
) -> None:
    number, unit = period.split()
    seconds = Fraction(number) / (1_000_000 if unit == "us" else 1000)
    elf = built(
        tmp_path,
        board,
        "lines_count",
        basic("each", period, 3),
        {**counts(seconds, hz), "RELEASES": releases, "EARLIEST": 100, "LATEST": 200},
    )
    generated = (tmp_path / "out").rglob("*.c")
    assert any("HRLI_COUNTED_TASK" in file.read_text(encoding="utf-8") for file in generated)
    assert run(board, elf) == "all on time\n"


@pytest.mark.parametrize(
    ("case", "mechanism", "more", "period_us", "halves", "overruns"),
    [
        ("HRLI_COUNTED_TASK", "gcd", "", 1000, 7, 3),
        ("HRLI_COUNTED_TASK", "gcd", thread("masks", "40 ms", 1), 1000, 7, 2),
        ("HRLI_COUNTED_TASK", "gcd", "", 200, 63, None),
        ("HRLI_COUNTED_TABLE", "gcd", basic("other", "2 ms", 3), 1000, 7, 3),
        ("HRLI_SERVE_LINES", "one-shot", basic("other", "2 ms", 3), 1000, 7, 3),
    ],
    ids=["counted", "by a thread", "for 50,400 counts", "counted table", "short table"],
)
def test_what_was_masked_is_made_up_for(
    case: str,
    mechanism: str,
    more: str,
    period_us: int,
    halves: int,
    overruns: int | None,
    tmp_path: Path,
) -> None:
    board = "atmega128-8mhz"
    macros: dict[str, object] = {"PERIOD": f"{period_us * 8}ul", "HALVES": halves, "LATE": 0}
    macros["BY_THREAD"] = int("masks" in more)
    macros["OVERRUNS"] = f"{0 if overruns is None else overruns}u"
    text = basic("late", f"{period_us} us", 5) + more
    elf = built(tmp_path, board, "lines_late", text, macros, mechanism)
    generated = (tmp_path / "out").rglob("*.c")
    assert any(case in file.read_text(encoding="utf-8") for file in generated)
    assert run(board, elf) == ("in phase\n" if overruns is None else "made up for\n")
