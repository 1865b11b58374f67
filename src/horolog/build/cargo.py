# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Our simulators on crates: programs in Rust, each compiled once into the user's cache."""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from horolog.cache import cache_folder, made_once
from horolog.data import data_root
from horolog.model import NotInstalled
from horolog.programs import call, require, version

__all__ = ["CargoProgram"]

_LEAST_RUST = "1.88"
_SECONDS = 900
_KINDS = (".rs", ".c", ".h", ".toml", ".lock")


@dataclass(frozen=True, slots=True)
class CargoProgram:
    """The program `name` of the package in `folder`, below our data; `simulates` says what, in words.

    `crate` is the one that it is about. The package reads sources in the folders `also`, too.
    """

    name: str
    folder: str
    simulates: str
    crate: str
    also: Sequence[str] = ()
    programs: Sequence[str] = ("cargo",)
    """What has to be installed."""

    def made(self) -> Path:
        """The executable. The first call compiles it, which takes a minute and fetches crates.

        HorologError (3) if cargo is not installed, is too old, or cannot fetch them.
        """
        require(*self.programs)
        root = data_root()
        digest = hashlib.sha256("\0".join([platform.machine(), version("cargo")]).encode())
        for file in self._sources(root):
            digest.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
        short = self.name.removeprefix("horolog-")
        made = cache_folder() / f"{short}-{digest.hexdigest()[:16]}"
        return made_once(made, lambda fresh: self._compile(root, fresh / made.name))

    def crate_version(self) -> str:
        """The version of `crate` that the package's Cargo.toml names."""
        text = (data_root() / self.folder / "Cargo.toml").read_text(encoding="utf-8")
        found = re.search(rf'^{self.crate} = "=([^"]*)"$', text, re.MULTILINE)
        return "unknown" if found is None else found[1]

    def _sources(self, root: Path) -> list[Path]:
        return [
            path
            for folder in (self.folder, *self.also)
            for path in sorted((root / folder).rglob("*"))
            if path.suffix in _KINDS and "target" not in path.relative_to(root / folder).parts
        ]

    def _compile(self, root: Path, program: Path) -> None:
        """Cargo writes beside its sources, so it gets a copy, without what else a checkout may hold."""
        work = program.with_name("work")
        for file in self._sources(root):
            copy = work / file.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        target = work / "target"
        command = [
            "cargo",
            "build",
            "--release",
            "--locked",
            "--quiet",
            "--target-dir",
            str(target),
        ]
        command += ["--manifest-path", str(work / self.folder / "Cargo.toml")]
        done = call(command, seconds=_SECONDS)
        if done.status != 0:
            raise NotInstalled(
                f"the simulator of {self.simulates} does not compile",
                found=done.errors.strip()[-1000:],
                expected=f"cargo with Rust {_LEAST_RUST} or newer, and a way to crates.io for the first time",
            )
        (target / "release" / self.name).rename(program)
        shutil.rmtree(work)
