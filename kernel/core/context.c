/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"
#include "core.h"
#include "resource_check.h"

bool hrli_is_thread(void)
{
    return hrli_core.running != NULL && !hrli_core_in_interrupt() && !hrli_core.alarms.acting;
}

bool hrli_is_start_up(void)
{
    return hrli_core.running == NULL && !hrlp_cpu_in_interrupt();
}

bool hrli_is_thread_or_alarm(void)
{
    return hrli_core.running != NULL && (hrli_core.alarms.acting || !hrli_core_in_interrupt());
}

/* The idle thread's level is 0, but for the time for which it inherits another's. */
bool hrli_is_waiting_thread(void)
{
    return hrli_is_thread() && HRLP_SEE(hrli_core.running->ready.base_priority) != 0;
}

bool hrli_holds_no_resource(void)
{
    return !HRL_BASIC_TASKS || hrli_resource_held == NULL;
}
