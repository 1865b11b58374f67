/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CELL_H
#define HRLP_CELL_H

#include "hrlp_clock.h"
#include <hrl/types.h>

/*
 * Porting contract: one hardware timer channel, seen as an alarm on the system clock.
 *
 * Instants are absolute. Calls come on the core that owns the cell. Those that arm or disarm it come
 * with interrupts masked, because they count on the time that their own instructions take. A driver is a
 * header of inline functions hrlp_<device>_<verb>, each of which takes the channel number first. The
 * generated code makes a table of these for each cell, and calls the driver's `acknowledge` directly from
 * the interrupt handler. hrlp_cell_arming.h says what is near or past, and has `arm`, `rearm` and
 * `stretch` for each kind of device, made of the few functions that set its registers.
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
 *   void hrlp_<device>_acknowledge_next(unsigned channel, uint32_t period);
 *   void hrlp_<device>_catch_up(unsigned channel);
 *
 * do that in two parts, for a periodic cell that is never stretched, with a handler that looks whether the next instant
 * has passed: it reads the clock behind the first, which is told the period, a constant, and calls the second, or
 * hrlp_<device>_forget, if so. Only then may an instant that the cell has missed keep it from going on. Context: its
 * handler, or with the cell's interrupt masked. The constant hrlp_<device>_catches_up says whether there is anything to
 * do.
 *
 *   void hrlp_<device>_acknowledge_once(unsigned channel);
 *
 * does that of a cell that is armed, never started periodic. HRLP_CELL_ACKNOWLEDGES_ALIKE (hrlp_cell_arming.h) has all
 * of these for a device with one acknowledge.
 *
 *   bool hrlp_<device>_fired(unsigned channel);
 *
 * tells whether the cause is this channel; needed only where channels share an interrupt line.
 *
 *   void hrlp_<device>_rearm(unsigned channel, hrl_stamp due);
 *
 * arms as `arm` (below) does, from the cell's own handler: the cell has fired, so that nothing that it has
 * raised is to be forgotten, and the counter may be left running. Context: its handler, acknowledged,
 * interrupts masked. The constant hrlp_<device>_rearm_is_short says whether it stands in the handler
 * itself: it is a load of the clock and a store to the counter, and no other code comes between them.
 * Otherwise the cells of threads call the function of `arm`, with which its latency was measured.
 *
 *   void hrlp_<device>_stretch(unsigned channel, hrl_stamp due, uint32_t period, bool longer);
 *
 * makes an interval of a periodic cell (start_periodic, below) last `period` counts, or one more if
 * `longer`. The interval is the present one, which ends at `due`. Devices with a reload register take a
 * new interval only at the next reload: they have the constant hrlp_<device>_stretches_ahead = true, and
 * the interval is the one that begins at `due`; for the first interval there is a call right after the
 * start. Called once in each interval. A call in an interval's last counts, or after it, may have any
 * effect; start_periodic ends that. Context: the cell's handler, interrupts on. A cell with a device that
 * cannot do this has `whole_counts = true` in board.toml.
 *
 *   void hrlp_<device>_arm_near(unsigned channel, uint16_t now, uint16_t left);
 *
 * arms as `rearm` does, for the instant with the lower bits `now` + `left`, which is to come, or has come since
 * the clock was read just before, and is at most half of what the cell can time ahead. Where HRLP_CPU_SHORTENS_ALARMS
 * or HRLP_CPU_IS_NARROW.
 *
 * For basic tasks, where the port has a controller for them (hrlp_line.h), besides:
 *
 *   void hrlp_<device>_prepare_at(unsigned channel, unsigned level);
 *
 * instead of prepare, lets its interrupt through at a level of basic tasks.
 *
 * A device of cells with `counts = true` in board.toml, where HRLP_CPU_IS_NARROW, has two macros, at file scope:
 *
 *   hrlp_<device>_COUNTING_ENTRY(name, due, late, channel, period, left, step)
 *   hrlp_<device>_PARTS_ENTRY(name, due, late, channel, period, left, step, parts, part, of)
 *
 * define name_entry, the entry of the handler of a periodic cell. It moves the cell on by `period` and subtracts
 * `step` from the uint16_t `left`. If the cell's next instant has passed, too, it goes on as the entry of the handler
 * `late`; else, if `left` was below `step`, as that of `due`; else it returns. PARTS: an interval is a count longer
 * each time that `part` is borrowed from the uint16_t `parts`, to which `of` is added then; so `parts` begins at of - 1
 * less what has accumulated. Numbers are constants, channel too. For `late`, with interrupts masked:
 *
 *   bool hrlp_<device>_is_behind(unsigned channel, uint16_t longest);
 *   void hrlp_<device>_advance(unsigned channel, uint16_t period);
 *
 * say whether the next instant of a cell with intervals up to `longest` has passed, and move it on by an interval as
 * the entry does; an interrupt that was raised before that is forgotten.
 *
 *   void hrlp_<device>_forget(unsigned channel);
 *
 * no interrupt comes of what fired before. Context: its handler.
 *
 * A cell can monitor the deadlines of a task (kernel/guard/own_deadline.h) if its comparison can be moved
 * while its counter counts (`moves_compare = true` in board.toml). It is armed once, and then has:
 *
 *   int32_t hrlp_<device>_compare_ahead(unsigned channel);
 *
 * how many counts there are up to the instant at which it interrupts; 0 and less: so many have passed.
 *
 *   uint32_t hrlp_<device>_compare(unsigned channel);
 *   void hrlp_<device>_set_compare(unsigned channel, uint32_t to);
 *
 * the comparison, and another one: by as much as it is larger, modulo 2^32, the cell interrupts later than
 * it would have, or did. An instant that has passed interrupts no more. Context of all: any, interrupts
 * as they are.
 *
 * Cells that are in groups, which one store starts and stops (`groups` in board.toml), have these, for
 * kernel/table/cell_table.h. A cell of a group counts while the group runs; it goes to 0, and fires, when it
 * steps onto its period. Groups are numbers from 1 on; a set of groups is a word with a bit for each.
 *
 *   void hrlp_<device>_group_start(uint32_t groups);
 *   void hrlp_<device>_group_stop(uint32_t groups);
 *   void hrlp_<device>_group_prepare(unsigned channel, unsigned group, uint32_t period, bool interrupts);
 *   void hrlp_<device>_group_period(unsigned channel, uint32_t period);
 *   void hrlp_<device>_group_allow(unsigned channel, unsigned group, bool interrupts);
 *
 * put the cell into its group, or give it another period; one of 0 is the longest that there is. Context: any.
 *
 *   void hrlp_<device>_group_set(unsigned channel, const uint32_t *offsets, uint32_t count, uint32_t from);
 *
 * sets the counters of `count` cells from `channel` on to `from` less an offset each. Context: their group
 * stands still.
 *
 *   uint32_t hrlp_<device>_group_read(const volatile uint32_t *reference);
 *   const volatile uint32_t *hrlp_<device>_group_clock(void);
 *   const volatile uint32_t *hrlp_<device>_group_counter(unsigned channel);
 *   void hrlp_<device>_group_set_by(unsigned channel, const volatile uint32_t *reference, uint32_t due, uint32_t period);
 *   void hrlp_<device>_group_fire(unsigned channel, uint32_t period);
 *
 * A reference is the clock, or the counter of a cell that counts. The cell comes to its period when the
 * reference comes to `due`; it fires with its next count. Context: the group runs, interrupts masked.
 *
 *   HRLP_<DEVICE>_FORGET(channel)
 *
 * where a store of the bits of cells, by their numbers modulo 32, forgets what they have raised.
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
 * so that a release may be early by as much. A clock's header that knows better says so.
 */
#ifndef HRLP_CELL_EARLY_COUNTS
#define HRLP_CELL_EARLY_COUNTS 2u
#endif

/*
 * How far ahead the first instant of start_periodic is to lie of one cell that is started while the
 * system runs; less than half of a cell's shortest interval. A clock with other counts says so in its header;
 * where no time passes between two instructions, 0.
 */
#ifndef HRLP_CELL_START_COUNTS
#define HRLP_CELL_START_COUNTS 64u
#endif

#endif
