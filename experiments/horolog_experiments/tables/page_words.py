# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the page says in words: what is measured, how, and what differs from the paper."""

from __future__ import annotations

__all__ = ["DEFINITIONS", "DIFFERS", "HEAD", "HOW"]

HEAD = """\
# Time-triggered tables

What does a task of a [dispatcher table](../guide/dispatcher-tables.md) cost, with deadlines that the kernel
monitors and without? After SLOTH ON TIME (Hofer et al., RTSS 2012), Tables I to III and Figures 5 and 6.
Basic tasks and threads without tables stand in [dispatch.md](dispatch.md), whose measuring this page uses.

Platforms: [ibex-cells](../guide/timer-cells.md), a RISC-V core simulated from its RTL, configured as
`maxperf` or as `small`, in **cycles**; mps2-an385, a Cortex-M3 in QEMU, in **instructions**. Both are
counted from outside the firmware; neither is time on silicon. Written by `horolog bench tables`; do not
edit.
"""

DEFINITIONS = """\
## What is counted

- **Expiry to first instruction** (dispatch) and **last instruction to resumed code** (termination) are
  those of [dispatch.md](dispatch.md#what-is-counted), measured in the same way. Figures are the worst of
  1,000 points; in brackets the best, and the mean.
- **Deadlines**: each point of the task has one, 1,000 counts behind it, that holds. A task with two
  deadlines has two points in a round. They are monitored stringently: by a cell for each task, which is
  what the tool does where the board has enough cells (ibex-cells), or by one cell for all deadlines
  (`deadline_cell`, and always on mps2-an385). The targets' figures are those of a cell for each task.
- **The interrupted code** is the idle loop; another task of the table, which mixes loads, stores,
  multiplications and branches that depend on pseudo-random numbers for more than half of each round; or a
  thread below the table that does the same for ever. With division, each turn has one, too: an instruction
  of up to 37 cycles, which no kernel can interrupt.
- **FreeRTOS** has no tables and no deadlines. Beside each row stands the same activation as far as it can
  do it: a task that waits with `xTaskDelayUntil` at every tick, and one that a timer's interrupt notifies.
"""

HOW = """\
## How it was measured

- Our side is what a user gets: a description in TOML with a `[[table]]`, the planner's choice for it,
  generated code, and the firmware that `horolog build` makes, without checks. FreeRTOS's programs, its
  configuration and flags are those of `horolog bench dispatch`.
- The same image runs on both configurations of the core. The simulator writes which code had the processor,
  in QEMU a plugin does; nothing is added to the firmware.
"""

DIFFERS = """\
## What differs from the paper, and why

- **The paper's 14 cycles** begin with the interrupt's prologue. Ours begin with the timer's expiry, so that
  the controller and the core's entry are in them; and Ibex saves no registers in hardware.
- **The paper enables a deadline's cell at the start of a job and disables it at its end**: 10 to 12 cycles
  each, and a deadline is not monitored before its job has begun. Our cell runs always; the end of a job
  moves its comparison to the next deadline. So the start costs nothing, and a job that never begins misses
  its deadline.
- **Two deadlines** of a task do not cost more than one, as one cell monitors both: this is what the paper
  calls a multiplexed deadline.
- **Its commercial kernels are not here.** FreeRTOS stands beside ours, on the same core in the same run.
"""
