/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch.h"
#include "hrlp_host.h"
#include "one_shot_nodes.h"
#include "run_time.h"
#include "sorted_list.h"
#include "wait.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>
#include <hrl/kernel.h>
#include <stdlib.h>
#include <string.h>

/* The kernel sees a constant; here it is written before each run. */
#define hrl_gen_system hrl_gen_system_as_declared
#define hrl_gen_clock_rate hrl_gen_clock_rate_as_declared
#include "nanoseconds.h"
#include "system.h"
#undef hrl_gen_system
#undef hrl_gen_clock_rate
#include "system_under_test.h"

struct hrli_system hrl_gen_system;
struct hrli_clock_rate hrl_gen_clock_rate = HRLI_CLOCK_RATE(SUT_CLOCK_HZ);

struct slot {
    union {
        struct hrli_releaser base;
        struct hrli_periodic periodic;
        struct hrli_one_shot one_shot;
    };
    struct hrli_sorted_list list;
    struct sut_releaser asked;
};

static struct slot slots[SUT_RELEASERS];
static struct hrli_releaser *releasers[SUT_RELEASERS];
static unsigned releaser_count;
static struct hrl_thread threads[SUT_TASKS];
static struct sut_task tasks[SUT_TASKS];
static unsigned task_count;
static struct hrl_thread idle = {.name = "idle"};
static struct slot *timeouts_slot;
static bool inserts_take_time;
static jmp_buf finished;
static const char *final_status;

struct sut_event *sut_events;
size_t sut_event_count;
unsigned sut_overrun_hooks[SUT_TASKS];
hrl_counts (*sut_insert_counts)(void);
hrl_counts (*sut_remove_counts)(void);
bool sut_bare_cells;
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

/* Time passes in a store that belongs to one at a time. */
static bool store_is_used;

static void pass_in_store(hrl_counts (*counts)(void))
{
    if (inserts_take_time && counts != NULL) {
        if (store_is_used) {
            hrlp_host_fatal("two threads are in a store", 0);
        }
        store_is_used = true;
        hrlp_host_consume(counts());
        store_is_used = false;
    }
}

static bool insert(void *queue, struct hrli_queue_node *node)
{
    pass_in_store(sut_insert_counts);
    return hrli_sorted_list_insert(queue, node);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_sorted_list_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    (void)queue;
    if (timeouts_slot != NULL && queue == &timeouts_slot->list && store_is_used) {
        hrlp_host_fatal("an interrupt takes from a store that a thread is in", 0);
    }
    hrli_sorted_list_remove(node);
}

static void take_out(void *queue, struct hrli_queue_node *node)
{
    (void)queue;
    pass_in_store(sut_remove_counts);
    hrli_sorted_list_remove(node);
}

static void release(struct hrli_releaser *releaser, struct hrli_queue_node *node, hrl_stamp instant)
{
    if (((struct slot *)releaser)->asked.timeouts) {
        hrli_timeout_release(releaser, node, instant);
    } else {
        hrli_releaser_release(releaser, node, instant);
    }
}

static const struct hrli_store store = {insert, first, pop, take_out, release};

static struct hrli_one_shot_parts parts_of(struct slot *slot)
{
    return (struct hrli_one_shot_parts){&slot->base, &slot->list, &store, slot->base.cell,
                                        slot->one_shot.span};
}

static void put(struct hrli_queue_node *node)
{
    struct slot *slot = timeouts_slot;

    if (slot->asked.one_shot) {
        struct hrli_one_shot_parts parts = parts_of(slot);
        hrli_one_shot_nodes_put(&parts, node);
    } else {
        hrli_periodic_put(&slot->periodic, node, &slot->list, &store);
    }
}

static bool insert_timeout(struct hrli_queue_node *node)
{
    return insert(&timeouts_slot->list, node);
}

static void remove_timeout(struct hrli_queue_node *node)
{
    take_out(&timeouts_slot->list, node);
}

static struct hrli_timeouts timeouts = {
    .put = put, .insert = insert_timeout, .remove = remove_timeout};

static void enrol(struct hrli_releaser *releaser, struct hrli_waiter *waiter)
{
    insert(&((struct slot *)releaser)->list, &waiter->node);
}

static void start(struct hrli_releaser *releaser)
{
    struct slot *slot = (struct slot *)releaser;

    inserts_take_time = true;
    if (slot->asked.one_shot && slot->asked.timeouts) {
        /* nobody sleeps before the start */
    } else if (slot->asked.one_shot) {
        hrli_one_shot_start(&slot->one_shot, &slot->list, &store);
    } else {
        hrli_periodic_start(&slot->periodic);
    }
}

static bool hold(struct hrli_releaser *releaser, struct hrli_waiter *waiter)
{
    struct slot *slot = (struct slot *)releaser;

    if (slot->asked.one_shot) {
        return hrli_one_shot_hold(&slot->one_shot, waiter, &slot->list, &store);
    }
    return hrli_periodic_hold(&slot->periodic, waiter, &slot->list, &store);
}

static void serve(struct hrli_releaser *releaser)
{
    struct slot *slot = (struct slot *)releaser;

    if (slot->asked.one_shot && slot->asked.timeouts) {
        struct hrli_one_shot_parts parts = parts_of(slot);
        hrli_one_shot_nodes_serve(&parts);
    } else if (slot->asked.one_shot) {
        hrli_one_shot_serve(&slot->one_shot, &slot->list, &store);
    } else {
        hrli_periodic_serve(&slot->periodic, &slot->list, &store);
    }
}

static const struct hrli_releaser_calls calls = {enrol, start, hold, serve};

void sut_interrupt(unsigned releaser)
{
    struct slot *slot = &slots[releaser];

    if (slot->asked.one_shot && slot->asked.timeouts) {
        struct hrli_one_shot_parts parts = parts_of(slot);
        hrli_one_shot_nodes_interrupt(&parts);
    } else if (slot->asked.one_shot) {
        hrli_one_shot_interrupt(&slot->one_shot, &slot->list, &store);
    } else {
        hrli_periodic_interrupt(&slot->periodic, &slot->list, &store);
    }
    hrli_core_dispatch_after_interrupt();
}

/* What is generated for each cell. */
#define CELL(channel)                                                                              \
    static void start_periodic##channel(hrl_stamp first_instant, uint32_t period)                  \
    {                                                                                              \
        hrlp_host_start_periodic(channel, first_instant, period);                                  \
    }                                                                                              \
    static void arm##channel(hrl_stamp due)                                                        \
    {                                                                                              \
        hrlp_host_arm(channel, due);                                                               \
    }                                                                                              \
    static void disarm##channel(void)                                                              \
    {                                                                                              \
        hrlp_host_disarm(channel);                                                                 \
    }                                                                                              \
    static const struct hrlp_cell cell##channel = {start_periodic##channel, arm##channel,          \
                                                   disarm##channel};                               \
    void host_cell##channel(void)                                                                  \
    {                                                                                              \
        hrlp_host_acknowledge(channel);                                                            \
        if (!sut_bare_cells) {                                                                     \
            sut_interrupt(channel);                                                                \
        }                                                                                          \
    }
CELL(0)
CELL(1)
CELL(2)

/* The last cell's handler may be the test's own. */
static void (*own_handler)(void);

static void interrupt3(void)
{
    void (*handler)(void) = own_handler;

    if (handler == NULL) {
        sut_interrupt(3);
    } else {
        handler(); /* an application's: what it calls asks for the dispatch itself */
    }
}
#define sut_interrupt(channel) interrupt##channel()
CELL(3)
#undef sut_interrupt

void sut_interrupt_in(hrl_counts counts, void (*handler)(void))
{
    hrlp_irq_state state = hrlp_irq_lock();

    own_handler = handler;
    hrlp_host_prepare(3);
    hrlp_host_arm(3, (hrl_stamp)(hrlp_host_now() + counts));
    hrlp_irq_unlock(state);
}

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
                                          .base_level = level};
    return &free_threads[i];
}

struct hrl_thread *sut_start(const char *name, uint32_t level, void (*entry)(void *argument),
                             void *argument)
{
    struct hrl_thread *thread = sut_define(name, level, entry, argument);

    hrl_thread_start(thread);
    return thread;
}

char sut_notes[4096];

void sut_note(const char *word)
{
    size_t length = strlen(sut_notes);

    assert_true(length + strlen(word) + 2 < sizeof sut_notes);
    (void)strcat(strcat(sut_notes, word), " ");
}

static const char *expected_reason;

/* Under the kernel's name it would not go back to the test. */
void hrl_assert_hook(const char *reason, const char *file, int line)
{
    if (expected_reason == NULL || strcmp(expected_reason, reason) != 0) {
        print_error("%s in %s:%d\n", reason, file, line);
        abort();
    }
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
    unsigned task = (unsigned)(hrl_thread_current() - threads);

    hrlp_host_job(task, tasks[task].body, tasks[task].cost);
}

void hrl_overrun_hook(struct hrl_thread *thread, hrl_stamp due)
{
    (void)due;
    sut_overrun_hooks[thread - threads]++;
}

void hrl_gen_prepare(void)
{
    for (unsigned i = 0; i < releaser_count; i++) {
        hrli_sorted_list_init(&slots[i].list);
        hrlp_host_prepare(i);
        if (slots[i].asked.timeouts) {
            hrlp_irq_enable_lowest((int)i);
        }
    }
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
    memset(slots, 0, sizeof slots);
    memset(threads, 0, sizeof threads);
    memset(sut_overrun_hooks, 0, sizeof sut_overrun_hooks);
    memset(&hrli_core, 0, sizeof hrli_core);
    releaser_count = task_count = 0;
    timeouts_slot = NULL;
    own_handler = NULL;
    free_thread_count = 0;
    sut_notes[0] = '\0';
    sut_insert_counts = NULL;
    sut_remove_counts = NULL;
    store_is_used = false;
    sut_bare_cells = false;
    sut_leave = NULL;
    sut_counts_run_time = false;
    hrli_run_time_since = 0;
    inserts_take_time = false;
    sut_event_count = 0;
    if (sut_events == NULL) {
        static struct sut_event events[SUT_EVENTS];
        sut_events = events;
    }
}

unsigned sut_add_releaser(struct sut_releaser releaser)
{
    assert_true(releaser_count < SUT_RELEASERS);
    slots[releaser_count].asked = releaser;
    return releaser_count++;
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

static void build_releaser(unsigned i, hrl_stamp zero)
{
    static const struct hrlp_cell *const cells[SUT_RELEASERS] = {&cell0, &cell1, &cell2, &cell3};
    static const uint32_t half_widths[SUT_RELEASERS] = {1u << 31, 1u << 31, 1u << 31, 1u << 23};
    struct slot *slot = &slots[i];
    const struct sut_releaser *asked = &slot->asked;

    slot->base = (struct hrli_releaser){
        .served = zero - 1u, .next = zero, .cell = cells[i], .calls = &calls};
    if (asked->one_shot) {
        slot->one_shot.span = asked->span == 0 ? half_widths[i] : asked->span;
    } else {
        slot->periodic.cell_period = asked->cell_period;
        slot->periodic.divider = asked->divider == 0 ? 1 : asked->divider;
    }
    releasers[i] = &slot->base;
    if (asked->timeouts) {
        timeouts_slot = slot;
        slot->base.served = (hrl_stamp)hrlp_host_setup.clock_start - 1u;
        timeouts.releaser = &slot->base;
    }
}

void sut_build(void)
{
    hrl_stamp zero = (hrl_stamp)hrlp_host_setup.clock_start + SUT_START_COUNTS;

    for (unsigned i = 0; i < releaser_count; i++) {
        build_releaser(i, zero);
    }
    for (unsigned i = 0; i < task_count; i++) {
        threads[i] = (struct hrl_thread){
            .waiter = {.node = {.key = zero + tasks[i].offset},
                       .ready = {.level = tasks[i].level},
                       .releaser = &slots[tasks[i].releaser].base,
                       .period = tasks[i].period},
            .name = "task",
            .body = body,
            .queue_overruns = tasks[i].queue_overruns,
        };
    }
    hrl_gen_system = (struct hrli_system){threads,
                                          task_count,
                                          releasers,
                                          releaser_count,
                                          &idle,
                                          timeouts_slot ? &timeouts : NULL,
                                          sut_counts_run_time,
                                          releaser_count == 0 ? NULL : &hrli_enrolment};
    hrlp_host_describe(threads, sizeof threads[0], task_count, (const void *const *)releasers,
                       releaser_count);
}

const char *sut_run(hrl_counts duration)
{
    sut_build();
    hrlp_host_setup.start = (hrl_stamp)hrlp_host_setup.clock_start + SUT_START_COUNTS;
    hrlp_host_setup.duration = duration;
    if (hrlp_host_setup.limit == 0) {
        hrlp_host_setup.limit = 2 * duration + 1000000;
    }
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
    return &threads[task];
}

struct hrli_releaser *sut_releaser_of(unsigned releaser)
{
    return &slots[releaser].base;
}

const struct hrli_queue_node *sut_timeouts(void)
{
    return &timeouts_slot->list.head;
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
