# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an instruction of AVR does to what is known, and where it goes on.

Registers and places of the stack are bytes here. A push stores at the stack pointer and then moves it down;
a call pushes the address to return to. Addresses of code count bytes, but code itself handles them as words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from horolog.calls.disassembly import Code, Instruction
from horolog.calls.values import Flow, Known, State, Value, above_stack_pointer, number_of, put

__all__ = ["addresses", "instant", "start", "step"]

_ZERO = "r1"  # holds 0 wherever the compiler calls
_CALLER_SAVED = ("r0", *(f"r{number}" for number in range(18, 28)), "r30", "r31")
_BEHIND_ARGUMENTS = 26  # they begin below this register and go down
_SKIPS = frozenset(("cpse", "sbrc", "sbrs", "sbic", "sbis"))
_NOTHING = frozenset(
    [
        *("bclr", "bset", "break", "bst", "cbi", "cli", "cp", "cpc", "cpi", "nop", "sbi"),
        *("sei", "sleep", "spm", "wdr"),
        *(f"{verb}{flag}" for verb in ("cl", "se") for flag in "chnstvz"),
    ]
)
_HIGH_PART = {"add": ("adc",), "sub": ("sbc", "sbci"), "subi": ("sbc", "sbci")}
"""What computes the upper byte, by what has computed the lower one just before."""
_CARRIED = "carried"
"""In a state: the upper byte that the next instruction computes."""
_POINTERS = {"X": 26, "Y": 28, "Z": 30}
_STACK_LOW, _STACK_HIGH = 0x3D, 0x3E  # the stack pointer, as in and out know it
_DATA = 0x800000  # by which an ELF file sets addresses of data off from those of code
_OFFSET_IN_MEMORY = 0x20  # as loads and stores know it
_HALVES = {_STACK_LOW: "spl", _STACK_HIGH: "sph"}
"""In a state: what one half of the stack pointer was set to, before the other is."""
_AWAY = "away"
"""In a state: the stack pointer is a constant, the main stack's. With the next value the code is back."""
_NOTHING_THERE = 0
"""The address of a weak function without a definition, which is never called; and of the reset."""
_SHARED = ("__prologue_saves__", "__epilogue_restores__")
_TABLE_JUMPS = ("__tablejump2__", "__tablejump__", "__tablejump_elpm__")


def start(_: Code) -> State:
    """What is known where a function is entered."""
    return {"sp": Value(Known.STACK), _ZERO: _byte(0)}


def instant(state: State, pointers: int, words: int) -> tuple[Value | None, ...]:
    """The 64-bit argument behind so many pointers and 32-bit words: its bytes, all in registers."""
    low = _BEHIND_ARGUMENTS - 2 * pointers - 4 * words - 8
    return tuple(state.get(f"r{low + index}") for index in range(8))


def addresses(state: State) -> Mapping[str, int]:
    """By pair of registers, the code that a number in it may be the address of."""
    found = {}
    for low in range(0, 32, 2):
        word = number_of(Known.CONSTANT, _pair(state, low))
        if word:
            found[f"r{low}"] = 2 * word
    return found


def step(instruction: Instruction, state: State, code: Code) -> Flow:
    """Change `state` as the instruction does."""
    flow = _step(instruction, state, code)
    return replace(flow, pushes=0, apart=True) if _AWAY in state else flow


def _step(instruction: Instruction, state: State, code: Code) -> Flow:
    name = instruction.name
    parts = [part.strip() for part in instruction.text.split(",")]
    behind = instruction.address + instruction.size
    if name in ("rjmp", "jmp"):
        return _jump(instruction, _target(parts[0], behind), state, code)
    if name in ("rcall", "call"):
        return _call(_target(parts[0], behind), behind, state, code)
    if name in ("ijmp", "eijmp", "icall", "eicall"):
        return _by_register(name, instruction, state, code)
    if name in ("ret", "reti"):
        return _return(state, code)
    if name in _SKIPS:
        skipped = code.instructions.get(behind)
        return Flow(jumps=(behind + (2 if skipped is None else skipped.size),), inline=True)
    if name.startswith("br") and name != "break":
        return Flow(jumps=(_target(parts[-1], behind),))
    _change(name, parts, instruction, state, code)
    return Flow()


def _target(text: str, behind: int) -> int:
    """Where a jump or call leads: given as it is, or by the way from the next instruction."""
    return behind + int(text[1:]) if text.startswith(".") else int(text, 16)


def _jump(instruction: Instruction, target: int, state: State, code: Code) -> Flow:
    if target == _NOTHING_THERE:
        return Flow(falls=False, stops=True)
    if not code.name(target).startswith(_TABLE_JUMPS):
        return Flow(falls=False, jumps=(target,), inline=_is_shared(target, code))
    table = _pair(state, _POINTERS["Z"])
    goals = () if table is None else _switch_targets(code, 2 * table.number, instruction.address)
    return Flow(falls=False, jumps=goals, calls_unknown=not goals)


def _switch_targets(code: Code, table: int, address: int) -> tuple[int, ...]:
    """The targets of a switch: words from `table` on that lead into the function of `address`."""
    around = code.function(address)
    found: list[int] = []
    while around is not None:
        word = code.read(table + 2 * len(found), 2)
        goal = None if word is None else 2 * word
        if goal is None or not around.low < goal < around.high or goal not in code.instructions:
            break
        found.append(goal)
    return tuple(found)


def _is_shared(address: int, code: Code) -> bool:
    """Whether it is code that saves or restores registers for many functions, as a part of each."""
    around = code.function(address)
    return around is not None and around.name in _SHARED


def _call(target: int, behind: int, state: State, code: Code) -> Flow:
    _settle(state)
    if target == _NOTHING_THERE:
        return Flow()
    if target == behind and target not in code.entries:  # makes room on the stack
        _move_stack_pointer(state, -code.return_bytes)
        return Flow()
    _forget(state)
    return Flow(call=target, pushes=code.return_bytes)


def _by_register(name: str, instruction: Instruction, state: State, code: Code) -> Flow:
    word = None if name.startswith("e") else number_of(Known.CONSTANT, _pair(state, 30))
    if name.endswith("call"):
        _settle(state)
        _forget(state)
        goal = None if word is None else 2 * word
        return Flow(call=goal, calls_unknown=goal is None, pushes=code.return_bytes)
    if word is None:
        return Flow(falls=False, calls_unknown=True)
    return Flow(falls=False, jumps=(2 * word,), inline=_is_shared(instruction.address, code))


def _return(state: State, code: Code) -> Flow:
    """To the caller; or, as a jump, to what was pushed."""
    _settle(state)
    top = number_of(Known.STACK, state.get("sp"))
    if top is None or top == 0 or _AWAY in state:
        return Flow(falls=False)
    # The most significant byte was pushed last.
    pushed = [above_stack_pointer(state, 1 + index) for index in range(code.return_bytes)]
    word = 0
    for value in pushed:
        byte = number_of(Known.CONSTANT, value)
        if byte is None:
            return Flow(falls=False, calls_unknown=True)
        word = word << 8 | byte
    _move_stack_pointer(state, code.return_bytes)
    return Flow(falls=False, jumps=(2 * word,))


def _forget(state: State) -> None:
    """What a callee can change: registers, and the stack, as its address may have been passed on."""
    for key in [key for key in state if isinstance(key, int) or key in _CALLER_SAVED]:
        del state[key]
    state[_ZERO] = _byte(0)


def _change(
    name: str, parts: list[str], instruction: Instruction, state: State, code: Code
) -> None:
    """What is no jump."""
    carried = state.pop(_CARRIED, None)
    if name in _NOTHING:
        return
    if name in ("push", "pop"):
        _stack(name, parts[0], state)
    elif name in ("in", "lds", "out", "sts"):
        _input_output(name, parts, state, code)
    elif name.startswith(("ld", "st")) and name != "ldi":
        _memory(name, parts, state, code)
    elif name.startswith(("lpm", "elpm")):
        put(state, parts[0] or "r0", None)
        if parts[-1].endswith("+"):
            _move_pointer(state, _POINTERS["Z"], 1)
    elif name in ("movw", "adiw", "sbiw"):
        low = _number(parts[0])
        if name == "movw":
            _copy_pair(state, low, _number(parts[1]))
        else:
            _move_pointer(state, low, int(parts[1], 16) * (1 if name == "adiw" else -1))
    elif name.startswith(("mul", "fmul")):
        put(state, "r0", None)
        put(state, "r1", None)
    elif name in _HIGH_PART:
        _low_part(name, parts, instruction, state, code)
    elif carried is not None and name in ("adc", "sbc", "sbci"):
        state[parts[0]] = carried
    else:
        _compute(name, parts, state)


# --- The stack ----------------------------------------------------------------------------------------


def _stack(name: str, register: str, state: State) -> None:
    _settle(state)
    if _AWAY in state:
        if name == "pop":
            put(state, register, None)
        return
    top = number_of(Known.STACK, state.get("sp"))
    if name == "push":
        _store(state, None if top is None else Value(Known.STACK, top), state.get(register))
        _move_stack_pointer(state, -1)
    else:
        put(state, register, above_stack_pointer(state, 1))
        _move_stack_pointer(state, 1)


def _move_stack_pointer(state: State, by: int) -> None:
    top = number_of(Known.STACK, state.get("sp"))
    if top is not None and _AWAY not in state:
        _set_stack_pointer(state, Value(Known.STACK, top + by))


def _set_stack_pointer(state: State, value: Value | None) -> None:
    """What lies at the stack pointer or below it belongs to interrupts."""
    top = number_of(Known.STACK, value)
    if number_of(Known.CONSTANT, value) is not None:
        state[_AWAY] = Value(Known.UNKNOWN)
        return
    if state.pop(_AWAY, None) is not None and top is None:
        return
    put(state, "sp", value if top is not None else None)
    for key in [key for key in state if isinstance(key, int) and (top is None or key <= top)]:
        del state[key]


def _settle(state: State) -> None:
    """The stack is used: a stack pointer of which but one half was set is not known."""
    if any(state.pop(half, None) is not None for half in _HALVES.values()):
        _set_stack_pointer(state, None)


def _input_output(name: str, parts: list[str], state: State, code: Code) -> None:
    """The stack pointer's halves are what matters; both have to be set, in one order or the other."""
    reads = name in ("in", "lds")
    register, place = parts if reads else reversed(parts)
    port = int(place, 16) - (_OFFSET_IN_MEMORY if name in ("lds", "sts") else 0)
    if port not in _HALVES:
        if reads:
            known = _constant(code, int(place, 16)) if name == "lds" else None
            put(state, register, known)
    elif reads:
        _settle(state)
        value = None if _AWAY in state else state.get("sp")
        if value is not None and port == _STACK_HIGH:
            value = Value(Known.STACK_HIGH, value.number)
        put(state, register, value)
    else:
        state[_HALVES[port]] = state.get(register) or Value(Known.UNKNOWN)
        if all(half in state for half in _HALVES.values()):
            low, high = (state.pop(half) for half in _HALVES.values())
            _set_stack_pointer(state, _joined(low, high))


# --- Memory -------------------------------------------------------------------------------------------


def _memory(name: str, parts: list[str], state: State, code: Code) -> None:
    """A byte, by a pointer that may move before or behind it, or with a displacement."""
    register, place = parts if name.startswith("ld") else reversed(parts)
    base = _POINTERS[place.strip("-+0123456789")]
    if place.startswith("-"):
        _move_pointer(state, base, -1)
    address = _pair(state, base)
    if address is not None and place[-1].isdigit():
        address = _moved(address, int(place[2:]))
    if name.startswith("ld"):
        value = None
        if address is not None and address.kind is Known.STACK:
            value = state.get(address.number)
        elif address is not None and address.kind is Known.CONSTANT:
            value = _constant(code, address.number)
        put(state, register, value)
    else:
        _store(state, address, state.get(register))
    if place.endswith("+"):
        _move_pointer(state, base, 1)


def _constant(code: Code, address: int) -> Value | None:
    """The byte at an address of data, if it never changes."""
    byte = code.read(_DATA + address, 1)
    return None if byte is None else _byte(byte)


def _store(state: State, address: Value | None, value: Value | None) -> None:
    """A byte is written; at an unknown address it may be any of the stack."""
    if address is None or address.kind is Known.NEAR:
        for key in [key for key in state if isinstance(key, int)]:
            del state[key]
    elif address.kind is Known.STACK:
        put(state, address.number, value)


# --- Registers ----------------------------------------------------------------------------------------


def _compute(name: str, parts: list[str], state: State) -> None:
    """One byte, by itself."""
    register = parts[0]
    number = number_of(Known.CONSTANT, state.get(register))
    result: Value | None = None
    if name == "ldi":
        result = _byte(int(parts[1], 16))
    elif name == "mov":
        result = state.get(parts[1])
    elif name == "eor" and parts[0] == parts[1]:
        result = _byte(0)
    elif name in _BY_ITSELF and number is not None:
        result = _byte(_BY_ITSELF[name](number))
    put(state, register, result)


_BY_ITSELF = {
    "com": lambda number: ~number,
    "dec": lambda number: number - 1,
    "inc": lambda number: number + 1,
    "neg": lambda number: -number,
}


def _low_part(
    name: str, parts: list[str], instruction: Instruction, state: State, code: Code
) -> None:
    """The lower byte of a sum or difference, and with it the upper one that the next instruction computes."""
    low = _number(parts[0])
    following = code.instructions.get(instruction.address + instruction.size)
    high_parts: list[str] = []
    if following is not None and following.name in _HIGH_PART[name]:
        high_parts = [part.strip() for part in following.text.split(",")]
    if not high_parts or _number(high_parts[0]) != low + 1:
        put(state, parts[0], _alone(name, state.get(parts[0]), _source(parts[1], state)))
        return
    other = _joined(_source(parts[1], state), _source(high_parts[1], state))
    left = _pair(state, low)
    if name == "add":
        result = _sum(left, other)
    else:
        result = _difference(left, other, state.get(high_parts[0]))
    _set_pair(state, low, result)
    put(state, _CARRIED, state.pop(high_parts[0], None))


def _source(text: str, state: State) -> Value | None:
    return state.get(text) if text.startswith("r") else _byte(int(text, 16))


def _alone(name: str, one: Value | None, other: Value | None) -> Value | None:
    left, right = number_of(Known.CONSTANT, one), number_of(Known.CONSTANT, other)
    if left is None or right is None:
        return None
    return _byte(left + right if name == "add" else left - right)


def _sum(one: Value | None, other: Value | None) -> Value | None:
    if one is not None and one.kind is Known.CONSTANT:
        one, other = other, one
    number = number_of(Known.CONSTANT, other)
    if one is None or number is None:
        return None
    return _moved(one, number)


def _difference(one: Value | None, other: Value | None, high: Value | None) -> Value | None:
    """Less a constant. From something unknown that gives a place near one, as in the index of a table."""
    number = number_of(Known.CONSTANT, other)
    if number is None:
        return None
    if one is None:
        above = number_of(Known.CONSTANT, high) or 0
        return _moved(Value(Known.NEAR, above << 8), -number)
    return _moved(one, -number)


def _byte(number: int) -> Value:
    return Value(Known.CONSTANT, number & 0xFF)


def _moved(value: Value, by: int) -> Value:
    """A number of 16 bits and so much; offsets of the stack have a sign."""
    number = value.number + by & 0xFFFF
    if value.kind is Known.STACK and number & 0x8000:
        number -= 0x10000
    return Value(value.kind, number)


def _number(register: str) -> int:
    return int(register[1:])


_UPPER = {Known.STACK: Known.STACK_HIGH, Known.NEAR: Known.NEAR_HIGH}


def _joined(low: Value | None, high: Value | None) -> Value | None:
    """The number of 16 bits with these bytes, if they belong together."""
    if low is None or high is None:
        return None
    if low.kind is high.kind is Known.CONSTANT:
        return Value(Known.CONSTANT, high.number << 8 | low.number)
    if _UPPER.get(low.kind) is high.kind and (low.number - high.number) % 256 == 0:
        return Value(low.kind, high.number)
    return None


def _pair(state: State, low: int) -> Value | None:
    return _joined(state.get(f"r{low}"), state.get(f"r{low + 1}"))


def _set_pair(state: State, low: int, value: Value | None) -> None:
    if value is None:
        halves: tuple[Value | None, Value | None] = (None, None)
    elif value.kind is Known.CONSTANT:
        halves = (_byte(value.number), _byte(value.number >> 8))
    else:
        halves = (value, Value(_UPPER[value.kind], value.number))
    put(state, f"r{low}", halves[0])
    put(state, f"r{low + 1}", halves[1])


def _copy_pair(state: State, low: int, source: int) -> None:
    values = state.get(f"r{source}"), state.get(f"r{source + 1}")
    put(state, f"r{low}", values[0])
    put(state, f"r{low + 1}", values[1])


def _move_pointer(state: State, low: int, by: int) -> None:
    value = _pair(state, low)
    _set_pair(state, low, None if value is None else _moved(value, by))
