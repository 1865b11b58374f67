/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORES_CONTROLLER_H
#define HRLP_CORES_CONTROLLER_H

#include "hrlp_irq.h"

/* The board of several cores (docs/guide/multi-core-board.md). */
#define HRLP_RV32_MSIP ((volatile uint32_t *)0x02000000u)     /* of a core each */
#define HRLP_RV32_RAISE_AT ((volatile uint32_t *)0x40030000u) /* likewise */
#define HRLP_RV32_LOCK_VALUE ((volatile uint32_t *)0x40050000u)
#define HRLP_RV32_LOCK_INCREMENT ((volatile uint32_t *)0x40050400u)

/* Each lock is two of the 64 registers, one behind the other: the next ticket, and the one served. */
#define HRLP_LOCKS 31u

/*
 * Of Ibex with all options that save cycles; `horolog bench cores` measures them: how long the lock of services is
 * held, how many loads and stores of that are in shared memory, and how long the lock takes to the next core that
 * waits. A core waits until all others had it once. One that does not wait for it, too, can only make each of those
 * accesses wait for a cycle, which is less.
 *
 * With threads that several cores run (kernel/thread/global.c) a dispatch holds it longest, and these are counted from its
 * instructions: two threads claim a core and each takes the claim of another, which looks once more, so all cores are looked at four
 * times; and of each other core a thread is passed by which has not left it. That is of threads that all cores may run. With
 * other affinities add 45 cycles for each level of the set with threads that one core may not run and that are more urgent
 * than all of its own, 12 for each such thread, and 40 + 12 * HRL_CORES for each further claim that is taken over.
 */
enum {
    HRLP_LOCK_HELD_CYCLES = HRL_GLOBAL_THREADS ? 333 + 92 * HRL_CORES : 100,
    HRLP_RV32_HELD_ACCESSES = HRL_GLOBAL_THREADS ? 89 + 8 * HRL_CORES : 12,
    HRLP_RV32_LOCK_PASSED = 16
};
enum { HRLP_LOCK_WAIT_CYCLES = (HRL_CORES - 1) * (HRLP_LOCK_HELD_CYCLES + HRLP_RV32_LOCK_PASSED) };
_Static_assert((HRL_CORES - 2) * HRLP_RV32_HELD_ACCESSES <=
                   HRLP_LOCK_HELD_CYCLES + HRLP_RV32_LOCK_PASSED,
               "so many cores that accesses count more than the lock");

/* The last two registers: how many cores have come to the meeting, and how many meetings there were. */
enum { HRLP_RV32_MET = 62, HRLP_RV32_MEETINGS = 63 };

static inline unsigned hrlp_core_number(void)
{
    return hrlp_rv32_hart();
}

/* startup.S: they sleep until then. */
static inline void hrlp_cores_start(void)
{
    for (unsigned core = 1; core < HRL_CORES; core++) {
        HRLP_RV32_MSIP[core] = 1;
    }
}

static inline void hrlp_cores_meet(void)
{
    uint32_t meetings = HRLP_RV32_LOCK_VALUE[HRLP_RV32_MEETINGS];

    if (HRLP_RV32_LOCK_INCREMENT[HRLP_RV32_MET] == HRL_CORES - 1u) {
        HRLP_RV32_LOCK_VALUE[HRLP_RV32_MET] = 0;
        (void)HRLP_RV32_LOCK_INCREMENT[HRLP_RV32_MEETINGS];
        return;
    }
    while (HRLP_RV32_LOCK_VALUE[HRLP_RV32_MEETINGS] == meetings) {
    }
}

/* cores.S: what the controller answers a claim of the doorbell with. */
void hrlp_rv32_doorbell_entry(void);

/* As urgent as cells that release threads: what it calls is the kernel. */
static inline void hrlp_core_answer(void)
{
    hrlp_rv32_enable_masked(HRLP_RV32_DOORBELL_SOURCE, hrlp_rv32_urgency(HRLP_IRQ_OF_CELLS),
                            hrlp_rv32_doorbell_entry);
}

/* Raises the software line `line` of another core, below 32; hrlp_shared_cell.h. */
static inline void hrlp_core_raise(unsigned core, unsigned line)
{
    HRLP_RV32_RAISE_AT[core] = 1u << line;
}

static inline void hrlp_core_ring(unsigned core)
{
    __asm__ volatile("" : : : "memory");
    HRLP_RV32_RAISE_AT[core] = 1u << HRLP_RV32_DOORBELL_SOURCE;
}

/* Private memory is at 0x90000000 for the core itself, and behind one another from here on for all. */
static inline void *hrlp_core_object(void *own, unsigned core)
{
    return (char *)own + (0x01000000u + 0x00100000u * core);
}

static inline void hrlp_lock_take(unsigned lock)
{
    uint32_t ticket = HRLP_RV32_LOCK_INCREMENT[2u * lock];

    while (HRLP_RV32_LOCK_VALUE[2u * lock + 1u] != ticket) {
    }
    __asm__ volatile("" : : : "memory");
}

static inline void hrlp_lock_give(unsigned lock)
{
    __asm__ volatile("" : : : "memory");
    (void)HRLP_RV32_LOCK_INCREMENT[2u * lock + 1u];
}

#endif
