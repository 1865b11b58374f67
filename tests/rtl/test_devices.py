# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The timer cells, the interrupt controller and the counter, in RTL against the datasheet's model."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
from tests.rtl.in_cocotb import MODULES, ROOT, build, names_in, outcomes

RTL = ROOT / "rtl"

# One worker runs all of them: it builds the bench once and runs each module once.
pytestmark = pytest.mark.xdist_group("rtl-devices")


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str | None]]:
    """What the tests of all modules said."""
    built = build(RTL)
    folder = tmp_path_factory.mktemp("rtl")
    return {name: outcomes(built, name, folder / f"{name}.xml") for name in MODULES}


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module in MODULES for name in names_in(module)]
)
def test_devices(results: dict[str, dict[str, str | None]], module: str, name: str) -> None:
    assert name in results[module], f"it did not run; these did: {sorted(results[module])}"
    assert results[module][name] is None


# One for each promise of the datasheet that an implementation could break quietly.
MUTANTS = {
    "period one too long": ("hrl_cell.sv", "next_count == compare_q", "count_q == compare_q"),
    "one-shot stays on": ("hrl_cell.sv", "if (mode_q == 2'd1)", "if (mode_q == 2'd3)"),
    "continuous wraps": ("hrl_cell.sv", "(fire_o & ~mode_q[1]) ? 32'd0", "fire_o ? 32'd0"),
    "expiry lost to a clear": (
        "hrl_cell.sv",
        "fired_q <= (fired_q & ~wdata_i[0]) | fire_o",
        "fired_q <= (fired_q & ~wdata_i[0])",
    ),
    "lost though acknowledged": (
        "hrl_cell.sv",
        "(fired_q & ~wdata_i[0] & fire_o)",
        "(fired_q & fire_o)",
    ),
    "requests without enable": ("hrl_cell.sv", "fire_o & request_q;", "fire_o;"),
    "groups do not count": ("hrl_cell.sv", "enable_q & run_i[group_q]", "enable_q"),
    "neighbours on a wrong line": ("hrl_cells.sv", "|request[4*n+:WIDTH]", "request[4*n]"),
    "highest number of equals": ("hrl_urgent.sv", "+:6] > key", "+:6] >= key"),
    "equals interrupt": (
        "hrl_controller.sv",
        "(waiting_priority > running_priority)",
        "(waiting_priority >= running_priority)",
    ),
    "threshold ignored": (
        "hrl_controller.sv",
        "(serves & (serving_priority > threshold_q)) ? serving_priority : threshold_q",
        "serves ? serving_priority : 5'd0",
    ),
    "claim leaves pending": (
        "hrl_controller.sv",
        "pending_kept[waiting] = 1'b0",
        "pending_kept[waiting] = 1'b1",
    ),
    "complete retires what waits": (
        "hrl_controller.sv",
        "active_kept[serving] = 1'b0",
        "active_kept[waiting] = 1'b0",
    ),
    "request lost to a claim": (
        "hrl_controller.sv",
        "pending_q <= pending_kept | raised | requests",
        "pending_q <= claim ? pending_kept : pending_kept | raised | requests",
    ),
    "groups follow what waits": (
        "hrl_controller.sv",
        "serves & (known(serving) == followed_q",
        "waits & (known(waiting) == followed_q",
    ),
    "all groups restart": (
        "hrl_controller.sv",
        "(hot == RESTART)) ? follows : 15'd0",
        "(hot == RESTART)) ? follow_q : 15'd0",
    ),
    "overrun of what is only pending": (
        "hrl_controller.sv",
        "(pending_kept[33+:LINES] | active_kept[33+:LINES])",
        "pending_kept[33+:LINES]",
    ),
    "overrun is told late": ("hrl_controller.sv", "active_kept[33+:LINES]", "active_q[33+:LINES]"),
    "no carry": ("hrl_clint.sv", "time_q <= time_q + 64'd1", "time_q[31:0] <= time_q[31:0] + 1"),
    "timer too late": ("hrl_clint.sv", "time_q >= compare_q", "time_q > compare_q"),
    "parts of words pass": ("hrl_devices.sv", "be_i == 4'hF", "be_i != 4'h0"),
}


@cache
def rtl_files() -> tuple[Path, ...]:
    return tuple(sorted(RTL.glob("*.sv")))


@pytest.mark.soak
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_broken_device_is_noticed(mutant: str, tmp_path: Path) -> None:
    name, right, wrong = MUTANTS[mutant]
    (tmp_path / "rtl").mkdir()
    for path in rtl_files():
        shutil.copy(path, tmp_path / "rtl")
    broken = tmp_path / "rtl" / name
    source = broken.read_text()
    assert source.count(right) == 1, "the mutant does not fit to the source any more"
    broken.write_text(source.replace(right, wrong))
    built = build(tmp_path / "rtl", tmp_path / "built")
    said = [outcomes(built, module, tmp_path / f"{module}.xml") for module in MODULES]
    assert any(failure is not None for results in said for failure in results.values())
