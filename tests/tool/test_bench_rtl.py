# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench rtl: what Yosys counts of the devices, and the page of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog_experiments.harness import result_object
from horolog_experiments.rtl import (
    EXPERIMENT,
    VARIANTS,
    Variant,
    measure_sizes,
    sizes_from,
    sizes_page,
    sizes_text,
    version_of_yosys,
)

EVIDENCE = Path(__file__).resolve().parents[2] / "docs" / "evidence"
DATA = (EVIDENCE / "rtl" / "measured.json").read_text(encoding="utf-8")


def test_the_page_is_made_from_its_data() -> None:
    sizes = sizes_from(DATA)
    assert tuple(sizes.modules) == VARIANTS
    assert sizes_text(sizes) == DATA
    assert sizes_page(sizes) == (EVIDENCE / "rtl.md").read_text(encoding="utf-8")
    assert result_object(EXPERIMENT, sizes)["targets"] == []


def test_a_cell_has_the_flip_flops_that_the_datasheet_names() -> None:
    sizes = sizes_from(DATA)
    for variant, modules in sizes.modules.items():
        by_name = {module.name: module for module in modules}
        assert by_name["hrl_cell"].times == variant.cells
        # COUNT, COMPARE; EN, RE, MODE, GROUP; FIRED, LOST
        assert by_name["hrl_cell"].flip_flops == 32 + 32 + 1 + 1 + 2 + 4 + 2
        # Priority, enable, pending, active, overrun of lines only; THRESHOLD, RUN, SPURIOUS, the answer;
        # FOLLOW of each group, a bit and a source.
        lines, sources = variant.sources - 33, variant.sources
        expected = 5 * sources + 3 * sources + lines + 5 + 15 + 32 + 32 + 1 + 15 * (1 + 9)
        assert by_name["hrl_controller"].flip_flops == expected


@pytest.mark.slow
def test_the_smallest_variant_is_counted_again(tmp_path: Path) -> None:
    committed = sizes_from(DATA)
    if committed.yosys != version_of_yosys():
        pytest.skip(f"counted by Yosys {committed.yosys}, here is {version_of_yosys()}")
    sixteen = Variant(16)
    again = measure_sizes(tmp_path, lambda text: None, (sixteen,))
    assert again.modules[sixteen] == committed.modules[sixteen]
