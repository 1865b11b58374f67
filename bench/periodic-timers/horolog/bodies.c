/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "../bench_chip.h"

/* Bodies of described threads. */

/* Figure 7 and Table 3 of the paper. */
void bench_release(void);
void bench_release(void)
{
    BENCH_MARK(1);
}

/* Figure 12: nothing is to be done. */
void bench_nothing(void);
void bench_nothing(void) {}
