/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "wait.h"
#include <hrl/alarm.h>

/* What alarms do at an expiry (alarm.c); a program links those that its alarms are defined with. */

void hrli_alarm_call(struct hrl_alarm *alarm, uint32_t expiries)
{
    alarm->function(alarm->argument, expiries);
}

void hrli_alarm_give(struct hrl_alarm *alarm, uint32_t expiries)
{
    while (hrl_semaphore_give(alarm->argument) == HRL_OK && --expiries != 0) {
    }
}

void hrli_alarm_wake(struct hrl_alarm *alarm, uint32_t expiries)
{
    hrlp_irq_state state = hrlp_irq_lock();
    struct hrl_thread *thread = alarm->waiters.first;

    if (thread == NULL) {
        alarm->expired += expiries;
        hrlp_irq_unlock(state);
        return;
    }
    (void)hrli_wait_queue_pop(&alarm->waiters); /* who waited because there were no others */
    thread->wait.data = (void *)(uintptr_t)expiries;
    hrli_wake(thread, HRL_OK);
    hrlp_irq_unlock(state);
    hrli_core_dispatch_above(thread->waiter.ready.level);
}

enum hrl_status hrl_alarm_wait(struct hrl_alarm *alarm, uint32_t *expiries, hrl_counts until)
{
    hrlp_irq_state state = hrlp_irq_lock();
    enum hrl_status status = HRL_OK;

    HRLI_CHECK(alarm->act == hrli_alarm_wake, "a wait for an alarm that does something else");
    *expiries = alarm->expired;
    if (*expiries != 0) {
        alarm->expired = 0;
        hrlp_irq_unlock(state);
        return HRL_OK;
    }
    status = hrli_wait(&alarm->waiters, until, state);
    if (status == HRL_OK) {
        *expiries = (uint32_t)(uintptr_t)hrli_core.running->wait.data;
    }
    return status;
}
