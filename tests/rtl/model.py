# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the datasheet (docs/guide/timer-cells.md) says of the RTL's devices, as a model cycle by cycle.

Written from the datasheet, not from the SystemVerilog: sources have the numbers that programs know, the most
urgent is found by looking at all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = [
    "ACTIVE_PRIORITY",
    "ACTIVE_SOURCE",
    "COMPARE",
    "CONSOLE",
    "CONTROL",
    "COUNT",
    "FINISHER",
    "LOWER",
    "RAISE",
    "RESTART",
    "RUN",
    "RUN_CLEAR",
    "RUN_SET",
    "STATUS",
    "THRESHOLD",
    "TIME_HIGH",
    "TIME_LOW",
    "TRACE",
    "ACTIVE",
    "BULK",
    "CELLS",
    "CLAIM",
    "CLEAR",
    "CLINT",
    "COMPLETE",
    "ENABLE",
    "HANDLER",
    "HOT",
    "FOLLOW",
    "FOLLOWS",
    "OVERRUN",
    "PENDING",
    "PRIORITY",
    "SPURIOUS",
    "Access",
    "Board",
    "Seen",
]

M32, M64 = 2**32 - 1, 2**64 - 1

CELLS, CLINT = 0x4000_0000, 0x0200_0000
HOT, BULK = 0xFFFF_FF00, 0x4001_0000
CLAIM, COMPLETE, THRESHOLD, RAISE, LOWER, RUN = range(HOT, HOT + 24, 4)
RUN_SET, RUN_CLEAR, TIME_LOW, TIME_HIGH, ACTIVE_PRIORITY, ACTIVE_SOURCE, RESTART = range(
    HOT + 24, HOT + 52, 4
)
PRIORITY, HANDLER, ENABLE, PENDING = BULK, BULK + 0x800, BULK + 0x1000, BULK + 0x1040
CLEAR, OVERRUN, ACTIVE, SPURIOUS = BULK + 0x1080, BULK + 0x10C0, BULK + 0x1100, BULK + 0x1140
FOLLOW, FOLLOWS = BULK + 0x1180, 1 << 31
FINISHER, TRACE, CONSOLE = 0x0010_0000, 0x0010_1000, 0x1000_0000
OVERRUN_SOURCE, FIRST_LINE = 32, 64
COUNT, COMPARE, CONTROL, STATUS = range(0, 16, 4)
ONE_SHOT, CONTINUOUS = 1, (2, 3)


@dataclass(frozen=True, slots=True)
class Access:
    """One access on the bus."""

    address: int
    write: bool = False
    data: int = 0
    enables: int = 0xF


@dataclass(frozen=True, slots=True)
class Seen:
    """What comes out of the devices in a cycle, but for the answer of the cycle before."""

    irq_software: bool
    irq_timer: bool
    irq_external: bool
    claim: bool
    complete: bool
    source: int | None  # claimed or completed
    fire: int


@dataclass(slots=True)
class Cell:
    """One timer cell."""

    count: int = 0
    compare: int = 0
    control: int = 0
    fired: bool = False
    lost: bool = False

    def counts(self, run: int) -> bool:
        """Whether it takes a step in this cycle."""
        return bool(self.control & 1 and run >> (self.control >> 8 & 15) & 1)

    def fires(self, run: int) -> bool:
        """Whether that step leads to COMPARE."""
        return self.counts(run) and (self.count + 1) & M32 == self.compare

    def read(self, register: int) -> int:
        """The value of one of the four registers."""
        status = self.fired | self.lost << 1
        return {COUNT: self.count, COMPARE: self.compare, CONTROL: self.control}.get(
            register, status
        )

    def clock(self, run: int, register: int | None, data: int, restarts: bool = False) -> None:
        """One cycle, in which `register` may be written, or COUNT set to 0."""
        fires, counts, mode = self.fires(run), self.counts(run), self.control >> 2 & 3
        if register == STATUS:  # flags are cleared first, then what happens sets them
            self.fired &= not data & 1
            self.lost &= not data & 2
        if fires:
            self.lost |= self.fired
            self.fired = True
        if counts:
            self.count = 0 if fires and mode not in CONTINUOUS else (self.count + 1) & M32
        if fires and mode == ONE_SHOT:
            self.control &= ~1
        if restarts:
            self.count = 0
        if register == COUNT:  # what is written is what then stands there
            self.count = data
        if register == COMPARE:
            self.compare = data
        if register == CONTROL:
            self.control = data & 0xF0F


@dataclass(slots=True)
class Board:
    """All devices."""

    number_of_cells: int = 16
    shared: bool = False
    cells: list[Cell] = field(default_factory=list)
    priority: dict[int, int] = field(default_factory=dict)
    handler: dict[int, int | None] = field(default_factory=dict)
    enable: set[int] = field(default_factory=set)
    pending: set[int] = field(default_factory=set)
    active: set[int] = field(default_factory=set)
    overrun: set[int] = field(default_factory=set)
    threshold: int = 0
    run: int = 1
    follow: list[int] = field(default_factory=lambda: [0] * 16)
    spurious: int = 0
    time: int = 0
    time_compare: int = M64
    software: bool = False
    answer: int | None = None  # of the access in the cycle before; None: not a read, or not known
    error: bool = False

    def __post_init__(self) -> None:
        lines = -(-self.number_of_cells // 4) if self.shared else self.number_of_cells
        self.cells = [Cell() for _ in range(self.number_of_cells)]
        sources = [*range(33), *range(FIRST_LINE, FIRST_LINE + lines)]
        self.priority = dict.fromkeys(sources, 0)
        self.handler = dict.fromkeys(sources)  # not reset

    def source_of(self, cell: int) -> int:
        """The source that a cell requests."""
        return FIRST_LINE + (cell // 4 if self.shared else cell)

    def most_urgent(self, sources: set[int]) -> int | None:
        """The largest priority; among equals the lowest number."""
        return min(sources, key=lambda s: (-self.priority[s], s), default=None)

    def running_priority(self) -> int:
        """What a source must exceed to interrupt."""
        return max([self.threshold, *(self.priority[s] for s in self.active)])

    def candidate(self) -> int | None:
        """The source that interrupts."""
        best = self.most_urgent(self.pending & self.enable)
        return None if best is None or self.priority[best] <= self.running_priority() else best

    def running(self) -> int:
        """The groups that count: by RUN, or as they follow the most urgent active source."""
        return self.run | self.following()

    def following(self) -> int:
        """The groups that follow the most urgent active source."""
        serving = self.most_urgent(self.active)
        return sum(
            1 << group
            for group, word in enumerate(self.follow)
            if word & FOLLOWS and serving == word & 0x1FF
        )

    def seen(self, access: Access | None) -> Seen:
        """What comes out in a cycle with this access."""
        best, serving = self.candidate(), self.most_urgent(self.active)
        whole = access is not None and access.enables == 0xF
        at = access.address & ~3 if access is not None and whole else None
        writes = access is not None and access.write
        claim = at == CLAIM and not writes and best is not None
        complete = at == COMPLETE and writes and serving is not None
        return Seen(
            irq_software=self.software,
            irq_timer=self.time >= self.time_compare,
            irq_external=best is not None,
            claim=claim,
            complete=complete,
            source=best if claim else serving if complete else None,
            fire=sum(cell.fires(self.running()) << n for n, cell in enumerate(self.cells)),
        )

    def clock(self, access: Access | None) -> None:
        """One cycle: the access first, then what the hardware does."""
        seen = self.seen(access)
        fires = [n for n in range(self.number_of_cells) if seen.fire >> n & 1]
        requests = {self.source_of(n) for n in fires if self.cells[n].control & 2}
        run, restarted = self.running(), 0
        written: tuple[int | None, int | None, int] = (None, None, 0)
        time = self.time + 1
        if access is not None:
            self.error = not self._known(access)
            self.answer = None if access.write or self.error else self._read(access)
            if access.write and not self.error:
                written = self._cell_written(access)
                if access.address & ~3 == RESTART:
                    restarted = self.following()
                time = self._write(access, time)
        if seen.claim and seen.source is not None:
            self.answer = self.handler[seen.source]
            self.pending.discard(seen.source)
            self.active.add(seen.source)
        if seen.complete and seen.source is not None:
            self.active.discard(seen.source)
        overran = requests & (self.pending | self.active)
        self.overrun |= overran
        self.pending |= requests | ({OVERRUN_SOURCE} if overran else set())
        self.time = time & M64
        for n, cell in enumerate(self.cells):
            register = written[1] if written[0] == n else None
            cell.clock(run, register, written[2], bool(restarted >> (cell.control >> 8 & 15) & 1))

    def _known(self, access: Access) -> bool:
        at = access.address
        if CONSOLE <= at < CONSOLE + 8:
            return True
        return access.enables == 0xF and (
            at & ~3 in (FINISHER, TRACE)
            or CLINT <= at < CLINT + 0x10000
            or CELLS <= at < CELLS + 16 * self.number_of_cells
            or BULK <= at < BULK + 0x2000
            or HOT <= at < HOT + 52
        )

    def _cell_written(self, access: Access) -> tuple[int | None, int | None, int]:
        offset = access.address - CELLS
        if 0 <= offset < 16 * self.number_of_cells:
            return offset // 16, offset % 16 & ~3, access.data
        return None, None, 0

    def _bits(self, sources: set[int], word: int) -> int:
        return sum(1 << s % 32 for s in sources if s // 32 == word)

    def _sources(self, word: int, data: int) -> set[int]:
        return {s for s in self.priority if s // 32 == word and data >> s % 32 & 1}

    def _read(self, access: Access) -> int | None:
        at = access.address & ~3
        if CELLS <= at < CELLS + 16 * self.number_of_cells:
            return self.cells[(at - CELLS) // 16].read((at - CELLS) % 16)
        if PRIORITY <= at < PRIORITY + 0x800:
            return self.priority.get((at - PRIORITY) // 4, 0)
        if HANDLER <= at < HANDLER + 0x800:
            return self.handler.get((at - HANDLER) // 4, 0)
        for base, sources in (
            (ENABLE, self.enable),
            (PENDING, self.pending),
            (OVERRUN, self.overrun),
            (ACTIVE, self.active),
        ):
            if base <= at < base + 0x40:
                return self._bits(sources, (at - base) // 4)
        if FOLLOW <= at < FOLLOW + 0x40:
            return self.follow[(at - FOLLOW) // 4]
        serving = self.most_urgent(self.active)
        return {
            CLAIM: self.spurious,
            THRESHOLD: self.threshold,
            RAISE: self._bits(self.pending, 0),
            RUN: self.run,
            TIME_LOW: self.time & M32,
            TIME_HIGH: self.time >> 32,
            ACTIVE_PRIORITY: 0 if serving is None else self.priority[serving],
            ACTIVE_SOURCE: M32 if serving is None else serving,
            SPURIOUS: self.spurious,
            CLINT: int(self.software),
            CLINT + 0x4000: self.time_compare & M32,
            CLINT + 0x4004: self.time_compare >> 32,
            CLINT + 0xBFF8: self.time & M32,
            CLINT + 0xBFFC: self.time >> 32,
            CONSOLE + 4: 0x6000,
        }.get(at, 0)

    def _write(self, access: Access, time: int) -> int:
        """Do what a write does, but for cells, CLAIM and COMPLETE; returns the time then."""
        at, data = access.address & ~3, access.data
        number = (at - BULK) % 0x800 // 4
        if PRIORITY <= at < HANDLER and number in self.priority:
            self.priority[number] = data & 31
        elif HANDLER <= at < HANDLER + 0x800 and number in self.priority:
            self.handler[number] = data
        elif ENABLE <= at < ENABLE + 0x40:
            word = (at - ENABLE) // 4
            self.enable = {s for s in self.enable if s // 32 != word} | self._sources(word, data)
        elif at in (PENDING, RAISE):
            self.pending |= self._sources(0, data)
        elif at == LOWER:
            self.pending -= self._sources(0, data)
        elif CLEAR <= at < CLEAR + 0x40:
            self.pending -= self._sources((at - CLEAR) // 4, data)
        elif OVERRUN <= at < OVERRUN + 0x40:
            self.overrun -= self._sources((at - OVERRUN) // 4, data)
        elif at == SPURIOUS:
            self.spurious = data
        elif FOLLOW < at < FOLLOW + 0x40:
            self.follow[(at - FOLLOW) // 4] = data & (FOLLOWS | 0x1FF)
        elif at == THRESHOLD:
            self.threshold = data & 31
        elif at == RUN:
            self.run = data & 0xFFFF | 1
        elif at == RUN_SET:
            self.run |= data & 0xFFFF
        elif at == RUN_CLEAR:
            self.run = self.run & ~data | 1
        elif at == CLINT:
            self.software = bool(data & 1)
        elif at == CLINT + 0x4000:
            self.time_compare = self.time_compare & ~M32 | data
        elif at == CLINT + 0x4004:
            self.time_compare = self.time_compare & M32 | data << 32
        elif at == CLINT + 0xBFF8:
            return self.time & ~M32 | data
        elif at == CLINT + 0xBFFC:
            return self.time & M32 | data << 32
        return time
