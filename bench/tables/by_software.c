/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_schedule.h"

HRL_COUNTER_DEFINE(bench_counter, 999999, 1);
