# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of [system] and of chains, and the whole of system.toml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from horolog.read.schema.dispatch import DispatchTable
from horolog.read.schema.interrupts import InterruptTable
from horolog.read.schema.resources import ResourceTable
from horolog.read.schema.schedules import CounterTable
from horolog.read.schema.table import Table
from horolog.read.schema.tasks import GroupTable, ServerTable, ShareName, TaskTable
from horolog.read.values import (
    CompilerFlag,
    Duration,
    Identifier,
    MacroDefinition,
    Name,
    Prescaler,
    Simulated,
)

__all__ = ["BuildTable", "ChainTable", "SystemFile", "SystemTable"]


class SystemTable(Table):
    """What is built, for which board, and how long it is simulated."""

    name: Name
    """Names the folder of the outputs: build/NAME/."""
    board: str = Field(min_length=1, examples=["mps2-an385", "./my/board.toml"])
    """A board of `horolog boards`, or a path such as ./my/board.toml."""
    cells: list[str] | None = Field(None, min_length=1, examples=[["timer0", "timer1"]])
    """The board's timer cells that the application leaves free. Default: all."""
    cores: int | None = Field(None, ge=1, le=64, examples=[2])
    """So many of the board's cores run tasks, each its own, with an even share of the board's cells. Default:
    all that the board has.
    """
    core: Literal["auto"] | None = None
    """With several cores, where tasks run that do not say: auto, the plan divides them. Default: each task
    says it; if neither a task nor this table says anything of cores, auto.
    """
    duration: Simulated
    """Simulated time, the window of measurement; at most a day."""
    priorities: Literal["rate-monotonic", "deadline-monotonic", "explicit"] = "rate-monotonic"
    """Where priorities come from; with explicit every task has its own."""
    sources: list[str] = []
    """C, C++ and assembly files with the task bodies and what they need, relative to this file."""
    timeouts: str | None = Field(None, min_length=1, examples=["timer1"])
    """The timer cell for sleeps, time-outs and alarms; it releases no task. Of several cores each has the
    cell at that place of its own. Default: none, and a call that needs it stops in the assert hook.
    """
    start: Identifier | None = None
    """A C function of the sources, void f(void), called before the kernel starts: there the application
    starts threads of its own. With several cores core 0 calls it, before the others start.
    """
    portable: bool = False
    """The sources call the kernel by <hrl/portable.h> alone, so that FreeRTOS can run them, too."""
    releases: int | None = Field(None, ge=1, le=1_000_000, examples=[5])
    """After so many jobs every task waits for ever, behind its next release: for experiments that end.
    Default: without end.
    """
    objective: Literal["overhead", "interrupts", "jitter", "slack", "memory"] = "overhead"
    """What the planner makes small: kernel instructions; interrupts; by jitter, the longest interrupt
    handler of all cells, then its variability; or, by memory, flash, with no mask tables.
    """
    share: ShareName = "auto"
    """Which threads of one priority, period and offset become one: auto, those that are known not to wait;
    never, none; always, all but those with waits = true or overrun = "queue".
    """
    table_bytes: int | None = Field(None, ge=0, le=2**30)
    """Read-only bytes that tables of release instants may take, all together; 0: none. Default: what the port
    of the board's processor says, 131,072 where constants are in flash, but at most a quarter of the flash.
    """
    guard: Literal["mpu", "stack-limit"] | None = None
    """What finds an overflow of a stack when it happens: mpu, the memory protection unit of a Cortex-M3, M4
    or M7; stack-limit, the limit registers of a Cortex-M33. Default: nothing does.
    """


class BuildTable(Table):
    """How the sources are compiled, and what they are linked with."""

    include: list[str] = Field([], examples=[["drivers/include"]])
    """Folders of headers, relative to this file; * fits any part of a folder's name, for all folders that it
    fits. Those of the sources are searched, too, behind them.
    """
    define: list[MacroDefinition] = Field([], examples=[["STM32F446xx", "SAMPLES=64"]])
    """Macros of all sources, as NAME or NAME=VALUE."""
    flags: list[CompilerFlag] = Field([], examples=[["-O3", "-ffast-math"]])
    """More flags for C and C++: -O..., -f..., -W..., -g..., -m...; not those of the processor, which are the
    board's, nor those that name files or programs.
    """
    libraries: list[str] = Field([], examples=[["arm_math", "lib/libdsp.a"]])
    """Libraries: a name for the linker's -l, or an archive, relative to this file. The mathematical library
    is always linked.
    """
    objects: list[str] = Field([], examples=[["vendor/radio.o"]])
    """Object files and archives that are linked whole, relative to this file."""
    linker_script: str | None = None
    """Instead of the board's link.ld, for all kernels' firmware; relative to this file. It defines the same
    symbols (hrl_link_...), and INCLUDE hrl_memory.ld brings it the regions of board.toml.
    """
    vectors: Literal["horolog", "own"] = "horolog"
    """own: the sources have the vector table and Reset_Handler, with the names that CMSIS gives to handlers
    (TIM2_IRQHandler). Cortex-M, one core; no FreeRTOS beside it, and none of --probe.
    """
    c_standard: Literal["99", "11", "17", "23"] | None = None
    """Of the C sources. Default: C11 with GNU's extensions."""
    cxx_standard: Literal["11", "14", "17", "20", "23"] | None = None
    """Of the C++ sources. Default: the compiler's own."""
    warnings: Literal["all", "default", "off"] = "default"
    """Of the sources: all is -Wall -Wextra, default -Wall, off none."""
    cmake: bool = False
    """Whether a CMake target has the sources (horolog_system): then `sources` need not list them, and the
    linker looks for functions that no listed source has.
    """


class ChainTable(Table):
    """Tasks that hand data on, and how late an output may follow an input."""

    name: Name
    tasks: list[str] = Field(min_length=1)
    """In the order of the data: each task reads what the one before it wrote last, or is activated by it."""
    by: Literal["data", "activation"] = "data"
    """How it goes from one task to the next. data: in variables, but at once where the one activates the next
    (activated_by). activation: each activates the next.
    """
    deadline: Duration | None = None
    """The longest reaction time: from a change of the input to the end of the first job of the last task
    that has seen it.
    """
    max_age: Duration | None = None
    """The largest age of data: from the release at which the first task reads it to the end of the last job
    of the last task that uses it.
    """


class SystemFile(Table):
    """A Horolog system: periodic tasks on a board."""

    system: SystemTable
    build: BuildTable = BuildTable()
    task: list[TaskTable] = []
    task_group: list[GroupTable] = []
    server: list[ServerTable] = []
    resource: list[ResourceTable] = []
    interrupt: list[InterruptTable] = []
    chain: list[ChainTable] = []
    table: list[DispatchTable] = []
    counter: list[CounterTable] = []
    prescalers: dict[str, Prescaler] = Field({}, examples=[{"clock": 64}])
    """Fixes the prescaler of the clock, as `clock`, or of a cell, by its name. Default: the plan chooses."""
