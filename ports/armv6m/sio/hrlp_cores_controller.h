/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORES_CONTROLLER_H
#define HRLP_CORES_CONTROLLER_H

#include "hrlp_armv6m_cores.h"
#include "hrlp_irq.h"
#include "hrlp_per_core.h"

/*
 * The RP2040's SIO (RP2040 Datasheet, 2.3.1): a register with the core's number, a mailbox to the other core, which is
 * the doorbell, and 32 spinlocks. A core reads and writes them in a cycle, and never waits for the other one's access.
 */
#define HRLP_SIO_CORE (*(const uint32_t *)0xD0000000u)
struct hrlp_sio_mailbox {
    volatile uint32_t state, write, read;
};
#define HRLP_SIO_MAILBOX ((struct hrlp_sio_mailbox *)0xD0000050u)
enum {
    HRLP_SIO_MAIL = 1u << 0,
    HRLP_SIO_ROOM = 1u << 1,
    HRLP_SIO_WRITTEN_OVER = 1u << 2, /* these two stay until they are written */
    HRLP_SIO_READ_EMPTY = 1u << 3,
    HRLP_SIO_LINE = 15 /* core 0's, which mail to it raises, and these errors; 16 is core 1's */
};
#define HRLP_SIO_LOCKS ((volatile uint32_t *)0xD0000100u)

#define HRLP_LOCKS 32u

extern HRLP_PER_CORE uint32_t hrlp_sio_meetings; /* so many the core has come to, and 1 */

/* Not volatile: it stays as it is, and no thread changes its core. */
static inline unsigned hrlp_core_number(void)
{
    return HRLP_SIO_CORE;
}

/* If there is no room, what is there rings already. The barrier: memory is stored before SIO is. */
static inline void hrlp_core_ring(unsigned core)
{
    (void)core; /* there is one other */
    __asm__ volatile("dmb" : : : "memory");
    if ((HRLP_SIO_MAILBOX->state & HRLP_SIO_ROOM) != 0) {
        HRLP_SIO_MAILBOX->write = 0;
    }
}

/* From its boot ROM to hrl_start (cores.c). */
void hrlp_cores_start_by_mail(void);

static inline void hrlp_cores_start(void)
{
    hrlp_cores_start_by_mail();
}

static inline void hrlp_core_answer(void)
{
    hrlp_irq_enable_at(HRLP_SIO_LINE + (int)hrlp_core_number(), HRLP_IRQ_OF_CELLS);
}

/* hrlp_irq_enable_at, with the handler of the line `like`, in this core's vectors. Context: start-up. */
static inline void hrlp_irq_enable_like(int line, int like, unsigned priority)
{
    uint32_t *lines = hrlp_armv6m_vectors() + HRLP_IRQ_FIRST_LINE;

    lines[line] = lines[like];
    hrlp_irq_enable_at(line, priority);
}

static inline void *hrlp_core_object(void *own, unsigned core)
{
    uint32_t on_from_here = (core - hrlp_core_number()) * (uint32_t)(uintptr_t)hrl_link_core_stride;

    return (char *)own + (int32_t)on_from_here;
}

static inline void hrlp_cores_meet(void)
{
    const uint32_t *other = hrlp_core_object(&hrlp_sio_meetings, 1u - hrlp_core_number());
    const uint32_t meetings = hrlp_sio_meetings + 1u;

    HRLP_PUBLISH(hrlp_sio_meetings, meetings);
    while ((int32_t)(HRLP_SEE_PUBLISHED(*other) - meetings) < 0) {
    }
}

/*
 * A read of 0: the other core has it. There are two cores, so one waits at most. It asks every 4 cycles, which is less
 * than a core that has given a lock needs to take it again: so it is first come, first served, without a ticket, while
 * this loop is in the cache of the flash.
 */
static inline void hrlp_lock_take(unsigned lock)
{
    while (HRLP_SIO_LOCKS[lock] == 0) {
    }
    __asm__ volatile("dmb" : : : "memory");
}

static inline void hrlp_lock_give(unsigned lock)
{
    __asm__ volatile("dmb" : : : "memory");
    HRLP_SIO_LOCKS[lock] = 0;
}

#endif
