# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What firmware can reach on this machine through the emulator, which serves its semihosting calls.

QEMU's own filter of system calls keeps it from starting programs; Landlock keeps it from all files but its
own and those of the run (SECURITY.md).
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from horolog.programs import call, require
from horolog.run import landlock

__all__ = ["confined", "confinement_gaps", "has_sandbox", "sandbox_options"]

_DENIED = ("obsolete", "elevateprivileges", "spawn", "resourcecontrol")
_SANDBOX = ("-sandbox", ",".join(["on", *(f"{what}=deny" for what in _DENIED)]))

# What an emulator that a distribution has packaged opens before it runs anything.
_READ = (
    "/usr",
    "/etc/ld.so.cache",
    "/etc/qemu",
    "/proc/filesystems",
    "/proc/self/status",
    "/sys/devices/system",
    "/sys/bus/nd/devices",
    "/dev/urandom",
)
_RUN = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")  # the dynamic loader


def has_sandbox(emulator: str) -> bool:
    """Whether QEMU's filter of system calls works here: some builds, and some kernels, have none."""
    program = shutil.which(emulator)
    return program is not None and _starts_in_sandbox(program)


@cache
def _starts_in_sandbox(program: str) -> bool:
    command = [program, *_SANDBOX, "-M", "none", "-cpu", "help"]  # help comes after the filter
    return call(command, seconds=60).status == 0


def sandbox_options(emulator: str) -> tuple[str, ...]:
    """The options that switch the filter on, where there is one."""
    return _SANDBOX if has_sandbox(emulator) else ()


def confined(
    command: Sequence[str],
    *,
    reads: Iterable[Path],
    writes: Iterable[Path] = (),
    port: int | None = None,
) -> list[str]:
    """`command`, held to its own files, `reads` and `writes`, and to listening at `port`.

    The files of `writes` have to be there. HorologError (3) if the program is not installed.
    """
    require(command[0])
    program = Path(shutil.which(command[0]) or command[0])
    prefix = program.resolve().parent.parent
    given = [("--read", path) for path in _READ]
    given += [("--run", path) for path in (*_RUN, str(program.resolve()))]
    given += [("--read", str(prefix / folder)) for folder in ("lib", "share/qemu")]
    given += [("--read", str(path.resolve())) for path in reads]
    given += [("--write", path) for path in ("/dev/null", *(str(w.resolve()) for w in writes))]
    given += [] if port is None else [("--port", str(port))]
    options = [word for pair in given for word in pair]
    wrapper = str(Path(landlock.__file__).resolve())
    return [sys.executable, "-I", "-S", wrapper, *options, "--", str(program), *command[1:]]


def confinement_gaps(emulator: str) -> tuple[str, ...]:
    """What firmware can do on this machine, in words: nothing, unless QEMU or the kernel lacks something."""
    gaps = []
    require(emulator)
    if not has_sandbox(emulator):
        gaps.append(
            f"{emulator} has no -sandbox here: firmware can start programs through semihosting; "
            "run only firmware that you trust, or a QEMU that is built with seccomp"
        )
    if not landlock.landlock_version():
        gaps.append(
            "this kernel has no Landlock: firmware can read and write your files through semihosting; "
            "run only firmware that you trust, or a Linux of 5.13 or newer with lsm=landlock"
        )
    return tuple(gaps)
