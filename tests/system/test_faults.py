# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Every fault that docs/guide/faults.md promises to report, provoked on the emulated boards.

The firmware (tests/system/faults) does one wrong thing, whose number the emulator writes into its memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.system.support import ROOT

from horolog.image import Image, read_image
from horolog.programs import call
from horolog.read import read_board
from horolog.run.qemu import qemu_command

pytestmark = pytest.mark.emulator

SOURCE = ROOT / "tests" / "system" / "faults"
ARMV7M, RV32 = ("mps2-an385", "mps2-an386"), ("qemu-virt-rv32",)
GUARDED = tuple(f"{name} mpu" for name in ARMV7M)
WIDE = ("mps2-an385 mpu wide",)
TARGETS = (*ARMV7M, *GUARDED, *RV32)
CHOICES = {"mpu": "-DGUARD=mpu", "wide": "-DGUARD_BYTES=256", "halt": "-DREPORT=halt"}
NOWHERE = 0x90000000
STACK_ALIGNMENT = 16

ROWS = (SOURCE / "main.c").read_text(encoding="utf-8").split("#define ALL(ROW)")[1]
NAMES = re.findall(r"ROW\((\w+)\)", ROWS)
"""The faults in the order of their numbers."""


@dataclass(frozen=True)
class Expected:
    """A report: `at` is the file that says so, `function` where pc lies (None: it is unknown or nowhere)."""

    reason: str
    at: str | None = None
    function: str | None = None
    place: str = "in thread 'culprit'"
    targets: tuple[str, ...] = TARGETS
    on_main_stack: bool | None = False  # None: it is not looked at where sp points
    registers: dict[str, int] = field(default_factory=dict)


INTERRUPT = "in an interrupt of thread 'culprit'"
EARLY = "in thread 'start-up'"
UNGUARDED = (*ARMV7M, *RV32)
SLEEP = "kernel/thread/sleep.c"
LEVEL, LIFE = "kernel/thread/level.c", "kernel/thread/lifecycle.c"
MUTEX, POOL, SEMAPHORE = "kernel/sync/mutex.c", "kernel/sync/pool.c", "kernel/sync/semaphore.c"
QUEUE, STACK = "kernel/sync/message_queue.c", "kernel/thread/stack.h"

NO_BLOCK = Expected("hrl_pool_give: the address is not a block of this pool", POOL, "hrl_pool_give")
NO_QUEUE = "a message queue that is not initialised"
NO_SEMAPHORE = "a semaphore that is not initialised"
NO_THREAD = "that may wait: for threads, not the idle thread"
FAULTS = {
    "write_to_the_canary": [
        Expected("stack overflow", STACK, "hrli_cpu_yield", targets=UNGUARDED, on_main_stack=True),
        Expected(
            "stack overflow: the guard was touched",
            None,
            "write_to_the_canary",
            targets=GUARDED,
            registers={"cfsr": 0x82},
        ),
    ],
    "jump_over_the_canary": [
        Expected("stack overflow", STACK, "hrli_cpu_switch", on_main_stack=True)
    ],
    "touch_below": [
        Expected(
            "stack overflow: the guard was touched",
            None,
            "touch_below",
            targets=GUARDED,
            registers={"cfsr": 0x82},
        )
    ],
    "leave_no_room_for_a_frame": [
        Expected(
            "stack overflow: an exception's frame does not fit",
            targets=GUARDED,
            registers={"cfsr": 0x10, "pc": 0, "xpsr": 0},
        )
    ],
    "jump_over_a_small_guard": [
        Expected(
            "stack overflow: an exception's frame does not fit",  # of the fault, as sp is in the guard
            targets=WIDE,
            on_main_stack=None,
            registers={"cfsr": 0x92, "pc": 0},
        )
    ],
    "give_what_is_no_block": [NO_BLOCK],
    "give_the_middle": [NO_BLOCK],
    "give_twice": [
        Expected("hrl_pool_give: the block was given back before", POOL, "give_any_way")
    ],
    "unlock_anothers": [
        Expected("a mutex unlocked by a thread that does not own it", MUTEX, "hrl_mutex_unlock")
    ],
    "lock_twice": [Expected("a mutex locked twice by its owner", MUTEX, "hrl_mutex_lock")],
    "end_as_owner": [Expected("hrl_thread_exit: the thread owns a mutex", LIFE, "hrl_thread_exit")],
    "wait_in_an_interrupt": [
        Expected(
            f"hrl_semaphore_take {NO_THREAD}",
            SEMAPHORE,
            "hrl_semaphore_take",
            INTERRUPT,
            on_main_stack=True,
        )
    ],
    "yield_in_an_interrupt": [
        Expected(
            "hrl_thread_yield: for threads, not the idle thread",
            LEVEL,
            "hrl_thread_yield",
            INTERRUPT,
            on_main_stack=True,
        )
    ],
    "lock_in_an_interrupt": [
        Expected(
            f"hrl_mutex_lock {NO_THREAD}",
            MUTEX,
            "hrl_mutex_lock",
            INTERRUPT,
            on_main_stack=True,
        )
    ],
    "read_nothing_in_an_interrupt": [
        Expected(
            "an access to where nothing is",
            None,
            "read_nothing_in_handler",
            INTERRUPT,
            targets=(*ARMV7M, *GUARDED),
            on_main_stack=True,
            registers={"bfar": NOWHERE},
        ),
        Expected(
            "a load from where nothing is",
            None,
            "read_nothing_in_handler",
            INTERRUPT,
            targets=RV32,
            on_main_stack=True,
            registers={"mtval": NOWHERE},
        ),
    ],
    "overflow_in_an_interrupt": [
        Expected(
            "stack overflow: an exception's frame does not fit",
            place=INTERRUPT,
            targets=GUARDED,
            on_main_stack=None,
            registers={"pc": 0},
        )
    ],
    "touch_the_guard_in_an_interrupt": [
        Expected(
            "stack overflow: the main stack's guard was touched",
            None,
            "touch_the_guard_in_handler",
            INTERRUPT,
            targets=GUARDED,
            on_main_stack=True,
            registers={"cfsr": 0x82},
        )
    ],
    "lose_the_stack_in_an_interrupt": [
        Expected(
            "stack overflow: an exception's frame does not fit",
            place=INTERRUPT,
            targets=(*ARMV7M, *GUARDED),
            on_main_stack=None,
            registers={"pc": 0},
        )
    ],
    "leave_no_room_in_an_interrupt": [
        Expected(
            "an access to where nothing is",
            None,
            "read_nothing",
            INTERRUPT,
            targets=ARMV7M,
            on_main_stack=None,
            registers={"bfar": NOWHERE},
        ),
        Expected(
            "stack overflow: an exception's frame does not fit",
            place=INTERRUPT,
            targets=GUARDED,
            on_main_stack=None,
            registers={"pc": 0},
        ),
    ],
    "leave_an_interrupt_unhandled": [
        Expected(
            "an interrupt without a handler, line 20",
            None,
            "hrl_interrupt_raise",
            targets=(*ARMV7M, *GUARDED),
        ),
        Expected("an interrupt without a handler, line 10", None, "raise", targets=RV32),
    ],
    "wait_while_masked": [
        Expected("hrl_thread_sleep_for: not with interrupts masked", SLEEP, "hrl_thread_sleep_for")
    ],
    "yield_while_masked": [
        Expected("hrl_thread_yield: not with interrupts masked", LEVEL, "hrl_thread_yield")
    ],
    "take_zero": [Expected(NO_SEMAPHORE, SEMAPHORE, "take_until")],
    "give_zero": [Expected(NO_SEMAPHORE, SEMAPHORE, "hrl_semaphore_give")],
    "receive_zero": [Expected(NO_QUEUE, QUEUE, "receive_or_wait")],
    "send_zero": [Expected(NO_QUEUE, QUEUE, "send_or_wait")],
    "take_block_of_zero": [Expected("a pool that is not initialised", POOL, "take_or_wait")],
    "start_zero": [
        Expected("hrl_thread_start: the thread has no entry function", LIFE, "prepare_start")
    ],
    "read_nothing": [
        Expected(
            "an access to where nothing is",
            None,
            "read_nothing",
            targets=(*ARMV7M, *GUARDED),
            registers={"bfar": NOWHERE},
        ),
        Expected(
            "a load from where nothing is",
            None,
            "read_nothing",
            targets=RV32,
            registers={"mtval": NOWHERE},
        ),
    ],
    "write_nothing": [
        Expected(
            "an access to where nothing is",
            None,
            "write_nothing",
            targets=(*ARMV7M, *GUARDED),
            registers={"bfar": NOWHERE},
        ),
        Expected(
            "a store to where nothing is",
            None,
            "write_nothing",
            targets=RV32,
            registers={"mtval": NOWHERE},
        ),
    ],
    "read_null": [
        Expected(
            "an access by a pointer that is NULL",
            None,
            "read_null",
            targets=GUARDED,
            registers={"mmfar": 4},
        )
    ],
    "write_null": [
        Expected(
            "an access by a pointer that is NULL",
            None,
            "write_null",
            targets=GUARDED,
            registers={"mmfar": 0},
        )
    ],
    "divide_by_zero": [
        Expected("a division by zero", None, "divide_by_zero", targets=(*ARMV7M, *GUARDED))
    ],
    "jump_to_nothing": [Expected("a jump to where no instructions are", registers={"pc": NOWHERE})],
    "execute_nothing_defined": [
        Expected("an undefined instruction", None, "execute_nothing_defined")
    ],
    "break_a_promise": [Expected("a promise", "file", "break_a_promise")],
    "take_early": [
        Expected(
            f"hrl_semaphore_take {NO_THREAD}",
            SEMAPHORE,
            "hrl_semaphore_take",
            EARLY,
            on_main_stack=True,
        )
    ],
    "send_early": [
        Expected(
            f"hrl_message_send {NO_THREAD}", QUEUE, "hrl_message_send", EARLY, on_main_stack=True
        )
    ],
    "lock_early": [
        Expected(f"hrl_mutex_lock {NO_THREAD}", MUTEX, "hrl_mutex_lock", EARLY, on_main_stack=True)
    ],
    "read_nothing_early": [
        Expected(
            "an access to where nothing is",
            None,
            "read_nothing",
            EARLY,
            targets=(*ARMV7M, *GUARDED),
            on_main_stack=True,
        ),
        Expected(
            "a load from where nothing is",
            None,
            "read_nothing",
            EARLY,
            targets=RV32,
            on_main_stack=True,
        ),
    ],
}


def marks(target: str) -> list[pytest.MarkDecorator]:
    """What mps2-an386 does without the guard is what it does with it, and mps2-an385 without: a soak."""
    return [pytest.mark.soak] if target in ("mps2-an386", "mps2-an386 halt") else []


PLAIN = [pytest.param(target, marks=marks(target)) for target in (*ARMV7M, *RV32)]
CASES = [
    pytest.param(
        target,
        name,
        expected,
        id=f"{target.replace(' ', '-')}-{name}",
        marks=[pytest.mark.xdist_group(f"faults {target}"), *marks(target)],
    )
    for name, several in FAULTS.items()
    for expected in several
    for target in expected.targets
]


def test_every_fault_is_expected() -> None:
    assert list(FAULTS) == NAMES


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of the firmwares, by target, as far as they were asked for."""
    return {"": tmp_path_factory.mktemp("faults")}


def images(target: str, built: dict[str, Path]) -> Path:
    if target in built:
        return built[target]
    name, *choices = target.split()
    board = read_board(name)
    out = built[""] / target.replace(" ", "-")
    configure = ["cmake", "-S", str(SOURCE), "-B", str(out), "-G", "Ninja", f"-DBOARD={name}"]
    configure += [f"-DHRL_CPU={board.cpu}", f"-DHRL_FPU={board.fpu or ''}"]
    configure += [CHOICES[choice] for choice in choices]
    configure.append(f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'toolchain' / board.arch}.cmake")
    for step in (configure, ["cmake", "--build", str(out)]):
        done = call(step, seconds=120)
        assert done.status == 0, (done.output + done.errors)[-3000:]
    built[target] = out
    return out


def provoke(target: str, elf: Path, number: int) -> tuple[str, int | None]:
    """What the firmware says with this number, and the status with which it ends."""
    address = read_image(elf).symbols["provoked"]
    loader = f"loader,addr={address:#x},data={number},data-len=4"
    command = [*qemu_command(read_board(target.split()[0]), elf), "-device", loader]
    done = call(command, seconds=60)
    said = (done.output + done.errors).splitlines(keepends=True)
    # The emulator remarks upon a timer that is stopped by loading 0.
    return "".join(line for line in said if not line.startswith("Timer with ")), done.status


def registers_of(said: str) -> dict[str, int]:
    return {name: int(value, 16) for name, value in re.findall(r"(\w+)=([0-9a-f]{8})\b", said)}


def function_at(image: Image, address: int) -> str:
    (found,) = [f.name for f in image.functions if f.low <= address < f.high]
    return found


@pytest.mark.parametrize(("target", "name", "expected"), CASES)
def test_it_is_found_and_reported(
    target: str, name: str, expected: Expected, built: dict[str, Path]
) -> None:
    elf = images(target, built) / "faults.elf"
    said, status = provoke(target, elf, NAMES.index(name))
    lines = said.strip().splitlines()
    assert lines[0] == f"fault: {expected.reason}"
    if expected.at is not None:
        assert re.fullmatch(rf"  at (\./)?{re.escape(expected.at)}:[1-9]\d*", lines[1])
    assert lines[1 if expected.at is None else 2] == f"  {expected.place}"
    assert status == (4 if expected.at is None else 1)

    image, registers = read_image(elf), registers_of(said)
    assert list(registers)[:2] == ["pc", "sp"]
    assert len(registers) == (34 if target in RV32 else 22)
    for register, value in expected.registers.items():
        assert registers[register] == value, register
    if expected.function is not None:
        assert expected.function in function_at(image, registers["pc"])
    arena, size = image.symbols["arena"], image.sizes["arena"]
    top = image.symbols["hrl_link_main_stack_top"]
    if expected.on_main_stack is not None:
        low, high = (top - 4096, top) if expected.on_main_stack else (arena, arena + size)
        assert low < registers["sp"] <= high


@pytest.mark.parametrize("name", ["execute_nothing_defined", "break_a_promise"])
@pytest.mark.parametrize("target", PLAIN)
@pytest.mark.xdist_group("faults")
def test_the_registers_are_those_of_the_culprit(
    target: str, name: str, built: dict[str, Path]
) -> None:
    said, _ = provoke(target, images(target, built) / "faults.elf", NAMES.index(name))
    registers = registers_of(said)
    if target in RV32:
        numbers = {f"s{i}": i + (8 if i < 2 else 16) for i in range(12)}
        expected = {name: 0x11110000 + n for name, n in numbers.items()}
    else:
        expected = {f"r{i}": 0x11110000 + i for i in range(4, 12)}
    assert {name: registers[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("number", "said", "status"),
    [
        (0, "mine: worker: an interrupt without a handler\n", 42),
        (1, "mine: worker: a thread started twice, broken\n", 43),
    ],
)
@pytest.mark.parametrize("target", PLAIN)
@pytest.mark.xdist_group("faults")
def test_an_application_brings_its_own_end(
    target: str, number: int, said: str, status: int, built: dict[str, Path]
) -> None:
    elf = images(target, built) / "own_hook.elf"
    assert provoke(target, elf, number) == (said, status)


LOCKS_UP = ("lose_the_stack_in_an_interrupt",)
"""Nothing is left to halt with: only the report's handler looks for a stack. The processor stops, too."""


@pytest.mark.parametrize(
    ("target", "name", "status"),
    [
        pytest.param(
            f"{target} halt",
            name,
            4 if expected.at is None else 1,
            marks=marks(f"{target} halt"),
        )
        for name, several in FAULTS.items()
        for expected in several
        for target in expected.targets
        if target not in GUARDED + WIDE and name not in LOCKS_UP
    ],
)
@pytest.mark.xdist_group("faults halt")
def test_without_a_report_it_only_halts(
    target: str, name: str, status: int, built: dict[str, Path]
) -> None:
    elf = images(target, built) / "faults.elf"
    assert provoke(target, elf, NAMES.index(name)) == ("", status)


REPORT = {
    "hrl_fault_hook",
    "hrlp_fault_names",
    "hrlp_fault_registers",
    "hrlp_fault_stop",
    "hrlp_fault_unhandled",
}


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.xdist_group("faults halt")
def test_nothing_of_the_report_is_linked_where_it_only_halts(
    name: str, built: dict[str, Path]
) -> None:
    elves = [images(target, built) / "faults.elf" for target in (name, f"{name} halt")]
    reported, halted = (set(read_image(elf).symbols) for elf in elves)
    assert reported >= REPORT
    assert not halted & REPORT
    # What is a text only of the report.
    assert [b"in an interrupt of thread" in elf.read_bytes() for elf in elves] == [True, False]


@pytest.mark.xdist_group("faults")
def test_a_guard_where_there_is_none(tmp_path: Path) -> None:
    command = ["cmake", "-S", str(SOURCE), "-B", str(tmp_path), "-G", "Ninja"]
    command += ["-DBOARD=qemu-virt-rv32", "-DGUARD=mpu", "-DHRL_CPU=rv32imac"]
    command.append(f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'toolchain' / 'rv32.cmake'}")
    done = call(command, seconds=60)
    assert done.status != 0
    assert "qemu-virt-rv32 has no GUARD 'mpu'" in " ".join(done.errors.split())
