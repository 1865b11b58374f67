# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Generated sources: pure text from a system and its plan, then files in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import Path

import jinja2

from horolog import __version__
from horolog.analyse import HOP_COUNTS, count_instant, levels
from horolog.emit.baseline import baseline_tick
from horolog.emit.stores import Store, store
from horolog.model import Cell, HorologError, Mode, Overrun, Plan, Releaser, System, Task

__all__ = ["generate", "generated_files"]

_IDLE_STACK_BYTES = 256
_HOST_STACK_BYTES = 64 * 1024  # sanitizers and the C library need more than a board's code does
_TIMEOUT_STORE = "calendar"  # how many will wait is not known; its cost does not depend on it
_LARGEST_DENOMINATOR = 1 << 31


@dataclass(frozen=True, slots=True)
class _Released:
    """A task as the templates see it: all numbers as the kernel keeps them."""

    index: int
    name: str
    short_name: str
    body: str | None
    work: int | None
    cost_counts: int
    stack: int
    level: int
    releaser: int
    first_stamp: int
    counts: int
    hops: int
    numerator: int
    denominator: int
    accumulated: int
    queue: bool
    period_ticks: int
    offset_ticks: int


@dataclass(frozen=True, slots=True)
class _Driven:
    """A releaser as the templates see it."""

    index: int
    cell: Cell
    driver: str
    mode: str
    prefix: str
    period_text: str | None
    task_count: int
    first_stamp: int
    cell_period: int
    divider: int
    span: int
    store: Store
    store_name: str  # its struct hrli_store: the queue's calls, and what is done with who is due

    @property
    def storage(self) -> tuple[str, ...]:
        """Declarations of what the queue needs beside its struct."""
        return tuple(line.format(i=self.index, n=self.task_count) for line in self.store.storage)

    @property
    def init_arguments(self) -> str:
        """What the queue's init takes behind the queue."""
        return self.store.arguments.format(i=self.index, n=self.task_count)


@dataclass(frozen=True, slots=True)
class _Handler:
    """One entry of the vector table and who shares it."""

    name: str
    releasers: tuple[_Driven, ...]
    clock: bool
    clock_driver: str

    @property
    def shared(self) -> bool:
        return self.clock or len(self.releasers) > 1


def generate(system: System, plan: Plan) -> dict[str, str]:
    """The generated sources by file name. HorologError if the kernel cannot represent a period."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("horolog.emit"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    tick = baseline_tick(system)
    host = system.board.arch == "host"
    tasks = _tasks(system, plan, tick.hz or 0)
    releasers = tuple(_driven(system, i, r) for i, r in enumerate(_releasers(system, plan)))
    context = {
        "version": __version__,
        "system": system,
        "plan": plan,
        "host": host,
        "start": system.board.start_counts,
        "tasks": tasks,
        "functions": sorted({task.body for task in tasks if task.body}),
        "releasers": releasers,
        "stores": sorted({r.store for r in releasers}, key=lambda s: s.stem),
        "task_stores": {r.store for r in releasers if r.task_count},
        "timeouts": releasers[-1] if system.timeouts is not None else None,
        "handlers": _handlers(system, releasers),
        "headers": sorted(
            {f"{r.driver}.h" for r in releasers}
            | {f"{r.store.stem}.h" for r in releasers}
            | _clock_headers(system)
        ),
        "devices": _devices(system),
        "include_folders": sorted({str(source.parent) for source in system.sources}),
        "idle_stack": _IDLE_STACK_BYTES,
        "host_stack": _HOST_STACK_BYTES,
        "tick_hz": tick.hz,
        "start_ticks": tick.start,
    }
    names = ["hrl_gen_bodies.c", "hrl_gen_system.c", "system.cmake"]
    if tick.hz is not None and not host:
        names += ["hrl_gen_freertos.c", "hrl_gen_freertos_config.h"]
    return {name: environment.get_template(f"{name}.j2").render(context) for name in names}


def generated_files(system: System, plan: Plan, folder: Path) -> tuple[Path, ...]:
    """Writes the generated sources into `folder`; a file that would not change is left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in generate(system, plan).items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        written.append(path)
    return tuple(written)


def _releasers(system: System, plan: Plan) -> tuple[Releaser, ...]:
    """The plan's, then the one of time-outs, if the system has one."""
    if system.timeouts is None:
        return plan.releasers
    return (*plan.releasers, Releaser(system.timeouts, Mode.ONE_SHOT, _TIMEOUT_STORE, (), 0))


def _driver(device: str) -> str:
    return "hrlp_" + device.replace("-", "_")


def _clock_headers(system: System) -> set[str]:
    """The clock's own driver, where its interrupt is the generated code's to acknowledge."""
    return {f"{_driver(system.board.clock.device)}.h"} if system.board.clock.handler else set()


def _devices(system: System) -> list[str]:
    """The folders of ports/cell/ that the board's cells and clock are driven by."""
    return sorted({cell.device for cell in system.board.cells} | {system.board.clock.device})


def _driven(system: System, index: int, releaser: Releaser) -> _Driven:
    cell = system.board.cell(releaser.cell)
    periodic = releaser.mode is Mode.PERIODIC
    kept = store(releaser.store, system.board.clock.hz)
    return _Driven(
        index=index,
        cell=cell,
        driver=_driver(cell.device),
        mode=releaser.mode.value,
        prefix="periodic" if periodic else "one_shot",
        period_text=None if releaser.period is None else f"{float(releaser.period * 1000):g} ms",
        task_count=len(releaser.tasks),
        first_stamp=system.board.start_counts + releaser.first,
        cell_period=releaser.cell_period or 0,
        divider=releaser.divider,
        span=1 << (cell.width - 1),
        store=kept,
        store_name=kept.stem if releaser.tasks else "timeout_store",
    )


def _handlers(system: System, releasers: tuple[_Driven, ...]) -> tuple[_Handler, ...]:
    clock = system.board.clock
    names = dict.fromkeys(r.cell.handler for r in releasers)
    if clock.handler is not None:
        names[clock.handler] = None
    return tuple(
        _Handler(
            name=name,
            releasers=tuple(r for r in releasers if r.cell.handler == name),
            clock=name == clock.handler,
            clock_driver=_driver(clock.device),
        )
        for name in names
    )


def _tasks(system: System, plan: Plan, tick_hz: int) -> tuple[_Released, ...]:
    level = levels(system)
    releaser_of = {task: index for index, r in enumerate(plan.releasers) for task in r.tasks}
    return tuple(
        _task(system, index, task, level[index], releaser_of[index], tick_hz)
        for index, task in enumerate(system.tasks)
    )


def _task(
    system: System, index: int, task: Task, level: int, releaser: int, tick_hz: int
) -> _Released:
    hz = system.board.clock.hz
    period, offset = task.period * hz, task.offset * hz
    whole = int(period)
    hops = (whole - 1) // HOP_COUNTS
    denominator = lcm(period.denominator, offset.denominator)
    if denominator >= _LARGEST_DENOMINATOR:
        raise HorologError(
            f'the period of task "{task.name}" is too fine a fraction of a clock count',
            place=task.place,
            found=f"{period} counts, offset {offset} counts",
            expected=f"a common denominator below 2^31, here {denominator}",
        )
    if task.work is not None:
        cost = Fraction(task.work) * system.board.work_ns / 10**9
    else:
        cost = task.wcet or Fraction(0)
    return _Released(
        index=index,
        name=task.name,
        short_name=task.name[:15],
        body=task.body,
        work=task.work,
        cost_counts=max(1, int(cost * hz)),
        stack=task.stack,
        level=level,
        releaser=releaser,
        first_stamp=system.board.start_counts + count_instant(task.offset, hz),
        counts=whole - hops * HOP_COUNTS,
        hops=hops,
        numerator=int((period - whole) * denominator),
        denominator=denominator,
        accumulated=int((offset - int(offset)) * denominator),
        queue=task.overrun is Overrun.QUEUE,
        period_ticks=int(task.period * tick_hz),
        offset_ticks=int(task.offset * tick_hz),
    )
