/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: 0BSD */
#include "telemetry.h"

#include <hrl/portable.h>

struct sample {
    uint32_t number;
    uint32_t value;
};

HRL_PORTABLE_QUEUE_DEFINE(samples, sizeof(struct sample), 8);
HRL_PORTABLE_SEMAPHORE_DEFINE(bus, 1, 1);

struct telemetry telemetry;
static uint32_t number, mean;

static void compute(uint32_t rounds)
{
    for (volatile uint32_t left = rounds; left != 0; left--) {
    }
}

void make_objects(void)
{
    hrl_portable_queue_make(&samples);
    hrl_portable_semaphore_make(&bus);
}

void read_sensor(void)
{
    struct sample sample = {number, number * 7u % 1000u};

    number++;
    if (!hrl_portable_queue_send(&samples, &sample, HRL_PORTABLE_NO_WAIT)) {
        telemetry.lost++;
    }
}

void filter_samples(void)
{
    struct sample sample;

    while (hrl_portable_queue_receive(&samples, &sample, HRL_PORTABLE_NO_WAIT)) {
        mean += (sample.value - mean) / 8u;
        telemetry.filtered++;
    }
}

void send_message(void)
{
    if (!hrl_portable_semaphore_take(&bus, HRL_PORTABLE_MS(20))) {
        telemetry.refused++;
        return;
    }
    hrl_portable_sleep(HRL_PORTABLE_MS(3)); /* until the carrier has settled */
    compute(100);
    telemetry.sent++;
    (void)hrl_portable_semaphore_give(&bus);
}

/* It comes while the radio has the bus, and waits for it. */
void draw(void)
{
    if (!hrl_portable_semaphore_take(&bus, HRL_PORTABLE_FOREVER)) {
        return;
    }
    compute(200);
    telemetry.drawn++;
    (void)hrl_portable_semaphore_give(&bus);
}
