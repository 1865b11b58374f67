/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"

_Noreturn void bench_finish(void)
{
    BENCH_MARK(done);
    hrlp_cpu_halt(0);
}
