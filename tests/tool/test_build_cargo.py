# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How our simulators in Rust come into the cache, by that of STM32 boards."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from horolog.build import cargo
from horolog.build.stm32 import stm32_crate_version, stm32_simulator
from horolog.data import data_root
from horolog.model import Exit, HorologError
from horolog.programs import Finished


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources in a folder with a space, a cache of their own, and cargo's place taken."""
    root = tmp_path / "a place with ö"
    for folder in ("stm32", "watch", "rp2040/cores/src"):
        copytree(data_root() / folder, root / folder, ignore=ignore_patterns("target"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(root / "cache"))
    monkeypatch.setattr(cargo, "data_root", lambda: root)
    monkeypatch.setattr(cargo, "require", lambda *names: None)
    return root


def builds(command: list[str], **_: object) -> Finished:
    assert command[:4] == ["cargo", "build", "--release", "--locked"]
    target = Path(command[command.index("--target-dir") + 1])
    (target / "release").mkdir(parents=True)
    (target / "release" / "horolog-stm32").write_text("program", encoding="utf-8")
    assert (target.parent / "stm32" / "src" / "main.rs").is_file()
    assert (target.parent / "watch" / "watch.h").is_file()
    return Finished(0, "", "")


def test_it_is_compiled_again_when_a_source_has_changed(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cargo, "call", builds)
    first = stm32_simulator()
    assert first.read_text(encoding="utf-8") == "program"
    made = first.stat().st_mtime_ns
    assert stm32_simulator() == first
    assert first.stat().st_mtime_ns == made
    (checkout / "stm32" / "src" / "timer.rs").write_text("// another\n", encoding="utf-8")
    assert stm32_simulator() != first


def test_what_does_not_compile_is_not_kept(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(command: list[str], **_: object) -> Finished:
        return Finished(101, "", "error: rustc 1.63 is not supported\n")

    monkeypatch.setattr(cargo, "call", fails)
    with pytest.raises(HorologError) as raised:
        stm32_simulator()
    assert raised.value.exit is Exit.NOT_INSTALLED
    assert raised.value.found == "error: rustc 1.63 is not supported"
    assert "Rust 1.88 or newer" in (raised.value.expected or "")
    assert not [path for path in (checkout / "cache" / "horolog").iterdir() if path.suffix == ""]


def test_the_version_stands_in_its_manifest(checkout: Path) -> None:
    assert stm32_crate_version() == "0.2.6"
    (checkout / "stm32" / "Cargo.toml").write_text("", encoding="utf-8")
    assert stm32_crate_version() == "unknown"
