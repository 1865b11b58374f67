/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORES_CONTROLLER_H
#define HRLP_CORES_CONTROLLER_H

#include "hrlp_host_machine.h"
#include "hrlp_irq.h"

/* The cores of the simulated machine (cores.c). */
#define HRLP_LOCKS 5u

static inline unsigned hrlp_core_number(void)
{
    return hrlp_host_core;
}

static inline void hrlp_cores_start(void)
{
    hrlp_host_cores_start();
}

static inline void hrlp_cores_meet(void)
{
    hrlp_host_cores_meet();
}

static inline void hrlp_core_answer(void)
{
    hrlp_host_enable(HRLP_HOST_DOORBELL, HRLP_IRQ_OF_CELLS);
}

static inline void hrlp_core_ring(unsigned core)
{
    hrlp_host_raise_on(core, HRLP_HOST_DOORBELL);
}

static inline void *hrlp_core_object(void *own, unsigned core)
{
    return hrlp_host_core_object(own, core);
}

static inline void hrlp_lock_take(unsigned lock)
{
    hrlp_host_lock_take(lock);
}

static inline void hrlp_lock_give(unsigned lock)
{
    hrlp_host_lock_give(lock);
}

#endif
