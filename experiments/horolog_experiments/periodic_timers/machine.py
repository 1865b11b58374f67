# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A program under the simulator of AVR boards, and what its logs say (simavr/logs.h)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from horolog.build.simavr import simavr_simulator
from horolog.image import Image, read_image
from horolog.model import Exit, HorologError
from horolog.programs import call
from horolog_experiments.periodic_timers.programs import Chip

__all__ = ["Interrupt", "Log", "Pulse", "pulses", "ran", "read_interrupts", "read_pins"]
__all__ += ["Visit", "parts", "read_visits"]

_SECONDS = 900
_FOR_EVER = 2**62
_INSTRUCTION = 16
"""Cycles: no instruction, nor the entry of an interrupt, takes so many."""
_OVER = 124
"""The simulator's status where the cycles were over."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """From the cycle in which what was interrupted stops to that in which it goes on, behind RETI."""

    vector: int
    entered: int
    returned: int

    @property
    def cycles(self) -> int:
        """How long it took, the entry's four cycles (eight out of sleep) and RETI among them."""
        return self.returned - self.entered


@dataclass(frozen=True, slots=True)
class Visit:
    """From the first cycle of a stretch in a function up to the one behind its last."""

    function: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Log:
    """Marks as cycles by value, interrupts in the order of their entries, changes of pins."""

    marks: tuple[tuple[int, int], ...]
    interrupts: tuple[Interrupt, ...]
    pins: tuple[tuple[int, str, int], ...]
    visits: tuple[Visit, ...] = ()  # of all functions, if they are watched

    @property
    def over(self) -> list[Interrupt]:
        """The interrupts that have returned."""
        return [one for one in self.interrupts if one.returned]

    def at(self, mark: int) -> list[int]:
        """The cycles of the marks of that value."""
        return [cycle for cycle, value in self.marks if value == mark]


@dataclass(frozen=True, slots=True)
class Pulse:
    """How long a pin was 1, from cycle `begin` on."""

    begin: int
    cycles: int


def ran(
    elf: Path,
    chip: Chip,
    *,
    cycles: int | None = None,
    pins: tuple[str, ...] = (),
    functions: bool = False,
) -> Log:
    """Run `elf` to its end, or for so many cycles; log these pins, and with `functions` what runs when.

    HorologError (4) if it fails, or does not end where no cycles are given.
    """
    names = ("marks", "interrupts", "pins", "visits")
    paths = {name: elf.with_suffix(f".{name}") for name in names}
    command = [str(simavr_simulator()), "--elf", str(elf), "--mcu", chip.mcu, "--hz", str(chip.hz)]
    command += ["--marks", str(paths["marks"]), "--interrupts", str(paths["interrupts"])]
    if pins:
        command += [
            "--pins",
            str(paths["pins"]),
            *(word for pin in pins for word in ("--pin", pin)),
        ]
    if cycles is not None:
        # The end of what is watched is at the instruction that follows: before the simulator's own.
        command += ["--cycles", str(cycles + (_INSTRUCTION if functions else 0))]
    owners: dict[int, str] = {}
    if functions:
        image = read_image(elf)
        owners = dict(enumerate(one.name for one in image.functions))
        config = elf.with_suffix(".watch")
        config.write_text(_watch_text(image, paths["visits"], cycles), encoding="ascii")
        command += ["--visits", str(config)]
    done = call(command, seconds=_SECONDS)
    if done.status != (0 if cycles is None or functions else _OVER):
        raise HorologError(
            f"the bench's program {elf.name} failed",
            found=(done.output + done.errors).strip()[-1_000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    return Log(
        tuple((cycle, value) for cycle, value in _lines(paths["marks"])),
        read_interrupts(paths["interrupts"].read_text(encoding="ascii")),
        read_pins(paths["pins"].read_text(encoding="ascii")) if pins else (),
        read_visits(paths["visits"].read_text(encoding="ascii"), owners) if functions else (),
    )


def _watch_text(image: Image, out: Path, cycles: int | None) -> str:
    watched = [f"watch {one.low:#x} {one.high:#x} {nth}" for nth, one in enumerate(image.functions)]
    limit = _FOR_EVER if cycles is None else cycles
    return "\n".join([f"out {out}", *watched, f"limit {limit}"]) + "\n"


def read_visits(text: str, owners: Mapping[int, str]) -> tuple[Visit, ...]:
    """The visits of functions, by their numbers."""
    found = []
    begin = 0
    for line in text.splitlines():
        time, kind, *rest = line.split()
        if kind == "+":
            begin = int(time)
        elif kind == "-":
            found.append(Visit(owners[int(rest[0])], begin, int(time) + 1))
    return tuple(found)


def parts(log: Log, begin: int, end: int) -> list[tuple[str, int]]:
    """What ran between two cycles, function by function, in order; "" is what no function is."""
    found: list[tuple[str, int]] = []
    at = begin
    first = bisect_left(log.visits, begin, key=lambda one: one.begin)
    for one in log.visits[first:]:
        if one.begin >= end:
            break
        if one.begin > at:
            found.append(("", one.begin - at))
        found.append((one.function, min(one.end, end) - one.begin))
        at = one.end
    merged: dict[str, int] = {}
    for name, cycles in found:
        merged[name] = merged.get(name, 0) + cycles
    return list(merged.items())


def _lines(path: Path) -> Iterator[list[int]]:
    for line in path.read_text(encoding="ascii").splitlines():
        yield [int(word) for word in line.split()]


def read_interrupts(text: str) -> tuple[Interrupt, ...]:
    """In the order of their entries; those that have not returned have 0 for that."""
    found = []
    for line in text.splitlines():
        vector, entered, _, returned, _ = map(int, line.split())
        found.append(Interrupt(vector, entered, returned))
    return tuple(sorted(found, key=lambda one: one.entered))


def read_pins(text: str) -> tuple[tuple[int, str, int], ...]:
    """Changes of pins."""
    found = []
    for line in text.splitlines():
        cycle, pin, value = line.split()
        found.append((int(cycle), pin, int(value)))
    return tuple(found)


def pulses(log: Log, pin: str) -> list[Pulse]:
    """When `pin` was 1."""
    found = []
    begin = None
    for cycle, name, value in log.pins:
        if name != pin:
            continue
        if value:
            begin = cycle
        elif begin is not None:
            found.append(Pulse(begin, cycle - begin))
            begin = None
    return found
