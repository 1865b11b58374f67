# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The sources of a described system are linked whole, each whatever it defines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.support import BOARD, HOST, Said, horolog

from horolog.image import read_image

pytestmark = pytest.mark.emulator

SYSTEM = """\
[system]
name = "parts"
board = "mps2-an385"
duration = "100 ms"
sources = ["bodies.c", "part.c"]

[[task]]
name = "step"
period = "5 ms"
wcet = "2 ms"
body = "step"
"""


def run(
    folder: Path,
    bodies: str,
    part: str,
    *more: str,
    description: str = SYSTEM,
    command: str = "run",
) -> Said:
    """`horolog run`, or another command, of a system whose second source is `part`."""
    (folder / "system.toml").write_text(description, encoding="utf-8")
    (folder / "bodies.c").write_text(bodies, encoding="utf-8")
    (folder / "part.c").write_text(part, encoding="utf-8")
    return horolog(command, folder / "system.toml", *more, "--out", folder / "out")


PENDS = """\
#include <hrl/hooks.h>
#include <stdint.h>
volatile unsigned entered;
void step(void);
void step(void)
{
    static unsigned jobs;

    *(volatile uint32_t *)0xE000E100u = 1u << 24; /* enable line 24 */
    *(volatile uint32_t *)0xE000E200u = 1u << 24; /* pend it */
    if (entered != ++jobs) {
        hrl_assert_hook("the handler did not run", __FILE__, __LINE__);
    }
}
"""
HANDLES = """\
extern volatile unsigned entered;
void PORT0_0_Handler(void);
void PORT0_0_Handler(void)
{
    entered++;
}
"""


def test_a_file_that_only_holds_the_handler_of_an_interrupt(tmp_path: Path) -> None:
    said = run(tmp_path, PENDS, HANDLES)
    assert said.code == 0, said.err
    image = read_image(tmp_path / "out" / "cmake" / BOARD / "horolog.elf")
    (handler,) = [one for one in image.functions if one.name == "PORT0_0_Handler"]
    assert handler.owner == "body"  # the application's, as what it calls


PRINTS = """\
#include <hrl/hooks.h>
#include <unistd.h>
unsigned written;
void step(void);
void step(void)
{
    static unsigned jobs;

    jobs++;
    if (write(1, "ab", 2) != 2 || written != 2u * jobs) {
        hrl_assert_hook("written elsewhere", __FILE__, __LINE__);
    }
}
"""
WRITES = """\
extern unsigned written;
int _write(int file, const char *data, int bytes);
int _write(int file, const char *data, int bytes)
{
    (void)file;
    (void)data;
    written += (unsigned)bytes;
    return bytes;
}
"""


def test_a_file_that_only_holds_what_the_c_library_calls(tmp_path: Path) -> None:
    said = run(tmp_path, PRINTS, WRITES)
    assert said.code == 0, said.err


OVERRUNS = """\
#include <hrl/hooks.h>
unsigned overruns;
void step(void);
void step(void)
{
    static unsigned jobs;

    if (++jobs > 10u && overruns == 0u) {
        hrl_assert_hook("the hook was not called", __FILE__, __LINE__);
    }
}
"""
HOOK = """\
#include <hrl/hooks.h>
extern unsigned overruns;
void hrl_overrun_hook(struct hrl_thread *thread, hrl_stamp due)
{
    (void)thread;
    (void)due;
    overruns++;
}
"""
HOG = """
[[task]]
name = "hog"
period = "20 ms"
work = 100_000
priority = 2
"""


@pytest.mark.parametrize("board", [BOARD, HOST])
def test_a_file_that_only_holds_a_hook(board: str, tmp_path: Path) -> None:
    """The hog runs 6.4 ms of every 20, so that the other task is released once more before its job ends."""
    late = SYSTEM.replace("[[task]]", 'priorities = "explicit"\n[[task]]')
    late = late.replace("[[task]]", "[[task]]\npriority = 1") + HOG
    said = run(tmp_path, OVERRUNS, HOOK, "--board", board, description=late)
    assert "the hook was not called" not in said.err
    assert said.code == 1, said.err
    assert "overran" in said.err


def test_the_c_librarys_mathematics_is_there_and_the_bodies(tmp_path: Path) -> None:
    bodies = "#include <math.h>\nvoid step(void);\nvolatile double x;\nvoid step(void) { x = sqrt(x); }\n"
    said = run(tmp_path, bodies, "")
    assert said.code == 0, said.err
    image = read_image(tmp_path / "out" / "cmake" / BOARD / "horolog.elf")
    assert {one.owner for one in image.functions if one.name in ("sqrt", "__ieee754_sqrt")} == {
        "library"
    }


# --- what the compiler and the linker say, in the user's terms --------------------------------------


STEP = "void step(void);\nvoid step(void)\n{\n%s\n}\n"


def test_warnings_of_the_compiler_are_shown_by_every_build(tmp_path: Path) -> None:
    for _ in range(2):  # the second compiles nothing
        said = run(tmp_path, STEP % "    int x;", "static int y;\n")
        assert said.code == 0, said.err
        assert said.err.count("unused variable 'x' [-Wunused-variable]") == 1
        assert f"{tmp_path.name}/bodies.c:4:9: " in said.err
        assert "    4 |     int x;\n" in said.err
        result = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
        assert result["warnings"] == [
            "bodies.c:4:9: unused variable 'x' [-Wunused-variable]",
            "part.c:1:12: 'y' defined but not used [-Wunused-variable]",
        ]
        listed = horolog("build", tmp_path / "system.toml", "--json", "--out", tmp_path / "out")
        assert listed.err == ""
        assert listed.object["warnings"] == result["warnings"]
    mended = run(tmp_path, STEP % "", "static int y;\n")
    assert "unused variable 'x'" not in mended.err
    assert "'y' defined but not used" in mended.err


def test_a_main_of_the_users_own_is_named(tmp_path: Path) -> None:
    said = run(tmp_path, STEP % "", "int main(void) { return 0; }\n")
    assert said.code == 2
    assert f"{tmp_path / 'part.c'}:1: a described system has no main of its own" in said.err
    assert 'start = "f" in [system]' in said.err
    assert "collect2" not in said.err


def test_a_body_that_an_if_leaves_out_is_named_with_its_task(tmp_path: Path) -> None:
    said = run(tmp_path, f"#if 0\n{STEP % ''}#endif\n", "")
    assert said.code == 2
    assert f"{tmp_path / 'system.toml'}:7:1: task.step" in said.err
    assert 'no source defines "step"' in said.err


def test_the_handler_of_a_cell_that_the_plan_uses_is_named(tmp_path: Path) -> None:
    said = run(tmp_path, STEP % "", "void TIMER0_Handler(void);\nvoid TIMER0_Handler(void) {}\n")
    assert said.code == 2
    assert f"{tmp_path / 'part.c'}:2: TIMER0_Handler is generated" in said.err
    assert "the cell timer0" in said.err
    assert "cells = [...] in [system] without timer0" in said.err


def test_an_application_that_calls_the_kernel_is_built_without_freertos(
    tmp_path: Path, freertos: Path
) -> None:
    """What it calls is seen by the linker only, where no `timeouts` or `start` announces it."""
    calls = "#include <hrl/time.h>\n" + STEP % "    (void)hrl_now();"
    said = run(tmp_path, calls, "", command="compare")
    assert said.code == 0, said.err
    result = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    assert result["freertos"] is None
    assert result["ratio_refused"] == "the sources call hrl_now, which FreeRTOS does not have"
