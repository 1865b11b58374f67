# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Generated sources: pure text from a system and its plan, then files in a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import jinja2

from horolog import __version__
from horolog.analyse import (
    HOP_COUNTS,
    WORD_OF_LEVELS,
    Dispatcher,
    common_levels,
    count_instant,
    dispatchers,
    levels,
    of_threads,
    own_levels,
    releases_levels,
    shared_threads,
    streams,
    thread_of,
    walks_of,
    with_threads_only,
)
from horolog.emit.baseline import Tick, nearest_tick
from horolog.emit.baseline_sources import baseline_context, baseline_texts
from horolog.emit.basic_data import BasicData, EmittedReleaser, basic_data, driver_of
from horolog.emit.frames import framed_functions
from horolog.emit.static_data import (
    Chains,
    MaskBit,
    Masks,
    StaticData,
    mask_bits,
    masks_of,
    period_of,
    static_data,
    steps_of,
    threads_by_bit,
)
from horolog.emit.stores import SLOTS, TIMEOUT_STORE, Store, slot_bits, store
from horolog.model import QUEUES, Cell, Kind, Mode, Overrun, Plan, Releaser, System
from horolog.read.units import duration_text

__all__ = ["Generated", "generate", "generated", "generated_files", "with_threads"]

_IDLE_STACK_BYTES = 256
_HOST_STACK_BYTES = 64 * 1024  # sanitizers and the C library need more than a board's code does


@dataclass(frozen=True, slots=True)
class _Released:
    """A task as the templates see it: all numbers as the kernel keeps them."""

    index: int
    name: str
    body: str | None
    work: int | None
    cost_counts: int
    stack: int
    level: int
    bit: int | None  # among those of its level that masks release
    alone: bool  # masks release it, and it is always alone on its level
    entry: str  # where it waits in a harmonic array; 1u: it is put into a sorted list from the end
    releaser: int
    first_stamp: int
    counts: int
    hops: int
    numerator: int
    denominator: int
    accumulated: int
    queue: bool


@dataclass(frozen=True, slots=True)
class _Driven:
    """A releaser as the templates see it."""

    index: int
    cell: Cell
    driver: str
    level: int | None  # of its interrupt, where basic tasks have a controller; None: the port's
    is_clocks: bool  # it shares the clock's handler, which its level has to wait for
    mode: str
    period_text: str | None
    task_count: int
    start: int  # the stamp of t = 0
    first_stamp: int
    cell_period: int
    divider: int
    steps: str  # of a stepped cell (kernel/assemble/stepped_cell.h)
    span: int
    cooperates: bool  # a one-shot cell with a store that the periodic cells serve, too
    partner: int | None  # the number of the releaser that cooperates with this periodic one
    store: Store
    slot_bits: int
    data: StaticData | None
    from_end: frozenset[int]  # tasks that are put into a sorted list from its end

    @property
    def is_basic(self) -> bool:
        return False

    @property
    def kept(self) -> str:
        """What holds its tasks while they wait."""
        return f"store_{self.index}"

    @property
    def part(self) -> str:
        """The macro of kernel/assemble/cell_releaser.h that makes it."""
        if not self.task_count:
            return "TIMEOUTS"
        if self.cooperates:
            return "COOPERATIVE"
        if self.mode == Mode.ONE_SHOT.value:
            return "ONE_SHOT"
        return ("STEPPED" if self.steps else "PERIODIC") + "_PARTNER" * (self.partner is not None)

    @property
    def described(self) -> str:
        """What that macro takes behind the number."""
        said = (self.store.stem,) if self.part == "TIMEOUTS" else (self.store.kind, self.store.stem)
        if self.mode == Mode.ONE_SHOT.value:
            return ", ".join((*said, f"{self.start}u", f"{self.span}u"))
        numbers = (self.first_stamp, self.cell_period, self.divider)
        partner = () if self.partner is None else (str(self.partner),)
        return ", ".join((*said, *(f"{number}u" for number in numbers), *partner))

    @property
    def serve(self) -> str:
        """What its handler does, the cell acknowledged."""
        said = [str(self.index)]
        if self.part not in ("TIMEOUTS", "COOPERATIVE"):
            said += [self.store.kind, self.store.stem]
        if self.partner is not None:
            said.append(str(self.partner))
        return f"HRLI_SERVE_{self.part}({', '.join(said)}) HRLI_DISPATCH"

    @property
    def has_init(self) -> bool:
        """Whether that is made empty when the system starts, and is not laid out in full."""
        return self.store.is_queue or self.store.stem == "unsorted_list"

    @property
    def name(self) -> str:
        """The releaser's name in C."""
        return f"hrl_gen_releaser_{self.index}"

    @property
    def base(self) -> str:
        """Where its struct hrli_releaser is, in C."""
        return f"{self.name}.one_shot.base" if self.cooperates else f"{self.name}.base"


@dataclass(frozen=True, slots=True)
class _Handler:
    """One entry of the vector table, and the cells and the clock that share it."""

    name: str
    releasers: tuple[_Driven | EmittedReleaser, ...]
    clock: bool
    clock_driver: str
    releases_one_thread: bool = False
    """It releases one thread only, and ends with the switch to it (kernel/thread/single_thread.h)."""

    @property
    def shared(self) -> bool:
        return self.clock or len(self.releasers) > 1

    @property
    def one_shot(self) -> _Driven | None:
        """The releaser, if it is one of threads alone, one-shot over a delay queue."""
        one = self.releasers[0] if self.releasers else None
        if self.shared or not isinstance(one, _Driven) or one.part != "ONE_SHOT":
            return None
        return one if one.store.is_queue else None

    @property
    def is_basic(self) -> bool:
        """Whether it is an interrupt at the level of basic tasks."""
        return not self.clock and all(releaser.is_basic for releaser in self.releasers)


@dataclass(frozen=True, slots=True)
class Generated:
    """The sources of a system, and what the stages after them have to know of these."""

    texts: Mapping[str, str]  # by file name
    framed: Mapping[str, str]  # the function behind each macro of hrl_gen_frames.h


def generate(system: System, plan: Plan, tick: Tick | None = None) -> dict[str, str]:
    """The generated sources by file name: the texts of `generated`."""
    return dict(generated(system, plan, tick).texts)


def generated(system: System, plan: Plan, tick: Tick | None = None) -> Generated:
    """The generated sources; FreeRTOS's for `tick`, by default the usual one or the nearest.

    HorologError if the kernel cannot represent a period.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("horolog.emit"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["word"] = "0x{:08x}u".format  # a word of bits, in C
    basic = basic_data(system, plan) if system.basic else None
    tick = nearest_tick(system) if tick is None else tick
    level = common_levels(system)  # other kernels'; ours, where all tasks are threads
    tasks = tuple(_task(system, i, level[i], None, None) for i in range(len(level)))
    context: dict[str, Any] = {
        "version": __version__,
        "system": system,
        "plan": plan,
        "host": system.board.arch == "host",
        "start": system.board.start_counts,
        "tasks": tasks,
        "functions": sorted({task.body for task in tasks if task.body}),
        "basic": basic,
        "position": {task: at for at, task in enumerate(system.basic)},
        "with_threads": with_threads(system),
        "shared": {},
        "threads_by_bit": {},
        "releases_levels": False,
        "own_levels": False,
        "devices": _devices(system),
        "include_folders": sorted({str(source.parent) for source in system.sources}),
        "idle_stack": _IDLE_STACK_BYTES,
        "host_stack": _HOST_STACK_BYTES,
        **baseline_context(system, tick),
    }
    if with_threads(system):
        context |= _threads(system, plan, basic)
        main = "hrl_gen_system.c.j2"
    else:
        assert basic is not None
        context |= {"handlers": _handlers(system, basic.releasers)}
        context |= {"headers": _headers(system, basic.releasers, _queue_headers(basic))}
        context |= {"queues_of_threads": ()}
        main = "hrl_gen_basic_system.c.j2"
    names = {"hrl_gen_bodies.c": "hrl_gen_bodies.c.j2", "hrl_gen_system.c": main}
    names["system.cmake"] = "system.cmake.j2"
    texts = {
        name: environment.get_template(template).render(context) for name, template in names.items()
    }
    texts |= baseline_texts(environment, system, tick, context)
    return Generated(texts, framed_functions(basic, context["handlers"]))


def with_threads(system: System) -> bool:
    """Whether any thread may run: a task, a server of basic tasks, or the application's own."""
    by = dispatchers(system)
    own = system.timeouts is not None or system.start is not None
    return own or any(one is not Dispatcher.CONTROLLER for one in by)


def _threads(system: System, plan: Plan, basic: BasicData | None) -> dict[str, object]:
    """What the template of systems with threads is told beside what all are."""
    of_task, whole = thread_of(system), system
    first = [index for index, task in enumerate(of_task) if index == task]
    plan, system = with_threads_only(system, plan), of_threads(system)
    numbers = [i for i, task in enumerate(system.tasks) if task.kind is Kind.THREAD]
    own = replace(plan, releasers=tuple(r for r in plan.releasers if {*r.tasks} <= {*numbers}))
    masks, bits = masks_of(system, own), mask_bits(system, own)
    releasers = tuple(
        _driven(system, number, releaser, masks)
        for number, releaser in enumerate(_releasers(system, plan))
        if {*releaser.tasks} <= {*numbers}
    )
    cooperative = next((r for r in releasers if r.cooperates), None)
    if cooperative is not None:
        periodic = Mode.PERIODIC.value
        with_it = (replace(r, partner=cooperative.index) for r in releasers)
        releasers = tuple(
            one if one.mode == periodic else r for one, r in zip(with_it, releasers, strict=True)
        )
    by_number = {releaser.index: releaser for releaser in releasers}
    by = {
        task: by_number.get(number) for number, r in enumerate(plan.releasers) for task in r.tasks
    }
    level = levels(system)
    every: tuple[_Driven | EmittedReleaser, ...] = releasers
    if basic is not None:
        every += basic.releasers
    handlers = _handlers(system, every)
    return {
        "threads": tuple(
            replace(_task(system, i, level[i], by[i], bits.get(i)), index=first[i]) for i in numbers
        ),
        "task_of_thread": [first[i] for i in numbers],
        "shared": _shared(whole, numbers, first, {i: by[i] for i in numbers}),
        "thread_at": {task: at for at, task in enumerate(numbers)},
        "releasers": releasers,
        "observed": {r.index: r.base if isinstance(r, _Driven) else r.observed for r in every},
        "in_order": sorted(releasers, key=lambda r: r is not cooperative),
        "stores": sorted({r.store for r in releasers}, key=lambda s: s.stem),
        "queues_of_threads": {r.store.stem for r in releasers if r.store.is_queue},
        "slots": SLOTS,
        "masks": masks.masks,
        "threads_by_bit": threads_by_bit(bits),
        "releases_levels": bool(bits) and releases_levels(system),
        "own_levels": not bits and basic is None and own_levels(system),
        "has_tables": any(r.store.stem == "mask_table" for r in releasers),
        "cooperative": cooperative,
        "partners": ", ".join(f"&{r.name}" for r in releasers if r.mode == Mode.PERIODIC.value),
        "timeouts": releasers[-1] if system.timeouts is not None else None,
        "handlers": handlers,
        "headers": _headers(
            system,
            every,
            {f"{r.store.stem}.h" for r in releasers}
            | _queue_headers(basic)
            | ({"stepped_releaser.h"} if any(r.steps for r in releasers) else set())
            | (
                {"single_thread_handler.h"}
                if any(handler.releases_one_thread for handler in handlers)
                else set()
            )
            | ({"one_shot_handler.h"} if any(handler.one_shot for handler in handlers) else set()),
        ),
    }


@dataclass(frozen=True, slots=True)
class _Shared:
    """A thread that several tasks share, as the template sees it."""

    index: int  # of its first task
    at: int  # in the array of threads
    passed: str
    tasks: tuple[tuple[int, str], ...]  # index and name
    body: str  # of its tasks, without their indices
    jobs: str


def _shared(
    system: System, numbers: Sequence[int], first: Sequence[int], by: Mapping[int, _Driven | None]
) -> dict[int, _Shared]:
    """The shared threads of `system` by their first tasks. The rest is of the system of its threads."""
    tasks_of = {tasks[0]: tasks for tasks in shared_threads(system)}
    found = {}
    for at, number in enumerate(numbers):
        index, releaser = first[number], by[number]
        if index not in tasks_of:
            continue
        assert releaser is not None
        clock = releaser.mode == Mode.ONE_SHOT.value and releaser.store.is_queue
        *earlier, last = tasks_of[index]
        body = "hrl_gen_body" if system.releases is None else "limited"
        jobs = [f"HRLI_SHARED_JOB({index}, {n}u, {body}_{task})" for n, task in enumerate(earlier)]
        found[index] = _Shared(
            index=index,
            at=at,
            passed="HRLI_SHARED_BY_CLOCK" if clock else f"HRLI_SHARED_BY_SERVICE({releaser.base})",
            tasks=tuple((task, system.tasks[task].name) for task in tasks_of[index]),
            body=body,
            jobs=" ".join((*jobs, f"HRLI_SHARED_LAST_JOB({body}_{last})")),
        )
    return found


def _headers(
    system: System, releasers: Iterable[_Driven | EmittedReleaser], more: Iterable[str] = ()
) -> list[str]:
    """The headers of the devices in use, and `more`."""
    steps = {"stepped_cell.h" for r in releasers if r.steps and r.is_basic}
    return sorted({f"{r.driver}.h" for r in releasers} | steps | {*more} | _clock_headers(system))


def _queue_headers(basic: BasicData | None) -> set[str]:
    """Those of the delay queues that release basic tasks."""
    return set() if basic is None else {f"{queue}.h" for queue in basic.queues}


def generated_files(
    system: System, plan: Plan, folder: Path, tick: Tick | None = None
) -> Generated:
    """Writes what `generated` makes into `folder`; a file that would not change is left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    made = generated(system, plan, tick)
    for name, text in made.texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return made


def _releasers(system: System, plan: Plan) -> tuple[Releaser, ...]:
    """The plan's, then the one of time-outs, if the system has one."""
    if system.timeouts is None:
        return plan.releasers
    return (*plan.releasers, Releaser(system.timeouts, Mode.ONE_SHOT, TIMEOUT_STORE, (), 0))


def _clock_headers(system: System) -> set[str]:
    """The clock's own driver, where its interrupt is the generated code's to acknowledge."""
    return {f"{driver_of(system.board.clock.device)}.h"} if system.board.clock.handler else set()


def _devices(system: System) -> list[str]:
    """The folders of ports/cell/ that the board's cells and clock are driven by."""
    return sorted({cell.device for cell in system.board.cells} | {system.board.clock.device})


def _driven(system: System, index: int, releaser: Releaser, masks: Masks) -> _Driven:
    cell = system.board.cell(releaser.cell)
    hz = system.board.clock.hz
    by_level = bool(system.basic) and system.board.controller is not None
    shortest = min((int(system.tasks[task].period * hz) for task in releaser.tasks), default=0)
    return _Driven(
        index=index,
        cell=cell,
        driver=driver_of(cell.device),
        level=1 if by_level else None,
        is_clocks=by_level and cell.handler == system.board.clock.handler,
        mode=releaser.mode.value,
        period_text=None if releaser.period is None else duration_text(releaser.period),
        task_count=len(releaser.tasks),
        start=system.board.start_counts,
        first_stamp=system.board.start_counts + releaser.first,
        cell_period=releaser.cell_period or 0,
        divider=releaser.divider,
        steps=steps_of(system, releaser),
        span=1 << (cell.width - 1),
        cooperates=releaser.cooperates,
        partner=None,
        store=store(releaser.store),
        slot_bits=slot_bits(hz, shortest),
        data=static_data(system, releaser, masks),
        from_end=_from_end(system, releaser),
    )


def _from_end(system: System, releaser: Releaser) -> frozenset[int]:
    """The threads of `releaser` that are put into its list from the end, which is nearer."""
    if releaser.mode is not Mode.ONE_SHOT or releaser.store != QUEUES[0]:
        return frozenset()
    of = streams(system, releaser.tasks)
    walks = zip(of, walks_of(of), strict=True)
    return frozenset(task for one, walk in walks if walk.is_from_end for task in one.tasks)


def _handlers(
    system: System, releasers: tuple[_Driven | EmittedReleaser, ...]
) -> tuple[_Handler, ...]:
    clock = system.board.clock
    cooperates = any(isinstance(r, _Driven) and r.cooperates for r in releasers)
    names = dict.fromkeys(r.cell.handler for r in releasers)
    if clock.handler is not None:
        names[clock.handler] = None
    return tuple(
        _Handler(
            name=name,
            releasers=tuple(r for r in releasers if r.cell.handler == name),
            clock=name == clock.handler,
            clock_driver=driver_of(clock.device),
            releases_one_thread=not cooperates
            and _releases_one_thread(system, [r for r in releasers if r.cell.handler == name]),
        )
        for name in names
    )


def _releases_one_thread(system: System, releasers: Sequence[_Driven | EmittedReleaser]) -> bool:
    """Whether these are one periodic releaser of a thread that is due at each interrupt from the first on,
    and the board's port lets handlers end with the switch.
    """
    if not system.board.port.ends_with_switch or len(releasers) != 1:
        return False
    one = releasers[0]
    if not isinstance(one, _Driven) or not isinstance(one.data, Chains) or one.steps:
        return False
    first = one.data.levels[0]
    return one.task_count == one.divider == first.every == first.left == 1


def _task(
    system: System,
    index: int,
    level: int,
    by: _Driven | None,
    bit: MaskBit | None,
) -> _Released:
    task, hz = system.tasks[index], system.board.clock.hz
    period = period_of(system, index)
    hops = (period.whole - 1) // HOP_COUNTS
    if task.work is not None:
        cost = Fraction(task.work) * system.board.work_ns / 10**9
    else:
        cost = task.wcet or Fraction(0)
    entry = "NULL"
    if by is not None and isinstance(by.data, Chains):
        entry = f"&waiting_{by.index}[{by.data.entry[index]}]"
    elif by is not None and index in by.from_end:
        entry = "1u"
    return _Released(
        index=index,
        name=task.name,
        body=task.body,
        work=task.work,
        cost_counts=max(1, int(cost * hz)),
        stack=task.stack,
        level=level,
        bit=None if bit is None else bit.bit,
        alone=bit is not None and bit.level == WORD_OF_LEVELS,
        entry=entry,
        releaser=0 if by is None else by.index,
        first_stamp=system.board.start_counts + count_instant(task.offset, hz),
        counts=period.whole - hops * HOP_COUNTS,
        hops=hops,
        numerator=period.numerator,
        denominator=period.denominator,
        accumulated=period.accumulated,
        queue=task.overrun is Overrun.QUEUE,
    )
