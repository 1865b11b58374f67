# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the page says in words: what is measured, how, and what differs from the paper."""

from __future__ import annotations

__all__ = [
    "ACTIVATIONS_TEXT",
    "CALLS_TEXT",
    "DEFINITIONS",
    "DIFFERS",
    "FOLLOWING_TEXT",
    "GAINS_TEXT",
    "HEAD",
    "HELD_TEXT",
    "HOW",
    "MEMORY_TEXT",
]

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
  (`deadline_cell`, and always on mps2-an385). The targets' figures are those of a cell for each task. In the
  rows of one cell for all, one task has all deadlines, at even steps, for which a word and constants do;
  where several tasks have deadlines the end of a job takes more, as it looks for the next of all.
- **The interrupted code** is the idle loop; another task of the table, which mixes loads, stores,
  multiplications and branches that depend on pseudo-random numbers for more than half of each round; or a
  thread below the table that does the same for ever. With division, each turn has one, too: an instruction
  of up to 37 cycles, which no kernel can interrupt.
- **A budget** has most to do for a job that changes all twelve registers that calls keep and may take a
  resource, with a budget that is no operand of one instruction (2,500 counts). That is the target's figure;
  the one of a job that only counts, with a budget of 500 counts, stands beside it.
- **FreeRTOS** has no tables and no deadlines. Beside each row stands the same activation as far as it can
  do it: a task that waits with `xTaskDelayUntil` at every tick, and one that a timer's interrupt notifies.
"""

GAINS_TEXT = """\
## What a round gains

Per activation: dispatch and termination under FreeRTOS less those under Horolog, from idle and back, as the
paper computes it (section V.D). Per monitored deadline that holds: FreeRTOS monitors none; what an
application would do is a software timer for each, whose callback looks whether the job has ended. The
figure is what that takes from its expiry until the interrupted code goes on, without the callback's own
instructions; here it takes no interrupt, and what monitoring costs is in the activation with a deadline.

"""

CALLS_TEXT = """\
## Table II: starting and stopping a schedule table

A table of 8 expiry points, each of which activates a basic task, on a software counter, on a clock
counter, or in timer cells, by the calls `hrl_schedule_table_...`. No point comes
while it runs; each start is a restart. Counted is what passes between the call instruction and the one
behind it, both not counted; the status is what the call returns. A clock counter has an alarm, which
starting a table sets for its first point, and stopping it sets or stops. In cells a start sets the counters
of 8 cells and lets their group run. A table that runs once, or that another may follow, has a ninth, for
the end of its round; the targets' figures are the longest of the three. The bare store, in a function,
leaves the kernel unaware. The paper's system starts and stops a cell that controls the others. FreeRTOS has
no schedule tables; beside the calls stand `xTimerStart`, `xTimerIsTimerActive` and `xTimerStop` of one
software timer, whose task is the most urgent one, so that all is done when the call returns.

"""

ACTIVATIONS_TEXT = """\
## Table III: activations by a schedule table

A schedule table activates a basic task, or a thread, every 3,001 counts; from the expiry of the point's
cell, or of the counter's alarm, to the first instruction of the task, and from its last instruction to what
was interrupted. On a clock counter the alarm's interrupt finds what is due, steps the table, activates, and
sets the alarm for the next point. In cells the point's interrupt is the basic task, or activates the thread.
Tasks and threads that a cell releases without a table stand in [dispatch.md](dispatch.md), those of
dispatcher tables above.

"""

HELD_TEXT = """\
## Figure 6: deadlines that hold

Two short tasks, and a third during which their deadlines come, in rounds of 2,003 counts. On ibex-cells a
cell for each task monitors its deadlines, on the host port one cell monitors all.

- **Interrupts** are those of the cells that monitor. On ibex-cells: how often the processor came to the
  first instruction of one of their handlers, by the simulator's log. On the host port: how often the port
  took one of their interrupts, by its own count.
- **Drift**: the most that a point's instant is away from the first one and whole rounds. On ibex-cells that
  is the expiry of the cell that releases the task; on the host port, where a job begins at its point, the
  beginning of each job. A lost job ends the run as failed.
- So that a zero means something, the same is counted where the second task preempts the first, which so
  misses its deadline in each round.

Arrows are points, crosses are deadlines; a band ends where the window does.

"""

FOLLOWING_TEXT = """\
## Figure 5: tables follow a global time

On the host port, in virtual time. The board's clock and the global time differ by 200 ppm. The schedule table
(explicit strategy, 2 ms, two points that may each be moved by 100 counts, precision 75 counts) starts 2,000
counts late; a count is 40 ns. A thread says the global time every 10 ms, in which the clocks part by 50
counts. The error is the table's position less the global time when its first point comes. The dispatcher
table has the same round, points and precision. Each of its rounds may be shorter or longer by 200 counts, all
of them behind its last deadline. Its deadlines are monitored stringently; a missed one ends the run as
failed.

"""

MEMORY_TEXT = """\
## Memory of the minimal time-triggered application

A table with one task that counts, and one deadline or none; counted as in
[dispatch.md](dispatch.md#memory-of-a-minimal-application). Vectors are start-up. Nothing handles a missed
deadline but the hook that stops.

What our image holds above the paper's:

- **RAM on mps2-an385**: the instants of the next release and of the next deadline, and the count of
  overruns, a word each. No interrupt of that board tells of a release that comes too early, and its timers
  do not hold an instant: the clock is compared with these words. On ibex-cells the controller tells, and the
  cell's comparison is the instant.
- **ROM**: overruns are found, counted, and told of by a hook (`Overrun_Handler`, `hrli_direct_overrun`);
  a job that ends behind its deadline leaves the next one monitored (`late_0`); a missed deadline without a
  hook stops with a message (`hrl_basic_deadline_hook`). On ibex-cells each entry saves the registers that its
  handler changes, as the core saves none; the paper's TriCore saves them in hardware.

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
- **Schedule tables on a clock counter are dear**: they multiplex one alarm in software, which takes longer
  than FreeRTOS's tick or its software timer until the task begins. In cells, as in the paper, they need the
  kernel only to start and to stop.
- **Its commercial kernels are not here.** FreeRTOS stands beside ours, on the same core in the same run.
"""
