# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The guides for applications name what there is, and their code compiles."""

import re

import pytest
from tests.tool.test_house_headers import compile_text

from horolog.data import data_root

ROOT = data_root()
GUIDES = {
    name: (ROOT / "docs" / "guide" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("from-freertos", "interrupts", "basic-tasks")
}
GUIDE = GUIDES["from-freertos"]
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
    "interrupt.h",
    "alarm.h",
    "time.h",
    "chronometer.h",
    "wall_clock.h",
)


@pytest.mark.parametrize(
    ("name", "fewest"), [("from-freertos", 30), ("interrupts", 8), ("basic-tasks", 20)]
)
def test_every_name_of_ours_is_declared(name: str, fewest: int) -> None:
    named = set(re.findall(r"\b(hrl_\w+|HRL_\w+)", GUIDES[name]))
    assert len(named) > fewest
    kernel = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "kernel").rglob("*.h"))
    declared = "\n".join(HEADERS.values()) + kernel  # HRL_CHECKS is the kernel's
    assert {name for name in named if not re.search(rf"\b{name}\b", declared)} == set()


@pytest.mark.parametrize("language", ["C11", "C11, clang"])
def test_the_code_of_a_guide_compiles(language: str) -> None:
    text = GUIDES["interrupts"] + GUIDES["basic-tasks"]
    found = re.findall(r"^```c\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(found) == 6
    for text in found:
        compile_text(language, text)


def test_every_call_of_the_services_stands_in_it() -> None:
    """What a public header declares is in the guide, but for what FreeRTOS has nothing like."""
    ours_alone = {"hrl_thread_overruns", "hrl_thread_sleep_until"}
    declared: set[str] = set()
    for name in SERVICES:
        text = re.sub(r"/\*.*?\*/", "", HEADERS[name], flags=re.DOTALL)
        declared |= set(re.findall(r"\b(hrl_\w+)\(", text))
    assert len(declared) > 20
    assert {name for name in declared - ours_alone if name not in GUIDE} == set()
