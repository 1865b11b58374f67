# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The user's cache folder, and how files come into shared folders: whole, and each made once.

Threads and processes may use a folder at the same time. What is in it under its own name is complete.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from horolog.model import HorologError, NotInstalled

__all__ = ["cache_folder", "made_once", "write_whole"]

_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


def cache_folder() -> Path:
    """$XDG_CACHE_HOME/horolog, below ~/.cache by default, whether or not it is there.

    baselines/freertos/fetch.sh says the same in shell. HorologError (3) if the user has no home folder.
    """
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():  # a relative path is to be ignored: XDG Base Directory Specification
        return named / "horolog"
    try:
        return Path.home() / ".cache" / "horolog"
    except RuntimeError as error:
        raise NotInstalled(
            "there is no cache folder: neither XDG_CACHE_HOME nor HOME is set",
            expected="XDG_CACHE_HOME=/path of a folder that you can write",
        ) from error


def made_once(
    path: Path, make: Callable[[Path], None], *, waiting: Callable[[], None] = lambda: None
) -> Path:
    """`path`, a file or a folder; `make` makes it if it is not there.

    `make` is given an empty folder beside `path` and leaves in it what is to become `path`, under the same
    name. Threads and processes that want `path` at the same time wait for the first, after they have called
    `waiting`. HorologError (3) if the folder of `path` cannot be written.
    """
    if path.exists():
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_name(f"{path.name}.lock").open("w")
    except OSError as error:
        raise _not_writable(path.parent, error) from error
    with lock:  # held until it is closed
        _hold(lock.fileno(), waiting)
        if not path.exists():  # it may have been made while this one waited
            with TemporaryDirectory(prefix=f"{path.name}.", dir=path.parent) as folder:
                make(Path(folder))
                (Path(folder) / path.name).replace(path)
    return path


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path` and make its folder if needed: a reader sees the old file or the new one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f"{path.name}.", dir=path.parent) as folder:
            fresh = Path(folder) / path.name
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(path)
    except OSError as error:
        raise NotInstalled(f"{path} cannot be written", found=error.strerror) from error


def _hold(lock: int, waiting: Callable[[], None]) -> None:
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError as error:
        # A file system without locks: what is made is then made twice at worst, but still moved in whole.
        if error.errno not in _NO_LOCKS:
            raise


def _not_writable(folder: Path, error: OSError) -> HorologError:
    return NotInstalled(
        f"the cache folder cannot be written: {folder}",
        found=error.strerror,
        expected="XDG_CACHE_HOME=/path of a folder that you can write",
    )
