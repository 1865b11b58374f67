/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

/* What the driver asks of the interrupt controller: the test calls its handler itself, so that nothing is left to do. */
static inline hrlp_irq_state hrlp_irq_lock(void)
{
    return 0;
}

static inline void hrlp_irq_unlock(hrlp_irq_state state)
{
    (void)state;
}

static inline void hrlp_irq_enable_at(int line, unsigned priority)
{
    (void)line;
    (void)priority;
}

static inline void hrlp_irq_clear(int line)
{
    (void)line;
}

#endif
