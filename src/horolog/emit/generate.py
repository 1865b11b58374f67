# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Generated sources: pure text from a system and its plan, then files in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from horolog import __version__
from horolog.emit.baseline import Tick, nearest_tick, tick_on_cores
from horolog.emit.baseline_sources import (
    baseline_context,
    baseline_context_for_cores,
    baseline_texts,
    baseline_texts_for_cores,
)
from horolog.emit.basic_data import BasicData, basic_data, with_threads
from horolog.emit.basic_parts import (
    basic_parts,
)
from horolog.emit.cell_schedules import (
    schedule_cells,
    schedule_headers,
)
from horolog.emit.frames import framed_functions
from horolog.emit.handlers import EmittedHandler, handler_parts, handlers_of
from horolog.emit.parts import Part, driver_of, part, unsigned
from horolog.emit.schedule_tables import schedules_of
from horolog.emit.start_up import (
    before_cores,
    releasers_of,
    schedules_in_cells,
    spinlocks,
    start_up,
)
from horolog.emit.thread_parts import ThreadParts, thread_parts
from horolog.emit.timer_definitions import timer_definitions
from horolog.model import (
    CXX_SUFFIXES,
    CorePlan,
    Plan,
    Prediction,
    System,
    Task,
    first_releasers,
)
from horolog.model import Part as CorePart
from horolog.templates import environment

__all__ = [
    "Generated",
    "generate",
    "generated",
    "generated_files",
    "generated_files_for_cores",
    "generated_for_cores",
    "with_threads",
]


@dataclass(frozen=True, slots=True)
class _Bodies:
    """The data that hrl_gen_bodies.c.j2 prints."""

    functions: tuple[str, ...]
    activated: tuple[str, ...]  # sporadic threads, by the ends of jobs
    activated_basic: tuple[str, ...]  # sporadic basic tasks, likewise
    made: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Generated:
    """The sources of a system, and the data about them that later stages need."""

    texts: Mapping[str, str]  # by file name
    framed: Mapping[str, str]  # the function behind each macro of hrl_gen_frames.h


def generate(system: System, plan: Plan, tick: Tick | None = None) -> dict[str, str]:
    """Returns the generated sources by file name: the texts of `generated`."""
    return dict(generated(system, plan, tick).texts)


def generated(system: System, plan: Plan, tick: Tick | None = None) -> Generated:
    """Generates the sources; FreeRTOS's for `tick`, by default the usual one or the nearest.

    HorologError if the kernel cannot represent a period.
    """
    environment = _environment()
    tick = nearest_tick(system) if tick is None else tick
    described = _described(system, plan)
    context: dict[str, Any] = {
        "bodies": _bodies(system),
        "devices": _devices(system),
        "definitions": timer_definitions(system, plan),
        **_build_context(system),
        "settings": described.settings,
        **described.context,
        **baseline_context(system, tick),
    }
    main = "hrl_gen_system.c.j2" if described.has_threads else "hrl_gen_basic_system.c.j2"
    names = {"hrl_gen_bodies.c": "hrl_gen_bodies.c.j2", "hrl_gen_system.c": main}
    names["system.cmake"] = "system.cmake.j2"
    if context["schedule_tables"] is not None:
        names["hrl_gen_tables.h"] = "hrl_gen_tables.h.j2"
    texts = {
        name: _without_gaps(environment.get_template(template).render(context))
        for name, template in names.items()
    }
    texts |= baseline_texts(environment, system, tick, context)
    return Generated(texts, described.framed)


@dataclass(frozen=True, slots=True)
class _Described:
    """What the templates of a system, or of one core's part, print; and what the build has to know of it."""

    context: Mapping[str, Any]
    framed: Mapping[str, str]  # as Generated has it
    settings: list[str]
    has_threads: bool
    budgeted: list[str]  # the addresses of the tasks with budgets, of one of several cores


def _described(
    system: System, plan: Plan, core: CorePart | None = None, before: int = 0, budgets: int = 0
) -> _Described:
    """Describes what `plan` makes of `system`; as the part of a `core`, its tasks have other numbers.

    And its releasers: so many have those `before`; and so many `budgets` are other cores'.
    """
    basic = basic_data(system, plan, core, before, budgets) if system.has_basic else None
    jobs = core.jobs if core is not None else range(len(system.all_tasks) + len(system.interrupts))
    numbers = jobs[: len(system.tasks)]
    has_threads = with_threads(system) or core is not None  # a core without tasks idles in one
    threads = thread_parts(system, plan, numbers, before) if has_threads else None
    monitoring = () if basic is None or basic.deadlines is None else basic.deadlines.cells
    guards = tuple(cell for cell in monitoring if not cell.counts_budgets)
    scheduled = schedule_cells(system)
    handlers = handlers_of(system, (*releasers_of(basic, threads), *guards, *scheduled))
    tables = schedules_of(system)
    context = {
        "version": __version__,
        "system": system,
        "plan": plan,
        "core": None if core is None else core.core,
        "start": system.board.start_counts,
        "tasks": numbers,
        "headers": _headers(system, basic, threads, handlers, with_main=core is None),
        "basic": basic_parts(basic, system.releases, threads.queues if threads else ())
        if basic
        else None,
        "threads": threads,
        "priorities": None if threads is None or basic is not None else threads.priorities,
        "handlers": handler_parts(
            handlers, basic, "hrli_clock_wrapped" if threads else "hrli_basic_clock_wrapped"
        ),
        "schedules": tuple(schedules_in_cells(system, scheduled)),
        "schedule_tables": tables,
        "start_up": start_up(
            system, plan, basic, threads, scheduled, tables, jobs, with_main=core is None
        ),
    }
    settings, framed = _settings(system, basic, threads), framed_functions(basic, handlers)
    counted = () if core is None or basic is None or basic.budgets is None else basic.budgets.tasks
    budgeted = [basic.addresses[task] for task in counted] if basic is not None else []
    return _Described(context, framed, settings, threads is not None, budgeted)


def generated_for_cores(system: System, plans: Sequence[CorePlan]) -> Generated:
    """Generates the sources of a system of several cores: a file for each, and one for all.

    HorologError if the kernel cannot represent a period.
    """
    environment = _environment()
    before, tick = first_releasers(plans), tick_on_cores(system)
    budgets = [len(one.system.budgeted) for one in plans]
    described = [
        _described(one.system, _plan_of(one), one.part, first, sum(budgets[:at]))
        for at, (one, first) in enumerate(zip(plans, before, strict=True))
    ]
    lines_on = [one.core for one in plans if one.system.has_basic]
    of_all: dict[str, Any] = {
        "version": __version__,
        "system": system,
        "plans": plans,
        "lines_on": lines_on,
        "main": part("HRLI_MAIN", *before_cores(system)),
        "global_threads": tuple(_global_threads(system)),
        "bodies": _bodies(system),
        "devices": _devices(system),
        "definitions": [],
        **_build_context(system),
        "settings": _common_settings([one.settings for one in described], system.has_global),
        "priorities": None,
        "schedule_tables": None,
        "budgets": list(_budgets_of_cores(plans, [one.budgeted for one in described])),
        "spinlocks": tuple(spinlocks(system)),
        **baseline_context_for_cores(system, tick),
    }

    def text(template: str, context: Mapping[str, Any]) -> str:
        return _without_gaps(environment.get_template(template).render(context))

    texts = {
        "hrl_gen_bodies.c": text("hrl_gen_bodies.c.j2", of_all),
        "hrl_gen_system.c": text("hrl_gen_cores.c.j2", of_all),
        "system.cmake": text("system.cmake.j2", of_all),
        **baseline_texts_for_cores(environment, system, tick, of_all),
    }
    for one, core in zip(described, plans, strict=True):
        texts[f"hrl_gen_core_{core.core}.c"] = text("hrl_gen_system.c.j2", one.context)
    return Generated(texts, {k: v for one in described for k, v in one.framed.items()})


def _budgets_of_cores(
    plans: Sequence[CorePlan], addresses: Sequence[Sequence[str]]
) -> Iterable[Part | str]:
    """Yields the list of all tasks with budgets, core by core: each counts in it what it has used up."""
    name, named = "hrl_gen_basic", []
    for one, own in zip(plans, addresses, strict=True):
        if own:
            yield f"extern const struct hrl_basic {name}_on_{one.core}[];"
            named += [address.replace(name, f"{name}_on_{one.core}") for address in own]
    if named:
        yield part("HRLI_BUDGET_TASKS", *named)


_NO_PLAN = Plan("no tasks", (), Prediction(0, (), 0, Fraction(0), Fraction(0), Fraction(0)))


def _plan_of(core: CorePlan) -> Plan:
    """Returns the plan of a core, one without releasers if it has no tasks."""
    return _NO_PLAN if core.planned is None else core.planned.choice


def _global_threads(system: System) -> Iterable[Part]:
    """Yields the threads that several cores may run, in memory that all share."""
    for number, task in enumerate(system.tasks):
        if task.affinity:
            yield part("HRLI_STACK", number, task.stack)
            mask = unsigned(sum(1 << core for core in task.affinity))
            of = (number, f'"{task.name}"', unsigned(task.priority or 0), mask)
            yield part("HRLI_GLOBAL_THREAD", *of)


def _common_settings(of_cores: Sequence[Sequence[str]], has_global: bool) -> list[str]:
    """Returns the settings of the one kernel that all cores have; `has_global`: System.has_global.

    Each thread has a level of its own only if that holds on all of them, nothing is released by masks,
    there are no basic tasks, and no core runs another's threads.
    """
    found = {name for settings in of_cores for name in settings}
    others = {"RELEASE_MASKS", "BASIC_TASKS"} & found
    if others or has_global or not all("OWN_PRIORITIES" in one for one in of_cores):
        found.discard("OWN_PRIORITIES")
    if has_global:
        found.add("GLOBAL_THREADS")
    return [name for name in _SETTINGS if name in found]


@cache
def _environment() -> jinja2.Environment:
    """One for all systems, so that each template is compiled once."""
    made = environment("horolog.emit")
    made.filters["lines"] = _lines
    return made


def _lines(parts: Iterable[object]) -> str:
    """Returns each of `parts` on a line of its own."""
    return "\n".join(map(str, parts))


def _without_gaps(text: str) -> str:
    """Returns `text` with one empty line where absent parts left several, and none at the end."""
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def _bodies(system: System) -> _Bodies:
    """Builds the jobs: each a call, and the counts that pass in it where time is virtual."""
    made = [_job(system, index, index) for index in range(len(system.tasks))]
    for index, one in enumerate(system.interrupts, len(system.tasks)):
        call = f"{one.handler}()" if one.handler else f"hrl_work({one.work}u)"
        counts = unsigned(_counts(system, one.wcet))
        made.append(part("HRLP_HANDLER_BODY", index, call, counts, comment=one.name))
    for index in range(len(system.tasks), len(system.all_tasks)):
        made.append(_job(system, index, system.job(index)))
    named = {task.body for task in system.all_tasks} | {one.handler for one in system.interrupts}
    after = [one for one in system.sporadic if one.after is not None]
    return _Bodies(
        tuple(sorted(name for name in named if name)),
        tuple(one.task.name for one in after if not one.is_basic),
        tuple(one.task.name for one in after if one.is_basic),
        tuple(made),
    )


def _job(system: System, task: int, number: int) -> Part:
    """Builds a job of one of all tasks, which is watched under `number`."""
    of = system.all_tasks[task]
    call = f"{of.body}()" if of.body else f"hrl_work({of.work}u)"
    # The time of a server's job is that of the jobs that it runs.
    counts = unsigned(0 if task in system.served else _cost_counts(system, of))
    activates = [
        part("HRLP_JOB_ACTIVATES_BASIC" if one.is_basic else "HRLP_JOB_ACTIVATES", one.task.name)
        for one in system.activated_by(task)
    ]
    macro = "HRLP_JOB_BODY_AND" if activates else "HRLP_JOB_BODY"
    return part(macro, number, call, counts, body=activates, comment=of.name)


def _cost_counts(system: System, task: Task) -> int:
    cost = task.wcet or Fraction(0)
    if task.work is not None:
        cost = Fraction(task.work) * system.board.work_ns / 10**9
    return _counts(system, cost)


def _counts(system: System, seconds: Fraction) -> int:
    return max(1, int(seconds * system.board.clock.hz))


def _headers(
    system: System,
    basic: BasicData | None,
    threads: ThreadParts | None,
    handlers: Iterable[EmittedHandler],
    *,
    with_main: bool,
) -> list[str]:
    """Returns the headers to include: of the kernel's parts, the queues, the devices in use."""
    releasers = [one for handler in handlers for one in handler.releasers]
    drivers = {driver_of(one.cell.device) for one in releasers}
    if system.board.clock.handler is not None:
        drivers.add(driver_of(system.board.clock.device))
    found = {"main": with_main, **dict.fromkeys(drivers, True)}
    found |= dict.fromkeys(schedule_headers(system), True)
    found["hrlp_process"] = system.board.port.is_process
    found["interrupt"] = bool(system.interrupts)
    found["sporadic_thread"] = any(not one.is_basic for one in system.sporadic)
    found["sporadic_message"] = any(one.message is not None for one in system.sporadic)
    found["sporadic_basic"] = bool(system.sporadic_basic)
    for one in system.sporadic:
        if one.server is not None:
            found[f"{one.server.kind.value}_server"] = True
    found["schedule_tables"] = bool(system.schedules or system.counters)
    found["hrl_gen_tables"] = found["schedule_tables"] or bool(system.cell_schedules)
    if threads is None:
        found["basic_system"] = True
    else:
        found |= dict.fromkeys(("cell_releaser", "nanoseconds", "thread_system"), True)
        found |= {one.store.stem: True for one in threads.releasers}
        found["static_stores"] = any(not one.store.is_queue for one in threads.releasers)
        found["shared_thread"] = bool(threads.shared)
        found["global_thread"] = bool(threads.releasing)
        found["limited_thread"] = bool(threads.limited)
        found["stepped_releaser"] = any(one.steps for one in threads.releasers)
        found["one_shot_handler"] = any(one.lone_one_shot is not None for one in handlers)
        found["activation_handler"] = any(one.activates is not None for one in handlers)
        found["single_thread_handler"] = any(one.releases_one_thread for one in handlers)
    if basic is not None:
        found |= dict.fromkeys(("basic_releaser", "line_handler", *basic.queues), True)
        found["basic_store"] = basic.holds_groups
        found["dispatcher_cell"] = any(one.dispatcher for one in basic.releasers)
        found["stepped_cell"] = any(one.steps for one in basic.releasers)
        found["offset_tables"] = any(one.gaps for one in basic.releasers)
        found["hrl_gen_frames"] = bool(framed_functions(basic, handlers))
        found["limited_basic"] = basic.limited
        if basic.deadlines is not None:
            found[basic.deadlines.header] = True
        if basic.budgets is not None:
            found[basic.budgets.header] = True
            found |= {one.driver: True for one in basic.budgets.cells}
        found["overrun"] = bool(basic.reported)
        found["server_thread"] = bool(basic.servers)
    public = {"kernel": True, "basic": basic is not None}
    public["mutex"] = any(one.mutex is not None for one in system.resources)
    public["resource"] = basic is not None and bool(basic.resources)
    public["spinlock"] = with_main and any(one.spin for one in system.resources)
    return [
        *(f'"{name}.h"' for name in sorted(found) if found[name]),
        *(f"<hrl/{name}.h>" for name in sorted(public) if public[name]),
        "<stddef.h>",
    ]


_SETTINGS = (
    "BASIC_TASKS",
    "LINE_SERVERS",
    "WITHOUT_THREADS",
    "RELEASE_MASKS",
    "RELEASE_PRIORITIES",
    "OWN_PRIORITIES",
    "GLOBAL_THREADS",
)


def _settings(system: System, basic: BasicData | None, threads: ThreadParts | None) -> list[str]:
    """Returns the names of the settings that system.cmake switches on."""
    has = (
        basic is not None,
        basic is not None and system.board.controller is None,
        threads is None,
        threads is not None and threads.releases_by_mask,
        threads is not None and threads.releases_levels,
        threads is not None and threads.own_levels,
        False,  # which is one of all cores (_common_settings)
    )
    return [name for name, is_so in zip(_SETTINGS, has, strict=True) if is_so]


def generated_files(
    system: System, plan: Plan, folder: Path, tick: Tick | None = None
) -> Generated:
    """Writes what `generated` makes into `folder`; a file that would not change is left alone."""
    made = generated(system, plan, tick)
    _write(made, folder)
    return made


def generated_files_for_cores(system: System, plans: Sequence[CorePlan], folder: Path) -> Generated:
    """Writes what `generated_for_cores` makes into `folder`; a file that would not change is left alone."""
    made = generated_for_cores(system, plans)
    _write(made, folder)
    return made


def _write(made: Generated, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


_WARNINGS = {"all": ("-Wall", "-Wextra"), "default": (), "off": ("-w",)}


def _build_context(system: System) -> dict[str, Any]:
    """Returns how the application's sources are compiled; the folders of the sources come last."""
    options = system.build
    of_sources = sorted({source.parent for source in system.sources})
    folders = dict.fromkeys([*options.include, *of_sources])
    return {
        "include_folders": [str(folder) for folder in folders],
        "has_cxx": any(source.suffix in CXX_SUFFIXES for source in system.sources),
        "build_options": [
            ("DEFINES", options.define),
            ("FLAGS", options.flags),
            ("WARNINGS", _WARNINGS[options.warnings]),
            ("LIBRARIES", options.libraries),
            ("OBJECTS", options.objects),
            ("LINKER_SCRIPT", [options.linker_script] if options.linker_script else []),
            ("C_STANDARD", [] if options.c_standard is None else [options.c_standard]),
            ("CXX_STANDARD", [] if options.cxx_standard is None else [options.cxx_standard]),
        ],
    }


def _devices(system: System) -> list[str]:
    """Returns the folders of ports/cell/ with the drivers of the board's cells and clock."""
    return sorted({cell.device for cell in system.board.cells} | {system.board.clock.device})
