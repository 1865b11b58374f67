# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of board.toml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from horolog.read.schema.table import Table
from horolog.read.values import (
    Hertz,
    Identifier,
    Line,
    Name,
    Natural,
    OpenocdFile,
    Positive,
    PositiveNumber,
    Prescaler,
    Word,
)

__all__ = [
    "BoardFile",
    "CellTable",
    "ControllerTable",
    "FreertosTable",
    "LineTable",
    "MemoryTable",
    "PlainTable",
    "ProbeTable",
]


class BoardTable(Table):
    """What the board is."""

    name: Name
    title: Line
    """One line for people."""
    arch: Identifier
    """A folder of ports/."""
    cpu: Word
    """As the compiler names it."""
    fpu: Word | None = None
    """The floating-point unit as the compiler names it; absent: there is none."""
    levels: int = Field(ge=1, le=255)
    """Priority levels for threads."""
    basic_levels: int | None = Field(None, ge=1, le=255)
    """Priority levels for basic tasks; default: as many as for threads."""
    cores: int = Field(1, ge=1, le=64)
    """So many cores of one kind, which share the clock; each has an even share of the cells, in order."""
    silicon: Line | None = None
    """How silicon differs from what is run here, a sentence for people."""
    work_ns: PositiveNumber
    """What one turn of the work loop lasts, in nanoseconds."""
    attachable: list[Natural] | None = Field(None, min_length=2, max_length=2)
    """Of a board without a controller for basic tasks: the first and the last interrupt line to which the
    application may attach a handler.
    """


class RunnerTable(Table):
    """How the board is started."""

    kind: Literal[
        "qemu", "host", "ibex", "simavr", "rp2040js", "rp2040-emu", "stm32", "rp2350", "none"
    ]
    """ "none": no emulator runs it; horolog build writes its firmware."""
    machine: Word
    """As the emulator names it."""
    configuration: Word | None = None
    """Which core an "ibex" simulates, such as "maxperf"."""
    ram_property: Word | None = None
    """The property of a "qemu" that says how many bytes of RAM the machine has: "nrf51-soc.sram-size".
    Calibration gives it more, as its systems are larger than those that the board runs.
    """
    icount_shift: int | None = Field(None, ge=0, le=10)
    """An instruction lasts 2^shift nanoseconds."""
    ns_per_instruction: int | None = Field(None, ge=1)
    """Absent: instructions are not counted here."""
    ns_per_cycle: int | None = Field(None, ge=1)
    """Cycles are counted, and one lasts so long."""
    cycles_hz: Hertz | None = None
    """Cycles are counted, so many a second, which need not be whole nanoseconds each. A "simavr" needs it."""


class LineTable(Table):
    """One interrupt line, or `count` of them in a row."""

    handler: Identifier
    """Its entry in the vector table; with count: and an index."""
    number: Natural
    """As the controller numbers it."""
    count: int | None = Field(None, ge=1, le=1024)
    """So many lines: HANDLER0, HANDLER1, ..."""


class ControllerTable(Table):
    """A prioritised interrupt controller: it dispatches basic tasks."""

    device: Word
    """The port: a folder of ports/<arch>/."""
    lines: list[LineTable] = Field(min_length=1)
    """Those that nothing on the board needs and that software can pend, in the order in which they are to
    be taken.
    """


class ClockTable(Table):
    """The free-running counter that gives time."""

    device: Word
    """A folder of ports/cell/."""
    hz: Hertz
    """Counts a second; with `prescalers`: before the prescaler."""
    prescalers: list[Prescaler] | None = Field(None, min_length=1)
    """Those that its timer has, in ascending order; the plan chooses one. Absent: there is none."""
    width: int = Field(ge=8, le=64)
    """Bits of the hardware counter."""
    instance: int = Field(0, ge=0)
    """Which of the device's channels."""
    handler: Identifier | None = None
    """Vector-table entry of its wrap interrupt."""


class CellTable(Table):
    """One hardware timer channel that can raise an interrupt."""

    name: Name
    count: int | None = Field(None, ge=1, le=1024)
    """So many cells: NAME0, NAME1, ... of the instances from `instance` on, with the entries HANDLER0,
    HANDLER1, ...
    """
    device: Word
    """A folder of ports/cell/."""
    instance: Natural
    """Which of the device's channels."""
    handler: Identifier
    """Its entry in the vector table."""
    hz: Hertz | None = None
    """The clock's, which is also the default."""
    width: int = Field(ge=8, le=64)
    """Bits of the hardware counter."""
    modes: list[Literal["periodic", "one-shot"]] = Field(min_length=1)
    min_counts: Positive
    """The shortest interval that the cell can time, in counts of the clock's `hz`."""
    prescalers: list[Prescaler] | None = Field(None, min_length=1)
    """Of a cell with a timer that counts not by the clock's prescaler, but by one of these. Absent: it counts
    what the clock counts.
    """
    timer: Name | None = None
    """With `prescalers`: cells with the same timer count by the same prescaler. Default: a timer for each."""
    reload_counts: int | None = Field(None, ge=0, le=1)
    """An interval lasts so many counts more than the load register of the timer, as the reload takes them;
    for devices with an emulator that differs from silicon. Absent: what the driver knows of silicon.
    """
    whole_counts: bool = False
    """The driver has no stretch: periods are whole numbers of counts only."""
    moves_compare: bool = False
    counts: bool = False
    """The driver has set_compare: the cell can monitor the deadlines of one task."""
    own: bool = False
    """Of a board with several cores: each core has the cell, at one address. Applications without the tool
    use it ([plain]); the tool does not.
    """
    groups: int = Field(0, ge=0, le=31)
    """The cell may be in one of so many groups, which the driver starts and stops, each by one store."""


class MemoryTable(Table):
    """One region of memory, as the linker script gets it."""

    name: Identifier
    origin: Natural
    length: Positive


class FreertosTable(Table):
    """FreeRTOS's port for the chip, and the timer of its tick, which counts behind a prescaler."""

    port: Literal["GCC/ATMega323", "ThirdParty/GCC/ATmega"]
    """A folder of FreeRTOS-Kernel/portable/."""
    handler: Identifier
    """Vector-table entry of the tick."""
    bits: int = Field(ge=8, le=32)
    """Of the timer, which begins anew at each tick."""
    prescalers: list[Positive] = Field(min_length=1)
    """Those that the timer has, in the order of the values that select them: 1, 2, ..."""


class PlainTable(Table):
    """What applications without the tool use of the board; cmake/plain_board.cmake reads it."""

    time: Name
    """The cell of sleeps and time-outs."""
    slices: Name | None = None
    """The cell of time slices, if one is free."""
    arm: Identifier | None = None
    """The driver's verb that arms the first; default: arm."""
    begin: Identifier | None = None
    """A verb of its driver that is called once, at first."""
    priority: Literal["kernel"] | None = None
    """Its interrupt's, if not the lowest that its timing model allows."""
    prescaler: Prescaler | None = None
    """The clock's, of a clock with prescalers; also what the tool takes where it plans nothing."""


class ChipTable(Table):
    """A word by which the chip is known: what is read at `address`, masked, is `value`."""

    address: Natural = Field(lt=1 << 32)
    mask: Positive = Field(0xFFFF_FFFF, lt=1 << 32)
    value: Natural = Field(lt=1 << 32)


class ProbeTable(Table):
    """How the gdb servers of debug probes are told what the board is."""

    openocd: list[OpenocdFile] = []
    """Files for OpenOCD's -f, in order: ["interface/stlink.cfg", "target/stm32f4x.cfg"]."""
    probe_rs: Word | None = None
    """The chip as probe-rs names it."""
    pyocd: Word | None = None
    """The target as pyOCD names it."""
    chip: ChipTable | None = None
    """Asked before anything is loaded. Absent: only the kind of the processor is compared."""
    cycles_hz: Positive | None = Field(None, lt=1 << 32)
    """What the processor's cycle counter (`[counter]` of port.toml names it) counts a second: the core's
    frequency. Firmware that measures itself takes its stamps there. Absent: they are the clock's counts."""


class BoardFile(Table):
    """A board that Horolog can target."""

    board: BoardTable
    runner: RunnerTable
    clock: ClockTable
    cell: list[CellTable] = Field(min_length=1)
    controller: ControllerTable | None = None
    plain: PlainTable | None = None
    freertos: FreertosTable | None = None
    probe: ProbeTable | None = None
    memory: list[MemoryTable] = []
