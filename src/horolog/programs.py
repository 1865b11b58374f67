# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Other people's programs: found or missed by name, run in bounded time, their versions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic

from horolog.model import NotInstalled

__all__ = [
    "Finished",
    "call",
    "follow",
    "installed_versions",
    "package_versions",
    "require",
    "version",
    "version_text",
]

_PACKAGES: Mapping[str, str] = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "arm-none-eabi-objdump": "binutils-arm-none-eabi",
    "qemu-system-arm": "qemu-system-arm",
    "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf",
    "riscv64-unknown-elf-objdump": "binutils-riscv64-unknown-elf",
    "qemu-system-riscv32": "qemu-system-misc",
    "avr-gcc": "gcc-avr avr-libc",
    "avr-objdump": "binutils-avr",
    "avr-gdb": "gdb-avr",
    "cmake": "cmake",
    "ninja": "ninja-build",
    "gcc": "gcc libc6-dev",
    "gdb-multiarch": "gdb-multiarch",
    "verilator": "verilator",
    "yosys": "yosys",
    "g++": "g++",
    "make": "make",
}
_DROPPED = frozenset(
    {
        "LANGUAGE",
        "VERBOSE",
        "CMAKE_BUILD_TYPE",
        "CFLAGS",
        "CXXFLAGS",
        "CPPFLAGS",
        "ASMFLAGS",
        "LDFLAGS",
    }
)
_SET = {"LC_ALL": "C", "NINJA_STATUS": "[%f/%t] "}
_VERSION = re.compile(r"\d+\.\d+(\.\d+)*")


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended; `status` is None when its time ran out and it was killed."""

    status: int | None
    output: str
    errors: str


def require(*names: str) -> None:
    """HorologError with exit status 3, and what to install, if one of `names` is not on the PATH."""
    missing = [name for name in names if shutil.which(name) is None]
    if missing:
        packages = " ".join(_PACKAGES.get(name, name) for name in missing)
        raise NotInstalled(
            f"not installed: {', '.join(missing)}",
            expected=f"on Debian: apt-get install {packages}   (horolog doctor lists everything)",
        )


def _environment() -> dict[str, str]:
    """The user's, but for what would change what is built, or the words in which programs say it."""
    kept = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    return {**kept, **_SET}


def call(command: Sequence[str], *, seconds: float, folder: Path | None = None) -> Finished:
    """Run `command` to its end, or for at most so long. HorologError (3) if it does not exist."""
    require(command[0])
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return Finished(None, _text(error.stdout), _text(error.stderr))
    return Finished(done.returncode, _text(done.stdout), _text(done.stderr))


def follow(
    command: Sequence[str], *, seconds: float, every: float, tell: Callable[[], None]
) -> Finished:
    """Run `command` like `call`, for a long time: calls `tell` every `every` seconds until it ends."""
    require(command[0])
    end = monotonic() + seconds
    with subprocess.Popen(
        command,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            while True:
                left = end - monotonic()
                try:
                    output, errors = process.communicate(timeout=max(0.0, min(every, left)))
                    return Finished(process.returncode, _text(output), _text(errors))
                except subprocess.TimeoutExpired:
                    if left <= every:
                        process.kill()
                        output, errors = process.communicate()
                        return Finished(None, _text(output), _text(errors))
                tell()
        except BaseException:
            process.kill()
            raise


def version(name: str) -> str:
    """The version that `name --version` states in its first line; "absent" without the program."""
    if shutil.which(name) is None:
        return "absent"
    line = version_text(name).partition("\n")[0]
    found = _VERSION.search(line.rpartition(")")[2]) or _VERSION.search(line)
    return "unknown" if found is None else found.group()


def version_text(name: str) -> str:
    """What `name --version` prints; run again only if another file has the name, or the file has changed."""
    found = shutil.which(name)
    path = Path(found or name).resolve()
    size, when = (0, 0) if found is None else (path.stat().st_size, path.stat().st_mtime_ns)
    return _version_text(name, path, size, when)


@cache
def _version_text(name: str, _path: Path, _size: int, _when: int) -> str:
    return call([name, "--version"], seconds=60).output


def package_versions() -> dict[str, str]:
    """The Debian packages that the programs here come from, as installed; none on another system."""
    return installed_versions(name for packages in _PACKAGES.values() for name in packages.split())


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of those Debian packages that are installed, as dpkg has them."""
    if shutil.which("dpkg-query") is None:
        return {}
    form = "${db:Status-Abbrev}\t${Package}\t${Version}\n"
    query = ["dpkg-query", "--show", f"--showformat={form}", *sorted(set(packages))]
    rows = [line.split("\t") for line in call(query, seconds=20).output.splitlines()]
    return {name: found for status, name, found in rows if status.startswith("ii")}


def _text(data: bytes | None) -> str:
    return "" if data is None else data.decode(errors="replace")
