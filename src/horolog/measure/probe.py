# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The measuring plugin: compiled once, told what to watch, its findings read back."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from horolog.cache import cache_folder, made_once
from horolog.data import data_root
from horolog.image import Image, Layout
from horolog.measure.marks import Mark
from horolog.model import NotInstalled, TargetFailed
from horolog.programs import call

__all__ = [
    "Findings",
    "Shared",
    "Watch",
    "compiled_plugin",
    "read_findings",
    "threads_of",
    "watch_text",
]

_NOWHERE = 0xFFFFFFFF  # an address at which no instruction can be
_PLUGIN_FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden")
_SERVER_STACK = "server_stack_"  # of a level (kernel/assemble/server_thread.h)


@dataclass(frozen=True, slots=True)
class Watch:
    """What the plugin shall look for in one firmware. Times are nanoseconds after t = 0."""

    image: Image
    # The functions that load the next thread's registers, which lie together; none: unknown.
    switch: Sequence[str]
    ns_per_instruction: int | Fraction  # or cycle
    end_ns: int  # idle from here on ends the run, if every releaser has left its marks
    late_ns: int  # or from here on, whatever they have
    limit_ns: int  # if the system is not idle by then, it never will be
    start_ns: int  # after reset: if t = 0 has not come by then, it never will
    open_nth: int  # t = 0 is this entry of one of `handlers`
    handlers: Sequence[str | None]  # one a cell of the board; None: not used by this firmware
    # For each, from when on an entry may be for an instant outside the window.
    cuts_ns: Sequence[int]
    # For each task the one with the stack that its jobs have: its thread's first.
    stacks: Sequence[int]
    marks: Sequence[Mark]  # one a releaser
    out: Path
    trace: Path
    others: int = (
        0  # handlers of the application and sporadic tasks: watched as jobs, behind the tasks
    )
    exceptions: Sequence[int] = ()  # first instructions of handlers, entries of which are counted
    waits: bool = False  # bodies may wait, and others have the processor meanwhile
    aside: str | None = None  # a function, calls of which are counted behind `handlers`
    leader: int | None = None  # the core of which the watch is followed
    # Of one of several cores that run each other's tasks: what all have, by whole-system numbers.
    shared: Shared | None = None
    requests: Path | None = None  # what cells request goes there
    clock: int | None = None  # with that: the address, stores to which start the clock


@dataclass(frozen=True, slots=True)
class Shared:
    """What the watches of cores have in common that run each other's tasks, and which are one core's own."""

    image: Image  # with the names of all cores
    tasks: Sequence[int]  # of each task that the core releases, the number in the whole system


@dataclass(frozen=True, slots=True)
class Findings:
    """What was counted. `status` is done, busy (never idle again), silent (never started), nesting (a
    task's jobs overlap) or untraceable (the tasks that a mask releases cannot be told).

    `rounds` are those of a dispatcher that the application controls: the row that was served first, the
    clock's value at the begin, and when that row was served, in ns. Of `unread_rounds` rows it could not be
    read.
    """

    status: str
    total: int
    releases: int
    library_in_bodies: int
    taken: dict[int, int] = field(default_factory=dict)
    served: dict[int, int] = field(default_factory=dict)
    function: dict[int, int] = field(default_factory=dict)
    elsewhere: int = 0
    longest: dict[int, int] = field(default_factory=dict)
    open_job: dict[int, int] = field(default_factory=dict)
    retired: int | None = None  # instructions in bodies, where it is cycles that are counted
    rounds: tuple[tuple[int, int, int], ...] = ()
    unread_rounds: int = 0
    exceptions: int | None = None  # None: they are not counted
    tail_chained: int = 0  # of these


def compiled_plugin(name: str = "horolog_probe") -> Path:
    """A plugin with watch/ as a shared object in the user's cache, compiled when a source has changed."""
    root = data_root()
    plugin, core = root / "plugin", sorted((root / "watch").glob("*.c"))
    headers = sorted([*plugin.glob("*.h"), *(root / "watch").glob("*.h")])
    sources = [plugin / f"{name}.c", *core]
    digest = hashlib.sha256("\0".join([platform.machine(), *_PLUGIN_FLAGS]).encode())
    for file in [*sources, *headers]:
        digest.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    made = cache_folder() / f"{name}-{digest.hexdigest()[:16]}.so"
    return made_once(made, lambda fresh: _compile(sources, root, fresh / made.name))


def _compile(sources: Sequence[Path], root: Path, plugin: Path) -> None:
    command = ["gcc", *_PLUGIN_FLAGS, "-I", str(root), *map(str, sources), "-o", str(plugin)]
    done = call(command, seconds=120)
    if done.status != 0:
        raise NotInstalled(
            "the measuring plugin does not compile",
            found=done.errors.strip()[-1000:],
        )


def watch_text(watch: Watch) -> str:
    """The plugin's configuration, one item a line, as watch/watch.h describes it."""
    image = watch.image
    lines = [
        _step_line(watch.ns_per_instruction),
        f"end_ns {watch.end_ns}",
        f"late_ns {watch.late_ns}",
        f"limit_ns {watch.limit_ns}",
        f"start_ns {watch.start_ns}",
        f"open_nth {watch.open_nth}",
        f"out {watch.out}",
        f"trace {watch.trace}",
    ]
    lines += [f"function {f.low:#x} {f.high:#x} {f.owner[0]}" for f in image.functions]
    seen: set[int] = set()
    for handler, cut in zip(watch.handlers, watch.cuts_ns, strict=True):
        address = _entry(image, handler) if handler else _NOWHERE
        lines.append(f"interrupt {_NOWHERE if address in seen else address:#x} {cut}")
        seen.add(address)
    lines += [f"exception {address:#x}" for address in watch.exceptions]
    if watch.requests is not None:
        lines.append(f"requests {watch.requests}")
    if watch.clock is not None:
        lines.append(f"clock {watch.clock:#x}")
    if watch.aside is not None:
        lines.append(f"aside {image.address(watch.aside):#x}")
    if watch.leader is not None:
        lines.append(f"leader {watch.leader}")
    of_jobs = image if watch.shared is None else watch.shared.image
    for task, first in enumerate(watch.stacks):
        start, end = (
            of_jobs.address(f"hrl_gen_body_{task}"),
            of_jobs.address(f"hrl_gen_body_{task}_end"),
        )
        own = f"hrl_gen_stack_{first}"  # which a basic task has not
        stack = of_jobs.symbols.get(own, 0)
        top = stack + of_jobs.sizes[own] if stack else 0
        lines.append(f"job {start:#x} {end:#x} {stack:#x} {top:#x}")
    for number in range(len(watch.stacks), len(watch.stacks) + watch.others):
        body = f"hrl_gen_body_{number}"
        stack = image.symbols.get(f"hrl_gen_stack_{number}", 0)
        top = stack + image.sizes[f"hrl_gen_stack_{number}"] if stack else 0
        begin, end = image.address(body), image.address(f"{body}_end")
        lines.append(f"job {begin:#x} {end:#x} {stack:#x} {top:#x}")
    lines += [f"server {at:#x} {at + size:#x}" for at, size in _servers(image)]
    if watch.waits:
        lines += [f"other {at:#x} {at + size:#x}" for at, size in _others(image)]
    lines += [f"leave {at:#x}" for at in _leaving(image)]
    threads = _servers(image) or any(
        f"hrl_gen_stack_{task}" in of_jobs.symbols for task in range(len(watch.stacks))
    )
    if watch.switch and threads:
        present = [name for name in watch.switch if name in image.symbols] or watch.switch
        low = min(map(image.address, present))
        high = max(image.address(name) + image.sizes[name] for name in present)
        lines.append(f"switch {low:#x} {high:#x}")
    if image.layout is not None and "hrl_gen_threads" in image.symbols:
        base = image.address("hrl_gen_threads") + image.layout.released_offset
        owners = (
            threads_of(image, image.layout, len(watch.stacks))
            if watch.shared is None
            else [*watch.shared.tasks]
        )
        lines.append(f"threads {base:#x} {image.layout.thread_bytes:#x} {len(owners)}")
        if owners != list(range(len(watch.stacks))):
            lines += [f"thread {number} {task}" for number, task in enumerate(owners)]
        lines += _mask_lines(image, image.layout)
    lines += map(str, watch.marks)
    return "\n".join(lines) + "\n"


def _step_line(lasts: int | Fraction) -> str:
    """What a step lasts; of a fraction of a nanosecond, how many are a second."""
    if isinstance(lasts, int):
        return f"ns_per_instruction {lasts}"
    return f"steps_hz {10**9 / lasts}"


def threads_of(image: Image, layout: Layout, tasks: int) -> list[int]:
    """The task of each element of hrl_gen_threads: all tasks, or those with a stack of their own."""
    own = [task for task in range(tasks) if f"hrl_gen_stack_{task}" in image.symbols]
    elements = image.sizes.get("hrl_gen_threads", 0) // layout.thread_bytes
    return own if elements == len(own) else list(range(tasks))


def _servers(image: Image) -> list[tuple[int, int]]:
    """The stacks of threads that run basic tasks: address and bytes."""
    names = sorted(name for name in image.symbols if name.startswith(_SERVER_STACK))
    return [(image.symbols[name], image.sizes[name]) for name in names]


_OTHER_STACK = re.compile(r"(?!hrl_gen_stack_|server_stack_).*_stack(\.\d+)?")


def _others(image: Image) -> list[tuple[int, int]]:
    """The stacks of threads that run no job, as HRL_THREAD_DEFINE and both kernels call them."""
    code = {function.name for function in image.functions}
    names = sorted(
        name for name in image.symbols if _OTHER_STACK.fullmatch(name) and name not in code
    )
    found = [(image.symbols[name], image.sizes.get(name, 0)) for name in names]
    return [(at, size) for at, size in found if size]


_ENDING = {"hrl_basic_terminate", "hrl_basic_chain", "hrli_budget_run", "hrli_own_budget_run"}


def _leaving(image: Image) -> list[int]:
    """Where the kernel ends a basic task's job early, if any task may do so.

    By kernel/basic/ending.c, or where its budget is used up: kernel/guard/budget.c, or in the entry of its
    handler.
    """
    entries = [at for name, at in sorted(image.symbols.items()) if name.endswith("_ended")]
    if not _ENDING & image.symbols.keys():
        return entries
    return entries + [f.low for f in image.functions if f.name.split(".")[0] == "leave"]


def _mask_lines(image: Image, layout: Layout) -> list[str]:
    """How releases by masks are seen, where there are any."""
    masks = image.masks
    if masks is None:
        return []
    bits = image.address("hrl_gen_threads") + masks.bit_offset
    lines = [
        f"waiting {masks.waiting:#x} {masks.levels}",
        f"bits {bits:#x} {layout.thread_bytes:#x}",
        f"parts {masks.parts:#x}",
    ]
    lines += [f"part {level} {part:#x}" for level, part in masks.part]
    return lines + [f"masked {one.task} {one.level} {one.bit}" for one in masks.threads]


def _entry(image: Image, handler: str) -> int:
    """Where an interrupt enters: at its handler, or at the port's code before it, HANDLER_entry."""
    return image.symbols.get(f"{handler}_entry", image.symbols.get(handler, _NOWHERE))


def read_findings(text: str) -> Findings:
    """Reads the output of the plugin or the host port. HorologError (4) if it is cut short."""
    single: dict[str, str] = {}
    many: dict[str, dict[int, int]] = {
        name: {} for name in ("taken", "served", "function", "longest", "open_job")
    }
    rounds = []
    for line in text.splitlines():
        word, *rest = line.split()
        if word == "round" and len(rest) == 3:
            rounds.append((int(rest[0]), int(rest[1]), int(rest[2])))
        if word in many and len(rest) == 2:
            many[word][int(rest[0])] = int(rest[1])
        elif len(rest) == 1:
            single[word] = rest[0]
    if "status" not in single:
        raise TargetFailed("the target left no results", found=text[:200])
    return Findings(
        status=single["status"],
        total=int(single.get("total", 0)),
        releases=int(single.get("releases", 0)),
        library_in_bodies=int(single.get("library_in_bodies", 0)),
        elsewhere=int(single.get("elsewhere", 0)),
        retired=int(single["body_instructions"]) if "body_instructions" in single else None,
        rounds=tuple(rounds),
        unread_rounds=int(single.get("unread_rounds", 0)),
        exceptions=int(single["exceptions"]) if "exceptions" in single else None,
        tail_chained=int(single.get("tail_chained", 0)),
        **many,
    )
