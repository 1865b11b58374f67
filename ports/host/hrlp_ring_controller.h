/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RING_CONTROLLER_H
#define HRLP_RING_CONTROLLER_H

#include "hrlp_clock.h"
#include "hrlp_host_jobs.h"
#include "hrlp_irq.h"
#include "hrlp_ring.h"

/*
 * kernel/trace in virtual time, for its tests: the host port has an observer of its own. What is called for the
 * calibration takes some counts, so that its costs are known.
 */
enum {
    HRLP_HOST_RETURN_COUNTS = 2,
    HRLP_HOST_HANDLER_COUNTS = 3,
    HRLP_HOST_ENTRY_COUNTS = 5,
    HRLP_HOST_JOB_COUNTS = 7,
    HRLP_HOST_SERVICE_COUNTS = 4
};

typedef hrlp_irq_state hrlp_ring_state;

static inline hrlp_ring_state hrlp_ring_lock(void)
{
    return hrlp_irq_lock();
}

static inline void hrlp_ring_unlock(hrlp_ring_state state)
{
    hrlp_irq_unlock(state);
}

static inline void hrlp_ring_start_stamps(void) {}

static inline hrl_stamp hrlp_ring_stamp(void)
{
    return hrlp_clock_read();
}

static inline void hrlp_ring_returns(void)
{
    hrlp_host_consume(HRLP_HOST_RETURN_COUNTS);
}

static inline void hrlp_ring_call(uint32_t number)
{
    hrlp_host_consume(HRLP_HOST_ENTRY_COUNTS);
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_ENTERED, number));
    hrlp_host_consume(HRLP_HOST_HANDLER_COUNTS + number);
    if (number == 0) {
        hrli_trace_left();
    } else {
        hrli_trace_switched();
    }
}

static inline void hrlp_ring_service(void)
{
    hrlp_host_consume(HRLP_HOST_SERVICE_COUNTS);
    hrli_trace_called();
    hrlp_ring_returns();
    hrli_trace_returned();
}

#define HRLP_RING_JOB                                                                              \
    hrlp_host_consume(HRLP_HOST_JOB_COUNTS);                                                       \
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_BEGUN, 0));                                            \
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_ENDED, 0));

#endif
