/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TURN_THREADS_H
#define TURN_THREADS_H

#include "bench_service.h"
#include "bench_thread.h"

/* The services of the threads that the scenario lists in `threads`. */
BENCH_SERVICE enum bench_status resume(unsigned number)
{
    return BENCH_STATUS(bench_thread_resume(threads[number]));
}

BENCH_SERVICE enum bench_status suspend_self(unsigned number)
{
    return BENCH_STATUS(bench_thread_suspend_self(threads[number]));
}

BENCH_SERVICE enum bench_status resume_from_interrupt(unsigned number)
{
    return BENCH_STATUS(bench_thread_resume_from_interrupt(threads[number]));
}

#endif
