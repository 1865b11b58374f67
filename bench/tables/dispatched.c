/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatcher table of Figure 5, which is in system.toml; a deadline that it misses ends the run. */
#include "bench_synchronised.h"
#include <hrl/dispatcher.h>

enum hrl_status bench_start(uint32_t offset)
{
    return hrl_dispatcher_start_relative(offset);
}

enum hrl_status bench_synchronise(uint32_t position)
{
    return hrl_dispatcher_synchronise(position);
}
