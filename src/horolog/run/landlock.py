# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runs a command that can open only the files it is given, by Linux's Landlock.

This file is a program, too, started by its path in a Python of its own:

    python -I -S landlock.py [--read PATH | --write PATH | --run PATH | --port N]... -- COMMAND...

`--read`: a file, or a folder and all in it, that may be read; `--run`: the same, and executed; `--write`: a
file that may be read and written. `--port`: the one TCP port that may be listened at. What is not there is
passed over. Where the kernel has no Landlock the command runs as it is (`landlock_version` says so before).
The rules hold for the command, its children, and until they end.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Sequence

__all__ = ["landlock_version", "restrict"]

# linux/landlock.h and asm-generic/unistd.h: the numbers are the same on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH, _NET_PORT = 1, 1, 2
_EXECUTE, _WRITE, _READ, _READ_FOLDER, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_ALL_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_BIND, _CONNECT = 1 << 0, 1 << 1
_NET_SINCE, _SCOPE_SINCE = 4, 6
_ABSTRACT_SOCKETS, _SIGNALS = 1 << 0, 1 << 1
_NO_NEW_PRIVILEGES = 38  # of prctl

_RIGHTS = {
    "--read": _READ | _READ_FOLDER,
    "--run": _READ | _READ_FOLDER | _EXECUTE,
    "--write": _READ | _WRITE | _TRUNCATE,
}


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """The version of the kernel's Landlock; 0 where there is none, or where it is switched off."""
    try:
        found: int = _libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    except (OSError, AttributeError):  # not Linux
        return 0
    return max(found, 0)


def restrict(rights: Sequence[tuple[str, str]]) -> None:
    """Hold this process to `rights`: pairs of an option of the program and its value."""
    version = landlock_version()
    if version == 0:
        return
    libc = _libc()
    handled = max(mask for since, mask in _ALL_BY_VERSION.items() if since <= version)
    attributes = struct.pack("=Q", handled)
    if version >= _NET_SINCE:
        attributes += struct.pack("=Q", _BIND | _CONNECT)
    if version >= _SCOPE_SINCE:
        attributes += struct.pack("=Q", _ABSTRACT_SOCKETS | _SIGNALS)
    ruleset = _checked(
        libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    )
    for option, value in rights:
        if option != "--port":
            _allow_path(libc, ruleset, value, _RIGHTS[option] & handled)
        elif version >= _NET_SINCE:
            rule = struct.pack("=QQ", _BIND, int(value))
            _checked(libc.syscall(_ADD_RULE, ruleset, _NET_PORT, rule, 0))
    _checked(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _allow_path(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        there = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):  # noqa: PTH112  # no pathlib: this program starts for every run
        rights &= ~_READ_FOLDER
    rule = struct.pack("=Qi", rights, there)
    _checked(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
    os.close(there)


def _checked(status: int) -> int:
    if status < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock: {os.strerror(number)}")
    return status


def _program(words: Sequence[str]) -> None:
    end = words.index("--")
    options = words[:end]
    restrict(list(zip(options[::2], options[1::2], strict=True)))
    command = list(words[end + 1 :])
    os.execv(command[0], command)


if __name__ == "__main__":
    _program(sys.argv[1:])
