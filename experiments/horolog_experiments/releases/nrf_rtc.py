# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The driver nrf-rtc, which no emulator has a device for: over the model of its tests, on this machine."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import TargetFailed
from horolog.programs import call, require
from horolog_experiments.releases.bounds import bound_text
from horolog_experiments.releases.judged import Judged
from horolog_experiments.releases.results import Row

__all__ = ["NAME", "measure_model"]

NAME = "model of the RTC"
_BITS = 24
_SECONDS = 120


def measure_model(out: Path, releases: int) -> list[Row]:
    """A row a mode. HorologError (3) without a compiler, (4) if the program fails."""
    require("gcc")
    root = data_root()
    tests, driver = root / "tests" / "drivers" / "nrf_rtc", root / "ports" / "cell" / "nrf-rtc"
    folders = (tests, driver, root / "ports" / "include", root / "include")
    sources = (tests / "releases.c", tests / "rtc_model.c", driver / "nrf_rtc_clock.c")
    out.mkdir(parents=True, exist_ok=True)
    program = out / "nrf-rtc-releases"
    command = ["gcc", "-std=gnu11", "-O2", *(f"-I{one}" for one in folders), *map(str, sources)]
    built = call([*command, "-o", str(program)], seconds=_SECONDS)
    done = call([str(program), str(releases)], seconds=_SECONDS) if built.status == 0 else built
    if done.status != 0:
        raise TargetFailed(
            "the driver nrf-rtc cannot be measured over its model", found=done.errors[-1000:]
        )
    bound = Fraction(bound_text("nrf-rtc")["COUNTS"])
    return [_row(line.split(), bound) for line in done.output.splitlines()]


def _row(words: list[str], bound: Fraction) -> Row:
    mode, *numbers = words
    releases, off, late, latest, others, wraps = map(int, numbers)
    return Row(
        board=NAME,
        case="any period" if mode == "one-shot" else "one period",
        cell="0",
        device="nrf-rtc",
        width=_BITS,
        kind="",
        mode=mode,
        by_requests=True,
        bound=bound,
        wraps=wraps,
        turns=wraps,
        overruns=0,
        found=Judged(
            instants=releases,
            releases=releases,
            off=off,
            worst_off=Fraction(0),
            entered=releases,
            late=late,
            worst_late=Fraction(latest),
            others=others,
        ),
    )
