# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where a ThreadX is that the user has built, if there is one: never fetched, copied in, or built here."""

from __future__ import annotations

import os
import re
from pathlib import Path

from horolog.model import HorologError

__all__ = ["threadx_build", "threadx_options", "threadx_version"]

_API = "common/inc/tx_api.h"
_CHECKOUT = (_API, "ports/cortex_m3/gnu/inc/tx_port.h")
_USER = "build/custom_inc/tx_user.h"
_BUILT = ("build/libthreadx.a", _USER)
_PARTS = ("MAJOR", "MINOR", "PATCH")
_FASTEST = ("TX_DISABLE_ERROR_CHECKING", "TX_INLINE_THREAD_RESUME_SUSPEND")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_OPTION = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(TX_\w+)[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def threadx_build() -> Path | None:
    """$THREADX, a checkout of ThreadX that is built for the Cortex-M3 in its folder build; None if unset.

    HorologError if it is set and is no such folder, or is not built in the fastest configuration.
    """
    named = os.environ.get("THREADX")
    if not named:
        return None
    folder = Path(named)
    _require_files(folder, "THREADX is no checkout of ThreadX", _CHECKOUT)
    if threadx_version(folder) is None:
        raise HorologError(
            "THREADX is a checkout of an unknown version of ThreadX",
            found=f"{named}/{_API}",
            expected=" and ".join(f"#define {_defined(part)} N" for part in _PARTS) + " in it",
        )
    _require_files(folder, "THREADX is a checkout of ThreadX that is not built", _BUILT)
    options = {option.split()[0] for option in threadx_options(folder)}
    slow = [option for option in _FASTEST if option not in options]
    if slow:
        raise HorologError(
            "THREADX is not built in its fastest configuration",
            found=f"{named}/{_USER}, without {' and '.join(slow)}",
            expected=f"{' and '.join(_FASTEST)} defined in the tx_user.h that it is built with",
        )
    return folder


def threadx_version(folder: Path) -> str | None:
    """The version of the ThreadX in `folder`, such as 6.4.2; None if it does not say."""
    text = (folder / _API).read_text(encoding="utf-8", errors="replace")
    found = [
        re.search(rf"^#define {_defined(part)}\s+(\d+)", text, re.MULTILINE) for part in _PARTS
    ]
    numbers = [match[1] for match in found if match is not None]
    return ".".join(numbers) if len(numbers) == len(_PARTS) else None


def threadx_options(folder: Path) -> tuple[str, ...]:
    """What the ThreadX in `folder` is built with by its tx_user.h, such as "TX_MAX_PRIORITIES 32"."""
    text = _COMMENT.sub(" ", (folder / _USER).read_text(encoding="utf-8", errors="replace"))
    found = (" ".join(filter(None, match.groups())) for match in _OPTION.finditer(text))
    return tuple(option for option in found if option != "TX_USER_H")


def _require_files(folder: Path, summary: str, names: tuple[str, ...]) -> None:
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise HorologError(
            summary,
            found=f"{folder}, without {' and '.join(missing)}",
            expected=f"a folder with {', '.join(_CHECKOUT + _BUILT)}",
        )


def _defined(part: str) -> str:
    return f"THREADX_{part}_VERSION"
