# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A program that is too large for a memory: by how much, and what takes it, as real linkers say it."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tool.call_programs import COMPILERS, run
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.build.link_errors import link_problems, missing_names
from horolog.build.memory_use import MemoryUse, ThreadUse, memory_use
from horolog.build.output import Step
from horolog.model import HorologError, Kind, Memory, Place, Port, Sporadic, StackSizes, System

GENERATED = """\
#define STACKS __attribute__((section(".hrl_stacks"), aligned(1), used))
char hrl_gen_stack_0[256] STACKS;
static char hrl_gen_stack_2[96] STACKS;
char hrl_gen_stack_3[40] STACKS;
char server_stack_9[128] STACKS;
char hrl_gen_threads[60] = {1}, hrl_gen_sporadic_3[24] = {1};
char server_9[28], idle[32] = {2}, idle_stack[64], releaser[12] = {3}, more[1000];
extern char body[], kernel[];
int main(void) { return body[0] + kernel[0] + hrl_gen_threads[0] + hrl_gen_sporadic_3[0] + server_9[0]
    + idle[0] + idle_stack[0] + releaser[0] + more[0]; }
"""

SCRIPT = """\
MEMORY { code : ORIGIN = 0, LENGTH = CODE\n ram : ORIGIN = 0x800100, LENGTH = RAM }
SECTIONS
{
    .text : { *(.text .text.*) *(.rodata .rodata.*) } > code
    .data : { *(.data .data.*) } > ram AT > code
    .bss (NOLOAD) : { *(.bss .bss.* COMMON) } > ram
    .hrl_stacks (NOLOAD) : { *(.hrl_stacks) . += GAP; low = .; } > ram
    hrl_link_main_stack_low = low;
    hrl_link_main_stack_top = ORIGIN(ram) + LENGTH(ram);
    /DISCARD/ : { *(.ARM.*) }
}
ASSERT(hrl_link_main_stack_top - hrl_link_main_stack_low >= 100,
    "less than 100 bytes of ram are left for the main stack")
"""

OBJECT = "CMakeFiles/horolog.dir/gen/hrl_gen_system.c.obj"


@pytest.fixture(params=[arch for arch in COMPILERS if arch != "rv32"])
def compiler(request: pytest.FixtureRequest) -> list[str]:
    command = COMPILERS[request.param]
    if shutil.which(command[0]) is None:
        pytest.skip("needs the cross compiler")
    return [*command, "-ffreestanding", "-fno-common", "-ffunction-sections", "-fdata-sections"]


def linked(
    compiler: list[str],
    folder: Path,
    ram: int,
    code: int = 4096,
    gap: int = 0,
    script: str = SCRIPT,
) -> list[str]:
    """What the linker says, with its map beside the objects as a build has them."""
    (folder / OBJECT).parent.mkdir(parents=True, exist_ok=True)
    for name, text in {
        OBJECT: GENERATED,
        "body.o": "char body[72];",
        "kernel.o": "char kernel[36];",
    }.items():
        (folder / "source.c").write_text(text)
        run([*compiler, "-c", "source.c", "-o", name], folder)
    for library, member in (("libhrl_bodies.a", "body.o"), ("libhrl_kernel.a", "kernel.o")):
        run(["ar", "rc", library, member], folder)
    script = script.replace("LENGTH = CODE", f"LENGTH = {code}")
    script = script.replace("LENGTH = RAM", f"LENGTH = {ram}").replace("GAP", str(gap))
    (folder / "test.ld").write_text(script)
    options = ["-nostdlib", "-T", "test.ld", "-Wl,-Map=horolog.map", "-Wl,-e,main"]
    if compiler[0] == "avr-gcc":
        options += ["-Wl,--defsym=__do_copy_data=0", "-Wl,--defsym=__do_clear_bss=0"]
    command = [*compiler, *options, OBJECT, "libhrl_bodies.a", "libhrl_kernel.a", "-o", "x.elf"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stderr.splitlines()


def system(ram: int, code: int = 4096) -> System:
    """Three tasks, two of which have threads of their own, and one that is sporadic."""
    port = Port("gcc", stacks=StackSizes(least=32))
    memory = (Memory("code", 0, code), Memory("ram", 0x800100, ram))
    tasks = [make_task(name, ms(10), line=7) for name in ("pump", "valve", "lamp")]
    tasks[1] = replace(tasks[1], kind=Kind.BASIC)
    tasks[0] = replace(tasks[0], place=Place("system.toml", 7, key="task.pump"))
    made = make_system(tasks=tasks, board=replace(make_board(), memory=memory, port=port))
    return replace(made, sporadic=(Sporadic(make_task("alarm", ms(1)), None),))


THREADS = 256 + 96 + 40 + 128 + 60 + 24 + 28
REST = 32 + 64 + 12 + 1000 + 72 + 36
NEEDED = THREADS + REST + 100


def problem(compiler: list[str], folder: Path, ram: int, code: int = 4096) -> HorologError:
    steps = [Step("Linking", True, tuple(linked(compiler, folder, ram, code)))]
    assert missing_names(steps) == ()
    (found,) = link_problems(system(ram, code), steps, folder, "horolog")
    return found


def test_what_each_thread_and_part_takes(compiler: list[str], tmp_path: Path) -> None:
    error = problem(compiler, tmp_path, 1700)
    assert error.message == (
        f"the system needs {NEEDED:,} bytes of fake's memory ram, which has 1,700: {NEEDED - 1700} too many"
    )
    assert error.place == Place("system.toml", 7, key="task.pump.stack")
    assert f"smaller by {NEEDED - 1700} bytes together" in (error.expected or "")
    rows = [" ".join(line.split()) for line in (error.found or "").splitlines()]
    assert rows == [
        f"{NEEDED:,} bytes, by what takes them",
        "thread stack control block",
        "pump 256 30",
        "server of level 9 128 28",
        "lamp 96 30",
        "alarm 40 24",
        "tables, releasers 1,012",
        "idle thread 96",
        "bodies 72",
        "kernel 36",
        "main stack, at least 100",
    ]


def test_what_is_left_for_the_main_stack_counts(compiler: list[str], tmp_path: Path) -> None:
    """The program fits, but for 25 bytes of what its main stack has to have."""
    error = problem(compiler, tmp_path, NEEDED - 25)
    assert error.message.endswith(f"which has {NEEDED - 25:,}: 25 too many")


def test_stacks_that_are_too_small_to_help_are_not_named(
    compiler: list[str], tmp_path: Path
) -> None:
    error = problem(compiler, tmp_path, NEEDED - 520)
    assert error.place is not None
    assert error.place.file.endswith("board.toml")
    assert error.place.key == "memory.ram"
    assert (error.expected or "").startswith("fewer tasks or tables, smaller stacks, less code")


def test_code_is_told_from_initial_values(compiler: list[str], tmp_path: Path) -> None:
    error = problem(compiler, tmp_path, 4096, code=80)
    assert "memory code, which has 80: " in error.message
    rows = dict(
        " ".join(line.split()).rsplit(" ", 1) for line in (error.found or "").splitlines()[1:]
    )
    assert int(rows["generated code"]) > 20
    assert rows["initial values of variables"] == str(60 + 24 + 32 + 12)


def test_a_program_that_fits_has_nothing_to_say(compiler: list[str], tmp_path: Path) -> None:
    assert linked(compiler, tmp_path, NEEDED) == []
    use = memory_use(system(NEEDED), Memory("ram", 0x800100, NEEDED), tmp_path, "horolog")
    assert use is not None
    assert (use.bytes, use.left) == (NEEDED, 100)
    code = memory_use(system(NEEDED), Memory("code", 0, 4096), tmp_path, "horolog")
    assert code is not None
    assert (code.left, code.main_stack) == (None, 0)
    assert memory_use(system(1), Memory("code", 0, 1), tmp_path, "other") is None


def test_a_main_stack_with_a_section_of_its_own_is_no_alignment(
    compiler: list[str], tmp_path: Path
) -> None:
    """As boards have it whose core starts with a stack that overflows into nothing."""
    own = (
        ".main_stack : { hrl_link_main_stack_low = .; . += 64; hrl_link_main_stack_top = .; } > ram"
    )
    script = SCRIPT.partition("    hrl_link_main_stack_low")[0] + own + " }\n"
    linked(compiler, tmp_path, 1500, script=script, gap=48)
    use = memory_use(system(1500), Memory("ram", 0x800100, 1500), tmp_path, "horolog")
    assert use is not None
    assert (use.parts["main stack"], use.parts["alignment"]) == (64, 48)
    assert (use.left, use.main_stack) == (None, 0)  # behind the memory's end
    assert use.bytes == NEEDED - 100 + 64 + 48


def test_a_table_of_many_threads_sums_up_the_smallest() -> None:
    threads = tuple(ThreadUse(f"t{i}", None, 200 - i, 10) for i in range(30))
    rows = [*MemoryUse(threads, {"bodies": 1, "kernel": 2}, None, 0).rows()]
    assert rows[0] == ("thread", "stack", "control block")
    assert [row[0] for row in rows[1:25]] == [f"t{i}" for i in range(24)]
    stack = sum(200 - i for i in range(24, 30))
    assert rows[25:] == [("6 more", f"{stack:,}", "60"), ("kernel", "", "2"), ("bodies", "", "1")]


def test_control_blocks_are_shared_out_where_stacks_lie_elsewhere(
    compiler: list[str], tmp_path: Path
) -> None:
    big = Memory("big", 0x900000, 0x1000)
    script = SCRIPT.replace("}\nSECTIONS", " big : ORIGIN = 0x900000, LENGTH = 0x1000 }\nSECTIONS")
    head, _, tail = script.partition(".hrl_stacks")
    linked(compiler, tmp_path, 1500, script=f"{head}.hrl_stacks{tail.replace('> ram', '> big', 1)}")
    of = system(1500)
    of = replace(of, board=replace(of.board, memory=(*of.board.memory, big)))
    ram = memory_use(of, of.board.memory[1], tmp_path, "horolog")
    assert ram is not None
    threads = {one.name: (one.stack, one.control) for one in ram.threads}
    assert threads == {
        "pump": (0, 30),
        "lamp": (0, 30),
        "alarm": (0, 24),
        "server of level 9": (0, 28),
    }
    stacks = memory_use(of, big, tmp_path, "horolog")
    assert stacks is not None
    assert stacks.stacks == 520
