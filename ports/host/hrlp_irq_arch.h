/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include "hrlp_host_machine.h"

#define HRLP_IRQ_UNLOCKED 0u
#define HRLP_IRQ_LINES HRLP_HOST_LINES
#define HRLP_IRQ_HIGHEST HRL_INTERRUPT_HIGHEST
#define HRLP_IRQ_NESTS true
#define HRLP_IRQ_ORDERS true
#define HRLP_IRQ_CAN_RAISE true

static inline hrlp_irq_state hrlp_irq_lock(void)
{
    return hrlp_host_mask(true);
}

static inline void hrlp_irq_unlock(hrlp_irq_state state)
{
    (void)hrlp_host_mask(state != 0);
}

static inline void hrlp_irq_mask(void)
{
    if (hrlp_host_mask(true)) {
        hrlp_host_fatal("masked already", 0);
    }
}

static inline void hrlp_irq_unmask(void)
{
    (void)hrlp_host_mask(false);
}

static inline bool hrlp_irq_is_above(void)
{
    return hrlp_host_is_above();
}

static inline bool hrlp_irq_is_masked(void)
{
    return hrlp_host_is_masked();
}

static inline void hrlp_irq_enable_at(int line, unsigned priority)
{
    hrlp_host_enable((unsigned)line, (int)priority);
}

static inline void hrlp_irq_disable(int line)
{
    hrlp_host_enable((unsigned)line, HRLP_HOST_DISABLED);
}

static inline void hrlp_irq_clear(int line)
{
    hrlp_host_clear((unsigned)line);
}

static inline void hrlp_irq_raise(int line)
{
    hrlp_host_raise_now((unsigned)line);
}

static inline bool hrlp_irq_is_free(int line)
{
    return line > HRLP_HOST_CLOCK_LINE && line != HRLP_HOST_DOORBELL;
}

#include "hrlp_no_pairs.h"

#endif
