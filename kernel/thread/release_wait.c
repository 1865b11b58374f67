/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "release_wait.h"
#include "hrlp_clock.h"
#include <hrl/hooks.h>
#include <hrl/time.h>

#define HALF_OF_STAMPS ((uint32_t)1 << 31)

/*
 * Waits for the instant `step` counts after the waiter's key, which becomes its key; returns false
 * at once if that has passed, however long ago. Beyond a hop's length the clock alone decides, so
 * that stamps are compared that are nearer only.
 */
static bool wait_by_whole_clock(struct hrli_periodic_thread *self, uint32_t step)
{
    struct hrli_waiter *waiter = &self->waiter;
    hrl_counts due = ((hrl_counts)waiter->high << 32 | waiter->node.key) + step;
    hrl_stamp key = (hrl_stamp)due;

    waiter->node.key = key;
    waiter->high = (uint32_t)(due >> 32);
    hrli_release_set_step(self, key < HRLI_RELEASE_NEAR_COUNTS);
    hrli_core_lock_dispatch();
    if (hrl_now() < due + HRLI_PERIOD_HOP_COUNTS &&
        hrli_release_enqueue_common(self, key - HALF_OF_STAMPS, HALF_OF_STAMPS)) {
        hrlp_cpu_request_switch(); /* allows dispatch */
        return true;
    }
    hrli_core_unlock_dispatch();
    return false;
}

/* A thread that slept at a hop was not late, even if the release has passed since. */
__attribute__((noinline)) uint32_t hrli_release_wait_slowly(struct hrli_periodic_thread *self,
                                                            uint32_t step)
{
    struct hrli_waiter *waiter = &self->waiter;

    for (uint32_t missed = 0;;) {
        bool waited = false;

        for (uint32_t hops = waiter->period.hops; hops != 0; hops--) {
            waited |= wait_by_whole_clock(self, HRLI_PERIOD_HOP_COUNTS);
        }
        if (wait_by_whole_clock(self, step) || waited) {
            return missed;
        }
        if (self->is_shared) {
            self->is_behind = true;
            hrli_release_set_step(self, true);
            return 0;
        }
        self->overruns++;
        hrl_overrun_hook(&self->thread, waiter->node.key);
        if (self->queue_overruns) {
            return 0;
        }
        missed++;
        step = hrli_period_advance(&waiter->period, 0);
    }
}

uint32_t hrl_release_wait(void)
{
    return hrli_release_wait((struct hrli_periodic_thread *)hrli_core.running,
                             hrli_release_enqueue_any, NULL);
}
