# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the page says in words: the sets, how it is measured, what differs from the paper and why."""

from __future__ import annotations

__all__ = ["DIFFERS", "HOW", "SETS"]

SETS = """\
## The sets

100 tasks, all released at 0; periods are 3, 5, 7 or 11 ms times a factor that is drawn uniformly from 1 to
10 (non-harmonic) or from 1, 2, 4, 8, 16 (harmonic). The paper does not print its draws: these are those of
`distribution = "chronos"` and `"chronos-harmonic"` with the first seed, 0, with which 3, 5, 7 and 11 ms
themselves occur, since its timers run at these. Deadlines are the next releases, priorities rate-monotonic
on 31 levels (32 periods in the non-harmonic set, so that two share one). Each task has a thread of its own,
as in the paper; in the rows of shared threads those of one period share one, as Horolog's defaults have it,
and in FreeRTOS's rate groups they have one FreeRTOS task, which runs their bodies in order. Work a job:
1,000 (low), 10,000 (high) and 100 (single) turns of a loop of two instructions, in place of the paper's
additions: a turn is 64 ns, an addition in a loop on its 240 MHz core a few cycles. A period factor scales
every period, and with them those of the cells. "Single" has one cell: a tick of 1 ms for the paper's
methods, whatever the cell can do for the planner's choice.

Five releases: after five jobs each task blocks for ever right behind its sixth release, on both kernels and
outside of its body; the window is five of the longest periods. Continuous: tasks run without end, the
window is 2 s. Late jobs are done late and never left out, as xTaskDelayUntil has it; only in shared threads
are they left out, which makes a difference at no point without misses.
"""

HOW = """\
## How it is measured

Kernel: every instruction outside of task bodies and the idle loop, by ADR 0009, on both sides.
Both are compiled with the same flags; bodies are the same objects, and their instructions are compared
before a ratio is formed. For the paper's measure the kernel's functions are divided by name: the switch
(PendSV, the choice of the next thread), the loop of jobs and what ends a task are left out, all else is a
tick interrupt or a delay call.

FreeRTOS tickless: configUSE_TICKLESS_IDLE = 1 with the port's own vPortSuppressTicksAndSleep. WFI loses
time on the emulator, so its sleep is a loop outside of the kernel that ends when an interrupt is pending
(counted as idle, as is the loop of FreeRTOS's idle task around it; what that calls is kernel). The port
makes up for a stopped SysTick by a constant that is too large here, so that its clock is fast, by about
half a millisecond a second where it sleeps most: its jobs come a little early, and there may be a few more
of them. It is therefore compared by the job, in columns of its own.

FreeRTOS with a gcd tick: stock FreeRTOS but for its tick, which is the greatest common divisor of the
periods: as many milliseconds as the period factor, since 3, 5, 7 and 11 ms occur. A slower tick cannot
express them. It takes knowing every period beforehand; at factor 1 it is the stock tick.

The kernel of zero cost is simulated: fixed priorities on the same 31 levels, first come first served within
one, every instant an integer, each job exactly the instructions that its body was measured to execute.

The largest work is looked for downwards from what the kernel of zero cost bears, then by halving; that more
work never holds where less does not is assumed.
"""

DIFFERS = """\
## What differs, and why

- **Instructions, not time.** The paper measures time on a 240 MHz Xtensa core with caches and external RAM,
  by probes in its interrupts and delay calls. Ours is a Cortex-M3 at 25 MHz in QEMU, where every
  instruction costs one and entering an interrupt nothing; nothing is added to the firmware. Shares and
  ratios compare, absolute figures do not.
- **Its baseline is another.** The paper's is the single-core FreeRTOS 10.5.1 of ESP-IDF 5.2.1 on its Xtensa
  port, with time slicing. Ours is FreeRTOS V11.2.0 on the Cortex-M3 port, asserts and time slicing off, the
  next task chosen by CLZ: as lean as it can be configured, which keeps our factors small.
- **The mechanisms are ours.** chronos, chronos-const and chronos-harmonic are its algorithms 1 to 3 in
  Horolog's kernel, not patches to FreeRTOS: waiting, releasing and switching cost less before any cell is
  saved. The rows `tick` show how much that is: the same interrupts as FreeRTOS's.
- **chronos-const beside chronos.** Its list makes waiting cheap and the interrupt dear, by all tasks that
  wait on the cell; whether that pays depends on how many wait and how often the cell comes, and on what a
  sorted insertion costs.
- **chronos-harmonic on non-harmonic sets** keeps several chains on one cell, which the paper has not; it is
  measured everywhere here, and outside of the regions and the bold rows where the paper has none.
- **Behind the last job.** The window of five releases ends with the longest period's fifth, when most tasks
  ended long ago. FreeRTOS's tick goes on, and so do our periodic cells; a list is empty by then, but
  harmonic arrays, period groups and mask tables pass through their instants whether a task waits or not,
  and a one-shot cell over groups or tables is armed for all of them. So five releases favour lists, and the
  planner, which may not know how long a bench lasts, does not look its best; the continuous variant has no
  such end. With longer periods more of FreeRTOS's ticks are idle ones, which is why ratios grow with the
  factor, in the paper as well.
- **Basic tasks** are the interrupt controller's to dispatch, on the 8 levels that silicon has: tasks share
  levels by rank, and tasks of one level do not preempt each other. Zero cost is of 31 levels and threads. A
  cell stops with the last job of its last task; the interrupts that it no longer makes stand with the
  coalesced ones.
- **"Schedulable under any method"** is read as under every method: the paper's green region.
- **The end of a task** costs either kernel a wait for ever, once in five jobs: in the kernel's
  instructions, not in the paper's measure.
"""
