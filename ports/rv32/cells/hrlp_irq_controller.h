/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_CONTROLLER_H
#define HRLP_IRQ_CONTROLLER_H

#include "hrlp_rv32_cells.h"

/*
 * The lines are the controller's sources. Those that software can raise have the numbers that
 * applications may use; cells have higher ones. A more urgent one interrupts a handler, but for the
 * lock, which masks all.
 */
#define HRLP_IRQ_LINES                                                                             \
    (HRL_CORES > 1 ? (int)HRLP_RV32_DOORBELL_SOURCE : (int)HRLP_RV32_DISPATCH_SOURCE)
#define HRLP_IRQ_NESTS true
#define HRLP_IRQ_ORDERS true
#define HRLP_IRQ_CAN_RAISE true

/*
 * switch.S: what the controller answers a claim with, for sources without a handler of their own.
 */
void hrlp_rv32_line_entry(void);

/* Uses every fourth of the 31 priorities, so that basic tasks find others between them. */
static inline uint32_t hrlp_rv32_urgency(unsigned priority)
{
    return priority == 0 ? 1u : 4u * priority;
}

/*
 * The entry, made by `macro` (hrlp_rv32_entry.inc), of the handler <stem><number><end>; `number` is a
 * constant. Made where it is asked for, so that one that is not costs nothing; weak, so that generated
 * assembly may bring one of the same name that knows more of its handler.
 */
#define HRLP_RV32_ENTRY(macro, stem, number, end)                                                  \
    ({                                                                                             \
        void (*hrlp_rv32_entry)(void);                                                             \
        __asm__ volatile("la %0, " stem "%c1" end "_entry\n\t"                                     \
                         ".ifndef " stem "%c1" end "_entry\n\t"                                    \
                         ".include \"hrlp_rv32_entry.inc\"\n\t"                                    \
                         ".weak " stem "%c1" end "_entry\n\t"                                      \
                         ".pushsection .text." stem "%c1" end                                      \
                         "_entry, \"ax\", %%progbits\n\t" macro " " stem "%c1" end "_entry, " stem \
                         "%c1" end "\n\t"                                                          \
                         ".popsection\n\t"                                                         \
                         ".endif"                                                                  \
                         : "=r"(hrlp_rv32_entry)                                                   \
                         : "i"(number));                                                           \
        hrlp_rv32_entry;                                                                           \
    })

/*
 * Lets `source` through at `urgency`, 1 to 31; a claim is answered with `entry`. Context of the first one:
 * interrupts masked, as in start-up code.
 */
static inline void hrlp_rv32_enable_masked(unsigned source, uint32_t urgency, void (*entry)(void))
{
    HRLP_RV32_HANDLER[source] = (uint32_t)(uintptr_t)entry;
    HRLP_RV32_PRIORITY[source] = urgency;
    HRLP_RV32_ENABLE[source / 32] |= 1u << (source % 32);
}

static inline void hrlp_rv32_enable(unsigned source, uint32_t urgency, void (*entry)(void))
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_rv32_enable_masked(source, urgency, entry);
    hrlp_irq_unlock(state);
}

/*
 * Lines below 0 are the hart's own; the clock's is the only one. A cell's line is a constant; its handler
 * is Cell_Handler<channel>.
 */
static inline __attribute__((always_inline)) void hrlp_irq_enable_at(int line, unsigned priority)
{
    if (__builtin_constant_p(line) && line >= HRLP_RV32_CELL_SOURCE) {
        hrlp_rv32_enable(
            (unsigned)line, hrlp_rv32_urgency(priority),
            HRLP_RV32_ENTRY("kernel_entry", "Cell_Handler", line - HRLP_RV32_CELL_SOURCE, ""));
    } else if (line >= 0) {
        hrlp_rv32_enable((unsigned)line, hrlp_rv32_urgency(priority), hrlp_rv32_line_entry);
    } else {
        hrlp_rv32_enable_cause(line);
    }
}

/* A cell's `line` has the handler of another, `like`, which is a constant. */
static inline __attribute__((always_inline)) void hrlp_irq_enable_like(int line, int like,
                                                                       unsigned priority)
{
    hrlp_rv32_enable(
        (unsigned)line, hrlp_rv32_urgency(priority),
        HRLP_RV32_ENTRY("kernel_entry", "Cell_Handler", like - HRLP_RV32_CELL_SOURCE, ""));
}

/* No interrupt of `line` comes later than the second instruction that follows. */
static inline void hrlp_irq_disable(int line)
{
    hrlp_irq_state state = hrlp_irq_lock();

    HRLP_RV32_ENABLE[line / 32] &= ~(1u << (line % 32));
    hrlp_irq_unlock(state);
}

static inline void hrlp_irq_clear(int line)
{
    HRLP_RV32_CLEAR[line / 32] = 1u << (line % 32);
}

static inline void hrlp_irq_raise(int line)
{
    HRLP_RV32_RAISE = 1u << line;
}

static inline bool hrlp_irq_is_free(int line)
{
    return (HRLP_RV32_ENABLE[line / 32] & 1u << (line % 32)) == 0 ||
           HRLP_RV32_HANDLER[line] == (uint32_t)(uintptr_t)hrlp_rv32_line_entry;
}

#endif
