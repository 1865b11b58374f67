# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A port: what the tool must know of a processor's kernel. Read from ports/*/*/port.toml."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = [
    "CycleCounter",
    "GlobalThreads",
    "OwnVectors",
    "PartCore",
    "Port",
    "StackGuard",
    "StackSizes",
    "TABLE_BYTES",
]

TABLE_BYTES = 128 * 1024
"""What mask tables may take where constants are in flash, and there is much of that."""


@dataclass(frozen=True, slots=True)
class StackSizes:
    """Bytes of stacks, of which processors need more or less."""

    usual: int = 512  # of a task that does not say
    least: int = 256  # that a task may have
    idle: int = 256
    server: int = 384  # what a thread that runs basic tasks has beside theirs
    shared: int = 32  # what a thread has for the calls of several bodies


@dataclass(frozen=True, slots=True)
class StackGuard:
    """What finds that a stack overflows, on some processors of a port: a folder of the port's."""

    name: str
    cpus: tuple[str, ...]  # as the compiler calls them, without what follows a +
    stack_bytes: int  # that it takes of a thread's stack, at least
    main_stack_bytes: int  # that it takes of the main stack; 0: none of it


@dataclass(frozen=True, slots=True)
class OwnVectors:
    """Vector tables of applications: what they hold on a port."""

    begin: str  # the function that main calls first, as their reset handler does not know it
    places: tuple[tuple[str, int], ...]
    """The processor's own handlers: the name, and the word of the table."""
    reset: str  # that of them which begins after reset, by which the table is found
    lines: int  # the word of line 0
    line_names: str  # the header that lists the lines by name
    folders: tuple[str, ...]
    """Where it is, behind the board's folder port, which goes first: below Horolog's data."""


@dataclass(frozen=True, slots=True)
class GlobalThreads:
    """Where several cores run some threads: steps of the kernel, at most (docs/guide/porting.md)."""

    lock_steps: (
        int  # for which a call that waits, or the doorbell's handler, holds the lock of services
    )
    held_steps: int  # and a dispatch, or a call that wakes a thread
    held_steps_each: int  # and so much more for each core
    passed_steps: int  # until the next core has it
    passed_by_steps: int  # more of held_steps for each thread that not all cores may run
    claim_steps: int  # and for each claim that is then taken over, for which there are so many more
    claim_steps_each: int  # for each core
    dispatch_steps: int  # a dispatch, but for the lock
    doorbell_steps: int  # the handler of the doorbell, likewise
    call_steps: int  # a call that gives or takes a semaphore, likewise

    def held(self, cores: int, some: int = 0) -> int:
        """For how long a dispatch, or a call that wakes, has the lock, until the next core has it.

        `some`: so many threads, if not all cores may run all of them, 0 if so.
        """
        claims = min(cores, some) * (self.claim_steps + cores * self.claim_steps_each)
        more = some * self.passed_by_steps + claims
        return self.held_steps + cores * self.held_steps_each + more + self.passed_steps

    @property
    def held_by_call(self) -> int:
        """The same of a call that waits, and of the doorbell's handler."""
        return self.lock_steps + self.passed_steps


@dataclass(frozen=True, slots=True)
class PartCore:
    """A processor core of chips that a port serves, for boards that are made of a chip's data."""

    name: str  # as these data have it
    cpu: str  # as compilers name it
    fpu: str | None
    work_cycles: int  # of a turn of the work loop
    lines_macro: str  # that lists the chip's lines for the port
    lines: int  # how many the port has; 0: those of the chip
    lines_header: str | None = None  # a line of C beside that list
    simulated: bool = False  # by the simulator of STM32 boards
    cycle_counter: str | None = None  # the name of its port's, if it has that
    costs_of: str | None = None  # the board that was measured there with the same code


@dataclass(frozen=True, slots=True)
class CycleCounter:
    """What counts a processor's cycles in firmware that measures itself."""

    name: str  # as Arm's or others' manuals call it
    devices: tuple[str, ...]  # folders of ports/cell/ that have it, as clock or cell


@dataclass(frozen=True, slots=True)
class Port:
    """What the tool must know about a port: its port.toml."""

    compiler: str
    usual: bool = True  # of its processor: boards take it that name no controller
    # Its programs run on this machine, and say what is observed of them; else firmware, watched from outside.
    is_process: bool = False
    constructs: bool = True  # the program calls constructors of C++'s static objects
    emulator: str | None = None  # None: none is needed, or there is none
    # Console and exit, as the port uses them; no network outside.
    emulator_options: tuple[str, ...] = ()
    switch: str | None = None  # the function that loads the next thread's registers
    switch_handlers: tuple[str, ...] = ()  # the exceptions that switch, if it has some for that
    # The functions by which a thread switches in a call: what they save on its stack is a context, or less.
    switch_calls: tuple[str, ...] = ()
    around_handlers: tuple[str, ...] = ()  # functions through which its interrupts enter and leave
    fault_handlers: tuple[str, ...] = ()  # what interrupts without a handler lead to
    own_vectors: OwnVectors | None = None  # None: applications have none
    frame_bytes: int = 0  # that an interrupt puts on the stack that it comes into
    fpu_frame_bytes: int = 0  # on processors with a floating-point unit
    # That a thread which does not run has on its stack: an interrupt's frame, and what the switch saves.
    context_bytes: int = 0
    fpu_context_bytes: int = 0  # of a thread that has used the floating-point unit
    stack_guards: tuple[StackGuard, ...] = ()
    pointer_bytes: int = 4  # of one to data
    table_bytes: int = TABLE_BYTES  # what mask tables may take where a description does not say
    # Start-up, each handler and the switch begin at the main stack's top: none lies on another.
    main_stack_from_top: bool = False
    # Priorities of threads cost memory, or instructions: a system that has few gets no more (HRL_PRIORITIES).
    few_priorities: bool = False
    line_frame_bytes: int = (
        0  # then: what a level of basic tasks, or an interrupt that comes into it, puts there
    )
    stacks: StackSizes = field(default_factory=StackSizes)
    # Instructions or cycles from an interrupt to the first of its handler, and from its last back, at most.
    interrupt_steps: int = 320
    # Handlers of basic tasks have entries that save what the handler may change.
    has_entries: bool = False
    # A line of a higher level has to have a greater number.
    lines_ascend: bool = False
    # The interrupts of cells can have the levels of basic tasks.
    cells_at_levels: bool = True
    # The controller shows which handlers have begun and not ended; else lines of one task have words, too.
    shows_active: bool = True
    # A resource that a basic task holds masks every interrupt that may call the kernel.
    ceilings_mask_all: bool = False
    # A handler can end the job that it came into (HRLP_CPU_REDIRECTING_HANDLER).
    redirects: bool = False
    # Groups of cells can count while the handler of a line is the most urgent that runs.
    follows: bool = False
    # Priority p of the application's interrupts is that of basic tasks of level p + 1.
    compares_levels: bool = False
    overrun_handler: str | None = (
        None  # of overruns that the controller reports; where there are entries
    )
    # The handler of a cell with one thread can end with the switch to it.
    ends_with_switch: bool = False
    highest_interrupt: int = 7  # of the priorities of hrl/interrupt.h
    has_freertos: bool = False  # cmake/firmware builds FreeRTOS for it
    has_notify: bool = (
        False  # and a cell's handler that notifies its tasks (baselines/freertos/notify/)
    )
    freertos_tick: str | None = None  # the device of FreeRTOS's tick; None: that of the first cell
    freertos_tick_handler: str | None = None  # its handler, where that device is no cell
    # Where FreeRTOS switches, if that is not `switch`: functions of its port, which lie together.
    freertos_switch: tuple[str, ...] = ()
    has_queue_bench: bool = False  # bench/queues/firmware and the like are built for it
    has_trace: bool = False  # firmware can write a ring of records, by which it measures itself
    cycle_counter: CycleCounter | None = None  # stamps them, where boards say cycles_hz
    spinlocks: int = 0  # between cores, that applications may have
    spinlock_steps: int = 0  # to take one and to give it back, where no other core has it, at most
    # To wake a thread for which another core has rung, but for the wait for the lock, at most.
    doorbell_steps: int = 0
    global_threads: GlobalThreads | None = None  # None: nothing is known of what these take
    part_cores: tuple[PartCore, ...] = ()  # of chips that it serves
