# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the page says beside its tables."""

__all__ = ["CHOICES", "FAULTS", "HEAD", "INSTANTS", "OWN_PRESCALER", "QUESTION"]
__all__ += ["TABLE_3", "TABLE_4", "TABLES_1_2", "TURNS"]

HEAD = """\
# Periodic or single-shot?

A timer that interrupts at a fixed rate, or one that is set for the next event: which of them keeps time
better, and which disturbs less? After Periodic Timers Revisited (Fröhlich, Gracioli, Santos), which
measured both on an 8-bit AVR, here in **cycles** and microseconds of that chip, an ATmega128, simulated
cycle by cycle. Beside the paper's figures stand its two mechanisms, written anew from its description
([bench/periodic-timers](../../bench/periodic-timers)):

- **as published**: with what makes the published figures come out;
- **the idea**: the same mechanism without the faults below;
- **Horolog**: threads that are described to the tool, over a delta list in a periodic cell or in a one-shot
  cell;
- **Horolog, task**: basic tasks that are described to the tool, over tables of releases in the same cells. A
  periodic cell counts its interrupts, and runs the job of a single task itself;
- **Horolog, alarm**: an alarm of an application without the tool that calls a function, over a delta list
  in a one-shot cell, or in a periodic cell that only counts while nothing is due (TIMING counting of
  cmake/horolog.cmake);
- **Horolog, planned** and **Horolog, task, planned**: such a thread and such a basic task, for which the tool
  chooses mechanism and store as `horolog plan` does;
- **FreeRTOS**: software timers, where it can do what is asked. Its tick switches to the task of all timers,
  which calls the handler, and back, so that the interrupted code goes on behind all of that.

Written by `horolog bench periodic-timers`; do not edit."""

FAULTS = """\
## The idea and the code

Three faults of the code, and not of the idea, are in the paper's figures:

1. **The compare register holds N where N - 1 is meant.** The counter takes N + 1 counts from 0 to 0. With
   this alone all 18 figures of Table 1 come out to a microsecond, if the timer interrupts 7,200 times a
   second for the periods of 100 us and 1 ms (1 ms is then 7 ticks, of 2, 5 and 17 counts), and at most once
   a second for the longest (twice at 115,200 Hz, where a second does not fit 16 bits).
2. **Hops drift.** The single-shot timer is set from the moment at which its handler sets it, not from the
   instant that was meant. What has passed since the compare match is lost: one count at 28,800 Hz and four
   at 115,200 Hz, so between 256 and 320 cycles. Where the period exceeds 16 bits, each hop that is counted
   by software loses as much. With hops of 72 counts (the paper does not say their length) the error has the
   size that the paper shows at 7,200 and 28,800 Hz; at 115,200 Hz the paper's is larger still.
3. **Intervals are converted while the program runs**, by multiplications and divisions of 32 bits, some 650
   cycles each time on a chip without a divider. That is most of the 212 us of Table 3; and as the last of
   the 11 alarms sets no timer again, its handler is called that much earlier, so that the mean of 10
   intervals is short by a tenth of it.

What is left without them is rounding: a tick or an interval is a whole number of counts. Periods that are
none (1 ms is 7.2 counts at 7,200 Hz) run wrong for ever, by up to half a count each time.
"""

TABLES_1_2 = """\
Mean of the 10 intervals between 11 handlers of one alarm (the paper's Figure 7), in microseconds. In
brackets, as published: the difference to the paper's figure; else the error. The timer's frequency, and how
far the single-shot timer counts by hardware, are the ideal ones for each period, as in the paper. A handler
is where its first instruction writes a mark; the processor sleeps between interrupts. The last of the 11
alarms is not put into the queue again, so that its handler comes 97 cycles sooner and the mean of the idea
is short by 1.3 us. What is planned is the same in both tables, as the tool chooses the mode, too: its mode,
with the period of the cell, and its store stand behind the error. A cell that has *none* as its store runs
the only task that it has."""

TABLE_3 = """\
An alarm of 5 ms under a timer of 1 kHz, clocked at 125 kHz, on the chip at 8 MHz. Cycles from the cycle in
which the interrupted code stops to that in which it goes on behind RETI, so with entry (8 cycles out of
sleep), registers saved and restored; in brackets while the LED is on that the handler switches on first and
off last, which is what the paper measured. A thread of Horolog runs behind the interrupt: its figures end
where the switch to it begins. FreeRTOS's have both switches and the task of all timers in them. What the tool
chooses for the alarm's task has no timer of 1 kHz beneath it, so that there is no interrupt that counts only:
once at 125 kHz, and once with the clock's prescaler of the tool's choice, too."""

TURNS = """\
A loop glows LEDs by pulse-width modulation (the paper's Figure 9), and an alarm changes their intensities
every 20 ms. A turn of the loop takes {least} cycles if nothing comes between. Mean and standard deviation
of all turns of {seconds} s at 8 MHz, in microseconds; the paper's deviation has the variance of its own
loop in it, ours has none."""

TABLE_4 = """\
Threads of one priority with periods of 10, 30, 60, 90, 120 and 150 ms, each resumed by an alarm; the timer
interrupts at 100 Hz. All interrupts of a hyperperiod (1.8 s), from the stop of the interrupted code to its
going on; in microseconds at 7,372,800 Hz, and in cycles. Ours are up to where the interrupt switches to a
thread, if it does; FreeRTOS's have all switches and tasks in them. Of the paper's mechanism only what
happens in the interrupt is there: a thread is resumed by putting it into a ready queue, which the main
program empties. The interrupt serves all alarms that are due; it does not divide, so both editions are the
same, and there is one row of them."""

CHOICES = """\
The interrupts of what is planned: cycles of one that releases the task, up to where it switches to a thread,
if it does, at 7,372,800 Hz; behind them of one that releases nothing, where the cell does not reach from one
release to the next. The description leaves the tool three cells."""

OWN_PRESCALER = """\
The same where the description leaves the clock's prescaler to the tool, too; beside it the mean of 10
intervals, and release 1,000 with the worst time to the handler, as above:"""

INSTANTS = """\
A periodic cell of alarms interrupts every period, or the longest part of it that divides it and is below
32,768 counts; where that is no whole number of counts there is none. By how many counts release 1,000 is
off its nominal instant, measured from release 0; then the worst time, over all 1,001 releases, from the
timer's flag to the first statement of the handler or of the thread's body, in cycles. A period of 100 us is
0.72 counts at 7,200 Hz, which `horolog check` refuses. At 28,800 and 115,200 Hz it is 737 cycles: where a
release with all that it causes takes longer, releases are missing, and release 1,000 counts as off by
these."""

QUESTION = """\
It depends on how many of the periodic timer's interrupts release nothing. n alarms that call a function, or
n threads, have periods of 10, 11, 12, ... tenths of P, over a delta list. For them a periodic cell
interrupts every tenth of P (n = 1: every P), the one-shot cell whenever one of them is due. What an
interrupt takes, with all that it causes, is measured for each n, at one timer clock and one P; fields of
other clocks and periods are counted: instants by how many are released, interrupts that release nothing,
and hops where 16 bits do not reach (32,768 counts for a one-shot cell, 65,535 for a periodic one of
threads, 32,767 for one of alarms, which are whole counts). Where both can serve a system, the field has the
single-shot timer's cycles a second over the periodic timer's: above 1 (blue) the periodic one is cheaper.
*s*, *p*: only the single-shot or only the periodic one can, as a tick is shorter than a count or than 512
cycles, or interrupts take the whole processor; *-*: neither can."""
