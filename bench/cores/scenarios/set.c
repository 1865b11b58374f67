/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

/*
 * Periodic tasks that any core may run, the most urgent first, with deadlines at the ends of their periods. BENCH_SET, by
 * the build, is TASK(number, period in ms, turns of work) for each. All are released at FIRST.
 */
enum { FIRST_MS = 2, MOST_URGENT = 30 };

#ifndef BENCH_SET /* so that an editor understands the source */
#define BENCH_SET TASK(0, 1, 1000) TASK(1, 2, 2000)
#endif

/* Three cycles a turn, wherever the loop lies. */
#define WORK(turns)                                                                                \
    do {                                                                                           \
        uint32_t left = (turns);                                                                   \
        __asm__ volatile(".balign 4\n1: addi %0, %0, -1\n bnez %0, 1b" : "+r"(left));              \
    } while (0)

#define TASK(number, ms, turns)                                                                    \
    static __attribute__((noinline, noclone)) void bench_job_##number(void)                        \
    {                                                                                              \
        BENCH_MARK(begin_##number);                                                                \
        WORK(turns);                                                                               \
        BENCH_MARK(end_##number);                                                                  \
    }                                                                                              \
    static void work_for_ever_##number(void *argument)                                             \
    {                                                                                              \
        bench_instant last = 0;                                                                    \
                                                                                                   \
        (void)argument;                                                                            \
        for (bench_wait(&last, FIRST_MS);; bench_wait(&last, (ms))) {                              \
            bench_job_##number();                                                                  \
        }                                                                                          \
    }                                                                                              \
    BENCH_GLOBAL_DEFINE(task_##number, work_for_ever_##number, MOST_URGENT - (number));
BENCH_SET
#undef TASK

#define TASK(number, ms, turns) BENCH_GLOBAL_START(task_##number);
int main(void)
{
    BENCH_SET
    bench_run();
    return 1;
}
