/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CELL_H
#define HRLP_CELL_H

#include "hrlp_clock.h"
#include <hrl/types.h>

/*
 * Porting contract: one hardware timer channel, seen as an alarm on the system clock.
 *
 * Instants are absolute. Called on the core that owns the cell; what arms or disarms it, with
 * interrupts masked, as it counts on the time that its own instructions take. A driver is a header of inline functions named hrlp_<device>_<verb>, each taking the channel number
 * first; the generated code makes one table of these a cell, and calls the driver's `acknowledge`
 * directly from the interrupt handler. What is near or past is decided by the functions below, from
 * the driver's latencies, for every counter that is set to what is left.
 *
 *   void hrlp_<device>_prepare(unsigned channel, unsigned priority);
 *
 * lets its interrupt through at a priority of hrlp_irq_enable_at, once, before the start; nothing is
 * armed yet. A line that is the clock's, too, has its priority from hrlp_clock_start.
 *
 *   void hrlp_<device>_acknowledge(unsigned channel);
 *
 * clears the cause. Between two acknowledges the handler runs at least once.
 *
 *   bool hrlp_<device>_fired(unsigned channel);
 *
 * tells whether the cause is this channel; needed only where channels share an interrupt line.
 *
 *   void hrlp_<device>_rearm(unsigned channel, hrl_stamp due);
 *
 * as arm (below), after the run that an arming began has ended in this interrupt: so nothing is to be
 * forgotten, and what counts may be left counting. Context: its handler, acknowledged, interrupts masked.
 * The constant hrlp_<device>_rearm_is_short says whether it stands in the handler itself: it is a load of
 * the clock and a store to the counter, so that no code around it comes between them. Otherwise threads'
 * cells use the function of arm, which its latency was measured with.
 *
 *   void hrlp_<device>_stretch(unsigned channel, hrl_stamp due, uint32_t period, bool longer);
 *
 * of a cell that was started with `period` (start_periodic, below): the interval that has begun with its
 * last interrupt and ends with the next one, at `due`, is a count longer than that if `longer`. Called
 * once in each interval. Where the constant hrlp_<device>_stretches_ahead is true, as a reload register is
 * told the next interval before that begins, `longer` is of the interval after it, and of the first one
 * it is called right after the start. Called in an interval's last counts, or after it, it may have any
 * effect that start_periodic ends. Context: the cell's handler, interrupts on. A cell with a device that
 * cannot do this has `whole_counts = true` in board.toml.
 *
 * For basic tasks, where the port has a controller for them (hrlp_line.h), besides:
 *
 *   void hrlp_<device>_prepare_at(unsigned channel, unsigned level);
 *
 * instead of prepare, lets its interrupt through at a level of basic tasks.
 *
 *   void hrlp_<device>_forget(unsigned channel);
 *
 * no interrupt comes of what fired before. Context: its handler.
 *
 * A cell that can serve time slices, one for each core, has these instead of a table (1+N,
 * kernel/thread/slice.h). None of them reads the clock or knows an instant, so that starting a slice
 * anew is a store or two:
 *
 *   void hrlp_<device>_slice_start(unsigned channel, uint32_t counts);
 *
 * interrupts every `counts`, from now on. Context: start-up, interrupts masked.
 *
 *   void hrlp_<device>_slice_restart(unsigned channel);
 *
 * the next interrupt comes a whole slice from now; one that was raised before means nothing any
 * more. Context: any, interrupts as they are.
 *
 *   bool hrlp_<device>_slice_is_over(unsigned channel);
 *
 * tells, once for each, whether an interrupt means that a slice ran out. Context: its handler.
 *
 *   void hrlp_<device>_slice_prolong(unsigned channel, uint32_t by, uint32_t counts);
 *
 * the next interrupt comes `by` counts from now, those after it every `counts` again. Context: its
 * handler.
 *
 * From reset on, a cell is armed, or it is started periodic: once it is that, it is armed no more, but may be
 * started again.
 */
struct hrlp_cell {
    /*
     * Interrupt at `first`, then every `period` counts, in phase to the count with every other cell
     * started against the same clock. `first` lies ahead by at least the time that it takes to
     * start all cells; `period` fits the cell.
     */
    void (*start_periodic)(hrl_stamp first, uint32_t period);

    /*
     * Interrupt once, at `due`; replaces what was armed. An instant that has passed, or that is too
     * near for the hardware to catch, interrupts at once: never lost, never a wrap late. `due` lies
     * less than the cell can time ahead. An interrupt that an earlier arming raised, and that was
     * not served yet, is forgotten.
     */
    void (*arm)(hrl_stamp due);

    /* No interrupt until armed again, but for one that was raised already. */
    void (*disarm)(void);
};

/*
 * A cell may interrupt this many counts before the instant it was given (the phase of its prescaler
 * against the clock's, and the clock's own read-out); the kernel serves instants this near at once,
 * so that a release may be early by as much.
 */
#define HRLP_CELL_EARLY_COUNTS 2u

/*
 * How far ahead the first instant of start_periodic is to lie of one cell that is started while the
 * system runs; less than half of a cell's shortest interval. Where no time passes between two
 * instructions the clock's header says 0.
 */
#ifndef HRLP_CELL_START_COUNTS
#define HRLP_CELL_START_COUNTS 64u
#endif

/*
 * What is left until `due`, in counts, less `latency`: the counts from reading the clock here to the
 * counter's first in the driver's own instructions. 0 or less: past, or too near. Context:
 * interrupts masked.
 */
static inline int32_t hrlp_cell_counts_left(hrl_stamp due, uint32_t latency)
{
    return (int32_t)(due - hrlp_clock_read() - latency);
}

/*
 * What a down-counter that interrupts on reaching 0 is set to for `due`: 1, the nearest that it can
 * reach, where that is past or too near. Otherwise as hrlp_cell_counts_left.
 */
static inline uint32_t hrlp_cell_counts_to(hrl_stamp due, uint32_t latency)
{
    int32_t left = hrlp_cell_counts_left(due, latency);

    return left > 0 ? (uint32_t)left : 1u;
}

#endif
