/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_CHRONOMETER_H
#define HRL_CHRONOMETER_H

#include <hrl/time.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Chronometers measure how long something took, in counts, 64 bits.
 *
 *     static struct hrl_chronometer frame;
 *     hrl_chronometer_start(&frame);
 *     ... hrl_chronometer_lap(&frame) ... hrl_chronometer_lap(&frame) ...
 *     total = hrl_counts_to_ns(hrl_chronometer_stop(&frame));
 *
 * The kernel does not know of them: they cost nothing but a look at the clock. One that is all
 * zeros stands at 0. Context of all calls: as hrl_now; if several threads share one, the
 * application makes sure that their calls do not overlap. Cost: constant.
 */
struct hrl_chronometer {
    hrl_counts origin; /* running: when it stood at 0 */
    hrl_counts lap;    /* what it showed when the lap began */
    hrl_counts shown;  /* stopped: what it shows */
    bool running;
};

/* Begins to count from 0, running or stopped. */
void hrl_chronometer_start(struct hrl_chronometer *chronometer);

/*
 * Ends a lap and begins the next: counts since the start or the lap before. Of a stopped one: its
 * last lap, then 0.
 */
hrl_counts hrl_chronometer_lap(struct hrl_chronometer *chronometer);

/* Stops, and returns what it shows: counts since the start, without those while it was stopped. */
hrl_counts hrl_chronometer_stop(struct hrl_chronometer *chronometer);

/* Goes on from what it shows, after it was stopped; one that runs goes on anyway. */
void hrl_chronometer_resume(struct hrl_chronometer *chronometer);

/* What it shows, running or stopped, in counts and in nanoseconds. */
hrl_counts hrl_chronometer_read(const struct hrl_chronometer *chronometer);
uint64_t hrl_chronometer_read_ns(const struct hrl_chronometer *chronometer);

#ifdef __cplusplus
}
#endif

#endif
