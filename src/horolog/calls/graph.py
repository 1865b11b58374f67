# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What each root of a firmware reaches, and what that means for a task which runs to completion."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from pathlib import Path

from horolog.calls import riscv
from horolog.calls.disassembly import Code, read_code, source_lines
from horolog.calls.follow import MACHINES, Call, Followed, Gap, follow
from horolog.calls.services import FOR_THREADS, UNTIL, is_kernel, service
from horolog.calls.values import Known, number_of
from horolog.model import TargetFailed

__all__ = ["Body", "Calls", "Doubt", "Spot", "Wait", "analyse_calls"]


@dataclass(frozen=True, slots=True)
class Spot:
    """An instruction of `function`; `source` is file:line if the firmware says."""

    function: str
    address: int
    source: str | None = None

    def __str__(self) -> str:
        return f"{self.function} ({self.source or hex(self.address)})"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why something is not known, and where."""

    spot: Spot
    reason: str
    in_kernel: bool = False  # behind a call of the kernel: nothing that the application can change

    def __str__(self) -> str:
        return f"{self.spot} {self.reason}"


@dataclass(frozen=True, slots=True)
class Wait:
    """A call that only a thread can make, or (not `certain`) that may wait: its time-out is not visible."""

    call: str
    path: tuple[Spot, ...]  # the calls on the way from the root, that of `call` last
    certain: bool


@dataclass(frozen=True, slots=True)
class Body:
    """What a root reaches. Where `doubts` is not empty there may be more."""

    root: str
    functions: tuple[str, ...]  # without itself and the kernel's own, in order of address
    services: tuple[str, ...]  # functions of the kernel that it or they call
    cycles: tuple[tuple[Spot, ...], ...]  # each a recursion: the calls that close it
    waits: tuple[Wait, ...]
    doubts: tuple[Doubt, ...]
    # Functions with their address taken: a call through a pointer may reach them.
    possible: tuple[str, ...]
    stack_bytes: int | None  # at most, its callees included; None: `unbounded` says why
    followed_bytes: int  # bytes of stack as far as they are known
    own_bytes: int  # of them, the root's without what it calls
    unbounded: tuple[Doubt, ...]
    registers: int | None  # RISC-V: mask of caller-saved registers that may change; None: not known
    saved: int | None  # and of the others, while it runs


@dataclass(frozen=True, slots=True)
class Calls:
    """The answers for each root, in the order asked for."""

    elf: Path
    machine: str
    bodies: tuple[Body, ...]


class _Graph:
    """The functions of a firmware, each followed when it is first asked for."""

    def __init__(self, code: Code, switches: Collection[str] = ()) -> None:
        self.code = code
        self._switches = switches
        self._followed: dict[int, Followed] = {}
        self._open: set[int] = set()

    def at(self, entry: int) -> Followed:
        """What the function at `entry` does."""
        if entry not in self._followed:
            self._open.add(entry)
            self._followed[entry] = follow(self.code, entry, self.returns)
            self._open.discard(entry)
        return self._followed[entry]

    def returns(self, entry: int) -> bool:
        """Whether it does; of what is being followed just now it is assumed."""
        found = [entry]  # and what it ends in a jump to
        for node in found:
            if node in self._open or self.at(node).returns:
                return True
            found += [goal for goal in sorted(self.at(node).tails) if goal not in found]
        return False

    def names(self, entry: int) -> tuple[str, ...]:
        """All names of the function at `entry`."""
        return self.code.names.get(entry, ()) or (self.code.name(entry),)

    def on_stack(self, entry: int) -> Sequence[Call]:
        """The calls that have the stack of the function at `entry`; of one that switches it, none count."""
        if not {*self.names(entry)}.isdisjoint(self._switches):
            return ()
        return [call for call in self.at(entry).calls if not call.apart]

    def stack(self, entry: int) -> int:
        """The bytes of stack of the function at `entry` itself; none of one that switches."""
        return 0 if not {*self.names(entry)}.isdisjoint(self._switches) else self.at(entry).stack

    def is_kernel(self, entry: int) -> bool:
        """Whether it is the kernel's: what that does inside is not the task's."""
        return is_kernel(self.code.name(entry)) or service(self.names(entry)) is not None

    def is_library(self, entry: int) -> bool:
        """Whether it comes with the compiler."""
        function = self.code.function(entry)
        return function is not None and function.owner == "library"

    def reached(self, root: int, *, kernel: bool) -> list[int]:
        """What `root` reaches, itself first; without `kernel` nothing behind the kernel's calls."""
        found = {root: None}
        queue = deque([root])
        while queue:
            node = queue.popleft()
            if not kernel and self.is_kernel(node):
                continue
            for call in self.on_stack(node):
                if call.target not in found:
                    found[call.target] = None
                    queue.append(call.target)
        return list(found)


def analyse_calls(elf: Path, roots: Sequence[str], switches: Collection[str] = ()) -> Calls:
    """Follow the calls of each of `roots`, functions of the firmware `elf`.

    Of `switches`, functions by which a thread gives way, no stack counts: it is that of a context.

    Reads the file and runs its toolchain's addr2line (and objdump, but for Thumb); HorologError (3) without.
    The stack is the worst of all paths through the code, the bodies' callees and the kernel's included; what
    a call of the root itself pushes is not.
    """
    code = read_code(elf)
    graph = _Graph(code, switches)
    drafts = [_draft(graph, code.image.address(root), root) for root in roots]
    addresses = {spot.address for draft in drafts for spot in _spots(draft)}
    places = source_lines(elf, code.machine, addresses)
    return Calls(elf, code.machine, tuple(_placed(draft, places) for draft in drafts))


def _draft(graph: _Graph, root: int, name: str) -> Body:
    """The answer, as yet without places in the source."""
    code = graph.code
    if root not in code.instructions:
        raise TargetFailed(f"the symbol {name} is not a function")
    everything = graph.reached(root, kernel=True)
    own = [node for node in graph.reached(root, kernel=False) if not graph.is_kernel(node)]
    services = [node for node in graph.reached(root, kernel=False) if graph.is_kernel(node)]
    mine = set(own)

    def doubt(node: int, gap: Gap) -> Doubt:
        return Doubt(Spot(code.name(node), gap.address), gap.reason, node not in mine)

    doubts = [doubt(node, gap) for node in everything for gap in graph.at(node).gaps]
    cyclic = _cycles(graph, everything)
    cycles = [cycle for cycle in cyclic if _is_the_tasks(graph, cycle)]
    stack = _stack(graph, root)
    unbounded = [doubt(node, gap) for node in everything for gap in graph.at(node).dynamic]
    unbounded += [
        doubt(node, Gap(call.address, "calls itself in the end")) for (node, call), *_ in cyclic
    ]
    unbounded = doubts + unbounded
    references = {goal for node in own for goal in graph.at(node).references}
    registers = saved = None
    if code.machine == "EM_RISCV" and not doubts:
        registers = _registers(graph, everything, root)
        saved = reduce(or_, (graph.at(node).saves for node in everything), 0)
    return Body(
        root=name,
        functions=tuple(code.name(node) for node in sorted(own) if node != root),
        services=tuple(code.name(node) for node in sorted(services)),
        cycles=tuple(
            tuple(Spot(code.name(node), call.address) for node, call in cycle) for cycle in cycles
        ),
        waits=tuple(_waits(graph, root)),
        doubts=tuple(doubts),
        possible=tuple(code.name(goal) for goal in sorted(references)) if doubts else (),
        stack_bytes=None if unbounded else stack,
        followed_bytes=stack,
        own_bytes=graph.at(root).stack,
        unbounded=tuple(unbounded),
        registers=registers,
        saved=saved,
    )


_Cycle = list[tuple[int, Call]]


def _cycles(graph: _Graph, nodes: Sequence[int]) -> list[_Cycle]:
    """A shortest cycle through each function that is on one; functions of one cycle have it once."""
    left = set(nodes)
    while True:  # what calls nothing that is left is on no cycle
        ends = {n for n in left if not any(call.target in left for call in graph.at(n).calls)}
        if not ends:
            break
        left -= ends
    found: list[_Cycle] = []
    done: set[int] = set()
    for node in sorted(left):
        if node not in done:
            cycle = _shortest_path(graph, node, node, left)
            if cycle:
                found.append(cycle)
                done |= {caller for caller, _ in cycle}
    return found


def _shortest_path(graph: _Graph, start: int, goal: int, nodes: set[int]) -> _Cycle:
    """The fewest calls from `start` to `goal`; none if there is no path."""
    came: dict[int, tuple[int, Call]] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for call in graph.at(node).calls:
            if call.target in nodes and call.target not in came:
                came[call.target] = (node, call)
                queue.append(call.target)
    if goal not in came:
        return []
    path = [came[goal]]
    while path[-1][0] != start:
        path.append(came[path[-1][0]])
    return path[::-1]


def _is_the_tasks(graph: _Graph, cycle: _Cycle) -> bool:
    """Whether a cycle is the task's own: outside the kernel, and not all in the compiler's library."""
    nodes = [node for node, _ in cycle]
    if any(graph.is_kernel(node) for node in nodes):
        return False
    return not all(graph.is_library(node) for node in nodes)


def _stack(graph: _Graph, root: int) -> int:
    """The deepest stack below `root`; of cycles only once around."""
    need: dict[int, int] = {}
    seen = {root}
    path = [root]
    while path:
        node = path[-1]
        new = next((c.target for c in graph.on_stack(node) if c.target not in seen), None)
        if new is not None:
            seen.add(new)
            path.append(new)
            continue
        path.pop()
        deepest = [(call.depth or 0) + need.get(call.target, 0) for call in graph.on_stack(node)]
        need[node] = max(graph.stack(node), *deepest, 0)
    return need[root]


def _registers(graph: _Graph, nodes: Sequence[int], root: int) -> int:
    """What `root` may change: its own, and what its callees do, but for what is put back.

    A path that reaches a hook that stops the system ends there.
    """
    changed = dict.fromkeys(nodes, 0)
    while True:
        before = dict(changed)
        for node in reversed(nodes):
            if not _ENDS.isdisjoint(graph.names(node)):
                continue
            followed = graph.at(node)
            mask = followed.registers
            for call in followed.calls:
                mask |= changed[call.target]
            changed[node] = mask & ~followed.kept
        if changed == before:
            return changed[root] | 1 << riscv.CALLER_SAVED["ra"]  # by the call of the root


_ENDS = frozenset(("hrl_assert_hook", "hrl_fault_hook"))


def _waits(graph: _Graph, root: int) -> Iterable[Wait]:
    """The first path to each call that a basic task cannot make."""
    machine = MACHINES[graph.code.machine]
    came: dict[int, tuple[Spot, ...]] = {root: ()}
    queue = deque([root])
    found: dict[tuple[str, bool], Wait] = {}
    while queue:
        node = queue.popleft()
        for call in graph.at(node).calls:
            path = (*came[node], Spot(graph.code.name(node), call.address))
            known = service(graph.names(call.target))
            if known is not None:
                name, asks, before = known
                values = machine.instant(call.state, *before) if asks == UNTIL else ()
                numbers = [number_of(Known.CONSTANT, value) for value in values]
                certain = asks == FOR_THREADS or any(numbers)
                if certain or None in numbers:
                    found.setdefault((name, certain), Wait(name, path, certain))
            if call.target not in came and not graph.is_kernel(call.target):
                came[call.target] = path
                queue.append(call.target)
    return found.values()


def _spots(body: Body) -> Iterable[Spot]:
    for cycle in body.cycles:
        yield from cycle
    for wait in body.waits:
        yield from wait.path
    for doubt in body.doubts + body.unbounded:
        yield doubt.spot


def _placed(body: Body, places: dict[int, str]) -> Body:
    """`body`, its spots with their places in the source."""

    def spot(one: Spot) -> Spot:
        return replace(one, source=places.get(one.address))

    def doubt(one: Doubt) -> Doubt:
        return replace(one, spot=spot(one.spot))

    return replace(
        body,
        cycles=tuple(tuple(map(spot, cycle)) for cycle in body.cycles),
        waits=tuple(replace(wait, path=tuple(map(spot, wait.path))) for wait in body.waits),
        doubts=tuple(map(doubt, body.doubts)),
        unbounded=tuple(map(doubt, body.unbounded)),
    )
