# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tables and names stay in flash on AVR, where constants take RAM otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from tests.system.support import ROOT, Run

from horolog.analyse import jobs_in
from horolog.build.firmware import build_firmware
from horolog.image import read_image
from horolog.model import Plan, System
from horolog.plan import NOTHING, plan
from horolog.programs import call, require
from horolog.read import read_system

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("avr")]

RAM = 4096
DATA = 0x800000  # addresses of data in ELF files for AVR, behind those of flash
PERIODS = (2, 7, 11, 13)  # ms: 1,282 instants in 2.002 s


OBJECTS = """\
#include <hrl/basic.h>
#include <hrl/thread.h>
static void run(void *nothing) { (void)nothing; }
static void job(void) {}
static uint64_t stack[16];
HRL_THREAD_DEFINE(blinker, run, 0, 3, 128);
struct hrl_thread workers[1] = {HRL_THREAD_INIT("worker", run, 0, 3, stack)};
HRL_BASIC_DEFINE(control, job, fast, 0);
HRL_LINE_DEFINE(fast, 5, &control);
HRL_LINES(&fast);
int first(void) { return *(const HRLI_FLASH char *)hrl_thread_name(&blinker); }
"""


@pytest.mark.parametrize(
    ("compiler", "standard", "constants"),
    [
        ("avr-gcc", "gnu11", 8),
        ("avr-gcc", "c11", 7),
        ("avr-g++", "gnu++11", 7),
        ("avr-g++", "c++11", 7),
    ],
)
def test_constants_of_objects_that_an_application_defines_are_in_flash(
    compiler: str, standard: str, constants: int, tmp_path: Path
) -> None:
    """Names in arrays need GNU C, public headers do not: of a task, a line, its tasks, all lines."""
    require(compiler)
    source, out = tmp_path / f"a.{'cpp' if '++' in compiler else 'c'}", tmp_path / "a.o"
    source.write_text(OBJECTS, encoding="utf-8")
    options = [
        f"-std={standard}",
        "-mmcu=atmega128",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fdata-sections",
    ]
    command = [compiler, *options, f"-I{ROOT / 'include'}", "-c", str(source), "-o", str(out)]
    done = call(command, seconds=60)
    assert done.status == 0, done.errors
    with out.open("rb") as stream:
        sections = [(one.name, one.data()) for one in ELFFile(stream).iter_sections()]
    flash = [name for name, _ in sections if name.startswith(".progmem")]
    assert len(flash) == constants
    ram = b"".join(data for name, data in sections if name.startswith((".data", ".rodata")))
    for name in (b"blinker", b"worker", b"control"):
        assert name not in ram


def described(folder: Path, periods: tuple[int, ...], **keys: str) -> System:
    text = '[system]\nname = "flash"\nboard = "atmega128-8mhz"\nduration = "2100 ms"\ntable_bytes = 16_384\n'
    for at, period in enumerate(periods):
        text += f'\n[[task]]\nname = "ignition{at}"\nperiod = "{period} ms"\nwork = 5\n'
        text += "".join(f"{key} = {value}\n" for key, value in keys.items())
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path)


def in_ram(elf: Path) -> tuple[set[str], bytes]:
    """The objects that RAM begins with, and their bytes."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        table = file.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        index, section = file.get_section_index(".data"), file.get_section_by_name(".data")
        assert section is not None
        names = {
            symbol.name
            for symbol in table.iter_symbols()
            if symbol["st_shndx"] == index and symbol["st_info"]["type"] == "STT_OBJECT"
        }
        return names, section.data()


def test_a_table_larger_than_ram_releases_every_job(
    bench: Callable[[System, Plan], Run], tmp_path: Path
) -> None:
    system = described(tmp_path, PERIODS)
    choice = plan(system, mechanism="gcd", queue="mask-table", prices=NOTHING).choice
    run = bench(system, choice)
    assert run.side.jobs == sum(jobs_in(system)) > 1500
    assert run.side.deadline_misses == run.side.overruns == 0
    interrupts = run.side.interrupts
    assert (interrupts.taken, interrupts.excess) == (interrupts.predicted, 0)
    elf = build_firmware(system, choice, tmp_path / "out", None).horolog
    image = read_image(elf)
    assert image.sizes["rows_0"] > RAM
    assert image.symbols["rows_0"] < image.symbols["masks"] + DATA < 2 * DATA
    names, data = in_ram(elf)
    assert names <= {
        *("hrl_gen_threads", "hrl_gen_releaser_0", "store_0", "idle"),  # are written to
        *("calls_0", "cell_0", "steps_0", "hrlp_avr_highest"),  # small, and read by hot paths
        "hrli_no_timeouts",
    }
    for name in (b"ignition", b"idle", b"start-up", b"interrupt"):
        assert name not in data


def test_rows_names_and_descriptors_of_basic_tasks_are_in_flash(tmp_path: Path) -> None:
    system = described(tmp_path, (5, 7, 10), kind='"basic"')
    choice = plan(system, mechanism="gcd", prices=NOTHING).choice
    assert choice.releasers[0].store == "mask-table"
    elf = build_firmware(system, choice, tmp_path / "out", None).horolog
    symbols = read_image(elf).symbols
    names, data = in_ram(elf)
    for table in (
        *("hrl_gen_rows_0", "parts_0", "hrl_gen_basic", "hrl_gen_lines", "lines"),
        *(f"{one}_{line}" for one in ("hrl_gen_line", "tasks") for line in range(3)),
    ):
        assert symbols[table] < DATA
        assert table not in names
    for name in (b"ignition", b"server", b"idle", b"start-up", b"interrupt"):
        assert name not in data
