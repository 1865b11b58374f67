# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which timer of a part is the clock, which are cells, which lines are free, where code and data go.

The clock is a timer of 32 bits that runs free, and its compare channels are one-shot cells on its line. Where
there is none, two timers of 16 bits are chained: the second counts the overflows of the first, by the trigger
inside the chip. All other timers are cells of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from horolog.model import HorologError, Memory, PartCore
from horolog.parts.clocks import DIVISORS, LEAST_HZ, Speed, speed
from horolog.parts.cores import no_board, port_of
from horolog.parts.stm32 import Part, Region, Timer
from horolog.read.problems import listed, suggestion
from horolog.read.units import frequency_text

__all__ = ["Chosen", "Chain", "Wish", "chosen"]

_CHAINS = {
    "STM32F1": ("TIM2", "TIM3", 1),
    "STM32L1": ("TIM2", "TIM3", 1),
    "STM32L0": ("TIM2", "TIM21", 0),
    "STM32C0": ("TIM1", "TIM3", 0),
    "STM32F0": ("TIM1", "TIM3", 0),
    "STM32G0": ("TIM1", "TIM3", 0),
}
"""By family: the timer that counts, the one that counts its overflows, and the trigger by which it does (the
tables "internal trigger connection" of the reference manuals).
"""

_LAST_LINES = ("EXTI", "SPI", "I2C", "USB", "OTG", "USART", "UART", "LPUART")
"""Lines that applications want first are taken last."""

_SIMULATED_LINES = 52
"""The simulator of STM32 boards has lines 0 to 51 (stm32/src/chip.rs)."""

_LINES = 32
"""The port pends basic tasks by the first register of pending lines."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user says: the clocks of core and timers, and the timers that are free. None: not said."""

    hz: int | None = None
    timer_hz: int | None = None
    timers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """Two timers as one counter."""

    high: Timer
    trigger: int  # ITR0, ITR1, ... of `high`


@dataclass(frozen=True, slots=True)
class Chosen:
    """All that the files of a board say."""

    part: Part
    arch: str
    controller: str
    core: PartCore
    hz: int
    timer_hz: int
    source: str | None  # of the clock after reset, if that is what it has
    clock: Timer
    chain: Chain | None
    cells: tuple[Timer, ...]
    lines: tuple[tuple[str, int], ...]  # free for basic tasks
    memory: tuple[Memory, ...]

    @property
    def measured(self) -> str | None:
        """The board with costs that hold for this one, to a cycle, in the simulator. None: there is none.

        The same core, driver and compiler's flags give the same code, and its cycles do not depend on where
        it lies. Two timers as one clock are read by other code.
        """
        return self.core.costs_of if self.core.simulated and self.chain is None else None

    def is_raised(self, timer: Timer) -> bool:
        """Whether the line of `timer` is raised wherever the board runs: not by the simulator if it lacks it.

        Plans take the first cells that will do, so others come last.
        """
        has_line = self.part.interrupts[timer.update_line] < _SIMULATED_LINES
        return has_line or not self.core.simulated

    @property
    def clock_timers(self) -> tuple[Timer, ...]:
        """The timer that counts, and the one that counts its overflows, if there is one."""
        return (self.clock,) if self.chain is None else (self.clock, self.chain.high)

    @property
    def clock_line(self) -> str:
        """The line of the clock's wrap."""
        return self.clock_timers[-1].update_line


def chosen(part: Part, wish: Wish) -> Chosen:
    """The board of `part` that the user wishes for. HorologError with the reason if there can be none."""
    arch, controller, core = _port(part)
    known = speed(part)
    hz = _hz(part, known, wish)
    timer_hz = _timer_hz(part, known, hz, wish)
    timers = _timers(part, wish)
    clock, chain = _clock(part, timers)
    wrap = clock if chain is None else chain.high
    used = {clock.name, wrap.name}
    others = (timer for timer in timers if timer.name not in used)
    # Plans take the first cells that will do, and a wide one reaches further.
    cells = tuple(sorted(others, key=lambda timer: -timer.width))
    taken = {clock.compare_line, wrap.update_line, *(timer.update_line for timer in cells)}
    return Chosen(
        part=part,
        arch=arch,
        controller=controller,
        core=core,
        hz=hz,
        timer_hz=timer_hz,
        source=known.source if hz == known.reset else None,
        clock=clock,
        chain=chain,
        cells=cells,
        lines=_lines(part, taken),
        memory=_memory(part),
    )


def _port(part: Part) -> tuple[str, str, PartCore]:
    """The port's folders, and its core."""
    if part.name.endswith("-CM0P") or (part.family == "STM32H7" and part.name.endswith("-CM4")):
        raise no_board(part.name, "it is the second core of its chip, which no port starts")
    return port_of(part.name, part.core)


def _hz(part: Part, known: Speed, wish: Wish) -> int:
    if wish.hz is None:
        if known.reset is None:
            raise HorologError(
                f"the clock of {part.name} after reset is not known here",
                found="no --hz",
                expected=f"--hz, up to {known.most}, of a clock that your own code sets",
            )
        return known.reset
    if not LEAST_HZ <= wish.hz <= known.most:
        raise HorologError(
            f"{part.name} cannot have a clock of {frequency_text(wish.hz)}",
            found=f"--hz {wish.hz}",
            expected=f"{LEAST_HZ} to {known.most}; after reset {known.reset or 'not known here'}",
        )
    return wish.hz


def _timer_hz(part: Part, known: Speed, hz: int, wish: Wish) -> int:
    able = [hz // by for by in DIVISORS if hz % by == 0 and hz // by <= known.most_of_timers]
    if wish.timer_hz is None and able and able[0] != hz:
        raise HorologError(
            f"the timers of {part.name} cannot count at {frequency_text(hz)}",
            found=f"--hz {hz} without --timer-hz",
            expected=f"--timer-hz {listed(map(str, able))}, as the dividers of its buses are set",
        )
    found = hz if wish.timer_hz is None else wish.timer_hz
    if found not in able:
        raise HorologError(
            f"the timers of {part.name} cannot count at {frequency_text(found)}, "
            f"with a core at {frequency_text(hz)}",
            found=f"--timer-hz {found}",
            expected=listed(map(str, able)) or f"whole hertz, up to {known.most_of_timers}",
        )
    return found


def _timers(part: Part, wish: Wish) -> tuple[Timer, ...]:
    known = {timer.name: timer for timer in part.timers}
    if not known:
        raise no_board(part.name, "it has no timer TIM1, TIM2, ...")
    if wish.timers is None:
        return part.timers
    names = [name.strip().upper() for name in wish.timers]
    for at, name in enumerate(names):
        if name not in known:
            raise HorologError(
                f'{part.name} has no timer "{name}"{suggestion(name, known)}',
                found=f'"{name}" of --timers',
                expected=f"some of {listed(known, last='and')}",
            )
        if name in names[:at]:
            raise HorologError(
                f"the timer {name} is listed twice",
                found=f"--timers {','.join(names)}",
                expected="each timer once",
            )
    return tuple(timer for timer in part.timers if timer.name in names)


def _clock(part: Part, timers: Sequence[Timer]) -> tuple[Timer, Chain | None]:
    wide = [timer for timer in timers if timer.width == 32]
    if wide:
        preferred = {"TIM2": 0, "TIM5": 1}
        return min(wide, key=lambda timer: (preferred.get(timer.name, 2), timer.number)), None
    by_name = {timer.name: timer for timer in timers}
    of_part = {timer.name for timer in part.timers}
    low, high, trigger = _CHAINS.get(part.family, ("", "", 0))
    if low in by_name and high in by_name:
        return by_name[low], Chain(by_name[high], trigger)
    its_wide = [timer.name for timer in part.timers if timer.width == 32]
    if its_wide or {low, high} <= of_part:
        both = f"both {low} and {high}, which together count 32 bits"
        raise HorologError(
            "none of the timers can be the clock, which needs 32 bits",
            found=f"--timers {','.join(by_name)}",
            expected=f"{listed(its_wide)} among them" if its_wide else both,
        )
    raise no_board(
        part.name, "it has no timer of 32 bits, and no two that are known to be one together"
    )


def _lines(part: Part, taken: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Those of the first 32 that the board's timers leave; what applications often need comes last."""
    free = [
        (name, at) for name, at in part.interrupts.items() if at < _LINES and name not in set(taken)
    ]

    def late(line: tuple[str, int]) -> tuple[bool, int]:
        return line[0].startswith(_LAST_LINES), line[1]

    return tuple(sorted(free, key=late))


def _memory(part: Part) -> tuple[Memory, ...]:
    """Flash where the chip boots, RAM, and what other RAM there is inside."""
    flash = _joined([r for r in part.memory if r.kind == "flash" and r.name != "OTP"])
    inside = [
        r for r in part.memory if r.kind == "ram" and r.origin < 0x4000_0000 and r.name != "BKPSRAM"
    ]
    shared = part.family == "STM32WB"  # its radio's processor has SRAM2
    ram = _joined(
        [r for r in inside if r.origin >= 0x2000_0000 and not (shared and r.name != "SRAM")]
    )
    if flash is None or ram is None:
        raise no_board(part.name, "it boots from memory outside the chip")
    found = [replace(flash, name="flash"), replace(ram, name="ram")]
    for region in inside:
        if all(region.end <= other.origin or other.end <= region.origin for other in found):
            found.append(replace(region, name=region.name.lower()))
    return tuple(found)


def _joined(regions: Sequence[Region]) -> Region | None:
    """The lowest region, and those that follow without a gap. One that overlaps is left out: a mistake."""
    found: Region | None = None
    for region in sorted(regions, key=lambda one: one.origin):
        if found is None:
            found = region
        elif region.origin == found.end:
            found = replace(found, length=found.length + region.length)
    return found
