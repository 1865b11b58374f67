# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Threads and their releasers as lines of generated C."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from horolog.analyse import (
    HOP_COUNTS,
    WHEEL_SLOTS,
    WORD_OF_LEVELS,
    count_instant,
    expiry_level,
    first_expiry,
    levels,
    of_threads,
    own_levels,
    releases_levels,
    shared_threads,
    streams,
    thread_of,
    walks_of,
    wheel_slot_bits,
    with_threads_only,
)
from horolog.emit.basic_parts import prepare_cell
from horolog.emit.parts import Name, Part, Row, Value, driver_of, part, unsigned
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
from horolog.emit.stores import TIMEOUT_STORE, Store, store
from horolog.model import QUEUES, Cell, Kind, Mode, Overrun, Plan, Releaser, System
from horolog.read.units import duration_text

__all__ = ["Driven", "ThreadParts", "thread_parts"]


@dataclass(frozen=True, slots=True)
class Driven:
    """A releaser of threads: its cell, the text of its comment, and the data of its store."""

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
    steps: tuple[str, ...]  # of a stepped cell (kernel/assemble/stepped_cell.h)
    span: int
    cooperates: bool  # a one-shot cell with a store that the periodic cells serve, too
    partner: int | None  # the number of the releaser that cooperates with this periodic one
    partners: tuple[int, ...]  # of one that cooperates: the periodic ones
    store: Store
    slots: int
    slot_bits: int
    data: StaticData | None
    from_end: frozenset[int]  # tasks that are put into a sorted list from its end
    armed: int | None = None  # of that of time-outs: the stamp for which its cell is armed at first

    @property
    def is_basic(self) -> bool:
        """Whether its interrupt is one of basic tasks."""
        return False

    @property
    def channel(self) -> tuple[str, str]:
        """Its cell, as macros take it: the driver and the channel."""
        return self.driver, unsigned(self.cell.instance)

    @property
    def comment(self) -> str:
        """The text of its comment."""
        how = ", cooperative" if self.cooperates else ""
        period = f", every {self.period_text}" if self.period_text else ""
        tasks = f"{self.task_count} task{'' if self.task_count == 1 else 's'}"
        what = tasks if self.task_count else "sleeps and time-outs"
        return f"{self.mode}{how}{period}, on cell {self.cell.name}, {what}"

    @property
    def _macro(self) -> str:
        """The macro of kernel/assemble/cell_releaser.h that defines it, without HRLI_."""
        if not self.task_count:
            return "TIMEOUTS"
        if self.cooperates:
            return "COOPERATIVE"
        if self.mode == Mode.ONE_SHOT.value:
            return "ONE_SHOT"
        return ("STEPPED" if self.steps else "PERIODIC") + "_PARTNER" * (self.partner is not None)

    @property
    def its_cell(self) -> tuple[Part, ...]:
        """The macros that define its cell."""
        if not self.steps:
            return (part("HRLI_CELL", self.index, *self.channel),)
        steps = part("HRLI_CELL_STEPS", self.index, *self.channel, *self.steps)
        return steps, part("HRLI_STEPPED_CELL", self.index)

    @property
    def made(self) -> Part:
        """The macro that defines it, of its cell and its store."""
        kind: tuple[Value, ...] = (self.store.kind,) if self.task_count else ()
        with_it: tuple[Value, ...] = () if self.partner is None else (self.partner,)
        numbers: tuple[int, ...] = (self.first_stamp, self.cell_period, self.divider)
        if self.mode == Mode.ONE_SHOT.value:
            numbers = (self.start, self.span)
            with_it = tuple(f"&hrl_gen_releaser_{number}" for number in self.partners)
            with_it += () if self.armed is None else (unsigned(self.armed),)
        arguments = (*kind, self.store.stem, *map(unsigned, numbers), *with_it)
        armed = "" if self.armed is None else "_ARMED"
        return part(f"HRLI_{self._macro}{armed}", self.index, *arguments)

    @property
    def serve(self) -> tuple[Part | str, ...]:
        """The body of its handler behind the cell's acknowledge."""
        arguments: list[Value] = [self.index]
        if self.task_count and not self.cooperates:
            arguments += [self.store.kind, self.store.stem]
        if self.partner is not None:
            arguments.append(self.partner)
        return part(f"HRLI_SERVE_{self._macro}", *arguments), "HRLI_DISPATCH"

    @property
    def catches_up(self) -> bool:
        """Whether its handler looks for instants that its cell may have missed."""
        return self._macro == "PERIODIC"

    @property
    def observed(self) -> str:
        """Its struct hrli_releaser, in C."""
        return f"hrl_gen_releaser_{self.index}.{'one_shot.' if self.cooperates else ''}base"

    @property
    def releases_one_thread(self) -> bool:
        """Whether it is periodic and releases one thread, at each interrupt from the first on."""
        chains = isinstance(self.data, Chains) and self.data.releases_at_once == 1
        return chains and self.task_count == self.divider == 1 and not self.steps

    @property
    def is_lone_one_shot(self) -> bool:
        """Whether it is one-shot over a delay queue of threads, and no other uses its store."""
        return self._macro == "ONE_SHOT" and self.store.is_queue


@dataclass(frozen=True, slots=True)
class _Thread:
    index: int | str  # of its first task
    stack: int


@dataclass(frozen=True, slots=True)
class _Shared:
    """A thread that several tasks share."""

    index: int  # of its first task
    tasks: tuple[Part, ...]
    made: Part
    ends: tuple[Part, ...]  # of a thread with tasks that end after so many jobs


@dataclass(frozen=True, slots=True)
class ThreadParts:
    """The data of threads that hrl_gen_system.c.j2 prints."""

    releasers: tuple[Driven, ...]
    in_order: tuple[Driven, ...]  # the cooperative one first, which the others name
    partners: tuple[Part, ...]
    stores: tuple[Part, ...]
    no_timeouts: tuple[str, ...]
    mask_parts: tuple[Row, ...]
    masks: tuple[Row, ...]  # of tables
    threads: tuple[_Thread, ...]
    idle_stack: int
    limited: tuple[Part, ...]
    releasing: tuple[Part, ...]  # what releases tasks that several cores may run
    shared: tuple[_Shared, ...]
    thread_rows: tuple[Part, ...]
    bases: tuple[Name, ...]
    by_bit: Mapping[int, tuple[Part | Name, ...]]
    releases_levels: bool
    own_levels: bool  # each thread has one, and waits for nothing but its release
    priorities: (
        int | None
    )  # HRL_PRIORITIES, where it is not the usual one: as few as these levels need

    @property
    def releases_by_mask(self) -> bool:
        """Whether threads have bits in masks."""
        return bool(self.by_bit) or self.releases_levels

    @property
    def queues(self) -> frozenset[str]:
        """The delay queues with calls that threads define."""
        return frozenset(one.store.stem for one in self.releasers if one.store.is_queue)

    def prepare(self) -> Iterator[Part]:
        """Yields the steps before the clock starts."""
        for one in self.releasers:
            if one.store.has_init:
                yield part("HRLI_PREPARE_STORE", one.index)
            if not one.is_clocks:
                yield prepare_cell(one.channel, one.level)
        for level in self.by_bit:
            yield part("HRLI_PREPARE_BY_BIT", level)

    def system(self, enrolment: str) -> Part:
        """Returns the macro that defines hrl_gen_system."""
        timeouts = "hrli_no_timeouts" if self.no_timeouts else "timeouts"
        return part(
            "HRLI_SYSTEM",
            "hrl_gen_threads" if self.threads else "NULL",
            unsigned(len(self.threads)),
            "releasers" if self.releasers else "NULL",
            unsigned(len(self.releasers)),
            timeouts,
            enrolment,
        )


def thread_parts(
    whole: System, plan: Plan, tasks: Sequence[int] | None = None, before: int = 0
) -> ThreadParts:
    """Builds the threads of `whole`. HorologError if the kernel cannot represent a period.

    Of one core of several: the numbers of its `tasks` in names, and how many releasers have numbers before
    its own.
    """
    named = range(len(whole.tasks)) if tasks is None else tasks
    of_task = thread_of(whole)
    first = [index for index, task in enumerate(of_task) if index == task]
    plan, system = with_threads_only(whole, plan), of_threads(whole)
    numbers = [i for i, task in enumerate(system.tasks) if task.kind is Kind.THREAD]
    own = replace(plan, releasers=tuple(r for r in plan.releasers if {*r.tasks} <= {*numbers}))
    masks, bits = masks_of(system, own), mask_bits(system, own)
    releasers = _with_partners(
        [
            _driven(system, number, releaser, masks)
            for number, releaser in enumerate(_releasers(system, plan), before)
            if {*releaser.tasks} <= {*numbers}
        ]
    )
    by_number = {releaser.index: releaser for releaser in releasers}
    by = {
        task: by_number.get(number)
        for number, r in enumerate(plan.releasers, before)
        for task in r.tasks
    }
    level, at = levels(system), {task: at for at, task in enumerate(numbers)}
    has_own = not bits and not whole.basic and own_levels(system)
    shared = tuple(_shared(whole, numbers, first, by, named))
    shares = {one.index for one in shared}
    stores = sorted({r.store for r in releasers}, key=lambda s: s.stem)
    return ThreadParts(
        releasers=releasers,
        in_order=tuple(sorted(releasers, key=lambda r: not r.cooperates)),
        partners=tuple(part("HRLI_PARTNER", one) for r in releasers for one in r.partners),
        stores=tuple(part(f"HRLI_{one.kind}_STORE", one.stem) for one in stores),
        no_timeouts=("HRLI_NO_TIMEOUTS",) if system.timeouts is None else (),
        mask_parts=tuple(row for mask in masks.masks for row in mask.part_rows),
        masks=tuple(mask.row for mask in masks.masks)
        if any(r.store.has_masks for r in releasers)
        else (),
        threads=tuple(
            _Thread(_named(system, i, named[first[i]]), system.tasks[i].stack) for i in numbers
        ),
        idle_stack=system.board.port.stacks.idle,
        limited=tuple(_limited(whole, (first[i] for i in numbers), named)),
        releasing=tuple(
            part("HRLI_RELEASES_GLOBAL", named[first[i]])
            for i in numbers
            if system.tasks[i].affinity
        ),
        shared=shared,
        thread_rows=tuple(
            _thread(
                system, i, named[first[i]], level[i], by[i], bits.get(i), named[first[i]] in shares
            )
            for i in numbers
        ),
        bases=tuple(Name(f"&{r.observed}") for r in releasers),
        by_bit={
            of: tuple(
                Name("NULL") if one is None else part("HRLI_THREAD_NODE", at[one]) for one in tasks
            )
            for of, tasks in threads_by_bit(bits).items()
        },
        releases_levels=bool(bits) and releases_levels(system),
        own_levels=has_own,
        priorities=_priorities(system, [level[i] for i in numbers]) if has_own else None,
    )


_FEW_PRIORITIES = (4, 8, 16)
"""The numbers of priorities that a kernel can have below the usual one (hrl/types.h)."""


def _priorities(system: System, of_threads: Sequence[int]) -> int | None:
    """Returns the least number of priorities for threads of these levels; None: the usual one."""
    if not system.board.port.few_priorities:
        return None
    return next((number for number in _FEW_PRIORITIES if max(of_threads) < number), None)


def _named(system: System, number: int, index: int) -> int | str:
    """Returns what the stack of a thread is named by: its first task's number, if it runs the jobs."""
    return f"releasing_{index}" if system.tasks[number].affinity else index


def _releasers(system: System, plan: Plan) -> tuple[Releaser, ...]:
    """Returns the plan's releasers, then that of time-outs, if the system has one."""
    if system.timeouts is None:
        return plan.releasers
    return (*plan.releasers, Releaser(system.timeouts, Mode.ONE_SHOT, TIMEOUT_STORE, (), 0))


def _with_partners(releasers: Sequence[Driven]) -> tuple[Driven, ...]:
    """Returns `releasers` with their partners: the cooperative one for the periodic ones, and reversely."""
    cooperative = next((r.index for r in releasers if r.cooperates), None)
    periodic = tuple(r.index for r in releasers if r.mode == Mode.PERIODIC.value)
    return tuple(
        replace(r, partner=cooperative)
        if r.index in periodic
        else replace(r, partners=periodic if r.cooperates else ())
        for r in releasers
    )


def _driven(system: System, index: int, releaser: Releaser, masks: Masks) -> Driven:
    cell = system.board.cell(releaser.cell)
    hz = system.board.clock.hz
    by_level = system.has_basic and system.board.controller is not None
    shortest = min((int(system.tasks[task].period * hz) for task in releaser.tasks), default=0)
    return Driven(
        index=index,
        cell=cell,
        driver=driver_of(cell.device),
        level=(1 if releaser.tasks else expiry_level(system) or 1) if by_level else None,
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
        partners=(),
        store=store(releaser.store),
        slots=WHEEL_SLOTS,
        slot_bits=wheel_slot_bits(hz, shortest),
        data=static_data(system, index, releaser, masks),
        from_end=_from_end(system, releaser),
        armed=None if releaser.tasks else first_expiry(system),
    )


def _from_end(system: System, releaser: Releaser) -> frozenset[int]:
    """Returns the threads of `releaser` that enter its list from the end, because that is nearer."""
    if releaser.mode is not Mode.ONE_SHOT or releaser.store != QUEUES[0]:
        return frozenset()
    of = streams(system, releaser.tasks)
    walks = zip(of, walks_of(of), strict=True)
    return frozenset(task for one, walk in walks if walk.is_from_end for task in one.tasks)


def _limited(system: System, threads: Iterable[int], named: Sequence[int]) -> Iterator[Part]:
    """Yields the bodies of tasks that end after their last job; `threads` are known by their first tasks."""
    if system.releases is None:
        return
    tasks_of = {tasks[0]: tasks for tasks in shared_threads(system)}
    for index in threads:
        shares = tasks_of.get(index, ())
        for task in shares:
            yield part("HRLI_LIMITED_SHARED_JOB", named[task], unsigned(system.releases))
        if not shares:
            yield part("HRLI_LIMITED_THREAD", named[index], unsigned(system.releases))


def _shared(
    system: System,
    numbers: Sequence[int],
    first: Sequence[int],
    by: Mapping[int, Driven | None],
    named: Sequence[int],
) -> Iterable[_Shared]:
    """Yields the shared threads of `system`. `numbers`, `first` and `by` say which threads there are."""
    tasks_of = {tasks[0]: tasks for tasks in shared_threads(system)}
    for at, number in enumerate(numbers):
        index, releaser = first[number], by[number]
        if index not in tasks_of:
            continue
        assert releaser is not None
        clock = releaser.mode == Mode.ONE_SHOT.value and releaser.store.is_queue
        passed = part("HRLI_SHARED_BY_SERVICE", releaser.observed)
        names = [named[task] for task in tasks_of[index]]
        *earlier, last = names
        body = "hrl_gen_body" if system.releases is None else "limited"
        jobs = [
            *(
                part("HRLI_SHARED_JOB", names[0], unsigned(n), f"{body}_{i}")
                for n, i in enumerate(earlier)
            ),
            part("HRLI_SHARED_LAST_JOB", f"{body}_{last}"),
        ]
        of = (names[0], unsigned(at), "HRLI_SHARED_BY_CLOCK" if clock else passed)
        yield _Shared(
            index=names[0],
            tasks=tuple(
                part("HRLI_SHARED_TASK", f"{body}_{named[task]}", f'"{system.tasks[task].name}"')
                for task in tasks_of[index]
            ),
            made=part("HRLI_SHARED_THREAD", *of, " ".join(map(str, jobs))),
            ends=() if system.releases is None else (_limited_shared(names[0], names),),
        )


def _limited_shared(index: int, tasks: Iterable[int]) -> Part:
    """Returns the body of a shared thread that ends with its last task."""
    over = " && ".join(str(part("HRLI_LIMITED_IS_OVER", task)) for task in tasks)
    return part("HRLI_LIMITED_SHARED_THREAD", index, over)


def _thread(
    system: System,
    number: int,
    index: int,
    level: int,
    by: Driven | None,
    bit: MaskBit | None,
    is_shared: bool,
) -> Part:
    """Returns the thread's element in the array of threads. `index`: of its first task, among all."""
    task, period = system.tasks[number], period_of(system, number)
    hops = (period.whole - 1) // HOP_COUNTS
    alone = bit is not None and bit.level == WORD_OF_LEVELS
    entry = "NULL"
    if by is not None and isinstance(by.data, Chains):
        entry = f"&waiting_{by.index}[{by.data.entry[number]}]"
    elif by is not None and number in by.from_end:
        entry = "1u"
    bits: tuple[str, ...] = ("0u" if bit is None else f"0x{1 << bit.bit:x}u",)
    if task.affinity:
        body = "hrl_gen_release"
    elif system.releases is None:
        body = "run_shared" if is_shared else "hrl_gen_body"
    else:
        body = "limited_shared" if is_shared else "limited"
    return part(
        "HRLI_PERIODIC_ALONE" if alone else "HRLI_PERIODIC_THREAD",
        _named(system, number, index),
        f'"{task.name}"',
        unsigned(level),
        *(() if alone else bits),
        entry,
        0 if by is None else by.index,
        unsigned(system.board.start_counts + count_instant(task.offset, system.board.clock.hz)),
        unsigned(period.whole - hops * HOP_COUNTS),
        unsigned(hops),
        *period.fraction,
        f"{body}_{index}",
        "shared" if is_shared else task.overrun is Overrun.QUEUE,
    )
