# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The emulator's runner: its command, the window it asks for, and what it makes of what it gets back."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.image import Function, Image, Layout
from horolog.measure.measured import FREERTOS, HOROLOG, Kernel, Measured
from horolog.measure.watched import watched
from horolog.model import Exit, HorologError, Mode, Plan, Prediction, Releaser, System
from horolog.model import Runner as BoardRunner
from horolog.programs import Finished, call, require, version
from horolog.read import read_board
from horolog.read.ports import ports
from horolog.run import qemu
from horolog.run.qemu import qemu_command, run_in_qemu

COUNT_NS = 40
EARLY_NS = 4 * COUNT_NS

IMAGE = Image(
    path=Path("horolog.elf"),
    functions=(Function("hrlp_idle_loop", 0x240, 0x250, "idle"),),
    symbols={"PendSV_Handler": 0x300}
    | {f"hrl_gen_{what}": 0x400 for what in ("body_0", "body_0_end", "stack_0")}
    | {f"hrl_gen_releaser_{number}": 0x500 + 0x10 * number for number in (0, 1)},
    sizes={"PendSV_Handler": 4, "hrl_gen_stack_0": 512},
    layout=Layout(thread_bytes=96, released_offset=16, served_offset=4),
)

Emulate = Callable[..., tuple[Measured, dict[str, str]]]


def emulated(system: System) -> System:
    board = replace(
        make_board(),
        arch="armv7m",
        port=ports()["armv7m", "nvic"],
        runner=BoardRunner("qemu", "mps2-an385", 5, 32),
        name="made",
    )
    return replace(system, board=board)


SYSTEM = emulated(make_system([ms(5)], duration=ms(20)))


def plan_of(*releasers: Releaser) -> Plan:
    nothing = Fraction(0)
    return Plan("made", releasers, Prediction(0, (), 0, nothing, nothing, nothing))


PERIODIC = Releaser("cell0", Mode.PERIODIC, "sorted-list", (0,), 0, 125_000)
ONE_SHOT = Releaser("cell0", Mode.ONE_SHOT, "sorted-list", (0,), 0)


@pytest.fixture
def emulate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Emulate:
    """Runs the runner with no emulator: `left` is what the plugin leaves, `done` how it ended."""

    def run(
        system: System,
        by: Plan,
        *,
        kernel: str = HOROLOG,
        left: str | None = "status done\ntotal 100\nfunction 0 60\n",
        trace: str = "",
        done: Finished = Finished(0, "", ""),  # noqa: B008  # frozen
    ) -> tuple[Measured, dict[str, str]]:
        def emulator(command: Sequence[str], *, seconds: float) -> Finished:
            if left is not None:
                (tmp_path / "horolog.counts").write_text(left, encoding="ascii")
            (tmp_path / "horolog.trace").write_text(trace, encoding="ascii")
            return done

        monkeypatch.setattr(qemu, "call", emulator)
        monkeypatch.setattr(qemu, "read_image", lambda path: IMAGE)
        monkeypatch.setattr(qemu, "compiled_plugin", lambda: Path("/cache/probe.so"))
        elf = tmp_path / "horolog.elf"
        tick = Kernel(kernel, "made", 1000, 21) if kernel == FREERTOS else Kernel(kernel, "made")
        found = run_in_qemu(system, by, tick, elf, tmp_path)
        lines = (tmp_path / "horolog.watch").read_text(encoding="ascii").splitlines()
        watch: dict[str, str] = {}
        for word, rest in (line.split(" ", 1) for line in lines):
            watch.setdefault(word, rest)  # of the first cell, releaser and so on
        return found, watch

    return run


def test_the_command_is_deterministic() -> None:
    command = qemu_command(SYSTEM.board, Path("a.elf"))
    assert command[0] == "qemu-system-arm"
    assert command[command.index("-icount") + 1] == "shift=5,sleep=off"
    assert command[command.index("-M") + 1] == "mps2-an385"
    assert command[command.index("-kernel") + 1] == "a.elf"
    board = replace(SYSTEM.board, runner=BoardRunner("qemu", "mps2-an385", None, 32))
    with pytest.raises(HorologError, match="has no icount_shift"):
        qemu_command(board, Path("a.elf"))


def test_the_machine_has_as_much_ram_as_the_board() -> None:
    board = read_board("microbit")
    command = qemu_command(board, Path("a.elf"))
    assert command[command.index("-global") + 1] == "nrf51-soc.sram-size=16384"
    assert "-global" not in qemu_command(SYSTEM.board, Path("a.elf"))


# The window is 20 ms; the first interrupt at or after its end is outside, and it may come a little early.
@pytest.mark.parametrize(
    ("plan", "following_ns"),
    [
        (plan_of(PERIODIC), 20_000_000),
        (plan_of(replace(PERIODIC, cell_period=75_000)), 21_000_000),
        (plan_of(replace(PERIODIC, first=25_000, cell_period=200_000)), 25_000_000),
        (plan_of(ONE_SHOT), 20_000_000),
        (plan_of(replace(PERIODIC, cell_period=300_000, first=1), ONE_SHOT), 20_000_000),
    ],
)
def test_the_cut_is_just_before_the_first_interrupt_outside(
    plan: Plan, following_ns: int, emulate: Emulate
) -> None:
    first = min(releaser.first for releaser in plan.releasers) * COUNT_NS
    _, watch = emulate(SYSTEM, plan)
    assert watch["interrupt"] == f"0xffffffff {following_ns - EARLY_NS - first}"
    assert watch["late_ns"] == "0"
    assert int(watch["end_ns"]) == min(20_000_000 - first, following_ns - EARLY_NS - first)
    assert int(watch["limit_ns"]) == 20_000_000 - first + 1_000_000_000
    assert watch["open_nth"] == "1"


def test_freertos_opens_at_its_start_tick_and_is_cut_at_the_end(emulate: Emulate) -> None:
    _, watch = emulate(SYSTEM, plan_of(replace(PERIODIC, first=25_000)), kernel=FREERTOS)
    assert watch["open_nth"] == "21"
    assert watch["interrupt"] == f"0xffffffff {20_000_000 - EARLY_NS}"
    assert "threads" not in watch


def test_with_an_offset_time_counts_from_t_0_and_not_from_the_first_interrupt(
    emulate: Emulate, tmp_path: Path
) -> None:
    """The first interrupt is 1 ms after t = 0; until then the processor was idle."""
    found, _ = emulate(
        SYSTEM, plan_of(replace(PERIODIC, first=25_000)), trace="0 I 0\n320 R 0\n640 S 0\n960 E 0\n"
    )
    assert [ns for ns, _, _ in found.trace] == [1_000_000, 1_000_320, 1_000_640, 1_000_960]
    assert found.findings.total == 100 + 31_250  # of 32 ns
    assert found.findings.function == {0: 60 + 31_250}
    assert (tmp_path / "horolog.trace").read_text().startswith("1000000 I 0\n")


def test_without_an_offset_nothing_is_shifted(emulate: Emulate) -> None:
    found, _ = emulate(SYSTEM, plan_of(PERIODIC), trace="0 I 0\n320 R 0\n")
    assert list(found.trace.ns) == [0, 320]
    assert found.findings.total == 100


# --- failures ------------------------------------------------------------------------------------


def test_a_fault_is_passed_on(emulate: Emulate) -> None:
    done = Finished(4, "", "fault: exception 3 in thread 'x'\n pc=0")
    with pytest.raises(HorologError) as raised:
        emulate(SYSTEM, plan_of(PERIODIC), left=None, done=done)
    assert raised.value.exit is Exit.TARGET_FAILED
    assert raised.value.message == "Horolog's firmware stopped by itself with status 4"
    assert raised.value.found == "fault: exception 3 in thread 'x'\n pc=0"


def test_a_hang_is_ended_and_says_so(emulate: Emulate) -> None:
    with pytest.raises(HorologError) as raised:
        emulate(SYSTEM, plan_of(PERIODIC), left=None, done=Finished(None, "", ""))
    assert raised.value.exit is Exit.TARGET_FAILED
    assert raised.value.message == "Horolog's firmware hangs: it was ended after 80 s"
    assert raised.value.found == "no output"


def test_what_an_earlier_run_left_is_not_taken_for_this_ones(
    emulate: Emulate, tmp_path: Path
) -> None:
    (tmp_path / "horolog.counts").write_text("status done\n", encoding="ascii")
    with pytest.raises(HorologError, match="stopped by itself"):
        emulate(SYSTEM, plan_of(PERIODIC), left=None)


def with_wcet(wcet: Fraction | None) -> System:
    return emulated(make_system(tasks=[replace(make_task("t0", ms(5)), wcet=wcet)]))


@pytest.mark.parametrize(
    ("wcet", "executed", "message", "expected"),
    [
        (ms(1), 31_251, 'task "t0" does not come to an end', "within its wcet of 1 ms"),
        (None, 31_251, 'task "t0" does not come to an end', "a body that returns"),
        (ms(1), 31_250, "never idle after the window (busy)", "less work in the bodies"),
    ],
)
def test_what_kept_the_system_busy(
    wcet: Fraction | None, executed: int, message: str, expected: str, emulate: Emulate
) -> None:
    left = f"status busy\nopen_job 0 {executed}\n"
    with pytest.raises(HorologError) as raised:
        emulate(with_wcet(wcet), plan_of(PERIODIC), left=left)
    assert raised.value.exit is Exit.TARGET_FAILED
    assert message in raised.value.message.replace("was never", "never")
    assert expected in str(raised.value.expected)
    assert "t0" in str(raised.value)


def test_busy_without_a_job_is_the_kernels_own(emulate: Emulate) -> None:
    with pytest.raises(HorologError, match=r"Horolog never became idle .*\(busy\)"):
        emulate(SYSTEM, plan_of(PERIODIC), left="status busy\n")


def test_commas_in_a_path_do_not_end_an_option(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, emulate: Emulate
) -> None:
    commands: list[Sequence[str]] = []
    emulate(SYSTEM, plan_of(PERIODIC))

    def emulator(command: Sequence[str], *, seconds: float) -> Finished:
        commands.append(command)
        (folder / "horolog.counts").write_text("status done\n", encoding="ascii")
        (folder / "horolog.trace").write_text("", encoding="ascii")
        return Finished(0, "", "")

    folder = tmp_path / "a,b"
    folder.mkdir()
    monkeypatch.setattr(qemu, "call", emulator)
    elf = folder / "horolog.elf"
    run_in_qemu(SYSTEM, plan_of(PERIODIC), Kernel(HOROLOG, "made"), elf, folder)
    plugin = commands[0][commands[0].index("-plugin") + 1]
    assert plugin.startswith("/cache/probe.so,config=")
    assert plugin.endswith("/a,,b/horolog.watch")


@pytest.mark.parametrize("name", ["Ünïcode dir", os.fsdecode(b"latin-\xfc")])
def test_a_path_reaches_the_plugin_byte_for_byte(name: str, tmp_path: Path) -> None:
    """It opens what stands in the file: the very bytes of a file's name, whatever they stand for."""
    folder = tmp_path / name
    folder.mkdir()
    watched(SYSTEM, plan_of(PERIODIC), Kernel(HOROLOG, "made"), IMAGE, folder, "horolog")
    lines = (folder / "horolog.watch").read_bytes().splitlines()
    assert b"out " + os.fsencode(folder / "horolog.counts") in lines
    assert b"trace " + os.fsencode(folder / "horolog.trace") in lines


# --- programs ------------------------------------------------------------------------------------


def test_a_program_that_is_not_there_is_named_with_what_to_install() -> None:
    with pytest.raises(HorologError) as raised:
        require("sh", "no-such-program", "ninja-that-is-not-there")
    assert raised.value.exit is Exit.NOT_INSTALLED
    assert raised.value.message == "not installed: no-such-program, ninja-that-is-not-there"
    assert "apt-get install no-such-program ninja-that-is-not-there" in str(raised.value)
    require("sh")


def test_a_program_is_ended_when_its_time_is_up() -> None:
    done = call(["sh", "-c", "echo said; echo wrong >&2; sleep 60"], seconds=0.5)
    assert done == Finished(None, "said\n", "wrong\n")


def test_how_a_program_ended_is_kept(tmp_path: Path) -> None:
    assert call(["sh", "-c", "pwd; exit 7"], seconds=10, folder=tmp_path).status == 7
    with pytest.raises(HorologError, match="not installed: no-such-program"):
        call(["no-such-program"], seconds=1)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205", "12.2.1"),
        ("QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)", "7.2.22"),
        ("gcc (Debian 12.2.0-14) 12.2.0", "12.2.0"),
        ("something without a number", "unknown"),
    ],
)
def test_versions_are_found_in_the_first_line(
    line: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "tool"
    program.write_text(f"#!/bin/sh\necho '{line}'\necho 'and 99.9.9'\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert version("tool") == found
    assert version("no-such-tool") == "absent"
