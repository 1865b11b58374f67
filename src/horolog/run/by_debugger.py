# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: a firmware that measures itself, on whatever is behind a gdb server."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path

from horolog.analyse import count_releases, window_counts
from horolog.build.ring import LEAST_RECORDS, RECORD_BYTES, Ring
from horolog.figures import count, plural, significant
from horolog.image import Function, Image, initial_words, read_image
from horolog.measure.handlers import interrupt_numbers
from horolog.measure.measured import Kernel, Measured, instructions_of
from horolog.measure.probe import threads_of
from horolog.measure.ring import (
    CONTROL_BYTES,
    HEADER_BYTES,
    PLAIN_AT,
    READ_AT,
    WRITTEN_AT,
    Header,
    begun,
    read_header,
    read_records,
)
from horolog.measure.self_measured import Account, Objects, account
from horolog.measure.watched import Watched, watched
from horolog.model import Board, HorologError, Place, Plan, System, TargetFailed
from horolog.programs import Finished
from horolog.read import duration_text
from horolog.read.ports import ports
from horolog.read.units import about_duration_text
from horolog.run.gdb_session import Remote, read_after
from horolog.run.relay import Channel
from horolog.run.streaming import read_as_it_fills

__all__ = [
    "CALLS",
    "HANDLERS",
    "SWITCHES",
    "SelfMeasured",
    "refuse_unprobed",
    "ring_for",
    "ring_room",
    "run_by_debugger",
]

HANDLERS = "(interrupts, self-measured)"
SWITCHES = "(switches, self-measured)"
CALLS = "(threads between jobs, self-measured)"
"""HANDLERS, SWITCHES and CALLS are where the kernel's time goes of a firmware that measures itself."""

_OWNERS = {
    HANDLERS: "kernel",
    SWITCHES: "kernel",
    CALLS: "kernel",
    "(bodies, self-measured)": "body",
    "(idle, self-measured)": "idle",
}
_JOB_RECORDS = 8  # released, begun, ended; two switches, each entered and left; some to spare
_SERVICE_RECORDS = 16  # of a job with a body from the sources: the calls of eight services
_INTERRUPT_RECORDS = 4
_LEAST_STREAMED, _MOST_STREAMED = 4 * LEAST_RECORDS, 8192
_LEAST_GRACE = Fraction(1, 100)
_WALL_SECONDS = 60


def _traced() -> list[str]:
    return sorted({arch for (arch, _), port in ports().items() if port.has_trace})


@dataclass(frozen=True, slots=True)
class SelfMeasured:
    """A run, and what of its time the records took, which is not in its figures."""

    measured: Measured
    ring_share: Fraction  # of the window
    record_steps: Fraction  # what a record costs on average, in the board's unit
    records: int

    streamed: bool = False
    halts: int | None = (
        None  # so often it was halted to be read, if its server cannot read while it runs
    )

    def notes(self, plan: Plan, board: Board) -> tuple[str, ...]:
        """What a reader has to know of the figures, and what was predicted beside what was measured.

        `board` is the one that was planned for, of which the costs may be those of an emulator.
        """
        unit, counted = self.measured.unit, instructions_of(self.measured)
        kernel = 0 if counted is None else counted.kernel
        return (
            f"self-measured: the firmware wrote these figures into a ring in its RAM, {self._read()}; "
            "what bodies call of the kernel is counted as the kernel's",
            f"its {count(self.records)} records of about {float(self.record_steps):.1f} {unit} took "
            f"{significant(100 * self.ring_share, 3)} % of the time, which is subtracted; the firmware that "
            "horolog build makes has no ring",
            f"kernel {unit}: {count(kernel)} self-measured, {_predicted(plan, board, unit)}",
        )

    def _read(self) -> str:
        if not self.streamed:
            return "and gdb read them"
        if self.halts is None:
            return "which was read by RTT while it ran"
        return (
            f"for which gdb halted it {plural(self.halts, 'time')}, as its server cannot read while it runs: "
            "where clocks go on meanwhile, they count that, too"
        )


def _predicted(plan: Plan, board: Board, unit: str) -> str:
    kernel = plan.prediction.kernel_instructions
    if board.runner.ns_per_step is None or not kernel:
        return "none predicted, as costs of this board are not known"
    other = (
        "" if board.runner.unit == unit else f" {board.runner.unit}, by the costs of an emulator"
    )
    return f"{count(round(kernel))}{other} predicted"


def refuse_unprobed(system: System) -> None:
    """HorologError if a firmware of `system` cannot measure itself."""
    board = system.board
    if not board.port.has_trace or board.cores > 1:
        raise HorologError(
            f"--probe: firmware for {board.name} cannot measure itself yet",
            place=Place(str(board.directory / "board.toml"), key="board.arch"),
            found=f'"{board.arch}"' + (f", {board.cores} cores" if board.cores > 1 else ""),
            expected=f"a board of one core with arch {', '.join(_traced())}",
        )
    if system.build.own_vectors:
        raise HorologError(
            "--probe: the ring that records interrupts is entered by Horolog's vector table",
            found='vectors = "own" in [build]',
            expected='vectors = "horolog"; horolog flash and horolog gdb take either',
        )
    _refuse_uncounted(system)
    if board.on_silicon.runner.ns_per_step is None:
        raise HorologError(
            f"--probe: what a step of {board.name} lasts is not known",
            place=Place(str(board.directory / "board.toml"), key="probe.cycles_hz"),
            found=f'no cycles_hz in [probe], and [runner] with kind = "{board.runner.kind}"',
            expected="cycles_hz, the frequency of the core, if its cycle counter is to be the stopwatch",
        )


def _refuse_uncounted(system: System) -> None:
    """HorologError if cycles are to be counted, and what would count them is not there, or taken."""
    board = system.board
    if board.probe is None or board.probe.cycles_hz is None:
        return
    place = Place(str(board.directory / "board.toml"), key="probe.cycles_hz")
    without = "no cycles_hz: the stamps are the clock's then"
    counter = board.port.cycle_counter
    if counter is None:
        raise HorologError(
            f"--probe: firmware for {board.name} has nothing that counts cycles",
            place=place,
            found=f"cycles_hz = {board.probe.cycles_hz:_}",
            expected=without,
        )
    cells = [board.cell(name) for name in system.cells]
    taken = [f"cell {cell.name}" for cell in cells if cell.device in counter.devices]
    if board.clock.device in counter.devices:
        taken.append("the clock")
    if taken:
        raise HorologError(
            f"--probe: {counter.name}, which would count cycles, is {taken[0]} of {system.name}",
            place=place,
            found=f"cycles_hz = {board.probe.cycles_hz:_}",
            expected=without
            if taken[0] == "the clock"
            else f"{without}; or other cells in the system",
        )


def ring_room(board: Board) -> int:
    """The records that a ring may have: half of the largest RAM."""
    ram = max((one.length for one in board.memory if one.name != "flash"), default=0)
    return ram // 2 // RECORD_BYTES


def ring_for(system: System, plan: Plan, *, streams: bool = False) -> Ring:
    """A ring for all that happens in the window of `system`, as far as half of the largest RAM holds it.

    If it `streams`, it is read as it fills, so that the window may be as long as one likes.
    """
    board = system.board
    hz, end = board.clock.hz, window_counts(system)
    tasks = [*system.tasks, *(one.task for one in system.sporadic)]
    jobs = sum(count_releases(task.period, Fraction(0), hz, end) + 1 for task in tasks)
    interrupts = sum(count for _, count in plan.prediction.interrupts_by_cell)
    a_job = _JOB_RECORDS + (_SERVICE_RECORDS if system.sources else 0)
    records = a_job * jobs + _INTERRUPT_RECORDS * interrupts + LEAST_RECORDS
    counts = end + board.start_counts + ceil(_grace(system) * hz)
    window = ceil(Fraction(counts * board.stamp_hz, hz))
    cycles = board.probe is not None and board.probe.cycles_hz is not None
    if streams:
        _refuse_far_apart(system)
        room = min(ring_room(board), _MOST_STREAMED) & ~1
        return Ring(max(_LEAST_STREAMED, room), window, cycles=cycles, streams=True)
    if window >= 1 << 32:
        raise HorologError(
            "--probe: the window is longer than a trace, the stamps of which have 32 bits",
            place=Place(str(system.path), key="system.duration"),
            found=f"duration = {duration_text(system.duration)}",
            expected=f"less than {about_duration_text(Fraction(1 << 32, board.stamp_hz), 3)}",
        )
    return Ring(max(LEAST_RECORDS, min(records, ring_room(board))), window, cycles=cycles)


def _refuse_far_apart(system: System) -> None:
    """HorologError if two records may be so far apart that stamps wrap between them."""
    shortest = min(task.period for task in system.tasks)
    most = Fraction(1 << 31, system.board.stamp_hz)
    if shortest >= most:
        raise HorologError(
            "--stream: records may be further apart than their stamps of 32 bits tell",
            place=Place(str(system.path)),
            found=f"no task with a period below {about_duration_text(most, 3)}",
            expected="one, the job of which may do nothing",
        )


def _grace(system: System) -> Fraction:
    """Behind the window, for jobs that were released in it; at its end some record has to come."""
    return max(_LEAST_GRACE, *(task.period for task in system.tasks))


def run_by_debugger(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    remote: Remote,
    streamed: Ring | None = None,
) -> SelfMeasured:
    """Load `elf`, which has a ring, into what is behind `remote`; run it, and read what it wrote.

    `streamed` is the ring if it is read as it fills.
    """
    head, body = folder / "trace-head.bin", folder / "trace-records.bin"
    for file in (head, body):
        file.unlink(missing_ok=True)
    header = (head.name, "(char*)&hrli_trace", f"(char*)&hrli_trace+{HEADER_BYTES}")
    records = "(char*)&hrl_gen_trace_records"
    seconds = _WALL_SECONDS + 20 * ceil(system.duration)
    if streamed is not None:
        counted = f"*(unsigned int*)((char*)&hrli_trace+{PLAIN_AT})"
        channel, board = _channel(elf, streamed), system.board
        try:
            halts = read_as_it_fills(
                board, elf, remote, channel, header, counted, body.name, folder, seconds
            )
        except TargetFailed:
            if head.is_file():
                read_header(head.read_bytes(), streamed=True)
            raise
        found = decoded(
            system, plan, kernel, elf, folder, head.read_bytes(), body.read_bytes(), streamed=True
        )
        return replace(found, streamed=True, halts=halts)
    read_after(
        system.board,
        elf,
        remote,
        "hrli_trace_end",
        [
            header,
            (body.name, records, f"{records}+{RECORD_BYTES}*(hrli_trace.next+!hrli_trace.next)"),
        ],
        folder,
        seconds,
    )
    return decoded(system, plan, kernel, elf, folder, head.read_bytes(), body.read_bytes())


def _channel(elf: Path, ring: Ring) -> Channel:
    image = read_image(elf)
    control = image.address("hrli_trace_rtt")
    return Channel(
        control=control,
        control_bytes=CONTROL_BYTES,
        written=control + WRITTEN_AT,
        read=control + READ_AT,
        buffer=image.address("hrl_gen_trace_records"),
        buffer_bytes=RECORD_BYTES * ring.records,
        window=ring.window,
    )


def decoded(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    head: bytes,
    body: bytes,
    *,
    streamed: bool = False,
) -> SelfMeasured:
    """What the words in the memory of a target say, which `elf` wrote."""
    image = read_image(elf)
    header = read_header(head, streamed=streamed)
    if streamed:
        header = begun(header, body)
    run = watched(system, plan, kernel, _by_owner(image), folder, elf.stem)
    found = _account(system, plan, run, header, image, body)
    steps = _steps(system.board)
    _write(run, found, steps)
    measured = run.measured(Finished(0, "", ""), 0)
    share = found.ring / max(1, found.end)
    return SelfMeasured(measured, share, found.ring / max(1, found.records) * steps, found.records)


def _steps(board: Board) -> Fraction:
    """How many of the steps that the board counts are one count of the stamps."""
    lasts = board.runner.ns_per_step
    assert lasts is not None
    return Fraction(10**9, board.stamp_hz) / Fraction(lasts)


def _by_owner(image: Image) -> Image:
    """`image`, as if parts of the kernel, bodies and the idle loop were a function each."""
    functions = tuple(
        Function(name, i, i + 1, owner) for i, (name, owner) in enumerate(_OWNERS.items())
    )
    return replace(image, functions=functions, memory=None)  # a ring is no part of the firmware


def _account(
    system: System, plan: Plan, run: Watched, header: Header, image: Image, body: bytes
) -> Account:
    hz, watch = system.board.stamp_hz, run.watch
    wanted = [mark.instants for mark in watch.marks]
    by_cell: dict[int, list[int]] = {}
    for number, releaser in zip(interrupt_numbers(system, plan), range(len(wanted)), strict=True):
        by_cell.setdefault(number, []).append(releaser)
    objects = _objects(system, plan, image)
    known = set(objects.releasers.values())

    def ns(counts: int) -> int:
        return counts * 10**9 // hz

    def awaits(found: Account, releaser: int) -> bool:
        return releaser in known and found.served[releaser] < wanted[releaser]

    def counts(at: int, cell: int, found: Account) -> bool:
        return ns(at) < watch.cuts_ns[cell] or any(
            awaits(found, one) for one in by_cell.get(cell, ())
        )

    def ends(at: int, found: Account) -> bool:
        late = ns(at) >= watch.late_ns
        return ns(at) >= watch.end_ns and (
            late or not any(awaits(found, one) for one in range(len(wanted)))
        )

    found = account(header, read_records(header, body), objects, ends, counts)
    if found.lost and not found.is_over:
        so_far = about_duration_text(Fraction(found.end, hz), 3)
        raise TargetFailed(
            f"the ring was not read as fast as the firmware fills it: records are missing after {so_far}",
            found=f"{plural(found.lost, 'record')} lost, at once, of a ring of {header.capacity}",
            expected="a faster connection to the probe, a board with more RAM, or fewer jobs a second; "
            "without --stream the ring holds the beginning of a run",
        )
    if header.lost and not found.is_over:
        reached = Fraction(found.end, hz)
        raise HorologError(
            f"the trace ring is full after {about_duration_text(reached, 3)}",
            place=Place(str(system.path), key="system.duration"),
            found=f"duration = {duration_text(system.duration)}, and {header.lost} records too many",
            expected="--stream, which reads the ring as it fills; a shorter duration; or a board "
            "with more RAM",
        )
    return found


def _objects(system: System, plan: Plan, image: Image) -> Objects:
    low = (1 << 24) - 1
    handlers = [cell.handler for cell in system.board.cells]
    table = "hrlp_cortex_m_handlers"
    words = initial_words(image.path, image.address(table), image.sizes[table] // 4)
    used = {system.board.cell(one.cell).handler for one in plan.releasers}
    cells = {
        number: handlers.index(handler)
        for handler in used
        for number, word in enumerate(words)
        if word & ~1 == image.address(handler)
    }
    releasers = {
        image.symbols[name] & low: i
        for i in range(len(plan.releasers))
        for name in (
            f"hrl_gen_releaser_{i}",
            f"hrl_gen_due_{i}",
            f"hrl_gen_served_{i}",
            f"table_{i}",
        )
        if name in image.symbols
    }
    switching = {
        image.address(name) for name in system.board.port.switch_handlers if name in image.symbols
    }
    switches = frozenset(number for number, word in enumerate(words) if word & ~1 in switching)
    layout, masks = image.layout, image.masks
    threads = [] if layout is None else threads_of(image, layout, len(system.tasks))
    base = image.symbols.get("hrl_gen_threads", 0) & low

    def thread_of(address: int) -> int | None:
        if layout is None or not base <= address < base + layout.thread_bytes * len(threads):
            return None
        return threads[(address - base) // layout.thread_bytes]

    masked = () if masks is None else masks.threads
    return Objects(
        cells,
        releasers,
        thread_of,
        {(one.level, one.bit): threads[one.task] for one in masked},
        switches,
    )


def _write(run: Watched, found: Account, steps: Fraction) -> None:
    """The files of a run, in the form of watch/watch.h."""
    hz = run.system.board.stamp_hz
    parts = [found.handlers, found.switches, found.calls, found.bodies]
    spent = [round(part * steps) for part in parts]
    total = round(found.end * steps)
    spent.append(total - sum(spent))  # and the records' time: else the firmware would be idle
    lines = [
        f"status {'done' if found.is_over else 'busy'}",
        f"window_ns {found.end * 10**9 // hz}",
        f"total {total}",
        f"releases {found.releases}",
        "library_in_bodies 0",
        "elsewhere 0",
        *(f"function {number} {took}" for number, took in enumerate(spent)),
        *(f"taken {cell} {count}" for cell, count in sorted(found.taken.items())),
        *(f"served {one} {count}" for one, count in sorted(found.served.items())),
        *(f"longest {task} {round(took * steps)}" for task, took in sorted(found.longest.items())),
        *(
            f"open_job {task} {round(took * steps)}"
            for task, took in sorted(found.open_jobs.items())
        ),
    ]
    run.watch.out.write_text("\n".join(lines) + "\n", encoding="ascii")
    with run.watch.trace.open("w", encoding="ascii") as trace:
        for at, kind, index in found.events:
            shown = round(index * steps) if kind == "K" else index
            trace.write(f"{at * 10**9 // hz} {kind} {max(0, shown)}\n")
