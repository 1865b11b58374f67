/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

/*
 * The lock is PRIMASK: Armv6-M has no BASEPRI, so that nothing is above the kernel but NMI. Two bits of priority are
 * just the dispatch's and 1 to HRL_INTERRUPT_KERNEL.
 */
#define HRLP_IRQ_UNLOCKED 0u
#define HRLP_IRQ_LINES 32
#define HRLP_IRQ_HIGHEST HRL_INTERRUPT_KERNEL
#define HRLP_IRQ_NESTS true
#define HRLP_IRQ_ORDERS true
#define HRLP_IRQ_CAN_RAISE true

#include "cortex_m_primask.h"

#include "hrlp_irq_controller.h"

#include "cortex_m_vectors.h"

/* Two loads: no interrupt changes a handler that is attached. */
static inline struct hrlp_irq_attached hrlp_irq_load(const struct hrlp_irq_attached *attached)
{
    return *attached;
}

#endif
