# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""All experiments: a line here and a module of its name are an experiment."""

from __future__ import annotations

import importlib
from typing import Any

from horolog_experiments.harness import Experiment

__all__ = ["CATALOGUE", "experiment"]

CATALOGUE = {
    "queues": (
        "what each delay queue costs on mps2-an385, in instructions: alone, in the four families of the "
        "thesis on task dispatching, and inside the running kernel beside FreeRTOS. A few minutes."
    ),
    "costs": (
        "the planner's predictions for two examples beside what is measured, queue by queue."
    ),
    "kernel": (
        "what the kernel's services cost on mps2-an385, in instructions, beside FreeRTOS's and ThreadX's. "
        "ThreadX's figures are recorded ones. They are measured anew where THREADX names a checkout of "
        "ThreadX that you have built for the Cortex-M3 in its folder build; the page then goes beside the "
        "results."
    ),
    "chronos": (
        "the experiments of CHRONOS on mps2-an385, beside FreeRTOS, and the breakdown workload. About half "
        "an hour; what an interrupted run has measured is kept."
    ),
    "dispatch": (
        "from a timer's expiry to a task and back, in cycles on the RTL board ibex-cells and in "
        "instructions on mps2-an385, beside FreeRTOS. A quarter of an hour."
    ),
    "tables": (
        "tasks of time-triggered tables with monitored deadlines and without, and calls of schedule tables, "
        "in cycles on ibex-cells and in instructions on mps2-an385, beside FreeRTOS; a million rounds, and a "
        "global time, on the host port. A quarter of an hour; --quick takes a few minutes."
    ),
    "releases": (
        "whether cells of every timer device request their interrupts at the very count, and how late their "
        "handlers enter, beside the bounds in the drivers' headers: 10^5 releases of each device and mode, "
        "in all simulators. Three quarters of an hour; --quick takes a few minutes."
    ),
    "irregular": (
        "300 random systems that fit no grid, as threads and as basic tasks: predictions, choices, flash and "
        "costs beside FreeRTOS's sides; two examples, and plans of 1,500 tasks. Two hours; --minutes "
        "ends it, and the next run goes on."
    ),
    "baselines": (
        "four examples as threads, as basic tasks and beside each of FreeRTOS's sides, with the cycles of "
        "exceptions and without, and what each firmware takes. A few minutes."
    ),
    "analysis": (
        "bounds of response times beside two oracles' and beside measured responses, which are searched on "
        "the host port and run on mps2-an385 and ibex-cells; breakdown factors and chains; what a wrong term "
        "does. --quick takes a few minutes, the whole hours; --minutes ends it, and the next run goes on."
    ),
    "planner": "how well and how fast tasks are mapped to cells, with proofs. A few minutes.",
    "periodic-timers": (
        "the tables and figures of Periodic Timers Revisited on a simulated ATmega128, in its cycles: the "
        "paper's two mechanisms as published and without their faults, ours and FreeRTOS; for which timer "
        "clock, period and number of alarms a periodic timer is cheaper; and memory. A few minutes."
    ),
    "masked": (
        "for how long each call keeps the interrupts off while up to 1,500 threads are asleep."
    ),
    "switch": (
        "what a switch costs under each timing model of the 1+N paper, on mps2-an385 and -an386."
    ),
    "pico": (
        "the same on both cores of a simulated RP2040, the paper's own chip, in cycles. A minute, and once a "
        "minute more to compile the simulator."
    ),
    "cores": (
        "what many cores cost on the RTL board of 1, 2, 4 and 8 Ibex cores, in cycles, beside FreeRTOS's SMP "
        "kernel. A quarter of an hour, and once as much again to build the simulators; --quick: two cores."
    ),
    "divisions": (
        "500 random sets of tasks divided among four cores, by four ways of packing and by the plan, with "
        "one analysis. Half an hour; --quick: 20 sets."
    ),
    "rtl": (
        "how large the timer cells and the interrupt controller of ibex-cells are, counted by Yosys."
    ),
    "soak": (
        "the long campaigns of the kernel's tests, in a checkout, on this machine: most of an hour."
    ),
}
"""What `horolog bench --help` says of each, by name. Its module horolog_experiments.<name> has EXPERIMENT.

A hyphen of the name is an underscore of the module's."""


def experiment(name: str) -> Experiment[Any]:
    """The experiment of that name; its module is not imported before."""
    module = importlib.import_module(f"horolog_experiments.{name.replace('-', '_')}")
    found: Experiment[Any] = module.EXPERIMENT
    return found
