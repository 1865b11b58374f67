# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Every public call in every context, on four boards: docs/guide/contexts.md has the expected outcomes.

The firmwares (tests/system/contexts) print a line for each call and context.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tests.system.plain_cmake import build, options
from tests.system.running import command
from tests.system.support import ROOT

from horolog.programs import call
from horolog.read import read_board

SOURCES = ROOT / "tests" / "system" / "contexts"
GUIDE = (ROOT / "docs" / "guide" / "contexts.md").read_text(encoding="utf-8")
BOARDS = ("mps2-an385", "qemu-virt-rv32", "ibex-cells", "host")
WITH_PRIORITIES_ABOVE = ("mps2-an385", "host")
OF_BASIC_TASKS = {"basic", "resource"}
ALARMS = 2
"""The function of an alarm makes each call twice: in the timer's handler, and in a thread's call."""

Table = dict[str, dict[str, str]]


def table(text: str) -> Table:
    """The guide's table: for each call what each context is to lead to, yes, no or -."""
    rows = [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith(("| call |", "| `hrl_"))
    ]
    header = rows[0][1:]
    found = {row[0]: dict(zip(header, row[1:], strict=True)) for row in rows[1:]}
    assert len(found) == len(rows) - 1, "a call has two lines"
    return found


EXPECTED = table(GUIDE)
ENDS = "hrl_program_end"
"""Ends the run, so that the firmwares do not try it; their last lines come from the same end of each port."""


def declared() -> set[str]:
    """The calls of the public headers: all functions but the hooks, which applications define."""
    names: set[str] = set()
    for header in (ROOT / "include" / "hrl").glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
        names |= set(re.findall(r"\b(hrl_\w+)\(", text))
    # The calls of <hrl/portable.h> are made of these.
    mine = {name for name in names if not name.startswith("hrl_portable_")}
    return {name for name in mine if not name.endswith("_hook")}


def test_every_public_call_is_in_the_table() -> None:
    assert {name.split(",")[0] for name in EXPECTED} == declared()


def test_the_table_says_yes_or_no() -> None:
    assert {cell for row in EXPECTED.values() for cell in row.values()} == {"yes", "no", "-"}
    missing = {name for name, row in EXPECTED.items() if row["above"] == "-"}
    assert missing == {name for name in EXPECTED if name.startswith(("hrl_basic", "hrl_resource"))}


Outcomes = dict[tuple[str, str], list[str]]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Outcomes]:
    """What the calls led to on a board, by call and context. A board's firmwares are built once."""
    folder = tmp_path_factory.mktemp("contexts")

    def run(name: str, program: str) -> Outcomes:
        build(SOURCES, folder / name, *options(name))
        done = call(command(read_board(name), folder / name / f"{program}.elf"), seconds=120)
        lines = (done.output + done.errors).splitlines()
        assert (done.status, lines[-1:]) == (0, ["end"]), "\n".join(lines[-9:])
        found: Outcomes = {}
        for line in lines[:-1]:
            tried, context, outcome = line.split(" | ")
            found.setdefault((tried, context), []).append(outcome)
        return found

    return run


def contexts(name: str, program: str) -> set[str]:
    """The contexts that this firmware has."""
    every = set(next(iter(EXPECTED.values())))
    if program == "contexts_basic":
        return every - {"above"}
    return every - OF_BASIC_TASKS - (set() if name in WITH_PRIORITIES_ABOVE else {"above"})


def as_said(tried: str, outcome: str) -> str:
    """Yes, or no if the reason names the call, or else the reason."""
    if outcome == "ok":
        return "yes"
    return "no" if re.match(rf"{tried.split(',')[0]}\b.*: ", outcome) else outcome


@pytest.mark.emulator
@pytest.mark.xdist_group("contexts")
@pytest.mark.parametrize("program", ["contexts", "contexts_basic"])
@pytest.mark.parametrize("name", BOARDS)
def test_every_call_in_every_context(
    name: str, program: str, outcomes: Callable[[str, str], Outcomes]
) -> None:
    found = outcomes(name, program)
    expected: dict[tuple[str, str], list[str]] = {}
    for tried, row in EXPECTED.items():
        if tried == ENDS or (program == "contexts" and row["above"] == "-"):
            continue
        for context in contexts(name, program):
            times = ALARMS if context == "alarm" else 1
            expected[tried, context] = [row[context]] * times
    said = {
        (tried, context): [as_said(tried, outcome) for outcome in several]
        for (tried, context), several in found.items()
    }
    assert said == expected
