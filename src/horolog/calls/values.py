# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is known of a register or a word of the stack at an instruction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from horolog.calls.disassembly import Code

__all__ = [
    "Flow",
    "Known",
    "State",
    "Value",
    "above_stack_pointer",
    "add",
    "constant",
    "load",
    "meet",
    "number_of",
    "put",
    "store",
    "subtract",
    "switch_targets",
]

_WORD = 0xFFFFFFFF


class Known(Enum):
    """What `Value.number` is."""

    CONSTANT = "constant"
    STACK = "stack"  # bytes above the stack pointer as it was at the function's entry
    NEAR = "near"  # a constant, and something unknown is added to it
    ENTRY = "entry"  # a word that was read from there
    RETURN = "return"  # the address that the function returns to, in register `number`
    BEFORE = "before"  # what register `number` held at the function's entry
    STACK_HIGH = "stack high"  # of AVR, where registers are bytes: the upper one of STACK
    NEAR_HIGH = "near high"  # and of NEAR
    UNKNOWN = "unknown"  # nothing, but that it was written


@dataclass(frozen=True, slots=True)
class Value:
    """What is known of a register or a word: its kind, and a number."""

    kind: Known
    number: int = 0


State = dict[str | int, Value]
"""Known values by register, and by offset of a word of the stack; all else is unknown."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Where an instruction goes on."""

    falls: bool = True  # to the next one
    jumps: tuple[int, ...] = ()
    call: int | None = None
    calls_unknown: bool = False
    may_call: tuple[int, ...] = ()  # it calls one of these
    unknown: str | None = None  # why it is not known where
    inline: bool = False  # its jump leads into code that comes back by another register
    stops: bool = False  # nowhere
    leaves: bool = False  # beside what else it may do, it may return
    pushes: int = 0  # bytes that a call itself puts on the stack
    apart: bool = False  # what it calls or jumps to has another stack

    @property
    def returns(self) -> bool:
        """Whether it goes back to the caller, or may."""
        if self.falls or self.jumps or self.stops:
            return self.leaves
        return self.call is None and self.unknown is None


def constant(number: int) -> Value:
    """A constant of a word."""
    return Value(Known.CONSTANT, number & _WORD)


def number_of(kind: Known, value: Value | None) -> int | None:
    """The number of `value`; None: it is not known, or not of that kind."""
    return value.number if value is not None and value.kind is kind else None


def subtract(one: Value | None, other: Value | None) -> Value | None:
    """Returns one - other, where that is a constant."""
    less = number_of(Known.CONSTANT, other)
    return None if less is None else add(one, constant(-less))


def add(one: Value | None, other: Value | None) -> Value | None:
    """Returns one + other, as far as it is known."""
    if one is None or (other is not None and one.kind is Known.CONSTANT):
        one, other = other, one
    if one is None:
        return None
    if other is None:
        return Value(Known.NEAR, one.number) if one.kind in (Known.CONSTANT, Known.NEAR) else None
    if other.kind is Known.CONSTANT and one.kind is Known.STACK:
        return Value(Known.STACK, one.number + _signed(other.number))
    if other.kind in (Known.CONSTANT, Known.NEAR) and one.kind in (Known.CONSTANT, Known.NEAR):
        near = Known.NEAR in (one.kind, other.kind)
        return Value(Known.NEAR if near else Known.CONSTANT, (one.number + other.number) & _WORD)
    return None


def put(state: State, register: str | int, value: Value | None) -> None:
    """`register`, or the place of the stack, now has `value`."""
    if value is None:
        state.pop(register, None)
    else:
        state[register] = value


def above_stack_pointer(state: State, offset: int) -> Value | None:
    """The word so many bytes above the stack pointer."""
    top = number_of(Known.STACK, state.get("sp"))
    return None if top is None else state.get(top + offset)


def load(code: Code, state: State, address: Value | None) -> Value | None:
    """The word at `address`."""
    if address is None:
        return None
    if address.kind is Known.STACK:
        return state.get(address.number)
    if address.kind is Known.CONSTANT:
        word = code.read(address.number, 4)
        return None if word is None else constant(word)
    if address.kind is Known.NEAR and code.read(address.number, 4) is not None:
        return Value(Known.ENTRY, address.number)
    return None


def store(state: State, address: Value | None, value: Value | None) -> None:
    """A word, or with no value anything, is written to `address`; unknown, it may be any of the stack."""
    if address is None or address.kind not in (Known.CONSTANT, Known.NEAR, Known.STACK):
        for key in [key for key in state if isinstance(key, int)]:
            del state[key]
    elif address.kind is Known.STACK:
        state.pop(address.number & ~3, None)
        if value is not None and not address.number & 3:
            state[address.number] = value


def switch_targets(code: Code, base: int, address: int) -> tuple[int, ...]:
    """The targets of a switch: words from `base` on that lead into the function of `address`.

    Into its middle, or into the part of it that is rarely run. The lowest bit says Thumb.
    """
    around = code.function(address)
    found: list[int] = []
    while around is not None:
        word = code.read(base + 4 * len(found), 4)
        goal = None if word is None else word & ~1
        there = None if goal is None else code.function(goal)
        if goal is None or there is None or goal not in code.instructions:
            break
        middle = there.low == around.low and goal != there.low
        if not middle and not there.name.startswith(f"{around.name}.cold"):
            break
        found.append(goal)
    return tuple(found)


def meet(one: State, other: State) -> State:
    """Returns what holds in both."""
    return {key: value for key, value in one.items() if other.get(key) == value}


def _signed(word: int) -> int:
    return word - (1 << 32) if word & 0x80000000 else word
