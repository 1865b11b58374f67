/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TURN_TOKEN_H
#define TURN_TOKEN_H

#include "bench_semaphore.h"
#include "bench_service.h"

/* The semaphore of the thread `only`, and its services. */
BENCH_SEMAPHORE_DEFINE(token, only);
static bench_semaphore tokens[1];

static void prepare_token(void)
{
    BENCH_SEMAPHORE_PREPARE(token);
    tokens[0] = BENCH_SEMAPHORE(token);
}

BENCH_SERVICE enum bench_status take(unsigned number)
{
    return BENCH_STATUS(
        bench_semaphore_take(BENCH_NUMBERED(tokens, number, BENCH_SEMAPHORE(token))));
}

BENCH_SERVICE enum bench_status give(unsigned number)
{
    return BENCH_STATUS(
        bench_semaphore_give(BENCH_NUMBERED(tokens, number, BENCH_SEMAPHORE(token))));
}

#endif
