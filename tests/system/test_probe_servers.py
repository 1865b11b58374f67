# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The servers that users have, OpenOCD, probe-rs and pyOCD, with a chip behind a debug port.

The servers are the real ones. What stands for the probe and the port is tests/system/debug_port, and the
chip is our simulator. They find it, write its flash by their own algorithms, which the chip executes, halt
and run it, set breakpoints and read memory, as they do on silicon. A server that is not installed is said to
be missing.

probe-rs also asks Linux which USB devices there are, and finds no probe on a machine without USB.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.system.support import ROOT, horolog
from tests.system.test_stm32_simulator import served

from horolog.model import Exit
from horolog.read import read_board

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.stm32,
    pytest.mark.xdist_group("probe servers"),
    pytest.mark.skipif(shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is missing"),
]

FLASH = {
    "nucleo-f446re": (
        "registers 0x40023c00 32",
        "always 0x40023c0c 0",  # SR: never busy
        "always 0x40023c14 0x0fffaaed",  # OPTCR: not protected
    ),
    "STM32F103RC": ("registers 0x40022000 48", "always 0x4002200c 0"),
}
"""Of each part: the registers of its flash, which algorithms of servers write and wait for."""
IDCODES = {"nucleo-f446re": ("0x10006421", "512"), "STM32F103RC": ("0x10036414", "256")}
WATCHDOG = "registers 0x40003000 16"
FRONTS = {"openocd": "bitbang", "probe-rs": "black-magic", "pyocd": "pyocd"}
PARTS = {"openocd": "nucleo-f446re", "probe-rs": "nucleo-f446re", "pyocd": "STM32F103RC"}
"""pyOCD knows the F103RC by itself, and the F446 by a pack that it would fetch."""
OPENOCD_INTERFACE = """\
adapter driver remote_bitbang
remote_bitbang host 127.0.0.1
remote_bitbang port {port}
"""


def is_missing(server: str) -> str | None:
    """Why `server` cannot be tried here."""
    if shutil.which(server) is None:
        return f"{server} is not installed"
    if server == "probe-rs" and not Path("/sys/bus/usb/devices").exists():
        return "probe-rs finds no probe on a machine without USB"
    return None


SERVERS = [
    pytest.param(
        name, marks=pytest.mark.skipif(bool(is_missing(name)), reason=is_missing(name) or "")
    )
    for name in FRONTS
]


def project(server: str, folder: Path) -> Path:
    """A system on the part that `server` is tried with; its description."""
    part = PARTS[server]
    said = horolog("new", folder / "blink", "--board", part)
    assert said.code == 0, said.err
    file = folder / "blink" / "system.toml"
    text = file.read_text(encoding="utf-8")
    assert 'duration = "2 s"' in text
    file.write_text(text.replace('"2 s"', '"300 ms"'), encoding="utf-8")
    return file


def chip_of(server: str, file: Path, folder: Path) -> Path:
    """A folder with the chip's file: the board's, with flash that code can write, and its registers."""
    boards = [path.parent for path in file.parent.glob("boards/*/board.toml")]
    of = read_board(str(boards[0])) if boards else read_board(PARTS[server])
    text = (of.directory / "chip.txt").read_text(encoding="utf-8")
    assert " rx\n" in text
    made = folder / "chip"
    made.mkdir()
    lines = [text.replace(" rx\n", " rw\n"), *FLASH[PARTS[server]], WATCHDOG]
    (made / "chip.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return made


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def probe(server: str, chip: Path, folder: Path) -> Iterator[Mapping[str, str]]:
    """A probe with a chip behind it; the environment in which `server` finds it."""
    port = free_port()
    with served(chip) as simulator:
        command = [
            *(sys.executable, "-m", "tests.system.debug_port", FRONTS[server], str(port)),
            *(simulator.rpartition(":")[2], *IDCODES[PARTS[server]]),
        ]
        paths = os.pathsep.join([str(ROOT), str(ROOT / "src")])
        with subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True
        ) as stand_in:
            assert stand_in.stdout is not None
            assert stand_in.stdout.readline() == "listening\n"
            try:
                yield environment(server, port, folder)
            finally:
                stand_in.kill()


def environment(server: str, port: int, folder: Path) -> Mapping[str, str]:
    if server == "probe-rs":
        return {"PROBE_RS_PROBE": f"1d50:6018:127.0.0.1:{port}"}
    if server == "openocd":  # in the place of OpenOCD's own interface/stlink.cfg
        (folder / "interface").mkdir()
        text = OPENOCD_INTERFACE.format(port=port)
        (folder / "interface" / "stlink.cfg").write_text(text, encoding="utf-8")
        return {"OPENOCD_SCRIPTS": str(folder)}
    real = shutil.which("pyocd")
    (folder / "bin").mkdir()
    shim = folder / "bin" / "pyocd"
    shim.write_text(f'#!/bin/sh\nexec "{real}" "$@" -u remote:127.0.0.1:{port}\n', encoding="utf-8")
    shim.chmod(0o755)
    return {"PATH": os.pathsep.join([str(shim.parent), os.environ["PATH"]])}


@pytest.mark.parametrize("server", SERVERS)
def test_a_firmware_is_flashed_run_and_read_through_a_real_server(
    server: str, tmp_path: Path
) -> None:
    file = project(server, tmp_path)
    out = ("--out", tmp_path / "out")
    with probe(server, chip_of(server, file, tmp_path), tmp_path) as env:
        flashed = horolog("flash", file, *out, "--probe", server, env=env)
        assert flashed.code == 0, flashed.err
        assert "bytes loaded and compared" in flashed.out + flashed.err
        run = horolog("run", file, *out, "--probe", server, "--json", env=env)
        assert run.code == 0, run.err
    said = run.object["horolog"]
    assert (said["jobs"], said["deadline_misses"], said["overruns"]) == (46, 0, 0)
    kernel = said["cycles"]["kernel"]
    sys.stdout.write(
        f"{server}: {said['jobs']} jobs, {said['interrupts']['taken']} interrupts, {kernel} cycles\n"
    )
    if server != "pyocd":  # the F103RC has no runner
        outside = horolog("run", file, *out, "--json").object["horolog"]
        assert said["jobs"] == outside["jobs"]
        assert said["interrupts"]["taken"] == outside["interrupts"]["taken"]


@pytest.mark.parametrize("server", SERVERS)
def test_a_ring_is_read_as_it_fills_through_a_real_server(server: str, tmp_path: Path) -> None:
    """By the RTT of OpenOCD and pyOCD, while the chip runs; probe-rs halts it."""
    file = project(server, tmp_path)
    with probe(server, chip_of(server, file, tmp_path), tmp_path) as env:
        of = ("--out", tmp_path / "out", "--probe", server, "--stream", "--json")
        run = horolog("run", file, *of, env=env)
    assert run.code == 0, run.err
    assert run.object["horolog"]["jobs"] == 46
    notes = " ".join(run.object["notes"])
    assert ("read by RTT while it ran" in notes) == (server != "probe-rs")
    assert ("halted it" in notes) == (server == "probe-rs")


@pytest.mark.parametrize("server", SERVERS)
def test_a_debugger_works_through_a_real_server(server: str, tmp_path: Path) -> None:
    """A breakpoint in flash, a step from it, and what the kernel's objects say."""
    file = project(server, tmp_path)
    commands = (
        *("horolog threads", "break sample", "continue", "horolog threads", "set $before = $pc"),
        *("stepi", "print $pc - $before", "bt 1"),
    )
    words = [word for one in commands for word in ("--execute", one)]
    with probe(server, chip_of(server, file, tmp_path), tmp_path) as env:
        command = [sys.executable, "-m", "horolog", "gdb", str(file), "--probe", server, *words]
        done = subprocess.run(
            command,
            env={**os.environ, **env, "PYTHONPATH": str(ROOT / "src")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "Python Exception" not in said
    assert re.search(r"^Breakpoint 1, sample ", said, re.M), said
    assert re.search(r"^sample +3 +running +\d+ of 512 ", said, re.M), said
    assert re.search(r"^\$\d+ = [24]$", said, re.M), said
    assert re.search(r"^#0 .* sample ", said, re.M), said


@pytest.mark.parametrize("server", SERVERS)
def test_a_real_server_without_a_probe_says_so_in_its_words(server: str, tmp_path: Path) -> None:
    file = project(server, tmp_path)
    said = horolog("run", file, "--out", tmp_path / "out", "--probe", server)
    assert said.code == Exit.TARGET_FAILED
    assert "no probe with" in said.err
    assert f"{server}: " in said.err
    assert "anyhow" not in said.err
    assert "nothing was loaded" in said.err
