/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_convert.h"

BENCH_CONVERT(HRLI_COUNTS_PER_NS)
