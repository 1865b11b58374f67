/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_case.h"
#include "hrlp_cpu.h"
#include "hrlp_upcalls.h"
#include "stamp.h"
#include <hrl/hooks.h>
#include <stdbool.h>

/*
 * Runs the generated cases over one queue, at virtual instants: no timer, no interrupt. What comes out is
 * looked at, so that a queue that goes wrong stops the run rather than looking cheap.
 */
enum {
    COUNTS_IN_ORDER_STEP = 1000,
    SLOT_BITS = 15, /* as in queues.c */
    FAR_AWAY = 1 << 28,
    FAR_BITS = 30,
    POWERS = 31,
    GOES_WRONG = 1,
};

static struct hrli_queue_node nodes[BENCH_CAPACITY];
static uint32_t period[BENCH_CAPACITY];
static bool due[BENCH_CAPACITY];
static const struct bench_queue *queue;

/* Marks for the plugin: only calls between them count. */
__attribute__((noinline)) void bench_case_begin(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void bench_case_end(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void bench_done(void)
{
    __asm__ volatile("" ::: "memory");
}

/* The upcall of the port's fault handler. */
void hrl_assert_hook(const char *reason, const char *file, int line)
{
    (void)file;
    (void)line;
    hrlp_cpu_print(reason);
    hrlp_cpu_halt(1);
}

const char *hrli_cpu_current_name(void)
{
    return queue->name;
}

static void expect(bool holds)
{
    if (!holds) {
        hrlp_cpu_print("bench: the queue gave back the wrong node\n");
        hrlp_cpu_halt(GOES_WRONG);
    }
}

static void insert(struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    (void)bench_call_insert(queue->storage, node, queue->insert);
}

static struct hrli_queue_node *first(void)
{
    return bench_call_first(queue->storage, NULL, queue->first);
}

static void pop(struct hrli_queue_node *node)
{
    bench_call_pop(queue->storage, node, queue->pop);
}

/*
 * Periodic tasks. At an instant the releaser takes out all that are due, asking for the first once more
 * than it takes out; then the tasks run, the shortest period first, and wait for their next release.
 */
static void run_periodic(const struct bench_case *one)
{
    struct hrli_queue_node *node;
    uint32_t tasks = 0;

    for (uint32_t group = 0; group < one->group_count; group++) {
        for (uint32_t i = 0; i < one->groups[group].tasks; i++) {
            insert(&nodes[tasks], one->groups[group].offset);
            period[tasks++] = one->groups[group].period;
        }
    }
    bench_case_begin();
    while ((node = first()) != NULL) {
        hrl_stamp now = node->key;
        bool is_last = now >= one->end;

        do {
            due[node - nodes] = true;
            pop(node);
            node = first();
            expect(node == NULL || !hrli_stamp_after(now, node->key));
        } while (node != NULL && node->key == now);
        for (uint32_t task = 0; task < tasks; task++) {
            if (due[task]) {
                due[task] = false;
                if (!is_last) {
                    insert(&nodes[task], now + period[task]);
                }
            }
        }
    }
    bench_case_end();
}

static uint32_t random_state;

/* Numerical Recipes' generator; its high bits. */
static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * n) >> 32);
}

/*
 * Multiples of the golden section, modulo 2^bits: neighbours in i are far apart, and of n no two are
 * nearer than 2^bits / (3 n), so that all are distinct.
 */
static uint32_t scattered(uint32_t i, uint32_t bits)
{
    return (i * 2654435769u) >> (32 - bits);
}

/* i = 0, 1, ...: 1, 2, 4, ... 2^30, then one count less, one more, two less, ... */
static uint32_t beside_a_power(uint32_t i)
{
    uint32_t power = 1u << (i % POWERS), beside = (i / POWERS + 1u) / 2u;

    if (i / POWERS % 2u == 0) {
        return power + beside;
    }
    return power > beside ? power - beside : 0;
}

static uint32_t delay(enum bench_order order, uint32_t i, uint32_t n)
{
    uint32_t power;

    switch (order) {
    case BENCH_ASCENDING:
        return i * COUNTS_IN_ORDER_STEP;
    case BENCH_DESCENDING:
        return (n - i) * COUNTS_IN_ORDER_STEP;
    case BENCH_EQUAL:
        return COUNTS_IN_ORDER_STEP / 2;
    case BENCH_EXTREMES:
        return i % 2 == 0 ? i : INT32_MAX - 1u - i;
    case BENCH_ONE_SLOT:
        return scattered(i, SLOT_BITS);
    case BENCH_SLOT_DOWN:
        return ((n - i) << SLOT_BITS) / (n + 1u);
    case BENCH_FAR:
        return FAR_AWAY + scattered(i, FAR_BITS);
    case BENCH_FAR_SLOT:
        return FAR_AWAY + scattered(i, SLOT_BITS);
    case BENCH_POWERS:
        return beside_a_power(i);
    case BENCH_SAWTOOTH:
        power = 1u << random_below(POWERS);
        power += random_below(power);
        return power < INT32_MAX - 1u ? power : INT32_MAX - 2u;
    default:
        return random_below(n * COUNTS_IN_ORDER_STEP);
    }
}

static struct hrli_queue_node *take(hrl_stamp *now)
{
    struct hrli_queue_node *node = first();

    expect(node != NULL && !hrli_stamp_after(*now, node->key));
    *now = node->key;
    pop(node);
    return node;
}

/*
 * Fills the queue; twice through, takes out the first and puts it back later; takes out half and
 * puts that back; empties it.
 */
static void run_order(const struct bench_case *one)
{
    uint32_t n = one->tasks, half = n / 2;
    hrl_stamp now = 0;

    random_state = n; /* so that a case does not depend on what ran before it */
    bench_case_begin();
    for (uint32_t i = 0; i < n; i++) {
        insert(&nodes[i], delay(one->order, i, n));
    }
    for (uint32_t i = 0; i < 2 * n; i++) {
        struct hrli_queue_node *node = take(&now);
        insert(node, now + delay(one->order, i % n, n));
    }
    for (uint32_t i = 0; i < half; i++) {
        due[take(&now) - nodes] = true;
    }
    for (uint32_t i = 0, put = 0; i < n; i++) {
        if (due[i]) {
            due[i] = false;
            insert(&nodes[i], now + delay(one->order, put++, n));
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        (void)take(&now);
    }
    expect(first() == NULL);
    bench_case_end();
}

static bool same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int main(void)
{
    for (queue = bench_queues; queue->name != NULL && !same(queue->name, bench_queue_name);) {
        queue++;
    }
    expect(queue->name != NULL);
    for (size_t i = 0; i < bench_case_count; i++) {
        queue->init();
        if (bench_cases[i].order == BENCH_PERIODIC) {
            run_periodic(&bench_cases[i]);
        } else {
            run_order(&bench_cases[i]);
        }
    }
    bench_done();
    hrlp_cpu_halt(0);
}
