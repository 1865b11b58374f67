# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""An image for several cores, as it looks from each: its own names, numbers from 0 on, its own layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.image import CoreNames, Image, Layout, read_image
from horolog.programs import call

COMPILER = "riscv64-unknown-elf-gcc"
FLAGS = ("-march=rv32imc", "-mabi=ilp32", "-O0", "-nostdlib", "-fno-common")

CORE = """\
struct thread {{ unsigned level, bit, more; }};
static unsigned long long hrl_gen_stack_{task}[8];
static unsigned waiting_{releaser}[2];
static unsigned idle_stack[{idle}];
struct thread hrl_gen_threads_on_{core}[] = {{{{3u, {bit}u, 0u}}}};
unsigned hrl_gen_releaser_{releaser}[4];
{masks}
static void own(void) {{ waiting_{releaser}[0] = idle_stack[0] + (unsigned)hrl_gen_stack_{task}[0]; }}
void Cell_Handler{cell}(void) {{ own(); }}
void Software_Handler0_on_{core}(void) {{ own(); }}
void Software_Handler0_on_{core}_entry(void) {{ own(); }}
static const unsigned hrl_gen_rows_{releaser}[] = {{1u}};
void hrl_gen_general_{releaser}(void) {{ own(); }}
__attribute__((section(".hrl_layout"), used)) static const unsigned layout[] = {{{layout}}};
"""
COMMON = """\
struct { unsigned running, waiting[32]; } hrli_core;
void hrl_gen_body_0(void) {}
void hrl_gen_body_1(void) {}
void hrl_gen_body_2(void) {}
void hrlp_idle_loop(void) {}
int main(void) { return (int)hrli_core.running; }
"""
MASKS = "const unsigned hrl_gen_mask_parts_on_{core}[] = {{3u, 4u}};"


def built(folder: Path, *, masks: bool) -> Path:
    """Core 0 has task 1, core 1 has tasks 0 and 2; with `masks` core 1 releases by masks."""
    words = ["2u, 12u, 8u, 4u, 0u, 4u, 4u, 33u" if masks else "1u, 12u, 8u, 4u"] * 2
    of_core = (
        {"task": 1, "releaser": 0, "cell": 0, "idle": 16, "bit": 0, "masks": ""},
        {"task": 0, "releaser": 1, "cell": 32, "idle": 32, "bit": 4, "masks": MASKS.format(core=1)},
    )
    for core, given in enumerate(of_core):
        text = CORE.format(core=core, layout=words[core], **given)
        (folder / f"hrl_gen_core_{core}.c").write_text(text, encoding="utf-8")
    (folder / "common.c").write_text(COMMON, encoding="utf-8")
    sources = [str(folder / f"hrl_gen_core_{core}.c") for core in range(2)]
    elf = folder / "horolog.elf"
    command = [COMPILER, *FLAGS, *sources, str(folder / "common.c"), "-Wl,-emain", "-o", str(elf)]
    done = call(command, seconds=60)
    assert done.status == 0, done.errors
    return elf


def of(core: int) -> CoreNames:
    return CoreNames(core, ((1,), (0, 2))[core], range(core, core + 1), core)


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("plain"), masks=False)


def test_each_core_has_its_own_names(elf: Path) -> None:
    whole, first, second = read_image(elf), read_image(elf, of(0)), read_image(elf, of(1))
    assert first.address("hrl_gen_threads") == whole.address("hrl_gen_threads_on_0")
    assert second.address("hrl_gen_threads") == whole.address("hrl_gen_threads_on_1")
    assert (first.sizes["idle_stack"], second.sizes["idle_stack"]) == (64, 128)
    for name in ("hrl_gen_threads_on_0", "hrl_gen_threads_on_1"):
        assert name not in first.symbols
    assert "waiting_1" not in first.symbols
    assert "waiting_1" in second.symbols
    for image, core in ((first, 0), (second, 1)):
        handler = f"Software_Handler0_on_{core}"
        assert image.address("Software_Handler0") == whole.address(handler)
        assert image.address("Software_Handler0_entry") == whole.address(f"{handler}_entry")
    assert first.address("hrlp_idle_loop") == whole.address("hrlp_idle_loop")


def test_tasks_and_releasers_are_numbered_from_0(elf: Path) -> None:
    whole, first, second = read_image(elf), read_image(elf, of(0)), read_image(elf, of(1))
    assert first.address("hrl_gen_body_0") == whole.address("hrl_gen_body_1")
    assert second.address("hrl_gen_body_1") == whole.address("hrl_gen_body_2")
    assert "hrl_gen_body_1" not in first.symbols
    assert first.address("hrl_gen_stack_0") == whole.address("hrl_gen_stack_1")
    assert first.address("hrl_gen_releaser_0") == whole.address("hrl_gen_releaser_0")
    assert second.address("hrl_gen_releaser_0") == whole.address("hrl_gen_releaser_1")
    assert second.address("hrl_gen_rows_0") == whole.address("hrl_gen_rows_1")


def test_code_of_all_cores_is_known(elf: Path) -> None:
    def spans(image: Image) -> list[tuple[int, int]]:
        return [(one.low, one.high) for one in image.functions]

    assert spans(read_image(elf)) == spans(read_image(elf, of(0))) == spans(read_image(elf, of(1)))


def test_each_core_has_its_layout(tmp_path: Path, elf: Path) -> None:
    assert read_image(elf, of(1)).layout == Layout(12, 8, 4)
    assert read_image(elf, CoreNames(2, (), range(0), 2)).layout is None
    masked = built(tmp_path, masks=True)
    first, second = read_image(masked, of(0)), read_image(masked, of(1))
    assert first.masks is None
    assert first.layout == second.layout == Layout(12, 8, 4)
    assert second.masks is not None
    assert second.masks.waiting == second.address("hrli_core") + 4
    assert [(one.task, one.level, one.bit) for one in second.masks.threads] == [(0, 3, 2)]
    assert second.masks.part == ((3, 4),)
