# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog cmake`: what a CMake project asks of the tool; and `[build] cmake` of a description."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from horolog.cli.main import main
from horolog.data import data_root
from horolog.model import HorologError
from horolog.read import read_system

BODIES = """
[[task]]
name = "step"
period = "10 ms"
wcet = "10 us"
body = "step"
"""


def described(folder: Path, text: str = BODIES, build: str = "", board: str = "mps2-an385") -> Path:
    path = folder / "system.toml"
    path.write_text(
        f'[system]\nname = "one"\nboard = "{board}"\nduration = "100 ms"\n{build}\n{text}'
    )
    return path


def said(*words: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, [str(word) for word in words])
    return done.exit_code, done.output


def test_the_folder_has_the_package_and_toolchains() -> None:
    ended, folder = said("cmake", "dir")
    assert ended == 0
    assert (Path(folder.strip()) / "horologConfig.cmake").is_file()
    assert (Path(folder.strip()) / "toolchain" / "board.cmake").is_file()
    assert Path(folder.strip()) == data_root() / "cmake"


def test_sources_are_written_for_bodies_that_no_listed_source_has(tmp_path: Path) -> None:
    """With constructors called, as the target may have C++, and what the target has to know."""
    out = tmp_path / "out"
    ended, text = said("cmake", "sources", described(tmp_path), "--out", out)
    assert ended == 0, text
    assert "HRLI_CALL(hrl_gen_construct)" in (out / "hrl_gen_system.c").read_text()
    facts = (out / "facts.cmake").read_text()
    assert "set(horolog_board [==[mps2-an385]==])" in facts
    assert "set(horolog_cpu [==[cortex-m3]==])" in facts
    assert str(tmp_path / "system.toml") in facts
    assert str(data_root() / "boards" / "mps2-an385" / "costs.toml") in facts


def test_a_file_that_would_not_change_is_left_alone(tmp_path: Path) -> None:
    out, path = tmp_path / "out", described(tmp_path)
    said("cmake", "sources", path, "--out", out)
    before = {file: file.stat().st_mtime_ns for file in out.iterdir()}
    said("cmake", "sources", path, "--out", out)
    assert {file: file.stat().st_mtime_ns for file in out.iterdir()} == before


def test_all_registers_are_saved_where_no_code_is_linked_yet(tmp_path: Path) -> None:
    out, path = tmp_path / "out", described(tmp_path, board="ibex-cells")
    assert said("cmake", "sources", path, "--kind", "basic", "--out", out)[0] == 0
    masks = (out / "hrl_gen_frames.h").read_text().splitlines()
    assert {line.split()[-1] for line in masks if line.startswith("#define")} == {"0xf003fce2"}


def test_sources_of_several_cores(tmp_path: Path) -> None:
    out, path = tmp_path / "out", described(tmp_path, board="ibex-cells-x2")
    assert said("cmake", "sources", path, "--out", out)[0] == 0
    assert (out / "hrl_gen_core_1.c").is_file()


def test_a_process_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="host is a process of this machine"):
        CliRunner().invoke(
            main,
            ["cmake", "sources", str(described(tmp_path, board="host")), "--out", str(tmp_path)],
            catch_exceptions=False,
            standalone_mode=False,
        )


def test_a_description_says_that_a_project_has_the_sources(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match=r'no function "step": \[system\] lists no sources'):
        read_system(described(tmp_path))
    system = read_system(described(tmp_path, build="[build]\ncmake = true"))
    assert system.has_sources
    assert system.constructs


def test_a_body_in_a_listed_source_has_to_be_one_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "bodies.c").write_text("int step(void) { return 1; }\n")
    path = described(tmp_path, build='sources = ["bodies.c"]\n[build]\ncmake = true')
    with pytest.raises(HorologError, match=r'the function "step" in bodies.c is no task body'):
        read_system(path)
