# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `masked`: for how many instructions each call keeps the interrupts off, by sleepers.

bench/masked makes every kind of call while n threads are asleep; a plugin of the emulator follows the
instructions that mask and unmask, and the handlers at the kernel's priority, from outside.
"""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from horolog.bench.queues.tables import plain, table
from horolog.data import data_root
from horolog.model import Board, Exit, HorologError
from horolog.read import read_board
from horolog.run.firmware import build_step
from horolog.run.image import Image, read_image
from horolog.run.probe import compiled_plugin
from horolog.run.programs import call, require, version
from horolog.run.qemu import plugin_options, qemu_command

__all__ = [
    "NUMBERS",
    "Masked",
    "Window",
    "masked_from",
    "masked_object",
    "masked_page",
    "masked_targets",
    "masked_text",
    "measure_masked",
    "read_windows",
    "watch_text",
]

BOARD = "mps2-an385"
NUMBERS = (10, 100, 1000, 1500)
"""Of sleeping threads."""
HANDLERS = ("TIMER1_Handler", "DUALTIMER_Handler")
"""At the kernel's priority: what software raises, the clock's wrap. That of the time-outs, TIMER0_Handler,
is of the lowest, which masks none of them: there only what is between lock and unlock counts."""
MOST = 120
MOST_GROWTH = 1.05
_MARK = "bench_mark_call_"
_WORKERS = 2
_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Window:
    """The longest interrupts-off window of one call, and how many windows there were.

    `where` is the function that masks, or the handler.
    """

    sleepers: int
    call: str
    windows: int
    longest: int
    where: str

    @property
    def of_handler(self) -> bool:
        """Whether it is an interrupt that the call caused, or that came meanwhile."""
        return self.where in HANDLERS


@dataclass(frozen=True)
class Masked:
    """All windows, and what they hold for."""

    windows: tuple[Window, ...]
    platform: str
    toolchain: str

    @property
    def sizes(self) -> list[int]:
        """The numbers of sleepers measured, ascending."""
        return sorted({window.sleepers for window in self.windows})

    @property
    def calls(self) -> list[str]:
        """By name."""
        return sorted({window.call for window in self.windows})

    def longest(self, sleepers: int) -> Window:
        """The longest window of any call; KeyError if that number of sleepers was not measured."""
        found = [window for window in self.windows if window.sleepers == sleepers]
        if not found:
            raise KeyError(sleepers)
        return max(found, key=lambda window: window.longest)


def measure_masked(
    out: Path, say: Callable[[str], None], numbers: Sequence[int] = NUMBERS
) -> Masked:
    """Build and run, below the folder `out`, one firmware for each number of sleepers.

    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    board = read_board(BOARD)
    say(f"building for {', '.join(map(str, numbers))} sleepers")
    binaries = _build(board, numbers, out)
    plugin = compiled_plugin("horolog_masked")

    def run(sleepers: int) -> list[Window]:
        say(f"running with {sleepers} sleepers")
        return _run(board, sleepers, binaries / f"masked_{sleepers}.elf", plugin)

    with ThreadPoolExecutor(_WORKERS) as pool:
        found = list(pool.map(run, numbers))
    return Masked(
        windows=tuple(window for windows in found for window in windows),
        platform=f"{board.title}, QEMU {version('qemu-system-arm')}",
        toolchain=f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}",
    )


def _build(board: Board, numbers: Sequence[int], out: Path) -> Path:
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    root, binaries = data_root(), out / "cmake"
    configure = [
        "cmake",
        "-S",
        str(root / "bench" / "masked"),
        "-B",
        str(binaries),
        "-G",
        "Ninja",
        f"-DHRL_BENCH_SLEEPERS={','.join(map(str, numbers))}",
        f"-DCMAKE_TOOLCHAIN_FILE={root / 'cmake' / 'toolchain' / f'{board.arch}.cmake'}",
        f"-DHRL_CPU={board.cpu}",
    ]
    build_step("configuring", call(configure, seconds=_SECONDS))
    build_step("compiling", call(["cmake", "--build", str(binaries)], seconds=_SECONDS))
    return binaries


def _marks(image: Image) -> dict[str, int]:
    """The first address of each call, by its name."""
    found = {name: at for name, at in image.symbols.items() if name.startswith(_MARK)}
    return {name.removeprefix(_MARK): found[name] for name in sorted(found)}


def watch_text(image: Image, out: Path) -> str:
    """The plugin's configuration, as plugin/horolog_masked.c describes it."""
    idle = image.address("hrlp_idle_loop")
    lines = [
        f"out {out}",
        f"done {image.address('bench_mark_done'):#x}",
        f"idle {idle:#x} {idle + image.sizes['hrlp_idle_loop']:#x}",
        *(f"call {address:#x}" for address in _marks(image).values()),
        *(f"handler {image.address(name):#x}" for name in HANDLERS),
    ]
    return "\n".join(lines) + "\n"


def _run(board: Board, sleepers: int, elf: Path, plugin: Path) -> list[Window]:
    out, config = elf.with_suffix(".masked"), elf.with_suffix(".watch")
    image = read_image(elf)
    config.write_text(watch_text(image, out.resolve()), encoding="utf-8")
    out.unlink(missing_ok=True)
    done = call([*qemu_command(board, elf), *plugin_options(plugin, config)], seconds=_SECONDS)
    if done.status != 0 or not out.is_file():
        raise HorologError(
            f"the firmware {elf.name} failed",
            found=done.errors.strip()[-1000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    return read_windows(out.read_text(encoding="ascii"), image, sleepers)


def read_windows(text: str, image: Image, sleepers: int) -> list[Window]:
    """What the plugin wrote, with the names of calls and functions from `image`."""
    lines = text.splitlines()
    if not lines or lines[-1] != "done":
        raise HorologError(
            "the bench's firmware did not come to its end",
            found=text[-200:],
            exit=Exit.TARGET_FAILED,
        )
    names, lows = list(_marks(image)), [function.low for function in image.functions]
    found = []
    for line in lines[:-1]:
        number, windows, longest, at = map(int, line.split()[1:])
        where = image.functions[bisect(lows, at) - 1].name
        found.append(Window(sleepers, names[number], windows, longest, where))
    return found


def masked_targets(masked: Masked) -> list[dict[str, Any]]:
    """The lines of the issue's table that are about this, unchanged."""
    growth, reason = None, None
    try:
        few, many = (masked.longest(n).longest for n in (NUMBERS[0], NUMBERS[-1]))
        growth = Fraction(many, few)
        if growth > MOST_GROWTH:
            reason = f"{many} instructions against {few}"
    except KeyError:
        reason = "not measured: the run was limited"
    worst = max((masked.longest(n) for n in masked.sizes), key=lambda window: window.longest)
    entries: list[dict[str, Any]] = [
        {
            "name": "longest interrupts-off window, n = 1,500 against n = 10",
            "target": MOST_GROWTH,
            "sense": "<=",
            "measured": plain(growth),
            "unit": "ratio",
            "met": growth is not None and growth <= MOST_GROWTH,
        },
        {
            "name": "longest interrupts-off window, any call",
            "target": MOST,
            "sense": "<=",
            "measured": worst.longest,
            "unit": "instructions",
            "met": worst.longest <= MOST,
        },
    ]
    if reason is not None:
        entries[0]["reason"] = reason
    if worst.longest > MOST:
        outside = max(
            (window.longest for window in masked.windows if not window.of_handler), default=0
        )
        entries[1]["reason"] = (
            f"{worst.where}, during {worst.call} with {worst.sleepers:,} sleepers; of the calls whose "
            f"longest window is no handler's, the longest is {outside}"
        )
    return entries


def masked_object(masked: Masked) -> dict[str, Any]:
    """result.json, by ADR 0009."""
    return {
        "bench": "masked",
        "toolchain": masked.toolchain,
        "targets": masked_targets(masked),
        "rows": [
            {
                "what": "longest interrupts-off window",
                "sleepers": window.sleepers,
                "call": window.call,
                "windows": window.windows,
                "longest": window.longest,
                "where": window.where,
                "unit": "instructions",
                "platform": masked.platform,
            }
            for window in masked.windows
        ],
    }


def masked_text(masked: Masked) -> str:
    """`masked` as JSON: what the page is made from."""
    head = {"platform": masked.platform, "toolchain": masked.toolchain}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    entries = [json.dumps(astuple(window)) for window in masked.windows]
    return "{\n" + "\n".join(lines) + '\n"windows": [\n' + ",\n".join(entries) + "\n]\n}\n"


def masked_from(text: str) -> Masked:
    """What `masked_text` wrote."""
    data: Mapping[str, Any] = json.loads(text)
    windows = tuple(Window(*window) for window in data["windows"])
    return Masked(windows, data["platform"], data["toolchain"])


def masked_page(masked: Masked) -> str:
    """docs/evidence/masked.md."""
    wanted = [
        [
            one["name"],
            f"{one['sense']} {one['target']:,}",
            "not measured" if one["measured"] is None else f"{one['measured']:,}",
            one["unit"],
            "yes" if one["met"] else "no",
            one.get("reason", ""),
        ]
        for one in masked_targets(masked)
    ]
    by_key = {(window.sleepers, window.call): window for window in masked.windows}
    rows = []
    for name in masked.calls:
        row = [f"`{name}`"]
        for n in masked.sizes:
            window = by_key[n, name]
            row.append(f"{window.longest:,} ({window.where})")
        rows.append(row)
    return f"""\
# Interrupts off

Written by `horolog bench masked`; do not edit. Platform: {masked.platform};
{masked.toolchain}. Figures are **instructions**, counted from outside the firmware
(`plugin/horolog_masked.c`), which is `bench/masked` with asserts off.

## Targets

{table(["target", "wanted", "measured", "unit", "met", "why"], wanted)}
## The longest window of each call

In brackets the function that masks, or the handler: a handler at the kernel's priority counts as
masked from its first instruction to its last; that of the time-outs is of the lowest priority, so that there
only what is between lock and unlock counts. A call here is all that happens until the next one begins,
in whatever thread: also the switches that it causes, and interrupts that come meanwhile. That is why
what other threads' wake-ups do stands at calls that wait for nothing, where one happened to come.

{table(["call", *(f"{n:,} sleepers" for n in masked.sizes)], rows)}
## What it is made of

- The sleepers sleep about a second each, at phases scattered evenly. However many one handler wakes, it
  locks for each of them.
- `crowd_...`: in one wait queue there is a thread of each level from 2 on, which no other call here has. Who
  enters it passes the levels above with interrupts on, and so does a change of level of a thread in it; a
  set of an event looks at one thread between two locks. (`sleep_until` has the first of these too, where
  the last of the crowd comes to wait again.)
- Not here: a set of an event by an interrupt, which looks at all who wait for it, each a constant time
  (`hrl/event.h`); large messages, which are copied with interrupts off.
- The longest seen in 200 rounds, not a proof.
"""
