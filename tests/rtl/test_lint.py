# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Our SystemVerilog is clean under all of Verilator's warnings; waivers, with reasons, in rtl/lint.vlt."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.build.rtl import ibex_folder, sources
from horolog.programs import call

RTL = Path(__file__).resolve().parents[2] / "rtl"
LINT = ("verilator", "--lint-only", "-Wall", "--unroll-count", "300", str(RTL / "lint.vlt"))


def lint(*arguments: str) -> str:
    done = call([*LINT, *arguments], seconds=300)
    assert done.status is not None, "it hangs"
    return done.output + done.errors


@pytest.mark.parametrize("cells", [16, 64, 100, 256])
@pytest.mark.parametrize("shared", [0, 1])
def test_the_devices_are_clean(cells: int, shared: int) -> None:
    parameters = (f"-GCELLS={cells}", f"-GSHARED_LINES=1'b{shared}", "--top-module", "hrl_devices")
    assert lint(*parameters, "-y", str(RTL), str(RTL / "hrl_devices.sv")) == ""


@pytest.fixture
def others(tmp_path: Path) -> str:
    """What Ibex's sources look like is not ours to say."""
    path = tmp_path / "others.vlt"
    path.write_text(f'`verilator_config\nlint_off -file "{ibex_folder()}/*"\n')
    return str(path)


@pytest.mark.parametrize("maxperf", [0, 1])
def test_the_board_is_clean(maxperf: int, others: str) -> None:
    parameters = (f"-GMAXPERF=1'b{maxperf}", "+define+SYNTHESIS")
    assert lint(others, *parameters, *sources()) == ""


@pytest.mark.parametrize("ports", [0, 1])
def test_the_board_of_several_cores_is_clean(ports: int, others: str) -> None:
    parameters = ("-GCORES=2", f"-GSHARED_PORTS=1'b{ports}", "+define+SYNTHESIS")
    assert lint(others, *parameters, *sources(several=True)) == ""


def test_a_fault_is_seen(tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.sv"
    faulty.write_text(
        "module faulty (input logic [3:0] a, output logic b); assign b = a; endmodule\n"
    )
    assert "WIDTH" in lint(str(faulty))
