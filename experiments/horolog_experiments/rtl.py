# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `rtl`: how large the timer cells and their interrupt controller are, counted by Yosys.

Our devices only: Yosys 0.23 cannot read Ibex, and what it takes is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from horolog.data import data_root
from horolog.model import Exit, HorologError
from horolog.programs import call, require, version
from horolog_experiments.harness import Experiment, listed, number, table

__all__ = ["EXPERIMENT", "VARIANTS", "Module", "Sizes", "Variant", "measure_sizes", "sizes_from"]
__all__ += ["sizes_page", "sizes_text", "synthesis", "version_of_yosys"]

_SECONDS = 3600
_TOP = "hrl_devices"
_TABLE = "hrl_handlers"  # a memory macro in silicon: counted in bits, apart
_WORDS = {
    "hrl_devices": "address decoding, answers",
    "hrl_cells": "reading and selecting cells",
    "hrl_cell": "one timer cell",
    "hrl_controller": "the controller's registers and decisions",
    "hrl_urgent": "the most urgent of all sources",
    "hrl_clint": "the 64-bit counter, MTIMECMP, MSIP",
}


@dataclass(frozen=True, slots=True)
class Variant:
    """What the devices are synthesised for."""

    cells: int
    shared_lines: bool = False

    @property
    def sources(self) -> int:
        """Interrupt sources: software's, the overruns', the lines'."""
        return 33 + (-(-self.cells // 4) if self.shared_lines else self.cells)


VARIANTS = (Variant(16), Variant(64), Variant(64, shared_lines=True), Variant(256))
"""What is measured."""


@dataclass(frozen=True, slots=True)
class Module:
    """One module of a variant, without those inside it. `times`: how many there are."""

    name: str
    times: int
    gates: int
    flip_flops: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """What Yosys counted."""

    yosys: str
    modules: Mapping[Variant, tuple[Module, ...]]

    def total(self, variant: Variant, what: Callable[[Module], int]) -> int:
        """The sum over all modules of a variant."""
        return sum(what(module) * module.times for module in self.modules[variant])


def synthesis(variant: Variant, out: str) -> str:
    """Yosys's script: reads, maps to its own gates, leaves its counts in a file of that name."""
    sources = sorted((data_root() / "rtl").glob("*.sv"))
    ours = [path for path in sources if path.stem not in ("hrl_soc", "hrl_ram")]
    steps = [
        *(f'read_verilog -sv "{path}"' for path in ours),
        f"chparam -set CELLS {variant.cells} -set SHARED_LINES {int(variant.shared_lines)} {_TOP}",
        f"hierarchy -check -top {_TOP}",
        f"blackbox *{_TABLE}*",
        f"synth -top {_TOP}",
        f"tee -q -o {out} stat -json",
    ]
    return "\n".join(steps) + "\n"


def measure_sizes(
    folder: Path, say: Callable[[str], None], variants: tuple[Variant, ...] = VARIANTS
) -> Sizes:
    """Synthesise every variant. HorologError (3) without Yosys."""
    require("yosys")
    found: dict[Variant, tuple[Module, ...]] = {}
    for variant in variants:
        say(f"{variant.cells} cells{', shared lines' if variant.shared_lines else ''}")
        stem = folder / f"synthesis-{variant.cells}{'-shared' if variant.shared_lines else ''}"
        script, out = stem.with_suffix(".ys"), stem.with_suffix(".json")
        script.write_text(synthesis(variant, out.name), encoding="utf-8")
        done = call(["yosys", "-q", "-s", script.name], seconds=_SECONDS, folder=folder)
        if done.status != 0:
            raise HorologError(
                "Yosys cannot synthesise the devices",
                found=(done.output + done.errors).strip()[-2000:],
                expected="Yosys 0.23 or later",
                exit=Exit.TARGET_FAILED,
            )
        found[variant] = _modules(_stat(out.read_text(encoding="utf-8")))
    return Sizes(version_of_yosys(), found)


def version_of_yosys() -> str:
    """Yosys's version, by `yosys -V`; it has no --version."""
    said = call(["yosys", "-V"], seconds=60).output.split()
    return said[1] if len(said) > 1 else version("yosys")


def _stat(text: str) -> Any:
    """What `stat -json` says of modules; Yosys 0.23 mixes plain text into what follows on them."""
    modules, _, _ = text.partition("\n   },\n")
    return json.loads(f"{modules}\n   }}\n}}")


def _plain(name: str) -> str:
    """A module's or cell's name without its parameters, which Yosys puts around it."""
    parts = re.findall(r"hrl_\w+", name)
    return parts[0] if parts else name


def _modules(stat: Mapping[str, Any]) -> tuple[Module, ...]:
    """From what `stat -json` says of each module alone, how many there are of each, and how large."""
    own: Mapping[str, Mapping[str, int]] = {
        _plain(name): {
            (_plain(kind) if "hrl_" in kind else kind): count
            for kind, count in module["num_cells_by_type"].items()
        }
        for name, module in stat["modules"].items()
    }
    times = dict.fromkeys(own, 0) | {_TOP: 1}
    order = [_TOP]
    for name in order:  # grows while it is walked
        for kind, count in own[name].items():
            if kind in own:
                times[kind] += count * times[name]
                order.append(kind)
    return tuple(
        Module(
            name,
            times[name],
            sum(n for kind, n in own[name].items() if kind[0] == "$" and "DFF" not in kind),
            sum(n for kind, n in own[name].items() if "DFF" in kind),
        )
        for name in _WORDS
    )


def _rows(sizes: Sizes) -> list[dict[str, Any]]:
    return [
        {
            "cells": variant.cells,
            "shared_lines": variant.shared_lines,
            "module": module.name,
            "times": module.times,
            "gates": module.gates,
            "flip_flops": module.flip_flops,
            "platform": f"Yosys {sizes.yosys}",
        }
        for variant, modules in sizes.modules.items()
        for module in modules
    ]


def sizes_text(sizes: Sizes) -> str:
    """The data behind the page, a module a line."""
    rows = (
        [asdict(variant), asdict(module)]
        for variant, modules in sizes.modules.items()
        for module in modules
    )
    return f'{{"yosys": {json.dumps(sizes.yosys)}, {listed("modules", rows)}}}\n'


def sizes_from(text: str) -> Sizes:
    """The reverse of sizes_text."""
    data = json.loads(text)
    found: dict[Variant, tuple[Module, ...]] = {}
    for variant, module in data["modules"]:
        key = Variant(**variant)
        found[key] = (*found.get(key, ()), Module(**module))
    return Sizes(data["yosys"], found)


def sizes_page(sizes: Sizes) -> str:
    """docs/evidence/rtl.md."""
    totals = table(
        ["timer cells", "request lines", "gates", "flip-flops", "handlers, bits of memory"],
        [
            [
                number(variant.cells),
                number(variant.sources - 33),
                number(sizes.total(variant, lambda module: module.gates)),
                number(sizes.total(variant, lambda module: module.flip_flops)),
                number(32 * variant.sources),
            ]
            for variant in sizes.modules
        ],
    )
    parts = [
        f"### {variant.cells} cells{' on shared lines' if variant.shared_lines else ''}\n\n"
        + table(
            ["module", "what", "times", "gates each", "flip-flops each", "gates", "flip-flops"],
            [
                [
                    f"`{module.name}`",
                    _WORDS[module.name],
                    number(module.times),
                    number(module.gates),
                    number(module.flip_flops),
                    number(module.gates * module.times),
                    number(module.flip_flops * module.times),
                ]
                for module in modules
            ],
        )
        for variant, modules in sizes.modules.items()
    ]
    return _TEXT.format(yosys=sizes.yosys, totals=totals, parts="\n\n".join(parts))


_TEXT = """\
# How large the timer cells and their controller are

Written by `horolog bench rtl`; do not edit. Yosys {yosys}, `synth` with its own gates (two inputs,
multiplexers and inverters each count as one), hierarchy kept, no technology. Numbers of gates compare
variants with each other and are no area on silicon.

Our devices of the board ibex-cells (`rtl/hrl_devices.sv`): timer cells, interrupt controller, 64-bit
counter, decoding. The core is not counted, as Yosys 0.23 cannot read Ibex's SystemVerilog. The table of
handlers' addresses has one port, read in one cycle and there in the next: a memory macro, given in bits.

## Totals

{totals}

## By modules

A module without those inside it; there are two of `hrl_urgent`, for what waits and for what is served.

{parts}

## What there is to see

A timer cell is what a timer channel of any microcontroller is: a counter, an incrementer, a comparator and
a compare register. What grows with the number of sources is the controller: its priorities (five
flip-flops a source), its enable, pending, active and overrun bits, and two trees of comparators that
find the most urgent one; their depth grows with the logarithm of the number of sources. Lines shared
by four cells, as on the TC1796, make only the controller smaller, and leave it to software to find the
cell. The largest part that is no timer is reading: every register of every cell can be read.
"""

EXPERIMENT = Experiment[Sizes](
    "rtl",
    measure=lambda run: measure_sizes(run.folder, run.say),
    rows=_rows,
    page=sizes_page,
    data=sizes_text,
)
"""There are no targets for sizes."""
