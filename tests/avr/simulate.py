# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Assembles a small firmware of this folder and runs it in the simulator of AVR boards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from horolog.build.simavr import simavr_simulator
from horolog.programs import Finished, call

__all__ = ["HZ", "Ran", "assembled", "run"]

HERE = Path(__file__).parent
HZ = 7_372_800
LOGS = ("marks", "interrupts", "pins", "vcd")


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run ended, and the logs that were asked for, by name."""

    done: Finished
    logs: dict[str, str]

    @property
    def marks(self) -> list[int]:
        """The values that were marked."""
        return [int(line.split()[1]) for line in self.logs["marks"].splitlines()]


def assembled(name: str, folder: Path, **defined: int) -> Path:
    """The firmware `name`.S for an ATmega128, with these macros, in `folder`."""
    elf = folder / f"{name}.elf"
    command = ["avr-gcc", "-mmcu=atmega128", "-nostartfiles", "-Wa,--fatal-warnings"]
    command += [f"-D{macro}={value}" for macro, value in defined.items()]
    done = call([*command, str(HERE / f"{name}.S"), "-o", str(elf)], seconds=60)
    assert done.status == 0, done.errors
    return elf


def run(elf: Path, *options: str, cycles: int = 200_000) -> Ran:
    """Run `elf` with all logs beside it."""
    logs = {name: elf.with_suffix(f".{name}") for name in LOGS}
    command = [str(simavr_simulator()), "--elf", str(elf), "--mcu", "atmega128", "--hz", str(HZ)]
    command += [word for name, path in logs.items() for word in (f"--{name}", str(path))]
    done = call([*command, "--cycles", str(cycles), *options], seconds=60)
    texts = {name: path.read_text() if path.is_file() else "" for name, path in logs.items()}
    return Ran(done, texts)
