# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: QEMU's system emulation with the measuring plugin."""

from __future__ import annotations

from array import array
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path

from horolog.analyse import count_instant, streams, wakes, window_counts
from horolog.model import Board, Exit, HorologError, Mode, NeverIdle, Plan, System
from horolog.run.firmware import Firmware
from horolog.run.image import Image, read_image
from horolog.run.measure import HOROLOG, Kernel, Measured
from horolog.run.probe import Findings, Watch, compiled_plugin, read_findings, watch_text
from horolog.run.programs import Finished, call
from horolog.run.toolchains import programs_of
from horolog.trace import Trace, read_trace, write_trace

__all__ = ["QemuRunner", "plugin_options", "qemu_command"]

_GRACE_NS = 1_000_000_000  # simulated time after the window in which a busy system may become idle
_START_NS = 5_000_000_000  # simulated time in which a firmware must have reached its first release
_PHASE_COUNTS = 4  # an interrupt may come so much earlier after the first one than nominally
_START_SECONDS = 60  # wall time for starting up and for a slow machine


def qemu_command(board: Board, elf: Path) -> list[str]:
    """The command that boots `elf`, deterministic: time is instructions executed."""
    if board.runner.icount_shift is None:
        raise HorologError(f"board {board.name} has no icount_shift: its runs would differ")
    tools = programs_of(board)
    if tools.emulator is None:
        raise HorologError(f"no emulator runs arch {board.arch}, of board {board.name}")
    return [
        tools.emulator,
        "-M",
        board.runner.machine,
        "-nographic",
        "-monitor",
        "none",
        *tools.emulator_options,
        "-icount",
        f"shift={board.runner.icount_shift},sleep=off",
        "-kernel",
        str(elf),
    ]


class QemuRunner:
    """Boots one firmware and stops it when its window is over."""

    def __init__(self, firmware: Firmware, folder: Path) -> None:
        self._firmware = firmware
        self._folder = folder

    def measure(self, system: System, plan: Plan, kernel: Kernel) -> Measured:
        """Run one kernel's firmware over the window of `system`."""
        ours = kernel.name == HOROLOG
        elf = self._firmware.horolog if ours else self._firmware.freertos
        assert elf is not None
        lasts = system.board.runner.ns_per_instruction
        assert lasts is not None
        image = read_image(elf)
        stem = elf.stem
        out, trace = self._folder / f"{stem}.counts", self._folder / f"{stem}.trace"
        end, following = _window_ns(system, plan if ours else None)
        # The plugin's time begins at the first interrupt: with offsets, later than t = 0.
        opens = _first_ns(system, plan) if ours else 0
        early = opens + _PHASE_COUNTS * Fraction(10**9, system.board.clock.hz)
        watch = Watch(
            image=image,
            switch=programs_of(system.board).switch,
            ns_per_instruction=lasts,
            cut_ns=ceil(following - early),
            end_ns=ceil(min(end - opens, following - early)),
            limit_ns=ceil(end) - opens + _GRACE_NS,
            start_ns=_START_NS + opens + (0 if ours else _start_ticks_ns(kernel)),
            open_nth=kernel.start_ticks,
            handlers=_handlers(system, plan) if ours else _tick_handlers(system),
            tasks=len(system.tasks),
            releasers=_interrupts(system, plan) if ours else (),
            out=out.resolve(),
            trace=trace.resolve(),
        )
        config = self._folder / f"{stem}.watch"
        config.write_text(watch_text(watch), encoding="ascii")
        out.unlink(missing_ok=True)
        command = qemu_command(system.board, elf)
        command += plugin_options(compiled_plugin(), config)
        seconds = _START_SECONDS + 20 * ceil(system.duration)
        done = call(command, seconds=seconds)
        findings = _findings(system, kernel, out, done, seconds, lasts)
        seen = read_trace(trace)
        if opens:
            findings = _with_idle(findings, image, opens // lasts)
            seen = Trace(array("q", (ns + opens for ns in seen.ns)), seen.kinds, seen.indices)
            write_trace(trace, seen)
        return Measured(kernel, findings, seen, image)


def plugin_options(plugin: Path, config: Path) -> list[str]:
    """What makes QEMU load `plugin` and hand it `config`."""
    return ["-plugin", f"{_escaped(plugin)},config={_escaped(config.resolve())}"]


def _escaped(path: Path) -> str:
    """QEMU separates options by commas; one that belongs to a value is doubled."""
    return str(path).replace(",", ",,")


def _start_ticks_ns(kernel: Kernel) -> int:
    return kernel.start_ticks * 10**9 // (kernel.tick_hz or 1)


def _handlers(system: System, plan: Plan) -> list[str | None]:
    used = {releaser.cell for releaser in plan.releasers}
    clock = system.board.clock.handler
    return [c.handler if c.name in used or c.handler == clock else None for c in system.board.cells]


def _interrupts(system: System, plan: Plan) -> list[int]:
    """For each releaser, which of the handlers above its cell enters: the first of that name."""
    handlers = [cell.handler for cell in system.board.cells]
    return [handlers.index(system.board.cell(releaser.cell).handler) for releaser in plan.releasers]


def _tick_handlers(system: System) -> list[str | None]:
    return [c.handler if c.device == "systick" else None for c in system.board.cells]


def _first_ns(system: System, plan: Plan) -> int:
    """When the first interrupt comes, in ns after t = 0."""
    return min(r.first for r in plan.releasers) * 10**9 // system.board.clock.hz


def _with_idle(findings: Findings, image: Image, instructions: int) -> Findings:
    """`findings` with so many more idle instructions: nothing else runs before the first interrupt."""
    idle = next(i for i, function in enumerate(image.functions) if function.owner == "idle")
    executed = {**findings.function, idle: findings.function.get(idle, 0) + instructions}
    return replace(findings, total=findings.total + instructions, function=executed)


def _window_ns(system: System, plan: Plan | None) -> tuple[Fraction, Fraction]:
    """The window's end, and the first nominal interrupt at or after it, in ns after t = 0."""
    hz = system.board.clock.hz
    end = window_counts(system)
    following = end + hz  # far enough: nothing follows that could be mistaken
    if plan is None:
        following = end
    else:
        for releaser in plan.releasers:
            if releaser.mode is Mode.PERIODIC:
                assert releaser.cell_period is not None
                steps = max(0, -((releaser.first - end) // releaser.cell_period))
                following = min(following, releaser.first + steps * releaser.cell_period)
            else:
                of = streams(system, releaser.tasks)
                following = min(following, next(wakes(of, hz, end, following), following))
    return Fraction(count_instant(system.duration, hz) * 10**9, hz), Fraction(following * 10**9, hz)


def _findings(
    system: System, kernel: Kernel, out: Path, done: Finished, seconds: float, lasts: int
) -> Findings:
    if not out.is_file():
        said = (done.errors + done.output).strip()  # a board's console is one or the other
        if done.status is None:
            raise HorologError(
                f"{kernel.name}'s firmware hangs: it was ended after {seconds} s",
                found=said[-2000:] or "no output",
                expected="a start within that time; try horolog run --gdb",
                exit=Exit.TARGET_FAILED,
            )
        raise HorologError(
            f"{kernel.name}'s firmware stopped by itself with status {done.status}",
            found=said[-2000:] or "no output",
            exit=Exit.TARGET_FAILED,
        )
    findings = read_findings(out.read_text(encoding="ascii"))
    if findings.status == "done":
        return findings
    if findings.status == "silent":
        raise HorologError(
            f"{kernel.name}'s firmware hangs before its first release",
            found=(done.errors + done.output).strip()[-2000:]
            or f"no timer interrupt in {_START_NS / 1e9:g} s simulated",
            expected="a start that ends; try horolog run --gdb",
            exit=Exit.TARGET_FAILED,
        )
    if findings.status == "untraceable":
        raise HorologError(
            f"{kernel.name}'s releases by masks cannot be followed from outside",
            found="a store to the bits of those who wait, behind the load of no mask or bit of its level",
            expected="firmware of a compiler that this version of the tool knows",
            exit=Exit.TARGET_FAILED,
        )
    if findings.open_job:
        task, executed = max(findings.open_job.items(), key=lambda item: item[1])
        running = system.tasks[task]
        if running.wcet is not None and executed * lasts <= running.wcet * 10**9:
            names = ", ".join(system.tasks[task].name for task in sorted(findings.open_job))
            raise NeverIdle(
                f"{kernel.name} was never idle after the window ({findings.status})",
                found=f"unfinished, though none ran longer than its wcet: {names}",
                expected="a system whose work fits into its time",
                exit=Exit.TARGET_FAILED,
            )
        raise HorologError(
            f'task "{running.name}" does not come to an end under {kernel.name}',
            place=running.place,
            found=f"its job has executed {executed * lasts / 1e6:.6g} ms, and the system was not "
            f"idle once in the last {_GRACE_NS / 1e9:g} s",
            expected="a body that returns"
            if running.wcet is None
            else f"a body that returns within its wcet of {float(running.wcet * 1000):g} ms",
            exit=Exit.TARGET_FAILED,
        )
    raise NeverIdle(
        f"{kernel.name} never became idle after the window ({findings.status})",
        expected="a system whose work fits into its time",
        exit=Exit.TARGET_FAILED,
    )
