# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The public headers compile alone, as C11 and as C++17, and so do the macros that define objects."""

from __future__ import annotations

import re
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
FLAGS = ("-pedantic", "-Wall", "-Wextra", "-Werror")
CORES = {1: (), 2: ("-DHRL_CORES=2", "-Wno-missing-field-initializers")}
"""Flags for so many cores; in C++ the macros of threads and alarms leave out the fields of several cores."""
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
HRL_COUNTER_DEFINE(a_counter, 99, 1);
HRL_CLOCK_COUNTER_DEFINE(a_clock_counter);
HRL_SPINLOCK_DEFINE(a_spinlock, 1);
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


ARRAYS = """
static void entry(void *argument) { (void)argument; }
static uint64_t stacks[2][512 / 8];
struct hrl_thread threads[2] = {HRL_THREAD_INIT("left", entry, &stacks, 3, stacks[0]),
                                HRL_THREAD_INIT("right", entry, 0, 31, stacks[1])};
struct hrl_semaphore semaphores[2] = {HRL_SEMAPHORE_INIT(0, 1), HRL_SEMAPHORE_INIT(4, 4u)};
struct hrl_mutex mutexes[2] = {HRL_MUTEX_INIT, HRL_MUTEX_INIT_CEILING(4)};
struct hrl_event events[2] = {HRL_EVENT_INIT, HRL_EVENT_INIT};
static uint32_t slots[2][HRL_MESSAGE_SLOTS(12, 5)];
struct hrl_message_queue queues[2] = {HRL_MESSAGE_QUEUE_INIT(slots[0], 12),
                                      HRL_MESSAGE_QUEUE_INIT(slots[1], 20u)};
static uint64_t storage[2][HRL_POOL_BLOCKS(20, 4)];
struct hrl_pool pools[2] = {HRL_POOL_INIT(storage[0], 20), HRL_POOL_INIT(storage[1], 24)};
struct hrl_spinlock spinlocks[2] = {HRL_SPINLOCK_INIT(1), HRL_SPINLOCK_INIT(2)};
struct hrl_resource resources[2] = {HRL_RESOURCE_INIT(2), HRL_RESOURCE_INIT(3)};
static void expire(void *argument, uint32_t expiries) { (void)argument; (void)expiries; }
struct hrl_alarm alarms[3] = {HRL_ALARM_INIT, HRL_ALARM_INIT_CALL(expire, &stacks),
                              HRL_ALARM_INIT_GIVE(semaphores[1])};
"""

WRONG = {
    "HRL_THREAD_DEFINE(a, entry, 0, 3, 100);": "a stack is a multiple of 8 bytes",
    "HRL_THREAD_DEFINE(a, entry, 0, 3, 0);": "a stack is a multiple of 8 bytes",
    "HRL_THREAD_DEFINE(a, entry, 0, 0, 512);": "the priority of a thread is from 1 to HRL_PRIORITIES - 1",
    "HRL_THREAD_DEFINE(a, entry, 0, 32, 512);": "the priority of a thread is from 1 to HRL_PRIORITIES - 1",
    "HRL_SEMAPHORE_DEFINE(a, 2, 1);": "a semaphore holds at least one token",
    "HRL_SEMAPHORE_DEFINE(a, 0, 0);": "a semaphore holds at least one token",
    "HRL_MUTEX_DEFINE_CEILING(a, 0);": "a ceiling is a priority of threads",
    "HRL_MUTEX_DEFINE_CEILING(a, 32);": "a ceiling is a priority of threads",
    "HRL_MESSAGE_QUEUE_DEFINE(a, 6, 4);": "a message is a multiple of 4 bytes",
    "HRL_MESSAGE_QUEUE_DEFINE(a, 0, 4);": "a message is a multiple of 4 bytes",
    "HRL_MESSAGE_QUEUE_DEFINE(a, 8, 0);": "the capacity must be at least 1",
    "HRL_POOL_DEFINE(a, 0, 4);": "block size and number of blocks must be above 0",
    "HRL_POOL_DEFINE(a, 16, 0);": "block size and number of blocks must be above 0",
    "HRL_SPINLOCK_DEFINE(a, 0);": "the number of a spinlock is from 1 on",
    "HRL_RESOURCE_DEFINE(a, 0);": "the ceiling of a resource is a priority of basic tasks",
    "HRL_BASIC_DEFINE(a, run, line, 32);": "the rank of a basic task is from 0 to 31",
    "HRL_BASIC_DEFINE_WITH(a, run, line, 0, 0, false);": "a limit of jobs is from 1 to 65535",
    "struct hrl_semaphore a[1] = {HRL_SEMAPHORE_INIT(2, 1)};": "negative",
    "struct hrl_mutex a[1] = {HRL_MUTEX_INIT_CEILING(32)};": "negative",
    "struct hrl_message_queue a[1] = {HRL_MESSAGE_QUEUE_INIT(words, 6)};": "negative",
    "struct hrl_message_queue a[1] = {HRL_MESSAGE_QUEUE_INIT(words, 24)};": "negative",
    "struct hrl_pool a[1] = {HRL_POOL_INIT(stack, 24)};": "negative",
    'struct hrl_thread a[1] = {HRL_THREAD_INIT("a", entry, 0, 3, words)};': "negative",
    'struct hrl_thread a[1] = {HRL_THREAD_INIT("a", entry, 0, 32, stack)};': "negative",
    "struct hrl_resource a[1] = {HRL_RESOURCE_INIT(0)};": "negative",
    "struct hrl_spinlock a[1] = {HRL_SPINLOCK_INIT(0)};": "negative",
}
"""What a macro does not take, and a part of what the compiler says."""
BEFORE_THEM = """
static void entry(void *argument) { (void)argument; }
static void run(void) { }
static uint32_t words[8];
static uint64_t stack[8];
void use(void);
void use(void) { run(); entry(words); entry(stack); }
"""


def compiled(
    language: str, text: str, *more: str, makes: tuple[str, ...] = ("-fsyntax-only",)
) -> subprocess.CompletedProcess[str]:
    compiler, kind, standard = COMPILERS[language]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    return subprocess.run(
        [compiler, standard, "-x", kind, *FLAGS, "-I", str(ROOT / "include"), *makes, *more, "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def compile_text(language: str, text: str, *more: str) -> None:
    ran = compiled(language, text, *more)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_compiles_alone(language: str, header: str) -> None:
    compile_text(language, f"#include <hrl/{header}>\n")


@pytest.mark.parametrize("cores", CORES)
@pytest.mark.parametrize("language", COMPILERS)
def test_objects_can_be_defined(language: str, cores: int) -> None:
    includes = "".join(f"#include <hrl/{header}>\n" for header in HEADERS)
    compile_text(language, includes + DEFINITIONS, *CORES[cores])


@pytest.mark.parametrize("cores", CORES)
@pytest.mark.parametrize("language", COMPILERS)
def test_arrays_of_objects_can_be_defined(language: str, cores: int) -> None:
    includes = "".join(f"#include <hrl/{header}>\n" for header in HEADERS)
    compile_text(language, includes + ARRAYS, *CORES[cores])


@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize("definition", WRONG)
def test_what_would_go_wrong_silently_does_not_compile(language: str, definition: str) -> None:
    includes = "".join(f"#include <hrl/{header}>\n" for header in HEADERS)
    compile_text(language, includes + BEFORE_THEM)
    ran = compiled(language, includes + BEFORE_THEM + definition + "\n")
    assert ran.returncode != 0
    assert WRONG[definition] in ran.stderr.replace("narrowing", "negative")


RAISES = """
#include <hrl/interrupt.h>
extern enum hrl_status (*raises)(uint32_t line);
enum hrl_status (*raises)(uint32_t line) = hrl_interrupt_raise;
enum hrl_status raise_it(void);
enum hrl_status raise_it(void) { return hrl_interrupt_raise(9); }
"""


@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize(
    "public", sorted(ROOT.glob("ports/**/public")), ids=lambda path: path.parent.name
)
def test_raising_a_line_is_inline_without_checks(
    language: str, public: Path, tmp_path: Path
) -> None:
    """Whether the assembly calls the kernel, with the port's header on the path and without."""

    def calls(*more: str) -> bool:
        out = tmp_path / "raise.s"
        ran = compiled(language, RAISES, *more, makes=("-O1", "-S", "-o", str(out)))
        assert ran.returncode == 0, ran.stderr
        words = [line.split() for line in out.read_text(encoding="utf-8").splitlines()]
        return any(
            w[0].startswith(("call", "jmp")) and "hrl_interrupt_raise" in w[1] for w in words if w
        )

    path = ("-I", str(public))
    assert not calls("-DHRL_CHECKS=0", *path)
    assert calls("-DHRL_CHECKS=0")
    assert calls("-DHRL_CHECKS=1", *path)
    assert calls(*path)


TAKES = """
#include <hrl/semaphore.h>
extern struct hrl_semaphore object;
enum hrl_status take(hrl_counts until);
enum hrl_status take(hrl_counts until) { (void)until; return hrl_semaphore_take(&object, UNTIL); }
"""


@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize("optimised", ["-O0", "-O2"])
def test_to_take_forever_is_a_call_of_its_own_without_checks(
    language: str, optimised: str, tmp_path: Path
) -> None:
    """So that an image without other waits comes without the code for waits that end."""

    def called(until: str, *more: str) -> set[str]:
        out = tmp_path / "take.s"
        makes = (optimised, "-S", "-o", str(out))
        ran = compiled(language, TAKES, f"-DUNTIL={until}", *more, makes=makes)
        assert ran.returncode == 0, ran.stderr
        text = out.read_text(encoding="utf-8")
        return set(re.findall(r"(?:call|jmp)q?\s+(hrl_\w+)", text))

    assert called("HRL_FOREVER", "-DHRL_CHECKS=0") == {"hrl_semaphore_take_forever"}
    for until in ("HRL_NO_WAIT", "until", "(until + 1)"):
        assert called(until, "-DHRL_CHECKS=0") == {"hrl_semaphore_take"}
    assert called("HRL_FOREVER") == called("HRL_FOREVER", "-DHRL_CHECKS=1")
    assert called("HRL_FOREVER") == {"hrl_semaphore_take"}


INSTANTS = """
#include <hrl/semaphore.h>
extern struct hrl_semaphore object;
enum hrl_status takes(uint32_t narrow, int number);
enum hrl_status takes(uint32_t narrow, int number)
{
    (void)hrl_semaphore_take(&object, narrow);
    (void)hrl_semaphore_take(&object, 0);
    return hrl_semaphore_take(&object, (hrl_counts)number);
}
"""


@pytest.mark.parametrize("language", COMPILERS)
def test_to_take_until_an_instant_of_any_type_warns_of_nothing(language: str) -> None:
    ran = compiled(language, INSTANTS, "-DHRL_CHECKS=0", makes=("-fsyntax-only",))
    assert ran.returncode == 0, ran.stderr
