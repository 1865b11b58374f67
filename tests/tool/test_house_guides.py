# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The guide for those who come from FreeRTOS names what there is."""

import re

from horolog.data import data_root

ROOT = data_root()
GUIDE = (ROOT / "docs" / "guide" / "from-freertos.md").read_text(encoding="utf-8")
HEADERS = {
    path.name: path.read_text(encoding="utf-8") for path in (ROOT / "include" / "hrl").glob("*.h")
}


SERVICES = (
    "thread.h",
    "semaphore.h",
    "mutex.h",
    "message_queue.h",
    "pool.h",
    "event.h",
    "alarm.h",
    "time.h",
    "chronometer.h",
    "wall_clock.h",
)


def test_every_name_of_ours_is_declared() -> None:
    named = set(re.findall(r"\b(hrl_\w+|HRL_\w+)", GUIDE))
    assert len(named) > 30
    kernel = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "kernel").rglob("*.h"))
    declared = "\n".join(HEADERS.values()) + kernel  # HRL_CHECKS is the kernel's
    assert {name for name in named if not re.search(rf"\b{name}\b", declared)} == set()


def test_every_call_of_the_services_stands_in_it() -> None:
    """What a public header declares is in the guide, but for what FreeRTOS has nothing like."""
    ours_alone = {"hrl_thread_overruns", "hrl_thread_sleep_until"}
    declared: set[str] = set()
    for name in SERVICES:
        text = re.sub(r"/\*.*?\*/", "", HEADERS[name], flags=re.DOTALL)
        declared |= set(re.findall(r"\b(hrl_\w+)\(", text))
    assert len(declared) > 20
    assert {name for name in declared - ours_alone if name not in GUIDE} == set()
