# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the page says in words: what is measured, how, and what differs from the paper."""

from __future__ import annotations

__all__ = ["DEFINITIONS", "DIFFERS", "HOW", "SYSTEMS_TEXT"]

DEFINITIONS = """\
## What is counted

- **Expiry to first instruction**: from the clock edge at which the timer's counter reaches its compare
  value to the one with which the first instruction of the task's body enters the core's decode and execute
  stage.
- **Last instruction to resumed code**: the cycles between the one in which the last instruction of the body
  is executed and the one in which the first instruction of what goes on (and is executed) enters that
  stage; both not counted. What goes on is what was interrupted; a job that waited and begins has rows of
  its own.
- In QEMU, where entering an exception costs nothing and an expiry cannot be seen: from the first
  instruction of the timer's handler, and the instructions between.
- Figures are the worst of 1,000 expiries; in brackets the best, and the mean. Nesting is on: whatever is
  more urgent can interrupt a body, from its first instruction on.
- The interrupted code is the idle loop, or a task that never ends and mixes loads, stores, multiplications
  and branches that depend on pseudo-random numbers; or the same with a division in each turn. The timer's
  period is a prime (3,001 counts), so that expiries meet it everywhere. A division is not interrupted: up
  to 37 cycles in the core, which no kernel can avoid. The rows of the targets are those without it.
"""

HOW = """\
## How it was measured

- Our side is what a user gets: a description in TOML of two or three tasks, the planner's choice for it,
  generated code, and the firmware that `horolog build` makes, without checks. FreeRTOS's programs are
  `bench/dispatch/freertos`, compiled with the same flags, the same bodies and the same idle loop; its
  configuration is `baselines/freertos/FreeRTOSConfig.h`, with notifications only where they are measured.
- On Ibex FreeRTOS has the vectors that suit it best: the timer's slot goes straight to its port's
  `freertos_risc_v_mtimer_interrupt_handler`, the others to its interrupt and exception entries, so that
  no code reads `mcause`. Its tick comes from MTIMECMP, what notifies from a timer cell. It chooses the next
  task by `__builtin_clz`, as its port does by default; this core has no such instruction, so that this is a
  call.
- The tick of FreeRTOS is as fast as our cells are (3,001 counts), so that 1,000 of them can be simulated;
  no tick costs more or less for that. Beside xTaskDelayUntil stands what is its fastest way from an
  interrupt to a task: a timer's interrupt that gives a notification (`vTaskNotifyGiveFromISR`) while the
  tick rests.
- The same image runs on both configurations of the core. The simulator writes which code had the processor
  (`rtl/sim/visits.hpp`), in QEMU a plugin does (`plugin/horolog_visits.c`); nothing is added to the
  firmware, and all figures are taken from these logs. Cells of one system start in phase.
- Memory: every section of the image, by the linker's map.
"""

SYSTEMS_TEXT = """\
## Our systems and their plans

The planner's choice for each; how many cells it had stands in
`experiments/horolog_experiments/dispatch/scenarios.py`.

"""

DIFFERS = """\
## What differs, and why

- **The core saves nothing.** On the TriCore one instruction saves sixteen registers, in hardware and over a
  wide bus, and entering an interrupt changes to a fresh set. Ibex saves none: each register that a body may
  change is a store and a load, and so is the address to return to. Hence the frame that is compiled from
  the code: the registers that the body and what it calls can change, and no others; a body that changes all
  shows what a full frame costs.
- **The paper's 14 cycles** begin with the interrupt's prologue and end with the first instruction of the
  user's function. Ours begin with the expiry itself, so that the controller, the core's entry and the claim
  are in them.
- **Its commercial kernels are not here.** FreeRTOS is what stands beside ours, on the same core in the same
  run.
- **Its extended tasks are our threads**: they have stacks of their own, and may block. By default all of them
  are below all basic tasks. A basic task that is below a thread is run by a thread of the kernel's, so that
  the rows from basic to thread and back are switches of threads; the paper's 28 cycles from an extended task
  to a basic one stand in its section V.C.1. The target for threads is that of systems of threads, as in the
  paper's rows. Where there are basic tasks, too, a thread's cell must not hold off those above it for a whole
  switch: so its handler can be interrupted, and the switch comes behind it. That is dearer by more than a
  factor of two, and stands in the row from basic to thread and in the target's note.
- **Figure 7**: with a cell for each line the hardware holds back what is less urgent until the urgent task
  ends. One cell for several priorities runs at the most urgent of them, and interrupts all tasks below that:
  the plan says so, and the analysis charges it.
- **Maximum dispatch frequency**: ours counts what is lost, on the simulated core, where the paper computed.
- The rows of the paper's Table I with deadlines, and Table II, stand in [tables.md](tables.md).
"""
