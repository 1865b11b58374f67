# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The shape of system.toml and board.toml, key by key; the JSON Schemas are made from it.

What one key alone can get wrong is found here. What takes two keys, a board or another file to see
is found in the files beside this one.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from horolog.model import MOST_ACTIVATIONS, TABLE_BYTES
from horolog.read.values import (
    Duration,
    DurationOrZero,
    Hertz,
    Identifier,
    Line,
    Name,
    Natural,
    Period,
    Positive,
    PositiveNumber,
    Simulated,
    Word,
)

__all__ = [
    "BoardFile",
    "CellTable",
    "ControllerTable",
    "DistributionName",
    "PERIOD_FORMS",
    "PeriodTable",
    "ShareName",
    "GroupTable",
    "LineTable",
    "MemoryTable",
    "PortFile",
    "ResourceTable",
    "SystemFile",
    "SystemTable",
    "TaskTable",
]

ShareName = Literal["auto", "never", "always"]
DistributionName = Literal["automotive", "uniform-automotive", "chronos", "chronos-harmonic"]


class _Table(BaseModel):
    """Every table: no key that is not named here, no silent conversions."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


PERIOD_FORMS = ("a period", "a table")
"""Where a period may be one of two, pydantic's places have one of these words behind its key."""


class PeriodTable(_Table):
    """A period that the planner may shorten where that saves more than the additional jobs cost."""

    at_most: Annotated[Period, Field(description="The longest, which is also the nominal one.")]
    at_least: Annotated[
        Period | None,
        Field(
            description="The shortest. Default: four fifths of the longest, but no shorter than the "
            "deadline, or than wcet and jitter together."
        ),
    ] = None


def _form_of_period(value: Any) -> str:
    return PERIOD_FORMS[isinstance(value, dict)]


_PeriodOrTable = Annotated[
    Annotated[Period, Tag(PERIOD_FORMS[0])] | Annotated[PeriodTable, Tag(PERIOD_FORMS[1])],
    Discriminator(_form_of_period),
]


class SystemTable(_Table):
    """What is built, for which board, and how long it is simulated."""

    name: Annotated[Name, Field(description="Names the folder of the outputs: build/NAME/.")]
    board: Annotated[
        str,
        Field(
            min_length=1,
            description="A board of `horolog boards`, or a path such as ./my/board.toml.",
            examples=["mps2-an385", "./my/board.toml"],
        ),
    ]
    cells: Annotated[
        list[str] | None,
        Field(
            min_length=1,
            description="The board's timer cells that the application leaves free. Default: all.",
            examples=[["timer0", "timer1"]],
        ),
    ] = None
    duration: Annotated[
        Simulated, Field(description="Simulated time, the window of measurement; at most a day.")
    ]
    priorities: Annotated[
        Literal["rate-monotonic", "deadline-monotonic", "explicit"],
        Field(description="Where priorities come from; with explicit every task has its own."),
    ] = "rate-monotonic"
    sources: Annotated[
        list[str],
        Field(description="C files with the task bodies, relative to this file.", default=[]),
    ]
    timeouts: Annotated[
        str | None,
        Field(
            min_length=1,
            description="The timer cell for sleeps, time-outs and alarms; it releases no task. "
            "Default: none, and a call that needs it stops in the assert hook.",
            examples=["timer1"],
        ),
    ] = None
    start: Annotated[
        Identifier | None,
        Field(
            description="A C function of the sources, void f(void), called before the kernel "
            "starts: there the application starts threads of its own."
        ),
    ] = None
    releases: Annotated[
        int | None,
        Field(
            ge=1,
            le=1_000_000,
            description="After so many jobs every task waits for ever, behind its next release: "
            "for experiments that end. Default: without end.",
            examples=[5],
        ),
    ] = None
    objective: Annotated[
        Literal["overhead", "interrupts", "jitter"],
        Field(
            description="What the planner makes small: kernel instructions; interrupts; or, by jitter, the "
            "longest interrupt handler of all cells, then its variability."
        ),
    ] = "overhead"
    share: Annotated[
        ShareName,
        Field(
            description="Which threads of one priority, period and offset become one: auto, those that are "
            'known not to wait; never, none; always, all but those with waits = true or overrun = "queue".'
        ),
    ] = "auto"
    table_bytes: Annotated[
        int,
        Field(
            ge=0,
            le=2**30,
            description="Read-only bytes that tables of release instants may take, all together; "
            "0: none.",
        ),
    ] = TABLE_BYTES
    guard: Annotated[
        Literal["mpu"] | None,
        Field(
            description="What finds an overflow of a stack when it happens: mpu, the memory "
            "protection unit of Cortex-M boards. Default: nothing does."
        ),
    ] = None


class _Tasks(_Table):
    """What a task and a group of tasks have in common."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["body"]}, {"required": ["work"]}]}
    )

    offset: Annotated[
        DurationOrZero | None, Field(description="First release after the start. Default: 0 ms.")
    ] = None
    jitter: Annotated[
        DurationOrZero | None,
        Field(
            description="Releases may come so much later than nominal, all of a task by the same time, "
            "where that saves interrupts; responses count from the nominal ones. Default: 0 ms."
        ),
    ] = None
    deadline: Annotated[
        Duration | None,
        Field(description="Relative to the release, at most the period. Default: the period."),
    ] = None
    wcet: Annotated[
        Duration | None,
        Field(description="Longest time a job runs; required with body, else the work's cost."),
    ] = None
    body: Annotated[
        Identifier | None,
        Field(description="A C function of the sources, called once a release: void f(void)."),
    ] = None
    work: Annotated[
        int | None,
        Field(ge=1, le=2**32 - 1, description="Instead of a body: turns of a calibrated loop."),
    ] = None
    stack: Annotated[
        int,
        Field(
            ge=256,
            le=2**24,
            multiple_of=8,
            description="Bytes, a multiple of 8; of a basic task, its use of the shared stack.",
        ),
    ] = 512
    overrun: Annotated[
        Literal["skip", "queue"],
        Field(description="A release while the last job is unfinished: skipped, or runs late."),
    ] = "skip"
    kind: Annotated[
        Literal["thread", "basic"],
        Field(
            description="A thread has a stack of its own and may wait; a basic task runs to completion "
            "on a stack that all share, dispatched by the interrupt controller."
        ),
    ] = "thread"
    priority: Annotated[
        int | None,
        Field(ge=1, description='Larger is more urgent; only with priorities = "explicit".'),
    ] = None
    activations: Annotated[
        int | None,
        Field(
            ge=1,
            le=MOST_ACTIVATIONS,
            description="Unfinished jobs that a basic task may have; more are overruns and do nothing. "
            'Default: 1, and with overrun = "queue" as many as can be.',
        ),
    ] = None
    terminates: Annotated[
        bool,
        Field(
            description="Whether the body of a basic task may call hrl_basic_terminate or "
            "hrl_basic_chain."
        ),
    ] = False
    waits: Annotated[
        bool | None,
        Field(
            description="Whether the body of a thread may wait, or give way, for anything but its next "
            "release. Default: true with body, false with work."
        ),
    ] = None
    share: Annotated[
        ShareName | None,
        Field(description="Whether it may share a thread with others. Default: that of [system]."),
    ] = None


class TaskTable(_Tasks):
    """One periodic task."""

    name: Name
    period: Annotated[
        _PeriodOrTable,
        Field(
            description="Time between releases, or releases a second; exact. Or the longest and the "
            "shortest of those that it may be."
        ),
    ]


class GroupTable(_Tasks):
    """Many tasks at once, called NAME.0, NAME.1, ...; periods are given in one of three ways."""

    model_config = ConfigDict(
        json_schema_extra={
            "allOf": [
                {"oneOf": [{"required": ["body"]}, {"required": ["work"]}]},
                {
                    "oneOf": [
                        {"required": ["period", "tasks"]},
                        {"required": ["periods"]},
                        {"required": ["distribution", "tasks"]},
                    ]
                },
            ]
        }
    )

    name: Name
    tasks: Annotated[int | None, Field(ge=1, le=100_000, description="How many.")] = None
    period: Annotated[
        _PeriodOrTable | None,
        Field(description="One period for all, or the longest and the shortest that it may be."),
    ] = None
    periods: Annotated[
        list[Period] | None,
        Field(
            min_length=1,
            description="Dealt out in turn; tasks, if given, is a multiple of their number.",
        ),
    ] = None
    distribution: Annotated[
        DistributionName | None, Field(description="Periods from the literature, reproducible.")
    ] = None
    seed: Annotated[
        int | None,
        Field(ge=0, le=2**63 - 1, description="For the distributions that draw: chronos*."),
    ] = None


class ResourceTable(_Table):
    """What tasks use one at a time; its holder runs at the priority of its most urgent basic task."""

    name: Annotated[Identifier, Field(description="Of the C object: struct hrl_resource NAME.")]
    tasks: Annotated[
        list[str],
        Field(
            min_length=1,
            description="The tasks that use it: names of tasks, or of groups for all tasks of a group.",
        ),
    ]


class SystemFile(_Table):
    """A Horolog system: periodic tasks on a board."""

    system: SystemTable
    task: list[TaskTable] = []
    task_group: list[GroupTable] = []
    resource: list[ResourceTable] = []


class BoardTable(_Table):
    """What the board is."""

    name: Name
    title: Annotated[Line, Field(description="One line for people.")]
    arch: Annotated[Identifier, Field(description="A folder of ports/.")]
    cpu: Annotated[Word, Field(description="As the compiler names it.")]
    fpu: Annotated[
        Word | None,
        Field(
            description="The floating-point unit as the compiler names it; absent: there is none."
        ),
    ] = None
    levels: Annotated[int, Field(ge=1, le=255, description="Priority levels for threads.")]
    basic_levels: Annotated[
        int | None,
        Field(
            ge=1,
            le=255,
            description="Priority levels for basic tasks; default: as many as for threads.",
        ),
    ] = None
    work_ns: Annotated[
        PositiveNumber, Field(description="What one turn of the work loop lasts, in nanoseconds.")
    ]


class RunnerTable(_Table):
    """How the board is started."""

    kind: Literal["qemu", "host", "ibex"]
    machine: Annotated[Word, Field(description="As the emulator names it.")]
    configuration: Annotated[
        Word | None, Field(description='Which core an "ibex" simulates, such as "maxperf".')
    ] = None
    icount_shift: Annotated[
        int | None, Field(ge=0, le=10, description="An instruction lasts 2^shift nanoseconds.")
    ] = None
    ns_per_instruction: Annotated[
        int | None, Field(ge=1, description="Absent: instructions are not counted here.")
    ] = None
    ns_per_cycle: Annotated[
        int | None, Field(ge=1, description="Cycles are counted, and one lasts so long.")
    ] = None


class LineTable(_Table):
    """One interrupt line, or `count` of them in a row."""

    handler: Annotated[
        Identifier, Field(description="Its entry in the vector table; with count: and an index.")
    ]
    number: Annotated[Natural, Field(description="As the controller numbers it.")]
    count: Annotated[
        int | None, Field(ge=1, le=1024, description="So many lines: HANDLER0, HANDLER1, ...")
    ] = None


class ControllerTable(_Table):
    """A prioritised interrupt controller: it dispatches basic tasks."""

    device: Annotated[Word, Field(description="The port: a folder of ports/<arch>/.")]
    lines: Annotated[
        list[LineTable],
        Field(
            min_length=1,
            description="Those that nothing on the board needs and that software can pend, in the "
            "order in which they are to be taken.",
        ),
    ]


class ClockTable(_Table):
    """The free-running counter that gives time."""

    device: Annotated[Word, Field(description="A folder of ports/cell/.")]
    hz: Hertz
    width: Annotated[int, Field(ge=8, le=64, description="Bits of the hardware counter.")]
    instance: Annotated[int, Field(ge=0, description="Which of the device's channels.")] = 0
    handler: Annotated[
        Identifier | None, Field(description="Vector-table entry of its wrap interrupt.")
    ] = None


class CellTable(_Table):
    """One hardware timer channel that can raise an interrupt."""

    name: Name
    count: Annotated[
        int | None,
        Field(
            ge=1,
            le=1024,
            description="So many cells: NAME0, NAME1, ... of the instances from `instance` on, with "
            "the entries HANDLER0, HANDLER1, ...",
        ),
    ] = None
    device: Annotated[Word, Field(description="A folder of ports/cell/.")]
    instance: Annotated[Natural, Field(description="Which of the device's channels.")]
    handler: Annotated[Identifier, Field(description="Its entry in the vector table.")]
    hz: Annotated[Hertz | None, Field(description="The clock's, which is also the default.")] = None
    width: Annotated[int, Field(ge=8, le=64, description="Bits of the hardware counter.")]
    modes: Annotated[list[Literal["periodic", "one-shot"]], Field(min_length=1)]
    min_counts: Annotated[
        Positive, Field(description="The shortest interval that the cell can time.")
    ]


class MemoryTable(_Table):
    """One region of memory, as the linker script gets it."""

    name: Identifier
    origin: Natural
    length: Positive


class BoardFile(_Table):
    """A board that Horolog can target."""

    board: BoardTable
    runner: RunnerTable
    clock: ClockTable
    cell: Annotated[list[CellTable], Field(min_length=1)]
    controller: ControllerTable | None = None
    memory: list[MemoryTable] = []


class EmulatorTable(_Table):
    """The program that runs a port's firmware; its boards say which machine."""

    program: Word
    options: list[Line] = []


class CodeTable(_Table):
    """Names and sizes of the port's code."""

    switch: Identifier | None = None
    around_handlers: list[Identifier] = []
    fault_handlers: list[Identifier] = []
    frame_bytes: Natural = 0
    fpu_frame_bytes: Natural = 0
    guard_bytes: Natural = 0


class PortLinesTable(_Table):
    """How interrupts reach handlers on a port with a controller for basic tasks."""

    entries: bool = False
    ending_handlers: bool = False


class PortFile(_Table):
    """What the tool must know about a port (docs/guide/porting.md)."""

    compiler: Word
    usual: bool = False
    freertos: bool = False
    freertos_notify: bool = False
    emulator: EmulatorTable | None = None
    code: CodeTable = CodeTable()
    lines: PortLinesTable = PortLinesTable()
