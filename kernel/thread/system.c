/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "system.h"
#include "clock.h"
#include "context.h"
#include "core.h"
#include "global.h"
#include "hrlp_guard.h"
#include "hrlp_irq.h"
#include "stack.h"
#include "woken.h"
#include <hrl/hooks.h>
#include <hrl/kernel.h>

void hrl_start(void)
{
    HRLP_CONST struct hrli_system *system = hrli_own_system();
    struct hrl_thread *idle = system->idle;

    HRLI_CHECK(hrli_is_start_up(), "hrl_start: once, in start-up code");
    (void)hrlp_irq_lock(); /* until this is the idle thread */
    hrli_global_start();
    if (hrlp_core_number() == 0) {
        hrlp_cores_start(); /* each to this function */
    }
    hrlp_core_answer();
    hrli_prepare_system(system);
    hrli_core_prepare();
    if (HRL_CHECKS) {
        hrli_stack_paint(idle);
    }
    idle->ready.priority = 0;
    idle->life = HRLI_STARTED;
    hrli_set_core(idle);
    if (HRL_OWN_PRIORITIES) {
        hrli_ready_stand_alone(&hrli_core.ready, &idle->ready);
    }
    hrli_ready_add(&hrli_core.ready, &idle->ready);
    HRLP_PUBLISH(hrli_core.running, idle);
    hrli_core.threshold = 0;
    hrli_core.timeouts = system->timeouts;
    if (system->enrolment != NULL) {
        system->enrolment->prepare(system);
    }
    if (!hrlp_guard_start(idle->stack)) {
        HRLP_CPU_STOP("HRL_GUARD is set, but this processor has no memory protection unit",
                      __FILE__, __LINE__);
    }
    hrlp_cores_meet();
    hrli_clock_start();
    hrlp_cores_meet(); /* it runs for all of them */
    if (system->enrolment != NULL) {
        system->enrolment->start(system);
    }
    hrli_core_request_switch(); /* to threads started before, as soon as this is idle */
    hrlp_cpu_become_idle(idle->stack, idle->stack_bytes);
}
