/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#include "watch/window.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t kernel_total(const struct watch *watch)
{
    return watch->total - watch->body_total - watch->idle_total;
}

static void event(struct watch *watch, char kind, uint64_t index)
{
    uint64_t now = watch_now_ns(watch);

    if (watch->trace == NULL || !watch->open) {
        return;
    }
    if (watch->interrupted && kind != 'R') {
        uint64_t took = kernel_total(watch) - watch->kernel_at_entry;

        (void)fprintf(watch->trace, "%" PRIu64 " K %" PRIu64 "\n", now, took);
        watch->interrupted = false;
    }
    (void)fprintf(watch->trace, "%" PRIu64 " %c %" PRIu64 "\n", now, kind, index);
}

/* A line of the file of requests. */
static void log_line(struct watch *watch, char kind, uint64_t index)
{
    if (watch->requests != NULL) {
        (void)fprintf(watch->requests, "%" PRIu64 " %c %" PRIu64 "\n", watch->total, kind, index);
    }
}

void watch_request(struct watch *watch, uint64_t steps, uint64_t source, uint64_t count)
{
    if (watch->requests != NULL) {
        (void)fprintf(watch->requests, "%" PRIu64 " Q %" PRIu64 " %" PRIu64 "\n", steps, source,
                      count);
    }
}

void watch_open(struct watch *watch)
{
    watch->opened_at = watch->total;
    watch->library_in_bodies = 0;
    watch->library_charged = watch->library_total;
    watch->body_instructions = 0;
    for (size_t i = 0; i <= watch->function_count; i++) {
        watch->functions[i].count = 0;
        watch->functions[i].instructions = 0;
    }
    /* Last: a thread of a front end may ask watch_too_long() meanwhile. */
    __atomic_store_n(&watch->open, true, __ATOMIC_RELEASE);
}

void watch_follow(struct watch *watch, struct watch *leader)
{
    free(watch->jobs);
    free(watch->stacks);
    watch->jobs = leader->jobs;
    watch->stacks = leader->stacks;
    watch->shares = true;
    leader->shares = true;
}

static void enter(struct watch *watch, size_t index)
{
    if (watch->interrupts[index].aside) {
        watch->interrupts[index].taken += watch->open ? 1 : 0;
        return;
    }
    log_line(watch, 'I', index);
    if (!watch->open) {
        if (++watch->entries < watch->open_nth) {
            return;
        }
        watch_open(watch);
    }
    if (watch_window_enter(watch, index)) {
        event(watch, 'I', index);
        watch->interrupted = watch_in_job(watch);
        watch->kernel_at_entry = kernel_total(watch);
    }
}

/* What bodies executed so far goes to the job that runs. */
static void settle(struct watch *watch)
{
    if (watch->stack->innermost != WATCH_NONE) {
        watch->jobs[watch->stack->innermost].executed += watch->body_total - watch->charged;
        watch->library_in_bodies +=
            watch->shares ? watch->library_total - watch->library_charged : 0;
    }
    watch->charged = watch->body_total;
    watch->library_charged = watch->library_total;
}

/* `job` runs on its own stack, or on that of the code that runs. Says so also where the switch is not known. */
static struct watch_stack *stack_of(const struct watch *watch, const struct watch_job *job)
{
    return job->stack != NULL ? job->stack : watch->stack;
}

static void start_job(struct watch *watch, size_t task)
{
    struct watch_job *job = &watch->jobs[task];

    settle(watch);
    if (job->open) {
        watch_finish(watch, "nesting");
        return;
    }
    if (!watch->shares && watch->open_jobs++ == 0) {
        watch->library_at_first = watch->library_total;
    }
    watch->stack = stack_of(watch, job);
    job->below = watch->stack->innermost;
    watch->stack->innermost = task;
    if (job->stack != NULL) {
        job->stack->latest = task;
    }
    job->open = true;
    job->executed = 0;
    log_line(watch, 'S', task);
    event(watch, 'S', task);
}

static void end_job(struct watch *watch, size_t task)
{
    struct watch_job *job = &watch->jobs[task];

    settle(watch);
    watch->stack = stack_of(watch, job);
    if (watch->stack->innermost != task) {
        watch_finish(watch, "nesting");
        return;
    }
    watch->stack->innermost = job->below;
    job->open = false;
    if (job->executed > job->longest) {
        job->longest = job->executed;
    }
    if (!watch->shares && --watch->open_jobs == 0) {
        watch->library_in_bodies += watch->library_total - watch->library_at_first;
    }
    log_line(watch, 'E', task);
    event(watch, 'E', task);
}

static void leave(struct watch *watch)
{
    size_t task = watch->stack->innermost;

    if (task != WATCH_NONE && watch->jobs[task].stack == NULL) {
        end_job(watch, task);
    }
}

void watch_exception(struct watch *watch, bool tail_chained)
{
    if (watch->open) {
        watch->exceptions++;
        watch->tail_chained += tail_chained ? 1 : 0;
    }
}

void watch_reach(struct watch *watch, const struct watch_site *site)
{
    if (watch->over) {
        return;
    }
    switch (site->event) {
    case WATCH_INTERRUPT:
        enter(watch, site->index);
        break;
    case WATCH_JOB_START:
        start_job(watch, site->index);
        break;
    case WATCH_JOB_END:
        end_job(watch, site->index);
        break;
    case WATCH_LEAVE:
        leave(watch);
        break;
    case WATCH_EXCEPTION:
        watch_exception(watch, false);
        break;
    }
}

static bool lies_in(const struct watch_stack *stack, uint64_t address)
{
    return address >= stack->low && address < stack->high;
}

static struct watch_stack *stack_at(const struct watch *watch, uint64_t address)
{
    size_t low = 0, high = watch->stack_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (address >= watch->stacks[middle].high) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < watch->stack_count && lies_in(&watch->stacks[low], address) ? &watch->stacks[low]
                                                                             : NULL;
}

void watch_switch_load(struct watch *watch, uint64_t address)
{
    struct watch_stack *next = lies_in(watch->stack, address) ? NULL : stack_at(watch, address);
    size_t task;

    if (next == NULL || watch->over) {
        return;
    }
    settle(watch);
    watch->stack = next;
    task = next->innermost != WATCH_NONE ? next->innermost : next->latest;
    if (task != WATCH_NONE) {
        event(watch, 'D', task);
    } else if (next->is_other) {
        event(watch, 'N', 0);
    }
}

static void release_thread(struct watch *watch, uint64_t thread)
{
    watch_release(watch, thread < watch->thread_task_count ? watch->thread_tasks[thread] : thread);
}

void watch_store(struct watch *watch, uint64_t address)
{
    uint64_t offset = address - watch->threads_base;

    if (address == watch->clock) {
        log_line(watch, 'C', 0);
    }
    if (!watch->open) {
        return;
    }
    if (offset < watch->threads_stride * watch->threads_count &&
        offset % watch->threads_stride == 0) {
        release_thread(watch, offset / watch->threads_stride);
    } else {
        watch_window_store(watch, address);
    }
}

/* The highest bits first, as that is the order in which they run. */
void watch_wait(struct watch *watch, uint64_t level, uint32_t word)
{
    uint32_t released = watch->waits[level] & ~word;

    watch->waits[level] = word;
    for (int bit = 31; released != 0 && bit >= 0; bit--) {
        for (size_t i = 0; i < watch->masked_count && (released >> bit & 1u) != 0; i++) {
            if (watch->masked[i].level == level && watch->masked[i].bit == (uint64_t)bit) {
                release_thread(watch, watch->masked[i].thread);
            }
        }
    }
}

void watch_release(struct watch *watch, uint64_t task)
{
    if (watch->open) {
        watch->releases++;
        event(watch, 'R', task);
    }
}
