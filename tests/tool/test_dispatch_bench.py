# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench dispatch: logs, spans, the figure, the memory and what is run, by hand-made data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from horolog.data import data_root
from horolog.model import HorologError
from horolog.read import read_board, read_system
from horolog_experiments.dispatch.baseline import build_freertos
from horolog_experiments.dispatch.figure import (
    Interruptions,
    interruptions,
    timeline,
    timelines_svg,
    vcd_text,
)
from horolog_experiments.dispatch.memory import pieces, total
from horolog_experiments.dispatch.rates import all_served
from horolog_experiments.dispatch.rows import ENDS, RELEASES, STARTS
from horolog_experiments.dispatch.run import spans_from
from horolog_experiments.dispatch.scenarios import (
    BEFORE,
    BEHIND,
    FIGURES,
    FREERTOS_IMAGES,
    SYSTEMS,
    Span,
    freertos_image,
    rate_freertos,
    rate_system,
    system_image,
)
from horolog_experiments.dispatch.systems import system_text
from horolog_experiments.dispatch.visits import (
    Log,
    Part,
    Sample,
    Spans,
    Visit,
    gaps,
    parts_of,
    read_visits,
    rounds,
    spans_of,
    starts,
)
from horolog_experiments.dispatch.watching import Built, owner_numbers

IDLE, HIGH, NEXT = 0, 1, 2

# Idle; at 100 the timer; the task in 110 to 119, idle again at 125; the same at 200, two cycles later.
RTL = """\
10 + 0 0x100
100 expiry 3
102 - 0 0x104
110 + 1 0x200
119 - 1 0x20e
125 + 0 0x106
200 expiry 3
203 - 0 0x110
212 + 1 0x200
221 - 1 0x20e
227 + 0 0x112
300 expiry 3
310 timer
400 - 0 0x100
400 end
"""


def _log() -> Log:
    return read_visits(RTL, {})


def test_a_log_of_the_simulator() -> None:
    log = _log()
    assert log.visits[0] == Visit(IDLE, 10, 102, (0x100, 0x104))
    assert [visit.owner for visit in log.visits] == [0, 1, 0, 1, 0]
    assert log.visits[-1].last == 400
    assert log.expiries == {"cell 3": (100, 200, 300), "timer": (310,)}


def test_a_log_of_the_emulator() -> None:
    text = "5 + 0 0x10\n9 - 0 0x12\n10 + 2 0x40\n10 - 2 0x40\n14 + 1 0x20\n20 - 1 0x24\n20 end\n"
    log = read_visits(text, {2: "TIMER0_Handler"})
    assert log.expiries == {"TIMER0_Handler": (10,)}
    assert [visit.owner for visit in log.visits] == [0, 1]  # the handler's entry is no visit


def test_from_an_expiry_to_the_task_and_back() -> None:
    log = _log()
    found = starts(log, log.expiries["cell 3"], HIGH, IDLE)
    # With the place where idle was when it was interrupted.
    assert found == [Sample(100, 110, 0x104), Sample(200, 212, 0x110)]
    assert [one.length for one in found] == [10, 12]
    assert gaps(log, HIGH, IDLE) == [Sample(120, 125), Sample(222, 227)]
    assert rounds(log, log.expiries["cell 3"], HIGH, IDLE) == [15, 17]


def test_a_job_that_begins_is_not_resumed() -> None:
    """At a common release the urgent task comes first, and the other begins behind it."""
    visits = (Visit(1, 10, 19), Visit(2, 60, 99), Visit(1, 110, 119), Visit(2, 130, 199))
    assert gaps(Log(visits), 1, 2) == [Sample(20, 60), Sample(120, 130)]
    assert gaps(Log(visits), 1, 2, resumed=True) == [Sample(120, 130)]


def test_an_expiry_that_meets_another_thread_does_not_count() -> None:
    log = replace(_log(), expiries={"cell 3": (100, 115, 200, 300)})
    found = starts(log, log.expiries["cell 3"], HIGH, IDLE)
    assert [one.length for one in found] == [10, 12]
    assert rounds(log, (40, 60, 90, 300), HIGH, IDLE) == [125 - 90 - 10]


def test_a_round_takes_all_bodies_out() -> None:
    visits = (Visit(0, 0, 99), Visit(1, 110, 119), Visit(1, 130, 149), Visit(0, 160, 300))
    assert rounds(Log(visits), (100, 400), HIGH, IDLE) == [60 - 10 - 20]


SERVE, LOOK = 2, 3


def test_what_a_sample_is_made_of() -> None:
    """Of the interrupted code's last cycles, too; a function that comes twice is one part."""
    log = Log(
        (
            Visit(IDLE, 0, 102),
            Visit(SERVE, 106, 109),
            Visit(LOOK, 111, 112),
            Visit(SERVE, 113, 115),
            Visit(HIGH, 118, 130),
        ),
        names={SERVE: "serve", LOOK: "look"},
    )
    assert log.of_owners().visits == (log.visits[0], log.visits[-1])
    (sample,) = starts(log.of_owners(), (100, 200), HIGH, IDLE)
    found = parts_of(log, sample, "before")
    assert found == (Part("before", 6), Part("serve", 5 + 5), Part("look", 2))
    assert sum(part.time for part in found) == sample.length
    assert parts_of(log, Sample(106, 109), "before") == (Part("serve", 3),)


def test_samples() -> None:
    assert spans_of([3, 1, 2, 9], 3, 2) == Spans(3, 1, 3, 6, 2)
    assert spans_of([3, 1, 2], 3).mean == 2
    with pytest.raises(HorologError, match="another path"):
        spans_of([1, 2], 3)


def test_what_is_measured_of_a_scenario() -> None:
    image = replace(system_image("idle-basic"), samples=2)
    built = Built(Path("x.elf"), {"high": ("f",)}, ("cell 3",))
    assert owner_numbers(built) == {"idle": IDLE, "high": HIGH}
    found, parts = spans_from(image, built, _log())
    assert found == {Span.START: Spans(2, 10, 12, 22, 2), Span.END: Spans(2, 5, 5, 10)}
    assert parts == {Span.START: (Part(BEFORE, 12),), Span.END: (Part(BEHIND, 5),)}
    yields = replace(freertos_image("yield"), samples=1)
    both = Log((Visit(1, 0, 1), Visit(2, 8, 9), Visit(1, 16, 17)))
    two = Built(Path("x.elf"), {"high": ("f",), "low": ("g",)}, ())
    assert spans_from(yields, two, both)[0] == {Span.YIELD: Spans(1, 6, 6, 6)}


def test_in_the_emulator_the_handler_begins_with_the_expiry() -> None:
    text = """\
1 + 0 0x10
9 - 0 0x12
10 + 2 0x40
10 - 2 0x40
11 + 3 0x42
13 - 3 0x46
14 + 1 0x20
20 - 1 0x24
21 + 3 0x48
22 - 3 0x4a
23 + 0 0x14
99 - 0 0x14
100 + 2 0x40
100 - 2 0x40
110 end
"""
    log = replace(read_visits(text, {2: "TIMER0_Handler"}), names={3: "TIMER0_Handler"})
    built = Built(Path("x.elf"), {"high": ("f",)}, ("TIMER0_Handler",))
    found, parts = spans_from(replace(system_image("idle-basic"), samples=1), built, log)
    assert found == {Span.START: Spans(1, 4, 4, 4, 1), Span.END: Spans(1, 2, 2, 2)}
    assert parts[Span.START] == parts_of(log, Sample(10, 14), "TIMER0_Handler")
    assert parts[Span.START] == (Part("TIMER0_Handler", 4),)
    assert parts[Span.END] == (Part("TIMER0_Handler", 2),)


def test_an_activation_is_lost() -> None:
    built = Built(Path("x.elf"), {"high": ("f",)}, ("t",))
    times = range(100, 1100, 100)
    runs = tuple(Visit(HIGH, time + 10, time + 20) for time in times)
    log = Log(runs, {"t": tuple(times)})
    assert all_served(log, built, 9)
    assert not all_served(replace(log, visits=runs[:4] + runs[5:]), built, 9)
    assert not all_served(replace(log, visits=()), built, 9)
    assert not all_served(log, built, 11)


# --- the figure ----------------------------------------------------------------------------------

_CUT = Log(
    (
        Visit(0, 0, 9),
        Visit(1, 20, 49),  # interrupted for 10 and for 20
        Visit(1, 60, 79),
        Visit(1, 100, 119),
        Visit(2, 130, 139),
        Visit(0, 150, 219),
        Visit(1, 230, 239),
        Visit(0, 250, 300),
    )
)


def test_interruptions_of_an_urgent_task() -> None:
    assert interruptions(_CUT, 1, (0, 2), 5) == Interruptions(2, 2, 30, 20)
    assert interruptions(_CUT, 1, (0, 2), 1) == Interruptions(1, 2, 30, 20)
    assert interruptions(Log(_CUT.visits[5:]), 1, (0, 2), 5) == Interruptions(1, 0, 0, 0)


def test_a_timeline_is_drawn_and_dumped() -> None:
    due = [(1, 12), (2, 70), (2, 200)]  # the last one lies outside
    one = timeline(_CUT, ("idle", "high", "low"), 5, 145, due)
    assert one.releases == ((1, 12), (2, 70))
    assert one.visits[0] == Visit(0, 5, 9)
    assert one.visits[-1] == Visit(2, 130, 139)
    svg = timelines_svg({"a title": one}, "cycles")
    ElementTree.fromstring(svg)
    assert svg.count('<path d="M') == 2
    assert svg.count('fill="#c4302b"') == 5  # the kernel: before, between, behind
    lines = vcd_text(one).splitlines()
    assert "$var wire 1 # low $end" in lines
    at = lines.index(f"#{(10 - 5) * 20}")
    assert set(lines[at + 1 : at + 3]) == {"0!", "1$"}  # idle off, kernel on


# --- memory --------------------------------------------------------------------------------------

_MAP = """\
Archive member included to satisfy reference by file (symbol)

/usr/lib/libc.a(lib_a-memset.o)
                              CMakeFiles/hrl_start.dir/work/ports/startup.S.obj (memset)
/usr/lib/libgcc.a(div.o)      libhrl_kernel.a(line.c.obj) (__divdi3)
/usr/lib/libgcc.a(clz.o)      /usr/lib/libgcc.a(div.o) (__clz_tab)

Discarded input sections

Linker script and memory map

.text           0x80000000      0x200
 .vectors       0x80000000       0x80 CMakeFiles/hrl_start.dir/work/ports/startup.S.obj
 .text.hrl_gen_body_0
                0x80000080       0x10 libhrl_bodies.a(hrl_gen_bodies.c.obj)
 .text.serve    0x80000090       0x20 libhrl_kernel.a(line.c.obj)
 .rodata.hrl_gen_lines
                0x800000b0        0x8 CMakeFiles/horolog.dir/gen/hrl_gen_system.c.obj
 .text          0x800000b8        0xa /usr/lib/libc.a(lib_a-memset.o)
 .rodata        0x800000c2       0x10 /usr/lib/libgcc.a(clz.o)
 .text.unused   0x00000000        0x0 libhrl_kernel.a(line.c.obj)

.data           0x80000200        0x4
 .sdata.level   0x80000200        0x4 libhrl_kernel.a(core.c.obj)

.bss            0x80000204        0x8
 .sbss.words    0x80000204        0x8 CMakeFiles/horolog.dir/gen/hrl_gen_system.c.obj
 .hrl_stacks    0x80000300      0x100 CMakeFiles/horolog.dir/gen/hrl_gen_system.c.obj

.debug_info     0x00000000     0x1000
 .debug_info    0x00000000     0x1000 libhrl_kernel.a(core.c.obj)
"""


def test_what_a_map_says_of_the_kernel() -> None:
    found = pieces(_MAP)
    assert [(one.part, one.name, one.bytes, one.file) for one in found] == [
        ("start-up", ".vectors", 0x80, "startup.S"),
        ("application", "hrl_gen_body_0", 0x10, "hrl_gen_bodies.c"),
        ("kernel", "serve", 0x20, "line.c"),
        ("kernel", "hrl_gen_lines", 8, "hrl_gen_system.c"),
        ("start-up", ".text", 10, "lib_a-memset"),
        ("kernel", ".rodata", 16, "clz"),
        ("kernel", "level", 4, "core.c"),
        ("kernel", "words", 8, "hrl_gen_system.c"),
        ("stack", ".hrl_stacks", 0x100, "hrl_gen_system.c"),
    ]
    assert total(found, "kernel", "rom") == 0x20 + 8 + 16 + 4
    assert total(found, "kernel", "ram") == 4 + 8
    assert total(found, "start-up", "rom") == 0x80 + 10


def test_vectors_are_start_up_wherever_they_lie() -> None:
    text = _MAP.replace(
        " .text.serve    0x80000090       0x20 libhrl_kernel.a(line.c.obj)\n",
        " .text.hrlp_vectors\n                0x80000090       0x20 libhrl_kernel.a(vectors.S.obj)\n"
        " .text.hrlp_entry\n                0x800000b0        0x4 libhrl_kernel.a(vectors.S.obj)\n",
    )
    found = {piece.name: piece.part for piece in pieces(text)}
    assert (found["hrlp_vectors"], found["hrlp_entry"]) == ("start-up", "kernel")


def test_code_that_the_compiler_calls_unlikely_keeps_its_name() -> None:
    text = _MAP.replace(
        " .text.serve    0x80000090       0x20 libhrl_kernel.a(line.c.obj)\n",
        " .text.unlikely.Reset_Handler\n                0x80000090       0x20 libhrl_start.a(start.c.obj)\n",
    )
    assert text != _MAP
    found = {piece.name: piece.part for piece in pieces(text)}
    assert found["Reset_Handler"] == "start-up"


def test_a_cell_for_each_line_is_no_matter_of_costs() -> None:
    assert FIGURES[0].name == "figure-lines"
    assert (FIGURES[0].mechanism, FIGURES[0].cells) == ("sloth", 3)


# --- what is run ---------------------------------------------------------------------------------


def test_scenarios_are_complete() -> None:
    names = [image.name for image in SYSTEMS]
    assert len(set(names)) == len(names)
    theirs = [image.name for image in FREERTOS_IMAGES]
    assert len(set(theirs)) == len(theirs)
    for row in (*STARTS, *ENDS):
        assert row.span in system_image(row.scenario).spans
        for name in (row.tick, row.notify):
            assert name is None or row.span in freertos_image(name).spans
    for _, ours, other in RELEASES:
        assert {Span.START, Span.ROUND} == set(system_image(ours).spans)
        assert {Span.START, Span.ROUND} == set(freertos_image(other).spans)


@pytest.mark.parametrize("image", [*SYSTEMS, *FIGURES, rate_system(5000)], ids=lambda i: i.name)
def test_descriptions_can_be_read(image: object, tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    bodies = data_root() / "bench" / "dispatch"
    path.write_text(system_text(image, read_board("mps2-an385"), bodies), encoding="utf-8")  # type: ignore[arg-type]
    system = read_system(path)
    assert [task.body for task in system.tasks] == [job.body for job in image.jobs]  # type: ignore[attr-defined]
    assert [task.kind.value for task in system.tasks] == [job.kind for job in image.jobs]  # type: ignore[attr-defined]


def test_the_fastest_of_freertos_is_compiled_with_its_period() -> None:
    assert "BENCH_PERIOD=77" in rate_freertos("tick", 77).defines
    notified = rate_freertos("notify", 77)
    assert notified.notified
    assert "BENCH_EVERY=77" in notified.defines


def test_bodies_lie_where_the_build_looks_for_them() -> None:
    folder = data_root() / "bench" / "dispatch" / "freertos"
    for image in FREERTOS_IMAGES:
        assert (folder / f"{image.source}.c").is_file()
    assert build_freertos.__doc__
