# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""AVR's machine code: what moves its stack pointer, its calls and skips; and functions of its libraries."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.tool.call_programs import COMPILERS, compile_program, run

from horolog.calls import Body, analyse_calls
from horolog.calls.avr import addresses, start, step
from horolog.calls.disassembly import Code, Instruction, read_code
from horolog.calls.values import Known, State, Value
from horolog.image import Image, read_image

needs_compiler = pytest.mark.skipif(
    shutil.which(COMPILERS["avr"][0]) is None, reason="needs the cross compiler"
)

ASSEMBLY = """\
    .macro body name
    .global \\name
    .type \\name, @function
\\name:
    .endm
    .macro over name
    .size \\name, . - \\name
    .endm
    .text
    body leaf
    push r28
    pop r28
    ret
    over leaf

    body saves
    push r2
    push r3
    call leaf
    pop r3
    pop r2
    ret
    over saves

    body makes_room
    rcall .+0
    rcall .+0
    push r0
    call leaf
    pop r0
    pop r0
    pop r0
    pop r0
    pop r0
    ret
    over makes_room

    body frame_low_first
    push r28
    push r29
    in r28, 0x3d
    in r29, 0x3e
    sbiw r28, 20
    out 0x3d, r28
    out 0x3e, r29
    call leaf
    adiw r28, 20
    in r0, 0x3f
    cli
    out 0x3e, r29
    out 0x3f, r0
    out 0x3d, r28
    pop r29
    pop r28
    ret
    over frame_low_first

    body frame_in_memory
    lds r28, 0x5d
    lds r29, 0x5e
    subi r28, lo8(300)
    sbci r29, hi8(300)
    sts 0x5e, r29
    sts 0x5d, r28
    call leaf
    subi r28, lo8(-300)
    sbci r29, hi8(-300)
    sts 0x5e, r29
    sts 0x5d, r28
    ret
    over frame_in_memory

    body half_a_frame
    in r28, 0x3d
    subi r28, 8
    out 0x3d, r28
    call leaf
    subi r28, -8
    out 0x3d, r28
    ret
    over half_a_frame

    body skips
    sbrc r24, 0
    call saves
    sbrs r24, 1
    jmp 1f
    cpse r24, r25
    rcall leaf
    ret
1:  call makes_room
    sbis 0x10, 1
    rjmp 1b
    ret
    over skips

    body through_z
    ldi r30, lo8(gs(saves))
    ldi r31, hi8(gs(saves))
    icall
    ldi r30, lo8(gs(makes_room))
    ldi r31, hi8(gs(makes_room))
    ijmp
    over through_z

    body pushes_its_goal
    ldi r24, lo8(gs(saves))
    ldi r25, hi8(gs(saves))
    push r24
    push r25
    ret
    over pushes_its_goal

    body pushes_any_goal
    push r24
    push r25
    ret
    over pushes_any_goal

    body any_call
    movw r30, r24
    icall
    mov r30, r20
    icall
    ret
    over any_call

    body any_jump
    movw r30, r24
    ijmp
    over any_jump

#ifdef __AVR_3_BYTE_PC__
    body far_call
    eicall
    ret
    over far_call
#endif

    body handler
    push r1
    push r0
    in r0, 0x3f
    push r0
    clr r1
    sei
    call saves
    pop r0
    out 0x3f, r0
    pop r0
    pop r1
    reti
    over handler

    body by_a_table
    movw r30, r24
    subi r30, lo8(-(gs(table)))
    sbci r31, hi8(-(gs(table)))
    jmp __tablejump2__
2:  call saves
    ret
3:  push r0
    push r0
    push r0
    push r0
    push r0
    push r0
    rjmp 5f
5:  pop r0
    pop r0
    pop r0
    pop r0
    pop r0
    pop r0
    ret
    over by_a_table

    body by_no_table
    jmp __tablejump2__
    over by_no_table

    body upcall
    push r2
    push r3
    push r4
    call saves
    pop r4
    pop r3
    pop r2
    ret
    over upcall

    body changes_stacks
    push r2
    in r24, 0x3d
    in r25, 0x3e
    ldi r18, lo8(0x10ff)
    ldi r19, hi8(0x10ff)
    out 0x3e, r19
    out 0x3d, r18
    push r24
    ldi r30, lo8(gs(upcall))
    ldi r31, hi8(gs(upcall))
    icall
    pop r20
    rcall .+0
    out 0x3e, r25
    out 0x3d, r24
    in r28, 0x3d
    in r29, 0x3e
    push r28
    pop r28
    pop r2
    ret
    over changes_stacks

    body stays_away
    ldi r18, lo8(0x10ff)
    ldi r19, hi8(0x10ff)
    out 0x3e, r19
    out 0x3d, r18
    in r24, 0x3d
    ret
    over stays_away

    body hands_over
    push r2
    push r3
    call changes_stacks
    pop r3
    pop r2
    jmp leaf
    over hands_over

    body asks_a_hook
    push r2
    call absent
    breq 6f
    pop r2
    ret
6:  jmp absent
    over asks_a_hook

    body nowhere
    breq 4f
    ret
4:  lpm r24, Z+
    elpm
    mul r24, r24
    ld r24, X+
    st -Y, r24
    ldd r24, Z+3
    jmp 0x1f000
    over nowhere

    .weak absent
    .section .progmem.table, "a"
table:
    .word gs(2b), gs(3b), gs(saves)
"""

NAMES = re.findall(r"^    body (?!far_)(\w+)", ASSEMBLY, re.MULTILINE)


def assembled(folder: Path, mcu: str = "atmega128") -> Path:
    (folder / "test.S").write_text(ASSEMBLY)
    script = "SECTIONS { .text : { *(.progmem*) *(.text .text.*) } }"
    (folder / "test.ld").write_text(script)
    command = ["avr-gcc", f"-mmcu={mcu}", "-nostartfiles", "-T", "test.ld", "test.S"]
    run([*command, "-o", "test.elf"], folder)
    return folder / "test.elf"


@pytest.fixture(scope="module")
def bodies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Body]:
    elf = assembled(tmp_path_factory.mktemp("avr"))
    return dict(zip(NAMES, analyse_calls(elf, NAMES).bodies, strict=True))


@needs_compiler
@pytest.mark.parametrize(
    ("name", "stack", "functions"),
    [
        ("leaf", 1, ()),
        ("saves", 2 + 2 + 1, ("leaf",)),
        ("makes_room", 4 + 1 + 2 + 1, ("leaf",)),
        ("frame_low_first", 2 + 20 + 2 + 1, ("leaf",)),
        ("frame_in_memory", 300 + 2 + 1, ("leaf",)),
        ("skips", 2 + 4 + 1 + 2 + 1, ("leaf", "saves", "makes_room")),
        ("through_z", 4 + 1 + 2 + 1, ("leaf", "saves", "makes_room")),
        ("pushes_its_goal", 2 + 2 + 1, ("leaf", "saves")),
        ("handler", 3 + 2 + 2 + 2 + 1, ("leaf", "saves")),
        ("by_a_table", 2 + 2 + 2 + 1, ("leaf", "saves")),
        ("changes_stacks", 2, ()),
        ("stays_away", 0, ()),
        ("hands_over", 2 + 2 + 2, ("leaf", "changes_stacks")),
        ("asks_a_hook", 1, ()),
    ],
)
def test_the_stack_is_what_is_pushed(
    bodies: dict[str, Body], name: str, stack: int, functions: tuple[str, ...]
) -> None:
    body = bodies[name]
    assert body.functions == functions
    assert (body.doubts, body.unbounded) == ((), ())
    assert body.stack_bytes == stack


@needs_compiler
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pushes_any_goal", "calls through a pointer"),
        ("any_call", "calls through a pointer"),
        ("any_jump", "calls through a pointer"),
        ("by_no_table", "calls through a pointer"),
        ("half_a_frame", "moves the stack pointer by what is not known before it runs"),
        ("nowhere", "runs into what is no code"),
    ],
)
def test_what_cannot_be_followed_is_said(bodies: dict[str, Body], name: str, reason: str) -> None:
    body = bodies[name]
    assert body.stack_bytes is None
    assert reason in [doubt.reason for doubt in body.unbounded]


@needs_compiler
def test_a_call_through_a_pointer_pushes_too(bodies: dict[str, Body]) -> None:
    assert bodies["any_call"].followed_bytes == 2


@needs_compiler
def test_what_a_thread_saves_to_give_way_is_not_counted_twice(tmp_path: Path) -> None:
    """The upcall of a switch runs on another stack in any case; the switch itself is a context's."""
    (body,) = analyse_calls(assembled(tmp_path), ["hands_over"], ["changes_stacks"]).bodies
    assert body.stack_bytes == 2 + 2
    assert body.functions == ("leaf", "changes_stacks")


@needs_compiler
def test_a_large_core_pushes_three_bytes(tmp_path: Path) -> None:
    elf = assembled(tmp_path, "atmega2560")
    assert read_code(elf).return_bytes == 3
    saves, far_call = analyse_calls(elf, ["saves", "far_call"]).bodies
    assert saves.stack_bytes == 2 + 3 + 1
    assert [doubt.reason for doubt in far_call.doubts] == ["calls through a pointer"]


def of(*instructions: tuple[str, str]) -> State:
    """What is known behind these instructions, of a function that begins with them."""
    listed = {2 * i: Instruction(2 * i, 2, *one) for i, one in enumerate(instructions)}
    image = Image(Path("x.elf"), (), {}, {}, None)
    code = Code(image, "EM_AVR", listed, (), frozenset(), (), {}, 2)
    state = start(code)
    for one in listed.values():
        step(one, state, code)
    return state


def test_a_byte_that_is_known() -> None:
    state = of(("ldi", "r24, 0x07"), ("mov", "r2, r24"), ("dec", "r2"), ("com", "r24"))
    assert state["r24"] == Value(Known.CONSTANT, 0xF8)
    assert state["r2"] == Value(Known.CONSTANT, 6)
    state = of(("ldi", "r20, 0x05"), ("subi", "r20, 0x06"), ("neg", "r20"), ("inc", "r20"))
    assert state["r20"] == Value(Known.CONSTANT, 2)
    state = of(("ldi", "r20, 0x05"), ("ldi", "r21, 0x04"), ("add", "r20, r21"), ("lsr", "r21"))
    assert state["r20"] == Value(Known.CONSTANT, 9)
    assert "r21" not in state
    assert "r20" not in of(("ldi", "r20, 0x05"), ("add", "r20, r9"))


def test_two_bytes_that_are_known() -> None:
    load = (("ldi", "r24, 0xFF"), ("ldi", "r25, 0x01"))
    state = of(*load, ("adiw", "r24, 0x02"), ("movw", "r30, r24"))
    assert addresses(state) == {"r24": 0x402, "r30": 0x402}
    state = of(*load, ("subi", "r24, 0x00"), ("sbci", "r25, 0x01"))
    assert addresses(state) == {"r24": 2 * 0xFF}
    other = (("ldi", "r18, 0x02"), ("ldi", "r19, 0x00"))
    state = of(*load, *other, ("add", "r18, r24"), ("adc", "r19, r25"))
    assert addresses(state) == {"r18": 2 * 0x201, "r24": 2 * 0x1FF}
    state = of(*load, ("sub", "r24, r24"), ("sbc", "r25, r9"))  # by a byte that is not
    assert addresses(state) == {}
    state = of(*load, ("add", "r24, r6"), ("adc", "r25, r7"))
    assert addresses(state) == {}


def test_places_of_the_stack() -> None:
    frame = (("in", "r28, 0x3d"), ("in", "r29, 0x3e"), ("ldi", "r24, 0x09"))
    state = of(*frame, ("push", "r24"), ("ld", "r2, Y"), ("pop", "r3"))
    assert state["r2"] == state["r3"] == Value(Known.CONSTANT, 9)
    assert 0 not in state  # what lies below the stack pointer is an interrupt's
    room = (*frame, ("push", "r9"), ("push", "r9"), ("push", "r9"))
    state = of(*room, ("movw", "r30, r28"), ("st", "-Z, r24"), ("ld", "r2, Z+"), ("ld", "r3, Z"))
    assert state["r2"] == Value(Known.CONSTANT, 9)
    assert "r3" not in state
    state = of(*room, ("std", "Y+1, r24"), ("ldd", "r2, Y+1"), ("st", "X, r24"))
    assert state["r2"] == Value(Known.CONSTANT, 9)
    assert 1 not in state  # X may point there


def test_constants_among_variables_are_read() -> None:
    """The kernel's description of the system leads to functions by their addresses."""
    listed = {
        0: Instruction(0, 4, "lds", "r24, 0x0104"),
        4: Instruction(4, 2, "ldi", "r30, 0x04"),
        6: Instruction(6, 2, "ldi", "r31, 0x01"),
        8: Instruction(8, 2, "ldd", "r25, Z+1"),
        10: Instruction(10, 4, "lds", "r2, 0x0106"),
    }
    image = Image(Path("x.elf"), (), {}, {}, None)
    constants = ((0x800104, b"\x10\x02"),)
    code = Code(image, "EM_AVR", listed, constants, frozenset(), (), {}, 2)
    state = start(code)
    for one in listed.values():
        step(one, state, code)
    assert addresses(state)["r24"] == 2 * 0x210
    assert "r2" not in state


LIBRARY = """\
#include <math.h>
volatile double x, y;
volatile unsigned char a, b;
void hrl_gen_body_0(void);
void hrl_gen_body_0(void) { x = atan2(x, y); }
void hrl_gen_body_1(void);
void hrl_gen_body_1(void) { a = a / b; }
"""


@needs_compiler
def test_functions_of_the_library_that_begin_in_others(tmp_path: Path) -> None:
    """What simavr 1.6 measured of atan2 is 23 bytes; one that ended in the middle would need fewer.

    The code of atan2 begins before its symbol, with what has none.
    """
    elf = compile_program(tmp_path, "avr", LIBRARY, "-Os").elf
    wide, narrow = analyse_calls(elf, ["hrl_gen_body_0", "hrl_gen_body_1"]).bodies
    assert {"atan2", "atan", "__fp_powser", "__mulsf3x"} <= set(wide.functions)
    assert wide.stack_bytes is not None
    assert 23 <= wide.stack_bytes <= 27
    assert narrow.functions == ("__udivmodqi4",)  # a symbol without a type
    image = read_image(elf)
    low, high = (image.symbols[f"hrl_link_library_{at}"] for at in ("start", "end"))
    at = low
    for function in image.functions:
        if low <= function.low < high:
            assert (function.low, function.owner) == (at, "library")
            at = function.high
    assert at == high
