# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What tests of tasks that something activates have in common: C sources, bounds, and the jobs' lengths."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from pathlib import Path

from horolog.model import System
from horolog.plan import plan, read_prices
from horolog.responses import analysis_of

__all__ = ["CHECK", "bounds_in_counts", "bounds_in_seconds", "decode_and_keep", "longest_jobs"]

CHECK = """\
static void check(int holds, int line)
{
    if (!holds) {
        hrl_assert_hook("not as described", __FILE__, line);
    }
}
"""
"""Needs <hrl/hooks.h>. The run stops with that reason; check(..., __LINE__)."""

_DECODE_AND_KEEP = """\
#include <hrl/hooks.h>
#include <hrl/interrupt.h>
#include <hrl/time.h>
%(activated)s
void talk(void);
void on_byte(void);
void decode(void);
void keep(void);

static hrl_counts raised, given;
static volatile unsigned bytes, kept;

void talk(void)
{
    raised = hrl_now();
    (void)hrl_interrupt_raise(%(line)su);
}

void on_byte(void)
{
    for (unsigned i = 0; i < 200; i++) {
        bytes += i;
    }
}

static void check(hrl_counts since, hrl_counts most)
{
    if (hrl_now() - since > most) {
        hrl_assert_hook("later than its bound", __FILE__, __LINE__);
    }
}

void decode(void)
{
    static unsigned number;

    for (unsigned i = 0; i < 800; i++) {
        bytes += i;
    }
    check(raised, %(decode)su);
    if (++number %% 4 == 0) {
        given = hrl_now();
        (void)%(activate)s;
    }
}

void keep(void)
{
    for (unsigned i = 0; i < 100; i++) {
        kept += i;
    }
    check(given, %(keep)su);
}
"""


def decode_and_keep(line: int, activated: str, activate: str, **most: int) -> str:
    """C of a talk that raises `line`, its handler, decode, and keep, which each fourth decode activates.

    `activated`: lines with a header and the declaration of what `activate`, a call, is given. `most`: counts
    after which decode and keep stop the run; without one they do not.
    """
    least = {"decode": 10**9, "keep": 10**9}
    values = {"line": line, "activated": activated, "activate": activate}
    return _DECODE_AND_KEEP % (values | least | most)


def bounds_in_seconds(system: System) -> dict[str, Fraction]:
    """Of all tasks as planned, by their names; all hold."""
    chosen, prices = plan(system).choice, read_prices(system.board)
    found = {}
    for one in analysis_of(system, chosen, prices).bounds:
        assert one.response is not None
        assert one.holds
        found[system.all_tasks[one.task].name] = one.response
    return found


def bounds_in_counts(system: System) -> dict[str, int]:
    """The same, in counts of the clock, rounded up."""
    hz = system.board.clock.hz
    return {name: ceil(seconds * hz) for name, seconds in bounds_in_seconds(system).items()}


def longest_jobs(folder: Path) -> dict[int, int]:
    """By the number of each task the length of its longest job, as `horolog run` has counted in `folder`."""
    lines = (folder / "horolog.counts").read_text(encoding="ascii").splitlines()
    return {int(row.split()[1]): int(row.split()[2]) for row in lines if row.startswith("longest ")}
