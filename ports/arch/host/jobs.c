/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "hrlp_host_machine.h"
#include <string.h>

/* On the stack of its thread from the job's start to its end. */
struct job {
    unsigned task;
    hrl_counts executed;
    struct job *next; /* started later */
};

static struct job *oldest;
static hrl_counts longest[HRLP_HOST_TASKS];
static const char *threads;
static size_t threads_stride, threads_count, tasks_count;
static const unsigned *numbers; /* of the threads; NULL: thread i is task i */
static const void *const *releasers;
static size_t releasers_count;

static void check_count(size_t count)
{
    if (count > HRLP_HOST_TASKS) {
        hrlp_host_fatal("more tasks than HRLP_HOST_TASKS:", (unsigned)count);
    }
}

void hrlp_host_describe(const void *thread_array, size_t stride, size_t count,
                        const void *const *releaser_array, size_t releaser_count)
{
    oldest = NULL;
    memset(longest, 0, sizeof longest);
    check_count(count);
    threads = thread_array;
    threads_stride = stride;
    threads_count = tasks_count = count;
    numbers = NULL;
    releasers = releaser_array;
    releasers_count = releaser_count;
}

void hrlp_host_describe_basic(size_t task_count, const unsigned *thread_numbers)
{
    check_count(task_count);
    tasks_count = task_count;
    numbers = thread_numbers;
}

static void observe(char kind, unsigned index, hrl_counts value)
{
    if (hrlp_host_setup.observe != NULL) {
        hrlp_host_setup.observe(kind, index, value);
    }
}

void hrlp_host_saw_release(const void *waiter, hrl_stamp instant)
{
    size_t offset = (size_t)((uintptr_t)waiter - (uintptr_t)threads);

    if (offset < threads_stride * threads_count && offset % threads_stride == 0) {
        size_t i = offset / threads_stride;

        observe('R', numbers == NULL ? (unsigned)i : numbers[i], hrlp_host_instant(instant));
    }
}

void hrlp_host_saw_service(const void *releaser, hrl_stamp instant)
{
    for (size_t i = 0; i < releasers_count; i++) {
        if (releasers[i] == releaser) {
            observe('V', (unsigned)i, hrlp_host_instant(instant));
        }
    }
}

void hrlp_host_consume(hrl_counts counts)
{
    struct job *job = hrlp_host_fiber_local;

    bool is_the_jobs = job != NULL && !hrlp_host_in_handler() && !hrlp_host_interrupts_off();

    hrlp_host_pass(counts, is_the_jobs ? &job->executed : NULL);
}

void hrlp_host_job(unsigned task, void (*body)(void), hrl_counts cost)
{
    struct job job = {.task = task};
    struct job **link = &oldest;

    if (task >= tasks_count) {
        hrlp_host_fatal("there is no task", task);
    }
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = &job;
    hrlp_host_fiber_local = &job;
    observe('S', task, 0);
    if (body != NULL) {
        body();
    }
    hrlp_host_consume(cost);
    observe('E', task, job.executed);
    hrlp_host_fiber_local = NULL;
    for (link = &oldest; *link != &job;) {
        link = &(*link)->next;
    }
    *link = job.next;
    if (job.executed > longest[task]) {
        longest[task] = job.executed;
    }
}

void hrlp_host_longest_jobs(void (*report)(unsigned task, hrl_counts executed))
{
    for (size_t i = 0; i < tasks_count; i++) {
        report((unsigned)i, longest[i]);
    }
}

void hrlp_host_open_jobs(void (*report)(unsigned task, hrl_counts executed))
{
    for (const struct job *job = oldest; job != NULL; job = job->next) {
        report(job->task, job->executed);
    }
}
