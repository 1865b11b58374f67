# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an instruction of RV32IMAC does to what is known, and where it goes on."""

from __future__ import annotations

import re
from collections.abc import Mapping

from horolog.calls.disassembly import Code, Instruction
from horolog.calls.values import (
    Flow,
    Known,
    State,
    Value,
    add,
    constant,
    load,
    number_of,
    put,
    store,
    subtract,
    switch_targets,
)

__all__ = [
    "CALLER_SAVED",
    "FULL_FRAME",
    "FULL_KEPT",
    "addresses",
    "instant",
    "kept",
    "mentions",
    "saves",
    "start",
    "step",
]

CALLER_SAVED = {
    "ra": 1,
    **{f"t{i}": 5 + i for i in range(3)},
    **{f"a{i}": 10 + i for i in range(8)},
    **{f"t{i}": 25 + i for i in range(3, 7)},
}
"""Number of each integer register that a call may change."""

FULL_FRAME = sum(1 << number for number in CALLER_SAVED.values())

CALLEE_SAVED = {"s0": 8, "s1": 9, **{f"s{i}": 16 + i for i in range(2, 12)}}
"""Number of each integer register that a call keeps, and restores if it has changed it."""

FULL_KEPT = sum(1 << number for number in CALLEE_SAVED.values())

_REGISTER = re.compile(r"\b(?:ra|t[0-6]|a[0-7])\b")
_KEPT = re.compile(r"\bs(?:1[01]|[0-9])\b")
_TARGET = re.compile(r"(?:0x)?([0-9a-f]+)(?: <.*>)?$")
_MEMORY = re.compile(r"(-?\d+)\((\w+)\)")
_BRANCHES = frozenset(("beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez"))
_LOADS = {"lb", "lbu", "lh", "lhu"}
_STORES = {"sb", "sh"}
_LINKS = ("ra", "t0")
_BODIES = re.compile(r"bodies_\d+")
_PRIVATE = "private"
"""In a state: no other function has an address in this function's stack, so calls do not change it."""


def start(code: Code) -> State:
    """What is known where a function is entered."""
    state: State = {"zero": constant(0), "sp": Value(Known.STACK)}
    state[_PRIVATE] = constant(1)
    for register, number in CALLER_SAVED.items():
        kind = Known.RETURN if register in _LINKS else Known.BEFORE
        state[register] = Value(kind, number)
    if "__global_pointer$" in code.image.symbols:
        state["gp"] = constant(code.image.symbols["__global_pointer$"])
    return state


def instant(state: State, pointers: int, words: int) -> tuple[Value | None, ...]:
    """The 64-bit argument behind so many pointers and 32-bit words, in registers."""
    low = pointers + words
    return state.get(f"a{low}"), state.get(f"a{low + 1}")


def addresses(state: State) -> Mapping[str, int]:
    """By register, the code that it may point at."""
    return {
        key: value.number
        for key, value in state.items()
        if isinstance(key, str) and value.kind is Known.CONSTANT
    }


def kept(state: State) -> int:
    """The mask of caller-saved registers that hold what they did at the function's entry."""
    return sum(
        1 << number
        for register, number in CALLER_SAVED.items()
        if state.get(register) in (Value(Known.BEFORE, number), Value(Known.RETURN, number))
    )


def mentions(instruction: Instruction) -> int:
    """The mask of caller-saved registers that it may change: any that it names, but to return by it."""
    if instruction.name == "c.jr" or instruction.text.startswith("zero,"):
        return 0
    mask = 0
    for name in _REGISTER.findall(instruction.text.split("<")[0]):
        mask |= 1 << CALLER_SAVED[name]
    if instruction.name in ("c.jal", "c.jalr"):
        mask |= 1 << CALLER_SAVED["ra"]
    return mask


def saves(instruction: Instruction) -> int:
    """The mask of registers that calls keep which it names, and so may change."""
    mask = 0
    for name in _KEPT.findall(instruction.text.split("<")[0]):
        mask |= 1 << CALLEE_SAVED[name]
    return mask


def step(instruction: Instruction, state: State, code: Code) -> Flow:
    """Change `state` as the instruction does."""
    name = instruction.name.removeprefix("c.")
    parts = [part.strip() for part in instruction.text.split(",")]
    if name in _BRANCHES or name in ("j", "jal"):
        return _jump(name, parts, instruction, state)
    if name in ("jr", "jalr"):
        return _jump_by_register(name, parts, instruction, state, code)
    if name in ("mret", "sret"):
        return Flow(falls=False)
    if name == "unimp":
        return Flow(falls=False, stops=True)
    _change(name, parts, instruction, state, code)
    return Flow()


def _jump(name: str, parts: list[str], instruction: Instruction, state: State) -> Flow:
    found = _TARGET.search(parts[-1])
    if found is None:
        return Flow(falls=False, unknown="goes where the disassembler does not say")
    target = int(found.group(1), 16)
    if name in _BRANCHES:
        return Flow(jumps=(target,))
    link = parts[0] if len(parts) > 1 else "ra" if name == "jal" else "zero"
    return _linked(link, target, instruction, state)


def _linked(link: str, target: int, instruction: Instruction, state: State) -> Flow:
    if link == "zero":
        return Flow(falls=False, jumps=(target,))
    if link == "ra":
        _call(state)
        return Flow(call=target)
    # Code that the compiler shares among prologues: it comes back by that register.
    state[link] = constant(instruction.address + instruction.size)
    return Flow(falls=False, jumps=(target,), inline=True)


def _jump_by_register(
    name: str, parts: list[str], instruction: Instruction, state: State, code: Code
) -> Flow:
    memory = _MEMORY.fullmatch(parts[-1])
    register, offset = (memory.group(2), int(memory.group(1))) if memory else (parts[-1], 0)
    link = parts[0] if memory else "ra" if name == "jalr" else "zero"
    goal = state.get(register)
    if offset:
        goal = add(goal, constant(offset))
    if goal is not None and goal.kind is Known.CONSTANT:
        if register == "t0" and link == "zero":
            return Flow(falls=False, jumps=(goal.number,), inline=True)
        return _linked(link, goal.number, instruction, state)
    if link != "zero":
        bodies = _bodies(code, goal.number) if goal and goal.kind is Known.ENTRY else ()
        _call(state)
        return Flow(calls_unknown=not bodies, may_call=bodies)
    if register == "ra" or (goal is not None and goal.kind is Known.RETURN):
        return Flow(falls=False)
    if goal is not None and goal.kind is Known.ENTRY:
        targets = switch_targets(code, goal.number, instruction.address)
        if targets:
            return Flow(falls=False, jumps=targets)
    return Flow(falls=False, calls_unknown=True)


def _bodies(code: Code, base: int) -> tuple[int, ...]:
    """The functions in the table at `base`, if it is one of those that the generated code has for a line.

    Of these it is known that nothing but their elements is read by their addresses.
    """
    for name, address in code.image.symbols.items():
        if address == base and _BODIES.fullmatch(name):
            words = [code.read(base + at, 4) for at in range(0, code.image.sizes[name], 4)]
            found = tuple(word for word in words if word in code.entries)
            return found if len(found) == len(words) else ()
    return ()


def _call(state: State) -> None:
    """Forget what a callee can change: registers, and the stack if its address may have been passed on."""
    if any(
        value.kind is Known.STACK
        for key, value in state.items()
        if isinstance(key, int) or key in CALLER_SAVED
    ):
        state.pop(_PRIVATE, None)
    known = _PRIVATE in state
    lowest = number_of(Known.STACK, state.get("sp")) or 0
    for key in list(state):
        if isinstance(key, int) and known and key >= lowest:
            continue
        if isinstance(key, int) or key in CALLER_SAVED:
            del state[key]


def _change(
    name: str, parts: list[str], instruction: Instruction, state: State, code: Code
) -> None:
    """What is no jump."""
    memory = _MEMORY.fullmatch(parts[-1])
    if memory is not None:
        address = add(state.get(memory.group(2)), constant(int(memory.group(1))))
        if name in ("sw", "swsp"):
            value = state.get(parts[0])
            store(state, address, value)
            if (
                value is not None
                and value.kind is Known.STACK
                and not (address and address.kind is Known.STACK)
            ):
                state.pop(_PRIVATE, None)
        elif name in _STORES:
            store(state, address, None)
        elif name in ("lw", "lwsp"):
            _set(state, parts[0], load(code, state, address))
        else:
            _set(state, parts[0], None)
            if name not in _LOADS:
                store(state, None, None)
        return
    if name.startswith(("amo", "sc.", "fs", "fence")):
        store(state, None, None)
    if not parts[0]:
        return
    result = _result(name, parts, instruction, state)
    if result is None:
        sources = [state.get(part) for part in (parts if len(parts) == 2 else parts[1:])]
        if any(source is not None and source.kind is Known.STACK for source in sources):
            state.pop(_PRIVATE, None)
    _set(state, parts[0], result)


def _result(name: str, parts: list[str], instruction: Instruction, state: State) -> Value | None:
    one = state.get(parts[1]) if len(parts) > 1 else None
    if name in ("addi", "addi16sp", "addi4spn"):
        source = state.get(parts[0]) if len(parts) == 2 else one
        return add(source, constant(int(parts[-1], 0)))
    if name in ("add", "sub"):
        left, right = (state.get(part) for part in (parts if len(parts) == 2 else parts[1:]))
        return subtract(left, right) if name == "sub" else add(left, right)
    if name == "mv":
        return one
    if name == "li":
        return constant(int(parts[1], 0))
    if name == "lui":
        return constant(int(parts[1], 0) << 12)
    if name == "auipc":
        return constant(instruction.address + (int(parts[1], 0) << 12))
    return None


def _set(state: State, register: str, value: Value | None) -> None:
    if register != "zero":
        put(state, register, value)
