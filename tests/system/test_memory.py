# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How much memory a board has is said in its board.toml, and nowhere else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.system.plain_cmake import must, options, project
from tests.system.support import ROOT, Said, horolog

from horolog.image import read_image
from horolog.read import board_names, read_board

pytestmark = pytest.mark.emulator

SYSTEM = """\
[system]
name = "made"
board = "./mine/board.toml"
duration = "50 ms"

[[task]]
name = "step"
period = "5 ms"
work = 100
"""


def built(folder: Path, command: str = "run", *options: str, **lengths: int) -> Said:
    """`horolog run` on a copy of mps2-an385 whose memories have these lengths."""
    mine = folder / "mine"
    shutil.copytree(ROOT / "boards" / "mps2-an385", mine, dirs_exist_ok=True)
    text = (ROOT / "boards" / "mps2-an385" / "board.toml").read_text(encoding="utf-8")
    for name, length in lengths.items():
        before, there, rest = text.partition(f'name = "{name}"')
        assert there
        old = rest.split("length = ")[1].split("\n")[0]
        text = before + there + rest.replace(f"length = {old}", f"length = {length:_}", 1)
    (mine / "board.toml").write_text(text, encoding="utf-8")
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    return horolog(command, folder / "system.toml", "--out", folder / "out", *options)


def elf(folder: Path) -> Path:
    return folder / "out" / "cmake" / "mps2-an385" / "horolog.elf"


def test_a_changed_length_takes_effect(tmp_path: Path) -> None:
    """The main stack begins at the end of ram. The second build is in the folder of the first."""
    for length in (0x8000, 0x2000):
        said = built(tmp_path, ram=length)
        assert said.code == 0, said.err
        image = read_image(elf(tmp_path))
        assert image.symbols["hrl_link_main_stack_top"] == 0x2000_0000 + length


def test_what_does_not_fit_is_said_with_the_boards_file(tmp_path: Path) -> None:
    said = built(tmp_path, "build", psram=0x100)
    assert said.code == 2
    assert (
        f"{tmp_path / 'system.toml'}:6:1: task.step.stack: the system needs 512 bytes of "
        "mps2-an385's memory psram, which has 256: 256 too many" in said.err
    )
    (tmp_path / "system.toml").unlink()
    said = built(tmp_path, "build", flash=0x100)
    assert f"{tmp_path / 'mine' / 'board.toml'}: memory.flash: the system needs " in said.err


def test_no_room_for_the_main_stack_is_an_error(tmp_path: Path) -> None:
    assert built(tmp_path, ram=0x2000).code == 0
    image = read_image(elf(tmp_path))
    used = image.symbols["hrl_link_bss_end"] - 0x2000_0000
    said = built(tmp_path, ram=used + 1020)
    assert said.code == 2
    assert f"memory ram, which has {used + 1020:,}: 4 too many" in said.err
    assert "main stack, at least" in said.err
    assert built(tmp_path, ram=used + 1024).code == 0


def test_a_freertos_that_does_not_fit_is_left_out(tmp_path: Path, freertos: Path) -> None:
    """Its kernel has more data than ours over a list."""
    said = built(tmp_path, "build", "--queue", "sorted-list", ram=2100)
    assert said.code == 0, said.err
    assert "FreeRTOS is not built: " in said.err
    assert "freertos.elf" not in said.out


def test_a_linker_script_of_ones_own_is_held_to_board_toml(tmp_path: Path) -> None:
    assert built(tmp_path, "build", psram=0x100).code == 2
    script = tmp_path / "mine" / "link.ld"
    own = "MEMORY { flash : ORIGIN = 0, LENGTH = 4M\n ram : ORIGIN = 0x20000000, LENGTH = 4M\n"
    own += " psram : ORIGIN = 0x21000000, LENGTH = 16M }"
    text = script.read_text(encoding="utf-8")
    assert "INCLUDE hrl_memory.ld" in text
    script.write_text(text.replace("INCLUDE hrl_memory.ld", own), encoding="utf-8")
    said = horolog("build", tmp_path / "system.toml", "--out", tmp_path / "out")
    assert said.code == 2
    assert ".hrl_stacks" in said.err
    assert "0x21000000" in said.err
    assert str(tmp_path / "mine" / "board.toml") in said.err
    assert str(script) in said.err


WITH_MEMORY = [n for n in board_names() if read_board(n).memory and read_board(n).cores <= 2]
"""Those of more than two cores differ in figures only."""


@pytest.mark.parametrize("name", WITH_MEMORY)
def test_plain_cmake_reads_the_same_file(name: str, tmp_path: Path) -> None:
    """By its own means, as there is no Python: what it makes of it is what the tool reads."""
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    out = tmp_path / "out"
    made_of = str(project(tmp_path / "project", "", source))
    must("cmake", "-S", made_of, "-B", str(out), "-G", "Ninja", *options(name))
    (made,) = out.rglob("hrl_memory.ld")
    regions = [
        line.split() for line in made.read_text(encoding="ascii").splitlines() if "=" in line
    ]
    found = [(words[0], int(words[4].rstrip(","), 0), int(words[7], 0)) for words in regions]
    assert found == [(one.name, one.origin, one.length) for one in read_board(name).memory]


def test_constructors_of_c_are_called(tmp_path: Path) -> None:
    (tmp_path / "system.toml").write_text(
        SYSTEM.replace("./mine/board.toml", "mps2-an385").replace(
            'duration = "50 ms"', 'duration = "50 ms"\nsources = ["made.c"]'
        ),
        encoding="utf-8",
    )
    (tmp_path / "made.c").write_text(
        '__attribute__((constructor)) static void early(void) { __asm__ volatile(""); }\n',
        encoding="utf-8",
    )
    said = horolog("build", tmp_path / "system.toml", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    for kernel in ("horolog", "freertos"):
        elf = next((tmp_path / "out").rglob(f"{kernel}.elf"))
        assert "hrl_gen_construct" in read_image(elf).symbols
