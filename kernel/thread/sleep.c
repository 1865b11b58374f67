/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"
#include "hrlp_clock.h"
#include "wait.h"
#include <hrl/thread.h>
#include <hrl/time.h>

/*
 * To sleep is to wait in no queue. Dispatch is held off since the clock was read: a thread that is
 * kept from running between would come with a key of long ago.
 */
static inline __attribute__((always_inline)) void sleep_to(struct hrl_thread *self, hrl_stamp key)
{
    hrlp_irq_state state;

    if (HRL_GLOBAL_THREADS && hrli_is_global(self)) {
        hrli_global_sleep(self, key);
        return;
    }
    state = hrlp_irq_lock();
    HRLP_SHOW(self->wait.queue, NULL);
    hrli_wait_for_key(self, key, state);
    HRLP_SHOW(self->timeout_state, HRLI_TIMEOUT_NONE);
}

/* In steps that a stamp can tell, each from the present instant. */
void hrl_thread_sleep_until(hrl_counts instant)
{
    struct hrl_thread *self = hrli_core.running;
    bool is_last = false;

    HRLI_CHECK_MAY_WAIT("hrl_thread_sleep_until");
    while (!is_last) {
        hrl_counts now;

        hrli_core_lock_dispatch();
        now = hrl_now();
        if (instant <= now) {
            hrli_core_unlock_dispatch();
            return;
        }
        is_last = instant - now <= HRLI_PERIOD_HOP_COUNTS;
        sleep_to(self, (hrl_stamp)now + hrli_period_step(instant - now));
    }
}

/* A short sleep without the clock's upper half. */
void hrl_thread_sleep_for(hrl_counts span)
{
    struct hrl_thread *self = hrli_core.running;

    HRLI_CHECK_MAY_WAIT("hrl_thread_sleep_for");
    HRLI_CHECK(span < HRL_FOREVER - hrl_now(), "the sleep would end beyond HRL_FOREVER");
    if (span - 1u < HRLI_PERIOD_HOP_COUNTS) {
        hrli_core_lock_dispatch();
        sleep_to(self, hrlp_clock_read() + (hrl_stamp)span);
    } else if (span != 0) {
        hrl_thread_sleep_until(hrl_now() + span);
    }
}
