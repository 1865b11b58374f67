# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an instruction of Thumb-2 (Armv7-M) does to what is known, and where it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from horolog.calls.disassembly import Code, Instruction, Memory, Operand, Shifted
from horolog.calls.values import (
    Flow,
    Known,
    State,
    Value,
    above_stack_pointer,
    add,
    constant,
    load,
    meet,
    number_of,
    put,
    store,
    subtract,
    switch_targets,
)

__all__ = ["addresses", "instant", "start", "step"]

_CALLER_SAVED = ("r0", "r1", "r2", "r3", "r12", "lr")
_NOTHING = frozenset(
    [
        "cmp",
        "cmn",
        "tst",
        "teq",
        "nop",
        "dmb",
        "dsb",
        "isb",
        "cpsie",
        "cpsid",
        "msr",
        "svc",
        "bkpt",
        "wfi",
        "wfe",
        "sev",
        "yield",
        "pld",
        "vcmp",
        "vcmpe",
    ]
)
_PC_AHEAD = 4  # of the instruction that names it


def start(_: Code) -> State:
    """What is known where a function is entered."""
    return {"sp": Value(Known.STACK), "lr": Value(Known.RETURN)}


def instant(state: State, pointers: int, words: int) -> tuple[Value | None, ...]:
    """The 64-bit argument behind so many pointers and 32-bit words: it begins with an even register."""
    low = pointers + words + (pointers + words & 1)
    return tuple(
        state.get(f"r{index}") if index < 4 else above_stack_pointer(state, 4 * (index - 4))
        for index in (low, low + 1)
    )


def addresses(state: State) -> Mapping[str, int]:
    """By register, the code that it may point at."""
    return {
        key: value.number & ~1
        for key, value in state.items()
        if isinstance(key, str) and value.kind is Known.CONSTANT and value.number & 1
    }


def step(instruction: Instruction, state: State, code: Code) -> Flow:
    """Change `state` as the instruction does."""
    name = instruction.name.split(".")[0]
    if not instruction.conditional:
        return _step(name, instruction, state, code)
    before = dict(state)
    done = _step(name[:-2], instruction, state, code)
    held = meet(before, state)
    state.clear()
    state.update(held)
    return replace(done, falls=True, leaves=done.returns)


def _step(name: str, instruction: Instruction, state: State, code: Code) -> Flow:
    if name in ("b", "bl", "cbz", "cbnz"):
        return _branch(name, instruction, state)
    if name in ("bx", "blx"):
        return _exchange(name, instruction, state)
    if name in ("tbb", "tbh"):
        return _table_branch(name, instruction, code)
    if name == "udf":
        return Flow(falls=False, stops=True)
    if name in ("push", "pop", "vpush", "vpop") or name.startswith(("ldm", "stm")):
        return _several(name, instruction, state)
    if name.startswith(("ldr", "str")) and not name.startswith(("ldrex", "strex")):
        return _memory(name, instruction, state, code)
    return _compute(name, instruction, state)


def _branch(name: str, instruction: Instruction, state: State) -> Flow:
    target = instruction.operands[-1]
    if not isinstance(target, int):
        return Flow(falls=False, unknown="goes where the disassembler does not say")
    target = constant(target).number
    if name == "bl":
        _call(state)
        return Flow(call=target)
    return Flow(falls=name != "b", jumps=(target,))


def _exchange(name: str, instruction: Instruction, state: State) -> Flow:
    register = str(instruction.operands[0])
    goal = state.get(register)
    if name == "blx":
        target = number_of(Known.CONSTANT, goal)
        _call(state)
        return Flow(call=None if target is None else target & ~1, calls_unknown=target is None)
    return _leave(register, goal)


def _leave(register: str, goal: Value | None) -> Flow:
    """A jump to `goal`, which `register` holds."""
    if goal is not None and goal.kind is Known.CONSTANT:
        return Flow(falls=False, jumps=(goal.number & ~1,))
    if register == "lr" or (goal is not None and goal.kind is Known.RETURN):
        return Flow(falls=False)
    return Flow(falls=False, calls_unknown=True)


def _table_branch(name: str, instruction: Instruction, code: Code) -> Flow:
    """The table lies behind the instruction, and the first of its targets behind it."""
    base = instruction.address + _PC_AHEAD
    table = instruction.operands[0]
    if not isinstance(table, Memory) or table.base != "pc":
        return Flow(falls=False, unknown="jumps through a table that lies elsewhere")
    size = 1 if name == "tbb" else 2
    targets: set[int] = set()
    at = base
    while at not in code.instructions and (not targets or at < min(targets)):
        entry = code.read(at, size)
        if entry is None:
            break
        if entry:  # 0 fills up an odd table
            targets.add(base + 2 * entry)
        at += size
    return Flow(falls=False, jumps=tuple(sorted(t for t in targets if t in code.instructions)))


def _several(name: str, instruction: Instruction, state: State) -> Flow:
    """Several registers, to memory or from it."""
    names = _registers(instruction)
    base, back = "sp", False
    if name.startswith(("ldm", "stm")):
        base, *names = names
        back = instruction.writes_back
    if name[0] == "v":
        size = sum(8 if register[0] == "d" else 4 for register in names)
        state_sp = state.get("sp")
        if name == "vpush":
            store(state, None, None)
            size = -size
        put(state, "sp", add(state_sp, constant(size)))
        return Flow()
    push = name in ("push", "stmdb", "stmfd") and base == "sp" and (back or name == "push")
    pop = name in ("pop", "ldmia", "ldm", "ldmfd") and base == "sp" and (back or name == "pop")
    if push:
        top = add(state.get("sp"), constant(-4 * len(names)))
        for index, register in enumerate(names):
            store(state, add(top, constant(4 * index)), state.get(register))
        put(state, "sp", top)
        return Flow()
    if pop:
        return _popped(names, state)
    if name.startswith("stm"):
        store(state, None, None)
    else:
        for register in names:
            state.pop(register, None)
    if back:
        state.pop(base, None)
    return Flow(falls=not (name.startswith("ldm") and "pc" in names))


def _popped(names: list[str], state: State) -> Flow:
    top = state.get("sp")
    popped = [above_stack_pointer(state, 4 * index) for index in range(len(names))]
    for register, value in zip(names, popped, strict=True):
        put(state, register, value)
    if "sp" not in names:
        put(state, "sp", add(top, constant(4 * len(names))))
    return Flow(falls="pc" not in names)


def _registers(instruction: Instruction) -> list[str]:
    """The registers that it names, but for those of an address."""
    return [one for one in instruction.operands if isinstance(one, str)]


def _memory(name: str, instruction: Instruction, state: State, code: Code) -> Flow:
    """A register or two, to memory or from it."""
    place = next((one for one in instruction.operands if isinstance(one, Memory)), None)
    if place is None:
        return Flow(falls=False, unknown=f"{name} {instruction.text} is not understood")
    at = instruction.operands.index(place)
    registers = [str(one) for one in instruction.operands[:at]]
    behind = instruction.operands[at + 1 :]  # by which the base moves on afterwards
    base = place.base
    if base == "pc":
        origin: Value | None = constant((instruction.address + _PC_AHEAD) & ~3)
    else:
        origin = state.get(base)
    if place.index is None:
        moved = add(origin, constant(place.offset))
    else:
        moved = add(origin, state.get(place.index) if place.plain else None)
    flow = Flow()
    if name in ("str", "strd"):
        for index, register in enumerate(registers):
            store(state, add(moved, constant(4 * index)), state.get(register))
    elif name.startswith("str"):
        store(state, moved, None)
    else:
        values = [
            load(code, state, add(moved, constant(4 * index))) if name in ("ldr", "ldrd") else None
            for index in range(len(registers))
        ]
        for register, value in zip(registers, values, strict=True):
            if register == "pc":
                flow = _loaded_pc(base, value, instruction, code)
            else:
                put(state, register, value)
    if behind:
        put(state, base, add(origin, _operand(behind[0], instruction, state)))
    elif instruction.writes_back:
        put(state, base, moved)
    return flow


def _loaded_pc(base: str, value: Value | None, instruction: Instruction, code: Code) -> Flow:
    if base == "sp":
        return Flow(falls=False)
    if value is not None and value.kind is Known.ENTRY:
        targets = switch_targets(code, value.number, instruction.address)
        if targets:
            return Flow(falls=False, jumps=targets)
    return _leave("pc", value)


def _compute(name: str, instruction: Instruction, state: State) -> Flow:
    """What is neither memory nor a jump, or a rare kind of memory."""
    if name in _NOTHING or name.startswith("it"):
        return Flow()
    operands = instruction.operands
    first = operands[0] if operands else None
    if name.startswith(("st", "vst", "push")):
        store(state, None, None)
    value = _result(name, operands, instruction, state)
    if name == "mov" and first == "pc":
        source = str(operands[1])
        return _leave(source, state.get(source))
    if first == "pc":
        return Flow(falls=False, calls_unknown=True)
    if value is not None:
        put(state, str(first), value)
        return Flow()
    several = name.startswith(_SEVERAL_RESULTS) or instruction.writes_back
    for register in _mentioned(operands) if several else [str(first)]:
        state.pop(register, None)
    return Flow()


def _mentioned(operands: tuple[Operand, ...]) -> list[str]:
    """Every register that is named, those of an address included."""
    found: list[str] = []
    for one in operands:
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, Shifted):
            found.append(one.register)
        elif isinstance(one, Memory):
            found += [one.base] if one.index is None else [one.base, one.index]
    return found


_SEVERAL_RESULTS = (
    "umull",
    "umlal",
    "umaal",
    "smull",
    "smlal",
    "smlsl",
    "v",
    "mc",
    "mr",
    "ld",
    "st",
)
"""Beginnings of names: the others change their first operand alone."""

_SUMS = ("add", "adds", "addw", "sub", "subs", "subw")


def _result(
    name: str, operands: tuple[Operand, ...], instruction: Instruction, state: State
) -> Value | None:
    """The value of the first operand afterwards, if it is known."""
    if name in ("mov", "movs", "movw") and len(operands) == 2:
        return _operand(operands[1], instruction, state)
    if name == "movt":
        low, high = number_of(Known.CONSTANT, state.get(str(operands[0]))), operands[1]
        if low is None or not isinstance(high, int):
            return None
        return constant(high << 16 | low & 0xFFFF)
    if name in ("mvn", "mvns") and isinstance(operands[1], int):
        return constant(~operands[1])
    if name == "adr" and isinstance(operands[1], int):
        return add(_operand("pc", instruction, state), constant(operands[1]))
    if name in _SUMS and len(operands) in (2, 3):
        one = _operand(operands[-2], instruction, state)
        other = _operand(operands[-1], instruction, state)
        return subtract(one, other) if name.startswith("sub") else add(one, other)
    return None


def _operand(one: Operand, instruction: Instruction, state: State) -> Value | None:
    if isinstance(one, int):
        return constant(one)
    if one == "pc":
        return constant((instruction.address + _PC_AHEAD) & ~3)
    return state.get(one) if isinstance(one, str) else None


def _call(state: State) -> None:
    for key in [key for key in state if isinstance(key, int) or key in _CALLER_SAVED]:
        del state[key]
