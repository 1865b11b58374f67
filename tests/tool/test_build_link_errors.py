# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the linker's words become: the user's file or task, and what to write instead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.build.link_errors import link_problems, missing_names
from horolog.build.output import Step
from horolog.model import HorologError, Memory, System

LD = "/usr/lib/gcc/arm-none-eabi/12.2.1/../../../arm-none-eabi/bin/ld: "
GEN = "/x/build/demo/cmake/mps2-an385/gen"
"""Where generated sources seem to lie, as debug information has it."""
NOWHERE = Path("/no/such/folder")  # without a map
A, B = Path("/my place/a.c"), Path("/my place/b.c")


@pytest.fixture
def system() -> System:
    board = replace(make_board(), memory=(Memory("ram", 0, 4096),))
    task = replace(make_task("pump", ms(5), line=7), body="step")
    made = make_system(tasks=[task], board=board)
    return replace(made, sources=(A, B), start="begin")


def problems(system: System, *lines: str) -> list[str]:
    """What `lines` of the linker become."""
    return [str(one) for one in _errors(system, *lines)]


def _errors(system: System, *lines: str) -> list[HorologError]:
    steps = [Step("Linking C executable horolog.elf", True, lines)]
    return list(link_problems(system, steps, NOWHERE, "horolog"))


def twice(name: str, one: str, other: str) -> str:
    return f"{one}: multiple definition of `{name}'; {other}: first defined here"


OBJECT = "CMakeFiles/horolog.dir/x/build/demo/gen/hrl_gen_system.c.obj"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            twice("main", f"{A}:3", f"{OBJECT}:{GEN}/hrl_gen_system.c:150"),
            [f"{A}:3: a described system has no main", 'start = "f" in [system]'],
        ),
        (
            twice("cell1_handler", f"{B}:9", f"{OBJECT}:{GEN}/hrl_gen_system.c:87"),
            [f"{B}:9: cell1_handler is generated", "the cell cell1", "without cell1"],
        ),
        (
            twice("table", f"{B}:1", f"libhrl_bodies.a(a.c.obj):{A}:4"),
            [f'{B}:1: "table" is defined twice', f"{A}:4 and {B}:1", "static"],
        ),
        (  # data: the linker knows objects only
            twice(
                "table",
                "libhrl_bodies.a(b.c.obj):(.bss.table+0x0)",
                "libhrl_bodies.a(a.c.obj):(.bss.table+0x0)",
            ),
            [f'{B}: "table" is defined twice', f"{A} and {B}"],
        ),
        (
            twice("hrli_core", f"{A}:5", "CMakeFiles/hrl_task.dir/k/core.c.obj:kernel/core.c:7"),
            [f'{A}:5: there is a function or an object "hrli_core" in Horolog', "another name"],
        ),
        (
            f"{GEN}/hrl_gen_bodies.c:26: undefined reference to `step'",
            ['system.toml:7: task "pump": no source defines "step"', "void step(void)", "#if"],
        ),
        (
            f"{GEN}/hrl_gen_system.c:262: undefined reference to `begin'",
            ['no source defines the start function "begin"', "void begin(void)"],
        ),
        (
            f"{A}:12: undefined reference to `helper'",
            [f'{A}:12: "helper" is defined nowhere', "[system] sources"],
        ),
        (
            f"{A}:12: undefined reference to `hrl_frobnicate'",
            [f'{A}:12: "hrl_frobnicate" is defined nowhere', "headers"],
        ),
        (
            "/newlib/libc/reent/writer.c:49: undefined reference to `_write'",
            ['"_write" is defined nowhere', "C library", "_write in one of [system] sources"],
        ),
        (
            "crt.o: undefined reference to `hrl_link_data_load'",
            [
                "no-such-board/link.ld: the linker script does not define hrl_link_data_load",
                "the symbols hrl_link_... of",
            ],
        ),
        (
            f"{LD[:-1]}/mine/own.ld:7: syntax error",
            ["/mine/own.ld:7: the linker does not understand its script", "syntax error"],
        ),
        (
            f"{LD}nothing calls the constructors of static objects, and there are some",
            [
                "there are constructors in a library, or by a macro of a header",
                "as a path in libraries or objects of [build]; no macro that makes constructors",
            ],
        ),
        (
            f"{LD}region `ram' overflowed by 1234 bytes",
            [
                "no-such-board/board.toml: memory.ram: the program does not fit into fake's memory ram",
                "4,096 bytes",
                "1,234 bytes too many",
            ],
        ),
        (
            f"{LD}less than 1024 bytes of ram are left for the main stack",
            [
                "no-such-board/board.toml: memory.ram: the program does not fit into fake's memory ram",
                "less than 1,024 bytes left for the main stack",
            ],
        ),
        (
            f"{LD}region `other' overflowed by 1 byte",
            ["the program does not fit into fake's memory other", "1 bytes too many"],
        ),
    ],
)
def test_the_linkers_words_become_the_users(system: System, line: str, words: list[str]) -> None:
    (said,) = problems(
        system, f"{LD}x.obj: in function `f':", line, "collect2: error: ld returned 1 exit status"
    )
    for word in words:
        assert word in said


def test_a_board_without_constructors_says_so(system: System) -> None:
    board = replace(system.board, port=replace(system.board.port, constructs=False))
    line = f"{LD}nothing calls the constructors of static objects, and there are some"
    (said,) = problems(replace(system, board=board), line)
    assert "there are constructors of static objects, and nothing on fake calls them" in said
    assert 'start = "f" in [system]' in said


def test_a_name_that_is_missing_in_many_places_is_said_once(system: System) -> None:
    (said,) = problems(
        system,
        f"{LD}libhrl_bodies.a(b.c.obj):(.text.f+0x4): undefined reference to `helper'",
        f"{A}:12: undefined reference to `helper'",
        f"{A}:13: more undefined references to `helper' follow",
    )
    assert said.startswith(f'{B}: "helper" is defined nowhere')


def test_what_is_not_known_is_shown_in_the_linkers_own_words(system: System) -> None:
    (said,) = problems(system, f"{LD}cannot find -lfoo", "collect2: error: ld returned 1")
    assert "does not link" in said
    assert "cannot find -lfoo" in said
    assert problems(system, f"{LD}horolog.elf section `.bss' will not fit in region `ram'") == []
    avr = f"{LD}address 0x800a0e of horolog.elf section `.data' is not within region `ram'"
    assert problems(system, avr) == []
    assert problems(system, f"{LD}warning: x.o: missing .note.GNU-stack section") == []
    did_not_fail = Step("Linking", False, (f"{A}:12: undefined reference to `helper'",))
    assert list(link_problems(system, [did_not_fail], NOWHERE, "horolog")) == []


def test_missing_names_are_told_from_other_problems() -> None:
    def failed(*lines: str) -> list[Step]:
        return [Step("Linking", True, lines)]

    missing = "a.c:1: undefined reference to `hrl_now'"
    assert missing_names(failed(missing, missing, "collect2: error: ld returned 1")) == ("hrl_now",)
    assert missing_names(failed(missing, f"{LD}region `ram' overflowed by 1 byte")) == ()
    assert missing_names(failed(missing, twice("main", "a.c:1", "b.c:2"))) == ()
    assert missing_names(failed()) == ()
