/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINE_ARCH_H
#define HRLP_LINE_ARCH_H

#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include "hrlp_rv32_cells.h"
#include <hrl/basic.h>

/*
 * Lines are the sources that software raises; a level is the priority of the same number, of which 1
 * is the dispatch's. The highest one is left to the overruns. The threshold is the ceiling.
 */
#define HRLP_LINE_CONTROLLER true
#define HRLP_LINE_LEVELS (HRLP_RV32_PRIORITIES - 1u)

static inline void hrlp_line_raise(uint32_t set)
{
    HRLP_RV32_RAISE = set;
}

/* A pending line that is not held off comes before the second instruction behind the store. */
static inline void hrlp_line_settle(void)
{
    __asm__ volatile("nop\n\tnop" : : : "memory");
}

static inline uint32_t hrlp_line_open(void)
{
    return HRLP_RV32_RAISE | HRLP_RV32_ACTIVE[0];
}

/*
 * At file scope, the entry of Software_Handler<n> or Cell_Handler<n> that is named so, instead of the
 * one that hrlp_line_enable makes, which saves all registers of the code that it interrupts:
 * `function` runs, `mask` has the registers that it may change, a bit each (hrlp_rv32_entry.inc),
 * and `threads` is 1, or 0 where there are none. A cell that has one task only may run its body
 * here.
 */
#define HRLP_LINE_ENTRY(handler, function, mask, threads)                                          \
    HRLP_LINE_ENTRY_OF(handler, function, mask, threads)
#define HRLP_LINE_ENTRY_OF(handler, function, mask, threads)                                       \
    __asm__(".include \"hrlp_rv32_entry.inc\"\n\t"                                                 \
            ".pushsection .text." #handler "_entry, \"ax\", %progbits\n\t"                         \
            ".global " #handler "_entry\n\t"                                                       \
            "basic_entry " #handler "_entry, " #function ", " #mask ", " #threads "\n\t"           \
            ".popsection")

/*
 * The same where the function is the body of a task, and a cell of its own monitors its deadlines
 * (kernel/guard/own_deadline.h): `compare` is the address of the cell's comparison, in the assembler's
 * terms; `late` may change the registers of `late_mask`.
 */
#define HRLP_LINE_WATCHED_ENTRY(handler, function, mask, threads, compare, step, late, late_mask)  \
    HRLP_LINE_WATCHED_ENTRY_OF(handler, function, mask, threads, compare, step, late, late_mask)
#define HRLP_LINE_WATCHED_ENTRY_OF(handler, function, mask, threads, compare, step, late,          \
                                   late_mask)                                                      \
    __asm__(".include \"hrlp_rv32_entry.inc\"\n\t"                                                 \
            ".pushsection .text." #handler "_entry, \"ax\", %progbits\n\t"                         \
            ".global " #handler "_entry\n\t"                                                       \
            "basic_entry " #handler "_entry, " #function ", " #mask ", " #threads ", " #compare    \
            ", " #step ", " #late ", late_mask=" #late_mask "\n\t"                                 \
            ".popsection")

/*
 * The same where a cell of its own counts the task's budgets (kernel/guard/own_budget.h), which is the only one that
 * follows the line: `kept` are the registers that calls keep and the function may change, and `place` is a word.
 * <handler>_ended ends the job; `ceiling` says whether the job may take resources, which that gives back.
 * Without deadlines `compare` is 0.
 */
#define HRLP_LINE_COUNTED_ENTRY(handler, function, mask, threads, compare, step, late, kept,       \
                                place, ceiling)                                                    \
    HRLP_LINE_COUNTED_ENTRY_OF(handler, function, mask, threads, compare, step, late, kept, place, \
                               ceiling)
#define HRLP_LINE_COUNTED_ENTRY_OF(handler, function, mask, threads, compare, step, late, kept,    \
                                   place, ceiling)                                                 \
    __asm__(".include \"hrlp_rv32_entry.inc\"\n\t"                                                 \
            ".pushsection .text." #handler "_entry, \"ax\", %progbits\n\t"                         \
            ".global " #handler "_entry, " #handler "_ended\n\t"                                   \
            "basic_entry " #handler "_entry, " #function ", " #mask ", " #threads ", " #compare    \
            ", " #step ", " #late ", 1, " #kept ", " #place ", " #ceiling ", " #handler            \
            "_ended\n\t"                                                                           \
            ".popsection")

/*
 * The same where the function is the body of a task with an offset table (kernel/basic/offset_table.h):
 * `compare` is the address of its cell's comparison, the counter's word in front of it.
 */
#define HRLP_LINE_OFFSET_ENTRY(handler, function, mask, threads, compare, at, passed)              \
    HRLP_LINE_OFFSET_ENTRY_OF(handler, function, mask, threads, compare, at, passed)
#define HRLP_LINE_OFFSET_ENTRY_OF(handler, function, mask, threads, compare, at, passed)           \
    __asm__(".include \"hrlp_rv32_entry.inc\"\n\t"                                                 \
            ".pushsection .text." #handler "_entry, \"ax\", %progbits\n\t"                         \
            ".global " #handler "_entry\n\t"                                                       \
            "basic_entry " #handler "_entry, " #function ", " #mask ", " #threads                  \
            ", moves=" #compare ", at=" #at ", passed=" #passed "\n\t"                             \
            ".popsection")

/*
 * What names of handlers end with: in the generated file of one of several cores, its number (core_names.h). A
 * cell is one core's, so its handler needs none.
 */
#ifdef HRLI_CORE_NUMBER /* as each core's controller has these lines */
#define HRLP_RV32_OF_CORE HRLP_RV32_ON(HRLI_CORE_NUMBER)
#define HRLP_RV32_ON(core) HRLP_RV32_ON_NUMBER(core)
#define HRLP_RV32_ON_NUMBER(core) "_on_" #core
#else
#define HRLP_RV32_OF_CORE ""
#endif

/* `line` is a constant; its handler is Software_Handler<line>, a cell's Cell_Handler<channel>. */
static inline __attribute__((always_inline)) void hrlp_line_enable(int line, unsigned level)
{
    if (line >= HRLP_RV32_CELL_SOURCE) {
        hrlp_rv32_enable_masked(
            (unsigned)line, level,
            HRLP_RV32_ENTRY("basic_entry", "Cell_Handler", line - HRLP_RV32_CELL_SOURCE, ""));
    } else {
        hrlp_rv32_enable_masked(
            (unsigned)line, level,
            HRLP_RV32_ENTRY("basic_entry", "Software_Handler", line, HRLP_RV32_OF_CORE));
    }
}

static inline bool hrlp_line_is_active(int line)
{
    return (HRLP_RV32_ACTIVE[line / 32] >> (line % 32) & 1u) != 0;
}

/*
 * Where the interrupt of a cell is its task, entered by HRLP_LINE_ENTRY, the clock is not
 * read to find whether a release met an unfinished job: the controller tells, by a source that
 * interrupts every level. Its handler is Overrun_Handler; its entry is named as those above.
 */
void Overrun_Handler_entry(void);

static inline void hrlp_line_enable_overruns(void)
{
    hrlp_rv32_enable_masked(HRLP_RV32_OVERRUN_SOURCE, HRLP_RV32_PRIORITIES, Overrun_Handler_entry);
}

/* The cells with overruns, a bit each, from cell 32 * `group` on. */
static inline uint32_t hrlp_line_overruns(unsigned group)
{
    return HRLP_RV32_OVERRUN[HRLP_RV32_CELL_SOURCE / 32 + group];
}

static inline unsigned hrlp_line_level(void)
{
    uint32_t active = HRLP_RV32_ACTIVE_PRIORITY;
    uint32_t ceiling = HRLP_RV32_THRESHOLD;

    return active > ceiling ? active : ceiling;
}

/* The level below which lines are held off, as it would be without the handler of overruns. */
static inline unsigned hrlp_rv32_held_off_below(void)
{
    hrlp_irq_state state = hrlp_irq_lock();
    unsigned level;

    HRLP_RV32_PRIORITY[HRLP_RV32_OVERRUN_SOURCE] = 0;
    level = hrlp_line_level();
    HRLP_RV32_PRIORITY[HRLP_RV32_OVERRUN_SOURCE] = HRLP_RV32_PRIORITIES;
    hrlp_irq_unlock(state);
    return level;
}

/*
 * Whether that is an overrun of the task of `line`, a cell's; asking forgets it. The release that
 * came while the job ran leads to no other. Context: Overrun_Handler. The second one is for a line that is a
 * constant, of the only such task.
 *
 * A request that met one which waited is merged with it. If nothing holds that off any more, what was
 * met is a job that has ended since, behind its body: the request leads to the next one in time.
 * (Or, which cannot be told from that, one that waited until just now, for what held it off: an overrun
 * in the last cycles of that is dropped, and not counted.)
 */
bool hrlp_rv32_overran(int line);

static inline bool hrlp_line_overran(int line)
{
    return hrlp_rv32_overran(line);
}

static inline __attribute__((always_inline)) bool hrlp_line_overran_alone(int line)
{
    const unsigned word = (unsigned)line / 32u;
    const uint32_t bit = 1u << ((unsigned)line % 32u);

    if ((HRLP_RV32_OVERRUN[word] & bit) == 0) {
        return false;
    }
    HRLP_RV32_OVERRUN[word] = bit;
    if ((HRLP_RV32_ACTIVE[word] & bit) != 0) {
        HRLP_RV32_CLEAR[word] = bit;
        return true;
    }
    return hrlp_rv32_held_off_below() >= HRLP_RV32_PRIORITY[line];
}

/*
 * Tells of the overruns of `cells`, by `overrun`; the tasks are by cell. No task runs during the
 * handler, so each cell is looked at once. Context: Overrun_Handler.
 */
static inline void hrlp_line_report_overruns(uint32_t cells, const struct hrl_basic *const *tasks,
                                             void (*overrun)(const struct hrl_basic *task))
{
    while (cells != 0) {
        unsigned bit = hrlp_cpu_highest_bit(cells);

        cells &= ~(1u << bit);
        if (hrlp_line_overran(tasks[bit]->line->number)) {
            overrun(tasks[bit]);
        }
    }
}

/*
 * Without the caller's handler, the most urgent, the level would be that of what it came into. At the entry of
 * a handler that may end the job which it came into (hrlp_cpu.h).
 */
static inline bool hrlp_line_interrupted(unsigned level, unsigned by)
{
    hrlp_irq_state state = hrlp_irq_lock();
    uint32_t source = HRLP_RV32_ACTIVE_SOURCE;
    uint32_t found;

    HRLP_RV32_PRIORITY[source] = 0;
    found = HRLP_RV32_ACTIVE_PRIORITY;
    HRLP_RV32_PRIORITY[source] = by;
    hrlp_irq_unlock(state);
    return found == level;
}

#define HRLP_CPU_REDIRECTING_HANDLER(name, function) HRLP_CPU_REDIRECTING_HANDLER_OF(name, function)
#define HRLP_CPU_REDIRECTING_HANDLER_OF(name, function)                                            \
    __asm__(".include \"hrlp_rv32_entry.inc\"\n\t"                                                 \
            ".pushsection .text." #name "_entry, \"ax\", %progbits\n\t"                            \
            ".global " #name "_entry\n\t"                                                          \
            "redirecting_entry " #name "_entry, " #function "\n\t"                                 \
            ".popsection");

static inline uint32_t hrlp_line_raise_ceiling(unsigned level)
{
    uint32_t before = HRLP_RV32_THRESHOLD;

    if (level > before) {
        HRLP_RV32_THRESHOLD = level;
    }
    return before;
}

static inline uint32_t hrlp_line_ceiling(void)
{
    return HRLP_RV32_THRESHOLD;
}

/* A line that was held off comes before the second instruction behind the store. */
static inline void hrlp_line_restore_ceiling(uint32_t before)
{
    HRLP_RV32_THRESHOLD = before;
    __asm__ volatile("nop\n\tnop" : : : "memory");
}

#endif
