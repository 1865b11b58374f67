/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm_elsewhere.h"
#include "changes.h"
#include "core.h"
#include "releaser.h"
#include "sync_lock.h"
#include <stddef.h>

#if HRL_CORES > 1 /* as alarms and cores have no such fields on one core */

/* Whether it is another core's, where it is listed then, to be looked at. Context: the lock of services is held. */
static bool list_elsewhere(struct hrl_alarm *alarm)
{
    unsigned home = alarm->home - 1u;
    struct hrli_core *core;

    if (alarm->home == 0) {
        home = hrlp_core_number();
        HRLP_SHOW(alarm->home, (hrli_number)(home + 1u));
    }
    if (home == hrlp_core_number()) {
        HRLP_SHOW(alarm->asked.what, (hrli_number)HRLI_ALARM_AS_IT_IS);
        return false;
    }
    core = hrlp_core_object(&hrli_core, home);
    if (!alarm->is_listed) {
        alarm->is_listed = true;
        alarm->next_asked = NULL;
        if (core->asked.first == NULL) {
            HRLP_SHOW(core->asked.first, alarm);
        } else {
            core->asked.last->next_asked = alarm;
        }
        core->asked.last = alarm;
    }
    HRLP_SHOW(core->has_changes, true);
    hrlp_core_ring(home);
    return true;
}

bool hrli_alarm_start_elsewhere(struct hrl_alarm *alarm, hrl_counts first, const hrl_period *period,
                                uint32_t times)
{
    hrlp_irq_state state = hrli_sync_lock();
    bool is_elsewhere = list_elsewhere(alarm);

    alarm->expired = 0;
    if (is_elsewhere) {
        HRLP_SHOW(alarm->asked.what, (hrli_number)HRLI_ALARM_TO_START);
        alarm->asked.first = first;
        alarm->asked.period = *period;
        alarm->asked.times = times;
    }
    hrli_sync_unlock(state);
    return is_elsewhere;
}

bool hrli_alarm_stop_elsewhere(struct hrl_alarm *alarm, bool *ran)
{
    hrlp_irq_state state = hrli_sync_lock();
    bool is_elsewhere;

    *ran = alarm->asked.what == HRLI_ALARM_AS_IT_IS
               ? HRLP_SEE(alarm->runs) || HRLP_SEE(alarm->owed) != 0
               : alarm->asked.what == HRLI_ALARM_TO_START;
    is_elsewhere = alarm->home == 0 || list_elsewhere(alarm);
    if (alarm->home != 0 && is_elsewhere) {
        HRLP_SHOW(alarm->asked.what, (hrli_number)HRLI_ALARM_TO_STOP);
    }
    hrli_sync_unlock(state);
    return is_elsewhere;
}

/*
 * The next one of the list, which leaves it; NULL: there is none. In *asked what is asked for, if this core has not started
 * or stopped it itself since, and in *is_in whether it is in the store. From here on other cores find that done.
 */
static struct hrl_alarm *take_asked(struct hrli_alarm_asked *asked, bool *is_in)
{
    hrlp_irq_state state = hrli_sync_lock();
    struct hrl_alarm *alarm = hrli_core.asked.first;

    if (alarm != NULL) {
        HRLP_SHOW(hrli_core.asked.first, alarm->next_asked);
        alarm->is_listed = false;
        *asked = alarm->asked;
        *is_in = alarm->runs;
        if (asked->what != HRLI_ALARM_AS_IT_IS) {
            HRLP_SHOW(alarm->asked.what, (hrli_number)HRLI_ALARM_AS_IT_IS);
            HRLP_SHOW(alarm->runs, asked->what == HRLI_ALARM_TO_START);
        }
        if (asked->what == HRLI_ALARM_TO_START) {
            alarm->expired = 0; /* by an expiry that had begun */
        }
    }
    hrli_sync_unlock(state);
    return alarm;
}

/* The store is in use before anything is taken: an expiry that nothing is asked of any more is that of the new start. */
void hrli_alarms_apply(void)
{
    struct hrli_releaser *releaser;
    struct hrli_alarm_asked asked;
    struct hrl_alarm *alarm;
    bool is_in, serve = false;

    if (HRLP_SEE(hrli_core.asked.first) ==
        NULL) { /* as usual; a core without alarms need not have time-outs */
        return;
    }
    releaser = hrli_core.timeouts->releaser;
    hrli_releaser_begin_use(releaser);
    while (alarm = take_asked(&asked, &is_in), alarm != NULL) {
        if (asked.what != HRLI_ALARM_AS_IT_IS) {
            serve = hrli_alarm_do(alarm, &asked, is_in) || serve;
        }
    }
    hrli_releaser_end_use(releaser);
    if (serve || releaser->deferred) {
        hrli_releaser_catch_up(releaser);
    }
}

#endif
