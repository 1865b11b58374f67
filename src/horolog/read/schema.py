# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The shape of system.toml, board.toml and port.toml, key by key, and the JSON Schemas for editors.

What one key alone can get wrong is found here. What takes two keys, a board or another file to see
is found in the files beside this one. The text behind a key is its description in the schema.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from horolog.model import MOST_ACTIVATIONS, TABLE_BYTES
from horolog.read.values import (
    Duration,
    DurationOrZero,
    Hertz,
    Identifier,
    Line,
    LineName,
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
    "ChainTable",
    "ControllerTable",
    "DistributionName",
    "PERIOD_FORMS",
    "PeriodTable",
    "ShareName",
    "GroupTable",
    "HOLD_FORMS",
    "InterruptTable",
    "LineTable",
    "MemoryTable",
    "PlainTable",
    "PortFile",
    "ResourceTable",
    "ServerTable",
    "SystemFile",
    "SystemTable",
    "TaskTable",
    "board_schema",
    "system_schema",
]

ShareName = Literal["auto", "never", "always"]
DistributionName = Literal["automotive", "uniform-automotive", "chronos", "chronos-harmonic"]


class _Table(BaseModel):
    """Every table: no key that is not named here, no silent conversions."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )


PERIOD_FORMS = ("a period", "a table")
"""Where a period may be one of two, pydantic's places have one of these words behind its key."""
HOLD_FORMS = ("a duration", "a table by task")
"""The same for the time for which a resource is held."""


class PeriodTable(_Table):
    """A period that the planner may shorten where that saves more than the additional jobs cost."""

    at_most: Period
    """The longest, which is also the nominal one."""
    at_least: Period | None = None
    """The shortest. Default: four fifths of the longest, but no shorter than the deadline, or than wcet
    and jitter together.
    """


def _form_of_period(value: Any) -> str:
    return PERIOD_FORMS[isinstance(value, dict)]


_PeriodOrTable = Annotated[
    Annotated[Period, Tag(PERIOD_FORMS[0])] | Annotated[PeriodTable, Tag(PERIOD_FORMS[1])],
    Discriminator(_form_of_period),
]


def _form_of_hold(value: Any) -> str:
    return HOLD_FORMS[isinstance(value, dict)]


_DurationOrTable = Annotated[
    Annotated[Duration, Tag(HOLD_FORMS[0])]
    | Annotated[dict[str, Duration], Field(min_length=1), Tag(HOLD_FORMS[1])],
    Discriminator(_form_of_hold),
]


class SystemTable(_Table):
    """What is built, for which board, and how long it is simulated."""

    name: Name
    """Names the folder of the outputs: build/NAME/."""
    board: str = Field(min_length=1, examples=["mps2-an385", "./my/board.toml"])
    """A board of `horolog boards`, or a path such as ./my/board.toml."""
    cells: list[str] | None = Field(None, min_length=1, examples=[["timer0", "timer1"]])
    """The board's timer cells that the application leaves free. Default: all."""
    duration: Simulated
    """Simulated time, the window of measurement; at most a day."""
    priorities: Literal["rate-monotonic", "deadline-monotonic", "explicit"] = "rate-monotonic"
    """Where priorities come from; with explicit every task has its own."""
    sources: list[str] = []
    """C files with the task bodies, relative to this file."""
    timeouts: str | None = Field(None, min_length=1, examples=["timer1"])
    """The timer cell for sleeps, time-outs and alarms; it releases no task. Default: none, and a call that
    needs it stops in the assert hook.
    """
    start: Identifier | None = None
    """A C function of the sources, void f(void), called before the kernel starts: there the application
    starts threads of its own.
    """
    releases: int | None = Field(None, ge=1, le=1_000_000, examples=[5])
    """After so many jobs every task waits for ever, behind its next release: for experiments that end.
    Default: without end.
    """
    objective: Literal["overhead", "interrupts", "jitter", "slack"] = "overhead"
    """What the planner makes small: kernel instructions; interrupts; or, by jitter, the longest interrupt
    handler of all cells, then its variability.
    """
    share: ShareName = "auto"
    """Which threads of one priority, period and offset become one: auto, those that are known not to wait;
    never, none; always, all but those with waits = true or overrun = "queue".
    """
    table_bytes: int = Field(TABLE_BYTES, ge=0, le=2**30)
    """Read-only bytes that tables of release instants may take, all together; 0: none."""
    guard: Literal["mpu"] | None = None
    """What finds an overflow of a stack when it happens: mpu, the memory protection unit of Cortex-M
    boards. Default: nothing does.
    """


class _Tasks(_Table):
    """What a task and a group of tasks have in common."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["body"]}, {"required": ["work"]}]}
    )

    offset: DurationOrZero | None = None
    """First release after the start. Default: 0 ms."""
    jitter: DurationOrZero | None = None
    """Releases may come so much later than nominal, all of a task by the same time, where that saves
    interrupts; responses count from the nominal ones. Default: 0 ms.
    """
    deadline: Duration | None = None
    """Relative to the release, at most the period. Default: the period."""
    wcet: Duration | None = None
    """Longest time a job runs; required with body, else the work's cost."""
    body: Identifier | None = None
    """A C function of the sources, called once a release: void f(void)."""
    work: int | None = Field(None, ge=1, le=2**32 - 1)
    """Instead of a body: turns of a calibrated loop."""
    stack: int = Field(512, ge=256, le=2**24, multiple_of=8)
    """Bytes, a multiple of 8; of a basic task, its use of the shared stack."""
    overrun: Literal["skip", "queue"] = "skip"
    """A release while the last job is unfinished: skipped, or runs late."""
    kind: Literal["thread", "basic"] = "thread"
    """A thread has a stack of its own and may wait; a basic task runs to completion on a stack that all
    share, dispatched by the interrupt controller.
    """
    priority: int | None = Field(None, ge=1)
    """Larger is more urgent; only with priorities = "explicit"."""
    activations: int | None = Field(None, ge=1, le=MOST_ACTIVATIONS)
    """Unfinished jobs that a basic task may have; more are overruns and do nothing. Default: 1, and with
    overrun = "queue" as many as can be.
    """
    terminates: bool = False
    """Whether the body of a basic task may call hrl_basic_terminate or hrl_basic_chain."""
    waits: bool | None = None
    """Whether the body of a thread may wait, or give way, for anything but its next release. Default: true
    with body, false with work.
    """
    share: ShareName | None = None
    """Whether it may share a thread with others. Default: that of [system]."""


class TaskTable(_Tasks):
    """One task: periodic, with min_gap sporadic, or with a server aperiodic."""

    model_config = ConfigDict(
        json_schema_extra={
            "allOf": [
                {"oneOf": [{"required": ["body"]}, {"required": ["work"]}]},
                {
                    "oneOf": [
                        {"required": ["period"]},
                        {"required": ["min_gap"]},
                        {"required": ["server"]},
                        {
                            "required": ["activated_by"],
                            "properties": {"activated_by": {"pattern": "^task "}},
                            "not": {
                                "anyOf": [
                                    {"required": ["period"]},
                                    {"required": ["min_gap"]},
                                    {"required": ["server"]},
                                ]
                            },
                        },
                    ]
                },
            ]
        }
    )

    name: Name
    period: _PeriodOrTable | None = None
    """Time between releases, or releases a second; exact. Or the longest and the shortest of those that it
    may be.
    """
    min_gap: Duration | None = None
    """Of a sporadic task, in place of the period: the shortest time between two activations. Default: that of
    the task that activates it.
    """
    activated_by: str | None = Field(
        None, min_length=1, examples=["interrupt received", "task sense"]
    )
    """What activates a sporadic or aperiodic task: "interrupt NAME", when its handler has run; or "task
    NAME", at the end of each of its jobs. Default: the application, by giving the semaphore activate_NAME; of
    a basic task, by hrl_basic_activate(&basic_NAME).
    """
    server: Identifier | None = None
    """Of an aperiodic task, in place of the period: the [[server]] that runs its jobs, at its priority."""
    pending: int | None = Field(None, ge=1, le=MOST_ACTIVATIONS)
    """Of an aperiodic task: how many activations may wait for the server; more are lost, as overruns. With a
    deferrable server 2 or more, the job that runs among them. Default: the jobs of the server, or 2.
    """


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
    tasks: int | None = Field(None, ge=1, le=100_000)
    """How many."""
    period: _PeriodOrTable | None = None
    """One period for all, or the longest and the shortest that it may be."""
    periods: list[Period] | None = Field(None, min_length=1)
    """Dealt out in turn; tasks, if given, is a multiple of their number."""
    distribution: DistributionName | None = None
    """Periods from the literature, reproducible."""
    seed: int | None = Field(None, ge=0, le=2**63 - 1)
    """For the distributions that draw: chronos*."""


class ServerTable(_Table):
    """An aperiodic server: a thread that runs the jobs of one aperiodic task, so many each period."""

    name: Identifier
    """Aperiodic tasks name it; the thread is called so."""
    kind: Literal["polling", "deferrable"]
    """polling: it runs the jobs that wait when it is released, up to `jobs` of them. deferrable: it runs a
    job at once while it has capacity, and has all of it again at each release.
    """
    period: Period
    """Time between two releases of the server, or releases a second; exact."""
    jobs: int = Field(1, ge=1, le=1000)
    """Its capacity: the jobs that it runs each period, at most."""
    deadline: Duration | None = None
    """Of the server's own jobs, at most the period. Default: the period."""
    priority: int | None = Field(None, ge=1)
    """Larger is more urgent; only with priorities = "explicit"."""


class ResourceTable(_Table):
    """What tasks use one at a time; its holder runs at the priority of its most urgent basic task."""

    name: Identifier
    """Of the C object: struct hrl_resource NAME."""
    tasks: list[str] = Field(min_length=1)
    """The tasks that use it: names of tasks, or of groups for all tasks of a group."""
    hold: _DurationOrTable | None = None
    """The longest time from taking it to giving it back, while nothing interrupts the user: of all users,
    or a table by task or group. `horolog analyse` charges it as blocking. Default: a whole job.
    """


class ArrivalsTable(_Table):
    """A point of an arrival curve."""

    count: int = Field(ge=1, le=1_000_000)
    """So many at most."""
    within: Duration
    """In any time of this length."""


class InterruptTable(_Table):
    """An interrupt of the application; its handler is attached and enabled before the kernel starts."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["handler", "wcet"]}, {"required": ["work"]}]}
    )

    name: Name
    line: LineName
    """A free line of the board: its entry in the vector table, or its number."""
    priority: int = Field(ge=1, le=7, examples=[2])
    """Larger is more urgent; with 1 to 3 the handler may call the kernel (hrl/interrupt.h)."""
    min_gap: Duration | None = None
    """The shortest time between two; required, as without it nothing bounds what interrupts take."""
    arrivals: list[ArrivalsTable] = []
    """An arrival curve, beside the gap: how many come at most within some longer times."""
    handler: Identifier | None = None
    """A C function of the sources, called once an interrupt: void f(void)."""
    wcet: Duration | None = None
    """The longest time that the handler runs; required with handler, else the work's cost."""
    work: int | None = Field(None, ge=1, le=2**32 - 1)
    """Instead of a handler: turns of a calibrated loop."""


class ChainTable(_Table):
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


class SystemFile(_Table):
    """A Horolog system: periodic tasks on a board."""

    system: SystemTable
    task: list[TaskTable] = []
    task_group: list[GroupTable] = []
    server: list[ServerTable] = []
    resource: list[ResourceTable] = []
    interrupt: list[InterruptTable] = []
    chain: list[ChainTable] = []


class BoardTable(_Table):
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
    work_ns: PositiveNumber
    """What one turn of the work loop lasts, in nanoseconds."""
    attachable: list[Natural] | None = Field(None, min_length=2, max_length=2)
    """Of a board without a controller for basic tasks: the first and the last interrupt line to which the
    application may attach a handler.
    """


class RunnerTable(_Table):
    """How the board is started."""

    kind: Literal["qemu", "host", "ibex"]
    machine: Word
    """As the emulator names it."""
    configuration: Word | None = None
    """Which core an "ibex" simulates, such as "maxperf"."""
    icount_shift: int | None = Field(None, ge=0, le=10)
    """An instruction lasts 2^shift nanoseconds."""
    ns_per_instruction: int | None = Field(None, ge=1)
    """Absent: instructions are not counted here."""
    ns_per_cycle: int | None = Field(None, ge=1)
    """Cycles are counted, and one lasts so long."""


class LineTable(_Table):
    """One interrupt line, or `count` of them in a row."""

    handler: Identifier
    """Its entry in the vector table; with count: and an index."""
    number: Natural
    """As the controller numbers it."""
    count: int | None = Field(None, ge=1, le=1024)
    """So many lines: HANDLER0, HANDLER1, ..."""


class ControllerTable(_Table):
    """A prioritised interrupt controller: it dispatches basic tasks."""

    device: Word
    """The port: a folder of ports/<arch>/."""
    lines: list[LineTable] = Field(min_length=1)
    """Those that nothing on the board needs and that software can pend, in the order in which they are to
    be taken.
    """


class ClockTable(_Table):
    """The free-running counter that gives time."""

    device: Word
    """A folder of ports/cell/."""
    hz: Hertz
    width: int = Field(ge=8, le=64)
    """Bits of the hardware counter."""
    instance: int = Field(0, ge=0)
    """Which of the device's channels."""
    handler: Identifier | None = None
    """Vector-table entry of its wrap interrupt."""


class CellTable(_Table):
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
    """The shortest interval that the cell can time."""
    whole_counts: bool = False
    """The driver has no stretch: periods are whole numbers of counts only."""


class MemoryTable(_Table):
    """One region of memory, as the linker script gets it."""

    name: Identifier
    origin: Natural
    length: Positive


class PlainTable(_Table):
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


class BoardFile(_Table):
    """A board that Horolog can target."""

    board: BoardTable
    runner: RunnerTable
    clock: ClockTable
    cell: list[CellTable] = Field(min_length=1)
    controller: ControllerTable | None = None
    plain: PlainTable | None = None
    memory: list[MemoryTable] = []


class EmulatorTable(_Table):
    """The program that runs a port's firmware; its boards say which machine."""

    program: Word
    options: list[Line] = []


class CodeTable(_Table):
    """Names and sizes of the port's code."""

    switch: Identifier | None = None
    switch_handlers: list[Identifier] = []
    around_handlers: list[Identifier] = []
    fault_handlers: list[Identifier] = []
    frame_bytes: Natural = 0
    fpu_frame_bytes: Natural = 0
    context_bytes: Natural = 0
    fpu_context_bytes: Natural = 0
    guard_bytes: Natural = 0
    interrupt_steps: Natural = 320


class PortLinesTable(_Table):
    """How interrupts reach handlers on a port."""

    entries: bool = False
    compares_levels: bool = False
    overrun_handler: Identifier | None = None
    ending_handlers: bool = False
    highest_priority: int = Field(7, ge=1, le=7)


class PortFile(_Table):
    """What the tool must know about a port (docs/guide/porting.md)."""

    compiler: Word
    usual: bool = False
    program: Literal["firmware", "process"] = "firmware"
    freertos: bool = False
    freertos_notify: bool = False
    freertos_tick: Word | None = None
    queue_bench: bool = False
    emulator: EmulatorTable | None = None
    code: CodeTable = CodeTable()
    lines: PortLinesTable = PortLinesTable()


DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _TomlSchema(GenerateJsonSchema):
    """TOML has no null: an optional key is absent, and has no default to show."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def system_schema() -> dict[str, Any]:
    """The JSON Schema of a system description."""
    return _schema(SystemFile, "Horolog system")


def board_schema() -> dict[str, Any]:
    """The JSON Schema of a board description."""
    return _schema(BoardFile, "Horolog board")


def _schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    made = model.model_json_schema(schema_generator=_TomlSchema)
    return {"$schema": DIALECT, **_on_one_line(made), "title": title}


def _on_one_line(made: Any) -> Any:
    """`made` with its texts as one line each, where the docstrings that they come from have several."""
    if isinstance(made, dict):
        return {key: _on_one_line(value) for key, value in made.items()}
    return made.replace("\n", " ") if isinstance(made, str) else made
