/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <hrl/chronometer.h>

void hrl_chronometer_start(struct hrl_chronometer *chronometer)
{
    HRLI_CHECK_CALL("hrl_chronometer_start");
    chronometer->lap = 0;
    chronometer->running = true;
    chronometer->origin = hrl_now();
}

hrl_counts hrl_chronometer_read(const struct hrl_chronometer *chronometer)
{
    HRLI_CHECK_CALL("hrl_chronometer_read");
    return chronometer->running ? hrl_now() - chronometer->origin : chronometer->shown;
}

hrl_counts hrl_chronometer_lap(struct hrl_chronometer *chronometer)
{
    hrl_counts begun = chronometer->lap;

    HRLI_CHECK_CALL("hrl_chronometer_lap");
    chronometer->lap = hrl_chronometer_read(chronometer);
    return chronometer->lap - begun;
}

hrl_counts hrl_chronometer_stop(struct hrl_chronometer *chronometer)
{
    HRLI_CHECK_CALL("hrl_chronometer_stop");
    chronometer->shown = hrl_chronometer_read(chronometer);
    chronometer->running = false;
    return chronometer->shown;
}

void hrl_chronometer_resume(struct hrl_chronometer *chronometer)
{
    HRLI_CHECK_CALL("hrl_chronometer_resume");
    if (!chronometer->running) {
        chronometer->running = true;
        chronometer->origin = hrl_now() - chronometer->shown;
    }
}

uint64_t hrl_chronometer_read_ns(const struct hrl_chronometer *chronometer)
{
    HRLI_CHECK_CALL("hrl_chronometer_read_ns");
    return hrl_counts_to_ns(hrl_chronometer_read(chronometer));
}
