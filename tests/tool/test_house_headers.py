# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The public headers compile alone, as C11 and as C++17, and so do the macros that define objects."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADERS = sorted(path.name for path in (ROOT / "include" / "hrl").glob("*.h"))
COMPILERS = {
    "C11": ("gcc", "c", "-std=c11"),
    "C++17": ("g++", "c++", "-std=c++17"),
    "C11, clang": ("clang", "c", "-std=c11"),
    "C++17, clang": ("clang++", "c++", "-std=c++17"),
}
FLAGS = ("-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only")
DEFINITIONS = """
static void entry(void *argument) { (void)argument; }
HRL_THREAD_DEFINE(a_thread, entry, 0, 3, 512);
HRL_SEMAPHORE_DEFINE(a_semaphore, 0, 1);
HRL_MUTEX_DEFINE(a_mutex);
HRL_MUTEX_DEFINE_CEILING(another_mutex, 4);
HRL_POOL_DEFINE(a_pool, 20, 4);
HRL_MESSAGE_QUEUE_DEFINE(a_queue, 16, 4);
HRL_EVENT_DEFINE(an_event);
static void run(void) { }
HRL_BASIC_DEFINE(a_task, run, a_line, 0);
HRL_BASIC_DEFINE_WITH(another_task, run, a_line, 1, 3, true);
HRL_LINE_DEFINE(a_line, 2, &a_task, &another_task);
HRL_LINES(&a_line);
HRL_RESOURCE_DEFINE(a_resource, 2);
#define HRL_CLOCK_HZ 25000000u
static void expire(void *argument, uint32_t expiries) { (void)argument; (void)expiries; }
HRL_ALARM_DEFINE(an_alarm);
HRL_ALARM_DEFINE_CALL(a_calling_alarm, expire, &an_alarm);
HRL_ALARM_DEFINE_GIVE(a_giving_alarm, a_semaphore);
struct hrl_chronometer a_chronometer;
void use(void);
void use(void)
{
    hrl_alarm_start_periodic(&an_alarm, HRL_MS(1) + HRL_US(2u) + HRL_NS(3), HRL_PERIOD_HZ(60), 2);
    hrl_alarm_start_periodic(&an_alarm, HRL_S(1), HRL_PERIOD_US(10), HRL_ALARM_FOREVER);
}
"""


def compile_text(language: str, text: str) -> None:
    compiler, kind, standard = COMPILERS[language]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    ran = subprocess.run(
        [compiler, standard, "-x", kind, *FLAGS, "-I", str(ROOT / "include"), "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_compiles_alone(language: str, header: str) -> None:
    compile_text(language, f"#include <hrl/{header}>\n")


@pytest.mark.parametrize("language", COMPILERS)
def test_objects_can_be_defined(language: str) -> None:
    includes = "".join(f"#include <hrl/{header}>\n" for header in HEADERS)
    compile_text(language, includes + DEFINITIONS)
