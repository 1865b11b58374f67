# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Kernels that are kept: taken for the same texts, flags and compiler, and for nothing else."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import pytest
from tests.system.support import BOARD, HOST, loadable, made_system, ms, task

from horolog.build import compiled
from horolog.build.compiled import Compiled, compiled_before
from horolog.build.firmware import Firmware, build_firmware
from horolog.data import data_root
from horolog.model import System
from horolog.plan import plan
from horolog.read import read_board

SYSTEM = made_system([task("only", ms(10))])


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where kernels are kept, at first none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a cache"))
    return tmp_path / "a cache" / "horolog" / "kernels"


@dataclass(frozen=True)
class First:
    """A build with nothing kept, and what it left: compiled once for these tests."""

    firmware: Firmware
    kept: Path


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> First:
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        return First(built(folder / "1"), folder / "horolog" / "kernels")


@pytest.fixture
def first(once: First, kept: Path) -> Firmware:
    """What was built first; what it left is kept."""
    copytree(once.kept, kept)
    return once.firmware


def built(folder: Path, *, checks: bool = False, system: System = SYSTEM) -> Firmware:
    return build_firmware(system, plan(system).choice, folder, None, checks=checks)


def is_taken(firmware: Firmware) -> bool:
    """Whether no source of the kernel was compiled in the firmware's folder; the folder says the same."""
    objects = list(firmware.folder.glob("CMakeFiles/hrl_thread.dir/**/*.obj"))
    said = (firmware.folder / "compiled.txt").read_text(encoding="utf-8").startswith("from ")
    assert said == (not objects)
    return said


def test_the_second_folder_takes_the_kernel_of_the_first(tmp_path: Path, first: Firmware) -> None:
    second = built(tmp_path / "2")
    assert not is_taken(first)
    assert is_taken(second)
    assert loadable(first.horolog) == loadable(second.horolog)


@pytest.mark.usefixtures("first")
def test_with_other_flags_it_is_another_kernel(tmp_path: Path) -> None:
    assert not is_taken(built(tmp_path / "2", checks=True))
    assert is_taken(built(tmp_path / "3", checks=True))


@pytest.mark.usefixtures("first")
def test_a_kernel_is_not_taken_when_a_header_from_elsewhere_has_changed(
    tmp_path: Path, kept: Path
) -> None:
    (others,) = kept.glob("*/others")
    was = others.read_text(encoding="utf-8")
    assert "/stdint.h\n" in was
    for line in was.splitlines():
        digest, _, name = line.partition(" ")
        assert hashlib.sha256(Path(name).read_bytes()).hexdigest() == digest
    others.write_text(was.replace(was[:8], "00000000", 1), encoding="utf-8")
    assert not is_taken(built(tmp_path / "2"))  # and is kept instead of the first
    (others,) = kept.glob("*/others")
    assert others.read_text(encoding="utf-8") == was
    others.write_text(f"{was}{'0' * 64} /no/such/header.h\n", encoding="utf-8")
    assert not is_taken(built(tmp_path / "3"))


def test_a_kernel_of_which_a_part_is_missing_is_not_taken(
    tmp_path: Path, kept: Path, first: Firmware
) -> None:
    (archive,) = kept.glob("*/files/libhrl_kernel.a")
    archive.unlink()
    second = built(tmp_path / "2")
    assert not is_taken(second)
    assert loadable(first.horolog) == loadable(second.horolog)
    assert is_taken(built(tmp_path / "3"))


def test_without_a_cache_that_can_be_written_all_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert not is_taken(built(tmp_path / "1"))
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert compiled_before(SYSTEM.board) is None
    made = built(tmp_path / "2")
    assert list(made.folder.glob("CMakeFiles/hrl_thread.dir/**/*.obj"))


def homeless() -> Path:
    raise RuntimeError("Could not determine home directory.")


# --- the digest ------------------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some of the texts, in a folder of their own."""
    root = tmp_path / "checkout"
    for name in ("include", "cmake"):
        copytree(data_root() / name, root / name)
    for name in ("kernel/time", "ports/host"):
        copytree(data_root() / name, root / name)
    monkeypatch.setattr(compiled, "data_root", lambda: root)
    return root


def before(board: str = BOARD) -> Compiled:
    found = compiled_before(read_board(board))
    assert found is not None
    return found


def test_the_digest_is_of_names_and_contents(checkout: Path) -> None:
    first = before().texts
    source = checkout / "kernel" / "time" / "clock.c"
    text = source.read_bytes()
    source.write_bytes(text.replace(b"the", b"The", 1))  # as long as before
    second = before().texts
    source.rename(source.with_name("clack.c"))
    third = before().texts
    (checkout / "kernel" / "time" / "clack.c").rename(source)
    source.write_bytes(text)
    assert before().texts == first
    assert len({first, second, third}) == 3


def test_the_digest_is_of_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = before()
    mine = tmp_path / "bin" / "arm-none-eabi-gcc"
    mine.parent.mkdir()
    mine.write_text('#!/bin/sh\nexec /usr/bin/arm-none-eabi-gcc "$@"\n', encoding="ascii")
    mine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{mine.parent}:{os.environ['PATH']}")
    second = before()
    mine.write_text(mine.read_text(encoding="ascii") + "# newer\n", encoding="ascii")
    third = before()
    monkeypatch.setenv("CPATH", str(tmp_path))
    fourth = before()
    for what in ("texts", "compilers"):
        assert len({getattr(one, what) for one in (first, second, third, fourth)}) == 4


def test_the_compilers_are_those_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    assert before(BOARD).compilers != before("mps2-an386").compilers != before(HOST).compilers
    on_host, on_board = before(HOST), before(BOARD)
    monkeypatch.setenv("CC", "clang -m32")
    assert before(HOST).compilers != on_host.compilers
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "/nowhere")
    assert before(BOARD).texts != on_board.texts


# --- what is removed -------------------------------------------------------------------------------


@pytest.mark.usefixtures("first")
def test_the_kernels_that_were_not_used_for_the_longest_time_are_removed(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own,) = kept.glob("*/members")
    os.utime(own, (2, 2))
    assert is_taken(built(tmp_path / "2"))
    assert own.stat().st_mtime > 2  # it was used
    monkeypatch.setattr(compiled, "_MOST", 2)
    (kept / "oldest").mkdir()
    (kept / "oldest.lock").touch()
    (kept / "oldest" / "members").touch()
    os.utime(kept / "oldest" / "members", (1, 1))
    built(tmp_path / "3", checks=True)
    assert not (kept / "oldest").exists()
    assert not (kept / "oldest.lock").exists()
    assert own.exists()
    assert len(list(kept.glob("*/members"))) == 2
