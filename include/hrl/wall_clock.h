/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_WALL_CLOCK_H
#define HRL_WALL_CLOCK_H

#include <hrl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The time of day, as the application has set it: nanoseconds since an epoch of the application's
 * choice.
 *
 * It advances with hrl_now_ns and may be set at any time, back as well. Nothing else follows it:
 * hrl_now, sleeps, time-outs and alarms stay where they are. Until it is set it is hrl_now_ns.
 * Context of both calls: as hrl_now; a call in an interrupt that comes into another sees the clock
 * before or after it, never between. Cost: constant; interrupts are off for a look at the clock and
 * a conversion.
 */
void hrl_wall_clock_set(uint64_t ns);
uint64_t hrl_wall_clock_read(void);

#ifdef __cplusplus
}
#endif

#endif
