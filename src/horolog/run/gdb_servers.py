# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The gdb servers of debug probes: OpenOCD, probe-rs and pyOCD, which run as long as the work lasts."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from time import monotonic, sleep

from horolog.model import Board, HorologError, NotInstalled, Place, Probing, TargetFailed
from horolog.read.problems import listed
from horolog.run.gdb_session import RESET, Remote

__all__ = ["Probe", "Server", "check_probe", "probe_text", "serving"]

_HERE = "127.0.0.1"
_START_SECONDS = 20.0  # in which a server has found its probe, or has said that there is none
_END_SECONDS = 5.0  # in which it has ended when it is told to


class Server(StrEnum):
    """The programs that are started; AUTO: of those that are installed the first that finds a probe."""

    AUTO = "auto"
    OPENOCD = "openocd"
    PROBE_RS = "probe-rs"
    PYOCD = "pyocd"


Probe = Remote | Server
"""A gdb server that runs already, or one that has to be started."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a program is called."""

    key: str  # of [probe]
    example: str  # of its value
    install: str
    command: Callable[
        [Probing, int], list[str]
    ]  # serves gdb at the port; [] if [probe] does not say how


def _openocd(of: Probing, port: int) -> list[str]:
    files = [word for file in of.openocd for word in ("-f", file)]
    only = [f"gdb_port {port}", "tcl_port disabled", "telnet_port disabled"]
    return ["openocd", *files, *(word for one in only for word in ("-c", one))] if files else []


def _probe_rs(of: Probing, port: int) -> list[str]:
    if of.probe_rs is None:
        return []
    # All chips here have SWD; without --protocol some probes (Black Magic) are not asked for it.
    chip = ["--chip", of.probe_rs, "--protocol", "swd"]
    return ["probe-rs", "gdb", *chip, "--gdb-connection-string", f"{_HERE}:{port}"]


def _pyocd(of: Probing, port: int) -> list[str]:
    if of.pyocd is None:
        return []
    # Without --no-wait it waits for a probe for ever; without --persist it ends with the first connection.
    # Its console of semihosting would be at port 4444, which may be taken; at 0 it is at any.
    wanted = ["--no-wait", "--persist", "--target", of.pyocd, "--port", str(port)]
    return ["pyocd", "gdbserver", *wanted, "--telnet-port", "0"]


_KINDS: Mapping[Server, _Kind] = {
    Server.OPENOCD: _Kind(
        "openocd",
        '["interface/stlink.cfg", "target/stm32f4x.cfg"]',
        "on Debian: apt-get install openocd",
        _openocd,
    ),
    Server.PROBE_RS: _Kind(
        "probe_rs", '"STM32F446RE"', "cargo install probe-rs-tools --locked", _probe_rs
    ),
    Server.PYOCD: _Kind("pyocd", '"stm32f446re"', "pip install pyocd", _pyocd),
}


def probe_text(probe: Probe) -> str:
    """As --probe takes it."""
    return f"remote={probe.text}" if isinstance(probe, Remote) else probe.value


def check_probe(board: Board, probe: Probe) -> None:
    """HorologError (2, 3) if no server can be started for `board`: before anything is built for it."""
    if isinstance(probe, Server):
        _candidates(board, probe)


@contextlib.contextmanager
def serving(
    board: Board, probe: Probe, folder: Path, say: Callable[[str], object]
) -> Iterator[Remote]:
    """A gdb server for `board` until the end of the block; what it says goes into a file in `folder`.

    HorologError: [probe] of the board does not name what the server needs (2), the server is not
    installed (3), or it ended without finding a probe (4). `say` is told which server runs.
    """
    if isinstance(probe, Remote):
        yield probe
        return
    failures: list[str] = []
    with contextlib.ExitStack() as kept:
        for kind in _candidates(board, probe):
            try:
                remote = kept.enter_context(_started(board, kind, folder))
            except TargetFailed as failure:
                failures.append(f"{kind.value}: {failure.found}")
                continue
            say(f"{kind.value} serves {board.name} at {remote.text}")
            yield remote
            return
    raise TargetFailed(
        f"no probe with {board.name} was found",
        found="\n            ".join(failures),
        expected="a probe between this machine and a board that has power; this user may open its USB "
        "device (the server's documentation has udev rules); nothing was loaded",
    )


def _candidates(board: Board, probe: Server) -> tuple[Server, ...]:
    """The servers to try. HorologError (2, 3) if there is none."""
    of = board.probe or Probing()
    asked = tuple(_KINDS) if probe is Server.AUTO else (probe,)
    known = tuple(kind for kind in asked if _KINDS[kind].command(of, 0))
    if not known:
        raise HorologError(
            f"--probe {probe.value}: {board.name} does not say how a gdb server reaches it",
            place=Place(str(board.directory / "board.toml"), key="probe"),
            found="no [probe]"
            if board.probe is None
            else f"[probe] without {listed((_KINDS[kind].key for kind in asked), last='or')}",
            expected=" or ".join(f"{_KINDS[kind].key} = {_KINDS[kind].example}" for kind in asked)
            + "; or --probe remote=HOST:PORT, of a server that runs already",
        )
    installed = tuple(kind for kind in known if shutil.which(_KINDS[kind].command(of, 0)[0]))
    if not installed:
        raise NotInstalled(
            f"--probe {probe.value}: not installed: {listed((kind.value for kind in known), last='and')}",
            expected=" or ".join(_KINDS[kind].install for kind in known),
        )
    return installed


@contextlib.contextmanager
def _started(board: Board, kind: Server, folder: Path) -> Iterator[Remote]:
    """One server, running. TargetFailed with what it said if it does not listen."""
    port = _free_port()
    command = _KINDS[kind].command(board.probe or Probing(), port)
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{kind.value}.log"
    with (
        log.open("wb") as said,
        subprocess.Popen(
            command,
            cwd=folder,  # where OpenOCD looks first: no project's file stands for one of its own
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is gdb's
        ) as server,
    ):
        try:
            _wait(server, log, port, kind)
            yield Remote(_HERE, port, RESET)
        finally:
            _end(server)


def _wait(server: subprocess.Popen[bytes], log: Path, port: int, kind: Server) -> None:
    """Until the server has said that it listens at `port`. TargetFailed if it ends, or says nothing."""
    listens = re.compile(rf"\b{port}\b")
    end = monotonic() + _START_SECONDS
    while True:
        status = server.poll()
        said = log.read_text(encoding="utf-8", errors="replace")
        if status is None and listens.search(said):
            return
        if status is not None or monotonic() > end:
            how = f"nothing in {_START_SECONDS:.0f} s" if status is None else f"status {status}"
            raise TargetFailed(f"{kind.value} does not serve", found=_last(said) or how)
        sleep(0.02)


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_CAUSES, _BACKTRACE = "Caused by:", "Stack backtrace:"
"""Of probe-rs, behind its error: what led to it, and where in its source."""


def _last(said: str) -> str:
    """The last lines of a server's words, those of errors if there are any."""
    whole = _COLOUR.sub("", said.partition(_BACKTRACE)[0])
    lines = [line.strip() for line in whole.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("WARN ")] or lines
    if _CAUSES in lines:
        at = lines.index(_CAUSES)
        return "; ".join(lines[max(at - 1, 0) : at] + lines[at + 1 :])
    errors = [
        line for line in lines if re.search(r"error|no connected|not found|failed", line, re.I)
    ]
    return "; ".join((errors or lines)[-2:])


def _end(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((_HERE, 0))
        return int(free.getsockname()[1])
