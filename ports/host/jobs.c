/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "hrlp_host_machine.h"
#include <string.h>

/* The open job of each task, if there is one. */
struct job {
    unsigned task;
    bool open;
    hrl_counts executed;
    uintptr_t frame;  /* of hrlp_host_job: what has a higher one has left it */
    struct job *next; /* started later */
};

static struct job jobs[HRLP_HOST_TASKS];
static struct job *oldest;
static hrl_counts longest[HRLP_HOST_TASKS];
static const char *threads;
static size_t threads_stride, threads_count, tasks_count;
static const unsigned *numbers; /* of the threads; NULL: thread i is task i */
static const void *const *releasers;
static size_t releasers_count;

/* What is known of rounds that begin when the application says. */
static struct {
    size_t releaser;
    const hrl_stamp *begin; /* NULL: there are none */
    const void *row;        /* the address of a pointer to a row */
    uintptr_t rows;
    size_t row_bytes;
    hrl_stamp last; /* the begin of the round of which a row was served last, if any was */
    bool is_later;
} rounds;

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
    memset(jobs, 0, sizeof jobs);
    memset(longest, 0, sizeof longest);
    check_count(count);
    threads = thread_array;
    threads_stride = stride;
    threads_count = tasks_count = count;
    numbers = NULL;
    releasers = releaser_array;
    releasers_count = releaser_count;
    memset(&rounds, 0, sizeof rounds);
}

void hrlp_host_describe_tasks(size_t task_count, const unsigned *thread_numbers)
{
    check_count(task_count);
    tasks_count = task_count;
    numbers = thread_numbers;
}

void hrlp_host_describe_rounds(size_t releaser, const hrl_stamp *begin, const void *row,
                               const void *rows_begin, size_t row_bytes)
{
    rounds.releaser = releaser;
    rounds.begin = begin;
    rounds.row = row;
    rounds.rows = (uintptr_t)rows_begin;
    rounds.row_bytes = row_bytes;
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

/* Releaser number `releaser` serves a row: of another round than the one before? */
static void look_for_round(size_t releaser)
{
    const void *row;

    if (rounds.begin == NULL || releaser != rounds.releaser ||
        (rounds.is_later && rounds.last == *rounds.begin)) {
        return;
    }
    memcpy(&row, rounds.row, sizeof row);
    rounds.last = *rounds.begin;
    rounds.is_later = true;
    observe('B', (unsigned)(((uintptr_t)row - rounds.rows) / rounds.row_bytes),
            hrlp_host_instant(rounds.last));
}

void hrlp_host_saw_service(const void *releaser, hrl_stamp instant)
{
    for (size_t i = 0; i < releasers_count; i++) {
        if (releasers[i] == releaser) {
            observe('V', (unsigned)i, hrlp_host_instant(instant));
            look_for_round(i);
        }
    }
}

static void begin(struct job *job)
{
    struct job **link = &oldest;

    if (job->open) {
        hrlp_host_fatal("two jobs at once of task", job->task);
    }
    while (*link != NULL) {
        link = &(*link)->next;
    }
    job->open = true;
    job->executed = 0;
    job->next = NULL;
    *link = job;
    hrlp_host_fiber_local = job;
    observe('S', job->task, 0);
}

static void end(struct job *job, char kind)
{
    struct job **link = &oldest;

    observe(kind, job->task, job->executed);
    hrlp_host_fiber_local = NULL;
    job->open = false;
    while (*link != job) {
        link = &(*link)->next;
    }
    *link = job->next;
    if (job->executed > longest[job->task]) {
        longest[job->task] = job->executed;
    }
}

/* A basic task's early end passes hrlp_host_job by: the kernel's next call of the port tells. */
void hrlp_host_look_for_end(void)
{
    struct job *job = hrlp_host_fiber_local;

    if (job != NULL && (uintptr_t)__builtin_frame_address(0) > job->frame) {
        end(job, 'E');
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
    hrlp_host_job_and(task, body, cost, NULL);
}

void hrlp_host_job_and(unsigned task, void (*body)(void), hrl_counts cost, void (*activates)(void))
{
    struct job *job;

    if (task >= tasks_count) {
        hrlp_host_fatal("there is no task", task);
    }
    job = &jobs[task];
    job->task = task;
    job->frame = (uintptr_t)__builtin_frame_address(0);
    begin(job);
    if (body != NULL) {
        body();
    }
    hrlp_host_consume(hrlp_host_setup.job_counts == NULL ? cost
                                                         : hrlp_host_setup.job_counts(task, cost));
    if (activates == NULL) {
        end(job, 'E');
        return;
    }
    end(job, 'e');
    activates();
    observe('P', task, 0);
}

void hrlp_host_handler(unsigned handler, void (*body)(void), hrl_counts cost)
{
    observe('H', handler, 0);
    body();
    hrlp_host_consume(cost);
    observe('F', handler, 0);
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
