# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog build, run and compare on the host port, which is quick; and --gdb without a debugger."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop

from horolog.model import Exit

ON_HOST = ('board = "mps2-an385"', 'board = "host"')


def test_run_writes_result_and_report_where_it_says(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.write_changed(ON_HOST)
    monkeypatch.chdir(workshop.directory)
    said = workshop.run("run", "system.toml")
    assert said.code == Exit.OK, said.err
    assert said.out.endswith("build/demo/run.json\nbuild/demo/run.html\n")
    result = json.loads(Path("build/demo/run.json").read_text(encoding="utf-8"))
    assert result["commands"] == ["horolog run system.toml"]
    assert result["horolog"]["jobs"] == 400 + 100
    assert result["horolog"]["instructions"] is None
    assert "<html" in Path("build/demo/run.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in Path().iterdir()) == ["bodies.c", "build", "system.toml"]


def test_json_is_the_result_and_nothing_else(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST)
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--json", "--out", str(out), "--mechanism", "one-shot")
    assert said.code == Exit.OK
    assert said.err == ""
    assert said.out == (out / "run.json").read_text(encoding="utf-8")
    assert said.object["horolog"]["mechanism"] == "one-shot"
    assert said.object["commands"] == [f"horolog run {path} --mechanism one-shot"]


def test_another_board_is_part_of_the_command(workshop: Workshop) -> None:
    path = workshop.write()
    out = workshop.directory / "elsewhere"
    said = workshop.run("compare", str(path), "--board", "host", "--json", "--out", str(out))
    assert said.code == Exit.OK
    assert said.object["commands"] == [f"horolog compare {path} --board host"]
    assert said.object["ratio"] is None
    assert "no instructions are counted on the host port" in said.object["ratio_refused"]


def test_a_baseline_is_part_of_the_command(workshop: Workshop) -> None:
    path = workshop.write()
    arguments = ("compare", str(path), "--board", "host", "--json", "--baseline", "rate-group")
    said = workshop.run(*arguments, "--out", str(workshop.directory / "elsewhere"))
    assert said.code == Exit.OK
    assert said.object["commands"] == [f"horolog compare {path} --board host --baseline rate-group"]
    refused = said.object["baselines"]["rate-group"]["ratio_refused"]
    assert "no instructions are counted on the host port" in refused
    assert said.object["ratio_refused"] is None  # the stock side was not asked for


def test_an_unknown_baseline_is_refused_with_those_there_are(workshop: Workshop) -> None:
    said = workshop.run("compare", str(workshop.write()), "--baseline", "tickless", "--json")
    assert said.code == Exit.BAD_INPUT
    message = said.object["error"]["message"]
    assert "--baseline" in message
    assert "'tickless'" in message
    for name in ("stock", "rate-group", "notify", "all"):
        assert f"'{name}'" in message


def test_a_command_with_odd_names_can_be_typed_again(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST).rename(workshop.directory / "my system.toml")
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--json", "--out", str(out))
    assert said.object["commands"] == [f"horolog run '{path}'"]


def test_checks_are_part_of_the_command_and_noted(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST)
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--checks", "--out", str(out))
    assert said.code == Exit.OK, said.err
    assert "Note: with checks: not for comparison" in said.out
    result = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert result["commands"] == [f"horolog run {path} --checks"]
    assert result["notes"] == ["with checks: not for comparison"]
    assert "with checks" not in workshop.run("run", str(path), "--out", str(out)).out


def test_compare_refuses_checks(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST)
    out = workshop.directory / "elsewhere"
    said = workshop.run("compare", str(path), "--checks", "--out", str(out))
    assert said.code == Exit.BAD_INPUT
    assert "the sides would differ" in said.err
    assert not out.exists()


def test_build_says_what_it_made(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST)
    out = workshop.directory / "elsewhere"
    said = workshop.run("build", str(path), "--json", "--out", str(out))
    assert said.code == Exit.OK
    assert said.object == {
        "generated": str(out / "gen"),
        "horolog": str(out / "cmake" / "host" / "horolog.elf"),
        "freertos": None,
        "baselines": {},
        "flash": [],
        "warnings": [],
    }
    assert Path(said.object["horolog"]).is_file()
    assert (out / "gen" / "hrl_gen_system.c").is_file()
    again = workshop.run("build", str(path), "--out", str(out))
    assert again.out.split() == [
        "generated",
        str(out / "gen"),
        "horolog",
        str(out / "cmake" / "host" / "horolog.elf"),
    ]
    assert "building" in again.err


def test_build_says_why_a_named_side_is_not_built(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST)
    named = ("build", str(path), "--out", str(workshop.directory / "elsewhere"))
    said = workshop.run(*named, "--baseline", "notify")
    assert said.code == Exit.OK
    assert "note: FreeRTOS is not built for host" in said.err
    assert "FreeRTOS" not in workshop.run(*named).err  # it was not asked for
    checked = workshop.run(*named, "--baseline", "notify", "--checks")
    assert checked.code == Exit.BAD_INPUT
    assert "the sides would differ" in checked.err


def test_a_system_that_misses_deadlines_is_measured_and_exits_1(workshop: Workshop) -> None:
    # The fast one's 120 us come first, so the slow one's 32 us end after 152.
    path = workshop.write_changed(ON_HOST, ("work = 500\n", 'work = 500\ndeadline = "100 us"\n'))
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--out", str(out))
    assert said.code == Exit.DOES_NOT_HOLD
    assert "100 of 500 jobs missed their deadline, 0 releases overran" in said.err
    assert "none; the report shows which" in said.err
    result = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert result["horolog"]["deadline_misses"] == 100
    assert (out / "run.html").is_file()


FAST_LATE = ('body = "fast_step"\n', 'body = "fast_step"\noffset = "3 s"\n')
SLOW_LATER = ("work = 500\n", 'work = 500\noffset = "4 s"\n')


@pytest.mark.parametrize("board", ["host", "mps2-an385"])
def test_a_window_in_which_nothing_is_released_is_refused(board: str, workshop: Workshop) -> None:
    path = workshop.write_changed(FAST_LATE, SLOW_LATER)
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--board", board, "--out", str(out))
    assert said.code == Exit.BAD_INPUT
    assert f"{path}:7:1: task.fast: no task is released within the duration" in said.err
    assert "the first at 3 s, with a duration of 2 s" in said.err
    assert "a duration above 3 s, or an offset below 2 s" in said.err
    assert not out.exists()


def test_a_task_that_is_never_released_is_noted(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST, SLOW_LATER)
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--json", "--out", str(out))
    assert said.code == Exit.OK, said.err
    assert said.object["horolog"]["jobs"] == 400
    note = 'task "slow" is first released at 4 s, when the duration of 2 s is over'
    assert said.object["notes"] == [note]
    assert f"note       {note}" in workshop.run("plan", str(path)).out


def test_missed_deadlines_are_one_json_object(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST, ("work = 500\n", 'work = 500\ndeadline = "100 us"\n'))
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--json", "--out", str(out))
    assert said.code == Exit.DOES_NOT_HOLD
    assert said.err == ""
    made = said.object
    error = made.pop("error")
    assert error["message"] == "100 of 500 jobs missed their deadline, 0 releases overran"
    assert error["exit"] == Exit.DOES_NOT_HOLD
    assert made == json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert made["horolog"]["deadline_misses"] == 100


def test_what_is_one_is_not_said_in_the_plural(workshop: Workshop) -> None:
    head, _, _ = workshop.text.partition('[[task]]\nname = "slow"')
    path = workshop.write(head)
    assert "\n1 task, rate-monotonic" in workshop.run("check", str(path)).out
    said = workshop.run("plan", str(path), "--board", "host")
    assert ": 1 task, 400 jobs in 2 s\n" in said.out
    path = workshop.write(head.replace('"2 s"', '"5 ms"'))
    said = workshop.run("plan", str(path), "--board", "host")
    assert ": 1 task, 1 job in 5 ms\n" in said.out
    assert "1 interrupt in 5 ms" in said.out
    assert "1 distinct release instant in 5 ms" in said.out


def test_run_and_compare_leave_each_other_s_report(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST)
    out = workshop.directory / "elsewhere"
    said = workshop.run("compare", str(path), "--out", str(out))
    assert said.code == Exit.OK, said.err
    assert said.out.endswith(f"{out}/result.json\n{out}/report.html\n")
    names = ("result.json", "report.html")
    before = [(out / name).read_bytes() for name in names]
    said = workshop.run("run", str(path), "--out", str(out), "--mechanism", "one-shot")
    assert said.out.endswith(f"{out}/run.json\n{out}/run.html\n")
    assert [(out / name).read_bytes() for name in names] == before


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--vcd-from", "5"), "--vcd-from: a duration needs a unit"),
        (("--vcd-to", "soon"), "--vcd-to: not a duration"),
        (("--vcd-to", "0 ms"), "--vcd-to: a duration of zero"),
    ],
)
def test_a_window_of_the_waveform_is_a_time(
    options: tuple[str, str], text: str, workshop: Workshop
) -> None:
    said = workshop.run("run", str(workshop.write()), "--vcd", "a.vcd", *options)
    assert said.code == Exit.BAD_INPUT
    assert text in said.err


@pytest.mark.parametrize("command", ["build", "run", "compare"])
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["no-such.toml"], "no-such.toml"),
        (["system.toml", "--board", "mps3"], "mps2-an385"),
        (["system.toml", "--mechanism", "magic"], "one-shot"),
        (["system.toml", "--mechanism", "tick", "--board", "mps2-an386x"], "mps2-an385"),
    ],
)
def test_wrong_arguments_are_an_error_and_leave_nothing(
    command: str,
    arguments: list[str],
    text: str,
    workshop: Workshop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workshop.write()
    monkeypatch.chdir(workshop.directory)
    said = workshop.run(command, *arguments)
    assert said.code == Exit.BAD_INPUT
    assert text in said.err
    assert not Path("build").exists()


def test_a_mechanism_that_cannot_serve_the_system_says_why(workshop: Workshop) -> None:
    path = workshop.write_changed(('period = "5 ms"', 'period = "5.5 ms"'))
    said = workshop.run("run", str(path), "--mechanism", "tick", "--out", str(path.parent / "o"))
    assert said.code == Exit.BAD_INPUT
    assert "is no multiple of 1 ms" in said.err
    assert not (path.parent / "o").exists()


# --- the debugger --------------------------------------------------------------------------------


@pytest.fixture
def booted(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The emulators that --gdb would have started; compilers run as ever."""
    commands: list[Sequence[str]] = []
    really = subprocess.run

    def run(command: Sequence[str], **options: object) -> object:
        if "-gdb" in command:
            commands.append(command)
            return subprocess.CompletedProcess(command, 0)
        return really(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", run)
    return commands


@pytest.mark.emulator
def test_gdb_halts_at_reset_and_prints_the_command_to_connect(
    workshop: Workshop, booted: list[Sequence[str]]
) -> None:
    path = workshop.write()
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--gdb", "--out", str(out))
    assert said.code == Exit.OK, said.err
    elf = out / "cmake" / "mps2-an385" / "horolog.elf"
    assert elf.is_file()
    assert f"gdb-multiarch {elf} -ex 'target remote localhost:1234'" in said.err
    assert "halted at reset" in said.err
    (confined,) = booted
    command = confined[confined.index("--") + 1 :]
    assert command[:3] == [shutil.which("qemu-system-arm"), "-M", "mps2-an385"]
    assert confined[confined.index("--port") + 1] == "1234"
    assert "-S" in command
    assert command[command.index("-gdb") + 1] == "tcp:127.0.0.1:1234"
    assert command[command.index("-kernel") + 1] == str(elf)
    assert "-plugin" not in command
    assert not (out / "run.json").exists()


@pytest.mark.emulator
def test_ending_the_debugger_session_is_no_error(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = subprocess.run

    def run(command: Sequence[str], **options: object) -> object:
        if "-gdb" in command:
            raise KeyboardInterrupt
        return really(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", run)
    out = workshop.directory / "elsewhere"
    assert workshop.run("run", str(workshop.write()), "--gdb", "--out", str(out)).code == Exit.OK


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program has."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_port_that_is_taken_is_said_before_anything_is_built(
    workshop: Workshop, booted: list[Sequence[str]], taken: int
) -> None:
    out = workshop.directory / "elsewhere"
    path = str(workshop.write())
    said = workshop.run("run", path, "--gdb-port", str(taken), "--out", str(out))
    assert said.code == Exit.BAD_INPUT
    assert f"port {taken} is taken: a debugger could not connect" in said.err
    free = re.search(r"--gdb-port with a free one, such as (\d+)", said.err)
    assert free is not None
    assert int(free[1]) != taken
    assert booted == []
    assert not out.exists()


@pytest.mark.emulator
def test_the_port_can_be_chosen(workshop: Workshop, booted: list[Sequence[str]]) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(workshop.write()), "--gdb-port", str(port), "--out", str(out))
    assert said.code == Exit.OK, said.err
    assert f"target remote localhost:{port}" in said.err
    (command,) = booted
    assert command[command.index("-gdb") + 1] == f"tcp:127.0.0.1:{port}"


@pytest.mark.emulator
def test_an_emulator_that_does_not_start_is_no_success(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    """The port was free when it was looked at: the emulator itself finds that it is not."""
    monkeypatch.setattr("horolog.cli.run.check_port", lambda port: None)
    out = workshop.directory / "elsewhere"
    path = str(workshop.write())
    said = workshop.run("run", path, "--gdb-port", str(taken), "--out", str(out))
    assert said.code == Exit.TARGET_FAILED
    assert "the emulator ended with status 1" in said.err


def test_gdb_needs_an_emulated_board(workshop: Workshop, booted: list[Sequence[str]]) -> None:
    said = workshop.run("run", str(workshop.write_changed(ON_HOST)), "--gdb")
    assert said.code == Exit.BAD_INPUT
    assert "--gdb needs an emulated board; host is not one" in said.err
    assert booted == []
