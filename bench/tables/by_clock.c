/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_schedule.h"
#include <hrl/clock_counter.h>

HRL_CLOCK_COUNTER_DEFINE(bench_counter);
