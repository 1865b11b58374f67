# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Handlers attached to interrupt lines, on every board: programs of tests/system/interrupts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from tests.system.conftest import Goldens
from tests.system.plain_cmake import build, options
from tests.system.running import ROOMY, command
from tests.system.support import ROOT

from horolog.build.toolchains import tool_versions
from horolog.programs import Finished, call
from horolog.read import read_board
from horolog.run.qemu import qemu_command

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("attached")]

GUIDE = (ROOT / "docs" / "guide" / "interrupts.md").read_text(encoding="utf-8")
SOURCES = ROOT / "tests" / "system" / "interrupts"
WITH_LEVELS = ("mps2-an385", "mps2-an386", "host")
LINE_B = {"mps2-an385": 21, "mps2-an386": 21, "qemu-virt-rv32": 11, "host": 12}
LINE_B |= {"ibex-cells": 12, "ibex-cells-small": 12}

COMMON = """\
wakes: a a-end server
locked: locked inner a a-end b b-end server
order: locked inner b b-end a a-end server
"""
NESTED = """\
nested: a b b-end a-end
above: a a-end locked inner b b-end
enabled: disabled a a-end
"""
BELOW = """\
nested: a b b-end a-end
above: unsupported locked inner b b-end
enabled: a a-end disabled a a-end
"""
"""With levels, but none above the lock."""
IN_TURN = """\
nested: a a-end b b-end
above: unsupported locked inner b b-end
enabled: a a-end disabled a a-end
"""
"""Without levels, and on a controller that remembers what was raised while the line was disabled before."""

END = "detached: anew a-end\n"

Case = Callable[[str, str], tuple[Path, Finished]]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """Builds one of the programs for a board, runs it. A board's kernel is compiled once."""
    folder = tmp_path_factory.mktemp("interrupts")

    def run(name: str, source: str) -> tuple[Path, Finished]:
        board = read_board(name)
        build(SOURCES, folder / name, *options(name), f"-DCASE={source}")
        elf = folder / name / "interrupts.elf"
        return elf, call(command(board, elf), seconds=60)

    return run


def symbols(elf: Path) -> dict[str, int]:
    with elf.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {symbol.name: symbol["st_value"] & ~1 for symbol in table.iter_symbols()}


@pytest.mark.parametrize("name", ROOMY)
def test_handlers_priorities_and_lock(name: str, case: Case) -> None:
    elf, done = case(name, "attached")
    middle = NESTED if name in WITH_LEVELS else BELOW if name.startswith("ibex") else IN_TURN
    assert done.output + done.errors == COMMON + middle + END
    assert done.status == 0
    assert "attached" in symbols(elf)


@pytest.mark.parametrize("name", ROOMY)
@pytest.mark.parametrize("source", ["unhandled", "unattached"])
def test_an_unhandled_line_is_a_fault_that_names_it(name: str, source: str, case: Case) -> None:
    elf, done = case(name, source)
    said = done.output + done.errors
    assert done.status != 0
    assert re.search(rf"\bline {LINE_B[name]}\b", said)
    assert "went on" not in said
    if name != "host":
        assert "in thread 'culprit'" in said
        assert " pc=" in said
    # The table of handlers costs nothing where none is attached.
    assert ("attached" in symbols(elf)) == (source == "unhandled")


@pytest.mark.parametrize("name", ROOMY)
def test_a_line_has_one_handler(name: str, case: Case) -> None:
    _, done = case(name, "twice")
    assert "hrl_interrupt_attach: the line has a handler already" in done.output + done.errors
    assert done.status == 1


@pytest.mark.parametrize("name", ["mps2-an385", "mps2-an386"])
def test_a_handler_may_be_defined_by_name(name: str, case: Case) -> None:
    _, done = case(name, "by_name")
    said = done.output + done.errors
    assert said.startswith("served\nraised\n")
    assert "hrl_interrupt_attach: the line's handler is defined by name" in said


@pytest.mark.parametrize("name", ["mps2-an385", "mps2-an386"])
def test_above_the_kernel_nothing_is_late(name: str, case: Case) -> None:
    _, done = case(name, "storm")
    lines = (done.output + done.errors).splitlines()
    assert [line for line in lines if not line.startswith("PASS ")] == []
    assert len(lines) == 4


ENTRY = {"mps2-an385": ("hrlp_cortex_m_line", 0, 7), "qemu-virt-rv32": ("hrlp_vectors", 4 * 11, 43)}
"""Where an interrupt enters: a symbol, an offset; and the instructions from there to the handler's first."""


@pytest.mark.parametrize("name", ENTRY)
def test_what_an_entry_costs(name: str, case: Case, goldens: Goldens, tmp_path: Path) -> None:
    """Counted in the emulator's log of instructions; the guide has the figures."""
    board = read_board(name)
    elf, _ = case(name, "attached")
    log = tmp_path / "log"
    every = ["-singlestep", "-d", "exec,nochain", "-D", str(log)]
    assert call([*qemu_command(board, elf), *every], seconds=60).status == 0
    trace = re.findall(r"^Trace .*?\[[0-9a-f]+/([0-9a-f]+)/", log.read_text(), re.MULTILINE)
    ran = [int(address, 16) for address in trace]
    symbol, offset, cost = ENTRY[name]
    begin = ran.index(symbols(elf)[symbol] + offset)
    found = ran.index(symbols(elf)["give_on_a"], begin) - begin
    goldens.need_versions(
        {"arm-none-eabi-gcc": "12.2.1", "riscv64-unknown-elf-gcc": "12.2.0"},
        {board.port.compiler: tool_versions(board)[board.port.compiler]},
    )
    assert found == cost
    assert f"{cost} instructions" in GUIDE
