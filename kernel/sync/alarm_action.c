/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "semaphore_tokens.h"
#include "wait.h"
#include <hrl/alarm.h>

/* What alarms do at an expiry (alarm.c); a program links those that its alarms are defined with. */

void hrli_alarm_call(struct hrl_alarm *alarm, uint32_t expiries)
{
    alarm->function(alarm->argument, expiries);
}

void hrli_alarm_give(struct hrl_alarm *alarm, uint32_t expiries)
{
    hrli_semaphore_give_tokens(alarm->argument, expiries);
}

void hrli_alarm_wake(struct hrl_alarm *alarm, uint32_t expiries)
{
    hrlp_irq_state state = hrli_sync_lock();
    struct hrl_thread *thread = alarm->waiters.first;

    if (thread == NULL) {
        alarm->expired += expiries;
        hrli_sync_unlock(state);
        return;
    }
    (void)hrli_wait_queue_pop(&alarm->waiters); /* it waited as `expired` was 0 */
    thread->wait.data = (void *)(uintptr_t)expiries;
    hrli_wake(thread, HRL_OK);
    hrli_sync_unlock(state);
    hrli_dispatch_woken(thread);
}

/* Takes the expiries that no thread has waited for; false: none. Context: interrupts masked. */
static bool take_expired(struct hrl_alarm *alarm, uint32_t *expiries)
{
    *expiries = alarm->expired;
    alarm->expired = 0;
    return *expiries != 0;
}

enum hrl_status hrl_alarm_wait(struct hrl_alarm *alarm, uint32_t *expiries, hrl_counts until)
{
    hrlp_irq_state state;
    enum hrl_status status;

    HRLI_CHECK_WAIT("hrl_alarm_wait", until);
    HRLI_CHECK(alarm->act != NULL, "an alarm that is not initialised");
    HRLI_CHECK(alarm->act == hrli_alarm_wake,
               "hrl_alarm_wait: the alarm is not defined for waiting");
    while (state = hrli_sync_lock(), !take_expired(alarm, expiries)) {
        if (until == HRL_NO_WAIT) {
            hrli_sync_unlock(state);
            return HRL_WOULD_WAIT;
        }
        hrli_wait_enter(&alarm->waiters, state);
        if (alarm->expired == 0) {
            status = hrli_wait_stay(until, state);
            if (status == HRL_OK) {
                *expiries = (uint32_t)(uintptr_t)hrli_core.running->wait.data;
            }
            return status;
        }
        hrli_wait_leave(state);
    }
    hrli_sync_unlock(state);
    return HRL_OK;
}
