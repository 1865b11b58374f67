# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""printf, malloc and assert of the C libraries; constructors of C; a linker script of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.running import command
from tests.system.support import ROOT, horolog

from horolog.image import read_image
from horolog.programs import call
from horolog.read import read_board

SOURCES = ROOT / "tests" / "system" / "libc"

pytestmark = pytest.mark.emulator


def ran(
    name: str, source: str, folder: Path, define: str = "", stack: int = 4096
) -> tuple[int | None, str]:
    """What a task of `source` printed, and how the program ended."""
    path = folder / "system.toml"
    path.write_text(
        f'[system]\nname = "libc"\nboard = "{name}"\nduration = "100 ms"\n'
        f'sources = ["{SOURCES / source}"]\n[build]\ndefine = [{define}]\n'
        f'[[task]]\nname = "step"\nperiod = "10 ms"\nwcet = "10 us"\nbody = "step"\nstack = {stack}\n'
    )
    built = horolog("build", path, "--checks", "--out", folder / "out")
    assert built.code == 0, built.err
    elf = folder / "out" / "cmake" / name / "horolog.elf"
    done = call(command(read_board(name), elf), seconds=60)
    return done.status, (done.output + done.errors).replace("\r", "")


@pytest.mark.parametrize(
    "name", ["mps2-an385", pytest.param("qemu-virt-rv32", marks=pytest.mark.soak)]
)
def test_printf_malloc_and_assert(name: str, tmp_path: Path) -> None:
    arm = name == "mps2-an385"
    status, said = ran(name, "uses.c", tmp_path, '"EXHAUSTED"' if arm else "")
    assert status == 1
    whole = "too much\n" if arm else ""
    assert said.startswith(f"printf -12 beef\n1 2\n{whole}\nfault: round < 3\n  at ")
    line = 1 + SOURCES.joinpath("uses.c").read_text().splitlines().index("    assert(round < 3);")
    assert f"uses.c:{line}\n  in thread 'step'" in said


ENDS = [
    ("mps2-an385", "left"),
    pytest.param("mps2-an386", "left", marks=pytest.mark.soak),
    pytest.param("microbit", "left", marks=pytest.mark.soak),
    pytest.param("qemu-virt-rv32", "left behind\n", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("name", "said"), ENDS)
def test_exit_prints_what_is_kept(name: str, said: str, tmp_path: Path) -> None:
    """And newlib's functions of atexit do not run."""
    assert ran(name, "ends.c", tmp_path, '"PRINTED"') == (3, said)


@pytest.mark.parametrize(
    ("name", "define", "status"),
    [
        ("mps2-an385", "", 3),
        pytest.param("mps2-an385", '"ABORTS"', 134, marks=pytest.mark.soak),
        pytest.param("arduino-uno", "", 3, marks=pytest.mark.soak),
        pytest.param("arduino-uno", '"ABORTS"', 1, marks=pytest.mark.soak),
    ],
)
def test_exit_and_abort_end_the_program(
    name: str, define: str, status: int, tmp_path: Path
) -> None:
    assert ran(name, "ends.c", tmp_path, define, stack=320) == (status, "")


@pytest.mark.soak
def test_malloc_beyond_the_heap_stops_where_errno_is_not(tmp_path: Path) -> None:
    status, said = ran("qemu-virt-rv32", "uses.c", tmp_path, '"EXHAUSTED"')
    assert status == 1
    assert "fault: malloc: no room in HRL_HEAP_DEFINE" in said


@pytest.mark.soak
def test_what_the_application_defines_is_its_own(tmp_path: Path) -> None:
    status, said = ran("mps2-an385", "own.c", tmp_path)
    assert status == 0
    assert "own: text" in said


@pytest.mark.soak
def test_a_linker_script_of_ones_own(tmp_path: Path) -> None:
    """The board's with a section more, and then without a symbol that the start needs."""
    board = ROOT / "boards" / "mps2-an385" / "link.ld"
    mine = tmp_path / "own.ld"
    mine.write_text(
        board.read_text().replace(
            "hrl_link_main_stack_top", "mine = 77;\n    hrl_link_main_stack_top", 1
        )
    )
    path = tmp_path / "system.toml"
    path.write_text(
        '[system]\nname = "libc"\nboard = "mps2-an385"\nduration = "100 ms"\n'
        '[build]\nlinker_script = "own.ld"\n'
        '[[task]]\nname = "step"\nperiod = "10 ms"\nwork = 10\n'
    )
    built = horolog("build", path, "--out", tmp_path / "out")
    assert built.code == 0, built.err
    elf = tmp_path / "out" / "cmake" / "mps2-an385" / "horolog.elf"
    assert read_image(elf).address("mine") == 77
    mine.write_text(mine.read_text().replace("hrl_link_data_load =", "other ="))
    built = horolog("build", path, "--out", tmp_path / "out")
    assert built.code == 2
    assert f"{mine}: the linker script does not define hrl_link_data_load" in built.err
