/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"
#include "hrlp_clock.h"
#include "wait.h"
#include <hrl/thread.h>
#include <hrl/time.h>

/* To sleep is to wait in no queue. */
static inline __attribute__((always_inline)) void sleep_to(hrl_stamp key)
{
    struct hrl_thread *self = hrli_core.running;
    hrlp_irq_state state = hrlp_irq_lock();

    self->wait.queue = NULL;
    hrli_wait_for_key(self, key, state);
    self->timeout_state = HRLI_TIMEOUT_NONE;
}

/*
 * In steps that a stamp can tell. Out of line, so that a short sleep has one step and no frame for
 * this.
 */
static __attribute__((noinline)) void sleep_long(hrl_stamp now, hrl_counts span)
{
    while (span != 0) {
        uint32_t step = hrli_period_step(span);

        now += step;
        span -= step;
        sleep_to(now);
    }
}

void hrl_thread_sleep_until(hrl_counts instant)
{
    hrl_counts now;

    HRLI_CHECK_MAY_WAIT("hrl_thread_sleep_until");
    now = hrl_now();
    if (instant > now) {
        sleep_long((hrl_stamp)now, instant - now);
    }
}

/* Without the clock's upper half. */
void hrl_thread_sleep_for(hrl_counts span)
{
    hrl_stamp now = hrlp_clock_read();

    HRLI_CHECK_MAY_WAIT("hrl_thread_sleep_for");
    HRLI_CHECK(span < HRL_FOREVER - hrl_now(), "a sleep that ends after the end of time");
    if (span > 0 && span <= HRLI_PERIOD_HOP_COUNTS) {
        sleep_to(now + (hrl_stamp)span);
    } else {
        sleep_long(now, span);
    }
}
