# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The simulator of AVR boards: our program on libsimavr, compiled once into the user's cache."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from horolog.cache import cache_folder, made_once
from horolog.data import data_root
from horolog.model import NotInstalled
from horolog.programs import call, require

__all__ = ["simavr_simulator", "simavr_version"]

_FLAGS = ("-std=c11", "-O2")
_CONFIGURATION = Path("/usr/include/simavr/sim_core_config.h")
_VERSION = re.compile(r'CONFIG_SIMAVR_VERSION "([^"]*)"')


def simavr_simulator() -> Path:
    """The simulator as an executable; its usage stands in simavr/main.c.

    HorologError (3) if a C compiler or libsimavr is not installed.
    """
    require("gcc")
    root = data_root()
    folders = (root / "simavr", root / "watch")
    sources = [path for folder in folders for path in sorted(folder.glob("*.c"))]
    headers = [path for folder in folders for path in sorted(folder.glob("*.h"))]
    digest = hashlib.sha256("\0".join([platform.machine(), simavr_version(), *_FLAGS]).encode())
    for file in [*sources, *headers]:
        digest.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    made = cache_folder() / f"simavr-{digest.hexdigest()[:16]}"
    return made_once(made, lambda fresh: _compile(sources, root, fresh / made.name))


def simavr_version() -> str:
    """The version of the installed library's headers; "absent" without them."""
    try:
        text = _CONFIGURATION.read_text(encoding="utf-8")
    except OSError:
        return "absent"
    found = _VERSION.search(text)
    return "unknown" if found is None else found[1]


def _compile(sources: Sequence[Path], root: Path, program: Path) -> None:
    command = ["gcc", *_FLAGS, f"-I{root}", *map(str, sources), "-o", str(program), "-lsimavr"]
    done = call(command, seconds=300)
    if done.status != 0:
        raise NotInstalled(
            "the simulator of AVR boards does not compile",
            found=done.errors.strip()[-1000:],
            expected="libsimavr 1.6: on Debian, apt-get install libsimavr-dev",
        )
