# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of port.toml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from horolog.model import TABLE_BYTES
from horolog.read.schema.table import Table
from horolog.read.values import Identifier, Line, Name, Natural, Word

__all__ = ["PortFile"]


class EmulatorTable(Table):
    """The program that runs a port's firmware; its boards say which machine."""

    program: Word
    options: list[Line] = []


class StackGuardTable(Table):
    """What finds that a stack overflows: a folder of ports/<arch>/, and what it takes."""

    name: Word
    cpus: list[Word] = Field(min_length=1)
    stack_bytes: Natural
    main_stack_bytes: Natural = 0


class CodeTable(Table):
    """Names and sizes of the port's code."""

    switch: Identifier | None = None
    switch_handlers: list[Identifier] = []
    switch_calls: list[Identifier] = []
    around_handlers: list[Identifier] = []
    fault_handlers: list[Identifier] = []
    frame_bytes: Natural = 0
    fpu_frame_bytes: Natural = 0
    context_bytes: Natural = 0
    fpu_context_bytes: Natural = 0
    stack_guards: list[StackGuardTable] = []
    pointer_bytes: Literal[2, 4] = 4
    table_bytes: Natural = TABLE_BYTES
    main_stack_from_top: bool = False
    few_priorities: bool = False
    constructors: bool = True
    line_frame_bytes: Natural = 0
    interrupt_steps: Natural = 320


class OwnVectorsTable(Table):
    """Vector tables of applications."""

    begin: Identifier
    places: dict[Identifier, Natural]
    reset: Identifier
    lines: Natural
    line_names: str


class StacksTable(Table):
    """Bytes of stacks, multiples of 8."""

    usual: int = Field(512, ge=32, multiple_of=8)
    least: int = Field(256, ge=32, multiple_of=8)
    idle: int = Field(256, ge=32, multiple_of=8)
    server: int = Field(384, ge=32, multiple_of=8)
    shared: int = Field(32, ge=0, multiple_of=8)


class PortLinesTable(Table):
    """How interrupts reach handlers on a port."""

    entries: bool = False
    ascending: bool = False
    cells_at_levels: bool = True
    compares_levels: bool = False
    shows_active: bool = True
    ceilings_mask_all: bool = False
    redirects: bool = False
    follows: bool = False
    overrun_handler: Identifier | None = None
    ending_handlers: bool = False
    highest_priority: int = Field(7, ge=1, le=7)


class PortGlobalThreadsTable(Table):
    """What the kernel takes where several cores run some threads."""

    lock_steps: Natural
    held_steps: Natural
    held_steps_each: Natural
    passed_steps: Natural
    passed_by_steps: Natural
    claim_steps: Natural
    claim_steps_each: Natural
    dispatch_steps: Natural
    doorbell_steps: Natural
    call_steps: Natural


class PortCoresTable(Table):
    """What a port for boards of several cores has between them."""

    spinlocks: Natural = 0
    spinlock_steps: Natural = 0
    doorbell_steps: Natural = 0
    global_threads: PortGlobalThreadsTable | None = None


class PortPartCoreTable(Table):
    """A processor core of chips that the port serves."""

    name: Line
    cpu: Word
    fpu: Word | None = None
    work_cycles: int = Field(ge=1)
    lines_header: Line | None = None
    simulated: bool = False
    """Its code runs on the simulator of STM32 boards, a Cortex-M33."""
    cycle_counter: bool = False
    """It has one, which the port reads in firmware that measures itself."""
    costs_of: Word | None = None
    """A board that comes with Horolog: the costs of others with this core and a 32-bit clock are the same."""


class PortPartsTable(Table):
    """Chips of which `horolog board new` makes boards."""

    lines_macro: Identifier
    lines: Natural = 0
    core: list[PortPartCoreTable]


class PortCounterTable(Table):
    """What counts cycles in firmware that measures itself."""

    name: Word
    devices: list[Word] = []
    """Folders of ports/cell/ that have it for themselves: as the clock, or as a cell of the system."""


class PortFile(Table):
    """What the tool must know about a port (docs/guide/porting.md)."""

    compiler: Word
    usual: bool = False
    family: Name | None = None
    program: Literal["firmware", "process"] = "firmware"
    freertos: bool = False
    freertos_notify: bool = False
    freertos_tick: Word | None = None
    freertos_tick_handler: Identifier | None = None
    freertos_switch: list[Identifier] = []
    queue_bench: bool = False
    trace: bool = False
    """Its firmware can write a ring of records (kernel/trace), by which it measures itself."""
    counter: PortCounterTable | None = None
    """What stamps these records on boards that say cycles_hz in [probe]. Absent: the clock alone can."""
    emulator: EmulatorTable | None = None
    code: CodeTable = CodeTable()
    own_vectors: OwnVectorsTable | None = None
    stacks: StacksTable = StacksTable()
    lines: PortLinesTable = PortLinesTable()
    cores: PortCoresTable = PortCoresTable()
    parts: PortPartsTable | None = None
