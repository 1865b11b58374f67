# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Generated sources of FreeRTOS's sides: the contexts of their templates, and the texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import jinja2

from horolog.analyse import common_levels
from horolog.emit.baseline import RateGroup, Tick, as_run, notify_tick, rate_groups
from horolog.emit.parts import Part, driver_of, part
from horolog.emit.prescaled_tick import tick_clock_hz, tick_prescaler, timer_hz
from horolog.model import System

__all__ = [
    "baseline_context",
    "baseline_context_for_cores",
    "baseline_texts",
    "baseline_texts_for_cores",
]

_CALL_BYTES = 16  # of a function that calls bodies
# Bytes of a task's stack on a small chip that an interrupt takes beside those of a thread's on ours: handlers
# have one there. By bits of the tick, and where a cell notifies.
_TICK_BYTES = {16: 16, 32: 24}
_NOTIFY_BYTES = 32
_CHIP_CALL_BYTES = 4
_IDLE_STACK = 64  # elements: configMINIMAL_STACK_SIZE


@dataclass(frozen=True, slots=True)
class _Grouped:
    """One FreeRTOS task as the templates see it, with the tasks that it runs."""

    tasks: tuple[int, ...]
    own_stack: str  # in C
    short_name: str
    function: str  # that runs the bodies of its tasks
    made: tuple[Part, ...]  # its stack, and the function, if that runs several bodies
    stack: int  # in elements
    level: int
    period_ticks: int
    offset_ticks: int
    affinity: int = 0  # on several cores: those that it may run on, as bits


@dataclass(frozen=True, slots=True)
class _IdleStacks:
    """Of each core the stack of its idle task."""

    names: tuple[str, ...]
    made: tuple[Part, ...]


def baseline_context(system: System, tick: Tick) -> dict[str, object]:
    """The context of FreeRTOS's sides, beside that of our templates, which some templates share."""
    notify = notify_tick(system)
    return {
        **_rates(system, tick),
        "bodies_tick": tick.hz if system.portable else None,
        "chip": _chip(system, tick, notify),
        "start_ticks": tick.start,
        "baselines": _baselines(system, tick, notify),
        "notify": notify,
    }


def baseline_texts(
    environment: jinja2.Environment, system: System, tick: Tick, context: Mapping[str, Any]
) -> dict[str, str]:
    """The sources of FreeRTOS's sides by file name; `context` holds that of `baseline_context`."""
    baselines = context["baselines"]

    def text(template: str, **more: object) -> str:
        return environment.get_template(template).render(context, **more)

    texts = {}
    if baselines:
        texts["hrl_gen_freertos_config.h"] = text("hrl_gen_freertos_config.h.j2")
    notify = context["notify"]
    for name, by, variant in (
        ("freertos", tick, ""),
        ("freertos_rate_group", tick, ", in rate groups"),
        ("freertos_notify", notify, ", in rate groups that a cell releases"),
    ):
        if name in baselines:
            groups = _apart(system, by) if name == "freertos" else _grouped(system, by)
            texts[f"hrl_gen_{name}.c"] = text(
                "hrl_gen_freertos.c.j2", groups=groups, variant=variant, idle_stacks=None
            )
    if "freertos_notify" in baselines:
        cell = _notifying(system, notify)
        texts["hrl_gen_freertos_notify.h"] = text(
            "hrl_gen_freertos_notify.h.j2", **cell, groups=len(_grouped(system, notify))
        )
    return texts


def baseline_context_for_cores(system: System, tick: Tick) -> dict[str, object]:
    """As baseline_context, of FreeRTOS's sides on several cores."""
    sides = ["freertos", "freertos_rate_group", "freertos_any_core"]
    return {
        **_rates(system, tick),
        "bodies_tick": None,
        "chip": None,
        "start_ticks": tick.start,
        "baselines": [] if tick.hz is None or not system.board.port.has_freertos else sides,
        "notify": None,
    }


def baseline_texts_for_cores(
    environment: jinja2.Environment, system: System, tick: Tick, context: Mapping[str, Any]
) -> dict[str, str]:
    """As baseline_texts, of a system with a core for each task; but one side does without."""
    if not context["baselines"]:
        return {}

    def text(template: str, **more: object) -> str:
        return environment.get_template(template).render(
            {**context, "tasks": range(len(system.tasks))}, **more
        )

    apart = _apart(system, tick)
    own = _idle_stacks(system, own=True)
    texts = {"hrl_gen_freertos_config.h": text("hrl_gen_freertos_config.h.j2")}
    for name, groups, stacks, variant in (
        ("freertos", _on_their_cores(system, apart), own, ", on the cores of the plan"),
        (
            "freertos_rate_group",
            _on_their_cores(system, _grouped_by_core(system, tick)),
            own,
            ", in rate groups on the cores of the plan",
        ),
        ("freertos_any_core", apart, _idle_stacks(system, own=False), ", on any core"),
    ):
        texts[f"hrl_gen_{name}.c"] = text(
            "hrl_gen_freertos.c.j2", groups=groups, variant=variant, idle_stacks=stacks
        )
    return texts


def _on_their_cores(system: System, groups: Sequence[_Grouped]) -> tuple[_Grouped, ...]:
    """`groups` with affinity to the cores of their tasks, and stacks in the memory of a single one."""
    found = []
    for group in groups:
        several = {system.tasks[task].affinity for task in group.tasks}
        if len(several) == 1 and several != {()}:
            bits = sum(1 << core for core in several.pop())
            found.append(replace(group, affinity=bits))
            continue
        core = system.tasks[group.tasks[0]].core or 0
        stack = part("BASELINE_STACK_ON", core, group.own_stack, group.stack)
        found.append(replace(group, made=(stack, *group.made[1:]), affinity=1 << core))
    return tuple(found)


def _grouped_by_core(system: System, tick: Tick) -> tuple[_Grouped, ...]:
    """The rate groups of each core, in ticks of `tick`."""
    run, level = as_run(system, tick), _levels(system)
    found: list[_Grouped] = []
    for group in rate_groups(run, level):
        of_core: dict[int, list[int]] = defaultdict(list)
        for index in group.tasks:
            of_core[system.tasks[index].core or 0].append(index)
        for tasks in of_core.values():
            number = len(found)
            names = f"server_stack_{number}", f"hrl_gen_group_{number}"
            found.append(_one(run, tick, RateGroup(tuple(tasks), group.level), *names))
    return tuple(found)


def _idle_stacks(system: System, *, own: bool) -> _IdleStacks:
    """Those of the idle tasks of all cores, in each core's `own` memory or in what they share."""
    names = tuple(f"idle_stack_{core}" for core in range(system.cores))
    made = (
        part("BASELINE_STACK_ON", core, name, _IDLE_STACK)
        if own
        else part("BASELINE_STACK", name, _IDLE_STACK)
        for core, name in enumerate(names)
    )
    return _IdleStacks(names, tuple(made))


def _baselines(system: System, tick: Tick, notify: Tick) -> list[str]:
    """The targets of cmake/firmware that the generated sources of FreeRTOS's sides are for."""
    if system.board.port.is_process:
        return []
    by_tick = [] if tick.hz is None else ["freertos", "freertos_rate_group"]
    if system.portable:
        by_tick = by_tick[:1]
    return by_tick + ([] if notify.hz is None else ["freertos_notify"])


def _tick_hz(tick: Tick) -> Fraction:
    """Of FreeRTOS's own tick; where a cell notifies none comes, or none for long."""
    return Fraction(1000) if tick.hz is None or tick.cell is not None else tick.hz


def _rates(system: System, tick: Tick) -> dict[str, int]:
    """What the port divides the one by the other: exact for any rate, but for those that round."""
    hz, counts = _tick_hz(tick), tick_clock_hz(system.board)
    rates = {"tick_hz": hz.numerator, "cpu_hz": counts * hz.denominator}
    if system.board.freertos is not None:  # an exact quotient, as the port divides one by the other
        steps = timer_hz(system.board) / hz
        rates = {"tick_hz": int(hz), "cpu_hz": int(hz) * int(steps)}
    elif tick.rounded:
        rates = {"tick_hz": int(hz), "cpu_hz": counts}
    return {**rates, "tick_clock_hz": counts}


@dataclass(frozen=True, slots=True)
class _Chip:
    """What FreeRTOS's side of a small chip has as small as the system lets it."""

    prescaler: int
    select: int  # the value that selects it
    bits: int  # of times, in ticks
    notify_bits: int  # the same, where a cell notifies
    priorities: int


def _chip(system: System, tick: Tick, notify: Tick) -> _Chip | None:
    port = system.board.freertos
    if port is None:
        return None
    # A tick that is off soon is any.
    prescaler = tick_prescaler(system.board, _tick_hz(tick)) or port.prescalers[-1]
    return _Chip(
        prescaler,
        port.prescalers.index(prescaler) + 1,
        _bits(system, tick),
        _bits(system, notify),
        1 + len(set(common_levels(system))),
    )


def _bits(system: System, by: Tick) -> int:
    """Bits that hold every time that tasks wait for; what bodies wait for is not known."""
    if system.portable:
        return 32
    run, hz = as_run(system, by), by.hz or Fraction(1)
    longest = max((max(task.period, task.offset) * hz for task in run.tasks), default=Fraction(0))
    return 16 if longest + by.start < (1 << 16) - 1 else 32


def _levels(system: System) -> Sequence[int]:
    """The priority of each task; on a small chip there are no more of them than tasks need."""
    levels = common_levels(system)
    if system.board.freertos is None:
        return levels
    ranks = sorted(set(levels))
    return tuple(1 + ranks.index(level) for level in levels)


def _apart(system: System, tick: Tick) -> tuple[_Grouped, ...]:
    """Each task of `system` in a FreeRTOS task of its own, in ticks of `tick`."""
    run, level = as_run(system, tick), _levels(system)
    return tuple(
        _one(run, tick, RateGroup((index,), level[index]), f"hrl_gen_stack_{index}", "")
        for index in range(len(system.tasks))
    )


def _grouped(system: System, tick: Tick) -> tuple[_Grouped, ...]:
    """The rate groups of `system` in ticks of `tick`."""
    run = as_run(system, tick)
    return tuple(
        _one(run, tick, group, f"server_stack_{number}", f"hrl_gen_group_{number}")
        for number, group in enumerate(rate_groups(run, _levels(system)))
    )


def _one(run: System, tick: Tick, group: RateGroup, own_stack: str, name: str) -> _Grouped:
    """The FreeRTOS task of `group` in the system as it runs; of several tasks it is the function `name`."""
    assert tick.hz is not None
    tasks = [run.tasks[index] for index in group.tasks]
    several = len(tasks) > 1
    stack = max(task.stack for task in tasks)
    if run.board.freertos is None:
        elements = (stack + (_CALL_BYTES if several else 0)) // 4
    else:
        more = _TICK_BYTES[_bits(run, tick)] if tick.cell is None else _NOTIFY_BYTES
        elements = stack + more + (_CHIP_CALL_BYTES if several else 0)
    made = [part("BASELINE_STACK", own_stack, elements)]
    if several:
        jobs = " ".join(str(part("BASELINE_JOB", task)) for task in group.tasks)
        made.append(part("BASELINE_GROUP", name, jobs))
    return _Grouped(
        tasks=group.tasks,
        own_stack=own_stack,
        short_name=tasks[0].name[:15],
        function=name if several else f"hrl_gen_body_{group.tasks[0]}",
        made=tuple(made),
        stack=elements,
        level=group.level,
        period_ticks=int(tasks[0].period * tick.hz),
        offset_ticks=int(tasks[0].offset * tick.hz),
    )


def _notifying(system: System, tick: Tick) -> dict[str, object]:
    """The context of the cell that notifies, beside that of all templates."""
    system = as_run(system, tick)
    assert tick.cell is not None
    assert tick.hz is not None
    cell = system.board.cell(tick.cell)
    driver, clock = driver_of(cell.device), driver_of(system.board.clock.device)
    return {
        "cell": cell,
        "driver": driver,
        "clock_driver": clock,
        "headers": sorted({driver, clock} if tick.one_shot else {driver}),
        "counts": int(system.board.clock.hz / tick.hz),
        "one_shot": tick.one_shot,
        "start": tick.start,
    }
