/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include "hrlp_host_machine.h"

#define HRLP_IRQ_UNLOCKED 0u

static inline hrlp_irq_state hrlp_irq_lock(void)
{
    return hrlp_host_mask(true);
}

static inline void hrlp_irq_unlock(hrlp_irq_state state)
{
    (void)hrlp_host_mask(state != 0);
}

static inline void hrlp_irq_enable(int line)
{
    (void)line; /* the simulated lines are let through from the start */
}

static inline void hrlp_irq_clear(int line)
{
    hrlp_host_clear((unsigned)line);
}

static inline void hrlp_irq_raise(int line)
{
    hrlp_host_raise((unsigned)line, hrlp_host_now());
}

#endif
