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
    folder = tmp_path_factory.mktemp("rtl")
    said = {}
    for bench, modules in MODULES.items():
        built = build(bench, RTL)
        for name in modules:
            said[name] = outcomes(bench, built, name, folder / f"{name}.xml")
    return said


@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for of in MODULES.values() for module in of for name in names_in(module)],
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


# Of what several cores share.
CORES_MUTANTS = {
    "the lowest port always": (
        "hrl_arbiter.sv",
        "? request_i & behind_q : request_i",
        "? request_i : request_i",
    ),
    "the last port again": ("hrl_arbiter.sv", "~(grant_o | (grant_o", "~((grant_o"),
    "two grants": ("hrl_arbiter.sv", "first & (~first + PORTS'(1))", "first"),
    "waits of the granted": ("hrl_bus.sv", "request_i[i] & ~grant_o[i]", "request_i[i]"),
    "another's data": ("hrl_bus.sv", "wdata_i[32*i+:32]", "wdata_i[31:0]"),
    "no increment": ("hrl_locks.sv", "value + 32'd1", "value"),
    "set to 0": ("hrl_locks.sv", "<= 32'd1;", "<= 32'd0;"),
    "returns what it left": ("hrl_locks.sv", "rdata_o <= value;", "rdata_o <= value + 32'd1;"),
    "stores to all windows": ("hrl_locks.sv", "we_i ? window == VALUE", "we_i ? window != 2'd3"),
    "a doorbell of one cycle is lost": (
        "hrl_doorbells.sv",
        "raise_o[32*to+:32] | wdata_i",
        "wdata_i",
    ),
    "cleared wins": ("hrl_doorbells.sv", "(msip_q & ~clear) | set", "(msip_q | set) & ~clear"),
    "all cores have a cell's request": (
        "hrl_routed_cells.sv",
        "request[n] & (route_q[3*n+:3] == 3'(c))",
        "request[n]",
    ),
    "another core's control cells": (
        "hrl_routed_cells.sv",
        "run     = run_i[16*c+:16];",
        "run     = run_i[15:0];",
    ),
    "routes to no core": (
        "hrl_routed_cells.sv",
        "(wdata_i >= 32'(CORES))",
        "(wdata_i > 32'(CORES))",
    ),
    "the lower port's store remains": (
        "hrl_ports_ram.sv",
        "for (int p = 0; p < PORTS; p++)",
        "for (int p = PORTS - 1; p >= 0; p--)",
    ),
}


@cache
def rtl_files() -> tuple[Path, ...]:
    return tuple(sorted([*RTL.glob("*.sv"), *RTL.glob("cores/*.sv")]))


@pytest.mark.soak
@pytest.mark.parametrize("mutant", [*MUTANTS, *CORES_MUTANTS])
def test_a_broken_device_is_noticed(mutant: str, tmp_path: Path) -> None:
    bench = "bench" if mutant in MUTANTS else "cores_bench"
    name, right, wrong = (MUTANTS | CORES_MUTANTS)[mutant]
    (tmp_path / "rtl" / "cores").mkdir(parents=True)
    for path in rtl_files():
        shutil.copy(path, tmp_path / path.relative_to(RTL.parent))
    (broken,) = (tmp_path / "rtl").rglob(name)
    source = broken.read_text()
    assert source.count(right) == 1, "the mutant does not fit to the source any more"
    broken.write_text(source.replace(right, wrong))
    built = build(bench, tmp_path / "rtl", tmp_path / "built")
    said = [outcomes(bench, built, module, tmp_path / f"{module}.xml") for module in MODULES[bench]]
    assert any(failure is not None for results in said for failure in results.values())
