# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The simulator of the board pico: our scripts, rp2040js in the user's cache, our watcher."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shutil
from functools import cache
from pathlib import Path

from horolog.cache import cache_folder, made_once
from horolog.data import data_root
from horolog.model import NotInstalled
from horolog.programs import call, require

__all__ = ["RP2040JS", "rp2040_fetch", "rp2040_simulator", "rp2040_version", "rp2040_watcher"]

RP2040JS = "rp2040js"
_FLAGS = ("-std=c11", "-O2")
_OLDEST_NODE = 18


def rp2040_fetch() -> str:
    """The command that fetches rp2040js."""
    return f"sh {data_root() / 'rp2040' / 'fetch.sh'}"


def rp2040_version() -> str:
    """The version of rp2040js in the cache; "absent" if it is not there, or not as it was locked."""
    folder = _library()
    try:
        locked = (data_root() / "rp2040" / "package-lock.json").read_bytes()
        if (folder.parents[1] / "package-lock.json").read_bytes() != locked:
            return "absent"
        said = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    except OSError:
        return "absent"
    return str(said["version"])


def rp2040_simulator() -> list[str]:
    """The command that simulates, without its program's; its usage stands in rp2040/main.cjs.

    HorologError (3) if node or rp2040js is not installed.
    """
    node = shutil.which("node")
    if node is None or _node_major(node) < _OLDEST_NODE:
        raise NotInstalled(
            "the simulator of the board pico does not start",
            found="no node" if node is None else f"node {_node_major(node)}",
            expected=f"node {_OLDEST_NODE} or newer, with npm; then: {rp2040_fetch()}",
        )
    if rp2040_version() == "absent":
        raise NotInstalled(
            f"not installed: {RP2040JS}, which simulates the board pico",
            expected=f"{rp2040_fetch()}   (horolog doctor lists everything)",
        )
    main = data_root() / "rp2040" / "main.cjs"
    return [node, str(main), "--library", str(_library())]


def rp2040_watcher() -> Path:
    """The watcher as an executable; its usage stands in rp2040/watcher.c.

    HorologError (3) if a C compiler is not installed.
    """
    require("gcc")
    root = data_root()
    sources = [root / "rp2040" / "watcher.c", *sorted((root / "watch").glob("*.c"))]
    digest = hashlib.sha256("\0".join([platform.machine(), *_FLAGS]).encode())
    for file in [*sources, *sorted((root / "watch").glob("*.h"))]:
        digest.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    made = cache_folder() / f"rp2040-watcher-{digest.hexdigest()[:16]}"
    return made_once(made, lambda fresh: _compile(sources, root, fresh / made.name))


def _library() -> Path:
    locked = json.loads((data_root() / "rp2040" / "package.json").read_text(encoding="utf-8"))
    version = locked["dependencies"][RP2040JS]
    return cache_folder() / f"{RP2040JS}-{version}" / "node_modules" / RP2040JS


@cache
def _node_major(node: str) -> int:
    found = re.match(r"v(\d+)\.", call([node, "--version"], seconds=20).output)
    return 0 if found is None else int(found[1])


def _compile(sources: list[Path], root: Path, program: Path) -> None:
    command = ["gcc", *_FLAGS, f"-I{root}", *map(str, sources), "-o", str(program)]
    done = call(command, seconds=300)
    if done.status != 0:
        raise NotInstalled(
            "the watcher of the board pico does not compile",
            found=done.errors.strip()[-1000:],
            expected="a C compiler: on Debian, apt-get install gcc libc6-dev",
        )
