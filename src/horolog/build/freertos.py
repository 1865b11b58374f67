# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where FreeRTOS's source is: a dependency that is never copied in."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from horolog.cache import cache_folder
from horolog.data import data_root
from horolog.model import HorologError, NotInstalled

__all__ = ["FREERTOS_VERSION", "HOW_TO_GET_IT", "freertos_source", "freertos_version"]

FREERTOS_VERSION = "V11.2.0"
HOW_TO_GET_IT = (
    "FreeRTOS's source is not here: set FREERTOS_KERNEL to a checkout of FreeRTOS-Kernel "
    f"{FREERTOS_VERSION}, or run baselines/freertos/fetch.sh (needs cargo 1.85 or newer)"
)

_VERSION = re.compile(rb'^#define tskKERNEL_VERSION_NUMBER\s+"([^"]+)"', re.MULTILINE)


def freertos_source() -> Path | None:
    """FreeRTOS-Kernel's folder: $FREERTOS_KERNEL, else what fetch.sh put in the cache, else None.

    HorologError if $FREERTOS_KERNEL is set and is no such folder, and (3) if the cache's files are not those
    that were released: what is measured beside Horolog shall be what it is called.
    """
    named = os.environ.get("FREERTOS_KERNEL")
    if named:
        folder = Path(named)
        if freertos_version(folder) is None:
            raise HorologError(
                "FREERTOS_KERNEL is no FreeRTOS-Kernel folder",
                found=named,
                expected="a folder with tasks.c, list.c and include/task.h",
            )
        return folder
    folder = cache_folder() / f"freertos-{FREERTOS_VERSION.lower()}" / "FreeRTOS-Kernel"
    if not folder.is_dir():
        return None
    changed = _changed(folder)
    if changed:
        raise NotInstalled(
            f"what is in the cache is not FreeRTOS-Kernel {FREERTOS_VERSION}",
            found=f"{changed[0]}, changed or missing"
            + (f", and {len(changed) - 1} more" if changed[1:] else ""),
            expected=f"sh {data_root() / 'baselines' / 'freertos' / 'fetch.sh'}   (fetches it anew)",
        )
    return folder


def _changed(folder: Path) -> list[Path]:
    """The files of `folder` that are not as fetch/files.sha256 says, which fetch.sh reads, too."""
    listed = data_root() / "baselines" / "freertos" / "fetch" / "files.sha256"
    changed = []
    for line in listed.read_text(encoding="ascii").splitlines():
        if line.startswith("#"):
            continue
        wanted, name = line.split("  ", 1)
        path = folder / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != wanted:
            changed.append(path)
    return changed


def freertos_version(folder: Path) -> str | None:
    """The version of the FreeRTOS-Kernel in `folder`, None if there is none."""
    try:
        found = _VERSION.search((folder / "include" / "task.h").read_bytes())
    except OSError:
        return None
    return found.group(1).decode() if found and (folder / "tasks.c").is_file() else None
