# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What stores take, by the kernel's own structures, where pointers have four bytes and where two."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from tests.tool.call_programs import COMPILERS, run
from tests.tool.factory import make_system, ms

from horolog.analyse import row_bytes
from horolog.model import Kind, Mode, Releaser, System
from horolog.plan.stores.basic_tables import basic_constants, basic_ram
from horolog.plan.stores.sizes import constant_bytes, masks_ram, static_ram
from horolog.read import read_board

ROOT = Path(__file__).resolve().parents[2]
BOARDS = {
    "armv7m": ("mps2-an385", ("armv7m", "armv7m/nvic", "cortex-m", "cell/cmsdk-dualtimer")),
    "avr": ("arduino-uno", ("avr", "avr/vectors", "cell/avr-timer16")),
}
OF_THREADS = ("mask_table", "mask_row", "period_groups", "period_group", "masked_threads")
OF_BASIC = ("line_row", "line_part", "line_group", "line_level", "line_table")
HEADERS = ("mask_table", "period_groups", "ready_queue", "line_groups", "line_chains", "line_table")


@pytest.fixture(scope="module", params=BOARDS)
def sizes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, int]:
    """The bytes of each structure, as a compiler has it; "board" is the number of its board in BOARDS."""
    if shutil.which(COMPILERS[request.param][0]) is None:
        pytest.skip("needs the cross compiler")
    folder = tmp_path_factory.mktemp("sizes")
    text = "".join(f'#include "{name}.h"\n' for name in HEADERS)
    for name in (*OF_THREADS, *OF_BASIC):
        text += f"char {name}[sizeof(struct hrli_{name})] = {{1}};\n"
    (folder / "sizes.c").write_text(text, encoding="utf-8")
    folders = [ROOT / "include", ROOT / "ports" / "include"]
    folders += [path for path in (ROOT / "kernel").iterdir() if path.is_dir()]
    folders += [ROOT / "ports" / name for name in BOARDS[request.param][1]]
    command = [*COMPILERS[request.param], "-DHRL_RELEASE_MASKS=1", *(f"-I{one}" for one in folders)]
    run([*command, "-c", "sizes.c", "-o", "sizes.o"], folder)
    with (folder / "sizes.o").open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        found = {one.name: int(one["st_size"]) for one in table.iter_symbols()}
    return {"board": list(BOARDS).index(request.param), **found}


def system(sizes: dict[str, int], kind: Kind = Kind.THREAD) -> System:
    board = read_board(list(BOARDS.values())[sizes["board"]][0])
    return make_system([ms(5), ms(10)], board=board, kind=kind)


def releaser(of: System, store: str, mode: Mode = Mode.PERIODIC) -> Releaser:
    counts = of.board.clock.hz // 200
    return Releaser(of.board.cells[0].name, mode, store, (0, 1), counts)


def test_stores_of_threads(sizes: dict[str, int]) -> None:
    of = system(sizes)
    assert masks_ram(of) - 4 <= sizes["masked_threads"] <= masks_ram(of)
    table = releaser(of, "mask-table")
    assert static_ram(of, table, "mask-table") == sizes["mask_table"]
    groups = static_ram(of, table, "period-groups")
    assert groups == sizes["period_groups"] + 2 * sizes["period_group"]


def test_stores_of_basic_tasks(sizes: dict[str, int]) -> None:
    of = system(sizes, Kind.BASIC)
    table = releaser(of, "mask-table")
    assert basic_ram(of, table) == sizes["line_table"]
    rows = basic_constants(of, table)
    assert rows % sizes["line_row"] == 0
    assert sizes["line_row"] == sizes["line_part"]
    groups = basic_ram(of, releaser(of, "period-groups"))
    assert groups == 8 + 2 * sizes["line_group"]
    assert basic_ram(of, releaser(of, "harmonic-array")) == 8 + 2 * sizes["line_level"]


def test_constants_of_stores(sizes: dict[str, int]) -> None:
    of = system(sizes)
    assert constant_bytes(of, releaser(of, "period-groups"), "period-groups") == 2 * 8
    assert row_bytes(of) == sizes["mask_row"]
