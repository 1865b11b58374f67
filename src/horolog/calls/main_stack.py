# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The main stack of a firmware: the bytes that start-up, handlers and basic tasks need, and its size."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from horolog.analyse import Dispatcher, doorbell, numbered
from horolog.calls.frames import body_root
from horolog.calls.graph import Body, analyse_calls
from horolog.image import Image, occupied, read_image
from horolog.model import Exit, HorologError, Place, Plan, System
from horolog.model import Part as CorePart

__all__ = ["MainStack", "Part", "check_main_stack", "main_stack"]

_STARTS = ("Reset_Handler", "main")
_BY_POINTER = re.compile(r"(?:enrol|start)_\d+(?:\.\w+)*")
"""What start-up calls of each releaser, through a table of functions."""
_SWITCHES = ("hrli_cpu_switch", "hrli_cpu_yield")
_KERNEL = "the kernel's interrupts"
_SWITCH = "the switch of threads"
_LEVEL = "basic tasks of level "


@dataclass(frozen=True, slots=True)
class Part:
    """Code that runs one at a time: the most that any of it needs, with the frame of the interrupt."""

    name: str
    bytes: int

    def __str__(self) -> str:
        return f"{self.name} {self.bytes:,}"


@dataclass(frozen=True, slots=True)
class MainStack:
    """The main stack's parts. All may lie on it at once, as each interrupts the one before it, or one."""

    given: int  # bytes, without the guard
    parts: tuple[Part, ...]
    unknown: tuple[str, ...]  # code that needs stack beyond `parts` and cannot be followed
    from_top: bool = False  # one at a time: each begins at the top

    @property
    def most(self) -> int:
        """The sum, or the largest part: a bound, if nothing is unknown."""
        sizes = [part.bytes for part in self.parts]
        return max(sizes) if self.from_top else sum(sizes)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A handler, and the basic tasks that it runs; entries of one `group` have the same priority."""

    group: str
    handler: str
    tasks: tuple[int, ...] = ()


def check_main_stack(system: System, plan: Plan, elf: Path, core: CorePart | None = None) -> None:
    """HorologError (1) if the known parts of the main stack are larger than what the linker left for it."""
    found = main_stack(system, plan, elf, core)
    if found.most <= found.given:
        return
    raise HorologError(
        f"the main stack overflows: it needs {found.most:,} bytes at worst, and has {found.given:,}",
        place=Place(str(system.path)),
        found=", ".join(str(part) for part in found.parts)
        + (": the largest counts" if found.from_top else ""),
        expected="smaller stacks of these, basic tasks of fewer levels (one of each level is counted), or "
        "more room for the main stack (smaller stacks of threads in the same memory, "
        f"{system.board.directory / 'link.ld'}, and [[memory]] beside it)",
        exit=Exit.DOES_NOT_HOLD,
    )


def main_stack(system: System, plan: Plan, elf: Path, core: CorePart | None = None) -> MainStack:
    """The main stack of `elf`, built of `system` by `plan`; that of a `core`, if `system` is its part.

    Of each priority only the handler that needs most counts, as handlers of one priority do not
    interrupt each other; start-up counts too, as the first interrupt comes on top of its stack. A basic
    task with code that cannot be followed counts with the `stack` of its description.
    """
    image = read_image(elf)
    end = "" if core is None else f"_on_{core.core}"
    entries = list(_entries(system, plan, image, end))
    root_of = {index: _root(system, index, core) for one in entries for index in one.tasks}
    tasks = sorted({task for entry in entries for task in entry.tasks})
    start = _STARTS[0] if _STARTS[0] in image.symbols else _STARTS[1]
    handlers = sorted({one.handler for one in entries if one.handler in image.symbols})
    by_pointer = [one.name for one in image.functions if _BY_POINTER.fullmatch(one.name)]
    roots = [start, *handlers, *by_pointer, *(root_of[task] for task in tasks)]
    switches = system.board.port.switch_calls
    bodies = dict(zip(roots, analyse_calls(elf, roots, switches).bodies, strict=True))
    needs: dict[str, int] = {}
    unknown = dict.fromkeys(_gaps("start-up", bodies[start]))
    for entry in entries:
        handler = bodies.get(entry.handler)
        run = max(
            (_of_task(system, index, bodies[root_of[index]]) for index in entry.tasks), default=0
        )
        own = 0 if handler is None else handler.followed_bytes
        if handler is not None and not entry.tasks:
            unknown |= dict.fromkeys(_gaps(entry.handler, handler))
        roots_of = {root_of[index] for index in entry.tasks}
        # Else it calls them through a table.
        calls = handler is not None and roots_of <= set(handler.functions)
        need = max(own, run) if calls else own + run
        needs[entry.group] = max(needs.get(entry.group, 0), need)
    if "hrl_interrupt_attach" in image.symbols:
        unknown["functions that are attached to interrupts"] = None
    called = max((bodies[name].followed_bytes for name in by_pointer), default=0)
    first = Part("start-up", bodies[start].followed_bytes + called)
    from_top = system.board.port.main_stack_from_top
    frame = _frame(system)
    if from_top and any(entry.tasks for entry in entries):
        frame = system.board.port.line_frame_bytes
    parts = [Part(name, need + frame) for name, need in needs.items()]
    if from_top and any(entry.tasks for entry in entries):
        parts, from_top = _in_software(parts)
    return MainStack(_given(system, elf, image), (first, *parts), tuple(unknown), from_top)


def _in_software(parts: Sequence[Part]) -> tuple[list[Part], bool]:
    """The parts where software dispatches basic tasks, and whether each begins at the top.

    Tasks of a level come on top of those of the level below; handlers do not interrupt each other. If
    there are threads, all this begins at the top.
    """
    levels = [part for part in parts if part.name.startswith(_LEVEL)]
    switch = [part for part in parts if part.name == _SWITCH]
    others = [part for part in parts if part not in (*levels, *switch)]
    last = Part("an interrupt", max((part.bytes for part in others), default=0))
    if not switch:
        return [*levels, last], False
    nested = sum(part.bytes for part in (*levels, last))
    return [Part("basic tasks, one of each level, and an interrupt", nested), *switch], True


def _root(system: System, task: int, core: CorePart | None) -> str:
    number = system.job(task)
    return body_root(number if core is None else core.jobs[number])


def _of_task(system: System, index: int, body: Body) -> int:
    return system.task(index).stack if body.stack_bytes is None else body.stack_bytes


def _gaps(name: str, body: Body) -> Iterator[str]:
    """The first gap of `body`; a weak function without a definition, at 0, is no gap: it is never called."""
    gaps = [gap for gap in body.unbounded if gap.spot.address != 0]
    if gaps:
        yield f"what {name} reaches beyond what can be followed: {gaps[0]}"


def _entries(system: System, plan: Plan, image: Image, end: str) -> Iterator[_Entry]:
    """All handlers of the firmware, the most urgent basic tasks first; a core's own end with `end`."""
    defaults = {
        image.symbols[name] for name in system.board.port.fault_handlers if name in image.symbols
    }
    code = {function.low for function in image.functions} - defaults
    own = {name for name, address in image.symbols.items() if address in code}
    known = list(_generated(system, plan, end))
    # Of basic tasks without a handler in C an entry in assembly is the handler.
    yield from (entry for entry in known if entry.tasks or entry.handler in own)
    taken = {entry.handler for entry in known} | set(_STARTS)
    for name in sorted(own - taken):
        if name.endswith(("_Handler", f"_Handler{end}")):
            yield _Entry(name, name)


def _generated(system: System, plan: Plan, end: str) -> Iterable[_Entry]:
    for line, own in numbered(system, plan):
        if line.by is Dispatcher.CONTROLLER:
            handler = own.handler + end if own is not None else _cell_handler(system, line.cell)
            yield _Entry(_level(line.level), handler, line.tasks)
    for releaser in plan.releasers:
        if not releaser.direct:
            at_level = releaser.level is not None and system.board.port.cells_at_levels
            group = _level(releaser.level or 0) if at_level else _KERNEL
            yield _Entry(group, _cell_handler(system, releaser.cell))
    others = [system.board.clock.handler]
    others += [] if system.timeouts is None else [_cell_handler(system, system.timeouts)]
    woken_by = doorbell(system, plan)
    others += [] if woken_by is None else [woken_by.handler + end]
    yield from (_Entry(_KERNEL, name) for name in others if name is not None)
    switches = (*system.board.port.switch_handlers, *_SWITCHES)
    yield from (_Entry(_SWITCH, name) for name in switches)


def _level(level: int) -> str:
    return f"{_LEVEL}{level}"


def _cell_handler(system: System, cell: str | None) -> str:
    assert cell is not None
    return system.board.cell(cell).handler


def _frame(system: System) -> int:
    port = system.board.port
    return port.fpu_frame_bytes if system.board.fpu else port.frame_bytes


def _given(system: System, elf: Path, image: Image) -> int:
    """Returns the bytes between the main stack's low end, or its guard, and its top."""
    top = image.address("hrl_link_main_stack_top")
    low = image.symbols.get("hrl_link_main_stack_low")
    if low is None:  # a linker script of the user's that does not say it: then there is no guard
        return top - _end_below(system, elf, top)
    guard = system.stack_guard
    if guard is not None and guard.main_stack_bytes > 0:
        low = -(-low // guard.main_stack_bytes) * guard.main_stack_bytes + guard.main_stack_bytes
    return max(0, top - low)


def _end_below(system: System, elf: Path, top: int) -> int:
    """Returns the end of the last section below `top` in its memory; or the start of one at `top`."""
    found = next((one.origin for one in system.board.memory if one.origin < top <= one.end), 0)
    for _, low, size in occupied(elf):
        if found <= low < top:
            found = low if low + size >= top else low + size
    return found
