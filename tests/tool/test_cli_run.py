# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog build, run and compare on the host port, which is quick; and --gdb without a debugger."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop

from horolog.model import Exit
from horolog.model.result import from_json

ON_HOST = ('board = "mps2-an385"', 'board = "host"')


def test_run_writes_result_and_report_where_it_says(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.write_changed(ON_HOST)
    monkeypatch.chdir(workshop.directory)
    said = workshop.run("run", "system.toml")
    assert said.code == Exit.OK, said.err
    assert said.out.endswith("build/demo/result.json\nbuild/demo/report.html\n")
    result = from_json(Path("build/demo/result.json").read_text(encoding="utf-8"))
    assert result.commands == ("horolog run system.toml",)
    assert result.horolog.jobs == 400 + 100
    assert result.horolog.instructions is None
    assert "<html" in Path("build/demo/report.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in Path().iterdir()) == ["bodies.c", "build", "system.toml"]


def test_json_is_the_result_and_nothing_else(workshop: Workshop) -> None:
    path = workshop.write_changed(ON_HOST)
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--json", "--out", str(out), "--mechanism", "one-shot")
    assert said.code == Exit.OK
    assert said.err == ""
    assert said.out == (out / "result.json").read_text(encoding="utf-8")
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
    result = from_json((out / "result.json").read_text(encoding="utf-8"))
    assert result.commands == (f"horolog run {path} --checks",)
    assert result.notes == ("with checks: not for comparison",)
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


def test_a_system_that_misses_deadlines_is_measured_and_exits_1(workshop: Workshop) -> None:
    # The fast one's 120 us come first, so the slow one's 32 us end after 152.
    path = workshop.write_changed(ON_HOST, ("work = 500\n", 'work = 500\ndeadline = "100 us"\n'))
    out = workshop.directory / "elsewhere"
    said = workshop.run("run", str(path), "--out", str(out))
    assert said.code == Exit.DOES_NOT_HOLD
    assert "100 of 500 jobs missed their deadline, 0 releases overran" in said.err
    assert "none; the report shows which" in said.err
    result = from_json((out / "result.json").read_text(encoding="utf-8"))
    assert result.horolog.deadline_misses == 100
    assert (out / "report.html").is_file()


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
        if command[0] == "qemu-system-arm" and "--version" not in command:
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
    (command,) = booted
    assert command[:3] == ["qemu-system-arm", "-M", "mps2-an385"]
    assert "-S" in command
    assert command[command.index("-gdb") + 1] == "tcp:127.0.0.1:1234"
    assert command[command.index("-kernel") + 1] == str(elf)
    assert "-plugin" not in command
    assert not (out / "result.json").exists()


@pytest.mark.emulator
def test_ending_the_debugger_session_is_no_error(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = subprocess.run

    def run(command: Sequence[str], **options: object) -> object:
        if command[0] == "qemu-system-arm" and "-gdb" in command:
            raise KeyboardInterrupt
        return really(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", run)
    out = workshop.directory / "elsewhere"
    assert workshop.run("run", str(workshop.write()), "--gdb", "--out", str(out)).code == Exit.OK


def test_gdb_needs_an_emulated_board(workshop: Workshop, booted: list[Sequence[str]]) -> None:
    said = workshop.run("run", str(workshop.write_changed(ON_HOST)), "--gdb")
    assert said.code == Exit.BAD_INPUT
    assert "--gdb needs an emulated board; host is not one" in said.err
    assert booted == []
