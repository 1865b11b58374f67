# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the measuring plugin is told, what it hands back, and what an ELF file says, on made-up data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from hypothesis import given
from hypothesis import strategies as st

from horolog.image import Function, Image, Layout, MaskedThread, Masks, read_image, symbols_of
from horolog.measure.marks import Mark
from horolog.measure.probe import Findings, Watch, read_findings, watch_text
from horolog.model import Exit, HorologError
from horolog.programs import call

IMAGE = Image(
    path=Path("made.elf"),
    functions=(
        Function("hrl_gen_body_0", 0x100, 0x110, "body"),
        Function("__aeabi_fmul", 0x110, 0x200, "library"),
        Function("TIMER0_Handler", 0x200, 0x240, "kernel"),
        Function("hrlp_idle_loop", 0x240, 0x250, "idle"),
    ),
    symbols={
        "hrl_gen_body_0": 0x100,
        "hrl_gen_body_0_end": 0x10E,
        "hrl_gen_stack_0": 0x2000_0000,
        "hrl_gen_threads": 0x2000_1000,
        "hrl_gen_releaser_0": 0x2000_2000,
        "TIMER0_Handler": 0x200,
        "SHARED_Handler": 0x220,
        "PendSV_Handler": 0x300,
    },
    sizes={"hrl_gen_stack_0": 512, "PendSV_Handler": 0x1C},
    layout=Layout(thread_bytes=96, released_offset=16, served_offset=4),
)

WATCH = Watch(
    image=IMAGE,
    switch=("PendSV_Handler",),
    ns_per_instruction=32,
    end_ns=900,
    late_ns=950,
    limit_ns=5_000,
    start_ns=7_000,
    open_nth=3,
    handlers=("TIMER0_Handler", None, "SHARED_Handler", "SHARED_Handler", "Absent_Handler"),
    cuts_ns=(1_000, 0, 1_100, 1_200, 1_300),
    stacks=(0,),
    marks=(Mark("served 0x20002004", 2, 50),),
    out=Path("/somewhere/a b/out"),
    trace=Path("/somewhere/a b/trace"),
)


def test_the_configuration_names_everything_to_watch() -> None:
    assert watch_text(WATCH).splitlines() == [
        "ns_per_instruction 32",
        "end_ns 900",
        "late_ns 950",
        "limit_ns 5000",
        "start_ns 7000",
        "open_nth 3",
        "out /somewhere/a b/out",
        "trace /somewhere/a b/trace",
        "function 0x100 0x110 b",
        "function 0x110 0x200 l",
        "function 0x200 0x240 k",
        "function 0x240 0x250 i",
        "interrupt 0x200 1000",
        "interrupt 0xffffffff 0",  # a cell that this firmware does not use
        "interrupt 0x220 1100",
        "interrupt 0xffffffff 1200",  # one entry is one interrupt, not two
        "interrupt 0xffffffff 1300",  # a handler that the image has not
        "job 0x100 0x10e 0x20000000 0x20000200",
        "switch 0x300 0x31c",
        "threads 0x20001010 0x60 1",
        "served 0x20002004 2 50",
    ]


def test_several_functions_that_switch_are_one_range_and_those_that_are_not_linked_are_none() -> (
    None
):
    image = replace(
        IMAGE,
        symbols={**IMAGE.symbols, "vPortYieldFromTick": 0x340},
        sizes={**IMAGE.sizes, "vPortYieldFromTick": 0x20},
    )
    watch = replace(WATCH, image=image, switch=("PendSV_Handler", "absent", "vPortYieldFromTick"))
    assert "switch 0x300 0x360" in watch_text(watch).splitlines()


def test_stacks_of_servers_are_named_behind_all_jobs_and_the_switch_is_with_them() -> None:
    """Even where no task has a stack of its own."""
    symbols = {name: at for name, at in IMAGE.symbols.items() if name != "hrl_gen_stack_0"}
    symbols |= {"server_stack_7": 0x2000_3000, "server_stack_12": 0x2000_4000}
    sizes = {**IMAGE.sizes, "server_stack_7": 640, "server_stack_12": 768}
    lines = watch_text(replace(WATCH, image=replace(IMAGE, symbols=symbols, sizes=sizes)))
    assert (
        "job 0x100 0x10e 0x0 0x0\n"
        "server 0x20004000 0x20004300\n"
        "server 0x20003000 0x20003280\n"
        "switch 0x300 0x31c\n"
    ) in lines


def test_stacks_of_threads_without_jobs_are_named_where_bodies_wait() -> None:
    symbols = {**IMAGE.symbols, "idle_stack.0": 0x2000_3000, "writer_stack": 0x2000_4000}
    symbols |= {"server_stack_7": 0x2000_5000, "stacks": 0x2000_6000, "hrl_link_stack": 0x2000_7000}
    sizes = {**IMAGE.sizes, "idle_stack.0": 256, "writer_stack": 512, "server_stack_7": 64}
    watch = replace(WATCH, image=replace(IMAGE, symbols=symbols, sizes=sizes))
    assert "other" not in watch_text(watch)
    assert (
        "server 0x20005000 0x20005040\n"
        "other 0x20003000 0x20003100\n"
        "other 0x20004000 0x20004200\n"
        "switch"
    ) in watch_text(replace(watch, waits=True))


def test_releases_by_masks_are_watched_where_there_are_masks() -> None:
    masks = Masks(
        waiting=0x2000_3000,
        levels=32,
        bit_offset=40,
        parts=0x300,
        part=((7, 0x18), (2, 1)),
        threads=(MaskedThread(0, 7, 4),),
    )
    lines = watch_text(replace(WATCH, image=replace(IMAGE, masks=masks))).splitlines()
    at = lines.index("threads 0x20001010 0x60 1")
    assert lines[at + 1 : -1] == [
        "waiting 0x20003000 32",
        "bits 0x20001028 0x60",
        "parts 0x300",
        "part 7 0x18",
        "part 2 0x1",
        "masked 0 7 4",
    ]
    assert lines[-1] == "served 0x20002004 2 50"


def test_a_kernel_whose_releases_cannot_be_seen_is_not_watched_for_them() -> None:
    symbols = {name: at for name, at in IMAGE.symbols.items() if name != "hrl_gen_threads"}
    without_threads = replace(IMAGE, symbols=symbols)
    for watch in (
        replace(WATCH, image=without_threads, marks=()),
        replace(WATCH, image=replace(IMAGE, layout=None), marks=()),
    ):
        text = watch_text(watch)
        assert "threads" not in text
        assert "served" not in text
        assert "job 0x100" in text


def test_a_basic_task_has_no_stack_of_its_own() -> None:
    symbols = {name: at for name, at in IMAGE.symbols.items() if name != "hrl_gen_stack_0"}
    lines = watch_text(replace(WATCH, image=replace(IMAGE, symbols=symbols))).splitlines()
    assert "job 0x100 0x10e 0x0 0x0" in lines
    assert not any(line.startswith("switch") for line in lines)  # no task has, so none switches


def test_beside_basic_tasks_threads_are_numbered_among_themselves() -> None:
    bodies = {f"hrl_gen_body_{n}{end}": 0x100 for n in (1, 2) for end in ("", "_end")}
    symbols = {**IMAGE.symbols, **bodies, "hrl_gen_stack_2": 0x2000_0200}
    sizes = {**IMAGE.sizes, "hrl_gen_stack_2": 512, "hrl_gen_threads": 2 * 96}
    image = replace(IMAGE, symbols=symbols, sizes=sizes)
    lines = watch_text(replace(WATCH, image=image, stacks=(0, 1, 2))).splitlines()
    at = lines.index("threads 0x20001010 0x60 2")
    assert lines[at + 1 : at + 3] == ["thread 0 0", "thread 1 2"]


@pytest.mark.parametrize("ending", ["hrl_basic_terminate", "hrli_budget_run"])
def test_where_a_basic_task_may_end_early_is_watched(ending: str) -> None:
    leave = Function("leave.constprop.0", 0x300, 0x310, "kernel")
    image = replace(IMAGE, functions=(*IMAGE.functions, leave))
    assert "leave" not in watch_text(replace(WATCH, image=image))  # another one of that name
    ends = {**IMAGE.symbols, ending: 0x310}
    lines = watch_text(replace(WATCH, image=replace(image, symbols=ends))).splitlines()
    assert "leave 0x300" in lines


def test_an_image_without_a_body_cannot_be_measured() -> None:
    symbols = {name: at for name, at in IMAGE.symbols.items() if name != "hrl_gen_body_0_end"}
    with pytest.raises(HorologError, match=r"made\.elf has no symbol hrl_gen_body_0_end") as raised:
        watch_text(replace(WATCH, image=replace(IMAGE, symbols=symbols)))
    assert raised.value.exit is Exit.TARGET_FAILED


FOUND = """\
status done
window_ns 2000000
total 62500
releases 12
library_in_bodies 40
taken 0 10
taken 1 0
served 0 11
function 0 300
function 3 62000
elsewhere 2
longest 0 25
longest 1 30
"""


def test_findings_are_read() -> None:
    assert read_findings(FOUND) == Findings(
        status="done",
        total=62500,
        releases=12,
        library_in_bodies=40,
        taken={0: 10, 1: 0},
        served={0: 11},
        function={0: 300, 3: 62000},
        elsewhere=2,
        longest={0: 25, 1: 30},
        open_job={},
    )


def test_where_cycles_are_counted_the_bodies_instructions_are_told_apart() -> None:
    assert read_findings(FOUND).retired is None
    assert read_findings(FOUND + "body_instructions 280\ninstructions 0 280\n").retired == 280


def test_what_the_host_port_leaves_out_is_zero() -> None:
    found = read_findings("status busy\nreleases 1\nopen_job 3 77\n")
    assert (found.status, found.total, found.elsewhere) == ("busy", 0, 0)
    assert found.open_job == {3: 77}


def test_a_word_of_a_later_version_is_passed_over() -> None:
    assert read_findings(FOUND + "novelty 1 2 3\nanother 5\n") == read_findings(FOUND)


@pytest.mark.parametrize("text", ["", "total 5\n", "taken 0 1\n"])
def test_no_status_is_no_result(text: str) -> None:
    with pytest.raises(HorologError, match="the target left no results") as raised:
        read_findings(text)
    assert raised.value.exit is Exit.TARGET_FAILED


numbers = st.integers(0, 2**64 - 1)


@given(st.dictionaries(st.integers(0, 63), numbers), st.dictionaries(st.integers(0, 999), numbers))
def test_any_counts_survive(taken: dict[int, int], functions: dict[int, int]) -> None:
    lines = ["status done", *(f"taken {i} {n}" for i, n in taken.items())]
    lines += [f"function {i} {n}" for i, n in functions.items()]
    found = read_findings("\n".join(lines))
    assert found.taken == taken
    assert found.function == functions


# --- images --------------------------------------------------------------------------------------

SOURCE = """\
    .syntax unified
    .thumb
    .section .text.all, "ax"
    .macro function name
    .global \\name
    .type \\name, %function
\\name:
    .endm
    .global hrl_link_bodies_start, hrl_link_bodies_end
    .global hrl_link_library_start, hrl_link_library_end
hrl_link_bodies_start:
    function hrl_gen_body_0
    nop
    nop
    .size hrl_gen_body_0, . - hrl_gen_body_0
hrl_link_bodies_end:
hrl_link_library_start:
    function __aeabi_unsized
    nop
    nop
    nop
    function __aeabi_sized
    nop
    .size __aeabi_sized, . - __aeabi_sized
    function __aeabi_last
    nop
    nop
hrl_link_library_end:
    function kernel
    nop
    function kernel_middle
    nop
    .size kernel, . - kernel
    function another_name
    .set other_name_of_kernel, kernel
    nop
    .size another_name, . - another_name
    function hrlp_idle_loop
    nop
    .size hrlp_idle_loop, . - hrlp_idle_loop
"""


LAYOUT = """\
    .section .hrl_layout, "", %progbits
    .word {version}, 96, 16, 4
"""


@pytest.fixture(scope="module")
def assembled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("image")
    (folder / "a.s").write_text(SOURCE + LAYOUT.format(version=1), encoding="ascii")
    return link(folder)


def link(folder: Path) -> Path:
    for command in (
        ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-c", "a.s", "-o", "a.o"],
        ["arm-none-eabi-ld", "-Ttext=0x1000", "--entry=kernel", "a.o", "-o", "a.elf"],
    ):
        done = call(command, seconds=60, folder=folder)
        assert done.status == 0, done.errors
    return folder / "a.elf"


def test_functions_are_owned_by_where_they_lie(assembled: Path) -> None:
    image = read_image(assembled)
    assert image.functions == (
        Function("hrl_gen_body_0", 0x1000, 0x1004, "body"),
        # libgcc's assembly does not always state a size: up to what follows.
        Function("__aeabi_unsized", 0x1004, 0x100A, "library"),
        Function("__aeabi_sized", 0x100A, 0x100C, "library"),
        Function("__aeabi_last", 0x100C, 0x1010, "library"),
        # A second entry in the middle is the function that it lies in.
        Function("kernel", 0x1010, 0x1014, "kernel"),
        Function("another_name", 0x1014, 0x1016, "kernel"),
        Function("hrlp_idle_loop", 0x1016, 0x1018, "idle"),
    )


@pytest.mark.parametrize(("other", "owner"), [("other", "library"), ("pxCurrentTCB", "kernel")])
def test_leading_zeros_are_counted_by_what_calls_that(
    other: str, owner: str, tmp_path: Path
) -> None:
    """Bodies with floats in software took up to a sixth of what was measured of Horolog on ibex-cells."""
    counting = SOURCE.replace("another_name", "__clzsi2").replace("other_name_of_kernel", other)
    (tmp_path / "a.s").write_text(counting + LAYOUT.format(version=1), encoding="ascii")
    owners = {one.name: one.owner for one in read_image(link(tmp_path)).functions}
    assert owners["__clzsi2"] == owner
    assert owners["kernel"] == "kernel"


def test_symbols_are_those_that_pyelftools_reads(assembled: Path, tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text("extern int far; int near; int f(void) { return far; }\n")
    done = call(["gcc", "-c", "b.c", "-o", "b.o"], seconds=60, folder=tmp_path)
    assert done.status == 0, done.errors
    kinds = {"STT_NOTYPE": 0, "STT_OBJECT": 1, "STT_FUNC": 2, "STT_SECTION": 3, "STT_FILE": 4}
    binds = {"STB_LOCAL": 0, "STB_GLOBAL": 1, "STB_WEAK": 2}
    sections = {"SHN_UNDEF": 0, "SHN_ABS": 0xFFF1, "SHN_COMMON": 0xFFF2}
    for path in (assembled, tmp_path / "b.o"):  # of 32 bits, of 64 bits
        with path.open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".symtab")
            assert isinstance(table, SymbolTableSection)
            found = [tuple(one) for one in symbols_of(table)]
            wanted = [
                (
                    *(one.name, one["st_value"], one["st_size"]),
                    sections.get(one["st_shndx"], one["st_shndx"]),
                    kinds[one["st_info"]["type"]],
                    binds[one["st_info"]["bind"]],
                )
                for one in table.iter_symbols()
            ]
        assert found == wanted
        assert len(found) > 5


def test_addresses_are_without_the_thumb_bit(assembled: Path) -> None:
    image = read_image(assembled)
    assert image.address("kernel") == 0x1010
    assert image.sizes["kernel"] == 4
    with pytest.raises(HorologError, match=r"a\.elf has no symbol nowhere"):
        image.address("nowhere")


def test_the_layout_is_read_and_another_version_of_it_is_not(
    assembled: Path, tmp_path: Path
) -> None:
    assert read_image(assembled).layout == Layout(96, 16, 4)
    (tmp_path / "a.s").write_text(SOURCE + LAYOUT.format(version=3), encoding="ascii")
    assert read_image(link(tmp_path)).layout is None
    (tmp_path / "a.s").write_text(SOURCE, encoding="ascii")
    assert read_image(link(tmp_path)).layout is None


MASKS = """
    .word 8, 12, 100, 32
    .global hrl_gen_mask_parts, hrl_gen_threads, hrli_core
    .section .rodata
    .size hrl_gen_mask_parts, 16
hrl_gen_mask_parts: .word 7, 0x18, 2, 1
    .data
    .size hrl_gen_threads, 48
hrl_gen_threads:
    .word 0, 0, 7, 0x10
    .word 0, 0, 7, 0      /* waits in a queue */
    .word 0, 0, 2, 1
    .bss
hrli_core: .space 400
"""


def test_what_there_is_of_release_masks_is_read(tmp_path: Path) -> None:
    layout = LAYOUT.format(version=2).replace("2, 96, 16, 4", "2, 16, 16, 4")
    (tmp_path / "a.s").write_text(SOURCE + layout + MASKS, encoding="ascii")
    image = read_image(link(tmp_path))
    assert image.layout == Layout(16, 16, 4)
    assert image.masks == Masks(
        waiting=image.address("hrli_core") + 100,
        levels=32,
        bit_offset=12,
        parts=image.address("hrl_gen_mask_parts"),
        part=((7, 0x18), (2, 1)),
        threads=(MaskedThread(0, 7, 4), MaskedThread(2, 2, 0)),
    )


def test_a_stripped_image_is_refused(assembled: Path, tmp_path: Path) -> None:
    done = call(
        ["arm-none-eabi-strip", str(assembled), "-o", str(tmp_path / "bare.elf")], seconds=60
    )
    assert done.status == 0, done.errors
    with pytest.raises(HorologError, match=r"bare\.elf has no symbols"):
        read_image(tmp_path / "bare.elf")


def test_an_interrupt_enters_where_the_ports_code_before_its_handler_does() -> None:
    image = replace(IMAGE, symbols={**IMAGE.symbols, "TIMER0_Handler_entry": 0x1F0})
    lines = watch_text(replace(WATCH, image=image)).splitlines()
    assert lines[lines.index("function 0x240 0x250 i") + 1] == "interrupt 0x1f0 1000"
