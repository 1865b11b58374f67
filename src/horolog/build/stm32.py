# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The simulator of STM32 boards: our program on the crate rp2350-emu, compiled once into the user's cache."""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
from pathlib import Path

from horolog.cache import cache_folder, made_once
from horolog.data import data_root
from horolog.model import NotInstalled
from horolog.programs import call, require, version

__all__ = ["stm32_crate_version", "stm32_simulator"]

_NAME = "horolog-stm32"
_LEAST_RUST = "1.88"
_SECONDS = 900


def stm32_simulator() -> Path:
    """The simulator as an executable; its usage stands in stm32/src/main.rs.

    The first call compiles it, which takes a minute and fetches crates. HorologError (3) if cargo is not
    installed, is too old, or cannot fetch them.
    """
    require("cargo", "gcc")
    root = data_root()
    digest = hashlib.sha256("\0".join([platform.machine(), version("cargo")]).encode())
    for folder in ("stm32", "watch"):
        for file in _sources(root / folder):
            digest.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    made = cache_folder() / f"stm32-{digest.hexdigest()[:16]}"
    return made_once(made, lambda fresh: _compile(root, fresh / made.name))


def stm32_crate_version() -> str:
    """The version of rp2350-emu that stm32/Cargo.toml names."""
    text = (data_root() / "stm32" / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^rp2350-emu = "=([^"]*)"$', text, re.MULTILINE)
    return "unknown" if found is None else found[1]


def _sources(folder: Path) -> list[Path]:
    kinds = (".rs", ".c", ".h", ".toml", ".lock")
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in kinds and "target" not in path.relative_to(folder).parts
    )


def _compile(root: Path, program: Path) -> None:
    """Cargo writes beside its sources, so it gets a copy, without what else a checkout may hold."""
    work = program.with_name("work")
    for folder in ("stm32", "watch"):
        for file in _sources(root / folder):
            copy = work / file.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    command = [
        "cargo",
        "build",
        "--release",
        "--locked",
        "--quiet",
        "--target-dir",
        str(work / "target"),
    ]
    command += ["--manifest-path", str(work / "stm32" / "Cargo.toml")]
    done = call(command, seconds=_SECONDS)
    if done.status != 0:
        raise NotInstalled(
            "the simulator of STM32 boards does not compile",
            found=done.errors.strip()[-1000:],
            expected=f"cargo with Rust {_LEAST_RUST} or newer, and a way to crates.io for the first time",
        )
    (work / "target" / "release" / _NAME).rename(program)
    shutil.rmtree(work)
