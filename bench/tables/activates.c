/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* Table III: a schedule table by the clock activates a basic task, every 3,001 counts. */
#include "bench_schedule.h"
#include "bench_started.h"
#include <hrl/table_action.h>

extern const struct hrl_basic basic_high;
static const struct hrl_table_action activates[] = {HRL_TABLE_ACTIVATE(&basic_high)};
static const struct hrl_expiry_point points[] = {HRL_EXPIRY_POINT(0, activates)};
HRL_SCHEDULE_TABLE_DEFINE(bench_table, &bench_counter, 3001, HRL_REPEATING, points);
