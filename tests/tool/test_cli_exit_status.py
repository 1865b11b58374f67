# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How commands end: exit statuses that tell apart what happened, one JSON object, never a traceback."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop

from horolog.cli import boards
from horolog.cli.main import main
from horolog.model import Exit

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "horolog")


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", **more}


def process(
    *arguments: str | Path, folder: Path, **more: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


# --- a fault of Horolog's ---------------------------------------------------------------------------


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to be in, with a command that has a fault."""

    def broken(*arguments: object, **options: object) -> object:
        raise ValueError("zip() argument 2 is\nlonger than argument 1")

    monkeypatch.setattr(boards, "read_board", broken)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_fault_says_that_it_is_horologs_and_leaves_a_file_to_send(faulty: Path) -> None:
    said = Workshop.run("boards", "mps2-an385")
    assert said.code == int(Exit.FAULT) == 70
    assert said.out == ""
    assert "this is a fault of Horolog's, not of your system's" in said.err
    assert "ValueError: zip() argument 2 is longer than argument 1" in said.err
    assert "Traceback" not in said.err
    (file,) = (faulty / "build").iterdir()
    assert f"send:     build/{file.name}" in said.err
    text = file.read_text(encoding="utf-8")
    assert "command: horolog boards mps2-an385\n" in text
    for program in ("horolog", "python", "click", "pydantic", "cmake"):
        assert re.search(rf"^{program} \d+\.\d+", text, re.MULTILINE), text
    assert "Traceback (most recent call last):" in text
    assert "in broken" in text


def test_a_fault_is_one_json_object(faulty: Path) -> None:
    said = Workshop.run("boards", "--json")
    assert said.code == Exit.FAULT
    assert said.err == ""
    error = said.object["error"]
    assert error["exit"] == 70
    assert error["found"].startswith("ValueError: zip()")
    assert Path(error["file"]).is_file()


def test_where_no_file_can_be_left_there_is_the_temporary_folder(
    faulty: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("temporary")
    (faulty / "build").write_text("no folder", encoding="utf-8")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(elsewhere))
    assert Workshop.run("boards").code == Exit.FAULT
    (file,) = elsewhere.iterdir()
    assert "Traceback" in file.read_text(encoding="utf-8")


def test_a_wrong_option_is_an_error_in_json_too() -> None:
    said = Workshop.run("--nonsense", "--json")
    assert said.code == Exit.BAD_INPUT
    assert "No such option" in said.object["error"]["message"]


# --- Ctrl-C -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("json_too", [(), ("--json",)])
def test_an_interrupt_ends_quietly(
    json_too: Sequence[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*arguments: object, **options: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(boards, "read_board", interrupted)
    monkeypatch.chdir(tmp_path)
    said = Workshop.run("boards", *json_too)
    assert said.code == int(Exit.INTERRUPTED) == 130
    assert (said.out, said.err.strip()) == ("", "")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_process_says_nothing(tmp_path: Path) -> None:
    """Whenever the signal comes, once Python has begun with Horolog: here while it waits to read."""
    fifo = tmp_path / "system.toml"
    os.mkfifo(fifo)
    with subprocess.Popen(
        [*COMMAND, "check", str(fifo)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # which a shell's "&" ignores
    ) as running:
        try:
            writer = _opened(fifo)
            _waits_to_read(running.pid)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=30)
            os.close(writer)
        finally:
            running.kill()
    assert (running.returncode, out, err.strip()) == (130, b"", b"")


def _waits_to_read(pid: int) -> None:
    """Returns when the process, which has the file open, sleeps: in its read.

    A signal between Python's last look for one and that call is handled when the call returns: never here.
    """
    asleep = 0
    for _ in range(2000):
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        asleep = asleep + 1 if state == "S" else 0
        if asleep == 20:
            return
        time.sleep(0.005)
    raise AssertionError("the process does not read")


def _opened(fifo: Path) -> int:
    """Its end for writing, as soon as there is a reader."""
    for _ in range(3000):
        try:
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
    raise AssertionError("nothing reads the description")


# --- a reader that has gone -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [("boards",), ("boards", "--json"), ("--help",), ("plan", "--help"), ("schema",)],
    ids=" ".join,
)
def test_a_closed_pipe_ends_quietly(arguments: Sequence[str], tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (Exit.CLOSED_PIPE, b"")
    assert int(Exit.CLOSED_PIPE) == 141


def test_an_output_that_is_full_is_said(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "boards"],
            cwd=tmp_path,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == Exit.BAD_INPUT
    assert b"no space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_an_output_that_is_closed_is_no_fault(closed: str, tmp_path: Path) -> None:
    command = shlex.join([*COMMAND, "boards", "host"])
    done = subprocess.run(
        f"{command} {closed}",
        shell=True,
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"host" in done.stdout) == (not closed.startswith(">"))


# --- terminals that cannot show everything ----------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_what_cannot_be_shown_is_replaced(encoding: str, workshop: Workshop) -> None:
    path = workshop.write_changed(('"demo"', '"demo"\n"n\u00e4me\u6642" = 1'))
    done = process("check", path, folder=workshop.directory, PYTHONIOENCODING=encoding)
    assert done.returncode == Exit.BAD_INPUT
    said = done.stderr.decode(encoding)
    assert "Traceback" not in said
    assert "n?me?" in said or "n\u00e4me?" in said


REPORT = """
from fractions import Fraction
from horolog.cli import console
from horolog.cli.streams import degrade
from horolog.report import terminal
from tests.tool.report_fixture import chronos, measured
degrade()
system = chronos(10, Fraction(1, 20))
result, planned, ours, theirs = measured(system)
console().print(terminal(result, planned, system, ours))
"""


def test_a_report_in_ascii() -> None:
    done = subprocess.run(
        [sys.executable, "-c", REPORT],
        cwd=ROOT,
        env=environment(PYTHONIOENCODING="ascii"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.decode("ascii")
    assert "?" not in said
    assert re.search(r"\d us ", said), said
    assert re.search(r"\d % of the processor", said), said


def test_json_stays_json_in_ascii(workshop: Workshop) -> None:
    path = workshop.write_changed(('"5 ms"', '"5 m\u00e4\u6642"'))
    done = process("check", path, "--json", folder=workshop.directory, PYTHONIOENCODING="ascii")
    assert done.returncode == Exit.BAD_INPUT
    assert json.loads(done.stdout)["error"]["found"] == '"5 m\u00e4\u6642"'


# --- the table of exit codes ------------------------------------------------------------------------


def test_the_readme_and_the_help_have_every_status() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Exit codes of the tool")[2].partition("\n\n##")[0]
    listed = [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)]
    assert listed == [int(code) for code in Exit]
    said = Workshop.run("--help").out
    assert [int(code) for code in re.findall(r"(?:status: |; |;\n +)(\d+) ", said)] == listed
    assert main.name == "main"
