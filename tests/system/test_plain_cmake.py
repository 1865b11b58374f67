# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The kernel without the tool: examples/services and plain-cmake are CMake projects, run on every board."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import ARMAttributesSection
from tests.model.player import build as build_for_host
from tests.system.plain_cmake import build, must, options, project, run
from tests.system.running import EMULATED, ROOMY
from tests.system.support import ROOT

from horolog.build.rtl import simulator
from horolog.image import read_image
from horolog.read import read_board

pytestmark = pytest.mark.emulator

SERVICES = (
    "a thread is suspended",
    "it waits at another priority",
    "a thread knows itself",
    "a sleep lasts",
    "it is another number in ns",
    "the wall clock goes",
    "the gauge is full after eight tips",
    "the lamp blinks twice",
    "both events came",
    "all readings are recorded",
    "no thread waits for another too long",
    "the button was pressed once",
    "all readings were taken",
    "no alarm is left",
    "75 ms have gone by",
    "no stack is full",
)
SAYS = "".join(f"{what}: yes\n" for what in SERVICES)
MAIN = ROOT / "examples" / "services" / "main.c"


@pytest.mark.parametrize("name", ROOMY)
def test_services(name: str, tmp_path: Path) -> None:
    build(ROOT / "examples" / "services", tmp_path, *options(name))
    assert run(name, tmp_path / "services.elf") == SAYS


@pytest.mark.parametrize("cores", [2, 4])
def test_services_on_several_cores_print_what_they_print_on_one(cores: int) -> None:
    assert must(str(build_for_host(f"example_services_x{cores}"))) == SAYS


@pytest.mark.soak
def test_services_on_two_cores_of_the_rtl_board(tmp_path: Path) -> None:
    build(ROOT / "examples" / "services", tmp_path, *options("ibex-cells-x2"))
    program = simulator("maxperf", cores=2)
    command = (str(program), "--elf", str(tmp_path / "services.elf"), "--max-cycles", "40000000")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, done.stdout) == (0, SAYS)


def test_the_examples_have_every_service() -> None:
    """All public headers, but for those without calls of their own, and of what only the tool makes."""
    basic = ROOT / "examples" / "basic-tasks" / "main.c"
    text = MAIN.read_text(encoding="utf-8") + basic.read_text(encoding="utf-8")
    included = set(re.findall(r"#include <hrl/(\w+)\.h>", text))
    there = {path.stem for path in (ROOT / "include" / "hrl").glob("*.h")}
    # examples/cold-start, flight-table and telemetry show them
    from_descriptions = {"cell_table", "dispatcher", "portable"}
    assert there - included == {
        "heap",
        "objects",
        "types",
        *from_descriptions,
    }  # heap: tests/system/libc


@pytest.mark.parametrize("name", ROOMY)
def test_services_without_checks(name: str, tmp_path: Path) -> None:
    source = ROOT / "examples" / "services"
    build(source, tmp_path, *options(name), "-DHRL_PLAIN_FLAGS=-DHRL_CHECKS=0")
    assert run(name, tmp_path / "services.elf") == SAYS


@pytest.mark.parametrize("name", [*EMULATED, "atmega128-8mhz", "arduino-uno", "microbit"])
def test_a_project_of_ones_own_without_python(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder copied elsewhere, Horolog named by path; a Python that is called leaves a trace."""
    mine, programs, trace = tmp_path / "mine", tmp_path / "programs", tmp_path / "python-was-called"
    shutil.copytree(ROOT / "examples" / "plain-cmake", mine)
    programs.mkdir()
    for program in ("python", "python3"):
        (programs / program).write_text(f'#!/bin/sh\ntouch "{trace}"\nexit 1\n')
        (programs / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    out = tmp_path / "out"
    build(mine, out, *options(name), f"-DHOROLOG={ROOT}")
    assert run(name, out / "blinky.elf") == "on\noff\n" * 3 + "enough\n"
    assert not trace.exists()


def stores() -> list[str]:
    """The queues that need no arrays: the table of kernel/queue has a number for their size."""
    table = (ROOT / "kernel" / "queue" / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+)` (?:\|[^|\n]+){4}\| \d+ \| \d+ \|$", table, re.MULTILINE)


@pytest.mark.parametrize("store", ["sorted_list", "leftist_heap", "calendar"])
def test_the_store_is_chosen(store: str, tmp_path: Path) -> None:
    """On the host port: the next test."""
    out = tmp_path / "out"
    build(project(tmp_path / "project", f"STORE {store}", MAIN), out, *options("mps2-an385"))
    assert run("mps2-an385", out / "plain.elf") == SAYS


@pytest.mark.parametrize("store", stores())
def test_every_queue_without_arrays_may_be_the_store(store: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(project(tmp_path / "project", f"STORE {store}", MAIN), out, *options("host"))
    assert run("host", out / "plain.elf") == SAYS


@pytest.mark.parametrize(
    ("name", "has_heap"),
    [
        ("mps2-an385", True),
        ("lm3s6965evb", False),
        ("microbit", False),
    ],  # 4 MB of RAM, 64 and 16 KB
)
def test_unless_said_the_store_is_that_of_the_boards_memory(
    name: str, *, has_heap: bool, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    build(project(tmp_path / "project", "", MAIN), out, *options(name))
    linked = read_image(out / "plain.elf").symbols
    assert ("hrli_leftist_heap_init" in linked) == has_heap
    assert ("hrli_sorted_list_insert" in linked) != has_heap


@pytest.mark.parametrize("name", ["mps2-an385", "mps2-an386"])
def test_the_switch_of_a_yield_is_linked_if_a_thread_yields(name: str, tmp_path: Path) -> None:
    found: list[bool] = []
    for call in ("", "hrl_thread_yield();"):
        source = tmp_path / f"main{len(found)}.c"
        source.write_text(
            "#include <hrl/kernel.h>\n#include <hrl/thread.h>\n#include <stddef.h>\n"
            f"static void once(void *argument) {{ (void)argument; {call} }}\n"
            "HRL_THREAD_DEFINE(one, once, NULL, 1, 512);\n"
            "int main(void) { hrl_thread_start(&one); hrl_start(); }\n"
        )
        out = tmp_path / f"out{len(found)}"
        build(project(out.with_suffix(".project"), "", source), out, *options(name))
        image = read_image(out / "plain.elf")
        found.append("hrli_cpu_yield" in image.symbols)
        # Without it the vector table has the handler of faults there.
        assert (image.address("SVC_Handler") != image.address("fault_alias")) is found[-1]
    assert found == [False, True]


@pytest.mark.parametrize("name", [*EMULATED, pytest.param("ibex-cells", marks=pytest.mark.soak)])
def test_an_application_without_the_report_of_faults(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(project(tmp_path / "project", "REPORT halt", MAIN), out, *options(name))
    assert run(name, out / "plain.elf") == SAYS


CXX_MAIN = """\
#include <hrl/console.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>

extern "C" int from_assembly(void);
extern "C" int from_c(void);

namespace {
class Lamp {
  public:
    explicit Lamp(hrl_counts half) : half(half) {}
    virtual void blink() const { hrl_thread_sleep_until(hrl_now() + half); hrl_console_print("on\\n"); }
  private:
    hrl_counts half;
};
void run(void *) {
    Lamp lamp(HRL_CLOCK_HZ / 10);
    lamp.blink();
    const bool alike = HRL_PRIORITIES == from_c() && from_assembly() == HRL_PRIORITIES;
    hrl_console_print(alike ? "alike\\n" : "unlike\\n");
    hrl_program_end(0);
}
}
HRL_THREAD_DEFINE(runner, run, nullptr, 5, 512);

int main() { hrl_thread_start(&runner); hrl_start(); }
"""
C_PART = """\
#include <hrl/types.h>
int from_c(void);
int from_c(void) { return HRL_PRIORITIES; }
"""
ASSEMBLY = {
    "armv7m": "    .syntax unified\n    .thumb\n    .text\n    .global from_assembly\n    .thumb_func\n"
    "from_assembly:\n    mov.w r0, #HRL_PRIORITIES\n    bx lr\n",
    "rv32": "    .text\n    .global from_assembly\nfrom_assembly:\n    li a0, HRL_PRIORITIES\n    ret\n",
}


@pytest.mark.parametrize(
    "name", ["mps2-an385", pytest.param("mps2-an386", marks=pytest.mark.soak), "qemu-virt-rv32"]
)
def test_an_application_in_three_languages(name: str, tmp_path: Path) -> None:
    """What it sees of the kernel's configuration is what the kernel was built with, in each of them."""
    parts = {"main.cpp": CXX_MAIN, "part.c": C_PART, "part.S": ASSEMBLY[read_board(name).arch]}
    source, out = tmp_path / "project", tmp_path / "out"
    source.mkdir()
    for file, text in parts.items():
        (source / file).write_text(text, encoding="utf-8")
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(plain C CXX ASM)\nset(CMAKE_CXX_STANDARD 17)\n"
        "set(HRL_PLAIN_FLAGS -DHRL_PRIORITIES=64)\n"
        f'include("{ROOT}/cmake/horolog.cmake")\n'
        f"horolog_application(plain BOARD ${{BOARD}} SOURCES {' '.join(parts)})\n",
        encoding="utf-8",
    )
    build(source, out, *options(name))
    objects = out / "CMakeFiles" / "plain.dir"
    kernel = out / "CMakeFiles" / "plain_hrl_time.dir"
    (any_of_the_kernels,) = kernel.rglob("clock.c.obj")
    for file in parts:
        assert machine(objects / f"{file}.obj") == machine(any_of_the_kernels)
    assert run(name, out / "plain.elf") == "on\nalike\n"


def machine(path: Path) -> tuple[object, ...]:
    """For which processor an object is: class, flags, and on Arm what its attributes say of it."""
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        attributes = elf.get_section_by_name(".ARM.attributes")
        said: dict[str, object] = {}
        if isinstance(attributes, ARMAttributesSection):
            for part in attributes.iter_subsections():
                for block in part.iter_subsubsections():
                    said |= {one.tag: one.value for one in block.iter_attributes()}
        wanted = ("TAG_CPU_ARCH", "TAG_CPU_ARCH_PROFILE", "TAG_THUMB_ISA_USE", "TAG_FP_ARCH")
        return (elf.elfclass, elf["e_flags"], *(said.get(tag) for tag in wanted))


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("mps2-an358", "", "there is no board 'mps2-an358'"),
        ("mps2-an385", "", "mps2-an385 wants -DHRL_CPU=cortex-m3"),
        ("host", "STORE heap", f"STORE is one of {', '.join(sorted(stores()))}; not 'heap'"),
        ("host", "STORE timing_wheel", "not 'timing_wheel'"),
        ("host", "STORE calendar SLOTS 64", "horolog_application(plain ...) takes no SLOTS 64"),
        ("host", "REPORT none", "REPORT is one of full, halt; not 'none'"),
    ],
)
def test_what_is_wrong_is_said(name: str, arguments: str, said: str, tmp_path: Path) -> None:
    source, out = str(project(tmp_path / "project", arguments, MAIN)), str(tmp_path / "out")
    must("cmake", "-S", source, "-B", out, "-G", "Ninja", f"-DBOARD={name}", fails=said)
