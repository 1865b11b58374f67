/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_LINE_H
#define BENCH_LINE_H

#include "bench_vector.h"

#endif
