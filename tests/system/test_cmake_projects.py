# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""CMake projects of the user's with a described system: what is refused, and how often a kernel is compiled.

That the example is built with the installed package in an empty folder is in tests/tool/test_wheel.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.system.support import ROOT

EXAMPLE = ROOT / "examples" / "cmake"
PACKAGE = f"-DCMAKE_PREFIX_PATH={ROOT / 'cmake'}"
SYSTEM = """
[system]
name = "one"
board = "mps2-an385"
duration = "100 ms"
[[task]]
name = "step"
period = "10 ms"
work = 10
"""


def cmake(*words: str | Path, path: str | None = None) -> tuple[int, str]:
    """What CMake ends with and says, in one line; `path` instead of PATH."""
    environment = {**os.environ, **({} if path is None else {"PATH": path})}
    command = ["cmake", *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, env=environment
    )
    return done.returncode, re.sub(r"\s+", " ", done.stdout + done.stderr)


def refused(folder: Path, lines: str, *options: str, languages: str = "NONE") -> str:
    """Why a project of such lines is not configured."""
    folder.mkdir(exist_ok=True)
    (folder / "system.toml").write_text(SYSTEM)
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.22)\nfind_package(horolog REQUIRED)\n"
        f"project(mine {languages})\n{lines}\n"
    )
    ended, said = cmake("-S", folder, "-B", folder / "out", "-G", "Ninja", PACKAGE, *options)
    assert ended != 0
    return said


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (
            "horolog_system(app system.toml)",
            "there is no target 'app' for horolog_system; call add_executable(app ...) before",
        ),
        (
            "add_library(app INTERFACE)\nhorolog_system(app system.toml)",
            "horolog_system takes an executable, and 'app' is a INTERFACE_LIBRARY",
        ),
        (
            "add_executable(app)\nhorolog_system(app other.toml)",
            "other.toml, which horolog_system(app ...) names",
        ),
        (
            "add_executable(app)\nhorolog_system(app system.toml BORD host)",
            "horolog_system(app ...) takes no BORD host; it takes BOARD, KIND",
        ),
        (
            "add_executable(app)\nhorolog_system(app system.toml)",
            "C is not a language of this project; write project(mine C ASM)",
        ),
        (
            "set_property(GLOBAL PROPERTY none)\nhrl_find_command()",
            "the command 'horolog' is not found, and horolog_system needs it",
        ),
    ],
)
def test_it_says_what_is_wrong_with_the_call(lines: str, why: str, tmp_path: Path) -> None:
    options = ["-DHOROLOG_COMMAND=HOROLOG_COMMAND-NOTFOUND"] if "command" in why else []
    if options:  # nor where programs are looked for
        lines = "set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)\n" + lines.replace(
            "hrl_find", "macro(find_program)\nendmacro()\nhrl_find"
        )
    assert why in refused(tmp_path / "mine", lines, *options)


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("", "HRL_BOARD is ''; say -DHRL_BOARD=<board>, one of"),
        ("mps2", "HRL_BOARD is 'mps2'; say -DHRL_BOARD=<board>, one of"),
        ("host", "the board host is this machine, which needs no toolchain file"),
    ],
)
def test_the_toolchain_file_wants_a_board(board: str, why: str, tmp_path: Path) -> None:
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'toolchain' / 'board.cmake'}"
    assert why in refused(tmp_path / "mine", "", toolchain, f"-DHRL_BOARD={board}", languages="C")


@pytest.mark.parametrize(("wanted", "there"), [("0.1", True), ("0.2", False), ("7", False)])
def test_a_version_may_be_asked_for(wanted: str, there: bool, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.22)\nproject(mine NONE)\n"
        f"find_package(horolog {wanted} REQUIRED)\n"
    )
    ended, said = cmake("-S", tmp_path, "-B", tmp_path / "out", "-G", "Ninja", PACKAGE)
    assert (ended == 0) is there, said
    assert there or "version: 0.1.0" in said


@pytest.mark.soak
@pytest.mark.emulator
def test_a_project_that_fetches_horolog(tmp_path: Path) -> None:
    """Two programs of one kernel, one of another; what is refused; a checked link; a new plan."""
    mine, out = tmp_path / "mine", tmp_path / "out"
    shutil.copytree(EXAMPLE, mine)
    (mine / "one.toml").write_text(SYSTEM)
    (mine / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(mine C CXX ASM)\n"
        "include(FetchContent)\n"
        f"FetchContent_Declare(horolog SOURCE_DIR {ROOT})\nFetchContent_MakeAvailable(horolog)\n"
        "foreach(name IN ITEMS tank pool)\n"
        "  add_executable(${name} tank.cpp log.cpp)\n  horolog_system(${name} system.toml ${OPTIONS})\n"
        "endforeach()\n"
        "add_executable(one)\nhorolog_system(one one.toml KIND basic)\n"
    )
    board = [
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'toolchain' / 'board.cmake'}",
        "-DHRL_BOARD=mps2-an385",
        "-DCMAKE_BUILD_TYPE=Release",
    ]
    ended, said = cmake("-S", mine, "-B", out, "-G", "Ninja", *board)
    assert ended == 0, said
    ended, said = cmake("--build", out)
    assert ended == 0, said
    assert len(list(out.glob("libhorolog_*_kernel.a"))) == 2
    assert (out / "tank.elf").is_file()

    for options, why in [
        ("BOARD;mps2-an386", "the board mps2-an386 has HRL_CPU 'cortex-m4', and this project is"),
        ("BOARD;nowhere", '"nowhere"'),
        ("MECHANISM;magic", "is not planned for the target 'tank'"),
    ]:
        ended, said = cmake("-S", mine, "-B", out, f"-DOPTIONS={options}")
        assert ended != 0
        assert why in said
    assert cmake("-S", mine, "-B", out, "-DOPTIONS=")[0] == 0

    tank = mine / "tank.cpp"
    before, opening, after = tank.read_text().partition("void control_step()\n{\n")
    large = "volatile char much[4000];\nmuch[0] = 1;\n"
    tank.write_text(f"{before}{opening}{large}{after}")
    ended, said = cmake("--build", out, "--target", "tank")
    assert ended != 0
    assert 'the stack of task "control" overflows: it needs 4,' in said
    tank.write_text(before + opening + after)

    generated = out / "horolog" / "one" / "hrl_gen_system.c"
    before = generated.read_text()
    (mine / "one.toml").write_text(SYSTEM.replace("10 ms", "13 ms"))
    ended, said = cmake("--build", out)
    assert ended == 0, said
    assert generated.read_text() != before

    (mine / "one.toml").write_text(SYSTEM.replace("work = 10", 'work = 10\nbody = "f"'))
    ended, said = cmake("--build", out)
    assert ended != 0
    assert 'task "step" has both body and work' in said
