# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Servers of debug probes: how they are called, what each of their ends means, and that none stays behind.

The servers are scripts here; tests/system/test_by_probe.py has one with a target behind it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from horolog.model import Board, Exit, HorologError, Probing
from horolog.read import read_board
from horolog.run import Remote, Server, gdb_servers, parse_remote, probe_text, serving

LISTENS = """#!/bin/sh
echo "$0 $*" | sed 's#.*/##' > "$CALLED"
port=$(echo "$*" | sed 's/.*\\(gdb_port\\|--port\\|127.0.0.1:\\) *\\([0-9]*\\).*/\\2/')
echo "Info : listening on port $port" >&2
echo $$ > "$CALLED.pid"
exec sleep 60
"""
FINDS_NOTHING = (
    "#!/bin/sh\necho 'Info : clock speed 2000 kHz'\necho 'Error: open failed' >&2\nexit 1\n"
)
BACKTRACE = "echo; echo 'Stack backtrace:'; echo '   0: anyhow::error::from'; echo '   1: main'"
PROBE_RS_FINDS_NOTHING = rf"""#!/bin/sh
printf '\033[33m WARN\033[0m probe_rs::probe: error listing devices with nusb\n'
echo 'Error: No connected probes were found.'
{BACKTRACE}
exit 1
"""
PROBE_RS_CANNOT_ATTACH = f"""#!/bin/sh
echo ' WARN probe_rs::probe: error listing devices with nusb'
echo 'Error: Connecting to the chip was unsuccessful.'
echo
echo 'Caused by:'
echo '    0: An ARM specific error occurred.'
echo '    1: No acknowledgement'
{BACKTRACE}
exit 1
"""
SAYS_NOTHING = "#!/bin/sh\nexec sleep 60\n"
ENDS_WELL = "#!/bin/sh\nexit 0\n"

EVERY = Probing(("a.cfg", "b.cfg"), "CHIP", "target")


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of programs, before all others."""
    folder = tmp_path / "bin"
    folder.mkdir()
    # Of the machine only what the scripts call: it may have the servers.
    for name in ("sed", "sleep", "sh"):
        (folder / name).symlink_to(Path("/bin") / name)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("CALLED", str(tmp_path / "called"))
    return folder


def board(of: Probing | None = EVERY) -> Board:
    return replace(read_board("mps2-an385"), probe=of)


def install(path: Path, scripts: Mapping[str, str]) -> None:
    for name, text in scripts.items():
        (path / name).write_text(text)
        (path / name).chmod(0o755)


def tried(of: Board, probe: Server, folder: Path) -> HorologError:
    with pytest.raises(HorologError) as caught, serving(of, probe, folder, print):
        pytest.fail("a server")
    return caught.value


@pytest.mark.parametrize(
    ("probe", "called"),
    [
        (
            Server.OPENOCD,
            "openocd -f a.cfg -f b.cfg -c gdb_port PORT -c tcl_port disabled -c telnet_port disabled",
        ),
        (
            Server.PROBE_RS,
            "probe-rs gdb --chip CHIP --protocol swd --gdb-connection-string 127.0.0.1:PORT",
        ),
        (
            Server.PYOCD,
            "pyocd gdbserver --no-wait --persist --target target --port PORT --telnet-port 0",
        ),
    ],
)
def test_a_server_runs_as_long_as_the_work(
    path: Path, tmp_path: Path, probe: Server, called: str
) -> None:
    install(path, {probe.value: LISTENS})
    said: list[str] = []
    with serving(board(), probe, tmp_path / "out", said.append) as remote:
        assert remote == Remote("127.0.0.1", remote.port, "reset halt")
        assert said == [f"{probe.value} serves mps2-an385 at {remote.text}"]
        wanted = called.replace("PORT", str(remote.port))
        assert (tmp_path / "called").read_text().strip() == wanted
        pid = int((tmp_path / "called.pid").read_text())
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert "listening" in (tmp_path / "out" / f"{probe.value}.log").read_text()


def test_a_server_ends_with_work_that_fails(path: Path, tmp_path: Path) -> None:
    install(path, {"openocd": LISTENS})
    with pytest.raises(KeyboardInterrupt), serving(board(), Server.OPENOCD, tmp_path, print):
        raise KeyboardInterrupt
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "called.pid").read_text()), 0)


def test_auto_takes_the_first_that_finds_a_probe(path: Path, tmp_path: Path) -> None:
    install(path, {"openocd": FINDS_NOTHING, "pyocd": LISTENS})
    with serving(board(), Server.AUTO, tmp_path, print):
        assert (tmp_path / "called").read_text().startswith("pyocd")


def test_auto_passes_over_what_the_board_does_not_name(path: Path, tmp_path: Path) -> None:
    install(path, {"openocd": LISTENS, "pyocd": LISTENS})
    with serving(board(Probing(pyocd="target")), Server.AUTO, tmp_path, print):
        assert (tmp_path / "called").read_text().startswith("pyocd")


def test_no_probe_says_what_each_server_said(path: Path, tmp_path: Path) -> None:
    install(path, {"openocd": FINDS_NOTHING, "pyocd": ENDS_WELL})
    error = tried(board(), Server.AUTO, tmp_path)
    assert error.exit is Exit.TARGET_FAILED
    assert "no probe with mps2-an385 was found" in str(error)
    assert "openocd: Error: open failed\n" in str(error)
    assert "pyocd: status 0" in str(error)
    assert "nothing was loaded" in str(error)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        (PROBE_RS_FINDS_NOTHING, "probe-rs: Error: No connected probes were found.\n"),
        (
            PROBE_RS_CANNOT_ATTACH,
            "probe-rs: Error: Connecting to the chip was unsuccessful.; "
            "0: An ARM specific error occurred.; 1: No acknowledgement\n",
        ),
    ],
)
def test_of_probe_rs_the_error_and_its_causes_are_said(
    path: Path, tmp_path: Path, script: str, found: str
) -> None:
    install(path, {"probe-rs": script})
    assert found in str(tried(board(), Server.PROBE_RS, tmp_path))


def test_a_server_that_says_nothing_is_ended(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gdb_servers, "_START_SECONDS", 0.2)
    install(path, {"openocd": SAYS_NOTHING})
    assert "openocd: nothing in 0 s" in str(tried(board(), Server.OPENOCD, tmp_path))


@pytest.mark.parametrize("probe", list(Server))
def test_what_is_not_installed_is_named(path: Path, tmp_path: Path, probe: Server) -> None:
    error = tried(board(), probe, tmp_path)
    assert error.exit is Exit.NOT_INSTALLED
    wanted = ["openocd", "probe-rs", "pyocd"] if probe is Server.AUTO else [probe.value]
    assert all(name in error.message for name in wanted)
    assert "install" in str(error.expected)


@pytest.mark.parametrize(
    ("of", "probe", "found"),
    [
        (None, Server.AUTO, "no [probe]"),
        (Probing(pyocd="target"), Server.OPENOCD, "[probe] without openocd"),
        (Probing(openocd=("a.cfg",)), Server.PROBE_RS, "[probe] without probe_rs"),
        (Probing(), Server.AUTO, "[probe] without openocd, probe_rs or pyocd"),
    ],
)
def test_a_board_that_names_nothing_is_told_the_key(
    path: Path, tmp_path: Path, of: Probing | None, probe: Server, found: str
) -> None:
    error = tried(board(of), probe, tmp_path)
    assert error.exit is Exit.BAD_INPUT
    assert error.place is not None
    assert error.place.file.endswith("mps2-an385/board.toml")
    assert error.found == found
    assert " = " in str(error.expected)


def test_a_server_that_runs_already_is_left_alone(tmp_path: Path) -> None:
    remote = parse_remote("localhost:1234")
    with serving(board(None), remote, tmp_path, pytest.fail) as same:
        assert same is remote


def test_the_command_line_is_said_again() -> None:
    assert probe_text(parse_remote("localhost:1234")) == "remote=localhost:1234"
    assert [probe_text(one) for one in Server] == ["auto", "openocd", "probe-rs", "pyocd"]
