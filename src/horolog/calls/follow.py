# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""One function, followed along all paths: the functions it calls, the registers it changes, its stack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType

from horolog.calls import avr, riscv, thumb
from horolog.calls.disassembly import Code, Instruction
from horolog.calls.values import Flow, Known, State, meet, number_of

__all__ = ["MACHINES", "Call", "Followed", "Gap", "follow"]

MACHINES: Mapping[str, ModuleType] = MappingProxyType(
    {"EM_ARM": thumb, "EM_RISCV": riscv, "EM_AVR": avr}
)
"""What knows the instructions of each machine, by its name in ELF files."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of, or a jump to, the function at `target`."""

    address: int
    target: int
    depth: (
        int | None
    )  # bytes that the caller has on the stack then, with what the call itself puts there
    state: State  # before it
    apart: bool = False  # with another stack


@dataclass(frozen=True, slots=True)
class Gap:
    """Something at `address` that cannot be followed."""

    address: int
    reason: str


@dataclass(frozen=True, slots=True)
class Followed:
    """What a function does, apart from what it calls."""

    calls: tuple[Call, ...]
    gaps: tuple[Gap, ...]  # what else may be called is not known
    stack: int  # bytes at most, as far as that is known
    dynamic: tuple[Gap, ...]  # where it is not
    registers: int  # mask of caller-saved registers that it may change; of RISC-V alone
    kept: int  # those of them that it puts back, what its callees change included
    saves: int  # mask of the others that it may change before it puts them back
    references: frozenset[int]  # functions with their address taken
    returns: bool  # if what it jumps to does; False: it never does
    tails: frozenset[int]  # functions that it jumps to, which return in its place


Returns = Callable[[int], bool]
"""Whether the function at an address ever returns."""


def follow(code: Code, entry: int, returns: Returns) -> Followed:
    """Follow the function that begins at `entry`.

    A forward analysis to its fixed point: what is known of registers and stack at each instruction,
    as far as it holds on all paths to it. A jump to where a function begins is a call of it (but for
    the rarely run part that GCC splits off); any other jump stays in this one.
    """
    machine = MACHINES[code.machine]
    states: dict[int, State] = {entry: machine.start(code)}
    work = [entry]
    while work:
        address = work.pop()
        instruction = code.instructions.get(address)
        if instruction is None:
            continue
        after = dict(states[address])
        flow = machine.step(instruction, after, code)
        for goal in _goals(code, entry, instruction, flow, returns)[0]:
            known = states.get(goal)
            merged = after if known is None else meet(known, after)
            if known is None or len(merged) != len(known):
                states[goal] = merged
                work.append(goal)
    return _summary(code, entry, machine, states, returns)


def _goals(
    code: Code, entry: int, instruction: Instruction, flow: Flow, returns: Returns
) -> tuple[list[int], list[int]]:
    """Where it goes on in the same function; and other functions that it jumps to, or runs into."""
    inside: list[int] = []
    others: list[int] = []
    for goal in flow.jumps:
        own = flow.inline or not _is_call(code, entry, goal)
        (inside if own else others).append(goal)
    behind = _behind(code, instruction, flow, returns) if flow.falls else None
    if behind is not None:
        (others if _is_call(code, entry, behind) else inside).append(behind)
    return inside, others


def _behind(code: Code, instruction: Instruction, flow: Flow, returns: Returns) -> int | None:
    """The next instruction; None behind a call that does not return, as none does that is the last."""
    behind = instruction.address + instruction.size
    if flow.call is not None and not instruction.conditional and not returns(flow.call):
        return None
    if flow.call is not None or flow.calls_unknown or flow.may_call:
        around = code.function(instruction.address)
        if behind not in code.instructions or (around is not None and behind >= code.end(around)):
            return None
    return behind


def _is_call(code: Code, entry: int, goal: int) -> bool:
    if goal == entry or goal not in code.entries:
        return False
    return ".cold" not in code.name(goal)


def _summary(
    code: Code, entry: int, machine: ModuleType, states: dict[int, State], returns: Returns
) -> Followed:
    calls: list[Call] = []
    gaps: list[Gap] = []
    dynamic: list[Gap] = []
    references: set[int] = set()
    tails: set[int] = set()
    comes_back = False
    stack = registers = saves = 0
    kept = -1
    for address in sorted(states):
        before = states[address]
        instruction = code.instructions.get(address)
        if instruction is None:
            gaps.append(Gap(address, "runs into what is no code"))
            continue
        after = dict(before)
        flow: Flow = machine.step(instruction, after, code)
        depths = (_depth(before), _depth(after))
        if None in depths and not dynamic:
            dynamic.append(
                Gap(address, "moves the stack pointer by what is not known before it runs")
            )
        called = None if depths[0] is None else depths[0] + flow.pushes
        stack = max(stack, *(depth for depth in (*depths, called) if depth is not None), 0)
        _, jumps = _goals(code, entry, instruction, flow, returns)
        tails |= set(jumps)
        comes_back = comes_back or flow.returns
        if machine is riscv and (flow.returns or jumps):
            kept &= riscv.kept(before) if flow.returns else 0
        calls += [Call(address, goal, depths[1], before, flow.apart) for goal in jumps]
        goals = flow.may_call if flow.call is None else (flow.call,)
        calls += [Call(address, goal, called, before, flow.apart) for goal in goals]
        if flow.calls_unknown:
            gaps.append(Gap(address, "calls through a pointer"))
        if flow.unknown is not None:
            gaps.append(Gap(address, flow.unknown))
        if instruction.name not in ("lui", "c.lui"):  # of an address only half
            references |= _references(code, machine, before, after)
        if machine is riscv:
            registers |= riscv.mentions(instruction)
            saves |= riscv.saves(instruction)
    return Followed(
        tuple(calls),
        tuple(gaps),
        stack,
        tuple(dynamic),
        registers,
        max(kept, 0) if comes_back else 0,
        saves,
        frozenset(references),
        comes_back,
        frozenset(tails),
    )


def _depth(state: State) -> int | None:
    top = number_of(Known.STACK, state.get("sp"))
    return None if top is None else -top


def _references(code: Code, machine: ModuleType, before: State, after: State) -> set[int]:
    """The functions that a register points at after an instruction, and did not before."""
    old: Mapping[str, int] = machine.addresses(before)
    new: Mapping[str, int] = machine.addresses(after)
    return {goal for key, goal in new.items() if old.get(key) != goal and goal in code.entries}
