# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A board: its clock, its timer cells, its memory, how to boot it. Read from boards/NAME/board.toml."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import ceil
from pathlib import Path

from horolog.model.port import TABLE_BYTES, Port, StackGuard

__all__ = [
    "Board",
    "Cell",
    "ChipId",
    "Clock",
    "Controller",
    "FreertosPort",
    "Line",
    "MOST_COUNTED",
    "Memory",
    "Mode",
    "Probing",
    "Runner",
]


class Mode(Enum):
    """When a releaser's cell interrupts."""

    PERIODIC = "periodic"
    ONE_SHOT = "one-shot"


@dataclass(frozen=True, slots=True)
class Clock:
    """The free-running counter that gives 64-bit time."""

    device: str
    hz: int  # counts a second, behind the prescaler
    width: int  # bits of the hardware counter
    instance: int = 0  # which of the device's channels
    handler: str | None = None  # vector-table entry of its wrap interrupt; None: the port's affair
    prescaler: int = 1  # its timer counts each so many steps of `input_hz`
    prescalers: tuple[int, ...] = ()  # those that may be chosen; none: there is no prescaler

    @property
    def input_hz(self) -> int:
        """What the timer would count without its prescaler."""
        return self.hz * self.prescaler

    @property
    def stamp_bits(self) -> int:
        """The bits behind which its handler is called: at most the 32 of a stamp."""
        return min(self.width, 32)


MOST_COUNTED = 0x4000
"""So many interrupts a handler counts that can (Cell.counts); a period may be in so many parts of a count."""
_LONGEST_COUNTED = 0xFFFE  # counts between these interrupts; some may be one more


@dataclass(frozen=True, slots=True)
class Cell:
    """One hardware timer channel that can raise an interrupt."""

    name: str
    device: str  # the driver: a folder of ports/cell/
    instance: int  # which of the device's channels, as the driver numbers them
    handler: str  # name of the vector-table entry
    hz: int  # equals the clock's: a cell counts the clock's counts
    width: int
    modes: frozenset[Mode]
    min_counts: int  # shortest interval that this cell can time, in counts
    whole_counts: bool = False  # its driver times only periods that are whole numbers of counts
    moves_compare: bool = False  # its comparison can be moved while its counter counts
    counts: bool = False  # its handler can have an entry that counts what is left (counted_table.h)
    groups: int = 0  # it may be in one of so many groups, each started and stopped by one store
    input_min_counts: int = 0  # min_counts, counted before the clock's prescaler; 0: there is none
    clock_prescaler: int = 1  # the clock's: what `hz` is behind
    # Of a cell with a timer that does not count by the clock's prescaler, but by one of these.
    prescalers: tuple[int, ...] = ()
    timer: str | None = None  # cells of one timer of their own count by one prescaler
    reload_counts: int | None = None  # its reload takes so many; None: what the driver knows

    def step(self, prescaler: int) -> Fraction:
        """Counts of the clock that one of the cell's own takes with one of its `prescalers`."""
        return Fraction(prescaler, self.clock_prescaler)

    def can_count(self, interval: Fraction) -> bool:
        """Whether its handler can count interrupts that come at this interval, in counts."""
        fits = int(interval) <= _LONGEST_COUNTED and interval.denominator <= MOST_COUNTED
        return self.counts and fits

    @property
    def max_counts(self) -> int:
        """The longest interval the cell can time, in counts."""
        longest = (1 << self.width) - 1
        return int(longest * self.step(max(self.prescalers))) if self.prescalers else longest


@dataclass(frozen=True, slots=True)
class Memory:
    """One region of memory, as the linker script gets it."""

    name: str
    origin: int
    length: int

    @property
    def end(self) -> int:
        """The first address behind it."""
        return self.origin + self.length


CHIP_FILE = "chip.txt"
"""In the folder of a board whose runner has_chip_file: memory and timers, as stm32/src/chip.rs reads them."""


CPUID_PARTS: Mapping[str, int] = {
    "cortex-m0": 0xC200,
    "cortex-m0plus": 0xC600,
    "cortex-m3": 0xC230,
    "cortex-m4": 0xC240,
    "cortex-m7": 0xC270,
    "cortex-m33": 0xD210,
}
"""Bits 15 to 4 of CPUID (Armv7-M ARM, B3.2.3), of processors by what compilers call them."""


@dataclass(frozen=True, slots=True)
class Runner:
    """How the board is started, and what an instruction or a cycle lasts there.

    At most one of `ns_per_instruction`, `ns_per_cycle` and `cycles_hz` is set; none: nothing is counted here.
    """

    kind: str
    """ "qemu", "ibex", "simavr", "rp2040js", "rp2040-emu", "stm32", "rp2350", "host"; "none" if no
    emulator runs it.
    """
    machine: str
    icount_shift: int | None
    ns_per_instruction: int | None
    ns_per_cycle: int | None = None
    cycles_hz: int | None = None  # cycles a second, where one is no whole number of nanoseconds
    configuration: str | None = None  # of the core, where the simulator has several
    ram_property: str | None = None  # of QEMU's: it gives the machine as much RAM as it says

    @property
    def ns_per_step(self) -> int | Fraction | None:
        """What one of the steps that are counted lasts, if possible a whole number; None: none are."""
        if self.cycles_hz is not None:
            lasts = Fraction(10**9, self.cycles_hz)
            return lasts.numerator if lasts.denominator == 1 else lasts
        return self.ns_per_cycle if self.ns_per_cycle is not None else self.ns_per_instruction

    @property
    def has_chip_file(self) -> bool:
        """Whether it is our simulator of one Cortex-M33, which a CHIP_FILE tells what is around that."""
        return self.kind in ("stm32", "rp2350")

    @property
    def counts_cycles(self) -> bool:
        """Whether the steps that are counted are cycles, not instructions."""
        return self.ns_per_cycle is not None or self.cycles_hz is not None

    @property
    def unit(self) -> str:
        """What is counted, for people."""
        return "cycles" if self.counts_cycles else "instructions"


@dataclass(frozen=True, slots=True)
class FreertosPort:
    """FreeRTOS's port for a chip, where it is not the one for the processor, and the timer of its tick."""

    port: str  # a folder of FreeRTOS-Kernel/portable/
    handler: str  # of the tick: the name of its vector-table entry
    bits: int  # of the timer, which begins anew at each tick
    prescalers: tuple[int, ...]  # ascending, in the order of the values that select them: 1, 2, ...


@dataclass(frozen=True, slots=True)
class Line:
    """An interrupt line that nothing on the board needs and software can pend."""

    handler: str  # name of the vector-table entry
    number: int  # as the controller numbers it; among equals the smaller goes first


@dataclass(frozen=True, slots=True)
class Controller:
    """A prioritised interrupt controller, which dispatches basic tasks."""

    device: str  # the port: a folder of ports/<arch>/
    lines: tuple[Line, ...]  # in the order in which they are taken


@dataclass(frozen=True, slots=True)
class ChipId:
    """A word in the chip by which it is known: what is read at `address`, masked, is `value`."""

    address: int
    mask: int
    value: int


@dataclass(frozen=True, slots=True)
class Probing:
    """How the gdb servers of debug probes are told what the board is. Absent: such a server is not for it."""

    openocd: tuple[str, ...] = ()  # files for its -f, in order
    probe_rs: str | None = None  # as probe-rs names the chip
    pyocd: str | None = None  # as pyOCD names the target
    chip: ChipId | None = None
    cycles_hz: int | None = None  # of the processor's cycle counter; None: stamps are the clock's


@dataclass(frozen=True, slots=True)
class Board:
    """A target. `work_ns` is what one turn of the assembly loop of `work = N` lasts."""

    name: str
    title: str
    directory: Path
    arch: str  # a folder of ports/
    cpu: str
    levels: int  # priority levels for threads (31: level 0 is the idle loop's)
    work_ns: Fraction
    clock: Clock
    cells: tuple[Cell, ...]
    memory: tuple[Memory, ...]
    runner: Runner
    port: Port
    fpu: str | None = None  # as the compiler names it; None: the processor has none
    basic_levels: int | None = None  # priority levels for basic tasks; None: as many as `levels`
    controller: Controller | None = None  # None: the kernel dispatches basic tasks, too
    attachable: tuple[int, int] | None = (
        None  # the first and last line for handlers, where they are not the controller's
    )
    freertos: FreertosPort | None = (
        None  # None: that of the processor, which ticks by the clock's hertz
    )
    cores: int = 1  # of one kind; they share the clock and the cells
    probe: Probing | None = None  # None: nothing is known of debug probes
    silicon: str | None = (
        None  # how silicon differs from what its emulator does, for docs/boards.md
    )

    def cells_of(self, core: int) -> tuple[Cell, ...]:
        """The cells of one of its cores: an even share of them, in order."""
        first, behind = (len(self.cells) * at // self.cores for at in (core, core + 1))
        return self.cells[first:behind]

    @property
    def most_table_bytes(self) -> int:
        """What tables may take where a description does not say: at most a quarter of the board's flash."""
        flash = (one.length // 4 for one in self.memory if one.name == "flash")
        return min(self.port.table_bytes, *flash, TABLE_BYTES)

    @property
    def start_counts(self) -> int:
        """The nominal first release, t = 0, in counts after the clock's start: a millisecond."""
        return self.clock.hz // 1000

    @property
    def stamp_hz(self) -> int:
        """What a firmware that measures itself stamps its records with: counts a second."""
        cycles = None if self.probe is None else self.probe.cycles_hz
        return self.clock.hz if cycles is None else cycles

    @property
    def on_silicon(self) -> Board:
        """This board as a firmware sees it that measures itself: in cycles, if it counts them."""
        if self.probe is None or self.probe.cycles_hz is None:
            return self
        runner = replace(
            self.runner, ns_per_instruction=None, ns_per_cycle=None, cycles_hz=self.probe.cycles_hz
        )
        return replace(self, runner=runner)

    @property
    def stack_guards(self) -> tuple[StackGuard, ...]:
        """Those of the port that this processor has."""
        cpu = self.cpu.partition("+")[0]
        return tuple(one for one in self.port.stack_guards if cpu in one.cpus)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The interrupt lines that applications may have; those of `attachable` have no names."""
        if self.controller is not None and self.attachable is None:
            return self.controller.lines
        first, last = self.attachable or (0, -1)
        return tuple(Line("", number) for number in range(first, last + 1))

    def with_prescaler(self, prescaler: int) -> Board:
        """The same board with its clock behind another one of its prescalers.

        ValueError if that leaves no whole number of counts a second.
        """
        if prescaler == self.clock.prescaler:
            return self
        hz, rest = divmod(self.clock.input_hz, prescaler)
        if rest:
            raise ValueError(f"{self.clock.input_hz:,} Hz / {prescaler:,} is no whole number")
        cells = tuple(
            replace(
                cell,
                hz=hz,
                min_counts=max(1, ceil(Fraction(cell.input_min_counts, prescaler))),
                clock_prescaler=prescaler,
            )
            for cell in self.cells
        )
        return replace(self, clock=replace(self.clock, hz=hz, prescaler=prescaler), cells=cells)

    def with_each_prescaler(self) -> tuple[Board, ...]:
        """The board by each prescaler that its clock may have and that leaves whole hertz; or as it is."""
        whole = (one for one in self.clock.prescalers if self.clock.input_hz % one == 0)
        return tuple(map(self.with_prescaler, whole)) or (self,)

    def cell(self, name: str) -> Cell:
        """The cell called `name`; KeyError if the board has none."""
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(name)

    def has_own_interrupt(self, cell: Cell, among: Collection[str] | None = None) -> bool:
        """Whether `cell` shares its handler with no other cell of those named (None: all), nor the clock."""
        others = (one for one in self.cells if among is None or one.name in among)
        return cell.handler != self.clock.handler and all(
            one.handler != cell.handler for one in others if one is not cell
        )
