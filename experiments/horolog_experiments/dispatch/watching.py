# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""One image, run on one platform and watched: where each owner's code is, and when its timer expires."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from horolog.build.rtl import simulator
from horolog.image import Image, read_image
from horolog.measure.probe import compiled_plugin
from horolog.model import Exit, HorologError
from horolog.programs import Finished, call
from horolog.read import read_board
from horolog.run.qemu import boot
from horolog_experiments.dispatch.scenarios import IDLE, Platform
from horolog_experiments.dispatch.visits import Log, read_visits

__all__ = [
    "Built",
    "function_names",
    "owner_numbers",
    "watch",
    "watch_text",
]

_SECONDS = 900
_INSTRUCTIONS_A_COUNT = 25 / 20  # mps2-an385: 32 ns an instruction, 40 ns a count
_START_UP = 60_000
_HANDLER_BYTES = 2


@dataclass(frozen=True, slots=True)
class Built:
    """An image: `owners` are the functions of all owners' code but idle's.

    `expiries`: the timers that release, as a Log names them.
    """

    elf: Path
    owners: Mapping[str, tuple[str, ...]]
    expiries: tuple[str, ...]


def owner_numbers(built: Built) -> dict[str, int]:
    """The number of every owner in the log of `built`."""
    return {name: number for number, name in enumerate((IDLE, *built.owners))}


def function_names(built: Built, image: Image) -> dict[int, str]:
    """The numbers in the log of `built` of all functions that are no owner's, behind owners and handlers."""
    taken = [(low, high) for low, high, _ in _owned(built, image)]
    first = len(built.owners) + 1 + len(built.expiries)
    others = (
        function.name
        for function in image.functions
        if not any(low < function.high and function.low < high for low, high in taken)
    )
    return dict(enumerate(others, first))


def _owned(built: Built, image: Image) -> list[tuple[int, int, int]]:
    functions = {IDLE: ("hrlp_idle_loop",), **built.owners}
    return [
        (image.address(symbol), image.address(symbol) + image.sizes[symbol], number)
        for name, number in owner_numbers(built).items()
        for symbol in functions[name]
    ]


def watch_text(
    built: Built,
    image: Image,
    out: Path,
    limit: int,
    *,
    emulated: bool,
    names: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """What to log, as plugin/horolog_visits.c describes it, up to cycle or instruction `limit`."""
    spans = _owned(built, image)
    if emulated:
        for number, handler in _handlers(built).items():
            low = image.address(handler)
            spans.append((low, low + _HANDLER_BYTES, number))
    functions = {function.name: function for function in image.functions}
    spans += [(functions[name].low, functions[name].high, owner) for owner, name in names.items()]
    watched = [f"watch {low:#x} {high:#x} {number}" for low, high, number in spans]
    return "\n".join([f"out {out}", f"limit {limit}", *watched]) + "\n"


def _handlers(built: Built) -> dict[int, str]:
    """In the emulator: the timers' handlers, by number in the log."""
    first = len(built.owners) + 1
    return dict(enumerate(built.expiries, first))


def watch(
    built: Built, platform: Platform, counts: int, stem: str, *, functions: bool = False
) -> Log:
    """Run `built` for so many counts of the board's clock, beside its start-up; files begin with `stem`.

    With `functions` the log has the kernel's, too. HorologError (4) if the firmware ends before.
    """
    out = built.elf.with_name(f"{stem}.visits")
    config = built.elf.with_name(f"{stem}.watch")
    emulated = platform.configuration is None
    limit = _START_UP + (int(counts * _INSTRUCTIONS_A_COUNT) if emulated else counts)
    image = read_image(built.elf)
    names = function_names(built, image) if functions else {}
    text = watch_text(built, image, out.resolve(), limit, emulated=emulated, names=names)
    config.write_text(text, encoding="utf-8")
    out.unlink(missing_ok=True)
    done = _run(built.elf, platform, config, out)
    seen = out.read_text(encoding="ascii") if out.is_file() else ""
    if done.status != 0 or not seen.endswith(" end\n"):
        raise HorologError(
            f"the bench's firmware {built.elf.name} failed on {platform.name}",
            found=(done.output + done.errors).strip()[-1000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    return replace(read_visits(seen, _handlers(built) if emulated else {}), names=names)


def _run(elf: Path, platform: Platform, config: Path, out: Path) -> Finished:
    if platform.configuration is not None:
        program = str(simulator(platform.configuration))
        return call(
            [program, "--elf", str(elf), "--visits", str(config.resolve())], seconds=_SECONDS
        )
    board, plugin = read_board(platform.board), compiled_plugin("horolog_visits")
    return boot(board, elf, plugin, config, outputs=(out,), seconds=_SECONDS)
