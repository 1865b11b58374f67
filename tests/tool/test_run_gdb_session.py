# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A batch of gdb's: where it connects to, and what each way in which it ends means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from horolog.model import ChipId, Exit, HorologError, Probing
from horolog.programs import Finished
from horolog.read import read_board
from horolog.run import Remote, gdb_session, parse_remote
from horolog.run.gdb_session import chip_commands, read_after, refuse_other_chip

MATCHED = "@connected\n@loaded\nSection .text, range 0x0 -- 0x9: matched.\n@compared\n@started\n"


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("localhost:1234", "localhost", 1234),
        ("192.168.1.7:3333", "192.168.1.7", 3333),
        ("[::1]:65535", "::1", 65535),
    ],
)
def test_a_remote_is_a_host_and_a_port(text: str, host: str, port: int) -> None:
    remote = parse_remote(text)
    assert (remote.host, remote.port, remote.text) == (host, port, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1234",
        "localhost",
        "localhost:",
        ":1234",
        "a:0",
        "a:65536",
        "a b:1",
        "a:1 x",
        "$(x):1",
        "a:1\n",
    ],
)
def test_nothing_else_is(text: str) -> None:
    with pytest.raises(ValueError, match=r"HOST:PORT"):
        parse_remote(text)


def ended(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    done: Finished,
    scripts: list[str] | None = None,
) -> None:
    """As if gdb had ended like `done`."""

    def call(command: Sequence[str], *, seconds: float, folder: Path) -> Finished:
        if scripts is not None:
            scripts.append((folder / command[command.index("-x") + 1]).read_text())
        return done

    monkeypatch.setattr(gdb_session, "call", call)
    monkeypatch.setattr(gdb_session, "require", lambda name: None)
    monkeypatch.setattr(
        gdb_session, "load_commands", lambda board, elf: ["load", "compare-sections"]
    )
    board = read_board("mps2-an385")
    where, reads = Remote("here", 1, "reset halt"), [("out.bin", "low", "high")]
    read_after(board, tmp_path / "x.elf", where, "the_end", reads, tmp_path, 5)


def refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, done: Finished) -> HorologError:
    with pytest.raises(HorologError) as caught:
        ended(monkeypatch, tmp_path, done)
    assert caught.value.exit is Exit.TARGET_FAILED
    return caught.value


def test_the_target_is_reset_loaded_compared_run_and_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scripts: list[str] = []
    done = Finished(0, MATCHED + "@stopped\n@at 1\n@read\n", "")
    ended(monkeypatch, tmp_path, done, scripts)
    words = ["target remote here:1", "monitor reset halt", "load", "compare-sections"]
    words += ["thbreak the_end", "continue", "dump binary memory out.bin low high", "detach"]
    places = [scripts[0].index(word) for word in words]
    assert places == sorted(places)


def test_no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    error = refused(monkeypatch, tmp_path, Finished(1, "", "here:1: Connection refused."))
    assert error.message == "no gdb server answers at here:1"
    assert "Connection refused" in (error.found or "")
    assert "nothing was loaded" in (error.expected or "")


def test_a_server_that_says_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    error = refused(monkeypatch, tmp_path, Finished(None, "", ""))
    assert (error.message, error.found) == ("no gdb server answers at here:1", "nothing in 5 s")


@pytest.mark.parametrize(
    "done", [Finished(1, "@connected\n", "Load failed"), Finished(None, "@connected\n", "")]
)
def test_a_firmware_that_was_not_loaded_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, done: Finished
) -> None:
    error = refused(monkeypatch, tmp_path, done)
    assert "was not loaded, or only a part of it" in error.message


def test_a_section_that_differs_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = (
        "@connected\n@loaded\nSection .text, range 0x0 -- 0x9: MIS-MATCHED!\n@compared\n@started\n"
    )
    error = refused(monkeypatch, tmp_path, Finished(0, said, ""))
    assert "is not what was loaded" in error.message
    assert error.found == "Section .text, range 0x0 -- 0x9: MIS-MATCHED!"


def test_a_target_that_stops_answering(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    error = refused(monkeypatch, tmp_path, Finished(None, MATCHED, ""))
    assert error.message == "the target behind here:1 stopped answering"


def test_a_firmware_that_stops_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    error = refused(monkeypatch, tmp_path, Finished(0, MATCHED + "SIGTRAP\n@stopped\n@at 0\n", ""))
    assert "stopped before its trace ended" in error.message


def test_memory_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done = Finished(1, MATCHED + "@stopped\n@at 1\n", "Cannot access memory at address 0x9")
    error = refused(monkeypatch, tmp_path, done)
    assert "could not be read out" in error.message
    assert "Cannot access memory" in (error.found or "")


def test_another_processor_is_told_before_anything_is_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    error = refused(monkeypatch, tmp_path, Finished(3, "@connected\n@core 0xc240\n", ""))
    assert error.message == "the chip behind here:1 is not that of mps2-an385"
    assert (error.found, error.expected) == ("cortex-m4", "cortex-m3; nothing was loaded")
    odd = refused(monkeypatch, tmp_path, Finished(3, "@connected\n@core 0x1230\n", ""))
    assert odd.found == "a processor whose CPUID says 0x1230"


def test_another_chip_is_told_by_its_word() -> None:
    chip = ChipId(0x40000000, 0xFFF, 0x927)
    board = replace(read_board("mps2-an385"), probe=Probing(chip=chip))
    remote = Remote("here", 1)
    with pytest.raises(HorologError) as caught:
        refuse_other_chip(board, remote, "@connected\n@core 0xc230\n@chip 0x123\n")
    assert caught.value.found == "0x123 at 0x40000000, masked with 0xfff"
    assert caught.value.expected == "0x927; nothing was loaded"
    with pytest.raises(HorologError, match="does not say that it is that of mps2-an385") as silent:
        refuse_other_chip(board, remote, "@connected\n@core 0xc230\nCannot access memory\n")
    assert "a cortex-m3, and no word from 0x40000000" in (silent.value.found or "")
    pico = read_board("pico")
    with pytest.raises(HorologError, match="is not that of pico") as other:
        refuse_other_chip(pico, remote, "@connected\n@core 0xc200\n")
    assert (other.value.found, other.value.expected) == (
        "cortex-m0",
        "cortex-m0plus; nothing was loaded",
    )
    assert silent.value.expected == "0x927 there, masked with 0xfff; nothing was loaded"
    refuse_other_chip(board, remote, "@connected\n@core 0xc230\n@chip 0x927\n@known\n")
    refuse_other_chip(board, remote, "@connected\n@core 0xc230\n@chip 0x927\n")  # gdb ended there
    refuse_other_chip(replace(board, probe=None), remote, "@connected\n@core 0xc230\n")
    asked = "\n".join(chip_commands(board))
    assert "*(unsigned int *)0x40000000 & 0xfff" in asked
    assert "if $word != 0x927" in asked
    assert asked.index("0xc230") < asked.index("0x927")


def test_what_is_no_processor_of_arm_is_not_asked() -> None:
    assert chip_commands(read_board("qemu-virt-rv32")) == []
