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
from tests.tool.call_programs import COMPILERS, Program, compile_program
from tests.tool.factory import make_board, make_system, make_task

from horolog.model import Exit, HorologError, Kind, Place, PriorityRule
from horolog.run.calls import (
    Body,
    Calls,
    analyse_calls,
    check_basic_tasks,
    check_firmware,
    common_stack,
    frame,
    framed_functions,
    settle_frames,
)
from horolog.run.calls.riscv import CALLER_SAVED, FULL_FRAME
from horolog.run.calls.services import PUBLIC, service

ROOT = Path(__file__).resolve().parents[2]

BODIES = """\
#include <string.h>
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#define KEEP(array) __asm__ volatile("" : : "r"(array) : "memory")
#define APART __attribute__((noipa))
volatile int v;
struct hrl_semaphore s;
struct hrl_event e;
struct hrl_message_queue q;

APART int plain(int x) { return x + 3; }
BODY(leaf) { v = plain(v); }

APART int self(int x) { return x < 2 ? 1 : self(x - 1) + self(x - 2); } /* line self */
BODY(direct) { v = self(v); }

APART int odd(int x);
APART int even(int x) { return x == 0 ? 1 : 1 + odd(x - 1); } /* line even */
APART int odd(int x) { return x == 0 ? 0 : 2 + even(x - 1); }
BODY(mutual) { v = even(v); }

APART int tail_back(int x);
APART int tail_to(int x) { v = x; return tail_back(x - 1); }
APART int tail_back(int x) { return x < 0 ? x : 1 + tail_to(x); }
BODY(tail) { v = tail_to(v); }

APART void pong(int x);
APART void ping(int x) { v = x; pong(x + 1); }
APART void pong(int x) { v = x; ping(x + 2); }
BODY(tails_only) { ping(v); v = 1; }

int (*table[4])(int) = {plain, self, even, tail_to};
BODY(pointer) { v = table[v & 3](v) + 1; }

APART void switched(int x)
{
    switch (x) {
    case 0: v = 3; break;
    case 1: v += 9; break;
    case 2: v = 7 + v * 2; break;
    case 3: v = plain(v); break;
    case 4: v += 13; break;
    case 5: v -= 19; break;
    case 6: v ^= 99; break;
    case 7: v |= 4; break;
    }
}
BODY(jump_table) { switched(v); }

APART void sleeper(void) { hrl_thread_sleep_for(HRL_MS(1)); v = 2; } /* line sleeper */
APART void helper(void) { sleeper(); v++; } /* line helper */
BODY(sleeps) { helper(); v = 4; }

BODY(asks)
{
    uint32_t seen;
    v = hrl_semaphore_take(&s, HRL_NO_WAIT);
    v = hrl_event_wait(&e, 1, HRL_EVENT_ANY, HRL_NO_WAIT, &seen);
    v = hrl_message_send(&q, &seen, HRL_NO_WAIT);
    v = hrl_semaphore_give(&s);
}

APART int take(hrl_counts until) { return hrl_semaphore_take(&s, until) + 1; }
BODY(may_wait) { v = take(HRL_NO_WAIT); }

BODY(either) { v = hrl_semaphore_take(&s, v ? HRL_FOREVER : HRL_NO_WAIT); }
BODY(rather) { v = hrl_semaphore_take(&s, v ? HRL_NO_WAIT : HRL_FOREVER); }

APART void change(hrl_counts *until) { *until = HRL_FOREVER; }
BODY(changed)
{
    hrl_counts until = HRL_NO_WAIT;
    change(&until);
    v = hrl_semaphore_take(&s, until);
}
BODY(changed_somewhere)
{
    hrl_counts until[2] = {HRL_NO_WAIT, HRL_NO_WAIT};
    change(&until[v & 1]);
    v = hrl_semaphore_take(&s, until[0]);
}

BODY(waits)
{
    uint32_t seen;
    v = hrl_event_wait(&e, 1, HRL_EVENT_ANY, HRL_FOREVER, &seen);
    v++;
}

APART int dynamic(int n)
{
    char *room = __builtin_alloca((unsigned)n);
    memset(room, n, (unsigned)n);
    return room[v];
}
BODY(alloca_user) { v = dynamic(v); }

volatile uint64_t wide;
APART void library(void) { wide = wide / (uint64_t)v; char x[400]; memset(x, v, sizeof x); KEEP(x); }
BODY(uses_library) { library(); }

APART int deep(int x) { int room[100]; for (int i = 0; i < 100; i++) room[i] = v; return room[x]; }
APART int wide_room(int x)
{
    int room[50];
    for (int i = 0; i < 50; i++) room[i] = v;
    return deep(x) + room[x];
}
BODY(stack) { v = wide_room(v) + deep(v); }

BODY(big_frame) { char room[6000]; memset(room, v, sizeof room); KEEP(room); }

BODY(loops) { while (v != 0) { v = plain(v); } }
"""

NAMES = re.findall(r"^BODY\((\w+)\)", BODIES, re.MULTILINE)
OPTIONS = ("-O0", "-Os", "-O2")
needs_compilers = pytest.mark.skipif(
    any(shutil.which(command[0]) is None for command in COMPILERS.values()),
    reason="needs both cross compilers",
)
pytestmark = [needs_compilers, pytest.mark.xdist_group("calls")]


def source() -> str:
    text = BODIES
    for index, name in enumerate(NAMES):
        text = text.replace(
            f"BODY({name})",
            f"void hrl_gen_body_{index}(void);\n__attribute__((noinline)) void hrl_gen_body_{index}(void)",
        )
    return "#include <hrl/time.h>\n#define HRL_CLOCK_HZ 25000000u\n" + text


def line_of(mark: str) -> int:
    return next(
        n for n, line in enumerate(source().splitlines(), 1) if f"/* line {mark} */" in line
    )


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
            most = sum(su[function] for function in (body.root, *way))
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


STUB = """
volatile int v, w;
__attribute__((noipa)) void rare(void) { v = w / v + w % (v + 7) * (w >> v); }
void hrl_assert_hook(void);
__attribute__((noipa)) void hrl_assert_hook(void) { rare(); for (;;) { } }
void careful(void);
__asm__(".type careful, %function\\n"
        "careful: addi sp, sp, -64\\n"
        "sw ra, 60(sp)\\n sw a0, 0(sp)\\n sw a1, 4(sp)\\n sw a2, 8(sp)\\n sw a3, 12(sp)\\n"
        "sw a4, 16(sp)\\n sw a5, 20(sp)\\n sw a6, 24(sp)\\n sw a7, 28(sp)\\n sw t0, 32(sp)\\n"
        "sw t1, 36(sp)\\n sw t2, 40(sp)\\n sw t3, 44(sp)\\n sw t4, 48(sp)\\n sw t5, 52(sp)\\n"
        "sw t6, 56(sp)\\n"
        "call rare\\n"
        "lw ra, 60(sp)\\n lw a0, 0(sp)\\n lw a1, 4(sp)\\n lw a2, 8(sp)\\n lw a3, 12(sp)\\n"
        "lw a4, 16(sp)\\n lw a5, 20(sp)\\n lw a6, 24(sp)\\n lw a7, 28(sp)\\n lw t0, 32(sp)\\n"
        "lw t1, 36(sp)\\n lw t2, 40(sp)\\n lw t3, 44(sp)\\n FORGOTTEN(sp)\\n lw t5, 52(sp)\\n"
        "lw t6, 56(sp)\\n addi sp, sp, 64\\n ret\\n .size careful, . - careful\\n");
void hrl_gen_body_0(void);
void hrl_gen_body_0(void) { if (v == 0) { careful(); } w = 1; }
void hrl_gen_body_1(void);
void hrl_gen_body_1(void) { if (v == 0) { hrl_assert_hook(); } }
void hrl_gen_body_2(void);
void hrl_gen_body_2(void) { if (v == 0) { rare(); } w = 1; }
"""


@pytest.mark.parametrize(("restore", "lost"), [("lw t4, 48", ""), ("lw t3, 48", "t3 t4")])
def test_what_is_put_back_has_not_changed(tmp_path: Path, restore: str, lost: str) -> None:
    text = STUB.replace("FORGOTTEN", restore)
    elf = compile_program(tmp_path, "rv32", text, "-O2").elf
    kept, ended, plain = analyse_calls(elf, [f"hrl_gen_body_{i}" for i in range(3)]).bodies
    assert kept.registers is not None
    assert ended.registers is not None
    assert plain.registers is not None
    of_itself = kept.registers & ~sum(1 << CALLER_SAVED[name] for name in lost.split())
    assert of_itself.bit_count() < plain.registers.bit_count()
    assert of_itself == kept.registers ^ sum(1 << CALLER_SAVED[name] for name in lost.split())
    assert ended.registers.bit_count() < plain.registers.bit_count()


TABLES = """
volatile unsigned v, w;
void first(void);
void second(void);
__attribute__((noipa)) void first(void) { v = 1; }
__attribute__((noipa)) void second(void) { w = v / (v + 7) % (w << v); }
static void (*const TABLE[])(void) = {first, second};
void handler(void);
void handler(void)
{
    while (v != 0) {
        TABLE[v]();
    }
}
void called(void);
void called(void) { first(); while (v != 0) { second(); } }
"""


@pytest.mark.parametrize("option", OPTIONS)
def test_a_lines_handler_calls_the_bodies_in_its_table(tmp_path: Path, option: str) -> None:
    """Of a table by another name it is not known that nothing else is read by its address."""
    elf = compile_program(tmp_path, "rv32", TABLES.replace("TABLE", "bodies_3"), option).elf
    handler, called = analyse_calls(elf, ["handler", "called"]).bodies
    assert handler.doubts == ()
    assert handler.functions == ("first", "second")
    assert handler.registers is not None
    assert called.registers is not None
    assert handler.registers & called.registers == called.registers
    assert handler.registers.bit_count() < FULL_FRAME.bit_count()
    elf = compile_program(tmp_path, "rv32", TABLES.replace("TABLE", "other"), option).elf
    (other,) = analyse_calls(elf, ["handler"]).bodies
    assert [doubt.reason for doubt in other.doubts] == ["calls through a pointer"]
    assert other.registers is None


FRAMED = """
#include "hrl_gen_frames.h"
volatile int v;
__attribute__((noipa)) void rare(void) { v = v / (v + 7); }
void hrl_gen_body_0(void);
void hrl_gen_body_0(void) { v = 1; }
void hrl_gen_body_1(void);
void hrl_gen_body_1(void) { if (EXPRESSION) { rare(); } v = 2; }
#define TEXT_OF(mask) #mask
#define TEXT(mask) TEXT_OF(mask)
__asm__(".equ frame_first, " TEXT(FRAME_FIRST));
const unsigned frames[] = {FRAME_FIRST, FRAME_OTHER};
"""
MACROS = {"FRAME_FIRST": "hrl_gen_body_0", "FRAME_OTHER": "hrl_gen_body_1"}


def test_a_second_link_saves_what_the_first_one_asks_for(tmp_path: Path) -> None:
    header = tmp_path / "hrl_gen_frames.h"
    seen = []

    def link() -> Path:
        seen.append(re.findall(r"^#define (\w+) (0x[0-9a-f]{8})$", header.read_text(), re.M))
        text = FRAMED.replace("EXPRESSION", "v")
        return compile_program(tmp_path, "rv32", text, "-Os").elf

    calls = settle_frames(header, MACROS, link)
    masks = [frame(body) for body in calls.bodies]
    assert seen[0] == [("FRAME_FIRST", "0xf003fce2"), ("FRAME_OTHER", "0xf003fce2")]
    assert [int(mask, 16) for _, mask in seen[1]] == masks
    assert len(seen) == 2
    assert masks[0].bit_count() < masks[1].bit_count() < FULL_FRAME.bit_count()
    settle_frames(header, MACROS, link)
    assert len(seen) == 3  # nothing has changed since
    header.write_text("#define FRAME_OF_ANOTHER_SYSTEM 0x2\n")
    assert settle_frames(header, MACROS, link) == calls
    assert seen[3] == seen[0]


def test_functions_with_frames_are_read_from_what_was_generated() -> None:
    text = """
#define HRLP_X_ENTRY(handler, function, mask, threads)
HRLP_X_ENTRY(Cell_Handler3, Cell_Handler3, HRL_GEN_FRAME_3, 0);
    HRLP_X_ENTRY(inside, a, function, 0);
HRLP_RV32_BASIC_ENTRY(Software_Handler4, hrl_gen_body_0,
                      HRL_GEN_FRAME_line_4, 1);
HRLP_RV32_BASIC_ENTRY(Software_Handler5, hrl_gen_body_1, 0xF003FCE2, 1);
"""
    assert framed_functions(text) == {
        "HRL_GEN_FRAME_3": "Cell_Handler3",
        "HRL_GEN_FRAME_line_4": "hrl_gen_body_0",
    }


def test_code_that_never_settles_is_refused(tmp_path: Path) -> None:
    header = tmp_path / "hrl_gen_frames.h"

    def link() -> Path:
        text = FRAMED.replace(
            "EXPRESSION", "FRAME_OTHER == 0xf003fce2u || FRAME_OTHER & 0xc000u && 0"
        )
        text = text.replace("v = 2", "v = FRAME_OTHER & 0x2000u ? 2 : v / v * v - (v ^ v >> 3)")
        return compile_program(tmp_path, "rv32", text, "-O2").elf

    with pytest.raises(HorologError, match="with every link") as caught:
        settle_frames(header, MACROS, link)
    assert caught.value.exit is Exit.TARGET_FAILED
    assert not header.exists()


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
    wanted = ("sleeps", "direct", "may_wait", "asks", "leaf")
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
    (note,) = check_basic_tasks(fine, tasks)
    assert 'system.toml:9: basic task "may_wait" may wait: ' in note


def test_every_public_call_is_classified() -> None:
    declared: set[str] = set()
    for header in sorted((ROOT / "include" / "hrl").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.MULTILINE | re.DOTALL)
        declared |= set(re.findall(r"\b(hrl_\w+)\(", text))
    assert len(declared) > 50
    assert declared - PUBLIC == set()
    assert PUBLIC - declared == set()


def test_where_the_instant_is_said_as_the_headers_have_it() -> None:
    for header in sorted((ROOT / "include" / "hrl").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        for name, arguments in re.findall(r"\b(hrl_\w+)\(([^()]*hrl_counts until[^()]*)\);", text):
            before = arguments.split("hrl_counts until")[0].count(",")
            assert service((name,)) in ((name, "until", before), (name, "for threads", 0)), name


def test_without_its_symbols_a_firmware_is_refused(built: Built) -> None:
    program, _ = built("rv32", "-O2")
    with pytest.raises(HorologError, match="no symbol hrl_gen_body_99"):
        analyse_calls(program.elf, ["hrl_gen_body_99"])
