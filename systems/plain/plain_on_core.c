/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define HRLI_CORES_SHARE_MEMORY 1
#include "core_names.h"

/*
 * plain.c for core HRLI_CORE_NUMBER, on a machine of several cores without private memory (hrlp_per_core.h). All that
 * it defines for others has that number at its end: each core has a system of its own, and plain_cores.c finds it. The
 * build does the same with the cells' handlers.
 */
#define hrl_gen_clock_rate HRLI_ON_CORE(hrl_gen_clock_rate)
#define hrli_cpu_switch HRLI_ON_CORE(hrli_cpu_switch)
#define hrli_cpu_yield HRLI_ON_CORE(hrli_cpu_yield)
#include "plain.c"
