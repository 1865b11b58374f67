# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems of which several cores may run some tasks, on the RTL: no response is above its bound."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import pytest
from tests.system.support import horolog

TURN_NS = 60  # of a task's work


def drawn(chance: Random, cores: int) -> str:
    """About a third of what the cores can execute, in tasks of one core and of all, half with offsets."""
    lines = [f'[system]\nname = "drawn"\nboard = "ibex-cells-x{cores}"\nduration = "20 ms"']
    for number in range(2 * cores + 2):
        period = chance.choice((2, 4, 5, 10) if cores == 2 else (5, 10, 20))
        work = int(chance.uniform(0.03, 0.2) * period * 1_000_000 / TURN_NS)
        of = (
            f"core = {number}"
            if number < cores
            else f"cores = {chance.sample(range(cores), cores)}"
        )
        offset = chance.choice((0, chance.randrange(0, 1000 * period, 50))) if number else 0
        lines.append(
            f'[[task]]\nname = "t{number}"\nperiod = "{period} ms"\noffset = "{offset} us"\n'
            f"work = {work}\n{of}"
        )
    return "\n\n".join(lines) + "\n"


def measured(path: Path) -> tuple[dict[str, int], dict[str, int | None]]:
    """The longest response of each task, and its bound, in nanoseconds."""
    done = horolog("run", path, "--out", path.parent / "out", "--json")
    assert done.code == 0, done.err
    took = {
        name: of["max_ns"]
        for core in json.loads(done.out)["cores"]
        for name, of in core["horolog"]["response"].items()
    }
    said = horolog("analyse", path, "--json")
    bounds = {
        one["name"]: one["bound_ns"]
        for core in json.loads(said.out)["cores"]
        if "analysis" in core
        for one in core["analysis"]["tasks"]
    }
    return took, bounds


@pytest.mark.soak
@pytest.mark.parametrize(("cores", "seed"), [(2, 1), (2, 2), (2, 3), (2, 4), (4, 1), (4, 2)])
def test_no_measured_response_is_longer_than_its_bound(
    cores: int, seed: int, tmp_path: Path
) -> None:
    path = tmp_path / "drawn.toml"
    path.write_text(drawn(Random(seed), cores), encoding="utf-8")
    took, bounds = measured(path)
    assert took.keys() == bounds.keys()
    shares = {name: ns / bound for name, ns in took.items() if (bound := bounds[name]) is not None}
    assert len(shares) > len(took) // 2
    sys.stdout.write(f"{cores} cores, seed {seed}: {max(shares.values()):.2f} of a bound at most\n")
    assert max(shares.values()) <= 1, shares
    assert max(shares.values()) > 0.25, shares  # the bounds are no wild guesses
