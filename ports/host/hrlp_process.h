/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_PROCESS_H
#define HRLP_PROCESS_H

#include "hrlp_host_jobs.h"
#include <hrl/kernel.h>

/*
 * Porting contract of a port with `program = "process"` in its port.toml: a generated program says itself what is
 * observed of it. At file scope, without semicolons: the list of what is observed of each releaser, in their
 * order; the list of the first task of each thread; and main. That takes the array of threads or NULL, the size
 * of its elements, its length, the number of tasks, and what comes before the start of the kernel: first, if the
 * application says when rounds begin, ROUNDS with the number of their releaser, the addresses of the begin and of
 * the row that is served, and the array of the rows.
 */
#define HRLP_PROCESS_RELEASERS(...) static const void *const observed[] = {__VA_ARGS__};
#define HRLP_PROCESS_ROUNDS(releaser, begin, row, rows)                                            \
    hrlp_host_describe_rounds(releaser, begin, row, rows, sizeof rows[0]);
#define HRLP_PROCESS_THREADS(...) static const unsigned first_tasks[] = {__VA_ARGS__};
#define HRLP_PROCESS_MAIN(threads, stride, thread_count, task_count, ...)                          \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        hrlp_host_program(argc, argv);                                                             \
        hrlp_host_describe(threads, stride, thread_count, observed,                                \
                           sizeof observed / sizeof observed[0]);                                  \
        hrlp_host_describe_tasks(task_count, first_tasks);                                         \
        __VA_ARGS__                                                                                \
        hrl_start();                                                                               \
        return 0;                                                                                  \
    }

#endif
