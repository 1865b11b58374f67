# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads port.toml: what the tool must know about a port, a folder ports/<arch>/<controller>.

A guard of stacks that a port has is a folder beside its controllers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from horolog.data import data_root
from horolog.model import (
    Board,
    CycleCounter,
    GlobalThreads,
    HorologError,
    OwnVectors,
    PartCore,
    Port,
    StackGuard,
    StackSizes,
)
from horolog.read.document import Document, read_document
from horolog.read.schema import PortFile, SystemFile
from horolog.read.validation import validate

__all__ = ["find_port", "guard_problems", "ports", "ports_with_own_vectors"]


@cache
def ports() -> Mapping[tuple[str, str], Port]:
    """All ports by their two folders, architecture and controller."""
    return MappingProxyType({key: _port(file, *key) for key, file in _files().items()})


def ports_with_own_vectors() -> list[str]:
    """The architectures of which an application may have a vector table of its own."""
    return sorted({arch for (arch, _), port in ports().items() if port.own_vectors is not None})


def find_port(arch: str, controller: str | None) -> Port | None:
    """The port for boards of `arch` with that controller; None: there is none.

    Without a controller it is the usual one of the architecture.
    """
    for key, file in _files().items():
        if key == (arch, controller) or (controller is None and key[0] == arch and file.usual):
            return ports()[key]
    return None


def guard_problems(document: Document, file: SystemFile, board: Board) -> Iterator[HorologError]:
    """A guard that the board's processor has not."""
    name = file.system.guard
    if name is None or any(one.name == name for one in board.stack_guards):
        return
    of_ports = [one for port in ports().values() for one in port.stack_guards]
    able = sorted({cpu for one in of_ports if one.name == name for cpu in one.cpus})
    others = [f'guard = "{one.name}"' for one in board.stack_guards]
    yield HorologError(
        f'the board "{board.name}" has no guard "{name}"',
        place=document.place("system", "guard"),
        found=f'guard = "{name}", and cpu = "{board.cpu}"',
        expected=f"{', '.join(others) or 'no guard'}, or a board with cpu = {' or '.join(able)}",
    )


@cache
def _files() -> dict[tuple[str, str], PortFile]:
    paths = sorted(data_root().glob("ports/*/*/port.toml"))
    return {
        (path.parts[-3], path.parts[-2]): validate(PortFile, read_document(path)) for path in paths
    }


def _part_cores(file: PortFile) -> tuple[PartCore, ...]:
    if file.parts is None:
        return ()
    macro, lines = file.parts.lines_macro, file.parts.lines
    return tuple(
        PartCore(
            name=one.name,
            cpu=one.cpu,
            fpu=one.fpu,
            work_cycles=one.work_cycles,
            lines_macro=macro,
            lines=lines,
            lines_header=one.lines_header,
            simulated=one.simulated,
            cycle_counter=file.counter.name if file.counter and one.cycle_counter else None,
            costs_of=one.costs_of,
        )
        for one in file.parts.core
    )


def _own_vectors(file: PortFile, arch: str, controller: str) -> OwnVectors | None:
    table = file.own_vectors
    if table is None:
        return None
    return OwnVectors(
        begin=table.begin,
        places=tuple(table.places.items()),
        reset=table.reset,
        lines=table.lines,
        line_names=table.line_names,
        folders=(f"ports/{arch}", f"ports/{arch}/{controller}"),
    )


def _port(file: PortFile, arch: str, controller: str) -> Port:
    return Port(
        compiler=file.compiler,
        usual=file.usual,
        is_process=file.program == "process",
        emulator=None if file.emulator is None else file.emulator.program,
        emulator_options=() if file.emulator is None else tuple(file.emulator.options),
        switch=file.code.switch,
        switch_handlers=tuple(file.code.switch_handlers),
        switch_calls=tuple(file.code.switch_calls),
        around_handlers=tuple(file.code.around_handlers),
        fault_handlers=tuple(file.code.fault_handlers),
        own_vectors=_own_vectors(file, arch, controller),
        frame_bytes=file.code.frame_bytes,
        fpu_frame_bytes=file.code.fpu_frame_bytes,
        context_bytes=file.code.context_bytes,
        fpu_context_bytes=file.code.fpu_context_bytes,
        stack_guards=tuple(
            StackGuard(one.name, tuple(one.cpus), one.stack_bytes, one.main_stack_bytes)
            for one in file.code.stack_guards
        ),
        pointer_bytes=file.code.pointer_bytes,
        table_bytes=file.code.table_bytes,
        main_stack_from_top=file.code.main_stack_from_top,
        few_priorities=file.code.few_priorities,
        constructs=file.code.constructors and file.program != "process",
        line_frame_bytes=file.code.line_frame_bytes,
        stacks=StackSizes(**dict(file.stacks)),
        interrupt_steps=file.code.interrupt_steps,
        has_entries=file.lines.entries,
        lines_ascend=file.lines.ascending,
        cells_at_levels=file.lines.cells_at_levels,
        shows_active=file.lines.shows_active,
        ceilings_mask_all=file.lines.ceilings_mask_all,
        redirects=file.lines.redirects,
        follows=file.lines.follows,
        compares_levels=file.lines.compares_levels,
        overrun_handler=file.lines.overrun_handler,
        ends_with_switch=file.lines.ending_handlers,
        highest_interrupt=file.lines.highest_priority,
        has_freertos=file.freertos,
        has_notify=file.freertos_notify,
        freertos_tick=file.freertos_tick,
        freertos_tick_handler=file.freertos_tick_handler,
        freertos_switch=tuple(file.freertos_switch),
        has_queue_bench=file.queue_bench,
        has_trace=file.trace,
        cycle_counter=None
        if file.counter is None
        else CycleCounter(file.counter.name, tuple(file.counter.devices)),
        spinlocks=file.cores.spinlocks,
        spinlock_steps=file.cores.spinlock_steps,
        doorbell_steps=file.cores.doorbell_steps,
        global_threads=None
        if file.cores.global_threads is None
        else GlobalThreads(**dict(file.cores.global_threads)),
        part_cores=_part_cores(file),
    )
