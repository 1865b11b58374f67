# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Call graphs of linked firmwares: recursion, waiting, stack and registers; at -O0, -Os and -O2."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from tests.tool.call_bodies import NAMES, line_of, source
from tests.tool.call_programs import COMPILERS, RETURN_BYTES, Program, compile_program
from tests.tool.factory import make_board, make_system, make_task

from horolog.calls import (
    Body,
    Calls,
    analyse_calls,
    check_basic_tasks,
    check_firmware,
    common_stack,
    frame,
)
from horolog.calls.riscv import CALLER_SAVED, FULL_FRAME
from horolog.model import Exit, HorologError, Kind, Place, PriorityRule

OPTIONS = ("-O0", "-Os", "-O2")
needs_compilers = pytest.mark.skipif(
    any(shutil.which(command[0]) is None for command in COMPILERS.values()),
    reason="needs all cross compilers",
)
pytestmark = [needs_compilers, pytest.mark.xdist_group("calls")]


Built = Callable[[str, str], tuple[Program, Calls]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The program for an architecture, with an option, and what is found in it."""

    @cache
    def build(arch: str, option: str) -> tuple[Program, Calls]:
        folder = tmp_path_factory.mktemp("calls")
        program = compile_program(folder, arch, source(), option)
        roots = [f"hrl_gen_body_{index}" for index in range(len(NAMES))]
        return program, analyse_calls(program.elf, roots)

    return build


Ask = Callable[[str], Body]


@pytest.fixture(params=[(arch, option) for arch in COMPILERS for option in OPTIONS], ids="".join)
def ask(request: pytest.FixtureRequest, built: Built) -> Ask:
    """The answer for a body, by its name."""
    arch, option = request.param
    return lambda name: built(arch, option)[1].bodies[NAMES.index(name)]


def test_a_leaf(ask: Ask) -> None:
    body = ask("leaf")
    assert body.functions == ("plain",)
    assert (body.cycles, body.waits, body.doubts, body.unbounded) == ((), (), (), ())
    assert body.stack_bytes is not None
    assert body.stack_bytes <= 64


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        ("direct", {"self"}),
        ("mutual", {"even", "odd"}),
        ("tail", {"tail_to", "tail_back"}),
        ("tails_only", {"ping", "pong"}),
    ],
)
def test_recursion_is_found(ask: Ask, name: str, functions: set[str]) -> None:
    body = ask(name)
    assert [{spot.function for spot in cycle} for cycle in body.cycles] == [functions]
    assert body.stack_bytes is None
    assert body.doubts == ()


def test_recursion_has_its_line(ask: Ask) -> None:
    ((spot,),) = ask("direct").cycles
    assert spot.source is not None
    assert spot.source.endswith(f"bodies.c:{line_of('self')}")


def test_a_loop_is_no_recursion(ask: Ask) -> None:
    assert ask("loops").cycles == ()
    assert ask("loops").stack_bytes is not None


def test_a_call_through_a_pointer_is_not_known(ask: Ask) -> None:
    body = ask("pointer")
    assert [doubt.reason for doubt in body.doubts] == ["calls through a pointer"]
    assert (body.stack_bytes, body.registers) == (None, None)
    assert body.cycles == ()
    assert frame(body) == FULL_FRAME


def test_the_jump_table_of_a_switch_is_no_call(ask: Ask) -> None:
    body = ask("jump_table")
    assert body.doubts == ()
    assert body.functions == ("plain", "switched")
    assert body.stack_bytes is not None


def test_a_nested_call_that_waits(ask: Ask) -> None:
    (wait,) = ask("sleeps").waits
    assert wait.certain
    assert wait.call == "hrl_thread_sleep_for"
    assert [spot.function for spot in wait.path] == [ask("sleeps").root, "helper", "sleeper"]
    lines = [int((spot.source or "").rpartition(":")[2]) for spot in wait.path[1:]]
    assert lines == [line_of("helper"), line_of("sleeper")]


def test_asking_without_waiting_is_allowed(ask: Ask) -> None:
    body = ask("asks")
    assert body.waits == ()
    assert set(body.services) == {
        "hrl_semaphore_take",
        "hrl_semaphore_give",
        "hrl_event_wait",
        "hrl_message_send",
    }


def test_waiting_for_ever_is_seen_also_where_the_argument_is_on_the_stack(ask: Ask) -> None:
    (wait,) = ask("waits").waits
    assert (wait.call, wait.certain) == ("hrl_event_wait", True)


def test_an_instant_that_is_not_visible_may_be_one(ask: Ask) -> None:
    (wait,) = ask("may_wait").waits
    assert (wait.call, wait.certain) == ("hrl_semaphore_take", False)


@pytest.mark.parametrize("name", ["either", "rather", "changed", "changed_somewhere"])
def test_what_holds_on_one_way_alone_is_not_known(ask: Ask, name: str) -> None:
    assert {wait.call for wait in ask(name).waits} == {"hrl_semaphore_take"}


def test_a_dynamic_stack_has_no_bound(ask: Ask) -> None:
    body = ask("alloca_user")
    assert body.stack_bytes is None
    assert [doubt.spot.function for doubt in body.unbounded] == ["dynamic"]
    assert body.doubts == ()


def test_library_calls_are_followed(ask: Ask) -> None:
    body = ask("uses_library")
    assert "memset" in body.functions
    assert {"__udivdi3", "__udivmoddi4"} & set(body.functions)
    assert (body.cycles, body.doubts) == ((), ())
    assert body.stack_bytes is not None
    assert body.stack_bytes >= 400


def test_stack_is_the_compilers_own_figure(built: Built) -> None:
    for arch, option in ((a, o) for a in COMPILERS for o in OPTIONS):
        program, calls = built(arch, option)
        for name, way in (
            ("stack", ("wide_room", "deep")),
            ("leaf", ("plain",)),
            ("jump_table", ("switched", "plain")),
        ):
            body = calls.bodies[NAMES.index(name)]
            su = program.frames
            most = sum(su[function] for function in (body.root, *way)) - RETURN_BYTES[arch]
            assert body.stack_bytes is not None
            if name == "stack" or option == "-O0":
                assert body.stack_bytes == most
            else:
                assert body.stack_bytes <= most  # a tail call has left its frame


def test_a_frame_too_large_for_one_instruction(ask: Ask) -> None:
    stack = ask("big_frame").stack_bytes
    assert stack is not None
    assert 6000 <= stack <= 6100


@pytest.mark.parametrize("option", OPTIONS)
def test_registers(option: str, built: Built) -> None:
    by_name = dict(zip(NAMES, built("rv32", option)[1].bodies, strict=True))
    small, large = by_name["leaf"].registers, by_name["uses_library"].registers
    assert small is not None
    assert large is not None
    assert small & ~FULL_FRAME == large & ~FULL_FRAME == 0
    assert small >> CALLER_SAVED["a0"] & 1  # plain's argument
    assert not small >> CALLER_SAVED["t3"] & 1
    assert small.bit_count() <= 4
    assert small >> CALLER_SAVED["ra"] & 1
    assert large >> CALLER_SAVED["a7"] & 1  # what __udivdi3 works with
    assert large >> CALLER_SAVED["ra"] & 1
    assert large.bit_count() > small.bit_count()
    assert built("armv7m", option)[1].bodies[0].registers is None


def test_the_build_asks_of_basic_tasks_alone(built: Built) -> None:
    program, _ = built("armv7m", "-O2")
    index = NAMES.index("sleeps")
    tasks = [make_task(f"t{i}", Fraction(1)) for i in range(index + 1)]
    assert check_firmware(make_system(tasks=tasks), program.elf) == ()
    tasks[0] = replace(tasks[0], kind=Kind.BASIC, stack=4)
    (note,) = check_firmware(make_system(tasks=tasks), program.elf)
    assert 'basic task "t0" needs ' in note
    tasks[index] = replace(tasks[index], kind=Kind.BASIC)
    with pytest.raises(HorologError, match=f'basic task "t{index}" calls hrl_thread_sleep_for'):
        check_firmware(make_system(tasks=tasks), program.elf)


def test_the_common_stack_has_the_worst_of_each_level(built: Built) -> None:
    _, calls = built("armv7m", "-O2")
    needs = {"stack": 4, "leaf": 4, "jump_table": 7}  # at level
    tasks = [
        replace(make_task(name, Fraction(1), priority=needs.get(name, 1)), kind=Kind.BASIC)
        for name in needs
    ]
    bodies = tuple(calls.bodies[NAMES.index(name)] for name in needs)
    board = make_board(basic_levels=8, lines=4)
    system = make_system(tasks=tasks, board=board, priorities=PriorityRule.EXPLICIT)
    found = [body.stack_bytes or 0 for body in bodies]
    assert common_stack(system, replace(calls, bodies=bodies)) == max(found[:2]) + found[2]
    dynamic = (*bodies[:2], calls.bodies[NAMES.index("alloca_user")])
    assert common_stack(system, replace(calls, bodies=dynamic)) is None


def test_errors_name_task_way_and_place(ask: Ask) -> None:
    wanted = ("sleeps", "direct", "may_wait", "asks", "leaf", "alloca_user")
    bodies = tuple(ask(name) for name in wanted)
    calls = Calls(Path("x.elf"), "EM_ARM", bodies)
    tasks = {
        body.root: replace(make_task(name, Fraction(1)), place=Place("system.toml", 7 + index))
        for index, (name, body) in enumerate(zip(wanted, bodies, strict=True))
    }
    with pytest.raises(HorologError) as caught:
        check_basic_tasks(calls, tasks)
    text = str(caught.value)
    assert caught.value.exit is Exit.BAD_INPUT
    assert (
        'system.toml:7: basic task "sleeps" calls hrl_thread_sleep_for, which is for threads alone'
        in text
    )
    assert f"{bodies[0].root} calls helper at " in text
    assert re.search(
        r"helper calls sleeper at \S*bodies\.c:\d+, sleeper calls hrl_thread_sleep", text
    )
    assert 'system.toml:8: basic task "direct" reaches a recursion' in text
    assert "self calls self at " in text
    assert "leaf" not in text
    fine = Calls(Path("x.elf"), "EM_ARM", bodies[2:])
    may_wait, unbounded = check_basic_tasks(fine, tasks)
    assert 'system.toml:9: basic task "may_wait" may wait: ' in may_wait
    assert re.search(
        r'system.toml:12: basic task "alloca_user": nothing visible bounds its part of the common stack: '
        r"dynamic \(\S*bodies\.c:\d+\) moves the stack pointer",
        unbounded,
    )


def test_without_its_symbols_a_firmware_is_refused(built: Built) -> None:
    program, _ = built("rv32", "-O2")
    with pytest.raises(HorologError, match="no symbol hrl_gen_body_99"):
        analyse_calls(program.elf, ["hrl_gen_body_99"])
