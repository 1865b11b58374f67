# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The handlers of cells and of the clock, in systems of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horolog.emit.basic_data import BasicData, EmittedReleaser
from horolog.emit.basic_parts import entry, report_overruns, serve_alone
from horolog.emit.cell_schedules import ScheduleCell
from horolog.emit.deadlines import DeadlineCell
from horolog.emit.parts import Part, driver_of, part, unsigned, word
from horolog.emit.thread_parts import Driven
from horolog.model import Mode, System

__all__ = ["EmittedHandler", "handler_parts", "handlers_of"]


@dataclass(frozen=True, slots=True)
class EmittedHandler:
    """One entry of the vector table, and the cells and the clock that share it."""

    name: str
    releasers: tuple[Driven | EmittedReleaser | DeadlineCell | ScheduleCell, ...]
    clock: tuple[str, str] | None  # the clock's driver and channel, if it shares the handler
    releases_one_thread: bool
    """It releases one thread only, and ends with the switch to it (kernel/thread/single_thread.h)."""

    @property
    def lone_one_shot(self) -> Driven | None:
        """The releaser, if it is one of threads alone, one-shot over a delay queue."""
        one = self.releasers[0] if self.releasers else None
        if self.clock is not None or len(self.releasers) != 1 or not isinstance(one, Driven):
            return None
        return one if one.is_lone_one_shot else None

    @property
    def counted(self) -> EmittedReleaser | None:
        """The releaser of basic tasks, if its handler's entry counts."""
        one = self.releasers[0] if len(self.releasers) == 1 else None
        return one if isinstance(one, EmittedReleaser) and one.counted else None

    @property
    def activates(self) -> str | None:
        """The thread that is all that it activates, by a point of a table (kernel/sync/activation.h)."""
        one = self.releasers[0] if len(self.releasers) == 1 else None
        return one.thread if isinstance(one, ScheduleCell) else None

    @property
    def levels(self) -> tuple[int | None, ...]:
        """Those of what it serves; the clock's is the lowest where levels are the controller's."""
        return tuple(one.level for one in self.releasers)

    @property
    def is_basic(self) -> bool:
        """Whether it is an interrupt at the level of basic tasks."""
        return self.clock is None and all(releaser.is_basic for releaser in self.releasers)


def handlers_of(
    system: System, releasers: Sequence[Driven | EmittedReleaser | DeadlineCell | ScheduleCell]
) -> tuple[EmittedHandler, ...]:
    """Returns the handlers of all cells in use, and of the clock where generated code has it."""
    clock = system.board.clock
    cooperates = any(isinstance(r, Driven) and r.cooperates for r in releasers)
    # One that ends with the switch saves registers later than other cores may take the thread.
    may_switch = system.board.port.ends_with_switch and not cooperates and not system.has_global
    names = dict.fromkeys(r.cell.handler for r in releasers)
    if clock.handler is not None:
        names[clock.handler] = None
    found = []
    for name in names:
        own = tuple(r for r in releasers if r.cell.handler == name)
        alone = len(own) == 1 and isinstance(own[0], Driven) and own[0].releases_one_thread
        channel = (driver_of(clock.device), unsigned(clock.instance))
        its_clock = channel if name == clock.handler else None
        found.append(EmittedHandler(name, own, its_clock, may_switch and alone))
    return tuple(found)


def handler_parts(
    handlers: Iterable[EmittedHandler], basic: BasicData | None, wrapped: str
) -> Iterator[Part]:
    """Yields the macros that define `handlers`; `wrapped` is the kernel's function for the clock's wrap."""
    for handler in handlers:
        if basic is not None and handler.name in basic.reported:
            yield from serve_alone(basic, handler.name, basic.reported[handler.name])
            continue
        counted = handler.counted
        if counted is not None:
            assert basic is not None
            yield _counted(basic, handler.name, counted)
            continue
        pauses = basic is not None and any(basic.pauses(one) for one in handler.levels)
        lone = handler.lone_one_shot
        if lone is not None and not pauses:
            of = (lone.index, lone.store.stem, *lone.channel)
            yield part("HRLI_ONE_SHOT_HANDLER", handler.name, *of)
            continue
        body = tuple(_body(handler, wrapped))
        if pauses:
            body = (part("HRLI_PAUSING", body=body),)
        if handler.releases_one_thread:
            (one,) = handler.releasers
            assert isinstance(one, Driven)
            yield part("HRLI_SINGLE_THREAD_HANDLER", handler.name, one.index, body=body)
        elif handler.activates is not None and not pauses:
            yield part("HRLI_ACTIVATION_HANDLER", handler.name, handler.activates, body=body)
        else:
            yield part("HRLI_HANDLER", handler.name, body=body)
        if basic is not None and handler.is_basic:
            yield from entry(basic, handler.name)
    if basic is not None:
        yield from report_overruns(basic)
        yield from _budget_handlers(basic)


def _counted(basic: BasicData, name: str, one: EmittedReleaser) -> Part:
    """Returns the handler of a periodic cell that counts its interrupts."""
    of = (name, one.index)
    cell = part("HRLI_COUNTED_CELL", *of, *one.channel, unsigned(one.cell_period))
    if one.steps:
        cell = part("HRLI_COUNTED_PARTS_CELL", *of, *one.channel, *one.steps[1:])
    first = unsigned(one.intervals(one.table_first - one.first_stamp))
    line = basic.lines[one.line]
    gaps = {one.gap_of(each) for each in one.rows}
    if len(one.tasks) == len(gaps) == 1 and line.words is None:
        gap = unsigned(gaps.pop())
        return part("HRLI_COUNTED_TASK", *of, first, gap, line.number, line.handler or "", cell)
    return part("HRLI_COUNTED_TABLE", *of, first, word(one.raised_alone), cell)


def _budget_handlers(basic: BasicData) -> Iterator[Part]:
    """Yields the handlers of the cells that count budgets, of which one may monitor deadlines, too."""
    if basic.budgets is None:
        return
    yield from basic.budgets.handlers
    for cell in () if basic.deadlines is None else basic.deadlines.cells:
        if cell.counts_budgets:
            channel = (cell.driver, unsigned(cell.cell.instance))
            yield part("HRLI_SHARED_GUARD_HANDLER", cell.cell.handler, *channel, body=cell.serve)
    for one in basic.budgets.cells:
        if one.task is not None:
            of = (one.cell.handler, basic.numbers[one.task], unsigned(one.level or 0))
            counted = basic.counted.get(one.task)
            if counted is None:
                yield part("HRLI_OWN_BUDGET_HANDLER", *of)
            else:
                yield part("HRLI_ALONE_BUDGET_HANDLER", *of, counted)


def _body(handler: EmittedHandler, wrapped: str) -> Iterator[Part | str]:
    if handler.clock is not None:
        yield part("HRLI_SERVE_CLOCK", *handler.clock, wrapped)
    shared = handler.clock is not None or len(handler.releasers) > 1
    for one in handler.releasers:
        serve = " ".join(map(str, (_acknowledge(one), *one.serve)))
        yield part("HRLI_IF_FIRED", *one.channel, serve) if shared else serve


def _acknowledge(one: Driven | EmittedReleaser | DeadlineCell | ScheduleCell) -> Part:
    """Returns what clears the cause of the interrupt; the cell may go on only when the handler has looked."""
    if isinstance(one, Driven | EmittedReleaser):
        if one.catches_up:
            return part("HRLI_ACKNOWLEDGE_NEXT", *one.channel, unsigned(one.cell_period))
        if one.mode == Mode.ONE_SHOT.value:
            return part("HRLI_ACKNOWLEDGE_ONCE", *one.channel)
    return part("HRLI_ACKNOWLEDGE", *one.channel)
