/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINE_H
#define HRLP_LINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Porting contract: the lines of a prioritised interrupt controller that software can raise, for
 * basic tasks (hrl/basic.h). Only systems with HRL_BASIC_TASKS use it.
 *
 * The port defines HRLP_LINE_CONTROLLER, whether it has such a controller. If so, lines have
 * numbers from 0 to 31, a set of lines is a word with a bit for each, and levels are 1 to
 * HRLP_LINE_LEVELS; a pending line of a higher level interrupts the handler of a lower one, and
 * within a level handlers do not interrupt each other and the lowest number comes first; the greatest
 * on a port where lines ascend with levels (`[lines] ascending` in port.toml). Any
 * handler interrupts threads and the dispatch, but for those of level 1, which may have the
 * dispatch's priority. Ports without one take hrlp_no_line.h: the kernel serves lines by threads.
 */

/* Makes all lines of `set` pending by one store. Context: any. */
static inline void hrlp_line_raise(uint32_t set);

/*
 * When this returns, every line that was raised before and is not held off has been taken. Context:
 * any.
 */
static inline void hrlp_line_settle(void);

/* The lines that are pending, or have a handler that has not ended. Context: any. */
static inline uint32_t hrlp_line_open(void);

/*
 * Lets the controller's line `line` through at `level`; this may be a cell's, negative numbers
 * included (hrlp_irq.h). Context: start-up.
 */
static inline void hrlp_line_enable(int line, unsigned level);

/*
 * Whether the handler of `line`, be it a cell's, has begun and not ended. Context: any. A controller that does not show
 * this (`shows_active = false` in port.toml) knows it of the handler that runs, and hrlp_line_open of pending lines only.
 */
static inline bool hrlp_line_is_active(int line);

/*
 * Holds off all lines up to `level`; never lowers the ceiling. Returns the ceiling before, for the
 * second call, which restores it; lines above that come at once. Context: any but the dispatch.
 */
static inline uint32_t hrlp_line_raise_ceiling(unsigned level);
static inline void hrlp_line_restore_ceiling(uint32_t before);

/* The ceiling, for hrlp_line_restore_ceiling. Context: a task. */
static inline uint32_t hrlp_line_ceiling(void);

/*
 * A port may have entries of handlers that save only what the code behind them may change, made by
 * HRLP_LINE_ENTRY, and a controller that reports overruns of tasks that are their cells' interrupts:
 * HRLP_LINE_ENTRY, hrlp_line_enable_overruns, hrlp_line_overruns, hrlp_line_overran, hrlp_line_overran_alone and
 * hrlp_line_report_overruns; see ports/rv32/cells/hrlp_line_arch.h.
 *
 * Ports with HRLP_CPU_IS_NARROW (hrlp_cpu.h) that have a controller have these, for handlers of cells, which run
 * with interrupts masked there:
 *
 *   void hrlp_line_raise_masked(uint16_t set);       hrlp_line_raise; the handler comes from the end of the caller's
 *   uint16_t hrlp_line_open_masked(void);            hrlp_line_open
 *   void hrlp_line_serve_masked(unsigned line, void (*handler)(void));
 *
 * The last raises a line that has this handler, is no cell's and is not open; it may call the handler itself, with
 * interrupts enabled, if no other line is to come before it.
 *
 * Ports with HRLP_CPU_REDIRECTING_HANDLER (hrlp_cpu.h) have this, besides:
 *
 *   bool hrlp_line_interrupted(unsigned level, unsigned by);
 *
 * whether the caller's handler, of level `by`, has come into one of level `level`, and not into another that came
 * into that. Without a controller: whether it has come into a thread, and not into the dispatch. Context: a
 * handler.
 */

#include "hrlp_line_arch.h"

/* 1 on ports with a long search for the highest bit: handlers of lines first try the rank behind the last. */
#ifndef HRLP_LINE_TRIES_NEXT
#define HRLP_LINE_TRIES_NEXT 0
#endif

#endif
