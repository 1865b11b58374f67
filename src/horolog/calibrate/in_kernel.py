# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what each delay queue costs inside the kernel: the link between its curves and a whole system.

In the kernel short functions are compiled into their callers, so a job does not cost just what its three
calls cost on their own. The same 20 tasks are run with every queue, released in three ways. What differs
between a queue and the sorted list is the queue's doing; less what the calls differ by, it is `job`. The
ways differ in how many interrupts they take for the same jobs; that gives the interrupts' part. On a one-shot
cell 20 more tasks are run, each alone at its instants, as an insertion there is not the calls' own
(docs/adr/0018): the two give its `job_one_shot` and its interrupts' part. RAM and ROM are those of the linked
image.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.build.firmware import build_firmware
from horolog.calibrate.curves import Calls
from horolog.calibrate.fitting import fit
from horolog.calibrate.workloads import Case
from horolog.image import read_image
from horolog.model import QUEUES, Plan, System
from horolog.model.result import Side
from horolog.run import measure_plan

__all__ = [
    "LONE",
    "MECHANISMS",
    "WORKLOAD",
    "Footprint",
    "InKernel",
    "Runs",
    "in_kernel",
    "measure_runs",
]

WORKLOAD = Case(
    "kernel",
    20,
    groups=((5, 2), (10, 6), (20, 6), (50, 2), (100, 4)),
    end_ms=400,
)
"""What is run with every queue; its shortest period is the common divisor of all."""

MECHANISMS = ("gcd", "tick", "one-shot")
"""How it is released: as often as the shortest period, five times as often, once for each instant."""


LONE = "one-shot, distinct"
"""The run of tasks of which hardly two are due together."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """Bytes of one queue in a linked image. `rom`: all of the image's code."""

    tasks: int
    ram: int
    rom: int


@dataclass(frozen=True, slots=True)
class Runs:
    """What was measured with one queue: by mechanism; and images of two sizes."""

    sides: Mapping[str, Side]  # by MECHANISMS, and LONE
    few: Footprint
    many: Footprint


@dataclass(frozen=True, slots=True)
class InKernel:
    """One queue's part of costs.toml that its curves do not hold; as plan.QueueCosts has it."""

    ram: Fraction
    ram_per_task: Fraction
    rom: Fraction
    job: Fraction
    job_one_shot: Fraction
    interrupt_periodic: Fraction
    interrupt_one_shot: Fraction


def in_kernel(
    runs: Mapping[str, Runs], calls: Mapping[str, Calls], lone: Mapping[str, Calls]
) -> dict[str, InKernel]:
    """The figures of every queue, from its runs and from its `calls` on WORKLOAD and on the `lone` tasks.

    All are by name and hold the sorted list, with which the others are compared.
    """
    first = QUEUES[0]
    return {
        name: _compared(
            runs[name],
            runs[first],
            calls[name].job - calls[first].job,
            lone[name].job - lone[first].job,
        )
        for name in runs
    }


def _compared(own: Runs, reference: Runs, calls: Fraction, lone: Fraction) -> InKernel:
    def more(mechanism: str) -> Fraction:
        """Instructions a run takes more than with a sorted list."""
        return Fraction(
            own.sides[mechanism].counted.kernel - reference.sides[mechanism].counted.kernel
        )

    def taken(mechanism: str) -> int:
        return reference.sides[mechanism].interrupts.taken

    periodic = (more("tick") - more("gcd")) / (taken("tick") - taken("gcd"))
    jobs = more("gcd") - taken("gcd") * periodic
    ways = {"one-shot": calls, LONE: lone}
    shot = fit(
        ("job", "interrupt"),
        [
            (
                {
                    "job": Fraction(reference.sides[way].jobs),
                    "interrupt": Fraction(taken(way)),
                },
                more(way) - each * reference.sides[way].jobs,
            )
            for way, each in ways.items()
        ],
        of=[Fraction(reference.sides[way].counted.kernel) for way in ways],
    )
    per_task = Fraction(own.many.ram - own.few.ram, own.many.tasks - own.few.tasks)
    return InKernel(
        ram=own.few.ram - per_task * own.few.tasks,
        ram_per_task=per_task,
        rom=Fraction(own.few.rom - reference.few.rom),
        job=jobs / reference.sides["gcd"].jobs - calls,
        job_one_shot=shot["job"],
        interrupt_periodic=periodic,
        interrupt_one_shot=shot["interrupt"],
    )


def measure_runs(
    plans: Mapping[str, tuple[System, Plan]],
    few: tuple[System, Plan],
    folder: Path,
    say: Callable[[str], None],
) -> dict[str, Runs]:
    """Build and run the systems of `plans`, by mechanism, with every queue; and build `few`.

    `few` is a system of fewer tasks, for the queue's size. All are built in `folder`, one after the other.
    """
    found = {}
    for name in QUEUES:
        say(f"{name} in the kernel")
        small_system, small = few
        image = _footprint(small_system, _with(small, name), folder)
        sides = {
            mechanism: measure_plan(system, _with(plan, name), folder)
            for mechanism, (system, plan) in plans.items()
        }
        many_system, many = next(iter(plans.values()))
        found[name] = Runs(sides, image, _footprint(many_system, _with(many, name), folder))
    return found


def _with(plan: Plan, name: str) -> Plan:
    return replace(plan, releasers=tuple(replace(r, store=name) for r in plan.releasers))


def _footprint(system: System, plan: Plan, folder: Path) -> Footprint:
    """The RAM of the first releaser's queue, and the code of the whole image, in bytes."""
    (releaser,) = plan.releasers
    image = read_image(build_firmware(system, plan, folder, None).horolog)
    names = [name for name in image.sizes if re.fullmatch(r"store_0(_[a-z]+)?", name)]
    return Footprint(
        tasks=len(releaser.tasks),
        ram=sum(image.sizes[name] for name in names),
        rom=sum(function.high - function.low for function in image.functions),
    )
