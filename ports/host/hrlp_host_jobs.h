/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_HOST_JOBS_H
#define HRLP_HOST_JOBS_H

#include <hrl/types.h>
#include <stddef.h>

/*
 * The calls of the host port for generated code and task bodies. Time on the host is virtual: it
 * stands still in the kernel and passes only where a body says so, and in the idle loop.
 */

enum { HRLP_HOST_TASKS = 1024 }; /* at most */

/*
 * Reads the program's options (program.c lists them), ends the process if they are wrong. To be
 * called first in main, before hrl_start.
 */
void hrlp_host_program(int argc, char **argv);

/*
 * Says what the observed addresses mean: waiter i stands at thread_array + i * stride;
 * releaser_array[i] is releaser i. The arrays must outlive the run. Context: before hrl_start.
 */
void hrlp_host_describe(const void *thread_array, size_t stride, size_t count,
                        const void *const *releaser_array, size_t releaser_count);

/*
 * Says, behind that, that there are `task_count` tasks, as some are basic or share a thread: thread
 * i of the array is, or begins with, task number `thread_numbers[i]`, which must outlive the run.
 * Context: before hrl_start.
 */
void hrlp_host_describe_tasks(size_t task_count, const unsigned *thread_numbers);

/*
 * Says, behind that, that releaser number `releaser` serves rows of rounds that begin when the application says:
 * when it serves, *row stands in `rows`, each of `row_bytes`, and *begin is when that row's round begins.
 * Context: before hrl_start.
 */
void hrlp_host_describe_rounds(size_t releaser, const hrl_stamp *begin, const void *row,
                               const void *rows, size_t row_bytes);

/*
 * One job of task number `task`: calls `body` unless it is NULL, then lets `cost` counts pass.
 * Context: the thread that runs the task.
 */
void hrlp_host_job(unsigned task, void (*body)(void), hrl_counts cost);

/* The same, and then `activates` is called at once, before the kernel's work at the end of the job. */
void hrlp_host_job_and(unsigned task, void (*body)(void), hrl_counts cost, void (*activates)(void));

/*
 * A handler of the application's, of that number: calls `body`, then lets `cost` counts pass, which are
 * charged to no job. Context: an interrupt.
 */
void hrlp_host_handler(unsigned handler, void (*body)(void), hrl_counts cost);

/*
 * Lets `counts` pass, as if the caller had worked that long. Interrupts that expire in it are
 * taken, and may dispatch, at their instants; one that expires as the work ends comes after it.
 * Context: a body, charged to its job; or a handler, or with interrupts masked.
 */
void hrlp_host_consume(hrl_counts counts);

/* The kernel's reports (hrlp_trace.h); they reach hrlp_host_setup.observe. */
void hrlp_host_saw_release(const void *waiter, hrl_stamp instant);
void hrlp_host_saw_service(const void *releaser, hrl_stamp instant);

/* The most that a finished job of each task executed: calls report(task, counts) for each. */
void hrlp_host_longest_jobs(void (*report)(unsigned task, hrl_counts executed));

/*
 * The open jobs, in the order in which they started: calls report(task, executed counts) for each.
 */
void hrlp_host_open_jobs(void (*report)(unsigned task, hrl_counts executed));

#endif
