/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* Table III: a schedule table by the clock activates a thread, every 3,001 counts. */
#include "bench_schedule.h"
#include "bench_started.h"
#include <hrl/table_action.h>

extern struct hrl_semaphore activate_high;
static const struct hrl_table_action gives[] = {HRL_TABLE_GIVE(&activate_high)};
static const struct hrl_expiry_point points[] = {HRL_EXPIRY_POINT(0, gives)};
HRL_SCHEDULE_TABLE_DEFINE(bench_table, &bench_counter, 3001, HRL_REPEATING, points);
