# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A firmware that measures itself, behind QEMU's gdb stub, and the same firmware watched from outside.

Both runs are the same to the instruction, as QEMU's time is instructions executed.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from time import sleep

import pytest
from tests.system.streamed import ATTEMPTS, read_in_time
from tests.system.support import ROOT, horolog

from horolog.build.firmware import build_firmware
from horolog.measure.measured import HOROLOG, Kernel, Measured, side
from horolog.model import Exit
from horolog.model.result import Side
from horolog.plan import NOTHING, plan
from horolog.read import read_board, read_system
from horolog.run import parse_remote
from horolog.run.by_debugger import ring_for, run_by_debugger
from horolog.run.qemu import qemu_command, run_in_qemu

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.skipif(
        shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is not installed"
    ),
]

EXAMPLES = ROOT / "examples"
MOST = Fraction(1, 100)
"""By how much the firmware's own kernel time may differ from what was counted from outside."""

OF_RING = ("hrli_trace_", "hrlp_ring_", "__wrap_hrl_")

SYSTEM = """
[system]
name = "probed"
board = "BOARD"
cells = [CELLS]
duration = "DURATION"
"""

TASK = """
[[task]]
name = "NAME"
period = "PERIOD"
offset = "OFFSET"
work = WORK
KIND
"""

Tasks = Sequence[tuple[str, str, int]]
# A count is 1.25 instructions. Periods and jobs are no whole numbers of both: stamps of what is always in
# the same phase with them would be wrong by up to a count, and always in the same direction.
UNEVEN: Tasks = (
    ("1.30004 ms", "0.2 ms", 121),
    ("3.70012 ms", "0 ms", 307),
    ("11.0002 ms", "1 ms", 913),
    ("5.00004 ms", "0 ms", 17),
)
SELDOM: Tasks = (("40.0004 ms", "0.2 ms", 121), ("90.0002 ms", "0 ms", 1307))
"""For a long window in little RAM."""
EVEN: Tasks = (("1 ms", "0 ms", 51), ("2 ms", "0 ms", 203), ("7 ms", "0 ms", 708))


def described(
    folder: Path,
    tasks: Tasks,
    *,
    kind: str = "",
    cells: str = '"timer0", "timer1"',
    board: str = "mps2-an385",
    duration_ms: int = 120,
) -> Path:
    text = SYSTEM.replace("BOARD", board).replace("CELLS", cells)
    text = text.replace("DURATION", f"{duration_ms} ms")
    for number, (period, offset, work) in enumerate(tasks):
        one = TASK.replace("NAME", f"t{number}").replace("PERIOD", period)
        one = one.replace("OFFSET", offset).replace("WORK", str(work))
        text += one.replace("KIND", f'kind = "{kind}"' if kind else "")
    path = folder / "system.toml"
    path.write_text(text)
    return path


@contextmanager
def stub(board: str) -> Iterator[str]:
    """QEMU's gdb server, with nothing loaded into the board; HOST:PORT."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = qemu_command(read_board(board), Path("none"))
    command = command[: command.index("-kernel")]
    with subprocess.Popen([*command, "-S", "-gdb", f"tcp:127.0.0.1:{port}"]) as qemu:
        try:
            for _ in range(100):
                with socket.socket() as one:
                    if one.connect_ex(("127.0.0.1", port)) == 0:
                        break
                sleep(0.05)
            yield f"127.0.0.1:{port}"
        finally:
            qemu.kill()


def both(path: Path, out: Path) -> tuple[Measured, Measured, Side, Side]:
    """A firmware's run from outside and by itself."""
    system = read_system(path)
    has_costs = (system.board.directory / "costs.toml").is_file()
    chosen = plan(system, prices=None if has_costs else NOTHING).choice
    kernel = Kernel(HOROLOG, chosen.mechanism)
    elf = build_firmware(system, chosen, out, None, ring=ring_for(system, chosen)).horolog
    outside = run_in_qemu(system, chosen, kernel, elf, out)
    with stub(str(system.board.directory)) as where:
        (out / "probe").mkdir()
        own = run_by_debugger(system, chosen, kernel, elf, out / "probe", parse_remote(where))
    return (
        outside,
        own.measured,
        side(system, chosen, outside),
        side(system, chosen, own.measured),
    )


def counted_events(measured: Measured, duration_ms: int) -> Counter[tuple[str, int]]:
    """Those of the window but for its last 2 ms: one run ends a little later than the other."""
    end = (duration_ms - 2) * 10**6
    return Counter(
        (kind, index) for ns, kind, index in measured.trace if kind in "IRSE" and ns < end
    )


@dataclass(frozen=True)
class Case:
    board: str
    kind: str = ""
    tasks: Tasks = UNEVEN
    cells: str = '"timer0", "timer1"'
    duration_ms: int = 120
    cycles_hz: int | None = None  # of the stamps, where the board says none
    jobs: int = 100  # more than so many
    most: Fraction = MOST

    def described(self, folder: Path) -> Path:
        board = self.board
        if self.cycles_hz is not None:
            board = f"./{counting(board, folder, self.cycles_hz)}"
        return described(
            folder,
            self.tasks,
            kind=self.kind,
            cells=self.cells,
            board=board,
            duration_ms=self.duration_ms,
        )


def counting(board: str, folder: Path, cycles_hz: int) -> str:
    """The folder below `folder` of a copy of `board`, the stamps of which are cycles."""
    shutil.copytree(ROOT / "boards" / board, folder / "mine")
    file = folder / "mine" / "board.toml"
    text = file.read_text().replace(f'"{board}"', '"mine"', 1)
    file.write_text(text.replace("[probe]\n", f"[probe]\ncycles_hz = {cycles_hz}\n"))
    return "mine"


M0 = '"timer0", "timer1a"'
CASES = {
    "one-shot": Case("mps2-an385"),
    "basic": Case("mps2-an385", "basic"),
    "lm3s": Case("lm3s6965evb"),  # another clock and other timers, and a flash that gdb writes
    # A Cortex-M0, with RAM for a short window. Its clock counts every 15.6 instructions, SysTick all.
    "m0": Case("microbit", "", UNEVEN, M0, 60, 16_000_000, 60),
    "m0-basic": Case("microbit", "basic", UNEVEN, M0, 60, 16_000_000, 60),
    "m0-wraps": Case("microbit", "", SELDOM, M0, 2400, 16_000_000, 80),  # SysTick's 24 bits, twice
    "m0-clock": Case("microbit", "", UNEVEN, M0, 60, None, 60, Fraction(2, 100)),
}


@pytest.mark.parametrize(
    "case",
    [
        one if one in ("one-shot", "m0") else pytest.param(one, marks=pytest.mark.soak)
        for one in CASES
    ],
)
def test_it_counts_what_is_counted_from_outside(case: str, tmp_path: Path) -> None:
    of = CASES[case]
    outside, own, seen, said = both(of.described(tmp_path), tmp_path)
    assert said.jobs == seen.jobs > of.jobs
    assert said.interrupts == seen.interrupts
    assert (said.deadline_misses, said.overruns) == (0, 0)
    assert counted_events(own, of.duration_ms) == counted_events(outside, of.duration_ms)
    assert abs(off(case, seen, said, own)) <= of.most


SERVICES = """
#include <hrl/event.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>
#include <stdint.h>

HRL_SEMAPHORE_DEFINE(token, 0, 100);
HRL_EVENT_DEFINE(flags);
static volatile hrl_counts seen;
static volatile int wrong;

void gives(void);
void takes(void);
void waits(void);
void gives(void)
{
    for (int i = 0; i < 3; i++) {
        wrong += hrl_semaphore_give(&token) != HRL_OK;
    }
    seen = hrl_now();
}
void takes(void)
{
    while (hrl_semaphore_take(&token, HRL_NO_WAIT) == HRL_OK) {
    }
    hrl_event_set(&flags, 5);
}
void waits(void) /* an argument of it is on the stack */
{
    uint32_t found = 0;

    if (hrl_event_wait(&flags, 4, HRL_EVENT_CLEAR, HRL_NO_WAIT, &found) == HRL_OK) {
        wrong += found != 5;
    }
}
void stop_if_wrong(void);
void stop_if_wrong(void)
{
    if (wrong != 0) {
        for (;;) {
        }
    }
}
"""
CALLERS = (
    ("gives", "1.30004 ms"),
    ("takes", "3.70012 ms"),
    ("waits", "5.00004 ms"),
    ("stop_if_wrong", "9 ms"),
)


def test_what_bodies_call_is_the_kernels(tmp_path: Path) -> None:
    """Before, it was the body's; arguments and results go through what records the calls."""
    text = SYSTEM.replace("BOARD", "mps2-an385").replace("cells = [CELLS]", 'sources = ["calls.c"]')
    text = text.replace("DURATION", "120 ms")
    for name, period in CALLERS:
        text += (
            f'\n[[task]]\nname = "{name}"\nperiod = "{period}"\nwcet = "300 us"\nbody = "{name}"\n'
        )
    (tmp_path / "calls.c").write_text(SERVICES, encoding="utf-8")
    (tmp_path / "system.toml").write_text(text, encoding="utf-8")
    _, own, seen, said = both(tmp_path / "system.toml", tmp_path)
    assert said.jobs == seen.jobs > 150
    assert (said.deadline_misses, said.overruns) == (0, 0)
    assert abs(off("services", seen, said, own)) <= MOST


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("chronos", "1/100"),
        ("engine-control", "1/100"),
        ("drone", "1/100"),
        ("combustion", "1/100"),  # its bodies call services
    ],
)
def test_how_far_off_examples_are(name: str, most: str, tmp_path: Path) -> None:
    _, own, seen, said = both(EXAMPLES / name / "system.toml", tmp_path)
    assert said.jobs == seen.jobs > 100
    assert abs(off(name, seen, said, own)) <= Fraction(most)


BUSY: Tasks = (("10.0004 ms", "0.2 ms", 60_121), ("13.70012 ms", "0 ms", 30_307))
"""Bodies that take long, so that an emulator, which is faster than a board, leaves time to read."""


@pytest.mark.soak  # tests/system/test_stm32_simulator.py has one that is not
def test_a_window_far_longer_than_the_ring_is_counted_as_from_outside(tmp_path: Path) -> None:
    path = described(tmp_path, BUSY, duration_ms=8000)
    system = read_system(path)
    chosen = plan(system).choice
    kernel = Kernel(HOROLOG, chosen.mechanism)
    ring = replace(ring_for(system, chosen, streams=True), records=2048)
    elf = build_firmware(system, chosen, tmp_path, None, ring=ring).horolog
    outside = run_in_qemu(system, chosen, kernel, elf, tmp_path)
    own = read_in_time(
        lambda: stub(system.board.name), system, chosen, kernel, elf, tmp_path / "probe", ring
    )
    assert own.records > 5 * ring.records
    assert own.halts is not None
    assert own.halts > 5
    seen, said = side(system, chosen, outside), side(system, chosen, own.measured)
    assert said.jobs == seen.jobs > 1000
    assert said.interrupts == seen.interrupts
    assert counted_events(own.measured, 8000) == counted_events(outside, 8000)
    assert abs(off("8 s through 2,048 records", seen, said, own.measured)) <= MOST


RTT_PRETENCE = """#!/bin/sh
port=$(echo "$*" | sed 's/.*gdb_port \\([0-9]*\\).*/\\1/')
EMULATOR -S -gdb tcp:127.0.0.1:BEHIND < /dev/null &
trap "kill $!" TERM EXIT
PYTHON STAND_IN $port BEHIND &
wait $!
"""


@pytest.mark.soak
def test_a_server_that_knows_rtt_is_told_to_serve_the_ring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole command; what stands for openocd looks for the control block as the protocol says."""
    command = qemu_command(read_board("mps2-an385"), Path("none"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        behind = free.getsockname()[1]
    script = RTT_PRETENCE.replace("EMULATOR", " ".join(command[: command.index("-kernel")]))
    script = script.replace("BEHIND", str(behind)).replace("PYTHON", sys.executable)
    script = script.replace("STAND_IN", str(ROOT / "tests" / "system" / "rtt_stand_in.py"))
    (tmp_path / "openocd").write_text(script)
    (tmp_path / "openocd").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    shutil.copytree(ROOT / "boards" / "mps2-an385", tmp_path / "mine")
    file = tmp_path / "mine" / "board.toml"
    text = file.read_text().replace("[clock]", '[probe]\nopenocd = ["target/x.cfg"]\n\n[clock]')
    file.write_text(text.replace('"mps2-an385"', '"mine"', 1))
    path, out = described(tmp_path, BUSY, board="./mine", duration_ms=10_000), tmp_path / "out"
    for _ in range(ATTEMPTS):
        said = horolog("run", str(path), "--probe", "openocd", "--stream", "--out", str(out))
        if "not read as fast" not in said.err:
            break
    assert said.code == Exit.OK, said.err
    log = (out / "probe" / "openocd.log").read_text()
    wanted = ["monitor rtt setup 0x", "monitor rtt start", "monitor rtt server start "]
    assert sorted(log.index(one) for one in wanted) == [log.index(one) for one in wanted]
    result = json.loads((out / "run.json").read_text())
    assert result["horolog"]["jobs"] == 1000 + 730
    notes = " ".join(result["notes"])
    assert "which was read by RTT while it ran" in notes
    assert "halted" not in notes
    records = (out / "probe" / "trace-records.bin").stat().st_size // 8
    assert records > 8192  # of which the ring holds no more


def off(name: str, seen: Side, said: Side, own: Measured) -> Fraction:
    """By what share the firmware's own kernel time is more than that from outside; -s shows it."""
    found = kernel_of(said) / without_ring(seen, own) - 1
    sys.stdout.write(f"{name}: {said.jobs:,} jobs, {float(100 * found):+.2f} %\n")
    return found


def kernel_of(one: Side) -> Fraction:
    assert one.instructions is not None
    return Fraction(one.instructions.kernel)


def without_ring(seen: Side, own: Measured) -> Fraction:
    """What was counted from outside, without the ring's functions and the two instructions that call one.

    Those are in the kernel where it says what happens, and where it switches; in handlers' entries and in
    bodies' stubs there are none.
    """
    assert seen.instructions is not None
    ring = sum(
        count for name, count in seen.instructions.by_function.items() if name.startswith(OF_RING)
    )
    text = (own_folder(own) / "trace-records.bin").read_bytes()
    calls = sum(text[at + 7] in (3, 6, 7, 8, 9) for at in range(0, len(text), 8))
    return Fraction(seen.instructions.kernel - ring - 2 * calls)


def own_folder(own: Measured) -> Path:
    assert own.image is not None
    return next(own.image.path.parents[2].glob("probe"))


def test_the_command_shows_predicted_beside_self_measured(tmp_path: Path) -> None:
    path, out = described(tmp_path, EVEN, cells='"timer0"'), tmp_path / "out"
    with stub("mps2-an385") as where:
        said = horolog("run", str(path), "--probe", f"remote={where}", "--out", str(out))
    assert said.code == Exit.OK, said.err
    result = json.loads((out / "run.json").read_text())
    notes = " ".join(result["notes"])
    assert "self-measured" in notes
    assert "which is subtracted" in notes
    assert result["horolog"]["jobs"] == 120 + 60 + 18
    assert (out / "run.html").is_file()


@pytest.mark.soak  # tests/tool/test_run_gdb_session.py stands for it
def test_no_server_is_said(tmp_path: Path) -> None:
    path = described(tmp_path, EVEN, cells='"timer0"')
    said = horolog(
        "run", str(path), "--probe", "remote=127.0.0.1:1", "--out", str(tmp_path / "out")
    )
    assert said.code == Exit.TARGET_FAILED
    assert "no gdb server answers at 127.0.0.1:1" in said.err


@pytest.mark.soak
def test_flash_loads_compares_and_starts(tmp_path: Path) -> None:
    path, out = described(tmp_path, EVEN, cells='"timer0"'), tmp_path / "out"
    with stub("mps2-an385") as where:
        said = horolog(
            "flash", str(path), "--probe", f"remote={where}", "--out", str(out), "--json"
        )
        assert said.code == Exit.OK, said.err
        assert json.loads(said.out)["verified"] is True


PRETENCE = """#!/bin/sh
port=$(echo "$*" | sed 's/.*gdb_port \\([0-9]*\\).*/\\1/')
EMULATOR -S -gdb tcp:127.0.0.1:$port < /dev/null &
trap "kill $!" TERM
sleep 1
echo "Info : Listening on port $port for gdb connections" >&2
wait
"""


@pytest.mark.soak  # tests/tool/test_run_gdb_servers.py stands for it
@pytest.mark.parametrize(("behind", "code"), [("mps2-an385", 0), ("mps2-an386", 4)])
def test_a_server_is_started_for_a_board_that_names_it(
    behind: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = qemu_command(read_board(behind), Path("none"))
    emulator = " ".join(command[: command.index("-kernel")])
    (tmp_path / "openocd").write_text(PRETENCE.replace("EMULATOR", emulator))
    (tmp_path / "openocd").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    shutil.copytree(ROOT / "boards" / "mps2-an385", tmp_path / "mine")
    file = tmp_path / "mine" / "board.toml"
    text = file.read_text().replace("[clock]", '[probe]\nopenocd = ["target/x.cfg"]\n\n[clock]')
    file.write_text(text.replace('"mps2-an385"', '"mine"', 1))
    path, out = described(tmp_path, EVEN, cells='"timer0"', board="./mine"), tmp_path / "out"
    said = horolog("run", str(path), "--probe", "auto", "--out", str(out))
    assert said.code == code, said.err
    assert "openocd serves mine" in said.err
    if code:
        assert "the chip behind" in said.err
        assert "found:    cortex-m4" in said.err
    else:
        assert json.loads((out / "run.json").read_text())["horolog"]["jobs"] == 120 + 60 + 18
