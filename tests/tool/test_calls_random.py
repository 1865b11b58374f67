# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random call graphs, compiled; what the analysis says is compared with what was written."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.tool.call_programs import COMPILERS, RETURN_BYTES, compile_program

from horolog.calls import analyse_calls

pytestmark = [
    pytest.mark.skipif(
        any(shutil.which(command[0]) is None for command in COMPILERS.values()),
        reason="needs all cross compilers",
    ),
    pytest.mark.xdist_group("calls"),
]

MOST = 7


@dataclass(frozen=True)
class Written:
    """One function: which others it calls, what it does besides."""

    calls: tuple[int, ...]
    tail: int | None  # the last thing that it does is to call that one
    does: str  # "", "wait", "pointer" or "switch"
    words: int  # of its own array


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Written, ...]:
    count = draw(st.integers(1, MOST))
    upward = draw(st.booleans())  # calls only later ones: no recursion
    found = []
    for index in range(count):
        low = index + 1 if upward else 0
        others = st.integers(low, count - 1) if low < count else None
        found.append(
            Written(
                tuple(draw(st.lists(others, max_size=3))) if others is not None else (),
                draw(st.none() | others) if others is not None else None,
                draw(st.sampled_from(("", "", "", "switch", "wait", "pointer"))),
                draw(st.sampled_from((0, 0, 5, 90))),
            )
        )
    return tuple(found)


DOES = {
    "": "",
    "wait": "    hrl_thread_sleep_for(9);\n",
    "pointer": "    pointer(v);\n",
    "switch": "    switch (v) {\n"
    + "".join(f"    case {k}: v += {7 * k + 3}; other = v << {k}; break;\n" for k in range(9))
    + "    }\n",
}


def text_of(all_graphs: list[tuple[Written, ...]]) -> str:
    lines = ["#include <hrl/thread.h>", "volatile int v, other;", "void (*volatile pointer)(int);"]
    for number, graph in enumerate(all_graphs):
        names = [f"f{number}_{index}" for index in range(len(graph))]
        lines += [f"APART void {name}(int x);" for name in names]
        for name, written in zip(names, graph, strict=True):
            lines.append(f"void {name}(int x)\n{{")
            if written.words:
                lines.append(f"    volatile int room[{written.words}]; room[v] = x;")
            lines.append(f"    v = x;\n{DOES[written.does]}")
            lines += [f"    if (v) {{ {names[goal]}(v); v++; }}" for goal in written.calls]
            if written.words:
                lines.append("    other = room[v];")
            if written.tail is not None:
                lines.append(f"    {names[written.tail]}(x + 1);")
            lines.append("}")
        body = f"hrl_gen_body_{number}"
        lines.append(f"void {body}(void); void {body}(void) {{ {names[0]}(1); v = 0; }}")
    return "\n".join(lines) + "\n"


def goals(written: Written) -> set[int]:
    return {*written.calls} | ({written.tail} if written.tail is not None else set())


def reached(graph: tuple[Written, ...], start: set[int]) -> set[int]:
    """All that `start` calls in the end, `start` itself only if something calls it."""
    found: set[int] = set()
    new: set[int] = set().union(*(goals(graph[index]) for index in start))
    while new - found:
        found |= new
        new = set().union(*(goals(graph[index]) for index in found))
    return found


def deepest(graph: tuple[Written, ...], frames: dict[str, int], number: int, index: int) -> int:
    below = [deepest(graph, frames, number, goal) for goal in goals(graph[index])]
    return frames[f"f{number}_{index}"] + max(below, default=0)


@pytest.mark.parametrize("arch", COMPILERS)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(
    all_graphs=st.lists(graphs(), min_size=8, max_size=8),
    option=st.sampled_from(("-O0", "-Os", "-O2")),
    siblings=st.booleans(),
)
def test_the_answer_is_what_was_written(
    arch: str, all_graphs: list[tuple[Written, ...]], option: str, siblings: bool
) -> None:
    options = [option] if siblings else [option, "-fno-optimize-sibling-calls"]
    with TemporaryDirectory() as folder:
        program = compile_program(Path(folder), arch, text_of(all_graphs), *options)
        roots = [f"hrl_gen_body_{number}" for number in range(len(all_graphs))]
        calls = analyse_calls(program.elf, roots)
    for number, (graph, body) in enumerate(zip(all_graphs, calls.bodies, strict=True)):
        there = {0} | reached(graph, {0})
        assert set(body.functions) == {f"f{number}_{index}" for index in there}
        cyclic = {index for index in there if index in reached(graph, {index})}
        in_cycles = {spot.function for cycle in body.cycles for spot in cycle}
        # GCC makes a loop of a function that ends in a call of itself.
        loops = {i for i in cyclic if graph[i].tail == i and option != "-O0" and siblings}
        assert in_cycles <= {f"f{number}_{index}" for index in cyclic}
        assert bool(in_cycles) == bool(cyclic) or cyclic <= loops
        waiting = any(graph[index].does == "wait" for index in there)
        assert [wait.call for wait in body.waits] == ["hrl_thread_sleep_for"] * waiting
        doubtful = {f"f{number}_{i}" for i in there if graph[i].does == "pointer"}
        assert {doubt.spot.function for doubt in body.doubts} == doubtful
        if cyclic or doubtful:
            assert body.stack_bytes is None or cyclic <= loops
            continue
        most = program.frames[body.root] + deepest(graph, program.frames, number, 0)
        most -= RETURN_BYTES[arch]
        assert body.stack_bytes is not None
        if waiting:
            most += 64
        if siblings:
            assert body.stack_bytes <= most
        elif not waiting:
            assert body.stack_bytes == most
        assert (body.registers is not None) == (arch == "rv32")
