# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Small firmwares for the tests of call graphs: compiled and linked as a system's is, without its kernel."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

COMPILERS = {
    "armv7m": ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"),
    "rv32": (
        "riscv64-unknown-elf-gcc",
        "-march=rv32imc",
        "-misa-spec=2.2",
        "-mabi=ilp32",
        "--specs=picolibc.specs",
    ),
    "avr": ("avr-gcc", "-mmcu=atmega128", "-std=gnu11", "-fno-ipa-icf"),
}

RETURN_BYTES = {"armv7m": 0, "rv32": 0, "avr": 2}
"""What a call puts on the stack: the compiler counts it to the frame of what is called."""

_APART = {"armv7m": "noipa", "rv32": "noipa", "avr": "noinline, noclone"}
"""What makes a function APART: one of its own, whatever its callers are."""

_LINK = """\
ENTRY(hrl_gen_body_0)
SECTIONS
{
    . = CODE;
    .text :
    {
        LONG(0)
        hrl_link_bodies_start = .;
        KEEP(*bodies.o(.text .text.*))
        hrl_link_bodies_end = .;
        hrl_link_library_start = .;
        *libc.a:*(.text .text.*) *libgcc.a:*(.text .text.*)
        hrl_link_library_end = .;
        KEEP(*(.text.startup .text.startup.*))
        *(.text .text.*)
        *(.rodata .rodata.* .srodata .srodata.* .progmem .progmem.*)
    }
    . = MAX(., DATA);
    .data : { *(.data .data.* .sdata .sdata.*) }
    hrl_link_main_stack_low = STACK;
    hrl_link_main_stack_top = STACK + 0x1000;
    .bss : { *(.sbss .sbss.* .bss .bss.* COMMON) }
}
"""

KERNEL = """\
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
volatile uint32_t busy;
int main(void) { return (int)busy; }
void hrl_thread_sleep_for(hrl_counts span) { busy = (uint32_t)span; }
void hrl_thread_yield(void) { busy = 1; }
enum hrl_status hrl_semaphore_take(struct hrl_semaphore *s, hrl_counts until)
{
    if (until != 0) {
        hrl_thread_yield();
    }
    return s->count ? HRL_OK : HRL_WOULD_WAIT;
}
enum hrl_status hrl_semaphore_give(struct hrl_semaphore *s)
{
    s->count++;
    return HRL_OK;
}
enum hrl_status hrl_event_wait(struct hrl_event *event, uint32_t flags, uint32_t mode,
                               hrl_counts until, uint32_t *seen)
{
    busy = flags + mode + (uint32_t)until + (seen != 0);
    return event->flags ? HRL_OK : HRL_WOULD_WAIT;
}
enum hrl_status hrl_message_send(struct hrl_message_queue *queue, const void *message,
                                 hrl_counts until)
{
    busy = until != 0 && message != 0;
    return queue->count ? HRL_OK : HRL_WOULD_WAIT;
}
"""
"""Something to link with, by the true declarations."""


@dataclass(frozen=True)
class Program:
    """What was linked, and what the compiler says each function needs of the stack."""

    elf: Path
    frames: dict[str, int]


def compile_program(
    folder: Path, arch: str, text: str, *options: str, kernel: str = KERNEL
) -> Program:
    """Compile `text` as bodies.c, with `options`."""
    root = Path(__file__).resolve().parents[2]
    (folder / "bodies.c").write_text(text)
    (folder / "kernel.c").write_text(kernel)
    (folder / "test.ld").write_text(_link(arch))
    compiler = COMPILERS[arch]
    common = [*compiler, "-g", "-ffunction-sections", f"-I{root / 'include'}", "-fstack-usage"]
    common.append(f"-DAPART=__attribute__(({_APART[arch]}))")
    for name, flags in (("bodies", options), ("kernel", ("-O2",))):
        run([*common, *flags, "-c", f"{name}.c", "-o", f"{name}.o"], folder)
    link = [*compiler, "-nostartfiles", "-T", "test.ld"]
    if arch == "avr":  # without its start-up, and its older linker does not warn
        link += ["-Wl,--defsym=__do_copy_data=0", "-Wl,--defsym=__do_clear_bss=0"]
    else:
        link.append("-Wl,--no-warn-rwx-segments")
    run([*link, "bodies.o", "kernel.o", "-o", "test.elf"], folder)
    frames = {}
    for line in (folder / "bodies.su").read_text().splitlines():
        place, size, kind = line.split("\t")
        if kind == "static":
            frames[place.rpartition(":")[2]] = int(size)
    return Program(folder / "test.elf", frames)


def _link(arch: str) -> str:
    """The linker's script: data behind code, but on AVR in a memory of their own."""
    if arch == "avr":
        places = {"CODE": "0", "DATA": "0x800100", "STACK": "0x801000"}
    else:
        places = {"CODE": "0x80000000", "DATA": "0", "STACK": "0x80100000"}
    return re.sub("|".join(places), lambda found: places[found[0]], _LINK)


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
