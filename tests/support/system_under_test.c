/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch.h"
#include "hrlp_host.h"
#include "run_time.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>
#include <hrl/kernel.h>
#include <stdlib.h>
#include <string.h>

/* The kernel sees a constant; here it is written before each run. */
#define hrl_gen_system hrl_gen_system_as_declared
#define hrl_gen_clock_rate hrl_gen_clock_rate_as_declared
#include "cores.h"
#include "nanoseconds.h"
#include "system.h"
#undef hrl_gen_system
#undef hrl_gen_clock_rate
#include "releasers_under_test.h"

struct hrli_system hrl_gen_system;
#if HRL_CORES > 1 /* as each core has one; here they are alike */
HRLP_CONST struct hrli_system *HRLP_CONST hrl_gen_systems[HRL_CORES] = {&hrl_gen_system,
                                                                        &hrl_gen_system};
#endif
struct hrli_clock_rate hrl_gen_clock_rate = HRLI_CLOCK_RATE(SUT_CLOCK_HZ);

static struct hrli_periodic_thread threads[SUT_TASKS];
static struct sut_task tasks[SUT_TASKS];
static unsigned task_count;
static struct hrl_thread idle = {.name = "idle"};
static jmp_buf finished;
static const char *final_status;

struct sut_event *sut_events;
size_t sut_event_count;
void (*sut_at_overrun)(struct hrl_thread *thread);
unsigned sut_overrun_hooks[SUT_TASKS];
void (*sut_leave)(struct hrl_thread *thread);
bool sut_counts_run_time;

static void leave(struct hrl_thread *thread)
{
    if (sut_leave != NULL) {
        sut_leave(thread);
    }
    if (sut_counts_run_time) {
        hrli_run_time_leave(thread);
    }
}

HRLI_DISPATCH_DEFINE(leave, true)

static struct hrl_thread free_threads[SUT_THREADS];
static uint64_t free_stacks[SUT_THREADS][SUT_STACK_BYTES / 8];
static unsigned free_thread_count;

struct hrl_thread *sut_define(const char *name, uint32_t level, void (*entry)(void *argument),
                              void *argument)
{
    unsigned i = free_thread_count++;

    assert_true(i < SUT_THREADS);
    free_threads[i] = (struct hrl_thread){.name = name,
                                          .stack = free_stacks[i],
                                          .stack_bytes = SUT_STACK_BYTES,
                                          .entry = entry,
                                          .argument = argument,
                                          .ready.base_priority = level};
    return &free_threads[i];
}

struct hrl_thread *sut_start(const char *name, uint32_t level, void (*entry)(void *argument),
                             void *argument)
{
    struct hrl_thread *thread = sut_define(name, level, entry, argument);

    hrl_thread_start(thread);
    return thread;
}

void sut_suspend_from_1_to_181_s(void *thread)
{
    hrl_thread_sleep_until(SUT_CLOCK_HZ);
    hrl_thread_suspend(thread);
    hrl_thread_sleep_until(181 * (hrl_counts)SUT_CLOCK_HZ);
    hrl_thread_resume(thread);
}

char sut_notes[4096];

void sut_note(const char *word)
{
    size_t length = strlen(sut_notes);

    assert_true(length + strlen(word) + 2 < sizeof sut_notes);
    (void)strcat(strcat(sut_notes, word), " ");
}

static const char *expected_reason;
const char *sut_asserted_in;

/* Under the kernel's name it would not go back to the test. */
void hrl_assert_hook(const char *reason, const char *file, int line)
{
    if (expected_reason == NULL || strcmp(expected_reason, reason) != 0) {
        print_error("%s in %s:%d\n", reason, file, line);
        abort();
    }
    sut_asserted_in = hrli_cpu_current_name();
    hrlp_host_end("assertion");
    abort();
}

void sut_run_to_assertion(hrl_counts duration, const char *reason)
{
    expected_reason = reason;
    assert_string_equal(sut_run(duration), "assertion");
    expected_reason = NULL;
}

static void body(void)
{
    unsigned task = (unsigned)((struct hrli_periodic_thread *)hrl_thread_current() - threads);

    hrlp_host_job(task, tasks[task].body, tasks[task].cost);
}

void hrl_overrun_hook(struct hrl_thread *thread, hrl_stamp due)
{
    (void)due;
    sut_overrun_hooks[(const struct hrli_periodic_thread *)thread - threads]++;
    if (sut_at_overrun != NULL) {
        sut_at_overrun(thread);
    }
}

void hrl_gen_prepare(void)
{
    sut_releasers_prepare();
}

static void record(char kind, unsigned index, hrl_counts value)
{
    if (sut_event_count == SUT_EVENTS) {
        hrlp_host_fatal("more events than the test records:", SUT_EVENTS);
    }
    sut_events[sut_event_count++] =
        (struct sut_event){.at = hrlp_host_now(), .kind = kind, .index = index, .value = value};
}

static void finish(const char *status)
{
    final_status = status;
    longjmp(finished, 1);
}

void sut_reset(void)
{
    hrlp_host_reset();
#if HRL_CORES > 1 /* as an assertion may have ended the last run with the lock held */
    two_cores_locked = false;
#endif
    sut_releasers_reset();
    memset(threads, 0, sizeof threads);
    memset(sut_overrun_hooks, 0, sizeof sut_overrun_hooks);
    memset(&hrli_core, 0, sizeof hrli_core);
    task_count = 0;
    free_thread_count = 0;
    sut_notes[0] = '\0';
    sut_leave = NULL;
    sut_at_overrun = NULL;
    sut_counts_run_time = false;
    hrli_run_time_since = 0;
    sut_event_count = 0;
    if (sut_events == NULL) {
        static struct sut_event events[SUT_EVENTS];
        sut_events = events;
    }
}

unsigned sut_add_task(struct sut_task task)
{
    assert_true(task_count < SUT_TASKS);
    tasks[task_count] = task;
    return task_count++;
}

struct hrli_period sut_period(uint64_t numerator, uint32_t denominator)
{
    uint64_t whole = numerator / denominator;
    uint64_t hops = (whole - 1) / HRLI_PERIOD_HOP_COUNTS;

    assert_true(whole >= 1);
    return (struct hrli_period){.counts = (uint32_t)(whole - hops * HRLI_PERIOD_HOP_COUNTS),
                                .hops = (uint32_t)hops,
                                .numerator = (uint32_t)(numerator % denominator),
                                .denominator = denominator};
}

void sut_build(void)
{
    hrl_stamp zero = (hrl_stamp)hrlp_host_setup.clock_start + SUT_START_COUNTS;
    struct hrli_releaser *const *releasers = sut_releasers_all();
    unsigned count = sut_releasers_count();

    for (unsigned i = 0; i < task_count; i++) {
        threads[i] = (struct hrli_periodic_thread){
            .thread = {.ready = {.priority = (uint16_t)tasks[i].level}, .name = "task"},
            .waiter = {.node = {.key = zero + tasks[i].offset},
                       .high = (uint32_t)(((hrl_counts)(hrl_stamp)hrlp_host_setup.clock_start +
                                           SUT_START_COUNTS + tasks[i].offset) >>
                                          32),
                       .releaser = releasers[tasks[i].releaser],
                       .period = tasks[i].period},
            .body = body,
            .queue_overruns = tasks[i].queue_overruns,
            .is_shared = tasks[i].is_shared,
        };
    }
    sut_releasers_build(zero, hrlp_host_setup.limit, tasks, threads, task_count);
    hrl_gen_system = (struct hrli_system){threads,
                                          task_count,
                                          releasers,
                                          count,
                                          &idle,
                                          sut_releasers_timeouts(),
                                          sut_counts_run_time,
                                          count == 0 ? NULL : &hrli_enrolment HRLI_AND_PREPARE};
    hrlp_host_describe(&threads[0].waiter, sizeof threads[0], task_count,
                       (const void *const *)releasers, count);
}

const char *sut_run(hrl_counts duration)
{
    hrlp_host_setup.start = (hrl_stamp)hrlp_host_setup.clock_start + SUT_START_COUNTS;
    hrlp_host_setup.duration = duration;
    if (hrlp_host_setup.limit == 0) {
        hrlp_host_setup.limit = 2 * duration + 1000000;
    }
    sut_build();
    hrlp_host_setup.finish = finish;
    hrlp_host_setup.observe = record;
    if (setjmp(finished) == 0) {
        hrl_start();
    }
    return final_status;
}

void sut_call_to_assertion(void (*call)(void), const char *reason)
{
    expected_reason = reason;
    hrlp_host_setup.finish = finish;
    final_status = NULL;
    if (setjmp(finished) == 0) {
        call();
    }
    assert_non_null(final_status);
    expected_reason = NULL;
}

hrl_counts sut_zero(void)
{
    return hrlp_host_window_start();
}

struct hrl_thread *sut_thread(unsigned task)
{
    return &threads[task].thread;
}

struct hrli_periodic_thread *sut_periodic(unsigned task)
{
    assert_true(task < task_count);
    return &threads[task];
}

size_t sut_count(char kind, unsigned index)
{
    size_t count = 0;

    for (size_t i = 0; i < sut_event_count; i++) {
        count += sut_events[i].kind == kind && sut_events[i].index == index;
    }
    return count;
}

const struct sut_event *sut_nth(char kind, unsigned index, size_t n)
{
    for (size_t i = 0; i < sut_event_count; i++) {
        if (sut_events[i].kind == kind && sut_events[i].index == index && n-- == 0) {
            return &sut_events[i];
        }
    }
    fail_msg("no such event: %c %u", kind, index);
    return NULL;
}
