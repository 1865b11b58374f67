# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Described systems: the handlers that release 85 tasks at one instant, by every store that can.

The system is examples/engine-control, in which all tasks are due together every second, and most of them much
more often; with a source of the application's, so that its interrupts may call the kernel.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from horolog.analyse import threads_apart
from horolog.build.firmware import Target, build_firmware
from horolog.data import data_root
from horolog.image import read_image
from horolog.model import Kind, System
from horolog.plan import plan
from horolog.read import read_system
from horolog_experiments.masked.results import Release
from horolog_experiments.masked.watching import longest_windows, mark_address

__all__ = ["VARIANTS", "Variant", "measure_releases"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A kind of task, a mechanism and a store."""

    kind: Kind
    mechanism: str
    store: str


_DELAY_QUEUES = ("sorted-list", "delta-list", "array-heap", "red-black-tree", "calendar")
_MASKS = ("period-groups", "mask-table")
VARIANTS = (
    *(
        Variant(Kind.THREAD, mechanism, store)
        for mechanism in ("tick", "one-shot")
        for store in (*_DELAY_QUEUES, *_MASKS)
    ),
    Variant(Kind.THREAD, "chronos-const", "unsorted-list"),
    Variant(Kind.THREAD, "chronos-harmonic", "harmonic-array"),
    Variant(Kind.BASIC, "tick", "mask-table"),
    Variant(Kind.BASIC, "one-shot", "mask-table"),
)
_ROUNDS = 2
"""How many jobs of the task with the longest period are waited for: all tasks are released with it."""


def measure_releases(
    out: Path, say: Callable[[str], None], variants: Sequence[Variant] = VARIANTS
) -> tuple[Release, ...]:
    """Build and run the system below the folder `out`, in each of `variants`."""
    system = read_system(data_root() / "examples" / "engine-control" / "system.toml")
    system = replace(
        threads_apart(system), sources=(data_root() / "bench" / "masked" / "application.c",)
    )
    return tuple(_measure(system, variant, out, say) for variant in variants)


def _measure(system: System, variant: Variant, out: Path, say: Callable[[str], None]) -> Release:
    say(f"releases of {variant.kind.value}s by {variant.mechanism}, {variant.store}")
    system = replace(system, tasks=tuple(replace(one, kind=variant.kind) for one in system.tasks))
    choice = plan(system, mechanism=variant.mechanism, queue=variant.store).choice
    firmware = build_firmware(system, choice, out / "releases", None, only=Target.HOROLOG)
    elf = out / f"{variant.kind.value}-{variant.mechanism}-{variant.store}.elf"
    shutil.copyfile(firmware.horolog, elf)
    image = read_image(elf)
    slowest = max(range(len(system.tasks)), key=lambda task: system.tasks[task].period)
    lines = [
        f"call {mark_address(image, 'hrlp_idle_loop')}",
        f"end {mark_address(image, f'hrl_gen_body_{slowest}')} {_ROUNDS}",
    ]
    ((windows, longest, where),) = longest_windows(system.board, image, lines)
    return Release(variant.kind.value, variant.mechanism, variant.store, windows, longest, where)
